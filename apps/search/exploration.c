/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of an exploration: sums of batches, and what follows. */
#include <string.h>

#include "apps/options/strategies.h"
#include "apps/search/batch.h"
#include "apps/search/exploration.h"

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
    while (count > 0 && batch->findings->len > 0)
        orr_finding_add(exploration->findings,
                        g_ptr_array_steal_index(batch->findings, 0));
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

void orr_exploration_claim(const struct orr_exploration *exploration,
                           const struct orr_strategy_scope *scope,
                           const struct orr_dfs *dfs)
{
    for (guint i = 0; i < exploration->parts->len; i++) {
        if (exploration->findings->len == 0)
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
    g_clear_pointer(&exploration->findings, g_ptr_array_unref);
    g_clear_pointer(&exploration->orders, g_hash_table_unref);
    g_clear_pointer(&exploration->order_list, g_array_unref);
    g_clear_pointer(&exploration->interleavings, orr_interleavings_free);
    g_clear_pointer(&exploration->difference, g_free);
    g_clear_pointer(&exploration->facts, json_object_unref);
}
