/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * orrery shrink: makes JSON facts of a shrunk run (shrink.h), from which all
 * formats are printed: its extents before and after, the story of the hang and
 * the critical decision.
 */
#include <stdio.h>
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/output/csv.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"
#include "apps/search/error_trace.h"
#include "apps/search/shrink.h"
#include "apps/settings/command.h"

static const struct orr_syntax syntax = {
    "shrink",
    "TOKEN|@FILE|-",
    1,
    1,
    "Looks for the smallest run that hangs in the same way as the run of "
    "TOKEN, with\nfewer tiles, tasks, workers and decisions. Prints its token "
    "and its critical\ndecision: the last one where another choice lets the "
    "run finish. @FILE reads the\ntoken from a file, - from standard input. "
    "Give the "
    "files that the token was made\nwith again.",
    {&orr_options_shrink, &orr_options_token_files, &orr_options_plugin,
     &orr_options_output, NULL},
};

static void add_extent(JsonObject *facts, const char *name,
                       const struct orr_case_size *extent, const char *scale)
{
    JsonObject *object = json_object_new();

    if (scale && extent->scale > 0)
        json_object_set_int_member(object, scale, (gint64)extent->scale);
    json_object_set_int_member(object, "tasks", (gint64)extent->tasks);
    json_object_set_int_member(object, "gpus", extent->gpus);
    json_object_set_int_member(object, "cpus", extent->cpus);
    json_object_set_int_member(object, "decisions", (gint64)extent->decisions);
    json_object_set_object_member(facts, name, object);
}

static void add_critical(JsonObject *facts,
                         const struct orr_critical_decision *critical)
{
    JsonObject *object;

    if (!critical->found) {
        json_object_set_null_member(facts, "critical");
        return;
    }
    object = json_object_new();
    json_object_set_int_member(object, "decision",
                               (gint64)critical->position + 1);
    orr_output_set_text(object, "kind",
                        orr_decision_name(critical->point.kind));
    json_object_set_int_member(object, "options", critical->point.count);
    json_object_set_int_member(object, "taken", critical->point.option);
    json_object_set_int_member(object, "finishes", critical->other);
    orr_output_set_text(object, "instead", critical->what);
    json_object_set_object_member(facts, "critical", object);
}

/* The decisions that were not the default, in the order of the run. */
static void add_deviations(JsonObject *facts,
                           const struct orr_critical_decision *critical)
{
    JsonArray *array = orr_output_add_array(facts, "deviations");

    for (guint i = 0; critical->points && i < critical->points->len; i++) {
        const struct orr_decision_point *point =
            &g_array_index(critical->points, struct orr_decision_point, i);
        JsonObject *object;

        if (point->option == 0)
            continue;
        object = orr_output_add_object(array);
        json_object_set_int_member(object, "decision", (gint64)i + 1);
        orr_output_set_text(object, "kind", orr_decision_name(point->kind));
        json_object_set_int_member(object, "options", point->count);
        json_object_set_int_member(object, "taken", point->option);
        orr_output_set_text(object, "what", point->what);
    }
}

static void add_line(JsonArray *array, const struct orr_error_trace_line *line)
{
    JsonObject *object = orr_output_add_object(array);

    if (line->skipped > 0) {
        json_object_set_int_member(object, "skipped", (gint64)line->skipped);
        return;
    }
    if (line->decision > 0) {
        json_object_set_int_member(object, "decision", (gint64)line->decision);
        orr_output_set_text(object, "kind", orr_decision_name(line->kind));
    }
    json_object_set_double_member(object, "date_s",
                                  orr_time_to_seconds(line->date));
    orr_output_set_text(object, "step", line->text);
}

static void add_story(JsonObject *facts, const GArray *story)
{
    JsonArray *array = orr_output_add_array(facts, "story");

    for (guint i = 0; story && i < story->len; i++)
        add_line(array, &g_array_index(story, struct orr_error_trace_line, i));
}

