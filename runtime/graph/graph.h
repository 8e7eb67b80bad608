/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPH_H
#define ORR_GRAPH_H

#include <stddef.h>

#include "runtime/engine/pool.h"
#include "runtime/graph/successors.h"
#include "runtime/orrery.h"
#include "sched/sched.h"

/*
 * The task graph: jobs and their dependencies.
 *
 * A job is a task with the runtime's state of it. Besides the application's
 * tasks there are control jobs, which run no kernel: they collect dependencies
 * or act on data at the right moment. A task that only synchronises is one.
 *
 * Dependencies are inferred from accesses in the order of submission, datum
 * by datum (StarPU, implicit_data_deps.c): a reader waits for the last writer,
 * a writer waits for the readers since then. Several readers first meet in one
 * control job, so that edges stay few. Commutative accesses form a group as
 * readers do; arbiter.h lets them own the datum one at a time. So do accesses
 * by ORR_REDUX. Accesses that are unordered, by their task or their datum, are
 * left out. Tags add dependencies (tags.h).
 */
struct orr_job;
struct orr_tags;
struct orr_watching;

/* Kinds of jobs: see struct orr_job_ops of submit.h. */
enum orr_job_kind {
    ORR_JOB_KERNEL,   /* runs its kernel on a worker */
    ORR_JOB_COLLECT,  /* ends as soon as it is ready */
    ORR_JOB_WONT_USE, /* orr_data_wont_use() */
    ORR_JOB_SYNC,     /* a task that does no work: ends when it is ready */
    ORR_JOB_ACQUIRE,  /* the application uses its datum: acquire.h */
    ORR_JOB_GATHER,   /* brings its data to RAM: gather.h */
    ORR_JOB_END,      /* awaits the end dependencies of a task */
    ORR_JOB_KINDS
};

/*
 * One access of a job, in canonical order: see orr_job_new(). A large program
 * has millions, so it is one word: the address of its datum, which fits into 48
 * bits (orr_data_new() checks it), above these.
 */
enum {
    ORR_ACCESS_COMMUTES = 4,    /* above the mode without ORR_COMMUTE; this
                                   alone is ORR_REDUX */
    ORR_ACCESS_INDEX = 3,       /* shift: see orr_access_index(), 4 bits */
    ORR_ACCESS_REQUESTED = 128, /* requests have been made for it */
    ORR_ACCESS_LISTED = 256,    /* in the group of accessors of its datum */
    ORR_ACCESS_LINK = 9,        /* shift: number of the offset of its link in
                                   orr_link_offsets[], 5 bits */
    ORR_ACCESS_DECLARED = 14,   /* shift: the mode of the access declared at
                                   this place; 0: ORR_RW | ORR_COMMUTE */
    ORR_ACCESS_DATA = 16        /* shift */
};

struct orr_job_access {
    uint64_t bits;
};

/* The neighbours of an access in the group of its datum: places in the arena of
 * the graph, or 0. */
struct orr_access_link {
    uint32_t older, newer;
};

/* Distances of links from their accesses, in units of the size of an access: 0
 * to 15, then powers of two. */
extern const uint16_t orr_link_offsets[32];

enum { ORR_JOB_ID_BITS = 31 }; /* ORR_MAX_TASKS fits */

/*
 * A large program submits a million jobs long before they run, so most later
 * accesses to a job miss every cache. Hence a job is small: fields needed only
 * by ready jobs are in struct orr_active; fields that predecessors touch are
 * the first 16 bytes; a job that writes one datum and reads two takes 80 bytes
 * in all.
 */
