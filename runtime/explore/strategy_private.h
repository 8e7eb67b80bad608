/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STRATEGY_PRIVATE_H
#define ORR_STRATEGY_PRIVATE_H

#include "runtime/explore/strategy.h"

/* To add a strategy: its .c file with a table of functions as below, its name
 * in enum orr_strategy_kind, a line in strategy.c and one in local.mk. */
struct orr_strategy_ops {
    const char *name;
    size_t state_size; /* bytes, zeroed before each schedule; may be 0 */

    /* Optional. The schedule @strategy->number is about to begin. */
    void (*begin)(struct orr_strategy *strategy);

    /* Returns an option of @decision. */
    unsigned (*decide)(struct orr_strategy *strategy,
                       const struct orr_decision *decision);

    /* Optional: orr_strategy_claim(). */
    char *(*claim)(const struct orr_strategy_scope *scope, uint64_t schedules);

    /* Optional: orr_strategy_bounds(). */
    unsigned (*bounds)(const struct orr_strategy_scope *scope,
                       uint64_t schedules, double *bounds);
};

struct orr_strategy {
    struct orr_decider decider; /* first */
    const struct orr_strategy_ops *ops;
    struct orr_strategy_scope scope;
    uint64_t number;   /* of the schedule */
    uint64_t drawn;    /* random numbers in this schedule */
    uint64_t position; /* of the present decision in this schedule */
    void *state;
};

/* A random number below @limit (> 0), keyed by the seed and the schedule. */
uint64_t orr_strategy_draw(struct orr_strategy *strategy, uint64_t limit);

/* The default, or in @chance of 256 cases a random option, which may be the
 * default too. */
unsigned orr_strategy_toss(struct orr_strategy *strategy,
                           const struct orr_decision *decision,
                           unsigned chance);

extern const struct orr_strategy_ops orr_strategy_delay;
extern const struct orr_strategy_ops orr_strategy_pct;
extern const struct orr_strategy_ops orr_strategy_random;
extern const struct orr_strategy_ops orr_strategy_starve;

#endif
