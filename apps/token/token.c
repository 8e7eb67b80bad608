/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/token/token.h"

#include <string.h>

#include "apps/token/token_codec.h"
#include "apps/token/token_report.h"
#include "models/base/error.h"
#include "models/base/input.h"

/*
 * The bytes of a token. Numbers are LEB128: seven bits in each byte, the least
 * significant first, so most numbers take one byte. A text is its length and
 * its bytes; a list is its length and its elements. A position is stored as
 * the distance from the one before.
 *
 * As in XDR, one function of each type both writes and reads, so that the two
 * cannot disagree.
 */

enum { NUMBER_BYTES = 10 }; /* longest encoding of 64 bits */

struct stream {
    GByteArray *output; /* written so far; NULL: this stream reads */

    const guint8 *next; /* the bytes still to be read */
    const guint8 *end;
    bool failed; /* the input is invalid: ignore values read since */
};

static void put_number(GByteArray *output, uint64_t number)
{
    guint8 byte;

    do {
        byte = number & 0x7f;
        number >>= 7;
        if (number > 0)
            byte |= 0x80;
        g_byte_array_append(output, &byte, 1);
    } while (number > 0);
}

static uint64_t get_number(struct stream *stream)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < NUMBER_BYTES && stream->next < stream->end; i++) {
        guint8 byte = *stream->next++;

        if (i == NUMBER_BYTES - 1 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80)
            return number;
    }
    stream->failed = true;
    return 0;
}

static void code_number(struct stream *stream, uint64_t *number)
{
    if (stream->output)
        put_number(stream->output, *number);
    else
        *number = get_number(stream);
}

/*
 * Codes the length of a text or list and returns it. When reading, fails if the
 * rest of the input is too short for so many elements of @element_bytes.
 */
static guint code_length(struct stream *stream, uint64_t length,
                         size_t element_bytes)
{
    code_number(stream, &length);
    if (stream->output ||
        length <= (size_t)(stream->end - stream->next) / element_bytes)
        return (guint)length;
    stream->failed = true;
    return 0;
}

static void code_text(struct stream *stream, char **text)
{
    guint length = code_length(stream, *text ? strlen(*text) : 0, 1);

    if (stream->output) {
        g_byte_array_append(stream->output, (const guint8 *)*text, length);
        return;
    }
    *text = g_strndup((const char *)stream->next, length);
    stream->next += length;
    if (strlen(*text) != length)
        stream->failed = true;
}

static void code_options(struct stream *stream, GPtrArray *options)
{
    guint count = code_length(stream, options->len, 1);

    g_ptr_array_set_size(options, (gint)count);
    for (guint i = 0; i < count; i++)
        code_text(stream, (char **)&options->pdata[i]);
}

/* Codes a position, which is at least *@next, and sets *@next to one more. */
static void code_position(struct stream *stream, uint64_t *position,
                          uint64_t *next)
{
    uint64_t distance = *position - *next;

    g_assert(!stream->output || *position >= *next);
    code_number(stream, &distance);
    if (distance >= UINT64_MAX - *next)
        stream->failed = true;
    *position = *next + distance;
    *next = *position + 1;
}

static void code_decisions(struct stream *stream, GArray *decisions)
{
    uint64_t next = 0;

    g_array_set_size(decisions, code_length(stream, decisions->len, 2));
    for (guint i = 0; i < decisions->len; i++) {
        struct orr_deviation *decision =
            &g_array_index(decisions, struct orr_deviation, i);
        uint64_t option = (uint64_t)decision->option - 1;

        code_position(stream, &decision->position, &next);
        code_number(stream, &option);
        if (option >= UINT_MAX)
            stream->failed = true;
        decision->option = (unsigned)option + 1;
    }
}

static void code_left_out(struct stream *stream, GArray *left_out)
{
    uint64_t next = 0;

    g_array_set_size(left_out, code_length(stream, left_out->len, 1));
    for (guint i = 0; i < left_out->len; i++)
        code_position(stream, &g_array_index(left_out, uint64_t, i), &next);
}

/* A stream that writes does not change @token. */
static void code_token(struct stream *stream, struct orr_token *token)
{
    code_text(stream, &token->version);
    code_text(stream, &token->app);
    code_options(stream, token->options);
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++)
        code_number(stream, &token->inputs[i]);
    code_text(stream, &token->strategy);
    code_number(stream, &token->schedule);
    code_text(stream, &token->hang);
    code_number(stream, &token->digest);
    code_decisions(stream, token->decisions);
    code_left_out(stream, token->left_out);
    code_number(stream, &token->critical);
}

char *orr_token_format(const struct orr_token *token)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    struct stream stream = {.output = bytes};
    struct orr_token unchanged = *token;

    code_token(&stream, &unchanged);
    g_assert(!stream.failed);
    return orr_token_encode(bytes);
}

bool orr_token_parse(struct orr_token *token, const char *word, GError **error)
{
    g_autoptr(GByteArray) bytes = orr_token_decode(word, error);
    struct stream stream = {0};

    *token = (struct orr_token){0};
    if (!bytes)
        return false;
    token->options = g_ptr_array_new_with_free_func(g_free);
    token->decisions = g_array_new(FALSE, TRUE, sizeof(struct orr_deviation));
    token->left_out = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    if (bytes->len > 0) {
        stream.next = bytes->data;
        stream.end = bytes->data + bytes->len;
        code_token(&stream, token);
    }
    if (bytes->len > 0 && !stream.failed && stream.next == stream.end)
        return true;
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                        "the token is undamaged but its content is invalid: "
                        "another program made it");
    return false;
}

