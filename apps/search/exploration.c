/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which schedules are run, where and when. */
#include "apps/search/exploration.h"

#include <string.h>

#include "apps/report/facts.h"
#include "apps/search/batch.h"
#include "apps/settings/strategies.h"
#include "apps/study/parallel.h"
#include "apps/study/simulate.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/strategy.h"

/* All that threads share. */
struct crew {
    const struct orr_exploration *exploration;
    struct orr_strategy_scope scope;
    enum orr_strategy_kind kinds[ORR_STRATEGIES]; /* that take turns */
    unsigned kind_count;
    uint64_t last;       /* number of the last schedule in the budget */
    uint64_t first, end; /* numbers of this stage: from the one to before the
                            other */
    gint64 begun_us;     /* on the monotonic clock */
    gint64 deadline_us;  /* of this stage */

    bool first_all;      /* before that, all schedules are tried in order, */
    struct orr_dfs *dfs; /* by this, */
    bool searching;      /* now, */
    bool exhausted;      /* until there are no more */

    GMutex mutex;       /* of what follows */
    GPtrArray *batches; /* struct orr_batch, in any order */
    uint64_t found;     /* number of the first schedule with a finding */
    uint64_t schedules;
    uint64_t hangs;
};

/* This stage may go on until one @share-th of the time is over. */
static void set_deadline(struct crew *crew, unsigned share)
{
    orr_time time = crew->exploration->settings->budget_time;

    crew->deadline_us =
        time > 0 ? crew->begun_us + time / 1000 / share : G_MAXINT64;
}

/* Whether schedule @number is not to be run any more. */
static bool is_over(struct crew *crew, uint64_t number)
{
    bool over;

    if (number >= crew->end || g_get_monotonic_time() >= crew->deadline_us)
        return true;
    if (crew->exploration->settings->all)
        return false;
    g_mutex_lock(&crew->mutex);
    over = number > crew->found;
    g_mutex_unlock(&crew->mutex);
    return over;
}

/* Tells the others of the schedule that @batch has run last. */
static void tell(struct crew *crew, const struct orr_batch *batch)
{
    unsigned last = batch->count - 1;

    g_mutex_lock(&crew->mutex);
    crew->schedules++;
    if (batch->hung[last]) {
        crew->hangs++;
        crew->found = MIN(crew->found, batch->first + last);
    }
    g_mutex_unlock(&crew->mutex);
}

/* Who decides in schedule @number, by the strategy *@name; NULL: all have been
 * run. */
static struct orr_decider *choose(struct crew *crew,
                                  struct orr_strategy **strategies,
                                  uint64_t number, const char **name)
{
    /* Strategies take turns. */
    uint64_t turn = number - crew->first;
    enum orr_strategy_kind kind;

    if (crew->searching) {
        struct orr_decider *decider = orr_dfs_begin(crew->dfs);

        *name = ORR_STRATEGY_DFS;
        crew->exhausted = !decider;
        return decider;
    }
    kind = crew->kinds[turn % crew->kind_count];
    if (!strategies[kind])
        strategies[kind] = orr_strategy_new(kind, &crew->scope);
    *name = orr_strategy_name(kind);
    return orr_strategy_begin(strategies[kind], turn / crew->kind_count);
}

/* Runs the schedules of @batch, as far as that makes sense. */
static bool fill(struct crew *crew, struct orr_batch *batch)
{
    struct orr_strategy *strategies[ORR_STRATEGIES] = {NULL};
    bool done = true;

    while (done && batch->count < ORR_BATCH_MAX &&
           !is_over(crew, batch->first + batch->count)) {
        const char *name;
        struct orr_decider *decider =
            choose(crew, strategies, batch->first + batch->count, &name);

        if (!decider)
            break;
        done = orr_batch_run(batch, crew->exploration->settings, decider, name);
        if (done)
            tell(crew, batch);
    }
    for (unsigned i = 0; i < ORR_STRATEGIES; i++)
        orr_strategy_free(strategies[i]);
    return done;
}

