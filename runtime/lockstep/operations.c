/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/operations.h"

#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* Operations that nobody else has a part in. */
enum {
    LOCK_OWN = 2,    /* of a task, a worker, a datum: taken and given */
    LAST_SIGNAL = 4, /* of a task: a lock, a condition made, told, given */
    PREPARE = 10     /* a task, until it is counted as submitted */
};

/* Takes and gives a lock; @between: operations while it is held. */
static void hold(struct orr_run *run, struct orr_mutex *lock, unsigned between)
{
    orr_engine_take(&run->engine, lock);
    orr_engine_spend(&run->engine, between);
    orr_engine_give(&run->engine, lock);
}

static void hold_common(struct orr_run *run, enum orr_common_lock lock,
                        unsigned between)
{
    hold(run, &run->shared.common[lock], between);
}

static void spend(struct orr_run *run, unsigned operations)
{
    orr_engine_spend(&run->engine, operations);
}

/* The worker that acts takes the lock of its state, and another in that. */
static void change_state(struct orr_run *run)
{
    struct orr_actor *actor = run->engine.acting;

    if (actor && actor != &run->main)
        hold(run, &((struct orr_worker *)actor)->lock, 2);
}

void orr_operations_first(struct orr_run *run)
{
    change_state(run);
    hold_common(run, ORR_LOCK_STARTED, 0);
}

void orr_operations_start(struct orr_run *run, const struct orr_job *job,
                          bool first)
{
    change_state(run);
    if (first)
        orr_operations_first(run);
    hold_common(run, ORR_LOCK_ARCHS, 0);
    hold_common(run, ORR_LOCK_ARCHS, 0);
    hold(run, &job->kernel->model_lock, 0);
}

void orr_operations_finish(struct orr_run *run)
{
    hold_common(run, ORR_LOCK_ARCHS, 0);
    change_state(run);
    hold_common(run, ORR_LOCK_ARCHS, 0);
    spend(run, LOCK_OWN);
}

void orr_operations_release(struct orr_run *run, const struct orr_job *job)
{
    spend(run, (1 + job->declared_count) * LOCK_OWN);
}

void orr_operations_told(struct orr_run *run)
{
    spend(run, LOCK_OWN);
}

static void count_end(struct orr_run *run)
{
    hold_common(run, ORR_LOCK_READY, 0);
    hold_common(run, ORR_LOCK_SUBMITTED, 0);
    hold_common(run, ORR_LOCK_FINISHED, 0);
    hold_common(run, ORR_LOCK_SUBMITTED, 0);
    if (run->engine.acting != &run->main)
        hold(run, &((struct orr_worker *)run->engine.acting)->lock, 0);
}

void orr_operations_end(struct orr_run *run)
{
    spend(run, LAST_SIGNAL + LOCK_OWN);
    count_end(run);
}

static void count_submission(struct orr_run *run, unsigned before)
{
    spend(run, before);
    hold_common(run, ORR_LOCK_SUBMITTED, 1);
    spend(run, LOCK_OWN);
}

void orr_operations_submit(struct orr_run *run)
{
    count_submission(run, PREPARE);
}

void orr_operations_ready(struct orr_run *run)
{
    hold_common(run, ORR_LOCK_READY, 1);
}

void orr_operations_set_aside(struct orr_run *run)
{
    hold_common(run, ORR_LOCK_READY, 1);
    spend(run, 2 * LOCK_OWN);
}

void orr_operations_fetched(struct orr_run *run)
{
    change_state(run);
}

void orr_operations_pass_over(struct orr_run *run, struct orr_mutex *state)
{
    hold(run, state, 1);
}

void orr_operations_acquired(struct orr_run *run)
{
    change_state(run);
}

void orr_operations_enlist(struct orr_run *run)
{
    spend(run, LOCK_OWN);
}

void orr_operations_resubmit(struct orr_run *run)
{
    count_submission(run, 3 * LOCK_OWN);
}

void orr_operations_released(struct orr_run *run)
{
    hold_common(run, ORR_LOCK_READY, 1);
    spend(run, LOCK_OWN + LAST_SIGNAL + LOCK_OWN);
    count_end(run);
}

void orr_operations_written_back(struct orr_run *run)
{
    change_state(run);
    orr_operations_end(run);
}
