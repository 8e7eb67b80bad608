/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data of one arbiter of the program are acquired together. */
#include "runtime/data/data.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

enum { DATA = 4 };

struct team {
    struct unit_run *unit;
    struct orr_data *data[DATA];
};

/* Three CPUs; time passes in tasks of 1 ms alone. */
static struct team begin(const uint32_t arbiters[DATA])
{
    struct orr_config config = unit_config("eager", 3, 0);
    struct team team;

    config.models = "overheads=off";
    team.unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < DATA; i++) {
        team.data[i] = orr_data_register(team.unit->run, 8);
        orr_data_set_arbiter(team.unit->run, team.data[i], arbiters[i]);
    }
    return team;
}

/* A task that changes data @first and @second, unless that is -1, in any order
 * among tasks of its kind. */
static void submit(const struct team *team, unsigned first, int second,
                   int priority)
{
    const struct orr_access accesses[] = {
        {team->data[first], (enum orr_access_mode)(ORR_RW | ORR_COMMUTE)},
        {team->data[second < 0 ? first : (unsigned)second],
         (enum orr_access_mode)(ORR_RW | ORR_COMMUTE)}};

    orr_task_submit(team->unit->run, &(struct orr_task_spec){
                                         ORR_TASK_SPEC_INIT,
                                         .kernel = team->unit->unit,
                                         .count = second < 0 ? 1 : 2,
                                         .accesses = accesses,
                                         .priority = priority,
                                     });
}

/* When task @i started, in ms. */
static int64_t start(const struct team *team, unsigned i)
{
    for (guint t = 0; t < team->unit->tasks->len; t++) {
        const struct orr_trace_task *task = unit_task(team->unit, t);

        if (task->order == i)
            return task->started / (1000 * US);
    }
    fail();
    return -1;
}

/* The second task waits for datum 1. Alone, it holds datum 0 meanwhile. */
static void a_task_that_waits_holds_nothing(void **state)
{
    for (uint32_t arbiter = 0; arbiter < 2; arbiter++) {
        struct team team =
            begin((const uint32_t[DATA]){arbiter, arbiter, 0, 0});

        (void)state;
        submit(&team, 1, -1, 0);
        submit(&team, 0, 1, 0);
        submit(&team, 0, -1, 0);
        unit_wait(team.unit);
        assert_int_equal(start(&team, 0), 0);
        assert_int_equal(start(&team, 1), 1);
        assert_int_equal(start(&team, 2), arbiter == 0 ? 2 : 0);
        unit_run_free(team.unit);
    }
}

/* Tasks that wait for a datum get it by priority, and the latest first. */
static void the_latest_comes_first(void **state)
{
    struct team team = begin((const uint32_t[DATA]){1, 1, 1, 1});

    (void)state;
    submit(&team, 0, 1, 0);
    submit(&team, 0, 2, 0);
    submit(&team, 0, 3, 0);
    submit(&team, 0, -1, 1);
    unit_wait(team.unit);
    assert_int_equal(start(&team, 0), 0);
    assert_int_equal(start(&team, 3), 1);
    assert_int_equal(start(&team, 2), 2);
    assert_int_equal(start(&team, 1), 3);
    unit_run_free(team.unit);
}

/* The data of arbiter 1 are acquired before the data of arbiter 2, and held. */
static void arbiters_come_one_after_the_other(void **state)
{
    struct team team = begin((const uint32_t[DATA]){2, 1, 1, 2});

    (void)state;
    submit(&team, 0, -1, 0);
    submit(&team, 0, 1, 0);
    submit(&team, 1, 2, 0);
    unit_wait(team.unit);
    assert_int_equal(start(&team, 1), 1);
    assert_int_equal(start(&team, 2), 2);
    unit_run_free(team.unit);
}

static void reductions_have_no_arbiter(void **state)
{
    struct team team = begin((const uint32_t[DATA]){0});

    (void)state;
    orr_data_set_reduction(team.unit->run, team.data[0], team.unit->unit, NULL);
    orr_data_set_arbiter(team.unit->run, team.data[0], 1);
    assert_false(orr_run_wait(team.unit->run, NULL));
    unit_run_free(team.unit);
}

ORR_TESTS(arbiter_groups)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_that_waits_holds_nothing),
        cmocka_unit_test(the_latest_comes_first),
        cmocka_unit_test(arbiters_come_one_after_the_other),
        cmocka_unit_test(reductions_have_no_arbiter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
