/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pops and steals: see scheduling.h. */
#include "runtime/lockstep/moves.h"
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

/* Turns. */
enum {
    SET_STATUS = 2, /* of a worker, for statistics */
    LEAVE_CPU = 1,  /* notify the actors that wait for the state to open */
    LEAVE_GPU = 2   /* the same, and unlock once more */
};

static const struct move end[] = {{CALL, NULL}};

/* Steals (work_stealing_policy.c: ws_pop_task()). */

static enum orr_next end_steal(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, moves->then);
}

static enum orr_next choose_victim(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    unsigned victim =
        run->queueing->steal->victim(run->sched, moves->self->index);

    (void)actor;
    moves->other = victim == ORR_NO_WORKER ? NULL : run->workers[victim];
    return ORR_CONTINUE;
}

static enum orr_next sleep_a_moment(struct orr_actor *actor,
                                    struct moves *moves)
{
    (void)moves;
    return orr_actor_sleep(actor, ORR_US);
}

static enum orr_next signal_oneself(struct orr_actor *actor,
                                    struct moves *moves)
{
    return orr_moves_signal(actor, moves->self);
}

static enum orr_next stay_awake(struct orr_actor *actor, struct moves *moves)
{
    moves->self->woken = true;
    return orr_lockstep_unlock(orr_worker_state_lock(moves->self), actor);
}

/* A lock was taken, or a state closed: the worker tries again later. */
static const struct move steal_fails[] = {
    {UNLOCK_SELF, NULL},    {CALL, sleep_a_moment}, {LOCK_SELF, NULL},
    {CALL, signal_oneself}, {CALL, stay_awake},     {CALL, end_steal},
};

/* Takes the lock of the state of @worker, or goes on with @otherwise. */
static enum orr_next try_lock(struct orr_actor *actor, struct moves *moves,
                              const struct orr_worker *worker,
                              const struct move *otherwise)
{
    struct orr_mutex *lock = orr_worker_state_lock(worker);

    if (!lock->owner)
        return orr_lockstep_lock(lock, actor);
    moves->next = otherwise;
    return orr_lockstep_pass(actor, 1);
}

static enum orr_next try_own_lock(struct orr_actor *actor, struct moves *moves)
{
    /* It has no lock to give back yet. */
    return moves->other ? try_lock(actor, moves, moves->self, steal_fails + 1)
                        : end_steal(actor, moves);
}

static enum orr_next try_victim(struct orr_actor *actor, struct moves *moves)
{
    return try_lock(actor, moves, moves->other, steal_fails);
}

/* Opens its own state, whose lock it holds. */
static enum orr_next check_victim(struct orr_actor *actor, struct moves *moves)
{
    if (orr_lockstep_worker(moves->other)->closed) {
        moves->next = steal_fails;
        return orr_lockstep_unlock(orr_worker_state_lock(moves->other), actor);
    }
    orr_worker_state_open(moves->self);
    return orr_lockstep_pass(actor, 1);
}

static enum orr_next take_task(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    *moves->stolen = run->queueing->steal->take(run->sched, moves->self->index,
                                                moves->other->index);
    return orr_lockstep_unlock(orr_worker_state_lock(moves->other), actor);
}

static enum orr_next conclude_steal(struct orr_actor *actor,
                                    struct moves *moves)
{
    struct orr_run *run = moves->run;

    run->queueing->steal->conclude(run->sched, moves->self->index,
                                   *moves->stolen);
    return end_steal(actor, moves);
}

static const struct move stealing[] = {
    {CALL, choose_victim}, {CLOSE, NULL},        {CALL, try_own_lock},
    {CALL, try_victim},    {CALL, check_victim}, {UNLOCK_SELF, NULL},
    {CALL, take_task},     {CLOSE, NULL},        {CALL, conclude_steal},
};

void orr_steal_call(struct orr_actor *actor, struct orr_worker *worker,
                    struct orr_task **task)
{
    struct moves *moves = orr_moves_call(actor, worker->run, worker, stealing);

    moves->then = end;
    moves->stolen = task;
}

/* Pops (pop_task of the policies, driver_common.c). */

static enum orr_next enter(struct orr_actor *actor, struct moves *moves)
{
    struct orr_worker *worker = moves->self;

    orr_lockstep_worker(worker)->closed = true;
    if (worker->scheduling)
        return ORR_CONTINUE;
    worker->scheduling = true;
    return orr_lockstep_pass(actor, SET_STATUS);
}

/* Its status changes if it was asleep, or falls asleep. */
static enum orr_next conclude(struct orr_actor *actor, struct moves *moves)
{
    struct orr_worker *worker = moves->self;
    bool slept = worker->sleeping;
    bool found = orr_worker_end_pop(worker, moves->task);
    bool begins = moves->task || (worker->device != ORR_RAM && found);

    *moves->result = found;
    return orr_lockstep_pass(actor, SET_STATUS * (begins ? 1 + slept : !slept));
}

static enum orr_next open_state(struct orr_actor *actor, struct moves *moves)
{
    struct orr_worker *worker = moves->self;

    orr_worker_state_open(worker);
    return orr_lockstep_pass(actor,
                             worker->device == ORR_RAM ? LEAVE_CPU : LEAVE_GPU);
}

