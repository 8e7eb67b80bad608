/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKER_H
#define ORR_WORKER_H

#include "runtime/data/push_pop_overlap.h"
#include "runtime/engine/actor.h"
#include "runtime/graph/graph.h"

/*
 * A worker: the driver of a CPU core or of a GPU. Its actor runs a loop: start
 * the task whose data are there, finish the one whose kernel has ended, make
 * data progress, pop a task from the policy, request its data. It sleeps after
 * a turn that did nothing.
 *
 * A CPU worker holds one task, which it executes itself. A GPU worker holds a
 * pipeline of tasks, by default two, so that the data of the second arrive
 * while the first executes. Only the last of them may be waiting for its data.
 */
struct orr_request;
struct orr_run;
struct orr_turn;

#define ORR_MAX_PIPELINE 4 /* StarPU: STARPU_MAX_PIPELINE */

struct orr_span {
    orr_time from, to;
};

/* Dates of a task: it awaited no other task any more; a worker popped it; its
 * data had arrived. */
struct orr_wait_dates {
    orr_time ready, taken, arrived;
};

struct orr_worker {
    struct orr_actor actor;
    struct orr_run *run;
    unsigned index; /* GPUs first, then CPUs */
    /* its device (models/platform/platform.h) and memory node */
    unsigned device;
    struct orr_memory *memory; /* memory of the node @device */
    char *name;

    /* State that actors look at to wake this worker. */
    /* its last pop returned no task */
    bool sleeping;
    bool scheduling; /* from the begin of a pop until it returns a task:
                        StarPU's STATUS_SCHEDULING */
    bool collided;   /* a steal of its last pop found a lock taken */
    struct orr_pop last_pop;

    /* The popped task while its data are being fetched, or NULL. */
    struct orr_job *fetching;
    unsigned buffers_arrived;
    unsigned buffers_awaited;
    orr_time arrived; /* date at which the last buffer arrived, or at which the
                         task was popped */

    /* Tasks held, from the oldest in place @first on, at most @depth. */
    struct orr_job *pipeline[ORR_MAX_PIPELINE];
    bool ended[ORR_MAX_PIPELINE];              /* their kernels have ended */
    struct orr_span kernels[ORR_MAX_PIPELINE]; /* dates of the ended kernels */
    struct orr_wait_dates waits[ORR_MAX_PIPELINE];
    unsigned first;
    unsigned count;
    unsigned depth;
    const struct orr_job *ending; /* the task that is being ended, or NULL */
    bool draining;  /* a synchronous task waits for the pipeline to drain */
    bool suspended; /* suspended until the kernel that it executes has ended */
    bool found;     /* the last pop found something to do */
    unsigned no_alloc; /* > 0: it makes progress without allocating */

    /* The write-back for which it waits while it makes room, or NULL. */
    const struct orr_request *awaited;

    /* Tasks that only it may run, in order of priority, linked by their next:
     * pushed past the policy, and popped before it is asked. */
    struct orr_task *own;

    void *interleaved; /* state of the interleaving, owned; NULL if plain */
};

/* A worker of @run, not started. */
struct orr_worker *orr_worker_new(struct orr_run *run, unsigned index,
                                  unsigned device, const char *name);
void orr_worker_free(struct orr_worker *worker);

/* Call the loop of a CPU worker or of a GPU's driver, which starts asleep. */
void orr_worker_call_cpu(struct orr_worker *worker);
void orr_worker_call_gpu(struct orr_worker *worker);

/* The procedures of the loops. */
enum orr_next orr_worker_cpu(struct orr_actor *actor, void *locals);
enum orr_next orr_worker_gpu(struct orr_actor *actor, void *locals);

/* For explore/footprint.c: predicts the next action of a loop with these
 * @locals. Sets *@turn to the turn of progress under way, or NULL; if there is
 * one, the prediction is for the time after it. */
enum orr_worker_outlook {
    ORR_WORKER_YIELDS, /* it lets others go first */
    ORR_WORKER_POPS,   /* it pops a task */
    ORR_WORKER_ACTS    /* something else */
};

enum orr_worker_outlook orr_worker_cpu_predict(const struct orr_worker *worker,
                                               const void *locals,
                                               const struct orr_turn **turn);
enum orr_worker_outlook orr_worker_gpu_predict(const struct orr_worker *worker,
                                               const void *locals,
                                               const struct orr_turn **turn);

/* For explore/footprint.c: the state of @worker that other actors may read or
 * change, in one word. */
uint64_t orr_worker_visible_state(const struct orr_worker *worker);

