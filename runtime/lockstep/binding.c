/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/binding.h"

#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

const struct orr_sched_late *orr_late(const struct moves *moves)
{
    return moves->run->queueing->late;
}

orr_time *orr_late_transfers(const struct moves *moves)
{
    const struct orr_run *run = moves->run;
    unsigned by = moves->self ? moves->self->index : run->worker_count;

    return orr_lockstep_run(&run->engine)->transfers +
           (size_t)by * run->worker_count;
}

bool orr_late_prefetches_at_push(const struct moves *moves)
{
    return orr_late(moves)->prefetches_at_push(moves->run->sched);
}

static bool compares(const struct moves *moves)
{
    return orr_late(moves)->compares(moves->run->sched);
}

/* The first ready task (component_prio.c: prio_can_push(); component_mct.c:
 * mct_push_task()). */

static const struct move bind_next[5], select_model[1], estimate[2], decide[8],
    bound[4], refused[2], wait[7], compare_next[6], compared[9], tried[1];

static const struct move bind_end[] = {{CALL, NULL}};

static enum orr_next look_for_ready(struct orr_actor *actor,
                                    struct moves *moves)
{
    (void)actor;
    return orr_late(moves)->has_ready(moves->run->sched)
               ? ORR_CONTINUE
               : orr_moves_go_on(moves, bind_end);
}

static const struct move ready_taken[2];

static enum orr_next take_ready(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    moves->task = orr_late(moves)->take_ready(moves->run->sched);
    return orr_moves_go_on(moves, ready_taken);
}

/* Goes on with @next for @task. */
static enum orr_next begin_with(struct moves *moves, struct orr_task *task,
                                const struct move *next)
{
    moves->task = task;
    moves->job = orr_job_of(task);
    moves->next_worker = 0;
    return orr_moves_go_on(moves, next);
}

static enum orr_next begin_binding(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    if (!moves->task)
        return orr_moves_go_on(moves, bind_end);
    moves->then = decide;
    return begin_with(moves, moves->task, select_model);
}

static const struct move ready_taken[] = {{UNLOCK_POLICY, NULL},
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

/* Whether the kernel has a model: one worker is asked for all that are alike.
 */
static enum orr_next ask_whether(struct orr_actor *actor, struct moves *moves)
{
    if (!find_worker(moves) ||
        (moves->next_worker > 0 && are_workers_alike(moves->run))) {
        moves->next_worker = 0;
        return orr_moves_go_on(moves, compares(moves) ? wait : estimate);
    }
    moves->next_worker++;
    moves->next--;
    return orr_moves_ask_model(actor, moves);
}

static const struct move select_model[] = {{CALL, ask_whether}};

static enum orr_next ask_how_long(struct orr_actor *actor, struct moves *moves)
{
    return find_worker(moves) ? orr_moves_ask_model(actor, moves)
                              : orr_moves_go_on(moves, moves->then);
}

bool orr_late_predict(struct orr_actor *actor, struct moves *moves,
                      const struct orr_worker *worker)
{
    struct orr_spinlock *taken = orr_moves_find_taken(moves, worker->device);

    if (taken) {
        orr_spinlock_await(actor, taken);
        return false;
    }
    orr_late_transfers(moves)[worker->index] =
        orr_sched_transfer(moves->run->sched, moves->task, worker->device);
    return true;
}

static enum orr_next predict_next(struct orr_actor *actor, struct moves *moves)
{
    if (!orr_late_predict(actor, moves,
                          moves->run->workers[moves->next_worker]))
        return orr_moves_again(moves);
    moves->next_worker++;
    return orr_moves_go_on(moves, estimate);
}

/* Asks the models and predicts copies, for each worker. */
static const struct move estimate[] = {{CALL, ask_how_long},
                                       {CALL, predict_next}};

static orr_time choose_worker(const struct moves *moves)
{
    return orr_late(moves)->choose(moves->run->sched, moves->task,
                                   orr_late_transfers(moves));
}

static enum orr_next choose(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    choose_worker(moves);
    moves->receiver = moves->run->workers[moves->task->worker];
    return ORR_CONTINUE;
}

static enum orr_next bind(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(
        moves, orr_late(moves)->bind(moves->run->sched, moves->task) ? bound
                                                                     : refused);
}

static const struct move decide[] = {
    {OPEN, NULL}, {LOCK_DECISION, NULL}, {CLOSE, NULL}, {CALL, choose},
    {OPEN, NULL}, {LOCK_QUEUE, NULL},    {CLOSE, NULL}, {CALL, bind},
};

static enum orr_next prefetch_bound(struct orr_actor *actor,
                                    struct moves *moves)
{
    return orr_late_prefetches_at_push(moves)
               ? ORR_CONTINUE
               : orr_moves_prefetch(actor, moves);
}

static enum orr_next wake_receiver(struct orr_actor *actor, struct moves *moves)
{
    orr_waking_call(actor, moves->self, moves->receiver, &moves->woken);
    return ORR_CONTINUE;
}

static enum orr_next begin_next(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, bind_next);
}