struct orr_job {
    union {
        struct {
            unsigned awaited; /* unfinished predecessors, plus one until the job
                                 is submitted */
            unsigned predecessors; /* as counted at submission */
        };
        struct orr_active *active; /* once it is ready, if it runs a kernel */
    };
    struct orr_successors successors;
    uint32_t place; /* in the arena of the graph */
    orr_time submitted;
    uint32_t kernel; /* see orr_job_kernel(); 0 for control jobs */
    int priority;
    uint64_t id : ORR_JOB_ID_BITS; /* order of submission, from 0 */
    uint64_t kind : 3;             /* enum orr_job_kind */
    uint64_t immediate : 1;        /* not pushed when it becomes ready */
    uint64_t cpu_only : 1;         /* its data do not fit into a GPU */
    uint64_t activated : 1;        /* @active is valid */
    uint64_t named : 1;            /* it has a name of its own */
    uint64_t placed : 1;           /* it has coordinates */
    uint64_t merged : 1;           /* it lists some datum more than once */
    uint64_t unordered : 1;        /* its accesses imply no dependencies */
    uint64_t pinned : 1;        /* pushed to the only worker that may run it */
    uint64_t has_ending : 1;    /* see orr_job_ending() */
    uint64_t pool : 5;          /* see orr_job_pool_units() */
    uint64_t access_count : 16; /* number of @accesses after merging accesses to
                                   one datum; accesses by ORR_REDUX follow them:
                                   orr_job_redux() */
    struct orr_job_access accesses[];
};

/* The state of a job that is ready and has not ended: two cache lines. */
struct orr_active {
    _Alignas(ORR_CACHE_LINE) struct orr_task task; /* first; for policies */
    bool pushed;                                   /* the policy holds it */
    bool prefetched;        /* its data were prefetched for the chosen worker */
    uint8_t slot;           /* index in its worker's pipeline */
    uint8_t implementation; /* the implementation that the policy has chosen */
    bool asked;             /* in lock-step: its length was predicted once */
    union {
        orr_time ready; /* before the kernel starts: date since which it awaits
                           no other task */
        orr_time started; /* after the kernel has started: date of the start */
    };
    /* with a concurrent policy only: see orr_run_overtook() */
    uint64_t push_order;
    struct orr_watching *watching; /* or NULL: data.h */
};

static inline struct orr_active *orr_active_of(const struct orr_task *task)
{
    return (struct orr_active *)task;
}

static inline struct orr_job *orr_job_of(const struct orr_task *task)
{
    return task->job;
}

/* Whether the application submitted @job. */
static inline bool orr_job_is_task(const struct orr_job *job)
{
    return job->kind == ORR_JOB_KERNEL || job->kind == ORR_JOB_SYNC;
}

/* The active part of @job, or NULL if it is not ready or runs no kernel. */
static inline struct orr_active *orr_job_active(const struct orr_job *job)
{
    return job->activated ? job->active : NULL;
}

/* The priority of transfers for @job: the policy may have changed it in the
 * task. */
static inline int orr_job_priority(const struct orr_job *job)
{
    return job->activated ? job->active->task.priority : job->priority;
}

static inline void orr_job_set_id(struct orr_job *job, uint64_t id)
{
    job->id = id & (((uint64_t)1 << ORR_JOB_ID_BITS) - 1);
}

static inline struct orr_data *
orr_access_data(const struct orr_job_access *access)
{
    return (struct orr_data *)(uintptr_t)(access->bits >> ORR_ACCESS_DATA);
}

/* Without ORR_COMMUTE. */
static inline enum orr_access_mode
orr_access_mode(const struct orr_job_access *access)
{
    return (enum orr_access_mode)(access->bits & ORR_RW);
}

/* The mode, with ORR_COMMUTE if it commutes; ORR_COMMUTE alone: ORR_REDUX. */
static inline unsigned orr_access_group(const struct orr_job_access *access)
{
    return access->bits & (ORR_RW | ORR_COMMUTE);
}

static inline bool orr_access_reduces(const struct orr_job_access *access)
{
    return orr_access_group(access) == ORR_COMMUTE;
}

static inline bool orr_access_is_requested(const struct orr_job_access *access)
{
    return access->bits & ORR_ACCESS_REQUESTED;
}

/* Most tasks have at most so many accesses. */
enum { ORR_FEW_ACCESSES = 8 };

