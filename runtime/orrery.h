/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_H
#define ORRERY_H

#include <glib.h>
#include <models/errors.h>
#include <orrery_bounds.h>
#include <orrery_data.h>
#include <orrery_decide.h>
#include <orrery_report.h>
#include <orrery_threads.h>
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
 *     config = orr_config_new();
 *     orr_config_set(config, "platform", "mirage", &error);
 *     run = orr_run_new(config, &error);
 *     gemm = orr_kernel_find(run, "cholesky", "gemm", ORR_SINGLE_PRECISION,
 *                            960, &error);
 *     a = orr_data_register(run, 960 * 960 * sizeof(float));
 *     orr_task_submit(run, &task);
 *     orr_run_wait(run, &error);
 *     puts(orr_run_report(run)->...);
 *     orr_run_free(run);
 *
 * Time is in nanoseconds of simulated time, memory in bytes. Objects belong
 * to their run and die with it. A run belongs to one thread; any number of
 * runs may coexist. The library neither prints nor exits.
 *
 * Wrong arguments are errors, with a message that names the argument or member.
 * A function that takes no GError **, such as orr_task_submit(), stores the
 * error in the run; the run keeps the first one, ignores later submissions, and
 * orr_run_wait(), orr_run_wait_tag() and orr_run_wait_task() fail with it. What
 * remains is up to the program: pointers to a run, a configuration or a
 * specification are not NULL unless noted, and objects that were freed are not
 * used. Out of memory, GLib aborts.
 */

struct orr_kernel;
struct orr_machine;
struct orr_config;    /* see orr_config_new() */
struct orr_trace;     /* orrery_trace.h */
struct orr_sched_ops; /* sched/sched.h */
struct orr_future;    /* see orr_future_new() */

/* The version of the library: "0.1.0". */
ORR_API const char *orr_version(void);

/*
 * What a run is made of: the machine, the policy, what the runtime does. New,
 * it has the defaults of `orrery run`, but no platform, which is required
 * without a machine. It may be changed and used for further runs, and freed
 * before them. Free with orr_config_free(), which allows NULL.
 */
ORR_API struct orr_config *orr_config_new(void);
ORR_API void orr_config_free(struct orr_config *config);

/*
 * Sets option @name to @value: one that decides what a run does, as in the
 * manual page of `orrery run`, without dashes ("gpus", "4"; "set", "pcie=2x").
 * A flag has NULL or "" for its value. If an option is set twice the last value
 * counts, but "set", "pcie", "nvlink", "power-cap", "pstate", "model" and
 * "where" add to earlier values. The texts are copied.
 *
 * Fails with ORR_ERROR_VALUE or ORR_ERROR_UNKNOWN, changing nothing, when there
 * is no such option, or @value is none of it; whether a platform or policy
 * exists and values fit together is checked by orr_run_new().
 */
ORR_API bool orr_config_set(struct orr_config *config, const char *name,
                            const char *value, GError **error);

/* The value that option @name was set to last, "" for a flag; NULL: it was not
 * set, or there is no such option. Borrowed until it is set again. */
ORR_API const char *orr_config_get(const struct orr_config *config,
                                   const char *name);

/* The name of option @i, from 0, in the order of the manual page; NULL past the
 * last one. */
ORR_API const char *orr_config_name(unsigned i);

/*
 * The names of platforms, values of the option platform, that orr_run_new()
 * finds with @config: sorted, each once, NULL-terminated. Free with
 * g_strfreev().
 */
ORR_API char **orr_config_platforms(const struct orr_config *config);

/* The name of a policy of the library, a value of the option sched, and of an
 * eviction policy, a value of the option evict: number @i, from 0, in
 * alphabetical order; NULL past the last one. */
ORR_API const char *orr_sched_name(unsigned i);
ORR_API const char *orr_evict_name(unsigned i);

/* What is no text. Each replaces what was set before; NULL sets nothing. */

/* Folders in which to look for a platform by name first, NULL-terminated,
 * copied; then come the folders in the environment variable ORRERY_PLATFORMS,
 * separated by
 * ':', then the library's own. */
ORR_API void orr_config_set_platform_folders(struct orr_config *config,
                                             const char *const *folders);

/* Instead of the options platform, set and its like, and stale-calibration.
 * Borrowed until the last run with it is freed, as are the following. */
ORR_API void orr_config_set_machine(struct orr_config *config,
                                    const struct orr_machine *machine);

