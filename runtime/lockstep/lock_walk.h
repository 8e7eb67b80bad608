/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCK_WALK_H
#define ORR_LOCK_WALK_H

#include "runtime/engine/actor.h"

/*
 * In a run by rounds (turns.h): an actor that takes locks and gives them back
 * at once, one after the other, with nothing to see behind them but whether
 * somebody else does the same. Taking one is a turn, and so is giving it back.
 *
 * Most turns of most runs are of this kind. So they are not taken by a
 * procedure but by the actor itself, which is not resumed before the last.
 */
struct orr_walk_lock {
    struct orr_mutex *lock;
    uint32_t shut; /* it is left out while one of these bits is set */
};

struct orr_lock_walk {
    const struct orr_walk_lock *next, *end;
    const uint32_t *bits;   /* borrowed; they may change meanwhile */
    struct orr_mutex *held; /* NULL at first; private */
};

/* In a procedure of an actor that owes nothing: passes all gates, and goes on
 * one turn after the last. @passage outlives that. */
enum orr_next orr_lock_walk_begin(struct orr_lock_walk *passage,
                                  struct orr_actor *actor);

#endif
