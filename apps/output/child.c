/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/output/child.h"

#include <gio/gio.h>
#include <string.h>

#include "models/base/error.h"

bool orr_child_check(const struct orr_child *child, GError **error)
{
    g_autofree char *path = g_find_program_in_path(child->argv[0]);

    if (path)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "%s is needed, but is not in the PATH (Debian package: %s)",
                child->argv[0], child->package);
    return false;
}

/* Returns the first line of @messages that has a letter, or @otherwise. */
static char *first_line(GBytes *messages, const char *otherwise)
{
    gsize size = 0;
    const char *data = messages ? g_bytes_get_data(messages, &size) : NULL;
    g_autofree char *text = g_strndup(data ? data : "", size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line; line++) {
        if (strpbrk(g_strstrip(*line),
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            return g_utf8_make_valid(*line, -1);
    }
    return g_strdup(otherwise);
}

/* Sends @input to @process, waits for its end and returns its output. */
static GBytes *exchange(GSubprocess *process, GBytes *input, GBytes **messages,
                        GError **error)
{
    GBytes *output = NULL;

    if (!g_subprocess_communicate(process, input, NULL, &output, messages,
                                  error))
        g_subprocess_force_exit(process);
    return output;
}

GBytes *orr_child_feed(const struct orr_child *child, const char *text,
                       GError **error)
{
    g_autoptr(GBytes) input = g_bytes_new_static(text, strlen(text));
    g_autoptr(GBytes) messages = NULL;
    g_autoptr(GBytes) output = NULL;
    g_autoptr(GSubprocess) process = NULL;
    g_autoptr(GError) reason = NULL;
    g_autofree char *said = NULL;

    if (!orr_child_check(child, error))
        return NULL;
    process = g_subprocess_newv(child->argv,
                                G_SUBPROCESS_FLAGS_STDIN_PIPE |
                                    G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                    G_SUBPROCESS_FLAGS_STDERR_PIPE,
                                &reason);
    if (process)
        output = exchange(process, input, &messages, &reason);
    if (output && g_subprocess_get_successful(process) &&
        g_bytes_get_size(output) > 0)
        return g_steal_pointer(&output);
    said = first_line(messages,
                      reason ? reason->message : "it failed without a message");
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", child->argv[0], said);
    return NULL;
}
