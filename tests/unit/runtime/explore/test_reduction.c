/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The outcomes of all schedules of a small case, without reduction and with it:
 * they are the same, from far fewer schedules. The policies depend on the order
 * of all their calls, and so does the outcome.
 */
#include "runtime/config/run_config.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/strategy.h"
#include "tests/support/broken_policies.h"

/* The base comes first. */
struct touchy {
    struct broken_queue queue;
    uint32_t calls; /* all of them, in order */
};

static void call(struct orr_sched *sched, uint32_t word)
{
    struct touchy *touchy = orr_sched_state(sched);

    touchy->calls = (touchy->calls ^ word) * 16777619u + 1;
}

/* Wakes all workers; of CPUs alone, the first. */
static void touchy_push(struct orr_sched *sched, struct orr_task *task)
{
    unsigned count = orr_sched_node(sched, 0) == ORR_RAM
                         ? 1 /* else there would be too many schedules */
                         : orr_sched_workers(sched);

    call(sched, 100);
    broken_push_mute(sched, task);
    for (unsigned w = 0; w < count; w++)
        orr_sched_wake(sched, w);
}

static struct orr_task *touchy_pop(struct orr_sched *sched, unsigned worker)
{
    call(sched, 1 + worker);
    return broken_pop(sched, worker);
}

/* Refuses in half of all states: a worker that asks then sleeps, perhaps for
 * ever. */
static struct orr_task *moody_pop(struct orr_sched *sched, unsigned worker)
{
    const struct touchy *touchy = orr_sched_state(sched);

    call(sched, 1 + worker);
    return touchy->calls >> 8 & 1 ? broken_pop(sched, worker) : NULL;
}

/* Looks at where data are, and refuses in a quarter of all states. */
static struct orr_task *nosy_pop(struct orr_sched *sched, unsigned worker)
{
    const struct touchy *touchy = orr_sched_state(sched);
    unsigned node = orr_sched_node(sched, worker);
    struct orr_missing missing;

    call(sched, 1 + worker);
    if (!touchy->queue.first)
        return NULL;
    orr_sched_missing(sched, touchy->queue.first, node, &missing);
    call(sched, (uint32_t)orr_sched_transfer(sched, touchy->queue.first, node));
    call(sched, (uint32_t)(missing.invalid_bytes + 3 * missing.unstarted_bytes +
                           7 * missing.unallocated_bytes));
    return touchy->calls >> 8 & 3 ? broken_pop(sched, worker) : NULL;
}

/* Brings data to one worker or another. */
static void hasty_push(struct orr_sched *sched, struct orr_task *task)
{
    const struct touchy *touchy = orr_sched_state(sched);

    orr_sched_prefetch(sched, task,
                       (touchy->calls >> 8) % orr_sched_workers(sched));
    touchy_push(sched, task);
}

static const struct orr_sched_ops touchy = {
    .name = "touchy",
    .state_size = sizeof(struct touchy),
    .push = touchy_push,
    .pop = touchy_pop,
};

static const struct orr_sched_ops moody = {
    .name = "moody",
    .state_size = sizeof(struct touchy),
    .push = touchy_push,
    .pop = moody_pop,
};

static const struct orr_sched_ops nosy = {
    .name = "nosy",
    .state_size = sizeof(struct touchy),
    .push = touchy_push,
    .pop = nosy_pop,
};

static const struct orr_sched_ops hasty = {
    .name = "hasty",
    .prefetches = true,
    .state_size = sizeof(struct touchy),
    .push = hasty_push,
    .pop = touchy_pop,
};

struct small_case {
    const struct orr_sched_ops *policy;
    int cpus, gpus;
    unsigned tasks;
    bool crossed; /* each task reads what the one before wrote */
    unsigned window;
    bool may_hang; /* in some schedules, and not in others */
    bool many;     /* over 8,000 schedules without reduction: takes seconds */
};

/* Two chains, or one: each time that a task ends, all workers look for another.
 */
static void submit(struct unit_run *unit, const struct small_case *small)
{
    struct orr_data *data[] = {orr_data_register(unit->run, BROKEN_TILE),
                               orr_data_register(unit->run, BROKEN_TILE)};

    for (unsigned i = 0; i < small->tasks; i++) {
        if (small->crossed)
            unit_submit_pair(unit, data[i % 2], data[(i + 1) % 2]);
        else
            unit_submit(unit, data[i % 2], ORR_RW);
    }
}

/* The actions of GPU drivers take time on this machine. */
static struct unit_run *begin(const struct small_case *small,
                              const struct orr_config *config)
{
    struct unit_run *unit = unit_run_new(
        small->gpus > 0 ? "attila-unit.xml" : "three-gpus.xml", config);

    broken_set_policy(unit, small->policy);
    return unit;
}

static char *run_once(const struct small_case *small,
                      struct orr_decider *decider)
{
    struct orr_config config;
    struct unit_run *unit;
    const struct orr_report *report;
    const struct touchy *state;
    char *outcome;
    bool ended;

    orr_config_init(&config);
    config.cpus = small->cpus;
    config.gpus = small->gpus;
    config.window.most = small->window;
    config.decider = decider;
    unit = begin(small, &config);
    submit(unit, small);
    ended = orr_run_wait(unit->run, NULL);
    report = orr_run_report(unit->run);
    state = orr_sched_state(unit->run->policy.sched);
    outcome = g_strdup_printf(
        "%s %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %x",
        ended ? "ended" : orr_hang_kind_name(orr_run_hang(unit->run)->kind),
        report->order, report->digest, state->calls);
    unit_run_free(unit);
    return outcome;
}

