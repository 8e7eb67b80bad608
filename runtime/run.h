/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_H
#define ORR_RUN_H

#include "models/platform/switches.h"
#include "runtime/application/application.h"
#include "runtime/data/store.h"
#include "runtime/decision_history.h"
#include "runtime/diagnosis/diagnosis.h"
#include "runtime/digest.h"
#include "runtime/engine/actor.h"
#include "runtime/engine/executor.h"
#include "runtime/executor/energy.h"
#include "runtime/executor/turns.h"
#include "runtime/explore/footprint.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/kernels.h"
#include "runtime/graph/progression.h"
#include "runtime/machine.h"
#include "runtime/orrery_trace.h"
#include "runtime/threads.h"
#include "runtime/window.h"
#include "runtime/worker/policy.h"
#include "runtime/worker/scratch.h"
#include "runtime/worker/stall_retry.h"
#include "runtime/worker/worker.h"

/* The whole state of one run; there is no other, so several runs can coexist,
 * in one thread or several. */

/* Limits of a run: hours of computing, and tens of GB. */
#define ORR_MAX_TASKS 1e9
#define ORR_MAX_IN_FLIGHT 5e7
#define ORR_MAX_DATA 5e7

struct orr_capture;   /* runtime/capture.h */
struct orr_machine;   /* runtime/machine.h */
struct orr_recording; /* runtime/recording.h */

/* Tasks that are not submitted: see struct orr_config. */
struct orr_left_out {
    uint64_t *tasks;      /* owned; NULL: none */
    const uint64_t *next; /* the number of the next such task, and of those
                             after it */
    size_t count;         /* of these */
    uint64_t before;      /* tasks skipped so far */
};

struct orr_run {
    struct orr_run_energy energy; /* first, as it is aligned to 16 bytes */
    struct orr_engine engine;
    struct orr_graph graph;
    struct orr_store store;
    struct orr_kernels kernels;
    struct orr_policy policy;
    struct orr_buffers buffers;
    struct orr_application app;
    struct orr_submission_window window;
    struct orr_pause pause;
    struct orr_left_out left_out;
    struct orr_diagnosis diagnosis;
    struct orr_totals totals;

    const struct orr_platform *platform;
    const struct orr_changes *changes;    /* of the platform */
    struct orr_machine *own_machine;      /* NULL: the machine is borrowed */
    struct orr_switches machine_switches; /* defaults of the platform */
    struct orr_switches switches;
    struct orr_platform_overheads overheads; /* zero when switched off */
    uint64_t seed;

    unsigned node_count; /* RAM and a memory for each GPU in use */
    unsigned gpu_count;
    unsigned worker_count; /* GPUs first, then CPUs */
    struct orr_worker **workers;
    unsigned pipeline;     /* tasks that a GPU worker may hold */
    bool awaits_kernels;   /* a GPU worker waits while its kernel executes */
    bool mistakes_kernels; /* GPU workers mistake which kernels have ended, as
                              in the reference: see worker_gpu.c */
    uint64_t gpu_memory_bytes;

    const struct orr_turns *turns;   /* its interleaving */
    struct orr_recording *recording; /* NULL: tasks are simulated */
    struct orr_capture *capture;     /* borrowed; NULL: tasks are simulated */
    struct orr_decision_history history;
    struct orr_footprint_state footprint;
    struct orr_stall_retry stall_retry;
    struct orr_progression accessed[ORR_FEW_ACCESSES]; /* predicts the data
                                                           of the next task */

    GStringChunk *texts; /* of orr_run_keep_text(); NULL: none */

    bool ignores_races; /* data races do not end the run: orr_config */
    bool rare;          /* submissions and ends of tasks heed something rare:
                           tasks to skip, a window, a reduction, a wait for one
                           task, ... */
    bool begun;         /* something was submitted */
    bool closing;       /* the run is being freed */
    bool ended;         /* @error ends it; nothing more is simulated */
    GError *error;      /* error of a submission, reported by orr_run_wait() */
};

/* Whether @worker can run @job, a kernel. */
static inline bool orr_job_runs_on(const struct orr_run *run,
                                   const struct orr_job *job, unsigned worker)
{
    return orr_job_kernel(&run->graph, job)
               ->by_worker[(job->cpu_only ? run->worker_count : 0) + worker] !=
           ORR_NEVER;
}

