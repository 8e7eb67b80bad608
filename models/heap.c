/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/heap.h"

#include <glib.h>

enum { ARITY = 4, FIRST_CAPACITY = 64 };

static inline void put(struct orr_heap_entry *entries, size_t i,
                       struct orr_heap_entry entry)
{
    entries[i] = entry;
    entry.item->slot = i + 1;
}

/* Puts @entry into the free place @i, or further up. */
static inline void sift_up(struct orr_heap_entry *entries, size_t i,
                           struct orr_heap_entry entry)
{
    while (i > 0) {
        size_t parent = (i - 1) / ARITY;

        if (!orr_heap_precedes(&entry, &entries[parent]))
            break;
        put(entries, i, entries[parent]);
        i = parent;
    }
    put(entries, i, entry);
}

/* The smallest of the entries from @first to before @end. */
static inline struct orr_heap_entry *smallest(struct orr_heap_entry *first,
                                              struct orr_heap_entry *end)
{
    struct orr_heap_entry *least = first;

    while (++first < end)
        least = orr_heap_precedes(first, least) ? first : least;
    return least;
}

/* Puts @entry into the free place @i, or further down, in a heap of @count. */
static inline void sift_down(struct orr_heap_entry *entries, size_t count,
                             size_t i, struct orr_heap_entry entry)
{
    size_t child;

    while ((child = i * ARITY + 1) < count) {
        size_t end = MIN(child + ARITY, count);
        struct orr_heap_entry *least = smallest(&entries[child], &entries[end]);

        if (!orr_heap_precedes(least, &entry))
            break;
        put(entries, i, *least);
        i = (size_t)(least - entries);
    }
    put(entries, i, entry);
}

/* Puts @entry into the free place @i, or further up or down. */
static inline void settle(struct orr_heap *heap, size_t i,
                          struct orr_heap_entry entry)
{
    if (i > 0 && orr_heap_precedes(&entry, &heap->entries[(i - 1) / ARITY]))
        sift_up(heap->entries, i, entry);
    else
        sift_down(heap->entries, heap->count, i, entry);
}

static inline size_t place_of(const struct orr_heap *heap,
                              const struct orr_heap_item *item)
{
    size_t i = item->slot - 1;

    g_assert(i < heap->count && heap->entries[i].item == item);
    return i;
}

void orr_heap_clear(struct orr_heap *heap)
{
    g_free(heap->entries);
    *heap = (struct orr_heap){0};
}

/* Not inline, so that a push without growth need not save registers. */
static G_GNUC_NO_INLINE void grow_and_push(struct orr_heap *heap,
                                           struct orr_heap_item *item,
                                           int64_t key, uint64_t tie)
{
    heap->capacity = MAX(2 * heap->capacity, (size_t)FIRST_CAPACITY);
    heap->entries =
        g_renew(struct orr_heap_entry, heap->entries, heap->capacity);
    orr_heap_push(heap, item, key, tie);
}

void orr_heap_push(struct orr_heap *heap, struct orr_heap_item *item,
                   int64_t key, uint64_t tie)
{
    struct orr_heap_entry entry = {.key = key, .tie = tie, .item = item};

    g_assert(!orr_heap_holds(item));
    if (heap->count == heap->capacity)
        grow_and_push(heap, item, key, tie);
    else
        sift_up(heap->entries, heap->count++, entry);
}

void orr_heap_remove(struct orr_heap *heap, struct orr_heap_item *item)
{
    size_t i = place_of(heap, item);
    size_t last = --heap->count;

    if (i != last)
        settle(heap, i, heap->entries[last]);
    item->slot = 0;
}

void orr_heap_update(struct orr_heap *heap, struct orr_heap_item *item,
                     int64_t key, uint64_t tie)
{
    struct orr_heap_entry entry = {.key = key, .tie = tie, .item = item};

    settle(heap, place_of(heap, item), entry);
}

struct orr_heap_item *orr_heap_pop(struct orr_heap *heap)
{
    struct orr_heap_item *item;
    size_t last;

    if (heap->count == 0)
        return NULL;
    item = heap->entries[0].item;
    last = --heap->count;
    if (last > 0)
        sift_down(heap->entries, last, 0, heap->entries[last]);
    item->slot = 0;
    return item;
}
