/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/plot_text.h"

#include <string.h>

#include "apps/picture/plot_layout.h"

/* gnuplot expands nothing inside single quotes; a quote is doubled. */
static void append_part(GString *text, const char *part, gsize length)
{
    g_autofree char *valid = g_utf8_make_valid(part, (gssize)length);

    g_string_append_c(text, '\'');
    for (const char *c = valid; *c; c++) {
        if (*c == '\'')
            g_string_append(text, "''");
        else
            g_string_append_c(text, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append_c(text, '\'');
}

void orr_plot_text(GString *text, const char *what)
{
    append_part(text, what, strlen(what));
}

/* gnuplot takes such labels for formats of numbers. */
void orr_plot_tick(GString *text, const char *what, double at)
{
    g_autoptr(GString) escaped = g_string_new(what);

    g_string_replace(escaped, "%", "%%", 0);
    g_string_append_c(text, '(');
    orr_plot_text(text, escaped->str);
    g_string_append_c(text, ' ');
    orr_plot_number(text, at);
    g_string_append_c(text, ')');
}

void orr_plot_number(GString *text, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append(text,
                    g_ascii_formatd(digits, sizeof(digits), "%.12g", number));
}

void orr_plot_lines(GString *text, const char *what, unsigned characters)
{
    g_string_append(text, "''");
    while (*what) {
        gsize length = orr_layout_break(what, characters);

        g_string_append_c(text, '.');
        append_part(text, what, length);
        what += length;
        if (*what == ' ') {
            g_string_append(text, ".\"\\n\"");
            what++;
        }
    }
}
