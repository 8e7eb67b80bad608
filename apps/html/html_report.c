/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/html/html_report.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "apps/html/html_tables.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "models/base/error.h"
#include "models/base/file.h"

/* Returns the digest of @text in the format of a Content-Security-Policy. */
static char *digest(const char *text)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 bytes[32];
    gsize length = sizeof bytes;
    g_autofree char *base64 = NULL;

    g_checksum_update(checksum, (const guchar *)text, -1);
    g_checksum_get_digest(checksum, bytes, &length);
    base64 = g_base64_encode(bytes, length);
    return g_strdup_printf("'sha256-%s'", base64);
}

struct place {
    const char *mark; /* mark in the template */
    const char *text;
};

/* Appends @template, with marks replaced by the texts of @places. */
static void fill(GString *page, const char *template,
                 const struct place *places, size_t count)
{
    while (*template) {
        size_t step = 1;

        for (size_t i = 0; i < count; i++) {
            if (!g_str_has_prefix(template, places[i].mark))
                continue;
            g_string_append(page, places[i].text);
            step = strlen(places[i].mark);
            break;
        }
        if (step == 1)
            g_string_append_c(page, *template);
        template += step;
    }
}

char *orr_html_page(const char *title, const char *data)
{
    g_autofree char *valid = g_utf8_make_valid(title, -1);
    g_autofree char *escaped = g_markup_escape_text(valid, -1);
    g_autofree char *script = digest(orr_html_script);
    g_autofree char *style = digest(orr_html_style);
    const struct place places[] = {
        {"@TITLE@", escaped},          {"@SCRIPT-DIGEST@", script},
        {"@STYLE-DIGEST@", style},     {"@STYLE@", orr_html_style},
        {"@SCRIPT@", orr_html_script}, {"@DATA@", data},
    };
    GString *page = g_string_sized_new(strlen(data) + (1 << 16));

    fill(page, orr_html_template, places, G_N_ELEMENTS(places));
    return g_string_free(page, FALSE);
}

/* The version of the embedded data: it grows if a member is removed or gets
 * another meaning. */
enum { SCHEMA = 1 };

bool orr_html_check(const char *path, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);

    if (g_str_has_suffix(path, ".html"))
        return orr_file_check(path, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "'%s' does not end in .html",
                shown);
    return false;
}

static void measure(struct orr_kernel_kinds *kinds,
                    const struct orr_html_record *record)
{
    for (guint i = 0; i < record->tasks->len; i++) {
        const struct orr_html_task *task =
            &g_array_index(record->tasks, struct orr_html_task, i);

        orr_kernel_kinds_measure(
            kinds, orr_name_index_at(&record->names, task->kernel),
            (double)(task->kernel_ended - task->kernel_started) / 1e9);
    }
}

static void add_kinds(JsonObject *all, const struct orr_kernel_kinds *kinds)
{
    JsonArray *list = orr_output_add_array(all, "kinds");

    for (guint i = 0; i < kinds->kinds->len; i++) {
        const struct orr_gantt_kind *kind =
            &g_array_index(kinds->kinds, struct orr_gantt_kind, i);
        JsonObject *object = orr_output_add_object(list);

        orr_output_set_text(object, "name", kind->name);
        orr_output_set_text(object, "colour", kind->colour);
    }
}

static void add_bound(JsonArray *list, const char *name, double at_s)
{
    JsonObject *object;

    if (!isfinite(at_s))
        return;
    object = orr_output_add_object(list);
    orr_output_set_text(object, "name", name);
    json_object_set_double_member(object, "at_s", at_s);
}

static void add_bounds(JsonObject *all, const struct orr_bounds *bounds)
{
    JsonArray *list = orr_output_add_array(all, "bounds");

    add_bound(list, "area bound", bounds->area_s);
    add_bound(list, "transfer bound", bounds->transfer_s);
    add_bound(list, "mixed bound", bounds->mixed_s);
    add_bound(list, "critical path bound", bounds->critical_path_s);
}

static void add_notes(JsonObject *all, const struct orr_html *report)
{
    JsonArray *list = orr_output_add_array(all, "notes");

    for (unsigned i = 0; i < report->note_count; i++) {
        JsonObject *object = orr_output_add_object(list);

        orr_output_set_text(object, "heading", report->notes[i].heading);
        orr_output_set_text(object, "text", report->notes[i].text);
    }
}

/* Returns @facts without the real time of the simulation, so that a repeated
 * run gives an identical report. */
static JsonObject *keep_facts(JsonObject *facts)
{
    JsonObject *kept = json_object_new();
    GList *names = json_object_get_members(facts);

    for (const GList *name = names; name; name = name->next) {
        if (strcmp(name->data, "simulation_wall_s") != 0)
            json_object_set_member(kept, name->data,
                                   json_object_dup_member(facts, name->data));
    }
    g_list_free(names);
    return kept;
}

/* Returns the description of the data, whose columns it adds. */
static JsonObject *describe(const struct orr_html *report, const char *title,
                            struct orr_html_columns *columns)
{
    JsonObject *all = json_object_new();
    struct orr_kernel_kinds kinds;
    unsigned copy_kind;
    JsonArray *runs;

    orr_kernel_kinds_init(&kinds);
    for (unsigned i = 0; i < report->run_count; i++)
        measure(&kinds, report->runs[i].record);
    orr_kernel_kinds_choose(&kinds);
    copy_kind = orr_kernel_kinds_add(&kinds, "copy", ORR_COPY_COLOUR);
    orr_kernel_kinds_add(&kinds, "eviction", ORR_EVICTION_COLOUR);
    json_object_set_int_member(all, "schema_version", SCHEMA);
    orr_output_set_text(all, "title", title);
    add_kinds(all, &kinds);
    add_bounds(all, report->bounds);
    add_notes(all, report);
    runs = orr_output_add_array(all, "runs");
    for (unsigned i = 0; i < report->run_count; i++) {
        const struct orr_html_run *run = &report->runs[i];
        JsonObject *object = orr_output_add_object(runs);

        orr_output_set_text(object, "policy", run->policy);
        json_object_set_object_member(object, "facts", keep_facts(run->facts));
        orr_html_tables_add(columns, object, run->record, &kinds, copy_kind,
                            report->most_bars);
    }
    orr_kernel_kinds_clear(&kinds);
    return all;
}

bool orr_html_save(const char *path, const struct orr_html *report,
                   GError **error)
{
    JsonObject *facts = report->runs[0].facts;
    g_autofree char *app = g_path_get_basename(orr_text_of(facts, "app"));
    g_autofree char *title =
        g_strdup_printf("%s on %s", app, orr_text_of(facts, "platform"));
    struct orr_html_columns columns;
    JsonObject *description;
    g_autofree char *data = NULL;
    g_autofree char *page = NULL;

    orr_html_columns_init(&columns);
    description = describe(report, title, &columns);
    data = orr_html_columns_pack(&columns, description);
    json_object_unref(description);
    orr_html_columns_clear(&columns);
    page = orr_html_page(title, data);
    return orr_file_replace(path, page, strlen(page), error);
}
