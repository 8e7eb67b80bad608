/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/suballoc.h"

#define UNIT_BYTES ((uint64_t)16 * 1024)
#define CHUNK_UNITS ((unsigned)(ORR_SUBALLOC_CHUNK / UNIT_BYTES))
#define SMALL_BYTES ((uint64_t)4 * 1024 * 1024)
#define EMPTY_KEPT 4

/* A run of free units; a chunk's are in order and never touch. */
struct gap {
    uint16_t start, length;
};

struct orr_chunk {
    struct orr_chunk *next, *prev;
    unsigned free_units;
    unsigned widest; /* length of the widest gap */
    GArray *gaps;
};

struct orr_suballoc {
    uint64_t capacity;
    uint64_t used;
    uint64_t peak;
    bool was_full;
    struct orr_chunk *chunks;  /* first fit looks in this order */
    unsigned widest_of_others; /* at least the length of the widest gap, but
                                  for the first chunk's */
    unsigned empty_chunks;
};

struct orr_suballoc *orr_suballoc_new(uint64_t capacity_bytes)
{
    struct orr_suballoc *pool = g_new0(struct orr_suballoc, 1);

    pool->capacity = capacity_bytes;
    return pool;
}

uint64_t orr_suballoc_capacity(const struct orr_suballoc *pool)
{
    return pool->capacity;
}

static void unlink_chunk(struct orr_suballoc *pool, struct orr_chunk *chunk)
{
    if (chunk->prev)
        chunk->prev->next = chunk->next;
    else
        pool->chunks = chunk->next;
    if (chunk->next)
        chunk->next->prev = chunk->prev;
}

static void put_first(struct orr_suballoc *pool, struct orr_chunk *chunk)
{
    chunk->prev = NULL;
    chunk->next = pool->chunks;
    if (pool->chunks) {
        pool->chunks->prev = chunk;
        pool->widest_of_others =
            MAX(pool->widest_of_others, pool->chunks->widest);
    }
    pool->chunks = chunk;
}

static void move_first(struct orr_suballoc *pool, struct orr_chunk *chunk)
{
    if (chunk == pool->chunks)
        return;
    unlink_chunk(pool, chunk);
    put_first(pool, chunk);
}

static void free_chunk(struct orr_chunk *chunk)
{
    g_array_unref(chunk->gaps);
    g_free(chunk);
}

void orr_suballoc_free(struct orr_suballoc *pool)
{
    struct orr_chunk *next;

    if (!pool)
        return;
    for (struct orr_chunk *chunk = pool->chunks; chunk; chunk = next) {
        next = chunk->next;
        free_chunk(chunk);
    }
    g_free(pool);
}

static bool is_small(uint64_t bytes)
{
    return bytes <= SMALL_BYTES;
}

static unsigned units_of(uint64_t bytes)
{
    return MAX(1u, (unsigned)((bytes + UNIT_BYTES - 1) / UNIT_BYTES));
}

uint64_t orr_suballoc_footprint(const uint64_t *bytes, unsigned count)
{
    uint64_t large = 0;
    unsigned units = 0;

    for (unsigned i = 0; i < count; i++) {
        if (is_small(bytes[i]))
            units += units_of(bytes[i]);
        else
            large += bytes[i];
    }
    return large + (units + CHUNK_UNITS - 1) / CHUNK_UNITS * ORR_SUBALLOC_CHUNK;
}

/* Takes @units from the start of gap @i. */
static void cut(struct orr_suballoc *pool, struct orr_chunk *chunk, unsigned i,
                unsigned units, struct orr_block *block)
{
    struct gap *gap = &g_array_index(chunk->gaps, struct gap, i);

    if (chunk->free_units == CHUNK_UNITS)
        pool->empty_chunks--;
    *block = (struct orr_block){chunk, gap->start, (uint16_t)units};
    chunk->free_units -= units;
    gap->start = (uint16_t)(gap->start + units);
    gap->length = (uint16_t)(gap->length - units);
    if (gap->length == 0)
        g_array_remove_index(chunk->gaps, i);
    chunk->widest = 0;
    for (i = 0; i < chunk->gaps->len; i++)
        chunk->widest = MAX(chunk->widest,
                            g_array_index(chunk->gaps, struct gap, i).length);
}

/* Takes @units from @chunk, first fit. */
static bool fit(struct orr_suballoc *pool, struct orr_chunk *chunk,
                unsigned units, struct orr_block *block)
{
    if (chunk->widest < units)
        return false;
    for (unsigned i = 0; i < chunk->gaps->len; i++) {
        unsigned length = g_array_index(chunk->gaps, struct gap, i).length;

        if (length < units)
            continue;
        if (length >= 2 * units) /* worth finding first again */
            move_first(pool, chunk);
        cut(pool, chunk, i, units, block);
        return true;
    }
    return false;
}

