/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WAITING_H
#define ORR_WAITING_H

#include <glib.h>
#include <stdbool.h>

/*
 * A queue of requests that wait to be started: the highest priority first,
 * then first come, first served. A request that was taken but could not be
 * started goes back in front of those of its priority.
 *
 * Thousands of prefetches may wait, with few different priorities. So each
 * priority has a list of requests, and only the lists are sorted: adding,
 * taking or removing a request moves no other.
 */
struct orr_decider;
struct orr_request;
struct orr_priority_list;

/* Zero-initialised is empty. */
struct orr_waiting {
    struct orr_priority_list *lists; /* by ascending priority; only the last
                                        one is never empty */
    unsigned count, capacity;
    unsigned recent; /* index of the list that was last looked up */
};

/* Frees the queue's memory, not the requests that are still in it. */
void orr_waiting_clear(struct orr_waiting *waiting);

static inline bool orr_waiting_is_empty(const struct orr_waiting *waiting)
{
    return waiting->count == 0;
}

/* Puts @request, which is in no queue, behind those of its priority, or in
 * front of them. */
void orr_waiting_append(struct orr_waiting *waiting,
                        struct orr_request *request);
void orr_waiting_prepend(struct orr_waiting *waiting,
                         struct orr_request *request);

/* Removes @request, which must be in @waiting. */
void orr_waiting_remove(struct orr_waiting *waiting,
                        struct orr_request *request);

/* For diagnoses: the first request of list @index, or NULL; the others follow
 * by their wait.behind. */
const struct orr_request *orr_waiting_list(const struct orr_waiting *waiting,
                                           unsigned index);

/* The next request; @waiting must not be empty. */
struct orr_request *orr_waiting_first(const struct orr_waiting *waiting);

/* The next request, or another one of its priority if @decider, which may be
 * NULL, says so. */
struct orr_request *orr_waiting_choose(const struct orr_waiting *waiting,
                                       struct orr_decider *decider);

#endif
