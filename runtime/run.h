/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_H
#define ORR_RUN_H

#include "models/platform/switches.h"
#include "runtime/data/copy.h"
#include "runtime/data/memory.h"
#include "runtime/data/push_overlap.h"
#include "runtime/diagnosis/watchdog.h"
#include "runtime/digest.h"
#include "runtime/engine/actor.h"
#include "runtime/explore/footprint.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/progression.h"
#include "runtime/history.h"
#include "runtime/machine.h"
#include "runtime/trace.h"
#include "runtime/worker/executor.h"
#include "runtime/worker/stall_retry.h"
#include "sched/guard/guard.h"
#include "sched/policy/queueing.h"

/*
 * Everything that one run consists of. There is no other state: two runs live
 * side by side, in one thread or several.
 */

/* A kernel at one size, and what it takes on each device of the run. */
struct orr_kernel {
    struct orr_kernel *next;
    const struct orr_platform_kernel *model; /* borrowed from the platform */
    const char *task_name; /* of most of its tasks; NULL until there is one */
    unsigned tile;
    bool synchronous;
    enum orr_where where;
    uint32_t devices;                  /* that it ran on, a bit each */
    orr_time durations[ORR_MAX_NODES]; /* by device, as policies expect them;
                                          ORR_NEVER: cannot run */
    orr_time means[ORR_MAX_NODES];     /* what it takes, on average */
    double means_s[ORR_MAX_NODES];     /* the same, not rounded to ns */
    struct orr_variation *variations;  /* by device, or NULL: duration.h */
};

/* Where a datum is brought from, and the predicted ns that it takes. */
struct orr_source {
    orr_time time;
    uint8_t node;
    bool known;
};

/* With so many nodes at most it is remembered. */
#define ORR_SOURCES_NODES 9

struct orr_hang;      /* runtime/diagnosis/hang.h */
struct orr_recording; /* runtime/recording.h */

struct orr_run {
    struct orr_machine *own_machine; /* NULL: the run uses another's */
    const struct orr_platform *platform;
    const struct orr_changes *changes;    /* of it */
    struct orr_switches machine_switches; /* what the machine asks for */
    struct orr_switches switches;
    struct orr_platform_overheads overheads; /* zero when switched off */
    uint64_t seed;
    double perturb;
    double spread; /* -1: as measured */
    uint64_t window;
    const uint64_t *left_out;  /* tasks to come that are not submitted, */
    size_t left_out_count;     /* so many; see struct orr_config */
    uint64_t left_out_before;  /* and how many there were so far */
    struct orr_record *record; /* to replay, or NULL */

    struct orr_engine engine;
    struct orr_actor main; /* the application */
    struct orr_graph graph;
    struct orr_recording *recording; /* NULL: tasks are simulated */

    unsigned node_count; /* RAM and a memory for each GPU in use */
    uint32_t full_nodes; /* GPUs that have been full, a bit each */
    struct orr_memory *memories;
    struct orr_stall_retry stall_retry;
    uint64_t gpu_memory_bytes;
    struct orr_mutex driver_lock; /* held during a driver's memory call */

    unsigned gpu_count;
    unsigned worker_count; /* GPUs first, then CPUs */
    struct orr_worker **workers;
    bool skips_ram; /* GPU drivers leave the requests of RAM to others: only CPU
                       workers have some to handle */

    const struct orr_interleaving *interleaving;
    bool wakes_nobody; /* what the policy wakes is ignored: the push itself
                          looks for a worker to wake */
    struct orr_push_overlap push_overlap;
    struct orr_history history;
    struct orr_watchdog watchdog;

    struct orr_footprint_state footprint;

    struct orr_executor *executor;
    struct orr_copies copies;

    struct orr_plugin *plugin; /* that the policy is from; NULL: built in */
    struct orr_guard *guard;   /* of it, likewise */
    const struct orr_sched_ops *policy;
    const struct orr_queueing *queueing; /* of it; NULL: not known */
    struct orr_sched_host host;
    struct orr_sched *sched;
    struct orr_concurrency *concurrency; /* NULL: the policy has no locks */
    bool closing;                        /* the run is being freed */

    struct orr_pool requests;
    struct orr_pool chains;
    struct orr_pool callbacks;
    struct orr_pool data_pool;
    GPtrArray *data; /* in order of registration */
    struct orr_progression accessed[ORR_MAX_ACCESSES]; /* data, by tasks as
                                                          they come */
    uint64_t largest_bytes;                            /* of a datum */
    struct orr_kernel *kernels;

    /* Predictions for copies of one size, by [from * node_count + to]. */
    uint64_t predicted_bytes;
    orr_time *predictions;
    struct orr_source *sources; /* of data of that size, as far as known, by
                                   [to << node_count | valid nodes]; NULL with
                                   many nodes */

    struct orr_trace *trace; /* borrowed, or NULL */
    struct orr_digest digest;
    struct orr_report report;
    bool begun; /* something was submitted */

    /* What was asked for and happened at all, for usage.h. */
    bool memory_given;    /* in the configuration, and so are */
    bool cpus_given;      /* the CPU workers */
    bool asked_durations; /* by the policy, */
    bool asked_transfers; /* likewise */
    bool driver_freed;    /* memory of a GPU */
    bool window_closed;   /* and submission waited, */
    bool window_lifted;   /* for ever; what follows is an experiment */
    char **unused;        /* settings, a sentence each; owned */

    struct orr_worker_report *worker_reports;
    char *models;
    orr_time first_submission;
    orr_time last_completion;
    GError *error;         /* of a submission, told by orr_run_wait() */
    uint64_t awaited_tag;  /* by the application, or 0 */
    struct orr_hang *hang; /* why it cannot finish, once found: hang.h */
};

/* Predicted duration of a copy: see models/platform/bus.h. */
static inline orr_time orr_run_predict(const struct orr_run *run, unsigned from,
                                       unsigned to, uint64_t bytes)
{
    if (bytes == run->predicted_bytes)
        return run->predictions[from * run->node_count + to];
    return orr_bus_predict(run->platform, run->switches.belief, run->gpu_count,
                           from, to, bytes);
}

/* A driver is about to take another turn. Returns whether @run is in a
 * livelock, of which it has a hang to tell: the driver is not to go on. */
static inline bool orr_watchdog_turn(struct orr_run *run)
{
    return orr_watchdog_is_due(&run->watchdog) && orr_watchdog_look(run);
}

/* What the runtime uses of a card with @card_bytes. */
uint64_t orr_run_usable(uint64_t card_bytes);

/* Predicts copies of @bytes from a table from now on. */
void orr_run_expect_bytes(struct orr_run *run, uint64_t bytes);

/*
 * Something happened on @node: the workers that drive it take another turn.
 * "Wake" also counts as having been woken when somebody looks for a sleeping
 * worker (orr_sched_wake()); "signal" does not.
 */
static inline void orr_run_wake_node(struct orr_run *run, unsigned node)
{
    run->interleaving->wake_node(run, node);
}

static inline void orr_run_signal_node(struct orr_run *run, unsigned node)
{
    run->interleaving->signal_node(run, node);
}

/* Fires events until @actor has nothing left to do, or none is left. */
void orr_run_until_idle(struct orr_run *run, const struct orr_actor *actor);

/* Ends the policy, as orr_run_free() would, to hear of what goes wrong in that:
 * fails with ORR_ERROR_POLICY. */
bool orr_run_end_policy(struct orr_run *run, GError **error);

/* Fills run->host: what the policy may ask and have done (policy.c). */
void orr_run_host_policy(struct orr_run *run);

#endif
