/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds of small workloads, by hand and against every schedule. */
#include "models/bounds/bounds.h"

#include <math.h>
#include <string.h>

#include "models/rng.h"
#include "tests/support/cmocka_all.h"

enum { MAX_TASKS = 6, MAX_WORKERS = 4 };

#define PRECISION 1e-6

static void *copy(const void *from, size_t bytes)
{
    void *to = g_malloc0(MAX(bytes, 1));

    return memcpy(to, from, bytes);
}

/* Task i is of kernel of[i]; without dependencies or data. */
static struct orr_workload *workload_new(unsigned kernels, unsigned classes,
                                         const unsigned *workers,
                                         const double *seconds, unsigned tasks,
                                         const unsigned *of)
{
    struct orr_workload *workload = g_new0(struct orr_workload, 1);

    workload->kernel_count = kernels;
    workload->class_count = classes;
    workload->workers = copy(workers, classes * sizeof(*workers));
    workload->seconds =
        copy(seconds, (gsize)kernels * classes * sizeof(*seconds));
    workload->task_count = tasks;
    workload->kernels = copy(of, tasks * sizeof(*of));
    workload->first_predecessor = g_new0(size_t, tasks + 1);
    workload->predecessors = g_new0(unsigned, (gsize)tasks *tasks);
    workload->first_access = g_new0(size_t, tasks + 1);
    return workload;
}

/* Task @after, the last so far that got any, waits for @before, too. */
static void depend(struct orr_workload *workload, unsigned after,
                   unsigned before)
{
    workload->predecessors[workload->first_predecessor[after + 1]] = before;
    for (unsigned t = after + 1; t <= workload->task_count; t++)
        workload->first_predecessor[t]++;
}

static void the_area_is_shared_by_all_workers(void **state)
{
    const unsigned workers[] = {2, 1}, of[10] = {0};
    const double seconds[] = {1, 0.5};
    struct orr_workload *workload =
        workload_new(1, 2, workers, seconds, 10, of);

    (void)state;
    /* In 2.5 s, 2 x 2.5 tasks on the CPUs and 5 on the GPU. */
    assert_float_equal(orr_bound_area(workload), 2.5, PRECISION);
    workload->workers[0] = 0;
    assert_float_equal(orr_bound_area(workload), 5, PRECISION);
    orr_workload_free(workload);
}

static void kernels_go_where_they_are_fast(void **state)
{
    const unsigned workers[] = {1, 1}, of[] = {0, 0, 0, 0, 1, 1, 1, 1};
    const double seconds[] = {1, 1, 4, 1};
    struct orr_workload *workload = workload_new(2, 2, workers, seconds, 8, of);

    (void)state;
    assert_float_equal(orr_bound_area(workload), 4, PRECISION);
    orr_workload_free(workload);
}

static void who_cannot_does_not(void **state)
{
    const unsigned workers[] = {8, 1}, of[] = {0, 0, 0};
    const double seconds[] = {INFINITY, 2};
    struct orr_workload *workload = workload_new(1, 2, workers, seconds, 3, of);

    (void)state;
    assert_float_equal(orr_bound_area(workload), 6, PRECISION);
    assert_float_equal(orr_bound_mixed(workload), 6, PRECISION);
    workload->workers[1] = 0; /* nobody is left */
    assert_true(isinf(orr_bound_area(workload)));
    assert_true(isinf(orr_bound_critical_path(workload)));
    assert_true(isinf(orr_bound_mixed(workload)));
    orr_workload_free(workload);
}

static void the_critical_path_takes_the_fastest(void **state)
{
    /* A diamond with a slow side: 0 to 1 or 2, to 3. */
    const unsigned workers[] = {1, 1}, of[] = {0, 1, 2, 0};
    const double seconds[] = {3, 1, 2, 5, 9, 7};
    struct orr_workload *workload = workload_new(3, 2, workers, seconds, 4, of);

    (void)state;
    depend(workload, 1, 0);
    depend(workload, 2, 0);
    depend(workload, 3, 1);
    depend(workload, 3, 2);
    assert_float_equal(orr_bound_critical_path(workload), 1 + 7 + 1, PRECISION);
    workload->workers[1] = 0;
    assert_float_equal(orr_bound_critical_path(workload), 3 + 9 + 3, PRECISION);
    orr_workload_free(workload);
}

