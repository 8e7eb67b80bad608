/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_REC_H
#define ORR_TRACE_REC_H

#include "apps/settings/settings.h"
#include "runtime/orrery_trace.h"

/*
 * A trace as StarPU's starpu_fxt_tool writes it: tasks.rec and data.rec. The
 * graph is that which the application submits without a machine
 * (submitted.h), so two traces of one application differ in nothing but times
 * and workers: WorkerId, MemoryNode, SubmitTime, StartTime, EndTime, those of
 * kernels.
 */
bool orr_trace_rec_is_named(const char *path);

/* Returns NULL with @error: of the application, or because @path cannot be
 * written. */
struct orr_trace *orr_trace_rec_open(const char *path,
                                     const struct orr_settings *settings,
                                     GError **error);

/* Ends the trace and frees it. With @keep, writes both files; else, or if that
 * fails, what was there stays. NULL @trace is allowed. */
bool orr_trace_rec_close(struct orr_trace *trace, bool keep, GError **error);

#endif