/* A policy instead of the option sched. */
ORR_API void orr_config_set_policy(struct orr_config *config,
                                   const struct orr_sched_ops *policy);

/* Eviction policies that need the future read it; runs under others record it.
 */
ORR_API void orr_config_set_future(struct orr_config *config,
                                   struct orr_future *future);

/* Receives each task and copy. Runs read its members when they start, and pass
 * it to its functions. */
ORR_API void orr_config_set_trace(struct orr_config *config,
                                  struct orr_trace *trace);

/*
 * Has @progress called now and then, in the thread of the run, with @data and
 * the number of tasks that are complete. It must not call functions of the run.
 * If it returns false the run stops: orr_run_wait() and its like fail with
 * ORR_ERROR_STOPPED, submissions are ignored, and nothing more is simulated.
 */
ORR_API void orr_config_set_progress(struct orr_config *config,
                                     bool (*progress)(void *data,
                                                      uint64_t tasks),
                                     void *data);

/* Tasks to skip: @count numbers in order of submission from 0, ascending, each
 * once; copied. */
ORR_API void orr_config_set_left_out(struct orr_config *config,
                                     const uint64_t *tasks, size_t count);

/*
 * With the model durations=sampled, the standard deviation of every kernel is
 * @spread times its mean, from 0 on; -1: as measured, as for a new
 * configuration. orr_run_new() fails with another number.
 */
ORR_API void orr_config_set_spread(struct orr_config *config, double spread);

/*
 * An ideal network: copies take no time. What one memory has, all have at once,
 * so nothing is requested, allocated, copied or evicted, and policies expect no
 * time for it. GPUs have as much memory as is asked for: the model memory is
 * off. What else the runtime does takes its time as before.
 */
ORR_API void orr_config_set_instant_copies(struct orr_config *config,
                                           bool instant);

/*
 * Reads the machine that @config describes, for several runs, in one thread or
 * several: orr_config_set_machine(). They must ask for the same numbers of
 * workers (cpus, gpus) as @config, or for fewer. The machine must outlive them.
 *
 * Fails as orr_run_new(); a machine in @config is ignored. Free with
 * orr_machine_free(), which allows NULL.
 */
ORR_API struct orr_machine *orr_machine_new(const struct orr_config *config,
                                            GError **error);
ORR_API void orr_machine_free(struct orr_machine *machine);

/*
 * Starts a run. Copies the parts of @config that it needs.
 *
 * Returns NULL with @error (ORR_ERROR; the message names the culprit) when
 * values of @config do not fit together, when the platform, the policy or a
 * model switch is unknown or wrong, when a change names no parameter or makes
 * no sense, or when there is no GPU to repeat.
 */
ORR_API struct orr_run *orr_run_new(const struct orr_config *config,
                                    GError **error);

/* NULL is allowed. Tasks not yet complete are forgotten. */
ORR_API void orr_run_free(struct orr_run *run);

/*
 * Returns a copy of @text that lives as long as @run; equal texts have one copy
 * together. NULL for NULL. For names of tasks, which are borrowed since most
 * programs have them anyway; all other texts are copied where they are given.
 */
ORR_API const char *orr_run_keep_text(struct orr_run *run, const char *text);

enum orr_kernel_precision { ORR_SINGLE_PRECISION, ORR_DOUBLE_PRECISION };

/*
 * A kernel of the run's platform at one size; owned by the run.
 *
 * @family: the application in which it was calibrated, e.g. "cholesky".
 * @name:   e.g. "gemm".
 * @tile:   rows and columns of its tiles.
 *
 * Fails with @error when the platform has no such kernel, or no duration of
 * it at this size on any worker of the run; the message lists the known ones.
 * Also when a name is NULL, @precision is unknown or @tile is 0.
 */
ORR_API struct orr_kernel *orr_kernel_find(struct orr_run *run,
                                           const char *family, const char *name,
                                           enum orr_kernel_precision precision,
                                           unsigned tile, GError **error);

/*
 * orr_kernel_find() for a kernel that is identified by the sizes of its
 * operands, as in task graphs of programs.
 *
 * @symbol: its name in StarPU or Chameleon ("chol_model_gemm", "dgemm"),
 *          "FAMILY/NAME", or "FAMILY/NAME/single", "FAMILY/NAME/double".
 * @bytes:  sizes of the @count operands, in order: three times 3686400 for
 *          "cholesky/gemm" at tile 960 in single precision.
 *
 * Fails with @error when no kernel of this name has such operands, or when such
 * kernels are not measured on any worker of the run; also when @symbol is NULL,
 * or @bytes is NULL and @count is not 0.
 */
