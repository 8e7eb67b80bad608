/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_H
#define ORRERY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/*
 * liborrery: a task runtime on a simulated heterogeneous machine.
 *
 * An application registers data, submits tasks that access them and waits,
 * in straight-line C. The runtime infers the dependencies from the access
 * modes in the order of submission, and its real control logic (scheduling
 * policy, coherence, GPU memory, prefetch, eviction) decides what runs where;
 * only the kernels and the copies are simulated, on a virtual clock.
 *
 *     run = orr_run_new(&config, &error);
 *     gemm = orr_kernel_find(run, "cholesky", "gemm", ORR_SINGLE_PRECISION,
 *                            960, &error);
 *     a = orr_data_register(run, 960 * 960 * sizeof(float));
 *     orr_task_submit(run, &task);
 *     orr_run_wait(run, &error);
 *     puts(orr_run_report(run)->...);
 *     orr_run_free(run);
 *
 * Time is in nanoseconds of simulated time, memory in bytes. Objects belong
 * to their run and die with it. Functions that can fail for reasons outside
 * the program take a GError **; everything else is a precondition, checked by
 * assertions. Out of memory, GLib aborts. A run belongs to one thread; any
 * number of runs may coexist. The library neither prints nor exits.
 */

#if defined(__GNUC__)
#define ORR_API __attribute__((visibility("default")))
#else
#define ORR_API
#endif

struct orr_run;
struct orr_kernel;
struct orr_data;
struct orr_machine;
struct orr_trace;     /* known inside the project only */
struct orr_decider;   /* known inside the project only */
struct orr_sched_ops; /* sched/sched.h */

/* Choices for NULL and -1 are noted beside each member. */
struct orr_config {
    const char *platform;       /* name or file; required without machine */
    const char *sched;          /* name of a policy, or the file of one's own:
                                   "./mine.so"; NULL: "dmda" */
    int cpus;                   /* CPU workers; -1: the cores that GPUs leave */
    int gpus;                   /* GPU workers; -1: all. If there are less, the
                                   last one is repeated with its links */
    const char *const *changes; /* "PATH=VALUE", NULL-terminated: figures that
                                   differ from the platform's, in order, e.g.
                                   "link.RAM-CUDA0.bandwidth=12GBps", "pcie=2x"
                                   (docs/PLATFORMS.md, "Machines that you do
                                   not own"); NULL: none */
    bool stale_calibration;     /* policies plan with the platform's own
                                   figures whatever the changes */
    uint64_t gpu_memory_bytes;  /* of each GPU; 0: 90 % of the card's */
    uint64_t seed;              /* of every random draw */
    double perturb;             /* each kernel's duration, at each size on each
                                   device, times its own factor in 1 +- this;
                                   0 <= perturb < 1 */
    uint64_t window;    /* submission waits while this many tasks are not
                           complete; 0: never */
    const char *models; /* "name=value,...": see docs/MODELS.md; NULL: all
                           at the platform's defaults */
    const char *record; /* file of what tasks took, for the model
                           durations=replayed; NULL: none */
    double spread;      /* with the model durations=sampled: their deviation, in
                           proportion to the mean, of every kernel, instead of
                           what was measured; -1: what was measured */
    const uint64_t *left_out; /* numbers, ascending, of tasks that are not
                                 submitted although the application does so:
                                 from 0, in its order; borrowed until the run
                                 is freed; NULL: none */
    size_t left_out_count;
    const struct orr_machine *machine; /* borrowed: used instead of platform,
                                          changes and stale_calibration; NULL:
                                          the run reads one of its own */
    struct orr_trace *trace; /* borrowed, or NULL: told of each task and copy */
    struct orr_decider *decider; /* borrowed, or NULL: asked wherever something
                                    else would be as right */
    const struct orr_sched_ops *policy; /* borrowed: used instead of sched, or
                                           NULL */
};

/* All choices at their defaults, the platform NULL. */
ORR_API void orr_config_init(struct orr_config *config);

/*
 * Reads the machine that @config describes, for many runs: orr_config.machine.
 * They may be in several threads, and must ask for as many workers (cpus,
 * gpus) as @config. It must outlive them.
 *
 * Fails as orr_run_new(). Free with orr_machine_free(); NULL is allowed there.
 */
ORR_API struct orr_machine *orr_machine_new(const struct orr_config *config,
                                            GError **error);
ORR_API void orr_machine_free(struct orr_machine *machine);

