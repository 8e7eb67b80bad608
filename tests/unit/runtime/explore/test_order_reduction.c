/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The outcomes of all schedules of a concurrent policy in a tiny case: the
 * order in which tasks were queued and taken, the workers, and whether all
 * ended. The depth-first search has all outcomes that random schedules have,
 * and ends soon. Pops that find nothing do not count (dfs.h).
 */
#include "runtime/config/run_config.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/strategy.h"
#include "runtime/run.h"
#include "tests/support/broken_policies.h"
#include "tests/zoo/fifo.h"

struct touchy {
    struct orr_lock *queue, *list;
    struct fifo fifo;
    uint32_t idle;  /* workers that sleep, or will, one bit each */
    uint32_t calls; /* puts and takes, in order */
};

static void note(struct touchy *touchy, uint32_t word)
{
    touchy->calls = (touchy->calls ^ word) * 16777619u + 1;
}

/* The first task of the queue, whose lock is held. */
static struct orr_task *take_first(struct orr_sched *sched, unsigned worker)
{
    struct touchy *touchy = orr_sched_state(sched);
    struct orr_task *task;

    task = fifo_take(sched, &touchy->fifo, worker);
    if (task)
        note(touchy, 1 + worker);
    return task;
}

static void init(struct orr_sched *sched)
{
    struct touchy *touchy = orr_sched_state(sched);

    touchy->queue = orr_lock_new(sched, "queue");
    touchy->list = orr_lock_new(sched, "list");
    touchy->idle = (UINT32_C(1) << orr_sched_workers(sched)) - 1;
}

static void fini(struct orr_sched *sched)
{
    struct touchy *touchy = orr_sched_state(sched);

    orr_lock_free(touchy->queue);
    orr_lock_free(touchy->list);
}

static void put(struct touchy *touchy, struct orr_task *task)
{
    orr_lock_acquire(touchy->queue);
    note(touchy, 100 + (uint32_t)task->id);
    fifo_put(&touchy->fifo, task);
    orr_lock_release(touchy->queue);
}

static struct orr_task *take(struct orr_sched *sched, unsigned worker)
{
    struct touchy *touchy = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(touchy->queue);
    task = take_first(sched, worker);
    orr_lock_release(touchy->queue);
    return task;
}

/* One lock; all workers are woken. */
static void push(struct orr_sched *sched, struct orr_task *task)
{
    put(orr_sched_state(sched), task);
    fifo_wake_all(sched, task);
}

/* Two locks: only workers on the list are woken. A worker that comes onto it
 * after it has looked may sleep for ever. */
static void push_listed(struct orr_sched *sched, struct orr_task *task)
{
    struct touchy *touchy = orr_sched_state(sched);
    uint32_t idle;

    put(touchy, task);
    orr_lock_acquire(touchy->list);
    idle = touchy->idle;
    orr_lock_release(touchy->list);
    for (unsigned w = 0; idle >> w > 0; w++) {
        if (idle >> w & 1)
            orr_sched_wake(sched, w);
    }
}

static struct orr_task *take_listed(struct orr_sched *sched, unsigned worker)
{
    struct touchy *touchy = orr_sched_state(sched);
    struct orr_task *task = take(sched, worker);

    orr_lock_acquire(touchy->list);
    touchy->idle &= ~(UINT32_C(1) << worker);
    if (!task)
        touchy->idle |= UINT32_C(1) << worker;
    orr_lock_release(touchy->list);
    return task;
}

/* Tries the lock, and gives up. */
static struct orr_task *try_take(struct orr_sched *sched, unsigned worker)
{
    struct touchy *touchy = orr_sched_state(sched);
    struct orr_task *task;

    if (!orr_lock_try(touchy->queue))
        return NULL;
    task = take_first(sched, worker);
    orr_lock_release(touchy->queue);
    return task;
}

static const struct orr_sched_ops one_lock = {
    .name = "one-lock",
    .concurrent = true,
    .state_size = sizeof(struct touchy),
    .init = init,
    .fini = fini,
    .push = push,
    .pop = take,
};

static const struct orr_sched_ops two_locks = {
    .name = "two-locks",
    .concurrent = true,
    .state_size = sizeof(struct touchy),
    .init = init,
    .fini = fini,
    .push = push_listed,
    .pop = take_listed,
};

static const struct orr_sched_ops tried = {
    .name = "tried",
    .concurrent = true,
    .state_size = sizeof(struct touchy),
    .init = init,
    .fini = fini,
    .push = push,
    .pop = try_take,
};

