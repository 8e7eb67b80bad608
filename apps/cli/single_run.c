/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/single_run.h"

#include "apps/chart/gantt_chart.h"
#include "apps/chart/step_chart.h"
#include "apps/facts/bounds_facts.h"
#include "apps/facts/diagnosis.h"
#include "apps/html/html_report.h"
#include "apps/output/csv.h"
#include "apps/output/output.h"
#include "apps/output/progress_line.h"
#include "apps/picture/graphviz.h"
#include "apps/simulation/simulate.h"
#include "apps/trace/trace_files.h"
#include "models/base/error.h"
#include "runtime/orrery_trace.h"

static void print(JsonObject *facts, const struct orr_settings *settings)
{
    JsonArray *rows;

    if (settings->format == ORR_FORMAT_TEXT) {
        orr_facts_print_run(facts, settings->outputs.timing);
    } else if (settings->format == ORR_FORMAT_JSON) {
        orr_output_object(facts);
    } else {
        orr_diagnosis_shorten(facts);
        rows = json_array_new();
        json_array_add_object_element(rows, json_object_ref(facts));
        orr_csv_print_rows(rows);
        json_array_unref(rows);
    }
}

/* Progress of a run, and its number of tasks. */
struct counter {
    struct orr_progress progress;
    double tasks;
};

static bool show_progress(void *data, uint64_t tasks)
{
    struct counter *counter = data;
    struct orr_progress *progress = &counter->progress;
    gint64 now_us = g_get_monotonic_time();
    g_autofree char *text = NULL;
    g_autofree char *of = NULL;

    if (!orr_progress_is_due(progress, now_us))
        return true;
    of = counter->tasks > 0 ? g_strdup_printf(" of %.0f", counter->tasks)
                            : g_strdup(""); /* NAN: not known */
    text = g_strdup_printf(
        "%" G_GUINT64_FORMAT "%s tasks, %.0f tasks/s", tasks, of,
        (double)tasks / orr_progress_elapsed(progress, now_us));
    orr_progress_show(progress, now_us, text,
                      counter->tasks > 0 ? (double)tasks / counter->tasks : 0);
    return true;
}

static double count_tasks(const struct orr_settings *settings)
{
    return orr_app_tasks(settings->scenario.problem.values) -
           (double)settings->scenario.config.left_out_count;
}

/* Simulates, and shows the progress meanwhile. */
static enum orr_exit simulate_run(const struct orr_settings *settings,
                                  struct orr_trace *trace, struct orr_run **run,
                                  GError **error)
{
    struct orr_settings shown = *settings;
    struct counter counter = {.tasks = count_tasks(settings)};
    enum orr_exit status;

    shown.scenario.config.progress = show_progress;
    shown.scenario.config.progress_data = &counter;
    orr_progress_begin(&counter.progress);
    status = orr_simulate_run(&shown.scenario, settings->scenario.config.sched,
                              trace, run, error);
    orr_progress_erase(&counter.progress);
    return status;
}

/* Runs, calls single->accept() and sets *@facts. */
static enum orr_exit run_and_accept(const struct orr_single_run *single,
                                    struct orr_trace *trace, JsonObject **facts,
                                    GError **error)
{
    const struct orr_settings *settings = single->settings;
    gint64 start_us = g_get_monotonic_time();
    struct orr_run *run;
    g_autoptr(GError) why = NULL;
    enum orr_exit status = simulate_run(settings, trace, &run, &why);
    double wall_s = (double)(g_get_monotonic_time() - start_us) / 1e6;

    if (!orr_exit_has_facts(status))
        g_propagate_error(error, g_steal_pointer(&why));
    else if (single->accept && !single->accept(run, single->data, error))
        status = ORR_EXIT_FAILURE;
    else
        *facts = orr_facts_new(&settings->scenario, orr_run_report(run),
                               orr_run_hang(run), wall_s);
    if (status == ORR_EXIT_OK && single->complete)
        single->complete(*facts, run, single->data);
    orr_run_free(run);
    return status;
}

/* Runs with the traces, and completes their files. */
static enum orr_exit run_traced(const struct orr_single_run *single,
                                struct orr_trace_files *files,
                                JsonObject **facts, GError **error)
{
    enum orr_exit status =
        run_and_accept(single, orr_trace_files_trace(files), facts, error);
    g_autoptr(GError) unwritten = NULL;

    if (!orr_exit_has_facts(status) ||
        orr_trace_files_finish(files, status == ORR_EXIT_OK, &unwritten))
        return status;
    g_clear_pointer(facts, json_object_unref);
    g_propagate_error(error, g_steal_pointer(&unwritten));
    return ORR_EXIT_FAILURE;
}

