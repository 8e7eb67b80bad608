/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An exploration as text. */
#include <stdio.h>
#include <string.h>

#include "apps/output/members.h"
#include "apps/output/table.h"
#include "apps/report/facts.h"
#include "apps/search/exploration.h"

static const char *plural(gint64 count)
{
    return count == 1 ? "" : "s";
}

static void take_count(struct orr_table *table, JsonObject *object,
                       const char *name)
{
    orr_table_take(
        table, g_strdup_printf("%" G_GINT64_FORMAT, orr_int_of(object, name)));
}

static void print_strategies(JsonArray *strategies)
{
    struct orr_table *table = orr_table_new("lrrr");

    orr_table_add(table, "strategy");
    orr_table_add(table, "schedules");
    orr_table_add(table, "distinct");
    orr_table_add(table, "unfinished");
    for (guint i = 0; i < json_array_get_length(strategies); i++) {
        JsonObject *strategy = orr_object_at(strategies, i);

        orr_table_add(table, orr_text_of(strategy, "name"));
        take_count(table, strategy, "schedules");
        take_count(table, strategy, "distinct");
        take_count(table, strategy, "unfinished");
    }
    orr_table_print(table);
    orr_table_free(table);
}

static void print_summary(JsonObject *facts, bool timing)
{
    gint64 schedules = orr_int_of(facts, "schedules");

    printf("%" G_GINT64_FORMAT " schedule%s, %" G_GINT64_FORMAT " distinct",
           schedules, plural(schedules), orr_int_of(facts, "distinct"));
    if (timing)
        printf(", in %.3f s: %.0f per second",
               orr_double_of(facts, "exploration_wall_s"),
               orr_double_of(facts, "schedules_per_s"));
    puts("");
}

/* Prints which operations of a concurrent policy came between which. */
static void print_interleavings(JsonObject *facts)
{
    JsonObject *object;
    struct orr_table *table;

    if (!json_object_has_member(facts, "interleavings"))
        return;
    object = json_object_get_object_member(facts, "interleavings");
    table = orr_table_new("l");
    orr_table_take(
        table, g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                               " pairs of operations of the policy were "
                               "interleaved: the second, of another caller, "
                               "came right after the first, within its call.",
                               orr_int_of(object, "seen"),
                               orr_int_of(object, "pairs")));
    orr_table_print(table);
    orr_table_free(table);
}

/* Prints that the policy is not deterministic, if so. */
static void print_difference(JsonObject *facts)
{
    struct orr_table *table;

    if (json_object_get_null_member(facts, "difference"))
        return;
    table = orr_table_new("l");
    orr_table_take(table, g_strconcat("The policy is not deterministic: ",
                                      orr_text_of(facts, "difference"), NULL));
    orr_table_print(table);
    orr_table_free(table);
}

/* Prints what follows for schedules that were not run. */
static void print_claims(JsonArray *strategies)
{
    for (guint i = 0; i < json_array_get_length(strategies); i++) {
        JsonObject *strategy = orr_object_at(strategies, i);
        struct orr_table *table;

        if (json_object_get_null_member(strategy, "claim"))
            continue;
        table = orr_table_new("l");
        orr_table_take(table,
                       g_strdup_printf("%s: %s.", orr_text_of(strategy, "name"),
                                       orr_text_of(strategy, "claim")));
        orr_table_print(table);
        orr_table_free(table);
    }
}

static void print_hang(JsonObject *hang)
{
    JsonArray *chain = orr_array_of(hang, "chain");
    const char *options =
        json_object_get_string_member_with_default(hang, "replay_options", "");
    gint64 count = orr_int_of(hang, "count");

    printf(
        "\n%s%s: schedule %" G_GINT64_FORMAT " (%s)", orr_text_of(hang, "kind"),
        json_object_get_boolean_member(hang, "livelock") ? ", a livelock" : "",
        orr_int_of(hang, "schedule_number"), orr_text_of(hang, "strategy"));
    if (count > 1)
        printf(" and %" G_GINT64_FORMAT " more", count - 1);
    puts("");
    if (json_array_get_length(chain) == 0)
        printf("  %s\n", orr_text_of(hang, "message"));
    for (guint i = 0; i < json_array_get_length(chain); i++)
        printf("  %s\n", json_array_get_string_element(chain, i));
    if (!json_object_get_boolean_member(hang, "repeats"))
        puts("  The same decisions do not lead to this hang again: the policy "
             "is not\n  deterministic (see orrery run --twice).");
    printf("  orrery replay %s%s%s\n", orr_text_of(hang, "token"),
           *options ? " " : "", options);
    printf("  orrery shrink %s%s%s\n", orr_text_of(hang, "token"),
           *options ? " " : "", options);
}

void orr_exploration_print_findings(JsonObject *facts)
{
    JsonArray *hangs = orr_array_of(facts, "hangs");

    print_difference(facts);
    for (guint i = 0; i < json_array_get_length(hangs); i++)
        print_hang(orr_object_at(hangs, i));
}

void orr_exploration_print(JsonObject *facts, bool timing)
{
    JsonArray *strategies = orr_array_of(facts, "strategies");
    JsonArray *hangs = orr_array_of(facts, "hangs");
    guint count = json_array_get_length(hangs);

    orr_facts_print_request(facts, true);
    puts("");
    print_strategies(strategies);
    puts("");
    print_summary(facts, timing);
    print_interleavings(facts);
    print_difference(facts);
    if (count == 0) {
        puts("No hang was found.");
        print_claims(strategies);
    }
    for (guint i = 0; i < count; i++)
        print_hang(orr_object_at(hangs, i));
}
