/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which schedules are run, where and when. */
#include "apps/exploration.h"

#include <string.h>

#include "apps/exploration_private.h"
#include "apps/facts.h"
#include "apps/parallel.h"
#include "apps/simulate.h"
#include "models/error.h"
#include "runtime/strategy.h"

/* All that threads share. */
struct crew {
    const struct orr_exploration *exploration;
    struct orr_strategy_scope scope;
    enum orr_strategy_kind kinds[ORR_STRATEGIES]; /* that take turns */
    unsigned kind_count;
    uint64_t first, end; /* numbers of schedules: from the one to before the
                            other */
    gint64 deadline_us;  /* on the monotonic clock */

    GMutex mutex;       /* of what follows */
    GPtrArray *batches; /* struct orr_batch, in any order */
    uint64_t found;     /* number of the first schedule with a finding */
    uint64_t schedules;
    uint64_t hangs;
};

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

/* Runs the schedules of @batch, as far as that makes sense. */
static bool fill(struct crew *crew, struct orr_batch *batch)
{
    struct orr_strategy *strategies[ORR_STRATEGIES] = {NULL};
    bool done = true;

    while (done && batch->count < ORR_BATCH &&
           !is_over(crew, batch->first + batch->count)) {
        /* After the first schedule, strategies take turns. */
        uint64_t turn = batch->first + batch->count - 2;
        enum orr_strategy_kind kind = crew->kinds[turn % crew->kind_count];
        uint64_t number = turn / crew->kind_count;

        if (!strategies[kind])
            strategies[kind] = orr_strategy_new(kind, &crew->scope);
        done = orr_batch_run(batch, crew->exploration,
                             orr_strategy_begin(strategies[kind], number),
                             orr_strategy_name(kind));
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
        orr_batch_new(crew->first + (uint64_t)i * ORR_BATCH);
    bool done = fill(crew, batch);

    g_mutex_lock(&crew->mutex);
    g_ptr_array_add(crew->batches, batch);
    g_mutex_unlock(&crew->mutex);
    return done && !is_over(crew, batch->first + batch->count);
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
    if (crew->end <= ORR_EXPLORATION_MAX)
        of = g_strdup_printf(" of %" G_GUINT64_FORMAT, crew->end - 1);
    return g_strdup_printf("%" G_GUINT64_FORMAT
                           "%s schedules, %" G_GUINT64_FORMAT " did not finish",
                           schedules, of ? of : "", hangs);
}

static int by_first(const void *a, const void *b)
{
    const struct orr_batch *const *x = a, *const *y = b;

    return ((*x)->first > (*y)->first) - ((*x)->first < (*y)->first);
}

/* The first schedule, by default, of which facts and scope are. */
static enum orr_exit begin(struct crew *crew,
                           struct orr_exploration *exploration, GError **error)
{
    struct orr_batch *batch = orr_batch_new(1);
    bool done = orr_batch_run(batch, exploration, NULL, "default");

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
    crew->first = 2;
    return ORR_EXIT_OK;
}

/* All the others. Returns the signal that ended it early, or 0. */
static int go_on(struct crew *crew)
{
    const struct orr_settings *settings = crew->exploration->settings;
    const struct orr_parallel parallel = {
        .command = crew->exploration->command,
        .noun = "schedules",
        .describe = describe,
        .count =
            (unsigned)((crew->end - crew->first + ORR_BATCH - 1) / ORR_BATCH),
        .threads = (unsigned)settings->threads,
        .perform = perform,
        .data = crew,
    };

    if (is_over(crew, crew->first))
        return 0;
    return orr_parallel_run(&parallel, NULL);
}

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

/* Adds what @batch has of schedules before @end. */
static void add_batch(struct orr_exploration *exploration, GArray *orders,
                      struct orr_batch *batch, uint64_t end)
{
    uint64_t count = MIN(batch->count, end - MIN(end, batch->first));

    for (uint64_t i = 0; i < count; i++) {
        struct orr_exploration_part *part =
            part_of(exploration->parts, batch->strategies[i]);

        part->schedules++;
        part->hangs += batch->hung[i];
        g_array_append_val(orders, batch->orders[i]);
    }
    exploration->schedules += count;
    while (count > 0 && batch->findings->len > 0)
        orr_finding_add(exploration->findings,
                        g_ptr_array_steal_index(batch->findings, 0));
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t count_distinct(GArray *orders)
{
    uint64_t count = 0;

    g_array_sort(orders, by_value);
    for (guint i = 0; i < orders->len; i++)
        count += i == 0 || g_array_index(orders, uint64_t, i - 1) !=
                               g_array_index(orders, uint64_t, i);
    return count;
}

/* Sums up what the batches say. */
static enum orr_exit gather(struct crew *crew,
                            struct orr_exploration *exploration, GError **error)
{
    g_autoptr(GArray) orders = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    uint64_t end = exploration->settings->all || crew->found == UINT64_MAX
                       ? UINT64_MAX
                       : crew->found + 1;

    g_ptr_array_sort(crew->batches, by_first);
    for (guint i = 0; i < crew->batches->len; i++) {
        struct orr_batch *batch = crew->batches->pdata[i];

        add_batch(exploration, orders, batch, end);
        if (batch->error && batch->first + batch->count < end) {
            g_propagate_error(error, g_steal_pointer(&batch->error));
            return batch->status;
        }
    }
    exploration->distinct = count_distinct(orders);
    return ORR_EXIT_OK;
}

static void add_claims(const struct crew *crew, GArray *parts)
{
    for (unsigned i = 0; i < crew->kind_count; i++) {
        const char *name = orr_strategy_name(crew->kinds[i]);
        struct orr_exploration_part *part = part_of(parts, name);

        if (part->schedules > 0)
            part->claim = orr_strategy_claim(crew->kinds[i], &crew->scope,
                                             part->schedules);
    }
}

/* What else there is to know of it. */
static void complete(const struct crew *crew,
                     struct orr_exploration *exploration)
{
    for (guint i = 0; i < exploration->findings->len; i++)
        orr_finding_check(exploration->findings->pdata[i], exploration);
    if (exploration->findings->len == 0)
        add_claims(crew, exploration->parts);
}

/* The numbers of what the budget allows. */
static void set_budget(struct crew *crew, const struct orr_settings *settings)
{
    gint64 now_us = g_get_monotonic_time();

    crew->end = (settings->budget ? settings->budget : ORR_EXPLORATION_MAX) + 1;
    crew->deadline_us = settings->budget_time > 0
                            ? now_us + settings->budget_time / 1000
                            : G_MAXINT64;
}

/* All that take turns. */
static const char portfolio[] = "portfolio";

bool orr_exploration_check(const char *name, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    g_autofree char *quoted = orr_quote(name);

    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++) {
        if (strcmp(orr_strategy_name(kind), name) == 0)
            return true;
        g_string_append_printf(names, "%s, ", orr_strategy_name(kind));
    }
    if (strcmp(name, portfolio) == 0)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s is none of %s%s", quoted,
                names->str, portfolio);
    return false;
}

