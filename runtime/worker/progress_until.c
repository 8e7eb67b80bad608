/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns of progress until a lock is free, or a request complete. */
#include "runtime/worker/progress.h"

#include "runtime/run.h"
#include "runtime/worker/worker.h"

/* Turns that a worker takes instead of waiting for a lock (StarPU,
 * STARPU_SPIN_MAXTRY). */
#define LOCK_TURNS 10

struct locking {
    struct orr_worker *worker;
    struct orr_data *data;
    bool began;
    bool turning; /* in @turn */
    unsigned turns;
    struct orr_turn turn;
};

static bool is_locked(const struct locking *locking,
                      const struct orr_actor *actor)
{
    const struct orr_spinlock *lock = &locking->data->lock;

    return locking->worker ? locking->worker->run->interleaving->is_locked(
                                 lock, actor->engine)
                           : orr_spinlock_is_held(lock, actor->engine);
}

static enum orr_next lock(struct orr_actor *actor, void *locals)
{
    struct locking *locking = locals;

    for (;;) {
        if (locking->turning) {
            enum orr_next next = orr_turn_go_on(actor, &locking->turn);

            if (next != ORR_DONE)
                return next;
            locking->turning = false;
            orr_point(actor->engine, ORR_POINT_SPIN_ENDS, locking->worker);
        }
        /* A worker takes a turn even if the lock is free by now. */
        if (locking->began && !is_locked(locking, actor))
            return ORR_DONE;
        locking->began = true;
        if (!locking->worker || locking->turns++ == LOCK_TURNS) {
            orr_spinlock_await(actor, &locking->data->lock);
            return ORR_CONTINUE;
        }
        orr_point(actor->engine, ORR_POINT_SPIN_BEGINS, locking->worker);
        locking->turning = true;
        orr_turn_begin(&locking->turn, locking->worker);
    }
}

void orr_progress_until_free(struct orr_actor *actor, struct orr_worker *worker,
                             struct orr_data *data)
{
    struct locking *locking = orr_actor_call_some(
        actor, lock, sizeof(*locking), offsetof(struct locking, turn));

    locking->worker = worker;
    locking->data = data;
}

struct awaiting {
    enum { AWAIT_LOOK, AWAIT_CLEARED, AWAIT_TURN } at;
    struct orr_worker *worker;
    struct orr_request *request;
    struct orr_turn turn; /* in AWAIT_TURN */
};

/* Whether the request is complete; the worker then awaits it no longer. */
static bool ends(struct orr_actor *actor, const struct awaiting *awaiting)
{
    if (!awaiting->request->completed)
        return false;
    awaiting->worker->awaited = NULL;
    orr_actor_signal(actor); /* signals may have been for the worker's loop */
    return true;
}

static enum orr_next await(struct orr_actor *actor, void *locals)
{
    struct awaiting *awaiting = locals;

    for (;;) {
        enum orr_next next;

        switch (awaiting->at) {
        case AWAIT_LOOK:
            awaiting->at = AWAIT_CLEARED;
            orr_actor_clear_signal(actor);
            if (orr_actor_pass(actor) == ORR_ASLEEP)
                return ORR_ASLEEP;
            /* fall through */
        case AWAIT_CLEARED:
            if (orr_watchdog_turn(awaiting->worker->run))
                return orr_actor_suspend(actor);
            if (ends(actor, awaiting))
                return ORR_DONE;
            awaiting->at = AWAIT_TURN;
            orr_turn_begin(&awaiting->turn, awaiting->worker);
            /* fall through */
        case AWAIT_TURN:
            next = orr_turn_go_on(actor, &awaiting->turn);
            if (next != ORR_DONE)
                return next;
            awaiting->at = AWAIT_LOOK;
            if (orr_actor_wait(actor) == ORR_ASLEEP)
                return ORR_ASLEEP;
        }
    }
}

void orr_progress_until(struct orr_actor *actor, struct orr_worker *worker,
                        struct orr_request *request)
{
    struct awaiting *awaiting = orr_actor_call_some(
        actor, await, sizeof(*awaiting), offsetof(struct awaiting, turn));

    awaiting->worker = worker;
    awaiting->request = request;
    worker->awaited = request;
}

const struct orr_turn *orr_progress_turn_in(const struct orr_frame *frame)
{
    const struct locking *locking = (const void *)(frame + 1);
    const struct awaiting *awaiting = (const void *)(frame + 1);

    if (frame->procedure == lock)
        return locking->turning ? &locking->turn : NULL;
    return frame->procedure == await && awaiting->at == AWAIT_TURN
               ? &awaiting->turn
               : NULL;
}