/* For the executor: the kernel of @job has ended after @duration (ns). */
void orr_worker_kernel_ended(struct orr_worker *worker, struct orr_job *job,
                             orr_time duration);

/* For the executor: the task of the kernel of @job ends now, though the kernel
 * takes @duration from now on; and such a kernel has ended. */
void orr_worker_kernel_detached(struct orr_worker *worker, struct orr_job *job,
                                orr_time duration);
void orr_worker_signal_end(struct orr_worker *worker);

/* Makes a worker take another turn, in the plain interleaving: see
 * orr_sched_wake(). */
bool orr_worker_wake(struct orr_worker *worker);

/* The first part of orr_worker_wake(): marks the worker as woken. Returns
 * whether it slept and this is the first wake-up. */
bool orr_worker_mark_woken(struct orr_worker *worker);

/*
 * Pops a task, in the plain interleaving, and puts it into the pipeline.
 * Returns whether there is something to do. For a concurrent policy,
 * orr_worker_call_pop() calls instead, and orr_worker_popped() returns that
 * later.
 */
bool orr_worker_pop(struct orr_worker *worker);
void orr_worker_call_pop(struct orr_worker *worker);
bool orr_worker_popped(struct orr_worker *worker);

/* Pushes @job, which is pinned to @worker, to the worker's own queue, and
 * notifies the policy. Pops the first task of this queue, or returns NULL. */
void orr_worker_push_own(struct orr_worker *worker, struct orr_job *job);
struct orr_task *orr_worker_pop_own(struct orr_worker *worker);

/* The last part of a pop, to which the policy gave @task, or NULL. Returns
 * whether there is something to do. */
bool orr_worker_end_pop(struct orr_worker *worker, struct orr_task *task);

/* For the loops, at the end of a turn: continues if it @progressed, else waits
 * for a signal. */
enum orr_next orr_worker_end_turn(struct orr_worker *worker, bool progressed);

/* The data of the task just popped are being requested, one by one. */
struct orr_fetching {
    bool late;   /* the pushes of the same date have been let pass first */
    bool called; /* the prologue_pop of the task was called, if it has one */
    unsigned next;
};

/* Whether the application has paused the workers of a run. */
struct orr_pause {
    unsigned depth;     /* pauses without a resumption; 0: the workers work */
    GPtrArray *stopped; /* workers that have stopped, in order; NULL: none yet
                         */
};

/*
 * While the application pauses the workers, @worker stops where its loop begins
 * (StarPU, workers.c: _starpu_may_pause()); its procedure returns the result.
 * orr_workers_resume() lets all continue, in the order in which they stopped.
 */
enum orr_next orr_worker_stop(struct orr_worker *worker);
void orr_workers_resume(struct orr_run *run);

/* orr_worker_begin_fetch(): begins to request the data. orr_worker_fetch(), in
 * a procedure: continues. ORR_DONE: all data are requested. Otherwise the
 * procedure must return the result, and call this again when it is resumed. */
static inline void orr_worker_begin_fetch(struct orr_worker *worker,
                                          struct orr_fetching *fetching)
{
    *fetching = (struct orr_fetching){0};
    worker->buffers_arrived = 0;
    worker->buffers_awaited = UINT_MAX;
}
enum orr_next orr_worker_fetch(struct orr_worker *worker,
                               struct orr_fetching *fetching);

/* Whether the task being fetched has all its data. */
static inline bool orr_worker_has_fetched(const struct orr_worker *worker)
{
    return worker->fetching &&
           worker->buffers_arrived == worker->buffers_awaited;
}

/* Takes the task being fetched if all its data have arrived; else NULL. */
struct orr_job *orr_worker_take_fetched(struct orr_worker *worker);

/* Records that the kernel of @job starts, at the trace point @point. Returns
 * whether it calls: a concurrent policy is notified first. */
bool orr_worker_job_started(struct orr_worker *worker, struct orr_job *job,
                            enum orr_point point);

/* Calls: ends the oldest task, and readies its successors. */
void orr_worker_finish(struct orr_worker *worker);

/* Whether the worker of a GPU may pop one more task. */
static inline bool orr_worker_has_room(const struct orr_worker *worker)
{
    return worker->count < worker->depth && !worker->draining &&
           !worker->fetching;
}

/* Whether the worker of a GPU waits for the kernel of @job to end. */
bool orr_worker_is_synchronous(const struct orr_worker *worker,
                               const struct orr_job *job);

/* Prefetches the datum of an access of @job to @node, for the policy. */
void orr_access_prefetch(struct orr_run *run, struct orr_job *job,
                         unsigned access, unsigned node);

#endif
