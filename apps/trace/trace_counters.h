/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_COUNTERS_H
#define ORR_TRACE_COUNTERS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Figures over time, constant from one date to the next: the number of ready
 * tasks, bytes in a memory, bytes per second between memories. They are
 * numbered from 0. Values that last for no time are left out.
 *
 * Copies are reported when they end, so a rate is known only when all copies
 * that began before have ended: changes of rates are pending until then. Memory
 * is bounded: if ORR_TRACE_STEPS changes are pending, the earliest is applied.
 */
enum { ORR_TRACE_STEPS = 1 << 10 };

struct orr_trace_counters {
    /* Called with each value of each figure, in order of its dates. */
    void (*put)(void *data, unsigned figure, int64_t from, int64_t to,
                int64_t value);
    void *data;

    /* Private. */
    GArray *values; /* struct orr_trace_value */
    struct orr_trace_step
        *steps;               /* ring of pending steps, sorted by date; owned */
    size_t first, step_count; /* of the ring */
};

/* The caller has set @put and @data. */
void orr_trace_counters_init(struct orr_trace_counters *counters);
void orr_trace_counters_clear(struct orr_trace_counters *counters);

/* Sets @figure to @value from @date on; dates of a figure ascend. It was 0 at
 * first. */
void orr_trace_counters_set(struct orr_trace_counters *counters,
                            unsigned figure, int64_t date, int64_t value);

/* Adds a copy of @bytes, spread evenly from @from to @to, to the rate @figure,
 * in bytes/s. Do not call orr_trace_counters_set() for a rate. */
void orr_trace_counters_pass(struct orr_trace_counters *counters,
                             unsigned figure, int64_t from, int64_t to,
                             uint64_t bytes);

/* Ends all figures, at @end or at their last change if that is later. */
void orr_trace_counters_end(struct orr_trace_counters *counters, int64_t end);

#endif
