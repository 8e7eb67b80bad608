/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/waiting.h"

#include "runtime/data/store.h"
#include "runtime/engine/decision.h"

enum { FIRST_CAPACITY = 8 };

static bool is_empty(const struct orr_priority_list *list)
{
    return list->ends.behind == &list->ends;
}

void orr_waiting_clear(struct orr_waiting *waiting)
{
    for (unsigned i = 0; i < waiting->capacity; i++)
        g_free(waiting->lists[i]);
    g_free(waiting->lists);
    *waiting = (struct orr_waiting){0};
}

/* The index of the first list whose priority is not below @priority. */
static unsigned search(const struct orr_waiting *waiting, int priority)
{
    unsigned low = 0, high = waiting->count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (waiting->lists[middle]->priority < priority)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Behind the lists in use come some that were, then NULLs. */
static struct orr_priority_list *take_spare(struct orr_waiting *waiting)
{
    struct orr_priority_list **spare;

    if (waiting->count == waiting->capacity) {
        unsigned capacity =
            MAX(2 * waiting->capacity, (unsigned)FIRST_CAPACITY);

        waiting->lists =
            g_renew(struct orr_priority_list *, waiting->lists, capacity);
        for (; waiting->capacity < capacity; waiting->capacity++)
            waiting->lists[waiting->capacity] = NULL;
    }
    spare = &waiting->lists[waiting->count++];
    if (!*spare)
        *spare = g_new(struct orr_priority_list, 1);
    return *spare;
}

static struct orr_priority_list *insert_list(struct orr_waiting *waiting,
                                             unsigned at, int priority)
{
    struct orr_priority_list *list = take_spare(waiting);

    list->ends = (struct orr_wait){&list->ends, &list->ends};
    list->priority = priority;
    for (unsigned i = waiting->count - 1; i > at; i--)
        waiting->lists[i] = waiting->lists[i - 1];
    waiting->lists[at] = list;
    return list;
}

void orr_waiting_find_list(struct orr_waiting *waiting, int priority)
{
    unsigned at;

    if (!waiting->top)
        waiting->count = 0;
    at = search(waiting, priority);
    if (at < waiting->count && waiting->lists[at]->priority == priority)
        waiting->recent = waiting->lists[at];
    else
        waiting->recent = insert_list(waiting, at, priority);
}

/* Lists above the new top are spare. Without one, the lowest list stays the
 * recent one: often all requests have the same priority. */
void orr_waiting_lower_top(struct orr_waiting *waiting)
{
    unsigned count = waiting->count;

    while (count > 0 && is_empty(waiting->lists[count - 1]))
        count--;
    waiting->count = MAX(count, 1u);
    waiting->recent = waiting->lists[waiting->count - 1];
    waiting->top = count > 0 ? waiting->recent : NULL;
}

const struct orr_request *orr_waiting_next(const struct orr_waiting *waiting,
                                           unsigned index,
                                           const struct orr_request *request)
{
    const struct orr_wait *ends = &waiting->lists[index]->ends;
    const struct orr_wait *next = request ? request->wait.behind : ends->behind;

    return next == ends ? NULL : (const struct orr_request *)next;
}

/* A decider chooses among this many first requests of one priority. */
enum { CHOICES = 4 };

struct orr_request *orr_waiting_choose(const struct orr_waiting *waiting,
                                       struct orr_decider *decider)
{
    const struct orr_wait *ends = &waiting->top->ends;
    struct orr_wait *waits[CHOICES];
    unsigned count = 0;

    for (struct orr_wait *wait = ends->behind; wait != ends && count < CHOICES;
         wait = wait->behind)
        waits[count++] = wait;
    return (struct orr_request *)
        waits[orr_decide(decider, ORR_DECIDE_COPY, count, NULL)];
}
