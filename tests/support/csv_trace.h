/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TEST_CSV_TRACE_H
#define ORR_TEST_CSV_TRACE_H

#include "apps/trace/trace_format.h"

/* Begins a trace in CSV. */
static inline struct orr_trace *open_csv(const char *path, GError **error)
{
    return orr_trace_csv.open(path, NULL, error);
}

/* Ends a trace. With @keep, it gets its name; otherwise nothing is left. */
static inline bool close_csv(struct orr_trace *trace, bool keep, GError **error)
{
    bool kept = !keep || (orr_trace_csv.finish(trace, true, error) &&
                          orr_trace_csv.move(trace, error));

    orr_trace_csv.free(trace);
    return kept;
}

#endif
