/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/platform_find.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "models/base/names.h"
#include "models/format/platform_xml.h"
#include "models/starpu/platform_starpu.h"

#define SUFFIX ".xml"

/* Whether @folder is a build tree: it has a file that Orrery's configure makes
 * and that is never installed. */
static bool is_build_folder(const char *folder)
{
    g_autofree char *mark =
        g_build_filename(folder, "runtime", "orrery.pc", NULL);

    return g_file_test(mark, G_FILE_TEST_EXISTS);
}

/* Whether @file is a program, a test or a library of the build tree. */
static bool is_built(const char *file)
{
    g_autofree char *folder = g_path_get_dirname(file);
    char *tests;

    if (is_build_folder(folder))
        return true;
    tests = g_strrstr(folder, "/tests/"); /* tests are in folders of tests/ */
    if (tests)
        *tests = '\0';
    return tests && is_build_folder(folder);
}

/* Whether the library that holds this code, or the program, is in a build tree.
 */
static bool in_build_tree(void)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *library = NULL;
    static const char here[] = "in the library";
    Dl_info info;

    if (program && is_built(program))
        return true;
    if (dladdr(here, &info) != 0 && info.dli_fname)
        library = realpath(info.dli_fname, NULL);
    return library && is_built(library);
}

/* Adds the folders of the environment variable; empty ones are skipped. */
static void add_given(GPtrArray *folders)
{
    const char *given = g_getenv(ORR_PLATFORMS_VARIABLE);
    g_auto(GStrv) parts =
        g_strsplit(given ? given : "", G_SEARCHPATH_SEPARATOR_S, -1);

    for (char **part = parts; *part; part++) {
        if (**part)
            g_ptr_array_add(folders, g_strdup(*part));
    }
}

char **orr_platform_folders(const char *const *first)
{
    GPtrArray *folders = g_ptr_array_new();

    for (; first && *first; first++)
        g_ptr_array_add(folders, g_strdup(*first));
    add_given(folders);
    g_ptr_array_add(folders,
                    g_strdup(in_build_tree() ? ORR_SOURCE_DIR "/platforms"
                                             : ORR_PLATFORMS_DIR));
    g_ptr_array_add(folders, NULL);
    return (char **)g_ptr_array_free(folders, FALSE);
}

static void add_names(GHashTable *names, const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *entry;

    while (dir && (entry = g_dir_read_name(dir))) {
        if (g_str_has_suffix(entry, SUFFIX) && entry[0] != '.')
            g_hash_table_add(names,
                             g_strndup(entry, strlen(entry) - strlen(SUFFIX)));
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **orr_platform_names(const char *const *folders)
{
    g_auto(GStrv) usual = folders ? NULL : orr_platform_folders(NULL);
    g_autoptr(GHashTable) names =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    char **sorted;
    guint count;

    if (!folders)
        folders = (const char *const *)usual;
    for (; *folders; folders++)
        add_names(names, *folders);
    sorted = (char **)g_hash_table_get_keys_as_array(names, &count);
    qsort(sorted, count, sizeof(*sorted), compare_names);
    g_hash_table_steal_all(names); /* the caller owns them now */
    return sorted;
}

static void fail_unknown(const char *name, const char *const *folders,
                         GError **error)
{
    g_autofree char *quoted = orr_quote(name);
    g_autofree char *where = g_strjoinv(", ", (char **)(void *)folders);
    g_auto(GStrv) names = orr_platform_names(folders);
    g_autofree char *list = g_strjoinv(", ", names);
    g_autofree char *hint =
        orr_names_hint((const char *const *)names, name, "");

    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "no platform %s%s; in %s there are: %s", quoted, hint, where,
                names[0] ? list : "none");
}

bool orr_platform_is_file(const char *name)
{
    return g_str_has_prefix(name, ORR_PLATFORM_STARPU) || strchr(name, '/') ||
           g_str_has_suffix(name, SUFFIX);
}

/* The file of the platform called @name, as typed; owned, or NULL. */
static char *find_file(const char *name, const char *const *folders)
{
    g_auto(GStrv) names = orr_platform_names(folders);
    const char *found = NULL;

    for (char **known = names; *known; known++) {
        if (strcmp(*known, name) == 0) {
            found = *known;
            break;
        }
        if (!found && orr_name_matches(*known, name))
            found = *known;
    }
    for (; found && *folders; folders++) {
        char *path = g_strconcat(*folders, "/", found, SUFFIX, NULL);

        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return path;
        g_free(path);
    }
    return NULL;
}

struct orr_platform *
orr_platform_load(const char *name, const char *const *folders, GError **error)
{
    g_auto(GStrv) usual = folders ? NULL : orr_platform_folders(NULL);
    g_autofree char *path = NULL;

    if (!folders)
        folders = (const char *const *)usual;

    if (g_str_has_prefix(name, ORR_PLATFORM_STARPU))
        return orr_platform_starpu_load(name, error);
    if (orr_platform_is_file(name))
        return orr_platform_read(name, error);
    path = find_file(name, folders);
    if (path)
        return orr_platform_read(path, error);
    fail_unknown(name, folders, error);
    return NULL;
}
