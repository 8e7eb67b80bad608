/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels of which each worker has several implementations. */
#include <string.h>

#include "runtime/config/run_config.h"
#include "sched/sched.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

enum { SLOW, FAST, BOTH };

/* The slow one saves energy. */
static void two_speeds(const void *data, unsigned worker,
                       unsigned implementation, struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    *cost = implementation == SLOW ? (struct orr_cost){3 * US, 1}
                                   : (struct orr_cost){1 * US, 4.5};
}

static struct unit_run *begin(const char *sched, int cpus, double gamma,
                              double idle_power_w)
{
    struct orr_config config = unit_config(sched, cpus, 0);

    config.models = "clean,overheads=off";
    config.gamma = gamma;
    config.idle_power_w = idle_power_w;
    return unit_run_new("three-gpus.xml", &config);
}

static struct orr_kernel *
new_kernel(struct unit_run *unit,
           void (*cost)(const void *data, unsigned worker,
                        unsigned implementation, struct orr_cost *cost))
{
    struct orr_kernel *kernel = orr_kernel_new(unit->run, "own", NULL);

    assert_true(orr_kernel_set_implementations(unit->run, kernel, BOTH, cost,
                                               NULL, NULL));
    return kernel;
}

static void submit(struct unit_run *unit, struct orr_kernel *kernel)
{
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel};

    orr_task_submit(unit->run, &spec);
}

/* Of the task that was submitted as number @order. */
static const struct orr_trace_task *task_of(const struct unit_run *unit,
                                            unsigned order)
{
    for (unsigned i = 0; i < unit->tasks->len; i++) {
        if (unit_task(unit, i)->order == order)
            return unit_task(unit, i);
    }
    fail_msg("task %u has not run", order);
    return NULL;
}

static void check_task(const struct unit_run *unit, unsigned order,
                       unsigned worker, unsigned implementation, int64_t ns)
{
    const struct orr_trace_task *task = task_of(unit, order);

    assert_int_equal(task->worker, worker);
    assert_int_equal(task->implementation, implementation);
    assert_int_equal(task->kernel_ended - task->kernel_started, ns);
}

static int64_t dynamic_nj(struct unit_run *unit)
{
    return orr_run_report(unit->run)->energy->dynamic_nj;
}

/* dm heeds times alone, so does dmda if a joule is worth nothing. */
static void the_fastest_is_taken(void **state)
{
    static const char *const scheds[] = {"dm", "dmda", "dmdasd", "modular-heft",
                                         "modular-heft2"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        struct unit_run *unit = begin(scheds[i], 1, 0, 0);

        submit(unit, new_kernel(unit, two_speeds));
        unit_wait(unit);
        check_task(unit, 0, 0, FAST, 1 * US);
        assert_int_equal(dynamic_nj(unit), 4500000000);
        unit_run_free(unit);
    }
}

/* dm does not know of the weights, even if they would change the choice. */
static void dm_heeds_no_joules(void **state)
{
    struct unit_run *unit = begin("dm", 1, 1e6, 1e6);

    (void)state;
    submit(unit, new_kernel(unit, two_speeds));
    unit_wait(unit);
    check_task(unit, 0, 0, FAST, 1 * US);
    unit_run_free(unit);
}

static void policies_without_predictions_take_the_first(void **state)
{
    static const char *const scheds[] = {"eager", "prio", "random",
                                         "ws",    "lws",  "heteroprio"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        struct unit_run *unit = begin(scheds[i], 1, -1, 0);

        submit(unit, new_kernel(unit, two_speeds));
        unit_wait(unit);
        check_task(unit, 0, 0, SLOW, 3 * US);
        assert_int_equal(dynamic_nj(unit), 1000000000);
        unit_run_free(unit);
    }
}

/* CPU0 cannot run the slow one, CPU1 not the fast one. */
static void one_each(const void *data, unsigned worker, unsigned implementation,
                     struct orr_cost *cost)
{
    if (worker != implementation)
        two_speeds(data, worker, implementation, cost);
}

static void a_worker_runs_what_it_can(void **state)
{
    static const char *const scheds[] = {"eager", "lws", "dm", "dmda",
                                         "modular-heft"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        struct unit_run *unit = begin(scheds[i], 2, 0, 0);
        struct orr_kernel *own = new_kernel(unit, one_each);

        for (unsigned t = 0; t < 4; t++)
            submit(unit, own);
        unit_wait(unit);
        for (unsigned t = 0; t < 4; t++) {
            bool first = task_of(unit, t)->worker == 0;

            check_task(unit, t, first ? 0 : 1, first ? FAST : SLOW,
                       first ? 1 * US : 3 * US);
        }
        unit_run_free(unit);
    }
}

