/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is in a token, byte by byte. Numbers are LEB128 (seven bits a byte, the
 * least significant first), so most take one byte; texts are their length and
 * their bytes; lists their length and their elements, positions as distances
 * from the one before.
 */
#include "apps/search/token.h"

#include <string.h>

#include "apps/search/token_codec.h"
#include "models/base/error.h"

enum { NUMBER_BYTES = 10 }; /* of 64 bits, at most */

static void put_number(GByteArray *bytes, uint64_t number)
{
    guint8 byte;

    do {
        byte = number & 0x7f;
        number >>= 7;
        if (number > 0)
            byte |= 0x80;
        g_byte_array_append(bytes, &byte, 1);
    } while (number > 0);
}

static void put_text(GByteArray *bytes, const char *text)
{
    size_t length = strlen(text);

    put_number(bytes, length);
    g_byte_array_append(bytes, (const guint8 *)text, (guint)length);
}

static void put_options(GByteArray *bytes, const GPtrArray *options)
{
    put_number(bytes, options->len);
    for (guint i = 0; i < options->len; i++)
        put_text(bytes, options->pdata[i]);
}

static void put_decisions(GByteArray *bytes, const GArray *decisions)
{
    uint64_t next = 0;

    put_number(bytes, decisions->len);
    for (guint i = 0; i < decisions->len; i++) {
        const struct orr_deviation *decision =
            &g_array_index(decisions, struct orr_deviation, i);

        g_assert(decision->position >= next && decision->option > 0);
        put_number(bytes, decision->position - next);
        put_number(bytes, decision->option - 1);
        next = decision->position + 1;
    }
}

static void put_left_out(GByteArray *bytes, const GArray *left_out)
{
    uint64_t next = 0;

    put_number(bytes, left_out->len);
    for (guint i = 0; i < left_out->len; i++) {
        uint64_t number = g_array_index(left_out, uint64_t, i);

        g_assert(number >= next);
        put_number(bytes, number - next);
        next = number + 1;
    }
}

char *orr_token_format(const struct orr_token *token)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    put_text(bytes, token->version);
    put_text(bytes, token->app);
    put_options(bytes, token->options);
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++)
        put_number(bytes, token->inputs[i]);
    put_text(bytes, token->strategy);
    put_number(bytes, token->schedule);
    put_text(bytes, token->hang);
    put_number(bytes, token->digest);
    put_decisions(bytes, token->decisions);
    put_left_out(bytes, token->left_out);
    put_number(bytes, token->critical);
    return orr_token_encode(bytes);
}

/* What is left to read. */
struct reader {
    const guint8 *next;
    const guint8 *end;
    bool failed; /* what was read since means nothing */
};

static uint64_t get_number(struct reader *reader)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < NUMBER_BYTES && reader->next < reader->end; i++) {
        guint8 byte = *reader->next++;

        if (i == NUMBER_BYTES - 1 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80)
            return number;
    }
    reader->failed = true;
    return 0;
}

/* The length of something whose elements take @each bytes or more. */
static size_t get_length(struct reader *reader, size_t each)
{
    uint64_t length = get_number(reader);

    if (length <= (size_t)(reader->end - reader->next) / each)
        return (size_t)length;
    reader->failed = true;
    return 0;
}

static char *get_text(struct reader *reader)
{
    size_t length = get_length(reader, 1);
    char *text = length > 0 ? g_strndup((const char *)reader->next, length)
                            : g_strdup("");

    if (strlen(text) != length)
        reader->failed = true;
    reader->next += length;
    return text;
}

static void get_options(struct reader *reader, GPtrArray *options)
{
    size_t count = get_length(reader, 1);

    for (size_t i = 0; i < count && !reader->failed; i++)
        g_ptr_array_add(options, get_text(reader));
}

/* A position at a distance from @next, which becomes the one after it. */
static uint64_t get_position(struct reader *reader, uint64_t *next)
{
    uint64_t distance = get_number(reader);
    uint64_t position = *next + distance;

    if (distance >= UINT64_MAX - *next)
        reader->failed = true;
    *next = position + 1;
    return position;
}

static void get_decisions(struct reader *reader, GArray *decisions)
{
    size_t count = get_length(reader, 2);
    uint64_t next = 0;

    for (size_t i = 0; i < count && !reader->failed; i++) {
        struct orr_deviation decision = {.position =
                                             get_position(reader, &next)};
        uint64_t option = get_number(reader);

        if (option >= UINT_MAX)
            reader->failed = true;
        decision.option = (unsigned)option + 1;
        g_array_append_val(decisions, decision);
    }
}

static void get_left_out(struct reader *reader, GArray *left_out)
{
    size_t count = get_length(reader, 1);
    uint64_t next = 0;

    for (size_t i = 0; i < count && !reader->failed; i++) {
        uint64_t number = get_position(reader, &next);

        g_array_append_val(left_out, number);
    }
}

bool orr_token_parse(struct orr_token *token, const char *word, GError **error)
{
    g_autoptr(GByteArray) bytes = NULL;
    const guint8 *begin = (const guint8 *)"";
    struct reader reader;

    *token = (struct orr_token){0};
    bytes = orr_token_decode(word, error);
    if (!bytes)
        return false;
    if (bytes->len > 0)
        begin = bytes->data;
    reader = (struct reader){begin, begin + bytes->len, false};
    token->version = get_text(&reader);
    token->app = get_text(&reader);
    token->options = g_ptr_array_new_with_free_func(g_free);
    get_options(&reader, token->options);
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++)
        token->inputs[i] = get_number(&reader);
    token->strategy = get_text(&reader);
    token->schedule = get_number(&reader);
    token->hang = get_text(&reader);
    token->digest = get_number(&reader);
    token->decisions = g_array_new(FALSE, FALSE, sizeof(struct orr_deviation));
    get_decisions(&reader, token->decisions);
    token->left_out = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    get_left_out(&reader, token->left_out);
    token->critical = get_number(&reader);
    if (!reader.failed && reader.next == reader.end)
        return true;
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_SYNTAX,
                        "the token is whole but makes no sense: another "
                        "program made it");
    return false;
}

void orr_token_clear(struct orr_token *token)
{
    g_free(token->version);
    g_free(token->app);
    g_free(token->strategy);
    g_free(token->hang);
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

void orr_token_set_option(struct orr_token *token, const char *name,
                          uint64_t value)
{
    orr_token_drop_option(token, name);
    g_ptr_array_add(token->options,
                    g_strdup_printf("%s=%" G_GUINT64_FORMAT, name, value));
}