/* Traces in memory that the charts of a run need. */
struct observers {
    struct orr_timeline *timeline;  /* for the Gantt chart; NULL: none */
    struct orr_html_record *record; /* for the report; NULL: none */
    struct orr_step_log *steps;     /* for --hang-steps; NULL: none */
};

/* Simulates, and writes the traces of the settings. */
static enum orr_exit simulate(const struct orr_single_run *single,
                              const struct observers *observers,
                              JsonObject **facts, GError **error)
{
    const struct orr_traced_run traced = orr_traced_run(single->settings);
    struct orr_trace_files files;
    enum orr_exit status = ORR_EXIT_FAILURE;

    if (orr_trace_files_open(&files, &single->settings->outputs, &traced,
                             error)) {
        orr_trace_files_add(&files, single->observer);
        if (observers->timeline)
            orr_trace_files_add(&files, &observers->timeline->trace);
        if (observers->record)
            orr_trace_files_add(&files, &observers->record->trace);
        if (observers->steps)
            orr_trace_files_add(&files, &observers->steps->trace);
        status = run_traced(single, &files, facts, error);
    }
    orr_trace_files_clear(&files);
    return status;
}

/* Prints messages about settings that had no effect. */
static void warn(const char *command, const struct orr_settings *settings,
                 JsonObject *facts)
{
    orr_settings_warn_no_effect(
        settings, command, (unsigned)json_object_get_int_member(facts, "gpus"));
    orr_settings_warn_unused(command, &facts, 1);
    orr_settings_warn_layout(
        settings, command,
        (uint64_t)json_object_get_int_member(facts, "copies_by_segment"));
    if (settings->outputs.hang_graph)
        orr_message_print(command, "the run does not hang: %s is not written",
                          settings->outputs.hang_graph);
    if (settings->outputs.hang_steps)
        orr_message_print(command, "the run does not hang: %s is not written",
                          settings->outputs.hang_steps);
}

static void draw_hang(const char *command, const char *path, JsonObject *hang)
{
    g_autofree char *script = orr_diagnosis_script(hang);
    g_autoptr(GError) error = NULL;

    if (!orr_graphviz_save(script, path, &error))
        orr_message_print(command, "%s", error->message);
}

static void draw_steps(const char *command, const char *path,
                       const struct orr_step_log *steps, JsonObject *hang)
{
    g_autoptr(GError) error = NULL;

    if (!orr_step_chart_save(steps, hang, path, &error))
        orr_message_print(command, "%s", error->message);
}

static void report_hang(const struct orr_single_run *single,
                        const struct observers *observers, JsonObject *facts)
{
    const char *command = single->command;
    const struct orr_settings *settings = single->settings;
    JsonObject *hang = json_object_get_object_member(facts, "hang");

    orr_diagnosis_complain(hang, command, "");
    if (settings->format == ORR_FORMAT_TEXT)
        orr_diagnosis_detail(hang);
    if (settings->outputs.hang_graph)
        draw_hang(command, settings->outputs.hang_graph, hang);
    if (observers->steps)
        draw_steps(command, settings->outputs.hang_steps, observers->steps,
                   hang);
}

static bool check_graph(const struct orr_settings *settings, GError **error)
{
    if (!settings->outputs.hang_graph ||
        orr_graphviz_check(settings->outputs.hang_graph, true, error))
        return true;
    g_prefix_error(error, "--hang-graph: ");
    return false;
}

static bool check_steps(const struct orr_settings *settings, GError **error)
{
    const struct orr_plot_options options = {.path =
                                                 settings->outputs.hang_steps};

    if (orr_plot_check(&options, error))
        return true;
    g_prefix_error(error, "--hang-steps: ");
    return false;
}

static bool draw_gantt(const struct orr_settings *settings,
                       const struct orr_timeline *timeline, JsonObject *facts,
                       const struct orr_bounds *bounds, GError **error)
{
    const struct orr_gantt_run run = {
        .policy = json_object_get_string_member(facts, "sched"),
        .facts = facts,
        .timeline = timeline,
    };

    return orr_gantt_chart_save(&run, 1, bounds, &settings->outputs.gantt,
                                error);
}

