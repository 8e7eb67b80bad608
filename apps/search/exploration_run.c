/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs the schedules of an exploration.
 *
 * Schedule 1 is the default one; it sets the facts and the scope of the
 * strategies. The rest of the budget is spent in rounds. A round first runs the
 * share of the depth-first search, in one thread, as each of its schedules
 * depends on the one before; then the shares of all other strategies, in
 * batches by several threads. At the end of a round, the portfolio learns how
 * many distinct schedules each strategy found, from which it computes the
 * shares of the next round.
 *
 * Threads take numbers of schedules, not results, from the common state: a
 * schedule depends only on its number and the seed. Batches are sorted by
 * number before they are summed, so that results do not depend on the number of
 * threads. With --resume, the position is saved after each slice of a stage.
 */
#include "apps/search/exploration.h"

#include <string.h>

#include "apps/facts/facts.h"
#include "apps/options/strategies.h"
#include "apps/output/parallel.h"
#include "apps/search/batch.h"
#include "apps/search/resume.h"
#include "apps/simulation/determinism.h"
#include "apps/simulation/simulate.h"

/* ---- sums of the results of batches, and claims that follow from them ---- */

static struct orr_exploration_part *part_of(GArray *parts, const char *strategy)
{
    const struct orr_exploration_part empty = {.strategy = strategy};

    for (guint i = 0; i < parts->len; i++) {
        struct orr_exploration_part *part =
            &g_array_index(parts, struct orr_exploration_part, i);

        if (strcmp(part->strategy, strategy) == 0)
            return part;
    }
    g_array_append_val(parts, empty);
    return &g_array_index(parts, struct orr_exploration_part, parts->len - 1);
}

static int by_first(const void *a, const void *b)
{
    const struct orr_batch *const *x = a, *const *y = b;

    return ((*x)->first > (*y)->first) - ((*x)->first < (*y)->first);
}

/* Adds the results of the schedules of @batch before number @end. */
static void add_batch(struct orr_exploration *exploration,
                      struct orr_batch *batch, uint64_t end)
{
    uint64_t count = MIN(batch->count, end - MIN(end, batch->first));

    for (uint64_t i = 0; i < count; i++) {
        struct orr_exploration_part *part =
            part_of(exploration->parts, batch->strategies[i]);

        part->schedules++;
        part->hangs += batch->hung[i];
        if (!g_hash_table_add(exploration->orders,
                              GSIZE_TO_POINTER((gsize)batch->orders[i])))
            continue;
        part->distinct++;
        g_array_append_val(exploration->order_list, batch->orders[i]);
    }
    exploration->schedules += count;
    if (count > 0)
        orr_interleavings_join(exploration->interleavings,
                               batch->interleavings);
    while (count > 0 && batch->failures->len > 0)
        orr_failure_add(exploration->failures,
                        g_ptr_array_steal_index(batch->failures, 0));
}

enum orr_exit orr_exploration_sum(struct orr_exploration *exploration,
                                  GPtrArray *batches, uint64_t end,
                                  GError **error)
{
    g_ptr_array_sort(batches, by_first);
    for (guint i = 0; i < batches->len; i++) {
        struct orr_batch *batch = batches->pdata[i];

        add_batch(exploration, batch, end);
        if (batch->error && batch->first + batch->count < end) {
            g_propagate_error(error, g_steal_pointer(&batch->error));
            return batch->status;
        }
    }
    exploration->distinct = g_hash_table_size(exploration->orders);
    return ORR_EXIT_OK;
}

/* Returns the claim if @dfs has tried all of its @count schedules. */
static char *claim_all(const struct orr_dfs *dfs, uint64_t count)
{
    if (!orr_dfs_is_complete(dfs))
        return NULL;
    if (orr_dfs_orders(dfs))
        return g_strdup_printf(
            "no deadlock exists at this size: these %" G_GUINT64_FORMAT
            " schedules cover every order of the policy's operations on each "
            "lock, on this machine and with these durations, if no access to "
            "memory races with another, and if pops that find nothing change "
            "nothing",
            count);
    return g_strdup_printf(
        "no deadlock exists at this size: these %" G_GUINT64_FORMAT
        " schedules cover all possible decisions, on this machine and with "
        "these durations",
        count);
}

static void claim(struct orr_exploration_part *part,
                  const struct orr_strategy_scope *scope,
                  const struct orr_dfs *dfs)
{
    if (strcmp(part->strategy, ORR_STRATEGY_DFS) == 0)
        part->claim = claim_all(dfs, part->schedules);
    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++) {
        if (strcmp(orr_strategy_name(kind), part->strategy) != 0)
            continue;
        part->claim = orr_strategy_claim(kind, scope, part->schedules);
        part->bound_count =
            orr_strategy_bounds(kind, scope, part->schedules, part->bounds);
    }
}

