/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The locks of policies: their use, their misuse, and the waits of callers. */
#include "runtime/config/run_config.h"
#include "runtime/worker/lock.h"

#include "runtime/run.h"
#include "tests/support/concurrent_policies.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define BYTES 4000000

static struct unit_run *make(const struct orr_sched_ops *policy, int cpus,
                             int gpus)
{
    struct orr_config config;

    orr_config_init(&config);
    config.cpus = cpus;
    config.gpus = gpus;
    config.policy = policy;
    return unit_run_new("three-gpus.xml", &config);
}

static struct central *central_of(struct unit_run *unit)
{
    return orr_sched_state(unit->run->policy.sched);
}

/* A policy made of one list, but for some of its functions. */
#define LISTED                                                                 \
    .name = "broken", .summary = "", .state_size = sizeof(struct central),     \
    .fini = central_fini

static void release_unheld(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    (void)task;
    orr_lock_release(central->lock);
}

static void acquire_twice(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    (void)task;
    orr_lock_acquire(central->lock);
    orr_lock_acquire(central->lock);
}

static void wait_without(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    (void)task;
    orr_cond_wait(central->filled, central->lock);
}

static void return_with(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    (void)task;
    orr_lock_acquire(central->lock);
}

static struct orr_task *acquire_in_pop(struct orr_sched *sched, unsigned worker)
{
    const struct central *central = orr_sched_state(sched);

    (void)worker;
    orr_lock_acquire(central->lock);
    return NULL;
}

static void free_held(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);

    (void)task;
    orr_lock_acquire(central->lock);
    orr_lock_free(central->lock);
}

/* Runs a task under @ops, which is to be blamed: by @message. */
static void check_blamed(const struct orr_sched_ops *ops, const char *message)
{
    struct unit_run *unit = make(ops, 1, 0);
    g_autoptr(GError) error = NULL;

    for (unsigned i = 0; i < 20; i++)
        unit_submit_bare(unit);
    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_POLICY));
    assert_string_equal(error->message, message);
    unit_run_free(unit);
}

static void a_push_that_misuses_locks_is_blamed(void **state)
{
    static const struct {
        void (*push)(struct orr_sched *sched, struct orr_task *task);
        const char *what;
    } cases[] = {
        {release_unheld, "releases lock list, which nobody holds"},
        {acquire_twice, "acquires lock list, which it holds already"},
        {wait_without, "waits on condition filled without holding lock list"},
        {return_with, "returns while it holds lock list"},
        {free_held, "frees lock list, which the application holds"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct orr_sched_ops ops = {
            LISTED,
            .concurrent = true,
            .init = central_init,
            .push = cases[i].push,
            .pop = central_pop,
        };
        g_autofree char *message =
            g_strdup_printf("policy broken: push(), called by the "
                            "application, %s",
                            cases[i].what);

        check_blamed(&ops, message);
    }
}

/* The worker waits with the list's lock released, but not another one. */
static struct orr_task *pop_and_wait(struct orr_sched *sched, unsigned worker)
{
    struct central *central = orr_sched_state(sched);
    struct deque *own = orr_sched_lane(sched, worker);

    orr_lock_acquire(own->lock);
    orr_lock_acquire(central->lock);
    central->idle++;
    orr_cond_wait(central->filled, central->lock);
    orr_lock_release(central->lock);
    orr_lock_release(own->lock);
    return NULL;
}

static void init_both(struct orr_sched *sched)
{
    central_init(sched);
    stealing_init(sched);
}

static void push_and_release_others(struct orr_sched *sched,
                                    struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);
    const struct deque *first = orr_sched_lane(sched, 0);

    central_push(sched, task);
    if (central->idle > 0)
        orr_lock_release(first->lock);
}

static void a_lock_is_released_by_its_owner_alone(void **state)
{
    const struct orr_sched_ops ops = {
        LISTED,
        .concurrent = true,
        .init = init_both,
        .lane_size = sizeof(struct deque),
        .push = push_and_release_others,
        .pop = pop_and_wait,
    };

    (void)state;
    check_blamed(&ops, "policy broken: push(), called by the application, "
                       "releases lock deque 00, which CPU0 holds");
}

