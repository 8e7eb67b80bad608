/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/scheduling.h"

#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

/*
 * A procedure is a list of moves. A move takes or gives a lock, opens or closes
 * the state of the acting worker (worker_state.h), or calls a function, which
 * may go on with another list.
 */
struct moves;

struct move {
    enum {
        CALL, /* @call */
        LOCK_SELF,
        UNLOCK_SELF,
        LOCK_OTHER,
        UNLOCK_OTHER,
        LOCK_POLICY, /* the queue that all workers share */
        OPEN,        /* one's own state, before waiting for another's lock */
        CLOSE
    } kind;
    enum orr_next (*call)(struct orr_actor *actor, struct moves *moves);
};

struct moves {
    const struct move *next;
    const struct move *then; /* after a steal */
    struct orr_run *run;
    struct orr_worker *self;  /* NULL: the acting actor is no worker */
    struct orr_worker *other; /* victim, receiver, or worker to wake; or NULL */
    struct orr_job *job;      /* that is pushed */
    struct orr_worker *receiver; /* of it; NULL: the shared queue */
    unsigned next_worker;        /* to wake */
    bool woken;                  /* some worker was */
    bool *result;                /* found, or woken */
    struct orr_task *task;       /* that is popped */
    struct orr_task **stolen;
};

/* Turns. */
enum {
    SET_STATUS = 2, /* of a worker, for statistics */
    LEAVE_CPU = 1,  /* notify the actors that wait for the state to open */
    LEAVE_GPU = 2,  /* the same, and unlock once more */
    IF_ASLEEP = 1   /* to signal a sleeping worker takes one more */
};

static struct orr_mutex *policy_lock(const struct orr_run *run)
{
    return &orr_lockstep_run(&run->engine)->common[ORR_LOCK_POLICY];
}

static enum orr_next play(struct orr_actor *actor, void *locals)
{
    struct moves *moves = locals;
    const struct move *move = moves->next++;
    struct orr_worker *self = moves->self;

    switch (move->kind) {
    case CALL:
        return move->call ? move->call(actor, moves) : ORR_DONE;
    case LOCK_SELF:
        return orr_lockstep_lock(orr_worker_state_lock(self), actor);
    case UNLOCK_SELF:
        return orr_lockstep_unlock(orr_worker_state_lock(self), actor);
    case LOCK_OTHER:
        return orr_lockstep_lock(orr_worker_state_lock(moves->other), actor);
    case UNLOCK_OTHER:
        return orr_lockstep_unlock(orr_worker_state_lock(moves->other), actor);
    case LOCK_POLICY:
        return orr_lockstep_lock(policy_lock(moves->run), actor);
    case OPEN:
    case CLOSE:
        break;
    }
    return orr_worker_state_set_open(actor, self == moves->other ? NULL : self,
                                     move->kind == OPEN);
}

static struct moves *call_moves(struct orr_actor *actor, struct orr_run *run,
                                struct orr_worker *self,
                                const struct move *first)
{
    struct moves *moves = orr_actor_call(actor, play, sizeof(*moves));

    moves->run = run;
    moves->self = self;
    moves->next = first;
    return moves;
}

static enum orr_next go_on(struct moves *moves, const struct move *next)
{
    moves->next = next;
    return ORR_CONTINUE;
}

/* The move has to be made again. */
static enum orr_next await_other(struct orr_actor *actor, struct moves *moves)
{
    moves->next--;
    return orr_worker_state_await_open(actor, moves->other);
}

static const struct move end[] = {{CALL, NULL}};

/* Wake-ups (workers.c: starpu_wake_worker_relax_light(),
 * starpu_wake_worker_locked()). */

/* Signals @worker, whose lock is held. */
static enum orr_next signal_worker(struct orr_actor *actor,
                                   struct orr_worker *worker)
{
    orr_lockstep_spend(actor->engine, 1);
    orr_actor_signal(&worker->actor);
    return orr_lockstep_pass(actor, 1 + (worker->sleeping ? IF_ASLEEP : 0));
}

static enum orr_next wake_other(struct orr_actor *actor, struct moves *moves)
{
    struct orr_worker *worker = moves->other;

    if (moves->self == worker || !orr_lockstep_worker(worker)->closed) {
        *moves->result = orr_worker_note_wake(worker);
        return signal_worker(actor, worker);
    }
    if (!worker->scheduling)
        return await_other(actor, moves);
    /* It is about to pop, or has just done so. */
    worker->woken = true;
    *moves->result = true;
    return ORR_CONTINUE;
}

static const struct move waking[] = {
    {OPEN, NULL},         {LOCK_OTHER, NULL}, {CALL, wake_other},
    {UNLOCK_OTHER, NULL}, {CLOSE, NULL},      {CALL, NULL},
};

void orr_waking_call(struct orr_actor *actor, struct orr_worker *by,
                     struct orr_worker *worker, bool *woken)
{
    struct moves *moves = call_moves(actor, worker->run, by, waking);

    moves->other = worker;
    moves->result = woken;
}

/* Pushes (push_task of the policies, sched_policy.c: _starpu_push_task()). */

/* A push to the queue of a worker wakes all; one to the shared queue, the first
 * sleeping worker that can run the task. */
static bool may_wake(const struct moves *moves, const struct orr_worker *worker)
{
    return moves->receiver ||
           orr_job_runs_on(worker->run, moves->job, worker->index);
}