ORR_API struct orr_kernel *
orr_kernel_find_sizes(struct orr_run *run, const char *symbol,
                      const uint64_t *bytes, unsigned count, GError **error);

/*
 * orr_kernel_find() for a kernel that is identified as StarPU does it, for
 * operands of any shape: vectors, too, and matrices that are no squares.
 *
 * @symbol:    its name in StarPU or Chameleon ("chol_model_gemm", "my_spmv").
 * @footprint: StarPU's hash of the operands of a task
 *             (starpu_task_data_footprint()), which begins the lines of the
 *             files of StarPU's performance models.
 *
 * Fails with @error when the platform has no such entry, or none on a worker of
 * the run; also when @symbol is NULL. Kernels of a platform file are found with
 * inner blocks of any size, as the file does not contain it.
 */
ORR_API struct orr_kernel *orr_kernel_find_footprint(struct orr_run *run,
                                                     const char *symbol,
                                                     uint32_t footprint,
                                                     GError **error);

/*
 * Formulas that StarPU fits to its measurements of a kernel on each device. One
 * is used if there are at least 10 measurements, of sizes that differ by more
 * than 10 %, for sizes up to 10 % below and above these.
 */
enum orr_formula {
    ORR_FORMULA_POWER,  /* alpha * bytes^beta: STARPU_REGRESSION_BASED */
    ORR_FORMULA_OFFSET, /* a * bytes^b + c: STARPU_NL_REGRESSION_BASED. Where it
                           is not used, the mean of the footprint is, if it has
                           at least 10 measurements */
};

/*
 * orr_kernel_find() for a kernel of which a formula gives the times, in a
 * folder of StarPU (platform "starpu:FOLDER:HOST"); platform files have no
 * formulas. GPUs beyond the ones that were measured have the formulas of the
 * last. It has the name @symbol, and is the same kernel for the same times.
 *
 * @symbol:    its name in StarPU.
 * @footprint: StarPU's hash of the operands of a task.
 * @bytes:     the size of a task: of all its operands, or as the size_base
 *             function of its model says.
 *
 * Fails with @error when there is no time on a worker of the run; the message
 * has the sizes that were measured. Also when @symbol is NULL, or @formula is
 * none.
 */
ORR_API struct orr_kernel *
orr_kernel_find_size(struct orr_run *run, const char *symbol,
                     uint32_t footprint, uint64_t bytes,
                     enum orr_formula formula, GError **error);

/*
 * orr_kernel_find_size() for STARPU_MULTIPLE_REGRESSION_BASED: a task takes the
 * first coefficient of @symbol on a device, plus each other one times a term of
 * the task, at least 0.01 ns. @terms are @count numbers: for each combination
 * of the model, the product of the parameters of the task with its exponents.
 *
 * Fails with @error when no device of the run has @count + 1 coefficients; also
 * when @symbol is NULL, or @terms is NULL and @count is not 0.
 */
ORR_API struct orr_kernel *
orr_kernel_find_terms(struct orr_run *run, const char *symbol,
                      uint32_t footprint, const double *terms, unsigned count,
                      GError **error);

/*
 * A kernel that the platform need not know: each of its tasks brings its times
 * (orr_task_spec). @name, as traces show it, is copied. Fails with @error when
 * the name is NULL or empty. Two kernels may have one name.
 */
ORR_API struct orr_kernel *orr_kernel_new(struct orr_run *run, const char *name,
                                          GError **error);

/* An element of arrays, so it has no size, and stays as it is. */
struct orr_cost {
    int64_t ns;    /* 0: the worker cannot run it; at most 1e15 of a kernel */
    double joules; /* joules added to the consumption of the machine without the
                      task: 0 to 1e9 */
};
/*
 * Has tasks of @kernel, of orr_kernel_new(), take the time and the energy that
 * @cost says of each worker. It is called once for each worker of the run, GPUs
 * first, with @data and zeroed costs; policies plan with these. Tasks need no
 * times then. They are not drawn at random. The option perturb multiplies times
 * and energies. All CPU workers can run the kernel, or none. To be called once,
 * before the kernel has tasks.
 *
 * Fails with @error, which names the kernel, when a cost is not as above, no
 * worker can run the kernel, it has costs already, or the platform has them.
 */