/*
 * The index of the costs of @job, which is ready, on @worker, in the arrays of
 * its @kernel, whose costs are given: the costs of the implementation that the
 * policy has chosen, or else of the first one that @worker can run.
 */
static inline size_t orr_job_cost(const struct orr_kernel *kernel,
                                  const struct orr_job *job, unsigned worker)
{
    size_t first = (size_t)worker * kernel->implementations;
    size_t chosen = first + job->active->implementation;

    if (kernel->by_implementation[chosen] != ORR_NEVER)
        return chosen;
    while (kernel->by_implementation[first] == ORR_NEVER)
        first++;
    return first;
}

/* The durations that are expected of @job, a kernel, by worker, then by
 * implementation, *@count of each worker; ORR_NEVER: it cannot run there. */
static inline const orr_time *orr_job_durations(const struct orr_run *run,
                                                const struct orr_job *job,
                                                unsigned *count)
{
    const struct orr_kernel *kernel = orr_job_kernel(&run->graph, job);
    const orr_time *durations =
        kernel->implementations ? kernel->by_implementation : kernel->by_worker;

    *count = MAX(kernel->implementations, 1);
    return durations + (job->cpu_only ? (size_t)run->worker_count * *count : 0);
}

/* The data for which @job, a kernel, needs buffers of its worker. Sets *@count
 * to their number. */
static inline struct orr_data *const *orr_job_scratch(const struct orr_run *run,
                                                      const struct orr_job *job,
                                                      unsigned *count)
{
    GBytes *scratch = orr_job_kernel(&run->graph, job)->given.scratch;
    gsize size = 0;
    const void *data =
        G_UNLIKELY(scratch) ? g_bytes_get_data(scratch, &size) : NULL;

    *count = (unsigned)(size / sizeof(struct orr_data *));
    return data;
}

/* Whether @job, a kernel, needs buffers of its worker. */
static inline bool orr_job_needs_buffers(const struct orr_run *run,
                                         const struct orr_job *job)
{
    const struct orr_given *given = &orr_job_kernel(&run->graph, job)->given;

    return given->scratch || given->redux;
}

/* Whether some worker of @device can run @job, a kernel. */
static inline bool orr_job_can_run(const struct orr_run *run,
                                   const struct orr_job *job, unsigned device)
{
    return (device == ORR_RAM || !job->cpu_only) &&
           orr_job_kernel(&run->graph, job)->durations[device] != ORR_NEVER;
}

/*
 * A worker to whose memory the data of @job, which is about to be pushed, are
 * prefetched before the policy chooses; or ORR_NO_WORKER. As in StarPU
 * (sched_policy.c, _starpu_push_task_to_workers()), this happens if the policy
 * does not prefetch itself, and all workers that can run the kernel share one
 * memory: CPUs, or a single GPU.
 */
static inline unsigned orr_run_prefetches_for(const struct orr_run *run,
                                              const struct orr_job *job)
{
    return G_UNLIKELY(run->policy.prefetches)
               ? orr_job_kernel(&run->graph, job)->only_worker
               : ORR_NO_WORKER;
}

/*
 * The number of tasks in flight, which the window limits. The reference counts
 * its internal tasks, too, and each task until it has pushed its successors
 * (StarPU, jobs.c: _starpu_handle_job_termination()).
 */
static inline uint64_t orr_run_in_flight(const struct orr_run *run)
{
    return orr_switches_quirks(&run->switches)
               ? run->graph.live - run->window.submits
               : run->graph.submitted - run->graph.completed;
}

/* Lets the application check the condition for which it waits. */
static inline void orr_run_interrupt(struct orr_run *run)
{
    orr_actors_interrupt(&run->engine);
    if (G_UNLIKELY(run->turns->workers.notify_window))
        run->turns->workers.notify_window(run);
}

/* The number of the size @bytes, for orr_data.size; a new one gets tables. */
uint8_t orr_run_find_size(struct orr_run *run, uint64_t bytes);

/* A buffer has arrived for the task that @worker fetches. */
static inline void orr_run_buffer_arrived(struct orr_run *run,
                                          struct orr_worker *worker)
{
    worker->arrived = run->engine.now;
    if (G_UNLIKELY(run->engine.interleaving)) {
        run->turns->workers.buffer_arrived(worker);
        return;
    }
    worker->buffers_arrived++;
    if (worker->device == ORR_RAM)
        run->turns->data.signal_node(run, ORR_RAM);
    else
        orr_actor_signal_plain(&worker->actor);
}

