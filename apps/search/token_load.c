/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads tokens from the command line, files and the standard input. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "apps/search/token.h"
#include "apps/search/token_codec.h"
#include "models/base/error.h"

/* Limit for a file. Base64 makes data longer by a third. */
#define MAX_LETTERS (2 * ORR_TOKEN_CODEC_MAX)

/* Reads @file without blanks and newlines, as mail programs wrap long lines. */
static bool read_letters(FILE *file, GString *word, const char *name,
                         GError **error)
{
    int letter;

    errno = 0;
    while ((letter = getc(file)) != EOF && word->len <= MAX_LETTERS) {
        if (!g_ascii_isspace(letter))
            g_string_append_c(word, (char)letter);
    }
    if (ferror(file)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", name,
                    g_strerror(errno));
        return false;
    }
    if (word->len > MAX_LETTERS || strlen(word->str) < word->len) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_SYNTAX, "%s: contains no token",
                    name);
        return false;
    }
    return true;
}

static bool read_path(const char *path, GString *word, GError **error)
{
    FILE *file = fopen(path, "rb");
    bool done;

    if (!file) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", path,
                    g_strerror(errno));
        return false;
    }
    done = read_letters(file, word, path, error);
    fclose(file);
    return done;
}

enum orr_exit orr_token_load(struct orr_token *token, const char *operand,
                             GError **error)
{
    g_autoptr(GString) word = g_string_new(NULL);
    bool read = true;

    *token = (struct orr_token){0};
    if (strcmp(operand, "-") == 0)
        read = read_letters(stdin, word, "standard input", error);
    else if (operand[0] == '@')
        read = read_path(operand + 1, word, error);
    else
        g_string_assign(word, operand);
    if (read && orr_token_parse(token, word->str, error))
        return ORR_EXIT_OK;
    return g_error_matches(*error, ORR_ERROR, ORR_ERROR_IO) ? ORR_EXIT_FAILURE
                                                            : ORR_EXIT_USAGE;
}
