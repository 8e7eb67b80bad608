/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loops of workers in a run by rounds. They differ from those of other runs
 * (worker_cpu.c, worker_gpu.c) in the operations that each step takes, and in
 * that nobody has to be let go first: turns see to it. */
#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/operations.h"
#include "runtime/lockstep/popping.h"
#include "runtime/run.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/worker.h"

struct loop {
    enum {
        LOOP_ASLEEP,
        LOOP_TOP,
        LOOP_CLEARED,
        LOOP_STARTED,  /* CPU */
        LOOP_ENDED,    /* CPU */
        LOOP_TEST,     /* GPU */
        LOOP_FINISHED, /* GPU */
        LOOP_UNSTUCK,  /* GPU */
        LOOP_POP,
        LOOP_POPPED
    } at;
    bool progressed;
    bool found; /* something to do, when it asked for a task */
};

/* Forgets signals, under the lock of its condition. */
static enum orr_next heed(struct orr_actor *actor, struct loop *loop)
{
    loop->at = LOOP_CLEARED;
    orr_actor_clear_signal_in_turn(actor);
    return orr_actor_take_turns(actor, 0);
}

static enum orr_next progress(struct orr_actor *actor, struct loop *loop,
                              struct orr_worker *worker)
{
    loop->at = LOOP_POP;
    loop->progressed = false;
    orr_progress_once_by_rounds(actor, worker, &loop->progressed);
    return ORR_CONTINUE;
}

static enum orr_next pop(struct orr_actor *actor, struct loop *loop,
                         struct orr_worker *worker)
{
    loop->at = LOOP_POPPED;
    loop->found = false;
    orr_popping_call(actor, worker, &loop->found);
    return ORR_CONTINUE;
}

/* A CPU worker whose task has its data begins it, or else makes progress. */
static enum orr_next begin_on_cpu(struct orr_actor *actor, struct loop *loop,
                                  struct orr_worker *worker)
{
    struct orr_job *job;

    if (orr_worker_await_locks(worker))
        return ORR_CONTINUE;
    job = orr_worker_take_fetched(worker);
    if (!job)
        return progress(actor, loop, worker);
    loop->at = LOOP_STARTED;
    orr_worker_job_started(worker, job);
    orr_operations_start(worker->run, job, true);
    return orr_actor_take_turns(actor, 0);
}

static enum orr_next run_on_cpu(struct orr_actor *actor, struct loop *loop,
                                struct orr_worker *worker)
{
    struct orr_executor *executor = worker->run->executor;

    loop->at = LOOP_ENDED;
    executor->kernel(executor, worker, worker->pipeline[worker->first]);
    worker->suspended = true;
    return orr_actor_suspend(actor);
}

enum orr_next orr_worker_cpu_by_rounds(struct orr_actor *actor, void *locals)
{
    struct loop *loop = locals;
    struct orr_worker *worker = (struct orr_worker *)actor;

    switch (loop->at) {
    case LOOP_ASLEEP:
        loop->at = LOOP_TOP;
        return orr_actor_wait(actor);
    case LOOP_TOP:
        return heed(actor, loop);
    case LOOP_CLEARED:
        return begin_on_cpu(actor, loop, worker);
    case LOOP_STARTED:
        return run_on_cpu(actor, loop, worker);
    case LOOP_ENDED:
        loop->at = LOOP_TOP;
        orr_worker_finish_in_turn(worker);
        return ORR_CONTINUE;
    case LOOP_POP:
        if (!worker->fetching)
            return pop(actor, loop, worker);
        loop->found = false;
        /* fall through */
    case LOOP_POPPED:
        loop->at = LOOP_TOP;
        if (!loop->found || !worker->fetching)
            return orr_worker_rest(worker, loop->progressed);
        orr_worker_fetch(worker);
        return ORR_CONTINUE;
    default:
        break;
    }
    return ORR_DONE;
}

/* Gives a kernel to the GPU; a synchronous one is waited for and finished. */
struct execution {
    enum {
        EXEC_START,
        EXEC_STARTED,
        EXEC_QUEUED,
        EXEC_POSTED,
        EXEC_ENDED,
        EXEC_FINISHED
    } at;
    struct orr_worker *worker;
    struct orr_job *job;
};

static enum orr_next queue(struct orr_actor *actor, struct execution *execution)
{
    struct orr_worker *worker = execution->worker;
    struct orr_executor *executor = worker->run->executor;

    if (orr_worker_is_synchronous(worker, execution->job)) {
        execution->at = EXEC_ENDED;
        executor->kernel(executor, worker, execution->job);
        worker->suspended = true;
        return orr_actor_suspend(actor);
    }
    execution->at = EXEC_QUEUED;
    return orr_actor_sleep(actor, worker->run->overheads.kernel_queue);
}

