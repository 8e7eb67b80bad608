/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Successive halving (halving.h) over the points of a campaign: measures
 * replicas in parallel, in rounds that halving requests, and prints the
 * candidates from the best to the worst, with the uncertainty of the result.
 */
#include "apps/experiment/optimum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/campaign/campaign.h"
#include "apps/experiment/halving.h"
#include "apps/output/output.h"
#include "apps/output/parallel.h"
#include "apps/output/table.h"
#include "models/base/error.h"
#include "models/base/names.h"

/* The result of a search. */
struct orr_optimum {
    const struct orr_campaign *campaign;
    const char *objective; /* "makespan" */
    const char *fact;      /* "makespan_s": the member of the facts of a run */
    unsigned count;
    const uint64_t *points; /* point of each candidate, by index */
    char *const
        *reasons; /* by index: why a candidate fails; NULL: it does not */
    const struct orr_candidate *candidates; /* from the best to the worst */
};

/* Wider intervals are not due to rounding alone. */
#define ROUNDING 1e-9

static const char *const verdicts[] = {"best", "worse", "open", "failed"};

static void add_percent(JsonObject *row, const char *name, double share)
{
    if (isfinite(share))
        json_object_set_double_member(row, name, 100 * share);
    else
        json_object_set_null_member(row, name);
}

/* Adds the row of a candidate; members are named as in other results. */
static void add_row(JsonArray *rows, const struct orr_optimum *optimum,
                    const struct orr_candidate *candidate)
{
    JsonObject *row = orr_output_add_object(rows);
    const GPtrArray *keys = optimum->campaign->keys;
    g_auto(GStrv) values = orr_campaign_texts(
        optimum->campaign, optimum->points[candidate->index]);
    g_autofree char *mean = g_strdup(optimum->fact);
    char *unit = strrchr(mean, '_');
    g_autofree char *name =
        g_strdup_printf("%.*s_mean%s", (int)(unit - mean), mean, unit);
    bool failed = candidate->verdict == ORR_VERDICT_FAILED;

    json_object_set_int_member(row, "point",
                               (gint64)optimum->points[candidate->index]);
    for (guint i = 0; i < keys->len; i++)
        json_object_set_string_member(
            row, ((const struct orr_key *)keys->pdata[i])->name, values[i]);
    json_object_set_int_member(row, "replicas", candidate->replicas);
    if (failed)
        json_object_set_null_member(row, name);
    else
        json_object_set_double_member(row, name, candidate->mean);
    add_percent(row, "versus_best_percent",
                failed ? NAN : candidate->versus.difference);
    add_percent(row, "versus_best_ci95_low_percent",
                failed ? NAN : candidate->versus.low);
    add_percent(row, "versus_best_ci95_high_percent",
                failed ? NAN : candidate->versus.high);
    json_object_set_string_member(row, "verdict", verdicts[candidate->verdict]);
    orr_output_set_text(row, "error", optimum->reasons[candidate->index]);
}

/* Returns the mean as text. */
static char *text_of_mean(const struct orr_optimum *optimum,
                          const struct orr_candidate *candidate)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_VALUE);

    if (candidate->verdict == ORR_VERDICT_FAILED)
        return g_strdup("-");
    json_node_set_double(node, candidate->mean);
    return orr_output_value(optimum->fact, node);
}

static char *text_of_versus(const struct orr_candidate *candidate)
{
    if (candidate->verdict == ORR_VERDICT_FAILED ||
        !isfinite(candidate->versus.difference))
        return g_strdup("-");
    return g_strdup_printf(
        "%+.1f %% (%+.1f to %+.1f)", 100 * candidate->versus.difference,
        100 * candidate->versus.low, 100 * candidate->versus.high);
}

static void print_table(const struct orr_optimum *optimum)
{
    const GPtrArray *keys = optimum->campaign->keys;
    g_autofree char *leading = g_strnfill(keys->len, 'L');
    g_autofree char *alignment = g_strconcat(leading, "rrrl", NULL);
    struct orr_table *table = orr_table_new(alignment);

    for (guint i = 0; i < keys->len; i++)
        orr_table_add(table, ((const struct orr_key *)keys->pdata[i])->name);
    orr_table_add(table, "replicas");
    orr_table_add(table, optimum->objective);
    orr_table_add(table, "versus best");
    orr_table_add(table, "verdict");
    for (unsigned c = 0; c < optimum->count; c++) {
        const struct orr_candidate *candidate = &optimum->candidates[c];
        g_auto(GStrv) values = orr_campaign_texts(
            optimum->campaign, optimum->points[candidate->index]);

        for (guint i = 0; i < keys->len; i++)
            orr_table_add(table, values[i]);
        orr_table_take(table, g_strdup_printf("%u", candidate->replicas));
        orr_table_take(table, text_of_mean(optimum, candidate));
        orr_table_take(table, text_of_versus(candidate));
        orr_table_add(table, verdicts[candidate->verdict]);
    }
    orr_table_print(table);
    orr_table_free(table);
}