/* A job; see parallel.h. */
static bool perform(unsigned i, void *data)
{
    struct crew *crew = data;
    struct orr_batch *batch =
        orr_batch_new(crew->first + (uint64_t)i * ORR_BATCH_MAX);
    bool done = fill(crew, batch);

    g_mutex_lock(&crew->mutex);
    g_ptr_array_add(crew->batches, batch);
    g_mutex_unlock(&crew->mutex);
    return done && !crew->exhausted &&
           !is_over(crew, batch->first + batch->count);
}

static char *describe(void *data)
{
    struct crew *crew = data;
    g_autofree char *of = NULL;
    uint64_t schedules, hangs;

    g_mutex_lock(&crew->mutex);
    schedules = crew->schedules;
    hangs = crew->hangs;
    g_mutex_unlock(&crew->mutex);
    if (crew->exploration->settings->budget > 0)
        of = g_strdup_printf(" of %" G_GUINT64_FORMAT, crew->last);
    return g_strdup_printf("%" G_GUINT64_FORMAT
                           "%s schedules, %" G_GUINT64_FORMAT " did not finish",
                           schedules, of ? of : "", hangs);
}

/* The first schedule, by default, of which facts and scope are. */
static enum orr_exit begin(struct crew *crew,
                           struct orr_exploration *exploration, GError **error)
{
    struct orr_batch *batch = orr_batch_new(1);
    bool done = orr_batch_run(batch, exploration->settings, NULL, "default");

    g_ptr_array_add(crew->batches, batch);
    if (!done) {
        g_propagate_error(error, g_steal_pointer(&batch->error));
        return batch->status;
    }
    tell(crew, batch);
    exploration->facts = g_steal_pointer(&batch->facts);
    crew->scope = (struct orr_strategy_scope){
        .seed = exploration->settings->seed,
        .workers =
            (unsigned)(json_object_get_int_member(exploration->facts, "cpus") +
                       json_object_get_int_member(exploration->facts, "gpus")),
        .decisions = batch->decisions,
    };
    return ORR_EXIT_OK;
}

/* Goes on for @count schedules. Returns the signal that ended it early, or
 * 0. */
static int go_on(struct crew *crew, uint64_t count, unsigned threads)
{
    const struct orr_parallel parallel = {
        .command = crew->exploration->command,
        .noun = "schedules",
        .describe = describe,
        .count = (unsigned)((count + ORR_BATCH_MAX - 1) / ORR_BATCH_MAX),
        .threads = threads,
        .perform = perform,
        .data = crew,
    };

    crew->first = crew->schedules + 1;
    crew->end = crew->first + count;
    if (count == 0 || is_over(crew, crew->first))
        return 0;
    return orr_parallel_run(&parallel, NULL);
}

/* How many schedules a portfolio spends on trying all, at most: enough for
 * small cases, and little of the budget for others. */
enum { MOST_FIRST = 1000, FIRST_SHARE = 10 };

static int go_through_all(struct crew *crew)
{
    uint64_t count = crew->last - crew->schedules;
    int signal;

    crew->dfs = orr_dfs_new(true);
    crew->searching = true;
    set_deadline(crew, 1);
    if (crew->kind_count > 0) {
        count = MIN(count / FIRST_SHARE, MOST_FIRST);
        set_deadline(crew, FIRST_SHARE);
    }
    /* Each schedule follows from the one before. */
    signal = go_on(crew, count, 1);
    crew->searching = false;
    return signal;
}

/* All but the first. Returns the signal that ended it early, or 0. */
static int go_on_all(struct crew *crew)
{
    const struct orr_settings *settings = crew->exploration->settings;
    int signal = 0;

    if (crew->first_all)
        signal = go_through_all(crew);
    if (signal || crew->exhausted || crew->kind_count == 0)
        return signal;
    set_deadline(crew, 1);
    return go_on(crew, crew->last - crew->schedules,
                 (unsigned)settings->threads);
}

