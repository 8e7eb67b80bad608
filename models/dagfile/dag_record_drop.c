/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Drops tasks that only synchronise: others depend on what these depend on. */
#include "models/dagfile/dag_record.h"
#include "models/dagfile/dag_record_private.h"

/* Tasks that wait for more others stay. */
#define MAX_HANDED_ON 256

struct drop {
    struct orr_dag_record_graph *graph;
    GArray *edges;   /* struct orr_dag_pending_edge: the new ones */
    GArray **handed; /* of dropped tasks: those before them */
};

/* Adds to @list the tasks that stay on which @task depends. */
static void gather(struct drop *drop, uint32_t task, GArray *list)
{
    struct orr_dag_record_graph *graph = drop->graph;

    graph->search++;
    for (uint32_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
        uint32_t before = graph->before[i];
        const GArray *more = drop->handed[before];

        for (guint j = 0; j < (more ? more->len : 1); j++) {
            uint32_t one = more ? g_array_index(more, uint32_t, j) : before;

            if (graph->seen[one] == graph->search)
                continue;
            graph->seen[one] = graph->search;
            g_array_append_val(list, one);
        }
    }
}

static bool synchronises(const struct orr_dag_records *records, uint32_t number)
{
    struct orr_dag_task *task = orr_dag_task_of(records->builder, number);

    if (records->has_dates && task->duration < 0)
        task->kernel = ORR_DAG_NONE;
    return task->kernel == ORR_DAG_NONE;
}

/* Whether @list may be handed on: it is short, and names no task of which it
 * is not yet decided whether it is dropped. */
static bool may_hand_on(const struct orr_dag_records *records,
                        const GArray *list, const bool *decided)
{
    bool good = list->len <= MAX_HANDED_ON;

    for (guint i = 0; good && i < list->len; i++) {
        uint32_t before = g_array_index(list, uint32_t, i);

        good = decided[before] || !synchronises(records, before);
    }
    return good;
}

/* Decides which tasks are dropped, in order of submission: those that
 * synchronise, have no data, wait for few others, and are not said to stay. */
static void decide(struct drop *drop, const struct orr_dag_records *records,
                   const GArray *entries, const bool *has_data)
{
    bool *decided = g_new0(bool, records->builder->tasks->len + (size_t)1);
    bool *kept = g_new0(bool, records->builder->tasks->len + (size_t)1);

    for (guint i = 0; i < records->kept->len; i++)
        kept[g_array_index(records->kept, uint32_t, i)] = true;
    for (guint i = 0; i < entries->len; i++) {
        uint32_t task = g_array_index(entries, uint32_t, i);
        GArray *list;

        if (task >= records->builder->tasks->len)
            continue;
        decided[task] = true;
        if (has_data[task] || kept[task] || !synchronises(records, task))
            continue;
        list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        gather(drop, task, list);
        if (may_hand_on(records, list, decided))
            drop->handed[task] = list;
        else
            g_array_unref(list);
    }
    g_free(decided);
    g_free(kept);
}

/* Edges of tasks that stay. */
static bool hand_on(struct drop *drop, struct orr_dag_builder *builder,
                    GError **error)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (uint32_t task = 0; task < builder->tasks->len; task++) {
        if (drop->handed[task])
            continue;
        g_array_set_size(list, 0);
        gather(drop, task, list);
        if (drop->edges->len > ORR_DAG_MAX_ACCESSES - list->len)
            return orr_dag_fail(builder, 0, ORR_ERROR_VALUE, error,
                                "more than %u edges", ORR_DAG_MAX_ACCESSES);
        for (guint i = 0; i < list->len; i++) {
            struct orr_dag_pending_edge edge = {
                g_array_index(list, uint32_t, i), task};

            g_array_append_val(drop->edges, edge);
        }
    }
    return true;
}

static bool drop_all(const struct orr_dag_records *records,
                     struct orr_dag_record_graph *graph, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint32_t tasks = builder->tasks->len;
    bool *has_data = g_new0(bool, tasks + (size_t)1);
    bool *dropped = g_new0(bool, tasks + (size_t)1);
    GArray *entries = orr_dag_record_entries(builder);
    struct drop drop = {
        .graph = graph,
        .edges = g_array_new(FALSE, FALSE, sizeof(struct orr_dag_pending_edge)),
        .handed = g_new0(GArray *, tasks + (size_t)1),
    };
    bool good;

    for (guint i = 0; i < builder->accesses->len; i++)
        has_data[g_array_index(builder->accesses, struct orr_dag_pending_access,
                               i)
                     .task] = true;
    orr_dag_record_graph_need(graph);
    decide(&drop, records, entries, has_data);
    good = hand_on(&drop, builder, error);
    for (uint32_t i = 0; i < tasks; i++) {
        dropped[i] = drop.handed[i];
        if (drop.handed[i])
            g_array_unref(drop.handed[i]);
    }
    if (good) {
        g_array_unref(builder->edges);
        builder->edges = g_array_ref(drop.edges);
        orr_dag_builder_drop(builder, dropped);
    }
    g_array_unref(drop.edges);
    g_array_unref(entries);
    g_free(drop.handed);
    g_free(has_data);
    g_free(dropped);
    return good;
}

static bool any_synchronises(const struct orr_dag_records *records)
{
    for (uint32_t i = 0; i < records->builder->tasks->len; i++) {
        if (synchronises(records, i))
            return true;
    }
    return false;
}

bool orr_dag_records_drop(const struct orr_dag_records *records,
                          struct orr_dag_record_graph *graph, GError **error)
{
    return !any_synchronises(records) || drop_all(records, graph, error);
}
