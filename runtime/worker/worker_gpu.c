/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loop of a GPU's driver (StarPU, driver_cuda.c). */
#include "runtime/run.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/worker.h"

struct loop {
    enum {
        GPU_ASLEEP,
        GPU_TOP,
        GPU_CLEARED,
        GPU_TEST,
        GPU_FINISHED,
        GPU_DRAINED,
        GPU_FOLLOWED,
        GPU_QUIET,
        GPU_YIELD,
        GPU_POP,
        GPU_POPPED
    } at;
    bool progressed;
    orr_time quiet_until;
};

/* Gives a kernel to the GPU. Waits for the end of a synchronous one. */
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

bool orr_worker_is_synchronous(const struct orr_worker *worker,
                               const struct orr_job *job)
{
    return orr_switches_quirks(&worker->run->switches) &&
           job->kernel->synchronous;
}

/* A kernel that is alone in the pipeline starts now. */
static enum orr_next begin(struct orr_actor *actor, struct execution *execution)
{
    struct orr_worker *worker = execution->worker;
    bool alone = worker->count == 1;

    if (alone && orr_worker_job_started(worker, execution->job))
        return ORR_CONTINUE;
    return orr_actor_pass_point(
               actor, alone ? ORR_POINT_KERNEL_BEGINS : ORR_POINT_KERNEL_BEHIND,
               execution->job) == ORR_ASLEEP
               ? ORR_ASLEEP
               : ORR_DONE;
}

static enum orr_next execute(struct orr_actor *actor, void *locals)
{
    struct execution *execution = locals;
    struct orr_worker *worker = execution->worker;
    struct orr_executor *executor = worker->run->executor;
    enum orr_next next;

