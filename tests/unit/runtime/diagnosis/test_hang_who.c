/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hangs that need more than a broken queue: locks, conditions, tags, data that
 * commute. */
#include <string.h>

#include "runtime/config/run_config.h"
#include "tests/support/broken_policies.h"
#include "tests/support/chance.h"
#include "tests/support/concurrent_policies.h"
#include "tests/support/random_run.h"

/* Schedules that are tried, at most; and hangs after which no more are, as a
 * livelock takes long to be found. */
enum { SCHEDULES = 100, HANGS = 8 };

static struct unit_run *begin(const struct orr_sched_ops *policy,
                              struct chance *chance, int cpus)
{
    struct orr_config config;

    orr_config_init(&config);
    config.cpus = cpus;
    config.gpus = 0;
    config.policy = policy;
    config.decider = &chance->decider;
    return unit_run_new("three-gpus.xml", &config);
}

/* An application that waits for each task, or for all; how it hangs, or NULL.
 */
static const struct orr_hang *perform(struct unit_run *unit, bool one_by_one)
{
    bool finished = true;

    for (unsigned i = 0; i < 20 && finished; i++) {
        unit_submit_bare(unit);
        finished = !one_by_one || orr_run_wait(unit->run, NULL);
    }
    orr_run_wait(unit->run, NULL);
    return orr_run_hang(unit->run);
}

/* Expectations about a policy that hangs in some schedules. */
struct sometimes {
    const struct orr_sched_ops *policy;
    int cpus;
    bool one_by_one;
    enum orr_hang_kind kind;
    const char *ends;   /* is in the chain's last sentence, */
    const char *before; /* and this in the one before; NULL: whatever it is */
};

static void check_end(const struct orr_hang *hang,
                      const struct sometimes *expected)
{
    unsigned length = g_strv_length(hang->chain);

    assert_int_equal(hang->kind, expected->kind);
    assert_non_null(strstr(hang->chain[length - 1], expected->ends));
    if (expected->before)
        assert_non_null(strstr(hang->chain[length - 2], expected->before));
}

static void check_schedules(const struct sometimes *expected)
{
    unsigned hangs = 0;

    for (uint32_t seed = 0; seed < SCHEDULES && hangs < orr_tests_share(HANGS);
         seed++) {
        struct chance chance;
        struct unit_run *unit;
        const struct orr_hang *hang;

        chance_init(&chance, seed, 3);
        unit = begin(expected->policy, &chance, expected->cpus);
        hang = perform(unit, expected->one_by_one);
        if (hang)
            check_end(hang, expected);
        hangs += hang != NULL;
        unit_run_free(unit);
        chance_clear(&chance);
    }
    assert_true(hangs > 0);
}

static void locks_taken_in_two_orders_are_a_cycle(void **state)
{
    static const struct sometimes expected = {
        .policy = &policy_inverted,
        .cpus = 2,
        .kind = ORR_HANG_LOCK_CYCLE,
        .before = "for the lock",
        .ends = "cycle",
    };

    (void)state;
    check_schedules(&expected);
}

/* Wrong: a thief holds its own lock while it tries its victim's lock. */
static struct orr_task *insist(struct orr_sched *sched, unsigned worker)
{
    struct deque *own = orr_sched_lane(sched, worker);
    struct deque *victim = orr_sched_lane(sched, 1 - worker);
    struct orr_task *task;

    orr_lock_acquire(own->lock);
    task = fifo_take(sched, &own->list, worker);
    if (!task) {
        while (!orr_lock_try(victim->lock))
            ;
        task = fifo_take(sched, &victim->list, worker);
        orr_lock_release(victim->lock);
    }
    orr_lock_release(own->lock);
    return task;
}

static void locks_tried_in_two_orders_are_a_livelock(void **state)
{
    static const struct orr_sched_ops insistent = {
        .name = "insistent",
        .concurrent = true,
        .lane_size = sizeof(struct deque),
        .init = stealing_init,
        .push = stealing_push,
        .pop = insist,
    };
    static const struct sometimes expected = {
        .policy = &insistent,
        .cpus = 2,
        .kind = ORR_HANG_SPINNING,
        .before = "CPU0 tries in pop to take the lock",
        .ends = "CPU1 tries in pop to take the lock",
    };

    (void)state;
    check_schedules(&expected);
}

static void a_signal_that_came_too_early_is_a_lost_wakeup(void **state)
{
    static const struct sometimes expected = {
        .policy = &policy_forgetful,
        .cpus = 1,
        .one_by_one = true,
        .kind = ORR_HANG_LOST_WAKEUP,
        .ends = "CPU0 waits in pop on the condition filled",
    };

    (void)state;
    check_schedules(&expected);
}

static void a_datum_that_is_not_given_back_is_held(void **state)
{
    static const char *const chain[] = {
        "task 1 (unit) waits for commutative access to sum(2,1), which a "
        "task that has ended did not release",
        NULL};
    struct unit_run *unit = broken_run(&broken_fifo, 1, 0);
    struct orr_data *data = orr_data_register(unit->run, BROKEN_TILE);
    enum orr_access_mode mode = ORR_RW | ORR_COMMUTE;

    (void)state;
    orr_data_set_coordinates(data, 2, 1);
    orr_data_set_name(data, "sum");
    unit_submit(unit, data, mode);
    unit_wait(unit);
    data->holder = (struct orr_job *)unit; /* a broken runtime */
    unit_submit(unit, data, mode);
    broken_check_chain(broken_stall(unit), ORR_HANG_COMMUTE_HELD, chain);
    unit_run_free(unit);
}

