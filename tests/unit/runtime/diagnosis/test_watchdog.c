/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run that never ends is noticed; a run that merely takes long is not. */
#include <string.h>

#include "runtime/config/run_config.h"
#include "sched/registry.h"
#include "tests/support/broken_policies.h"
#include "tests/support/random_run.h"

/* Gives nothing, but has the worker ask again. */
static struct orr_task *ask_again(struct orr_sched *sched, unsigned worker)
{
    orr_sched_wake(sched, worker);
    return NULL;
}

static const struct orr_sched_ops restless = {
    .name = "restless",
    .state_size = sizeof(struct broken_queue),
    .push = broken_push,
    .pop = ask_again,
};

static void spin(int cpus, int gpus, const char *models)
{
    struct orr_config config;
    struct unit_run *unit;
    const struct orr_hang *hang;

    orr_config_init(&config);
    config.cpus = cpus;
    config.gpus = gpus;
    config.models = models;
    unit = broken_run_with(&restless, &config);
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    hang = broken_wait(unit, ORR_ERROR_LIVELOCKED);
    assert_true(hang->livelock);
    assert_int_equal(hang->kind, ORR_HANG_SPINNING);
    assert_non_null(strstr(hang->chain[1], "policy restless holds"));
    unit_run_free(unit);
}

static void workers_that_ask_for_ever_spin(void **state)
{
    (void)state;
    spin(1, 0, NULL);
    spin(0, 1, NULL);
    spin(2, 2, NULL);
    spin(2, 2, "clean");
}

static void no_time_need_pass_for_it(void **state)
{
    (void)state;
    spin(1, 0, "overheads=off");
    spin(0, 1, "overheads=off");
    spin(2, 2, "overheads=off");
}

enum { MOST_DATA = 12 };

/* How many events it takes to notice that nothing happens with a hundred ready
 * tasks that read @count data. */
static uint64_t patience_with(unsigned count)
{
    struct orr_config config = unit_config(NULL, 1, 0);
    struct unit_run *unit = broken_run_with(&restless, &config);
    struct orr_access accesses[MOST_DATA];
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .count = count, .accesses = accesses};
    uint64_t events;

    for (unsigned i = 0; i < count; i++)
        accesses[i] = (struct orr_access){
            orr_data_register(unit->run, BROKEN_TILE), ORR_R};
    for (unsigned i = 0; i < 100; i++)
        orr_task_submit(unit->run, &spec);
    broken_wait(unit, ORR_ERROR_LIVELOCKED);
    events = orr_run_report(unit->run)->events;
    unit_run_free(unit);
    return events;
}

/* Every ready task may cause some turns, however many data it has. */
static void all_ready_tasks_count(void **state)
{
    uint64_t with_one = patience_with(1);

    (void)state;
    for (unsigned count = 2; count <= MOST_DATA; count++)
        assert_true(patience_with(count) >= with_one);
}

/* Workers that meet, time and again. */
static struct orr_task *collide(struct orr_sched *sched, unsigned worker)
{
    orr_sched_collide(sched, worker);
    return NULL;
}

static void workers_that_collide_for_ever_spin(void **state)
{
    static const struct orr_sched_ops bumpers = {
        .name = "bumpers",
        .state_size = sizeof(struct broken_queue),
        .push = broken_push,
        .pop = collide,
    };
    struct unit_run *unit = broken_run(&bumpers, 2, 0);
    const struct orr_hang *hang;

    (void)state;
    unit_submit_bare(unit);
    hang = broken_wait(unit, ORR_ERROR_LIVELOCKED);
    assert_int_equal(hang->kind, ORR_HANG_SPINNING);
    unit_run_free(unit);
}

/* A broken runtime: a driver that sleeps again and again and never comes back
 * to its loop. */
static enum orr_next toss(struct orr_actor *actor, void *locals)
{
    (void)locals;
    return orr_actor_sleep(actor, ORR_US);
}

static void drivers_that_never_come_back_spin(void **state)
{
    (void)state;
    for (unsigned drivers = 1; drivers <= 2; drivers++) {
        struct unit_run *unit = broken_run(&broken_fifo, 2, 0);
        const struct orr_hang *hang;

        for (unsigned w = 0; w < drivers; w++)
            orr_actor_call(&unit->run->workers[w]->actor, toss, 0);
        unit_submit_bare(unit);
        hang = broken_wait(unit, ORR_ERROR_LIVELOCKED);
        assert_int_equal(hang->kind, ORR_HANG_SPINNING);
        unit_run_free(unit);
    }
}

/* The application waits for its window, and gets the error none the less. */
static void a_window_that_stays_closed_does_not_hide_it(void **state)
{
    struct orr_config config = unit_with_window(1);
    struct unit_run *unit;

    (void)state;
    unit = broken_run_with(&restless, &config);
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    assert_int_equal(broken_wait(unit, ORR_ERROR_LIVELOCKED)->kind,
                     ORR_HANG_SPINNING);
    unit_run_free(unit);
}