/*
 * The first access of the job of @access. The first eight know their index;
 * others know in how many accesses, a power of two, there is one before that
 * knows more: 8 stands for 1, 9 for 2, up to 15 for 128.
 */
static inline struct orr_job_access *
orr_access_first(struct orr_job_access *access)
{
    unsigned index = access->bits >> ORR_ACCESS_INDEX & 15;

    while (G_UNLIKELY(index >= ORR_FEW_ACCESSES)) {
        access -= 1u << (index - ORR_FEW_ACCESSES);
        index = access->bits >> ORR_ACCESS_INDEX & 15;
    }
    return access - index;
}

static inline struct orr_job *orr_access_job(struct orr_job_access *access)
{
    return (struct orr_job *)((char *)orr_access_first(access) -
                              offsetof(struct orr_job, accesses));
}

/* The index of @access in its job. */
static inline unsigned orr_access_index(struct orr_job_access *access)
{
    return (unsigned)(access - orr_access_first(access));
}

/*
 * Units follow the head of a job: first one for each declared access, then one
 * for the link of each access that may share a group. With more than a few
 * accesses every access has a link, at a distance that is a power of two. The
 * last units hold the ending, the coordinates and the name, as far as the job
 * has them, and the number of declared accesses if some were merged.
 */
enum {
    ORR_JOB_UNIT = sizeof(struct orr_job_access), /* bytes */
    ORR_LINK_UNITS = sizeof(struct orr_access_link) / ORR_JOB_UNIT,
    ORR_ENDING_UNITS = 4,
    ORR_JOB_FEW_UNITS =
        (1 + ORR_LINK_UNITS) * ORR_FEW_ACCESSES + 2 + ORR_ENDING_UNITS,
    ORR_JOB_POOLS = ORR_JOB_FEW_UNITS + 1 + 9
};

/* How many units the jobs of pool @number have: @number, as long as these are
 * few; then powers of two, from 32. */
static inline unsigned orr_job_pool_units(unsigned number)
{
    return number <= ORR_JOB_FEW_UNITS
               ? number
               : 32u << (number - ORR_JOB_FEW_UNITS - 1);
}

/* The pool for jobs of @units or somewhat fewer. */
static inline unsigned orr_job_find_pool(unsigned units)
{
    unsigned pool = MIN(units, ORR_JOB_FEW_UNITS);

    while (orr_job_pool_units(pool) < units)
        pool++;
    return pool;
}

/* Where a job that merged accesses says how many it declared. */
static inline uint64_t *orr_job_declared(const struct orr_job *job)
{
    return (uint64_t *)&job->accesses[orr_job_pool_units(job->pool) - 1];
}

/* How many accesses @job declared. */
static inline unsigned orr_job_declared_count(const struct orr_job *job)
{
    return G_UNLIKELY(job->merged) ? (unsigned)*orr_job_declared(job)
                                   : job->access_count;
}

/* Whether several accesses of this mode may form a group. */
static inline bool orr_mode_is_shared(unsigned mode)
{
    return (mode & (ORR_W | ORR_COMMUTE)) != ORR_W;
}

/* The name of a task with a valid @spec: its own name if it has one, else the
 * name of its kernel. */
const char *orr_spec_name(const struct orr_task_spec *spec);

/* Sets the name of @job, if it has its own (not NULL), and what @spec says of
 * coordinates and an ending. It was made with room for these. */
void orr_job_set_extras(struct orr_job *job, const struct orr_task_spec *spec,
                        const char *name);

/* Calls of the application that few tasks have: see struct orr_task_calls. */
enum orr_job_call {
    ORR_CALL_PROLOGUE,
    ORR_CALL_PROLOGUE_POP,
    ORR_CALL_EPILOGUE,
    ORR_CALL_KERNEL,
    ORR_CALLS
};

struct orr_job_calls {
    struct orr_call call[ORR_CALLS]; /* by enum orr_job_call */
    orr_time takes;  /* how long the kernel takes, plus 1; 0: its usual time */
    uint64_t worker; /* that has run the kernel, plus 1; 0: none has yet */
    orr_time started, ended;
};

