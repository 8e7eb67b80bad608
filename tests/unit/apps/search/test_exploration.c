/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The schedules of an exploration, and their results. */
#include "apps/options/strategies.h"
#include "apps/search/batch.h"
#include "apps/search/exploration.h"
#include "apps/simulation/simulate.h"
#include "tests/support/temp_file.h"

struct fixture {
    struct orr_settings settings;
    struct orr_exploration exploration;
    char *platform;
};

static void give(struct fixture *f, const char *option)
{
    assert_true(orr_settings_give(&f->settings, option, NULL));
    assert_true(orr_settings_resolve(&f->settings, "lu", NULL));
}

/* LU of 3 x 3 tiles, on two GPUs and two CPUs. */
static void begin(struct fixture *f, const char *sched)
{
    *f = (struct fixture){.platform = source_file("platforms/attila.xml")};
    orr_settings_init(&f->settings);
    f->settings.scenario.config.platform = f->platform;
    f->settings.scenario.config.cpus = 2;
    f->settings.scenario.config.gpus = 2;
    f->settings.exploration.budget = 200;
    f->settings.scenario.config.sched = sched;
    assert_true(orr_settings_open(&f->settings, "lu", NULL));
    give(f, "tiles=3");
    assert_true(orr_settings_resolve(&f->settings, "lu", NULL));
    assert_int_equal(orr_simulate_share(&f->settings, NULL), ORR_EXIT_OK);
    f->exploration = (struct orr_exploration){
        .scenario = &f->settings.scenario,
        .settings = &f->settings.exploration,
        .command = "test",
    };
}

static void perform(struct fixture *f)
{
    assert_int_equal(orr_exploration_perform(&f->exploration, NULL),
                     ORR_EXIT_OK);
}

static void end(struct fixture *f)
{
    orr_exploration_clear(&f->exploration);
    orr_settings_clear(&f->settings);
    g_free(f->platform);
}

static const struct orr_exploration_part *part_at(const struct fixture *f,
                                                  unsigned i)
{
    return &g_array_index(f->exploration.parts, struct orr_exploration_part, i);
}

static void strategies_take_turns(void **state)
{
    static const char *const names[] = {"default", "dfs",    "random",
                                        "pct",     "starve", "delay"};
    uint64_t distinct = 0;
    struct fixture f;

    (void)state;
    begin(&f, "eager");
    f.settings.exploration.budget = 101; /* the default, and one round */
    perform(&f);
    assert_int_equal(f.exploration.schedules, 101);
    assert_int_equal(f.exploration.failures->len, 0);
    assert_int_equal(f.exploration.parts->len, G_N_ELEMENTS(names));
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        assert_string_equal(part_at(&f, i)->strategy, names[i]);
        assert_int_equal(part_at(&f, i)->schedules, i == 0 ? 1 : 20);
        assert_int_equal(part_at(&f, i)->hangs, 0);
        distinct += part_at(&f, i)->distinct;
    }
    assert_int_equal(f.exploration.distinct, distinct);
    assert_null(part_at(&f, 1)->claim); /* not all of them */
    assert_false(f.exploration.exhausted);
    assert_non_null(part_at(&f, 2)->claim);
    assert_non_null(part_at(&f, 3)->claim);
    assert_null(part_at(&f, 5)->claim);
    end(&f);
}

/* One tile: one worker runs a task, the others wait. */
static void a_small_case_is_exhausted(void **state)
{
    struct fixture f;
    uint64_t alone;

    (void)state;
    begin(&f, "dmda");
    give(&f, "tiles=1");
    f.settings.exploration.strategy = "dfs";
    f.settings.scenario.config.cpus = 1;
    f.settings.scenario.config.gpus = 1;
    f.settings.exploration.budget = 1000000;
    perform(&f);
    assert_true(f.exploration.exhausted);
    assert_int_equal(f.exploration.parts->len, 2);
    assert_non_null(strstr(part_at(&f, 1)->claim, "no deadlock exists"));
    alone = f.exploration.schedules;
    assert_in_range(alone, 2, 10000);
    orr_exploration_clear(&f.exploration);

    /* A portfolio that tries all schedules needs no other strategy. */
    f.settings.exploration.strategy = "portfolio";
    perform(&f);
    assert_true(f.exploration.exhausted);
    assert_int_equal(f.exploration.schedules, alone);
    assert_int_equal(f.exploration.parts->len, 2);

    end(&f);
}

