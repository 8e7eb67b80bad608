/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads text files of numbers. They may be hostile. */
#include <math.h>
#include <string.h>

#include "models/base/input.h"
#include "models/starpu/starpu_private.h"

/* A hundred times the largest file that StarPU writes. */
#define MAX_BYTES (1u << 20)

bool orr_starpu_text_fail(const struct orr_starpu_text *text,
                          enum orr_error code, GError **error,
                          const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, code, text->shown, MAX(text->line, 1), format,
                     arguments);
    va_end(arguments);
    return false;
}

static unsigned line_of(const char *content, const char *place)
{
    unsigned line = 1;

    for (; content < place; content++)
        line += *content == '\n';
    return line;
}

bool orr_starpu_text_open(struct orr_starpu_text *text, const char *path,
                          GError **error)
{
    g_autoptr(GByteArray) bytes = orr_input_read_file(path, MAX_BYTES, error);
    const char *bad;

    *text = (struct orr_starpu_text){.shown = orr_input_show_path(path)};
    if (!bytes)
        return false;
    text->content = g_strndup((const char *)bytes->data, bytes->len);
    text->next = text->content;
    if (g_utf8_validate((const char *)bytes->data, bytes->len, &bad))
        return true;
    text->line = line_of((const char *)bytes->data, bad);
    return orr_starpu_text_fail(text, ORR_ERROR_SYNTAX, error,
                                "not text in UTF-8");
}

void orr_starpu_text_close(struct orr_starpu_text *text)
{
    g_free(text->shown);
    g_free(text->content);
    g_free(text->words);
}

static void add_word(struct orr_starpu_text *text, char *word)
{
    if (text->count >= text->capacity) {
        text->capacity = MAX(2 * text->capacity, 16);
        text->words = g_renew(char *, text->words, text->capacity);
    }
    text->words[text->count++] = word;
}

/* Splits @line into words, overwriting it. */
static void split(struct orr_starpu_text *text, char *line)
{
    char *comment = strchr(line, '#');

    text->count = 0;
    if (comment)
        *comment = '\0';
    while (*(line += strspn(line, " \t\r")) != '\0') {
        add_word(text, line);
        line += strcspn(line, " \t\r");
        if (*line != '\0')
            *line++ = '\0';
    }
}

bool orr_starpu_text_next(struct orr_starpu_text *text)
{
    text->count = 0;
    while (text->count == 0 && *text->next != '\0') {
        char *line = text->next;
        char *end = strchr(line, '\n');

        text->next = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        text->line++;
        split(text, line);
    }
    return text->count > 0;
}

bool orr_starpu_text_expect(struct orr_starpu_text *text, const char *what,
                            unsigned count, GError **error)
{
    if (!orr_starpu_text_next(text))
        return orr_starpu_text_fail(text, ORR_ERROR_SYNTAX, error,
                                    "the file ends before %s", what);
    if (count != 0 && text->count != count)
        return orr_starpu_text_fail(text, ORR_ERROR_SYNTAX, error,
                                    "%s should be %u word%s, not %u", what,
                                    count, count == 1 ? "" : "s", text->count);
    return true;
}

bool orr_starpu_text_count(const struct orr_starpu_text *text, unsigned index,
                           const char *what, uint64_t max, uint64_t *value,
                           GError **error)
{
    GError *reason = NULL;

    if (orr_parse_count(text->words[index], 0, max, value, &reason))
        return true;
    orr_starpu_text_fail(text, ORR_ERROR_VALUE, error, "%s: %s", what,
                         reason->message);
    g_error_free(reason);
    return false;
}

bool orr_starpu_text_number(const struct orr_starpu_text *text, unsigned index,
                            const char *what, double *value, GError **error)
{
    const char *word = text->words[index];
    g_autofree char *quoted = NULL;
    char *end;

    *value = NAN;
    if (g_ascii_strcasecmp(word, "nan") == 0 ||
        g_ascii_strcasecmp(word, "-nan") == 0)
        return true;
    /* strtod() would also accept hexadecimal numbers and "inf". */
    if (word[strspn(word, "0123456789.eE+-")] == '\0') {
        *value = g_ascii_strtod(word, &end);
        if (*end == '\0' && isfinite(*value))
            return true;
    }
    quoted = orr_quote(word);
    return orr_starpu_text_fail(text, ORR_ERROR_VALUE, error,
                                "%s: %s: expected a number", what, quoted);
}
