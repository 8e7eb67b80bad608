/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POOL_H
#define ORR_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ORR_CACHE_LINE 64 /* bytes */

/*
 * An allocator for many objects of one size. Memory comes in slabs, freed
 * objects are reused first, and all memory is freed at once. An object is
 * aligned as its size allows: to the largest power of two that divides its
 * size, at least to the size of a pointer, at most to a cache line.
 */
struct orr_arena;

struct orr_pool {
    size_t size;             /* bytes of an object */
    void *free;              /* chain of freed objects, each holding the next */
    void *slabs;             /* chain of slabs */
    size_t unused;           /* objects never used yet in the newest slab */
    char *next;              /* the first unused object */
    size_t slab_bytes;       /* bytes of the newest slab */
    struct orr_arena *arena; /* or NULL */
    uint32_t place;          /* place of @next in the arena */
};

/*
 * Memory that pools share. Its objects have places: numbers of 31 bits, not 0,
 * that take half the memory of pointers. The memory is seen as windows of
 * 512 KB. A place is the number of a window and, in its low 16 bits, an offset
 * in words of 8 bytes. Parts of an object have places, too.
 *
 * Zero-initialised is empty.
 */
struct orr_arena {
    uintptr_t *windows; /* by window: its address, minus the offset of its first
                           place */
    unsigned count;
    void *blocks;       /* chain */
    char *next;         /* first unused byte of the newest block */
    size_t left;        /* unused bytes of the newest block */
    uint32_t place;     /* place of @next */
    size_t block_bytes; /* of the newest block */
};

enum { ORR_ARENA_WORD = 8 };

static inline void *orr_arena_at(const struct orr_arena *arena, uint32_t place)
{
    return (void *)(arena->windows[place >> 16] +
                    (uintptr_t)place * ORR_ARENA_WORD);
}

/* Frees all memory of its pools. They are cleared before, or no longer used. */
void orr_arena_clear(struct orr_arena *arena);

void orr_pool_init(struct orr_pool *pool, size_t size);

/* Prepares @pool with objects in @arena, unless it is NULL. After
 * orr_pool_take_some(), if @free was NULL before, the object has the place
 * orr_pool_last_place(); the caller keeps it, even when the object is freed. */
void orr_pool_init_in(struct orr_pool *pool, size_t size,
                      struct orr_arena *arena);

static inline uint32_t orr_pool_last_place(const struct orr_pool *pool)
{
    return pool->place - (uint32_t)(pool->size / ORR_ARENA_WORD);
}

/* Frees all memory of the pool, objects still in use included; in an arena it
 * is freed with the arena. */
void orr_pool_clear(struct orr_pool *pool);

/* Calls @visit for every object in use, in the order in which their places were
 * first used. It takes memory and time: for diagnoses. */
void orr_pool_each(const struct orr_pool *pool,
                   void (*visit)(void *object, void *data), void *data);

/* Private: begins a new slab, as @unused is 0. */
void orr_pool_grow(struct orr_pool *pool);

/* Returns an object with its first @bytes zeroed; the rest may not be. */
static inline void *orr_pool_take_some(struct orr_pool *pool, size_t bytes)
{
    void **object = pool->free;

    if (object) {
        pool->free = *object;
        __builtin_prefetch(pool->free,
                           1); /* loaded by the time of the next call */
    } else {
        if (__builtin_expect(pool->unused == 0, 0))
            orr_pool_grow(pool);
        object = (void **)pool->next;
        pool->next += pool->size;
        pool->place += (uint32_t)(pool->size / ORR_ARENA_WORD);
        pool->unused--;
    }
    return memset(object, 0, bytes);
}

/* Returns a zeroed object. */
static inline void *orr_pool_take(struct orr_pool *pool)
{
    return orr_pool_take_some(pool, pool->size);
}

static inline void orr_pool_give(struct orr_pool *pool, void *object)
{
    *(void **)object = pool->free;
    pool->free = object;
}

#endif
