/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the schedules of an exploration, in rounds and by several threads. */
#include "apps/search/exploration.h"

#include <string.h>

#include "apps/options/strategies.h"
#include "apps/output/parallel.h"
#include "apps/report/facts.h"
#include "apps/search/batch.h"
#include "apps/search/portfolio.h"
#include "apps/study/determinism.h"
#include "apps/study/simulate.h"
#include "runtime/explore/dfs.h"

/* An exploration at work; all threads share it. */
struct search {
    struct orr_exploration *exploration;
    struct orr_strategy_scope scope;
    struct orr_portfolio portfolio;
    struct orr_dfs *dfs; /* NULL: not used yet */
    bool exhausted;      /* it has no more schedules */
    bool is_plain;       /* the policy has no operations: not concurrent */
    uint64_t last;       /* number of the last schedule in the budget */
    gint64 begun_us;     /* on the monotonic clock */
    gint64 deadline_us;
    struct orr_progress progress;

    /* The present stage: of each round, first the schedules of the depth-first
     * search, then those of other strategies. */
    bool in_dfs;
    uint64_t first, end; /* schedules: from @first to @end - 1 */
    const GArray *turns; /* struct orr_turn: one for each, if not @in_dfs */

    GMutex mutex;       /* protects the members below */
    GPtrArray *batches; /* struct orr_batch of this round, in any order */
    uint64_t found;     /* number of the first schedule with a finding */
    uint64_t schedules;
    uint64_t hangs;
};

/* Whether no schedule from @number on is to be run at all. */
static bool has_ended(struct search *search, uint64_t number)
{
    bool ended;

    if (number > search->last || g_get_monotonic_time() >= search->deadline_us)
        return true;
    if (search->exploration->settings->all)
        return false;
    g_mutex_lock(&search->mutex);
    ended = number > search->found;
    g_mutex_unlock(&search->mutex);
    return ended;
}

/* Returns whether the stage ends before schedule @number. */
static bool is_over(struct search *search, uint64_t number)
{
    return number >= search->end || has_ended(search, number);
}

/* Counts the last schedule of @batch. */
static void count_schedule(struct search *search, const struct orr_batch *batch)
{
    unsigned last = batch->count - 1;

    g_mutex_lock(&search->mutex);
    search->schedules++;
    if (batch->hung[last]) {
        search->hangs++;
        search->found = MIN(search->found, batch->first + last);
    }
    g_mutex_unlock(&search->mutex);
}

/*
 * Returns the decider of schedule @number and sets *@name to its strategy.
 * NULL: there are no more schedules.
 */
static struct orr_decider *next_decider(struct search *search,
                                        struct orr_strategy **strategies,
                                        uint64_t number, const char **name)
{
    const struct orr_turn *turn;

    if (search->in_dfs) {
        struct orr_decider *decider = orr_dfs_begin(search->dfs);

        *name = ORR_STRATEGY_DFS;
        search->exhausted = !decider;
        return decider;
    }
    turn =
        &g_array_index(search->turns, struct orr_turn, number - search->first);
    if (!strategies[turn->kind])
        strategies[turn->kind] = orr_strategy_new(turn->kind, &search->scope);
    *name = orr_strategy_name(turn->kind);
    return orr_strategy_begin(strategies[turn->kind], turn->number);
}

/* Runs the schedules of @batch until the stage ends. */
static bool run_batch(struct search *search, struct orr_batch *batch)
{
    struct orr_strategy *strategies[ORR_STRATEGIES] = {NULL};
    bool done = true;

    while (done && batch->count < ORR_BATCH_MAX &&
           !is_over(search, batch->first + batch->count)) {
        const char *name;
        struct orr_decider *decider = next_decider(
            search, strategies, batch->first + batch->count, &name);

        if (!decider)
            break;
        done =
            orr_batch_run(batch, search->exploration->settings, decider, name);
        if (done)
            count_schedule(search, batch);
    }
    for (unsigned i = 0; i < ORR_STRATEGIES; i++)
        orr_strategy_free(strategies[i]);
    return done;
}

/* Performs a job: runs one batch. See parallel.h. */
static bool perform(unsigned i, void *data)
{
    struct search *search = data;
    struct orr_batch *batch =
        orr_batch_new(search->first + (uint64_t)i * ORR_BATCH_MAX);
    bool done;

    batch->is_plain = search->is_plain;
    done = run_batch(search, batch);
    g_mutex_lock(&search->mutex);
    g_ptr_array_add(search->batches, batch);
    g_mutex_unlock(&search->mutex);
    return done && !search->exhausted &&
           !is_over(search, batch->first + batch->count);
}

/* The part of the budget that is spent: of schedules or of time. */
static double share_of(const struct search *search, uint64_t schedules)
{
    const struct orr_settings *settings = search->exploration->settings;
    orr_time time = g_get_monotonic_time() - search->begun_us; /* us */
    double share = 0;

    if (settings->budget > 0)
        share = (double)schedules / (double)settings->budget;
    if (settings->budget_time > 0)
        share = MAX(share, (double)time * 1e3 / (double)settings->budget_time);
    return share;
}

