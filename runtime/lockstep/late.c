/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pushes and pops of a policy that binds tasks late: see scheduling.h. In
 * StarPU, such a policy is a tree of components, most of which have a lock:
 * a queue of waiting tasks (component_prio.c), the choice of a worker
 * (component_perfmodel_select.c, component_mct.c), and for each worker a queue,
 * the choice of an implementation (component_best_implementation.c) and the
 * worker itself (component_worker.c). */
#include "runtime/lockstep/moves.h"
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

enum { TRIES = 2 }; /* of a pop that finds nothing but was woken meanwhile */

static const struct orr_sched_late *late_of(const struct moves *moves)
{
    return moves->run->queueing->late;
}

static struct orr_mutex *queue_lock(const struct moves *moves)
{
    return &orr_lockstep_worker(moves->receiver)->queue;
}

static struct orr_mutex *plan_lock(const struct moves *moves)
{
    return &orr_lockstep_worker(moves->self)->plan;
}

static struct orr_mutex *common_lock(const struct moves *moves,
                                     enum orr_common_lock lock)
{
    return &orr_lockstep_run(&moves->run->engine)->common[lock];
}

static enum orr_next lock_queue(struct orr_actor *actor, struct moves *moves)
{
    return orr_lockstep_lock(queue_lock(moves), actor);
}

static enum orr_next unlock_queue(struct orr_actor *actor, struct moves *moves)
{
    return orr_lockstep_unlock(queue_lock(moves), actor);
}

static enum orr_next lock_decision(struct orr_actor *actor, struct moves *moves)
{
    return orr_lockstep_lock(common_lock(moves, ORR_LOCK_DECISION), actor);
}

static enum orr_next unlock_decision(struct orr_actor *actor,
                                     struct moves *moves)
{
    return orr_lockstep_unlock(common_lock(moves, ORR_LOCK_DECISION), actor);
}

/* Binds waiting tasks until a queue is full (component_prio.c:
 * prio_can_push()). */

static const struct move bind_next[5], select_model[1], estimate[2], decide[8],
    bound[4], refused[8];

static const struct move bind_end[] = {{CALL, NULL}};

static enum orr_next look_for_waiting(struct orr_actor *actor,
                                      struct moves *moves)
{
    (void)actor;
    return late_of(moves)->has_waiting(moves->run->sched)
               ? ORR_CONTINUE
               : orr_moves_go_on(moves, bind_end);
}

static const struct move waiting_taken[2];

static enum orr_next take_waiting(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    moves->task = late_of(moves)->take_waiting(moves->run->sched);
    return orr_moves_go_on(moves, waiting_taken);
}

static enum orr_next begin_binding(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    if (!moves->task)
        return orr_moves_go_on(moves, bind_end);
    moves->job = orr_job_of(moves->task);
    moves->next_worker = 0;
    return orr_moves_go_on(moves, select_model);
}

static const struct move waiting_taken[] = {{UNLOCK_POLICY, NULL},
                                            {CALL, begin_binding}};

/* Whether there is one more worker that can run the job; next_worker is. */
static bool find_worker(struct moves *moves)
{
    const struct orr_run *run = moves->run;

    while (moves->next_worker < run->worker_count &&
           !orr_job_runs_on(run, moves->job, moves->next_worker))
        moves->next_worker++;
    return moves->next_worker < run->worker_count;
}

static bool are_workers_alike(const struct orr_run *run)
{
    return run->gpu_count == 0 || run->gpu_count == run->worker_count;
}

/* Then the data of a task are prefetched when it is pushed (component_sched.c:
 * starpu_sched_component_prefetch_on_node()), else once it is bound. */
static bool share_workers_memory(const struct orr_run *run)
{
    return run->gpu_count == 0 || run->worker_count == 1;
}

/* Whether the kernel has a model: one worker is asked for all that are alike.
 */