ORR_API bool orr_kernel_set_costs(
    struct orr_run *run, struct orr_kernel *kernel,
    void (*cost)(const void *data, unsigned worker, struct orr_cost *cost),
    const void *data, GError **error);

#ifndef ORR_MAX_IMPLEMENTATIONS
/* The most implementations of a kernel, on each worker. */
#define ORR_MAX_IMPLEMENTATIONS 4
#endif

/*
 * orr_kernel_set_costs() for a kernel that has @count implementations on each
 * worker, 1 to ORR_MAX_IMPLEMENTATIONS (StarPU: a codelet with several
 * cpu_funcs): @cost is called for each worker and each @implementation, from 0.
 * A worker need not be able to run all of them. The dm family and modular-heft
 * choose worker and implementation together. Under all other policies, a worker
 * uses the first implementation that it can run.
 *
 * Fails as orr_kernel_set_costs(), and if @count is not as above.
 */
ORR_API bool orr_kernel_set_implementations(
    struct orr_run *run, struct orr_kernel *kernel, unsigned count,
    void (*cost)(const void *data, unsigned worker, unsigned implementation,
                 struct orr_cost *cost),
    const void *data, GError **error);

/*
 * Makes @kernel synchronous: on a GPU it blocks its driver until it ends, so
 * nothing overlaps with it. In the reference these are the panel kernels
 * (potrf, getrf). Kernels are asynchronous by default. NULL is ignored.
 */
ORR_API void orr_kernel_set_synchronous(struct orr_kernel *kernel);

/* The class of workers that may run a kernel. */
enum orr_where { ORR_WHERE_ANY, ORR_WHERE_CPU, ORR_WHERE_GPU };

/* "any", "cpu", "gpu"; NULL: no such class. */
ORR_API const char *orr_where_name(enum orr_where where);

/*
 * Restricts @kernel to one class of workers, or lifts the restriction. To be
 * called before its tasks are submitted, or when all tasks are complete.
 *
 * Fails with @error, changing nothing, when the run has no worker of that
 * class that can run it, when tasks of @kernel may not be complete, when @where
 * is unknown, or when @kernel is NULL or of another run.
 */
ORR_API bool orr_kernel_set_where(struct orr_run *run,
                                  struct orr_kernel *kernel,
                                  enum orr_where where, GError **error);

/* How many coordinates a task may have, and how large they may be. */
#define ORR_MAX_COORDINATES 3
#define ORR_MAX_COORDINATE 1048575

/* How many buffers of its own a task may use. */
#define ORR_MAX_SCRATCH 16

/* Begins each struct orr_task_times. */
#define ORR_TASK_TIMES_INIT ORR_SIZE_OF(struct orr_task_times)

/*
 * How long a task takes on each class of workers, ns; 0: it cannot run there.
 * It is what policies expect, too. The option perturb applies to it.
 */
struct orr_task_times {
    size_t size; /* of this struct: ORR_TASK_TIMES_INIT */
    int64_t cpu_ns;
    int64_t gpu_ns;
    enum orr_times_source source;
};

/* Begins each struct orr_task_calls. */
#define ORR_TASK_CALLS_INIT ORR_SIZE_OF(struct orr_task_calls)

/*
 * Functions that are called while a task is on its way, by the rules of
 * orr_task_spec.callback: they may register data and submit tasks, which takes
 * the time of the actor that calls; they may not wait.
 */
struct orr_task_calls {
    size_t size; /* of this struct: ORR_TASK_CALLS_INIT */
    /* The task is ready: it awaits no other task, and has its data. It is
     * called 1 us later, before the policy gets the task (StarPU's
     * prologue_callback_func). */
    struct orr_call prologue;
    /* A worker has taken the task, and has not asked for its data yet
     * (prologue_callback_pop_func). A task that synchronises is taken when it
     * is ready. */
    struct orr_call prologue_pop;
    /* The task has run, and its end dependencies are over; its successors do
     * not know it yet (epilogue_callback_func). */
    struct orr_call epilogue;
    /* A driver starts the task: the function is its kernel, and may say how
     * long that takes, by orr_kernel_takes(); otherwise it takes its usual
     * time. Meanwhile a GPU runs no other task (StarPU over SimGrid,
     * STARPU_CODELET_SIMGRID_EXECUTE). Not for a task that synchronises. */
    struct orr_call kernel;
};

