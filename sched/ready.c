/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/ready.h"

#include "sched/host.h"

enum { FIRST_CAPACITY = 8 };

/* What the queue knows of a task: one cache line, since it is touched often. */
struct orr_ready_node {
    struct orr_ready_rank *rank;
    struct orr_ready_node *next; /* of those to be looked at, or unused */
    unsigned place;              /* in the heap, from 1; 0: not in it yet */
    bool stale;                  /* in the chain of those to be looked at */
    struct orr_task *task;
    uint64_t arrival; /* the task's */
    struct orr_missing missing;
};

/* The tasks of one priority. */
struct orr_ready_rank {
    int priority;
    unsigned tasks;
    struct orr_ready_node *stale; /* chain of those to be looked at */
    struct orr_ready_node **heap; /* binary, the best first */
    unsigned count;               /* in the heap */
    unsigned capacity;
};

static bool is_better(const struct orr_ready_node *a,
                      const struct orr_ready_node *b)
{
    const struct orr_missing *x = &a->missing, *y = &b->missing;

    if (x->invalid_bytes != y->invalid_bytes)
        return x->invalid_bytes < y->invalid_bytes;
    if (x->unstarted_bytes != y->unstarted_bytes)
        return x->unstarted_bytes < y->unstarted_bytes;
    if (x->unallocated_bytes != y->unallocated_bytes)
        return x->unallocated_bytes < y->unallocated_bytes;
    return a->arrival < b->arrival;
}

static void put(struct orr_ready_rank *rank, unsigned i,
                struct orr_ready_node *node)
{
    rank->heap[i] = node;
    node->place = i + 1;
}

/* Puts @node in the hole at @i of the heap, or wherever it belongs. */
static void settle(struct orr_ready_rank *rank, unsigned i,
                   struct orr_ready_node *node)
{
    unsigned child;

    while (i > 0 && is_better(node, rank->heap[(i - 1) / 2])) {
        put(rank, i, rank->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    while ((child = 2 * i + 1) < rank->count) {
        if (child + 1 < rank->count &&
            is_better(rank->heap[child + 1], rank->heap[child]))
            child++;
        if (!is_better(rank->heap[child], node))
            break;
        put(rank, i, rank->heap[child]);
        i = child;
    }
    put(rank, i, node);
}

static void add(struct orr_ready_rank *rank, struct orr_ready_node *node)
{
    if (rank->count == rank->capacity) {
        rank->capacity = MAX(2 * rank->capacity, (unsigned)FIRST_CAPACITY);
        rank->heap =
            g_renew(struct orr_ready_node *, rank->heap, rank->capacity);
    }
    settle(rank, rank->count++, node);
}

static void withdraw(struct orr_ready_rank *rank, struct orr_ready_node *node)
{
    unsigned i = node->place - 1;
    struct orr_ready_node *last = rank->heap[--rank->count];

    if (last != node)
        settle(rank, i, last);
    rank->tasks--;
}

/* @node is the next but one to be looked at: has its job brought into the
 * cache, where those behind it come one step after the other. */
static void approach(const struct orr_ready_node *node)
{
    const struct orr_ready_node *behind = node->next;

    orr_task_approach(node->task);
    if (!behind)
        return;
    __builtin_prefetch(&behind->task->job);
    __builtin_prefetch(behind->next);
}

/* Looks again at the tasks of @rank that were touched. */
static void refresh(struct orr_ready *queue, struct orr_sched *sched,
                    struct orr_ready_rank *rank)
{
    while (rank->stale) {
        struct orr_ready_node *node = rank->stale;

        rank->stale = node->next;
        if (rank->stale) {
            orr_sched_approach(sched, rank->stale->task, queue->node);
            if (rank->stale->next)
                approach(rank->stale->next);
        }
        node->stale = false;
        if (node->place == 0) /* the first time */
            orr_sched_watch(sched, node->task, queue->node);
        orr_sched_missing(sched, node->task, queue->node, &node->missing);
        if (node->place == 0)
            add(rank, node);
        else
            settle(rank, node->place - 1, node);
    }
}

static void mark(struct orr_ready_node *node)
{
    node->stale = true;
    node->next = node->rank->stale;
    node->rank->stale = node;
}

static void insert_rank(struct orr_ready *queue, unsigned at, int priority)
{
    struct orr_ready_rank *spare;

    if (queue->count == queue->capacity) {
        unsigned capacity = MAX(2 * queue->capacity, (unsigned)FIRST_CAPACITY);

        queue->ranks = g_renew(struct orr_ready_rank *, queue->ranks, capacity);
        for (unsigned i = queue->capacity; i < capacity; i++)
            queue->ranks[i] = g_new0(struct orr_ready_rank, 1);
        queue->capacity = capacity;
    }
    spare = queue->ranks[queue->count];
    for (unsigned i = queue->count++; i > at; i--)
        queue->ranks[i] = queue->ranks[i - 1];
    queue->ranks[at] = spare;
    spare->priority = priority;
}

static struct orr_ready_rank *rank_of(struct orr_ready *queue, int priority)
{
    unsigned low = 0, high = queue->count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (queue->ranks[middle]->priority < priority)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == queue->count || queue->ranks[low]->priority != priority)
        insert_rank(queue, low, priority);
    return queue->ranks[low];
}

/* Frees the nodes of @rank: those not in the heap have not been looked at. */
static void clear_rank(struct orr_ready_rank *rank)
{
    while (rank->stale) {
        struct orr_ready_node *node = rank->stale;

        rank->stale = node->next;
        if (node->place == 0)
            g_free(node);
    }
    for (unsigned i = 0; i < rank->count; i++)
        g_free(rank->heap[i]);
    g_free(rank->heap);
    g_free(rank);
}

void orr_ready_clear(struct orr_ready *queue)
{
    for (unsigned i = 0; i < queue->capacity; i++)
        clear_rank(queue->ranks[i]);
    g_free(queue->ranks);
    while (queue->unused) {
        struct orr_ready_node *node = queue->unused;

        queue->unused = node->next;
        g_free(node);
    }
    *queue = (struct orr_ready){.sorted = queue->sorted, .node = queue->node};
}

static struct orr_ready_node *new_node(struct orr_ready *queue)
{
    struct orr_ready_node *node = queue->unused;

