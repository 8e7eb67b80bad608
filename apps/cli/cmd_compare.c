/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orrery compare: the settings make a plan, which is one comparison for each
 * size of the matrix or each spread of durations. Each comparison has a run for
 * each policy and replica, and jobs for its lower bounds. All jobs of the plan
 * go in parallel, long ones first; after a signal, the complete runs are
 * reported. Results are in the order of the plan, so they do not depend on the
 * threads.
 */
#include <math.h>
#include <string.h>

#include "apps/chart/comparison_plot.h"
#include "apps/cli/cmd.h"
#include "apps/experiment/comparison.h"
#include "apps/facts/coverage.h"
#include "apps/facts/diagnosis.h"
#include "apps/html/html_report.h"
#include "apps/output/csv.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/parallel.h"
#include "apps/picture/plot.h"
#include "apps/settings/command.h"
#include "apps/settings/policies.h"
#include "apps/settings/variants.h"
#include "models/base/error.h"
#include "models/base/file.h"

static const struct orr_syntax syntax = {
    "compare",
    "APP",
    1,
    1,
    "Simulates the application APP under several policies with the same "
    "settings.\nCompares the makespans with each other and with lower bounds.",
    {&orr_options_application, &orr_options_kernels, &orr_options_machine,
     &orr_options_runtime, &orr_options_compare, &orr_options_plot,
     &orr_options_gantt, &orr_options_report, &orr_options_plugin,
     &orr_options_output, NULL},
};

/* A comparison for each matrix size or each spread of durations. */
struct plan {
    const struct orr_settings *settings;
    const struct orr_overlay *overlay; /* or NULL */
    char **names;
    unsigned count;
    struct orr_comparison *comparisons;
    unsigned jobs_each;

    /* One element for each job. Jobs run in parallel. */
    enum orr_exit *statuses;
    GError **errors;
};

static bool perform(unsigned i, void *data)
{
    struct plan *plan = data;
    struct orr_comparison *comparison = &plan->comparisons[i / plan->jobs_each];

    plan->statuses[i] = orr_comparison_perform(comparison, i % plan->jobs_each,
                                               &plan->errors[i]);
    return plan->statuses[i] == ORR_EXIT_OK;
}

/* Prints the error of the first job that failed. */
static enum orr_exit check(const struct plan *plan)
{
    for (unsigned i = 0; i < plan->count * plan->jobs_each; i++) {
        if (plan->errors[i]) {
            orr_message_print(syntax.command, "%s", plan->errors[i]->message);
            return plan->statuses[i];
        }
    }
    return ORR_EXIT_OK;
}

/* Simulations and bounds take a time that grows with the tasks. */
static double weight(unsigned i, void *data)
{
    const struct plan *plan = data;
    const struct orr_settings *settings =
        &plan->comparisons[i / plan->jobs_each].settings;

    return orr_app_tasks(settings->scenario.problem.values);
}

static enum orr_exit perform_all(struct plan *plan)
{
    const struct orr_parallel parallel = {
        .command = syntax.command,
        .noun = "runs and bounds",
        .weight = weight,
        .count = plan->count * plan->jobs_each,
        .perform = perform,
        .data = plan,
    };
    int signal = orr_parallel_run(&parallel, NULL);
    enum orr_exit status = check(plan);

    return status == ORR_EXIT_OK && signal ? orr_parallel_status(signal)
                                           : status;
}

/* Returns whether the makespan differs between replicas. */
static bool vary(const struct orr_comparison *comparison)
{
    for (size_t i = comparison->policy_count;
         i < (size_t)comparison->replicas * comparison->policy_count; i++) {
        double makespan_s = comparison->makespans_s[i];
        double first_s = comparison->makespans_s[i % comparison->policy_count];

        if (makespan_s < first_s || makespan_s > first_s)
            return true;
    }
    return false;
}

/* Returns whether --by asks for energy, which no run has. */
static bool lacks_energy(const struct plan *plan)
{
    const struct orr_comparison *first = &plan->comparisons[0];
    const char *by = plan->settings->outputs.by;

    if (!by || strcmp(by, "makespan") == 0)
        return false;
    for (size_t i = 0; i < (size_t)first->replicas * first->policy_count; i++) {
        if (!isnan(first->energies_j[i]) || isnan(first->makespans_s[i]))
            return false;
    }
    return true;
}

