/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKER_H
#define ORR_WORKER_H

#include "runtime/data/push_overlap.h"
#include "runtime/engine/actor.h"
#include "runtime/graph/graph.h"

/*
 * A worker: the driver of a CPU core or of a GPU. Its actor turns in a loop:
 * start what is ready, finish what has ended, make data progress, ask the
 * policy for a task, fetch its data; and sleeps when a turn did nothing.
 *
 * A CPU worker holds one task and executes it in its own time. A GPU worker
 * holds two, so that the data of the second arrive while the first executes.
 */
struct orr_request;
struct orr_run;

#define ORR_PIPELINE 2

struct orr_worker {
    struct orr_actor actor;
    struct orr_run *run;
    unsigned index;  /* GPUs first, then CPUs */
    unsigned device; /* models/platform/platform.h; also its memory node */
    char *name;

    /* What others see of it when they want to wake it. */
    bool sleeping;   /* its last attempt to pop a task failed */
    bool scheduling; /* it is about to pop, or has slept since */
    bool woken;      /* somebody has taken care to wake it */
    bool collided;   /* its last attempt to pop ran into another's */
    struct orr_pop last_pop;

    /* The task whose data are being fetched. */
    struct orr_job *fetching;
    unsigned buffers_arrived;
    unsigned buffers_awaited;

    /* Tasks held, from the oldest; a CPU worker uses the first place. */
    struct orr_job *pipeline[ORR_PIPELINE];
    bool ended[ORR_PIPELINE]; /* their kernels have ended */
    unsigned first;
    unsigned count;
    const struct orr_job *ending; /* the task that it gives back, or NULL */
    bool stuck;       /* a synchronous task waits for the pipeline to drain */
    bool suspended;   /* until the kernel that it executes has ended */
    bool found;       /* something to do, once a pop that called has ended */
    unsigned sparing; /* > 0: it makes progress without allocating */

    /* What its driver waits for while it makes room, or NULL. */
    const struct orr_request *awaited;

    void *interleaved; /* state of the interleaving, owned; NULL if plain */
};

/* A worker of @run, not started. */
struct orr_worker *orr_worker_new(struct orr_run *run, unsigned index,
                                  unsigned device, const char *name);
void orr_worker_free(struct orr_worker *worker);

/* The loops; @worker starts asleep. */
enum orr_next orr_worker_cpu(struct orr_actor *actor, void *locals);
enum orr_next orr_worker_gpu(struct orr_actor *actor, void *locals);

/* For footprint.c: what the loop, with its @locals, is to do next. */
enum orr_worker_outlook {
    ORR_WORKER_ACTS,   /* something, or */
    ORR_WORKER_YIELDS, /* nothing but to let others go first, or */
    ORR_WORKER_POPS    /* it asks for a task */
};

enum orr_worker_outlook orr_worker_cpu_predict(const struct orr_worker *worker,
                                               const void *locals);
enum orr_worker_outlook orr_worker_gpu_predict(const struct orr_worker *worker,
                                               const void *locals);

/* And what others may see of @worker, or change, in one word. */
uint64_t orr_worker_visible_state(const struct orr_worker *worker);

/* For the executor: the kernel of @job has ended, after @duration. */
void orr_worker_kernel_ended(struct orr_worker *worker, struct orr_job *job,
                             orr_time duration);

/* The plain way to make the worker take another turn: see orr_sched_wake(). */
bool orr_worker_wake(struct orr_worker *worker);

/* The first part of that: who looks for a sleeping worker has found this one;
 * returns whether it was the first to. */
bool orr_worker_note_wake(struct orr_worker *worker);

/* The last part of a pop: @task is what the policy gave, or NULL. */
bool orr_worker_was_given(struct orr_worker *worker, struct orr_task *task);

/*
 * The plain way to pop a task, if the policy has one; it is then in the
 * pipeline. Returns whether there is something to do. If the policy is
 * concurrent, the second calls instead.
 */
bool orr_worker_pop(struct orr_worker *worker);
void orr_worker_call_pop(struct orr_worker *worker);

/* For the loops: the result of a pop that called, once that has ended. */
bool orr_worker_popped(struct orr_worker *worker);

/* For the loops, at the end of a turn: goes on, or waits for something. */
enum orr_next orr_worker_rest(struct orr_worker *worker, bool progressed);

/* Calls: fetches the data of the task just popped, buffer by buffer. */
void orr_worker_fetch(struct orr_worker *worker);

/* Whether the task being fetched has all its data; */
static inline bool orr_worker_has_fetched(const struct orr_worker *worker)
{
    return worker->fetching &&
           worker->buffers_arrived == worker->buffers_awaited;
}

/* if so, whether @worker has to wait for the lock of one of them first: calls
 * then; */
static inline bool orr_worker_awaits_locks(struct orr_worker *worker)
{
    const struct orr_interleaving *interleaving =
        worker->actor.engine->interleaving;

    return G_UNLIKELY(interleaving) && interleaving->awaits_locks(worker);
}

/* and the task is taken, or else NULL. */
struct orr_job *orr_worker_take_fetched(struct orr_worker *worker);

/*
 * The kernel of @job starts, as far as the driver knows. Returns true if it
 * calls: a concurrent policy is to be told before anything else.
 */
bool orr_worker_job_started(struct orr_worker *worker, struct orr_job *job);

/* Calls: ends the oldest task, and starts what waits for it. */
void orr_worker_finish(struct orr_worker *worker);

/* For the loops of GPUs: whether @worker may ask for one more task; whether
 * it waits for the kernel of @job once it has given it to the GPU. */
static inline bool orr_worker_has_room(const struct orr_worker *worker)
{
    return worker->count < ORR_PIPELINE && !worker->stuck && !worker->fetching;
}

bool orr_worker_is_synchronous(const struct orr_worker *worker,
                               const struct orr_job *job);

#endif
