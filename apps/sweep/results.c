/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/results.h"

#include <stdio.h>
#include <string.h>

#include "apps/output/exact.h"
#include "apps/output/json.h"
#include "models/base/csv_line.h"

static const char *name_of(const struct orr_reader *reader, unsigned column)
{
    return g_array_index(orr_reader_columns(reader), struct orr_column, column)
        .name;
}

static bool is_shown(const struct orr_reader *reader, unsigned column,
                     bool timing)
{
    return timing || strcmp(name_of(reader, column), ORR_COLUMN_WALL) != 0;
}

/* Returns the value of @column; free with json_node_unref(). */
static JsonNode *value_of(const struct orr_reader *reader, unsigned column)
{
    JsonNode *node = json_node_alloc();

    switch (orr_reader_kind(reader, column)) {
    case ORR_VALUE_INTEGER:
        return json_node_init_int(node, orr_reader_integer(reader, column));
    case ORR_VALUE_REAL:
        return json_node_init_double(node, orr_reader_real(reader, column));
    case ORR_VALUE_TEXT:
        return json_node_init_string(node, orr_reader_text(reader, column));
    default:
        return json_node_init_null(node);
    }
}

/* Prints a line of CSV: the current row if @values, otherwise the names of the
 * columns. */
static void print_line(const struct orr_reader *reader, bool values,
                       bool timing)
{
    bool first = true;

    for (unsigned i = 0; i < orr_reader_columns(reader)->len; i++) {
        JsonNode *node;
        g_autofree char *text = NULL;

        if (!is_shown(reader, i, timing))
            continue;
        if (!first)
            putchar(',');
        first = false;
        if (!values) {
            orr_csv_put(stdout, name_of(reader, i));
            continue;
        }
        node = value_of(reader, i);
        text = orr_exact_format(node, "");
        orr_csv_put(stdout, text);
        json_node_unref(node);
    }
    putchar('\n');
}

static void print_object(const struct orr_reader *reader, bool timing)
{
    JsonObject *object = json_object_new();
    JsonNode *node = json_node_init_object(json_node_alloc(), object);

    for (unsigned i = 0; i < orr_reader_columns(reader)->len; i++) {
        if (is_shown(reader, i, timing))
            json_object_set_member(object, name_of(reader, i),
                                   value_of(reader, i));
    }
    orr_json_put(node, 2);
    json_node_unref(node);
    json_object_unref(object);
}

static void print_json(struct orr_reader *reader, bool timing, GError **error)
{
    unsigned rows = 0;

    printf("{\n  \"schema_version\": %d,\n  \"runs\": [", ORR_RESULTS_SCHEMA);
    for (; orr_reader_next(reader, error); rows++) {
        fputs(rows > 0 ? ",\n    " : "\n    ", stdout);
        print_object(reader, timing);
    }
    puts(rows > 0 ? "\n  ]\n}" : "]\n}");
}

static void print_csv(struct orr_reader *reader, bool timing, GError **error)
{
    print_line(reader, false, timing);
    while (orr_reader_next(reader, error))
        print_line(reader, true, timing);
}

/* Prints @text, which is not trusted, without control characters other than
 * newlines. */
static void print_safely(const char *text)
{
    for (; *text; text++)
        putchar(g_ascii_iscntrl(*text) && *text != '\n' ? '?' : *text);
}

/* Prints the campaign in the format of campaign files, and the number of rows.
 */
static void print_text(struct orr_reader *reader, GError **error)
{
    const struct orr_identity *identity = orr_reader_identity(reader);
    uint64_t done = 0, failed = 0;

    while (orr_reader_next(reader, error)) {
        if (strcmp(orr_reader_text(reader, 2), "done") == 0)
            done++;
        else
            failed++;
    }
    print_safely(identity->settings);
    if (identity->shard.count > 1)
        printf("\nshard     %u of %u\n", identity->shard.index,
               identity->shard.count);
    else
        putchar('\n');
    fputs("version   ", stdout);
    print_safely(identity->version);
    printf("\ndigest    %s\n", identity->digest);
    printf("done      %" G_GUINT64_FORMAT "\nfailed    %" G_GUINT64_FORMAT "\n",
           done, failed);
}

bool orr_results_print(struct orr_reader *reader, enum orr_format format,
                       bool timing, GError **error)
{
    GError *reason = NULL;

    if (format == ORR_FORMAT_CSV)
        print_csv(reader, timing, &reason);
    else if (format == ORR_FORMAT_JSON)
        print_json(reader, timing, &reason);
    else
        print_text(reader, &reason);
    if (!reason)
        return true;
    g_propagate_error(error, reason);
    return false;
}
