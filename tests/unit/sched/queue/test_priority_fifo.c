/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/priority_fifo.h"
#include "tests/support/cmocka_all.h"

enum { A, B, C, D, TASKS = 300 };

struct fixture {
    struct orr_priority_fifo queue;
    struct orr_task tasks[TASKS];
    bool queued[TASKS];
    uint64_t arrivals;
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    for (unsigned i = 0; i < TASKS; i++)
        f->tasks[i].id = i;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_priority_fifo_clear(&f->queue);
    g_free(f);
    return 0;
}

static void push(struct fixture *f, unsigned task, int priority)
{
    f->tasks[task].priority = priority;
    f->tasks[task].arrival = f->arrivals++;
    f->queued[task] = true;
    orr_priority_fifo_push(&f->queue, &f->tasks[task]);
}

/* Fails unless the tasks come out in the order of @letters, and no others. */
static void assert_pops(struct fixture *f, const char *letters)
{
    for (; *letters; letters++) {
        const struct orr_task *first = orr_priority_fifo_first(&f->queue);

        assert_non_null(first);
        assert_int_equal("abcd"[first->id], *letters);
        assert_ptr_equal(orr_priority_fifo_pop(&f->queue), first);
    }
    assert_null(orr_priority_fifo_first(&f->queue));
    assert_null(orr_priority_fifo_pop(&f->queue));
}

static void an_empty_queue_has_no_task(void **state)
{
    assert_pops(*state, "");
}

static void the_most_urgent_comes_first(void **state)
{
    struct fixture *f = *state;

    push(f, A, 0);
    push(f, B, INT_MAX);
    push(f, C, INT_MIN);
    push(f, D, 1);
    assert_pops(f, "bdac");
}

static void the_oldest_wins_ties(void **state)
{
    struct fixture *f = *state;

    push(f, D, -3);
    push(f, A, 7);
    push(f, C, -3);
    push(f, B, -3);
    assert_pops(f, "adcb");
}

/* B takes the place of A in the table of recent chains. */
static void the_oldest_wins_though_its_chain_was_lost(void **state)
{
    struct fixture *f = *state;

    push(f, A, 5);
    push(f, B, 5 + ORR_PRIORITY_FIFO_RECENT);
    push(f, C, 5);
    push(f, D, 5);
    assert_pops(f, "bacd");
}

/* The chain of A, which the table has lost, ends before the chain of C. */
static void a_chain_that_ends_leaves_another_where_it_was(void **state)
{
    struct fixture *f = *state;

    push(f, A, 5);
    push(f, B, 5 + ORR_PRIORITY_FIFO_RECENT);
    push(f, C, 5);
    assert_ptr_equal(orr_priority_fifo_pop(&f->queue), &f->tasks[B]);
    assert_ptr_equal(orr_priority_fifo_pop(&f->queue), &f->tasks[A]);
    push(f, D, 5);
    assert_pops(f, "cd");
}

static void a_cleared_queue_is_empty_and_can_be_used_again(void **state)
{
    struct fixture *f = *state;

    push(f, A, 1);
    push(f, B, 2);
    assert_non_null(orr_priority_fifo_pop(&f->queue));
    orr_priority_fifo_clear(&f->queue);
    assert_pops(f, "");
    push(f, C, 1);
    push(f, D, 1);
    assert_pops(f, "cd");
}

static bool precedes(const struct orr_task *a, const struct orr_task *b)
{
    return a->priority != b->priority ? a->priority > b->priority
                                      : a->arrival < b->arrival;
}

/* The task that ought to come next, found by looking at all; or TASKS. */
static unsigned expected(const struct fixture *f)
{
    unsigned best = TASKS;

    for (unsigned i = 0; i < TASKS; i++) {
        if (f->queued[i] &&
            (best == TASKS || precedes(&f->tasks[i], &f->tasks[best])))
            best = i;
    }
    return best;
}

static void assert_pops_expected(struct fixture *f)
{
    unsigned task = expected(f);

    assert_ptr_equal(orr_priority_fifo_pop(&f->queue),
                     task == TASKS ? NULL : &f->tasks[task]);
    if (task != TASKS)
        f->queued[task] = false;
}

/* Pops two tasks, if there are, and puts both back. */
static void pop_and_put_back(struct fixture *f)
{
    struct orr_task *first = orr_priority_fifo_pop(&f->queue);
    struct orr_task *second = orr_priority_fifo_pop(&f->queue);

    if (second)
        orr_priority_fifo_push_first(&f->queue, second);
    if (first)
        orr_priority_fifo_push_first(&f->queue, first);
}

/* Priorities, some of which share their place in the table. */
static void order_is_that_of_a_scan_of_all_tasks(void **state)
{
    enum { STEPS = 6000 };
    struct fixture *f = *state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(42);

    for (unsigned step = 0; step < STEPS; step++) {
        unsigned task = (unsigned)g_rand_int_range(rand, 0, TASKS);
        int priority = g_rand_int_range(rand, -3, 4) +
                       ORR_PRIORITY_FIFO_RECENT * g_rand_int_range(rand, -2, 3);

        if (step % 3 == 0)
            pop_and_put_back(f);
        if (g_rand_boolean(rand))
            assert_pops_expected(f);
        else if (!f->queued[task])
            push(f, task, priority);
    }
    while (expected(f) != TASKS)
        assert_pops_expected(f);
    assert_pops_expected(f);
}

ORR_TESTS(priority_fifo)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(an_empty_queue_has_no_task),
        T(the_most_urgent_comes_first),
        T(the_oldest_wins_ties),
        T(the_oldest_wins_though_its_chain_was_lost),
        T(a_chain_that_ends_leaves_another_where_it_was),
        T(a_cleared_queue_is_empty_and_can_be_used_again),
        T(order_is_that_of_a_scan_of_all_tasks),
#undef T
    };

    return cmocka_run_group_tests_name("urgent", tests, NULL, NULL);
}