/* What comes with the end of a job that has orr_job.has_ending. */
struct orr_job_ending {
    struct orr_call callback; /* of the application */
    struct orr_job *end; /* awaits its end dependencies; or NULL: it has none,
                            or they are over */
    struct orr_job_calls *calls; /* in the units before the ending; NULL: none
                                  */
};

struct orr_job_ending *orr_job_ending(const struct orr_job *job);

/* Whether the application has a function that is the kernel of @job. */
static inline bool orr_job_calls_kernel(const struct orr_job *job)
{
    const struct orr_job_calls *calls =
        G_UNLIKELY(job->has_ending) ? orr_job_ending(job)->calls : NULL;

    return calls && calls->call[ORR_CALL_KERNEL].function;
}

/* What a job of kind ORR_JOB_END knows. */
struct orr_job_end_wait {
    struct orr_job *job; /* the job that ends */
    unsigned worker;     /* worker that has done its work; or ORR_NO_WORKER */
    bool has_run;        /* its work is done */
    unsigned releases;   /* calls of the application still awaited */
};

struct orr_job_end_wait *orr_job_end_wait(const struct orr_job *end);

/* Fills @coordinates with the coordinates of @job. Returns their number. */
unsigned orr_job_coordinates(const struct orr_job *job,
                             unsigned coordinates[ORR_MAX_COORDINATES]);

/* The mode of the @i-th access of @job as declared, unless that is ORR_REDUX.
 */
static inline enum orr_access_mode orr_job_mode(const struct orr_job *job,
                                                unsigned i)
{
    unsigned mode = job->accesses[i].bits >> ORR_ACCESS_DECLARED & ORR_RW;

    return (enum orr_access_mode)(mode ? mode : ORR_RW | ORR_COMMUTE);
}

/* An access that waits for the arbiter (arbiter.h) to grant its datum. */
struct orr_requester {
    struct orr_job_access *access;
    struct orr_requester *next;
};

struct orr_graph {
    struct orr_kernel **kernels; /* borrowed; number 0 is none */
    uint32_t kernel_count;
    struct orr_arena arena; /* memory for most objects of a large run */
    struct orr_pool jobs[ORR_JOB_POOLS];
    struct orr_pool active;
    struct orr_active *peeked; /* see orr_job_peek() */
    struct orr_pool batches;   /* see successors.h */
    struct orr_pool requesters;
    struct orr_tags *tags; /* NULL: none so far; freed by the run */
    uint64_t live;         /* jobs not yet complete, control jobs included */
    uint64_t submitted;    /* application tasks */
    uint64_t completed;
    uint64_t synchronised; /* completed tasks without a kernel */
    bool has_unordered;    /* some accesses are unordered: see orr_job_new() */
    bool has_redux;        /* some data have a reduction */
    bool has_arbiters;     /* some data have an arbiter of the program */
};

void orr_graph_init(struct orr_graph *graph);
void orr_graph_clear(struct orr_graph *graph);

/* Gives @kernel its number, by which jobs refer to it. */
uint32_t orr_graph_add_kernel(struct orr_graph *graph,
                              struct orr_kernel *kernel);

/* NULL for control jobs. */
static inline struct orr_kernel *orr_job_kernel(const struct orr_graph *graph,
                                                const struct orr_job *job)
{
    return graph->kernels[job->kernel];
}

/* The name in traces; NULL for control jobs that are no tasks. */
const char *orr_job_name(const struct orr_graph *graph,
                         const struct orr_job *job);

/*
 * A new job that awaits only its own submission. Accesses to one datum are
 * merged; then they are sorted into canonical order, in which data are acquired
 * and fetched: order of registration; the parts of one datum stand where its
 * first part does, and are ordered among each other by mode, RW, then W, then R
 * (StarPU, sort_data_handles.c). Once there are unordered accesses, for which a
 * job may wait while it holds other data, the order is the order of
 * registration alone, so that no two jobs wait for each other. Accesses by
 * ORR_REDUX come last.
 */