void orr_token_clear(struct orr_token *token)
{
    g_free(token->version);
    g_free(token->app);
    g_free(token->strategy);
    g_free(token->hang);
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++)
        g_free(token->files[i]);
    g_clear_pointer(&token->options, g_ptr_array_unref);
    g_clear_pointer(&token->decisions, g_array_unref);
    g_clear_pointer(&token->left_out, g_array_unref);
}

void orr_token_copy(struct orr_token *token, const struct orr_token *other)
{
    *token = *other;
    token->version = g_strdup(other->version);
    token->app = g_strdup(other->app);
    token->strategy = g_strdup(other->strategy);
    token->hang = g_strdup(other->hang);
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++)
        token->files[i] = g_strdup(other->files[i]);
    token->options = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < other->options->len; i++)
        g_ptr_array_add(token->options, g_strdup(other->options->pdata[i]));
    token->decisions = g_array_copy(other->decisions);
    token->left_out = g_array_copy(other->left_out);
}

void orr_token_drop_option(struct orr_token *token, const char *name)
{
    g_autofree char *begin = g_strconcat(name, "=", NULL);

    for (guint i = token->options->len; i-- > 0;) {
        if (g_str_has_prefix(token->options->pdata[i], begin))
            g_ptr_array_remove_index(token->options, i);
    }
}

void orr_token_set_option_text(struct orr_token *token, const char *name,
                               const char *value)
{
    orr_token_drop_option(token, name);
    g_ptr_array_add(token->options, g_strconcat(name, "=", value, NULL));
}

void orr_token_set_option(struct orr_token *token, const char *name,
                          uint64_t value)
{
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, value);

    orr_token_set_option_text(token, name, text);
}

/* Reads tokens from the command line, files and the standard input. */

/* Limit for a file. Base64 makes data longer by a third. */
#define MAX_BYTES (2 * ORR_TOKEN_CODEC_MAX)

/* Removes blanks and newlines, as mail programs wrap long lines. */
static char *join(const GByteArray *bytes)
{
    GString *word = g_string_sized_new(bytes->len);

    for (guint i = 0; i < bytes->len; i++) {
        if (!g_ascii_isspace(bytes->data[i]))
            g_string_append_c(word, (char)bytes->data[i]);
    }
    return g_string_free(word, FALSE);
}

/* Of a report: several tokens, with their error traces. */
#define MAX_REPORT_BYTES (64 << 20)

/* Returns the content of the file @path, or of the standard input if it is
 * NULL; NULL with @error. */
static GByteArray *read_bytes(const char *path, GError **error)
{
    bool is_report = path && g_str_has_suffix(path, ".json");
    const struct orr_input_limits limits =
        orr_input_limits(is_report ? MAX_REPORT_BYTES : MAX_BYTES);
    struct orr_input *input = path ? orr_input_open(path, &limits, error)
                                   : orr_input_open_standard(MAX_BYTES);
    GByteArray *bytes = input ? orr_input_read_all(input, error) : NULL;

    if (bytes && memchr(bytes->data, '\0', bytes->len)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX, "%s: contains no token",
                    orr_input_path(input));
        g_clear_pointer(&bytes, g_byte_array_unref);
    }
    orr_input_close(input);
    return bytes;
}

/* Returns the word in the file @operand, or the one in the report of that name,
 * and its *@options; NULL with @error. */
static char *read_word(const char *operand, char ***options, GError **error)
{
    g_autofree char *path = operand ? orr_token_report_path(operand) : NULL;
    g_autoptr(GByteArray) bytes = read_bytes(path, error);

    if (!bytes)
        return NULL;
    if (path && bytes->len > 0 && bytes->data[0] == '{') {
        g_byte_array_append(bytes, (const guint8 *)"", 1);
        return orr_token_report_read(path, (const char *)bytes->data, options,
                                     error);
    }
    return join(bytes);
}

/* Sets the file of @token that the option @name names, if it names one. */
static void take_file(struct orr_token *token, const char *name,
                      const char *file)
{
    if (!g_str_has_prefix(name, "--"))
        return;
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++) {
        if (strcmp(name + 2, orr_options_token_files.options[i].name) == 0) {
            g_free(token->files[i]);
            token->files[i] = g_strdup(file);
        }
    }
}

/* Sets token->files to the files in @options. */
static void take_files(struct orr_token *token, char *const *options)
{
    for (; options && options[0] && options[1]; options += 2)
        take_file(token, options[0], options[1]);
}

enum orr_exit orr_token_load(struct orr_token *token, const char *operand,
                             GError **error)
{
    g_auto(GStrv) options = NULL;
    g_autofree char *word = NULL;

    *token = (struct orr_token){0};
    if (strcmp(operand, "-") == 0)
        word = read_word(NULL, &options, error);
    else if (operand[0] == '@')
        word = read_word(operand + 1, &options, error);
    else
        word = g_strdup(operand);
    if (word && orr_token_parse(token, word, error)) {
        take_files(token, options);
        return ORR_EXIT_OK;
    }
    return g_error_matches(*error, ORR_ERROR, ORR_ERROR_IO) ? ORR_EXIT_FAILURE
                                                            : ORR_EXIT_USAGE;
}
