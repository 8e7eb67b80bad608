/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The guard of a policy. */
#include "sched/guard/policy_guard.h"

#include "sched/registry.h"
#include "tests/support/obedient_policy.h"

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
    assert_fails(&f, "given-twice",
                 "policy obey: pop(), called by left, returns task 2, "
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
    assert_fails(&f, "policy",
                 "policy obey (./obey.so): pop(), called by right, returns "
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
    assert_fails(&f, "wrong-worker",
                 "policy obey: pop(), called by left, returns task 1 "
                 "(gemm), which it cannot run");
    stop(&f);
}

static void choose_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orders *orders = orr_sched_state(sched);

    orr_sched_choose_implementation(sched, task, orders->implementation);
}

static const struct orr_sched_ops choose = {
    .name = "choose",
    .state_size = sizeof(struct orders),
    .push = choose_push,
    .pop = obey_pop,
};

/* Of the kernels of the hand-made machine, which have one implementation. */
static void a_choice_is_one_of_the_implementations(void **state)
{
    struct fixture f = {.error = NULL};

    (void)state;
    start(&f, &choose, NULL);
    orders_of(&f)->implementation = 0;
    orr_sched_push(f.sched, &f.tasks[0]);
    assert_null(f.error);
    orders_of(&f)->implementation = 1;
    orr_sched_push(f.sched, &f.tasks[1]);
    assert_fails(&f, "policy",
                 "policy choose: push() of task 1 (gemm), called by the "
                 "application, calls orr_sched_choose_implementation() for "
                 "implementation 1; there are 1");
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
    assert_fails(&f, "policy",
                 "policy obey: pop(), called by left, returns a pointer "
                 "that is not a task");
    stop(&f);
}

/* Two runs in one thread, by turns: each error names its own policy. */
static void crashes_are_told_apart(void **state)
{
    struct fixture f = {.error = NULL}, g = {.error = NULL};

    (void)state;
    catch_signals();
    start(&f, &obey, "f.so");
    start(&g, &obey, "g.so");
    orders_of(&f)->crash = orders_of(&g)->crash = true;
    assert_null(orr_sched_pop(f.sched, 0));
    orr_guard_restore_stack(orr_policy_guard_calls(f.guard));
    orr_sched_push(g.sched, &g.tasks[2]);
    orr_guard_restore_stack(orr_policy_guard_calls(g.guard));
    assert_null(f.error);
    assert_fails(&g, "crash",
                 "policy obey (g.so): push() of task 2 (gemm), called by "
                 "the application, crashes: segmentation fault");
    orr_sched_push(f.sched, &f.tasks[1]);
    assert_fails(&f, "crash",
                 "policy obey (f.so): push() of task 1 (gemm), called by "
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
    assert_fails(&f, "crash",
                 "policy obey: push() of task 0 (gemm), called by the "
                 "application, calls exit()");
    orr_guard_catch_exit();
    stop(&f);
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
    orr_guard_restore_stack(orr_policy_guard_calls(f.guard));
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
    assert_null(orr_guard_leave(
        orr_policy_guard_calls(f.guard))); /* none is under way */
    orr_guard_enter(orr_policy_guard_calls(f.guard), NULL);
    assert_null(orr_guard_leave(NULL));
    orr_guard_enter(NULL, NULL);
    orr_guard_restore_stack(NULL);
    orr_guard_free(NULL);
    orr_policy_guard_free(NULL);
    stop(&f);
}

ORR_TESTS(guard)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_hands_on_what_is_right),
        cmocka_unit_test(the_memory_of_a_task_may_be_another_later),
        cmocka_unit_test(what_is_no_task_is_not_looked_at),
        cmocka_unit_test(a_worker_is_not_given_what_it_cannot_run),
        cmocka_unit_test(a_choice_is_one_of_the_implementations),
        cmocka_unit_test(who_has_failed_is_not_called_again),
        cmocka_unit_test(crashes_are_told_apart),
        cmocka_unit_test(the_end_of_the_program_is_an_error_in_a_call_alone),
        cmocka_unit_test(the_stack_for_signals_is_the_threads_again),
        cmocka_unit_test(nothing_may_be_left_and_entered),
    };

    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
