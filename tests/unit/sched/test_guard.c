/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The guard, between a hand-made machine of two workers and policies that do
 * as they are told. */
#include "sched/guard/guard.h"

#include <signal.h>
#include <unistd.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

enum { WORKERS = 2, TASKS = 3 };

struct fixture {
    struct orr_sched_host host;
    struct orr_task tasks[TASKS];
    GError *error;
    struct orr_guard *guard;
    struct orr_sched *sched;
};

/* What the policy below does next. */
struct orders {
    struct orr_task *pop;
    bool crash;
    bool exit;
    volatile bool loop;
    bool hide; /* from the signals of the watch */
    unsigned calls;
};

static unsigned fake_node(void *data, unsigned worker)
{
    (void)data;
    return worker;
}

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    (void)data;
    return task->priority < 0 && worker == 0 ? ORR_NEVER : 1;
}

static const orr_time *fake_durations(void *data, const struct orr_task *task)
{
    static const orr_time both[WORKERS] = {1, 1};
    static const orr_time right[WORKERS] = {ORR_NEVER, 1};

    (void)data;
    return task->priority < 0 ? right : both;
}

static bool fake_wake(void *data, unsigned worker)
{
    (void)data;
    (void)worker;
    return false;
}

static const char *fake_name(void *data, unsigned worker)
{
    (void)data;
    return worker == 0 ? "left" : "right";
}

static void set_hidden(bool hidden)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, ORR_GUARD_SIGNAL);
    pthread_sigmask(hidden ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL);
}

static void obey_push(struct orr_sched *sched, struct orr_task *task)
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
    while (orders->loop)
        ;
}

static struct orr_task *obey_pop(struct orr_sched *sched, unsigned worker)
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

static void start_watched(struct fixture *f, const struct orr_sched_ops *policy,
                          const char *file, struct orr_guard_watch *watch)
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
    f->guard = orr_guard_new(policy, file, &f->host, watch, &f->error);
    f->sched =
        orr_sched_new(orr_guard_policy(f->guard), orr_guard_host(f->guard));
}

static void start(struct fixture *f, const struct orr_sched_ops *policy,
                  const char *file)
{
    start_watched(f, policy, file, NULL);
}

static void stop(struct fixture *f)
{
    orr_sched_free(f->sched);
    orr_guard_free(f->guard);
    g_clear_error(&f->error);
}

static struct orders *orders_of(const struct fixture *f)
{
    return orr_sched_state(f->sched);
}

static void assert_fails(const struct fixture *f, const char *message)
{
    assert_true(g_error_matches(f->error, ORR_ERROR, ORR_ERROR_POLICY));
    assert_string_equal(f->error ? f->error->message : "", message);
}

static void it_hands_on_what_is_right(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, orr_sched_find("eager"), NULL);
    for (unsigned i = 0; i < TASKS; i++)
        orr_sched_push(f.sched, &f.tasks[i]);
    for (unsigned i = 0; i < TASKS; i++)
        assert_ptr_equal(orr_sched_pop(f.sched, i % WORKERS), &f.tasks[i]);
    assert_null(orr_sched_pop(f.sched, 0));
    assert_null(f.error);
    stop(&f);
}

static void the_memory_of_a_task_may_be_another_later(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, &obey, NULL);
    orders_of(&f)->pop = &f.tasks[0];
    for (unsigned i = 0; i < 3; i++) {
        f.tasks[0].id = i;
        orr_sched_push(f.sched, &f.tasks[0]);
        assert_ptr_equal(orr_sched_pop(f.sched, 1), &f.tasks[0]);
    }
    assert_null(f.error);
    assert_null(orr_sched_pop(f.sched, 0));
    assert_fails(&f, "policy obey: pop(), called by left, returns task 2, "
                     "which right was given already");
    stop(&f);
}

static void what_is_no_task_is_not_looked_at(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, &obey, "./obey.so");
    orders_of(&f)->pop = (struct orr_task *)(uintptr_t)16;
    assert_null(orr_sched_pop(f.sched, 1));
    assert_fails(&f, "policy obey (./obey.so): pop(), called by right, returns "
                     "a pointer that is not a task");
    stop(&f);
}

