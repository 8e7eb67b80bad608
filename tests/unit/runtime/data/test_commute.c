/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Accesses that commute: one at a time, in any order. */
#include <string.h>

#include "runtime/config/run_config.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

#define COMMUTE ((enum orr_access_mode)(ORR_RW | ORR_COMMUTE))

static struct unit_run *make(const char *sched, int cpus, const char *models)
{
    struct orr_config config;

    orr_config_init(&config);
    config.sched = sched;
    config.cpus = cpus;
    config.gpus = 0;
    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

static struct orr_data *datum(struct unit_run *unit)
{
    return orr_data_register(unit->run, 1000);
}

struct task {
    const char *name;
    int priority;
    struct orr_access accesses[2]; /* without data: none */
    uint64_t awaited;              /* tag, or 0 */
    uint64_t tag;
};

static void submit(struct unit_run *unit, const struct task *task)
{
    struct orr_access accesses[G_N_ELEMENTS(task->accesses)];
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .name = task->name,
        .accesses = accesses,
        .priority = task->priority,
        .tag = task->tag,
        .wait_count = task->awaited != 0,
        .wait_tags = &task->awaited,
    };

    for (unsigned i = 0; i < 2; i++) {
        if (task->accesses[i].data)
            accesses[spec.count++] = task->accesses[i];
    }
    orr_task_submit(unit->run, &spec);
}

static void they_have_the_datum_one_at_a_time(void **state)
{
    struct unit_run *unit = make("eager", 4, "overheads=off");
    struct orr_data *data = datum(unit);

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        unit_submit(unit, data, COMMUTE);
    unit_wait(unit);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(unit_task(unit, i)->started, 1000 * US * i);
        assert_int_equal(unit_task(unit, i)->order, i);
    }
    unit_run_free(unit);
}

/* The first task waits for another task; the next one need not. */
static void whoever_is_ready_first_begins(void **state)
{
    for (unsigned commute = 0; commute < 2; commute++) {
        struct unit_run *unit = make("eager", 4, "overheads=off");
        struct orr_data *data = datum(unit);
        enum orr_access_mode mode = commute ? COMMUTE : ORR_RW;
        const struct task tasks[] = {
            {.name = "panel", .tag = 7},
            {.name = "late", .accesses = {{data, mode}}, .awaited = 7},
            {.name = "early", .accesses = {{data, mode}}},
        };

        (void)state;
        for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
            submit(unit, &tasks[i]);
        unit_wait(unit);
        assert_int_equal(unit_start_of(unit, "late"), 1000 * US);
        assert_int_equal(unit_start_of(unit, "early"), commute ? 0 : 2000 * US);
        unit_run_free(unit);
    }
}

