/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Campaign files, as arguments of a command line. */
#include <string.h>

#include "apps/campaign/campaign.h"
#include "models/base/error.h"
#include "models/base/input.h"
#include "models/base/units.h"

#define MAX_BYTES ((uint64_t)1 << 20)

/* Adds the name that @argument sets: of an option, or of the key after --vary,
 * which is @argument itself if @is_list. */
static void note(GHashTable *names, const char *argument, bool is_list)
{
    const char *text = is_list ? argument : orr_option_long(argument);
    size_t dashes = is_list ? 0 : strspn(text, "-");

    g_hash_table_add(names,
                     g_strndup(text + dashes, strcspn(text + dashes, "=")));
}

/* Returns the names of settings that @given have. */
static GHashTable *names_in(char *const *given)
{
    GHashTable *names =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (; *given; given++) {
        if (strcmp(*given, "--vary") == 0 && given[1])
            note(names, *++given, true);
        else if (g_str_has_prefix(*given, "--vary="))
            note(names, *given + strlen("--vary="), true);
        else if (**given == '-')
            note(names, *given, false);
    }
    return names;
}

/* Adds the option @name, once for each of its values. */
static void add_option(GPtrArray *arguments, const char *name, char **values)
{
    for (; *values; values++) {
        if (strcmp(*values, "yes") == 0)
            g_ptr_array_add(arguments, g_strconcat("--", name, NULL));
        else if (strcmp(*values, "no") != 0)
            g_ptr_array_add(arguments,
                            g_strconcat("--", name, "=", *values, NULL));
    }
}

static bool add_options(GPtrArray *arguments, GKeyFile *file,
                        GHashTable *overridden, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(file, "campaign", NULL, NULL);

    for (char **name = names; name && *name; name++) {
        g_auto(GStrv) values = NULL;

        if (strcmp(*name, "app") == 0 ||
            g_hash_table_contains(overridden, *name))
            continue;
        values =
            g_key_file_get_string_list(file, "campaign", *name, NULL, error);
        if (!values)
            return false;
        add_option(arguments, *name, values);
    }
    return true;
}

static bool add_keys(GPtrArray *arguments, GKeyFile *file,
                     GHashTable *overridden, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(file, "vary", NULL, NULL);

    for (char **name = names; name && *name; name++) {
        g_autofree char *list =
            g_key_file_get_string(file, "vary", *name, error);

        if (!list)
            return false;
        if (g_hash_table_contains(overridden, *name))
            continue;
        g_ptr_array_add(arguments, g_strdup("--vary"));
        g_ptr_array_add(arguments, g_strconcat(*name, "=", list, NULL));
    }
    return true;
}

static bool check_groups(GKeyFile *file, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);

    for (char **group = groups; *group; group++) {
        g_autofree char *quoted = orr_quote(*group);

        if (strcmp(*group, "campaign") == 0 || strcmp(*group, "vary") == 0)
            continue;
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "unknown group %s; there are: campaign, vary", quoted);
        return false;
    }
    return true;
}

static bool load(GKeyFile *file, const char *path, GError **error)
{
    GByteArray *bytes = orr_input_read_file(path, MAX_BYTES, error);
    g_autofree char *shown = orr_input_show_path(path);
    bool loaded;

    if (!bytes)
        return false;
    loaded = g_key_file_load_from_data(file, (char *)bytes->data, bytes->len,
                                       G_KEY_FILE_NONE, error) &&
             check_groups(file, error);
    g_byte_array_unref(bytes);
    if (!loaded)
        g_prefix_error(error, "%s: ", shown);
    return loaded;
}

char **orr_campaign_arguments(const char *path, char *const *given,
                              GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GHashTable) overridden = names_in(given);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *shown = orr_input_show_path(path);
    char *app;

    if (!load(file, path, error))
        return NULL;
    app = g_key_file_get_string(file, "campaign", "app", NULL);
    if (app && !g_hash_table_contains(overridden, "app") &&
        !g_key_file_has_key(file, "vary", "app", NULL))
        g_ptr_array_add(arguments, app);
    else
        g_free(app);
    if (!add_options(arguments, file, overridden, error) ||
        !add_keys(arguments, file, overridden, error)) {
        g_prefix_error(error, "%s: ", shown);
        return NULL;
    }
    g_ptr_array_add(arguments, NULL);
    return g_strdupv((char **)arguments->pdata);
}
