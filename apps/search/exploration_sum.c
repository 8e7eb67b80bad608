/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums up the results of batches. */
#include <string.h>

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
        part->distinct += g_hash_table_add(
            exploration->orders, GSIZE_TO_POINTER((gsize)batch->orders[i]));
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
