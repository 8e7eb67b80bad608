/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the schedules of an exploration, in stages and by several threads. */
#include "apps/search/exploration.h"

#include <string.h>

#include "apps/report/facts.h"
#include "apps/search/batch.h"
#include "apps/settings/strategies.h"
#include "apps/study/parallel.h"
#include "apps/study/simulate.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/strategy.h"

/* An exploration at work; all threads share it. */
struct search {
    const struct orr_exploration *exploration;
    struct orr_strategy_scope scope;
    enum orr_strategy_kind kinds[ORR_STRATEGIES]; /* that take turns */
    unsigned kind_count;
    uint64_t last;       /* number of the last schedule in the budget */
    uint64_t first, end; /* schedules of this stage: from @first to @end - 1 */
    gint64 begun_us;     /* on the monotonic clock */
    gint64 deadline_us;  /* of this stage */
    struct orr_progress progress;

    bool uses_dfs;       /* the first stage is an exhaustive search */
    struct orr_dfs *dfs; /* makes the schedules of that stage; or NULL */
    bool in_dfs;         /* this is that stage */
    bool exhausted;      /* dfs has no more schedules */

    GMutex mutex;       /* protects the members below */
    GPtrArray *batches; /* struct orr_batch, in any order */
    uint64_t found;     /* number of the first schedule with a finding */
    uint64_t schedules;
    uint64_t hangs;
};

/* Lets this stage last until 1 / @share of the time budget is spent. */
static void set_deadline(struct search *search, unsigned share)
{
    orr_time time = search->exploration->settings->budget_time;

    search->deadline_us =
        time > 0 ? search->begun_us + time / 1000 / share : G_MAXINT64;
}

/* Returns whether the stage ends before schedule @number. */
static bool is_over(struct search *search, uint64_t number)
{
    bool over;

    if (number >= search->end || g_get_monotonic_time() >= search->deadline_us)
        return true;
    if (search->exploration->settings->all)
        return false;
    g_mutex_lock(&search->mutex);
    over = number > search->found;
    g_mutex_unlock(&search->mutex);
    return over;
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
    /* Strategies take turns. */
    uint64_t turn = number - search->first;
    enum orr_strategy_kind kind;

    if (search->in_dfs) {
        struct orr_decider *decider = orr_dfs_begin(search->dfs);

        *name = ORR_STRATEGY_DFS;
        search->exhausted = !decider;
        return decider;
    }
    kind = search->kinds[turn % search->kind_count];
    if (!strategies[kind])
        strategies[kind] = orr_strategy_new(kind, &search->scope);
    *name = orr_strategy_name(kind);
    return orr_strategy_begin(strategies[kind], turn / search->kind_count);
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
    bool done = run_batch(search, batch);

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

/* Runs schedule 1, the default, from which facts and scope are set. */
static enum orr_exit run_default(struct search *search,
                                 struct orr_exploration *exploration,
                                 GError **error)
{
    struct orr_batch *batch = orr_batch_new(1);
    bool done = orr_batch_run(batch, exploration->settings, NULL, "default");

    g_ptr_array_add(search->batches, batch);
    if (!done) {
        g_propagate_error(error, g_steal_pointer(&batch->error));
        return batch->status;
    }
    count_schedule(search, batch);
    exploration->facts = g_steal_pointer(&batch->facts);
    search->scope = (struct orr_strategy_scope){
        .seed = exploration->settings->seed,
        .workers =
            (unsigned)(json_object_get_int_member(exploration->facts, "cpus") +
                       json_object_get_int_member(exploration->facts, "gpus")),
        .decisions = batch->decisions,
    };
    return ORR_EXIT_OK;
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

/*
 * Limits of the exhaustive search in a portfolio: schedules, and 1 / share of
 * the budget. This is enough for small cases and little for others.
 */
enum { MAX_DFS_SCHEDULES = 1000, DFS_SHARE = 10 };

static int run_dfs(struct search *search)
{
    uint64_t count = search->last - search->schedules;
    int signal;

    search->dfs = orr_dfs_new(true);
    search->in_dfs = true;
    set_deadline(search, 1);
    if (search->kind_count > 0) {
        count = MIN(count / DFS_SHARE, MAX_DFS_SCHEDULES);
        set_deadline(search, DFS_SHARE);
    }
    /* One thread: each schedule depends on the one before. */
    signal = run_stage(search, count, 1);
    search->in_dfs = false;
    return signal;
}

/* Runs all schedules but the first. Returns the signal that stopped it, or 0.
 */
static int run_stages(struct search *search)
{
    const struct orr_settings *settings = search->exploration->settings;
    int signal = 0;

    if (search->uses_dfs)
        signal = run_dfs(search);
    if (signal || search->exhausted || search->kind_count == 0)
        return signal;
    set_deadline(search, 1);
    return run_stage(search, search->last - search->schedules,
                     (unsigned)settings->threads);
}

/* Returns what follows if @dfs has tried all schedules, @count of them. */
static char *claim_all(const struct orr_dfs *dfs, uint64_t count)
{
    if (!orr_dfs_is_complete(dfs))
        return NULL;
    return g_strdup_printf(
        "no deadlock exists at this size: these %" G_GUINT64_FORMAT
        " schedules cover all possible decisions, on this machine and with "
        "these durations",
        count);
}

static char *claim(const struct search *search,
                   const struct orr_exploration_part *part)
{
    for (unsigned i = 0; i < search->kind_count; i++) {
        if (strcmp(orr_strategy_name(search->kinds[i]), part->strategy) == 0)
            return orr_strategy_claim(search->kinds[i], &search->scope,
                                      part->schedules);
    }
    return strcmp(part->strategy, ORR_STRATEGY_DFS) == 0
               ? claim_all(search->dfs, part->schedules)
               : NULL;
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
            part->claim = claim(search, part);
    }
}

static void set_kinds(struct search *search, const char *strategy)
{
    bool all = strcmp(strategy, ORR_STRATEGY_PORTFOLIO) == 0;

    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++) {
        if (all || strcmp(orr_strategy_name(kind), strategy) == 0)
            search->kinds[search->kind_count++] = kind;
    }
    search->uses_dfs = all || search->kind_count == 0;
}

static enum orr_exit sum_up(struct search *search,
                            struct orr_exploration *exploration, GError **error)
{
    uint64_t end = exploration->settings->all || search->found == UINT64_MAX
                       ? UINT64_MAX
                       : search->found + 1;

    return orr_exploration_sum(exploration, search->batches, end, error);
}

static enum orr_exit explore(struct search *search,
                             struct orr_exploration *exploration,
                             GError **error)
{
    enum orr_exit status = run_default(search, exploration, error);
    enum orr_exit gathered;
    int signal;

    if (status != ORR_EXIT_OK)
        return status;
    signal = run_stages(search);
    gathered = sum_up(search, exploration, error);
    if (gathered != ORR_EXIT_OK)
        return gathered;
    complete(search, exploration);
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
        .found = UINT64_MAX,
    };
    enum orr_exit status;

    orr_progress_begin(&search.progress);
    exploration->schedules = 0;
    exploration->findings =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_finding_free);
    exploration->parts =
        g_array_new(FALSE, FALSE, sizeof(struct orr_exploration_part));
    search.batches =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_batch_free);
    g_mutex_init(&search.mutex);
    set_kinds(&search, settings->strategy);
    status = explore(&search, exploration, error);
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
    g_clear_pointer(&exploration->facts, json_object_unref);
}
