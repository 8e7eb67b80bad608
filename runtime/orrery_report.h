/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_REPORT_H
#define ORRERY_REPORT_H

#include <models/api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

ORR_BEGIN_DECLS

/*
 * The results of orr_run_report(). Included by orrery.h.
 *
 * Time is in nanoseconds of simulated time, energy in nanojoules, memory in
 * bytes. Texts and arrays are borrowed from the run. Later versions add members
 * at the ends of these structures; elements of arrays stay as they are.
 */

/* Where the times of a task come from, for reports. */
enum orr_times_source {
    ORR_TIMES_GIVEN,    /* the application says no more */
    ORR_TIMES_FLOPS,    /* flops of the task, and a speed */
    ORR_TIMES_RECORDED, /* a duration that was recorded elsewhere */
    ORR_TIMES_NONE,     /* for reports only: the task synchronises */
    ORR_TIMES_SOURCES
};

/* "given", "flops", "recorded", "none"; NULL: no such source. */
ORR_API const char *orr_times_source_name(enum orr_times_source source);

/* Statistics of one worker. */
struct orr_worker_report {
    const char *name; /* "CUDA0", "CPU3" */
    uint64_t tasks;
    int64_t busy_ns;            /* executing kernels */
    unsigned memory_node;       /* 0: host memory */
    uint64_t peak_memory_bytes; /* most that the runtime took of the memory of a
                                   GPU; 0 for CPUs */
};

/* Numbers of started tasks that do work, by the source of their duration. */
struct orr_sources {
    uint64_t mean;      /* the mean of the kernel */
    uint64_t histogram; /* a draw from a histogram of measurements */
    uint64_t lognormal; /* a draw from an assumed law: only mean and deviation
                           are known */
    uint64_t record;    /* the recorded duration of this task */
    uint64_t elsewhere; /* means of such tasks in the record, for tasks that ran
                           on another device than in the record */
};

struct orr_energy_item {
    const char *name; /* name of a kernel or GPU; "CPU", "links" or "machine" */
    int64_t nj;
};

/* Energy in nJ. Parts and devices add up exactly to the total, kernels to the
 * dynamic part. */
struct orr_energy_report {
    int64_t total_nj;
    int64_t dynamic_nj; /* energy of kernels */
    int64_t idle_nj; /* energy of idle devices, plus the option idle-power times
                        the makespan */
    int64_t static_nj, polling_nj, copies_nj;
    double peak_power_w; /* without copies */
    bool nominal;        /* some figures are not measured, but of the vendor */
    unsigned device_count;
    const struct orr_energy_item *devices; /* devices that took energy */
    unsigned kernel_count;
    const struct orr_energy_item *kernels;
};

/* Begins each struct orr_bounds_report. */
#define ORR_BOUNDS_REPORT_INIT ORR_SIZE_OF(struct orr_bounds_report)

/*
 * Lower bounds, which no schedule of some tasks on a machine goes below,
 * whatever its policy: see orr_run_bounds(). Times in s, energy in J. The
 * overhead of the runtime is left out, and so are copies, but for transfer_s.
 * INFINITY: no worker can run some task.
 */
struct orr_bounds_report {
    size_t size;            /* of this struct: ORR_BOUNDS_REPORT_INIT */
    double area_s;          /* all workers share all tasks, as fits best */
    double critical_path_s; /* longest path, each task where it is fastest */
    double mixed_s; /* bound by area and critical path together: some paths also
                       count in the area */
    double transfer_s; /* bound by the area and by the bytes that move over the
                          links */

    /* NAN unless the energy of runs is known (orr_report.energy). */
    double least_j; /* no schedule takes less, however slow it is */
    double area_j;  /* least with the least time that area and critical path
                       allow: a slower schedule may take less */
    double idle_j;  /* idle power, or static power if that is less, times the
                       critical path: the energy if tasks added nothing */
};

