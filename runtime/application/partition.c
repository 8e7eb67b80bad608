/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/application/partition.h"

#include "runtime/run.h"

struct orr_parted *orr_parted_find(const struct orr_run *run,
                                   const struct orr_data *data)
{
    return run->app.partitions
               ? g_hash_table_lookup(run->app.partitions->by_datum, data)
               : NULL;
}

static void begin(struct orr_run *run)
{
    if (run->app.partitions)
        return;
    run->app.partitions = g_new0(struct orr_partitions, 1);
    run->app.checks_data = true;
    run->app.partitions->by_datum =
        g_hash_table_new_full(NULL, NULL, NULL, g_free);
    run->app.partitions->all = g_ptr_array_new_with_free_func(g_free);
}

struct orr_parted *orr_parted_add(struct orr_run *run, struct orr_data *data)
{
    struct orr_parted *parted = orr_parted_find(run, data);

    if (parted)
        return parted;
    begin(run);
    parted = g_new0(struct orr_parted, 1);
    g_hash_table_insert(run->app.partitions->by_datum, data, parted);
    return parted;
}

bool orr_partition_is_active(const struct orr_partition *partition)
{
    return partition->read_only ||
           orr_parted_find(partition->run, partition->data)->split == partition;
}

bool orr_data_is_split(const struct orr_run *run, const struct orr_data *data)
{
    const struct orr_parted *parted = orr_parted_find(run, data);

    return parted && (parted->split || parted->read_only > 0);
}

const char *orr_partitions_hide(const struct orr_run *run,
                                const struct orr_data *data,
                                enum orr_access_mode mode)
{
    const struct orr_parted *parted = orr_parted_find(run, data);

    if (!parted)
        return NULL;
    if (parted->split)
        return "is split into parts";
    if (parted->of && !orr_partition_is_active(parted->of))
        return "is a part of a datum that is not split into such parts";
    if (mode == ORR_R)
        return NULL;
    if (parted->read_only > 0)
        return "is split into parts, to be read only";
    return parted->of && parted->of->read_only
               ? "is a part that can be read only"
               : NULL;
}

bool orr_data_is_part(const struct orr_run *run, const struct orr_data *data)
{
    const struct orr_parted *parted = orr_parted_find(run, data);

    return parted && parted->of;
}

static void free_gatherings(struct orr_gathering *gathering)
{
    while (gathering) {
        struct orr_gathering *next = gathering->next;

        g_free(gathering);
        gathering = next;
    }
}

void orr_partitions_free(struct orr_run *run)
{
    struct orr_partitions *partitions = g_steal_pointer(&run->app.partitions);

    if (!partitions)
        return;
    free_gatherings(partitions->listed);
    g_hash_table_unref(partitions->by_datum);
    g_ptr_array_unref(partitions->all);
    g_free(partitions);
}