/* Whether the next step of the application depends on a task. */
enum orr_critical { ORR_CRITICAL_UNKNOWN, ORR_NOT_CRITICAL, ORR_CRITICAL };

/* Begins each struct orr_task_spec: {ORR_TASK_SPEC_INIT, .kernel = gemm}. */
#define ORR_TASK_SPEC_INIT ORR_SIZE_OF(struct orr_task_spec)

/* What a task is. */
struct orr_task_spec {
    size_t size; /* of this struct: ORR_TASK_SPEC_INIT */
    struct orr_kernel *kernel;
    /* borrowed for the call; NULL: the times of the kernel */
    const struct orr_task_times *times;
    const char
        *name;    /* name in traces; borrowed until the run is freed: see
                     orr_run_keep_text(); NULL or empty: the kernel's name */
    int priority; /* larger is more urgent; clamped to the range of the policy,
                     0 to orr_run_max_priority(), unless that is INT_MAX */
    unsigned count; /* number of @accesses, <= ORR_MAX_ACCESSES */
    const struct orr_access *accesses; /* borrowed for the call */

    /* Explicit dependencies. */
    uint64_t tag; /* tag of the task, for which others can wait; 0: none */
    unsigned wait_count;       /* number of wait_tags */
    const uint64_t *wait_tags; /* tags of tasks to wait for, which may be
                                  submitted later; borrowed for the call */

    enum orr_critical critical; /* if it is known, and the policy limits
                                   priorities (orr_run_max_priority()):
                                   @priority is the highest one or 0 instead, as
                                   in StarPU's examples */

    bool unordered; /* its accesses imply no dependencies: see
                       orr_data_set_unordered() (StarPU's
                       sequential_consistency = 0) */

    /* The workers that may run the task, as far as they can: numbers from 0,
     * GPUs first (StarPU's workerids). If its costs or the costs of its kernel
     * are given (orr_kernel_set_costs()), the costs on all other workers are
     * ignored for this task. */
    unsigned worker_count;   /* 0: all */
    const unsigned *workers; /* borrowed for the call */
    bool pinned; /* to the one worker that is named: the task is pushed to a
                    queue of that worker, past the policy, and its data are
                    prefetched (StarPU's execute_on_a_specific_worker) */

    /* Data of which the task needs only the room: each worker has a buffer of
     * its own for each, which keeps no content (StarPU's STARPU_SCRATCH). They
     * imply no dependencies and are not copied. In StarPU they count in the
     * size and the footprint of the task, from which its time follows. */
    unsigned scratch_count;          /* <= ORR_MAX_SCRATCH; 0: none */
    struct orr_data *const *scratch; /* borrowed for the call */

    bool synchronises; /* the task does no work, and only orders others by its
                          accesses and tags: @kernel and @times are NULL. It
                          ends on no worker when it is ready, copies no data,
                          and traces do not show it */

    /* Called with @run and @callback_data when the task has ended and its
     * successors are ready (StarPU's callback_func); or NULL. The callback may
     * register data and submit tasks, including tasks with callbacks. The
     * worker submits them when the callback has returned, 1 us each;
     * the option window does not apply. It may not wait, but release
     * data, and acquire them and drop their content by the functions of
     * orrery_data.h that do not wait. It is not called for tasks that are left
     * out, nor when tasks are not simulated, as for bounds. */
    void (*callback)(struct orr_run *run, void *data);
    void *callback_data;

    /* Where the task is in the loops of the application, for traces and
     * diagnoses: gemm(5,2,1). They are kept only if there are some. */
    unsigned coordinate_count; /* <= ORR_MAX_COORDINATES; 0: none */
    unsigned coordinates[ORR_MAX_COORDINATES]; /* <= ORR_MAX_COORDINATE each */

    /* What the task takes on each worker by each implementation, instead of
     * times: costs[w * implementations + i] on worker w by implementation i,
     * for all workers (orr_run_workers()), under the rules of
     * orr_kernel_set_implementations(). For kernels of orr_kernel_new(), which
     * may have costs for tasks that bring none. */
    const struct orr_cost *costs; /* borrowed for the call */
    unsigned implementations;     /* 1 to ORR_MAX_IMPLEMENTATIONS; 0: none */

    bool blocks_driver; /* on a GPU, the task blocks its driver until it ends,
                           as if its kernel were synchronous
                           (orr_kernel_set_synchronous()). StarPU's
                           task->synchronous blocks the application instead:
                           that is orr_run_wait_tag() here */

