/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KERNELS_H
#define ORR_KERNELS_H

#include "models/energy/power.h"
#include "models/platform/platform.h"
#include "runtime/orrery.h"

/* The kernels of a run. */

/* Attributes that a task brings besides its kernel. */
struct orr_given {
    struct orr_kernel *kernel;
    struct orr_task_times times;
    bool timed;      /* @times are set */
    GBytes *workers; /* bit mask of the workers that may run the task, interned
                        in run->kernels.sets; NULL: all workers */
    GBytes *scratch; /* array of struct orr_data *, interned in
                        orr_kernels.sets; NULL: none */
    /* array of uint16_t: places of the accesses by ORR_REDUX among the declared
     * accesses, interned in orr_kernels.sets; NULL: none */
    GBytes *redux;
    GBytes *costs;    /* array of struct orr_cost by worker and implementation,
                         interned in orr_kernels.sets; NULL: none */
    bool reduces;     /* the runtime submits its tasks: reduction.c */
    bool synchronous; /* the kernel is, or the task blocks its driver */
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

struct orr_record; /* models/import/record.h */

/* All times that tasks of a run bring, ns: 126 years. The clock has 292. */
#define ORR_MAX_TOTAL_NS INT64_C(4000000000000000000)

/* The longest time of a kernel with costs, ns: 11 days. */
#define ORR_MAX_COST_NS INT64_C(1000000000000000)

struct orr_kernels {
    struct orr_kernel *first;
    struct orr_kernel *first_given; /* kernels with struct orr_given */
    GHashTable *by_given; /* finds them by their struct orr_given; NULL: none */
    GHashTable *by_durations; /* finds kernels of formulas; NULL: none */
    GHashTable *sets;         /* GBytes, owned; NULL: none */
    GPtrArray *models;        /* struct orr_platform_kernel, of kernels that the
                                 platform does not know, owned; NULL: none */

    int64_t brought_ns; /* sum of the longest times of tasks that bring some */

    /* What the configuration says of durations: orr_config. */
    struct orr_record *record; /* record to replay, or NULL */
    const char *const *where;  /* restrictions of kernels; owned */
    double perturb;
    bool perturb_by_device;
    double spread; /* -1: as measured */
};

#endif
