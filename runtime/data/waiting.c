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
    g_free(waiting->lists);
    *waiting = (struct orr_waiting){0};
}

/* The index of the first list whose priority is not below @priority. */
static unsigned search(const struct orr_waiting *waiting, int priority)
{
    unsigned low = 0, high = waiting->count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (waiting->lists[middle].priority < priority)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_list(struct orr_waiting *waiting, unsigned at, int priority)
{
    if (waiting->count == waiting->capacity) {
        waiting->capacity =
            MAX(2 * waiting->capacity, (unsigned)FIRST_CAPACITY);
        waiting->lists = g_renew(struct orr_priority_list, waiting->lists,
                                 waiting->capacity);
    }
    for (unsigned i = waiting->count++; i > at; i--)
        waiting->lists[i] = waiting->lists[i - 1];
    waiting->lists[at] = (struct orr_priority_list){.priority = priority};
}

/* Tries the recent list first: a task requests its data one after another. */
static struct orr_priority_list *list_of(struct orr_waiting *waiting,
                                         int priority)
{
    unsigned at = waiting->recent;

    if (at >= waiting->count || waiting->lists[at].priority != priority)
        at = search(waiting, priority);
    if (at == waiting->count || waiting->lists[at].priority != priority)
        insert_list(waiting, at, priority);
    waiting->recent = at;
    return &waiting->lists[at];
}

void orr_waiting_append(struct orr_waiting *waiting,
                        struct orr_request *request)
{
    struct orr_priority_list *list = list_of(waiting, request->priority);

    g_assert(!request->queued);
    request->queued = true;
    request->wait = (struct orr_wait){.before = list->last};
    if (list->last)
        list->last->wait.behind = request;
    else
        list->first = request;
    list->last = request;
}

void orr_waiting_prepend(struct orr_waiting *waiting,
                         struct orr_request *request)
{
    struct orr_priority_list *list = list_of(waiting, request->priority);

    g_assert(!request->queued);
    request->queued = true;
    request->wait = (struct orr_wait){.behind = list->first};
    if (list->first)
        list->first->wait.before = request;
    else
        list->last = request;
    list->first = request;
}

/* Loads what the driver reads of @request, now the first of its priority. */
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
        list_of(waiting, request->priority)->first = wait->behind;
        if (wait->behind)
            prefetch_cache(wait->behind);
    }
    if (!wait->behind)
        list_of(waiting, request->priority)->last = wait->before;
    while (waiting->count > 0 && !waiting->lists[waiting->count - 1].first)
        waiting->count--;
}

struct orr_request *orr_waiting_first(const struct orr_waiting *waiting)
{
    return waiting->lists[waiting->count - 1].first;
}

const struct orr_request *orr_waiting_list(const struct orr_waiting *waiting,
                                           unsigned index)
{
    return waiting->lists[index].first;
}

/* A decider chooses among this many first requests of one priority. */
enum { CHOICES = 4 };

struct orr_request *orr_waiting_choose(const struct orr_waiting *waiting,
                                       struct orr_decider *decider)
{
    struct orr_request *request = orr_waiting_first(waiting);
    struct orr_request *requests[CHOICES];
    unsigned count = 0;

    if (!decider)
        return request;
    for (; request && count < CHOICES; request = request->wait.behind)
        requests[count++] = request;
    return requests[orr_decide(decider, ORR_DECIDE_COPY, count, NULL)];
}
