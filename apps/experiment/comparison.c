/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Performs the runs of a comparison as independent jobs, which write to
 * separate elements of its arrays, so that they need no lock. The first replica
 * of each policy also records what the summary, the Gantt chart and the report
 * need. A replica is complete if all policies that do not hang have a result
 * for it; statistics use only complete replicas.
 */
#include "apps/experiment/comparison.h"

#include <math.h>

#include "apps/explain/summary.h"
#include "apps/html/html_report.h"
#include "apps/settings/policies.h"
#include "apps/trace/trace_files.h"
#include "runtime/run.h"

void orr_comparison_init(struct orr_comparison *comparison,
                         const struct orr_settings *settings,
                         char *const *names, unsigned replicas)
{
    unsigned count = g_strv_length((char **)names);

    *comparison = (struct orr_comparison){
        .settings = *settings,
        .names = names,
        .labels = orr_policies_label(names),
        .policy_count = count,
        .replicas = replicas,
        .bounds_count =
            settings->scenario.config.perturb.share > 0 ? replicas : 1,
        .makespans_s = g_new(double, (gsize)replicas *count),
        .energies_j = g_new(double, (gsize)replicas *count),
        .facts = g_new0(JsonObject *, count),
        .hangs = g_new0(JsonObject *, (gsize)replicas * count),
        .hanging = g_new0(gint, count),
        .summaries = g_new0(char *, count),
    };
    if (settings->outputs.gantt.path)
        comparison->timelines = g_new(struct orr_timeline, count);
    for (unsigned p = 0; comparison->timelines && p < count; p++)
        orr_timeline_init(&comparison->timelines[p]);
    if (settings->outputs.report)
        comparison->records = g_new(struct orr_html_record, count);
    for (unsigned p = 0; comparison->records && p < count; p++)
        orr_html_record_init(&comparison->records[p]);
    for (size_t i = 0; i < (size_t)replicas * count; i++)
        comparison->makespans_s[i] = comparison->energies_j[i] = NAN;
    comparison->bounds = g_new(struct orr_bounds, comparison->bounds_count);
    for (unsigned i = 0; i < comparison->bounds_count; i++)
        orr_bounds_init(&comparison->bounds[i]);
}

void orr_comparison_clear(struct orr_comparison *comparison)
{
    for (unsigned p = 0; p < comparison->policy_count; p++) {
        g_clear_pointer(&comparison->facts[p], json_object_unref);
        g_free(comparison->summaries[p]);
        if (comparison->timelines)
            orr_timeline_clear(&comparison->timelines[p]);
        if (comparison->records)
            orr_html_record_clear(&comparison->records[p]);
    }
    g_free(comparison->summaries);
    g_free(comparison->records);
    g_free(comparison->timelines);
    g_strfreev(comparison->labels);
    for (unsigned i = 0; i < comparison->replicas * comparison->policy_count;
         i++)
        g_clear_pointer(&comparison->hangs[i], json_object_unref);
    g_free(comparison->hangs);
    g_free(comparison->hanging);
    g_free(comparison->facts);
    g_free(comparison->bounds);
    g_free(comparison->makespans_s);
    g_free(comparison->energies_j);
}

unsigned orr_comparison_jobs(const struct orr_comparison *comparison)
{
    return comparison->replicas * comparison->policy_count +
           comparison->bounds_count;
}

/* Stores a reference to the hang of @facts. */
static void add_hang(struct orr_comparison *comparison, size_t place,
                     unsigned policy, JsonObject *facts)
{
    comparison->hangs[place] =
        json_object_ref(json_object_get_object_member(facts, "hang"));
    g_atomic_int_inc(&comparison->hanging[policy]);
}

