/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loop of a CPU worker (StarPU, driver_cpu.c). */
#include "runtime/progress.h"
#include "runtime/run.h"
#include "runtime/worker.h"

struct loop {
    enum {
        CPU_ASLEEP,
        CPU_TOP,
        CPU_ENDED,
        CPU_YIELD,
        CPU_YIELD_AGAIN,
        CPU_POP
    } at;
    bool progressed;
};

static enum orr_next top(struct orr_actor *actor, struct loop *loop,
                         struct orr_worker *worker)
{
    struct orr_job *job;

    orr_actor_heed(actor);
    job = orr_worker_take_fetched(worker);
    if (job) {
        orr_worker_job_started(worker, job);
        worker->run->executor->kernel(worker->run->executor, worker, job);
        worker->suspended = true;
        loop->at = CPU_ENDED;
        return orr_actor_suspend(actor);
    }
    loop->progressed = false;
    loop->at = CPU_YIELD;
    orr_progress_once(actor, worker, &loop->progressed);
    return ORR_CONTINUE;
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
    case CPU_ENDED:
        loop->at = CPU_TOP;
        orr_worker_finish(worker);
        return ORR_CONTINUE;
    case CPU_YIELD:
        /* GPUs, which share the queues of RAM with nobody, go before. */
        loop->at = CPU_YIELD_AGAIN;
        return worker->fetching ? ORR_CONTINUE : orr_actor_yield(actor);
    case CPU_YIELD_AGAIN:
        loop->at = CPU_POP;
        return worker->fetching ? ORR_CONTINUE : orr_actor_yield(actor);
    case CPU_POP:
        loop->at = CPU_TOP;
        if (!worker->fetching && orr_worker_pop(worker) && worker->fetching) {
            orr_worker_fetch(worker);
            return ORR_CONTINUE;
        }
        return orr_worker_rest(worker, loop->progressed);
    }
    return ORR_DONE;
}
