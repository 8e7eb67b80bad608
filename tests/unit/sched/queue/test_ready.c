/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/host.h"
#include "sched/queue/ready.h"
#include "tests/support/cmocka_all.h"

enum { A, B, C, D, TASKS = 300 };
enum { NODE = 2 };

#define HUGE (((uint64_t)1 << 42) - 1) /* bytes */

struct fixture {
    struct orr_sched_host host;
    struct orr_sched *sched;
    struct orr_ready queue;
    struct orr_task tasks[TASKS];
    struct orr_missing missing[TASKS];
    uint64_t arrivals[TASKS]; /* 0: not in the queue */
    uint64_t last_arrival;
    unsigned looks; /* calls of missing */
    unsigned watched;
    unsigned approached;
};

static void fake_missing(void *data, const struct orr_task *task, unsigned node,
                         struct orr_missing *missing)
{
    struct fixture *f = data;

    assert_int_equal(node, NODE);
    f->looks++;
    *missing = f->missing[task->id];
}

static void fake_watch(void *data, struct orr_task *task, unsigned node,
                       struct orr_missing *missing)
{
    struct fixture *f = data;

    assert_int_equal(node, NODE);
    assert_ptr_equal(task, &f->tasks[task->id]);
    f->watched++;
    f->looks++;
    *missing = f->missing[task->id];
}

static void fake_approach(void *data, const struct orr_task *task,
                          unsigned node)
{
    struct fixture *f = data;

    assert_int_equal(node, NODE);
    assert_ptr_equal(task, &f->tasks[task->id]);
    f->approached++;
}

static const struct orr_sched_ops no_policy = {.name = "none"};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->host = (struct orr_sched_host){
        .data = f,
        .missing = fake_missing,
        .watch = fake_watch,
        .prefetch_cache = fake_approach,
    };
    f->sched = orr_sched_new(&no_policy, &f->host);
    f->queue.node = NODE;
    for (unsigned i = 0; i < TASKS; i++)
        f->tasks[i].id = i;
    *state = f;
    return 0;
}

static int setup_sorted(void **state)
{
    struct fixture *f;

    setup(state);
    f = *state;
    f->queue.sorted = true;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_ready_clear(&f->queue);
    orr_sched_free(f->sched);
    g_free(f);
    return 0;
}

static void push(struct fixture *f, unsigned task, int priority,
                 uint64_t invalid_bytes)
{
    f->tasks[task].priority = priority;
    f->missing[task] = (struct orr_missing){.invalid_bytes = invalid_bytes};
    f->arrivals[task] = ++f->last_arrival;
    orr_ready_push(&f->queue, &f->tasks[task]);
}

/* Fails unless the tasks come out in the order of @letters, and no others. */
static void assert_pops(struct fixture *f, const char *letters)
{
    for (; *letters; letters++) {
        struct orr_task *task = orr_ready_pop(&f->queue, f->sched);

        assert_non_null(task);
        assert_int_equal("abcd"[task->id], *letters);
    }
    assert_null(orr_ready_pop(&f->queue, f->sched));
}

static void fewest_missing_bytes_come_first(void **state)
{
    struct fixture *f = *state;

    push(f, A, 0, 30);
    push(f, B, 0, 10);
    push(f, C, 0, 0);
    push(f, D, 0, 20);
    assert_pops(f, "cbda");
}

static void oldest_wins_ties(void **state)
{
    struct fixture *f = *state;

    push(f, C, 0, 10);
    push(f, A, 0, 10);
    push(f, D, 0, 10);
    push(f, B, 0, 10);
    assert_pops(f, "cadb");
}

static void lack(struct fixture *f, unsigned task, uint64_t invalid_bytes,
                 uint64_t unstarted_bytes, uint64_t unallocated_bytes)
{
    f->missing[task] = (struct orr_missing){
        .invalid_bytes = invalid_bytes,
        .unstarted_bytes = unstarted_bytes,
        .unallocated_bytes = unallocated_bytes,
    };
    orr_ready_touch(&f->tasks[task]);
}

