/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/csv_line.h"

#include <string.h>

/* Whether a quoted field is open at the end of @line. @open: one is open at its
 * beginning. */
static bool is_open(const char *line, bool open)
{
    for (;;) {
        if (!open && *line != '"') {
            line += strcspn(line, ",");
        } else {
            line = strchr(open ? line : line + 1, '"');
            if (!line)
                return true;
            line++;
            open = *line == '"'; /* two are one within the field */
        }
        if (!open && *line != ',')
            return false;
        line++;
    }
}

bool orr_csv_read(struct orr_input *input, GString *row, unsigned *lines,
                  GError **error)
{
    g_autoptr(GString) line = NULL;
    bool open;

    *lines = 0;
    if (!orr_input_read_raw_line(input, row, error))
        return false;
    *lines = 1;
    open = is_open(row->str, false);
    if (open)
        line = g_string_new(NULL);
    while (open && row->len <= ORR_INPUT_MAX_LINE) {
        GError *reason = NULL;

        if (!orr_input_read_raw_line(input, line, &reason)) {
            if (reason)
                g_propagate_error(error, reason);
            return !reason;
        }
        open = is_open(line->str, true);
        g_string_append_c(row, '\n');
        g_string_append_len(row, line->str, (gssize)line->len);
        ++*lines;
    }
    if (row->len > 0 && row->str[row->len - 1] == '\r')
        g_string_truncate(row, row->len - 1);
    return true;
}

/* Removes the quotes of the field that begins at @text. Returns its end, or
 * NULL if the closing quote is missing. */
static char *unquote(char *text)
{
    char *to = text;

    for (char *from = text + 1; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

bool orr_csv_split(char *row, GPtrArray *fields)
{
    char *at = row;

    g_ptr_array_set_size(fields, 0);
    for (;;) {
        char *end = *at == '"' ? unquote(at) : at + strcspn(at, ",");

        if (!end || (*end && *end != ','))
            return false;
        g_ptr_array_add(fields, at);
        if (*end == '\0')
            return true;
        *end = '\0';
        at = end + 1;
    }
}

static void put_valid(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void orr_csv_put(FILE *file, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);

    put_valid(file, valid);
}
