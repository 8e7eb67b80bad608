/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * First fit. Chunks are in a list; the first chunk is searched, then the others
 * in order. @widest of a chunk is an upper bound on its longest gap, which
 * saves searches in vain; @widest_of_others is the same for all chunks but the
 * first. A chunk where a block was freed, or that has room for another block of
 * the same size, moves to the front of the list.
 *
 * As in StarPU, only a merge of gaps raises the bound if overlooks_lone_gaps is
 * set: a lone gap is then not found, although it would fit.
 */
#include "runtime/data/suballoc.h"

#define UNIT_BYTES ((uint64_t)16 * 1024)
#define CHUNK_UNITS ((unsigned)(ORR_SUBALLOC_CHUNK / UNIT_BYTES))
#define SMALL_BYTES ((uint64_t)4 * 1024 * 1024)
#define EMPTY_KEPT 4

/* Adjacent free units. The gaps of a chunk are sorted and do not touch. */
struct gap {
    uint16_t start, length;
};

struct chunk {
    uint32_t next, prev; /* numbers */
    uint16_t widest;     /* assumed length of the longest gap */
    uint16_t free_units;
    GArray *gaps;
};

/* Chunks lie in one array, since a search visits many of them. Number 0 is no
 * chunk: its links are the ends of the list of chunks. */
struct orr_suballoc {
    uint64_t capacity;
    uint64_t used;
    uint64_t peak;
    bool was_full;
    bool overlooks_lone_gaps;
    struct chunk *chunks; /* chunk 0 is the head of the list: first fit starts
                             at [0].next */
    uint32_t places;
    uint32_t spare;            /* first unused place; .next leads on */
    unsigned widest_of_others; /* upper bound on the longest gap of all chunks
                                  but the first */
    unsigned empty_chunks;
};

struct orr_suballoc *orr_suballoc_new(uint64_t capacity_bytes,
                                      bool overlooks_lone_gaps)
{
    struct orr_suballoc *pool = g_new0(struct orr_suballoc, 1);

    pool->capacity = capacity_bytes;
    pool->overlooks_lone_gaps = overlooks_lone_gaps;
    pool->chunks = g_new0(struct chunk, 1);
    pool->places = 1;
    return pool;
}

uint64_t orr_suballoc_capacity(const struct orr_suballoc *pool)
{
    return pool->capacity;
}

static void unlink_chunk(struct orr_suballoc *pool, uint32_t number)
{
    const struct chunk *chunk = &pool->chunks[number];

    pool->chunks[chunk->prev].next = chunk->next;
    pool->chunks[chunk->next].prev = chunk->prev;
}

static void put_first(struct orr_suballoc *pool, uint32_t number)
{
    struct chunk *chunks = pool->chunks;
    uint32_t next = chunks[0].next;

    chunks[number].prev = 0;
    chunks[number].next = next;
    chunks[next].prev = number;
    chunks[0].next = number;
    if (next)
        pool->widest_of_others =
            MAX(pool->widest_of_others, chunks[next].widest);
}

static void move_first(struct orr_suballoc *pool, uint32_t number)
{
    if (number == pool->chunks[0].next)
        return;
    unlink_chunk(pool, number);
    put_first(pool, number);
}

/* An empty chunk that is not in the list. */
static uint32_t new_chunk(struct orr_suballoc *pool)
{
    struct gap all = {0, (uint16_t)CHUNK_UNITS};
    uint32_t number = pool->spare;
    struct chunk *chunk;

    if (number) {
        pool->spare = pool->chunks[number].next;
    } else {
        number = pool->places++;
        pool->chunks = g_renew(struct chunk, pool->chunks, pool->places);
    }
    chunk = &pool->chunks[number];
    chunk->free_units = chunk->widest = (uint16_t)CHUNK_UNITS;
    chunk->gaps = g_array_new(FALSE, FALSE, sizeof(struct gap));
    g_array_append_val(chunk->gaps, all);
    pool->empty_chunks++;
    return number;
}

static void free_chunk(struct orr_suballoc *pool, uint32_t number)
{
    g_array_unref(pool->chunks[number].gaps);
    pool->chunks[number].next = pool->spare;
    pool->spare = number;
}

