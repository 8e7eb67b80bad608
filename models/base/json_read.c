/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads JSON in pieces of STEP bytes, by recursive descent (json_read.h).
 *
 * A text that lies within one piece and has no escapes is passed to the
 * handler where it is; others are collected in json->text. Each piece ends
 * with PADDING bytes of 0, so that loops stop there without a test of the
 * length, and bytes may be read eight or sixteen at a time. While values are
 * kept, pieces and collected texts are not reused but listed in json->kept,
 * until the object or array that asked for it ends.
 */
#include "models/base/json_read.h"

#include <string.h>

#include "models/base/bytes.h"
#include "models/base/error.h"
#include "models/base/units.h"

#define STEP ((size_t)1 << 16)
#define PADDING (1 + ORR_PLAIN_PADDING)
#define REPLACEMENT 0xfffd /* for an unpaired surrogate */

struct json {
    struct orr_input *input;
    unsigned *line;
    const struct orr_json_handler *handler;
    void *data;
    GError **error;
    unsigned depth;
    GString *text;    /* a text with escapes, or that spans pieces */
    gunichar half;    /* a high surrogate that waits for the low one; or 0 */
    char *piece;      /* ends with PADDING bytes of 0 */
    char *next, *end; /* the unread rest of the piece */
    unsigned keeper;  /* depth from which values are kept; 0: none are */
    GPtrArray *kept;  /* char: earlier pieces and texts that are kept */
    size_t kept_size;
};

static bool read_other(struct json *json, int byte);

static bool fail(struct json *json, const char *what)
{
    if (!*json->error)
        g_set_error(json->error, ORR_ERROR, ORR_ERROR_SYNTAX,
                    "%s:%u: not JSON: %s", orr_input_path(json->input),
                    *json->line, what);
    return false;
}

static void release(struct json *json)
{
    g_ptr_array_set_size(json->kept, 0);
    json->kept_size = 0;
    json->keeper = 0;
}

/* Returns memory for the next piece: in place of the last one or, if that is
 * kept, behind it, or a new block when the present one is half full. */
static char *make_room(struct json *json)
{
    size_t used = (size_t)(json->end - json->piece);

    if (json->keeper == 0)
        return json->piece;
    if (used <= STEP / 2)
        return json->end;
    json->kept_size += used;
    g_ptr_array_add(json->kept, json->piece);
    json->piece = g_malloc(STEP + PADDING);
    return json->piece;
}

/* The next byte, which stays; -1 at the end, and with *json->error. */
static int peek(struct json *json)
{
    size_t got = 0;
    size_t room;

    if (json->next < json->end)
        return (unsigned char)*json->next;
    if (json->kept_size > ORR_JSON_MAX_KEPT)
        fail(json, "an object of more than 256 MiB");
    if (*json->error)
        return -1;
    json->next = make_room(json);
    json->end = json->next;
    room = STEP - (size_t)(json->next - json->piece);
    if (!orr_input_read(json->input, json->next, room, &got, json->error))
        return -1;
    json->end += got;
    memset(json->end, 0, PADDING);
    return got > 0 ? (unsigned char)*json->next : -1;
}

/* Continues skip_blanks(): skips line ends and tabs, and reads the next piece.
 */
static int skip_more(struct json *json)
{
    for (;;) {
        int byte = peek(json);

        if (byte == '\n')
            ++*json->line;
        else if (byte != ' ' && byte != '\t' && byte != '\r')
            return byte;
        do
            json->next++;
        while (*json->next == ' ');
    }
}

/* Skips blanks, and returns the next byte. Most values have one blank before
 * them, or none. */
