/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POOL_H
#define ORR_POOL_H

#include <stddef.h>

/*
 * Many objects of one size, allocated and freed all the time: memory comes in
 * slabs, freed objects are used again first, and all goes at once.
 */
struct orr_pool {
    size_t size;   /* of an object, bytes */
    void *free;    /* chain of freed objects */
    void *slabs;   /* chain of slabs */
    size_t unused; /* objects never used yet in the newest slab */
};

void orr_pool_init(struct orr_pool *pool, size_t size);

/* Frees all memory of the pool, objects still in use included. */
void orr_pool_clear(struct orr_pool *pool);

/* Returns a zeroed object. */
void *orr_pool_take(struct orr_pool *pool);

void orr_pool_give(struct orr_pool *pool, void *object);

#endif