void orr_suballoc_free(struct orr_suballoc *pool)
{
    if (!pool)
        return;
    for (uint32_t i = pool->chunks[0].next; i; i = pool->chunks[i].next)
        g_array_unref(pool->chunks[i].gaps);
    g_free(pool->chunks);
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

/* Takes @units from the start of gap @i of chunk @number. */
static void cut(struct orr_suballoc *pool, uint32_t number, unsigned i,
                unsigned units, struct orr_block *block)
{
    struct chunk *chunk = &pool->chunks[number];
    struct gap *gap = &g_array_index(chunk->gaps, struct gap, i);

    if (chunk->free_units == CHUNK_UNITS)
        pool->empty_chunks--;
    *block = (struct orr_block){number, gap->start, (uint16_t)units};
    chunk->free_units = (uint16_t)(chunk->free_units - units);
    gap->start = (uint16_t)(gap->start + units);
    gap->length = (uint16_t)(gap->length - units);
    if (gap->length == 0)
        g_array_remove_index(chunk->gaps, i);
}

/* Takes @units from chunk @number, first fit. */
static bool fit(struct orr_suballoc *pool, uint32_t number, unsigned units,
                struct orr_block *block)
{
    const GArray *gaps = pool->chunks[number].gaps;
    uint16_t widest = 0;

    if (pool->chunks[number].widest < units)
        return false;
    for (unsigned i = 0; i < gaps->len; i++) {
        uint16_t length = g_array_index(gaps, struct gap, i).length;

        widest = MAX(widest, length);
        if (length < units)
            continue;
        if (length >= 2 * units) /* worth finding first again */
            move_first(pool, number);
        cut(pool, number, i, units, block);
        return true;
    }
    pool->chunks[number].widest = widest;
    return false;
}

static bool fit_any(struct orr_suballoc *pool, unsigned units,
                    struct orr_block *block)
{
    const struct chunk *chunks = pool->chunks;
    uint32_t first = chunks[0].next;
    unsigned widest = 0;

    if (first && fit(pool, first, units, block))
        return true;
    if (!first || pool->widest_of_others < units)
        return false;
    for (uint32_t i = chunks[first].next; i; i = chunks[i].next) {
        if (fit(pool, i, units, block))
            return true;
        widest = MAX(widest, chunks[i].widest);
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
    uint32_t number;

    if (!is_small(bytes)) {
        *block = (struct orr_block){0};
        return;
    }
    number = new_chunk(pool);
    put_first(pool, number);
    cut(pool, number, 0, units_of(bytes), block);
}

/* Makes @block a gap, merged with its neighbours. Returns its length. */
static uint16_t widen(struct chunk *chunk, const struct orr_block *block)
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
    return gap.length;
}

enum orr_suballoc_need orr_suballoc_give(struct orr_suballoc *pool,
                                         uint64_t bytes,
                                         struct orr_block *block)
{
    uint32_t number = block->chunk;
    struct chunk *chunk = &pool->chunks[number];
    uint16_t length;

    if (!number) {
        pool->used -= bytes;
        return ORR_SUBALLOC_DRIVER;
    }
    length = widen(chunk, block);
    if (length > block->length || !pool->overlooks_lone_gaps)
        chunk->widest = MAX(chunk->widest, length);
    chunk->free_units = (uint16_t)(chunk->free_units + block->length);
    *block = (struct orr_block){0};
    if (chunk->free_units < CHUNK_UNITS) {
        move_first(pool, number);
        return ORR_SUBALLOC_READY;
    }
    if (pool->empty_chunks < EMPTY_KEPT) {
        pool->empty_chunks++;
        return ORR_SUBALLOC_READY;
    }
    unlink_chunk(pool, number);
    free_chunk(pool, number);
    pool->used -= ORR_SUBALLOC_CHUNK;
    return ORR_SUBALLOC_DRIVER;
}

static bool has_room(const struct chunk *chunk, unsigned units)
{
    bool room = false;

    for (unsigned i = 0; i < chunk->gaps->len && !room; i++)
        room = g_array_index(chunk->gaps, struct gap, i).length >= units;
    return room && chunk->widest >= units;
}

bool orr_suballoc_fits(const struct orr_suballoc *pool, uint64_t bytes)
{
    uint64_t left = pool->capacity - pool->used;

    if (!is_small(bytes))
        return bytes <= left;
    for (uint32_t i = pool->chunks[0].next; i; i = pool->chunks[i].next) {
        if (has_room(&pool->chunks[i], units_of(bytes)))
            return true;
    }
    return left >= ORR_SUBALLOC_CHUNK;
}

uint64_t orr_suballoc_overlooked(const struct orr_suballoc *pool)
{
    uint64_t units = 0;

    for (uint32_t i = pool->chunks[0].next; i; i = pool->chunks[i].next) {
        const struct chunk *chunk = &pool->chunks[i];

        for (unsigned g = 0; g < chunk->gaps->len; g++) {
            unsigned length = g_array_index(chunk->gaps, struct gap, g).length;

            units += length > chunk->widest ? length : 0;
        }
    }
    return units * UNIT_BYTES;
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
