/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/popping.h"

#include "runtime/lockstep/state.h"
#include "runtime/lockstep/steal.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

/* Operations. */
enum {
    SET_STATUS = 2, /* of a worker, for the record */
    LEAVE_CPU = 1,  /* tell those who wait to look at it; */
    LEAVE_GPU = 2   /* and its driver unlocks once more */
};

struct popping {
    enum {
        POP_ENTER,
        POP_ENTERED,
        POP_MARKED,
        POP_LOOK,
        POP_STEAL,
        POP_TAKE,
        POP_TAKEN,
        POP_POP,
        POP_LEAVE,
        POP_CONCLUDE,
        POP_TELL,
        POP_GIVE,
        POP_END
    } at;
    struct orr_worker *worker;
    struct orr_task *task;
    bool *found;
};

static enum orr_next enter(struct orr_actor *actor, struct popping *popping)
{
    struct orr_worker *worker = popping->worker;

    popping->at = POP_MARKED;
    orr_lockstep_worker(worker)->closed = true;
    if (worker->scheduling)
        return ORR_CONTINUE;
    worker->scheduling = true;
    return orr_lockstep_pass(actor, SET_STATUS);
}

/* Whether there is anything to be had is seen without a lock. Who then has to
 * wait for another's lock lets others look at it meanwhile. */
static enum orr_next look(struct orr_actor *actor, struct popping *popping)
{
    struct orr_worker *worker = popping->worker;
    struct orr_run *run = worker->run;
    bool goes_on;

    if (run->policy->steal) {
        popping->task = run->policy->steal->own(run->sched, worker->index);
        goes_on = !popping->task;
        popping->at = goes_on ? POP_STEAL : POP_LEAVE;
    } else {
        goes_on = orr_lockstep_run(run)->queued > 0;
        popping->at = goes_on ? POP_TAKE : POP_LEAVE;
    }
    return orr_worker_state_relax(actor, goes_on ? worker : NULL, true);
}

static enum orr_next pop_from_all(struct orr_actor *actor,
                                  struct popping *popping)
{
    struct orr_worker *worker = popping->worker;
    struct orr_run *run = worker->run;

    popping->at = POP_LEAVE;
    popping->task = orr_sched_pop(run->sched, worker->index);
    orr_lockstep_run(run)->queued -= popping->task != NULL;
    return orr_lockstep_unlock(&orr_lockstep_run(run)->common[ORR_LOCK_POLICY],
                               actor);
}

/* Its status changes if it fell asleep, or was. */
static enum orr_next conclude(struct orr_actor *actor, struct popping *popping)
{
    struct orr_worker *worker = popping->worker;
    bool slept = worker->sleeping;
    bool found = orr_worker_was_given(worker, popping->task);
    bool begins = popping->task || (worker->device != ORR_RAM && found);

    *popping->found = found;
    popping->at = POP_TELL;
    return orr_lockstep_pass(actor, SET_STATUS * (begins ? 1 + slept : !slept));
}

static enum orr_next tell(struct orr_actor *actor, struct popping *popping)
{
    struct orr_worker *worker = popping->worker;

    popping->at = POP_GIVE;
    orr_lockstep_worker(worker)->closed = false;
    orr_worker_state_tell(worker);
    return orr_lockstep_pass(actor,
                             worker->device == ORR_RAM ? LEAVE_CPU : LEAVE_GPU);
}

static enum orr_next pop(struct orr_actor *actor, void *locals)
{
    struct popping *popping = locals;
    struct orr_worker *worker = popping->worker;
    struct orr_run *run = worker->run;

    switch (popping->at) {
    case POP_ENTER:
        popping->at = POP_ENTERED;
        return orr_lockstep_lock(orr_worker_state_lock(worker), actor);
    case POP_ENTERED:
        return enter(actor, popping);
    case POP_MARKED:
        popping->at = POP_LOOK;
        return orr_lockstep_unlock(orr_worker_state_lock(worker), actor);
    case POP_LOOK:
        return look(actor, popping);
    case POP_STEAL:
        popping->at = POP_LEAVE;
        orr_steal_call(actor, worker, &popping->task);
        return ORR_CONTINUE;
    case POP_TAKE:
        popping->at = POP_TAKEN;
        return orr_lockstep_lock(
            &orr_lockstep_run(run)->common[ORR_LOCK_POLICY], actor);
    case POP_TAKEN:
        popping->at = POP_POP;
        return orr_worker_state_relax(actor, worker, false);
    case POP_POP:
        return pop_from_all(actor, popping);
    case POP_LEAVE:
        popping->at = POP_CONCLUDE;
        return orr_lockstep_lock(orr_worker_state_lock(worker), actor);
    case POP_CONCLUDE:
        return conclude(actor, popping);
    case POP_TELL:
        return tell(actor, popping);
    case POP_GIVE:
        popping->at = POP_END;
        return orr_lockstep_unlock(orr_worker_state_lock(worker), actor);
    case POP_END:
        break;
    }
    return ORR_DONE;
}

void orr_popping_call(struct orr_actor *actor, struct orr_worker *worker,
                      bool *found)
{
    struct popping *popping = orr_actor_call(actor, pop, sizeof(*popping));

    popping->worker = worker;
    popping->found = found;
}