static void a_worker_is_not_given_what_it_cannot_run(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, &obey, NULL);
    f.tasks[1].priority = -1;
    orr_sched_push(f.sched, &f.tasks[1]);
    orders_of(&f)->pop = &f.tasks[1];
    assert_null(orr_sched_pop(f.sched, 0));
    assert_fails(&f, "policy obey: pop(), called by left, returns task 1 "
                     "(gemm), which it cannot run");
    stop(&f);
}

static void who_has_failed_is_not_called_again(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, &obey, NULL);
    orders_of(&f)->pop = &f.tasks[0];
    assert_null(orr_sched_pop(f.sched, 0));
    assert_int_equal(orders_of(&f)->calls, 1);
    orr_sched_push(f.sched, &f.tasks[0]);
    assert_null(orr_sched_pop(f.sched, 0));
    assert_int_equal(orders_of(&f)->calls, 1);
    assert_fails(&f, "policy obey: pop(), called by left, returns a pointer "
                     "that is not a task");
    stop(&f);
}

static void handle(int signal, siginfo_t *info, void *context)
{
    if (orr_guard_catch(signal, info, context))
        _exit(1);
}

static void catch_signals(void)
{
    struct sigaction action = {
        .sa_sigaction = handle,
        .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
    };

    sigaction(SIGSEGV, &action, NULL);
    sigaction(ORR_GUARD_SIGNAL, &action, NULL);
}

/* Two runs in one thread, by turns: each crash is that of its own policy. */
static void crashes_are_told_apart(void **state)
{
    struct fixture f = {.error = NULL}, g = {.error = NULL};

    (void)state;
    catch_signals();
    start(&f, &obey, "f.so");
    start(&g, &obey, "g.so");
    orders_of(&f)->crash = orders_of(&g)->crash = true;
    assert_null(orr_sched_pop(f.sched, 0));
    orr_guard_rest(f.guard);
    orr_sched_push(g.sched, &g.tasks[2]);
    orr_guard_rest(g.guard);
    assert_null(f.error);
    assert_fails(&g, "policy obey (g.so): push() of task 2 (gemm), called by "
                     "the application, crashes: segmentation fault");
    orr_sched_push(f.sched, &f.tasks[1]);
    assert_fails(&f, "policy obey (f.so): push() of task 1 (gemm), called by "
                     "the application, crashes: segmentation fault");
    stop(&f);
    stop(&g);
}

static void the_end_of_the_program_is_an_error_in_a_call_alone(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, &obey, NULL);
    orr_guard_catch_exit();
    orders_of(&f)->exit = true;
    orr_sched_push(f.sched, &f.tasks[0]);
    assert_fails(&f, "policy obey: push() of task 0 (gemm), called by the "
                     "application, calls exit()");
    orr_guard_catch_exit();
    stop(&f);
}

/* A thread that ticks as fast as it can, until it is told to stop. */
struct ticker {
    struct orr_guard_watch *watch;
    volatile bool *loop; /* set to false when a call is given up; or NULL */
    gint stop;           /* atomic */
    char *error;         /* of the watch */
    GThread *thread;
};

static gpointer tick(gpointer data)
{
    struct ticker *ticker = data;

    while (!g_atomic_int_get(&ticker->stop)) {
        const char *error = orr_guard_watch_tick(ticker->watch);

        if (!error || ticker->error)
            continue;
        ticker->error = g_strdup(error);
        if (ticker->loop)
            *ticker->loop = false;
    }
    return NULL;
}

static void push_and_tick(struct fixture *f, struct ticker *ticker)
{
    ticker->thread = g_thread_new("tick", tick, ticker);
    orr_sched_push(f->sched, &f->tasks[0]);
    g_atomic_int_set(&ticker->stop, 1);
    g_thread_join(ticker->thread);
}

