/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/engine/pool.h"

#include <glib.h>
#include <stdlib.h>
#include <sys/mman.h>

/*
 * Slabs double in size up to a few huge pages: the objects of a large run are
 * spread over its memory, and with small pages half of the time would be spent
 * on TLB misses. The first slabs are small, which malloc() serves quickly: a
 * study makes thousands of small runs a second.
 */
#define FIRST_SLAB_BYTES ((size_t)8 * 1024)
#define HUGE_PAGE_BYTES ((size_t)2 * 1024 * 1024)
#define LAST_SLAB_BYTES (4 * HUGE_PAGE_BYTES)

/* Of an arena. Its blocks grow as slabs do elsewhere, and are cut into small
 * slabs, so that the pools share huge pages. */
#define FIRST_BLOCK_BYTES ((size_t)64 * 1024)
#define LAST_BLOCK_BYTES LAST_SLAB_BYTES
#define LAST_CUT_BYTES ((size_t)256 * 1024)
#define WINDOW_BYTES ((size_t)ORR_ARENA_WORD << 16)
#define WINDOWS ((size_t)1 << 15)

/* At the start of each slab, and of each block. */
struct slab {
    _Alignas(ORR_CACHE_LINE) struct slab *next;
    size_t bytes;
};

void orr_pool_init(struct orr_pool *pool, size_t size)
{
    size = MAX(size, sizeof(void *));
    *pool = (struct orr_pool){
        .size = (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *),
    };
}

void orr_pool_init_in(struct orr_pool *pool, size_t size,
                      struct orr_arena *arena)
{
    orr_pool_init(pool, size);
    pool->arena = arena;
}

/* Adds the windows of @block. Returns the place of its begin. */
static uint32_t add_windows(struct orr_arena *arena, char *block, size_t bytes)
{
    unsigned first = arena->count;
    size_t count = (bytes + WINDOW_BYTES - 1) / WINDOW_BYTES;

    if (first + count > WINDOWS)
        g_error("out of memory: more than %d GB of tasks and data",
                (int)(WINDOWS * WINDOW_BYTES >> 30));
    /* The windows of a block follow one another in both numberings. */
    arena->windows = g_renew(uintptr_t, arena->windows, first + count);
    arena->count += (unsigned)count;
    for (size_t i = 0; i < count; i++)
        arena->windows[first + i] = (uintptr_t)block - first * WINDOW_BYTES;
    return (uint32_t)first << 16;
}

static void free_slabs(struct slab *slab)
{
    while (slab) {
        struct slab *next = slab->next;

        free(slab);
        slab = next;
    }
}

void orr_arena_clear(struct orr_arena *arena)
{
    free_slabs(arena->blocks);
    g_free(arena->windows);
    *arena = (struct orr_arena){0};
}

void orr_pool_clear(struct orr_pool *pool)
{
    if (!pool->arena)
        free_slabs(pool->slabs);
    pool->free = NULL;
    pool->slabs = NULL;
    pool->unused = 0;
    pool->slab_bytes = 0;
}

/* Memory of @bytes, a power of two. */
static struct slab *new_slab(size_t bytes)
{
    struct slab *slab = aligned_alloc(
        bytes < HUGE_PAGE_BYTES ? ORR_CACHE_LINE : HUGE_PAGE_BYTES, bytes);

    if (!slab)
        g_error("out of memory: %zu bytes", bytes);
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGE_BYTES)
        madvise(slab, bytes, MADV_HUGEPAGE);
#endif
    slab->bytes = bytes;
    return slab;
}

static void add_block(struct orr_arena *arena, size_t least_bytes)
{
    struct slab *block;

    arena->block_bytes =
        CLAMP(2 * arena->block_bytes, FIRST_BLOCK_BYTES, LAST_BLOCK_BYTES);
    while (arena->block_bytes < sizeof(*block) + least_bytes)
        arena->block_bytes *= 2;
    block = new_slab(arena->block_bytes);
    block->next = arena->blocks;
    arena->blocks = block;
    arena->next = (char *)(block + 1);
    arena->left = arena->block_bytes - sizeof(*block);
    arena->place = add_windows(arena, (char *)block, arena->block_bytes) +
                   (uint32_t)(sizeof(*block) / ORR_ARENA_WORD);
}

/* Cuts a slab of @most bytes off the arena of @pool; or takes the rest of the
 * newest block if it has @least bytes or more. */
static struct slab *cut(struct orr_pool *pool, size_t least, size_t most)
{
    struct orr_arena *arena = pool->arena;
    struct slab *slab;

    if (arena->left < least)
        add_block(arena, most);
    slab = (struct slab *)arena->next;
    slab->bytes = MIN(most, arena->left);
    pool->place = arena->place;
    arena->next += slab->bytes;
    arena->left -= slab->bytes;
    arena->place += (uint32_t)(slab->bytes / ORR_ARENA_WORD);
    return slab;
}

void orr_pool_grow(struct orr_pool *pool)
{
    struct slab *slab;

    pool->slab_bytes = CLAMP(2 * pool->slab_bytes, FIRST_SLAB_BYTES,
                             pool->arena ? LAST_CUT_BYTES : LAST_SLAB_BYTES);
    while (pool->slab_bytes < sizeof(*slab) + pool->size)
        pool->slab_bytes *= 2;
    slab = pool->arena ? cut(pool, sizeof(*slab) + pool->size, pool->slab_bytes)
                       : new_slab(pool->slab_bytes);
    slab->next = pool->slabs;
    pool->slabs = slab;
    pool->next = (char *)(slab + 1);
    pool->place += (uint32_t)(sizeof(*slab) / ORR_ARENA_WORD);
    pool->unused = (slab->bytes - sizeof(*slab)) / pool->size;
}

static GHashTable *find_freed(const struct orr_pool *pool)
{
    GHashTable *freed = g_hash_table_new(NULL, NULL);

    for (void **object = pool->free; object; object = *object)
        g_hash_table_add(freed, object);
    return freed;
}

void orr_pool_each(const struct orr_pool *pool,
                   void (*visit)(void *object, void *data), void *data)
{
    g_autoptr(GHashTable) freed = find_freed(pool);
    g_autoptr(GPtrArray) slabs = g_ptr_array_new();

    for (struct slab *slab = pool->slabs; slab; slab = slab->next)
        g_ptr_array_add(slabs, slab);
    for (guint i = slabs->len; i-- > 0;) {
        struct slab *slab = g_ptr_array_index(slabs, i);
        char *object = (char *)(slab + 1);
        char *end = i == 0 ? pool->next
                           : object + (slab->bytes - sizeof(*slab)) /
                                          pool->size * pool->size;

        for (; object < end; object += pool->size) {
            if (!g_hash_table_contains(freed, object))
                visit(object, data);
        }
    }
}
