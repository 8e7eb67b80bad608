/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How an application registers data. */
#include "runtime/arguments.h"
#include "runtime/run.h"

static void predict_size(const struct orr_run *run, struct orr_data_size *size)
{
    unsigned nodes = run->node_count;

    size->predictions = g_new0(orr_time, (size_t)nodes * nodes);
    if (nodes <= ORR_SOURCES_NODES)
        size->sources = g_new0(struct orr_source_row, (size_t)1 << nodes);
    for (unsigned from = 0; from < nodes; from++) {
        for (unsigned to = 0; to < nodes; to++) {
            if (from != to)
                size->predictions[from * nodes + to] =
                    orr_bus_predict(run->platform, run->switches.belief,
                                    run->gpu_count, from, to, size->bytes);
        }
    }
}

uint8_t orr_run_find_size(struct orr_run *run, uint64_t bytes)
{
    struct orr_data_size *size;

    for (unsigned i = 1; i <= run->store.size_count; i++) {
        if (run->store.sizes[i].bytes == bytes)
            return (uint8_t)i;
    }
    if (run->store.size_count == ORR_DATA_SIZES)
        return 0;
    size = &run->store.sizes[++run->store.size_count];
    size->bytes = bytes;
    predict_size(run, size);
    return (uint8_t)run->store.size_count;
}

static bool check_bytes(struct orr_run *run, uint64_t bytes)
{
    if ((double)run->store.data->len >= ORR_MAX_DATA)
        return orr_run_refuse(run, "more data than %.4g", ORR_MAX_DATA);
    if (bytes > 0 && bytes <= ORR_MAX_DATA_BYTES)
        return true;
    return orr_run_refuse(
        run, "a datum of %" G_GUINT64_FORMAT " bytes: expected 1 to 2^50",
        bytes);
}

static bool check_matrix(struct orr_run *run, uint64_t column_bytes,
                         uint64_t count, uint64_t pitch_bytes)
{
    if (column_bytes == 0 || count == 0 ||
        column_bytes > ORR_MAX_DATA_BYTES / count)
        return orr_run_refuse(run,
                              "a block of %" G_GUINT64_FORMAT
                              " columns of %" G_GUINT64_FORMAT
                              " bytes: expected 1 to 2^50 bytes together",
                              count, column_bytes);
    if (pitch_bytes < column_bytes)
        return orr_run_refuse(run,
                              "the pitch %" G_GUINT64_FORMAT
                              " is below the %" G_GUINT64_FORMAT
                              " bytes of a column",
                              pitch_bytes, column_bytes);
    return true;
}

struct orr_data *orr_data_register(struct orr_run *run, uint64_t bytes)
{
    struct orr_data *data;

    if (!check_bytes(run, bytes))
        return NULL;
    run->store.largest_bytes = MAX(run->store.largest_bytes, bytes);
    data = orr_data_new(&run->store.data_pool, run->node_count,
                        run->store.data->len, bytes);
    data->store = &run->store;
    data->size = orr_run_find_size(run, bytes);
    if (run->store.instant_copies)
        data->valid = data->allocated =
            UINT32_MAX >> (ORR_MAX_NODES - run->node_count);
    g_ptr_array_add(run->store.data, data);
    return data;
}

struct orr_data *orr_data_register_temporary(struct orr_run *run,
                                             uint64_t bytes)
{
    struct orr_data *data;

    if (run->capture) {
        orr_run_refuse(run, "files of graphs have no place for temporary data");
        return NULL;
    }
    data = orr_data_register(run, bytes);
    if (!data)
        return NULL;
    data->temporary = data->empty = true;
    run->app.checks_data = run->rare = true;
    if (run->store.instant_copies)
        return data;
    data->valid = 0;
    if (run->gpu_count == 0)
        return data;
    data->allocated = 0;
    run->store.skips_ram = false;
    return data;
}

#define MAX_SPAN (UINT64_C(1) << 60)

struct orr_data *orr_data_register_matrix(struct orr_run *run,
                                          uint64_t column_bytes, uint64_t count,
                                          uint64_t pitch_bytes)
{
    struct orr_data *data;

    if (!check_matrix(run, column_bytes, count, pitch_bytes))
        return NULL;
    data = orr_data_register(run, column_bytes * count);
    if (data && count > 1 && pitch_bytes > column_bytes) {
        data->pitch_bytes = pitch_bytes;
        data->span_bytes =
            pitch_bytes < MAX_SPAN / count ? pitch_bytes * count : MAX_SPAN;
    }
    return data;
}

struct orr_data *orr_run_datum(struct orr_run *run, uint64_t number)
{
    return number < run->store.data->len ? run->store.data->pdata[number]
                                         : NULL;
}

uint64_t orr_data_bytes(const struct orr_data *data)
{
    return data->bytes;
}
