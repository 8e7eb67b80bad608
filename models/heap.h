/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HEAP_H
#define ORR_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/api.h"

/*
 * A queue ordered by (key, tie), smallest first: events by (date, sequence),
 * requests and tasks by (minus priority, order of arrival).
 *
 * A 4-ary heap that keeps the keys beside the pointers, so that ordering
 * never touches the items; each item carries its place in the heap, so that
 * any item can be withdrawn in O(log n). Nothing is allocated per item.
 */

/* Embedded in whatever is queued; zero-initialised. Private to heap.h. */
struct orr_heap_item {
    size_t slot; /* 1-based place in the heap; 0 when in none */
};

struct orr_heap_entry {
    int64_t key;
    uint64_t tie;
    struct orr_heap_item *item;
};

/*
 * The order of the queue. Keys that differ decide alone, and compilers turn
 * which is smaller, which cannot be predicted, into conditional moves.
 */
static inline bool orr_heap_precedes(const struct orr_heap_entry *a,
                                     const struct orr_heap_entry *b)
{
    return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

/* Zero-initialised is empty. */
struct orr_heap {
    struct orr_heap_entry *entries;
    size_t count;
    size_t capacity;
};

/* Frees the heap's memory; what is still queued is forgotten. */
ORR_API void orr_heap_clear(struct orr_heap *heap);

/* @item must not be in a heap. The pair (@key, @tie) should be unique. */
ORR_API void orr_heap_push(struct orr_heap *heap, struct orr_heap_item *item,
                           int64_t key, uint64_t tie);

/* Withdraws @item, which must be in @heap. */
ORR_API void orr_heap_remove(struct orr_heap *heap, struct orr_heap_item *item);

/* Gives @item, which must be in @heap, another key. */
ORR_API void orr_heap_update(struct orr_heap *heap, struct orr_heap_item *item,
                             int64_t key, uint64_t tie);

static inline bool orr_heap_holds(const struct orr_heap_item *item)
{
    return item->slot != 0;
}

/* The first entry; @heap must not be empty. */
static inline const struct orr_heap_entry *
orr_heap_first(const struct orr_heap *heap)
{
    return &heap->entries[0];
}

/* Withdraws and returns the first item, or NULL when empty. */
ORR_API struct orr_heap_item *orr_heap_pop(struct orr_heap *heap);

/*
 * Of the entries whose key is that of the first, finds those that come first,
 * @most (> 0) at most, in the order in which they would be popped. They stay
 * where they are. Returns how many.
 */
unsigned orr_heap_equals(const struct orr_heap *heap,
                         const struct orr_heap_entry **entries, unsigned most);

#endif