/* Prints a message about points of --overlay that are not drawn. */
static void warn_overlay(const struct plan *plan)
{
    unsigned left_out =
        orr_comparison_left_out(plan->comparisons, plan->count, plan->overlay);

    if (left_out > 0)
        orr_message_print(syntax.command,
                          "--overlay: %u of %u points belong to other policies "
                          "or sizes, and are not drawn",
                          left_out, plan->overlay->points->len);
}

/* Prints messages about settings that had no effect in any run. */
static void warn(const struct plan *plan, JsonObject *facts)
{
    const struct orr_comparison *first = &plan->comparisons[0];
    GPtrArray *runs = g_ptr_array_new();
    uint64_t by_segment = 0;
    bool varies = false;

    for (unsigned c = 0; c < plan->count; c++) {
        for (unsigned p = 0; p < first->policy_count; p++) {
            JsonObject *run = plan->comparisons[c].facts[p];

            g_ptr_array_add(runs, run);
            if (run)
                by_segment += (uint64_t)json_object_get_int_member(
                    run, "copies_by_segment");
        }
    }
    orr_settings_warn_no_effect(
        plan->settings, syntax.command,
        (unsigned)json_object_get_int_member(facts, "gpus"));
    orr_settings_warn_unused(syntax.command, (JsonObject *const *)runs->pdata,
                             runs->len);
    orr_settings_warn_layout(plan->settings, syntax.command, by_segment);
    for (unsigned c = 0; c < plan->count; c++)
        varies |= vary(&plan->comparisons[c]);
    if (lacks_energy(plan))
        orr_message_print(syntax.command,
                          "--by: no joules are known on platform %s: policies "
                          "are in the order given",
                          orr_text_of(facts, "platform"));
    if (plan->overlay)
        warn_overlay(plan);
    if (first->replicas > 1 && !varies)
        orr_message_print(syntax.command,
                          "all replicas are identical, because nothing depends "
                          "on the seed; see --durations and --perturb");
    g_ptr_array_unref(runs);
}

static void print_json(JsonArray *comparisons)
{
    JsonObject *all = orr_comparisons_json(comparisons);

    orr_output_object(all);
    json_object_unref(all);
}

static void print(JsonArray *comparisons, const struct orr_settings *settings)
{
    bool several =
        orr_settings_list_sizes(settings) || settings->scenario.run.robustness;
    JsonObject *first = json_array_get_object_element(comparisons, 0);
    JsonArray *rows = json_array_new();

    if (settings->format == ORR_FORMAT_CSV) {
        orr_comparison_add_rows(rows, comparisons);
        orr_csv_print_rows(rows);
    } else if (settings->format == ORR_FORMAT_JSON) {
        print_json(comparisons);
    } else if (several) {
        orr_comparison_print_several(comparisons,
                                     settings->scenario.problem.axis);
    } else {
        orr_comparison_print(first);
    }
    json_array_unref(rows);
}

/* Writes the files of the first @count comparisons. */
static bool save(const struct plan *plan, unsigned count, GError **error)
{
    const struct orr_settings *settings = plan->settings;

    if (settings->outputs.raw &&
        !orr_comparison_save_raw(plan->comparisons, count,
                                 settings->outputs.raw, error))
        return false;
    return orr_comparison_plot(plan->comparisons, count, plan->overlay,
                               &settings->outputs.plot, error) &&
           orr_comparison_gantt(&plan->comparisons[0], error) &&
           orr_comparison_report(&plan->comparisons[0], error);
}

/* Reports the complete runs; after a signal, these are not all. */
static enum orr_exit report(const struct plan *plan)
{
    const struct orr_settings *settings = plan->settings;
    JsonArray *comparisons = json_array_new();
    enum orr_exit status = ORR_EXIT_OK;
    GError *error = NULL;
    unsigned begun = 0;

    for (; begun < plan->count; begun++) {
        JsonObject *facts = orr_comparison_facts(&plan->comparisons[begun]);

        if (!facts)
            break;
        json_array_add_object_element(comparisons, facts);
    }
    if (begun > 0) {
        warn(plan, json_array_get_object_element(comparisons, 0));
        print(comparisons, settings);
        if (!save(plan, begun, &error))
            status = ORR_EXIT_FAILURE;
    }
    if (error)
        orr_message_print(syntax.command, "%s", error->message);
    g_clear_error(&error);
    json_array_unref(comparisons);
    return status;
}