static void set_kinds(struct crew *crew, const char *strategy)
{
    bool all = strcmp(strategy, portfolio) == 0;

    for (unsigned kind = 0; kind < ORR_STRATEGIES; kind++) {
        if (all || strcmp(orr_strategy_name(kind), strategy) == 0)
            crew->kinds[crew->kind_count++] = kind;
    }
}

static enum orr_exit
explore(struct crew *crew, struct orr_exploration *exploration, GError **error)
{
    enum orr_exit status = begin(crew, exploration, error);
    enum orr_exit gathered;
    int signal;

    if (status != ORR_EXIT_OK)
        return status;
    signal = go_on(crew);
    gathered = gather(crew, exploration, error);
    if (gathered != ORR_EXIT_OK)
        return gathered;
    complete(crew, exploration);
    return signal ? orr_parallel_status(signal) : ORR_EXIT_OK;
}

enum orr_exit orr_exploration_perform(struct orr_exploration *exploration,
                                      GError **error)
{
    const struct orr_settings *settings = exploration->settings;
    struct crew crew = {.exploration = exploration, .found = UINT64_MAX};
    gint64 begun_us = g_get_monotonic_time();
    enum orr_exit status;

    exploration->findings =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_finding_free);
    exploration->parts =
        g_array_new(FALSE, FALSE, sizeof(struct orr_exploration_part));
    crew.batches =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_batch_free);
    g_mutex_init(&crew.mutex);
    set_budget(&crew, settings);
    set_kinds(&crew, settings->strategy);
    status = explore(&crew, exploration, error);
    exploration->wall_s = (double)(g_get_monotonic_time() - begun_us) / 1e6;
    g_mutex_clear(&crew.mutex);
    g_ptr_array_unref(crew.batches);
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
