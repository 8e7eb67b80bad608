/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pushes: see scheduling.h. */
#include "runtime/lockstep/moves.h"
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

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
    {UNLOCK_POLICY, NULL}, {CALL, wake_next}, {OPEN, NULL}, {CALL, NULL}};

static enum orr_next push_to_all(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    run->wakes_nobody = true;
    orr_sched_push(run->sched, &moves->job->active->task);
    run->wakes_nobody = false;
    orr_lockstep_run(&run->engine)->queued++;
    (void)actor;
    return orr_moves_go_on(moves, push_end);
}

static const struct move push_shared[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, push_to_all}};

/* Whether the state of the other worker is. */
static bool is_closed(const struct moves *moves)
{
    return moves->other != moves->self &&
           orr_lockstep_worker(moves->other)->closed;
}

static enum orr_next push_to_one(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    struct orr_worker *receiver = moves->receiver;

    if (is_closed(moves))
        return orr_moves_await_other(actor, moves);
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
    return orr_moves_signal(actor, moves->receiver);
}

static const struct move push_pinned[] = {
    {LOCK_OTHER, NULL}, {CALL, push_to_queue}, {UNLOCK_OTHER, NULL},
    {OPEN, NULL},       {CALL, NULL},
};

static const struct move push_chosen[8];

/* To a policy that only chooses a worker (random_policy.c). */
static enum orr_next choose_one(struct moves *moves)
{
    struct orr_run *run = moves->run;

    moves->receiver = run->workers[run->queueing->choose(
        run->sched, &moves->job->active->task)];
    moves->other = moves->receiver;
    return orr_moves_go_on(moves, push_chosen);
}

static enum orr_next push_to_chosen(struct orr_actor *actor,
                                    struct moves *moves)
{
    return is_closed(moves) ? orr_moves_await_other(actor, moves)
                            : push_to_queue(actor, moves);
}

/* To a policy with buckets (heteroprio.c: push_task_heteroprio_policy()): it
 * learns under its lock, and looks at the successors of the task. */

enum { ARCHS = 9 }; /* kinds of workers that StarPU knows */

static void append_lock(const struct moves *moves, enum orr_common_lock lock)
{
    struct orr_engine *engine = &moves->run->engine;

    orr_worker_state_append(engine, moves->self, true);
    orr_lockstep_take(engine, &orr_lockstep_run(engine)->common[lock]);
    orr_worker_state_append(engine, moves->self, false);
}

static void append_unlock(const struct moves *moves, enum orr_common_lock lock)
{
    struct orr_engine *engine = &moves->run->engine;

    orr_lockstep_give(engine, &orr_lockstep_run(engine)->common[lock]);
}

/* The bucket of a task is looked up, or the buckets are ordered. */
static void append_lookup(const struct moves *moves)
{
    append_lock(moves, ORR_LOCK_LEARNING);
    append_unlock(moves, ORR_LOCK_LEARNING);
}

/* Goes through the successors of the task. */
static void append_walk(const struct moves *moves, bool locks, bool looks_up)
{
    struct orr_run *run = moves->run;
    const uint32_t *at = NULL;
    const struct orr_job *to;

    append_lock(moves, ORR_LOCK_GRAPH);
    while ((to = orr_graph_next_successor(&run->graph, moves->job, &at))) {
        if (locks)
            orr_lockstep_spend(&run->engine, 2);
        if (looks_up && to->kind == ORR_JOB_KERNEL)
            append_lookup(moves);
    }
    append_lock(moves, ORR_LOCK_DROPPED);
    append_unlock(moves, ORR_LOCK_DROPPED);
    append_unlock(moves, ORR_LOCK_GRAPH);
}

static enum orr_next push_to_bucket(struct orr_actor *actor,
                                    struct moves *moves)
{
    struct orr_run *run = moves->run;
    bool orders = run->queueing->buckets->orders(run->sched);

    append_lookup(moves);
    if (orders)
        append_lookup(moves);
    append_walk(moves, false, false);
    for (unsigned a = 0; a < ARCHS; a++)
        append_walk(moves, true, true);
    append_walk(moves, false, true);
    append_lookup(moves);
    orr_sched_push(run->sched, &moves->job->active->task);
    moves->next = push_end;
    return orr_actor_pass(actor);
}

static const struct move push_bucket[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, push_to_bucket}};

/* To a policy that plans (deque_modeling_policy_data_aware.c:
 * _dmda_push_task(), push_task_on_best_worker()). */

static const struct move reading[6], asking[2], placed[15], push_planned[1];