struct orr_job *orr_job_new(struct orr_graph *graph, enum orr_job_kind kind,
                            const struct orr_access *accesses, unsigned count);

/* A new job for a task, with its kernel, name and priority. */
struct orr_job *orr_job_new_task(struct orr_graph *graph,
                                 const struct orr_task_spec *spec);

/* A new job that only releases its successors, when the application releases
 * it: it is never submitted. */
struct orr_job *orr_job_new_release(struct orr_graph *graph);

/* Whether the application releases @job, which is not ready, or with which it
 * has acquired a datum, and does not submit it. */
static inline bool orr_job_is_released(const struct orr_job *job)
{
    return job->immediate;
}

void orr_job_free(struct orr_graph *graph, struct orr_job *job);

/*
 * A new job of kind ORR_JOB_END for the end dependencies of @job, which has an
 * ending. It awaits the work of @job and @releases calls of the application;
 * the caller adds tasks. It is part of @job: it does not count as live. Free it
 * with orr_job_free_end(), when @job may end.
 */
struct orr_job *orr_job_new_end(struct orr_graph *graph, struct orr_job *job,
                                unsigned releases);
void orr_job_free_end(struct orr_graph *graph, struct orr_job *end);

/* Number of accesses by ORR_REDUX of @job; they follow its other accesses. Sets
 * *@places to their places among the declared accesses. */
unsigned orr_job_redux(const struct orr_graph *graph, const struct orr_job *job,
                       const uint16_t **places);

/* Calls @visit for every job not yet complete, in no particular order. It takes
 * memory and time: for diagnoses. */
void orr_graph_each_job(const struct orr_graph *graph,
                        void (*visit)(void *job, void *data), void *data);

/* The task number @id, if it is not yet complete, or NULL. It takes time for
 * each job not yet complete. */
struct orr_job *orr_graph_find_task(const struct orr_graph *graph, uint64_t id);

/* @job, which runs a kernel, is ready: gives it its active part. */
void orr_job_activate(struct orr_graph *graph, struct orr_job *job);

/* Sets what @task, which is zero otherwise, shows of @job. */
void orr_job_show(const struct orr_graph *graph, struct orr_job *job,
                  struct orr_task *task);

/* @job, which is not ready, for policies; valid until the next call. */
const struct orr_task *orr_job_peek(struct orr_graph *graph,
                                    struct orr_job *job);

/* Appends @to to @successors, which are of the job that it awaits. */
static inline void orr_graph_add_edge(struct orr_graph *graph,
                                      struct orr_successors *successors,
                                      struct orr_job *to)
{
    orr_successors_add(successors, &graph->batches, to->place);
    to->awaited++;
    to->predecessors++;
}

/* Whether an ending job locks its successor @to to notify it. The readers of a
 * datum share a counter: only the last reader notifies the jobs that wait for
 * them (StarPU, cg.c: _starpu_notify_cg()). */
static inline bool orr_job_locks_to_notify(const struct orr_job *to)
{
    return to->kind != ORR_JOB_COLLECT || to->awaited == 1;
}

/* Iterates over the successors of @job: returns the next, or NULL after the
 * last. *@cursor is NULL at first. */
static inline struct orr_job *
orr_graph_next_successor(const struct orr_graph *graph,
                         const struct orr_job *job, const uint32_t **cursor)
{
    *cursor = orr_successors_next(&job->successors, &graph->batches, *cursor);
    return *cursor ? orr_arena_at(&graph->arena, **cursor) : NULL;
}

/*
 * Makes @job wait for the earlier accesses to its data, starting with its
 * access *@next. Returns NULL when all accesses are done. Otherwise returns a
 * collecting job that the caller must submit before it calls again; *@next is
 * then the access with which to continue.
 */
struct orr_job *orr_graph_order(struct orr_graph *graph, struct orr_job *job,
                                unsigned *next);

/* Later accesses no longer wait for @job, which has ended. */
void orr_graph_retire(struct orr_graph *graph, struct orr_job *job);

#endif
