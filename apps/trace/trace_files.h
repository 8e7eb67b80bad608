/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_FILES_H
#define ORR_TRACE_FILES_H

#include "apps/settings/settings.h"
#include "apps/trace/trace_format.h"

/* All traces of one run, behind one interface: the files of --trace, and
 * observers in memory. */
struct orr_trace_files {
    struct orr_trace trace; /* first; forwards each event to all parts */
    GPtrArray *parts;       /* struct orr_trace, borrowed */
    GArray *files;          /* the parts that write files */
};

/* Opens the traces of @run that @outputs asks for. Clear @files also after a
 * failure, with @error. Two traces must not write one file. */
bool orr_trace_files_open(struct orr_trace_files *files,
                          const struct orr_output_settings *outputs,
                          const struct orr_traced_run *run, GError **error);

/* The run of the resolved @settings. */
struct orr_traced_run orr_traced_run(const struct orr_settings *settings);

/* Adds a trace, which may be NULL; borrowed until the run is over. */
void orr_trace_files_add(struct orr_trace_files *files, struct orr_trace *part);

/* Returns the trace to pass to the run; NULL if there are no parts. */
struct orr_trace *orr_trace_files_trace(struct orr_trace_files *files);

/* Ends all traces, and renames the drafts only if every trace is complete.
 * @complete: see struct orr_trace_format. */
bool orr_trace_files_finish(struct orr_trace_files *files, bool complete,
                            GError **error);

/* Frees the traces; drafts that were not renamed are removed. */
void orr_trace_files_clear(struct orr_trace_files *files);

#endif
