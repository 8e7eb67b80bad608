/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads tokens from the command line, files and the standard input. */
#include <string.h>

#include "apps/token/token.h"
#include "apps/token/token_codec.h"
#include "models/base/error.h"
#include "models/base/input.h"

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

/* Returns the word in the file @path, or in the standard input if it is NULL;
 * NULL with @error. */
static char *read_word(const char *path, GError **error)
{
    const struct orr_input_limits limits = orr_input_limits(MAX_BYTES);
    struct orr_input *input = path ? orr_input_open(path, &limits, error)
                                   : orr_input_open_standard(MAX_BYTES);
    g_autoptr(GByteArray) bytes =
        input ? orr_input_read_all(input, error) : NULL;
    char *word = NULL;

    if (bytes && memchr(bytes->data, '\0', bytes->len))
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX, "%s: contains no token",
                    orr_input_path(input));
    else if (bytes)
        word = join(bytes);
    orr_input_close(input);
    return word;
}

enum orr_exit orr_token_load(struct orr_token *token, const char *operand,
                             GError **error)
{
    g_autofree char *word = NULL;

    *token = (struct orr_token){0};
    if (strcmp(operand, "-") == 0)
        word = read_word(NULL, error);
    else if (operand[0] == '@')
        word = read_word(operand + 1, error);
    else
        word = g_strdup(operand);
    if (word && orr_token_parse(token, word, error))
        return ORR_EXIT_OK;
    return g_error_matches(*error, ORR_ERROR, ORR_ERROR_IO) ? ORR_EXIT_FAILURE
                                                            : ORR_EXIT_USAGE;
}
