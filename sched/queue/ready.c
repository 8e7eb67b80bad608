/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/ready.h"

#include "sched/host.h"

enum { ARITY = 4, FIRST_CAPACITY = 8 };

/*
 * A task in the heap. The bytes that it lacks are packed, so that comparing
 * takes few instructions: from the highest bit, the invalid, the unstarted and
 * the unallocated bytes.
 */
struct orr_ready_entry {
    uint64_t high, low;
    uint64_t arrival; /* of the task */
    struct orr_task *task;
};

enum { BYTES_BITS = 42 }; /* of each of the three; larger values count equal */

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

static uint64_t bounded(uint64_t bytes)
{
    return MIN(bytes, ((uint64_t)1 << BYTES_BITS) - 1);
}

static struct orr_ready_entry entry_of(struct orr_task *task,
                                       const struct orr_missing *missing)
{
    uint64_t unstarted = bounded(missing->unstarted_bytes);

    return (struct orr_ready_entry){
        .high = bounded(missing->invalid_bytes) << (64 - BYTES_BITS) |
                unstarted >> (2 * BYTES_BITS - 64),
        .low = unstarted << (128 - 2 * BYTES_BITS) |
               bounded(missing->unallocated_bytes),
        .arrival = task->arrival,
        .task = task,
    };
}

static bool is_better(const struct orr_ready_entry *a,
                      const struct orr_ready_entry *b)
{
    if (a->high != b->high)
        return a->high < b->high;
    return a->low != b->low ? a->low < b->low : a->arrival < b->arrival;
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

static inline const struct orr_ready_entry *
better_of(const struct orr_ready_entry *a, const struct orr_ready_entry *b)
{
    return is_better(b, a) ? b : a;
}

/* The best of the siblings from @first to before @end. */
static inline const struct orr_ready_entry *
best_child(const struct orr_ready_entry *first,
           const struct orr_ready_entry *end)
{
    const struct orr_ready_entry *best = first;

    if (first + ARITY <= end) /* unrolled: most time of a pop is spent here */
        return better_of(better_of(first, first + 1),
                         better_of(first + 2, first + 3));
    while (++first < end)
        best = better_of(best, first);
    return best;
}

/* Puts @entry into the free place @i of the heap, or further down. */
static void sift_down(struct orr_ready_rank *rank, unsigned i,
                      const struct orr_ready_entry *entry)
{
    while (i * ARITY + 1 < rank->count) {
        const struct orr_ready_entry *child =
            best_child(&rank->heap[i * ARITY + 1], &rank->heap[rank->count]);

        if (!is_better(child, entry))
            break;
        put(rank, i, child);
        i = (unsigned)(child - rank->heap);
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

/* Moves the entry of a task that lacks more or fewer bytes than before. */
static void change(struct orr_ready_rank *rank,
                   const struct orr_ready_entry *entry)
{
    unsigned i = (unsigned)entry->task->item.slot - 1;

    if (is_better(entry, &rank->heap[i]))
        sift_up(rank, i, entry);
    else
        sift_down(rank, i, entry);
}

static bool is_in_heap(const struct orr_task *task)
{
    return orr_heap_holds(&task->item);
}

/* Prefetches the memory of @task, the next but one of the stale tasks, into the
 * cache; before its first comparison, the memory of its job, too. */
static void prefetch_stale(const struct orr_task *task)
{
    if (!is_in_heap(task))
        orr_task_prefetch_cache(task);
    __builtin_prefetch(&task->touched->touched);
}

/* Removes and returns the first stale task of @rank. */
static struct orr_task *pop_stale(const struct orr_ready *queue,
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
        struct orr_task *task = pop_stale(queue, sched, rank);
        struct orr_missing missing;
        struct orr_ready_entry entry;

        if (is_in_heap(task))
            orr_sched_missing(sched, task, queue->node, &missing);
        else
            orr_sched_begin_watch(sched, task, queue->node, &missing);
        entry = entry_of(task, &missing);
        if (is_in_heap(task))
            change(rank, &entry);
        else
            add(rank, &entry);
    }
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

static struct orr_ready_rank *search(struct orr_ready *queue, int priority)
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

static struct orr_ready_rank *rank_of(struct orr_ready *queue, int priority)
{
    struct orr_ready_rank **recent =
        &queue->recent[(unsigned)priority % ORR_READY_RECENT];

    /* A rank without tasks may be spare. */
    if (!*recent || (*recent)->priority != priority || (*recent)->tasks == 0)
        *recent = search(queue, priority);
    return *recent;
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

/* Frees the heap of a rank without tasks, unless it is small: a factorisation
 * has many priorities, most of which have tasks but once. */
static void shrink_heap(struct orr_ready_rank *rank)
{
    if (rank->capacity <= FIRST_CAPACITY)
        return;
    g_clear_pointer(&rank->heap, g_free);
    rank->capacity = 0;
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

        refresh(queue, sched, rank);
        if (rank->count > 0 &&
            (!best || is_better(&rank->heap[0], &best->heap[0])))
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
    if (--rank->count > 0) {
        sift_down(rank, 0, &rank->heap[rank->count]);
        orr_task_prefetch_cache(rank->heap[0].task); /* usually popped next */
    }
    if (--rank->tasks == 0)
        shrink_heap(rank);
    while (queue->count > 0 && queue->ranks[queue->count - 1]->tasks == 0)
        queue->count--;
    if (!queue->sorted)
        unchain(queue, task);
    task->item.slot = 0;
    task->note = NULL;
    return task;
}
