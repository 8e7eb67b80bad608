/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/facts/app_facts.h"

#include <stdio.h>

#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/output/table.h"

static const char *const kinds[] = {
    [ORR_APP_COUNT] = "count",   [ORR_APP_NUMBER] = "number",
    [ORR_APP_CHOICE] = "choice", [ORR_APP_FLAG] = "flag",
    [ORR_APP_TEXT] = "text",     [ORR_APP_SHAPE] = "shape",
};

static void add_names(JsonObject *facts, const char *member,
                      const char *const *names)
{
    JsonArray *list = orr_output_add_array(facts, member);

    for (size_t i = 0; names && names[i]; i++)
        json_array_add_string_element(list, names[i]);
}

static void set_limit(JsonObject *row, const char *member,
                      const struct orr_app_option *option, double limit)
{
    if (option->kind == ORR_APP_COUNT || option->kind == ORR_APP_SHAPE)
        json_object_set_int_member(row, member, (gint64)limit);
    else if (option->kind == ORR_APP_NUMBER)
        json_object_set_double_member(row, member, limit);
    else
        json_object_set_null_member(row, member);
}

/* Returns the default value of the option; NULL: none. */
static const char *preset_of(const struct orr_app_option *option)
{
    if (option->preset || option->kind != ORR_APP_CHOICE)
        return option->preset;
    return option->choices[0];
}

static void add_option(JsonArray *rows, const struct orr_app_option *option)
{
    JsonObject *row = orr_output_add_object(rows);

    orr_output_set_text(row, "name", option->name);
    orr_output_set_text(row, "kind", kinds[option->kind]);
    orr_output_set_text(row, "value", option->value);
    set_limit(row, "min", option, option->min);
    set_limit(row, "max", option, option->max);
    add_names(row, "choices",
              option->kind == ORR_APP_CHOICE ? option->choices : NULL);
    orr_output_set_text(row, "default", preset_of(option));
    orr_output_set_text(row, "help", option->help);
}

JsonObject *orr_app_facts_new(const struct orr_app *app, const char *file)
{
    JsonObject *facts = json_object_new();
    JsonArray *rows;

    orr_output_set_text(facts, "app", app->name);
    orr_output_set_text(facts, "file", file);
    orr_output_set_text(facts, "summary", app->summary);
    add_names(facts, "kernels", app->kernels);
    json_object_set_boolean_member(facts, "counts_tasks", app->tasks != NULL);
    json_object_set_boolean_member(facts, "counts_flops", app->flops != NULL);
    orr_output_set_text(facts, "axis", app->axis);
    orr_output_set_text(facts, "axis_title",
                        app->axis_title ? app->axis_title : app->axis);
    orr_output_set_text(facts, "scale", app->scale);
    rows = orr_output_add_array(facts, "options");
    for (size_t i = 0; app->options && app->options[i].name; i++)
        add_option(rows, &app->options[i]);
    return facts;
}

/* Returns the names, as "a, b", or "not listed" if there is none. */
static char *join(JsonArray *names)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < json_array_get_length(names); i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
                               json_array_get_string_element(names, i));
    return g_strdup(text->len > 0 ? text->str : "not listed");
}

/* Adds a line to a table of two columns; takes @value. */
static void add_line(struct orr_table *table, const char *label, char *value)
{
    orr_table_add(table, label);
    orr_table_take(table, value);
}

static void print_lines(JsonObject *facts)
{
    struct orr_table *table = orr_table_new("ll");
    const char *file = orr_text_of(facts, "file");
    const char *scale = orr_text_of(facts, "scale");
    bool has_speed = json_object_get_boolean_member(facts, "counts_flops");

    add_line(table, "application", g_strdup(orr_text_of(facts, "app")));
    if (file)
        add_line(table, "file", g_strdup(file));
    add_line(table, "summary", g_strdup(orr_text_of(facts, "summary")));
    add_line(table, "kernels", join(orr_array_of(facts, "kernels")));
    add_line(table, "speed",
             g_strdup(has_speed ? "reported in GFlop/s" : "not known"));
    add_line(table, "plots over",
             g_strdup(orr_text_of(facts, "axis")
                          ? orr_text_of(facts, "axis_title")
                          : "-"));
    add_line(table, "shrink reduces",
             scale ? g_strdup_printf("--%s", scale) : g_strdup("nothing"));
    orr_table_print(table);
    orr_table_free(table);
}

/* Returns the values of an option as text: "1 to 1000", "single, double". */
static char *values_of(JsonObject *row)
{
    const char *kind = orr_text_of(row, "kind");

    if (!json_object_get_null_member(row, "max"))
        return g_strdup_printf(
            "%.7g to %.7g",
            json_node_get_double(json_object_get_member(row, "min")),
            json_node_get_double(json_object_get_member(row, "max")));
    if (g_strcmp0(kind, kinds[ORR_APP_CHOICE]) == 0)
        return join(orr_array_of(row, "choices"));
    return g_strdup(g_strcmp0(kind, kinds[ORR_APP_TEXT]) == 0 ? "any text"
                                                              : "-");
}

static void print_options(JsonArray *rows)
{
    struct orr_table *table = orr_table_new("llll");

    orr_table_add(table, "option");
    orr_table_add(table, "values");
    orr_table_add(table, "default");
    orr_table_add(table, "meaning");
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = orr_object_at(rows, i);
        const char *value = orr_text_of(row, "value");
        const char *preset = orr_text_of(row, "default");

        orr_table_take(table,
                       g_strdup_printf("--%s%s%s", orr_text_of(row, "name"),
                                       value ? " " : "", value ? value : ""));
        orr_table_take(table, values_of(row));
        orr_table_add(table, preset ? preset : "-");
        orr_table_add(table, orr_text_of(row, "help"));
    }
    orr_table_print(table);
    orr_table_free(table);
}

void orr_app_facts_print(JsonObject *facts)
{
    JsonArray *rows = orr_array_of(facts, "options");

    print_lines(facts);
    if (json_array_get_length(rows) == 0)
        return;
    printf("\n");
    print_options(rows);
}
