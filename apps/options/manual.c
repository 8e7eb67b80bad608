/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/manual.h"

#include <string.h>

/* Appends one character of text in font @font: 'R', 'B' or 'I'. */
static void add_char(GString *page, char c, char font)
{
    /* These would be typeset as accents, quotation marks or hyphens. */
    if (c == '\\')
        g_string_append(page, "\\e");
    else if (c == '^')
        g_string_append(page, "\\(ha");
    else if (c == '~')
        g_string_append(page, "\\(ti");
    else if (c == '\'' && font == 'B')
        g_string_append(page, "\\(aq");
    else if (c == '-' && font != 'R')
        g_string_append(page, "\\-");
    else
        g_string_append_c(page, c);
}

/* Whether a sentence ends before the blank @blank of @text. */
static bool ends_sentence(const char *text, const char *blank)
{
    const char *last = blank - (blank > text);

    while (last > text && strchr(")`*", *last))
        last--;
    return strchr(".?!", *last) &&
           (g_ascii_isupper(blank[1]) || strchr("`*", blank[1]));
}

/* Returns the font after the mark @c, or 0 if @c is no mark there. */
static char font_after(char c, char font)
{
    if (font == 'R' && c == '`')
        return 'B';
    if (font == 'R' && c == '*')
        return 'I';
    return (font == 'B' && c == '`') || (font == 'I' && c == '*') ? 'R' : 0;
}

/* Appends a line that begins with text, not with a request. */
static void begin_line(GString *page, char next)
{
    if (next == '.' || next == '\'')
        g_string_append(page, "\\&");
}

static void add_paragraph(GString *page, const char *text, const char *end)
{
    char font = 'R';

    begin_line(page, *text);
    for (const char *c = text; c < end; c++) {
        char other = font_after(*c, font);

        if (other) {
            font = other;
            g_string_append_printf(page, "\\f%c", font);
        } else if (*c == ' ' && font == 'R' && ends_sentence(text, c)) {
            g_string_append_c(page, '\n');
            begin_line(page, c[1]);
        } else {
            add_char(page, *c, font);
        }
    }
    g_string_append_c(page, '\n');
}

void orr_manual_add_text(GString *page, const char *text)
{
    for (const char *end; *text; text = end) {
        end = strstr(text, "\n\n");
        if (!end)
            end = text + strlen(text);
        add_paragraph(page, text, end);
        if (*end) {
            g_string_append(page, ".IP\n");
            end += 2;
        }
    }
}

/*
 * Appends the name of a value to an argument that is italic: words of small
 * letters, which are typed as they are, become bold, signs roman.
 */
static void add_value(GString *page, const char *value)
{
    while (*value) {
        size_t length = 1;
        const char *font = "R";

        if (g_ascii_isalnum(*value)) {
            font = g_ascii_islower(*value) ? "B" : "I";
            while (g_ascii_isalnum(value[length]) ||
                   (value[length] == '.' && g_ascii_isalnum(value[length + 1])))
                length++;
        }
        g_string_append_printf(page, "\\f%s%.*s", font, (int)length, value);
        value += length;
    }
}

static void add_tag(GString *page, const struct orr_option *option)
{
    g_autofree char *name = g_strconcat("--", option->name, NULL);

    g_string_append(page, option->value ? ".BI " : ".B ");
    for (const char *c = name; *c; c++)
        add_char(page, *c, 'B');
    if (option->value) {
        g_string_append(page, " \" ");
        add_value(page, option->value);
        g_string_append_c(page, '"');
    }
    g_string_append_c(page, '\n');
}

/* Whether the help of @option begins with a value that is typed as it is. */
static bool begins_with_value(const struct orr_option *option)
{
    g_autofree char *word =
        g_strndup(option->help, strcspn(option->help, " ,:;"));
    g_autofree char *preset = g_strdup_printf("(default %s)", word);

    return strstr(option->help, preset) ||
           (option->choices && g_strv_contains(option->choices, word));
}

/* Appends the help as a sentence. */
static void add_help(GString *page, const struct orr_option *option)
{
    g_autofree char *text = g_strconcat(option->help, ".", NULL);

    if (!begins_with_value(option))
        *text = (char)g_ascii_toupper(*text);
    begin_line(page, *text);
    for (const char *c = text; *c; c++)
        add_char(page, *c, 'R');
    g_string_append_c(page, '\n');
}

void orr_manual_add_options(GString *page, const struct orr_option *options,
                            size_t count)
{
    bool goes_on = false; /* the option before has the text of this one */

    for (const struct orr_option *option = options; option < options + count;
         option++) {
        const char *text = option->manual;

        g_string_append(page, goes_on ? ".TQ\n" : ".TP\n");
        add_tag(page, option);
        goes_on = text && !*text;
        if (text)
            orr_manual_add_text(page, text);
        else
            add_help(page, option);
    }
}