struct tiny_case {
    const struct orr_sched_ops *policy;
    unsigned cpus, tasks;
    bool chained;  /* each task waits for the one before */
    bool may_hang; /* in some schedules */
    unsigned most; /* schedules of the search */
};

static char *run_once(const struct tiny_case *tiny, struct orr_decider *decider)
{
    struct orr_config config = unit_with_window(0);
    struct unit_run *unit;
    struct orr_data *data[2];
    GString *outcome;
    bool ended;

    config.cpus = (int)tiny->cpus;
    config.decider = decider;
    config.policy = tiny->policy;
    unit = unit_run_new("three-gpus.xml", &config);
    data[0] = orr_data_register(unit->run, BROKEN_TILE);
    data[1] = orr_data_register(unit->run, BROKEN_TILE);
    for (unsigned i = 0; i < tiny->tasks; i++)
        unit_submit(unit, data[tiny->chained ? 0 : i % 2], ORR_RW);
    ended = orr_run_wait(unit->run, NULL);
    outcome = g_string_new(ended ? "ended" : "hangs");
    g_string_append_printf(
        outcome, " %x",
        ((struct touchy *)orr_sched_state(unit->run->policy.sched))->calls);
    for (unsigned i = 0; i < unit->tasks->len; i++)
        g_string_append_printf(outcome, " %s", unit_task(unit, i)->worker_name);
    unit_run_free(unit);
    return g_string_free(outcome, FALSE);
}

static GHashTable *new_set(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static GHashTable *run_all(const struct tiny_case *tiny, unsigned *schedules)
{
    GHashTable *outcomes = new_set();
    struct orr_dfs *dfs = orr_dfs_new(true);
    struct orr_decider *decider;

    *schedules = 0;
    while ((decider = orr_dfs_begin(dfs))) {
        g_hash_table_add(outcomes, run_once(tiny, decider));
        assert_true(++*schedules <= tiny->most);
    }
    assert_true(orr_dfs_is_complete(dfs));
    orr_dfs_free(dfs);
    return outcomes;
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

/* Adds the outcomes of @count schedules to @found. */
static void sample(const struct tiny_case *tiny, enum orr_strategy_kind kind,
                   unsigned count, GHashTable *found)
{
    const struct orr_strategy_scope scope = {
        .seed = 1, .workers = tiny->cpus, .decisions = 40};
    struct orr_strategy *strategy = orr_strategy_new(kind, &scope);
    struct steady steady = {.decider = {.decide = decide}};

    for (unsigned i = 0; i < count; i++) {
        steady.other = orr_strategy_begin(strategy, i);
        g_hash_table_add(found, run_once(tiny, &steady.decider));
    }
    orr_strategy_free(strategy);
}

static bool has_hang(GHashTable *outcomes)
{
    GHashTableIter iter;
    gpointer outcome;

    g_hash_table_iter_init(&iter, outcomes);
    while (g_hash_table_iter_next(&iter, &outcome, NULL)) {
        if (g_str_has_prefix(outcome, "hangs"))
            return true;
    }
    return false;
}

static void check(const struct tiny_case *tiny)
{
    GHashTable *found = new_set(), *outcomes;
    GHashTableIter iter;
    gpointer outcome;
    unsigned schedules;

    outcomes = run_all(tiny, &schedules);
    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++)
        sample(tiny, kind, 300, found);
    print_message("%s, %u CPUs, %u tasks%s: %u outcomes of %u schedules, %u of "
                  "random ones\n",
                  tiny->policy->name, tiny->cpus, tiny->tasks,
                  tiny->chained ? ", chained" : "", g_hash_table_size(outcomes),
                  schedules, g_hash_table_size(found));
    g_hash_table_iter_init(&iter, found);
    while (g_hash_table_iter_next(&iter, &outcome, NULL))
        assert_true(g_hash_table_contains(outcomes, outcome));
    assert_true(g_hash_table_size(outcomes) > 1);
    assert_true(has_hang(outcomes) == tiny->may_hang);
    g_hash_table_unref(found);
    g_hash_table_unref(outcomes);
}

static void all_outcomes_are_found(void **state)
{
    static const struct tiny_case cases[] = {
        {&one_lock, 2, 1, false, false, 40},
        {&two_locks, 2, 1, false, false, 80},
        {&tried, 2, 1, false, false, 60},
        {&one_lock, 1, 2, false, false, 30},
        {&two_locks, 1, 2, false, true, 60},
        {&tried, 1, 2, false, false, 50},
        {&one_lock, 2, 2, true, false, 400},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        check(&cases[i]);
}

ORR_TESTS(order_reduction)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_outcomes_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