/* In lock-step, calls to wait for the locks of the data that @worker has
 * fetched if need be. Returns whether it calls. */
static inline bool orr_worker_awaits_locks(struct orr_worker *worker)
{
    return G_UNLIKELY(worker->actor.engine->interleaving) &&
           worker->run->turns->workers.wait_for_locks(worker);
}

/* Sets the members of run->store that are borrowed from @run. */
void orr_run_lend(struct orr_run *run);

/* Builds @run, all zero, from @config. After a failure @run still has to be
 * torn down. */
bool orr_run_set_up(struct orr_run *run, const struct orr_config *config,
                    GError **error);

/* Frees everything that @run owns. */
void orr_run_tear_down(struct orr_run *run);

/* Fires an event. Returns false if there is none. */
static inline bool orr_run_step(struct orr_run *run)
{
    orr_guard_progress(run->app.guard);
    return orr_actors_step(&run->engine);
}

/* The actor of the thread that has control. */
static inline struct orr_actor *orr_run_actor(struct orr_run *run)
{
    return &run->app.thread->actor;
}

/* The number of the caller @actor of the policy: of a worker, or behind them of
 * a thread of the application. */
static inline unsigned orr_run_slot(const struct orr_run *run,
                                    const struct orr_actor *actor)
{
    return actor->index == ORR_NO_WORKER
               ? run->worker_count + ((const struct orr_thread *)actor)->number
               : actor->index;
}

/*
 * The thread that has control waits until @over: fires events, or other threads
 * get control meanwhile. Returns false if nothing can happen any more before.
 */
static inline bool orr_run_await(struct orr_run *run,
                                 bool (*over)(const struct orr_run *run))
{
    while (!over(run)) {
        if (!(G_UNLIKELY(run->app.main.next) ? orr_threads_step(run, over)
                                             : orr_run_step(run)))
            return false;
    }
    return true;
}

/* Awaits that the actor of the thread that has control has nothing left to do.
 */
bool orr_run_until_idle(struct orr_run *run);

/* Whether submissions are ignored: there is an error, or the run hangs. With a
 * lifted window they are not, to see whether the window is to blame: see
 * orr_window_await(). */
bool orr_run_ignores(const struct orr_run *run);

/* Whether the application may wait: not while jobs are collected, where it sets
 * run->error. */
bool orr_run_may_wait(struct orr_run *run);

/* The application's actor submits @job, while other actors run; or @job is
 * collected, to be submitted later: orr_application.collected. A job that is
 * not submitted, see orr_job_is_released(), is released. */
void orr_run_submit(struct orr_run *run, struct orr_job *job);

/* A task as this version of the library knows it, with the times and calls
 * that it borrows. */
struct orr_whole_spec {
    struct orr_task_spec spec;
    struct orr_task_times times;
    struct orr_task_calls calls;
};

/* Copies @spec, which may be of another version of the library. Fails, setting
 * run->error, if this version cannot use it. */
bool orr_run_read_spec(struct orr_run *run, const struct orr_task_spec *spec,
                       struct orr_whole_spec *whole);

/* A job as orr_task_submit() makes it of @spec, which was checked; it is not
 * submitted. NULL: no worker can run it. Free with orr_job_free(). */
struct orr_job *orr_run_imagine(struct orr_run *run,
                                const struct orr_task_spec *spec);

/* An orr_reduction_maker. */
struct orr_job *orr_run_new_reduction(struct orr_run *run,
                                      const struct orr_task_spec *spec);

/* Frees the policy before orr_run_free(), to report its errors: fails with
 * ORR_ERROR_POLICY. */
bool orr_run_end_policy(struct orr_run *run, GError **error);

/* Fills run->policy.host, the runtime's services to the policy (policy.c). */
void orr_run_host_policy(struct orr_run *run);

/* Whether the policy gets started and done of pinned tasks, which it did not
 * pop. */
bool orr_run_notifies_pinned(const struct orr_run *run);

/* Lets its answers to a policy with locks of workers take turns, in
 * lock-step. */
void orr_run_host_policy_in_turns(struct orr_run *run);

/* Adds the services for kernels with several implementations. */
void orr_run_host_implementations(struct orr_run *run);

#endif
