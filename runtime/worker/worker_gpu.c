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
        GPU_START,
        GPU_STARTED,
        GPU_QUEUED,
        GPU_POSTED,
        GPU_AWAIT,
        GPU_AWOKEN,
        GPU_SUSPENDED,
        GPU_TEST,
        GPU_FINISHED,
        GPU_DRAINED,
        GPU_PROGRESS,
        GPU_QUIET,
        GPU_TURN,
        GPU_POP,
        GPU_POPPED,
        GPU_FETCH
    } at;
    struct orr_job *job; /* the task that is being queued on the GPU */
    orr_time quiet_until;
    struct orr_turn turn; /* turn of progress */
    struct orr_fetching fetching;
};

bool orr_worker_is_synchronous(const struct orr_worker *worker,
                               const struct orr_job *job)
{
    return (orr_job_kernel(&worker->run->graph, job)->synchronous &&
            orr_switches_quirks(&worker->run->switches)) ||
           orr_job_calls_kernel(job);
}

/*
 * The parts of a turn of the loop, in order. If a part returns ORR_DONE, the
 * loop continues after it.
 */

/* Takes the fetched task if its data have arrived. Returns false if there is
 * none, or if it is synchronous and must wait for the task before it. */
static inline bool take(struct loop *loop, struct orr_worker *worker)
{
    if (!orr_worker_has_fetched(worker))
        return false;
    loop->job = orr_worker_take_fetched(worker);
    if (!loop->job)
        return false;
    if (worker->count == 1 || !orr_worker_is_synchronous(worker, loop->job))
        return true;
    worker->draining = true;
    return false;
}

/* Starts a kernel: now, if it is alone in the pipeline. */
static inline enum orr_next start(struct loop *loop, struct orr_worker *worker)
{
    bool alone = worker->count == 1;

    loop->at = GPU_STARTED;
    if (!alone)
        orr_point(worker->actor.engine, ORR_POINT_KERNEL_BEHIND, loop->job);
    else if (orr_worker_job_started(worker, loop->job, ORR_POINT_KERNEL_BEGINS))
        return ORR_CONTINUE;
    return orr_actor_pass(&worker->actor) == ORR_ASLEEP ? ORR_ASLEEP : ORR_DONE;
}

static inline void post(const struct loop *loop, struct orr_worker *worker)
{
    struct orr_executor *executor = worker->run->store.executor;

    executor->kernel(executor, worker, loop->job);
}

/* The driver queues a kernel, or waits for the end of a synchronous one. */
static inline enum orr_next queue(struct loop *loop, struct orr_worker *worker)
{
    if (!orr_worker_is_synchronous(worker, loop->job)) {
        loop->at = GPU_QUEUED;
        return orr_actor_sleep(&worker->actor,
                               worker->run->overheads.kernel_queue) ==
                       ORR_ASLEEP
                   ? ORR_ASLEEP
                   : ORR_DONE;
    }
    loop->at = GPU_SUSPENDED;
    post(loop, worker);
    worker->suspended = true;
    return orr_actor_suspend(&worker->actor);
}

/* Whether the kernel of the oldest task has ended. */
static inline bool has_ended(const struct orr_worker *worker)
{
    return worker->count > 0 && worker->ended[worker->first] &&
           worker->pipeline[worker->first] != worker->fetching;
}

/* Ends the oldest task, then continues at @at. */
static inline enum orr_next finish(struct loop *loop, struct orr_worker *worker,
                                   unsigned at)
{
    loop->at = at;
    orr_worker_finish(worker);
    return ORR_CONTINUE;
}

/*
 * With a pipeline of 0: whether the driver does not wait for the kernel that it
 * has queued.
 *
 * In the reference, the actor that executes kernels takes one from its queue at
 * once if it is idle, before the driver looks there for a kernel to wait for;
 * then the driver finds none (StarPU, simgrid.c: _starpu_simgrid_wait_tasks()).
 */
