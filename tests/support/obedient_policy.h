/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OBEDIENT_POLICY_H
#define ORR_OBEDIENT_POLICY_H

#include <signal.h>
#include <unistd.h>

#include "models/base/error.h"
#include "sched/guard/policy_guard.h"
#include "tests/support/cmocka_all.h"

/* A guard, between a hand-made machine of two workers and a policy that does as
 * it is told. */
enum { WORKERS = 2, TASKS = 3 };

struct fixture {
    struct orr_sched_host host;
    struct orr_task tasks[TASKS];
    GError *error;
    struct orr_policy_guard *guard;
    struct orr_sched *sched;
};

/* What the policy below does next. */
struct orders {
    struct orr_task *pop;
    bool crash;
    bool exit;
    volatile bool loop;
    bool hide;    /* from the signals of the watch */
    gint in_loop; /* atomic: it has hidden, and loops */
    unsigned calls;
    unsigned implementation; /* to choose */
};

static inline unsigned fake_node(void *data, unsigned worker)
{
    (void)data;
    return worker;
}

static inline orr_time fake_duration(void *data, const struct orr_task *task,
                                     unsigned worker)
{
    (void)data;
    return task->priority < 0 && worker == 0 ? ORR_NEVER : 1;
}

static inline const orr_time *fake_durations(void *data,
                                             const struct orr_task *task)
{
    static const orr_time both[WORKERS] = {1, 1};
    static const orr_time right[WORKERS] = {ORR_NEVER, 1};

    (void)data;
    return task->priority < 0 ? right : both;
}

static inline bool fake_wake(void *data, unsigned worker)
{
    (void)data;
    (void)worker;
    return false;
}

static inline const char *fake_name(void *data, unsigned worker)
{
    (void)data;
    return worker == 0 ? "left" : "right";
}

static inline void set_hidden(bool hidden)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, ORR_GUARD_SIGNAL);
    pthread_sigmask(hidden ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL);
}

static inline void obey_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orders *orders = orr_sched_state(sched);

    (void)task;
    orders->calls++;
    if (orders->crash)
        raise(SIGSEGV);
    if (orders->exit)
        orr_guard_catch_exit();
    if (orders->hide)
        set_hidden(true);
    g_atomic_int_set(&orders->in_loop, 1);
    while (orders->loop)
        ;
}

static inline struct orr_task *obey_pop(struct orr_sched *sched,
                                        unsigned worker)
{
    struct orders *orders = orr_sched_state(sched);

    (void)worker;
    orders->calls++;
    return orders->pop;
}

static const struct orr_sched_ops obey = {
    .name = "obey",
    .state_size = sizeof(struct orders),
    .push = obey_push,
    .pop = obey_pop,
};

static inline void start_watched(struct fixture *f,
                                 const struct orr_sched_ops *policy,
                                 const char *file,
                                 struct orr_guard_watch *watch)
{
    f->host = (struct orr_sched_host){
        .workers = WORKERS,
        .node = fake_node,
        .duration = fake_duration,
        .durations = fake_durations,
        .wake = fake_wake,
        .name = fake_name,
    };
    for (unsigned i = 0; i < TASKS; i++)
        f->tasks[i] = (struct orr_task){.id = i, .kernel = "gemm"};
    f->guard = orr_policy_guard_new(policy, file, &f->host, watch, &f->error);
    f->sched = orr_sched_new(orr_policy_guard_policy(f->guard),
                             orr_policy_guard_host(f->guard));
}

static inline void start(struct fixture *f, const struct orr_sched_ops *policy,
                         const char *file)
{
    start_watched(f, policy, file, NULL);
}

static inline void stop(struct fixture *f)
{
    orr_sched_free(f->sched);
    orr_policy_guard_free(f->guard);
    g_clear_error(&f->error);
}

static inline struct orders *orders_of(const struct fixture *f)
{
    return orr_sched_state(f->sched);
}

/* Of the kind @kind: see models/base/error.h. */
static inline void assert_fails(const struct fixture *f, const char *kind,
                                const char *message)
{
    assert_non_null(f->error);
    if (!f->error) /* what the analyzer does not know */
        return;
    assert_string_equal(orr_error_policy_kind(f->error), kind);
    assert_string_equal(f->error->message, message);
}

static inline void handle(int signal, siginfo_t *info, void *context)
{
    if (orr_guard_catch(signal, info, context))
        _exit(1);
}

static inline void catch_signals(void)
{
    struct sigaction action = {
        .sa_sigaction = handle,
        .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
    };

    sigaddset(&action.sa_mask, ORR_GUARD_SIGNAL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(ORR_GUARD_SIGNAL, &action, NULL);
}

#endif
