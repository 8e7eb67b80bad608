/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parents that were never recorded. A trace may begin after tasks that make the
 * data were submitted, and DependsOn still names these; starpu_replay skips
 * them, too. They are told from mistakes by their numbers, which StarPU counts
 * up: below those of all records of the same rank.
 */
#include <string.h>

#include "models/dag/dag_number.h"
#include "models/dagfile/dag_record_private.h"

/* The number in "12" or, with a rank, "3:12"; *@key: without the number. */
static bool number_of(const char *id, uint64_t *number, char **key)
{
    const char *colon = strrchr(id, ':');
    const char *digits = colon ? colon + 1 : id;

    if (!orr_dag_whole(digits, UINT64_MAX / 2, number))
        return false;
    *key = g_strndup(id, (gsize)(digits - id));
    return true;
}

static const char *id_of(const struct orr_dag_builder *builder, uint32_t task)
{
    return builder->texts.texts + builder->ids.offsets[task];
}

static bool is_described(struct orr_dag_builder *builder, uint32_t task)
{
    return orr_dag_task_of(builder, task)->name != ORR_DAG_NONE;
}

/* By rank: the least number of a task that is described. */
static GHashTable *find_first(struct orr_dag_builder *builder)
{
    GHashTable *first =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        g_autofree char *key = NULL;
        uint64_t *known;
        uint64_t number;

        if (!is_described(builder, i) ||
            !number_of(id_of(builder, i), &number, &key))
            continue;
        known = g_hash_table_lookup(first, key);
        if (known)
            *known = MIN(*known, number);
        else
            g_hash_table_insert(first, g_steal_pointer(&key),
                                g_memdup2(&number, sizeof number));
    }
    return first;
}

static bool is_lost(struct orr_dag_builder *builder, GHashTable *first,
                    uint32_t task)
{
    g_autofree char *key = NULL;
    uint64_t number;
    uint64_t *known;

    if (is_described(builder, task) ||
        !number_of(id_of(builder, task), &number, &key))
        return false;
    known = g_hash_table_lookup(first, key);
    return known && number < *known;
}

/* Removes the edges from tasks that are true in @lost. */
static void remove_edges(struct orr_dag_builder *builder, const bool *lost)
{
    guint kept = 0;

    for (guint i = 0; i < builder->edges->len; i++) {
        struct orr_dag_pending_edge edge =
            g_array_index(builder->edges, struct orr_dag_pending_edge, i);

        if (!lost[edge.before])
            g_array_index(builder->edges, struct orr_dag_pending_edge, kept++) =
                edge;
    }
    g_array_set_size(builder->edges, kept);
}

static bool is_whole(struct orr_dag_builder *builder)
{
    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        if (!is_described(builder, i))
            return false;
    }
    return true;
}

void orr_dag_records_lose(struct orr_dag_records *records)
{
    struct orr_dag_builder *builder = records->builder;
    GHashTable *first;
    bool *lost;

    /* In a table of one's own, what is named must be there. */
    if (records->trusted || is_whole(builder))
        return;
    first = find_first(builder);
    lost = g_new0(bool, builder->tasks->len + (size_t)1);
    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        lost[i] = is_lost(builder, first, i);
        if (!lost[i])
            continue;
        orr_dag_task_of(builder, i)->name = 0;
        builder->lost_parents++;
    }
    remove_edges(builder, lost);
    g_hash_table_unref(first);
    g_free(lost);
}
