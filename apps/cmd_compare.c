/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/csv.h"
#include "apps/output.h"
#include "apps/parallel.h"
#include "apps/policies.h"
#include "apps/simulate.h"

static const struct orr_syntax syntax = {
    "compare",
    "APP",
    1,
    1,
    "Simulates the application APP once under each of several policies, all "
    "else\nbeing equal, and compares.",
    {&orr_options_application, &orr_options_machine, &orr_options_runtime,
     &orr_options_compare, &orr_options_output, NULL},
};

/* One simulation; they run in parallel and share nothing but what is const. */
struct job {
    const struct orr_settings *settings;
    const char *sched;

    enum orr_exit status;
    JsonObject *facts;
    GError *error;
};

static bool simulate(unsigned i, void *data)
{
    struct job *job = (struct job *)data + i;

    job->status =
        orr_simulate(job->settings, job->sched, NULL, &job->facts, &job->error);
    return job->status == ORR_EXIT_OK;
}

/* Complains about the first job, in the order asked, that failed. */
static enum orr_exit check(const struct job *jobs, guint count)
{
    for (guint i = 0; i < count; i++) {
        if (jobs[i].error) {
            orr_cmd_complain(syntax.command, "%s", jobs[i].error->message);
            return jobs[i].status;
        }
    }
    return ORR_EXIT_OK;
}

static void print(JsonObject *comparison, enum orr_format format)
{
    if (format == ORR_FORMAT_TEXT) {
        orr_facts_print_comparison(comparison);
    } else if (format == ORR_FORMAT_JSON) {
        orr_output_object(comparison);
    } else {
        orr_csv_print_rows(
            json_object_get_array_member(comparison, "policies"));
    }
}

static void note_unused(JsonArray *runs)
{
    guint count = json_array_get_length(runs);
    g_autofree JsonObject **all = g_new(JsonObject *, count);

    for (guint i = 0; i < count; i++)
        all[i] = json_array_get_object_element(runs, i);
    orr_settings_note_unused(syntax.command, all, count);
}

/* Of the runs that are complete, all or, after a signal, some. */
static void report(const struct orr_settings *settings, const struct job *jobs,
                   guint count)
{
    JsonArray *runs = json_array_new();
    JsonObject *comparison;
    gint64 by_segment = 0;

    for (guint i = 0; i < count; i++) {
        if (!jobs[i].facts)
            continue;
        json_array_add_object_element(runs, json_object_ref(jobs[i].facts));
        by_segment +=
            json_object_get_int_member(jobs[i].facts, "copies_by_segment");
    }
    if (json_array_get_length(runs) == 0) {
        json_array_unref(runs);
        return;
    }
    comparison = orr_facts_compare(runs);
    orr_settings_note_idle(
        settings, syntax.command,
        (unsigned)json_object_get_int_member(comparison, "gpus"));
    note_unused(runs);
    orr_settings_note_layout(settings, syntax.command, (uint64_t)by_segment);
    print(comparison, settings->format);
    json_object_unref(comparison);
}

static enum orr_exit simulate_all(struct job *jobs, guint count)
{
    const struct orr_parallel parallel = {
        .command = syntax.command,
        .noun = "policies simulated",
        .count = count,
        .perform = simulate,
        .data = jobs,
    };
    int signal = orr_parallel_run(&parallel, NULL);
    enum orr_exit status = check(jobs, count);

    return status == ORR_EXIT_OK && signal ? orr_parallel_status(signal)
                                           : status;
}

static enum orr_exit compare(const struct orr_settings *settings, char **names)
{
    guint count = g_strv_length(names);
    struct job *jobs = g_new0(struct job, count);
    enum orr_exit status;

    for (guint i = 0; i < count; i++)
        jobs[i] = (struct job){.settings = settings, .sched = names[i]};
    status = simulate_all(jobs, count);
    if (status == ORR_EXIT_OK || status > ORR_EXIT_SIGNAL)
        report(settings, jobs, count);
    for (guint i = 0; i < count; i++) {
        g_clear_error(&jobs[i].error);
        g_clear_pointer(&jobs[i].facts, json_object_unref);
    }
    g_free(jobs);
    return status;
}

enum orr_exit orr_cmd_compare(int argc, char **argv)
{
    struct orr_settings settings;
    GError *error = NULL;
    enum orr_exit status;
    int operands;
    char **names;

    orr_settings_init(&settings);
    if (orr_syntax_read(&syntax, argc, argv, &settings, &operands, &status)) {
        status = ORR_EXIT_USAGE;
        names = NULL;
        if (orr_settings_resolve(&settings, argv[0], &error))
            names = orr_policies_parse(settings.sched, &error);
        if (names)
            status = compare(&settings, names);
        else
            orr_cmd_complain(syntax.command, "%s", error->message);
        g_clear_error(&error);
        g_strfreev(names);
    }
    orr_settings_clear(&settings);
    return status;
}