/*
 * Starts a run. Copies what it needs of @config.
 *
 * Returns NULL with @error (domain "orr-error-quark"; the message names the
 * culprit) when the platform, the policy or a model switch is unknown or
 * wrong, when a change names no figure or makes no sense, or when there is no
 * GPU to repeat.
 */
ORR_API struct orr_run *orr_run_new(const struct orr_config *config,
                                    GError **error);

/* NULL is allowed. Tasks not yet complete are forgotten. */
ORR_API void orr_run_free(struct orr_run *run);

enum orr_kernel_precision { ORR_SINGLE_PRECISION, ORR_DOUBLE_PRECISION };

/*
 * A kernel of the run's platform at one size; owned by the run.
 *
 * @family: the application that it was calibrated in, e.g. "cholesky".
 * @name:   e.g. "gemm".
 * @tile:   rows and columns of the tiles that it works on.
 *
 * Fails with @error when the platform has no such kernel, or no duration of
 * it at this size on any worker of the run; the message lists what there is.
 */
ORR_API struct orr_kernel *orr_kernel_find(struct orr_run *run,
                                           const char *family, const char *name,
                                           enum orr_kernel_precision precision,
                                           unsigned tile, GError **error);

/*
 * A GPU kernel that is not asynchronous holds its driver until it ends:
 * nothing overlaps with it. In the reference these are the panel kernels
 * (potrf, getrf). Kernels are asynchronous unless said otherwise.
 */
ORR_API void orr_kernel_set_synchronous(struct orr_kernel *kernel);

/* The class of workers that may run a kernel. */
enum orr_where { ORR_WHERE_ANY, ORR_WHERE_CPU, ORR_WHERE_GPU };

/*
 * Restricts @kernel to one class of workers, or lifts that. To be called
 * before tasks of it are submitted.
 *
 * Fails with @error, changing nothing, when the run has no worker of that
 * class that can run it.
 */
ORR_API bool orr_kernel_set_where(struct orr_run *run,
                                  struct orr_kernel *kernel,
                                  enum orr_where where, GError **error);

/* Registers @bytes (> 0) of data whose only valid copy is in host memory. */
ORR_API struct orr_data *orr_data_register(struct orr_run *run, uint64_t bytes);

/*
 * Registers a block of a larger matrix in host memory: @count (> 0) columns of
 * @column_bytes (> 0) each, whose starts are @pitch_bytes (>= @column_bytes)
 * apart; rows, if the matrix is stored by rows. In the memories of GPUs the
 * block is contiguous, so copies from and to the host are 2D. What that costs,
 * the platform says (its segments; docs/MODELS.md); all else is as for
 * @column_bytes x @count bytes of contiguous data, which it is if there is
 * one column or nothing between them.
 */
ORR_API struct orr_data *orr_data_register_matrix(struct orr_run *run,
                                                  uint64_t column_bytes,
                                                  uint64_t count,
                                                  uint64_t pitch_bytes);

/*
 * Says that @data is tile (@row, @column) of a matrix. The simulation does not
 * depend on it; bounds of what has to be copied do.
 */
ORR_API void orr_data_set_coordinates(struct orr_data *data, unsigned row,
                                      unsigned column);

/*
 * Tells the runtime that tasks submitted so far are the last to use @data
 * for a while: it is written back to the host when the links are idle, and
 * evicted first.
 */
ORR_API void orr_data_wont_use(struct orr_run *run, struct orr_data *data);

/*
 * ORR_RW | ORR_COMMUTE, and with ORR_RW only: those that access a datum so, one
 * after the other in the order of submission, update it one at a time but in
 * any order. Whoever is ready first begins; of those that wait meanwhile, the
 * most urgent is next. A datum that a task lists twice commutes if it says so
 * each time.
 */
enum orr_access_mode { ORR_R = 1, ORR_W = 2, ORR_RW = 3, ORR_COMMUTE = 4 };

struct orr_access {
    struct orr_data *data;
    enum orr_access_mode mode;
};

#define ORR_MAX_ACCESSES 8

struct orr_task_spec {
    struct orr_kernel *kernel;
    const char *name; /* in traces; borrowed until the run is freed; NULL: the
                         kernel's */
    int priority;     /* larger is more urgent */
    unsigned count;   /* of accesses, <= ORR_MAX_ACCESSES */
    struct orr_access accesses[ORR_MAX_ACCESSES];

