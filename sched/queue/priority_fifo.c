/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/priority_fifo.h"

/* A list of tasks of one priority. */
struct orr_priority_fifo_chain {
    struct orr_heap_item item; /* first member: place in the heap of chains */
    int priority;
    struct orr_task *oldest, *newest;
    struct orr_priority_fifo_chain *next; /* unused */
};

static struct orr_priority_fifo_chain **recent(struct orr_priority_fifo *queue,
                                               int priority)
{
    return &queue->recent[(unsigned)priority % ORR_PRIORITY_FIFO_RECENT];
}

void orr_priority_fifo_clear(struct orr_priority_fifo *queue)
{
    for (size_t i = 0; i < queue->chains.count; i++)
        g_free(queue->chains.entries[i].item);
    orr_heap_clear(&queue->chains);
    while (queue->unused) {
        struct orr_priority_fifo_chain *chain = queue->unused;

        queue->unused = chain->next;
        g_free(chain);
    }
    *queue = (struct orr_priority_fifo){.unused = NULL};
}

static struct orr_priority_fifo_chain *
new_chain(struct orr_priority_fifo *queue, struct orr_task *task)
{
    struct orr_priority_fifo_chain *chain = queue->unused;

    if (chain)
        queue->unused = chain->next;
    else
        chain = g_new(struct orr_priority_fifo_chain, 1);
    *chain = (struct orr_priority_fifo_chain){
        .priority = task->priority,
        .oldest = task,
        .newest = task,
    };
    orr_heap_push(&queue->chains, &chain->item, -(int64_t)task->priority,
                  task->arrival);
    return chain;
}

void orr_priority_fifo_push(struct orr_priority_fifo *queue,
                            struct orr_task *task)
{
    struct orr_priority_fifo_chain **chain = recent(queue, task->priority);

    task->next = NULL;
    if (*chain && (*chain)->priority == task->priority) {
        (*chain)->newest->next = task;
        (*chain)->newest = task;
    } else {
        *chain = new_chain(queue, task);
    }
}

static struct orr_priority_fifo_chain *
first(const struct orr_priority_fifo *queue)
{
    if (queue->chains.count == 0)
        return NULL;
    return (struct orr_priority_fifo_chain *)orr_heap_first(&queue->chains)
        ->item;
}

void orr_priority_fifo_push_first(struct orr_priority_fifo *queue,
                                  struct orr_task *task)
{
    struct orr_priority_fifo_chain *chain = first(queue);

    if (chain && chain->priority == task->priority) {
        task->next = chain->oldest;
        chain->oldest = task;
    } else {
        struct orr_priority_fifo_chain **known = recent(queue, task->priority);

        task->next = NULL;
        chain = new_chain(queue, task);
        if (!*known)
            *known = chain;
    }
}

const struct orr_task *
orr_priority_fifo_first(const struct orr_priority_fifo *queue)
{
    const struct orr_priority_fifo_chain *chain = first(queue);

    return chain ? chain->oldest : NULL;
}

/* Removes the first chain, which is empty. */
static void drop_chain(struct orr_priority_fifo *queue,
                       struct orr_priority_fifo_chain *chain)
{
    struct orr_priority_fifo_chain **known = recent(queue, chain->priority);

    orr_heap_pop(&queue->chains);
    if (*known == chain)
        *known = NULL;
    chain->next = queue->unused;
    queue->unused = chain;
}

struct orr_task *orr_priority_fifo_pop(struct orr_priority_fifo *queue)
{
    struct orr_priority_fifo_chain *chain = first(queue);
    struct orr_task *task;

    if (!chain)
        return NULL;
    task = chain->oldest;
    chain->oldest = task->next;
    if (chain->oldest)
        orr_task_prefetch_cache_chain(chain->oldest);
    else
        drop_chain(queue, chain);
    return task;
}
