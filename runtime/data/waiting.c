/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/waiting.h"

#include "runtime/data/request.h"
#include "runtime/engine/decision.h"
#include "runtime/run.h"

enum { FIRST_CAPACITY = 8 };

/* The requests of one priority. */
struct orr_priority_list {
    int priority;
    struct orr_request *first, *last;
};

void orr_waiting_clear(struct orr_waiting *waiting)
{
    g_free(waiting->ranks);
    *waiting = (struct orr_waiting){0};
}

/* The number of ranks of less than @priority. */
static unsigned search(const struct orr_waiting *waiting, int priority)
{
    unsigned low = 0, high = waiting->count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (waiting->ranks[middle].priority < priority)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_rank(struct orr_waiting *waiting, unsigned at, int priority)
{
    if (waiting->count == waiting->capacity) {
        waiting->capacity =
            MAX(2 * waiting->capacity, (unsigned)FIRST_CAPACITY);
        waiting->ranks = g_renew(struct orr_priority_list, waiting->ranks,
                                 waiting->capacity);
    }
    for (unsigned i = waiting->count++; i > at; i--)
        waiting->ranks[i] = waiting->ranks[i - 1];
    waiting->ranks[at] = (struct orr_priority_list){.priority = priority};
}

/* The data of a task are requested one after the other: hence recent. */
static struct orr_priority_list *rank_of(struct orr_waiting *waiting,
                                         int priority)
{
    unsigned at = waiting->recent;

    if (at >= waiting->count || waiting->ranks[at].priority != priority)
        at = search(waiting, priority);
    if (at == waiting->count || waiting->ranks[at].priority != priority)
        insert_rank(waiting, at, priority);
    waiting->recent = at;
    return &waiting->ranks[at];
}

void orr_waiting_append(struct orr_waiting *waiting,
                        struct orr_request *request)
{
    struct orr_priority_list *rank = rank_of(waiting, request->priority);

    g_assert(!request->queued);
    request->queued = true;
    request->wait = (struct orr_wait){.before = rank->last};
    if (rank->last)
        rank->last->wait.behind = request;
    else
        rank->first = request;
    rank->last = request;
}

void orr_waiting_prepend(struct orr_waiting *waiting,
                         struct orr_request *request)
{
    struct orr_priority_list *rank = rank_of(waiting, request->priority);

    g_assert(!request->queued);
    request->queued = true;
    request->wait = (struct orr_wait){.behind = rank->first};
    if (rank->first)
        rank->first->wait.before = request;
    else
        rank->last = request;
    rank->first = request;
}

/* @request has become the first of its priority: has it brought into the cache
 * what those who look at it next will ask, and the one behind it. */
static void prefetch_cache(const struct orr_request *request)
{
    __builtin_prefetch(request->wait.behind);
    __builtin_prefetch(request->data);
    __builtin_prefetch(request->to);
}

void orr_waiting_remove(struct orr_waiting *waiting,
                        struct orr_request *request)
{
    struct orr_wait *wait = &request->wait;

    g_assert(request->queued);
    request->queued = false;
    if (wait->before)
        wait->before->wait.behind = wait->behind;
    if (wait->behind)
        wait->behind->wait.before = wait->before;
    if (wait->before && wait->behind)
        return;
    if (!wait->before) {
        rank_of(waiting, request->priority)->first = wait->behind;
        if (wait->behind)
            prefetch_cache(wait->behind);
    }
    if (!wait->behind)
        rank_of(waiting, request->priority)->last = wait->before;
    while (waiting->count > 0 && !waiting->ranks[waiting->count - 1].first)
        waiting->count--;
}

struct orr_request *orr_waiting_first(const struct orr_waiting *waiting)
{
    return waiting->ranks[waiting->count - 1].first;
}

const struct orr_request *orr_waiting_list(const struct orr_waiting *waiting,
                                           unsigned rank)
{
    return waiting->ranks[rank].first;
}

/* Of one priority, so many of the first are as good as the first to a
 * decider. */
enum { ALIKE = 4 };

struct orr_request *orr_waiting_choose(const struct orr_waiting *waiting,
                                       struct orr_decider *decider)
{
    struct orr_request *request = orr_waiting_first(waiting);
    struct orr_request *requests[ALIKE];
    unsigned count = 0;

    if (!decider)
        return request;
    for (; request && count < ALIKE; request = request->wait.behind)
        requests[count++] = request;
    return requests[orr_decide(decider, ORR_DECIDE_COPY, count, NULL)];
}
