/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMPARISON_H
#define ORR_COMPARISON_H

#include "apps/study/simulate.h"

/*
 * Several policies at one matrix size, each with the same seeds, and the
 * bounds that hold for all of them. It is a number of jobs that need nothing
 * of each other; afterwards it is reported, complete or not.
 *
 * Replica r of every policy has the seed of the settings plus r, hence the
 * same luck: what differs between policies in one replica is the policy.
 */
struct orr_comparison {
    struct orr_settings settings; /* resolved; what it owns is borrowed */
    char *const *names;           /* of policies, as given; borrowed */
    char **labels;                /* what reports call them */
    unsigned policy_count;
    unsigned replicas; /* > 0 */

    /* Of each replica if the durations of kernels differ between them, else one
       for all; NAN: none. */
    unsigned bounds_count;
    struct orr_bounds *bounds;

    double *makespans_s; /* [replica * policy_count + policy]; NAN: none */
    JsonObject **facts;  /* [policy] of its first replica; NULL: none */
    JsonObject **hangs;  /* [replica * policy_count + policy], of those that
                            hang: diagnosis.h; NULL: it does not */
    gint *hanging;       /* [policy]: how many of them */
};

void orr_comparison_init(struct orr_comparison *comparison,
                         const struct orr_settings *settings,
                         char *const *names, unsigned replicas);
void orr_comparison_clear(struct orr_comparison *comparison);

/*
 * Jobs compute bounds and simulate, replica by replica. They fail as
 * orr_simulate(), and may be performed in several threads.
 */
unsigned orr_comparison_jobs(const struct orr_comparison *comparison);
enum orr_exit orr_comparison_perform(struct orr_comparison *comparison,
                                     unsigned job, GError **error);

/* How @policy hangs, in the first replica in which it does; or NULL. */
JsonObject *orr_comparison_hang(const struct orr_comparison *comparison,
                                unsigned policy);

/*
 * How many replicas are complete for every policy of which there is one, those
 * that hang in some replica left aside;
 * @makespans_s[0 ...], unless NULL, of room for all replicas, are then those
 * of @policy.
 */
unsigned orr_comparison_complete(const struct orr_comparison *comparison,
                                 unsigned policy, double *makespans_s);

/* The speed in GFlop/s that makes a run take @makespan_s. */
double orr_comparison_gflops(const struct orr_comparison *comparison,
                             double makespan_s);

/* Sets each bound to its mean over the replicas that are complete: no policy
 * has a smaller mean makespan. */
void orr_comparison_bounds(const struct orr_comparison *comparison,
                           struct orr_bounds *bounds);

/*
 * What there is to say, of the replicas that are complete; NULL if no run is.
 * The members are those that the runs have in common, and
 *
 *   policies[]  with one replica, the facts of its run (facts.h), slowdown,
 *               replicas and above_bound_percent; with more: sched,
 *               replicas, makespan_s {mean median p05 p95}, gflops (likewise),
 *               slowdown, above_bound_percent; if any of them is from a file,
 *               sched_file, which is null of the others; of one that hangs
 *               in some replica, results are null and there are hang
 *               (diagnosis.h), of the first, and hanging_replicas
 *   pairs[]     a, b, difference_percent, ci95[2], verdict; none with one
 *               replica
 *   noise_floor_percent  half the widest of these intervals, or null
 *   spread      if it was given
 *   bounds      area_s, critical_path_s, mixed_s, transfer_s
 */
JsonObject *orr_comparison_facts(const struct orr_comparison *comparison);

/* The hang among the facts of one of the policies, or NULL. */
static inline JsonObject *orr_policy_hang(JsonObject *policy)
{
    return json_object_has_member(policy, "hang")
               ? json_object_get_object_member(policy, "hang")
               : NULL;
}

/* How many replicas count: of each policy that does not hang; else 0. */
static inline gint64 orr_policies_replicas(JsonArray *policies)
{
    gint64 replicas = 0;

    for (guint i = 0; i < json_array_get_length(policies); i++)
        replicas = MAX(replicas, json_object_get_int_member(
                                     json_array_get_object_element(policies, i),
                                     "replicas"));
    return replicas;
}

/* The same for CSV: adds an object for each policy of each of @comparisons. */
void orr_comparison_add_rows(JsonArray *rows, JsonArray *comparisons);

/* Text for people: of one comparison, or of several sizes or spreads. */
void orr_comparison_print(JsonObject *facts);
void orr_comparison_print_several(JsonArray *comparisons);

/*
 * Who stays good as the spread of durations grows: an object for each policy,
 * of sched, growth_percent (of its mean makespan from the first of
 * @comparisons to the last), worst_slowdown (beside the best policy of each)
 * and at_spread (where that was).
 */
JsonArray *orr_comparison_robustness(JsonArray *comparisons);

/*
 * Draws the speeds of @count comparisons, of different sizes, into the file
 * @path: curves over the matrix size with a band from the 5 to the 95 %
 * quantile, bounds dashed; a bar a policy if there is one size. Fails as
 * orr_plot_save().
 */
bool orr_comparison_plot(const struct orr_comparison *comparisons,
                         unsigned count, const char *path, GError **error);

#endif