static void submit_tagged(struct unit_run *unit, uint64_t tag, uint64_t awaited)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,        .kernel = unit->unit,  .tag = tag,
        .wait_count = awaited > 0, .wait_tags = &awaited,
    };

    orr_task_submit(unit->run, &spec);
}

static void a_tag_that_no_task_has_is_named(void **state)
{
    static const char *const chain[] = {
        "task 1 (unit) waits until task 0 (unit) has written data handle 0",
        "task 0 (unit) waits for the tag 7, which no task has", NULL};
    struct unit_run *unit = broken_run(&broken_fifo, 1, 0);
    uint64_t awaited = 7;
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .wait_count = 1,
        .wait_tags = &awaited,
        .count = 1,
        .accesses =
            (const struct orr_access[]){
                {orr_data_register(unit->run, BROKEN_TILE), ORR_W}},
    };
    const struct orr_hang *hang;

    (void)state;
    orr_task_submit(unit->run, &spec);
    unit_submit(unit, spec.accesses->data, ORR_RW);
    hang = broken_stall(unit);
    assert_int_equal(hang->kind, ORR_HANG_NEVER_SUBMITTED);
    assert_string_equal(hang->chain[0], chain[1]);
    assert_int_equal(hang->tasks_left, 2);
    unit_run_free(unit);
}

/* Jobs are kept by size: those with many accesses, links and a name of their
 * own are not overlooked. */
static void a_task_that_waits_is_found_however_many_data_it_has(void **state)
{
    struct orr_access accesses[40];

    (void)state;
    for (unsigned count = 0; count <= G_N_ELEMENTS(accesses); count++) {
        struct unit_run *unit = broken_run(&broken_fifo, 1, 1);
        uint64_t awaited = 7;
        struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT,    .kernel = unit->unit, .name = "sum",
            .count = count,        .accesses = accesses, .wait_count = 1,
            .wait_tags = &awaited,
        };
        const char *const chain[] = {
            "task 0 (sum) waits for the tag 7, which no task has", NULL};

        for (unsigned i = 0; i < count; i++)
            accesses[i] = (struct orr_access){
                orr_data_register(unit->run, BROKEN_TILE), ORR_R};
        orr_task_submit(unit->run, &spec);
        broken_check_chain(broken_stall(unit), ORR_HANG_NEVER_SUBMITTED, chain);
        unit_run_free(unit);
    }
}

static void the_application_may_wait_for_such_a_tag(void **state)
{
    struct unit_run *unit = broken_run(&broken_fifo, 1, 0);

    (void)state;
    unit_submit_bare(unit);
    assert_false(orr_run_wait_tag(unit->run, 9, NULL));
    assert_int_equal(orr_run_hang(unit->run)->kind, ORR_HANG_NEVER_SUBMITTED);
    assert_string_equal(orr_run_hang(unit->run)->chain[0],
                        "the application waits for the tag 9, which no task "
                        "has");
    unit_run_free(unit);
}

static void tags_that_await_each_other_are_a_cycle(void **state)
{
    static const char *const chain[] = {
        "task 0 (unit) waits for task 1 (unit) to end",
        "task 1 (unit) waits for task 0 (unit) to end",
        "this closes a cycle: back to task 0 (unit)", NULL};
    struct unit_run *unit = broken_run(&broken_fifo, 1, 0);

    (void)state;
    submit_tagged(unit, 1, 2);
    submit_tagged(unit, 2, 1);
    broken_check_chain(broken_stall(unit), ORR_HANG_DEPENDENCY_CYCLE, chain);
    unit_run_free(unit);
}

static void a_window_may_keep_a_tag_from_being_submitted(void **state)
{
    static const char *const chain[] = {
        "the application waits to submit task 1: 1 task is in flight, and the "
        "submission window allows no more",
        "task 0 (unit) waits for the tag 5, which no task has",
        "without the window, all tasks would end", NULL};
    struct orr_config config = unit_with_window(1);
    struct unit_run *unit;

    (void)state;
    unit = unit_run_new("three-gpus.xml", &config);
    submit_tagged(unit, 0, 5);
    submit_tagged(unit, 5, 0);
    broken_check_chain(broken_stall(unit), ORR_HANG_WINDOW, chain);
    unit_run_free(unit);
}

ORR_TESTS(hang_who)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_taken_in_two_orders_are_a_cycle),
        cmocka_unit_test(locks_tried_in_two_orders_are_a_livelock),
        cmocka_unit_test(a_signal_that_came_too_early_is_a_lost_wakeup),
        cmocka_unit_test(a_datum_that_is_not_given_back_is_held),
        cmocka_unit_test(a_tag_that_no_task_has_is_named),
        cmocka_unit_test(a_task_that_waits_is_found_however_many_data_it_has),
        cmocka_unit_test(the_application_may_wait_for_such_a_tag),
        cmocka_unit_test(tags_that_await_each_other_are_a_cycle),
        cmocka_unit_test(a_window_may_keep_a_tag_from_being_submitted),
    };

    return cmocka_run_group_tests_name("hang_who", tests, NULL, NULL);
}