static unsigned count_open(const struct orr_optimum *optimum)
{
    unsigned count = 0;

    for (unsigned c = 0; c < optimum->count; c++)
        count += optimum->candidates[c].verdict == ORR_VERDICT_OPEN;
    return count;
}

/* Whether some interval has a width: runs are random. */
static bool is_random(const struct orr_optimum *optimum)
{
    for (unsigned c = 0; c < optimum->count; c++) {
        const struct orr_candidate *candidate = &optimum->candidates[c];

        if (candidate->verdict != ORR_VERDICT_FAILED &&
            candidate->versus.high - candidate->versus.low > ROUNDING)
            return true;
    }
    return false;
}

/* Prints how certain the result is. */
static void print_sure(const struct orr_optimum *optimum)
{
    const struct orr_candidate *best = &optimum->candidates[0];
    unsigned open = count_open(optimum);

    if (optimum->count == 1)
        return;
    if (best->replicas == 1)
        puts("\nNot known how sure: one replica each; see --replicas");
    else if (open == 0 && !is_random(optimum))
        puts("\nSure: nothing depends on the seed");
    else if (open == 0)
        puts("\nSure: every other is worse, at 95 % each");
    else
        printf("\nNot sure: %u may be as good (open); --replicas above %u "
               "may decide it\n",
               open, best->replicas);
}

/* Prints a row for each candidate and, as text, how certain the result is. */
static void orr_optimum_print(const struct orr_optimum *optimum,
                              enum orr_format format)
{
    g_autoptr(JsonArray) rows = json_array_new();

    if (format == ORR_FORMAT_TEXT) {
        print_table(optimum);
        print_sure(optimum);
        return;
    }
    for (unsigned c = 0; c < optimum->count; c++)
        add_row(rows, optimum, &optimum->candidates[c]);
    orr_output_rows(rows, format);
}

/* Limit on the costs in memory: 80 MB. */
#define MOST_VALUES UINT64_C(10000000)

const char *const orr_optimum_objectives[] = {"makespan", "energy", NULL};

/* The members of the facts of a run (facts.h), by objective. */
static const char *const facts_of[] = {"makespan_s", "energy_j"};

struct search {
    const struct orr_optimum_request *request;
    const char *fact;
    unsigned count;
    uint64_t *points; /* point of each candidate */
    unsigned most;    /* replicas */
    int signal;       /* the signal that stopped the search; 0: none */

    GMutex mutex;   /* guards all below */
    char **reasons; /* why a candidate fails; NULL: it does not */
    char *size;     /* size of the problem of the first run; NULL: none yet */
    bool sizes;     /* runs have different sizes */
};

/* A round: replicas of some candidates. */
struct round {
    struct search *search;
    const unsigned *candidates;
    unsigned from, to;
    double *values;
};

/* Compares the size of the problem with the first run. */
static void see_size(struct search *search, JsonObject *facts)
{
    JsonNode *node = json_object_get_member(facts, "size");
    char *size = node ? json_to_string(node, FALSE) : NULL;

    g_mutex_lock(&search->mutex);
    if (search->size && size && !g_str_equal(search->size, size))
        search->sizes = true;
    if (!search->size)
        search->size = g_steal_pointer(&size);
    g_mutex_unlock(&search->mutex);
    g_free(size);
}

/* Returns the cost in @facts, which may be NULL; NAN if there is none. */
static double cost_in(struct search *search, JsonObject *facts)
{
    JsonNode *node = facts ? json_object_get_member(facts, search->fact) : NULL;
    double cost =
        node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : NAN;

    if (facts)
        see_size(search, facts);
    return cost > 0 ? cost : NAN;
}

static bool perform(unsigned i, void *data)
{
    struct round *round = data;
    struct search *search = round->search;
    unsigned each = round->to - round->from;
    unsigned candidate = round->candidates[i / each];
    unsigned replica = round->from + i % each;
    g_auto(GStrv) values = orr_campaign_texts(search->request->campaign,
                                              search->points[candidate]);
    g_autoptr(GError) why = NULL;
    JsonObject *facts = NULL;
    double cost;

    orr_point_runner_run(search->request->points, values, replica, &facts,
                         &why);
    cost = why ? NAN : cost_in(search, facts);
    round->values[(size_t)candidate * search->most + replica] = cost;
    if (isnan(cost)) {
        g_mutex_lock(&search->mutex);
        if (!search->reasons[candidate])
            search->reasons[candidate] =
                why ? g_strdup(why->message)
                    : g_strdup_printf("the run has no %s", search->fact);
        g_mutex_unlock(&search->mutex);
    }
    if (facts)
        json_object_unref(facts);
    return true;
}