/* Sets the claims and bounds of the parts if there is no failure. @dfs: NULL if
 * it was not used. */
static void set_claims(const struct orr_exploration *exploration,
                       const struct orr_strategy_scope *scope,
                       const struct orr_dfs *dfs)
{
    for (guint i = 0; i < exploration->parts->len; i++) {
        if (exploration->failures->len == 0)
            claim(&g_array_index(exploration->parts,
                                 struct orr_exploration_part, i),
                  scope, dfs);
    }
}

void orr_exploration_clear(struct orr_exploration *exploration)
{
    for (guint i = 0; exploration->parts && i < exploration->parts->len; i++)
        g_free(g_array_index(exploration->parts, struct orr_exploration_part, i)
                   .claim);
    g_clear_pointer(&exploration->parts, g_array_unref);
    g_clear_pointer(&exploration->failures, g_ptr_array_unref);
    g_clear_pointer(&exploration->orders, g_hash_table_unref);
    g_clear_pointer(&exploration->order_list, g_array_unref);
    g_clear_pointer(&exploration->interleavings, orr_interleavings_free);
    g_clear_pointer(&exploration->difference, g_free);
    g_clear_pointer(&exploration->facts, json_object_unref);
}

/* ---- running schedules ---- */

/* A running exploration, shared by all threads. */
struct search {
    struct orr_exploration *exploration;
    struct orr_strategy_scope scope;
    struct orr_portfolio portfolio;
    struct orr_dfs *dfs; /* NULL: not used yet */
    struct orr_round round;
    bool resumed; /* the position was read from a file, within a round */
    bool torn;    /* a signal stopped threads, so that some schedules in between
                     are missing */
    uint64_t slice; /* schedules until the position is saved again */
    bool exhausted; /* the depth-first search has tried all schedules */
    bool is_plain;  /* the policy reports no operations: it is not concurrent */
    uint64_t last;  /* number of the last schedule in the budget */
    gint64 begun_us; /* on the monotonic clock */
    gint64 deadline_us;
    struct orr_progress progress;

    /* The present stage: of each round, first the schedules of the depth-first
     * search, then the schedules of other strategies. */
    bool in_dfs;
    uint64_t first, end; /* schedules: from @first to @end - 1 */
    const GArray
        *turns; /* struct orr_turn: strategies of the stage, unless @in_dfs */
    uint64_t turns_first; /* number of the schedule of the first turn */

    GMutex mutex;       /* protects the members below */
    GPtrArray *batches; /* struct orr_batch of this round, in any order */
    uint64_t found;     /* number of the first schedule with a failure */
    uint64_t schedules;
    uint64_t hangs;
};

static void set_deadline(struct search *search)
{
    orr_time budget = search->exploration->settings->budget_time;

    if (budget > 0)
        search->deadline_us = search->begun_us + budget / 1000;
}

static void set_wall(const struct search *search)
{
    search->exploration->wall_s =
        (double)(g_get_monotonic_time() - search->begun_us) / 1e6;
}

/* Whether the exploration ends before schedule @number. */
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
    turn = &g_array_index(search->turns, struct orr_turn,
                          number - search->turns_first);
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
            orr_batch_run(batch, search->exploration->scenario, decider, name);
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

