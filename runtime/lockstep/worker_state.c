/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/worker_state.h"

#include "runtime/lockstep/lockstep.h"

static void relax(void *arg)
{
    struct orr_worker *worker = arg;

    worker->relaxed = true;
    orr_worker_state_tell(worker);
}

static void unrelax(void *arg)
{
    ((struct orr_worker *)arg)->relaxed = false;
}

enum orr_next orr_worker_state_relax(struct orr_actor *actor,
                                     struct orr_worker *worker, bool relaxed)
{
    struct orr_engine *engine = actor->engine;

    if (!worker)
        return ORR_CONTINUE;
    orr_engine_take(engine, &worker->lock);
    orr_engine_do(engine, relaxed ? relax : unrelax, worker);
    if (relaxed)
        orr_engine_spend(engine, 1);
    orr_engine_give(engine, &worker->lock);
    return orr_actor_take_turns(actor, 0);
}

enum orr_next orr_worker_state_await(struct orr_actor *actor,
                                     struct orr_worker *worker)
{
    actor->next = NULL;
    if (worker->first_looker)
        worker->last_looker->next = actor;
    else
        worker->first_looker = actor;
    worker->last_looker = actor;
    orr_mutex_give(&worker->lock);
    return orr_actor_suspend(actor);
}

void orr_worker_state_tell(struct orr_worker *worker)
{
    while (worker->first_looker) {
        struct orr_actor *looker = worker->first_looker;

        worker->first_looker = looker->next;
        orr_mutex_try(&worker->lock, looker);
    }
}
