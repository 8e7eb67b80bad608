/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/lines.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

void orr_lines_fail(struct orr_lines *lines, const char *format, ...)
{
    va_list arguments;

    if (lines->failed)
        return;
    lines->failed = true;
    va_start(arguments, format);
    orr_error_set_at(lines->error, ORR_ERROR_SYNTAX, lines->path,
                     lines->first + MAX(lines->next, 1u) - 1, format,
                     arguments);
    va_end(arguments);
}

/* The rest of @line behind @name; NULL: @line does not begin with @name. */
static const char *after_name(const char *line, const char *name)
{
    size_t length = strlen(name);

    if (strncmp(line, name, length) != 0 ||
        (line[length] && line[length] != ' '))
        return NULL;
    return line + length + (line[length] == ' ');
}

bool orr_lines_is_next(const struct orr_lines *lines, const char *name)
{
    return !lines->failed && lines->next < lines->count &&
           after_name(lines->text[lines->next], name);
}

bool orr_lines_next(struct orr_lines *lines, const char *name)
{
    g_autofree char *found = NULL;

    if (lines->failed)
        return false;
    if (orr_lines_is_next(lines, name)) {
        lines->rest = after_name(lines->text[lines->next++], name);
        return true;
    }
    if (lines->next < lines->count)
        found = orr_quote(lines->text[lines->next]);
    lines->next++;
    orr_lines_fail(lines, "expected '%s', found %s", name,
                   found ? found : "the end");
    return false;
}

char *orr_lines_word(struct orr_lines *lines)
{
    size_t length;
    char *word;

    if (lines->failed)
        return NULL;
    length = strcspn(lines->rest, " ");
    if (length == 0) {
        orr_lines_fail(lines, "a word is missing");
        return NULL;
    }
    word = g_strndup(lines->rest, length);
    lines->rest += length + (lines->rest[length] == ' ');
    return word;
}

static uint64_t number_of(struct orr_lines *lines, unsigned base, uint64_t most)
{
    g_autofree char *word = orr_lines_word(lines);
    g_autofree char *quoted = NULL;
    uint64_t number = 0;

    if (word && g_ascii_string_to_unsigned(word, base, 0, most, &number, NULL))
        return number;
    if (word)
        quoted = orr_quote(word);
    if (word)
        orr_lines_fail(lines,
                       "%s: expected a number from 0 to %" G_GUINT64_FORMAT,
                       quoted, most);
    return 0;
}

uint64_t orr_lines_number(struct orr_lines *lines, uint64_t most)
{
    return number_of(lines, 10, most);
}

uint64_t orr_lines_hash(struct orr_lines *lines)
{
    return number_of(lines, 16, UINT64_MAX);
}

double orr_lines_share(struct orr_lines *lines)
{
    g_autofree char *word = orr_lines_word(lines);
    char *end = word;
    double share = word ? g_ascii_strtod(word, &end) : 0;

    if (word && (*end || !(share >= 0 && share <= 1)))
        orr_lines_fail(lines, "expected a number from 0 to 1");
    return lines->failed ? 0 : share;
}

/* Whether @text ends within an escape. */
static bool is_cut(const char *text)
{
    for (; *text; text++) {
        if (*text == '\\' && !*++text)
            return true;
    }
    return false;
}

char *orr_lines_text(struct orr_lines *lines)
{
    char *text;

    if (lines->failed)
        return NULL;
    text = is_cut(lines->rest) ? NULL : g_strcompress(lines->rest);
    if (text && g_utf8_validate(text, -1, NULL))
        return text;
    orr_lines_fail(lines, "the text is damaged");
    g_free(text);
    return NULL;
}

void orr_lines_append_text(GString *line, const char *text)
{
    g_autofree char *escaped = g_strescape(text, NULL);

    g_string_append(line, escaped);
}
