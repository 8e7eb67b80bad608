/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_COUNTERS_H
#define ORR_TRACE_COUNTERS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Figures over time, which hold from one date to the next: the number of ready
 * tasks, bytes in a memory, bytes per second between memories. They have
 * numbers from 0. What holds for no time is left out.
 *
 * Copies are told when they end, so a rate is known only when those that began
 * before have ended. Memory is bounded: of ORR_TRACE_STEPS changes of rates or
 * more that wait for earlier ones, the earliest does not wait any more.
 */
enum { ORR_TRACE_STEPS = 1 << 10 };

struct orr_trace_counters {
    /* Called with each value of each figure, in order of its dates. */
    void (*put)(void *data, unsigned figure, int64_t from, int64_t to,
                int64_t value);
    void *data;

    /* Private. */
    GArray *values;               /* struct orr_trace_value */
    struct orr_trace_step *steps; /* owned; a ring of those that wait, sorted
                                     by date */
    size_t first, step_count;     /* in it */
};

/* @put and @data have to be set. */
void orr_trace_counters_init(struct orr_trace_counters *counters);
void orr_trace_counters_clear(struct orr_trace_counters *counters);

/* @figure is @value from @date on; dates of a figure ascend. It was 0 before.
 */
void orr_trace_counters_set(struct orr_trace_counters *counters,
                            unsigned figure, int64_t date, int64_t value);

/* Also @bytes pass evenly from @from to @to: @figure is a rate, in bytes/s,
 * which is not set otherwise. */
void orr_trace_counters_pass(struct orr_trace_counters *counters,
                             unsigned figure, int64_t from, int64_t to,
                             uint64_t bytes);

/* Ends all figures, at @end or when they change last. */
void orr_trace_counters_end(struct orr_trace_counters *counters, int64_t end);

#endif
