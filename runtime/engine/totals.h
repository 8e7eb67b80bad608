/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOTALS_H
#define ORR_TOTALS_H

#include "runtime/digest.h"
#include "runtime/orrery.h"
#include "runtime/orrery_trace.h"

/* The report and the trace of a run, and their counters. */
struct orr_totals {
    struct orr_trace *trace; /* borrowed, or NULL; passed to functions */
    struct orr_trace calls;  /* the functions of @trace */
    struct orr_report report;
    struct orr_worker_report *workers;
    char *models;
    struct orr_digest digest;
    /* see struct orr_trace_ready; valid if it is traced */
    uint64_t ready;
    orr_time first_submission;
    orr_time last_completion;
};

#endif
