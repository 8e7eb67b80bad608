/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/ready.h"

#include "sched/host.h"

enum { ARITY = 4, FIRST_CAPACITY = 8 };

/*
 * A task in the heap. By now it may lack more bytes than noted here; this is
 * checked when it comes first.
 */
struct orr_ready_entry {
    struct orr_missing missing;
    uint64_t arrival; /* of the task */
    struct orr_task *task;
};

/*
 * The tasks of one priority. Members of a task: note is its rank, item its
 * place in the heap, touched the next in the list of stale tasks, where the
 * last one points to itself.
 */
struct orr_ready_rank {
    int priority;
    unsigned tasks;
    struct orr_task *stale;       /* list of tasks to be compared again */
    struct orr_ready_entry *heap; /* the best task first */
    unsigned count;               /* of entries in the heap */
    unsigned capacity;
};

static bool is_better(const struct orr_ready_entry *a,
                      const struct orr_ready_entry *b)
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
                const struct orr_ready_entry *entry)
{
    rank->heap[i] = *entry;
    entry->task->item.slot = i + 1;
}

/* Puts @entry into the free place @i of the heap, or further up. */
static void sift_up(struct orr_ready_rank *rank, unsigned i,
                    const struct orr_ready_entry *entry)
{
    while (i > 0 && is_better(entry, &rank->heap[(i - 1) / ARITY])) {
        put(rank, i, &rank->heap[(i - 1) / ARITY]);
        i = (i - 1) / ARITY;
    }
    put(rank, i, entry);
}

static unsigned best_child(const struct orr_ready_rank *rank, unsigned first)
{
    unsigned end = MIN(first + ARITY, rank->count), best = first;

    while (++first < end) {
        if (is_better(&rank->heap[first], &rank->heap[best]))
            best = first;
    }
    return best;
}

/* Puts @entry into the free place at the top of the heap, or further down. */
static void sift_down(struct orr_ready_rank *rank,
                      const struct orr_ready_entry *entry)
{
    unsigned i = 0;

    while (i * ARITY + 1 < rank->count) {
        unsigned child = best_child(rank, i * ARITY + 1);

        if (!is_better(&rank->heap[child], entry))
            break;
        put(rank, i, &rank->heap[child]);
        i = child;
    }
    put(rank, i, entry);
}

static void add(struct orr_ready_rank *rank,
                const struct orr_ready_entry *entry)
{
    if (rank->count == rank->capacity) {
        rank->capacity = MAX(2 * rank->capacity, (unsigned)FIRST_CAPACITY);
        rank->heap =
            g_renew(struct orr_ready_entry, rank->heap, rank->capacity);
    }
    sift_up(rank, rank->count++, entry);
}

static bool is_in_heap(const struct orr_task *task)
{
    return orr_heap_holds(&task->item);
}

/* Brings the memory of @task, the next but one of the stale tasks, into the
 * cache; before its first comparison, that of its job, too. */
static void prefetch_stale(const struct orr_task *task)
{
    if (!is_in_heap(task))
        orr_task_prefetch_cache(task);
    __builtin_prefetch(&task->touched->touched);
}

/* Removes and returns the first stale task of @rank. */
static struct orr_task *take_stale(const struct orr_ready *queue,
                                   struct orr_sched *sched,
                                   struct orr_ready_rank *rank)
{
    struct orr_task *task = rank->stale, *next = task->touched;

    task->touched = NULL;
    rank->stale = next != task ? next : NULL;
    if (rank->stale) {
        if (!is_in_heap(next))
            orr_sched_prefetch_cache(sched, next, queue->node);
        prefetch_stale(next->touched);
    }
    return task;
}

/* Compares the stale tasks of @rank again. */
static void refresh(const struct orr_ready *queue, struct orr_sched *sched,
                    struct orr_ready_rank *rank)
{
    while (rank->stale) {
        struct orr_task *task = take_stale(queue, sched, rank);
        struct orr_ready_entry entry = {
            .arrival = task->arrival,
            .task = task,
        };

        if (!is_in_heap(task)) /* the first time */
            orr_sched_watch(sched, task, queue->node);
        orr_sched_missing(sched, task, queue->node, &entry.missing);
        if (!is_in_heap(task))
            add(rank, &entry);
        else if (is_better(&entry, &rank->heap[task->item.slot - 1]))
            sift_up(rank, (unsigned)task->item.slot - 1, &entry);
    }
}

/* The best task of @rank, or NULL if there is none. Corrects the entries of
 * tasks that lack more bytes than noted. */
static const struct orr_ready_entry *first(const struct orr_ready *queue,
                                           struct orr_sched *sched,
                                           struct orr_ready_rank *rank)
{
    refresh(queue, sched, rank);
    while (rank->count > 0) {
        struct orr_ready_entry entry = rank->heap[0];

        orr_sched_missing(sched, entry.task, queue->node, &entry.missing);
        if (!is_better(&rank->heap[0], &entry))
            return &rank->heap[0];
        sift_down(rank, &entry);
    }
    return NULL;
}

static void mark(struct orr_task *task)
{
    struct orr_ready_rank *rank = task->note;

    task->touched = rank->stale ? rank->stale : task;
    rank->stale = task;
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

void orr_ready_clear(struct orr_ready *queue)
{
    for (unsigned i = 0; i < queue->capacity; i++) {
        g_free(queue->ranks[i]->heap);
        g_free(queue->ranks[i]);
    }
    g_free(queue->ranks);
    *queue = (struct orr_ready){.sorted = queue->sorted, .node = queue->node};
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
    struct orr_ready_rank *rank = rank_of(queue, task->priority);

    task->arrival = queue->arrivals++;
    task->note = rank;
    task->item.slot = 0;
    rank->tasks++;
    mark(task);
    if (!queue->sorted)
        chain(queue, task);
}

void orr_ready_touch(struct orr_task *task)
{
    if (!task->touched)
        mark(task);
}

/* The rank of the best candidate. */
static struct orr_ready_rank *find_best(struct orr_ready *queue,
                                        struct orr_sched *sched)
{
    unsigned i = queue->count - 1;
    int least =
        queue->sorted ? queue->ranks[i]->priority : queue->oldest->priority;
    struct orr_ready_rank *best = NULL;

    for (;; i--) {
        struct orr_ready_rank *rank = queue->ranks[i];
        const struct orr_ready_entry *entry = first(queue, sched, rank);

        if (entry && (!best || is_better(entry, &best->heap[0])))
            best = rank;
        if (rank->priority == least)
            return best;
    }
}

struct orr_task *orr_ready_pop(struct orr_ready *queue, struct orr_sched *sched)
{
    struct orr_ready_rank *rank;
    struct orr_task *task;

    if (queue->count == 0)
        return NULL;
    rank = find_best(queue, sched);
    task = rank->heap[0].task;
    rank->tasks--;
    if (--rank->count > 0) {
        sift_down(rank, &rank->heap[rank->count]);
        orr_task_prefetch_cache(rank->heap[0].task); /* the next, most often */
    }
    while (queue->count > 0 && queue->ranks[queue->count - 1]->tasks == 0)
        queue->count--;
    if (!queue->sorted)
        unchain(queue, task);
    task->item.slot = 0;
    task->note = NULL;
    return task;
}