    switch (execution->at) {
    case EXEC_START:
        execution->at = EXEC_STARTED;
        next = begin(actor, execution);
        if (next != ORR_DONE)
            return next;
        /* fall through */
    case EXEC_STARTED:
        if (orr_worker_is_synchronous(worker, execution->job)) {
            execution->at = EXEC_ENDED;
            executor->kernel(executor, worker, execution->job);
            worker->suspended = true;
            return orr_actor_suspend(actor);
        }
        execution->at = EXEC_QUEUED;
        if (orr_actor_sleep(actor, worker->run->overheads.kernel_queue) ==
            ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case EXEC_QUEUED:
        execution->at = EXEC_POSTED;
        if (orr_actor_pass_point(actor, ORR_POINT_KERNEL_QUEUED, NULL) ==
            ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case EXEC_POSTED:
        executor->kernel(executor, worker, execution->job);
        break;
    case EXEC_ENDED:
        execution->at = EXEC_FINISHED;
        orr_worker_finish(worker);
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

/*
 * Makes a turn of progress. A turn that would find nothing to do, after which
 * the driver would sleep, is not simulated: the driver sleeps at once, and
 * wakes at the end of that turn at the earliest.
 */
static enum orr_next progress(struct loop *loop, struct orr_worker *worker)
{
    orr_time idle =
        orr_worker_has_room(worker) ? 0 : orr_progress_idle_time(worker);

    loop->progressed = false;
    if (idle > 0) {
        loop->at = GPU_QUIET;
        loop->quiet_until = worker->run->engine.now + idle;
        return orr_actor_wait_busy(&worker->actor, idle);
    }
    loop->at = GPU_YIELD;
    orr_progress_once(&worker->actor, worker, &loop->progressed);
    return ORR_CONTINUE;
}

/* Turns to the task after the oldest one. It has started already, unless it is
 * synchronous and can start now. */
static enum orr_next follow(struct loop *loop, struct orr_worker *worker)
{
    struct orr_job *next = worker->pipeline[worker->first];

    if (worker->count == 0 || next == worker->fetching)
        return progress(loop, worker);
    if (!orr_worker_is_synchronous(worker, next)) {
        loop->at = GPU_FOLLOWED;
        orr_point(worker->actor.engine, ORR_POINT_KERNEL_FOLLOWS, NULL);
        if (orr_worker_job_started(worker, next))
            return ORR_CONTINUE;
        return progress(loop, worker);
    }
    loop->at = GPU_DRAINED;
    return call_execute(worker, next);
}

/* Finishes the oldest task if its kernel has ended. */
static enum orr_next test(struct loop *loop, struct orr_worker *worker)
{
    if (worker->count == 0 ||
        worker->pipeline[worker->first] == worker->fetching ||
        !worker->ended[worker->first])
        return progress(loop, worker);
    loop->at = GPU_FINISHED;
    orr_worker_finish(worker);
    return ORR_CONTINUE;
}

/* Starts the task whose data are there, if any. */
static enum orr_next start(struct loop *loop, struct orr_worker *worker)
{
    struct orr_job *job = NULL;

    if (orr_worker_awaits_locks(worker))
        return ORR_CONTINUE;
    if (orr_worker_has_fetched(worker))
        job = orr_worker_take_fetched(worker);
    if (!job)
        return test(loop, worker);
    if (worker->count > 1 && orr_worker_is_synchronous(worker, job)) {
        worker->draining = true;
        return test(loop, worker);
    }
    loop->at = GPU_TEST;
    return call_execute(worker, job);
}

static enum orr_next top(struct loop *loop, struct orr_worker *worker)
{
    loop->at = GPU_CLEARED;
    orr_actor_clear_signal(&worker->actor);
    return orr_actor_pass(&worker->actor) == ORR_ASLEEP ? ORR_ASLEEP
                                                        : start(loop, worker);
}

/* Ends the turn; @popped: the pop found something to do. */
static enum orr_next end(struct loop *loop, struct orr_worker *worker,
                         bool popped)
{
    bool fetches = false;

    loop->at = GPU_TOP;
    if (popped) {
        loop->progressed = true;
        fetches = worker->fetching;
        if (fetches)
            orr_worker_fetch(worker);
    }
    if (orr_worker_end_turn(worker, loop->progressed) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return fetches ? ORR_CONTINUE : top(loop, worker);
}

/* Pops a task if there is room. */
static enum orr_next pop(struct loop *loop, struct orr_worker *worker)
{
    loop->at = GPU_POPPED;
    worker->found = false;
    if (!orr_worker_has_room(worker)) {
        if (orr_actor_pass_point(&worker->actor, ORR_POINT_NO_ROOM, worker) ==
            ORR_ASLEEP)
            return ORR_ASLEEP;
    } else if (worker->run->interleaving->pop(worker)) {
        return ORR_CONTINUE;
    }
    return end(loop, worker, worker->found);
}

enum orr_next orr_worker_gpu(struct orr_actor *actor, void *locals)
{
    struct loop *loop = locals;
    struct orr_worker *worker = (struct orr_worker *)actor;

    switch (loop->at) {
    case GPU_ASLEEP:
        loop->at = GPU_TOP;
        return orr_actor_wait(actor);
    case GPU_TOP:
        return top(loop, worker);
    case GPU_CLEARED:
        return start(loop, worker);
    case GPU_TEST:
        return test(loop, worker);
    case GPU_FINISHED:
        return follow(loop, worker);
    case GPU_DRAINED:
        worker->draining = false;
        return progress(loop, worker);
    case GPU_FOLLOWED:
        return progress(loop, worker);
    case GPU_QUIET:
        if (worker->run->engine.now > loop->quiet_until)
            return top(loop, worker);
        loop->at = GPU_YIELD;
        orr_progress_now(actor, worker, &loop->progressed);
        return ORR_CONTINUE;
    case GPU_YIELD:
        loop->at = GPU_POP;
        if (orr_worker_has_room(worker) && orr_actor_yield(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case GPU_POP:
        return pop(loop, worker);
    case GPU_POPPED:
        return end(loop, worker, orr_worker_popped(worker));
    }
    return ORR_DONE;
}

enum orr_worker_outlook orr_worker_gpu_predict(const struct orr_worker *worker,
                                               const void *locals)
{
    const struct loop *loop = locals;

    if (!orr_worker_has_room(worker))
        return ORR_WORKER_ACTS;
    if (loop->at == GPU_POP)
        return ORR_WORKER_POPS;
    return loop->at == GPU_YIELD ? ORR_WORKER_YIELDS : ORR_WORKER_ACTS;
}
