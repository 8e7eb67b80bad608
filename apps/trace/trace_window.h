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

/* Bytes of most names. */
enum { ORR_TRACE_SHORT = 16 };

struct orr_trace_bar {
    uint64_t order; /* this and others: see struct orr_trace_task */
    char *name;     /* @short_name or, if it is longer, owned */
    char short_name[ORR_TRACE_SHORT];
    int64_t submitted, ready, arrived;
    int64_t from, to;              /* of the kernel; @from may be changed by the
                                      caller */
    uint32_t before, before_count; /* arrows to it: the number of the first, and
                                      how many follow on each other */
    uint32_t after;                /* of the last arrow from it, once it leaves;
                                      0: none */
    unsigned lane;                 /* of the caller */
    int priority;
    unsigned coordinate_count;
    unsigned coordinates[ORR_MAX_COORDINATES];
};

/* A task in the window, as the tasks that await it find it. These come from all
 * over the window, so that it should fit into a cache. */
struct orr_trace_place {
    uint32_t task;  /* its order plus 1, modulo 2^32; 0: none */
    uint32_t after; /* the last arrow from it; 0: none */
    uint32_t bar;   /* index in the ring */
};

struct orr_trace_window {
    struct orr_trace_bar *bars;     /* owned; a ring */
    struct orr_trace_place *places; /* owned; by order of submission */
    uint32_t *arrows;     /* owned; a ring, by number: the previous arrow
                             from the same task; 0: none */
    uint64_t count;       /* of all tasks so far */
    uint64_t left;        /* those that left; they are the first */
    uint32_t arrow_count; /* of all so far; after 2^32 from 1 again */
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

/* Whether there is the arrow number @arrow, and it is not forgotten. */
bool orr_trace_window_has(const struct orr_trace_window *window,
                          uint32_t arrow);

/* The previous arrow from the same task as @arrow, which there is; 0: none. */
uint32_t orr_trace_window_previous(const struct orr_trace_window *window,
                                   uint32_t arrow);

#endif
