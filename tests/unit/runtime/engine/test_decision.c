/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Schedules other than the default one, of random graphs on random machines:
 * whoever decides, the runs end, and what was decided gives the same run again.
 */
#include "runtime/explore/decision_log.h"
#include "runtime/run.h"
#include "sched/registry.h"
#include "tests/support/random_run.h"

enum { PLANS = 40 };

/* Decides at random, or always for the default. */
struct dice {
    struct orr_decider decider;
    bool loaded; /* always the default */
    uint64_t seed;
    uint64_t asked;
    uint64_t kinds[ORR_DECISION_KINDS]; /* of those */
};

static unsigned throw_dice(struct orr_decider *decider,
                           const struct orr_decision *decision)
{
    struct dice *dice = (struct dice *)decider;

    assert_true(decision->count >= 2);
    assert_true(decision->count <= ORR_MOST_OPTIONS);
    dice->asked++;
    dice->kinds[decision->kind]++;
    if (dice->loaded)
        return 0;
    dice->seed = dice->seed * UINT64_C(6364136223846793005) + 1;
    return (unsigned)(dice->seed >> 33) % decision->count;
}

struct outcome {
    uint64_t digest, order;
    int64_t makespan_ns;
    uint64_t tasks;
    bool plain; /* so are the turns of its actors */
};

static struct outcome perform(struct random_plan *plan,
                              struct orr_decider *decider)
{
    struct random_run random;
    const struct orr_report *report;
    struct outcome outcome;

    plan->config.decider = decider;
    random_run_begin(&random, plan);
    random_run_finish(&random);
    report = orr_run_report(random.unit->run);
    outcome = (struct outcome){report->digest, report->order,
                               report->makespan_ns, report->tasks,
                               random.unit->run->engine.interleaving == NULL};
    random_run_end(&random);
    return outcome;
}

static void assert_same(struct outcome a, struct outcome b)
{
    assert_true(a.digest == b.digest);
    assert_true(a.order == b.order);
    assert_int_equal(a.makespan_ns, b.makespan_ns);
    assert_int_equal(a.tasks, b.tasks);
}

/* Calls @check with @plans plans under each policy. */
static void for_each_plan(unsigned plans,
                          void (*check)(struct random_plan *plan))
{
    const struct orr_sched_ops *ops;

    for (size_t p = 0; (ops = orr_sched_builtin(p)); p++) {
        for (uint32_t seed = 0; seed < plans; seed++) {
            struct random_plan plan;

            random_plan_draw(&plan, ops->name, seed);
            check(&plan);
        }
    }
}

/* If a run without a decider has another interleaving, its outcome can only be
 * compared with the outcome of an empty script. */
static void check_default(struct random_plan *plan)
{
    struct dice dice = {.decider.decide = throw_dice, .loaded = true};
    struct outcome decided = perform(plan, &dice.decider);
    struct outcome alone = perform(plan, NULL);
    struct orr_decision_log *script;

    if (alone.plain) {
        assert_same(decided, alone);
        return;
    }
    script = orr_decision_log_new(NULL, 0, NULL);
    assert_same(decided, perform(plan, &script->decider));
    orr_decision_log_free(script);
}

static void defaults_change_nothing(void **state)
{
    (void)state;
    for_each_plan(orr_tests_share(PLANS), check_default);
}

static unsigned others, all;
static uint64_t kinds[ORR_DECISION_KINDS];

static void check_replay(struct random_plan *plan)
{
    struct dice dice = {.decider.decide = throw_dice, .seed = 1};
    struct orr_decision_log *first =
        orr_decision_log_new(NULL, 0, &dice.decider);
    struct orr_decision_log *again;
    struct outcome outcome = perform(plan, &first->decider);

    assert_int_equal(first->asked, dice.asked);
    again =
        orr_decision_log_new((struct orr_deviation *)first->deviations->data,
                             first->deviations->len, NULL);
    assert_same(perform(plan, &again->decider), outcome);
    assert_true(again->fits);
    assert_int_equal(orr_decision_log_left(again), 0);
    assert_int_equal(again->asked, first->asked);
    assert_int_equal(again->deviations->len, first->deviations->len);
    for (unsigned kind = 0; kind < ORR_DECISION_KINDS; kind++)
        kinds[kind] += dice.kinds[kind];
    all++;
    others += perform(plan, NULL).order != outcome.order;
    orr_decision_log_free(first);
    orr_decision_log_free(again);
}

static void written_down_it_is_the_same_run(void **state)
{
    (void)state;
    others = all = 0;
    for_each_plan(PLANS, check_replay);
    assert_true(others > all / 4); /* most plans have several schedules */
    for (unsigned kind = 0; kind < ORR_DECISION_KINDS; kind++) {
        /* Locks are those of concurrent policies but for rare cases. */
        if (kind != ORR_DECIDE_STEP && kind != ORR_DECIDE_LOCK &&
            kind != ORR_DECIDE_ORDER)
            assert_true(kinds[kind] > 0);
    }
}

static void scripts_say_what_does_not_fit(void **state)
{
    static const struct orr_deviation played[] = {
        {.position = 1, .option = 1},
        {.position = 2, .option = 3},
        {.position = 9, .option = 1},
    };
    const struct orr_decision decision = {.kind = ORR_DECIDE_WAKE, .count = 3};
    struct orr_decision_log *script = orr_decision_log_new(played, 3, NULL);
    struct orr_decider *decider = &script->decider;

    (void)state;
    assert_int_equal(decider->decide(decider, &decision), 0);
    assert_int_equal(decider->decide(decider, &decision), 1);
    assert_true(script->fits);
    assert_int_equal(decider->decide(decider, &decision), 0);
    assert_false(script->fits);
    assert_int_equal(script->misfit.position, 2);
    assert_int_equal(script->misfit.option, 3);
    assert_int_equal(script->misfit.count, 3);
    assert_int_equal(script->misfit.kind, ORR_DECIDE_WAKE);
    assert_int_equal(orr_decision_log_left(script), 1);
    assert_int_equal(script->deviations->len, 1);
    orr_decision_log_free(script);
}

ORR_TESTS(decision)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_change_nothing),
        cmocka_unit_test(written_down_it_is_the_same_run),
        cmocka_unit_test(scripts_say_what_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
