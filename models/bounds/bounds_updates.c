/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the update tasks of a workload. */
#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include "models/bounds/bounds_updates.h"

/* Three indices fit into a key of 64 bits. */
enum { INDEX_BITS = 21 };

enum shape { OTHER, GENERAL, SYMMETRIC };

/* Tile (i, j) is updated from tile (i, k) and tile (k, j) or (j, k). */
struct update {
    enum shape shape;
    unsigned i, j, k;
    unsigned updated, first, second; /* data */
};

/* Sets k and shape of @update, whose i, j and data are set. Returns whether its
 * tiles have one of the known shapes. */
static bool fits(const struct orr_workload *workload, struct update *update)
{
    const struct orr_workload_data *first = &workload->data[update->first];
    const struct orr_workload_data *second = &workload->data[update->second];
    unsigned k = first->column;

    update->k = k;
    if (first->row != update->i)
        return false;
    if (second->row == k && second->column == update->j)
        update->shape = GENERAL;
    else if (second->column == k && second->row == update->j &&
             update->i != update->j && update->i != k && update->j != k)
        update->shape = SYMMETRIC;
    return update->shape != OTHER;
}

static struct update examine(const struct orr_workload *workload, unsigned task)
{
    size_t count =
        workload->first_access[task + 1] - workload->first_access[task];
    const struct orr_workload_access *accesses =
        count > 0 ? &workload->accesses[workload->first_access[task]] : NULL;
    struct update update = {.shape = OTHER};
    unsigned reads[3], read = 0, written = 0;

    for (unsigned a = 0; count == 3 && a < 3; a++) {
        const struct orr_workload_data *data =
            &workload->data[accesses[a].data];

        if (!data->placed || !accesses[a].reads || data->row >> INDEX_BITS ||
            data->column >> INDEX_BITS)
            return update;
        if (!accesses[a].writes) {
            reads[read++] = accesses[a].data;
            continue;
        }
        written++;
        update.updated = accesses[a].data;
        update.i = data->row;
        update.j = data->column;
    }
    if (written != 1 || read != 2)
        return update;
    for (unsigned order = 0; order < 2 && update.shape == OTHER; order++) {
        update.first = reads[order];
        update.second = reads[1 - order];
        fits(workload, &update);
    }
    return update;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* A number made of the indices i, j, k; the same for all orders of indices that
 * the shape treats alike. */
static uint64_t key_of(const struct update *update)
{
    uint64_t keys[3] = {update->i, update->j, update->k};

    if (update->shape == SYMMETRIC)
        qsort(keys, 3, sizeof(keys[0]), by_size);
    return (keys[0] << INDEX_BITS | keys[1]) << INDEX_BITS | keys[2];
}

/* Sorts the keys. Returns how often the most frequent one occurs. */
static unsigned most_alike(uint64_t *keys, unsigned count)
{
    unsigned most = 0, run = 0;

    if (count == 0)
        return 0;
    qsort(keys, count, sizeof(keys[0]), by_size);
    for (unsigned i = 0; i < count; i++) {
        run = i > 0 && keys[i] == keys[i - 1] ? run + 1 : 1;
        most = MAX(most, run);
    }
    return most;
}

enum { UPDATED = 1, FIRST = 2, SECOND = 4 };

/* The constant c of bounds.h. uses[d]: how tile d is used, a mask. */
static double coefficient_of(enum shape shape, const uint8_t *uses,
                             unsigned count)
{
    bool both_reads = false, written_is_read = false;

    if (shape == SYMMETRIC)
        return M_SQRT2 / 3;
    for (unsigned d = 0; d < count; d++) {
        both_reads |= (uses[d] & FIRST) && (uses[d] & SECOND);
        written_is_read |= (uses[d] & UPDATED) && (uses[d] & (FIRST | SECOND));
    }
    if (both_reads)
        return 1;
    return written_is_read ? 0.5 : 1 / (3 * sqrt(3));
}

void orr_updates_init(struct orr_updates *updates,
                      const struct orr_workload *workload)
{
    uint64_t *keys = g_new(uint64_t, workload->task_count);
    uint8_t *uses = g_new0(uint8_t, workload->data_count);
    enum shape shape =
        OTHER; /* of the first update; updates of other shapes do not count */

    *updates = (struct orr_updates){
        .tile_bytes = INFINITY,
        .is_update = g_new0(bool, workload->task_count),
    };
    for (unsigned t = 0; t < workload->task_count; t++) {
        struct update update = examine(workload, t);
        const unsigned data[] = {update.updated, update.first, update.second};

        if (shape == OTHER)
            shape = update.shape;
        if (update.shape == OTHER || update.shape != shape)
            continue;
        updates->is_update[t] = true;
        keys[updates->count++] = key_of(&update);
        for (unsigned d = 0; d < 3; d++) {
            uses[data[d]] |= (uint8_t)(1 << d);
            updates->tile_bytes = fmin(updates->tile_bytes,
                                       (double)workload->data[data[d]].bytes);
        }
    }
    updates->coefficient = coefficient_of(shape, uses, workload->data_count) *
                           most_alike(keys, updates->count);
    g_free(keys);
    g_free(uses);
}

void orr_updates_clear(struct orr_updates *updates)
{
    g_free(updates->is_update);
}