struct orr_report {
    const char *platform; /* its name */
    const char *sched;    /* name of the policy */
    /* file of the plug-in; NULL: the policy is built in */
    const char *sched_file;
    const char *evict; /* name of the eviction policy, if one was chosen or
                          the policy has its own; else NULL */
    unsigned cpus;
    unsigned gpus;
    uint64_t gpu_memory_bytes; /* usable, of each GPU; 0 without GPUs */
    uint64_t seed;
    unsigned change_count; /* changes of the platform: first changes for more
                              workers, then the changes of the configuration */
    const char *const *changes; /* "gpus=5", "pcie=2x" */
    const char *const *unused;  /* changes and settings without influence so
                                   far, and why: sentences, NULL-terminated */
    const char *models; /* every switch: "durations=mean,overheads=on,..." */
    bool modelled;      /* some duration on a device in use was not measured but
                           follows from flops (docs/MODELS.md) */
    bool assumed;       /* with durations=sampled: some kernel has no histogram
                           on a device in use, so its law is assumed */

    int64_t makespan_ns; /* first submission to the end of the last task,
                            including tasks that the runtime executes itself for
                            orr_data_wont_use(), which no trace shows */
    uint64_t tasks;
    uint64_t bytes_host_to_device;
    uint64_t bytes_device_to_host;
    uint64_t bytes_device_to_device;
    uint64_t copies;
    uint64_t copies_by_segment; /* copies that took the time of a segment of the
                                   platform, not of a route */
    uint64_t evictions;         /* copies dropped from a GPU to make room */
    uint64_t events;            /* simulated */
    uint64_t digest; /* hash of all tasks and copies so far, with the dates in a
                        trace at which they were submitted, started and ended */
    uint64_t order;  /* hash without dates: which task started where,
                        which copies were made, in order */
    struct orr_sources sources; /* sources of durations */
    /* Number of tasks submitted with times of their own, by source of the
       times. All other tasks use the times of their kernel. */
    uint64_t times_from[ORR_TIMES_SOURCES];
    uint64_t times_of_kernels; /* number of all other tasks */

    unsigned worker_count;
    const struct orr_worker_report *workers; /* GPUs first, then CPUs */

    const struct orr_energy_report *energy; /* borrowed; NULL: nothing is
                                               known of it */
};

/*
 * The members of a report by name, for programs in languages that do not know
 * these structures. A name is a path, as in C: "makespan_ns", "sources.mean",
 * "workers.0.busy_ns", "energy.devices.1.nj", "changes.0"; "times_from.flops"
 * has the name of a source. "workers", "changes", "unused", "energy.devices"
 * and "energy.kernels" are the numbers of elements of these arrays.
 */
enum orr_report_kind {
    ORR_REPORT_NONE,    /* there is no such member */
    ORR_REPORT_INTEGER, /* a number, a flag (0, 1), or a hash: its 64 bits */
    ORR_REPORT_NUMBER,
    ORR_REPORT_TEXT
};

/* The name of member @i, from 0, in which "#" stands for the number of an
 * element: "workers.#.busy_ns"; NULL past the last one. */
ORR_API const char *orr_report_name(unsigned i);

/* Kind and unit ("ns", "bytes", "nJ", "W"; "": none) of the member @name, with
 * any number of an element, or "#". The unit is NULL if there is no such
 * member. */
ORR_API enum orr_report_kind orr_report_kind(const char *name);
ORR_API const char *orr_report_unit(const char *name);

/*
 * Read a member of @report. They fail, with *@value untouched, if @name is no
 * member of this kind, or if @report does not have it: an element that is too
 * far, or energy that is not known. A text may be NULL even so.
 * orr_report_number() reads integers, too.
 */
ORR_API bool orr_report_integer(const struct orr_report *report,
                                const char *name, int64_t *value);
ORR_API bool orr_report_number(const struct orr_report *report,
                               const char *name, double *value);
ORR_API bool orr_report_text(const struct orr_report *report, const char *name,
                             const char **value);

ORR_END_DECLS

#endif
