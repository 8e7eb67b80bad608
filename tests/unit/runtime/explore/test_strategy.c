/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/strategy.h"
#include "tests/support/cmocka_all.h"

enum { WORKERS = 3, DECISIONS = 100, SCHEDULES = 40 };

static const struct orr_strategy_scope scope = {
    .seed = 7,
    .workers = WORKERS,
    .decisions = DECISIONS,
};

/* Between the workers, in this order. */
static const unsigned workers[] = {0, 1, 2};
static const struct orr_decision between = {
    .kind = ORR_DECIDE_EVENT, .count = WORKERS, .actors = workers};

/* Between three buffers. */
static const struct orr_decision victims = {
    .kind = ORR_DECIDE_VICTIM, .count = 3, .actors = NULL};

struct schedule {
    unsigned options[DECISIONS];
};

/* Decides @decision again and again. */
static struct schedule make(struct orr_strategy *strategy, uint64_t number,
                            const struct orr_decision *decision)
{
    struct orr_decider *decider = orr_strategy_begin(strategy, number);
    struct schedule schedule;

    for (unsigned i = 0; i < DECISIONS; i++) {
        schedule.options[i] = decider->decide(decider, decision);
        assert_true(schedule.options[i] < decision->count);
    }
    return schedule;
}

static unsigned count_others(const struct schedule *schedule)
{
    unsigned count = 0;

    for (unsigned i = 0; i < DECISIONS; i++)
        count += schedule->options[i] > 0;
    return count;
}

static void a_schedule_depends_on_its_number_alone(void **state)
{
    (void)state;
    for (int kind = 0; kind < ORR_STRATEGIES; kind++) {
        struct orr_strategy *up = orr_strategy_new(kind, &scope);
        struct orr_strategy *down = orr_strategy_new(kind, &scope);
        struct schedule schedules[SCHEDULES];
        unsigned different = 0;

        for (unsigned i = 0; i < SCHEDULES; i++)
            schedules[i] = make(up, i, &between);
        for (unsigned i = SCHEDULES; i-- > 0;) {
            struct schedule again = make(down, i, &between);

            assert_memory_equal(&again, &schedules[i], sizeof(again));
            different += i > 0 && memcmp(&schedules[i], &schedules[i - 1],
                                         sizeof(again)) != 0;
        }
        assert_true(different > SCHEDULES / 3);
        orr_strategy_free(up);
        orr_strategy_free(down);
    }
}

static void delay_deviates_at_four_points_at_most(void **state)
{
    struct orr_strategy *strategy =
        orr_strategy_new(ORR_STRATEGY_DELAY, &scope);

    (void)state;
    for (unsigned i = 0; i < SCHEDULES; i++) {
        struct schedule schedule = make(strategy, i, &victims);

        assert_in_range(count_others(&schedule), 1, i % 4 + 1);
    }
    orr_strategy_free(strategy);
}

static void starve_never_favours_one_worker(void **state)
{
    struct orr_strategy *strategy =
        orr_strategy_new(ORR_STRATEGY_STARVE, &scope);
    static const unsigned alone[] = {1, 1};
    static const struct orr_decision no_choice = {
        .kind = ORR_DECIDE_EVENT, .count = 2, .actors = alone};

    (void)state;
    for (unsigned i = 0; i < SCHEDULES; i++) {
        struct schedule schedule = make(strategy, i, &between);

        for (unsigned n = 0; n < DECISIONS; n++)
            assert_int_not_equal(schedule.options[n], i % WORKERS);
    }
    make(strategy, 1, &no_choice);
    orr_strategy_free(strategy);
}

/* Without change points it is the same worker all the time; each change point
 * has another come first. */
static void pct_changes_its_mind_seldom(void **state)
{
    struct orr_strategy *strategy = orr_strategy_new(ORR_STRATEGY_PCT, &scope);
    unsigned first[WORKERS] = {0};

    (void)state;
    for (unsigned i = 0; i < SCHEDULES; i++) {
        struct schedule schedule = make(strategy, i, &between);
        unsigned changes = 0;

        for (unsigned n = 1; n < DECISIONS; n++)
            changes += schedule.options[n] != schedule.options[n - 1];
        assert_in_range(changes, 0, i % 4);
        first[schedule.options[0]]++;
        schedule = make(strategy, i, &victims);
        assert_int_equal(count_others(&schedule), 0);
    }
    for (unsigned w = 0; w < WORKERS; w++)
        assert_true(first[w] > 0);
    orr_strategy_free(strategy);
}

/* 5 actors and 100 decisions: 1/5 for depth 1, 1/500 for depth 2, of which
 * there is one schedule each among four. */
static void pct_says_how_sure_it_is(void **state)
{
    g_autofree char *claim = orr_strategy_claim(ORR_STRATEGY_PCT, &scope, 4);

    (void)state;
    assert_string_equal(
        claim, "with probability at least 0.2, 0.002, 2e-05, 2e-07, any given "
               "hang that needs 1, 2, 3, 4 ordering constraints among 100 "
               "decisions of 5 actors would have been found");
}

/*
 * Threads of a program that has no clock, with so many operations each. A
 * thread that is preempted for long (the last option) continues when all others
 * have ended or are preempted; a short preemption has no effect.
 */
enum { OPERATIONS = 6, END = OPERATIONS };

