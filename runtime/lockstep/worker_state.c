/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/worker_state.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

void orr_worker_state_open(struct orr_worker *worker)
{
    orr_lockstep_worker(worker)->closed = false;
    orr_worker_state_notify(worker);
}

static void open_state(void *arg)
{
    orr_worker_state_open(arg);
}

static void close_state(void *arg)
{
    orr_lockstep_worker(arg)->closed = true;
}

void orr_worker_state_append(struct orr_engine *engine,
                             struct orr_worker *worker, bool open)
{
    if (!worker)
        return;
    orr_lockstep_add_lock(engine, orr_worker_state_lock(worker));
    orr_act(engine, open ? open_state : close_state, worker);
    if (open)
        orr_lockstep_add_ticks(engine, 1);
    orr_lockstep_add_unlock(engine, orr_worker_state_lock(worker));
}

enum orr_next orr_worker_state_set_open(struct orr_actor *actor,
                                        struct orr_worker *worker, bool open)
{
    if (!worker)
        return ORR_CONTINUE;
    orr_worker_state_append(actor->engine, worker, open);
    return orr_actor_pass(actor);
}

enum orr_next orr_worker_state_await_open(struct orr_actor *actor,
                                          struct orr_worker *worker)
{
    struct orr_lockstep_worker *own = orr_lockstep_worker(worker);

    orr_actor_append(&own->first_waiter, &own->last_waiter, actor);
    orr_mutex_unlock(&own->lock);
    return orr_actor_suspend(actor);
}

void orr_worker_state_notify(struct orr_worker *worker)
{
    struct orr_lockstep_worker *own = orr_lockstep_worker(worker);

    while (own->first_waiter) {
        struct orr_actor *waiter = own->first_waiter;

        own->first_waiter = waiter->next;
        orr_mutex_try(&own->lock, waiter);
    }
}