/* The share of the budget that is spent, in schedules or time. */
static double share_of(const struct search *search, uint64_t schedules)
{
    const struct orr_exploration_settings *settings =
        search->exploration->settings;
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

/* Adds the results of the batches to the exploration. */
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

/* Runs schedule 1, the default, and sets facts and scope from it. */
static enum orr_exit run_default(struct search *search, GError **error)
{
    struct orr_exploration *exploration = search->exploration;
    struct orr_batch *batch = orr_batch_new(1);
    bool done = orr_batch_run(batch, exploration->scenario, NULL, "default");

    g_ptr_array_add(search->batches, batch);
    if (!done)
        return sum_up(search, error);
    count_schedule(search, batch);
    search->is_plain = orr_interleavings_are_none(batch->interleavings);
    exploration->facts = g_steal_pointer(&batch->facts);
    search->scope = (struct orr_strategy_scope){
        .seed = exploration->scenario->config.seed,
        .workers =
            (unsigned)(json_object_get_int_member(exploration->facts, "cpus") +
                       json_object_get_int_member(exploration->facts, "gpus")),
        .decisions = batch->decisions,
    };
    return sum_up(search, error);
}

static struct orr_checkpoint position_of(struct search *search)
{
    return (struct orr_checkpoint){search->exploration, &search->portfolio,
                                   &search->dfs};
}

/* Saves the position if the request has a file for it. */
static enum orr_exit keep(struct search *search, GError **error)
{
    struct orr_exploration *exploration = search->exploration;
    struct orr_checkpoint position = position_of(search);

    if (!exploration->resume)
        return ORR_EXIT_OK;
    set_wall(search);
    if (orr_resume_save(exploration->resume, exploration->name, &position,
                        &search->round, error))
        return ORR_EXIT_OK;
    return ORR_EXIT_FAILURE;
}

/* Runs schedules of a stage, up to number @end - 1. Returns the signal that
 * stopped it, or 0. */
static int run_slice(struct search *search, uint64_t end, unsigned threads)
{
    uint64_t first = search->schedules + 1, count = end - first;
    const struct orr_parallel parallel = {
        .command = search->exploration->command,
        .progress = &search->progress,
        .describe = describe,
        .count = (unsigned)((count + ORR_BATCH_MAX - 1) / ORR_BATCH_MAX),
        .threads = threads,
        .perform = perform,
        .data = search,
    };

    search->first = first;
    search->end = end;
    return orr_parallel_run(&parallel, NULL);
}

/* Sets the size of the next slice, after which the position is saved: about a
 * second of work, more if saving takes long. */
static void adapt_slice(struct search *search, gint64 begun, gint64 run)
{
    gint64 now = g_get_monotonic_time();
    gint64 least = MAX(G_USEC_PER_SEC, 10 * (now - run));

    if (run - begun < least / 2)
        search->slice = MIN(2 * search->slice, (uint64_t)ORR_LONGEST_ROUND);
    else if (run - begun > 2 * least)
        search->slice = MAX(search->slice / 2, (uint64_t)ORR_BATCH_MAX);
}

/* Whether the counted schedules are consecutive from the first, without a gap.
 */
static bool is_whole(const struct search *search, uint64_t end)
{
    const struct orr_exploration *exploration = search->exploration;

    return search->schedules + 1 == end || search->exhausted ||
           (!exploration->settings->all &&
            exploration->schedules == search->found);
}

/* Runs the schedules of a stage up to number @end - 1. Sets *@signal to the
 * signal that stopped it, or 0. */
static enum orr_exit run_stage(struct search *search, uint64_t end,
                               unsigned threads, int *signal, GError **error)
{
    enum orr_exit status = ORR_EXIT_OK;

    search->end = end;
    while (status == ORR_EXIT_OK && !search->exhausted &&
           search->schedules + 1 < end &&
           !has_ended(search, search->schedules + 1)) {
        uint64_t next = search->exploration->resume
                            ? MIN(end, search->schedules + 1 + search->slice)
                            : end;
        gint64 begun = g_get_monotonic_time(), run;

        *signal = run_slice(search, next, threads);
        status = sum_up(search, error);
        search->torn = *signal || !is_whole(search, next);
        if (search->torn)
            break;
        run = g_get_monotonic_time();
        if (status == ORR_EXIT_OK)
            status = keep(search, error);
        adapt_slice(search, begun, run);
    }
    return status;
}

/* Runs the schedules of the depth-first search in one thread, as each depends
 * on the one before. */
static enum orr_exit run_dfs(struct search *search, uint64_t end, int *signal,
                             GError **error)
{
    enum orr_exit status;

    if (search->schedules + 1 >= end)
        return ORR_EXIT_OK;
    if (!search->dfs)
        search->dfs = orr_dfs_new(true);
    search->in_dfs = true;
    status = run_stage(search, end, 1, signal, error);
    search->in_dfs = false;
    return status;
}

/* Runs one round, or the rest of it. Sets *@signal to the signal that stopped
 * it, or 0. */
static enum orr_exit run_round(struct search *search, int *signal,
                               GError **error)
{
    struct orr_checkpoint position = position_of(search);
    struct orr_round *round = &search->round;
    g_autoptr(GArray) turns = NULL;
    enum orr_exit status;

    if (!search->resumed)
        orr_round_begin(round, &position, search->last - search->schedules,
                        search->exploration->resume);
    search->resumed = false;
    turns = orr_portfolio_begin(&search->portfolio, round->count);
    search->turns = turns;
    search->turns_first =
        round->first + 1 + search->portfolio.shares[ORR_PORTFOLIO_DFS].quota;
    status = run_dfs(search, search->turns_first, signal, error);
    if (status == ORR_EXIT_OK && !*signal)
        status = run_stage(search, round->first + 1 + round->count,
                           (unsigned)search->exploration->settings->threads,
                           signal, error);
    orr_round_end(round, &position);
    return status;
}

/* Runs all schedules but the first. Sets *@signal to the signal that stopped
 * it, or 0. */
static enum orr_exit run_rounds(struct search *search, int *signal,
                                GError **error)
{
    enum orr_exit status = ORR_EXIT_OK;
    bool goes_on = true;

    while (status == ORR_EXIT_OK && goes_on && !*signal && !search->exhausted &&
           !has_ended(search, search->schedules + 1)) {
        uint64_t before = search->schedules;

        goes_on = search->resumed; /* a round that was read may be complete */
        status = run_round(search, signal, error);
        goes_on |= search->schedules > before;
    }
    return status;
}

/* Reads the position from the file, if it has one. */
static bool resume(struct search *search, GError **error)
{
    struct orr_exploration *exploration = search->exploration;
    struct orr_checkpoint position = position_of(search);

    search->slice = UINT64_C(2) * ORR_BATCH_MAX;
    if (!exploration->resume)
        return true;
    orr_round_begin(&search->round, &position, search->last - 1, true);
    search->resumed = orr_resume_has(exploration->resume, exploration->name);
    if (search->resumed &&
        !orr_resume_load(exploration->resume, exploration->name, &position,
                         search->last, &search->round, error))
        return false;
    if (!search->resumed)
        return true;
    orr_message_print(exploration->command,
                      "%s: goes on after %" G_GUINT64_FORMAT " schedules of %s",
                      exploration->name, exploration->schedules,
                      exploration->settings->resume);
    search->begun_us -= (gint64)(exploration->wall_s * 1e6);
    set_deadline(search);
    search->schedules = exploration->schedules;
    search->exhausted = search->dfs && orr_dfs_pause(search->dfs).ended;
    search->hangs = 0;
    search->found = UINT64_MAX;
    for (guint i = exploration->failures->len; i-- > 0;) {
        const struct orr_failure *failure = exploration->failures->pdata[i];

        search->hangs += failure->count;
        search->found = failure->number;
    }
    return true;
}

/* Completes the results: repetitions of failures, and claims. */
static void complete(const struct search *search,
                     struct orr_exploration *exploration)
{
    for (guint i = 0; i < exploration->failures->len; i++)
        orr_failure_check(exploration->failures->pdata[i],
                          exploration->scenario);
    exploration->exhausted = search->dfs && orr_dfs_is_complete(search->dfs);
    set_claims(exploration, &search->scope, search->dfs);
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
            orr_determinism_difference(search->exploration->scenario);
    if (status == ORR_EXIT_OK && !resume(search, error))
        status = ORR_EXIT_FAILURE;
    if (status == ORR_EXIT_OK)
        status = run_rounds(search, &signal, error);
    if (status == ORR_EXIT_OK && !search->torn)
        status = keep(search, error);
    if (status != ORR_EXIT_OK)
        return status;
    complete(search, search->exploration);
    return signal ? orr_parallel_status(signal) : ORR_EXIT_OK;
}

enum orr_exit orr_exploration_perform(struct orr_exploration *exploration,
                                      GError **error)
{
    const struct orr_exploration_settings *settings = exploration->settings;
    struct search search = {
        .exploration = exploration,
        .last = settings->budget > 0 ? settings->budget : ORR_MAX_SCHEDULES,
        .begun_us = g_get_monotonic_time(),
        .deadline_us = G_MAXINT64,
        .found = UINT64_MAX,
    };
    enum orr_exit status;

    set_deadline(&search);
    orr_progress_begin(&search.progress);
    exploration->schedules = 0;
    exploration->failures =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_failure_free);
    exploration->parts =
        g_array_new(FALSE, FALSE, sizeof(struct orr_exploration_part));
    exploration->orders = g_hash_table_new(g_direct_hash, g_direct_equal);
    exploration->order_list = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    exploration->interleavings = orr_interleavings_new();
    search.batches =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_batch_free);
    g_mutex_init(&search.mutex);
    use_strategies(&search, settings->strategy);
    status = explore(&search, error);
    set_wall(&search);
    g_mutex_clear(&search.mutex);
    g_ptr_array_unref(search.batches);
    orr_dfs_free(search.dfs);
    orr_round_clear(&search.round);
    return status;
}
