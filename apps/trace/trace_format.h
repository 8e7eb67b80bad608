/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_FORMAT_H
#define ORR_TRACE_FORMAT_H

#include <glib.h>

#include "models/platform/platform.h"
#include "runtime/orrery_app.h"
#include "runtime/orrery_trace.h"

/* The run of which a trace is written. */
struct orr_traced_run {
    const struct orr_app *app;
    const struct orr_app_values *values; /* complete */
    const struct orr_platform *platform; /* NULL: not known before it starts */
};

/*
 * A format of traces. A trace is written during the run, into drafts
 * (trace_file.h), which get their final names when all are complete.
 */
struct orr_trace_format {
    const char *name;   /* value of --trace-format */
    const char *suffix; /* suffix of its files, before ".gz"; NULL: a trace is a
                           folder */
    bool compresses;    /* ".gz" may follow */

    /* Returns the names of the files of the trace @path: NULL-terminated; free
     * with g_strfreev(). */
    char **(*files)(const char *path);

    /* Begins the trace @path of @run. NULL with @error: it cannot be written.
     */
    struct orr_trace *(*open)(const char *path,
                              const struct orr_traced_run *run, GError **error);

    /* Ends writing. @complete: the run finished; otherwise it hangs, and the
     * trace gets a mark if the format has one. Returns whether everything was
     * written. */
    bool (*finish)(struct orr_trace *trace, bool complete, GError **error);

    /* Moves the finished trace to its final name. */
    bool (*move)(struct orr_trace *trace, GError **error);

    /* Frees the trace. A draft that was not moved is removed. */
    void (*free)(struct orr_trace *trace);
};

extern const struct orr_trace_format orr_trace_csv;      /* trace_csv.c */
extern const struct orr_trace_format orr_trace_rec;      /* trace_rec.c */
extern const struct orr_trace_format orr_trace_starpu;   /* trace_rec.c */
extern const struct orr_trace_format orr_trace_starvz;   /* trace_starvz.c */
extern const struct orr_trace_format orr_trace_paje;     /* trace_paje.c */
extern const struct orr_trace_format orr_trace_json;     /* trace_json.c */
extern const struct orr_trace_format orr_trace_perfetto; /* trace_perfetto.c */

/* The power of devices over time, for --power; not a format of --trace. */
extern const struct orr_trace_format orr_trace_power; /* trace_power.c */

/* All, in the order in which messages name them; NULL-terminated. */
extern const struct orr_trace_format *const orr_trace_formats[];

/* The format @name, or NULL. */
const struct orr_trace_format *orr_trace_format_named(const char *name);

/* Returns the format called @name; if @name is NULL, the format for the suffix
 * of @path. NULL with ORR_ERROR_VALUE. */
const struct orr_trace_format *
orr_trace_format_of(const char *path, const char *name, GError **error);

#endif