static inline int skip_blanks(struct json *json)
{
    unsigned char byte = (unsigned char)*json->next;

    if (byte == ' ')
        byte = (unsigned char)*++json->next;
    return byte > ' ' ? byte : skip_more(json);
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

/* Replaces a high surrogate without a low one. */
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

/* Reads the four digits behind "\u": a character or a surrogate. */
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

/* Reads the characters behind a backslash. */
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

/* Returns the collected text; if it is kept, the next text gets new memory. */
static char *take_text(struct json *json)
{
    char *text = json->text->str;

    if (json->keeper > 0) {
        json->kept_size += json->text->allocated_len;
        g_ptr_array_add(json->kept, g_string_free(json->text, FALSE));
        json->text = g_string_new(NULL);
    }
    return text;
}

/* Reads a text that has escapes or spans pieces, behind its quotation mark. */
static bool collect_text(struct json *json)
{
    int byte;

    g_string_truncate(json->text, 0);
    while ((byte = peek(json)) != '"') {
        size_t plain = orr_count_plain(json->next);

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

/* Reads a text, from its quotation mark on. */
static inline bool read_text(struct json *json, bool is_key)
{
    char *text = ++json->next;
    size_t length = orr_count_plain(text);

    if (text[length] == '"') {
        json->next += length + 1;
    } else {
        if (!collect_text(json))
            return false;
        length = json->text->len;
        text = take_text(json);
    }
    return is_key ? json->handler->key(json->data, text, length)
                  : json->handler->value(json->data, text, length);
}

/* ---- numbers and words ---- */

/* Whether @text is a number of JSON: not "+1", "01", ".5" or "1.". */
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

/* The number of next bytes of the piece that may belong to a number or a word.
 */
static size_t count_word(const struct json *json)
{
    const char *at = json->next;

    while (g_ascii_isalnum(*at) || *at == '.' || *at == '-' || *at == '+')
        at++;
    return (size_t)(at - json->next);
}

/* Handles @text, which ends with a 0: a number, true, false or null. */
static bool take_word(struct json *json, char *text, size_t length)
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

/* Reads a number or a word that may span pieces. */
static bool collect_word(struct json *json)
{
    size_t count;

    g_string_truncate(json->text, 0);
    while (peek(json) != -1 && (count = count_word(json)) > 0) {
        if (!append(json, json->next, count))
            return false;
        json->next += count;
    }
    count = json->text->len;
    return take_word(json, take_text(json), count);
}

/* The length of a whole number that ends in this piece, as most do; or 0. */
static inline size_t count_digits(const char *text)
{
    size_t count = 0;

    while (text[count] >= '0' && text[count] <= '9')
        count++;
    if ((text[count] != ',' && text[count] != '}') ||
        (*text == '0' && count > 1))
        return 0;
    return count;
}

static bool read_word(struct json *json)
{
    size_t count = count_digits(json->next);
    char *text = json->next;
    char behind;
    bool good;

    if (count > 0) {
        json->next += count;
        return json->handler->value(json->data, text, count);
    }
    count = count_word(json);
    behind = text[count];
    if (count == 0 || text + count == json->end)
        return collect_word(json);
    text[count] = '\0';
    good = take_word(json, text, count);
    text[count] = behind;
    json->next += count;
    return good;
}

/* ---- objects and arrays ---- */

/* Reads a value that begins with @byte. */
static inline bool read_value(struct json *json, int byte)
{
    if (byte == '"')
        return read_text(json, false);
    return read_other(json, byte);
}

/* Reads the name of a member, and the colon behind it. */
static inline bool read_key(struct json *json)
{
    if (skip_blanks(json) != '"')
        return fail_expected(json, "a name in quotation marks");
    if (!read_text(json, true))
        return false;
    if (skip_blanks(json) != ':')
        return fail_expected(json, "':'");
    json->next++;
    return true;
}

/* Reads an object or an array, from its opening bracket on. */
static bool read_items(struct json *json, bool is_array)
{
    const char end = is_array ? ']' : '}';
    bool more;

    json->next++;
    more = skip_blanks(json) != end;
    while (more) {
        if (!is_array && !read_key(json))
            return false;
        if (!read_value(json, skip_blanks(json)))
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
    bool keeps = false;

    if (json->depth == ORR_JSON_DEPTH)
        return fail(json, "nested more than 100 levels deep");
    json->depth++;
    if (!json->handler->start(json->data, is_array, &keeps))
        return false;
    if (keeps && json->keeper == 0)
        json->keeper = json->depth;
    if (!read_items(json, is_array) ||
        !json->handler->end(json->data, is_array))
        return false;
    if (json->keeper == json->depth)
        release(json);
    json->depth--;
    return true;
}

/* Reads a value that is not a text. */
static bool read_other(struct json *json, int byte)
{
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
                        .piece = g_malloc0(STEP + PADDING),
                        .kept = g_ptr_array_new_with_free_func(g_free)};
    bool good;

    json.next = json.end = json.piece;
    *line = 1;
    good = read_value(&json, skip_blanks(&json)) &&
           (skip_blanks(&json) == -1 || fail(&json, "more behind its end")) &&
           !*error;
    g_string_free(json.text, TRUE);
    g_free(json.piece);
    g_ptr_array_unref(json.kept);
    return good;
}