    /* End dependencies: for all that wait for the task, it ends when its kernel
     * has run, the tasks with these tags have ended
     * (starpu_task_declare_end_deps_array()), and orr_task_release_end() has
     * been called @end_releases times (starpu_task_end_dep_add()). Its data are
     * released before, its callback comes after that. Where tasks are not
     * simulated, as for bounds, releases are not awaited. */
    const uint64_t *end_tags; /* tags of tasks, which may be submitted later;
                                 borrowed for the call */
    unsigned end_count;       /* number of end_tags */
    unsigned end_releases;    /* 0: none */

    const struct orr_task_calls *calls; /* more functions to call; borrowed for
                                           the call; NULL: none */

    bool regenerated; /* the callback of an equal task submits it, as StarPU
                         does where task->regenerate is set: the submission
                         takes no time, but to push it 1 us. For callbacks
                         alone. It is @unordered, or accesses no data */
};

/*
 * Submits a task, at a simulated cost of 1 us, and 1 us more if it is ready.
 * Dependencies follow from the accesses: a read waits for the writes submitted
 * before it, a write for the reads and writes. A task that lists one datum
 * twice reads and writes it once.
 *
 * Errors, which orr_run_wait() reports: a size, of @spec or of its times, that
 * is not set, or members behind it that are not known and not 0; times below 0,
 * or none on the workers of this run, or more than 4e18 ns in all tasks
 * together; no times for a kernel of orr_kernel_new(); costs against the rules
 * of orr_kernel_set_implementations(), with times, or for a kernel of the
 * platform; two tasks with one tag, a task that waits or has an end dependency
 * for tag 0, a kernel or datum that is NULL or of another run, a kernel, times,
 * costs or workers of a task that synchronises, workers that do not exist or of
 * which none can run it, not one of a task that is pinned, a mode that is none
 * of ORR_R, ORR_W, ORR_RW, ORR_RW | ORR_COMMUTE and ORR_REDUX, ORR_REDUX
 * against the rules of orr_data_set_reduction(), more than ORR_MAX_ACCESSES
 * accesses, or NULL for some. A task that waits for a tag that no task ever
 * has, or for itself, never starts.
 *
 * Returns the number of the task: tasks are numbered from 0 in the order of
 * their submission, including tasks that are left out
 * (orr_config_set_left_out()), and tasks that callbacks and reductions submit.
 * UINT64_MAX: the submission is ignored.
 */
ORR_API uint64_t orr_task_submit(struct orr_run *run,
                                 const struct orr_task_spec *spec);

/* Submits @count tasks, in order, from the array @specs. All of them have the
 * size of the first one. */
ORR_API void orr_tasks_submit(struct orr_run *run,
                              const struct orr_task_spec *specs, size_t count);

/*
 * What policies expect of a task that is as @spec says, at this moment; nothing
 * is submitted, and no time passes. The members of @spec are borrowed for the
 * call, its name, too.
 *
 * The first function returns the duration of its kernel on @worker by
 * @implementation, from 0, in ns; -1: the worker cannot run it so, or there is
 * no such worker (StarPU's starpu_task_expected_length()). The second one
 * returns the sum of the times, in ns, to copy the data that the task reads to
 * the memory @node, 0 for RAM, g + 1 for GPU g, where they are neither valid
 * there nor on their way (starpu_task_expected_data_transfer_time()); -1: no
 * worker of @run can run the task.
 *
 * A wrong @spec or @node is an error as in orr_task_submit() and
 * orr_data_prefetch(), which orr_run_wait() reports. After an error the result
 * is -1, and also if the tasks of @run are not simulated, but saved to a file.
 */
ORR_API int64_t orr_task_expected_ns(struct orr_run *run,
                                     const struct orr_task_spec *spec,
                                     unsigned worker, unsigned implementation);
ORR_API int64_t orr_task_expected_transfer_ns(struct orr_run *run,
                                              const struct orr_task_spec *spec,
                                              unsigned node);

/*
 * How long @flops operations of @precision take on @worker, in ns, at the speed
 * that a kernel of so many has on the machine: the kernel "any" of its file, or
 * else GEMM (PLATFORMS.md, <flops>). 0: the machine has no such speed, or there
 * is no such worker, or it is longer than 1e15.
 */
ORR_API int64_t orr_run_flops_ns(const struct orr_run *run, unsigned worker,
                                 enum orr_kernel_precision precision,
                                 double flops);