static enum orr_next execute(struct orr_actor *actor, void *locals)
{
    struct execution *execution = locals;
    struct orr_worker *worker = execution->worker;
    bool alone = worker->count == 1; /* in the pipeline: it starts now */

    switch (execution->at) {
    case EXEC_START:
        execution->at = EXEC_STARTED;
        if (alone)
            orr_worker_job_started(worker, execution->job);
        orr_operations_start(worker->run, execution->job, alone);
        return orr_actor_take_turns(actor, 0);
    case EXEC_STARTED:
        return queue(actor, execution);
    case EXEC_QUEUED: /* the executor is told, under a lock of its own */
        execution->at = EXEC_POSTED;
        return orr_actor_take_turns(actor, 1);
    case EXEC_POSTED:
        worker->run->executor->kernel(worker->run->executor, worker,
                                      execution->job);
        break;
    case EXEC_ENDED:
        execution->at = EXEC_FINISHED;
        orr_worker_finish_in_turn(worker);
        return ORR_CONTINUE;
    case EXEC_FINISHED:
        break;
    }
    return ORR_DONE;
}

static enum orr_next call_execute(struct orr_worker *worker,
                                  struct orr_job *job)
{
    struct execution *execution =
        orr_actor_call(&worker->actor, execute, sizeof(*execution));

    execution->worker = worker;
    execution->job = job;
    return ORR_CONTINUE;
}

/* After the oldest task comes the next: it has started already, or can now. */
static enum orr_next follow(struct orr_actor *actor, struct loop *loop,
                            struct orr_worker *worker)
{
    struct orr_job *next = worker->pipeline[worker->first];

    if (worker->count == 0 || next == worker->fetching)
        return progress(actor, loop, worker);
    if (orr_worker_is_synchronous(worker, next)) {
        loop->at = LOOP_UNSTUCK;
        return call_execute(worker, next);
    }
    orr_operations_first(worker->run);
    orr_worker_job_started(worker, next);
    return progress(actor, loop, worker);
}

/* Finishes the oldest task if its kernel has ended. */
static enum orr_next test(struct orr_actor *actor, struct loop *loop,
                          struct orr_worker *worker)
{
    if (worker->count == 0 ||
        worker->pipeline[worker->first] == worker->fetching ||
        !worker->ended[worker->first])
        return progress(actor, loop, worker);
    loop->at = LOOP_FINISHED;
    orr_worker_finish_in_turn(worker);
    return ORR_CONTINUE;
}

/* Gives the task whose data are there to the GPU, if any. */
static enum orr_next begin_on_gpu(struct orr_actor *actor, struct loop *loop,
                                  struct orr_worker *worker)
{
    struct orr_job *job;

    if (orr_worker_await_locks(worker))
        return ORR_CONTINUE;
    job = orr_worker_take_fetched(worker);
    if (!job)
        return test(actor, loop, worker);
    if (worker->count > 1 && orr_worker_is_synchronous(worker, job)) {
        worker->stuck = true;
        return test(actor, loop, worker);
    }
    loop->at = LOOP_TEST;
    return call_execute(worker, job);
}

/* A driver whose pipeline is full looks at its state all the same. */
static enum orr_next pop_if_room(struct orr_actor *actor, struct loop *loop,
                                 struct orr_worker *worker)
{
    if (orr_worker_has_room(worker))
        return pop(actor, loop, worker);
    loop->at = LOOP_POPPED;
    loop->found = false;
    orr_operations_pass_over(worker->run, &worker->lock);
    return orr_actor_take_turns(actor, 0);
}

static enum orr_next end_on_gpu(struct loop *loop, struct orr_worker *worker)
{
    loop->at = LOOP_TOP;
    if (loop->found) {
        loop->progressed = true;
        if (worker->fetching)
            orr_worker_fetch(worker);
    }
    return orr_worker_rest(worker, loop->progressed);
}

enum orr_next orr_worker_gpu_by_rounds(struct orr_actor *actor, void *locals)
{
    struct loop *loop = locals;
    struct orr_worker *worker = (struct orr_worker *)actor;

    switch (loop->at) {
    case LOOP_ASLEEP:
        loop->at = LOOP_TOP;
        return orr_actor_wait(actor);
    case LOOP_TOP:
        return heed(actor, loop);
    case LOOP_CLEARED:
        return begin_on_gpu(actor, loop, worker);
    case LOOP_TEST:
        return test(actor, loop, worker);
    case LOOP_FINISHED:
        return follow(actor, loop, worker);
    case LOOP_UNSTUCK:
        worker->stuck = false;
        return progress(actor, loop, worker);
    case LOOP_POP:
        return pop_if_room(actor, loop, worker);
    case LOOP_POPPED:
        return end_on_gpu(loop, worker);
    default:
        break;
    }
    return ORR_DONE;
}
