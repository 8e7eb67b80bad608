/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/campaign/expand.h"

#include <string.h>

#include "apps/campaign/campaign.h"
#include "apps/options/completion.h"

/* Returns the number of the argument that is a campaign file; 0: none. */
static int find_file(int argc, char *const *argv)
{
    if (argc > 1 && strcmp(argv[1], ORR_COMPLETE) == 0)
        return 0; /* the last word is not complete */
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] != '-' && g_str_has_suffix(argv[i], ".ini"))
            return i;
    }
    return 0;
}

/* Returns "A" of "app=A,B". If this is no list, returns all of it, so that the
 * error message names it. Free with g_free(). */
static char *first_app(const char *text)
{
    struct orr_key *key = orr_key_parse(text, NULL);
    char *app = key ? orr_key_value(key, 0) : g_strdup(text + strlen("app="));

    orr_key_free(key);
    return app;
}

/* Returns "A" of the argument --vary app=A,B of @words, NULL-terminated, or
 * NULL. Free with g_free(). */
static char *find_app(char *const *words)
{
    for (; *words; words++) {
        if (strcmp(*words, "--vary") == 0 && words[1] &&
            g_str_has_prefix(words[1], "app="))
            return first_app(words[1]);
        if (g_str_has_prefix(*words, "--vary=app="))
            return first_app(*words + strlen("--vary="));
    }
    return NULL;
}

/* Adds the arguments of the campaign file argv[@file]; none if that is 0. */
static bool add_file(GPtrArray *words, int argc, char *const *argv, int file,
                     GPtrArray *texts, GError **error)
{
    g_autoptr(GPtrArray) given = g_ptr_array_new();
    g_auto(GStrv) arguments = NULL;

    if (file == 0)
        return true;
    for (int i = 1; i < argc; i++) {
        if (i != file)
            g_ptr_array_add(given, argv[i]);
    }
    g_ptr_array_add(given, NULL);
    arguments =
        orr_campaign_arguments(argv[file], (char *const *)given->pdata, error);
    for (char **word = arguments; word && *word; word++) {
        g_ptr_array_add(texts, g_strdup(*word));
        g_ptr_array_add(words, texts->pdata[texts->len - 1]);
    }
    return arguments;
}

GPtrArray *orr_expand_arguments(int argc, char *const *argv, GPtrArray *texts,
                                GError **error)
{
    int file = find_file(argc, argv);
    GPtrArray *words = g_ptr_array_new();
    char *app;

    g_ptr_array_add(words, argv[0]);
    if (!add_file(words, argc, argv, file, texts, error)) {
        g_ptr_array_unref(words);
        return NULL;
    }
    for (int i = 1; i < argc; i++) {
        if (i != file)
            g_ptr_array_add(words, argv[i]);
    }
    g_ptr_array_add(words, NULL);
    app = find_app((char *const *)words->pdata);
    if (app) {
        g_ptr_array_add(texts, g_strconcat("--app=", app, NULL));
        g_ptr_array_insert(words, 1, texts->pdata[texts->len - 1]);
        g_free(app);
    }
    return words;
}
