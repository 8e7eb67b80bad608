/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_H
#define ORR_RUN_H

#include "models/platform/switches.h"
#include "runtime/data/copy.h"
#include "runtime/data/memory.h"
#include "runtime/data/push_pop_overlap.h"
#include "runtime/decision_history.h"
#include "runtime/diagnosis/watchdog.h"
#include "runtime/digest.h"
#include "runtime/engine/actor.h"
#include "runtime/executor/energy.h"
#include "runtime/executor/executor.h"
#include "runtime/explore/footprint.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/progression.h"
#include "runtime/machine.h"
#include "runtime/orrery_trace.h"
#include "runtime/worker/stall_retry.h"
#include "runtime/worker/worker.h"
#include "sched/guard/policy_guard.h"
#include "sched/policy/queueing.h"

/* The whole state of one run; there is no other, so several runs can coexist,
 * in one thread or several. */

/* Attributes that a task brings besides its kernel. */
struct orr_given {
    struct orr_kernel *kernel;
    struct orr_task_times times;
    bool timed;      /* @times are set */
    GBytes *workers; /* bit mask of the workers that may run the task, interned
                        in run->sets; NULL: all workers */
    GBytes *scratch; /* array of struct orr_data *, interned in run->sets; NULL:
                        none */
    /* array of uint16_t: places of the accesses by ORR_REDUX among the declared
     * accesses, interned in run->sets; NULL: none */
    GBytes *redux;
    bool reduces; /* the runtime submits its tasks: reduction.c */
};

/*
 * A kernel at one size, with its durations on each device of the run. If @given
 * is set, only tasks with exactly these attributes use this object.
 */
struct orr_kernel {
    struct orr_kernel *next;
    uint32_t number; /* its number in the graph */
    const struct orr_run *run;
    const struct orr_platform_kernel *model; /* borrowed from the platform */
    const char *task_name; /* name of its first task; NULL: none yet */
    unsigned tile;
    bool synchronous;
    /* made by orr_kernel_variant(), not by orr_kernel_find() */
    bool is_variant;
    bool brings_times; /* made by orr_kernel_new(): without durations of its own
                        */
    enum orr_where where;
    unsigned only_worker; /* a worker of the only memory that can run it: see
                             orr_run_prefetches_for(); or ORR_NO_WORKER */
    uint32_t devices;     /* devices on which it ran, one bit each */
    /* attributes that its tasks bring; given.kernel NULL: none */
    struct orr_given given;
    unsigned pinned_to; /* the first worker of given.workers */

    /* Arrays by device of the run, in the same allocation as the kernel. */
    /* durations that policies expect; ORR_NEVER: cannot run */
    orr_time *durations;
    orr_time *by_worker; /* @durations by worker; then the same for tasks that
                            no GPU can run */
    orr_time *means;     /* means of the actual durations */
    double *means_s;     /* @means, not rounded to ns */
    /* variations of durations by device; owned, or NULL */
    struct orr_variation *variations;

    /* By worker, in the same allocation: factors of @durations, @means and
     * @variations; @by_worker includes them already. NULL: all are 1. */
    double *factors;

    /* Given costs; orr_job_cost() computes the index. */
    unsigned implementations; /* implementations on each worker; 0: no costs are
                                 given */
    double *joules;           /* owned; NULL: none given */
    orr_time *by_implementation; /* durations; then the same for tasks that no
                                    GPU can run; owned. @by_worker has the first
                                    implementation that each worker can run */
    double *expected_joules;     /* by worker: joules that policies see without
                                    given costs; owned; NULL: not asked for yet */
    orr_energy *spent; /* energy so far, by device; owned, or NULL: none */
    orr_power *adds;   /* power of a running kernel, by device; -1: it
                          follows from joules and the duration; in the
                          block of @spent */
};

/* Sources are cached on machines with at most this many nodes. */
#define ORR_SOURCES_NODES 9

/* By destination node: the node from which to copy a datum, and the predicted
 * ns; 0 ns on nodes where it is valid. */
struct orr_source_row {
    bool known;
    uint8_t nodes[ORR_SOURCES_NODES];
    orr_time times[(ORR_SOURCES_NODES + 3) / 4 * 4];
};

/* Data of at most this many sizes have tables of predictions. */
#define ORR_DATA_SIZES 8

/* Predicted copies of data of one size. */
struct orr_data_size {
    uint64_t bytes;
    orr_time *predictions;          /* predicted ns, [from * node_count + to] */
    struct orr_source_row *sources; /* filled on demand, by mask of the nodes
                                       where it is valid; NULL: many nodes */
};

