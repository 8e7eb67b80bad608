/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WAITING_H
#define ORR_WAITING_H

#include <glib.h>
#include <stdbool.h>

#include "runtime/data/request.h"

/*
 * A queue of requests that wait to be started: the highest priority first, then
 * first come, first served. A request that was taken but could not be started
 * returns to the front of its priority.
 *
 * Thousands of prefetches may wait, with few different priorities. So each
 * priority has a list of requests, and only the lists are sorted: to add or
 * remove a request moves no other request. A list is a ring through itself, so
 * that a request leaves it without looking for it.
 */
struct orr_decider;

/* The requests of one priority. */
struct orr_priority_list {
    /* head of the ring: before the first request, behind the last */
    struct orr_wait ends;
    int priority;
};

/* Zero-initialised is empty. */
struct orr_waiting {
    /* list with the highest priority that has requests, or NULL */
    struct orr_priority_list *top;
    struct orr_priority_list *recent; /* the list used last, or NULL */
    /* by ascending priority, the top last; while @top is NULL, their priorities
     * are undefined */
    struct orr_priority_list **lists;
    unsigned count, capacity;
};

/* Frees the queue's memory, not the requests that are still in it. */
void orr_waiting_clear(struct orr_waiting *waiting);

static inline bool orr_waiting_is_empty(const struct orr_waiting *waiting)
{
    return !waiting->top;
}

/* Private: makes the list of @priority the recent one. */
void orr_waiting_find_list(struct orr_waiting *waiting, int priority);

/* Private: the top list has become empty. */
void orr_waiting_lower_top(struct orr_waiting *waiting);

/* Private: puts @request between two neighbours in @list. */
static inline void orr_waiting_insert(struct orr_waiting *waiting,
                                      struct orr_request *request,
                                      struct orr_priority_list *list,
                                      struct orr_wait *before,
                                      struct orr_wait *behind)
{
    request->queued = true;
    request->wait = (struct orr_wait){before, behind};
    before->behind = &request->wait;
    behind->before = &request->wait;
    if (!waiting->top || waiting->top->priority < list->priority)
        waiting->top = list;
}

/* Whether the list of @priority is the recent one. It often is: a task
 * requests its data one after another. */
static inline bool orr_waiting_is_recent(const struct orr_waiting *waiting,
                                         int priority)
{
    return waiting->recent && waiting->recent->priority == priority;
}

/* Private: the list of @priority. */
static inline struct orr_priority_list *
orr_waiting_list_of(struct orr_waiting *waiting, int priority)
{
    if (!orr_waiting_is_recent(waiting, priority))
        orr_waiting_find_list(waiting, priority);
    return waiting->recent;
}

/* Adds @request, which is in no queue, behind (append) or in front of (prepend)
 * all others of its priority. */
static inline void orr_waiting_append(struct orr_waiting *waiting,
                                      struct orr_request *request)
{
    struct orr_priority_list *list =
        orr_waiting_list_of(waiting, request->priority);

    orr_waiting_insert(waiting, request, list, list->ends.before, &list->ends);
}

static inline void orr_waiting_prepend(struct orr_waiting *waiting,
                                       struct orr_request *request)
{
    struct orr_priority_list *list =
        orr_waiting_list_of(waiting, request->priority);

    orr_waiting_insert(waiting, request, list, &list->ends, list->ends.behind);
}

/* Removes @request, which must be in @waiting. */
static inline void orr_waiting_remove(struct orr_waiting *waiting,
                                      struct orr_request *request)
{
    struct orr_wait *before = request->wait.before;
    struct orr_wait *behind = request->wait.behind;

    request->queued = false;
    before->behind = behind;
    behind->before = before;
    if (before == behind && before == &waiting->top->ends)
        orr_waiting_lower_top(waiting);
}

/* The next request; @waiting must not be empty. */
static inline struct orr_request *
orr_waiting_first(const struct orr_waiting *waiting)
{
    return (struct orr_request *)waiting->top->ends.behind;
}

/* For diagnoses: the request behind @request, the first one if it is NULL, in
 * the list @index; NULL: it is the last one. */
const struct orr_request *orr_waiting_next(const struct orr_waiting *waiting,
                                           unsigned index,
                                           const struct orr_request *request);

/* The next request, or another one of its priority if @decider says so. */
struct orr_request *orr_waiting_choose(const struct orr_waiting *waiting,
                                       struct orr_decider *decider);

#endif
