/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/memory.h"

#include "runtime/run.h"

/* Below the first share of clean buffers, dirty ones are written back until
 * the second is reached (STARPU_MINIMUM_CLEAN_BUFFERS, ..TARGET..), percent. */
#define MINIMUM_CLEAN 5
#define TARGET_CLEAN 10

static void insert_before(struct orr_memory *memory,
                          struct orr_replicate *copy,
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
    if (!copy->clean && !memory->first_dirty)
        memory->first_dirty = copy;
}

void orr_memory_add(struct orr_memory *memory, struct orr_replicate *copy)
{
    copy->clean = true;
    push_newest(memory, copy);
}

void orr_memory_remove(struct orr_memory *memory, struct orr_replicate *copy)
{
    if (copy == memory->first_dirty)
        memory->first_dirty = copy->newer;
    if (copy == memory->cursor)
        memory->cursor = NULL;
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

void orr_memory_used(struct orr_memory *memory, struct orr_replicate *copy)
{
    if (!copy->allocated)
        return;
    orr_memory_remove(memory, copy);
    push_newest(memory, copy);
}

void orr_memory_dirtied(struct orr_memory *memory, struct orr_replicate *copy)
{
    if (copy->allocated && copy->clean) {
        copy->clean = false;
        memory->clean_buffers--;
    }
}

void orr_memory_set_aside(struct orr_memory *memory,
                          struct orr_replicate *copy)
{
    orr_memory_remove(memory, copy);
    copy->clean = true;
    insert_before(memory, copy, memory->first_dirty);
}

static bool is_held(const struct orr_run *run, const struct orr_data *data)
{
    for (unsigned node = 0; node < run->node_count; node++) {
        if (data->copies[node].uses > 0)
            return true;
    }
    return false;
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
    if (data->mode == ORR_W && data->invalidation)
        return true; /* its content will be worthless */
    if (data->mode == ORR_W && is_held(run, data))
        return false;
    copy->clean = true;
    memory->clean_buffers++;
    if (data->copies[ORR_RAM].state == ORR_INVALID)
        orr_request_want(run, &want);
    return true;
}

void orr_memory_tidy(struct orr_run *run, struct orr_memory *memory)
{
    struct orr_replicate *copy = memory->first_dirty;
    bool skipped = false;

    if (memory->clean_buffers >= memory->buffers * MINIMUM_CLEAN / 100)
        return;
    while (copy &&
           memory->clean_buffers < memory->buffers * TARGET_CLEAN / 100) {
        struct orr_replicate *next = copy->newer;

        if (!clean(run, memory, copy))
            skipped = true;
        if (!next || !skipped)
            memory->first_dirty = next;
        copy = next;
    }
}

bool orr_memory_may_evict(const struct orr_run *run,
                          const struct orr_replicate *copy,
                          enum orr_level level)
{
    const struct orr_data *data = copy->data;

    if (level >= ORR_PREFETCH && copy->expected > 0)
        return false;
    if (copy->uses > 0)
        return false;
    return data->mode != ORR_W || (!data->invalidation && !is_held(run, data));
}

struct orr_replicate *orr_memory_find_victim(const struct orr_run *run,
                                             struct orr_memory *memory,
                                             uint64_t bytes,
                                             enum orr_level level)
{
    struct orr_replicate *copy = memory->oldest;

    for (; copy; copy = copy->newer) {
        if (copy->state != ORR_OWNER && copy->data->bytes == bytes &&
            orr_memory_may_evict(run, copy, level))
            return copy;
    }
    return NULL;
}
