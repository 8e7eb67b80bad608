/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds and lists the files of a calibration. */
#include <stdlib.h>
#include <string.h>

#include "models/starpu/starpu_private.h"

/* A message lists at most so many names. */
enum { SHOWN = 40 };

char *orr_starpu_find_file(const char *dir, const char *const *folders,
                           const char *name)
{
    for (; *folders; folders++) {
        g_autofree char *path = g_build_filename(dir, *folders, name, NULL);

        if (!g_file_test(path, G_FILE_TEST_EXISTS))
            continue;
        return strcmp(*folders, ".") == 0
                   ? g_strdup(name)
                   : g_build_filename(*folders, name, NULL);
    }
    return NULL;
}

GHashTable *orr_starpu_names_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void orr_starpu_list_names(GHashTable *names, const char *dir,
                           const char *folder, const char *suffix)
{
    g_autofree char *path = g_build_filename(dir, folder, NULL);
    g_autoptr(GDir) entries = g_dir_open(path, 0, NULL);
    const char *entry;

    while (entries && (entry = g_dir_read_name(entries))) {
        if (g_str_has_suffix(entry, suffix) && entry[0] != '.')
            g_hash_table_add(names,
                             g_strndup(entry, strlen(entry) - strlen(suffix)));
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **orr_starpu_sort_names(GHashTable *names)
{
    guint count;
    const char **sorted =
        (const char **)g_hash_table_get_keys_as_array(names, &count);

    qsort(sorted, count, sizeof(*sorted), compare_names);
    return sorted;
}

char *orr_starpu_join_names(GHashTable *names)
{
    g_autofree const char **sorted = orr_starpu_sort_names(names);
    guint count = g_hash_table_size(names);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < MIN(count, SHOWN); i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", sorted[i]);
    if (count > SHOWN)
        g_string_append(text, ", ...");
    if (count == 0)
        return NULL;
    return g_utf8_make_valid(text->str, -1);
}
