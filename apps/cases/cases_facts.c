/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of an exploration of several cases, and as text. */
#include <stdio.h>
#include <string.h>

#include "apps/cases/cases.h"
#include "apps/output/members.h"
#include "apps/output/table.h"
#include "apps/report/facts.h"

static JsonObject *facts_of(const struct orr_case *one, GError **error)
{
    JsonObject *facts = orr_exploration_facts(&one->exploration, error);

    if (facts)
        orr_output_set_text(facts, "case", one->name);
    return facts;
}

JsonObject *orr_cases_facts(const struct orr_cases *cases, GError **error)
{
    JsonObject *facts = json_object_new();
    JsonArray *array = orr_output_add_array(facts, "cases");
    uint64_t before = 0;

    for (guint i = 0; i < cases->cases->len; i++) {
        const struct orr_case *one = cases->cases->pdata[i];
        JsonObject *object;

        if (!one->explored)
            continue;
        object = facts_of(one, error);
        if (!object) {
            json_object_unref(facts);
            return NULL;
        }
        json_object_set_int_member(object, "schedules_before", (gint64)before);
        before += one->exploration.schedules;
        json_array_add_object_element(array, object);
    }
    json_object_set_int_member(facts, "case_count", cases->cases->len);
    json_object_set_int_member(facts, "schedules", (gint64)cases->schedules);
    return facts;
}

static gint64 sum(JsonObject *one, const char *member)
{
    JsonArray *parts = orr_array_of(one, "strategies");
    gint64 total = 0;

    for (guint i = 0; i < json_array_get_length(parts); i++)
        total += orr_int_of(orr_object_at(parts, i), member);
    return total;
}

static void add_count(struct orr_table *table, gint64 count)
{
    orr_table_take(table, g_strdup_printf("%" G_GINT64_FORMAT, count));
}

static void print_table(JsonArray *cases)
{
    struct orr_table *table = orr_table_new("lrrr");

    orr_table_add(table, "case");
    orr_table_add(table, "schedules");
    orr_table_add(table, "distinct");
    orr_table_add(table, "unfinished");
    for (guint i = 0; i < json_array_get_length(cases); i++) {
        JsonObject *one = orr_object_at(cases, i);

        orr_table_add(table, orr_text_of(one, "case"));
        add_count(table, orr_int_of(one, "schedules"));
        add_count(table, orr_int_of(one, "distinct"));
        add_count(table, sum(one, "unfinished"));
    }
    orr_table_print(table);
    orr_table_free(table);
}

/* Sets the texts of the bounds of @strategy in @one, from @column on. */
static void add_bounds(struct orr_table *table, JsonObject *one,
                       const char *strategy, guint count)
{
    JsonArray *parts = orr_array_of(one, "strategies");
    JsonArray *bounds = NULL;

    for (guint i = 0; i < json_array_get_length(parts); i++) {
        JsonObject *part = orr_object_at(parts, i);

        if (strcmp(orr_text_of(part, "name"), strategy) == 0 &&
            json_object_has_member(part, "bounds"))
            bounds = orr_array_of(part, "bounds");
    }
    for (guint i = 0; i < count; i++) {
        if (bounds)
            orr_table_take(
                table, g_strdup_printf(
                           "%.2g", json_array_get_double_element(bounds, i)));
        else
            orr_table_add(table, "");
    }
}

/* What follows for schedules that were not run, as nothing was found. */
static void print_bounds(JsonArray *cases)
{
    static const char *const titles[] = {"case",  "all",   "random", "pct 1",
                                         "pct 2", "pct 3", "pct 4"};
    struct orr_table *table = orr_table_new("rlrrrrr");

    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        orr_table_add(table, titles[i]);
    for (guint i = 0; i < json_array_get_length(cases); i++) {
        JsonObject *one = orr_object_at(cases, i);
        bool all = json_object_get_boolean_member(one, "exhausted");

        add_count(table, (gint64)i + 1);
        orr_table_add(table, all ? "yes" : "no");
        add_bounds(table, one, "random", 1);
        add_bounds(table, one, "pct", ORR_STRATEGY_BOUNDS);
    }
    puts("\nWhat is known of the schedules that were not tried, for each case "
         "in this order:\n");
    orr_table_print(table);
    orr_table_free(table);
    puts(
        "\nall     every schedule was tried, or one that is equivalent to it\n"
        "random  a smaller share of its schedules hangs, with 95 % confidence\n"
        "pct d   a given hang that needs d constraints on the order of "
        "decisions\n"
        "        would have been found with this probability or more");
}

void orr_cases_print(JsonObject *facts, G_GNUC_UNUSED bool timing)
{
    JsonArray *cases = orr_array_of(facts, "cases");
    guint count = json_array_get_length(cases);
    bool found = false;

    print_table(cases);
    printf("\n%" G_GINT64_FORMAT
           " schedules of %u cases; there are %" G_GINT64_FORMAT "\n",
           orr_int_of(facts, "schedules"), count,
           orr_int_of(facts, "case_count"));
    for (guint i = 0; i < count; i++) {
        JsonObject *one = orr_object_at(cases, i);

        if (json_array_get_length(orr_array_of(one, "hangs")) == 0 &&
            json_object_get_null_member(one, "difference"))
            continue;
        found = true;
        printf("\n%s", orr_text_of(one, "case"));
        puts("");
        orr_exploration_print_findings(one);
    }
    if (!found) {
        puts("No hang was found.");
        print_bounds(cases);
    }
}