/* The set of outcomes, and in @schedules of how many. */
static GHashTable *run_all(const struct small_case *small, bool reduces,
                           unsigned *schedules)
{
    GHashTable *outcomes =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    struct orr_dfs *dfs = orr_dfs_new(reduces);
    struct orr_decider *decider;

    *schedules = 0;
    while ((decider = orr_dfs_begin(dfs))) {
        g_hash_table_add(outcomes, run_once(small, decider));
        assert_true(++*schedules < 1000000);
    }
    assert_true(orr_dfs_is_complete(dfs));
    orr_dfs_free(dfs);
    return outcomes;
}

static unsigned count_hangs(GHashTable *outcomes)
{
    GHashTableIter iter;
    gpointer outcome;
    unsigned count = 0;

    g_hash_table_iter_init(&iter, outcomes);
    while (g_hash_table_iter_next(&iter, &outcome, NULL))
        count += !g_str_has_prefix(outcome, "ended");
    return count;
}

static void compare(const struct small_case *small)
{
    unsigned all, some;
    GHashTable *full = run_all(small, false, &all);
    GHashTable *reduced = run_all(small, true, &some);
    GHashTableIter iter;
    gpointer outcome;

    print_message("%s, %d CPUs, %d GPUs, %u tasks%s: %u outcomes, of %u "
                  "schedules and of %u\n",
                  small->policy->name, small->cpus, small->gpus, small->tasks,
                  small->crossed ? ", crossed" : "", g_hash_table_size(full),
                  all, some);
    g_hash_table_iter_init(&iter, full);
    while (g_hash_table_iter_next(&iter, &outcome, NULL))
        assert_true(g_hash_table_contains(reduced, outcome));
    assert_int_equal(g_hash_table_size(full), g_hash_table_size(reduced));
    assert_true(some <= all / 10);
    assert_true(g_hash_table_size(full) > 1);
    assert_true(count_hangs(full) < g_hash_table_size(full));
    assert_true((count_hangs(full) > 0) == small->may_hang);
    g_hash_table_unref(full);
    g_hash_table_unref(reduced);
}

static void compare_all(const struct small_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!cases[i].many || orr_tests_are_full())
            compare(&cases[i]);
    }
}

static void outcomes_are_the_same_on_cpus(void **state)
{
    static const struct small_case cases[] = {
        {&touchy, 2, 0, 2, false, 0, false, false},
        {&touchy, 2, 0, 3, false, 0, false, true},
        {&touchy, 2, 0, 2, false, 1, false, false},
        {&touchy, 3, 0, 1, false, 0, false, false},
        {&moody, 2, 0, 2, false, 0, true, false},
        {&moody, 2, 0, 3, false, 0, true, true},
    };

    (void)state;
    compare_all(cases, G_N_ELEMENTS(cases));
}

static void outcomes_are_the_same_with_gpus(void **state)
{
    static const struct small_case cases[] = {
        {&touchy, 1, 1, 2, false, 0, false, false},
        {&touchy, 0, 2, 2, false, 0, false, true},
        {&moody, 1, 1, 2, true, 0, true, true},
        {&nosy, 0, 2, 1, true, 0, false, false},
        {&hasty, 0, 2, 2, false, 0, false, true},
    };

    (void)state;
    compare_all(cases, G_N_ELEMENTS(cases));
}

/* Makes all other decisions except durations: as in dfs.h. */
struct steady {
    struct orr_decider decider; /* first */
    struct orr_decider *other;
};

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_decider *other = ((struct steady *)decider)->other;

    return decision->kind == ORR_DECIDE_DURATION
               ? 0
               : other->decide(other, decision);
}

/* Runs @count schedules; each comes to one of the @outcomes, and together they
 * come to all of them. */
static void sample(const struct small_case *small, unsigned count,
                   GHashTable *outcomes)
{
    static const struct orr_strategy_scope scope = {
        .seed = 1, .workers = 3, .decisions = 30};
    struct orr_strategy *strategy =
        orr_strategy_new(ORR_STRATEGY_RANDOM, &scope);
    struct steady steady = {.decider = {.decide = decide}};
    GHashTable *found =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (unsigned i = 0; i < count; i++) {
        char *outcome;

        steady.other = orr_strategy_begin(strategy, i);
        outcome = run_once(small, &steady.decider);
        assert_true(g_hash_table_contains(outcomes, outcome));
        g_hash_table_add(found, outcome);
    }
    assert_int_equal(g_hash_table_size(found), g_hash_table_size(outcomes));
    g_hash_table_unref(found);
    orr_strategy_free(strategy);
}

/* Here there are too many schedules to run them all without reduction. */
static void random_schedules_have_no_other_outcomes(void **state)
{
    static const struct small_case cases[] = {
        {&touchy, 0, 3, 1, false, 0, false, false},
        {&moody, 0, 2, 2, true, 0, true, false},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        unsigned some;
        GHashTable *reduced = run_all(&cases[i], true, &some);

        sample(&cases[i], 1000, reduced);
        assert_true(some < 200);
        assert_true((count_hangs(reduced) > 0) == cases[i].may_hang);
        g_hash_table_unref(reduced);
    }
}

ORR_TESTS(reduction)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_the_same_on_cpus),
        cmocka_unit_test(outcomes_are_the_same_with_gpus),
        cmocka_unit_test(random_schedules_have_no_other_outcomes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