static void loads_started_then_buffers_decide_among_equals(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = A; i <= D; i++)
        push(f, i, 0, 0);
    lack(f, A, 5, 0, 0);
    lack(f, B, 4, 2, 0);
    lack(f, C, 4, 1, 9);
    lack(f, D, 4, 1, 8);
    assert_pops(f, "dcba");
}

/* A is the head: B, less urgent, has to wait for it although it lacks less. */
static void less_urgent_than_the_oldest_waits(void **state)
{
    struct fixture *f = *state;

    push(f, A, 1, 30);
    push(f, B, 0, 0);
    push(f, C, 2, 20);
    push(f, D, 1, 10);
    assert_pops(f, "dcab");
}

static void sorted_the_readiest_of_the_most_urgent_comes_first(void **state)
{
    struct fixture *f = *state;

    push(f, A, 1, 0);
    push(f, B, 2, 20);
    push(f, C, 2, 10);
    push(f, D, 3, 30);
    assert_pops(f, "dcba");
}

static void task_touched_is_looked_at_again_once(void **state)
{
    struct fixture *f = *state;

    push(f, A, 0, 10);
    push(f, B, 0, 20);
    push(f, C, 0, 30);
    push(f, D, 0, 0);
    assert_int_equal(f->looks, 0);
    assert_ptr_equal(orr_ready_pop(&f->queue, f->sched), &f->tasks[D]);
    assert_int_equal(f->looks, 4);
    assert_int_equal(f->approached, 3); /* all but the first */
    lack(f, C, 15, 0, 0);
    lack(f, A, 25, 0, 0);
    lack(f, C, 5, 0, 0);
    assert_int_equal(f->looks, 4);
    assert_pops(f, "cba");
    assert_int_equal(f->looks, 6);
}

static void task_may_get_worse_and_better(void **state)
{
    struct fixture *f = *state;

    push(f, A, 0, 10);
    push(f, B, 0, 20);
    push(f, C, 0, 30);
    push(f, D, 0, 0);
    assert_ptr_equal(orr_ready_pop(&f->queue, f->sched), &f->tasks[D]);
    lack(f, B, 40, 0, 0);
    push(f, D, 0, 0);
    assert_ptr_equal(orr_ready_pop(&f->queue, f->sched), &f->tasks[D]);
    lack(f, B, 25, 0, 0);
    lack(f, A, 27, 0, 0);
    assert_pops(f, "bac");
}

/* And more than any machine has counts as equal. */
static void bytes_of_each_kind_count_up_to_a_limit(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = A; i <= D; i++)
        push(f, i, 0, 0);
    lack(f, A, HUGE, HUGE, HUGE);
    lack(f, B, HUGE, HUGE - 1, HUGE);
    lack(f, C, HUGE, HUGE - 1, HUGE - 1);
    lack(f, D, HUGE + 1, 0, 0);
    assert_pops(f, "dcba");
}

static void only_candidates_are_watched(void **state)
{
    struct fixture *f = *state;

    push(f, A, 2, 10);
    push(f, B, 1, 0);
    push(f, C, 2, 20);
    assert_int_equal(f->watched, 0);
    assert_ptr_equal(orr_ready_pop(&f->queue, f->sched), &f->tasks[A]);
    assert_int_equal(f->watched, 2);
    push(f, D, 2, 30);
    assert_pops(f, "cdb");
    assert_int_equal(f->watched, 4);
}

static void cleared_queue_is_empty_and_can_be_used_again(void **state)
{
    struct fixture *f = *state;

    push(f, A, 0, 10);
    push(f, B, 0, 20);
    lack(f, B, 5, 0, 0);
    orr_ready_clear(&f->queue);
    assert_null(orr_ready_pop(&f->queue, f->sched));
    push(f, D, 0, 10);
    push(f, C, 0, 0);
    assert_pops(f, "cd");
}