/*
 * A chain of four that a CPU does in 2 s and a GPU in 1, and four others that
 * keep the GPU busy for 4 s. With x of the chain on the GPU, the areas ask for
 * 2 (4 - x) = 4 + x = 16/3; the chain for 8 - x = 4 + x = 6.
 */
static void a_path_weighs_on_the_mixed_bound(void **state)
{
    const unsigned workers[] = {1, 1}, of[] = {0, 0, 0, 0, 1, 1, 1, 1};
    const double seconds[] = {2, 1, INFINITY, 1};
    struct orr_workload *workload = workload_new(2, 2, workers, seconds, 8, of);

    (void)state;
    for (unsigned t = 1; t < 4; t++)
        depend(workload, t, t - 1);
    assert_float_equal(orr_bound_critical_path(workload), 4, PRECISION);
    assert_float_equal(orr_bound_area(workload), 16.0 / 3, PRECISION);
    assert_float_equal(orr_bound_mixed(workload), 6, PRECISION);
    orr_workload_free(workload);
}

static void no_task_takes_no_time(void **state)
{
    const unsigned workers[] = {1, 1}, of[] = {0};
    const double seconds[] = {2, 1};
    struct orr_workload *workload = workload_new(1, 2, workers, seconds, 0, of);

    (void)state;
    assert_float_equal(orr_bound_area(workload), 0, PRECISION);
    assert_float_equal(orr_bound_critical_path(workload), 0, PRECISION);
    assert_float_equal(orr_bound_mixed(workload), 0, PRECISION);
    orr_workload_free(workload);
}

/* A schedule in the making: tasks are appended to workers. */
struct schedule {
    const struct orr_workload *workload;
    unsigned worker_count;
    unsigned class_of[MAX_WORKERS];
    double free_at[MAX_WORKERS];
    double ends[MAX_TASKS]; /* NAN: not yet placed */
    double makespan;
    double best;
};

/* When @task could start; NAN if it waits for one that is not placed. */
static double ready_at(const struct schedule *schedule, unsigned task)
{
    const struct orr_workload *workload = schedule->workload;
    double ready = 0;

    for (size_t p = workload->first_predecessor[task];
         p < workload->first_predecessor[task + 1]; p++) {
        double end = schedule->ends[workload->predecessors[p]];

        if (isnan(end))
            return NAN;
        ready = fmax(ready, end);
    }
    return ready;
}

static void try_all(struct schedule *schedule, unsigned left);

static void place(struct schedule *schedule, unsigned left, unsigned task,
                  unsigned worker)
{
    const struct orr_workload *workload = schedule->workload;
    double before = schedule->free_at[worker], makespan = schedule->makespan;
    double end =
        fmax(before, ready_at(schedule, task)) +
        workload->seconds[workload->kernels[task] * workload->class_count +
                          schedule->class_of[worker]];

    schedule->ends[task] = schedule->free_at[worker] = end;
    schedule->makespan = fmax(makespan, end);
    if (schedule->makespan < schedule->best)
        try_all(schedule, left - 1);
    schedule->ends[task] = NAN;
    schedule->free_at[worker] = before;
    schedule->makespan = makespan;
}

static void try_all(struct schedule *schedule, unsigned left)
{
    if (left == 0) {
        schedule->best = schedule->makespan;
        return;
    }
    for (unsigned t = 0; t < schedule->workload->task_count; t++) {
        if (!isnan(schedule->ends[t]) || isnan(ready_at(schedule, t)))
            continue;
        for (unsigned w = 0; w < schedule->worker_count; w++)
            place(schedule, left, t, w);
    }
}

/* The makespan of the best of all schedules. */
static double optimum(const struct orr_workload *workload)
{
    struct schedule schedule = {.workload = workload, .best = INFINITY};

    for (unsigned c = 0; c < workload->class_count; c++) {
        for (unsigned w = 0; w < workload->workers[c]; w++)
            schedule.class_of[schedule.worker_count++] = c;
    }
    for (unsigned t = 0; t < workload->task_count; t++)
        schedule.ends[t] = NAN;
    try_all(&schedule, workload->task_count);
    return schedule.best;
}

static unsigned draw(uint64_t seed, unsigned *counter, unsigned below)
{
    return (unsigned)(orr_rng_uniform(seed, 0, (*counter)++) * below);
}

/* Two kernels, up to 2 + 1 workers, each pair of tasks dependent or not. */
static struct orr_workload *random_workload(uint64_t seed)
{
    unsigned counter = 0, workers[2], of[MAX_TASKS];
    double seconds[4];
    unsigned tasks = 1 + draw(seed, &counter, MAX_TASKS);
    struct orr_workload *workload;

