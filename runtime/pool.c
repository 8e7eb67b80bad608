/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/pool.h"

#include <glib.h>

#define SLAB_BYTES ((size_t)64 * 1024)
#define ALIGNMENT _Alignof(max_align_t)

/* At the start of each slab. */
struct slab {
    _Alignas(max_align_t) struct slab *next;
};

void orr_pool_init(struct orr_pool *pool, size_t size)
{
    size = MAX(size, sizeof(void *));
    *pool = (struct orr_pool){
        .size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
    };
}

void orr_pool_clear(struct orr_pool *pool)
{
    struct slab *slab = pool->slabs;

    while (slab) {
        struct slab *next = slab->next;

        g_free(slab);
        slab = next;
    }
    pool->free = NULL;
    pool->slabs = NULL;
    pool->unused = 0;
}

void *orr_pool_take_new(struct orr_pool *pool)
{
    size_t count = MAX(SLAB_BYTES / pool->size, 1);
    char *object;

    if (pool->unused == 0) {
        struct slab *slab = g_malloc(sizeof(struct slab) + count * pool->size);

        slab->next = pool->slabs;
        pool->slabs = slab;
        pool->unused = count;
    }
    object = (char *)pool->slabs + sizeof(struct slab) +
             (count - pool->unused--) * pool->size;
    return memset(object, 0, pool->size);
}