/* @variants: struct orr_settings, one for each comparison. */
static void init(struct plan *plan, const struct orr_settings *settings,
                 const struct orr_overlay *overlay, char **names,
                 const GArray *variants)
{
    *plan = (struct plan){
        .settings = settings,
        .overlay = overlay,
        .names = names,
        .count = variants->len,
    };
    plan->comparisons = g_new(struct orr_comparison, plan->count);
    for (unsigned i = 0; i < plan->count; i++)
        orr_comparison_init(&plan->comparisons[i],
                            &g_array_index(variants, struct orr_settings, i),
                            names, (unsigned)settings->scenario.run.replicas);
    plan->jobs_each = orr_comparison_jobs(&plan->comparisons[0]);
    plan->statuses =
        g_new0(enum orr_exit, (gsize)plan->count * plan->jobs_each);
    plan->errors = g_new0(GError *, (gsize)plan->count * plan->jobs_each);
}

static void clear(struct plan *plan)
{
    for (unsigned i = 0; i < plan->count * plan->jobs_each; i++)
        g_clear_error(&plan->errors[i]);
    for (unsigned i = 0; i < plan->count; i++)
        orr_comparison_clear(&plan->comparisons[i]);
    g_free(plan->comparisons);
    g_free(plan->statuses);
    g_free(plan->errors);
}

/* Prints where a signal stopped the comparisons. */
static void print_stopped(const struct plan *plan)
{
    const struct orr_comparison *last = NULL;
    g_autofree char *size = NULL;

    for (unsigned i = 0; i < plan->count; i++) {
        const struct orr_comparison *comparison = &plan->comparisons[i];

        if (orr_comparison_complete(comparison, 0, NULL) <
            comparison->replicas) {
            last = comparison;
            break;
        }
    }
    if (!last)
        return;
    size = orr_app_size_text(last->settings.scenario.problem.values,
                             last->settings.scenario.problem.axis);
    orr_message_print(
        syntax.command, "stopped at size %s, with %u of %u replicas complete",
        size, orr_comparison_complete(last, 0, NULL), last->replicas);
}

/* Returns "dmda at size 28800, in 2 of 5 replicas: ", without a size if the
 * application has none. Free with g_free(). */
static char *name_hang(const struct orr_comparison *comparison, unsigned policy)
{
    g_autofree char *often =
        g_strdup_printf(", in %d of %u replicas", comparison->hanging[policy],
                        comparison->replicas);

    g_autofree char *size =
        orr_app_size_text(comparison->settings.scenario.problem.values,
                          comparison->settings.scenario.problem.axis);

    return g_strdup_printf(
        "%s%s%s%s: ", comparison->labels[policy],
        comparison->settings.scenario.problem.axis ? " at size " : "",
        comparison->settings.scenario.problem.axis ? size : "",
        comparison->replicas > 1 ? often : "");
}

/* Prints the hangs of a comparison. Returns ORR_EXIT_STALLED if one of them is
 * a stall, ORR_EXIT_LIVELOCKED if all are livelocks, or ORR_EXIT_OK. */
static enum orr_exit explain_hangs(const struct orr_comparison *comparison)
{
    enum orr_exit status = ORR_EXIT_OK;

    for (unsigned p = 0; p < comparison->policy_count; p++) {
        JsonObject *hang = orr_comparison_hang(comparison, p);
        g_autofree char *name = name_hang(comparison, p);

        if (!hang)
            continue;
        if (status != ORR_EXIT_STALLED)
            status = json_object_get_boolean_member(hang, "livelock")
                         ? ORR_EXIT_LIVELOCKED
                         : ORR_EXIT_STALLED;
        orr_diagnosis_complain(hang, syntax.command, name);
    }
    return status;
}

static enum orr_exit explain_all_hangs(const struct plan *plan)
{
    enum orr_exit status = ORR_EXIT_OK;

    for (unsigned i = 0; i < plan->count; i++) {
        enum orr_exit other = explain_hangs(&plan->comparisons[i]);

        if (status != ORR_EXIT_STALLED && other != ORR_EXIT_OK)
            status = other;
    }
    return status;
}