static enum orr_next ask_whether(struct orr_actor *actor, struct moves *moves)
{
    if (!find_worker(moves) ||
        (moves->next_worker > 0 && are_workers_alike(moves->run))) {
        moves->next_worker = 0;
        return orr_moves_go_on(moves, estimate);
    }
    moves->next_worker++;
    moves->next--;
    return orr_moves_ask_model(actor, moves);
}

static const struct move select_model[] = {{CALL, ask_whether}};

/* What the acting worker, or the application, predicts for each worker. */
static orr_time *transfers_of(const struct moves *moves)
{
    const struct orr_run *run = moves->run;
    unsigned by = moves->self ? moves->self->index : run->worker_count;

    return orr_lockstep_run(&run->engine)->transfers +
           (size_t)by * run->worker_count;
}

static enum orr_next ask_how_long(struct orr_actor *actor, struct moves *moves)
{
    if (!find_worker(moves))
        return orr_moves_go_on(moves, decide);
    return orr_moves_ask_model(actor, moves);
}

/* Predicts copies of its data to @worker, under their locks. Returns false if
 * it has to wait for one; the move is to be made again. */
static bool predict(struct orr_actor *actor, struct moves *moves,
                    const struct orr_worker *worker)
{
    struct orr_spinlock *taken = orr_moves_find_taken(moves, worker->device);

    if (taken) {
        orr_spinlock_await(actor, taken);
        return false;
    }
    transfers_of(moves)[worker->index] =
        orr_sched_transfer(moves->run->sched, moves->task, worker->device);
    return true;
}

static enum orr_next predict_next(struct orr_actor *actor, struct moves *moves)
{
    if (!predict(actor, moves, moves->run->workers[moves->next_worker]))
        return orr_moves_again(moves);
    moves->next_worker++;
    return orr_moves_go_on(moves, estimate);
}

static const struct move estimate[] = {{CALL, ask_how_long},
                                       {CALL, predict_next}};

static enum orr_next choose(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    (void)actor;
    late_of(moves)->choose(run->sched, moves->task, transfers_of(moves));
    moves->receiver = run->workers[moves->task->worker];
    return ORR_CONTINUE;
}

static enum orr_next bind(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(
        moves,
        late_of(moves)->bind(moves->run->sched, moves->task) ? bound : refused);
}

static const struct move decide[] = {
    {OPEN, NULL}, {CALL, lock_decision}, {CLOSE, NULL}, {CALL, choose},
    {OPEN, NULL}, {CALL, lock_queue},    {CLOSE, NULL}, {CALL, bind},
};

static enum orr_next wake_receiver(struct orr_actor *actor, struct moves *moves)
{
    orr_waking_call(actor, moves->self, moves->receiver, &moves->woken);
    return ORR_CONTINUE;
}

static enum orr_next bind_on(struct orr_actor *actor, struct moves *moves)
{
    moves->next = bind_next;
    return orr_lockstep_unlock(common_lock(moves, ORR_LOCK_DECISION), actor);
}

static enum orr_next prefetch_bound(struct orr_actor *actor,
                                    struct moves *moves)
{
    return share_workers_memory(moves->run) ? ORR_CONTINUE
                                            : orr_moves_prefetch(actor, moves);
}

static const struct move bound[] = {
    {CALL, prefetch_bound},
    {CALL, unlock_queue},
    {CALL, wake_receiver},
    {CALL, bind_on},
};

static enum orr_next put_back(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    late_of(moves)->put_back(moves->run->sched, moves->task);
    return ORR_CONTINUE;
}

static const struct move refused[] = {
    {CALL, unlock_queue},  {CALL, unlock_decision},
    {OPEN, NULL},          {LOCK_POLICY, NULL},
    {CLOSE, NULL},         {CALL, put_back},
    {UNLOCK_POLICY, NULL}, {CALL, NULL},
};

static const struct move bind_next[] = {
    {CALL, look_for_waiting}, {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL},
    {CALL, take_waiting},
};

/* In a move: calls the above. */
static enum orr_next bind_waiting(struct orr_actor *actor, struct moves *moves)
{
    orr_moves_call(actor, moves->run, moves->self, bind_next);
    return ORR_CONTINUE;
}