    /* Dependencies beside those that follow from the accesses. */
    uint64_t tag;              /* by which others wait for the task; 0: none */
    unsigned wait_count;       /* of: */
    const uint64_t *wait_tags; /* those of the tasks to wait for, which may be
                                  submitted later; borrowed for the call */
};

/*
 * Submits a task, at a simulated cost of 1 us. Dependencies follow from the
 * accesses: a read waits for the writes submitted before it, a write for the
 * reads and writes. A task that lists one datum twice reads and writes it
 * once.
 *
 * Two tasks with one tag are an error, which orr_run_wait() tells. A task that
 * waits for a tag that no task ever has, or for itself, never starts.
 */
ORR_API void orr_task_submit(struct orr_run *run,
                             const struct orr_task_spec *spec);

/*
 * The largest priority that the policy knows: applications keep theirs
 * between 0 and this, or choose freely if it is INT_MAX. It is 0 when the
 * policy does not order tasks by priority: the reference's examples then leave
 * all priorities at 0.
 */
ORR_API int orr_run_max_priority(const struct orr_run *run);

/*
 * Simulates until every task is complete. Fails with ORR_ERROR_STALLED when
 * nothing more can happen while tasks are left, with ORR_ERROR_LIVELOCKED when
 * something always happens but no task will ever end; the message says who
 * waits for whom.
 */
ORR_API bool orr_run_wait(struct orr_run *run, GError **error);

/*
 * Simulates until the task with this tag is complete; at once if it is. Fails
 * as orr_run_wait(), also if no task submitted so far has the tag; then nothing
 * more can be submitted, and orr_run_wait() fails likewise.
 */
ORR_API bool orr_run_wait_tag(struct orr_run *run, uint64_t tag,
                              GError **error);

/* What one worker did. */
struct orr_worker_report {
    const char *name; /* "CUDA0", "CPU3" */
    uint64_t tasks;
    int64_t busy_ns; /* executing kernels */
};

/* Of how many tasks that have started the kernel took what. */
struct orr_sources {
    uint64_t mean;      /* a mean, always the same */
    uint64_t histogram; /* a draw from a histogram of measurements */
    uint64_t lognormal; /* a draw from a law that is assumed: only mean and
                           deviation are known */
    uint64_t record;    /* what is recorded of that very task */
    uint64_t elsewhere; /* the mean of such tasks in the record: there it ran
                           on another device */
};

struct orr_report {
    const char *platform;   /* its name */
    const char *sched;      /* name of the policy */
    const char *sched_file; /* that it is from; NULL: it is built in */
    unsigned cpus;
    unsigned gpus;
    uint64_t gpu_memory_bytes; /* usable, of each GPU; 0 without GPUs */
    uint64_t seed;
    unsigned change_count; /* of the platform: the config's and, before them,
                              those that more workers than it has ask for */
    const char *const *changes; /* "gpus=5", "pcie=2x" */
    const char *const *unused;  /* which of those, and of the config's, had no
                                   influence so far, and why: sentences,
                                   NULL-terminated */
    const char *models; /* every switch: "durations=mean,overheads=on,..." */
    bool modelled;      /* some kernel's time on a device in use follows from
                           its flops (docs/MODELS.md), and was not measured */
    bool assumed;       /* with durations=sampled: some kernel has no histogram
                           on a device in use, so that its law is assumed */

    int64_t makespan_ns; /* first submission to the end of the last task */
    uint64_t tasks;
    uint64_t bytes_host_to_device;
    uint64_t bytes_device_to_host;
    uint64_t bytes_device_to_device;
    uint64_t copies;
    uint64_t copies_by_segment; /* of them, those that took what a segment of
                                   the platform says, not what a route does */
    uint64_t evictions;         /* copies dropped from a GPU to make room */
    uint64_t events;            /* that the simulator processed */
    uint64_t digest;            /* of all that a trace shows of tasks and copies
                                   so far; equal only in equal runs, but for
                                   one chance in 2^64 */
    uint64_t order;             /* the same without dates: which task started
                                   where, which copies were made, in order */
    struct orr_sources sources; /* of what kernels took */

    unsigned worker_count;
    const struct orr_worker_report *workers; /* GPUs first, then CPUs */
};

/* The state of affairs now; borrowed from @run until the next call. */
ORR_API const struct orr_report *orr_run_report(struct orr_run *run);

G_END_DECLS

#endif
