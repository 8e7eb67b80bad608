/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_WINDOW_H
#define ORR_TRACE_WINDOW_H

#include <glib.h>

#include "runtime/orrery.h"
#include "runtime/orrery_trace.h"

/*
 * The tasks that ended last, for formats in which a task names the dependencies
 * that begin at it: those are known only when the tasks after it have ended. A
 * task leaves when it is the oldest of many.
 *
 * A dependency is an arrow with a number, from 1. Memory is bounded: there is
 * no arrow if ORR_TRACE_WINDOW tasks or more ended after the first of the two,
 * and an arrow is forgotten when there are ORR_TRACE_ARROWS newer ones.
 */
enum { ORR_TRACE_WINDOW = 1 << 15, ORR_TRACE_ARROWS = 1 << 18 };

struct orr_trace_bar {
    uint64_t order; /* this and others: see struct orr_trace_task */
    char *name;     /* owned */
    int64_t submitted, ready, arrived;
    int64_t from, to; /* of the kernel; @from may be changed by the caller */
    uint64_t before;  /* number of the last arrow to it; 0: none */
    uint64_t after;   /* of the last arrow from it */
    unsigned lane;    /* of the caller */
    int priority;
    unsigned coordinate_count;
    unsigned coordinates[ORR_MAX_COORDINATES];
};

struct orr_trace_arrow {
    uint64_t before; /* number of the previous arrow to the same task; or 0 */
    uint64_t after;  /* of the previous arrow from the same task */
};

struct orr_trace_window {
    struct orr_trace_bar *bars;     /* owned; a ring */
    uint32_t *places;               /* owned; of bars, by order of submission */
    struct orr_trace_arrow *arrows; /* owned; a ring */
    uint64_t count;                 /* of all tasks so far */
    uint64_t left;                  /* those that left; they are the first */
    uint64_t arrow_count;           /* of all so far */
};

void orr_trace_window_init(struct orr_trace_window *window);
void orr_trace_window_clear(struct orr_trace_window *window);

/* Takes the oldest task out: borrowed until the next task is added. NULL: there
 * is none or, without @all, there is room for another. */
const struct orr_trace_bar *
orr_trace_window_leave(struct orr_trace_window *window, bool all);

/* Adds @task, for which there is room, with the arrows from its parents.
 * Returns it, for the caller to complete; borrowed. */
struct orr_trace_bar *orr_trace_window_add(struct orr_trace_window *window,
                                           const struct orr_trace_task *task);

/* The arrow number @arrow, or NULL if there is none or it is forgotten. */
const struct orr_trace_arrow *
orr_trace_window_arrow(const struct orr_trace_window *window, uint64_t arrow);

#endif