/* Simulates with @files as trace, and sets the summary of @policy. */
static enum orr_exit explain(struct orr_comparison *comparison,
                             const struct orr_settings *settings,
                             unsigned policy, struct orr_trace_files *files,
                             JsonObject **facts, GError **error)
{
    struct orr_explanation explanation;
    struct orr_run *run;
    enum orr_exit status;

    orr_explanation_begin(&explanation, true);
    orr_trace_files_add(files, &explanation.seen.trace);
    status =
        orr_simulate_keep(&settings->scenario, comparison->names[policy],
                          orr_trace_files_trace(files), facts, &run, error);
    if (status == ORR_EXIT_OK) {
        orr_explanation_end(&explanation, orr_run_report(run), run->platform);
        comparison->summaries[policy] = orr_explanation_summary(&explanation);
    }
    orr_explanation_clear(&explanation);
    orr_run_free(run);
    return status;
}

/* Simulates with the traces that the summary and the charts need. */
static enum orr_exit observe(struct orr_comparison *comparison,
                             const struct orr_settings *settings,
                             unsigned policy, JsonObject **facts,
                             GError **error)
{
    const struct orr_traced_run traced = orr_traced_run(settings);
    struct orr_trace_files files;
    enum orr_exit status = ORR_EXIT_FAILURE;

    if (orr_trace_files_open(&files, &settings->outputs, &traced, error)) {
        if (comparison->timelines)
            orr_trace_files_add(&files, &comparison->timelines[policy].trace);
        if (comparison->records)
            orr_trace_files_add(&files, &comparison->records[policy].trace);
        status =
            orr_app_tasks(settings->scenario.problem.values) >
                    ORR_EXPLAIN_MAX_TASKS
                ? orr_simulate(&settings->scenario, comparison->names[policy],
                               orr_trace_files_trace(&files), facts, error)
                : explain(comparison, settings, policy, &files, facts, error);
    }
    orr_trace_files_clear(&files);
    return status;
}

static enum orr_exit simulate(struct orr_comparison *comparison,
                              unsigned replica, unsigned policy, GError **error)
{
    struct orr_settings settings = comparison->settings;
    size_t place = (size_t)replica * comparison->policy_count + policy;
    enum orr_exit status;
    JsonObject *facts = NULL;

    settings.scenario.config.seed += replica;
    status = replica == 0
                 ? observe(comparison, &settings, policy, &facts, error)
                 : orr_simulate(&settings.scenario, comparison->names[policy],
                                NULL, &facts, error);
    if (!orr_exit_has_facts(status))
        return status;
    if (status == ORR_EXIT_OK) {
        comparison->makespans_s[place] =
            json_object_get_double_member(facts, "makespan_s");
        if (!json_object_get_null_member(facts, "energy_j"))
            comparison->energies_j[place] =
                json_object_get_double_member(facts, "energy_j");
    } else
        add_hang(comparison, place, policy, facts);
    g_clear_error(error);
    if (replica == 0)
        comparison->facts[policy] = facts;
    else
        json_object_unref(facts);
    return ORR_EXIT_OK;
}

static enum orr_exit bound(struct orr_comparison *comparison, unsigned replica,
                           GError **error)
{
    struct orr_settings settings = comparison->settings;

    settings.scenario.config.seed += replica;
    return orr_simulate_bounds(&settings.scenario, &comparison->bounds[replica],
                               error);
}

enum orr_exit orr_comparison_perform(struct orr_comparison *comparison,
                                     unsigned job, GError **error)
{
    unsigned policies = comparison->policy_count;
    unsigned replica, step;

    /* The first bounds_count replicas also have a job for their bounds. */
    if (job < comparison->bounds_count * (policies + 1)) {
        replica = job / (policies + 1);
        step = job % (policies + 1);
        return step == 0 ? bound(comparison, replica, error)
                         : simulate(comparison, replica, step - 1, error);
    }
    job -= comparison->bounds_count;
    return simulate(comparison, job / policies, job % policies, error);
}

JsonObject *orr_comparison_hang(const struct orr_comparison *comparison,
                                unsigned policy)
{
    size_t place = policy;

    if (comparison->hanging[policy] == 0)
        return NULL;
    while (!comparison->hangs[place])
        place += comparison->policy_count;
    return comparison->hangs[place];
}

static bool is_complete(const struct orr_comparison *comparison,
                        unsigned replica)
{
    const double *makespans_s =
        &comparison->makespans_s[(size_t)replica * comparison->policy_count];

    bool any = false;

    for (unsigned p = 0; p < comparison->policy_count; p++) {
        if (comparison->hanging[p] > 0)
            continue;
        if (comparison->facts[p] && isnan(makespans_s[p]))
            return false;
        any |= !isnan(makespans_s[p]);
    }
    return any;
}

