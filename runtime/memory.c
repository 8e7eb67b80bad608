/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/memory.h"

#include "runtime/run.h"

/* The share of clean buffers that is then to be reached
 * (STARPU_TARGET_CLEAN_BUFFERS), percent. */
#define TARGET_CLEAN 10

/*
 * Places: those before the first dirty buffer are numbered from 0, the others
 * from far above, so that both ends can grow.
 */
#define BACK ((int64_t)1 << 62)

static int64_t last_place(struct orr_memory *memory, bool front)
{
    return front ? memory->front_places++ : BACK + memory->back_places++;
}

bool orr_memory_is_at(const struct orr_memory *memory,
                      const struct orr_place *place)
{
    const struct orr_replicate *copy = place->copy;

    return copy && copy->data->buffers & 1u << memory->node &&
           copy->place == place->place;
}

/* Whether it is the buffer of @copy that is at @place still. */
static bool is_of(const struct orr_memory *memory,
                  const struct orr_place *place,
                  const struct orr_replicate *copy)
{
    return copy == place->copy && orr_memory_is_at(memory, place);
}

/* The buffer of @copy, though it stays where it is, gets a new number. */
static void renumber(struct orr_memory *memory, struct orr_replicate *copy)
{
    int64_t place = last_place(memory, true);

    if (is_of(memory, &memory->evicted, copy))
        memory->evicted.place = place;
    if (is_of(memory, &memory->next, copy))
        memory->next.place = place;
    copy->place = place;
    orr_victims_moved(copy);
}

/* Cleaning goes on at @copy: what is before it is now at the front. */
static void pass_until(struct orr_memory *memory, struct orr_replicate *copy)
{
    while (memory->first_dirty != copy) {
        renumber(memory, memory->first_dirty);
        memory->first_dirty = memory->first_dirty->newer;
    }
}

static void insert_before(struct orr_memory *memory, struct orr_replicate *copy,
                          struct orr_replicate *place)
{
    struct orr_replicate *before = place ? place->older : memory->newest;

    copy->older = before;
    copy->newer = place;
    if (before)
        before->newer = copy;
    else
        memory->oldest = copy;
    if (place)
        place->older = copy;
    else
        memory->newest = copy;
    memory->buffers++;
    if (copy->clean)
        memory->clean_buffers++;
}

static void push_newest(struct orr_memory *memory, struct orr_replicate *copy)
{
    insert_before(memory, copy, NULL);
    copy->place = last_place(memory, copy->clean && !memory->first_dirty);
    if (!copy->clean && !memory->first_dirty)
        memory->first_dirty = copy;
}

void orr_memory_add(struct orr_memory *memory, struct orr_replicate *copy)
{
    copy->clean = true;
    copy->data->buffers |= 1u << copy->node;
    push_newest(memory, copy);
}

static void unlist(struct orr_memory *memory, struct orr_replicate *copy)
{
    if (copy == memory->first_dirty)
        memory->first_dirty = copy->newer;
    if (copy->older)
        copy->older->newer = copy->newer;
    else
        memory->oldest = copy->newer;
    if (copy->newer)
        copy->newer->older = copy->older;
    else
        memory->newest = copy->older;
    memory->buffers--;
    if (copy->clean)
        memory->clean_buffers--;
}

void orr_memory_remove(struct orr_memory *memory, struct orr_replicate *copy)
{
    copy->data->buffers &= ~(1u << copy->node);
    unlist(memory, copy);
}

void orr_memory_used(struct orr_memory *memory, struct orr_replicate *copy)
{
    if (!copy->allocated)
        return;
    unlist(memory, copy);
    push_newest(memory, copy);
}

void orr_memory_dirtied(struct orr_memory *memory, struct orr_replicate *copy)
{
    if (copy->allocated && copy->clean) {
        copy->clean = false;
        memory->clean_buffers--;
    }
}

void orr_memory_set_aside(struct orr_memory *memory, struct orr_replicate *copy)
{
    unlist(memory, copy);
    copy->clean = true;
    insert_before(memory, copy, memory->first_dirty);
    copy->place = last_place(memory, true);
    orr_victims_moved(copy);
}

/* Whether whoever makes room is at @copy, or will look at it next. */
static bool is_in_hand(const struct orr_memory *memory,
                       const struct orr_replicate *copy)
{
    return copy && (is_of(memory, &memory->evicted, copy) ||
                    is_of(memory, &memory->next, copy));
}

/*
 * Makes one dirty buffer clean, in the sense that its write-back is asked
 * for. Returns false if it has to be tried again later.
 */
static bool clean(struct orr_run *run, struct orr_memory *memory,
                  struct orr_replicate *copy)
{
    struct orr_data *data = copy->data;
    struct orr_want want = {
        .to = &data->copies[ORR_RAM],
        .mode = ORR_R,
        .level = ORR_IDLE,
    };

    if (copy->clean)
        return true;
    if (is_in_hand(memory, copy->newer) ||
        orr_spinlock_is_held(&data->lock, &run->engine))
        return false;
    if (data->mode == ORR_W && data->invalidated)
        return true; /* its content will be worthless */
    if (data->mode == ORR_W && data->uses > 0)
        return false;
    copy->clean = true;
    memory->clean_buffers++;
    if (!(data->valid & 1u << ORR_RAM))
        orr_request_want(run, &want);
    return true;
}

void orr_memory_tidy_up(struct orr_run *run, struct orr_memory *memory)
{
    struct orr_replicate *copy = memory->first_dirty;
    bool skipped = false;

    while (copy &&
           memory->clean_buffers < memory->buffers * TARGET_CLEAN / 100) {
        struct orr_replicate *next = copy->newer;

        if (next)
            __builtin_prefetch(next->data);
        if (!clean(run, memory, copy))
            skipped = true;
        if (!next || !skipped)
            pass_until(memory, next);
        copy = next;
    }
}
