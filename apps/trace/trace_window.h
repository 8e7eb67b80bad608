/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_WINDOW_H
#define ORR_TRACE_WINDOW_H

#include <glib.h>

#include "runtime/orrery.h"
#include "runtime/orrery_trace.h"

/*
 * The tasks that ended last, for formats in which a task lists its outgoing
 * dependencies: these are known only when its successors have ended. The window
 * has a maximum size; the oldest task leaves first.
 *
 * A dependency is an arrow, numbered from 1. Memory is bounded: no arrow is
 * drawn if ORR_TRACE_WINDOW or more tasks ended between the two tasks, and an
 * arrow is dropped when there are ORR_TRACE_ARROWS newer ones.
 */
enum { ORR_TRACE_WINDOW = 1 << 15, ORR_TRACE_ARROWS = 1 << 18 };

/* Longer names are allocated. */
enum { ORR_TRACE_SHORT = 16 };

struct orr_trace_bar {
    uint64_t order; /* see struct orr_trace_task */
    char *name;     /* @short_name or, if it is longer, owned */
    char short_name[ORR_TRACE_SHORT];
    int64_t submitted, ready, arrived;
    int64_t from, to; /* dates of the kernel; the caller may change @from */
    uint32_t before,
        before_count; /* arrows to this task: number of the first one, and their
                         count; numbers are consecutive */
    uint32_t
        after; /* set when the task leaves: the last arrow from it; 0: none */
    unsigned lane; /* set and used by the caller */
    int priority;
    unsigned coordinate_count;
    unsigned coordinates[ORR_MAX_COORDINATES];
};

/* An entry of the hash table in which a task finds its parents. Accesses are
 * random, so the table should fit into a cache. */
struct orr_trace_place {
    uint32_t task;  /* order of the task plus 1, modulo 2^32; 0: none */
    uint32_t after; /* the last arrow from it; 0: none */
    uint32_t bar;   /* index in the ring */
};

struct orr_trace_window {
    struct orr_trace_bar *bars;     /* owned; a ring */
    struct orr_trace_place *places; /* owned; by order of submission */
    uint32_t *arrows; /* owned; a ring, by number: the previous arrow
                         from the same task; 0: none */
    uint64_t count;   /* number of tasks added so far */
    uint64_t left;    /* number of tasks that left, the first ones */
    uint32_t
        arrow_count; /* number of arrows so far; continues from 1 after 2^32 */
};

void orr_trace_window_init(struct orr_trace_window *window);
void orr_trace_window_clear(struct orr_trace_window *window);

/* Removes the oldest task; borrowed until the next task is added. NULL: the
 * window is empty or, unless @all, not full. */
const struct orr_trace_bar *
orr_trace_window_leave(struct orr_trace_window *window, bool all);

/* Adds @task to the window, which must not be full, with arrows from its
 * parents. Returns it for the caller to complete; borrowed. */
struct orr_trace_bar *orr_trace_window_add(struct orr_trace_window *window,
                                           const struct orr_trace_task *task);

/* Whether arrow number @arrow exists and has not been dropped. */
bool orr_trace_window_has(const struct orr_trace_window *window,
                          uint32_t arrow);

/* Returns the previous arrow from the task of @arrow, which exists; 0: none. */
uint32_t orr_trace_window_previous(const struct orr_trace_window *window,
                                   uint32_t arrow);

#endif
