/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REDUX_H
#define ORR_REDUX_H

#include "runtime/data/data.h"
#include "runtime/engine/actor.h"
#include "runtime/graph/graph.h"

/*
 * Data to which tasks add by ORR_REDUX, each task to the copy of its worker,
 * until these copies are reduced (StarPU, reduction.c, data_concurrency.c).
 *
 * From the first task that adds until the copies are reduced, the datum is held
 * as if a task wrote it, so that all other accesses are enqueued (arbiter.h).
 * The first enqueued access begins the reduction, as soon as no task adds any
 * more.
 */
struct orr_run;
struct orr_worker;

/* The copy of a worker. */
struct orr_worker_copy {
    struct orr_data *data; /* registered in the run, which frees it */
    char *name;            /* its name; owned; NULL: not used yet */
    bool added;            /* it has contributions */
};

struct orr_redux {
    struct orr_data *data;
    bool open;       /* tasks have added, and the reduction has not ended */
    bool held;       /* a task that reduces holds the datum */
    unsigned adding; /* tasks */
    unsigned rounds; /* rounds of the tree of reduction that have not ended; 0:
                        no reduction is under way */
    uint64_t last;   /* number of the last task that reduces */
    struct orr_worker_copy *copies; /* by worker; owned */

    /* Makes the tasks that reduce @redux, with this priority: sets @rounds and
     * @last, and calls, on @actor, their submission. Returns false if the run
     * has an error. */
    bool (*reduce)(struct orr_actor *actor, struct orr_run *run,
                   struct orr_redux *redux, int priority);
};

/* Prepares @redux, which is zeroed except @reduce, for @data: makes the copies.
 */
void orr_redux_init(struct orr_redux *redux, struct orr_run *run,
                    struct orr_data *data);
void orr_redux_clear(struct orr_redux *redux, const struct orr_run *run);

/* Whether the job of @access, by ORR_REDUX, may add now. If not, the access is
 * enqueued (arbiter.h). */
bool orr_redux_enter(struct orr_run *run, struct orr_job_access *access);

/* The copy to which the tasks of @worker add. */
struct orr_data *orr_redux_copy(const struct orr_worker *worker,
                                const struct orr_data *data);

/* @job, which adds, has got that copy. */
void orr_redux_add(const struct orr_worker *worker, const struct orr_job *job,
                   const struct orr_data *data);

/* A task of @worker that adds has ended. */
void orr_redux_leave(struct orr_worker *worker, const struct orr_data *data);

/* Whether @access, in another mode, belongs to a task that reduces, which need
 * not wait. */
bool orr_redux_admits(struct orr_run *run, struct orr_job_access *access);

/* An access in another mode has been enqueued: begins the reduction, unless
 * tasks still add. Returns whether it calls on @actor. */
bool orr_redux_begin(struct orr_actor *actor, struct orr_run *run,
                     struct orr_data *data);

/* orr_arbiter_grant_next() for these data. May begin the reduction: sets
 * *@calls to whether it calls on @actor. */
struct orr_job_access *orr_redux_next(struct orr_actor *actor,
                                      struct orr_run *run,
                                      struct orr_data *data, bool *calls);

/* @data are unregistered: frees the copies. */
void orr_redux_drop(struct orr_run *run, const struct orr_data *data);

#endif
