/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_FORMAT_H
#define ORR_TRACE_FORMAT_H

#include <glib.h>

#include "apps/settings/settings.h"
#include "runtime/orrery_trace.h"

/*
 * A format of traces. Each writes as the run goes, into drafts
 * (trace_file.h), so that nothing has its final name before all is complete.
 */
struct orr_trace_format {
    const char *name;   /* in --trace-format */
    const char *suffix; /* of names of files, before ".gz"; NULL: folders */
    bool compresses;    /* ".gz" may follow */

    /* The files that a trace @path consists of: NULL-terminated; free with
     * g_strfreev(). */
    char **(*files)(const char *path);

    /* Begins the trace @path of a run with these @settings. NULL with @error:
     * it cannot be written. */
    struct orr_trace *(*open)(const char *path,
                              const struct orr_settings *settings,
                              GError **error);

    /* Ends writing. @complete: the run came to its end; else it hangs, and the
     * trace has a mark, if its format can have one. Returns whether all reached
     * the file system. */
    bool (*finish)(struct orr_trace *trace, bool complete, GError **error);

    /* Moves the finished trace to its final name. */
    bool (*move)(struct orr_trace *trace, GError **error);

    /* Frees the trace. What was not moved is gone. */
    void (*free)(struct orr_trace *trace);
};

extern const struct orr_trace_format orr_trace_csv;      /* trace_csv.c */
extern const struct orr_trace_format orr_trace_rec;      /* trace_rec.c */
extern const struct orr_trace_format orr_trace_starpu;   /* trace_rec.c */
extern const struct orr_trace_format orr_trace_starvz;   /* trace_starvz.c */
extern const struct orr_trace_format orr_trace_paje;     /* trace_paje.c */
extern const struct orr_trace_format orr_trace_json;     /* trace_json.c */
extern const struct orr_trace_format orr_trace_perfetto; /* trace_perfetto.c */

/* What devices draw over time, for --power: no format of --trace. */
extern const struct orr_trace_format orr_trace_power; /* trace_power.c */

/* All, in the order in which messages name them; NULL-terminated. */
extern const struct orr_trace_format *const orr_trace_formats[];

/* As struct orr_trace_format::files, of a trace that is one file, or a folder.
 */
char **orr_trace_one_file(const char *path);
char **orr_trace_one_folder(const char *path);

/* The format @name, or NULL. */
const struct orr_trace_format *orr_trace_format_named(const char *name);

/* The format for the file @path: that which @name says, or, if it is NULL, that
 * of the name of the file. NULL with ORR_ERROR_VALUE. */
const struct orr_trace_format *
orr_trace_format_of(const char *path, const char *name, GError **error);

#endif