/* Each named worker still runs the implementations that it can. */
static void tasks_may_name_workers(void **state)
{
    static const char *const scheds[] = {"eager", "lws", "dm", "dmda",
                                         "modular-heft"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        for (unsigned worker = 0; worker < 2; worker++) {
            struct unit_run *unit = begin(scheds[i], 2, 0, 0);
            struct orr_task_spec spec = {ORR_TASK_SPEC_INIT,
                                         .kernel = new_kernel(unit, one_each),
                                         .worker_count = 1, .workers = &worker};

            orr_task_submit(unit->run, &spec);
            unit_wait(unit);
            check_task(unit, 0, worker, worker == 0 ? FAST : SLOW,
                       worker == 0 ? 1 * US : 3 * US);
            assert_int_equal(dynamic_nj(unit),
                             worker == 0 ? 4500000000 : 1000000000);
            unit_run_free(unit);
        }
    }
}

static void ten_us(const void *data, unsigned worker, struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    cost->ns = 10 * US;
}

/*
 * 1 us per J, and 1 J per us for what ends after all planned work (M). A task
 * of 10 us goes to CPU0: M = 10. Then on CPU1, in us, with ends less the least:
 *
 *     slow ends 3, 6, 9: 2 + 1 < 0 + 4.5;  12: 2 + 1 + (12 - 10) > 0 + 4.5
 *
 * where fast ends at 10. Then CPU0, fast: 0 + 4.5 + (11 - 10) < 2 + 1 + (13 -
 * 10), and no dearer than on CPU1, so M = 11. Last, CPU1: fast, 0 + 4.5 < 2 + 1
 * + (13 - 11).
 */
static void joules_count_against_time(void **state)
{
    static const unsigned workers[] = {1, 1, 1, 1, 0, 1};
    static const unsigned choices[] = {SLOW, SLOW, SLOW, FAST, FAST, FAST};
    static const char *const scheds[] = {"dmda", "dmdar", "dmdas"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        struct unit_run *unit = begin(scheds[i], 2, 1, 1e6);
        struct orr_kernel *own = new_kernel(unit, two_speeds);
        struct orr_kernel *rest = orr_kernel_new(unit->run, "long", NULL);

        assert_true(orr_kernel_set_costs(unit->run, rest, ten_us, NULL, NULL));
        submit(unit, rest);
        for (unsigned t = 0; t < 6; t++)
            submit(unit, own);
        unit_wait(unit);
        check_task(unit, 0, 0, 0, 10 * US);
        for (unsigned t = 0; t < 6; t++)
            check_task(unit, t + 1, workers[t], choices[t],
                       choices[t] == SLOW ? 3 * US : 1 * US);
        assert_int_equal(orr_run_report(unit->run)->makespan_ns, 11 * US);
        assert_int_equal(dynamic_nj(unit), 16500000000);
        unit_run_free(unit);
    }
}

/* A slow and a fast potrf of StarPU's energy_efficiency.c: 2000 and 3500 MHz.
 */
static void potrf(const void *data, unsigned worker, unsigned implementation,
                  struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    *cost = implementation == SLOW
                ? (struct orr_cost){8277326, 2.94506049 * 8277.326187e-6}
                : (struct orr_cost){6442451, 8.19999981 * 6442.450944e-6};
}

/* Of StarPU, bisected, or (ts - tf) / (Ef - Es - idle (ts - tf) / 1e6): slow
 * from that gamma on. */
static void gamma_decides_as_in_the_reference(void **state)
{
    static const struct {
        double idle_power_w, gamma;
    } thresholds[] = {{0, 64492.764}, {5, 95187.187}, {10, 181632.732}};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(thresholds); i++) {
        for (unsigned choice = SLOW; choice < BOTH; choice++) {
            double beside = choice == SLOW ? 1 + 1e-6 : 1 - 1e-6;
            struct unit_run *unit =
                begin("dmdas", 24, thresholds[i].gamma * beside,
                      thresholds[i].idle_power_w);

            submit(unit, new_kernel(unit, potrf));
            unit_wait(unit);
            check_task(unit, 0, 0, choice, choice == SLOW ? 8277326 : 6442451);
            unit_run_free(unit);
        }
    }
}

/* The fastest of CPU0 is dearest, and its other one cheapest. */
static void dear_and_cheap(const void *data, unsigned worker,
                           unsigned implementation, struct orr_cost *cost)
{
    two_speeds(data, worker, implementation, cost);
    cost->joules = worker == 1 ? 50 : implementation == FAST ? 100 : 1;
}

