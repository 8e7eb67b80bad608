/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that do not return, and calls within calls. */
#include "sched/guard/guard.h"

#include "tests/support/obedient_policy.h"

/* A thread that ticks as fast as it can, from when the policy loops. With too
 * many ticks it gives a call up before the thread of the call runs again. */
struct ticker {
    struct orr_guard_watch *watch;
    volatile bool *loop; /* set to false when a call is given up; or NULL */
    unsigned most;       /* ticks */
    gint stop;           /* atomic */
    gint *begin;         /* atomic */
    char *error;         /* of the watch */
    GThread *thread;
};

static gpointer tick(gpointer data)
{
    struct ticker *ticker = data;

    while (!g_atomic_int_get(ticker->begin))
        g_thread_yield();
    for (unsigned i = 0; i < ticker->most && !g_atomic_int_get(&ticker->stop);
         i++) {
        const char *error = orr_guard_watch_tick(ticker->watch);

        if (!error)
            continue;
        ticker->error = g_strdup(error);
        if (ticker->loop)
            *ticker->loop = false; /* the call may end from here on */
        break;
    }
    return NULL;
}

static void push_and_tick(struct fixture *f, struct ticker *ticker)
{
    ticker->begin = &orders_of(f)->in_loop;
    ticker->thread = g_thread_new("tick", tick, ticker);
    orr_sched_push(f->sched, &f->tasks[0]);
    g_atomic_int_set(&ticker->stop, 1);
    g_thread_join(ticker->thread);
}

static void a_call_that_does_not_return_is_ended(void **state)
{
    struct orr_guard_watch *watch = orr_guard_watch_new(0.3);
    struct fixture f = {.error = NULL};
    struct ticker ticker = {.watch = watch, .most = 3 + 1};

    (void)state;
    assert_int_equal(orr_guard_watch_limit(watch), 3);
    catch_signals();
    start_watched(&f, &obey, NULL, watch);
    orders_of(&f)->loop = true;
    push_and_tick(&f, &ticker);
    assert_fails(&f, "no-return",
                 "policy obey: push() of task 0 (gemm), called by the "
                 "application, does not return within 0.3 s");
    stop(&f);
    g_free(ticker.error);
    orr_guard_watch_free(watch);
}

static void a_call_that_cannot_be_ended_is_given_up(void **state)
{
    struct orr_guard_watch *watch = orr_guard_watch_new(10);
    struct fixture f = {.error = NULL};
    struct ticker ticker = {.watch = watch, .most = UINT_MAX};

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

/* A call of an application, in which it pushes a task. */
struct outer_call {
    struct orr_guard_call call; /* first member */
    struct fixture *fixture;
    struct ticker *ticker;
    bool crashes;
    bool returns;
};

static void push_within(struct orr_guard_call *call)
{
    struct outer_call *outer = (struct outer_call *)call;
    struct fixture *f = outer->fixture;

    if (outer->ticker)
        push_and_tick(f, outer->ticker);
    else
        orr_sched_push(f->sched, &f->tasks[0]);
    orr_guard_restore_stack(orr_policy_guard_calls(f->guard));
    if (outer->crashes)
        raise(SIGSEGV);
    outer->returns = true;
}

static const struct orr_guarded application = {
    .kind = "application",
    .name = "outer",
    .file = "./outer.so",
    .code = (const void *)(uintptr_t)push_within,
};

/* The application crashes, after a policy has. */
static void a_call_in_a_call_has_errors_of_its_own(void **state)
{
    struct fixture f = {.error = NULL};
    struct outer_call outer = {
        {.function = "submit", .invoke = push_within}, &f, NULL, true, false};
    GError *error = NULL;
    struct orr_guard *guard =
        orr_guard_new(&application, ORR_ERROR_VALUE, NULL, &error);

    (void)state;
    catch_signals();
    start(&f, &obey, NULL);
    orders_of(&f)->crash = true;
    assert_false(orr_guard_perform(guard, &outer.call));
    assert_false(outer.returns);
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_string_equal(error->message, "application outer (./outer.so): "
                                        "submit() crashes: segmentation fault");
    assert_fails(&f, "crash",
                 "policy obey: push() of task 0 (gemm), called by the "
                 "application, crashes: segmentation fault");
    assert_false(orr_guard_perform(guard, &outer.call)); /* not called again */
    g_clear_error(&error);
    stop(&f);
    orr_guard_free(guard);
}

/* The application waits for the policy, which is to blame. */
static void the_inner_call_is_overdue(void **state)
{
    struct orr_guard_watch *watch = orr_guard_watch_new(0.3);
    struct fixture f = {.error = NULL};
    struct ticker ticker = {.watch = watch, .most = UINT_MAX};
    struct outer_call outer = {{.function = "submit", .invoke = push_within},
                               &f,
                               &ticker,
                               false,
                               false};
    GError *error = NULL;
    struct orr_guard *guard =
        orr_guard_new(&application, ORR_ERROR_VALUE, watch, &error);

    (void)state;
    catch_signals();
    start_watched(&f, &obey, NULL, watch);
    orders_of(&f)->loop = orders_of(&f)->hide = true;
    ticker.loop = &orders_of(&f)->loop;
    assert_true(orr_guard_perform(guard, &outer.call));
    set_hidden(false);
    assert_true(outer.returns);
    assert_null(error);
    assert_string_equal(ticker.error,
                        "policy obey: push() of task 0 (gemm), called by the "
                        "application, does not return within 0.3 s");
    stop(&f);
    orr_guard_free(guard);
    g_free(ticker.error);
    orr_guard_watch_free(watch);
}

static void go_on(struct orr_guard_call *call)
{
    struct outer_call *outer = (struct outer_call *)call;

    for (unsigned i = 0; i < 100; i++) {
        assert_null(orr_guard_watch_tick(outer->ticker->watch));
        orr_guard_progress(orr_policy_guard_calls(outer->fixture->guard));
    }
    outer->returns = true;
}

static void a_call_that_goes_on_is_not_overdue(void **state)
{
    struct orr_guard_watch *watch = orr_guard_watch_new(0.1);
    struct fixture f = {.error = NULL};
    struct ticker ticker = {.watch = watch};
    struct outer_call outer = {
        {.function = "submit", .invoke = go_on}, &f, &ticker, false, false};

    (void)state;
    start_watched(&f, &obey, NULL, watch);
    assert_true(
        orr_guard_perform(orr_policy_guard_calls(f.guard), &outer.call));
    assert_true(outer.returns);
    stop(&f);
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

ORR_TESTS(guard_watch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_does_not_return_is_ended),
        cmocka_unit_test(a_call_that_cannot_be_ended_is_given_up),
        cmocka_unit_test(a_call_in_a_call_has_errors_of_its_own),
        cmocka_unit_test(the_inner_call_is_overdue),
        cmocka_unit_test(a_call_that_goes_on_is_not_overdue),
        cmocka_unit_test(ticks_between_calls_do_not_count),
    };

    return cmocka_run_group_tests_name("guard_watch", tests, NULL, NULL);
}