static void read_queue(struct moves *moves)
{
    struct orr_run *run = moves->run;

    moves->begin = run->queueing->planning->begin(
        run->sched, &moves->job->active->task, moves->next_worker);
}

/* Looks at the next worker that can run the task. */
static enum orr_next look_at(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    (void)actor;
    while (moves->next_worker < run->worker_count &&
           !orr_job_runs_on(run, moves->job, moves->next_worker))
        moves->next_worker++;
    if (moves->next_worker == run->worker_count)
        return orr_moves_go_on(moves, placed);
    moves->other = run->workers[moves->next_worker];
    if (run->queueing->planning->reads_queues(run->sched))
        return orr_moves_go_on(moves, reading);
    read_queue(moves);
    return orr_moves_go_on(moves, asking);
}

static enum orr_next read_locked(struct orr_actor *actor, struct moves *moves)
{
    if (is_closed(moves))
        return orr_moves_await_other(actor, moves);
    read_queue(moves);
    return ORR_CONTINUE;
}

static enum orr_next ask(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, asking);
}

/* Asks how long copies to it take, under the locks of the data. */
static enum orr_next consider(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;
    const struct orr_sched_planning *planning = run->queueing->planning;
    struct orr_worker *worker = run->workers[moves->next_worker];
    struct orr_spinlock *taken =
        planning->asks_transfers(run->sched)
            ? orr_moves_find_taken(moves, worker->device)
            : NULL;

    if (taken) {
        orr_spinlock_await(actor, taken);
        return orr_moves_again(moves);
    }
    moves->least =
        planning->consider(run->sched, &moves->job->active->task, worker->index,
                           moves->begin, moves->least);
    moves->next_worker++;
    return orr_moves_go_on(moves, push_planned);
}

static enum orr_next choose(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    moves->receiver = moves->run->workers[moves->job->active->task.worker];
    moves->other = moves->receiver;
    return ORR_CONTINUE;
}

static enum orr_next plan(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    if (is_closed(moves))
        return orr_moves_await_other(actor, moves);
    run->queueing->planning->plan(run->sched, &moves->job->active->task);
    return ORR_CONTINUE;
}

static enum orr_next queue(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    if (is_closed(moves))
        return orr_moves_await_other(actor, moves);
    run->queueing->planning->queue(run->sched, &moves->job->active->task);
    orr_worker_note_wake(moves->receiver);
    return orr_moves_signal(actor, moves->receiver);
}

static enum orr_next leave(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    moves->other = NULL;
    return ORR_CONTINUE;
}

static const struct move push_chosen[] = {
    {OPEN, NULL},         {LOCK_OTHER, NULL}, {CALL, push_to_chosen},
    {UNLOCK_OTHER, NULL}, {CLOSE, NULL},      {CALL, leave},
    {OPEN, NULL},         {CALL, NULL},
};

static const struct move push_planned[] = {{CALL, look_at}};

static const struct move reading[] = {
    {OPEN, NULL},         {LOCK_OTHER, NULL}, {CALL, read_locked},
    {UNLOCK_OTHER, NULL}, {CLOSE, NULL},      {CALL, ask},
};

static const struct move asking[] = {{CALL, orr_moves_ask_model},
                                     {CALL, consider}};

static const struct move placed[] = {
    {CALL, choose},
    {OPEN, NULL},
    {LOCK_OTHER, NULL},
    {CALL, plan},
    {UNLOCK_OTHER, NULL},
    {CLOSE, NULL},
    {CALL, orr_moves_prefetch},
    {OPEN, NULL},
    {LOCK_OTHER, NULL},
    {CALL, queue},
    {UNLOCK_OTHER, NULL},
    {CLOSE, NULL},
    {CALL, leave},
    {OPEN, NULL},
    {CALL, NULL},
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
        return orr_moves_go_on(moves, push_pinned);
    }
    if (run->queueing->planning) {
        moves->least = ORR_NEVER;
        return orr_moves_go_on(moves, push_planned);
    }
    if (run->queueing->buckets)
        return orr_moves_go_on(moves, push_bucket);
    if (run->queueing->late)
        return orr_moves_go_on(moves, orr_push_late);
    if (run->queueing->choose)
        return choose_one(moves);
    if (!steal)
        return orr_moves_go_on(moves, push_shared);
    moves->receiver =
        run->workers[steal->receiver(run->sched, &moves->job->active->task)];
    moves->other = moves->receiver;
    return orr_moves_go_on(moves, push_own);
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

    orr_moves_call(actor, run, by, pushing)->job = job;
}