/* Limits of a run: hours of computing, and tens of GB. */
#define ORR_MAX_TASKS 1e9
#define ORR_MAX_IN_FLIGHT 5e7
#define ORR_MAX_DATA 5e7

struct orr_mapping;     /* models/import/mapping.h */
struct orr_hang;        /* runtime/diagnosis/hang.h */
struct orr_recording;   /* runtime/recording.h */
struct orr_capture;     /* runtime/capture.h */
struct orr_victims;     /* runtime/data/victim.h */
struct orr_acquisition; /* runtime/application/acquire.h */
struct orr_job_ops;     /* runtime/worker/submit.h */

/* Host memory that is pinned for buffers of workers: scratch.c. */
struct orr_pinning {
    uint64_t left;  /* bytes free in pinned chunks */
    orr_time until; /* date until which pinning lasts */
    bool paid;      /* some memory was pinned */
};

struct orr_run {
    struct orr_run_energy energy;    /* first, as it is aligned to 16 bytes */
    struct orr_machine *own_machine; /* NULL: the machine is borrowed */
    const struct orr_platform *platform;
    const struct orr_changes *changes;    /* of the platform */
    struct orr_switches machine_switches; /* defaults of the platform */
    struct orr_switches switches;
    struct orr_platform_overheads overheads; /* zero when switched off */
    uint64_t seed;
    double perturb;
    double spread;         /* -1: as measured */
    uint64_t window_shuts; /* submission waits once this many tasks are in
                              flight; 0: never */
    uint64_t window_opens; /* submission resumes once no more than this are */
    /* numbers of later tasks that are skipped: orr_config */
    const uint64_t *left_out;
    size_t left_out_count;
    const char *const *where;  /* restrictions of kernels: orr_config */
    uint64_t left_out_before;  /* tasks skipped so far */
    struct orr_record *record; /* record to replay, or NULL */

    struct orr_engine engine;
    struct orr_actor main;             /* the application */
    struct orr_acquisition *acquiring; /* the acquisition for which the
                                          application waits, or NULL */
    GPtrArray *submitted_by_callback;  /* jobs submitted by the callback that is
                                          being called; NULL: none is */
    GHashTable *acquired; /* completed acquisitions by datum; NULL: none yet */
    struct orr_partitions *partitions; /* partitions by datum; NULL: none */
    /* Calls, on @actor, the end of a job that has brought its data to RAM, if
     * there is one; returns whether it calls. NULL: there are no such jobs. */
    bool (*end_gathering)(struct orr_actor *actor, struct orr_run *run);
    const struct orr_job_ops *const *job_ops; /* by enum orr_job_kind */
    struct orr_graph graph;
    struct orr_recording *recording; /* NULL: tasks are simulated */
    struct orr_capture *capture;     /* borrowed; NULL: tasks are simulated */

    unsigned node_count;       /* RAM and a memory for each GPU in use */
    uint32_t refused_nodes;    /* nodes where memories[].refused may be set, one
                                  bit each */
    uint32_t reclaiming_nodes; /* nodes where a driver is making room, one bit
                                  each */
    struct orr_memory *memories;
    /* by destination: nodes from which a copy needs no stop in RAM, one bit
     * each */
    uint32_t direct_nodes[ORR_MAX_NODES];
    struct orr_stall_retry stall_retry;
    struct orr_victims *victims; /* NULL: eviction is the runtime's own */
    uint64_t gpu_memory_bytes;
    struct orr_mutex driver_lock; /* held during a driver's memory call */

    unsigned gpu_count;
    unsigned worker_count; /* GPUs first, then CPUs */
    struct orr_worker **workers;

    const struct orr_interleaving *interleaving;
    struct orr_push_pop_overlap push_pop_overlap;
    struct orr_decision_history history;
    struct orr_watchdog watchdog;

    struct orr_footprint_state footprint;

    struct orr_executor *executor;
    struct orr_sched_weights weights;
    struct orr_copies copies;

    struct orr_plugin *plugin; /* plug-in of the policy; NULL: it is built in */
    /* guard of the policy's plug-in, or NULL */
    struct orr_policy_guard *policy_guard;
    struct orr_guard *guard; /* guard of its calls, or NULL */
    /* mapping of the policy "fixed" (fixed_mapping.h), or NULL */
    struct orr_mapping *mapping;
    struct orr_mapping *own_mapping; /* NULL: it is borrowed */
    /* uint64_t: with @mapping, numbers of the synchronising tasks so far,
     * ascending; NULL: none */
    GArray *unmapped_tasks;
    struct orr_guard *app_guard; /* guard of the call of a plug-in application
                                    that submits; or NULL */
    const struct orr_sched_ops *policy;
    /* how @policy queues tasks; NULL: not known */
    const struct orr_queueing *queueing;
    struct orr_sched_host host;
    struct orr_sched *sched;
    struct orr_concurrency *concurrency; /* NULL: the policy has no locks */
    struct orr_preemption *preemption;   /* NULL: there is no decider */
    /* NULL: nothing is to be checked */
    struct orr_policy_checks *policy_checks;