/* A broken runtime: when a datum arrives, the other one is taken away and
 * asked for. */
static struct {
    struct orr_run *run;
    struct orr_data *data[2];
} thrash;

static void take_the_other(struct orr_trace *trace,
                           const struct orr_trace_copy *copy)
{
    struct orr_data *other = thrash.data[copy->data == 0];
    struct orr_request_spec spec = {
        .data = other,
        .node = 1,
        .mode = ORR_R,
        .level = ORR_FETCH,
    };

    (void)trace;
    if (orr_replicate_is_valid(&other->copies[1])) {
        orr_replicate_drop(&thrash.run->store, &other->copies[1]);
        thrash.run->totals.report.evictions++;
        orr_decision_history_add(&thrash.run->history, ORR_PAST_EVICT,
                                 thrash.run->engine.now)
            ->what = other;
        thrash.run->history
            .notes[(thrash.run->history.next + ORR_HISTORY_LENGTH - 1) %
                   ORR_HISTORY_LENGTH]
            .from = 1;
    }
    orr_request_submit(&thrash.run->store, &spec);
}

static void data_that_take_each_others_place_for_ever_are_told(void **state)
{
    struct unit_run *unit = broken_run(&broken_hole, 0, 1);
    const struct orr_hang *hang;
    struct orr_request_spec spec = {
        .node = 1, .mode = ORR_R, .level = ORR_FETCH};

    (void)state;
    thrash.run = unit->run;
    for (unsigned i = 0; i < 2; i++) {
        thrash.data[i] = orr_data_register(unit->run, BROKEN_TILE);
        orr_data_set_coordinates(thrash.data[i], i, 0);
    }
    unit->run->totals.calls.copy = take_the_other;
    unit_submit(unit, thrash.data[0], ORR_R);
    spec.data = thrash.data[0];
    orr_request_submit(&unit->run->store, &spec);
    hang = broken_wait(unit, ORR_ERROR_LIVELOCKED);
    assert_int_equal(hang->kind, ORR_HANG_EVICTION_PING_PONG);
    assert_non_null(strstr(hang->chain[0], "no task has been submitted"));
    assert_true(
        strcmp(hang->chain[1],
               "A(0,0), A(1,0) are evicted from CUDA0 again and again") == 0 ||
        strcmp(hang->chain[1],
               "A(1,0), A(0,0) are evicted from CUDA0 again and again") == 0);
    unit_run_free(unit);
}

/* One of a machine's figures at a time makes all of it slow, or nothing. */
static const char *const hours[][3] = {
    {"kernel.*.*.scale=10000000", NULL},
    {"link.*.bandwidth=1KBps", NULL},
    {"kernel.*.*.scale=1000000", "link.*.bandwidth=10KBps", NULL},
    {"link.*.latency=1000s", NULL},
    {"overhead.*=10s", NULL},
};

static void perform(const struct random_plan *plan, uint32_t seed)
{
    struct random_run random;
    g_autoptr(GError) error = NULL;

    random_run_begin(&random, plan);
    while (random_run_go_on(&random))
        ;
    if (!orr_run_wait(random.unit->run, &error))
        fail_msg("%s, seed %u: %s", plan->config.sched, seed, error->message);
    assert_null(orr_run_hang(random.unit->run));
    random_run_end(&random);
}

static void what_takes_hours_does_not_hang(void **state)
{
    enum { PLANS = 15 };

    (void)state;
    for (size_t p = 0; orr_sched_builtin(p); p++) {
        for (uint32_t seed = 0; seed < orr_tests_share(PLANS); seed++) {
            struct random_plan plan;

            random_plan_draw(&plan, orr_sched_builtin(p)->name, seed);
            plan.config.changes = hours[seed % G_N_ELEMENTS(hours)];
            perform(&plan, seed);
        }
    }
}

/* Room for the data of one task, or little more. */
static void tiny_memories_do_not_make_a_livelock(void **state)
{
    enum { PLANS = 60 };

    (void)state;
    for (size_t p = 0; orr_sched_builtin(p); p++) {
        for (uint32_t seed = 0; seed < orr_tests_share(PLANS); seed++) {
            struct random_plan plan;

            random_plan_draw(&plan, orr_sched_builtin(p)->name, 1000 + seed);
            plan.config.gpus = MAX(plan.config.gpus, 1);
            plan.config.gpu_memory_bytes = UINT64_C(32) << 20;
            perform(&plan, seed);
        }
    }
}

/* Each idle worker asks again and again, while somebody works for hours. */
static struct orr_task *pop_or_ask_again(struct orr_sched *sched,
                                         unsigned worker)
{
    struct broken_queue *queue = orr_sched_state(sched);

    if (queue->first &&
        orr_sched_duration(sched, queue->first, worker) != ORR_NEVER)
        return broken_pop(sched, worker);
    if (orr_sched_now(sched) < 100 * ORR_MS)
        orr_sched_collide(sched, worker);
    return NULL;
}