/* modular-heft compares the least joules of CPU0, yet takes the fastest. */
static void modular_heft_compares_the_least_joules(void **state)
{
    struct unit_run *unit = begin("modular-heft", 2, 1, 0);

    (void)state;
    submit(unit, new_kernel(unit, dear_and_cheap));
    unit_wait(unit);
    check_task(unit, 0, 0, FAST, 1 * US);
    assert_int_equal(dynamic_nj(unit), 100000000000);
    unit_run_free(unit);
}

/* The same in ms. */
static void two_slower_speeds(const void *data, unsigned worker,
                              unsigned implementation, struct orr_cost *cost)
{
    two_speeds(data, worker, implementation, cost);
    cost->ns *= 1000;
}

/* Four tasks: the area follows from the fast implementation, the energy from
 * the slow one. */
static void bounds_know_all_of_them(void **state)
{
    struct unit_run *unit = begin("dmda", 1, -1, 0);
    struct orr_kernel *own = new_kernel(unit, two_slower_speeds);
    struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT};

    (void)state;
    orr_run_keep_for_bounds(unit->run);
    for (unsigned t = 0; t < 4; t++)
        submit(unit, own);
    assert_true(orr_run_bounds(unit->run, &bounds, NULL));
    assert_float_equal((float)(bounds.area_s * 1e3), 4, 1e-3);
    assert_float_equal((float)bounds.least_j, 4, 1e-3);
    unit_run_free(unit);
}

/* ---- a policy of its own ---- */

struct queue {
    struct orr_task *first;
};

static void queue_push(struct orr_sched *sched, struct orr_task *task)
{
    struct queue *queue = orr_sched_state(sched);

    assert_int_equal(orr_sched_implementations(sched, task), BOTH);
    assert_int_equal(orr_sched_duration(sched, task, 0), 3 * US);
    assert_int_equal(orr_sched_implementation_duration(sched, task, 0, SLOW),
                     3 * US);
    assert_int_equal(orr_sched_implementation_duration(sched, task, 0, FAST),
                     1 * US);
    task->next = queue->first;
    queue->first = task;
    orr_sched_wake(sched, 0);
}

static struct orr_task *queue_pop(struct orr_sched *sched, unsigned worker)
{
    struct queue *queue = orr_sched_state(sched);
    struct orr_task *task = queue->first;

    (void)worker;
    if (!task)
        return NULL;
    queue->first = task->next;
    orr_sched_choose_implementation(sched, task, FAST);
    return task;
}

static void a_policy_chooses(void **state)
{
    static const struct orr_sched_ops policy = {
        .name = "fastest",
        .state_size = sizeof(struct queue),
        .push = queue_push,
        .pop = queue_pop,
    };
    struct orr_config config = unit_config(NULL, 1, 0);
    struct unit_run *unit;

    (void)state;
    config.models = "clean,overheads=off";
    config.policy = &policy;
    unit = unit_run_new("three-gpus.xml", &config);
    submit(unit, new_kernel(unit, two_speeds));
    unit_wait(unit);
    check_task(unit, 0, 0, FAST, 1 * US);
    unit_run_free(unit);
}

static void other_numbers_are_refused(void **state)
{
    static const unsigned counts[] = {0, ORR_MAX_IMPLEMENTATIONS + 1};
    struct unit_run *unit = begin("dm", 1, -1, 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autofree char *message = g_strdup_printf(
            "kernel own: %u implementations: expected 1 to 4", counts[i]);
        g_autoptr(GError) error = NULL;

        assert_false(orr_kernel_set_implementations(unit->run, own, counts[i],
                                                    two_speeds, NULL, &error));
        assert_string_equal(error->message, message);
    }
    unit_run_free(unit);
}

static void nothing(const void *data, unsigned worker, unsigned implementation,
                    struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    (void)implementation;
    (void)cost;
}

static void some_worker_can_run_one_of_them(void **state)
{
    struct unit_run *unit = begin("dm", 2, -1, 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(orr_kernel_set_implementations(unit->run, own, BOTH, nothing,
                                                NULL, &error));
    assert_string_equal(error->message,
                        "kernel own: no worker of this run can run it");
    unit_run_free(unit);
}

ORR_TESTS(implementations)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_taken),
        cmocka_unit_test(dm_heeds_no_joules),
        cmocka_unit_test(policies_without_predictions_take_the_first),
        cmocka_unit_test(a_worker_runs_what_it_can),
        cmocka_unit_test(tasks_may_name_workers),
        cmocka_unit_test(joules_count_against_time),
        cmocka_unit_test(gamma_decides_as_in_the_reference),
        cmocka_unit_test(modular_heft_compares_the_least_joules),
        cmocka_unit_test(bounds_know_all_of_them),
        cmocka_unit_test(a_policy_chooses),
        cmocka_unit_test(other_numbers_are_refused),
        cmocka_unit_test(some_worker_can_run_one_of_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
