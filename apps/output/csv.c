/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/csv.h"

#include <stdbool.h>
#include <string.h>

#include "apps/output/exact.h"
#include "models/base/csv_line.h"

static void spread(JsonObject *object, const char *prefix, GPtrArray *names,
                   GPtrArray *values);

static void spread_array(JsonArray *array, const char *prefix, GPtrArray *names,
                         GPtrArray *values)
{
    for (guint i = 0; i < json_array_get_length(array); i++) {
        JsonObject *element = json_array_get_object_element(array, i);
        g_autofree char *path = NULL;

        if (json_object_has_member(element, "name"))
            path =
                g_strdup_printf("%s%s.", prefix,
                                json_object_get_string_member(element, "name"));
        else
            path = g_strdup_printf("%s%u.", prefix, i);
        spread(element, path, names, values);
    }
}

static bool holds_objects(JsonNode *node)
{
    JsonArray *array =
        JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

    return array && json_array_get_length(array) > 0 &&
           JSON_NODE_HOLDS_OBJECT(json_array_get_element(array, 0));
}

/* Whether the prefix "outer.NAME." already contains the member "name". */
static bool is_in_prefix(const char *prefix, const char *name)
{
    return *prefix && strcmp(name, "name") == 0;
}

/* Appends the names of the columns of @object, and their values. */
static void spread(JsonObject *object, const char *prefix, GPtrArray *names,
                   GPtrArray *values)
{
    GList *members = json_object_get_members(object);

    for (GList *i = members; i; i = i->next) {
        JsonNode *node = json_object_get_member(object, i->data);
        char *path = g_strdup_printf("%s%s.", prefix, (char *)i->data);

        if (is_in_prefix(prefix, i->data)) {
            /* Nothing to add. */
        } else if (holds_objects(node)) {
            spread_array(json_node_get_array(node), path, names, values);
        } else if (JSON_NODE_HOLDS_OBJECT(node)) {
            spread(json_node_get_object(node), path, names, values);
        } else {
            g_ptr_array_add(names, g_strndup(path, strlen(path) - 1));
            g_ptr_array_add(values, orr_exact_format(node, ";"));
        }
        g_free(path);
    }
    g_list_free(members);
}

static void print_fields(GPtrArray *fields)
{
    for (guint i = 0; i < fields->len; i++) {
        if (i > 0)
            putchar(',');
        orr_csv_put(stdout, g_ptr_array_index(fields, i));
    }
    putchar('\n');
}

void orr_csv_print_rows(JsonArray *rows)
{
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
        GPtrArray *values = g_ptr_array_new_with_free_func(g_free);

        spread(json_array_get_object_element(rows, i), "", names, values);
        if (i == 0)
            print_fields(names);
        print_fields(values);
        g_ptr_array_unref(names);
        g_ptr_array_unref(values);
    }
}

void orr_csv_print_pairs(JsonObject *object)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    GPtrArray *values = g_ptr_array_new_with_free_func(g_free);

    spread(object, "", names, values);
    puts("key,value");
    for (guint i = 0; i < names->len; i++) {
        orr_csv_put(stdout, g_ptr_array_index(names, i));
        putchar(',');
        orr_csv_put(stdout, g_ptr_array_index(values, i));
        putchar('\n');
    }
    g_ptr_array_unref(names);
    g_ptr_array_unref(values);
}
