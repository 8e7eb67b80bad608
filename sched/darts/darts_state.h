/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DARTS_STATE_H
#define ORR_DARTS_STATE_H

#include "sched/policy/drand48.h"
#include "sched/sched.h"

/*
 * The state of darts: tasks, data and units. A unit is a memory with workers.
 *
 * A ready task is in the pool until a unit plans it; later it is pulled into
 * the short queue of the unit, and popped. The unused data of a unit are the
 * data that it lacks and that tasks in the pool read: it chooses among them.
 */
struct orr_darts_datum;

struct orr_darts_access {
    struct orr_darts_datum *datum;
    bool reads;
    GList *use; /* link in datum->users; NULL: the task is planned */
};

/* A task, from its push until its end. */
struct orr_darts_plan {
    struct orr_task *task;
    orr_time length; /* expected, on worker 0 */
    GList *place;    /* link in the pool; NULL: it is not there */
    unsigned count;
    struct orr_darts_access accesses[];
};

/* A datum, as one unit sees it. */
struct orr_darts_view {
    unsigned pulled; /* accesses by tasks that the unit has pulled */
    int planned;     /* accesses by tasks that the unit has planned; more after
                        evictions, see below */
    GList *unused;   /* link in the unit's unused data; NULL: it is not there */
};

struct orr_darts_datum {
    uint64_t number;
    GQueue users;       /* struct orr_darts_plan: tasks of the pool that read
                           the datum, the newest first */
    orr_time remaining; /* sum of the expected lengths of users, and of some
                           tasks more: see below */
    struct orr_darts_view views[]; /* by unit */
};

/*
 * As in StarPU, a task whose data are all there when it is pushed stays in the
 * remaining lengths for ever, and a task that an eviction removes from a plan
 * stays among the planned accesses.
 */

struct orr_darts_unit {
    unsigned node;
    unsigned first_worker, workers; /* first index, and number of workers */
    GQueue unused;                  /* struct orr_darts_datum */
    GQueue planned;                 /* struct orr_darts_plan */
    GQueue refused;                 /* pulled when the queue was full */
    GQueue queue;                   /* pulled, with data being prefetched */
    GQueue pulled; /* all tasks that were pulled and have not ended */
    bool began;    /* the unit has chosen a datum or a task before */
    struct orr_darts_datum *failed; /* to be evicted next; or NULL */
};

struct orr_darts {
    unsigned count;               /* of units */
    struct orr_darts_unit *units; /* by node */
    unsigned *unit_of;            /* by worker */
    GQueue pool;                  /* struct orr_darts_plan */
    GHashTable *data;             /* struct orr_darts_datum, by number */
    unsigned turn;                /* the unit that a push tries first */
    struct orr_drand48 draws;
};

void orr_darts_init(struct orr_sched *sched);
void orr_darts_fini(struct orr_sched *sched);

/* The plan of @task; NULL: it was never pushed. */
static inline struct orr_darts_plan *orr_darts_plan(const struct orr_task *task)
{
    return task->note;
}

/* Makes a plan for @task, which is pushed, and adds it to the users of its
 * data.
 * @lacks: the data become unused data of the units that lack them. */
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

/* Removes @datum from the unused data of @unit. */
void orr_darts_mark_used(struct orr_darts *darts, unsigned unit,
                         struct orr_darts_datum *datum);

/* Removes the task from the users of its data. */
void orr_darts_remove_use(struct orr_darts_plan *plan);

/* Adds @by, 1 or -1, to the planned accesses of @unit to the task's data. */
void orr_darts_count_planned(struct orr_darts_plan *plan, unsigned unit,
                             int by);

/* Removes the task from the pool, and plans it for @unit. */
void orr_darts_plan_for(struct orr_darts *darts, unsigned unit,
                        struct orr_darts_plan *plan);

#endif