    struct orr_pool requests;
    struct orr_pool chains;
    struct orr_pool callbacks;
    struct orr_pool data_pool;
    struct orr_pool watchers, watchings, watches; /* see struct orr_data */
    GPtrArray *data;                              /* in order of registration */
    GHashTable *matrices; /* by name of a matrix: number of its first part */
    struct orr_progression accessed[ORR_FEW_ACCESSES]; /* predicts the data
                                                           of the next task */
    uint64_t largest_bytes; /* size of the largest datum */
    struct orr_kernel *kernels;
    struct orr_kernel *kernels_given; /* kernels with struct orr_given */
    GHashTable *given;   /* finds them by their struct orr_given; NULL: none */
    GHashTable *sets;    /* GBytes, owned; NULL: none */
    GHashTable *scratch; /* buffers of workers by datum (scratch.c); owned;
                            NULL: none */
    struct orr_pinning pinning;
    const struct orr_data *unregistering; /* the application waits until no task
                                             needs a buffer for it; or NULL */
    GHashTable *redux;     /* struct orr_redux by datum (worker/redux.h);
                              owned; NULL: no datum has a reduction */
    GPtrArray *own_models; /* struct orr_platform_kernel, of kernels that the
                          platform does not know, owned; NULL: none */

    /* By orr_data.size. Index 0 is for all sizes without tables. */
    struct orr_data_size sizes[ORR_DATA_SIZES + 1];
    unsigned size_count; /* number of sizes with tables */

    struct orr_trace *trace;     /* borrowed, or NULL */
    struct orr_parents *parents; /* NULL: the trace does not want them */
    struct orr_digest digest;
    struct orr_report report;
    bool perturb_by_device; /* orr_config */
    bool ignores_races;     /* data races do not end the run: orr_config */
    bool closing;           /* the run is being freed */
    bool ignore_wake_calls; /* wake-ups by the policy are ignored: the push
                               itself chooses a worker to wake */
    bool instant_copies;    /* every datum is valid on every node: orr_config */
    bool prefetches;        /* the runtime prefetches for the policy:
                               orr_run_prefetches_for() */
    bool places; /* the runtime asks the policy to place before each push */
    bool passes_locks; /* a push first waits for the locks of its data */
    bool pops_first;   /* other workers pop before a push wakes: see
                          orr_sched_ops.pushed */
    bool skips_ram; /* GPU drivers skip RAM: only CPU workers have requests of
                       RAM to handle */
    bool begun;     /* something was submitted */

    /* Facts for unused_settings.h. */
    bool memory_given;    /* the configuration sets gpu_memory_bytes */
    bool cpus_given;      /* the configuration sets cpus */
    bool asked_durations; /* the policy asked for durations of kernels */
    bool asked_transfers; /* the policy asked for durations of transfers */
    bool driver_freed;    /* a driver freed GPU memory */
    bool window_closed;   /* submission waited for the window */
    bool window_lifted;   /* the window never opened: see orr_window_await() */
    uint64_t window_held; /* tasks in flight when it was lifted */
    char **unused; /* settings without influence, a sentence each; owned */

    void (*progress)(void *data, uint64_t tasks); /* see struct orr_config */
    void *progress_data;

    struct orr_worker_report *worker_reports;
    char *models;
    orr_time first_submission;
    /* see struct orr_trace_ready; valid if it is traced */
    uint64_t ready_count;
    orr_time last_completion;
    GError *error; /* error of a submission, reported by orr_run_wait() */
    uint64_t awaited_tag;  /* tag for which the application waits, or 0 */
    struct orr_hang *hang; /* set once the run hangs: hang.h */
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
    return G_UNLIKELY(run->prefetches)
               ? orr_job_kernel(&run->graph, job)->only_worker
               : ORR_NO_WORKER;
}

/*
 * Whether an access of @mode is granted with its buffer. A task that only
 * writes gets it when it fetches: until then a prefetched buffer has no content
 * that could be evicted or copied. In the reference the prefetch grants it
 * (StarPU, _starpu_create_request_to_fetch_data()).
 */
static inline bool orr_request_grants(const struct orr_run *run, unsigned mode,
                                      enum orr_level level)
{
    return mode & ORR_R || level == ORR_FETCH ||
           orr_switches_quirks(&run->switches);
}

