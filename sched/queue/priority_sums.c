/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/priority_sums.h"

#include <glib.h>
#include <limits.h>
#include <stdbool.h>

enum { LEVEL_BITS = 4, CHILDREN = 1 << LEVEL_BITS };

struct orr_rung {
    orr_time from[CHILDREN]; /* the sum of this child and those after it */
    struct orr_rung *children[CHILDREN]; /* none below the last level */
};

/* Up to here priorities of either sign are below one node of three levels. */
#define NEAR 2048

/* Priorities in the same order, none of them negative. */
static uint64_t key_of(int priority)
{
    return (uint64_t)((int64_t)priority - INT_MIN + NEAR);
}

static unsigned child_at(uint64_t key, unsigned shift)
{
    return (unsigned)(key >> shift) & (CHILDREN - 1);
}

static void free_rung(struct orr_rung *rung)
{
    if (!rung)
        return;
    for (unsigned i = 0; i < CHILDREN; i++)
        free_rung(rung->children[i]);
    g_free(rung);
}

void orr_priority_sums_clear(struct orr_priority_sums *ladder)
{
    free_rung(ladder->root);
    *ladder = (struct orr_priority_sums){.root = NULL};
}

/* Whether the root is of @key, too: that differs from the ladder's in the last
 * bits only. */
static bool reaches(const struct orr_priority_sums *ladder, uint64_t key)
{
    return (key ^ ladder->key) >> ladder->bits == 0;
}

/* Puts a root above the present one, if there is one. */
static void grow(struct orr_priority_sums *ladder, uint64_t key)
{
    struct orr_rung *root = g_new0(struct orr_rung, 1);

    if (ladder->root) {
        unsigned child = child_at(ladder->key, ladder->bits);

        for (unsigned i = 0; i <= child; i++)
            root->from[i] = ladder->total;
        root->children[child] = ladder->root;
    } else {
        ladder->key = key;
    }
    ladder->root = root;
    ladder->bits += LEVEL_BITS;
}

void orr_priority_sums_add(struct orr_priority_sums *ladder, int priority,
                           orr_time length)
{
    uint64_t key = key_of(priority);
    struct orr_rung **link = &ladder->root;

    while (!ladder->root || !reaches(ladder, key))
        grow(ladder, key);
    ladder->total += length;
    for (unsigned shift = ladder->bits - LEVEL_BITS;; shift -= LEVEL_BITS) {
        unsigned child = child_at(key, shift);

        if (!*link)
            *link = g_new0(struct orr_rung, 1);
        for (unsigned i = 0; i <= child; i++)
            (*link)->from[i] += length;
        if (shift == 0)
            return;
        link = &(*link)->children[child];
    }
}

orr_time orr_priority_sums_from(const struct orr_priority_sums *ladder,
                                int priority)
{
    uint64_t key = key_of(priority);
    const struct orr_rung *rung = ladder->root;
    orr_time sum = 0;

    if (rung && !reaches(ladder, key))
        return key < ladder->key ? ladder->total : 0;
    for (unsigned shift = ladder->bits - LEVEL_BITS; rung;
         shift -= LEVEL_BITS) {
        unsigned child = child_at(key, shift);

        if (shift == 0)
            return sum + rung->from[child];
        if (child + 1 < CHILDREN)
            sum += rung->from[child + 1];
        rung = rung->children[child];
    }
    return sum;
}
