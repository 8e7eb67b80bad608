/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/worker_state.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

static void relax(void *arg)
{
    struct orr_worker *worker = arg;

    orr_lockstep_worker(worker)->closed = false;
    orr_worker_state_tell(worker);
}

static void unrelax(void *arg)
{
    orr_lockstep_worker(arg)->closed = true;
}

enum orr_next orr_worker_state_relax(struct orr_actor *actor,
                                     struct orr_worker *worker, bool relaxed)
{
    struct orr_engine *engine = actor->engine;

    if (!worker)
        return ORR_CONTINUE;
    orr_lockstep_take(engine, orr_worker_state_lock(worker));
    orr_act(engine, relaxed ? relax : unrelax, worker);
    if (relaxed)
        orr_lockstep_spend(engine, 1);
    orr_lockstep_give(engine, orr_worker_state_lock(worker));
    return orr_actor_pass(actor);
}

enum orr_next orr_worker_state_await(struct orr_actor *actor,
                                     struct orr_worker *worker)
{
    actor->next = NULL;
    if (orr_lockstep_worker(worker)->first_looker)
        orr_lockstep_worker(worker)->last_looker->next = actor;
    else
        orr_lockstep_worker(worker)->first_looker = actor;
    orr_lockstep_worker(worker)->last_looker = actor;
    orr_mutex_give(orr_worker_state_lock(worker));
    return orr_actor_suspend(actor);
}

void orr_worker_state_tell(struct orr_worker *worker)
{
    while (orr_lockstep_worker(worker)->first_looker) {
        struct orr_actor *looker = orr_lockstep_worker(worker)->first_looker;

        orr_lockstep_worker(worker)->first_looker = looker->next;
        orr_mutex_try(orr_worker_state_lock(worker), looker);
    }
}
