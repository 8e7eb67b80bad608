/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORRERY_TRACE_H
#define ORRERY_TRACE_H

#include <models/api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Traces: callbacks for the events of a run, set by orr_config_set_trace(). A
 * trace observes a run and never changes it: its functions must not call
 * functions of this run.
 *
 *     struct my_trace {
 *         struct orr_trace trace; // first, so that one converts to the other
 *         FILE *file;
 *     };
 *
 *     static void put_task(struct orr_trace *trace,
 *                          const struct orr_trace_task *task)
 *     {
 *         FILE *file = ((struct my_trace *)trace)->file;
 *         ...
 *     }
 *
 *     struct my_trace mine = {.trace = {ORR_TRACE_INIT, .task = put_task}};
 *     orr_config_set_trace(config, &mine.trace);
 *
 * A task or copy is reported when it ends, in order of the ends; an allocation
 * or eviction of a buffer when it is done; a task becoming ready at that date.
 * Texts and arrays are valid during the call only; copy them to keep them.
 * Dates are in ns since the first submission.
 *
 * Later versions of the library add members at the ends of these structures.
 */

ORR_BEGIN_DECLS

#ifndef ORR_MAX_COORDINATES
#define ORR_MAX_COORDINATES 3 /* of a task, as in orrery.h */
#endif

/* A datum, as the application registered and called it. */
struct orr_trace_datum {
    uint64_t number; /* in order of registration, from 0 */
    uint64_t bytes;
    const char *name; /* orr_data_set_name(); NULL: none */
    bool has_coordinates;
    unsigned row, column; /* orr_data_set_coordinates() */
};

struct orr_trace_access {
    struct orr_trace_datum datum;
    uint8_t mode; /* enum orr_access_mode */
};

struct orr_trace_task {
    uint64_t order; /* number of the task in order of submission, from 0 */
    const char *name;
    unsigned worker;      /* GPUs first, then CPUs */
    unsigned memory_node; /* memory node of the worker; 0: host memory */
    int priority;
    int64_t submitted;
    int64_t started; /* date at which the worker's driver started the kernel, or
                        saw that the kernel before it had ended */
    int64_t ended;   /* the worker saw that the kernel had ended */
    int64_t kernel_started; /* @kernel_ended less the duration */
    int64_t kernel_ended;
    unsigned access_count;
    const uint8_t *modes;    /* enum orr_access_mode, in the order declared */
    const char *kernel;      /* its name, without its family */
    const char *worker_name; /* "CUDA0", "CPU3" */

    /* The accesses in the order in which data are acquired. Each datum is there
       once: of several accesses to it, the modes are joined. */
    unsigned datum_count;
    const struct orr_trace_access *accesses;

    /* With ORR_TRACE_PARENTS: the @order of each task on which this one
       depends, ascending, each once. Dependencies follow from the order of
       submission, the accesses and the tags, whether or not the other task had
       ended when this one was submitted. Readers depend on the writer before
       them, not on each other. A synchronising task, which is not reported, is
       replaced by the tasks on which it depends. The end dependencies of these
       tasks (orr_task_spec.end_tags) are there, too. */
    unsigned parent_count;
    const uint64_t *parents;

    int64_t ready;   /* it was submitted, and waited for no other task */
    int64_t arrived; /* the driver of the worker saw the last of its data there:
                        when a copy ended, or, if none was needed, when it took
                        the task */

    unsigned coordinate_count; /* as the application gave them; 0: none */
    unsigned coordinates[ORR_MAX_COORDINATES];

    int64_t taken;         /* the worker took the task from the policy; the
                              data that it lacks are requested from then on */
    uint64_t memory_nodes; /* bit n: a worker of memory node n could run it */

    unsigned kernel_number;  /* number of @kernel, from 1: kernels of several
                                sizes may have one name */
    unsigned implementation; /* implementation of the kernel, from 0; 0 if there
                                is only one: orr_kernel_set_implementations() */
};

struct orr_trace_copy {
    const char *from; /* memory nodes: "RAM", "CUDA0" */
    const char *to;
    uint64_t data; /* number, in order of registration */
    uint64_t bytes;
    const char *why;   /* "fetch", "prefetch", "idle", "evict" */
    int64_t submitted; /* the request was made */
    int64_t started;   /* the copy was given to its stream */
    int64_t ended;
    struct orr_trace_datum datum; /* the datum number @data */

    unsigned from_node; /* memory nodes; 0: host memory */
    unsigned to_node;
    int64_t alone; /* how long it takes if no other copy shares its links, ns */
    unsigned link_count;
    /* names of the platform's links in the order in which they are crossed; a
     * link may occur twice */
    const char *const *links;
};

/* A buffer in the memory of a GPU is freed to make room, or its datum is
 * unregistered, invalidated or partitioned. */