static const struct move decided[] = {{UNLOCK_DECISION, NULL},
                                      {CALL, begin_next}};

static enum orr_next bind_on(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves, compares(moves) ? compare_next : decided);
}

static const struct move bound[] = {
    {CALL, prefetch_bound},
    {UNLOCK_QUEUE, NULL},
    {CALL, wake_receiver},
    {CALL, bind_on},
};

static enum orr_next put_back(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    orr_late(moves)->put_back(moves->run->sched, moves->task);
    return ORR_CONTINUE;
}

/* Into the queue from which it was taken, under the lock of that. */
static const struct move back_to_waiting[] = {
    {OPEN, NULL},     {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, put_back}, {UNLOCK_DECISION, NULL}, {CALL, NULL},
};

static const struct move back_to_ready[] = {
    {UNLOCK_DECISION, NULL},
    {OPEN, NULL},
    {LOCK_POLICY, NULL},
    {CLOSE, NULL},
    {CALL, put_back},
    {UNLOCK_POLICY, NULL},
    {CALL, NULL},
};

static enum orr_next choose_queue(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return orr_moves_go_on(moves,
                           compares(moves) ? back_to_waiting : back_to_ready);
}

static const struct move refused[] = {{UNLOCK_QUEUE, NULL},
                                      {CALL, choose_queue}};

static const struct move bind_next[] = {
    {CALL, look_for_ready}, {OPEN, NULL},       {LOCK_POLICY, NULL},
    {CLOSE, NULL},          {CALL, take_ready},
};

enum orr_next orr_bind_ready(struct orr_actor *actor, struct moves *moves)
{
    orr_moves_call(actor, moves->run, moves->self, bind_next);
    return ORR_CONTINUE;
}

/* Those that wait in the second queue (component_heft.c: heft_progress_one()).
 */

static enum orr_next take_waiting(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    moves->candidate_count =
        orr_late(moves)->take_waiting(moves->run->sched, moves->candidates);
    moves->candidate = 0;
    moves->least = ORR_NEVER;
    moves->then = tried;
    return ORR_CONTINUE;
}

static enum orr_next try_first(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    return moves->candidate_count > 0
               ? begin_with(moves, moves->candidates[0], estimate)
               : orr_moves_go_on(moves, bind_end);
}

static const struct move compare_next[] = {
    {OPEN, NULL},         {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, take_waiting}, {UNLOCK_DECISION, NULL}, {CALL, try_first},
};

static enum orr_next try_next(struct orr_actor *actor, struct moves *moves)
{
    orr_time end = choose_worker(moves);

    (void)actor;
    if (end < moves->least || moves->candidate == 0) {
        moves->least = end;
        moves->best = moves->candidate;
    }
    return ++moves->candidate < moves->candidate_count
               ? begin_with(moves, moves->candidates[moves->candidate],
                            estimate)
               : orr_moves_go_on(moves, compared);
}

static const struct move tried[] = {{CALL, try_next}};

static enum orr_next keep_best(struct orr_actor *actor, struct moves *moves)
{
    struct orr_run *run = moves->run;

    (void)actor;
    for (unsigned i = moves->candidate_count; i-- > 0;) {
        if (i != moves->best)
            orr_late(moves)->put_back(run->sched, moves->candidates[i]);
    }
    moves->task = moves->candidates[moves->best];
    moves->job = orr_job_of(moves->task);
    moves->receiver = run->workers[moves->task->worker];
    return ORR_CONTINUE;
}

static const struct move compared[] = {
    {OPEN, NULL},       {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, keep_best},  {UNLOCK_DECISION, NULL}, {OPEN, NULL},
    {LOCK_QUEUE, NULL}, {CLOSE, NULL},           {CALL, bind},
};

enum orr_next orr_bind_waiting(struct orr_actor *actor, struct moves *moves)
{
    if (compares(moves))
        orr_moves_call(actor, moves->run, moves->self, compare_next);
    return ORR_CONTINUE;
}

static enum orr_next add_waiting(struct orr_actor *actor, struct moves *moves)
{
    (void)actor;
    orr_late(moves)->add_waiting(moves->run->sched, moves->task);
    return ORR_CONTINUE;
}

static const struct move wait[] = {
    {OPEN, NULL},        {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, add_waiting}, {UNLOCK_DECISION, NULL}, {CALL, orr_bind_waiting},
    {CALL, begin_next},
};