/* Whether data can be copied from node @from to node @to not via RAM. */
static inline bool orr_route_is_direct(const struct orr_run *run, unsigned from,
                                       unsigned to)
{
    return run->direct_nodes[to] & 1u << from;
}

/* The buffers of @data on @nodes, one bit each, may have become evictable, or
 * no longer hold the only valid copy: see eviction.h. */
static inline void orr_eviction_consider(struct orr_run *run,
                                         struct orr_data *data, uint32_t nodes)
{
    nodes &= data->passed | (data->allocated & run->refused_nodes);
    if (nodes && !orr_data_is_written(data))
        orr_eviction_reconsider(run, data, nodes);
}

/* The acting actor locks @data and unlocks them at once. */
static inline void orr_data_lock_briefly(struct orr_run *run,
                                         struct orr_data *data)
{
    if (orr_switches_quirks(&run->switches) && run->switches.overheads)
        orr_spinlock_lock_briefly(&data->lock, &run->engine);
}

/*
 * The number of tasks in flight, which the window limits, before the next task,
 * which already is a job, is admitted. The reference counts its internal tasks,
 * too, and each task until it has pushed its successors (StarPU, jobs.c:
 * _starpu_handle_job_termination()).
 */
static inline uint64_t orr_run_in_flight(const struct orr_run *run)
{
    return orr_switches_quirks(&run->switches)
               ? run->graph.live - 1
               : run->graph.submitted - run->graph.completed;
}

/* Lets the application check the condition for which it waits. */
static inline void orr_run_interrupt(struct orr_run *run)
{
    orr_actors_interrupt(&run->engine);
    if (G_UNLIKELY(run->interleaving->notify_window))
        run->interleaving->notify_window(run);
}

/* The number of the size @bytes, for orr_data.size; a new one gets tables. */
uint8_t orr_run_find_size(struct orr_run *run, uint64_t bytes);

/*
 * Both make the workers that drive @node take another turn. After
 * orr_run_wake_node(), but not after orr_run_signal_node(), they count as woken
 * when a policy looks for a sleeping worker (orr_sched_wake()).
 */
static inline void orr_run_wake_node(struct orr_run *run, unsigned node)
{
    if (G_UNLIKELY(run->engine.interleaving) || node == ORR_RAM) {
        run->interleaving->wake_node(run, node);
        return;
    }
    run->workers[node - 1]->woken = true;
    orr_actor_signal_plain(&run->workers[node - 1]->actor);
}

static inline void orr_run_signal_node(struct orr_run *run, unsigned node)
{
    if (G_UNLIKELY(run->engine.interleaving) || node == ORR_RAM)
        run->interleaving->signal_node(run, node);
    else
        orr_actor_signal_plain(&run->workers[node - 1]->actor);
}

/* A buffer has arrived for the task that @worker fetches. */
static inline void orr_run_buffer_arrived(struct orr_run *run,
                                          struct orr_worker *worker)
{
    worker->arrived = run->engine.now;
    if (G_UNLIKELY(run->engine.interleaving)) {
        run->interleaving->buffer_arrived(worker);
        return;
    }
    worker->buffers_arrived++;
    orr_run_signal_node(run, worker->device);
}

/* Builds @run, all zero, from @config. After a failure @run still has to be
 * torn down. */
bool orr_run_set_up(struct orr_run *run, const struct orr_config *config,
                    GError **error);

/* Frees everything that @run owns. */
void orr_run_tear_down(struct orr_run *run);

/* Fires an event. Returns false if there is none. */
bool orr_run_step(struct orr_run *run);

/* Fires events until @actor has nothing left to do, or none is left. */
void orr_run_until_idle(struct orr_run *run, const struct orr_actor *actor);

/* Whether submissions are ignored: there is an error, or the run hangs. With a
 * lifted window they are not, to see whether the window is to blame: see
 * orr_window_await(). */
bool orr_run_ignores(const struct orr_run *run);

/* Whether the application may wait: not in a callback, where it sets
 * run->error. */
bool orr_run_may_wait(struct orr_run *run);

/* The application's actor submits @job, while other actors run. In a callback,
 * @job is submitted afterwards by the actor that has called it. */
void orr_run_submit(struct orr_run *run, struct orr_job *job);

/* An orr_reduction_maker. */
struct orr_job *orr_run_new_reduction(struct orr_run *run,
                                      const struct orr_task_spec *spec);

/* Frees the policy before orr_run_free(), to report its errors: fails with
 * ORR_ERROR_POLICY. */
bool orr_run_end_policy(struct orr_run *run, GError **error);

/* Fills run->host, the runtime's services to the policy (policy.c). */
void orr_run_host_policy(struct orr_run *run);

/* Adds the services for kernels with several implementations. */
void orr_run_host_implementations(struct orr_run *run);

#endif
