/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/json_read.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"

#define STEP ((size_t)1 << 16)
#define WORD sizeof(uint64_t)
#define REPLACEMENT 0xfffd /* of half a character */

struct json {
    struct orr_input *input;
    unsigned *line;
    const struct orr_json_handler *handler;
    void *data;
    GError **error;
    unsigned depth;
    GString *text; /* that is not as it is in the file, or not in one piece */
    gunichar half; /* of a character, which \u may end; or 0 */
    char *piece;   /* a 0 ends it, and WORD - 1 bytes may be read behind */
    char *next, *end; /* of what is left of the piece */
};

static bool read_value(struct json *json);

static bool fail(struct json *json, const char *what)
{
    if (!*json->error)
        g_set_error(json->error, ORR_ERROR, ORR_ERROR_SYNTAX,
                    "%s:%u: not JSON: %s", orr_input_path(json->input),
                    *json->line, what);
    return false;
}

/* The next byte, which stays; -1 at the end, and with *json->error. */
static int peek(struct json *json)
{
    size_t got = 0;

    if (json->next < json->end)
        return (unsigned char)*json->next;
    if (*json->error ||
        !orr_input_read(json->input, json->piece, STEP, &got, json->error))
        return -1;
    json->next = json->piece;
    json->end = json->piece + got;
    *json->end = '\0';
    return got > 0 ? (unsigned char)*json->piece : -1;
}

/* Behind blanks: line ends and tabs, or the next piece. */
static int skip_more(struct json *json)
{
    for (;;) {
        int byte = peek(json);

        if (byte == '\n')
            ++*json->line;
        else if (byte != ' ' && byte != '\t' && byte != '\r')
            return byte;
        json->next++;
    }
}

static inline int skip_blanks(struct json *json)
{
    char *at = json->next;

    while (*at == ' ')
        at++;
    json->next = at;
    return (unsigned char)*at > ' ' ? (unsigned char)*at : skip_more(json);
}

static bool fail_expected(struct json *json, const char *expected)
{
    int byte = peek(json);
    char found[2] = {(char)byte, '\0'};
    g_autofree char *quoted = orr_quote(byte == 0 ? "\1" : found);
    g_autofree char *message =
        byte == -1 ? g_strdup("the file ends too early")
                   : g_strdup_printf("expected %s, found %s", expected, quoted);

    return fail(json, message);
}

/* ---- texts ---- */

static bool append_raw(struct json *json, const char *bytes, size_t count)
{
    if (json->text->len + count > ORR_INPUT_MAX_LINE)
        return fail(json, "a text longer than 1 MiB");
    g_string_append_len(json->text, bytes, (gssize)count);
    return true;
}

static bool append_character(struct json *json, gunichar character)
{
    char bytes[6];
    int count = g_unichar_to_utf8(character, bytes);

    return append_raw(json, bytes, (size_t)count);
}

/* What follows is not the other half. */
static bool end_half(struct json *json)
{
    if (json->half == 0)
        return true;
    json->half = 0;
    return append_character(json, REPLACEMENT);
}

static bool append(struct json *json, const char *bytes, size_t count)
{
    return end_half(json) && append_raw(json, bytes, count);
}

/* Behind "\u": four digits, of a character or of half of one. */
static bool append_unit(struct json *json)
{
    gunichar unit = 0;
    gunichar first = json->half;

    for (unsigned i = 0; i < 4; i++) {
        int byte = peek(json);

        if (byte == -1 || !g_ascii_isxdigit((char)byte))
            return fail_expected(json, "four hexadecimal digits behind \\u");
        unit = unit << 4 | (gunichar)g_ascii_xdigit_value((char)byte);
        json->next++;
    }
    if (first != 0 && unit >= 0xdc00 && unit < 0xe000) {
        json->half = 0;
        return append_character(json, 0x10000 + ((first - 0xd800) << 10) +
                                          (unit - 0xdc00));
    }
    if (!end_half(json))
        return false;
    if (unit == 0)
        return fail(json, "\\u0000 in a text");
    if (unit >= 0xd800 && unit < 0xdc00)
        json->half = unit;
    else
        return append_character(
            json, unit >= 0xdc00 && unit < 0xe000 ? REPLACEMENT : unit);
    return true;
}

/* Behind a backslash. */
static bool append_escaped(struct json *json)
{
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    int byte = peek(json);
    const char *found = byte > 0 ? strchr(names, byte) : NULL;

    if (byte == 'u') {
        json->next++;
        return append_unit(json);
    }
    if (!found)
        return fail_expected(json, "an escape behind \\");
    json->next++;
    return append(json, &values[found - names], 1);
}

/*
 * How many of eight bytes, from the first on, are plain letters of a text. A
 * byte that is too small borrows in a subtraction, which sets its highest bit;
 * above the lowest such byte, others may be wrong.
 */
static inline unsigned count_plain_of_eight(const char *bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word, quote, slash, found;

    memcpy(&word, bytes, sizeof word);
    word = GUINT64_FROM_LE(word);
    quote = word ^ ones * '"';
    slash = word ^ ones * '\\';
    found = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
             ((word - ones * 0x20) & ~word)) &
            ones * 0x80;
    return found ? (unsigned)__builtin_ctzll(found) / 8 : 8;
}

/* How many bytes of the piece, from @text on, are plain letters of a text. The
 * 0 at its end is none. */
static inline size_t count_plain(const char *text)
{
    size_t count = 0;
    unsigned plain;

    do {
        plain = count_plain_of_eight(text + count);
        count += plain;
    } while (plain == WORD);
    return count;
}

