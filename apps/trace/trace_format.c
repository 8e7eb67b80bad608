/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_format.h"

#include <string.h>

#include "models/base/error.h"

const struct orr_trace_format *const orr_trace_formats[] = {
    &orr_trace_csv,      &orr_trace_rec,    &orr_trace_paje,   &orr_trace_json,
    &orr_trace_perfetto, &orr_trace_starpu, &orr_trace_starvz, NULL};

const struct orr_trace_format *orr_trace_format_named(const char *name)
{
    for (size_t i = 0; orr_trace_formats[i]; i++)
        if (strcmp(orr_trace_formats[i]->name, name) == 0)
            return orr_trace_formats[i];
    return NULL;
}

static const struct orr_trace_format *find(const char *path)
{
    g_autofree char *stem = g_str_has_suffix(path, ".gz")
                                ? g_strndup(path, strlen(path) - 3)
                                : g_strdup(path);

    for (size_t i = 0; orr_trace_formats[i]; i++)
        if (orr_trace_formats[i]->suffix &&
            g_str_has_suffix(stem, orr_trace_formats[i]->suffix))
            return orr_trace_formats[i];
    return NULL;
}

/* Returns the suffixes of the formats, or their names: "a, b or c". */
static char *list_formats(bool names)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new();
    GString *list = g_string_new(NULL);

    for (size_t i = 0; orr_trace_formats[i]; i++)
        if (names || orr_trace_formats[i]->suffix)
            g_ptr_array_add(texts,
                            (gpointer)(names ? orr_trace_formats[i]->name
                                             : orr_trace_formats[i]->suffix));
    for (guint i = 0; i < texts->len; i++)
        g_string_append_printf(list, "%s%s",
                               i == 0                ? ""
                               : i + 1 == texts->len ? " or "
                                                     : ", ",
                               (const char *)texts->pdata[i]);
    return g_string_free(list, FALSE);
}

static const struct orr_trace_format *find_named(const char *name,
                                                 GError **error)
{
    const struct orr_trace_format *format = orr_trace_format_named(name);
    g_autofree char *names = list_formats(true);

    if (!format)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--trace-format: '%s' is not %s", name, names);
    return format;
}

static const struct orr_trace_format *find_suffix(const char *path,
                                                  GError **error)
{
    const struct orr_trace_format *format = find(path);
    g_autofree char *suffixes = list_formats(false);
    g_autofree char *shown = g_filename_display_name(path);

    if (!format)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: the name of a trace ends in %s, unless --trace-format "
                    "says its format",
                    shown, suffixes);
    return format;
}

const struct orr_trace_format *
orr_trace_format_of(const char *path, const char *name, GError **error)
{
    const struct orr_trace_format *format =
        name ? find_named(name, error) : find_suffix(path, error);
    g_autofree char *shown = g_filename_display_name(path);

    if (!format || format->compresses || !g_str_has_suffix(path, ".gz"))
        return format;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: traces of the format %s are not compressed", shown,
                format->name);
    return NULL;
}