    if (!node)
        return g_new(struct orr_ready_node, 1);
    queue->unused = node->next;
    return node;
}

static void free_node(struct orr_ready *queue, struct orr_ready_node *node)
{
    node->next = queue->unused;
    queue->unused = node;
}

static void chain(struct orr_ready *queue, struct orr_task *task)
{
    task->next = NULL;
    task->prev = queue->newest;
    if (queue->newest)
        queue->newest->next = task;
    else
        queue->oldest = task;
    queue->newest = task;
}

static void unchain(struct orr_ready *queue, struct orr_task *task)
{
    if (task->prev)
        task->prev->next = task->next;
    else
        queue->oldest = task->next;
    if (task->next)
        task->next->prev = task->prev;
    else
        queue->newest = task->prev;
}

void orr_ready_push(struct orr_ready *queue, struct orr_task *task)
{
    struct orr_ready_node *node = new_node(queue);

    task->arrival = queue->arrivals++;
    task->note = node;
    *node = (struct orr_ready_node){
        .rank = rank_of(queue, task->priority),
        .task = task,
        .arrival = task->arrival,
    };
    node->rank->tasks++;
    mark(node);
    if (!queue->sorted)
        chain(queue, task);
}

void orr_ready_touch(struct orr_task *task)
{
    struct orr_ready_node *node = task->note;

    if (!node->stale)
        mark(node);
}

/* The best task among those of at least the priority of the head. */
static struct orr_ready_node *find_best(struct orr_ready *queue,
                                        struct orr_sched *sched)
{
    unsigned i = queue->count - 1;
    int least =
        queue->sorted ? queue->ranks[i]->priority : queue->oldest->priority;
    struct orr_ready_node *best = NULL;

    for (;; i--) {
        struct orr_ready_rank *rank = queue->ranks[i];

        refresh(queue, sched, rank);
        if (rank->count > 0 && (!best || is_better(rank->heap[0], best)))
            best = rank->heap[0];
        if (rank->priority == least)
            return best;
    }
}

struct orr_task *orr_ready_pop(struct orr_ready *queue, struct orr_sched *sched)
{
    struct orr_ready_node *node;
    struct orr_task *task;

    if (queue->count == 0)
        return NULL;
    node = find_best(queue, sched);
    task = node->task;
    withdraw(node->rank, node);
    while (queue->count > 0 && queue->ranks[queue->count - 1]->tasks == 0)
        queue->count--;
    if (!queue->sorted)
        unchain(queue, task);
    free_node(queue, node);
    task->note = NULL;
    return task;
}
