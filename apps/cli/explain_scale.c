/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/explain_scale.h"

#include <math.h>
#include <string.h>

#include "apps/chart/scale_plot.h"
#include "apps/experiment/scale.h"
#include "apps/facts/facts.h"
#include "apps/output/exact.h"
#include "apps/output/members.h"
#include "apps/settings/lists.h"
#include "apps/simulation/simulate.h"
#include "models/base/error.h"
#include "models/base/names.h"
#include "models/import/mapping.h"
#include "runtime/orrery_trace.h"
#include "runtime/run.h"

static const char *const axes[] = {"gpus", "cpus", NULL};

struct series {
    const struct orr_settings *settings;
    const char *axis;
    GArray *counts; /* double, ascending */
    struct orr_scale scale;
    JsonObject *facts; /* members common to all runs; NULL: no run has ended */
};

/* ---- the request ---- */

static bool refuse(const char *text, const char *why, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "--scale %s: %s", quoted,
                why);
    return false;
}

static bool check_counts(const struct series *series, GError **error)
{
    for (guint i = 0; i < series->counts->len; i++) {
        double count = g_array_index(series->counts, double, i);

        if (!(count >= 1 && count <= INT_MAX) || count != floor(count))
            return refuse(series->settings->outputs.scale,
                          "expected whole numbers of at least 1", error);
        if (i > 0 && count <= g_array_index(series->counts, double, i - 1))
            return refuse(series->settings->outputs.scale,
                          "expected ascending numbers", error);
    }
    return true;
}

/* Parses "gpus=1:8", "gpus=1:8:2" or "cpus=1,2,4". */
static bool parse(struct series *series, GError **error)
{
    const char *text = series->settings->outputs.scale;
    const char *list = strchr(text, '=');
    g_autofree char *name = g_strndup(text, strcspn(text, "="));
    g_autofree char *stepped = NULL;
    const char *colon;
    size_t found;

    if (!list)
        return refuse(text, "expected gpus=FROM:TO or cpus=FROM:TO", error);
    if (!orr_names_find("scale", axes, name, &found, error))
        return false;
    series->axis = axes[found];
    colon = strchr(++list, ':');
    stepped =
        g_strconcat(list, colon && !strchr(colon + 1, ':') ? ":1" : "", NULL);
    series->counts = orr_range_parse(stepped, error);
    return series->counts && check_counts(series, error);
}

static double last_of(const struct series *series)
{
    return g_array_index(series->counts, double, series->counts->len - 1);
}

static bool check(const struct series *series, GError **error)
{
    const struct orr_settings *settings = series->settings;

    if ((strcmp(series->axis, "gpus") == 0
             ? settings->scenario.config.gpus
             : settings->scenario.config.cpus) >= 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--scale %s= and --%s cannot be combined", series->axis,
                    series->axis);
        return false;
    }
    if (settings->outputs.extrapolate > 0 &&
        (double)settings->outputs.extrapolate <= last_of(series)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--extrapolate %" G_GUINT64_FORMAT
                    " is not beyond the last run, with %g %s",
                    settings->outputs.extrapolate, last_of(series),
                    series->axis);
        return false;
    }
    return orr_plot_check(&settings->outputs.plot, error);
}

static void warn(const struct series *series, const char *command)
{
    double wanted = (double)series->settings->outputs.extrapolate;

    if (series->counts->len < ORR_SCALING_LEAST_POINTS)
        orr_message_print(command,
                          "laws need at least %d runs: nothing is predicted",
                          ORR_SCALING_LEAST_POINTS);
    else if (wanted > ORR_SCALING_FAR * last_of(series))
        orr_message_print(command,
                          "%g %s are more than %d times the last run: do not "
                          "rely on what is predicted",
                          wanted, series->axis, ORR_SCALING_FAR);
}

/* ---- the runs ---- */

/* A trace that records the mapping of a run. */
struct watch {
    struct orr_trace trace; /* first */
    struct orr_mapping *mapping;
};

static void see_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    orr_mapping_add(((struct watch *)trace)->mapping,
                    &(struct orr_mapping_task){
                        .number = task->order,
                        .name = task->name,
                        .worker = task->worker_name,
                        .start = task->kernel_started,
                        .implementation = (uint16_t)task->implementation,
                    });
}

static void add(struct series *series, double count, struct orr_run *run,
                struct orr_run *ideal)
{
    const struct orr_report *report = orr_run_report(run);
    double *busy = g_new(double, report->worker_count);