static void push_and_wake_all(struct orr_sched *sched, struct orr_task *task)
{
    broken_push_mute(sched, task);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

struct triers {
    struct broken_queue queue; /* first, as push casts to it */
    struct orr_lock *locks[2];
};

static void make_locks(struct orr_sched *sched)
{
    struct triers *triers = orr_sched_state(sched);

    triers->locks[0] = orr_lock_new(sched, "left");
    triers->locks[1] = orr_lock_new(sched, "right");
}

/* Each worker keeps a lock of its own and tries the other worker's. */
static struct orr_task *try_for_ever(struct orr_sched *sched, unsigned worker)
{
    struct triers *triers = orr_sched_state(sched);

    orr_lock_acquire(triers->locks[worker]);
    for (unsigned i = 0; i < 100; i++) /* meanwhile the other has its own */
        orr_lock_try(triers->locks[worker]);
    while (!orr_lock_try(triers->locks[1 - worker]))
        ;
    return NULL;
}

static void policies_that_try_for_ever_spin(void **state)
{
    static const struct orr_sched_ops triers = {
        .name = "triers",
        .state_size = sizeof(struct triers),
        .concurrent = true,
        .init = make_locks,
        .push = push_and_wake_all,
        .pop = try_for_ever,
    };
    struct orr_config config;
    struct unit_run *unit;
    const struct orr_hang *hang;

    (void)state;
    orr_config_init(&config);
    config.cpus = 2;
    config.gpus = 0;
    config.policy = &triers;
    unit = unit_run_new("three-gpus.xml", &config);
    unit_submit_bare(unit);
    hang = broken_wait(unit, ORR_ERROR_LIVELOCKED);
    assert_int_equal(hang->kind, ORR_HANG_SPINNING);
    assert_int_equal(g_strv_length(hang->chain), 3);
    assert_non_null(
        strstr(hang->chain[0], "workers keep trying to take locks"));
    assert_string_equal(
        hang->chain[1],
        "CPU0 tries in pop to take the lock right, which CPU1 holds");
    assert_string_equal(
        hang->chain[2],
        "CPU1 tries in pop to take the lock left, which CPU0 holds");
    unit_run_free(unit);
}

static const struct orr_sched_ops impatient = {
    .name = "impatient",
    .state_size = sizeof(struct broken_queue),
    .push = push_and_wake_all,
    .pop = pop_or_ask_again,
};

static void workers_may_ask_for_long_while_a_kernel_executes(void **state)
{
    struct orr_config config;
    struct unit_run *unit;

    (void)state;
    orr_config_init(&config);
    config.cpus = 3;
    config.gpus = 0;
    config.changes = (const char *const[]){"kernel.*.*.scale=100", NULL};
    unit = broken_run_with(&impatient, &config);
    unit_submit_bare(unit);
    unit_wait(unit); /* 100 ms, a microsecond at a time */
    assert_true(orr_run_report(unit->run)->events > 100000);
    unit_run_free(unit);
}

/* The same while a datum is on its way. */
static void workers_may_ask_for_long_while_data_come(void **state)
{
    struct orr_config config;
    struct unit_run *unit;

    (void)state;
    orr_config_init(&config);
    config.cpus = 2;
    config.gpus = 1;
    config.changes =
        (const char *const[]){"link.*.bandwidth=40MBps", NULL}; /* 92 ms */
    unit = broken_run_with(&impatient, &config);
    unit->unit = orr_kernel_find(unit->run, "test", "on-cuda0",
                                 ORR_SINGLE_PRECISION, 960, NULL);
    unit_submit(unit, orr_data_register(unit->run, BROKEN_TILE), ORR_R);
    unit_wait(unit);
    assert_true(orr_run_report(unit->run)->events > 100000);
    unit_run_free(unit);
}

ORR_TESTS(watchdog)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_that_ask_for_ever_spin),
        cmocka_unit_test(no_time_need_pass_for_it),
        cmocka_unit_test(all_ready_tasks_count),
        cmocka_unit_test(workers_that_collide_for_ever_spin),
        cmocka_unit_test(drivers_that_never_come_back_spin),
        cmocka_unit_test(policies_that_try_for_ever_spin),
        cmocka_unit_test(a_window_that_stays_closed_does_not_hide_it),
        cmocka_unit_test(data_that_take_each_others_place_for_ever_are_told),
        cmocka_unit_test(what_takes_hours_does_not_hang),
        cmocka_unit_test(tiny_memories_do_not_make_a_livelock),
        cmocka_unit_test(workers_may_ask_for_long_while_a_kernel_executes),
        cmocka_unit_test(workers_may_ask_for_long_while_data_come),
    };

    return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
