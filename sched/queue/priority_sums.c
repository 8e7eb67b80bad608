/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/priority_sums.h"

#include <glib.h>
#include <limits.h>
#include <stdbool.h>

enum { LEVEL_BITS = 4, CHILDREN = 1 << LEVEL_BITS };

struct orr_priority_sums_node {
    orr_time from[CHILDREN]; /* sum over this child and all after it */
    struct orr_priority_sums_node
        *children[CHILDREN]; /* NULL on the last level */
};

/* Priorities from -NEAR to NEAR - 1 have keys in one subtree of three levels.
 */
#define NEAR 2048

/* Maps priorities to unsigned keys in the same order. */
static uint64_t key_of(int priority)
{
    return (uint64_t)((int64_t)priority - INT_MIN + NEAR);
}

static unsigned child_at(uint64_t key, unsigned shift)
{
    return (unsigned)(key >> shift) & (CHILDREN - 1);
}

static void free_node(struct orr_priority_sums_node *node)
{
    if (!node)
        return;
    for (unsigned i = 0; i < CHILDREN; i++)
        free_node(node->children[i]);
    g_free(node);
}

void orr_priority_sums_clear(struct orr_priority_sums *sums)
{
    free_node(sums->root);
    *sums = (struct orr_priority_sums){.root = NULL};
}

/* Whether the tree, at its present height, has a place for @key. */
static bool reaches(const struct orr_priority_sums *sums, uint64_t key)
{
    return (key ^ sums->key) >> sums->bits == 0;
}

/* Adds a level on top, or the first node, which holds @key. */
static void grow(struct orr_priority_sums *sums, uint64_t key)
{
    struct orr_priority_sums_node *root =
        g_new0(struct orr_priority_sums_node, 1);

    if (sums->root) {
        unsigned child = child_at(sums->key, sums->bits);

        for (unsigned i = 0; i <= child; i++)
            root->from[i] = sums->total;
        root->children[child] = sums->root;
    } else {
        sums->key = key;
    }
    sums->root = root;
    sums->bits += LEVEL_BITS;
}

void orr_priority_sums_add(struct orr_priority_sums *sums, int priority,
                           orr_time length)
{
    uint64_t key = key_of(priority);
    struct orr_priority_sums_node **link = &sums->root;

    while (!sums->root || !reaches(sums, key))
        grow(sums, key);
    sums->total += length;
    for (unsigned shift = sums->bits - LEVEL_BITS;; shift -= LEVEL_BITS) {
        unsigned child = child_at(key, shift);

        if (!*link)
            *link = g_new0(struct orr_priority_sums_node, 1);
        for (unsigned i = 0; i <= child; i++)
            (*link)->from[i] += length;
        if (shift == 0)
            return;
        link = &(*link)->children[child];
    }
}

orr_time orr_priority_sums_from(const struct orr_priority_sums *sums,
                                int priority)
{
    uint64_t key = key_of(priority);
    const struct orr_priority_sums_node *node = sums->root;
    orr_time sum = 0;

    if (node && !reaches(sums, key))
        return key < sums->key ? sums->total : 0;
    for (unsigned shift = sums->bits - LEVEL_BITS; node; shift -= LEVEL_BITS) {
        unsigned child = child_at(key, shift);

        if (shift == 0)
            return sum + node->from[child];
        if (child + 1 < CHILDREN)
            sum += node->from[child + 1];
        node = node->children[child];
    }
    return sum;
}