static char *describe(void *data, double *share)
{
    struct search *search = data;
    g_autofree char *of = NULL;
    uint64_t schedules, hangs;

    g_mutex_lock(&search->mutex);
    schedules = search->schedules;
    hangs = search->hangs;
    g_mutex_unlock(&search->mutex);
    *share = share_of(search, schedules);
    if (search->exploration->settings->budget > 0)
        of = g_strdup_printf(" of %" G_GUINT64_FORMAT, search->last);
    return g_strdup_printf("%" G_GUINT64_FORMAT
                           "%s schedules, %" G_GUINT64_FORMAT " did not finish",
                           schedules, of ? of : "", hangs);
}

/* Adds the results of the batches to those of the exploration. */
static enum orr_exit sum_up(struct search *search, GError **error)
{
    uint64_t end = search->exploration->settings->all ? UINT64_MAX
                   : search->found == UINT64_MAX      ? UINT64_MAX
                                                      : search->found + 1;
    enum orr_exit status =
        orr_exploration_sum(search->exploration, search->batches, end, error);

    g_ptr_array_set_size(search->batches, 0);
    return status;
}

/* Runs schedule 1, the default, from which facts and scope are set. */
static enum orr_exit run_default(struct search *search, GError **error)
{
    struct orr_exploration *exploration = search->exploration;
    struct orr_batch *batch = orr_batch_new(1);
    bool done = orr_batch_run(batch, exploration->settings, NULL, "default");

    g_ptr_array_add(search->batches, batch);
    if (!done)
        return sum_up(search, error);
    count_schedule(search, batch);
    search->is_plain = orr_interleavings_are_none(batch->interleavings);
    exploration->facts = g_steal_pointer(&batch->facts);
    search->scope = (struct orr_strategy_scope){
        .seed = exploration->settings->seed,
        .workers =
            (unsigned)(json_object_get_int_member(exploration->facts, "cpus") +
                       json_object_get_int_member(exploration->facts, "gpus")),
        .decisions = batch->decisions,
    };
    return sum_up(search, error);
}

/* Runs a stage of @count schedules. Returns the signal that stopped it, or 0.
 */
static int run_stage(struct search *search, uint64_t count, unsigned threads)
{
    const struct orr_parallel parallel = {
        .command = search->exploration->command,
        .progress = &search->progress,
        .describe = describe,
        .count = (unsigned)((count + ORR_BATCH_MAX - 1) / ORR_BATCH_MAX),
        .threads = threads,
        .perform = perform,
        .data = search,
    };

    search->first = search->schedules + 1;
    search->end = search->first + count;
    if (count == 0 || is_over(search, search->first))
        return 0;
    return orr_parallel_run(&parallel, NULL);
}

/* One thread: each schedule of the search depends on the one before. */
static int run_dfs(struct search *search, uint64_t count)
{
    int signal;

    if (count == 0)
        return 0;
    if (!search->dfs)
        search->dfs = orr_dfs_new(true);
    search->in_dfs = true;
    signal = run_stage(search, count, 1);
    search->in_dfs = false;
    return signal;
}

/* Schedules of a strategy so far, and how many of them were distinct. */
static struct orr_exploration_part count_part(const struct search *search,
                                              unsigned strategy)
{
    const char *name = orr_portfolio_name(strategy);
    const GArray *parts = search->exploration->parts;

    for (guint i = 0; i < parts->len; i++) {
        const struct orr_exploration_part *part =
            &g_array_index(parts, struct orr_exploration_part, i);

        if (strcmp(part->strategy, name) == 0)
            return *part;
    }
    return (struct orr_exploration_part){.strategy = name};
}

/* Runs one round. Sets *@signal to the signal that stopped it, or 0. */
static enum orr_exit run_round(struct search *search, int *signal,
                               GError **error)
{
    struct orr_exploration_part before[ORR_PORTFOLIO_MOST];
    struct orr_portfolio *portfolio = &search->portfolio;
    g_autoptr(GArray) turns =
        orr_portfolio_begin(portfolio, search->last - search->schedules);
    enum orr_exit status;

    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++)
        before[i] = count_part(search, i);
    *signal = run_dfs(search, portfolio->shares[ORR_PORTFOLIO_DFS].quota);
    search->turns = turns;
    if (!*signal && !search->exhausted)
        *signal = run_stage(search, turns->len,
                            (unsigned)search->exploration->settings->threads);
    status = sum_up(search, error);
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        struct orr_exploration_part after = count_part(search, i);

        orr_portfolio_note(portfolio, i, after.schedules - before[i].schedules,
                           after.distinct - before[i].distinct);
    }
    return status;
}

/* Runs all schedules but the first. Sets *@signal to the signal that stopped
 * it, or 0. */
