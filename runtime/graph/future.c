/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/future.h"

#include <string.h>

#include "runtime/orrery.h"

/* The uses of a datum on a node, in order. */
struct uses {
    GArray *ranks; /* uint64_t: of kernels, in the order of their starts */
    guint passed;  /* accesses that the later run has made so far */
};

struct orr_future {
    bool records;
    GArray *numbers;     /* uint64_t: of tasks, by the rank of their kernels */
    GHashTable *uses;    /* struct uses, by node and datum */
    GByteArray *started; /* in this run: 1, by number of the task */
};

/* Nodes are few, and data at most 5e7. */
static gint64 key_of(unsigned node, uint64_t datum)
{
    return (gint64)((uint64_t)node << 32 | datum);
}

static void free_uses(void *data)
{
    struct uses *uses = data;

    g_array_unref(uses->ranks);
    g_free(uses);
}

struct orr_future *orr_future_new(void)
{
    struct orr_future *future = g_new0(struct orr_future, 1);

    future->numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    future->uses =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_uses);
    future->started = g_byte_array_new();
    return future;
}

void orr_future_free(struct orr_future *future)
{
    if (!future)
        return;
    g_array_unref(future->numbers);
    g_hash_table_unref(future->uses);
    g_byte_array_unref(future->started);
    g_free(future);
}

void orr_future_begin(struct orr_future *future, bool records)
{
    GHashTableIter iter;
    gpointer uses;

    future->records = records;
    g_byte_array_set_size(future->started, 0);
    if (records) {
        g_array_set_size(future->numbers, 0);
        g_hash_table_remove_all(future->uses);
        return;
    }
    g_hash_table_iter_init(&iter, future->uses);
    while (g_hash_table_iter_next(&iter, NULL, &uses))
        ((struct uses *)uses)->passed = 0;
}

bool orr_future_is_known(const struct orr_future *future)
{
    return future->numbers->len > 0;
}

void orr_future_start(struct orr_future *future, uint64_t number)
{
    guint old = future->started->len;

    if (future->records) {
        g_array_append_val(future->numbers, number);
        return;
    }
    if (number >= old) {
        g_byte_array_set_size(future->started, (guint)number + 1);
        memset(future->started->data + old, 0, future->started->len - old);
    }
    future->started->data[number] = 1;
}

void orr_future_use(struct orr_future *future, unsigned node, uint64_t datum)
{
    gint64 key = key_of(node, datum);
    uint64_t rank = future->numbers->len - 1;
    struct uses *uses;

    if (!future->records)
        return;
    uses = g_hash_table_lookup(future->uses, &key);
    if (!uses) {
        uses = g_new0(struct uses, 1);
        uses->ranks = g_array_new(FALSE, FALSE, sizeof rank);
        g_hash_table_insert(future->uses, g_memdup2(&key, sizeof key), uses);
    }
    g_array_append_val(uses->ranks, rank);
}

/* Whether the kernel of that rank has started in this run. */
static bool has_started(const struct orr_future *future, uint64_t rank)
{
    uint64_t number = g_array_index(future->numbers, uint64_t, rank);

    return number < future->started->len && future->started->data[number];
}

uint64_t orr_future_next_use(struct orr_future *future, unsigned node,
                             uint64_t datum)
{
    gint64 key = key_of(node, datum);
    struct uses *uses = g_hash_table_lookup(future->uses, &key);

    for (; uses && uses->passed < uses->ranks->len; uses->passed++) {
        uint64_t rank = g_array_index(uses->ranks, uint64_t, uses->passed);

        if (!has_started(future, rank))
            return rank;
    }
    return UINT64_MAX;
}
