/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PIN_H
#define ORR_PIN_H

#include "runtime/data/data.h"
#include "runtime/engine/actor.h"

/*
 * Host memory that the runtime allocates itself, when it is first needed: for
 * buffers of workers (scratch.h), and for copies of temporary data. Beside GPUs
 * it is pinned, in chunks as in the memories of GPUs, which takes long:
 * meanwhile others that need a part of the chunk wait (StarPU, malloc.c).
 * Without GPUs it takes no time, and data have it from the begin.
 */
struct orr_pinning {
    uint64_t left;  /* bytes free in pinned chunks */
    orr_time until; /* date until which pinning lasts */
    bool paid;      /* some memory was pinned */
};

/* Calls, on @actor: @data get their buffer in RAM, which they do not have. */
void orr_pin(struct orr_actor *actor, struct orr_run *run,
             struct orr_data *data);

/* @data, of which the buffer in RAM was pinned, lose it: the chunk gets its
 * part back. */
void orr_unpin(struct orr_run *run, struct orr_data *data);

/* If @data have a buffer in RAM that was pinned, it becomes a spare for the
 * next temporary data of this size: see orr_memory_spare(). */
void orr_pin_spare(struct orr_run *run, struct orr_data *data);

#endif