typedef bool take_function(void *data, const char *text, size_t length);

/* Behind the quotation mark: a text that is not as it is in the file, or not
 * in one piece. */
static bool collect_text(struct json *json)
{
    int byte;

    g_string_truncate(json->text, 0);
    while ((byte = peek(json)) != '"') {
        size_t plain = count_plain(json->next);

        if (byte == -1)
            return fail_expected(json, "the end of a text");
        if (plain == 0 && byte != '\\')
            return fail(json, "a control character in a text");
        if (plain > 0 && !append(json, json->next, plain))
            return false;
        json->next += MAX(plain, 1);
        if (plain == 0 && !append_escaped(json))
            return false;
    }
    json->next++;
    return end_half(json);
}

/* A text, of which the quotation mark comes next. */
static bool read_text(struct json *json, take_function *take)
{
    const char *text = ++json->next;
    size_t plain = count_plain(text);

    if (text[plain] == '"') {
        json->next += plain + 1;
        return take(json->data, text, plain);
    }
    return collect_text(json) &&
           take(json->data, json->text->str, json->text->len);
}

/* ---- numbers and words ---- */

/* Whether @text is a number as JSON has them: no "+1", "01", ".5" or "1.". */
static bool is_number(const char *text)
{
    size_t digits;

    text += *text == '-';
    digits = strspn(text, "0123456789");
    if (digits == 0 || (digits > 1 && *text == '0'))
        return false;
    text += digits;
    if (*text == '.') {
        digits = strspn(text + 1, "0123456789");
        if (digits == 0)
            return false;
        text += digits + 1;
    }
    if (*text != 'e' && *text != 'E')
        return *text == '\0';
    text++;
    text += *text == '-' || *text == '+';
    digits = strspn(text, "0123456789");
    return digits > 0 && text[digits] == '\0';
}

/* How many bytes of the piece may be in a number or a word. */
static size_t count_word(const struct json *json)
{
    const char *at = json->next;

    while (g_ascii_isalnum(*at) || *at == '.' || *at == '-' || *at == '+')
        at++;
    return (size_t)(at - json->next);
}

/* A number, true, false or null: @text, which ends with a 0. */
static bool take_word(struct json *json, const char *text, size_t length)
{
    static const char *const words[] = {"true", "false", "null"};
    g_autofree char *quoted = NULL;
    g_autofree char *message = NULL;

    if (length == 0)
        return fail_expected(json, "a value");
    if (is_number(text))
        return json->handler->value(json->data, text, length);
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(words[i], text) == 0)
            return true;
    }
    quoted = orr_quote(text);
    message = g_strdup_printf("expected a value, found %s", quoted);
    return fail(json, message);
}

/* A word that may go on in the next piece. */
static bool collect_word(struct json *json)
{
    size_t count;

    g_string_truncate(json->text, 0);
    while (peek(json) != -1 && (count = count_word(json)) > 0) {
        if (!append(json, json->next, count))
            return false;
        json->next += count;
    }
    return take_word(json, json->text->str, json->text->len);
}

static bool read_word(struct json *json)
{
    size_t count = count_word(json);
    char *text = json->next;
    char behind = text[count];
    bool good;

    if (count == 0 || text + count == json->end)
        return collect_word(json);
    text[count] = '\0';
    good = take_word(json, text, count);
    text[count] = behind;
    json->next += count;
    return good;
}

/* ---- objects and arrays ---- */

static bool read_member(struct json *json)
{
    if (skip_blanks(json) != '"')
        return fail_expected(json, "a name in quotation marks");
    if (!read_text(json, json->handler->key))
        return false;
    if (skip_blanks(json) != ':')
        return fail_expected(json, "':'");
    json->next++;
    return read_value(json);
}

/* What is between brackets, of which the first one comes next. */
static bool read_items(struct json *json, bool is_array)
{
    const char end = is_array ? ']' : '}';
    bool more;

    json->next++;
    more = skip_blanks(json) != end;
    while (more) {
        if (!(is_array ? read_value : read_member)(json))
            return false;
        more = skip_blanks(json) == ',';
        json->next += more;
    }
    if (skip_blanks(json) != end)
        return fail_expected(json, is_array ? "',' or ']'" : "',' or '}'");
    json->next++;
    return true;
}

static bool read_brackets(struct json *json, bool is_array)
{
    if (json->depth == ORR_JSON_DEPTH)
        return fail(json, "nested more than 100 levels deep");
    json->depth++;
    if (!json->handler->start(json->data, is_array) ||
        !read_items(json, is_array))
        return false;
    json->depth--;
    return json->handler->end(json->data, is_array);
}

static bool read_value(struct json *json)
{
    int byte = skip_blanks(json);

    if (byte == '"')
        return read_text(json, json->handler->value);
    if (byte == '{' || byte == '[')
        return read_brackets(json, byte == '[');
    return read_word(json);
}

bool orr_json_read(struct orr_input *input, unsigned *line,
                   const struct orr_json_handler *handler, void *data,
                   GError **error)
{
    struct json json = {.input = input,
                        .line = line,
                        .handler = handler,
                        .data = data,
                        .error = error,
                        .text = g_string_new(NULL),
                        .piece = g_malloc0(STEP + WORD)};
    bool good;

    json.next = json.end = json.piece;
    *line = 1;
    good = read_value(&json) &&
           (skip_blanks(&json) == -1 || fail(&json, "more behind its end")) &&
           !*error;
    g_string_free(json.text, TRUE);
    g_free(json.piece);
    return good;
}