static uint64_t count_distinct(const char *sched, uint64_t threads,
                               uint64_t seed)
{
    struct fixture f;
    uint64_t distinct;

    begin(&f, sched);
    f.settings.exploration.threads = threads;
    f.settings.scenario.config.seed = seed;
    perform(&f);
    distinct = f.exploration.distinct;
    end(&f);
    return distinct;
}

static void threads_make_no_difference(void **state)
{
    uint64_t distinct = count_distinct("eager", 1, 0);

    (void)state;
    assert_in_range(distinct, 2, 199);
    assert_int_equal(count_distinct("eager", 2, 0), distinct);
    assert_int_equal(count_distinct("eager", 5, 0), distinct);
}

static void one_schedule_is_the_default(void **state)
{
    struct fixture f;

    (void)state;
    begin(&f, "dmda");
    f.settings.exploration.budget = 1;
    perform(&f);
    assert_int_equal(f.exploration.schedules, 1);
    assert_int_equal(f.exploration.distinct, 1);
    assert_string_equal(part_at(&f, 0)->strategy, "default");
    assert_int_equal(part_at(&f, 0)->schedules, 1);
    end(&f);
}

static void time_runs_out(void **state)
{
    struct fixture f;

    (void)state;
    begin(&f, "dmda");
    f.settings.exploration.budget = 0;
    f.settings.exploration.budget_time = 1;
    perform(&f);
    assert_int_equal(f.exploration.schedules, 1);
    end(&f);
}

static void a_failed_simulation_is_an_error(void **state)
{
    g_autoptr(GError) error = NULL;
    struct fixture f;

    (void)state;
    begin(&f, "dmda");
    give(&f, "tile=961"); /* there are no measurements of this size */
    assert_int_equal(orr_exploration_perform(&f.exploration, &error),
                     ORR_EXIT_FAILURE);
    assert_non_null(error);
    end(&f);
}

static struct orr_failure *failure_new(const char *kind, uint64_t number)
{
    struct orr_failure *failure = g_new0(struct orr_failure, 1);

    failure->kind = kind;
    failure->number = number;
    failure->count = 1;
    return failure;
}

static void the_first_failure_of_each_kind_is_kept(void **state)
{
    struct orr_batch *batch = orr_batch_new(2);
    const struct orr_failure *first, *second;

    (void)state;
    orr_failure_add(batch->failures, failure_new("memory", 2));
    orr_failure_add(batch->failures, failure_new("policy", 3));
    orr_failure_add(batch->failures, failure_new("memory", 4));
    assert_int_equal(batch->failures->len, 2);
    first = batch->failures->pdata[0];
    second = batch->failures->pdata[1];
    assert_int_equal(first->number, 2);
    assert_int_equal(first->count, 2);
    assert_int_equal(second->number, 3);
    assert_int_equal(second->count, 1);
    orr_batch_free(batch);
}

static void names_of_strategies_are_checked(void **state)
{
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_string_equal(orr_strategies_find(" PCT", NULL), "pct");
    assert_non_null(orr_strategies_find("portfolio", NULL));
    assert_null(orr_strategies_find("luck", &error));
    assert_non_null(strstr(error->message, "'luck'; there are: random, "));
}

ORR_TESTS(exploration)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_take_turns),
        cmocka_unit_test(a_small_case_is_exhausted),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(one_schedule_is_the_default),
        cmocka_unit_test(time_runs_out),
        cmocka_unit_test(a_failed_simulation_is_an_error),
        cmocka_unit_test(the_first_failure_of_each_kind_is_kept),
        cmocka_unit_test(names_of_strategies_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
