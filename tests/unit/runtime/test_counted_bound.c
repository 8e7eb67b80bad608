/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* orr_bound_of_counts(): by hand, and against every distribution of tasks. */
#include "runtime/orrery.h"

#include <math.h>

#include "tests/support/cmocka_all.h"

enum { MOST_KINDS = 3, MOST_WORKERS = 3, MOST_TASKS = 4 };

/* Linear programs are solved to about seven digits. */
static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-6);
}

static void tasks_are_shared_unless_whole(void **state)
{
    const uint64_t tasks[] = {10};
    const double seconds[] = {1, 0.5};
    double counts[2];

    (void)state;
    assert_near(orr_bound_of_counts(1, tasks, 2, seconds, false, counts),
                10. / 3);
    assert_near(counts[0], 10. / 3);
    assert_near(counts[1], 20. / 3);
    assert_near(orr_bound_of_counts(1, tasks, 2, seconds, true, counts), 3.5);
    assert_near(counts[0], 3);
    assert_near(counts[1], 7);
}

static void workers_run_what_they_can(void **state)
{
    const uint64_t tasks[] = {4, 2};
    const double seconds[] = {1, INFINITY, INFINITY, 3};

    (void)state;
    assert_near(orr_bound_of_counts(2, tasks, 2, seconds, false, NULL), 6);
}

static void what_has_no_bound_is_said(void **state)
{
    const uint64_t tasks[] = {1, 0};
    const double nowhere[] = {INFINITY, INFINITY}, negative[] = {1, -1},
                 unknown[] = {NAN, 1};
    double counts[2] = {7, 7};

    (void)state;
    assert_true(isinf(orr_bound_of_counts(1, tasks, 2, nowhere, true, counts)));
    assert_near(counts[0] + counts[1], 0);
    assert_true(
        isnan(orr_bound_of_counts(1, tasks, 2, negative, false, counts)));
    assert_true(isnan(orr_bound_of_counts(1, tasks, 2, unknown, true, counts)));
    assert_true(isnan(orr_bound_of_counts(1, tasks, 0, NULL, false, NULL)));
    assert_near(orr_bound_of_counts(0, NULL, 0, NULL, true, NULL), 0);
    assert_near(orr_bound_of_counts(1, &tasks[1], 2, nowhere, true, NULL), 0);
}

/* Ten equal workers have so many equal distributions that the search ends
 * early. The value that it has proved by then is still a bound. */
static void a_search_that_ends_early_gives_a_bound(void **state)
{
    enum { WORKERS = 10 };
    const uint64_t tasks[] = {31, 27, 13};
    double seconds[3 * WORKERS], counts[3 * WORKERS], shared, whole;

    (void)state;
    for (unsigned i = 0; i < 3 * WORKERS; i++)
        seconds[i] = i / WORKERS == 0 ? 7.3 : i / WORKERS == 1 ? 5.9 : 3.1;
    shared = orr_bound_of_counts(3, tasks, WORKERS, seconds, false, NULL);
    assert_near(shared, (31 * 7.3 + 27 * 5.9 + 13 * 3.1) / WORKERS);
    whole = orr_bound_of_counts(3, tasks, WORKERS, seconds, true, counts);
    assert_true(whole >= shared - 1e-6 && whole < shared + 7.3);
    for (unsigned k = 0; k < 3; k++) {
        double sum = 0;

        for (unsigned w = 0; w < WORKERS; w++)
            sum += counts[k * WORKERS + w];
        assert_near(sum, (double)tasks[k]);
    }
}

struct instance {
    unsigned kinds, workers;
    uint64_t tasks[MOST_KINDS];
    double seconds[MOST_KINDS * MOST_WORKERS];
};

/* The least time for the tasks from number @left of kind @kind on, if worker w
 * has loads[w] already. */
static double best_of_all(const struct instance *instance, unsigned kind,
                          uint64_t left, double *loads)
{
    double best = INFINITY;

    while (kind < instance->kinds && left == 0)
        left = ++kind < instance->kinds ? instance->tasks[kind] : 0;
    if (kind == instance->kinds) {
        best = 0;
        for (unsigned w = 0; w < instance->workers; w++)
            best = fmax(best, loads[w]);
        return best;
    }
    for (unsigned w = 0; w < instance->workers; w++) {
        double takes = instance->seconds[kind * instance->workers + w];

        if (!isfinite(takes))
            continue;
        loads[w] += takes;
        best = fmin(best, best_of_all(instance, kind, left - 1, loads));
        loads[w] -= takes;
    }
    return best;
}

static void whole_bounds_are_the_best_distributions(void **state)
{
    GRand *rand = g_rand_new_with_seed(37);

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        struct instance instance = {
            .kinds = (unsigned)g_rand_int_range(rand, 1, MOST_KINDS + 1),
            .workers = (unsigned)g_rand_int_range(rand, 1, MOST_WORKERS + 1),
        };
        double loads[MOST_WORKERS] = {0}, best, found;

        for (unsigned k = 0; k < instance.kinds; k++)
            instance.tasks[k] = (uint64_t)g_rand_int_range(rand, 0, MOST_TASKS);
        for (unsigned s = 0; s < instance.kinds * instance.workers; s++)
            instance.seconds[s] = g_rand_int_range(rand, 0, 5) == 0
                                      ? INFINITY
                                      : g_rand_double_range(rand, 0.1, 9);
        best = best_of_all(&instance, 0, instance.tasks[0], loads);
        found =
            orr_bound_of_counts(instance.kinds, instance.tasks,
                                instance.workers, instance.seconds, true, NULL);
        if (isinf(best))
            assert_true(isinf(found));
        else
            assert_near(found, best);
    }
    g_rand_free(rand);
}

ORR_TESTS(counted_bound)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_shared_unless_whole),
        cmocka_unit_test(workers_run_what_they_can),
        cmocka_unit_test(what_has_no_bound_is_said),
        cmocka_unit_test(a_search_that_ends_early_gives_a_bound),
        cmocka_unit_test(whole_bounds_are_the_best_distributions),
    };

    return cmocka_run_group_tests_name("counted_bound", tests, NULL, NULL);
}
