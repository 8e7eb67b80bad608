/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/single.h"

#include "apps/csv.h"
#include "apps/diagnosis.h"
#include "apps/output.h"
#include "apps/simulate.h"
#include "runtime/trace.h"

static void print(JsonObject *facts, enum orr_format format)
{
    JsonArray *rows;

    if (format == ORR_FORMAT_TEXT) {
        orr_facts_print_run(facts);
    } else if (format == ORR_FORMAT_JSON) {
        orr_output_object(facts);
    } else {
        orr_diagnosis_shorten(facts);
        rows = json_array_new();
        json_array_add_object_element(rows, json_object_ref(facts));
        orr_csv_print_rows(rows);
        json_array_unref(rows);
    }
}

/* Simulates, and leaves a trace where one was asked for. */
static enum orr_exit simulate(const struct orr_settings *settings,
                              JsonObject **facts, GError **error)
{
    struct orr_trace *trace = NULL;
    enum orr_exit status;

    if (settings->trace) {
        trace = orr_trace_csv_open(settings->trace, error);
        if (!trace)
            return ORR_EXIT_FAILURE;
    }
    status = orr_simulate(settings, settings->sched, trace, facts, error);
    if (!orr_exit_has_facts(status)) {
        orr_trace_csv_close(trace, false, NULL);
    } else if (!orr_trace_csv_close(trace, true, *error ? NULL : error)) {
        json_object_unref(*facts);
        status = ORR_EXIT_FAILURE;
    }
    return status;
}

/* Says what of @settings had no influence. */
static void note(const char *command, const struct orr_settings *settings,
                 JsonObject *facts)
{
    orr_settings_note_idle(settings, command,
                           (unsigned)json_object_get_int_member(facts, "gpus"));
    orr_settings_note_unused(command, &facts, 1);
    orr_settings_note_layout(
        settings, command,
        (uint64_t)json_object_get_int_member(facts, "copies_by_segment"));
}

/* Instead of the error. */
static void report_hang(const char *command,
                        const struct orr_settings *settings, JsonObject *facts,
                        GError **error)
{
    JsonObject *hang = json_object_get_object_member(facts, "hang");

    orr_diagnosis_complain(hang, command, "");
    if (settings->format == ORR_FORMAT_TEXT)
        orr_diagnosis_detail(hang);
    g_clear_error(error);
}

enum orr_exit orr_single_run(const char *command,
                             const struct orr_settings *settings,
                             GError **error)
{
    JsonObject *facts;
    enum orr_exit status = simulate(settings, &facts, error);

    if (!orr_exit_has_facts(status))
        return status;
    if (status == ORR_EXIT_OK)
        note(command, settings, facts);
    else
        report_hang(command, settings, facts, error);
    if (status == ORR_EXIT_OK || settings->format != ORR_FORMAT_TEXT)
        print(facts, settings->format);
    json_object_unref(facts);
    return status;
}
