/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCK_WALK_H
#define ORR_LOCK_WALK_H

#include "runtime/engine/actor.h"

/*
 * A walk: an actor locks and unlocks a sequence of locks, one after the other,
 * and does nothing else while it holds a lock. Each lock and each unlock is a
 * tick.
 *
 * Most ticks of most runs in lock-step belong to walks. For speed they are
 * handled when the event of the actor fires, without running its procedure,
 * which is resumed after the last tick.
 */
struct orr_walk_lock {
    struct orr_mutex *lock;
    uint32_t skip_mask; /* the lock is skipped while one of these bits is set */
};

struct orr_lock_walk {
    const struct orr_walk_lock *next, *end;
    const uint32_t *bits;   /* borrowed; they may change meanwhile */
    struct orr_mutex *held; /* NULL at first; private */
};

/* In a procedure of an actor with nothing pending: walks through the locks; the
 * procedure continues one tick after the last. @walk must outlive the walk. */
enum orr_next orr_lock_walk_begin(struct orr_lock_walk *walk,
                                  struct orr_actor *actor);

#endif