/* @kind: of the original run. */
static JsonObject *facts_of(const struct orr_shrink *shrink, const char *kind)
{
    JsonObject *facts = json_object_new();
    g_autofree char *token = orr_token_format(&shrink->token);
    g_autofree char *files = orr_token_files_text(&shrink->token);

    orr_output_set_text(facts, "kind", shrink->token.hang);
    if (strcmp(kind, shrink->token.hang) != 0)
        orr_output_set_text(facts, "kind_before", kind);
    json_object_set_int_member(facts, "runs", (gint64)shrink->runs.count);
    json_object_set_boolean_member(
        facts, "complete", shrink->complete && shrink->critical.complete);
    add_extent(facts, "before", &shrink->before, shrink->scale);
    add_extent(facts, "after", &shrink->after, shrink->scale);
    json_object_set_int_member(facts, "decisions_asked",
                               (gint64)shrink->critical.decisions);
    add_deviations(facts, &shrink->critical);
    add_story(facts, shrink->critical.error_trace);
    add_critical(facts, &shrink->critical);
    orr_output_set_text(facts, "token", token);
    if (*files)
        orr_output_set_text(facts, "replay_options", g_strchug(files));
    return facts;
}

/* Returns the title of a member of the extents: of an option of the
 * application, its name. */
static const char *title_of(const char *member)
{
    static const struct {
        const char *name, *title;
    } titles[] = {
        {"tasks", "tasks"},
        {"gpus", "GPU workers"},
        {"cpus", "CPU workers"},
        {"decisions", "non-default decisions"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++) {
        if (strcmp(titles[i].name, member) == 0)
            return titles[i].title;
    }
    return member;
}

static void print_extents(JsonObject *facts)
{
    g_autoptr(GList) members = NULL;
    JsonObject *before = json_object_get_object_member(facts, "before");
    JsonObject *after = json_object_get_object_member(facts, "after");
    struct orr_table *table = orr_table_new("lrr");

    orr_table_add(table, "");
    orr_table_add(table, "before");
    orr_table_add(table, "after");
    members = json_object_get_members(before);
    for (const GList *member = members; member; member = member->next) {
        orr_table_add(table, title_of(member->data));
        orr_table_take(table,
                       g_strdup_printf("%" G_GINT64_FORMAT,
                                       orr_int_of(before, member->data)));
        orr_table_take(table, g_strdup_printf("%" G_GINT64_FORMAT,
                                              orr_int_of(after, member->data)));
    }
    orr_table_print(table);
    orr_table_free(table);
}

/* @asked: decisions of the run; @complete: all of them were tried. */
static void print_uncritical(bool complete, gint64 asked)
{
    if (asked == 0)
        puts("No decision is critical: this run makes none.");
    else
        printf("No decision is critical: %s the %" G_GINT64_FORMAT
               " that this run makes.\n",
               complete ? "the run hangs with any other choice at any one of"
                        : "the budget was used up before one was found among",
               asked);
}

/* Prints one line of the story in three columns: number and kind of a decision,
 * if it is one, and what happens. */
static void print_line(struct orr_table *table, JsonObject *line)
{
    if (json_object_has_member(line, "skipped")) {
        orr_table_add(table, "");
        orr_table_add(table, "");
        orr_table_take(table,
                       g_strdup_printf("... %" G_GINT64_FORMAT " more ...",
                                       orr_int_of(line, "skipped")));
        return;
    }
    if (json_object_has_member(line, "decision")) {
        orr_table_take(table, g_strdup_printf("%" G_GINT64_FORMAT,
                                              orr_int_of(line, "decision")));
        orr_table_add(table, orr_text_of(line, "kind"));
    } else {
        orr_table_add(table, "");
        orr_table_add(table, "");
    }
    orr_table_add(table, orr_text_of(line, "step"));
}

/* @decided: some decision is not the default. */
static void print_story(JsonArray *story, bool decided)
{
    struct orr_table *table;

    if (json_array_get_length(story) == 0)
        return;
    puts(decided ? "What happened, in this order. Decisions have a number: "
                   "without them,\n"
                   "it is the default schedule.\n"
                 : "What happened last, in this order:\n");
    table = orr_table_new("rll");
    orr_table_add(table, "decision");
    orr_table_add(table, "kind");
    orr_table_add(table, "step");
    for (guint i = 0; i < json_array_get_length(story); i++)
        print_line(table, orr_object_at(story, i));
    orr_table_print(table);
    orr_table_free(table);
    puts("");
}

/* Prints @text, which is taken. */
static void print_wrapped(char *text)
{
    struct orr_table *table = orr_table_new("l");

    orr_table_take(table, text);
    orr_table_print(table);
    orr_table_free(table);
}

static void print_critical(JsonObject *facts)
{
    gint64 asked = orr_int_of(facts, "decisions_asked");
    JsonObject *critical;

    if (json_object_get_null_member(facts, "critical")) {
        print_uncritical(json_object_get_boolean_member(facts, "complete"),
                         asked);
        return;
    }
    critical = json_object_get_object_member(facts, "critical");
    printf("The critical decision is number %" G_GINT64_FORMAT
           " of %" G_GINT64_FORMAT " (%s): of %" G_GINT64_FORMAT
           " options,\nnumbered from 0, %" G_GINT64_FORMAT
           " was taken; with %" G_GINT64_FORMAT " the run finishes.\n",
           orr_int_of(critical, "decision"), asked,
           orr_text_of(critical, "kind"), orr_int_of(critical, "options"),
           orr_int_of(critical, "taken"), orr_int_of(critical, "finishes"));
    if (!json_object_get_null_member(critical, "instead"))
        print_wrapped(g_strdup_printf("With that, %s.",
                                      orr_text_of(critical, "instead")));
}

/* Prints a warning if the small run hangs in another way than the original. */
static void print_kind(JsonObject *facts)
{
    if (json_object_has_member(facts, "kind_before"))
        printf(
            "The original run is of the kind %s, of which no smaller one was "
            "found;\nthis one may come of the same mistake.\n\n",
            orr_text_of(facts, "kind_before"));
}

static void print_text(JsonObject *facts)
{
    const char *options =
        json_object_get_string_member_with_default(facts, "replay_options", "");

    printf("%s, shrunk in %" G_GINT64_FORMAT " runs%s\n\n",
           orr_text_of(facts, "kind"), orr_int_of(facts, "runs"),
           json_object_get_boolean_member(facts, "complete")
               ? ""
               : "; a larger --budget might find a smaller run");
    print_kind(facts);
    print_extents(facts);
    puts("");
    print_story(orr_array_of(facts, "story"),
                json_array_get_length(orr_array_of(facts, "deviations")) > 0);
    print_critical(facts);
    printf("\norrery replay %s%s%s\n", orr_text_of(facts, "token"),
           *options ? " " : "", options);
}

static void print(JsonObject *facts, enum orr_format format)
{
    JsonArray *rows;

    if (format == ORR_FORMAT_TEXT) {
        print_text(facts);
    } else if (format == ORR_FORMAT_JSON) {
        orr_output_object(facts);
    } else {
        rows = json_array_new();
        json_array_add_object_element(rows, json_object_ref(facts));
        orr_csv_print_rows(rows);
        json_array_unref(rows);
    }
}

static enum orr_exit perform(const struct orr_token *token,
                             const struct orr_settings *settings,
                             GError **error)
{
    struct orr_shrink shrink = {
        .command = syntax.command,
        .budget = settings->exploration.budget > 0
                      ? settings->exploration.budget
                      : ORR_SHRINK_BUDGET,
    };
    enum orr_exit status = ORR_EXIT_FAILURE;
    JsonObject *facts;

    if (orr_shrink_perform(&shrink, token, error)) {
        facts = facts_of(&shrink, token->hang);
        print(facts, settings->format);
        json_object_unref(facts);
        status = ORR_EXIT_OK;
    }
    orr_shrink_clear(&shrink);
    return status;
}

static enum orr_exit shrink(const char *operand, struct orr_settings *settings,
                            GError **error)
{
    struct orr_token token;
    enum orr_exit status = orr_token_load(&token, operand, error);

    if (status == ORR_EXIT_OK)
        status = orr_token_prepare(&token, settings, error);
    if (status == ORR_EXIT_OK && settings->exploration.shrink_by)
        orr_token_set_option_text(&token, "shrink-by",
                                  settings->exploration.shrink_by);
    if (status == ORR_EXIT_OK)
        status = perform(&token, settings, error);
    orr_token_clear(&token);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, shrink);
}

const struct orr_cmd orr_cmd_shrink = {
    .name = "shrink",
    .summary = "find the smallest run with the same hang",
    .syntax = &syntax,
    .main = command};
