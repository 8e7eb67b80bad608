/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPH_H
#define ORR_GRAPH_H

#include <stddef.h>

#include "runtime/orrery.h"
#include "runtime/pool.h"
#include "sched/sched.h"

/*
 * The task graph: jobs, and who waits for whom.
 *
 * A job is a task together with what the runtime knows of it. Besides the
 * application's tasks there are control jobs, which run no kernel: they
 * collect dependencies or act on data at the right moment.
 *
 * Dependencies are inferred from accesses in the order of submission, datum
 * by datum (StarPU, implicit_data_deps.c): readers wait for the last writer,
 * a writer waits for the readers since. Several readers are first collected
 * into one control job, so that edges stay few.
 */
struct orr_job;

enum orr_job_kind {
    ORR_JOB_KERNEL,   /* runs its kernel on a worker */
    ORR_JOB_COLLECT,  /* ends as soon as it is ready */
    ORR_JOB_WONT_USE, /* orr_data_wont_use() */
};

/* One access of a job, in canonical order: see orr_job_set_accesses(). */
struct orr_job_access {
    struct orr_data *data;
    uint8_t mode;  /* enum orr_access_mode */
    uint8_t index; /* among the accesses of its job */

    /* Among the accessors of the datum since its last writer. */
    bool listed;
    struct orr_job_access *older, *newer;

    /* Among the accesses watched on one copy of the datum. */
    struct orr_job_access *next_watcher, **watcher_link;
};

/* "The job @to waits for the one that holds this". */
struct orr_edge {
    struct orr_job *to;
    struct orr_edge *next;
};

struct orr_job {
    struct orr_task task; /* first: what policies see */
    enum orr_job_kind kind;
    const char *name;
    struct orr_kernel *kernel; /* NULL for control jobs */
    unsigned awaited;          /* jobs to end, plus one until submitted */
    unsigned predecessors;     /* jobs ever awaited */
    struct orr_edge *successors, *last_successor;
    orr_time submitted;
    orr_time started;
    bool prefetched;        /* its data were prefetched for the chosen worker */
    bool immediate;         /* becomes ready without being pushed */
    bool cpu_only;          /* its data do not fit together into a GPU */
    uint8_t slot;           /* in its worker's pipeline */
    uint8_t declared_count; /* also the room for accesses */
    uint8_t modes[ORR_MAX_ACCESSES]; /* as declared, for traces */
    uint8_t access_count;            /* once those of one datum are merged */
    struct orr_job_access accesses[];
};

static inline struct orr_job *orr_job_of(const struct orr_task *task)
{
    return (struct orr_job *)task;
}

static inline struct orr_job *orr_access_job(struct orr_job_access *access)
{
    return (struct orr_job *)((char *)(access - access->index) -
                              offsetof(struct orr_job, accesses));
}

/* What a datum remembers of the jobs that access it. */
struct orr_accessors {
    struct orr_job *last_exclusive; /* not yet complete, or NULL */
    struct orr_job_access *newest;  /* of the current group */
    uint8_t mode;                   /* of the current group */
};

struct orr_graph {
    struct orr_pool jobs[ORR_MAX_ACCESSES + 1]; /* by number of accesses */
    struct orr_pool edges;
    uint64_t live;      /* jobs not yet complete, control jobs included */
    uint64_t submitted; /* application tasks */
    uint64_t completed;
};

void orr_graph_init(struct orr_graph *graph);
void orr_graph_clear(struct orr_graph *graph);

/* A new job that awaits its own submission only, with room for accesses. */
struct orr_job *orr_job_new(struct orr_graph *graph, enum orr_job_kind kind,
                            unsigned access_count);
void orr_job_free(struct orr_graph *graph, struct orr_job *job);

/*
 * Sets the accesses of @job, of which it has room for @count, merging those
 * of the same datum, and puts them into the order in which they are acquired
 * and fetched: written data before data that are only read, those also read
 * before those not, then in order of registration (StarPU,
 * sort_data_handles.c).
 */
void orr_job_set_accesses(struct orr_job *job,
                          const struct orr_access *accesses, unsigned count);

/*
 * Makes @access wait for the earlier accesses of its datum and records it.
 *
 * Returns a collecting job that must be submitted before going on, or NULL.
 */
struct orr_job *orr_graph_order(struct orr_graph *graph,
                                struct orr_job_access *access);

/* Later accesses no longer need to wait for @job. */
void orr_graph_retire(struct orr_job *job);

#endif
