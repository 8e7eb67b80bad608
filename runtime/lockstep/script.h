/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCRIPT_H
#define ORR_SCRIPT_H

#include "runtime/lockstep/lockstep.h"
#include "runtime/worker/worker.h"
#include "sched/policy/queueing.h"

/*
 * A procedure is a list of moves. A move takes or gives a lock, opens or closes
 * the state of the acting worker (worker_state.h), or calls a function, which
 * may go on with another list.
 */
struct script;

struct script_entry {
    enum {
        CALL, /* @call; NULL: the procedure ends */
        LOCK_SELF,
        UNLOCK_SELF,
        LOCK_OTHER,
        UNLOCK_OTHER,
        LOCK_POLICY, /* the queue that all workers share */
        UNLOCK_POLICY,
        LOCK_DECISION, /* the rest, if the policy binds tasks late: */
        UNLOCK_DECISION,
        LOCK_UNKNOWN,
        UNLOCK_UNKNOWN,
        LOCK_QUEUE, /* of the receiver */
        UNLOCK_QUEUE,
        LOCK_PLAN, /* of the acting worker */
        UNLOCK_PLAN,
        OPEN, /* one's own state, before waiting for another's lock */
        CLOSE
    } kind;
    enum orr_next (*call)(struct orr_actor *actor, struct script *script);
};

struct script {
    const struct script_entry *next;
    const struct script_entry *then; /* after a steal, or an estimate */
    struct orr_run *run;
    struct orr_worker *self;  /* NULL: the acting actor is no worker */
    struct orr_worker *other; /* victim, receiver, or worker to wake; or NULL */
    struct orr_job *job;      /* that is pushed */
    struct orr_worker *receiver; /* of it; NULL: the shared queue */
    unsigned next_worker;        /* to wake, to consider, or to steal from */
    unsigned next_access;        /* of the job, whose lock is to be passed */
    orr_time begin;              /* when a worker could begin the task */
    orr_time least;              /* the cost of the best worker so far */
    unsigned added;              /* tasks to the worker's own queue */
    unsigned tries;              /* to find a task */
    bool woken;                  /* some worker was */
    bool *result;                /* found, or woken */
    struct orr_task *task;       /* that is popped, or bound */
    struct orr_task *candidates[ORR_LATE_CANDIDATES]; /* to be bound */
    unsigned candidate_count, candidate, best;
    struct orr_task **stolen;
};

/* Calls the procedure @first of worker @self, or NULL, in @actor. */
struct script *orr_script_call(struct orr_actor *actor, struct orr_run *run,
                               struct orr_worker *self,
                               const struct script_entry *first);

/* Parts of pushes and pops, in other files. */
extern const struct script_entry orr_push_late[], orr_pop_late[], orr_pop_end[];

/* Results of a call. */
enum orr_next orr_script_jump(struct script *script,
                              const struct script_entry *next);
/* The move is made again. */
enum orr_next orr_script_repeat(struct script *script);
/* The same, once the state of script->other, whose lock is held, is open. */
enum orr_next orr_script_await_other(struct orr_actor *actor,
                                     struct script *script);

/* A call: asks the model of the kernel of script->job how long it takes. */
enum orr_next orr_script_ask_model(struct orr_actor *actor,
                                   struct script *script);

/* The lock of the next datum that memory @node would have to fetch for
 * script->job and whose lock is taken; NULL once there is none. */
struct orr_spinlock *orr_script_find_taken(struct script *script,
                                           unsigned node);

/* A call: prefetches the data of script->job to script->receiver, one after the
 * other, under their locks. */
enum orr_next orr_script_prefetch(struct orr_actor *actor,
                                  struct script *script);

/* In a procedure: signals @worker, whose lock is held (StarPU, workers.c:
 * starpu_wakeup_worker_locked()). */
enum orr_next orr_script_signal(struct orr_actor *actor,
                                struct orr_worker *worker);

#endif