/*
 * Releases one of the end dependencies of the task of this number that the
 * program releases itself, orr_task_spec.end_releases
 * (starpu_task_end_dep_release()). It takes no time. Callbacks may call it. To
 * find the task takes time for each task in flight. Nothing happens for a task
 * that is left out, nor where tasks are not simulated. If the task has no
 * dependency left that is to be released so, orr_run_wait() fails.
 */
ORR_API void orr_task_release_end(struct orr_run *run, uint64_t task);

/*
 * In orr_task_calls.kernel: the kernel takes @ns, 0 or more, whatever policies
 * expect. An error, which orr_run_wait() reports, in any other place, or if @ns
 * is below 0.
 */
ORR_API void orr_kernel_takes(struct orr_run *run, int64_t ns);

/*
 * The application notifies a tag that no task has: what waits for it, now or
 * later, continues as if its task had ended (starpu_tag_notify_from_apps()). It
 * takes no time, but to push tasks that become ready takes 1 us each. Callbacks
 * may call it. The second function makes the tag a new one, which another task
 * may have, and for which tasks can wait until that has ended, or it is
 * notified (starpu_tag_restart(), starpu_tag_remove()); tasks that wait for the
 * tag still wait.
 *
 * Errors, which orr_run_wait() reports: @tag is 0, or of a task that has not
 * ended. Afterwards no task may have a tag that was notified, until it is
 * restarted.
 */
ORR_API void orr_tag_notify(struct orr_run *run, uint64_t tag);
ORR_API void orr_tag_restart(struct orr_run *run, uint64_t tag);

/*
 * A record of a run for later runs with the same tasks, submitted in the same
 * order: see orr_config_set_future(). Eviction policies that use future
 * accesses, such as "belady", need it. For one run at a time. Free with
 * orr_future_free(); NULL is allowed there.
 */
ORR_API struct orr_future *orr_future_new(void);
ORR_API void orr_future_free(struct orr_future *future);

/*
 * The largest priority that the policy knows, StarPU's STARPU_MAX_PRIO:
 * applications use priorities from 0 to this, or any if it is INT_MAX. It is 0
 * when the policy does not order tasks by priority: then all priorities are 0,
 * and the copies for the tasks have none either. As in StarPU, the priority of
 * a task that is submitted is cut to this range.
 */
ORR_API int orr_run_max_priority(const struct orr_run *run);

/*
 * Simulates until every task is complete. Fails with ORR_ERROR_STALLED when no
 * event is left but tasks are, with ORR_ERROR_LIVELOCKED when events follow for
 * ever but no task ends; the message contains the chain of waits.
 */
ORR_API bool orr_run_wait(struct orr_run *run, GError **error);

/*
 * Simulates until the task with this tag is complete. Fails as orr_run_wait(),
 * also if @tag is 0, or no task submitted so far has it; afterwards submissions
 * are ignored and orr_run_wait() fails with the same error.
 */
ORR_API bool orr_run_wait_tag(struct orr_run *run, uint64_t tag,
                              GError **error);

/*
 * Simulates until the task of this number, as orr_task_submit() returns it, is
 * complete (starpu_task_wait()). A task that is left out is complete. To find
 * the task takes time for each task in flight, so tasks of which many are
 * awaited have tags. Fails as orr_run_wait(), also if no such task was
 * submitted; afterwards submissions are ignored and orr_run_wait() fails with
 * the same error.
 */
ORR_API bool orr_run_wait_task(struct orr_run *run, uint64_t task,
                               GError **error);

/*
 * Simulates until no more than @most tasks are in flight: submitted, and not
 * complete (starpu_task_wait_for_n_submitted()); with 0 as orr_run_wait().
 * Fails as orr_run_wait(), also if the run hangs before.
 */
ORR_API bool orr_run_wait_in_flight(struct orr_run *run, uint64_t most,
                                    GError **error);

/*
 * From now on, a submission with more than @most tasks in flight waits until
 * @least or fewer are; UINT64_MAX: there is no limit, and @least is ignored. It
 * replaces the option window, of which the value is "LEAST:MOST"
 * (starpu_set_limit_min_submitted_tasks() and its like). An error, which
 * orr_run_wait() reports, if @least is above @most, or with the policy decide.
 */
ORR_API void orr_run_set_window(struct orr_run *run, uint64_t least,
                                uint64_t most);

/* The number of the next task that this thread submits: orr_task.id in
 * sched/sched.h. It waits for the window of submission, if there is one, as the
 * submission would: callbacks may submit tasks meanwhile. */
