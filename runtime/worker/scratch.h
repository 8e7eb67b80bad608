/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCRATCH_H
#define ORR_SCRATCH_H

#include "runtime/data/data.h"
#include "runtime/engine/actor.h"
#include "runtime/worker/pin.h"

/*
 * Buffers of workers: for orr_task_spec.scratch, and the copies to which tasks
 * add by ORR_REDUX (redux.h). Each is a datum of its own that only its worker
 * uses. Its content does not matter: RAM counts as valid, so a buffer on a GPU
 * can be evicted without a copy, and is allocated again when a task needs it.
 */
struct orr_fetching;
struct orr_worker;

struct orr_buffers {
    GHashTable *scratch; /* buffers by datum; owned; NULL: none */
    GHashTable *redux;   /* struct orr_redux by datum; owned; NULL: no datum has
                            a reduction */
    struct orr_pinning pinning;
};

/* Fetches the buffers that the task needs, after its data; a part of
 * orr_worker_fetch(). Increments buffers_awaited for each of them. */
enum orr_next orr_worker_fetch_scratch(struct orr_worker *worker,
                                       struct orr_fetching *fetching);

/* A new buffer of @worker with the size and pitch of @of. */
struct orr_data *orr_scratch_new(struct orr_run *run, const struct orr_data *of,
                                 unsigned worker);

/* Frees the memory of @data, a buffer of @worker. */
void orr_scratch_free(struct orr_run *run, struct orr_data *data,
                      unsigned worker);

/* orr_scratch_expect(): a task of @spec, which needs buffers, will run.
 * orr_scratch_is_awaited(): whether a task that has not ended needs a buffer
 * for @data. orr_scratch_drop(): frees the buffers for @data, which no task
 * needs. */
void orr_scratch_expect(struct orr_run *run, const struct orr_task_spec *spec);
bool orr_scratch_is_awaited(const struct orr_run *run,
                            const struct orr_data *data);
void orr_scratch_drop(struct orr_run *run, const struct orr_data *data);

/* @job has ended on @worker: releases its buffers for scratch data. */
void orr_worker_release_scratch(struct orr_worker *worker,
                                const struct orr_job *job);

#endif