static bool measure(const unsigned *candidates, unsigned count, unsigned from,
                    unsigned to, double *values, void *data)
{
    struct search *search = data;
    struct round round = {
        .search = search,
        .candidates = candidates,
        .from = from,
        .to = to,
        .values = values,
    };
    const struct orr_parallel jobs = {
        .command = search->request->command,
        .noun = "runs",
        .count = count * (to - from),
        .threads = search->request->threads,
        .perform = perform,
        .data = &round,
    };

    search->signal = count > 0 ? orr_parallel_run(&jobs, NULL) : 0;
    return search->signal == 0;
}

/* Lists the selected points. Fails if there are too many. */
static bool list_points(struct search *search, GError **error)
{
    const struct orr_campaign *campaign = search->request->campaign;
    GArray *points = g_array_new(FALSE, FALSE, sizeof(uint64_t));

    for (uint64_t point = 0; point < campaign->points &&
                             (uint64_t)(points->len + 1) * search->most <=
                                 MOST_VALUES + search->most;
         point++) {
        if (orr_campaign_has(campaign, point))
            g_array_append_val(points, point);
    }
    search->count = points->len;
    search->points = (uint64_t *)(void *)g_array_free(points, FALSE);
    if ((uint64_t)search->count * search->most <= MOST_VALUES)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "more than %" G_GUINT64_FORMAT
                " points with %u replicas: choose fewer values of --over",
                MOST_VALUES / search->most, search->most);
    return false;
}

/* Prints how many candidates fail, and why the first one does. */
static void complain(const struct search *search,
                     const struct orr_candidate *candidates)
{
    unsigned first = 0;

    while (first < search->count &&
           candidates[first].verdict != ORR_VERDICT_FAILED)
        first++;
    if (first < search->count) {
        unsigned index = candidates[first].index;
        g_autofree char *which = orr_campaign_describe(
            search->request->campaign, search->points[index]);

        orr_message_print(search->request->command,
                          "of %u points, failed: %u; the first, %s: %s",
                          search->count, search->count - first, which,
                          search->reasons[index]);
    }
}

static enum orr_exit show(const struct search *search,
                          const struct orr_candidate *candidates,
                          GError **error)
{
    const struct orr_optimum optimum = {
        .campaign = search->request->campaign,
        .objective = search->request->objective,
        .fact = search->fact,
        .count = search->count,
        .points = search->points,
        .reasons = search->reasons,
        .candidates = candidates,
    };

    if (candidates[0].verdict == ORR_VERDICT_FAILED) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_STALLED,
                    "every run fails; the first: %s",
                    search->reasons[candidates[0].index]);
        return ORR_EXIT_FAILURE;
    }
    complain(search, candidates);
    if (search->sizes)
        orr_message_print(search->request->command,
                          "the points do different work, as their matrices "
                          "have different sizes; see --size");
    orr_optimum_print(&optimum, search->request->format);
    return ORR_EXIT_OK;
}

static enum orr_exit run(struct search *search, GError **error)
{
    const struct orr_halving halving = {
        .count = search->count,
        .most = search->most,
        .measure = measure,
        .data = search,
    };
    struct orr_candidate *candidates = orr_halving_run(&halving);
    enum orr_exit status;

    if (!candidates)
        return orr_parallel_status(search->signal);
    status = show(search, candidates, error);
    g_free(candidates);
    return status;
}

enum orr_exit orr_optimum_run(const struct orr_optimum_request *request,
                              GError **error)
{
    struct search search = {
        .request = request,
        .most = (unsigned)MIN(request->campaign->replicas, MOST_VALUES),
    };
    enum orr_exit status = ORR_EXIT_USAGE;
    size_t index;

    if (!orr_names_find("objective", orr_optimum_objectives, request->objective,
                        &index, error) ||
        !list_points(&search, error)) {
        g_free(search.points);
        return status;
    }
    search.fact = facts_of[index];
    search.reasons = g_new0(char *, search.count + 1);
    g_mutex_init(&search.mutex);
    status = run(&search, error);
    g_mutex_clear(&search.mutex);
    for (unsigned i = 0; i < search.count; i++)
        g_free(search.reasons[i]);
    g_free(search.reasons);
    g_free(search.points);
    g_free(search.size);
    return status;
}