/* The report ends with the summary of an explanation, if the facts have one. */
static bool write_report(const struct orr_settings *settings,
                         const struct orr_html_record *record,
                         JsonObject *facts, const struct orr_bounds *bounds,
                         GError **error)
{
    const struct orr_html_run run = {
        .policy = json_object_get_string_member(facts, "sched"),
        .facts = facts,
        .record = record,
    };
    const struct orr_html_note note = {
        .heading = "In short",
        .text =
            json_object_get_string_member_with_default(facts, "summary", NULL),
    };
    const struct orr_html report = {
        .run_count = 1,
        .runs = &run,
        .note_count = note.text != NULL,
        .notes = &note,
        .bounds = bounds,
        .most_bars = ORR_HTML_MOST_BARS,
    };

    return orr_html_save(settings->outputs.report, &report, error);
}

/* Computes bounds if a chart, the report or --bounds shows them; adds them to
 * @facts for --bounds. */
static bool bound(const struct orr_settings *settings,
                  const struct observers *observers, JsonObject *facts,
                  struct orr_bounds *bounds, GError **error)
{
    orr_bounds_init(bounds);
    if (!settings->outputs.bounds && !observers->timeline && !observers->record)
        return true;
    if (orr_simulate_bounds(&settings->scenario, bounds, error) != ORR_EXIT_OK)
        return false;
    if (settings->outputs.bounds)
        orr_bounds_facts_add(facts, bounds);
    return true;
}

/* Draws the charts. */
static bool draw(const struct orr_settings *settings,
                 const struct observers *observers, JsonObject *facts,
                 const struct orr_bounds *bounds, GError **error)
{
    return (!observers->timeline ||
            draw_gantt(settings, observers->timeline, facts, bounds, error)) &&
           (!observers->record ||
            write_report(settings, observers->record, facts, bounds, error));
}

/* Reports a run that has @facts. */
static void report(const struct orr_single_run *single,
                   const struct observers *observers, enum orr_exit status,
                   JsonObject *facts)
{
    const struct orr_settings *settings = single->settings;

    if (status == ORR_EXIT_OK)
        warn(single->command, settings, facts);
    else
        report_hang(single, observers, facts);
    if (status == ORR_EXIT_OK && single->print)
        single->print(facts, settings->format, single->data);
    else if (status == ORR_EXIT_OK || settings->format != ORR_FORMAT_TEXT)
        print(facts, settings);
}

/* Runs, reports and draws. */
static enum orr_exit perform(const struct orr_single_run *single,
                             const struct observers *observers, GError **error)
{
    JsonObject *facts = NULL;
    struct orr_bounds bounds;
    enum orr_exit status = simulate(single, observers, &facts, error);
    bool bounded;

    if (!facts)
        return status;
    bounded = bound(single->settings, observers, facts, &bounds, error);
    report(single, observers, status, facts);
    if (!bounded || !draw(single->settings, observers, facts, &bounds, error))
        status = ORR_EXIT_FAILURE;
    json_object_unref(facts);
    return status;
}

static bool check_pictures(const struct orr_settings *settings, GError **error)
{
    return check_graph(settings, error) && check_steps(settings, error) &&
           orr_plot_check(&settings->outputs.gantt, error);
}

enum orr_exit orr_single_run_perform(const struct orr_single_run *single,
                                     GError **error)
{
    const struct orr_settings *settings = single->settings;
    struct orr_timeline timeline;
    struct orr_html_record record;
    struct orr_step_log steps;
    const struct observers observers = {
        .timeline = settings->outputs.gantt.path ? &timeline : NULL,
        .record = settings->outputs.report ? &record : NULL,
        .steps = settings->outputs.hang_steps ? &steps : NULL,
    };
    enum orr_exit status;

    if (!check_pictures(settings, error))
        return orr_exit_of(*error);
    if (settings->outputs.report &&
        !orr_html_check(settings->outputs.report, error))
        return ORR_EXIT_FAILURE;
    if (observers.timeline)
        orr_timeline_init(&timeline);
    if (observers.record)
        orr_html_record_init(&record);
    if (observers.steps)
        orr_step_log_init(&steps);
    status = perform(single, &observers, error);
    if (observers.timeline)
        orr_timeline_clear(&timeline);
    if (observers.record)
        orr_html_record_clear(&record);
    if (observers.steps)
        orr_step_log_clear(&steps);
    return status;
}
