/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * re-enqueue: a runtime that puts a buffer back among those that may be
 * evicted, as the first of them, when its write-back has been asked for and not
 * when its eviction has ended. Meanwhile it goes on with other things, and
 * whoever needs room finds that buffer again.
 *
 * That does no harm unless a task comes to use the buffer before it has gone.
 * If the task needs room for something else, then that buffer is found again
 * and again, and nothing behind it: its eviction cannot end while the task has
 * it, and the task waits for the room. Or two GPUs are to copy theirs to each
 * other. Reports of drivers that take a whole core near the limit of a memory,
 * when nothing is copied and nothing runs, although much could be evicted; in
 * the reference, whoever makes room marks the buffer until its write-back has
 * ended, and others skip it.
 */
#define orr_memory_used memory_used_right
#include "runtime/run.h"
#include "runtime/worker/progress.h"
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "runtime/data/memory.c"
#undef orr_memory_used

/* The place of a buffer whose eviction has begun: before all others. */
#define FIRST INT64_MIN

void orr_memory_used(struct orr_memory *memory, struct orr_replicate *copy);

/* Which is no longer one of those used in turn. */
void orr_memory_used(struct orr_memory *memory, struct orr_replicate *copy)
{
    if (!copy->buffer || copy->buffer->place != FIRST)
        memory_used_right(memory, copy);
}

/* The write-back of @copy, which is to go, has been asked for. */
static void re_enqueue(struct orr_run *run, struct orr_replicate *copy)
{
    struct orr_memory *memory = &run->store.memories[copy->node];

    unlist(memory, copy->buffer);
    insert_before(memory, copy->buffer, memory->end->newer);
    copy->buffer->place = FIRST;
    orr_eviction_moved(memory, copy->buffer);
}

/* The first of the list; whoever has found that one looks no further, so @goal
 * becomes 0, and tries again soon. */
static struct orr_buffer *find_victim(struct orr_store *store,
                                      struct orr_memory *memory,
                                      struct orr_buffer *from, unsigned level,
                                      uint64_t *goal)
{
    struct orr_buffer *first = orr_memory_oldest(memory);

    if (!first || first->place != FIRST)
        return orr_eviction_find_any(store, memory, from, level);
    *goal = 0;
    orr_store_wake(store, memory->node);
    return first;
}

#define orr_eviction_find_any(store, memory, from, level)                      \
    find_victim(store, memory, from, level, &reclaim->goal)
#define orr_progress_until(actor, worker, request)                             \
    ((void)(actor), re_enqueue((worker)->run, (request)->from))
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "runtime/worker/allocate.c"
