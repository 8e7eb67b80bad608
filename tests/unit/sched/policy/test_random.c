/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The policy random, on a hand-made machine of four workers. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/policy_fixture.h"

enum { WORKERS = 4, ALL = 0xf, TASKS = 4000 };

struct fixture {
    struct policy_fixture p; /* first */
    double speeds[WORKERS];
    unsigned runs_on; /* a bit each */
};

static double fake_speed(void *data, unsigned worker)
{
    const struct fixture *f = data;

    return f->speeds[worker];
}

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    const struct fixture *f = data;

    (void)task;
    return f->runs_on & 1u << worker ? 100 : ORR_NEVER;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, 0, WORKERS);
    f->p.host.speed = fake_speed;
    f->p.host.duration = fake_duration;
    for (unsigned w = 0; w < WORKERS; w++)
        f->speeds[w] = 1;
    f->runs_on = ALL;
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

static void start(struct fixture *f, uint64_t seed)
{
    f->p.host.seed = seed;
    g_string_truncate(f->p.woken, 0);
    policy_fixture_start(&f->p, "random");
}

/* Which worker a task of @priority goes to: the one that pops it. */
static unsigned destination(struct fixture *f)
{
    struct orr_task task = {.id = 0};

    orr_sched_push(f->p.sched, &task);
    for (unsigned w = 0; w < WORKERS; w++) {
        if (orr_sched_pop(f->p.sched, w) == &task)
            return w;
    }
    fail();
    return 0;
}

/* drand48() from srand48(0): 0.1708, 0.7499, 0.0964, 0.8705, 0.5773, 0.7858. */
static void equal_workers_share_the_known_draws_of_seed_0(void **state)
{
    const unsigned expected[] = {0, 2, 0, 3, 2, 3};
    struct fixture *f = *state;

    start(f, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++)
        assert_int_equal(destination(f), expected[i]);
    assert_string_equal(f->p.woken->str, "020323");
}

static void the_draws_are_those_of_drand48_for_any_seed(void **state)
{
    const uint64_t seeds[] = {0, 1, 77, UINT32_MAX, UINT32_MAX + UINT64_C(8)};
    struct fixture *f = *state;

    for (unsigned s = 0; s < G_N_ELEMENTS(seeds); s++) {
        start(f, seeds[s]);
        srand48((long)(seeds[s] & UINT32_MAX));
        for (unsigned i = 0; i < 100; i++)
            assert_int_equal(destination(f), (unsigned)(drand48() * WORKERS));
    }
}

/* The same draws of a total of 10: 1.7, 7.5, 0.96, 8.7, 5.8, 7.9. */
static void the_faster_get_more(void **state)
{
    const unsigned expected[] = {0, 1, 0, 2, 0, 2};
    struct fixture *f = *state;

    f->speeds[0] = 6.5;
    f->speeds[2] = 1.5;
    start(f, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++)
        assert_int_equal(destination(f), expected[i]);
}

static void shares_tend_to_the_speeds(void **state)
{
    const double speeds[] = {13.33, 13.33, 0.5, 0.5};
    struct fixture *f = *state;
    unsigned counts[WORKERS] = {0};

    for (unsigned w = 0; w < WORKERS; w++)
        f->speeds[w] = speeds[w];
    start(f, 3);
    for (unsigned i = 0; i < TASKS; i++)
        counts[destination(f)]++;
    for (unsigned w = 0; w < WORKERS; w++) {
        double share = speeds[w] / 27.66;

        /* Four standard deviations of a binomial law. */
        assert_true(fabs(counts[w] - TASKS * share) <
                    4 * sqrt(TASKS * share * (1 - share)));
    }
}

/* Of a total of 2: 0.34, 1.5, 0.19, 1.7. */
static void who_cannot_run_a_task_takes_no_share(void **state)
{
    const unsigned expected[] = {1, 3, 1, 3};
    struct fixture *f = *state;

    f->runs_on = 1u << 1 | 1u << 3;
    start(f, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++)
        assert_int_equal(destination(f), expected[i]);
}

static void a_worker_takes_the_most_urgent_then_the_oldest(void **state)
{
    struct orr_task tasks[] = {{.id = 0},
                               {.id = 1, .priority = 4},
                               {.id = 2},
                               {.id = 3, .priority = 4}};
    const uint64_t expected[] = {1, 3, 0, 2};
    struct fixture *f = *state;

    f->runs_on = 1u << 2;
    start(f, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        orr_sched_push(f->p.sched, &tasks[i]);
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        assert_int_equal(orr_sched_pop(f->p.sched, 2)->id, expected[i]);
    assert_null(orr_sched_pop(f->p.sched, 2));
}

ORR_TESTS(random)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(equal_workers_share_the_known_draws_of_seed_0),
        T(the_draws_are_those_of_drand48_for_any_seed),
        T(the_faster_get_more),
        T(shares_tend_to_the_speeds),
        T(who_cannot_run_a_task_takes_no_share),
        T(a_worker_takes_the_most_urgent_then_the_oldest),
#undef T
    };

    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
