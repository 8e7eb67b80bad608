/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RUN_CONFIG_H
#define ORR_RUN_CONFIG_H

#include "runtime/config/values.h"
#include "runtime/orrery.h"

/* What a run is made of: what orr_config_set() and its like have set. */

struct orr_decider;     /* runtime/engine/decision.h */
struct orr_mapping;     /* runtime/fixed_mapping.h */
struct orr_guard_watch; /* sched/guard/guard_watch.h */

#define ORR_DEFAULT_SCHED "dmda"
#define ORR_DEFAULT_PIPELINE 2

/* Texts and lists are borrowed, unless orr_config_set() made them. */
struct orr_config {
    const char *platform; /* name or file; required without machine */
    /* folders in which to look for a platform by name first, NULL-terminated;
     * then come the folders in the environment variable ORRERY_PLATFORMS,
     * separated by ':', then the library's own. NULL: none */
    const char *const *platform_folders;
    const char *sched;   /* name of a policy, or the file of a plug-in:
                            "./mine.so"; NULL: "dmda" */
    const char *buckets; /* of the policy heteroprio
                            (sched/policy/bucket_plan.h); NULL: learnt */
    const char *evict;   /* name of an eviction policy, or the file of a plug-in
                          (sched/evict.h); NULL: the eviction policy of the
                          scheduling policy if it has one, otherwise "lru" */
    struct orr_future *future;  /* borrowed until the run is freed, or NULL:
                                   eviction policies that need the future read
                                   it; runs under others record it */
    int cpus;                   /* CPU workers; -1: one for each core that
                                   drives no GPU */
    int gpus;                   /* GPU workers; -1: all. If the platform has
                                   fewer, its last GPU is repeated with its
                                   links */
    const char *const *changes; /* "PATH=VALUE", NULL-terminated: parameters of
                                   the platform to change, in order, e.g.
                                   "link.RAM-CUDA0.bandwidth=12GBps", "pcie=2x"
                                   (docs/PLATFORMS.md, "Machines that you do
                                   not own"); NULL: none */
    bool stale_calibration;     /* policies plan with the parameters of the
                                   unchanged platform */
    uint64_t gpu_memory_bytes;  /* usable, of each GPU: at least 1 MiB, in whole
                                   MiB; 0: 90 % of the card */
    uint64_t seed;              /* seed of every random draw */
    struct orr_perturbation perturb;
    struct orr_window window;
    int pipeline;       /* tasks that a GPU worker holds, at most
                           ORR_MAX_PIPELINE; 0: one, and it waits while the
                           kernel executes */
    const char *models; /* "name=value,...": see docs/MODELS.md; NULL: the
                     defaults of the platform */
    const char *record; /* file of recorded durations, for the model
                           durations=replayed; NULL: none */
    double spread;      /* with the model durations=sampled: standard deviation
                           of every kernel, relative to its mean, from 0 on;
                           -1: as measured */
    const uint64_t *left_out; /* tasks to skip: numbers in order of submission
                                 from 0, ascending, each once; borrowed until
                                 the run is freed; NULL: none */
    size_t left_out_count;
    const char *const *where; /* "KERNEL=CLASS": restricts the kernels of that
                                 name to a class of workers, "cpu" or "gpu", or
                                 lifts it, "any"; NULL-terminated; of several
                                 for one kernel, the last one counts; borrowed
                                 until the run is freed; NULL: none */
    const struct orr_machine *machine; /* borrowed: used instead of platform,
                                          changes and stale_calibration; NULL:
                                          the run reads its own */
    struct orr_trace *trace; /* receives each task and copy; borrowed until the
                                run is freed; NULL: none */

    /* Called now and then, in the thread of the run, with the number of tasks
       that are complete; it must not call functions of this run. If it returns
       false the run stops. NULL: not. */
    bool (*progress)(void *data, uint64_t tasks);
    void *progress_data;
    struct orr_decider *decider;   /* borrowed, or NULL: chooses among equals */
    struct orr_guard_watch *watch; /* borrowed, or NULL: ends calls of a plug-in
                                      that do not return */
    const struct orr_sched_ops *policy; /* borrowed: used instead of sched; or
                                           NULL */
    struct orr_mapping *mapping; /* borrowed, for one run at a time, or NULL:
                                    where each task runs, and in which order,
                                    instead of sched and policy */

    /*
     * An ideal network: copies take no time. What one memory has, all have at
     * once, so nothing is requested, allocated, copied or evicted, and policies
     * expect no time for it. GPUs have as much memory as is asked for: the
     * model memory is off. What else the runtime does takes its time as before.
     */
    bool instant_copies;

    /* Checks of the policy; a violation ends the run with an error. max_wait
       (ns; 0: no check): no task waits longer than this while a worker that
       could run it sleeps. check_priorities: no worker gets a task while the
       policy holds a more urgent one that it could run. */
    int64_t max_wait;
    bool check_priorities;

    bool polling; /* CPU workers without a kernel, and drivers of GPUs, draw
                     what the platform says of cores that poll */

    bool ignore_races; /* a data race does not end the run; for a concurrent
                          policy compiled to report its accesses to memory
                          (docs/DEBUGGING.md) */

    /*
     * Weights of the cost function of the dm family (dmda, dmdas, ...), as in
     * StarPU. The cost of a task on a worker, in us: alpha x its end + beta x
     * transfers + gamma x joules, + gamma x idle power x the time after all
     * planned work. All are 0 or more.
     */
    double alpha, beta;  /* 1 by default */
    double gamma;        /* us per joule; -1, the default: 1000 for joules of
                            orr_kernel_set_costs(), 0 for joules that follow from the
                            platform's watts */
    double idle_power_w; /* of the whole machine, in W, during the whole run; 0
                            by default, at most 1e6 */

    GStringChunk *texts; /* of orr_config_set(); owned; NULL: none */
    GHashTable *given; /* of the names that were set, in @texts, the value that
                          was set last; owned; NULL: none */
};

/* Sets all members to their defaults. */
void orr_config_init(struct orr_config *config);

/* Frees what parsers of options have allocated. */
void orr_config_clear(struct orr_config *config);

/* The options of a run: they set members of struct orr_config. */
extern const struct orr_option orr_config_kernels[1];
extern const struct orr_option orr_config_machine[10];
extern const struct orr_option orr_config_policy[1];
extern const struct orr_option orr_config_runtime[14];
extern const struct orr_option orr_config_checks[3];

#endif
