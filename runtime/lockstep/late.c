/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pushes and pops of a policy that binds tasks late: see scheduling.h. */
#include "runtime/lockstep/binding.h"
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

enum { TRIES = 2 }; /* of a pop that finds nothing but was woken meanwhile */

/* Pushes (component_prio.c: prio_push_task()). */

static enum orr_next add_ready(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    orr_late(moves)->add_ready(moves->run->sched, &moves->job->active->task);
    return ORR_CONTINUE;
}

static enum orr_next prefetch_pushed(struct orr_actor *actor,
                                     struct moves *moves)
{
    moves->receiver = moves->run->workers[0];
    return orr_late_prefetches_at_push(moves) ? orr_moves_prefetch(actor, moves)
                                              : ORR_CONTINUE;
}

const struct move orr_push_late[] = {
    {OPEN, NULL},
    {LOCK_POLICY, NULL},
    {CLOSE, NULL},
    {CALL, add_ready},
    {CALL, prefetch_pushed},
    {UNLOCK_POLICY, NULL},
    {CALL, orr_bind_ready},
    {OPEN, NULL},
    {CALL, NULL},
};

/* Pops (component_worker.c: simple_worker_pull_task()). */

static const struct move pull_own[9], pull_nothing[8];

static enum orr_next forget_plan(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    orr_late(moves)->drop_plan(moves->run->sched, moves->self->index);
    return ORR_CONTINUE;
}

static enum orr_next look_at_own(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    (void)actor;
    moves->receiver = moves->self;
    moves->tries++;
    return orr_moves_go_on(
        moves, orr_late(moves)->has_own(run->sched, moves->self->index)
                   ? pull_own
                   : pull_nothing);
}

const struct move orr_pop_late[] = {
    {OPEN, NULL},        {LOCK_PLAN, NULL},   {CLOSE, NULL},
    {CALL, forget_plan}, {UNLOCK_PLAN, NULL}, {CALL, look_at_own},
};

static enum orr_next take_own(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    moves->task =
        orr_late(moves)->take_own(moves->run->sched, moves->self->index);
    moves->job = orr_job_of(moves->task);
    return ORR_CONTINUE;
}

static const struct move planned[6];

static enum orr_next predict_own(struct orr_actor *actor, struct moves *moves)
{
    return orr_late_predict(actor, moves, moves->self)
               ? orr_moves_go_on(moves, planned)
               : orr_moves_again(moves);
}

static enum orr_next plan(struct orr_actor *actor, struct moves *moves)
{
    unsigned worker = moves->self->index;

    (void)actor;
    orr_late(moves)->plan(moves->run->sched, moves->task, worker,
                          orr_late_transfers(moves)[worker]);
    return ORR_CONTINUE;
}

static enum orr_next end_pop(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, orr_pop_end);
}

static const struct move planned[] = {
    {OPEN, NULL}, {LOCK_PLAN, NULL},   {CLOSE, NULL},
    {CALL, plan}, {UNLOCK_PLAN, NULL}, {CALL, end_pop},
};

static const struct move pull_own[] = {
    {OPEN, NULL},           {LOCK_QUEUE, NULL},
    {CLOSE, NULL},          {CALL, take_own},
    {UNLOCK_QUEUE, NULL},   {CALL, orr_bind_waiting},
    {CALL, orr_bind_ready}, {CALL, orr_moves_ask_model},
    {CALL, predict_own},
};

/* It was woken if it bound a task to itself. */
static enum orr_next try_again(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, moves->self->woken && moves->tries < TRIES
                                      ? orr_pop_late
                                      : orr_pop_end);
}

/* Binds tasks for its queue, then for those that it could run without a model
 * (component_eager.c: eager_pull_task()). */
static const struct move pull_nothing[] = {
    {CALL, orr_bind_waiting}, {CALL, orr_bind_ready}, {OPEN, NULL},
    {LOCK_UNKNOWN, NULL},     {CLOSE, NULL},          {CALL, orr_bind_ready},
    {UNLOCK_UNKNOWN, NULL},   {CALL, try_again},
};