static void the_most_urgent_of_those_that_wait_is_next(void **state)
{
    static const char *const expected[] = {"first", "urgent", "a", "b", "idle"};
    struct unit_run *unit = make("prio", 4, "overheads=off");
    struct orr_data *data = datum(unit);
    const struct orr_access access = {data, COMMUTE};
    const struct task tasks[] = {
        {.name = "first", .accesses = {access}},
        {.name = "idle", .priority = -1, .accesses = {access}},
        {.name = "a", .accesses = {access}},
        {.name = "urgent", .priority = 5, .accesses = {access}},
        {.name = "b", .accesses = {access}},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        submit(unit, &tasks[i]);
    unit_wait(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        assert_string_equal(unit_task(unit, i)->name, expected[i]);
    unit_run_free(unit);
}

static void other_accesses_wait_for_the_whole_group(void **state)
{
    struct unit_run *unit = make("eager", 4, "overheads=off");
    struct orr_data *data = datum(unit);
    const struct task tasks[] = {
        {.name = "before", .accesses = {{data, ORR_R}}},
        {.name = "one", .accesses = {{data, COMMUTE}}},
        {.name = "other", .accesses = {{data, COMMUTE}}},
        {.name = "after", .accesses = {{data, ORR_R}}},
        {.name = "last", .accesses = {{data, COMMUTE}}},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        submit(unit, &tasks[i]);
    unit_wait(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        assert_int_equal(unit_start_of(unit, tasks[i].name), 1000 * US * i);
    unit_run_free(unit);
}

/* Both orders of declaration are one order of acquisition. */
static void two_data_are_taken_in_one_order(void **state)
{
    struct unit_run *unit = make("eager", 4, "overheads=off");
    struct orr_data *a = datum(unit), *b = datum(unit);

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        struct task task = {
            .name = "both",
            .accesses = {{i % 2 ? a : b, COMMUTE}, {i % 2 ? b : a, COMMUTE}},
        };

        submit(unit, &task);
    }
    unit_wait(unit);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(unit_task(unit, i)->started, 1000 * US * i);
    unit_run_free(unit);
}

/* "ab" has a when b's first holder ends, and only then is ready. */
static void a_task_is_pushed_once_it_has_all_its_data(void **state)
{
    struct unit_run *unit = make("eager", 4, "overheads=off");
    struct orr_data *a = datum(unit), *b = datum(unit);
    const struct task tasks[] = {
        {.name = "b", .accesses = {{b, COMMUTE}}},
        {.name = "ab", .accesses = {{a, COMMUTE}, {b, COMMUTE}}},
        {.name = "a", .accesses = {{a, COMMUTE}}},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(tasks); i++)
        submit(unit, &tasks[i]);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "b"), 0);
    assert_int_equal(unit_start_of(unit, "ab"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "a"), 2000 * US);
    unit_run_free(unit);
}

/* The time between two tasks on one CPU: the worker that ends the first pushes
 * the tasks that become ready (1 us), makes a turn (1 us) and fetches (1
 * us). */
static void who_hands_over_pays_for_the_push(void **state)
{
    static const struct {
        enum orr_access_mode mode;
        int64_t between;
    } cases[] = {{ORR_R, 2 * US}, {ORR_RW, 3 * US}, {COMMUTE, 3 * US}};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct unit_run *unit = make("eager", 1, NULL);
        struct orr_data *data = datum(unit);

        unit_submit(unit, data, cases[i].mode);
        unit_submit(unit, data, cases[i].mode);
        unit_wait(unit);
        assert_int_equal(unit_task(unit, 1)->started -
                             unit_task(unit, 0)->ended,
                         cases[i].between);
        unit_run_free(unit);
    }
}

/* Then it reads what those submitted before it wrote: it is in its place. */
static void a_datum_listed_twice_commutes_if_both_do(void **state)
{
    const enum orr_access_mode second[] = {ORR_R, ORR_RW, COMMUTE};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(second); i++) {
        struct unit_run *unit = make("eager", 4, "overheads=off");
        struct orr_data *data = datum(unit);
        const struct task tasks[] = {
            {.name = "panel", .tag = 7},
            {.name = "late", .accesses = {{data, COMMUTE}}, .awaited = 7},
            {.name = "early", .accesses = {{data, COMMUTE}, {data, second[i]}}},
        };

        for (unsigned t = 0; t < G_N_ELEMENTS(tasks); t++)
            submit(unit, &tasks[t]);
        unit_wait(unit);
        assert_int_equal(unit_start_of(unit, "early"),
                         second[i] == COMMUTE ? 0 : 2000 * US);
        unit_run_free(unit);
    }
}

ORR_TESTS(commute)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_have_the_datum_one_at_a_time),
        cmocka_unit_test(whoever_is_ready_first_begins),
        cmocka_unit_test(the_most_urgent_of_those_that_wait_is_next),
        cmocka_unit_test(other_accesses_wait_for_the_whole_group),
        cmocka_unit_test(two_data_are_taken_in_one_order),
        cmocka_unit_test(a_task_is_pushed_once_it_has_all_its_data),
        cmocka_unit_test(who_hands_over_pays_for_the_push),
        cmocka_unit_test(a_datum_listed_twice_commutes_if_both_do),
    };

    return cmocka_run_group_tests_name("commute", tests, NULL, NULL);
}