static enum orr_exit run_rounds(struct search *search, int *signal,
                                GError **error)
{
    enum orr_exit status = ORR_EXIT_OK;
    uint64_t before = 0;

    while (status == ORR_EXIT_OK && !*signal && !search->exhausted &&
           search->schedules > before &&
           !has_ended(search, search->schedules + 1)) {
        before = search->schedules;
        status = run_round(search, signal, error);
    }
    return status;
}

/* Returns what follows if @dfs has tried all schedules, @count of them. */
static char *claim_all(const struct orr_dfs *dfs, uint64_t count)
{
    if (!orr_dfs_is_complete(dfs))
        return NULL;
    if (orr_dfs_orders(dfs))
        return g_strdup_printf(
            "no deadlock exists at this size: these %" G_GUINT64_FORMAT
            " schedules cover every order of the policy's operations on each "
            "lock, on this machine and with these durations, if no access to "
            "memory races with another",
            count);
    return g_strdup_printf(
        "no deadlock exists at this size: these %" G_GUINT64_FORMAT
        " schedules cover all possible decisions, on this machine and with "
        "these durations",
        count);
}

static void claim(const struct search *search,
                  struct orr_exploration_part *part)
{
    if (strcmp(part->strategy, ORR_STRATEGY_DFS) == 0)
        part->claim = claim_all(search->dfs, part->schedules);
    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++) {
        if (strcmp(orr_strategy_name(kind), part->strategy) != 0)
            continue;
        part->claim = orr_strategy_claim(kind, &search->scope, part->schedules);
        part->bound_count = orr_strategy_bounds(kind, &search->scope,
                                                part->schedules, part->bounds);
    }
}

/* Completes the results: repetitions of findings, and claims. */
static void complete(const struct search *search,
                     struct orr_exploration *exploration)
{
    for (guint i = 0; i < exploration->findings->len; i++)
        orr_finding_check(exploration->findings->pdata[i],
                          exploration->settings);
    exploration->exhausted = search->dfs && orr_dfs_is_complete(search->dfs);
    for (guint i = 0; i < exploration->parts->len; i++) {
        struct orr_exploration_part *part =
            &g_array_index(exploration->parts, struct orr_exploration_part, i);

        if (exploration->findings->len == 0)
            claim(search, part);
    }
}

static void use_strategies(struct search *search, const char *strategy)
{
    bool all = strcmp(strategy, ORR_STRATEGY_PORTFOLIO) == 0;
    bool used[ORR_PORTFOLIO_MOST];

    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++)
        used[i] = all || strcmp(orr_portfolio_name(i), strategy) == 0;
    orr_portfolio_init(&search->portfolio, used);
}

static enum orr_exit explore(struct search *search, GError **error)
{
    enum orr_exit status = run_default(search, error);
    int signal = 0;

    if (status == ORR_EXIT_OK && !has_ended(search, 2))
        search->exploration->difference =
            orr_determinism_difference(search->exploration->settings);
    if (status == ORR_EXIT_OK)
        status = run_rounds(search, &signal, error);
    if (status != ORR_EXIT_OK)
        return status;
    complete(search, search->exploration);
    return signal ? orr_parallel_status(signal) : ORR_EXIT_OK;
}

enum orr_exit orr_exploration_perform(struct orr_exploration *exploration,
                                      GError **error)
{
    const struct orr_settings *settings = exploration->settings;
    struct search search = {
        .exploration = exploration,
        .last = settings->budget > 0 ? settings->budget : ORR_MAX_SCHEDULES,
        .begun_us = g_get_monotonic_time(),
        .deadline_us = G_MAXINT64,
        .found = UINT64_MAX,
    };
    enum orr_exit status;

    if (settings->budget_time > 0)
        search.deadline_us = search.begun_us + settings->budget_time / 1000;
    orr_progress_begin(&search.progress);
    exploration->schedules = 0;
    exploration->findings =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_finding_free);
    exploration->parts =
        g_array_new(FALSE, FALSE, sizeof(struct orr_exploration_part));
    exploration->orders = g_hash_table_new(g_direct_hash, g_direct_equal);
    exploration->interleavings = orr_interleavings_new();
    search.batches =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_batch_free);
    g_mutex_init(&search.mutex);
    use_strategies(&search, settings->strategy);
    status = explore(&search, error);
    exploration->wall_s =
        (double)(g_get_monotonic_time() - search.begun_us) / 1e6;
    g_mutex_clear(&search.mutex);
    g_ptr_array_unref(search.batches);
    orr_dfs_free(search.dfs);
    return status;
}

void orr_exploration_clear(struct orr_exploration *exploration)
{
    for (guint i = 0; exploration->parts && i < exploration->parts->len; i++)
        g_free(g_array_index(exploration->parts, struct orr_exploration_part, i)
                   .claim);
    g_clear_pointer(&exploration->parts, g_array_unref);
    g_clear_pointer(&exploration->findings, g_ptr_array_unref);
    g_clear_pointer(&exploration->orders, g_hash_table_unref);
    g_clear_pointer(&exploration->interleavings, orr_interleavings_free);
    g_clear_pointer(&exploration->difference, g_free);
    g_clear_pointer(&exploration->facts, json_object_unref);
}
