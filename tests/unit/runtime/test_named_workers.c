/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that name the workers that may run them. */
#include "runtime/config/run_config.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "sched/registry.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

enum { GPUS = 3, CPUS = 4, WORKERS = GPUS + CPUS };

static struct unit_run *make(const char *sched, const char *models)
{
    struct orr_config config = unit_config(sched, CPUS, GPUS);

    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

static void submit(struct unit_run *unit, struct orr_data *data,
                   const unsigned *workers, unsigned count, bool pinned)
{
    const struct orr_access access = {data, ORR_R};
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit,  .count = data != NULL,
        .accesses = &access, .worker_count = count, .workers = workers,
        .pinned = pinned,
    };

    orr_task_submit(unit->run, &spec);
}

enum { TASKS = 200 };

/* Random sets, a third of the tasks without, some pinned. */
static void check_sets(const char *sched, const char *models)
{
    struct unit_run *unit = make(sched, models);
    GRand *rand = g_rand_new_with_seed(7);
    uint32_t sets[TASKS];

    for (unsigned t = 0; t < TASKS; t++) {
        struct orr_data *data = orr_data_register(unit->run, 40000);
        unsigned workers[WORKERS], count = 0;
        bool pinned = g_rand_int_range(rand, 0, 5) == 0;

        sets[t] = pinned ? 1u << g_rand_int_range(rand, 0, WORKERS)
                         : (uint32_t)g_rand_int_range(rand, 0, 1 << WORKERS) *
                               (g_rand_int_range(rand, 0, 3) > 0);
        for (unsigned w = 0; w < WORKERS; w++) {
            if (sets[t] >> w & 1)
                workers[count++] = w;
        }
        submit(unit, data, workers, count, pinned);
    }
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, TASKS);
    for (unsigned i = 0; i < TASKS; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);

        if (sets[task->order] && !(sets[task->order] >> task->worker & 1))
            fail_msg("%s: task %u ran on worker %u", sched,
                     (unsigned)task->order, task->worker);
    }
    g_rand_free(rand);
    unit_run_free(unit);
}

static void every_policy_respects_them(void **state)
{
    const struct orr_sched_ops *ops;

    (void)state;
    for (unsigned i = 0; (ops = orr_sched_builtin(i)); i++)
        check_sets(ops->name, NULL);
}

static void so_does_lock_step(void **state)
{
    (void)state;
    if (!orr_turns_lockstep)
        skip();
    check_sets("eager", "quirks=exact");
    check_sets("ws", "quirks=exact");
}

static void run_three_on(unsigned worker, bool pinned)
{
    struct unit_run *unit = make("dmdas", "overheads=off");

    for (unsigned i = 0; i < 3; i++)
        submit(unit, NULL, &worker, 1, pinned);
    unit_wait(unit);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(unit_task(unit, i)->worker, worker);
        assert_int_equal(unit_task(unit, i)->kernel_started, 1000 * US * i);
    }
    unit_run_free(unit);
}

/* Three tasks for one worker, where seven could run them. */
static void one_worker_runs_them_one_after_the_other(void **state)
{
    (void)state;
    for (unsigned worker = 0; worker < WORKERS; worker++) {
        run_three_on(worker, false);
        run_three_on(worker, true);
    }
}

/* A policy that plans knows of a pinned task: it puts another one elsewhere. */
static void dm_counts_pinned_tasks(void **state)
{
    static const unsigned cuda0 = 0;
    struct unit_run *unit = make("dm", "overheads=off");

    (void)state;
    submit(unit, NULL, &cuda0, 1, true);
    submit(unit, NULL, NULL, 0, false);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->worker + unit_task(unit, 1)->worker,
                     1);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 1000 * US);
    unit_run_free(unit);
}

/* The same work is planned once it has ended. */
static void dm_forgets_pinned_tasks_that_ended(void **state)
{
    static const unsigned cuda0 = 0;
    struct unit_run *unit = make("dm", "overheads=off");

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        submit(unit, NULL, &cuda0, 1, true);
    unit_wait(unit);
    submit(unit, NULL, NULL, 0, false);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 5)->worker, 0);
    unit_run_free(unit);
}

/* Their data are prefetched, also by a policy that does not: the datum of the
 * last task arrives before a worker has taken the task. */
static void data_of_pinned_tasks_are_prefetched(void **state)
{
    for (unsigned pinned = 0; pinned < 2; pinned++) {
        static const unsigned cuda0 = 0;
        struct unit_run *unit = make("eager", NULL);
        const struct orr_trace_copy *last;

        (void)state;
        for (unsigned i = 0; i < 4; i++)
            submit(unit, orr_data_register(unit->run, 4000000), &cuda0, 1,
                   pinned);
        unit_wait(unit);
        assert_int_equal(unit->copies->len, 4);
        last = &g_array_index(unit->copies, struct orr_trace_copy, 3);
        assert_string_equal(last->why, pinned ? "prefetch" : "fetch");
        unit_run_free(unit);
    }
}

static void check_refused(const struct orr_task_spec *spec, const char *why)
{
    struct unit_run *unit = make("eager", NULL);
    struct orr_task_spec task = *spec;
    GError *error = NULL;

    task.kernel = unit->unit;
    orr_task_submit(unit->run, &task);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, why);
    g_error_free(error);
    unit_run_free(unit);
}

static void wrong_workers_are_refused(void **state)
{
    static const unsigned far = WORKERS, gpu = 1, both[] = {0, 1};
    const struct orr_task_times on_cpu = {ORR_TASK_TIMES_INIT, .cpu_ns = 1000};

    (void)state;
    check_refused(&(struct orr_task_spec){ORR_TASK_SPEC_INIT, .worker_count = 1,
                                          .workers = &far},
                  "task 0 (unit): it names a worker that the run does not "
                  "have");
    check_refused(
        &(struct orr_task_spec){ORR_TASK_SPEC_INIT, .worker_count = 1},
        "task 0 (unit): workers is NULL, but worker_count is not 0");
    check_refused(&(struct orr_task_spec){ORR_TASK_SPEC_INIT, .worker_count = 2,
                                          .workers = both, .pinned = true},
                  "task 0 (unit): it is pinned, but names not one worker");
    check_refused(&(struct orr_task_spec){ORR_TASK_SPEC_INIT, .pinned = true},
                  "task 0 (unit): it is pinned, but names not one worker");
    check_refused(&(struct orr_task_spec){ORR_TASK_SPEC_INIT, .worker_count = 1,
                                          .workers = &gpu, .times = &on_cpu},
                  "task 0 (unit): none of the workers that it names can run "
                  "it");
}

ORR_TESTS(named_workers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_respects_them),
        cmocka_unit_test(so_does_lock_step),
        cmocka_unit_test(one_worker_runs_them_one_after_the_other),
        cmocka_unit_test(dm_counts_pinned_tasks),
        cmocka_unit_test(dm_forgets_pinned_tasks_that_ended),
        cmocka_unit_test(data_of_pinned_tasks_are_prefetched),
        cmocka_unit_test(wrong_workers_are_refused),
    };

    return cmocka_run_group_tests_name("named_workers", tests, NULL, NULL);
}
