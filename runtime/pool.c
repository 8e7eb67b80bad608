/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/pool.h"

#include <glib.h>
#include <string.h>

#define SLAB_BYTES ((size_t)64 * 1024)
#define ALIGNMENT _Alignof(max_align_t)

/* At the start of each slab, and in place of each freed object. */
struct link {
    _Alignas(max_align_t) struct link *next;
};

void orr_pool_init(struct orr_pool *pool, size_t size)
{
    size = MAX(size, sizeof(struct link));
    *pool = (struct orr_pool){
        .size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
    };
}

void orr_pool_clear(struct orr_pool *pool)
{
    struct link *slab = pool->slabs;

    while (slab) {
        struct link *next = slab->next;

        g_free(slab);
        slab = next;
    }
    pool->free = NULL;
    pool->slabs = NULL;
    pool->unused = 0;
}

static void *take_new(struct orr_pool *pool)
{
    size_t count = MAX(SLAB_BYTES / pool->size, 1);

    if (pool->unused == 0) {
        struct link *slab = g_malloc(sizeof(struct link) + count * pool->size);

        slab->next = pool->slabs;
        pool->slabs = slab;
        pool->unused = count;
    }
    return (char *)pool->slabs + sizeof(struct link) +
           (count - pool->unused--) * pool->size;
}

void *orr_pool_take(struct orr_pool *pool)
{
    struct link *object = pool->free;

    if (object)
        pool->free = object->next;
    else
        object = take_new(pool);
    return memset(object, 0, pool->size);
}

void orr_pool_give(struct orr_pool *pool, void *object)
{
    struct link *link = object;

    link->next = pool->free;
    pool->free = link;
}