/* What it proves that @dfs has tried all, @count of them. */
static char *claim_all(const struct orr_dfs *dfs, uint64_t count)
{
    if (!orr_dfs_is_complete(dfs))
        return NULL;
    return g_strdup_printf(
        "no deadlock exists at this size: these %" G_GUINT64_FORMAT
        " stand for all ways to decide, on this machine "
        "and with these durations",
        count);
}

static char *claim(const struct crew *crew,
                   const struct orr_exploration_part *part)
{
    for (unsigned i = 0; i < crew->kind_count; i++) {
        if (strcmp(orr_strategy_name(crew->kinds[i]), part->strategy) == 0)
            return orr_strategy_claim(crew->kinds[i], &crew->scope,
                                      part->schedules);
    }
    return strcmp(part->strategy, ORR_STRATEGY_DFS) == 0
               ? claim_all(crew->dfs, part->schedules)
               : NULL;
}

/* What else there is to know of it. */
static void complete(const struct crew *crew,
                     struct orr_exploration *exploration)
{
    for (guint i = 0; i < exploration->findings->len; i++)
        orr_finding_check(exploration->findings->pdata[i],
                          exploration->settings);
    exploration->exhausted = crew->dfs && orr_dfs_is_complete(crew->dfs);
    for (guint i = 0; i < exploration->parts->len; i++) {
        struct orr_exploration_part *part =
            &g_array_index(exploration->parts, struct orr_exploration_part, i);

        if (exploration->findings->len == 0)
            part->claim = claim(crew, part);
    }
}

static void set_kinds(struct crew *crew, const char *strategy)
{
    bool all = strcmp(strategy, ORR_STRATEGY_PORTFOLIO) == 0;

    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++) {
        if (all || strcmp(orr_strategy_name(kind), strategy) == 0)
            crew->kinds[crew->kind_count++] = kind;
    }
    crew->first_all = all || crew->kind_count == 0;
}

static enum orr_exit sum_up(struct crew *crew,
                            struct orr_exploration *exploration, GError **error)
{
    uint64_t end = exploration->settings->all || crew->found == UINT64_MAX
                       ? UINT64_MAX
                       : crew->found + 1;

    return orr_exploration_sum(exploration, crew->batches, end, error);
}

static enum orr_exit
explore(struct crew *crew, struct orr_exploration *exploration, GError **error)
{
    enum orr_exit status = begin(crew, exploration, error);
    enum orr_exit gathered;
    int signal;

    if (status != ORR_EXIT_OK)
        return status;
    signal = go_on_all(crew);
    gathered = sum_up(crew, exploration, error);
    if (gathered != ORR_EXIT_OK)
        return gathered;
    complete(crew, exploration);
    return signal ? orr_parallel_status(signal) : ORR_EXIT_OK;
}

enum orr_exit orr_exploration_perform(struct orr_exploration *exploration,
                                      GError **error)
{
    const struct orr_settings *settings = exploration->settings;
    struct crew crew = {
        .exploration = exploration,
        .last = settings->budget > 0 ? settings->budget : ORR_MAX_SCHEDULES,
        .begun_us = g_get_monotonic_time(),
        .found = UINT64_MAX,
    };
    enum orr_exit status;

    exploration->schedules = 0;
    exploration->findings =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_finding_free);
    exploration->parts =
        g_array_new(FALSE, FALSE, sizeof(struct orr_exploration_part));
    crew.batches =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_batch_free);
    g_mutex_init(&crew.mutex);
    set_kinds(&crew, settings->strategy);
    status = explore(&crew, exploration, error);
    exploration->wall_s =
        (double)(g_get_monotonic_time() - crew.begun_us) / 1e6;
    g_mutex_clear(&crew.mutex);
    g_ptr_array_unref(crew.batches);
    orr_dfs_free(crew.dfs);
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
