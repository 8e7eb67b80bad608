/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/waking.h"

#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"

/* Operations: one more if the worker sleeps. */
enum { IF_ASLEEP = 1 };

struct waking {
    enum {
        WAKE_RELAX,
        WAKE_TAKE,
        WAKE_LOOK,
        WAKE_GIVE,
        WAKE_UNRELAX,
        WAKE_END
    } at;
    struct orr_worker *by;
    struct orr_worker *worker;
    bool *woken;
};

enum orr_next orr_waking_signal(struct orr_actor *actor,
                                struct orr_worker *worker)
{
    orr_lockstep_spend(actor->engine, 1);
    orr_actor_signal(&worker->actor);
    return orr_lockstep_pass(actor, 1 + (worker->sleeping ? IF_ASLEEP : 0));
}

static enum orr_next look(struct orr_actor *actor, struct waking *waking)
{
    struct orr_worker *worker = waking->worker;

    if (waking->by == worker || !orr_lockstep_worker(worker)->closed) {
        waking->at = WAKE_GIVE;
        *waking->woken = orr_worker_note_wake(worker);
        return orr_waking_signal(actor, worker);
    }
    if (!worker->scheduling)
        return orr_worker_state_await(actor, worker);
    /* It is about to pop, or has just done so. */
    waking->at = WAKE_GIVE;
    worker->woken = true;
    *waking->woken = true;
    return ORR_CONTINUE;
}

static enum orr_next wake(struct orr_actor *actor, void *locals)
{
    struct waking *waking = locals;
    struct orr_worker *worker = waking->worker;
    struct orr_worker *other = waking->by == worker ? NULL : waking->by;

    switch (waking->at) {
    case WAKE_RELAX:
        waking->at = WAKE_TAKE;
        return orr_worker_state_relax(actor, other, true);
    case WAKE_TAKE:
        waking->at = WAKE_LOOK;
        return orr_lockstep_lock(orr_worker_state_lock(worker), actor);
    case WAKE_LOOK:
        return look(actor, waking);
    case WAKE_GIVE:
        waking->at = WAKE_UNRELAX;
        return orr_lockstep_unlock(orr_worker_state_lock(worker), actor);
    case WAKE_UNRELAX:
        waking->at = WAKE_END;
        return orr_worker_state_relax(actor, other, false);
    case WAKE_END:
        break;
    }
    return ORR_DONE;
}

void orr_waking_call(struct orr_actor *actor, struct orr_worker *by,
                     struct orr_worker *worker, bool *woken)
{
    struct waking *waking = orr_actor_call(actor, wake, sizeof(*waking));

    waking->by = by;
    waking->worker = worker;
    waking->woken = woken;
}
