/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loop of a CPU worker (StarPU, driver_cpu.c). */
#include "runtime/run.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/worker.h"

struct loop {
    enum {
        CPU_ASLEEP,
        CPU_TOP,
        CPU_CLEARED,
        CPU_STARTED,
        CPU_ENDED,
        CPU_TURN,
        CPU_YIELD_AGAIN,
        CPU_POP,
        CPU_POPPED,
        CPU_FETCH
    } at;
    struct orr_turn turn; /* turn of progress */
    struct orr_fetching fetching;
};

/* Starts the kernel of the task, which has been started. */
static enum orr_next execute(struct loop *loop, struct orr_worker *worker)
{
    struct orr_executor *executor = worker->run->store.executor;

    if (orr_actor_pass(&worker->actor) == ORR_ASLEEP)
        return ORR_ASLEEP;
    executor->kernel(executor, worker, worker->pipeline[worker->first]);
    worker->suspended = true;
    loop->at = CPU_ENDED;
    return orr_actor_suspend(&worker->actor);
}

/* Goes on with a turn of progress. */
static enum orr_next turn(struct orr_actor *actor, struct loop *loop,
                          const struct orr_worker *worker)
{
    enum orr_next next = orr_turn_resume(actor, &loop->turn);

    if (next != ORR_DONE)
        return next;
    /* Drivers of GPUs, which yield once, pop before. */
    loop->at = CPU_YIELD_AGAIN;
    return worker->fetching ? ORR_CONTINUE : orr_actor_yield(actor);
}

/* Starts a task that has its data, or else makes progress. */
static enum orr_next start(struct orr_actor *actor, struct loop *loop,
                           struct orr_worker *worker)
{
    struct orr_job *job;

    if (orr_worker_awaits_locks(worker))
        return ORR_CONTINUE;
    job = orr_worker_take_fetched(worker);
    if (job) {
        loop->at = CPU_STARTED;
        return orr_worker_job_started(worker, job, ORR_POINT_KERNEL_BEGINS)
                   ? ORR_CONTINUE
                   : execute(loop, worker);
    }
    loop->at = CPU_TURN;
    orr_turn_begin(&loop->turn, worker);
    return turn(actor, loop, worker);
}

static enum orr_next top(struct orr_actor *actor, struct loop *loop,
                         struct orr_worker *worker)
{
    if (G_UNLIKELY(worker->run->pause.depth > 0))
        return orr_worker_stop(worker);
    loop->at = CPU_CLEARED;
    orr_actor_clear_signal(actor);
    return orr_actor_pass(actor) == ORR_ASLEEP ? ORR_ASLEEP
                                               : start(actor, loop, worker);
}

/* Requests the data of the task just popped. */
static enum orr_next fetch(struct loop *loop, struct orr_worker *worker)
{
    enum orr_next next = orr_worker_fetch(worker, &loop->fetching);

    if (next != ORR_DONE)
        return next;
    loop->at = CPU_TOP;
    return ORR_CONTINUE;
}

/* Ends the turn; @popped: the pop found something to do. */
static enum orr_next end(struct loop *loop, struct orr_worker *worker,
                         bool popped)
{
    loop->at = CPU_TOP;
    if (popped && worker->fetching) {
        loop->at = CPU_FETCH;
        orr_worker_begin_fetch(worker, &loop->fetching);
        return fetch(loop, worker);
    }
    return orr_worker_end_turn(worker, loop->turn.progressed);
}

static enum orr_next pop(struct loop *loop, struct orr_worker *worker)
{
    loop->at = CPU_POPPED;
    worker->found = false;
    if (!worker->fetching && worker->run->turns->workers.pop(worker))
        return ORR_CONTINUE;
    return end(loop, worker, worker->found);
}

enum orr_next orr_worker_cpu(struct orr_actor *actor, void *locals)
{
    struct loop *loop = locals;
    struct orr_worker *worker = (struct orr_worker *)actor;

    switch (loop->at) {
    case CPU_ASLEEP:
        loop->at = CPU_TOP;
        return orr_actor_wait(actor);
    case CPU_TOP:
        return top(actor, loop, worker);
    case CPU_CLEARED:
        return start(actor, loop, worker);
    case CPU_STARTED:
        return execute(loop, worker);
    case CPU_ENDED:
        loop->at = CPU_TOP;
        orr_worker_finish(worker);
        return ORR_CONTINUE;
    case CPU_TURN:
        return turn(actor, loop, worker);
    case CPU_YIELD_AGAIN:
        loop->at = CPU_POP;
        return worker->fetching ? ORR_CONTINUE : orr_actor_yield(actor);
    case CPU_POP:
        return pop(loop, worker);
    case CPU_POPPED:
        return end(loop, worker, orr_worker_popped(worker));
    case CPU_FETCH:
        return fetch(loop, worker);
    }
    return ORR_DONE;
}

void orr_worker_call_cpu(struct orr_worker *worker)
{
    orr_actor_call(&worker->actor, orr_worker_cpu, sizeof(struct loop));
}

enum orr_worker_outlook orr_worker_cpu_predict(const struct orr_worker *worker,
                                               const void *locals,
                                               const struct orr_turn **turn)
{
    const struct loop *loop = locals;

    *turn = loop->at == CPU_TURN ? &loop->turn : NULL;
    if (worker->fetching)
        return ORR_WORKER_ACTS;
    if (loop->at == CPU_POP)
        return ORR_WORKER_POPS;
    return loop->at == CPU_TURN || loop->at == CPU_YIELD_AGAIN
               ? ORR_WORKER_YIELDS
               : ORR_WORKER_ACTS;
}