static bool fit_any(struct orr_suballoc *pool, unsigned units,
                    struct orr_block *block)
{
    struct orr_chunk *chunk = pool->chunks;
    unsigned widest = 0;

    if (chunk && fit(pool, chunk, units, block))
        return true;
    if (!chunk || pool->widest_of_others < units)
        return false;
    for (chunk = chunk->next; chunk; chunk = chunk->next) {
        if (fit(pool, chunk, units, block))
            return true;
        widest = MAX(widest, chunk->widest);
    }
    pool->widest_of_others = widest;
    return false;
}

static enum orr_suballoc_need reserve(struct orr_suballoc *pool, uint64_t bytes)
{
    if (bytes > pool->capacity - pool->used) {
        pool->was_full = true;
        return ORR_SUBALLOC_FULL;
    }
    pool->used += bytes;
    pool->peak = MAX(pool->peak, pool->used);
    return ORR_SUBALLOC_DRIVER;
}

enum orr_suballoc_need orr_suballoc_take(struct orr_suballoc *pool,
                                         uint64_t bytes,
                                         struct orr_block *block)
{
    unsigned units;

    if (!is_small(bytes))
        return reserve(pool, bytes);
    units = units_of(bytes);
    if (fit_any(pool, units, block))
        return ORR_SUBALLOC_READY;
    return reserve(pool, ORR_SUBALLOC_CHUNK);
}

void orr_suballoc_commit(struct orr_suballoc *pool, uint64_t bytes,
                         struct orr_block *block)
{
    struct orr_chunk *chunk;
    struct gap all = {0, (uint16_t)CHUNK_UNITS};

    if (!is_small(bytes)) {
        *block = (struct orr_block){0};
        return;
    }
    chunk = g_new0(struct orr_chunk, 1);
    chunk->free_units = CHUNK_UNITS;
    chunk->widest = CHUNK_UNITS;
    chunk->gaps = g_array_new(FALSE, FALSE, sizeof(struct gap));
    g_array_append_val(chunk->gaps, all);
    put_first(pool, chunk);
    pool->empty_chunks++;
    cut(pool, chunk, 0, units_of(bytes), block);
}

/* Makes the units of @block a gap again, merged with its neighbours. */
static void widen(struct orr_chunk *chunk, const struct orr_block *block)
{
    struct gap gap = {block->start, block->length};
    unsigned i = 0;

    while (i < chunk->gaps->len &&
           g_array_index(chunk->gaps, struct gap, i).start < gap.start)
        i++;
    if (i < chunk->gaps->len) {
        struct gap *after = &g_array_index(chunk->gaps, struct gap, i);

        if (gap.start + gap.length == after->start) {
            gap.length = (uint16_t)(gap.length + after->length);
            g_array_remove_index(chunk->gaps, i);
        }
    }
    if (i > 0) {
        struct gap *before = &g_array_index(chunk->gaps, struct gap, i - 1);

        if (before->start + before->length == gap.start) {
            gap.length = (uint16_t)(gap.length + before->length);
            gap.start = before->start;
            g_array_remove_index(chunk->gaps, --i);
        }
    }
    g_array_insert_val(chunk->gaps, i, gap);
    chunk->widest = MAX(chunk->widest, gap.length);
}

enum orr_suballoc_need orr_suballoc_give(struct orr_suballoc *pool,
                                         uint64_t bytes,
                                         struct orr_block *block)
{
    struct orr_chunk *chunk = block->chunk;

    if (!chunk) {
        pool->used -= bytes;
        return ORR_SUBALLOC_DRIVER;
    }
    widen(chunk, block);
    chunk->free_units += block->length;
    *block = (struct orr_block){0};
    if (chunk->free_units < CHUNK_UNITS) {
        move_first(pool, chunk);
        return ORR_SUBALLOC_READY;
    }
    if (pool->empty_chunks < EMPTY_KEPT) {
        pool->empty_chunks++;
        return ORR_SUBALLOC_READY;
    }
    unlink_chunk(pool, chunk);
    free_chunk(chunk);
    pool->used -= ORR_SUBALLOC_CHUNK;
    return ORR_SUBALLOC_DRIVER;
}

bool orr_suballoc_fits(const struct orr_suballoc *pool, uint64_t bytes)
{
    uint64_t left = pool->capacity - pool->used;

    if (!is_small(bytes))
        return bytes <= left;
    for (const struct orr_chunk *chunk = pool->chunks; chunk;
         chunk = chunk->next) {
        if (chunk->widest >= units_of(bytes))
            return true;
    }
    return left >= ORR_SUBALLOC_CHUNK;
}

uint64_t orr_suballoc_used(const struct orr_suballoc *pool)
{
    return pool->used;
}

uint64_t orr_suballoc_peak(const struct orr_suballoc *pool)
{
    return pool->peak;
}

bool orr_suballoc_was_full(const struct orr_suballoc *pool)
{
    return pool->was_full;
}