struct orr_trace_eviction {
    int64_t date;
    unsigned memory_node;
    /* the datum in the buffer */
    struct orr_trace_datum datum;
    const char *memory; /* "CUDA0" */
    bool makes_room;
};

/* A datum has a buffer in the memory of a GPU from now on, until it is evicted,
 * its datum is unregistered, or the run ends. */
struct orr_trace_allocation {
    int64_t date;
    unsigned memory_node;
    struct orr_trace_datum datum;
    const char *memory; /* "CUDA0" */
};

/* The number of ready tasks has changed. A task is ready from when it awaits no
 * other task until a worker takes it. */
struct orr_trace_ready {
    int64_t date;
    uint64_t count;
};

/* The application has used a datum, or unregistered it. Dates: it asked for the
 * datum, got it in host memory, and released it. */
struct orr_trace_use {
    int64_t asked;
    int64_t acquired;
    int64_t released;
    uint8_t mode; /* enum orr_access_mode */
    bool unregisters;
    struct orr_trace_datum datum;
};

/* The power of a device from this date on. */
struct orr_trace_power {
    int64_t date;
    unsigned device;  /* 0: the host, from 1: GPUs */
    const char *name; /* "CPU", "CUDA0" */
    double watts;
};

enum orr_trace_step_kind {
    ORR_TRACE_CALLS,      /* a call of the policy begins, */
    ORR_TRACE_RETURNS,    /* and has returned */
    ORR_TRACE_OPERATES,   /* the call has used a lock, a condition, memory, or
                             has woken a worker: @verb, @object */
    ORR_TRACE_ACQUIRES,   /* it has acquired a lock: @verb, @object */
    ORR_TRACE_RELEASES,   /* it has released a lock: @verb, @object */
    ORR_TRACE_WAITS,      /* it waits for a lock or on a condition */
    ORR_TRACE_HOLDS_BACK, /* a schedule of 'orrery explore' has it wait @until,
                             before or after it does what @verb says */
    ORR_TRACE_GOES_ON     /* after ORR_TRACE_HOLDS_BACK */
};

/* "calls", "returns", "operates", "acquires", "releases", "waits",
 * "holds-back", "continues"; NULL: no such kind. */
ORR_API const char *orr_trace_step_kind_name(enum orr_trace_step_kind kind);

#define ORR_TRACE_APPLICATION (~0u) /* no worker */

/*
 * A step of a caller of the policy (a worker, or the application). If the
 * policy is not concurrent, its calls are never interleaved, and only the begin
 * of each push, the end of each pop, and wake-ups are reported.
 */
struct orr_trace_step {
    int64_t date;
    unsigned kind;      /* enum orr_trace_step_kind */
    unsigned worker;    /* or ORR_TRACE_APPLICATION */
    const char *caller; /* "CUDA0", "the application" */
    const char *call;   /* "push", "pop", "started", "done"; "": none */
    const char *verb;   /* "acquires lock", "wakes"; NULL: none */
    const char *object; /* "queue", "CPU0"; NULL: none */
    const char *until;  /* "until a task has ended"; NULL: none */
    bool after;         /* preempted after the operation @verb */
    /* number of the task of a push, or of a pop that found one */
    uint64_t task;
    const char *name; /* and its name; NULL: none */
    const void *code; /* in the file of the policy, behind the call that did
                         this; NULL: not known */
};

/* Facts that are reported only on request, because they take time and
 * memory. */
enum orr_trace_want {
    ORR_TRACE_PARENTS = 1, /* about 100 bytes for each task in flight */
    ORR_TRACE_CODE = 2,    /* @code of all steps; some us each. Without it, only
                              accesses to memory have @code */
};

/* Begins each struct orr_trace. */
#define ORR_TRACE_INIT ORR_SIZE_OF(struct orr_trace)

/* A function that is NULL is not called. */
struct orr_trace {
    size_t size; /* of this struct: ORR_TRACE_INIT */
    void (*task)(struct orr_trace *trace, const struct orr_trace_task *task);
    void (*copy)(struct orr_trace *trace, const struct orr_trace_copy *copy);
    uintptr_t wants; /* enum orr_trace_want, or-ed; 0: no more */
    void (*eviction)(struct orr_trace *trace,
                     const struct orr_trace_eviction *eviction);
    void (*allocation)(struct orr_trace *trace,
                       const struct orr_trace_allocation *allocation);
    void (*ready)(struct orr_trace *trace, const struct orr_trace_ready *ready);
    void (*power)(struct orr_trace *trace, const struct orr_trace_power *power);
    void (*step)(struct orr_trace *trace, const struct orr_trace_step *step);
    void (*use)(struct orr_trace *trace, const struct orr_trace_use *use);
};

ORR_END_DECLS

#endif
