/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WAITING_H
#define ORR_WAITING_H

#include <glib.h>
#include <stdbool.h>

/*
 * A queue of requests that wait to be started: the highest priority first,
 * then first come first served. One that was taken and could not be started
 * goes back to the front of those of its priority.
 *
 * Thousands of prefetches may wait, with few different priorities between
 * them. So each priority has a list of its own, and only the lists are kept
 * in order: what is added, taken or withdrawn moves nothing else.
 */
struct orr_decider;
struct orr_request;
struct orr_priority_list;

/* Zero-initialised is empty. */
struct orr_waiting {
    struct orr_priority_list *ranks; /* by priority, the highest last; never
                               empty there, but perhaps elsewhere */
    unsigned count, capacity;
    unsigned recent; /* rank that was last looked up */
};

/* Embedded in a request, beside whether it is queued. Private to waiting.c. */
struct orr_wait {
    struct orr_request *before, *behind; /* among those of its priority */
};

/* Frees the queue's memory; what is still in it is forgotten. */
void orr_waiting_clear(struct orr_waiting *waiting);

static inline bool orr_waiting_is_empty(const struct orr_waiting *waiting)
{
    return waiting->count == 0;
}

/* Puts @request, which is in no queue, behind those of its priority, */
void orr_waiting_append(struct orr_waiting *waiting,
                        struct orr_request *request);

/* or before them. */
void orr_waiting_prepend(struct orr_waiting *waiting,
                         struct orr_request *request);

/* Withdraws @request, which must be in @waiting. */
void orr_waiting_remove(struct orr_waiting *waiting,
                        struct orr_request *request);

/* The first request of the @rank-th priority, from the least on; those behind
 * it follow by their wait.behind. For diagnoses. */
const struct orr_request *orr_waiting_list(const struct orr_waiting *waiting,
                                           unsigned rank);

/* The next request; @waiting must not be empty. */
struct orr_request *orr_waiting_first(const struct orr_waiting *waiting);

/* The same, or another of its priority, if @decider, or NULL, says so. */
struct orr_request *orr_waiting_choose(const struct orr_waiting *waiting,
                                       struct orr_decider *decider);

#endif