static bool is_queued(const struct fixture *f, unsigned task)
{
    return f->arrivals[task] != 0;
}

static bool is_head(const struct fixture *f, unsigned task, unsigned other)
{
    int urgency = f->tasks[task].priority - f->tasks[other].priority;

    if (f->queue.sorted && urgency != 0)
        return urgency > 0;
    return f->arrivals[task] < f->arrivals[other];
}

static bool is_readier(const struct fixture *f, unsigned task, unsigned other)
{
    const struct orr_missing *a = &f->missing[task], *b = &f->missing[other];

    if (a->invalid_bytes != b->invalid_bytes)
        return a->invalid_bytes < b->invalid_bytes;
    if (a->unstarted_bytes != b->unstarted_bytes)
        return a->unstarted_bytes < b->unstarted_bytes;
    if (a->unallocated_bytes != b->unallocated_bytes)
        return a->unallocated_bytes < b->unallocated_bytes;
    return f->arrivals[task] < f->arrivals[other];
}

/* The task that ought to come next, found by looking at all; or TASKS. */
static unsigned expected(const struct fixture *f)
{
    unsigned head = TASKS, best;

    for (unsigned i = 0; i < TASKS; i++) {
        if (is_queued(f, i) && (head == TASKS || is_head(f, i, head)))
            head = i;
    }
    best = head;
    for (unsigned i = 0; i < TASKS; i++) {
        if (is_queued(f, i) &&
            f->tasks[i].priority >= f->tasks[head].priority &&
            is_readier(f, i, best))
            best = i;
    }
    return best;
}

static void assert_pops_expected(struct fixture *f)
{
    unsigned task = expected(f);

    assert_ptr_equal(orr_ready_pop(&f->queue, f->sched),
                     task == TASKS ? NULL : &f->tasks[task]);
    if (task != TASKS)
        f->arrivals[task] = 0;
}

/* Few values, so that there are ties of every sort. */
static void touch_or_push(struct fixture *f, unsigned task, GRand *rand)
{
    if (!is_queued(f, task))
        push(f, task, g_rand_int_range(rand, -2, 3),
             (uint64_t)g_rand_int_range(rand, 0, 6));
    else
        lack(f, task, (uint64_t)g_rand_int_range(rand, 0, 6),
             (uint64_t)g_rand_int_range(rand, 0, 3),
             (uint64_t)g_rand_int_range(rand, 0, 2));
}

static void order_is_that_of_a_scan_of_all_tasks(void **state)
{
    enum { STEPS = 6000 };
    struct fixture *f = *state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(42);

    for (unsigned step = 0; step < STEPS; step++) {
        /* Fills at first, then empties. */
        int pops = step < STEPS / 2 ? 1 : 4;

        if (g_rand_int_range(rand, 0, 8) < pops)
            assert_pops_expected(f);
        else
            touch_or_push(f, (unsigned)g_rand_int_range(rand, 0, TASKS), rand);
    }
    while (expected(f) != TASKS)
        assert_pops_expected(f);
    assert_pops_expected(f);
}

ORR_TESTS(ready)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define SORTED(test)                                                           \
    cmocka_unit_test_setup_teardown(test, setup_sorted, teardown)
        T(fewest_missing_bytes_come_first),
        T(oldest_wins_ties),
        T(loads_started_then_buffers_decide_among_equals),
        T(less_urgent_than_the_oldest_waits),
        SORTED(sorted_the_readiest_of_the_most_urgent_comes_first),
        T(task_touched_is_looked_at_again_once),
        T(task_may_get_worse_and_better),
        T(bytes_of_each_kind_count_up_to_a_limit),
        SORTED(only_candidates_are_watched),
        T(cleared_queue_is_empty_and_can_be_used_again),
        T(order_is_that_of_a_scan_of_all_tasks),
        SORTED(order_is_that_of_a_scan_of_all_tasks),
#undef SORTED
#undef T
    };

    return cmocka_run_group_tests_name("ready", tests, NULL, NULL);
}
