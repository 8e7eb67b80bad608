/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/skeleton.h"

#include <ctype.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/file.h"
#include "models/base/units.h"
#include "sched/host.h"

/* The name of the policy in the skeleton files, and the path of this program in
 * the Makefile. */
#define PLACEHOLDER "skeleton"
#define PROGRAM "@PROGRAM@"

#define MAX_NAME 64 /* characters */

static bool is_name(const char *name)
{
    return islower((unsigned char)*name) && strlen(name) <= MAX_NAME &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

static bool check_name(const char *name, GError **error)
{
    g_autofree char *quoted = orr_quote(name);

    if (!is_name(name)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s is not a valid name of a policy: expected a letter "
                    "a-z, then letters, digits and dashes, at most %d in all",
                    quoted, MAX_NAME);
        return false;
    }
    if (orr_sched_find(name)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "a policy called %s is built in", quoted);
        return false;
    }
    return true;
}

/*
 * Returns @text with @name instead of the placeholder. Next to an underscore
 * the placeholder is part of a C identifier, in which dashes become
 * underscores. The line with the licence is removed: the user chooses one.
 */
static char *fill_in(const char *text, const char *name)
{
    GString *filled = g_string_new(NULL);
    g_autofree char *identifier = g_strdelimit(g_strdup(name), "-", '_');
    const char *next;

    if (g_str_has_prefix(text, "/* SPDX"))
        text = strchr(text, '\n') + 1;
    for (; (next = strstr(text, PLACEHOLDER));
         text = next + strlen(PLACEHOLDER)) {
        bool in_c = next[strlen(PLACEHOLDER)] == '_' ||
                    (next > text && next[-1] == '_');

        g_string_append_len(filled, text, next - text);
        g_string_append(filled, in_c ? identifier : name);
    }
    g_string_append(filled, text);
    return g_string_free(filled, FALSE);
}

/* Returns the path of this program, as a Makefile spells it. */
static char *find_program(void)
{
    g_autofree char *path = g_file_read_link("/proc/self/exe", NULL);
    GString *spelt = g_string_new(NULL);

    for (const char *c = path ? path : "orrery"; *c; c++) {
        if (*c == '$' || *c == '#')
            g_string_append_c(spelt, *c == '$' ? '$' : '\\');
        g_string_append_c(spelt, *c);
    }
    return g_string_free(spelt, FALSE);
}

/* Returns @text with the path of this program; takes @text. */
static char *fill_in_program(char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, PROGRAM, -1);
    g_autofree char *program = find_program();

    g_free(text);
    return g_strjoinv(program, parts);
}

static bool write_file(const char *folder, const char *file, const char *text,
                       GError **error)
{
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autofree char *filled = fill_in_program(fill_in(text, folder));

    return orr_file_replace(path, filled, strlen(filled), error);
}

/* Removes the files that were written, and their folder. */
static void remove_all(const char *folder, const char *const *files)
{
    for (; *files; files++) {
        g_autofree char *path = g_build_filename(folder, *files, NULL);

        g_remove(path);
    }
    g_rmdir(folder);
}

bool orr_skeleton_write(const char *name, bool concurrent, GError **error)
{
    g_autofree char *source = g_strconcat(name, ".c", NULL);
    const char *const files[] = {source, "Makefile", "test.sh", NULL};
    const char *const texts[] = {concurrent ? orr_skeleton_concurrent
                                            : orr_skeleton_simple,
                                 orr_skeleton_makefile, orr_skeleton_test};

    if (!check_name(name, error))
        return false;
    if (g_mkdir(name, 0777) != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", name,
                    g_strerror(errno));
        return false;
    }
    for (unsigned i = 0; files[i]; i++) {
        if (write_file(name, files[i], texts[i], error))
            continue;
        remove_all(name, files);
        return false;
    }
    return true;
}