/* Wakes one worker after the other until enough have been woken. */
static enum orr_next wake_next(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    while (moves->next_worker < run->worker_count &&
           !may_wake(moves, run->workers[moves->next_worker]))
        moves->next_worker++;
    if ((moves->woken && !moves->receiver) ||
        moves->next_worker == run->worker_count) {
        moves->other = NULL;
        return ORR_CONTINUE;
    }
    moves->next--;
    orr_waking_call(actor, moves->self, run->workers[moves->next_worker++],
                    &moves->woken);
    return ORR_CONTINUE;
}

static const struct move push_end[] = {
    {CALL, wake_next}, {OPEN, NULL}, {CALL, NULL}};

static enum orr_next push_to_all(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    run->wakes_nobody = true;
    orr_sched_push(run->sched, &moves->job->active->task);
    run->wakes_nobody = false;
    orr_lockstep_run(&run->engine)->queued++;
    moves->next = push_end;
    return orr_lockstep_unlock(policy_lock(run), actor);
}

static const struct move push_shared[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, push_to_all}};

static enum orr_next push_to_one(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    struct orr_worker *receiver = moves->receiver;

    if (receiver != moves->self && orr_lockstep_worker(receiver)->closed)
        return await_other(actor, moves);
    run->queueing->steal->push(run->sched, &moves->job->active->task,
                               receiver->index);
    return orr_lockstep_unlock(orr_worker_state_lock(receiver), actor);
}

static const struct move push_own[] = {
    {OPEN, NULL},      {LOCK_OTHER, NULL}, {CALL, push_to_one}, {CLOSE, NULL},
    {CALL, wake_next}, {OPEN, NULL},       {CALL, NULL},
};

/* A task of the receiver alone (sched_policy.c: _starpu_push_local_task()). */
static enum orr_next push_to_queue(struct orr_actor *actor, struct moves *moves)
{
    orr_worker_push_own(moves->receiver, moves->job);
    orr_worker_note_wake(moves->receiver);
    return signal_worker(actor, moves->receiver);
}

static const struct move push_pinned[] = {
    {LOCK_OTHER, NULL}, {CALL, push_to_queue}, {UNLOCK_OTHER, NULL},
    {OPEN, NULL},       {CALL, NULL},
};

static enum orr_next begin_push(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    const struct orr_sched_steal *steal = run->queueing->steal;

    (void)actor;
    if (moves->job->pinned) {
        moves->receiver =
            run->workers[orr_job_kernel(&run->graph, moves->job)->pinned_to];
        moves->other = moves->receiver;
        return go_on(moves, push_pinned);
    }
    if (!steal)
        return go_on(moves, push_shared);
    moves->receiver =
        run->workers[steal->receiver(run->sched, &moves->job->active->task)];
    moves->other = moves->receiver;
    return go_on(moves, push_own);
}

static enum orr_next count_ready(struct orr_actor *actor, struct moves *moves)
{
    (void)moves;
    return orr_actor_pass_point(actor, ORR_POINT_TASK_READY, NULL);
}

static const struct move pushing[] = {
    {CALL, count_ready}, {CLOSE, NULL}, {CALL, begin_push}};

void orr_pushing_call(struct orr_actor *actor, struct orr_run *run,
                      struct orr_job *job)
{
    struct orr_worker *by =
        actor->who == ORR_NO_WORKER ? NULL : run->workers[actor->who];

    call_moves(actor, run, by, pushing)->job = job;
}

/* Steals (work_stealing_policy.c: ws_pop_task()). */

static enum orr_next end_steal(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return go_on(moves, moves->then);
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
    return signal_worker(actor, moves->self);
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
    struct moves *moves = call_moves(actor, worker->run, worker, stealing);

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

static const struct move pop_end[] = {
    {LOCK_SELF, NULL},   {CALL, conclude}, {CALL, open_state},
    {UNLOCK_SELF, NULL}, {CALL, NULL},
};

static enum orr_next pop_from_all(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    moves->task = orr_sched_pop(run->sched, moves->self->index);
    orr_lockstep_run(&run->engine)->queued -= moves->task != NULL;
    moves->next = pop_end;
    return orr_lockstep_unlock(policy_lock(run), actor);
}

static const struct move pop_shared[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, pop_from_all}};

/* Whether a queue has tasks is read without a lock. */
static enum orr_next choose_queue(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    const struct orr_sched_steal *steal = run->queueing->steal;

    moves->task = orr_worker_pop_own(moves->self);
    if (moves->task)
        return go_on(moves, pop_end);
    if (steal) {
        moves->task = steal->own(run->sched, moves->self->index);
        if (moves->task)
            return go_on(moves, pop_end);
        moves->then = pop_end;
        moves->stolen = &moves->task;
        moves->next = stealing;
        return orr_worker_state_set_open(actor, moves->self, true);
    }
    return go_on(moves, orr_lockstep_run(&run->engine)->queued > 0 ? pop_shared
                                                                   : pop_end);
}

static const struct move popping[] = {{LOCK_SELF, NULL},
                                      {CALL, enter},
                                      {UNLOCK_SELF, NULL},
                                      {CALL, choose_queue}};

void orr_popping_call(struct orr_actor *actor, struct orr_worker *worker,
                      bool *found)
{
    call_moves(actor, worker->run, worker, popping)->result = found;
}
