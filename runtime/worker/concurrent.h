/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CONCURRENT_H
#define ORR_CONCURRENT_H

#include "runtime/engine/actor.h"
#include "sched/host.h"

/*
 * How actors call a concurrent policy (see sched.h), and wait in it.
 *
 * Workers and the application are its callers. A call is a procedure of the
 * caller's actor that runs the policy's function in a coroutine of its own.
 * When the function has to wait, for a lock (lock.h) or because a decider
 * holds it back, the coroutine yields, and the procedure waits in its place:
 * the actor takes no part in anything else until the call has ended.
 *
 * Ordinary policies are called directly; none of this exists for them.
 */
struct orr_run;
struct orr_coroutine;
struct orr_job;
struct orr_policy_lock;
struct orr_policy_cond;

enum orr_policy_call {
    ORR_CALL_NONE,
    ORR_CALL_PUSH,
    ORR_CALL_POP,
    ORR_CALL_STARTED,
    ORR_CALL_DONE
};

/* Why a coroutine yielded. */
enum orr_policy_pause {
    ORR_PAUSE_ENDED,   /* the function has returned */
    ORR_PAUSE_SUSPEND, /* until the actor is resumed */
    ORR_PAUSE_YIELD,   /* until the rest of what is due has happened */
    ORR_PAUSE_SLEEP    /* for some time */
};

struct orr_caller {
    struct orr_run *run;
    struct orr_actor *actor;
    unsigned who;                    /* worker, or ORR_NO_WORKER */
    struct orr_coroutine *coroutine; /* NULL: it has not called yet */

    enum orr_policy_call call; /* under way, or ORR_CALL_NONE */
    struct orr_task *task;     /* of the call; of the last pop: its result */
    uint64_t looked; /* when it last began to wait, or a call returned: an
                        order among all callers */
    bool operated;   /* on a lock or a sleeper, in this call */
    enum orr_policy_pause pause;
    orr_time delay; /* of a sleep */

    /* For lock.c. */
    unsigned held;                     /* locks */
    struct orr_policy_lock *awaited;   /* lock, or NULL */
    bool tries;                        /* it does not wait, but tries again */
    struct orr_policy_cond *signaller; /* condition that it waits on */
    struct orr_caller *next;           /* who waits for the same */
};

struct orr_concurrency {
    struct orr_run *run;
    uint64_t clock;             /* counts what the order tells apart */
    struct orr_caller *callers; /* workers, and last the application */
    unsigned count;
    GPtrArray *locks; /* of lock.h, and */
    GPtrArray *conds; /* its conditions; owned */

    /* NULL until there is a lock: @caller has returned from a call. */
    void (*check_returned)(struct orr_caller *caller);
    unsigned *who; /* room for a decision */
};

/* Whether the policy of a run could be called so; it says why not. */
bool orr_concurrency_check(const struct orr_sched_ops *ops, GError **error);

struct orr_concurrency *orr_concurrency_new(struct orr_run *run);
void orr_concurrency_free(struct orr_concurrency *concurrency);

/* Calls, on @actor, the policy's function; goes on when it has returned. */
void orr_concurrency_call(struct orr_run *run, struct orr_actor *actor,
                          enum orr_policy_call call, struct orr_task *task);

/* What the last pop by @worker has returned. */
struct orr_task *orr_concurrency_popped(const struct orr_run *run,
                                        unsigned worker);

/*
 * For the diagnosis of a run in which nothing happens any more: has @worker,
 * which sleeps, ask for a task once more. Returns whether it got an answer,
 * which is in *@task, and did not have to wait.
 */
bool orr_concurrency_ask(struct orr_run *run, unsigned worker,
                         struct orr_task **task);

/* Whether @worker last looked for work in vain after the push of @job, which
 * the policy holds, had begun: a wake-up that came too early. */
bool orr_run_overtook(const struct orr_run *run, unsigned worker,
                      const struct orr_job *job);

/* Whose push of @job has not returned yet: a worker, or ORR_NO_WORKER. Returns
 * whether there is somebody. */
bool orr_run_pushing(const struct orr_run *run, const struct orr_job *job,
                     unsigned *who);

/* Who acts in @run, if in a call; else NULL. */
struct orr_caller *orr_concurrency_caller(const struct orr_run *run);

/* Notes that @caller, which found nothing, looks no further. */
void orr_caller_looked(struct orr_caller *caller);

/* In a call: waits, as @caller->pause says. */
void orr_caller_pause(struct orr_caller *caller, enum orr_policy_pause pause);

/*
 * Before and after each operation on locks or sleepers: others may come in
 * between if the run's decider says so.
 */
void orr_concurrency_before(struct orr_run *run);
void orr_concurrency_after(struct orr_run *run);

/* Ends the run with an error that names the policy and who called it. In a
 * call it does not return. */
void orr_concurrency_fail(struct orr_run *run, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* "GPU0", or "the application". */
const char *orr_caller_name(const struct orr_run *run, unsigned who);

/* "push", ... */
const char *orr_policy_call_name(enum orr_policy_call call);

#endif
