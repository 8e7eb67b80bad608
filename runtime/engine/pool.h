/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POOL_H
#define ORR_POOL_H

#include <stddef.h>
#include <string.h>

#define ORR_CACHE_LINE 64 /* bytes */

/*
 * An allocator for many objects of one size. Memory comes in slabs, freed
 * objects are reused first, and all memory is freed at once. An object is
 * aligned as its size allows: to the largest power of two that divides it, from
 * that of a pointer to a cache line.
 */
struct orr_pool {
    size_t size;       /* of an object, bytes */
    void *free;        /* chain of freed objects, each holding the next */
    void *slabs;       /* chain of slabs */
    size_t unused;     /* objects never used yet in the newest slab, */
    char *next;        /* from here on */
    size_t slab_bytes; /* of the newest slab */
};

void orr_pool_init(struct orr_pool *pool, size_t size);

/* Frees all memory of the pool, objects still in use included. */
void orr_pool_clear(struct orr_pool *pool);

/* Calls @visit for every object in use, in the order in which their places were
 * first used. It takes memory and time: for diagnoses. */
void orr_pool_each(const struct orr_pool *pool,
                   void (*visit)(void *object, void *data), void *data);

/* Private: begins a new slab, as @unused is 0. */
void orr_pool_grow(struct orr_pool *pool);

/* Returns an object whose first @bytes are zeroed; the rest may not be. */
static inline void *orr_pool_take_some(struct orr_pool *pool, size_t bytes)
{
    void **object = pool->free;

    if (object) {
        pool->free = *object;
        __builtin_prefetch(pool->free, 1); /* by the next time */
    } else {
        if (__builtin_expect(pool->unused == 0, 0))
            orr_pool_grow(pool);
        object = (void **)pool->next;
        pool->next += pool->size;
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
