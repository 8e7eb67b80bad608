/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CONCURRENT_H
#define ORR_CONCURRENT_H

#include "runtime/engine/actor.h"
#include "sched/sched.h"

/*
 * Calls of a concurrent policy (see sched.h) that may wait.
 *
 * The callers are the workers and the application. A call is a procedure of the
 * caller's actor that runs the policy's function in a coroutine. When the
 * function has to wait, for a lock (lock.h) or because a decider delays it, the
 * coroutine yields and the procedure waits instead: the actor does nothing else
 * until the call has ended.
 *
 * Other policies are called directly, without any of this.
 */
struct orr_run;
struct orr_coroutine;
struct orr_job;
struct orr_policy_lock;
struct orr_policy_cond;
struct orr_concurrency;
struct orr_detector;

enum orr_policy_call {
    ORR_CALL_NONE,
    ORR_CALL_PUSH,
    ORR_CALL_POP,
    ORR_CALL_STARTED,
    ORR_CALL_DONE,
    ORR_CALL_SCHEDULE,
    ORR_CALL_BYPASSED,
    ORR_CALL_SUBMITTED
};

/* Why a coroutine yielded. */
enum orr_policy_pause {
    ORR_PAUSE_ENDED,   /* the function has returned */
    ORR_PAUSE_SUSPEND, /* suspend until the actor is resumed */
    ORR_PAUSE_YIELD,  /* yield until all other events of this date have fired */
    ORR_PAUSE_SLEEP,  /* sleep for orr_caller.delay */
    ORR_PAUSE_PERFORM /* perform orr_caller.operation */
};

/* An operation that the actor of a caller performs in the middle of a call: a
 * function that begins it, as a procedure of the actor (actor.h), and its
 * arguments. */
struct orr_call_operation {
    enum orr_next (*begin)(struct orr_actor *actor, void *arguments);
    void *arguments;
};

struct orr_caller {
    struct orr_run *run;
    struct orr_actor *actor;
    unsigned index;                  /* worker, or ORR_NO_WORKER */
    struct orr_coroutine *coroutine; /* NULL: there was no call yet */

    enum orr_policy_call call; /* the call under way, or ORR_CALL_NONE */
    struct orr_task *task; /* argument of the call; after a pop, its result */
    struct orr_task submitted; /* of ORR_CALL_SUBMITTED: its job has none yet */
    uint64_t waits_since; /* value of orr_concurrency.clock when it last began
                             to wait or returned from a call */
    bool operated;        /* this call has used a lock, or woken a worker */
    enum orr_policy_pause pause;
    orr_time delay;                      /* ns, of ORR_PAUSE_SLEEP */
    struct orr_call_operation operation; /* of ORR_PAUSE_PERFORM */
    bool in_vain; /* it was preempted to wait for an operation that did not come
                   */

    /* For lock.c. */
    unsigned held;                     /* number of locks that it holds */
    uint64_t locks;                    /* the locks that it holds, a bit each */
    struct orr_policy_lock *awaited;   /* lock that it waits for, or NULL */
    bool tries;                        /* it tries @awaited again and again */
    struct orr_policy_cond *signaller; /* condition that it waits on, or NULL */
    struct orr_caller *next;           /* next in a list of waiters */
    unsigned relaxed; /* how often it has given its own lock back
                         (worker_locks.h) */
};

/* Observers of calls. All members are set. */
struct orr_call_hooks {
    /* The coroutine of @caller runs in this thread from now on; NULL: no
     * coroutine does. */
    void (*enter)(struct orr_caller *caller);
    void (*begin)(struct orr_caller *caller);
    /* @id: number of the task of the call, which may have ended since. */
    void (*end)(struct orr_caller *caller, uint64_t id);
    void (*free)(struct orr_concurrency *concurrency);
};

struct orr_concurrency {
    const struct orr_call_hooks *hooks;
    struct orr_run *run;
    uint64_t clock;             /* counts pushes, waits and returns */
    struct orr_caller *callers; /* workers, and last the threads of the
                                   application */
    unsigned count;             /* of them; ORR_MAX_THREADS are threads */
    GPtrArray *locks;           /* struct orr_policy_lock, owned */
    GPtrArray *conds;           /* struct orr_policy_cond, owned */

