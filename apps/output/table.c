/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/table.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SCREEN = 80 }; /* columns */

struct orr_table {
    char *alignment;
    GPtrArray *cells; /* row after row */
};

struct orr_table *orr_table_new(const char *alignment)
{
    struct orr_table *table = g_new0(struct orr_table, 1);

    table->alignment = g_strdup(alignment);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    return table;
}

void orr_table_free(struct orr_table *table)
{
    if (!table)
        return;
    g_ptr_array_unref(table->cells);
    g_free(table->alignment);
    g_free(table);
}

void orr_table_take(struct orr_table *table, char *text)
{
    g_ptr_array_add(table->cells, text);
}

void orr_table_add(struct orr_table *table, const char *text)
{
    orr_table_take(table, g_strdup(text));
}

static size_t width_of(const char *text)
{
    return g_utf8_validate(text, -1, NULL) ? (size_t)g_utf8_strlen(text, -1)
                                           : strlen(text);
}

static size_t column_width(const struct orr_table *table, size_t column)
{
    size_t widest = 0;

    for (size_t i = column; i < table->cells->len;
         i += strlen(table->alignment)) {
        size_t width = width_of(g_ptr_array_index(table->cells, i));

        widest = MAX(widest, width);
    }
    return widest;
}

static void append_cell(GString *line, const char *text, size_t width,
                        bool right)
{
    size_t blanks = width - width_of(text);

    if (right)
        g_string_append_printf(line, "%*s", (int)blanks, "");
    g_string_append(line, text);
    if (!right)
        g_string_append_printf(line, "%*s", (int)blanks, "");
}

/*
 * Appends the last cell of a row to @line. A list, "a, b, c", is broken into
 * aligned lines where it would be wider than the screen.
 */
static void append_list(GString *line, const char *text)
{
    int indent = (int)width_of(line->str);
    size_t column = indent;
    g_auto(GStrv) items = g_strsplit(text, ", ", -1);

    for (char **item = items; *item; item++) {
        size_t width = width_of(*item) + (item[1] ? 1 : 0);

        if (item != items && column + 1 + width > SCREEN) {
            g_string_append_printf(line, "\n%*s", indent, "");
            column = indent;
        } else if (item != items) {
            g_string_append_c(line, ' ');
            column++;
        }
        g_string_append_printf(line, "%s%s", *item, item[1] ? "," : "");
        column += width;
    }
}

void orr_table_print(const struct orr_table *table)
{
    size_t columns = strlen(table->alignment);
    size_t *widths = g_new(size_t, columns);
    g_autoptr(GString) line = g_string_new(NULL);

    for (size_t c = 0; c < columns; c++)
        widths[c] = column_width(table, c);
    for (size_t i = 0; i + columns <= table->cells->len; i += columns) {
        char **cells = (char **)table->cells->pdata + i;

        g_string_truncate(line, 0);
        for (size_t c = 0; c < columns; c++) {
            bool right = table->alignment[c] == 'r';

            if (c > 0)
                g_string_append(line, "  ");
            if (c + 1 == columns && !right)
                append_list(line, cells[c]);
            else
                append_cell(line, cells[c], widths[c], right);
        }
        puts(g_strchomp(line->str));
    }
    g_free(widths);
}
