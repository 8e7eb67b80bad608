/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all schedules of a small case come to, without reduction and with: the
 * same, of far fewer. The policies are as touchy as can be: what they do
 * depends on the order of all their calls, and so does the outcome.
 */
#include "runtime/dfs.h"
#include "tests/broken_policies.h"

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

static void touchy_push(struct orr_sched *sched, struct orr_task *task)
{
    call(sched, 100);
    broken_push(sched, task);
}

static struct orr_task *touchy_pop(struct orr_sched *sched, unsigned worker)
{
    call(sched, 1 + worker);
    return broken_pop(sched, worker);
}

/* Refuses in half of all states: who asks then sleeps, perhaps for ever. */
static struct orr_task *moody_pop(struct orr_sched *sched, unsigned worker)
{
    const struct touchy *touchy = orr_sched_state(sched);

    call(sched, 1 + worker);
    return touchy->calls >> 8 & 1 ? broken_pop(sched, worker) : NULL;
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

struct small_case {
    const struct orr_sched_ops *policy;
    int cpus, gpus;
    unsigned tasks;
    unsigned window;
    bool may_hang; /* in some schedules, and not in others */
};

/* Two chains: each time that a task ends, all workers look for another. */
static void submit(struct unit_run *unit, unsigned tasks)
{
    struct orr_data *data[] = {orr_data_register(unit->run, BROKEN_TILE),
                               orr_data_register(unit->run, BROKEN_TILE)};

    for (unsigned i = 0; i < tasks; i++)
        unit_submit(unit, data[i % 2], ORR_RW);
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
    config.window = small->window;
    config.decider = decider;
    unit = broken_run_with(small->policy, &config);
    submit(unit, small->tasks);
    ended = orr_run_wait(unit->run, NULL);
    report = orr_run_report(unit->run);
    state = orr_sched_state(unit->run->sched);
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

    print_message("%s, %d CPUs, %d GPUs, %u tasks: %u outcomes, of %u "
                  "schedules and of %u\n",
                  small->policy->name, small->cpus, small->gpus, small->tasks,
                  g_hash_table_size(full), all, some);
    g_hash_table_iter_init(&iter, full);
    while (g_hash_table_iter_next(&iter, &outcome, NULL))
        assert_true(g_hash_table_contains(reduced, outcome));
    assert_int_equal(g_hash_table_size(full), g_hash_table_size(reduced));
    assert_true(small->gpus > 0 ? some <= all : some <= all / 2);
    assert_true(g_hash_table_size(full) > 1);
    assert_true(count_hangs(full) < g_hash_table_size(full));
    assert_true((count_hangs(full) > 0) == small->may_hang);
    g_hash_table_unref(full);
    g_hash_table_unref(reduced);
}

static void outcomes_are_the_same(void **state)
{
    static const struct small_case cases[] = {
        {&touchy, 2, 0, 2, 0, false}, {&touchy, 2, 0, 3, 0, false},
        {&touchy, 2, 0, 2, 1, false}, {&touchy, 3, 0, 1, 0, false},
        {&touchy, 1, 1, 2, 0, false}, {&moody, 2, 0, 2, 0, true},
        {&moody, 2, 0, 3, 0, true},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++)
        compare(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
