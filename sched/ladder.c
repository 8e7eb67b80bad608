/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/ladder.h"

#include <glib.h>
#include <limits.h>

enum { LEVEL_BITS = 4, CHILDREN = 1 << LEVEL_BITS };

#define TOP_SHIFT (32 - LEVEL_BITS)

struct orr_rung {
    orr_time from[CHILDREN]; /* the sum of this child and those after it */
    struct orr_rung *children[CHILDREN]; /* none below the last level */
};

/* Priorities in the same order, from 0. */
static uint32_t key_of(int priority)
{
    return (uint32_t)((int64_t)priority - INT_MIN);
}

static unsigned child_at(uint32_t key, unsigned shift)
{
    return key >> shift & (CHILDREN - 1);
}

static void free_rung(struct orr_rung *rung)
{
    if (!rung)
        return;
    for (unsigned i = 0; i < CHILDREN; i++)
        free_rung(rung->children[i]);
    g_free(rung);
}

void orr_ladder_clear(struct orr_ladder *ladder)
{
    free_rung(ladder->root);
    *ladder = (struct orr_ladder){.root = NULL};
}

void orr_ladder_add(struct orr_ladder *ladder, int priority, orr_time length)
{
    uint32_t key = key_of(priority);
    struct orr_rung **link = &ladder->root;

    ladder->total += length;
    for (unsigned shift = TOP_SHIFT;; shift -= LEVEL_BITS) {
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

orr_time orr_ladder_from(const struct orr_ladder *ladder, int priority)
{
    uint32_t key = key_of(priority);
    const struct orr_rung *rung = ladder->root;
    orr_time sum = 0;

    for (unsigned shift = TOP_SHIFT; rung; shift -= LEVEL_BITS) {
        unsigned child = child_at(key, shift);

        if (shift == 0)
            return sum + rung->from[child];
        if (child + 1 < CHILDREN)
            sum += rung->from[child + 1];
        rung = rung->children[child];
    }
    return sum;
}
