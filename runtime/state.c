/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/state.h"

#include "runtime/turns.h"

struct relaxing {
    enum { RELAX_TAKE, RELAX_HELD, RELAX_TOLD, RELAX_END } at;
    struct orr_worker *worker;
    bool relaxed;
};

static enum orr_next relax(struct orr_actor *actor, void *locals)
{
    struct relaxing *relaxing = locals;
    struct orr_worker *worker = relaxing->worker;

    switch (relaxing->at) {
    case RELAX_TAKE:
        relaxing->at = RELAX_HELD;
        return orr_mutex_take_in_turn(&worker->lock, actor);
    case RELAX_HELD:
        relaxing->at = RELAX_TOLD;
        worker->relaxed = relaxing->relaxed;
        if (!relaxing->relaxed)
            return ORR_CONTINUE;
        orr_state_tell(worker);
        return orr_actor_take_turns(actor, 1);
    case RELAX_TOLD:
        relaxing->at = RELAX_END;
        return orr_mutex_give_in_turn(&worker->lock, actor);
    case RELAX_END:
        break;
    }
    return ORR_DONE;
}

enum orr_next orr_state_relax(struct orr_actor *actor,
                              struct orr_worker *worker, bool relaxed)
{
    struct relaxing *relaxing;

    if (!worker)
        return ORR_CONTINUE;
    relaxing = orr_actor_call(actor, relax, sizeof(*relaxing));
    relaxing->worker = worker;
    relaxing->relaxed = relaxed;
    return ORR_CONTINUE;
}

enum orr_next orr_state_await(struct orr_actor *actor,
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

void orr_state_tell(struct orr_worker *worker)
{
    while (worker->first_looker) {
        struct orr_actor *looker = worker->first_looker;

        worker->first_looker = looker->next;
        orr_mutex_try(&worker->lock, looker);
    }
}
