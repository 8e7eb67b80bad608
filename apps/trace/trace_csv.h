/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_CSV_H
#define ORR_TRACE_CSV_H

#include <glib.h>
#include <stdbool.h>

#include "runtime/orrery_trace.h"

/*
 * Comma-separated values: tasks into @path, with the columns submit_order,
 * name, worker, priority, submit_ms, start_ms, end_ms, modes, kernel_start_ms,
 * kernel_end_ms; and copies beside it, into NAME.copies.csv for NAME.csv, with
 * the columns from, to, data, bytes, why, submit_ms, start_ms, end_ms. Tasks
 * are in order of completion.
 *
 * Both are drafts (models/base/file.h), which orr_trace_csv_close() moves into
 * place, so that a failure leaves what was there before.
 * Returns NULL with ORR_ERROR_IO if they cannot be created.
 */
struct orr_trace *orr_trace_csv_open(const char *path, GError **error);

/*
 * Ends the trace and frees it. With @keep, moves both files into place and
 * returns false with ORR_ERROR_IO if anything could not be written; otherwise
 * (the run failed) removes them. NULL @trace is allowed.
 */
bool orr_trace_csv_close(struct orr_trace *trace, bool keep, GError **error);

#endif