    /* Called when @caller has returned from a call; NULL: no lock exists. */
    void (*check_returned)(struct orr_caller *caller);
    struct orr_lock **worker_locks; /* by worker (worker_locks.h); NULL: none */
    unsigned *indices;              /* scratch for a decision */

    struct orr_detector *detector; /* detector of data races (accesses.h); NULL:
                                      there was no access yet */
};

/* Fails if a concurrent policy has functions that cannot be called so. */
bool orr_concurrency_check(const struct orr_run *run, GError **error);

struct orr_concurrency *orr_concurrency_new(struct orr_run *run);
void orr_concurrency_free(struct orr_concurrency *concurrency);

/* Calls the policy's function on @actor, which continues when the function has
 * returned. */
void orr_concurrency_call(struct orr_run *run, struct orr_actor *actor,
                          enum orr_policy_call call, struct orr_task *task);

/* The application is about to wait: calls the operation schedule. */
void orr_concurrency_schedule(struct orr_run *run);

/* @actor submits @job, of a policy with the operation submitted: calls it, as
 * orr_concurrency_call(). */
void orr_concurrency_submitted(struct orr_run *run, struct orr_actor *actor,
                               struct orr_job *job);

/* Whether a call by @worker has not returned. */
bool orr_concurrency_calls(const struct orr_run *run, unsigned worker);

/* The result of the last pop by @worker, or NULL. */
struct orr_task *orr_concurrency_popped(const struct orr_run *run,
                                        unsigned worker);

/* For the diagnosis of a hang: lets @worker, which sleeps, pop once more. Sets
 * *@task to the result. Returns false if the pop had to wait. */
bool orr_concurrency_ask(struct orr_run *run, unsigned worker,
                         struct orr_task **task);

/* Whether the last failed pop of @worker came after the push of @job, which the
 * policy holds, had begun: it was woken too early. */
bool orr_run_overtook(const struct orr_run *run, unsigned worker,
                      const struct orr_job *job);

/* Whether a push of @job has not returned yet. Sets *@caller_index to its
 * caller: a worker, or ORR_NO_WORKER. */
bool orr_run_pushing(const struct orr_run *run, const struct orr_job *job,
                     unsigned *caller_index);

/* The caller that acts in @run; NULL: none acts, or not in a call. */
struct orr_caller *orr_concurrency_caller(const struct orr_run *run);

/* @caller begins to wait: sets @caller->waits_since. */
void orr_caller_mark_waiting(struct orr_caller *caller);

/* In a call: waits as @pause says. */
void orr_caller_pause(struct orr_caller *caller, enum orr_policy_pause pause);

/* In a call: returns when @begin, a procedure of the caller's actor, and what
 * it calls have ended. */
void orr_caller_perform(struct orr_caller *caller,
                        enum orr_next (*begin)(struct orr_actor *actor,
                                               void *arguments),
                        void *arguments);

/* Ends the run with an error that names the policy and the caller. In a call it
 * does not return. */
void orr_concurrency_fail(struct orr_run *run, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* As orr_concurrency_fail(), with the code @code (error.h) instead of
 * ORR_ERROR_POLICY. */
void orr_concurrency_fail_as(struct orr_run *run, int code, const char *format,
                             ...) G_GNUC_PRINTF(3, 4);

/* As orr_concurrency_fail_as(); takes the text @what. */
void orr_concurrency_fail_with(struct orr_run *run, int code, char *what);

/* Ends the run with an error that names the policy, not in a call. */
void orr_concurrency_blame(struct orr_run *run, int code, const char *format,
                           ...) G_GNUC_PRINTF(3, 4);

/* "GPU0", or "the application". */
const char *orr_caller_name(const struct orr_run *run, unsigned index);

/* "push", ... */
const char *orr_policy_call_name(enum orr_policy_call call);

#endif
