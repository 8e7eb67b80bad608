/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCRIPT_H
#define ORR_SCRIPT_H

#include "runtime/lockstep/lockstep.h"
#include "runtime/worker/worker.h"
#include "sched/policy/queueing.h"

/*
 * Procedures written as lock scripts. A script is a list of entries, executed
 * in order. An entry locks or unlocks a lock, opens or closes the state of the
 * acting worker (worker_state.h), or calls a function, which may jump to
 * another list.
 */
struct script;

struct script_entry {
    enum {
        CALL, /* call @call; NULL: the procedure ends */
        LOCK_SELF,
        UNLOCK_SELF,
        LOCK_OTHER,
        UNLOCK_OTHER,
        LOCK_POLICY, /* lock of the queue that all workers share */
        UNLOCK_POLICY,
        LOCK_DECISION, /* from here on for policies that bind tasks late */
        UNLOCK_DECISION,
        LOCK_UNKNOWN,
        UNLOCK_UNKNOWN,
        LOCK_QUEUE, /* lock of the receiver's queue */
        UNLOCK_QUEUE,
        LOCK_PLAN, /* lock of the plan of the acting worker */
        UNLOCK_PLAN,
        OPEN, /* open one's own state, before waiting for another lock */
        CLOSE
    } kind;
    enum orr_next (*call)(struct orr_actor *actor, struct script *script);
};

struct script {
    const struct script_entry *next;
    /* the list to jump to after a steal or an estimate */
    const struct script_entry *then;
    struct orr_run *run;
    struct orr_worker *self;  /* NULL: the acting actor is no worker */
    struct orr_worker *other; /* victim, receiver, or worker to wake; or NULL */
    struct orr_job *job;      /* the task that is pushed or bound */
    /* worker to which @job is pushed; NULL: the shared queue */
    struct orr_worker *receiver;
    unsigned next_worker; /* index of the next worker to wake, to consider, or
                             to steal from */
    unsigned next_access; /* index of the next access of @job, of which the
                             datum is to be locked */
    orr_time begin;       /* date at which a worker could begin the task */
    orr_time least;       /* the cost of the best worker so far */
    unsigned added;       /* number of tasks added to the worker's own queue */
    unsigned tries;       /* attempts to find a task */
    bool woken;           /* some worker was woken */
    bool *result; /* set to whether a task was found, or a worker woken */
    struct orr_task *task; /* the task that is popped or bound */
    /* tasks that may be bound next */
    struct orr_task *candidates[ORR_LATE_CANDIDATES];
    unsigned candidate_count, candidate, best;
    struct orr_task **stolen;
};

/* Calls the script that begins with @first in @actor. @self: the worker of
 * @actor, or NULL. */
struct script *orr_script_call(struct orr_actor *actor, struct orr_run *run,
                               struct orr_worker *self,
                               const struct script_entry *first);

/* Scripts of pushes and pops that other files jump to. */
extern const struct script_entry orr_push_late[], orr_pop_late[], orr_pop_end[];

/* Results of a function that an entry calls. orr_script_jump(): the script
 * continues with @next. */
enum orr_next orr_script_jump(struct script *script,
                              const struct script_entry *next);
/* The entry is executed again. */
enum orr_next orr_script_repeat(struct script *script);
/* The entry is executed again once the state of script->other, whose lock is
 * held, is open. */
enum orr_next orr_script_await_other(struct orr_actor *actor,
                                     struct script *script);

/* For an entry: asks the model of the kernel of script->job how long it
 * takes. */
enum orr_next orr_script_ask_model(struct orr_actor *actor,
                                   struct script *script);

/* Among the data that memory @node would have to fetch for script->job: the
 * lock of the next one that is taken; NULL: no more. */
struct orr_spinlock *orr_script_find_taken(struct script *script,
                                           unsigned node);

/* For an entry: prefetches the data of script->job to script->receiver, one
 * after the other, under their locks. */
enum orr_next orr_script_prefetch(struct orr_actor *actor,
                                  struct script *script);

/* In a procedure: signals @worker, whose lock is held (StarPU, workers.c:
 * starpu_wakeup_worker_locked()). */
enum orr_next orr_script_signal(struct orr_actor *actor,
                                struct orr_worker *worker);

#endif
