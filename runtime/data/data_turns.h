/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DATA_TURNS_H
#define ORR_DATA_TURNS_H

#include <stdbool.h>
#include <stddef.h>

/* How the actors of a run take turns where data are concerned: a part of its
 * interleaving (engine/interleaving.h), plain or in lock-step. */
struct orr_copy;
struct orr_engine;
struct orr_run;
struct orr_spinlock;
struct orr_store;

struct orr_data_turns {
    /* size in bytes of the interleaving's state behind each copy, not zeroed */
    size_t copy_bytes;

    /* Make the workers that drive @node take another turn: orr_store_wake() and
     * orr_store_signal(). The plain ones are called for RAM alone. */
    void (*wake_node)(struct orr_run *run, unsigned node);
    void (*signal_node)(struct orr_run *run, unsigned node);

    /* Whether @lock is still taken, so that a worker keeps making progress
     * instead of waiting for it. */
    bool (*is_locked)(const struct orr_spinlock *lock,
                      const struct orr_engine *engine);

    /* launch() starts @copy, which awaits no other copy any more; copy_ended()
     * does the work that follows its end. */
    void (*launch)(struct orr_store *store, struct orr_copy *copy);
    void (*copy_ended)(struct orr_store *store, struct orr_copy *copy);
};

#endif
