/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints a table in aligned columns. If it is wider than the screen, cells of a
 * last column of text are broken into lines; if it is still wider, columns are
 * printed in blocks, each with the key columns.
 */
#include "apps/output/table.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    SCREEN = 80, /* columns */
    ITEM = 20,   /* longest item of a list; longer cells are text */
};

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

/* The number that @name ends with; "" if there is none. */
static const char *number_of(const char *name)
{
    const char *end = name + strlen(name);

    while (end > name && g_ascii_isdigit(end[-1]))
        end--;
    return end;
}

/* Whether rows @a and @b differ only in the number in their first cell. */
static bool is_alike(char *const *a, char *const *b, size_t columns)
{
    size_t prefix = (size_t)(number_of(*a) - *a);

    if (prefix != (size_t)(number_of(*b) - *b) || strncmp(*a, *b, prefix) != 0)
        return false;
    for (size_t c = 1; c < columns; c++) {
        if (strcmp(a[c], b[c]) != 0)
            return false;
    }
    return true;
}

void orr_table_fold(struct orr_table *table)
{
    enum { FEWEST = 3 };
    size_t columns = strlen(table->alignment);

    for (size_t i = columns; i + columns <= table->cells->len; i += columns) {
        char **first = (char **)&table->cells->pdata[i];
        size_t rows = 1;
        char *range;

        while (i + (rows + 1) * columns <= table->cells->len &&
               is_alike(first, first + rows * columns, columns))
            rows++;
        if (rows < FEWEST)
            continue;
        range = g_strdup_printf("%s-%s", *first,
                                number_of(first[(rows - 1) * columns]));
        g_free(*first);
        *first = range;
        g_ptr_array_remove_range(table->cells, (guint)(i + columns),
                                 (guint)((rows - 1) * columns));
    }
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

static size_t longest_word(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    size_t longest = 0;

    for (char **word = words; *word; word++)
        longest = MAX(longest, width_of(*word));
    return longest;
}

/* Returns the least width of the last column when its cells are broken. */
static size_t narrowest(const struct orr_table *table, size_t column)
{
    size_t widest = 0;

    for (size_t i = column; i < table->cells->len;
         i += strlen(table->alignment))
        widest = MAX(widest, longest_word(table->cells->pdata[i]));
    return widest;
}

/* Adds @text, and a blank before it unless it is the @first, to the cell of
 * @line that begins in column @indent; on a new line if there is no room. */
static void append_piece(GString *line, size_t indent, const char *text,
                         bool first)
{
    const char *last = strrchr(line->str, '\n');
    size_t used = width_of(last ? last + 1 : line->str);

    if (first)
        g_string_append(line, text);
    else if (used + 1 + width_of(text) <= SCREEN)
        g_string_append_printf(line, " %s", text);
    else
        g_string_append_printf(line, "\n%*s%s", (int)indent, "", text);
}

/*
 * Appends the last cell of a row to @line. Where it would be wider than the
 * screen it is broken into aligned lines: a list "a, b" after an item, text at
 * blanks.
 */
static void append_broken(GString *line, const char *text)
{
    size_t indent = width_of(line->str);
    g_auto(GStrv) items = g_strsplit(text, ", ", -1);

    for (char **item = items; *item; item++) {
        g_autofree char *whole = g_strconcat(*item, item[1] ? "," : "", NULL);
        g_auto(GStrv) words = g_strsplit(whole, " ", -1);

        if (width_of(whole) <= ITEM) {
            append_piece(line, indent, whole, item == items);
            continue;
        }
        for (char **word = words; *word; word++)
            append_piece(line, indent, *word, item == items && word == words);
    }
}

/* A block of columns printed side by side: the keys, and the columns from @from
 * to @to - 1. */
struct block {
    size_t keys;
    size_t from, to;
    int gap; /* blanks between columns */
    const size_t *widths;
};

static void print_row(const struct orr_table *table, const struct block *block,
                      char *const *cells)
{
    size_t columns = strlen(table->alignment);
    g_autoptr(GString) line = g_string_new(NULL);

    for (size_t c = 0; c < block->to; c++) {
        bool right = g_ascii_tolower(table->alignment[c]) == 'r';

        if (c >= block->keys && c < block->from)
            continue;
        if (c > 0)
            g_string_append_printf(line, "%*s", block->gap, "");
        if (c + 1 == columns && !right)
            append_broken(line, cells[c]);
        else
            append_cell(line, cells[c], block->widths[c], right);
    }
    puts(g_strchomp(line->str));
}

static size_t count_keys(const struct orr_table *table)
{
    size_t keys = 0;

    while (g_ascii_isupper(table->alignment[keys]))
        keys++;
    return MAX(keys, 1);
}

/* Sets the end of @block: as many columns as the screen has room for, at least
 * one. */
static void fill_block(struct block *block, size_t columns)
{
    size_t width = 0;

    for (size_t c = 0; c < block->keys; c++)
        width += block->widths[c] + (size_t)block->gap;
    for (block->to = block->from; block->to < columns; block->to++) {
        width += block->widths[block->to] +
                 (block->to > block->from ? (size_t)block->gap : 0);
        if (width > SCREEN && block->to > block->from)
            return;
    }
}

void orr_table_print(const struct orr_table *table)
{
    size_t columns = strlen(table->alignment);
    size_t *widths = g_new(size_t, columns);
    struct block block = {.keys = count_keys(table), .widths = widths};
    size_t total = 0;

    for (size_t c = 0; c < columns; c++)
        widths[c] = column_width(table, c);
    if (table->alignment[columns - 1] == 'l')
        widths[columns - 1] = narrowest(table, columns - 1);
    for (size_t c = 0; c < columns; c++)
        total += widths[c];
    /* One blank is enough if all columns then stay together. */
    block.gap =
        total + 2 * (columns - 1) > SCREEN && total + columns - 1 <= SCREEN ? 1
                                                                            : 2;
    for (block.from = MIN(block.keys, columns - 1); block.from < columns;
         block.from = block.to) {
        if (block.to > 0)
            puts("");
        fill_block(&block, columns);
        for (size_t i = 0; i + columns <= table->cells->len; i += columns)
            print_row(table, &block, (char **)table->cells->pdata + i);
    }
    g_free(widths);
}