ORR_API uint64_t orr_run_next_task(struct orr_run *run);

/*
 * Gives the policy heteroprio its buckets, as the option buckets does, which
 * stays if it was given. Other policies have none. To be called before anything
 * is submitted. Returns false with ORR_ERROR_VALUE.
 */
ORR_API bool orr_run_set_buckets(struct orr_run *run, const char *buckets,
                                 GError **error);

/*
 * The numbers of tasks that were submitted and are not complete
 * (starpu_task_nsubmitted()), and of the ones that run a kernel, await no other
 * task and are not complete (starpu_task_nready()). The second function takes
 * time for each task in flight. 0 if tasks are not simulated, as for bounds.
 */
ORR_API uint64_t orr_run_tasks_in_flight(const struct orr_run *run);
ORR_API uint64_t orr_run_tasks_ready(const struct orr_run *run);

/* The date, in ns from the start of @run: simulated time, which passes when
 * tasks are submitted, and while the application waits or sleeps. */
ORR_API int64_t orr_run_now(const struct orr_run *run);

/* In orr_task_calls.epilogue: sets *@worker to the worker that has run the
 * kernel of the task, and *@started_ns and *@ended_ns to the dates of
 * orr_run_now(). Returns false in any other place, and for a task that
 * synchronises. */
ORR_API bool orr_run_execution(const struct orr_run *run, unsigned *worker,
                               int64_t *started_ns, int64_t *ended_ns);

/* The worker that calls a function of the application: a callback, or one of
 * struct orr_task_calls. UINT_MAX: a thread of the application does, or no
 * function is called. */
ORR_API unsigned orr_run_acting_worker(const struct orr_run *run);

/*
 * Simulates @ns of time, in which the application does nothing (StarPU's
 * starpu_sleep()). Fails as orr_run_wait(), if the run hangs or has an error
 * when the time is over; also if @ns is below 0, in a callback, and in a run of
 * orr_sched_decide(). A program that sleeps until a task has ended never ends
 * if the task hangs: orr_run_wait_tag() notices. Returns at once if tasks are
 * not simulated, as for bounds.
 */
ORR_API bool orr_run_sleep(struct orr_run *run, int64_t ns, GError **error);

/*
 * To be called after orr_run_new(): the workers look for tasks at the first
 * date, as in StarPU when starpu_init() returns. Otherwise they sleep until
 * there are tasks. Has an effect in lock-step alone (MODELS.md).
 */
ORR_API void orr_run_wake(struct orr_run *run);

/*
 * Workers stop before they would take another task, until they are resumed as
 * often as they were paused (starpu_pause(), starpu_resume()). A CPU worker
 * ends the task that it runs. A GPU ends its kernel, too, but its driver, which
 * works on nothing else meanwhile, does not notice before it is resumed.
 * Neither function takes time. A run of which tasks are awaited while it is
 * paused hangs if they need the workers. Callbacks may call both functions.
 *
 * An error, which orr_run_wait() reports, if the workers are not paused.
 */
ORR_API void orr_run_pause(struct orr_run *run);
ORR_API void orr_run_resume(struct orr_run *run);

/*
 * The policy decides on the tasks that it has collected (starpu_do_schedule()),
 * if it is one that collects tasks. Waiting for tasks includes this call. Not
 * for callbacks, in which it does nothing.
 */
ORR_API void orr_run_schedule(struct orr_run *run);

/*
 * The workers of @run: how many there are, and for each, numbered from 0, GPUs
 * first, its class, its name as in traces ("CUDA0", "CPU3"), and the node of
 * the memory in which it works: 0 for RAM, g + 1 for GPU g. A number that no
 * worker has is of the class ORR_WHERE_ANY, has no name (NULL) and the node
 * UINT_MAX. Names are borrowed until the run is freed.
 */
ORR_API unsigned orr_run_workers(const struct orr_run *run);
ORR_API enum orr_where orr_run_worker_class(const struct orr_run *run,
                                            unsigned worker);
ORR_API const char *orr_run_worker_name(const struct orr_run *run,
                                        unsigned worker);
ORR_API unsigned orr_run_worker_node(const struct orr_run *run,
                                     unsigned worker);

/* The statistics so far; borrowed from @run until the next call. */
ORR_API const struct orr_report *orr_run_report(struct orr_run *run);

G_END_DECLS

#endif
