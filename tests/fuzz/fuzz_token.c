/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Any word, and any bytes inside a valid word, are either refused or are a
 * token; and a token that is written and read again is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/token/token.h"
#include "apps/token/token_codec.h"
#include "tests/fuzz/fuzz.h"

/* Returns the word of the token in @word, or NULL if it is none. */
static char *write_again(const char *word)
{
    struct orr_token token;
    g_autoptr(GError) error = NULL;
    char *again = NULL;

    if (orr_token_parse(&token, word, &error))
        again = orr_token_format(&token);
    if (!again != (error != NULL))
        abort();
    orr_token_clear(&token);
    return again;
}

static void try_word(const char *word)
{
    g_autofree char *once = write_again(word);
    g_autofree char *twice = once ? write_again(once) : NULL;

    if (once && (!twice || strcmp(once, twice) != 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autofree char *word = g_strconcat("orr1-", text, NULL);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autofree char *whole = NULL;

    g_byte_array_append(bytes, data, (guint)size);
    whole = orr_token_encode(bytes);
    try_word(text);
    try_word(word);
    try_word(whole);
    return 0;
}