/* Pushes (component_prio.c: prio_push_task()). */

static enum orr_next add_waiting(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    late_of(moves)->add_waiting(moves->run->sched, &moves->job->active->task);
    return ORR_CONTINUE;
}

static enum orr_next prefetch_pushed(struct orr_actor *actor,
                                     struct moves *moves)
{
    moves->receiver = moves->run->workers[0];
    return share_workers_memory(moves->run) ? orr_moves_prefetch(actor, moves)
                                            : ORR_CONTINUE;
}

const struct move orr_push_late[] = {
    {OPEN, NULL},
    {LOCK_POLICY, NULL},
    {CLOSE, NULL},
    {CALL, add_waiting},
    {CALL, prefetch_pushed},
    {UNLOCK_POLICY, NULL},
    {CALL, bind_waiting},
    {OPEN, NULL},
    {CALL, NULL},
};

/* Pops (component_worker.c: simple_worker_pull_task()). */

static const struct move pull_own[8], pull_nothing[7];

static enum orr_next lock_plan(struct orr_actor *actor, struct moves *moves)
{
    return orr_lockstep_lock(plan_lock(moves), actor);
}

static enum orr_next unlock_plan(struct orr_actor *actor, struct moves *moves)
{
    return orr_lockstep_unlock(plan_lock(moves), actor);
}

static enum orr_next forget_plan(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    late_of(moves)->forget(moves->run->sched, moves->self->index);
    return ORR_CONTINUE;
}

static enum orr_next look_at_own(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    (void)actor;
    moves->receiver = moves->self;
    moves->tries++;
    return orr_moves_go_on(
        moves, late_of(moves)->has_own(run->sched, moves->self->index)
                   ? pull_own
                   : pull_nothing);
}

const struct move orr_pop_late[] = {
    {OPEN, NULL},        {CALL, lock_plan},   {CLOSE, NULL},
    {CALL, forget_plan}, {CALL, unlock_plan}, {CALL, look_at_own},
};

static enum orr_next take_own(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    moves->task =
        late_of(moves)->take_own(moves->run->sched, moves->self->index);
    moves->job = orr_job_of(moves->task);
    return ORR_CONTINUE;
}

static const struct move planned[6];

static enum orr_next predict_own(struct orr_actor *actor, struct moves *moves)
{
    return predict(actor, moves, moves->self) ? orr_moves_go_on(moves, planned)
                                              : orr_moves_again(moves);
}

static enum orr_next plan(struct orr_actor *actor, struct moves *moves)
{
    unsigned worker = moves->self->index;

    (void)actor;
    late_of(moves)->plan(moves->run->sched, moves->task, worker,
                         transfers_of(moves)[worker]);
    return ORR_CONTINUE;
}

static enum orr_next end_pop(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, orr_pop_end);
}

static const struct move planned[] = {
    {OPEN, NULL}, {CALL, lock_plan},   {CLOSE, NULL},
    {CALL, plan}, {CALL, unlock_plan}, {CALL, end_pop},
};

static const struct move pull_own[] = {
    {OPEN, NULL},
    {CALL, lock_queue},
    {CLOSE, NULL},
    {CALL, take_own},
    {CALL, unlock_queue},
    {CALL, bind_waiting},
    {CALL, orr_moves_ask_model},
    {CALL, predict_own},
};

static enum orr_next lock_unknown(struct orr_actor *actor, struct moves *moves)
{
    return orr_lockstep_lock(common_lock(moves, ORR_LOCK_UNKNOWN), actor);
}

static enum orr_next unlock_unknown(struct orr_actor *actor,
                                    struct moves *moves)
{
    return orr_lockstep_unlock(common_lock(moves, ORR_LOCK_UNKNOWN), actor);
}

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
    {CALL, bind_waiting}, {OPEN, NULL},         {CALL, lock_unknown},
    {CLOSE, NULL},        {CALL, bind_waiting}, {CALL, unlock_unknown},
    {CALL, try_again},
};