    workers[0] = draw(seed, &counter, 3);
    workers[1] = 1;
    for (unsigned i = 0; i < 4; i++)
        seconds[i] = 1 + draw(seed, &counter, 8);
    for (unsigned t = 0; t < tasks; t++)
        of[t] = draw(seed, &counter, 2);
    workload = workload_new(2, 2, workers, seconds, tasks, of);
    for (unsigned t = 1; t < tasks; t++) {
        for (unsigned before = 0; before < t; before++) {
            if (draw(seed, &counter, 3) == 0)
                depend(workload, t, before);
        }
    }
    return workload;
}

static void no_schedule_beats_a_bound(void **state)
{
    unsigned above_both = 0, tight = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct orr_workload *workload = random_workload(seed);
        double best = optimum(workload);
        double area = orr_bound_area(workload);
        double path = orr_bound_critical_path(workload);
        double mixed = orr_bound_mixed(workload);

        assert_true(isfinite(best));
        assert_true(area <= best * (1 + PRECISION));
        assert_true(path <= best * (1 + PRECISION));
        assert_true(mixed <= best * (1 + PRECISION));
        assert_true(mixed >= fmax(area, path) * (1 - PRECISION));
        above_both += mixed > fmax(area, path) * 1.001;
        tight += mixed > best * 0.999;
        orr_workload_free(workload);
    }
    /* Or the test would not show much. */
    assert_true(above_both > 20);
    assert_true(tight > 50);
}

/* Tasks that are a million times as fast have bounds a million times as low. */
static void kernels_may_be_short(void **state)
{
    const double factor = 1e-6;

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct orr_workload *workload = random_workload(seed);
        double area = orr_bound_area(workload);
        double mixed = orr_bound_mixed(workload);

        for (unsigned i = 0; i < workload->kernel_count * workload->class_count;
             i++)
            workload->seconds[i] *= factor;
        assert_true(fabs(orr_bound_area(workload) / factor - area) <=
                    area * PRECISION);
        assert_true(fabs(orr_bound_mixed(workload) / factor - mixed) <=
                    mixed * PRECISION);
        orr_workload_free(workload);
    }
}

/* Two tasks; a CPU takes 2 s and 3 J for each, a GPU 1 s and 10 J; the machine
 * draws 1 W. On the CPU alone they take 4 s, 4 + 6 J. Together they take 4/3 s,
 * 2/3 of a task on the CPU: 4/3 + 2 + 40/3 J. */
static void energy_is_bounded_at_any_speed(void **state)
{
    const unsigned workers[] = {1, 1}, of[2] = {0};
    const double seconds[] = {2, 1}, joules[] = {3, 10};
    struct orr_workload *workload = workload_new(1, 2, workers, seconds, 2, of);
    struct orr_energy_bounds bounds;

    (void)state;
    orr_energy_bounds_compute(&bounds, workload);
    assert_true(isnan(bounds.least_j) && isnan(bounds.area_j) &&
                isnan(bounds.idle_j));
    workload->joules = copy(joules, sizeof(joules));
    workload->base_w = 1;
    orr_energy_bounds_compute(&bounds, workload);
    assert_true(fabs(bounds.least_j - 10) < 1e-5);
    assert_true(fabs(bounds.area_j - 50.0 / 3) < 1e-5);
    assert_true(fabs(bounds.idle_j - 1) < 1e-9);
    /* With 10 W idle, it pays to be fast. */
    workload->base_w = 10;
    orr_energy_bounds_compute(&bounds, workload);
    assert_true(fabs(bounds.least_j - (40 + 46) / 3.0) < 1e-4);
    assert_true(fabs(bounds.area_j - bounds.least_j) < 1e-4);
    orr_workload_free(workload);
}

ORR_TESTS(bounds)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_bounded_at_any_speed),
        cmocka_unit_test(the_area_is_shared_by_all_workers),
        cmocka_unit_test(kernels_go_where_they_are_fast),
        cmocka_unit_test(who_cannot_does_not),
        cmocka_unit_test(the_critical_path_takes_the_fastest),
        cmocka_unit_test(a_path_weighs_on_the_mixed_bound),
        cmocka_unit_test(no_task_takes_no_time),
        cmocka_unit_test(no_schedule_beats_a_bound),
        cmocka_unit_test(kernels_may_be_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