static bool detaches(struct orr_worker *worker)
{
    struct orr_executor *executor = worker->run->store.executor;

    return worker->run->mistakes_kernels && executor->detach(executor, worker);
}

/* Waits for the kernel of the only task. */
static enum orr_next await(struct loop *loop, struct orr_worker *worker)
{
    struct orr_actor *actor = &worker->actor;

    switch (loop->at) {
    case GPU_POSTED:
        if (detaches(worker))
            return finish(loop, worker, GPU_DRAINED);
        orr_point(actor->engine, ORR_POINT_AWAIT_BEGINS, worker);
        /* fall through */
    case GPU_AWAIT:
        loop->at = GPU_AWOKEN;
        orr_actor_clear_signal(actor);
        if (orr_actor_pass(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    default:
        if (!has_ended(worker)) {
            loop->at = GPU_AWAIT;
            return orr_actor_wait(actor);
        }
        orr_point(actor->engine, ORR_POINT_AWAIT_ENDS, worker);
        actor->signalled = true; /* for the wait at the end of the turn */
        return finish(loop, worker, GPU_DRAINED);
    }
}

/* Turns to the task after the oldest one. It has started already, unless it is
 * synchronous and can start now. */
static inline enum orr_next follow(struct loop *loop, struct orr_worker *worker)
{
    struct orr_job *next = worker->pipeline[worker->first];

    loop->at = GPU_PROGRESS;
    if (worker->count == 0 || next == worker->fetching)
        return ORR_DONE;
    if (orr_worker_is_synchronous(worker, next)) {
        loop->at = GPU_START;
        loop->job = next;
        return ORR_DONE;
    }
    return orr_worker_job_started(worker, next, ORR_POINT_KERNEL_FOLLOWS)
               ? ORR_CONTINUE
               : ORR_DONE;
}

/*
 * Whether the driver takes another turn although this one found nothing, as the
 * next kernel has ended, too. It notices one end in a turn, and the signals of
 * others may have come before it began: with three tasks or more that happens
 * while it allocates memory. The reference waits for another signal then.
 */
static inline bool has_more(const struct orr_worker *worker)
{
    return G_UNLIKELY(worker->depth > 2) && !worker->run->mistakes_kernels &&
           has_ended(worker);
}

/* Whether a turn of progress that starts now would find nothing to do, unless
 * an event comes meanwhile, and the driver would sleep after it. */
static inline bool may_be_quiet(const struct orr_worker *worker)
{
    const struct orr_run *run = worker->run;

    return !orr_worker_has_room(worker) && run->store.skips_ram &&
           orr_memory_is_idle(worker->memory) && run->overheads.progress > 0 &&
           !has_more(worker);
}

/*
 * Begins a turn of progress. One that would find nothing to do is not
 * simulated: the driver sleeps at once, and wakes at the end of that turn at
 * the earliest.
 */
static inline enum orr_next progress(struct loop *loop,
                                     struct orr_worker *worker)
{
    if (may_be_quiet(worker)) {
        orr_time idle = 2 * worker->run->overheads.progress;

        loop->at = GPU_QUIET;
        loop->quiet_until = worker->run->engine.now + idle;
        return orr_actor_wait_busy(&worker->actor, idle);
    }
    loop->at = GPU_TURN;
    orr_turn_begin(&loop->turn, worker);
    return ORR_DONE;
}

/* Pops a task if there is room. */
static inline enum orr_next pop(struct loop *loop, struct orr_worker *worker)
{
    loop->at = GPU_POPPED;
    worker->found = false;
    if (orr_worker_has_room(worker))
        return worker->run->turns->workers.pop(worker) ? ORR_CONTINUE
                                                       : ORR_DONE;
    return orr_actor_pass_point(&worker->actor, ORR_POINT_NO_ROOM, worker) ==
                   ORR_ASLEEP
               ? ORR_ASLEEP
               : ORR_DONE;
}

/* Ends the turn; @popped: the pop found something to do. */
static inline enum orr_next end(struct loop *loop, struct orr_worker *worker,
                                bool popped)
{
    loop->at = GPU_TOP;
    if (popped && worker->fetching) {
        loop->at = GPU_FETCH;
        orr_worker_begin_fetch(worker, &loop->fetching);
    }
    return orr_worker_end_turn(worker, popped || loop->turn.progressed ||
                                           has_more(worker)) == ORR_ASLEEP
               ? ORR_ASLEEP
               : ORR_DONE;
}

/* Continues the work for one task: from its start until it is queued, or from
 * its end until the next task. */
static inline enum orr_next execute(struct loop *loop,
                                    struct orr_worker *worker)
{
    enum orr_next next;

    switch (loop->at) {
    case GPU_START:
        next = start(loop, worker);
        if (next != ORR_DONE)
            return next;
        /* fall through */
    case GPU_STARTED:
        next = queue(loop, worker);
        if (next != ORR_DONE)
            return next;
        /* fall through */
    case GPU_QUEUED:
        loop->at = GPU_POSTED;
        if (orr_actor_pass_point(&worker->actor, ORR_POINT_KERNEL_QUEUED,
                                 NULL) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case GPU_POSTED:
        post(loop, worker);
        if (G_UNLIKELY(worker->run->awaits_kernels))
            return await(loop, worker);
        loop->at = GPU_TEST;
        return ORR_DONE;
    case GPU_AWAIT:
    case GPU_AWOKEN:
        return await(loop, worker);
    case GPU_FINISHED:
        return follow(loop, worker);
    case GPU_SUSPENDED:
        return finish(loop, worker, GPU_DRAINED);
    case GPU_DRAINED:
        worker->draining = false;
        loop->at = GPU_PROGRESS;
        return ORR_DONE;
    default:
        return ORR_DONE;
    }
}

/* Continues the loop, at most to the end of a turn. ORR_DONE: the loop may
 * continue at once. */
static inline enum orr_next step(struct loop *loop, struct orr_worker *worker)
{
    struct orr_actor *actor = &worker->actor;
    enum orr_next next;

    switch (loop->at) {
    case GPU_ASLEEP:
        loop->at = GPU_TOP;
        return orr_actor_wait(actor);
    case GPU_FETCH:
        next = orr_worker_fetch(worker, &loop->fetching);
        if (next == ORR_DONE)
            loop->at = GPU_TOP;
        return next;
    case GPU_QUIET:
        if (worker->run->engine.now == loop->quiet_until) {
            loop->at = GPU_TURN; /* it may end with something to do */
            orr_turn_begin_now(&loop->turn, worker, worker->device);
            return ORR_DONE;
        }
        /* fall through */
    case GPU_TOP:
        if (G_UNLIKELY(worker->run->pause.depth > 0)) {
            loop->at = GPU_TOP;
            return orr_worker_stop(worker);
        }
        loop->at = GPU_CLEARED;
        orr_actor_clear_signal(actor);
        if (orr_actor_pass(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case GPU_CLEARED:
        if (orr_worker_awaits_locks(worker))
            return ORR_CONTINUE;
        if (take(loop, worker)) {
            loop->at = GPU_START;
            return ORR_DONE;
        }
        /* fall through */
    case GPU_TEST:
        if (has_ended(worker))
            return finish(loop, worker, GPU_FINISHED);
        /* fall through */
    case GPU_PROGRESS:
        next = progress(loop, worker);
        if (next != ORR_DONE)
            return next;
        /* fall through */
    case GPU_TURN:
        next = orr_turn_resume(actor, &loop->turn);
        if (next != ORR_DONE)
            return next;
        loop->at = GPU_POP;
        if (orr_worker_has_room(worker) && orr_actor_yield(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case GPU_POP:
        next = pop(loop, worker);
        return next == ORR_DONE ? end(loop, worker, worker->found) : next;
    case GPU_POPPED:
        return end(loop, worker, orr_worker_popped(worker));
    default:
        return execute(loop, worker);
    }
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