const struct move orr_pop_end[] = {
    {LOCK_SELF, NULL},   {CALL, conclude}, {CALL, open_state},
    {UNLOCK_SELF, NULL}, {CALL, NULL},
};

static const struct move pop_shared_end[] = {
    {UNLOCK_POLICY, NULL}, {LOCK_SELF, NULL},   {CALL, conclude},
    {CALL, open_state},    {UNLOCK_SELF, NULL}, {CALL, NULL},
};

static enum orr_next pop_from_all(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    moves->task = orr_sched_pop(run->sched, moves->self->index);
    orr_lockstep_run(&run->engine)->queued -= moves->task != NULL;
    (void)actor;
    return orr_moves_go_on(moves, pop_shared_end);
}

static const struct move pop_shared[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, pop_from_all}};

/* From a policy with buckets (heteroprio.c: pop_task_heteroprio_policy()). */

static const struct move search_victim[7], prefetch_added[2];

static enum orr_next fill_queue(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    const struct orr_sched_buckets *buckets = run->queueing->buckets;

    (void)actor;
    moves->added = buckets->fill(run->sched, moves->self->index);
    moves->task = buckets->own(run->sched, moves->self->index);
    moves->next_worker = 1;
    return orr_moves_go_on(moves, moves->task ? prefetch_added : search_victim);
}

static enum orr_next find_victim(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    unsigned victim =
        moves->task ? ORR_NO_WORKER
                    : run->queueing->buckets->victim(
                          run->sched, moves->self->index, &moves->next_worker);

    (void)actor;
    moves->other = NULL;
    if (victim == ORR_NO_WORKER)
        return orr_moves_go_on(moves, prefetch_added);
    moves->other = run->workers[victim];
    return ORR_CONTINUE;
}

static enum orr_next steal_from_victim(struct orr_actor *actor,
                                       struct moves *moves)
{
    struct orr_run *run = moves->run;

    if (orr_lockstep_worker(moves->other)->closed)
        return orr_moves_await_other(actor, moves);
    moves->task = run->queueing->buckets->take(run->sched, moves->self->index,
                                               moves->other->index);
    return ORR_CONTINUE;
}

static enum orr_next search_on(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, search_victim);
}

static const struct move search_victim[] = {
    {CALL, find_victim},       {OPEN, NULL},         {LOCK_OTHER, NULL},
    {CALL, steal_from_victim}, {UNLOCK_OTHER, NULL}, {CLOSE, NULL},
    {CALL, search_on},
};

static const struct move prefetch_next[3];

static enum orr_next begin_prefetch(struct orr_actor *actor,
                                    struct moves *moves)
{
    (void)actor;
    moves->next_worker = 0;
    if (!moves->task)
        moves->added = 0;
    return orr_moves_go_on(moves, prefetch_next);
}

static enum orr_next choose_prefetch(struct orr_actor *actor,
                                     struct moves *moves)
{
    struct orr_run *run = moves->run;
    struct orr_task *task = NULL;

    (void)actor;
    while (!task && moves->next_worker < moves->added)
        task = run->queueing->buckets->prefetched(
            run->sched, moves->self->index, moves->next_worker++);
    if (!task)
        return orr_moves_go_on(moves, orr_pop_end);
    moves->job = orr_job_of(task);
    moves->receiver = moves->self;
    return ORR_CONTINUE;
}

static enum orr_next prefetch_on(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, prefetch_next);
}

static const struct move prefetch_next[] = {
    {CALL, choose_prefetch}, {CALL, orr_moves_prefetch}, {CALL, prefetch_on}};

static const struct move prefetch_added[] = {{UNLOCK_POLICY, NULL},
                                             {CALL, begin_prefetch}};

static const struct move pop_bucket[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, fill_queue}};

/* Whether a queue has tasks is read without a lock. */
static enum orr_next choose_queue(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    const struct orr_sched_steal *steal = run->queueing->steal;

    moves->task = orr_worker_pop_own(moves->self);
    if (moves->task)
        return orr_moves_go_on(moves, orr_pop_end);
    if (run->queueing->buckets)
        return orr_moves_go_on(moves, pop_bucket);
    if (run->queueing->late)
        return orr_moves_go_on(moves, orr_pop_late);
    if (run->queueing->planning) {
        moves->task = orr_sched_pop(run->sched, moves->self->index);
        return orr_moves_go_on(moves, orr_pop_end);
    }
    if (steal) {
        moves->task = steal->own(run->sched, moves->self->index);
        if (moves->task)
            return orr_moves_go_on(moves, orr_pop_end);
        moves->then = orr_pop_end;
        moves->stolen = &moves->task;
        moves->next = stealing;
        return orr_worker_state_set_open(actor, moves->self, true);
    }
    return orr_moves_go_on(moves, orr_lockstep_run(&run->engine)->queued > 0
                                      ? pop_shared
                                      : orr_pop_end);
}

static const struct move popping[] = {{LOCK_SELF, NULL},
                                      {CALL, enter},
                                      {UNLOCK_SELF, NULL},
                                      {CALL, choose_queue}};

void orr_popping_call(struct orr_actor *actor, struct orr_worker *worker,
                      bool *found)
{
    orr_moves_call(actor, worker->run, worker, popping)->result = found;
}
