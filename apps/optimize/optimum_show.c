/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/optimize/optimum_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/output/table.h"

/* Widths of intervals that come from rounding alone. */
#define ROUNDING 1e-9

static const char *const verdicts[] = {"best", "worse", "open", "failed"};

static void add_percent(JsonObject *row, const char *name, double share)
{
    if (isfinite(share))
        json_object_set_double_member(row, name, 100 * share);
    else
        json_object_set_null_member(row, name);
}

/* Returns the row of a candidate, under names as in the other results. */
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

/* Whether an interval has a width: something is random. */
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

/* Says how sure the result is. */
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
               "would tell more\n",
               open, best->replicas);
}

void orr_optimum_print(const struct orr_optimum *optimum,
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
