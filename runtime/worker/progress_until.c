/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns of progress until something else has happened. */
#include "runtime/worker/progress.h"

#include "runtime/lockstep/interleaving.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* Turns that a worker takes instead of waiting for a lock (StarPU,
 * STARPU_SPIN_MAXTRY). */
#define LOCK_TURNS 10

struct locking {
    struct orr_worker *worker;
    struct orr_data *data;
    bool began;
    bool was_sparing;
    unsigned turns;
    bool progressed; /* of no interest here */
};

/* By rounds, who takes a lock for a moment keeps it for some turns. */
static bool is_busy(const struct orr_spinlock *lock,
                    const struct orr_engine *engine)
{
    return engine->by_rounds ? orr_spinlock_is_taken(lock, engine)
                             : orr_spinlock_is_held(lock, engine);
}

/* Meanwhile a worker allocates nothing (StarPU, DATAWIZARD_DO_NOT_ALLOC); what
 * that means for others than runs by rounds has not been looked at. */
static void spare(struct locking *locking)
{
    if (!locking->worker->run->engine.by_rounds)
        return;
    locking->was_sparing = locking->worker->is_sparing;
    locking->worker->is_sparing = true;
}

/* Calls a turn, of which it is of no interest whether it made progress. */
static void call_any_turn(struct orr_actor *actor, struct orr_worker *worker,
                          bool *progressed)
{
    worker->run->interleaving->call_turn(actor, worker, progressed);
}

static enum orr_next lock(struct orr_actor *actor, void *locals)
{
    struct locking *locking = locals;

    if (locking->began && locking->worker)
        locking->worker->is_sparing = locking->was_sparing;
    /* A worker has a turn even if the lock is free again by then. */
    if (locking->began && !is_busy(&locking->data->lock, actor->engine))
        return ORR_DONE;
    locking->began = true;
    if (!locking->worker || locking->turns++ == LOCK_TURNS) {
        orr_spinlock_await(actor, &locking->data->lock);
        return ORR_CONTINUE;
    }
    spare(locking);
    call_any_turn(actor, locking->worker, &locking->progressed);
    return ORR_CONTINUE;
}

void orr_progress_until_free(struct orr_actor *actor, struct orr_worker *worker,
                             struct orr_data *data)
{
    struct locking *locking = orr_actor_call(actor, lock, sizeof(*locking));

    locking->worker = worker;
    locking->data = data;
}

struct awaiting {
    enum { AWAIT_LOOK, AWAIT_CLEARED, AWAIT_PROGRESSED } at;
    struct orr_worker *worker;
    struct orr_request *request;
    bool progressed; /* of no interest here */
};

static enum orr_next await(struct orr_actor *actor, void *locals)
{
    struct awaiting *awaiting = locals;

    if (awaiting->at == AWAIT_PROGRESSED) {
        awaiting->at = AWAIT_LOOK;
        if (orr_actor_wait(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    if (awaiting->at == AWAIT_LOOK) {
        awaiting->at = AWAIT_CLEARED;
        orr_actor_clear_signal(actor);
        if (orr_actor_pass(actor, 0) == ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    if (orr_watchdog_turn(awaiting->worker->run))
        return orr_actor_suspend(actor);
    if (awaiting->request->completed) {
        awaiting->worker->awaited = NULL;
        /* Signals may have been meant for the worker's own loop. */
        orr_actor_signal(actor);
        return ORR_DONE;
    }
    awaiting->at = AWAIT_PROGRESSED;
    call_any_turn(actor, awaiting->worker, &awaiting->progressed);
    return ORR_CONTINUE;
}

void orr_progress_until(struct orr_actor *actor, struct orr_worker *worker,
                        struct orr_request *request)
{
    struct awaiting *awaiting = orr_actor_call(actor, await, sizeof(*awaiting));

    awaiting->worker = worker;
    awaiting->request = request;
    worker->awaited = request;
}