static void a_call_that_does_not_return_is_ended(void **state)
{
    struct orr_guard_watch *watch = orr_guard_watch_new(0.3);
    struct fixture f = {.error = NULL};
    struct ticker ticker = {.watch = watch};

    (void)state;
    assert_int_equal(orr_guard_watch_limit(watch), 3);
    catch_signals();
    start_watched(&f, &obey, NULL, watch);
    orders_of(&f)->loop = true;
    push_and_tick(&f, &ticker);
    assert_fails(&f, "policy obey: push() of task 0 (gemm), called by the "
                     "application, does not return within 0.3 s");
    stop(&f);
    g_free(ticker.error);
    orr_guard_watch_free(watch);
}

static void a_call_that_cannot_be_ended_is_given_up(void **state)
{
    struct orr_guard_watch *watch = orr_guard_watch_new(10);
    struct fixture f = {.error = NULL};
    struct ticker ticker = {.watch = watch};

    (void)state;
    catch_signals();
    start_watched(&f, &obey, "./obey.so", watch);
    orders_of(&f)->loop = orders_of(&f)->hide = true;
    ticker.loop = &orders_of(&f)->loop;
    push_and_tick(&f, &ticker);
    set_hidden(false); /* now it comes, too late */
    assert_null(f.error);
    assert_string_equal(ticker.error,
                        "policy obey (./obey.so): push() of task 0 (gemm), "
                        "called by the application, does not return within "
                        "10 s");
    stop(&f);
    g_free(ticker.error);
    orr_guard_watch_free(watch);
}

static void ticks_between_calls_do_not_count(void **state)
{
    struct orr_guard_watch *watch = orr_guard_watch_new(0.1);
    struct fixture f = {.error = NULL};

    (void)state;
    start_watched(&f, &obey, NULL, watch);
    for (unsigned i = 0; i < 100; i++) {
        assert_null(orr_sched_pop(f.sched, 0));
        assert_null(orr_guard_watch_tick(watch));
    }
    assert_null(f.error);
    stop(&f);
    assert_null(orr_guard_watch_tick(watch));
    orr_guard_watch_free(watch);
}

static void the_stack_for_signals_is_the_threads_again(void **state)
{
    struct fixture f = {.error = NULL};
    stack_t before, during, after;

    (void)state;
    sigaltstack(NULL, &before);
    start(&f, &obey, NULL);
    assert_null(orr_sched_pop(f.sched, 0));
    sigaltstack(NULL, &during);
    assert_true(during.ss_sp != before.ss_sp);
    orr_guard_rest(f.guard);
    sigaltstack(NULL, &after);
    assert_int_equal(after.ss_flags, before.ss_flags);
    assert_true(after.ss_flags == SS_DISABLE || after.ss_sp == before.ss_sp);
    stop(&f);
}

static void nothing_may_be_left_and_entered(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, &obey, NULL);
    assert_null(orr_guard_leave(f.guard)); /* none is under way */
    orr_guard_enter(f.guard, NULL);
    assert_null(orr_guard_leave(NULL));
    orr_guard_enter(NULL, NULL);
    orr_guard_rest(NULL);
    orr_guard_free(NULL);
    stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_hands_on_what_is_right),
        cmocka_unit_test(the_memory_of_a_task_may_be_another_later),
        cmocka_unit_test(what_is_no_task_is_not_looked_at),
        cmocka_unit_test(a_worker_is_not_given_what_it_cannot_run),
        cmocka_unit_test(who_has_failed_is_not_called_again),
        cmocka_unit_test(crashes_are_told_apart),
        cmocka_unit_test(the_end_of_the_program_is_an_error_in_a_call_alone),
        cmocka_unit_test(a_call_that_does_not_return_is_ended),
        cmocka_unit_test(a_call_that_cannot_be_ended_is_given_up),
        cmocka_unit_test(ticks_between_calls_do_not_count),
        cmocka_unit_test(the_stack_for_signals_is_the_threads_again),
        cmocka_unit_test(nothing_may_be_left_and_entered),
    };

    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
