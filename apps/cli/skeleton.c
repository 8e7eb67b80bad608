/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/skeleton.h"

#include <ctype.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/file.h"
#include "models/base/units.h"

/* The name of the plug-in in the skeleton files. In the Makefile: the path of
 * this program, what the plug-in is, and a command that uses it; members of the
 * interface. */
#define PLACEHOLDER "skeleton"
#define PROGRAM "@PROGRAM@"
#define KIND "@KIND@"
#define USE "@USE@"

#define MODULE "@MODULE@"
#define FOLDER "@FOLDER@"
#define PREFIX "@PREFIX@"

const struct orr_skeleton_interface orr_skeleton_orrery = {"orrery", "runtime",
                                                           ""};

#define MAX_NAME 64 /* characters */

static bool is_name(const char *name)
{
    return islower((unsigned char)*name) && strlen(name) <= MAX_NAME &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

static bool check_name(const struct orr_skeleton *skeleton, const char *name,
                       GError **error)
{
    g_autofree char *quoted = orr_quote(name);

    if (!is_name(name)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s is not a valid name of %s: expected a letter "
                    "a-z, then letters, digits and dashes, at most %d in all",
                    quoted, skeleton->kind, MAX_NAME);
        return false;
    }
    if (skeleton->is_built_in(name)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s called %s is built in", skeleton->kind, quoted);
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

/* Returns @text with @to for each @from; takes @text. */
static char *replace(char *text, const char *from, const char *to)
{
    g_auto(GStrv) parts = g_strsplit(text, from, -1);

    g_free(text);
    return g_strjoinv(to, parts);
}

static bool write_file(const struct orr_skeleton *skeleton, const char *folder,
                       const char *file, const char *text, GError **error)
{
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autofree char *program = find_program();
    const char *noun = strchr(skeleton->kind, ' ') + 1;
    char *used = replace(g_strdup(text), USE, skeleton->use);
    char *named;
    bool written;

    used = replace(used, PREFIX, skeleton->interface->prefix);
    named = fill_in(used, folder);
    g_free(used);
    named = replace(named, MODULE, skeleton->interface->module);
    named = replace(named, FOLDER, skeleton->interface->folder);
    named = replace(replace(named, KIND, noun), PROGRAM, program);
    written = orr_file_replace(path, named, strlen(named), error);
    g_free(named);
    return written;
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

static bool write_folder(const struct orr_skeleton *skeleton, const char *name,
                         GError **error)
{
    g_autofree char *source = g_strconcat(name, ".c", NULL);
    const char *const files[] = {source, "Makefile", "test.sh", NULL};
    g_autofree char *makefile =
        g_strconcat(orr_skeleton_makefile, skeleton->rules, NULL);
    const char *const texts[] = {skeleton->source, makefile, skeleton->test};

    if (!check_name(skeleton, name, error))
        return false;
    if (g_mkdir(name, 0777) != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", name,
                    g_strerror(errno));
        return false;
    }
    for (unsigned i = 0; files[i]; i++) {
        if (write_file(skeleton, name, files[i], texts[i], error))
            continue;
        remove_all(name, files);
        return false;
    }
    return true;
}

enum orr_exit orr_skeleton_write(const struct orr_skeleton *skeleton,
                                 const char *name, const char *command)
{
    g_autoptr(GError) error = NULL;

    if (!write_folder(skeleton, name, &error)) {
        orr_message_print(command, "%s", error->message);
        return orr_exit_of(error);
    }
    printf("%s/%s.c\n%s/Makefile\n%s/test.sh\n\n", name, name, name, name);
    printf("To compile and try it: make -C %s check\n", name);
    return ORR_EXIT_OK;
}