/* Stores the values of @policy in the complete replicas, in @to unless it is
 * NULL, and returns their number. */
static unsigned select_complete(const struct orr_comparison *comparison,
                                unsigned policy, const double *values,
                                double *to)
{
    unsigned count = 0;

    for (unsigned r = 0; r < comparison->replicas; r++) {
        if (!is_complete(comparison, r))
            continue;
        if (to)
            to[count] = values[(size_t)r * comparison->policy_count + policy];
        count++;
    }
    return count;
}

unsigned orr_comparison_complete(const struct orr_comparison *comparison,
                                 unsigned policy, double *makespans_s)
{
    return select_complete(comparison, policy, comparison->makespans_s,
                           makespans_s);
}

void orr_comparison_energies(const struct orr_comparison *comparison,
                             unsigned policy, double *energies_j)
{
    select_complete(comparison, policy, comparison->energies_j, energies_j);
}

bool orr_comparison_has_speed(const struct orr_comparison *comparison)
{
    return !isnan(orr_app_flops(comparison->settings.scenario.problem.values));
}

double orr_comparison_gflops(const struct orr_comparison *comparison,
                             double makespan_s)
{
    const struct orr_settings *settings = &comparison->settings;

    return orr_app_flops_at(
               settings->scenario.problem.values,
               orr_app_size(settings->scenario.problem.values,
                            settings->scenario.problem.app->axis)) /
           makespan_s / 1e9;
}

static void add(struct orr_bounds *to, const struct orr_bounds *bounds,
                double share)
{
    to->area_s += share * bounds->area_s;
    to->critical_path_s += share * bounds->critical_path_s;
    to->mixed_s += share * bounds->mixed_s;
    to->transfer_s += share * bounds->transfer_s;
    to->energy.least_j += share * bounds->energy.least_j;
    to->energy.area_j += share * bounds->energy.area_j;
    to->energy.idle_j += share * bounds->energy.idle_j;
}

void orr_comparison_bounds(const struct orr_comparison *comparison,
                           struct orr_bounds *bounds)
{
    unsigned count = orr_comparison_complete(comparison, 0, NULL);

    *bounds = comparison->bounds[0];
    if (comparison->bounds_count == 1 || count == 0)
        return;
    *bounds = (struct orr_bounds){.area_s = 0};
    for (unsigned r = 0; r < comparison->replicas; r++) {
        if (is_complete(comparison, r))
            add(bounds, &comparison->bounds[r], 1.0 / count);
    }
}

/* The summaries, a line for each policy. */
static char *list_summaries(const struct orr_comparison *comparison)
{
    GString *text = g_string_new(NULL);

    for (unsigned p = 0; p < comparison->policy_count; p++)
        if (comparison->summaries[p])
            g_string_append_printf(text, "%s: %s\n", comparison->labels[p],
                                   comparison->summaries[p]);
    return g_string_free(text, FALSE);
}

bool orr_comparison_report(const struct orr_comparison *comparison,
                           GError **error)
{
    g_autofree char *summaries = list_summaries(comparison);
    const struct orr_html_note note = {"In short", summaries};
    struct orr_html_run *runs;
    struct orr_html report = {
        .bounds = &comparison->bounds[0],
        .note_count = *summaries != '\0',
        .notes = &note,
        .most_bars = ORR_HTML_MOST_BARS,
    };
    bool saved;

    if (!comparison->records)
        return true;
    runs = g_new0(struct orr_html_run, comparison->policy_count);
    for (unsigned p = 0; p < comparison->policy_count; p++) {
        if (comparison->facts[p])
            runs[report.run_count++] = (struct orr_html_run){
                comparison->labels[p], comparison->facts[p],
                &comparison->records[p]};
    }
    report.runs = runs;
    saved = report.run_count == 0 ||
            orr_html_save(comparison->settings.outputs.report, &report, error);
    g_free(runs);
    return saved;
}
