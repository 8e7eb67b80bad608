/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which tasks darts plans, and what it evicts, on a hand-made machine: one GPU,
 * worker 0 on node 1. A task reads up to three data; loading one takes 10, a
 * task 100.
 */
#include "sched/evict_host.h"
#include "sched/registry.h"
#include "tests/support/policy_fixture.h"

enum { TASKS = 8, DATA = 8, NONE = 99 };

struct fixture {
    struct policy_fixture p; /* first */
    struct orr_task tasks[TASKS];
    unsigned reads[TASKS][3]; /* NONE: no more */
    bool present[DATA];       /* on node 1 */
    unsigned prefetches;
    struct orr_evict_host evict_host;
};

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    (void)data;
    (void)task;
    (void)worker;
    return 100;
}

static bool fake_access(void *data, const struct orr_task *task, unsigned i,
                        struct orr_task_access *access)
{
    const struct fixture *f = data;

    if (i == 3 || f->reads[task->id][i] == NONE)
        return false;
    *access = (struct orr_task_access){
        .datum = f->reads[task->id][i],
        .bytes = 1,
        .reads = true,
    };
    return true;
}

static bool fake_has(void *data, uint64_t datum, unsigned node)
{
    const struct fixture *f = data;

    return node == 0 || f->present[datum];
}

static orr_time fake_load(void *data, uint64_t datum, unsigned node)
{
    return fake_has(data, datum, node) ? 0 : 10;
}

static void fake_missing(void *data, const struct orr_task *task, unsigned node,
                         struct orr_missing *missing)
{
    struct orr_task_access access;

    *missing = (struct orr_missing){.invalid_bytes = 0};
    for (unsigned i = 0; fake_access(data, task, i, &access); i++)
        missing->invalid_bytes += !fake_has(data, access.datum, node);
}

/* Prefetched data are there at once. */
static void fake_prefetch(void *data, struct orr_task *task, unsigned worker)
{
    struct fixture *f = data;
    struct orr_task_access access;

    (void)worker;
    f->prefetches++;
    for (unsigned i = 0; fake_access(data, task, i, &access); i++)
        f->present[access.datum] = true;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, 1, 1);
    f->p.host.duration = fake_duration;
    f->p.host.access = fake_access;
    f->p.host.has = fake_has;
    f->p.host.load = fake_load;
    f->p.host.missing = fake_missing;
    f->p.host.prefetch = fake_prefetch;
    for (unsigned i = 0; i < TASKS; i++) {
        f->tasks[i] = (struct orr_task){.id = i, .kernel = "gemm"};
        f->reads[i][0] = f->reads[i][1] = f->reads[i][2] = NONE;
    }
    policy_fixture_start(&f->p, "darts");
    f->evict_host.sched = f->p.sched;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    policy_fixture_clear(&f->p);
    g_free(f);
    return 0;
}

static void push(struct fixture *f, unsigned task, unsigned a, unsigned b,
                 int priority)
{
    f->reads[task][0] = a;
    f->reads[task][1] = b;
    f->tasks[task].priority = priority;
    orr_sched_push(f->p.sched, &f->tasks[task]);
}

static void expect_pop(struct fixture *f, unsigned task)
{
    const struct orr_task *popped = orr_sched_pop(f->p.sched, 0);

    assert_non_null(popped);
    assert_int_equal(popped->id, task);
}

static void the_first_task_is_the_most_urgent(void **state)
{
    struct fixture *f = *state;

    push(f, 0, 0, 1, 1);
    push(f, 1, 2, 3, 5);
    push(f, 2, 4, 5, 3);
    expect_pop(f, 1);
}

/* With data 0 and 1 there, datum 2 lets tasks 2 and 3 run, datum 3 only task 1,
 * though that is more urgent. It overtakes task 2 in the queue, later. */
static void the_datum_that_serves_most_tasks_is_loaded(void **state)
{
    struct fixture *f = *state;

    push(f, 0, 0, 1, 9);
    push(f, 1, 0, 3, 8);
    push(f, 2, 0, 2, 0);
    push(f, 3, 1, 2, 0);
    expect_pop(f, 0);
    expect_pop(f, 3); /* the newest user of datum 2 first */
    expect_pop(f, 1);
    expect_pop(f, 2);
    assert_null(orr_sched_pop(f->p.sched, 0));
}

/* Once task 0 is pushed, its data are known. Task 1 needs no load then, so it
 * is planned; the other tasks wait for a choice. */
static void a_task_whose_data_are_there_is_planned_at_once(void **state)
{
    struct fixture *f = *state;

    f->present[0] = f->present[1] = true;
    push(f, 0, 0, 1, 0);
    push(f, 2, 4, 5, 0);
    push(f, 1, 0, 1, 0);
    expect_pop(f, 1);
    expect_pop(f, 0);
    expect_pop(f, 2);
}

static size_t choose(struct fixture *f, const uint64_t *data, size_t count,
                     bool waits)
{
    const struct orr_evict_need need = {.node = 1, .datum = 7, .waits = waits};
    struct orr_evict_candidate candidates[DATA];
    struct orr_evict *evict =
        orr_evict_new(orr_sched_find("darts")->evict, &f->evict_host);
    size_t chosen;

    for (size_t i = 0; i < count; i++)
        candidates[i] = (struct orr_evict_candidate){.datum = data[i]};
    chosen = evict->ops->choose(evict, &need, candidates, count);
    if (chosen != ORR_EVICT_NONE)
        orr_evict_evicted(evict, 1, data[chosen], 0);
    orr_evict_free(evict);
    return chosen;
}

/* Task 0 was pulled, and reads 0 and 1; nothing reads 2 any more. */
static void what_nothing_needs_goes_first(void **state)
{
    static const uint64_t data[] = {0, 2, 1};
    struct fixture *f = *state;

    push(f, 1, 2, NONE, 9);
    expect_pop(f, 1);
    orr_sched_done(f->p.sched, &f->tasks[1], 0);
    push(f, 0, 0, 1, 0);
    expect_pop(f, 0);
    assert_int_equal(choose(f, data, 3, false), 1);
}

/* Tasks 0 and 1 are pulled; 3 is accessed last, by task 1. */
static void what_is_needed_last_goes_for_a_task_that_waits(void **state)
{
    static const uint64_t data[] = {0, 1, 3, 2};
    struct fixture *f = *state;

    push(f, 0, 0, 1, 9);
    push(f, 1, 2, 3, 5);
    expect_pop(f, 0);
    expect_pop(f, 1);
    assert_true(choose(f, data, 4, false) == ORR_EVICT_NONE);
    assert_int_equal(choose(f, data, 4, true), 2);
}

ORR_TESTS(darts)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(the_first_task_is_the_most_urgent),
        T(the_datum_that_serves_most_tasks_is_loaded),
        T(a_task_whose_data_are_there_is_planned_at_once),
        T(what_nothing_needs_goes_first),
        T(what_is_needed_last_goes_for_a_task_that_waits),
#undef T
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
