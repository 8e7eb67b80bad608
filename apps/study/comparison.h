/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMPARISON_H
#define ORR_COMPARISON_H

#include "apps/study/simulate.h"

/*
 * A comparison of several policies at one matrix size, with bounds on their
 * makespan. It consists of independent jobs; afterwards it is reported, even
 * if not all jobs were done.
 *
 * Replica r of every policy has the seed of the settings plus r, hence the
 * same random draws: in one replica, the runs differ by their policy only.
 */
struct orr_comparison {
    struct orr_settings settings; /* resolved; what it owns is borrowed */
    char *const *names;           /* of policies, as given; borrowed */
    char **labels;                /* names in reports; owned */
    unsigned policy_count;
    unsigned replicas; /* > 0 */

    /* For each replica if durations of kernels differ between replicas, else
       one for all; NAN: none. */
    unsigned bounds_count;
    struct orr_bounds *bounds;

    double *makespans_s; /* [replica * policy_count + policy]; NAN: none */
    JsonObject **facts;  /* [policy], of its first replica; NULL: none */
    JsonObject **hangs;  /* [replica * policy_count + policy]: diagnosis.h;
                            NULL: the run did not hang */
    gint *hanging;       /* [policy]: replicas that hang */
};

void orr_comparison_init(struct orr_comparison *comparison,
                         const struct orr_settings *settings,
                         char *const *names, unsigned replicas);
void orr_comparison_clear(struct orr_comparison *comparison);

/*
 * The number of jobs, and one of them. A job simulates one replica of a policy
 * or computes bounds; jobs are ordered by replica and may be performed in
 * several threads. They fail as orr_simulate() does.
 */
unsigned orr_comparison_jobs(const struct orr_comparison *comparison);
enum orr_exit orr_comparison_perform(struct orr_comparison *comparison,
                                     unsigned job, GError **error);

/* Returns the first hang of @policy (diagnosis.h), or NULL. Borrowed. */
JsonObject *orr_comparison_hang(const struct orr_comparison *comparison,
                                unsigned policy);

/*
 * Returns the number of replicas that are complete for every policy. Policies
 * without any complete replica and policies that hang in some replica are
 * ignored. Stores the makespans of @policy in these replicas in @makespans_s,
 * which has room for all replicas or is NULL.
 */
unsigned orr_comparison_complete(const struct orr_comparison *comparison,
                                 unsigned policy, double *makespans_s);

/* Returns the speed, in GFlop/s, of a run with the makespan @makespan_s. */
double orr_comparison_gflops(const struct orr_comparison *comparison,
                             double makespan_s);

/* Sets each bound to its mean over the complete replicas: a bound on the mean
 * makespan of any policy. */
void orr_comparison_bounds(const struct orr_comparison *comparison,
                           struct orr_bounds *bounds);

/*
 * Returns the facts of the complete replicas, to be freed with
 * json_object_unref(); NULL if no run is complete. They have the members that
 * all runs share, and
 *
 *   policies[]  with one replica: the facts of its run (facts.h), slowdown,
 *               replicas and above_bound_percent; with more: sched, replicas,
 *               makespan_s and gflops {mean median p05 p95}, slowdown,
 *               above_bound_percent; if any policy is a plug-in: sched_file,
 *               null for built-in policies; if it hangs in some replica:
 *               results are null, hang is the first hang (diagnosis.h), and
 *               hanging_replicas their number
 *   pairs[]     a, b, difference_percent, ci95[2], verdict; empty with one
 *               replica
 *   noise_floor_percent  half the widest of these intervals, or null
 *   spread      if it was given
 *   bounds      area_s, critical_path_s, mixed_s, transfer_s
 */
JsonObject *orr_comparison_facts(const struct orr_comparison *comparison);

/* Returns the hang in an element of policies[], or NULL. Borrowed. */
static inline JsonObject *orr_policy_hang(JsonObject *policy)
{
    return json_object_has_member(policy, "hang")
               ? json_object_get_object_member(policy, "hang")
               : NULL;
}

/* Returns the number of complete replicas; 0 if all policies hang. */
static inline gint64 orr_policies_replicas(JsonArray *policies)
{
    gint64 replicas = 0;

    for (guint i = 0; i < json_array_get_length(policies); i++)
        replicas = MAX(replicas, json_object_get_int_member(
                                     json_array_get_object_element(policies, i),
                                     "replicas"));
    return replicas;
}

/* Adds an object to @rows, for CSV, for each policy of each of @comparisons. */
void orr_comparison_add_rows(JsonArray *rows, JsonArray *comparisons);

/* Prints one comparison, or several of different sizes or spreads, as text. */
void orr_comparison_print(JsonObject *facts);
void orr_comparison_print_several(JsonArray *comparisons);

/*
 * Returns how each policy bears growing spreads of durations: an array of
 * objects with sched, growth_percent (of the mean makespan from the first to
 * the last of @comparisons), worst_slowdown (against the best policy of each
 * comparison) and at_spread (of that comparison). Free with json_array_unref().
 */
JsonArray *orr_comparison_robustness(JsonArray *comparisons);

/*
 * Draws the speeds of @count comparisons of different sizes into the file
 * @path: a curve over the matrix size for each policy, with a band from the 5 %
 * to the 95 % quantile, and dashed bounds. With one size, it draws a bar for
 * each policy. Fails as orr_plot_save() does.
 */
bool orr_comparison_plot(const struct orr_comparison *comparisons,
                         unsigned count, const char *path, GError **error);

#endif
