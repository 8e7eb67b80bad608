/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMPARISON_H
#define ORR_COMPARISON_H

#include <math.h>

#include "apps/html/html_record.h"
#include "apps/simulation/simulate.h"
#include "apps/trace/timeline.h"

/*
 * A comparison of several policies at one matrix size, with bounds on their
 * makespan. It consists of independent jobs; afterwards it is reported, even
 * if not all jobs were done.
 *
 * Replica r of every policy has the seed of the settings plus r, hence the
 * same random draws: in one replica, the runs differ by their policy only.
 */
struct orr_comparison {
    struct orr_settings
        settings; /* resolved; a shallow copy, whose pointers are borrowed */
    char *const *names; /* names of the policies, as given; borrowed */
    char **labels;      /* names in reports; owned */
    unsigned policy_count;
    unsigned replicas; /* > 0 */

    /* One for each replica if durations of kernels differ between replicas,
     * otherwise one for all. NAN: no bound. */
    unsigned bounds_count;
    struct orr_bounds *bounds;

    double *makespans_s; /* [replica * policy_count + policy]; NAN: none */
    double *energies_j;  /* [replica * policy_count + policy]; NAN: not known */
    JsonObject **facts;  /* [policy], facts of its first replica; NULL: none */
    char **summaries;    /* [policy], orr_explanation_summary() of its first
                            replica; NULL: the run hangs, or has too many tasks */
    struct orr_timeline
        *timelines; /* [policy], first replica; NULL: no Gantt chart */
    struct orr_html_record
        *records;       /* [policy], first replica; NULL: no report */
    JsonObject **hangs; /* [replica * policy_count + policy]: diagnosis.h;
                           NULL: the run did not hang */
    gint *hanging;      /* [policy]: replicas that hang */
};

void orr_comparison_init(struct orr_comparison *comparison,
                         const struct orr_settings *settings,
                         char *const *names, unsigned replicas);
void orr_comparison_clear(struct orr_comparison *comparison);

/*
 * Return the number of jobs, and perform one of them. A job simulates one
 * replica of a policy or computes bounds. Jobs are ordered by replica and may
 * be performed in several threads. They fail as orr_simulate() does.
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

/* Stores the energies of @policy in the complete replicas, J, in @energies_j,
 * which has room for all; NAN: not known. */
void orr_comparison_energies(const struct orr_comparison *comparison,
                             unsigned policy, double *energies_j);

/* Whether the operations of the application are known. */
bool orr_comparison_has_speed(const struct orr_comparison *comparison);

/* Returns the speed, in GFlop/s, of a run with the makespan @makespan_s; NAN if
 * the operations are not known. */
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
 *   replicas    as requested
 *   spread      null if it was not given
 *   policies[]  sched; sched_file, null for a built-in policy; makespan_s and
 *               gflops: mean, median, p05, p95 and n, the number of complete
 *               replicas; slowdown, the mean makespan divided by the smallest;
 *               versus_best: difference_percent, ci95[2] (null for the best
 *               policy and with one replica), verdict ("best", "tie", "slower",
 *               or null); above_bound_percent; hanging_replicas; hang: null or
 *               the first hang (diagnosis.h), and then the results are null;
 *               summary, a sentence on why the first replica takes its time, or
 *               null; first_run, the facts of the first replica (facts.h)
 *   pairs[]     a, b, difference_percent, ci95[2], verdict; empty with one
 *               replica
 *   noise_floor_percent  half the widest of these intervals, or null
 *   bounds      area_s, critical_path_s, mixed_s, transfer_s
 *
 * docs/schemas/compare.json is their JSON Schema.
 */
JsonObject *orr_comparison_facts(const struct orr_comparison *comparison);

/* Returns the hang in an element of policies[], or NULL. Borrowed. */
static inline JsonObject *orr_policy_hang(JsonObject *policy)
{
    return json_object_get_null_member(policy, "hang")
               ? NULL
               : json_object_get_object_member(policy, "hang");
}

/* Returns a member of the summary @name, makespan_s or gflops, of an element of
 * policies[]; NAN if the policy hangs. */
static inline double orr_policy_result(JsonObject *policy, const char *name,
                                       const char *member)
{
    JsonObject *summary = json_object_get_object_member(policy, name);

    return json_object_get_null_member(summary, member)
               ? NAN
               : json_object_get_double_member(summary, member);
}

/* Returns the number of complete replicas; 0 if all policies hang. */
gint64 orr_policies_replicas(JsonArray *policies);

/* The version of the JSON of `orrery compare`: it grows if a member is removed
 * or gets another meaning. */
#define ORR_COMPARE_SCHEMA 1

/* Returns the JSON of `orrery compare`: schema_version, comparisons and, if
 * these have different spreads, robustness. Free with json_object_unref(). */
JsonObject *orr_comparisons_json(JsonArray *comparisons);

/*
 * Adds an object to @rows for each policy of each of @comparisons, for CSV: one
 * quantity in each member, and the same members in all objects.
 */
void orr_comparison_add_rows(JsonArray *rows, JsonArray *comparisons);

/*
 * Writes the replicas of @count comparisons into the CSV file @path: a row for
 * each replica that has ended, of each policy. Fails as orr_draft_open() does.
 */
bool orr_comparison_save_raw(const struct orr_comparison *comparisons,
                             unsigned count, const char *path, GError **error);

/* Prints one comparison, or several of different spreads or values of option
 * @axis, as text. */
void orr_comparison_print(JsonObject *facts);
void orr_comparison_print_several(JsonArray *comparisons, const char *axis);

/*
 * Returns how sensitive each policy is to the spread of durations: an array of
 * objects with sched; growth_percent, growth of the mean makespan from the
 * first to the last of @comparisons; worst_slowdown, the largest slowdown
 * against the best policy of a comparison; and at_spread, the spread of that
 * comparison. Free with json_array_unref().
 */
JsonArray *orr_comparison_robustness(JsonArray *comparisons);

/* Writes the report of the first replicas if the settings ask for one. Fails as
 * orr_html_save(). */
bool orr_comparison_report(const struct orr_comparison *comparison,
                           GError **error);

#endif
