/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DARTS_STATE_H
#define ORR_DARTS_STATE_H

#include "sched/policy/drand48.h"
#include "sched/sched.h"

/*
 * What darts knows of tasks, data and units. A unit is a memory with workers.
 *
 * A task that is ready is in the pool, until a unit plans it; then it is pulled
 * into the short queue of the unit, and popped. Data that a unit lacks and that
 * tasks in the pool read are the unit's unused data: it chooses among them.
 */
struct orr_darts_datum;

struct orr_darts_access {
    struct orr_darts_datum *datum;
    bool reads;
    GList *use; /* in the users of the datum; NULL: the task is planned */
};

/* A task, from its push until its end. */
struct orr_darts_plan {
    struct orr_task *task;
    orr_time length; /* expected, on worker 0 */
    GList *place;    /* in the pool; NULL: it is not there */
    unsigned count;
    struct orr_darts_access accesses[];
};

/* A datum, as one unit sees it. */
struct orr_darts_view {
    unsigned pulled; /* accesses by tasks that the unit has pulled */
    int planned;     /* by tasks that it has planned, and more: see below */
    GList *unused;   /* in the unit's unused data; NULL: it is not there */
};

struct orr_darts_datum {
    uint64_t number;
    GQueue users;       /* struct orr_darts_plan, in the pool, that read it; the
                           newest first */
    orr_time remaining; /* expected lengths of these, and more: see below */
    struct orr_darts_view views[]; /* by unit */
};

/*
 * As in StarPU, a task whose data are all there when it is pushed never leaves
 * the remaining lengths, and one that an eviction takes out of a plan stays
 * among the planned accesses.
 */

struct orr_darts_unit {
    unsigned node;
    unsigned first_worker, workers; /* their indices follow each other */
    GQueue unused;                  /* struct orr_darts_datum */
    GQueue planned;                 /* struct orr_darts_plan */
    GQueue refused;                 /* pulled when the queue was full */
    GQueue queue;                   /* its data are prefetched */
    GQueue pulled; /* all that were pulled and have not ended */
    bool began;    /* it has chosen once */
    struct orr_darts_datum *failed; /* to be evicted next; or NULL */
};

struct orr_darts {
    unsigned count;               /* of units */
    struct orr_darts_unit *units; /* by node */
    unsigned *unit_of;            /* by worker */
    GQueue pool;                  /* struct orr_darts_plan */
    GHashTable *data;             /* struct orr_darts_datum, by number */
    unsigned turn;                /* the unit to look at first */
    struct orr_drand48 draws;
};

void orr_darts_init(struct orr_sched *sched);
void orr_darts_fini(struct orr_sched *sched);

/* The plan of @task; NULL: it was never pushed. */
static inline struct orr_darts_plan *orr_darts_plan(const struct orr_task *task)
{
    return task->note;
}

/* Makes a plan for @task, which is pushed: its data are known now, and in the
 * users. @lacks: they become unused data of the units that lack them. */
struct orr_darts_plan *orr_darts_enter(struct orr_sched *sched,
                                       struct orr_task *task, bool lacks);
void orr_darts_leave(struct orr_darts_plan *plan);

/* The datum called @number; NULL: no task has accessed it. */
struct orr_darts_datum *orr_darts_datum(const struct orr_darts *darts,
                                        uint64_t number);

/* Whether the memory of @unit has the datum, or will have it. */
bool orr_darts_has(const struct orr_sched *sched,
                   const struct orr_darts_unit *unit,
                   const struct orr_darts_datum *datum);

/* Whether @worker can run @task. */
static inline bool orr_darts_runs_on(const struct orr_sched *sched,
                                     const struct orr_task *task,
                                     unsigned worker)
{
    return orr_sched_duration(sched, task, worker) != ORR_NEVER;
}

/* The first worker of @unit that can run @task; ORR_NO_WORKER: none can. */
unsigned orr_darts_worker_for(const struct orr_sched *sched,
                              const struct orr_darts_unit *unit,
                              const struct orr_task *task);

/* Whether a worker of @unit can run @task. */
static inline bool orr_darts_can_run(const struct orr_sched *sched,
                                     const struct orr_darts_unit *unit,
                                     const struct orr_task *task)
{
    return orr_darts_worker_for(sched, unit, task) != ORR_NO_WORKER;
}

/* @datum is no unused datum of @unit any more. */
void orr_darts_note_used(struct orr_darts *darts, unsigned unit,
                         struct orr_darts_datum *datum);

/* The task is no user of its data any more: @unit plans it. */
void orr_darts_withdraw(struct orr_darts_plan *plan);

/* Counts the task among those that @unit has planned, or no longer. */
void orr_darts_count_planned(struct orr_darts_plan *plan, unsigned unit,
                             int by);

/* Takes the task out of the pool, and plans it for @unit. */
void orr_darts_plan_for(struct orr_darts *darts, unsigned unit,
                        struct orr_darts_plan *plan);

/* Plans tasks for @unit: those that one more datum lets it run, or one. */
void orr_darts_choose(struct orr_sched *sched, unsigned unit);

#endif
