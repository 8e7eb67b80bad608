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
        GPU_STARTED,
        GPU_QUEUED,
        GPU_POSTED,
        GPU_SUSPENDED,
        GPU_FINISHED,
        GPU_DRAINED,
        GPU_FOLLOWED,
        GPU_QUIET,
        GPU_TURN,
        GPU_POP,
        GPU_POPPED
    } at;
    struct orr_job *job; /* that is being given to the GPU */
    orr_time quiet_until;
    struct orr_turn turn; /* of progress */
};

bool orr_worker_is_synchronous(const struct orr_worker *worker,
                               const struct orr_job *job)
{
    return job->kernel->synchronous &&
           orr_switches_quirks(&worker->run->switches);
}

/*
 * The functions below follow each other in a turn of the loop. Each goes on
 * with the next. ORR_DONE: the loop goes on at loop->at.
 */

/* Ends the turn; @popped: the pop found something to do. */
static inline enum orr_next end(struct loop *loop, struct orr_worker *worker,
                                bool popped)
{
    bool fetches = popped && worker->fetching;

    loop->at = GPU_TOP;
    if (fetches)
        orr_worker_fetch(worker);
    if (orr_worker_end_turn(worker, popped || loop->turn.progressed) ==
        ORR_ASLEEP)
        return ORR_ASLEEP;
    return fetches ? ORR_CONTINUE : ORR_DONE;
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

/* Goes on with a turn of progress. Lets others go first before a pop. */
static enum orr_next turn(struct loop *loop, struct orr_worker *worker)
{
    enum orr_next next = orr_turn_go_on(&worker->actor, &loop->turn);

    if (next != ORR_DONE)
        return next;
    loop->at = GPU_POP;
    if (orr_worker_has_room(worker) &&
        orr_actor_yield(&worker->actor) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return pop(loop, worker);
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

    if (idle > 0) {
        loop->at = GPU_QUIET;
        loop->quiet_until = worker->run->engine.now + idle;
        return orr_actor_wait_busy(&worker->actor, idle);
    }
    loop->at = GPU_TURN;
    orr_turn_begin(&loop->turn, worker);
    return turn(loop, worker);
}

/* Finishes the oldest task if its kernel has ended. */
static enum orr_next test(struct loop *loop, struct orr_worker *worker)
{
    if (worker->count == 0 || !worker->ended[worker->first] ||
        worker->pipeline[worker->first] == worker->fetching)
        return progress(loop, worker);
    loop->at = GPU_FINISHED;
    orr_worker_finish(worker);
    return ORR_CONTINUE;
}

/* Gives a kernel to the executor. */
static enum orr_next post(struct loop *loop, struct orr_worker *worker)
{
    struct orr_executor *executor = worker->run->executor;

    executor->kernel(executor, worker, loop->job);
    return test(loop, worker);
}

/* The driver has queued a kernel. */
static enum orr_next queue(struct loop *loop, struct orr_worker *worker)
{
    loop->at = GPU_POSTED;
    return orr_actor_pass_point(&worker->actor, ORR_POINT_KERNEL_QUEUED,
                                NULL) == ORR_ASLEEP
               ? ORR_ASLEEP
               : post(loop, worker);
}

/* Gives a kernel that has started to the GPU. Waits for the end of a
 * synchronous one. */
static enum orr_next submit(struct loop *loop, struct orr_worker *worker)
{
    if (orr_worker_is_synchronous(worker, loop->job)) {
        struct orr_executor *executor = worker->run->executor;

        loop->at = GPU_SUSPENDED;
        executor->kernel(executor, worker, loop->job);
        worker->suspended = true;
        return orr_actor_suspend(&worker->actor);
    }
    loop->at = GPU_QUEUED;
    return orr_actor_sleep(&worker->actor,
                           worker->run->overheads.kernel_queue) == ORR_ASLEEP
               ? ORR_ASLEEP
               : queue(loop, worker);
}

/* Starts a kernel: now, if it is alone in the pipeline. */
static enum orr_next start(struct loop *loop, struct orr_worker *worker,
                           struct orr_job *job)
{
    bool alone = worker->count == 1;

    loop->job = job;
    loop->at = GPU_STARTED;
    if (alone && orr_worker_job_started(worker, job))
        return ORR_CONTINUE;
    if (orr_actor_pass_point(&worker->actor,
                             alone ? ORR_POINT_KERNEL_BEGINS
                                   : ORR_POINT_KERNEL_BEHIND,
                             job) == ORR_ASLEEP)
        return ORR_ASLEEP;
    return submit(loop, worker);
}

/* Turns to the task after the oldest one. It has started already, unless it is
 * synchronous and can start now. */
static enum orr_next follow(struct loop *loop, struct orr_worker *worker)
{
    struct orr_job *next = worker->pipeline[worker->first];

    if (worker->count == 0 || next == worker->fetching)
        return progress(loop, worker);
    if (orr_worker_is_synchronous(worker, next))
        return start(loop, worker, next);
    loop->at = GPU_FOLLOWED;
    orr_point(worker->actor.engine, ORR_POINT_KERNEL_FOLLOWS, NULL);
    if (orr_worker_job_started(worker, next))
        return ORR_CONTINUE;
    return progress(loop, worker);
}

/* Starts the task whose data are there, if any. */
static enum orr_next look(struct loop *loop, struct orr_worker *worker)
{
    struct orr_job *job;

    if (orr_worker_awaits_locks(worker))
        return ORR_CONTINUE;
    job = orr_worker_has_fetched(worker) ? orr_worker_take_fetched(worker)
                                         : NULL;
    if (!job)
        return test(loop, worker);
    if (worker->count == 1 || !orr_worker_is_synchronous(worker, job))
        return start(loop, worker, job);
    worker->draining = true;
    return test(loop, worker);
}

static inline enum orr_next step(struct loop *loop, struct orr_worker *worker)
{
    struct orr_actor *actor = &worker->actor;

    switch (loop->at) {
    case GPU_ASLEEP:
        loop->at = GPU_TOP;
        return orr_actor_wait(actor);
    case GPU_TOP:
        loop->at = GPU_CLEARED;
        orr_actor_clear_signal(actor);
        if (orr_actor_pass(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case GPU_CLEARED:
        return look(loop, worker);
    case GPU_STARTED:
        return submit(loop, worker);
    case GPU_QUEUED:
        return queue(loop, worker);
    case GPU_POSTED:
        return post(loop, worker);
    case GPU_SUSPENDED:
        loop->at = GPU_DRAINED;
        orr_worker_finish(worker);
        return ORR_CONTINUE;
    case GPU_FINISHED:
        return follow(loop, worker);
    case GPU_DRAINED:
        worker->draining = false;
        /* fall through */
    case GPU_FOLLOWED:
        return progress(loop, worker);
    case GPU_QUIET:
        if (worker->run->engine.now > loop->quiet_until) {
            loop->at = GPU_TOP;
            return ORR_DONE;
        }
        loop->at = GPU_TURN;
        orr_turn_begin_now(&loop->turn, worker, worker->device);
        /* fall through */
    case GPU_TURN:
        return turn(loop, worker);
    case GPU_POP:
        return pop(loop, worker);
    case GPU_POPPED:
        return end(loop, worker, orr_worker_popped(worker));
    }
    return ORR_DONE;
}

enum orr_next orr_worker_gpu(struct orr_actor *actor, void *locals)
{
    enum orr_next next;

    do {
        next = step(locals, (struct orr_worker *)actor);
    } while (next == ORR_DONE);
    return next;
}

void orr_worker_call_gpu(struct orr_worker *worker)
{
    orr_actor_call(&worker->actor, orr_worker_gpu, sizeof(struct loop));
}

enum orr_worker_outlook orr_worker_gpu_predict(const struct orr_worker *worker,
                                               const void *locals,
                                               const struct orr_turn **turn)
{
    const struct loop *loop = locals;

    *turn = loop->at == GPU_TURN ? &loop->turn : NULL;
    if (!orr_worker_has_room(worker))
        return ORR_WORKER_ACTS;
    if (loop->at == GPU_POP)
        return ORR_WORKER_POPS;
    return loop->at == GPU_TURN ? ORR_WORKER_YIELDS : ORR_WORKER_ACTS;
}
