/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_FILES_H
#define ORR_TRACE_FILES_H

#include "apps/trace/trace_format.h"

/* The traces of one run: those of --trace, and observers in memory, behind one
 * interface. */
struct orr_trace_files {
    struct orr_trace trace; /* first; forwards all to the others */
    GPtrArray *parts;       /* struct orr_trace, borrowed */
    GArray *files;          /* those with a format */
};

/* Begins the traces of the settings. After a failure, with @error, it still
 * has to be cleared. Two traces must not write one file. */
bool orr_trace_files_open(struct orr_trace_files *files,
                          const struct orr_settings *settings, GError **error);

/* Adds a trace that is borrowed until the run is over; or NULL. */
void orr_trace_files_add(struct orr_trace_files *files, struct orr_trace *part);

/* The trace for the run, or NULL if there is none. */
struct orr_trace *orr_trace_files_trace(struct orr_trace_files *files);

/* Ends all traces, then moves all to their names: none has its name unless all
 * are complete. @complete: see struct orr_trace_format. */
bool orr_trace_files_finish(struct orr_trace_files *files, bool complete,
                            GError **error);

/* What was not moved is gone. */
void orr_trace_files_clear(struct orr_trace_files *files);

#endif