static void a_pop_is_blamed_with_its_worker(void **state)
{
    const struct orr_sched_ops ops = {
        LISTED,
        .concurrent = true,
        .init = central_init,
        .push = central_push,
        .pop = acquire_in_pop,
    };

    (void)state;
    check_blamed(&ops, "policy broken: pop(), called by CPU0, returns while "
                       "it holds lock list");
}

static void who_is_not_concurrent_cannot_wait(void **state)
{
    const struct orr_sched_ops ops = {
        LISTED,
        .init = central_init,
        .push = wait_without,
        .pop = central_pop,
    };

    (void)state;
    check_blamed(&ops, "policy broken: a function that is not called "
                       "concurrently waits on condition filled with lock "
                       "list: nobody could wake it");
}

static void who_is_not_concurrent_may_use_locks(void **state)
{
    struct orr_sched_ops ops = policy_central;
    struct unit_run *unit;

    (void)state;
    ops.concurrent = false;
    unit = make(&ops, 2, 1);
    for (unsigned i = 0; i < 20; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    unit_run_free(unit);
}

static void place_nothing(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    (void)task;
}

static void a_concurrent_policy_has_no_place(void **state)
{
    struct orr_sched_ops ops = policy_central;
    struct orr_config config;
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    g_autoptr(GError) error = NULL;

    (void)state;
    ops.place = place_nothing;
    orr_config_init(&config);
    config.platform = path;
    config.policy = &ops;
    assert_null(orr_run_new(&config, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_POLICY));
    assert_string_equal(
        error->message,
        "policy central is concurrent, and so cannot have place()");
}

/* Once the worker waits, the application takes the two locks the other way. */
static void push_the_other_way(struct orr_sched *sched, struct orr_task *task)
{
    const struct central *central = orr_sched_state(sched);
    const struct deque *first = orr_sched_lane(sched, 0);

    central_push(sched, task);
    if (central->idle == 0)
        return;
    orr_lock_acquire(central->lock);
    orr_lock_acquire(first->lock);
    orr_lock_release(first->lock);
    orr_lock_release(central->lock);
}

static void it_is_known_who_waits_for_whom(void **state)
{
    const struct orr_sched_ops ops = {
        LISTED,
        .concurrent = true,
        .init = init_both,
        .lane_size = sizeof(struct deque),
        .push = push_the_other_way,
        .pop = pop_and_wait,
    };
    struct unit_run *unit = make(&ops, 1, 0);
    struct orr_blocked blocked = {0};
    uint64_t submitted;

    (void)state;
    assert_false(orr_run_blocked(unit->run, 0, &blocked));
    for (unsigned i = 0; i < 20; i++)
        unit_submit_bare(unit);
    assert_true(orr_run_blocked(unit->run, 0, &blocked));
    assert_string_equal(blocked.call, "pop");
    assert_string_equal(blocked.cond, "filled");
    assert_false(blocked.missed);
    assert_null(blocked.lock);
    assert_string_equal(orr_run_held_lock(unit->run, 0, 0), "deque 00");
    assert_null(orr_run_held_lock(unit->run, 0, 1));

    assert_true(orr_run_blocked(unit->run, ORR_NO_WORKER, &blocked));
    assert_string_equal(blocked.call, "push");
    assert_string_equal(blocked.lock, "deque 00");
    assert_true(blocked.held);
    assert_int_equal(blocked.owner, 0);
    assert_string_equal(orr_run_held_lock(unit->run, ORR_NO_WORKER, 0), "list");

    submitted = unit->run->graph.submitted;
    unit_submit_bare(unit); /* the application is stuck */
    assert_int_equal(unit->run->graph.submitted, submitted);
    assert_false(orr_run_wait(unit->run, NULL));
    unit_run_free(unit);
}

static void a_signal_without_waiters_is_lost_but_not_forgotten(void **state)
{
    struct unit_run *unit = make(&policy_waiting, 1, 0);
    struct orr_blocked blocked = {0};

    (void)state;
    unit_submit_bare(unit); /* while the worker still sleeps */
    unit_wait(unit);
    while (orr_actors_step(&unit->run->engine))
        ; /* it asks for more */
    assert_true(orr_run_blocked(unit->run, 0, &blocked));
    assert_string_equal(blocked.cond, "filled");
    assert_true(blocked.missed);
    assert_int_equal(blocked.missed_at, 1 * US);
    assert_int_equal(central_of(unit)->idle, 0);
    unit_run_free(unit);
}

/* Tells all that wait, once there are two tasks. */
static void push_pair(struct orr_sched *sched, struct orr_task *task)
{
    struct central *central = orr_sched_state(sched);

    orr_lock_acquire(central->lock);
    fifo_put(&central->list, task);
    if (central->list.first != task)
        orr_cond_broadcast(central->filled);
    orr_lock_release(central->lock);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

/* Both workers wait for tasks 2 and 3, and get one each. */
static void a_broadcast_wakes_all_that_wait(void **state)
{
    const struct orr_sched_ops ops = {
        LISTED,
        .concurrent = true,
        .init = central_init,
        .push = push_pair,
        .pop = waiting_pop,
    };
    struct unit_run *unit = make(&ops, 2, 0);
    struct orr_blocked blocked;

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    while (orr_actors_step(&unit->run->engine))
        ; /* they ask for more */
    for (unsigned w = 0; w < 2; w++) {
        assert_true(orr_run_blocked(unit->run, w, &blocked));
        assert_string_equal(blocked.cond, "filled");
    }
    for (unsigned i = 0; i < 2; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_not_equal(unit_task(unit, 2)->worker,
                         unit_task(unit, 3)->worker);
    unit_run_free(unit);
}

/* The first task goes to CUDA0, which then waits for good; its successor to
 * CUDA1, whose data have to come from there. */
static struct orr_task *pop_once(struct orr_sched *sched, unsigned worker)
{
    struct central *central = orr_sched_state(sched);
    struct orr_task *task = central->list.first;

    if (!task || task->id != worker)
        return NULL;
    central->list.first = NULL;
    return task;
}

static struct orr_task *pop_once_and_wait(struct orr_sched *sched,
                                          unsigned worker)
{
    const struct central *central = orr_sched_state(sched);
    struct orr_task *task = pop_once(sched, worker);

    if (task || worker > 0)
        return task;
    orr_lock_acquire(central->lock);
    orr_cond_wait(central->filled, central->lock);
    orr_lock_release(central->lock);
    return NULL;
}

static bool run_pair(struct orr_task *(*pop)(struct orr_sched *, unsigned))
{
    const struct orr_sched_ops ops = {
        LISTED,
        .concurrent = true,
        .init = central_init,
        .push = central_push,
        .pop = pop,
    };
    struct unit_run *unit = make(&ops, 0, 2);
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    bool finished;

    unit_submit(unit, data, ORR_RW);
    unit_submit(unit, data, ORR_RW);
    finished = orr_run_wait(unit->run, NULL);
    unit_run_free(unit);
    return finished;
}

static void a_worker_that_waits_does_not_serve_its_memory(void **state)
{
    (void)state;
    assert_true(run_pair(pop_once));
    assert_false(run_pair(pop_once_and_wait));
}

ORR_TESTS(lock)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push_that_misuses_locks_is_blamed),
        cmocka_unit_test(a_lock_is_released_by_its_owner_alone),
        cmocka_unit_test(a_pop_is_blamed_with_its_worker),
        cmocka_unit_test(who_is_not_concurrent_cannot_wait),
        cmocka_unit_test(who_is_not_concurrent_may_use_locks),
        cmocka_unit_test(a_concurrent_policy_has_no_place),
        cmocka_unit_test(it_is_known_who_waits_for_whom),
        cmocka_unit_test(a_signal_without_waiters_is_lost_but_not_forgotten),
        cmocka_unit_test(a_broadcast_wakes_all_that_wait),
        cmocka_unit_test(a_worker_that_waits_does_not_serve_its_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