    for (unsigned i = 0; i < report->worker_count; i++)
        busy[i] = (double)report->workers[i].busy_ns;
    orr_scale_add(&series->scale, count, busy, report->worker_count,
                  report->makespan_ns, orr_run_report(ideal)->makespan_ns);
    g_free(busy);
}

/* Copies the members common to all runs from the facts of the first. */
static void describe(struct series *series, const struct orr_settings *settings,
                     struct orr_run *run)
{
    JsonObject *facts;

    if (series->facts)
        return;
    facts = orr_facts_new(&settings->scenario, orr_run_report(run), NULL, 0);
    series->facts = json_object_new();
    orr_facts_copy_common(series->facts, facts);
    for (size_t i = 0; axes[i]; i++)
        json_object_remove_member(series->facts, axes[i]);
    orr_output_set_text(series->facts, "sched", orr_text_of(facts, "sched"));
    json_object_unref(facts);
}

static enum orr_exit simulate(struct series *series, double count,
                              GError **error)
{
    struct watch watch = {.trace = {ORR_TRACE_INIT, .task = see_task}};
    struct orr_settings settings = *series->settings;
    struct orr_run *run = NULL, *ideal = NULL;
    enum orr_exit status;

    *(series->axis == axes[0] ? &settings.scenario.config.gpus
                              : &settings.scenario.config.cpus) = (int)count;
    settings.scenario.run.machine =
        NULL; /* the machine may have too few GPUs */
    watch.mapping = orr_mapping_new("the run");
    status =
        orr_simulate_run(&settings.scenario, settings.scenario.config.sched,
                         &watch.trace, &run, error);
    if (status == ORR_EXIT_OK)
        status = orr_simulate_ideal(&settings.scenario,
                                    settings.scenario.config.sched,
                                    watch.mapping, &ideal, error);
    if (status == ORR_EXIT_OK) {
        describe(series, &settings, run);
        add(series, count, run, ideal);
    } else {
        g_prefix_error(error, "with %g %s: ", count, series->axis);
    }
    orr_run_free(ideal);
    orr_run_free(run);
    orr_mapping_free(watch.mapping);
    return status;
}

/* ---- the results ---- */

static bool draw(const struct series *series, GError **error)
{
    g_autofree char *options = orr_exact_format(
        json_object_get_member(series->facts, "options"), ", ");
    g_autofree char *title = g_strdup_printf(
        "%s on %s, %s%s%s", orr_text_of(series->facts, "app"),
        orr_text_of(series->facts, "platform"),
        orr_text_of(series->facts, "sched"), *options ? ", " : "", options);

    return orr_scale_plot(&series->scale, series->axis, title,
                          &series->settings->outputs.plot, error);
}

static enum orr_exit perform(struct series *series, GError **error)
{
    for (guint i = 0; i < series->counts->len; i++) {
        enum orr_exit status =
            simulate(series, g_array_index(series->counts, double, i), error);

        if (status != ORR_EXIT_OK)
            return status;
    }
    orr_scale_fit(&series->scale,
                  (double)series->settings->outputs.extrapolate);
    orr_scale_add_facts(&series->scale, series->axis, series->facts);
    if (!draw(series, error))
        return ORR_EXIT_FAILURE;
    orr_scale_facts_print(series->facts, series->settings->format);
    return ORR_EXIT_OK;
}

bool orr_scale_check(const struct orr_settings *settings, GError **error)
{
    const struct orr_plot_options *plot = &settings->outputs.plot;
    bool needs = settings->outputs.extrapolate > 0 || plot->path ||
                 plot->data || plot->title || plot->width_cm > 0;
    bool excludes = settings->outputs.traces || settings->outputs.gantt.path ||
                    settings->outputs.report || settings->outputs.hang_graph ||
                    settings->outputs.hang_steps;

    if (settings->outputs.scale ? !excludes : !needs)
        return true;
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                        settings->outputs.scale
                            ? "--scale makes several runs: traces and "
                              "drawings of a single one are not for it"
                            : "--extrapolate and --plot need --scale");
    return false;
}

enum orr_exit orr_scale_run(const char *command,
                            const struct orr_settings *settings, GError **error)
{
    struct series series = {.settings = settings};
    enum orr_exit status;

    orr_scale_init(&series.scale);
    if (!parse(&series, error)) {
        status = ORR_EXIT_USAGE;
    } else if (!check(&series, error)) {
        status = orr_exit_of(*error);
    } else {
        warn(&series, command);
        status = perform(&series, error);
    }
    orr_scale_clear(&series.scale);
    g_clear_pointer(&series.counts, g_array_unref);
    g_clear_pointer(&series.facts, json_object_unref);
    return status;
}
