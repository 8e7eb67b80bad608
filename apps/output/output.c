/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/output/csv.h"
#include "apps/output/exact.h"
#include "apps/output/json.h"
#include "apps/output/table.h"
#include "models/base/names.h"
#include "models/base/units.h"

bool orr_format_parse(const char *text, enum orr_format *format, GError **error)
{
    static const char *const names[] = {"text", "json", "csv", NULL};
    size_t found;

    if (!orr_names_find("format", names, text, &found, error))
        return false;
    *format = (enum orr_format)found;
    return true;
}

JsonArray *orr_output_add_array(JsonObject *object, const char *name)
{
    JsonArray *array = json_array_new();

    json_object_set_array_member(object, name, array);
    return array;
}

JsonObject *orr_output_add_object(JsonArray *array)
{
    JsonObject *object = json_object_new();

    json_array_add_object_element(array, object);
    return object;
}

void orr_output_set_text(JsonObject *object, const char *name, const char *text)
{
    if (text)
        json_object_set_string_member(object, name, text);
    else
        json_object_set_null_member(object, name);
}

char *orr_output_value(const char *name, JsonNode *node)
{
    bool value = JSON_NODE_HOLDS_VALUE(node);

    if (JSON_NODE_HOLDS_NULL(node))
        return g_strdup("-");
    if (value && g_str_has_suffix(name, "bytes_per_s"))
        return orr_format_rate(json_node_get_double(node));
    if (value && g_str_has_suffix(name, "flops_per_s"))
        return orr_format_flops(json_node_get_double(node));
    if (value && g_str_has_suffix(name, "_bytes"))
        return orr_format_bytes((uint64_t)json_node_get_int(node));
    if (value && g_str_has_suffix(name, "_s"))
        return orr_format_time(
            orr_time_from_seconds(json_node_get_double(node)));
    if (value && g_str_has_suffix(name, "_w"))
        return g_strdup_printf("%.6g W", json_node_get_double(node));
    if (value && json_node_get_value_type(node) == G_TYPE_BOOLEAN)
        return g_strdup(json_node_get_boolean(node) ? "yes" : "no");
    return orr_exact_format(node, ", ");
}

char *orr_output_title(const char *name)
{
    static const char *const units[] = {"_bytes", "_flops_per_s", "_s", "_w"};
    char *title;

    if (g_str_has_suffix(name, "bytes_per_s"))
        return g_strdup("bandwidth");
    title = g_strdup(name);
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        if (g_str_has_suffix(title, units[i]))
            title[strlen(title) - strlen(units[i])] = '\0';
    }
    return g_strdelimit(title, "_", ' ');
}

static bool is_number(JsonNode *node)
{
    GType type = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node)
                                             : G_TYPE_INVALID;

    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

static void print_rows(JsonArray *rows)
{
    JsonObject *first = json_array_get_object_element(rows, 0);
    GList *names = json_object_get_members(first);
    GString *alignment = g_string_new(NULL);
    struct orr_table *table;

    for (GList *i = names; i; i = i->next) {
        JsonNode *node = json_object_get_member(first, i->data);

        g_string_append_c(alignment, is_number(node) ? 'r' : 'l');
    }
    /* In wide tables, one column of text rarely identifies a row: repeat two
     * columns in each block. */
    if (alignment->len > 3 && g_str_has_prefix(alignment->str, "ll"))
        memcpy(alignment->str, "LL", 2);
    table = orr_table_new(alignment->str);
    for (GList *i = names; i; i = i->next)
        orr_table_take(table, orr_output_title(i->data));
    for (guint r = 0; r < json_array_get_length(rows); r++) {
        JsonObject *row = json_array_get_object_element(rows, r);

        for (GList *i = names; i; i = i->next) {
            JsonNode *node = json_object_get_member(row, i->data);

            orr_table_take(table, orr_output_value(i->data, node));
        }
    }
    orr_table_print(table);
    orr_table_free(table);
    g_string_free(alignment, TRUE);
    g_list_free(names);
}

void orr_output_object(JsonObject *object)
{
    orr_output_object_with(object, NULL);
}

void orr_output_object_with(JsonObject *object,
                            const struct orr_json_part *part)
{
    JsonNode *node = json_node_init_object(json_node_alloc(), object);

    orr_json_print_with(node, part);
    json_node_free(node);
}

void orr_output_rows(JsonArray *rows, enum orr_format format)
{
    JsonNode *node;

    if (format == ORR_FORMAT_CSV) {
        orr_csv_print_rows(rows);
    } else if (format == ORR_FORMAT_JSON) {
        node = json_node_init_array(json_node_alloc(), rows);
        orr_json_print(node);
        json_node_free(node);
    } else if (json_array_get_length(rows) > 0) {
        print_rows(rows);
    }
}

/* Whether the standard output is a pipe that no process reads any more. */
static bool has_no_reader(void)
{
    struct pollfd file = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return poll(&file, 1, 0) == 1 && file.revents & POLLERR;
}

bool orr_output_close(void)
{
    bool failed = ferror(stdout);
    int reason = 0;

    if (fflush(stdout) != 0) {
        failed = true;
        reason = errno;
    } else if (failed && has_no_reader()) {
        reason = EPIPE; /* an earlier write failed; its errno is lost */
    }
    if (fclose(stdout) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    errno = reason;
    return !failed;
}
