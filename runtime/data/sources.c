/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where copies of data come from, and how long they are expected to take. */
#include <string.h>

#include "models/platform/bus.h"
#include "runtime/data/data.h"
#include "runtime/data/store.h"

static unsigned last_resort(uint32_t valid)
{
    if (valid & 1u << ORR_RAM)
        return ORR_RAM;
    return 31u - (unsigned)__builtin_clz(valid);
}

/* The predicted duration of a copy of @bytes, which have @size: see
 * models/platform/bus.h. */
static orr_time predict(const struct orr_store *store,
                        const struct orr_data_size *size, uint64_t bytes,
                        unsigned from, unsigned to)
{
    if (size->predictions)
        return size->predictions[from * store->node_count + to];
    return orr_bus_predict(store->platform, store->switches->belief,
                           store->gpu_count, from, to, bytes);
}

/* See orr_data_source(). Without a valid copy, that is @to: nothing is copied.
 */
static unsigned find_source(const struct orr_store *store,
                            const struct orr_data_size *size, uint64_t bytes,
                            uint32_t valid, unsigned to)
{
    orr_time least = ORR_NEVER;
    unsigned best = ORR_MAX_NODES;

    if (!valid)
        return to;
    for (uint32_t left = valid; left; left &= left - 1) {
        unsigned from = (unsigned)__builtin_ctz(left);
        orr_time time;

        if (!orr_route_is_direct(store, from, to))
            continue;
        time = predict(store, size, bytes, from, to);
        if (time == 0)
            return last_resort(valid);
        if (time < least) {
            least = time;
            best = from;
        }
    }
    return best != ORR_MAX_NODES ? best : last_resort(valid);
}

static orr_time find_time(const struct orr_store *store,
                          const struct orr_data_size *size, uint64_t bytes,
                          unsigned from, unsigned to)
{
    if (from == to)
        return 0;
    if (orr_route_is_direct(store, from, to))
        return predict(store, size, bytes, from, to);
    return predict(store, size, bytes, from, ORR_RAM) +
           predict(store, size, bytes, ORR_RAM, to);
}

static G_GNUC_NO_INLINE void fill_row(const struct orr_store *store,
                                      const struct orr_data_size *size,
                                      uint32_t valid,
                                      struct orr_source_row *row)
{
    row->known = true;
    for (unsigned to = 0; to < store->node_count; to++) {
        unsigned from = find_source(store, size, size->bytes, valid, to);

        row->nodes[to] = (uint8_t)from;
        row->times[to] = valid & 1u << to
                             ? 0
                             : find_time(store, size, size->bytes, from, to);
    }
}

/* For data of a size with tables on machines with few nodes; else NULL. */
static const struct orr_source_row *find_row(const struct orr_store *store,
                                             const struct orr_data *data)
{
    const struct orr_data_size *size = &store->sizes[data->size];
    struct orr_source_row *row;

    if (!size->sources)
        return NULL;
    row = &size->sources[data->valid];
    if (!row->known)
        fill_row(store, size, data->valid, row);
    return row;
}

unsigned orr_data_source(const struct orr_store *store,
                         const struct orr_data *data, unsigned to)
{
    const struct orr_source_row *row = find_row(store, data);

    return row ? row->nodes[to]
               : find_source(store, &store->sizes[data->size], data->bytes,
                             data->valid, to);
}

orr_time orr_data_load_time(const struct orr_store *store,
                            const struct orr_data *data, unsigned node)
{
    return data->valid & 1u << node
               ? 0
               : find_time(store, &store->sizes[data->size], data->bytes,
                           orr_data_source(store, data, node), node);
}

/* Adds the time to bring @data to each of @nodes. */
static G_GNUC_NO_INLINE void add_times(const struct orr_store *store,
                                       const struct orr_data *data,
                                       const struct orr_source_row *row,
                                       uint32_t nodes, orr_time *restrict times)
{
    const struct orr_data_size *size = &store->sizes[data->size];
    uint32_t left = nodes & ~(data->valid | data->awaited);

    for (; left; left &= left - 1) {
        unsigned to = (unsigned)__builtin_ctz(left);

        if (row)
            times[to] += row->times[to];
        else
            times[to] += find_time(
                store, size, data->bytes,
                find_source(store, size, data->bytes, data->valid, to), to);
    }
}

void orr_job_transfers(const struct orr_store *store, const struct orr_job *job,
                       uint32_t nodes, orr_time *restrict times)
{
    const struct orr_job_access *access = job->accesses;
    const struct orr_job_access *end = access + job->access_count;
    unsigned count = store->node_count;

    for (unsigned node = 0; node < count; node += 4)
        memset(&times[node], 0, 4 * sizeof *times);
    for (; access < end; access++) {
        const struct orr_data *data = orr_access_data(access);
        const struct orr_source_row *row;

        if (!(orr_access_mode(access) & ORR_R))
            continue;
        row = find_row(store, data);
        if (!row || data->awaited) {
            add_times(store, data, row, nodes, times);
            continue;
        }
        /* Beyond the last node, too: so it takes few instructions. */
        for (unsigned node = 0; node < count; node += 4) {
            for (unsigned n = 0; n < 4; n++)
                times[node + n] += row->times[node + n];
        }
    }
}

orr_time orr_job_transfer(const struct orr_store *store,
                          const struct orr_job *job, unsigned node)
{
    orr_time times[ORR_MAX_NODES];

    orr_job_transfers(store, job, 1u << node, times);
    return times[node];
}
