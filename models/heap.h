/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HEAP_H
#define ORR_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/api.h"

ORR_BEGIN_DECLS

/*
 * A queue ordered by (key, tie), smallest first: tasks by (minus priority,
 * order of arrival).
 *
 * A 4-ary heap. The keys are beside the pointers, so that comparing entries
 * does not touch the items. Each item holds its place in the heap, so that any
 * item can be removed in O(log n). Nothing is allocated per item.
 */

/* To be embedded in the items of a queue, zero-initialised. Its member is
 * private to the heap. */
struct orr_heap_item {
    size_t slot; /* 1-based place in the heap; 0 when in none */
};

struct orr_heap_entry {
    int64_t key;
    uint64_t tie;
    struct orr_heap_item *item;
};

/*
 * The order of the queue. Written so that compilers emit conditional moves, as
 * a branch on two keys would be mispredicted often.
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

/* Frees the heap's memory, not the items that are still queued. */
ORR_API void orr_heap_clear(struct orr_heap *heap);

/* Adds @item, which must not be in a heap. (@key, @tie) should be unique. */
ORR_API void orr_heap_push(struct orr_heap *heap, struct orr_heap_item *item,
                           int64_t key, uint64_t tie);

/* Removes @item, which must be in @heap. */
ORR_API void orr_heap_remove(struct orr_heap *heap, struct orr_heap_item *item);

/* Changes the key of @item, which must be in @heap. */
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

/* Removes and returns the first item; NULL if the heap is empty. */
ORR_API struct orr_heap_item *orr_heap_pop(struct orr_heap *heap);

ORR_END_DECLS

#endif