struct program {
    struct orr_decider *decider;
    unsigned decisions;
    unsigned next[WORKERS]; /* operation of each thread, or END */
    bool held[WORKERS];
    unsigned order[WORKERS][OPERATIONS]; /* when each operation happened */
};

static unsigned ask(struct program *program, enum orr_decision_kind kind,
                    unsigned count, const unsigned *who)
{
    if (count < 2)
        return 0;
    program->decisions++;
    return orr_decide(program->decider, kind, count, who);
}

/* The thread that continues, or WORKERS: all have ended. */
static unsigned choose_thread(struct program *program)
{
    for (int held = 0; held < 2; held++) {
        unsigned who[WORKERS], count = 0;

        for (unsigned w = 0; w < WORKERS; w++) {
            if (program->next[w] < END && program->held[w] == (held > 0))
                who[count++] = w;
        }
        if (count > 0)
            return who[ask(program, held ? ORR_DECIDE_LOCK : ORR_DECIDE_EVENT,
                           count, who)];
    }
    return WORKERS;
}

/* Runs the program. Returns the number of decisions. */
static unsigned run_program(struct program *program,
                            struct orr_decider *decider)
{
    unsigned now = 0, thread;

    *program = (struct program){.decider = decider};
    while ((thread = choose_thread(program)) < WORKERS) {
        const unsigned step[] = {thread, ORR_NO_ACTOR, ORR_NO_ACTOR};

        program->held[thread] = false;
        while (program->next[thread] < END && !program->held[thread]) {
            program->order[thread][program->next[thread]++] = now++;
            program->held[thread] = ask(program, ORR_DECIDE_STEP, 3, step) == 2;
        }
    }
    return program->decisions;
}

/* Whether @first comes before @then, which comes before what follows @first. */
static bool comes_between(const struct program *program, unsigned first,
                          unsigned operation, unsigned other, unsigned then)
{
    const unsigned *order = program->order[first];

    return order[operation] < program->order[other][then] &&
           program->order[other][then] < order[operation + 1];
}

/*
 * Bugs that need 1, 2 and 3 constraints: a thread is before another from the
 * start; one is interrupted by an operation of another; and that one by a third
 * in turn. Of the schedules with so many constraints, as many must show the bug
 * as the claim says.
 */
static void pct_finds_bugs_as_often_as_it_says(void **state)
{
    enum { PROGRAMS = 40000, DEEPEST = 4 };
    struct orr_strategy_scope small = {.seed = 3, .workers = WORKERS};
    struct orr_strategy *strategy;
    struct program program;
    unsigned shown[DEEPEST] = {0};
    double bound, decisions;

    (void)state;
    strategy = orr_strategy_new(ORR_STRATEGY_PCT, &small);
    small.decisions = run_program(&program, orr_strategy_begin(strategy, 0));
    orr_strategy_free(strategy);
    strategy = orr_strategy_new(ORR_STRATEGY_PCT, &small);
    for (unsigned i = 0; i < PROGRAMS; i++) {
        run_program(&program, orr_strategy_begin(strategy, i));
        shown[i % DEEPEST] +=
            i % DEEPEST == 0   ? program.order[2][0] < program.order[0][0]
            : i % DEEPEST == 1 ? comes_between(&program, 0, 2, 1, 3)
                               : comes_between(&program, 0, 2, 1, 3) &&
                                     comes_between(&program, 1, 3, 2, 1);
    }
    decisions = (double)small.decisions;
    bound = (double)PROGRAMS / DEEPEST / (WORKERS + 2);
    assert_true(shown[0] >= bound);
    assert_true(shown[1] >= bound / decisions);
    assert_true(shown[2] >= bound / decisions / decisions);
    orr_strategy_free(strategy);
}

/* If 5 % hang, 59 schedules show none with a probability of 0.95^59 = 4.85 %.
 */
static void random_says_how_sure_it_is(void **state)
{
    g_autofree char *claim =
        orr_strategy_claim(ORR_STRATEGY_RANDOM, &scope, 59);

    (void)state;
    assert_string_equal(claim, "fewer than 5 % of the schedules that it draws "
                               "hang, with 95 % confidence");
}

static void random_leaves_some_kinds_alone(void **state)
{
    struct orr_strategy *strategy =
        orr_strategy_new(ORR_STRATEGY_RANDOM, &scope);
    unsigned without = 0, with = 0;

    (void)state;
    for (unsigned i = 0; i < SCHEDULES; i++) {
        struct schedule schedule = make(strategy, i, &victims);
        unsigned count = count_others(&schedule);

        without += count == 0;
        with += count > DECISIONS / 2; /* two thirds are expected */
    }
    assert_true(without > 0);
    assert_true(with > 0);
    orr_strategy_free(strategy);
}

ORR_TESTS(strategy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schedule_depends_on_its_number_alone),
        cmocka_unit_test(delay_deviates_at_four_points_at_most),
        cmocka_unit_test(starve_never_favours_one_worker),
        cmocka_unit_test(pct_changes_its_mind_seldom),
        cmocka_unit_test(pct_says_how_sure_it_is),
        cmocka_unit_test(pct_finds_bugs_as_often_as_it_says),
        cmocka_unit_test(random_says_how_sure_it_is),
        cmocka_unit_test(random_leaves_some_kinds_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