static enum orr_exit compare(const struct orr_settings *settings,
                             const struct orr_overlay *overlay, char **names,
                             const GArray *variants)
{
    struct plan plan;
    enum orr_exit status, reported = ORR_EXIT_OK, hung = ORR_EXIT_OK;

    init(&plan, settings, overlay, names, variants);
    status = perform_all(&plan);
    if (status == ORR_EXIT_OK || status > ORR_EXIT_SIGNAL) {
        reported = report(&plan);
        hung = explain_all_hangs(&plan);
    }
    if (status > ORR_EXIT_SIGNAL)
        print_stopped(&plan);
    clear(&plan);
    if (status == ORR_EXIT_OK)
        status = reported;
    return status == ORR_EXIT_OK ? hung : status;
}

/* More runs would take too long. */
#define MAX_RUNS 1e7

static bool check_count(const struct orr_settings *settings, char **names,
                        const GArray *variants, GError **error)
{
    double runs = (double)settings->scenario.run.replicas * variants->len *
                  g_strv_length(names);

    if (runs <= MAX_RUNS)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%.4g runs requested; at most %.4g can be simulated", runs,
                MAX_RUNS);
    return false;
}

/* Reads the file of --overlay, if it is given. */
static enum orr_exit read_overlay(const struct orr_settings *settings,
                                  struct orr_overlay *overlay, GError **error)
{
    const char *why = NULL;

    if (!settings->outputs.overlay)
        return ORR_EXIT_OK;
    if (!settings->outputs.plot.path && !settings->outputs.plot.data)
        why = "--overlay needs --plot or --plot-data";
    else if (settings->scenario.run.robustness)
        why = "--overlay and --robustness cannot be combined";
    if (why) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, why);
        return ORR_EXIT_USAGE;
    }
    return orr_overlay_read(overlay, settings->outputs.overlay,
                            settings->scenario.problem.values, error)
               ? ORR_EXIT_OK
               : ORR_EXIT_FAILURE;
}

static enum orr_exit check_and_compare(struct orr_settings *settings,
                                       const struct orr_overlay *overlay,
                                       GArray *variants, GError **error)
{
    g_auto(GStrv) names =
        orr_policies_parse(orr_settings_policies(settings), error);
    enum orr_exit status = ORR_EXIT_USAGE;

    if (!names ||
        !orr_policies_check_eviction(settings->scenario.config.evict, error))
        return orr_exit_of_name(*error);
    if (settings->outputs.raw && !orr_file_check(settings->outputs.raw, error))
        return ORR_EXIT_FAILURE;
    if ((settings->outputs.gantt.path || settings->outputs.report) &&
        variants->len > 1) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--%s draws one size and one spread",
                    settings->outputs.gantt.path ? "gantt" : "report");
        return ORR_EXIT_USAGE;
    }
    if (settings->outputs.report &&
        !orr_html_check(settings->outputs.report, error))
        return ORR_EXIT_FAILURE;
    if (!orr_plot_check(&settings->outputs.plot, error) ||
        !orr_plot_check(&settings->outputs.gantt, error))
        return orr_exit_of(*error);
    if (check_count(settings, names, variants, error))
        status = orr_simulate_share(settings, error);
    for (unsigned i = 0; i < variants->len; i++)
        g_array_index(variants, struct orr_settings, i).scenario.run.machine =
            settings->scenario.run.machine;
    if (status != ORR_EXIT_OK)
        return status;
    orr_coverage_warn(&g_array_index(variants, struct orr_settings, 0).scenario,
                      syntax.command);
    return compare(settings, overlay->points ? overlay : NULL, names, variants);
}

static enum orr_exit resolve_and_compare(const char *app,
                                         struct orr_settings *settings,
                                         GError **error)
{
    g_autoptr(GArray) variants = orr_settings_choose_tile(settings, app, error)
                                     ? orr_variants_find(settings, app, error)
                                     : NULL;
    struct orr_overlay overlay = {0};
    enum orr_exit status;

    if (!variants)
        return ORR_EXIT_USAGE;
    status = read_overlay(settings, &overlay, error);
    if (status == ORR_EXIT_OK)
        status = check_and_compare(settings, &overlay, variants, error);
    orr_overlay_clear(&overlay);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, resolve_and_compare);
}

const struct orr_cmd orr_cmd_compare = {.name = "compare",
                                        .summary =
                                            "compare scheduling policies",
                                        .syntax = &syntax,
                                        .main = command};
