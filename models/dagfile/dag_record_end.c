/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* After the last record: tells handles apart, drops what only synchronises. */
#include <stdlib.h>

#include "models/base/units.h"
#include "models/dagfile/dag_record.h"
#include "models/dagfile/dag_record_private.h"

/* Limits of what is searched for one answer; beyond, handles count as the same
 * and what synchronises stays. */
#define MAX_SEARCH 4096
#define MAX_HANDED_ON 256

/* Edges by the task that comes after; and which tasks a search has seen. */
struct graph {
    const struct orr_dag_builder *builder;
    const uint64_t *ranks;
    uint32_t *first;
    uint32_t *before;
    uint32_t *seen;
    uint32_t search; /* the number of the search */
    uint32_t *stack;
};

static void graph_init(struct graph *graph,
                       const struct orr_dag_builder *builder)
{
    uint32_t tasks = builder->tasks->len;
    const struct orr_dag_pending_edge *edges =
        (const struct orr_dag_pending_edge *)builder->edges->data;

    *graph = (struct graph){
        .builder = builder,
        .ranks = (const uint64_t *)builder->ranks->data,
        .first = g_new0(uint32_t, tasks + (size_t)2),
        .before = g_new(uint32_t, builder->edges->len + (size_t)1),
        .seen = g_new0(uint32_t, tasks + (size_t)1),
        .stack = g_new(uint32_t, MAX_SEARCH + (size_t)1),
    };
    for (guint i = 0; i < builder->edges->len; i++)
        graph->first[edges[i].after + 2]++;
    for (uint32_t i = 2; i <= tasks; i++)
        graph->first[i] += graph->first[i - 1];
    for (guint i = 0; i < builder->edges->len; i++)
        graph->before[graph->first[edges[i].after + 1]++] = edges[i].before;
}

static void graph_clear(struct graph *graph)
{
    g_free(graph->first);
    g_free(graph->before);
    g_free(graph->seen);
    g_free(graph->stack);
}

/* Whether @task depends on @other, which was submitted before it; also if that
 * is not found out within MAX_SEARCH tasks. */
static bool depends(struct graph *graph, uint32_t task, uint32_t other)
{
    uint32_t count = 0;
    unsigned searched = 0;

    graph->search++;
    graph->stack[count++] = task;
    while (count > 0) {
        uint32_t node = graph->stack[--count];

        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
            uint32_t before = graph->before[i];

            if (before == other)
                return true;
            if (graph->ranks[before] < graph->ranks[other] ||
                graph->seen[before] == graph->search)
                continue;
            if (++searched > MAX_SEARCH)
                return true;
            graph->seen[before] = graph->search;
            graph->stack[count++] = before;
        }
    }
    return false;
}

/* Whether the access must be to another datum than the one that is at the
 * address: it does not follow the last task that it would have to follow. */
static bool is_foreign(struct graph *graph, const struct orr_dag_address *at,
                       const struct orr_dag_record_access *access)
{
    uint32_t last = at->writer;

    if (access->mode & ORR_DAG_SCRATCH)
        return false;
    if (last == ORR_DAG_NONE && access->mode & ORR_DAG_WRITE)
        last = at->reader;
    return last != ORR_DAG_NONE && last != access->task &&
           !depends(graph, access->task, last);
}

static struct orr_dag_registration *
registration_of(const struct orr_dag_records *records, uint32_t number)
{
    return &g_array_index(records->registrations, struct orr_dag_registration,
                          number);
}

/* The first registration from @number on with @bytes; or ORR_DAG_NONE. */
static uint32_t find_size(const struct orr_dag_records *records,
                          uint32_t number, uint64_t bytes)
{
    while (number != ORR_DAG_NONE && bytes != ORR_DAG_NO_BYTES &&
           registration_of(records, number)->bytes != bytes)
        number = registration_of(records, number)->next;
    return number;
}

/* Puts another datum at the address: of the next registration that fits. */
static bool replace(struct orr_dag_records *records, struct orr_dag_address *at,
                    uint32_t name, uint64_t bytes, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint32_t next = at->current == ORR_DAG_NONE
                        ? at->first
                        : registration_of(records, at->current)->next;
    struct orr_dag_datum *datum;

    next = find_size(records, next, bytes);
    if (bytes == ORR_DAG_NO_BYTES)
        bytes =
            next == ORR_DAG_NONE ? 0 : registration_of(records, next)->bytes;
    at->datum = orr_dag_datum_add(builder, bytes, name, error);
    if (at->datum == ORR_DAG_NONE)
        return false;
    at->writer = ORR_DAG_NONE;
    at->reader = ORR_DAG_NONE;
    g_array_append_val(records->order, next);
    if (next == ORR_DAG_NONE)
        return true;
    at->current = next;
    datum = &g_array_index(builder->data, struct orr_dag_datum, at->datum);
    datum->home = registration_of(records, next)->home;
    datum->shape = registration_of(records, next)->shape;
    datum->coordinates = registration_of(records, next)->coordinates;
    if (registration_of(records, next)->name)
        datum->name = registration_of(records, next)->name;
    return true;
}

/* In a table of one's own, a handle has one size. */
static bool check_size(const struct orr_dag_records *records,
                       const struct orr_dag_address *at,
                       const struct orr_dag_record_access *access,
                       GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint64_t bytes =
        at->datum == ORR_DAG_NONE
            ? access->bytes
            : g_array_index(builder->data, struct orr_dag_datum, at->datum)
                  .bytes;
    g_autofree char *quoted = NULL;

    if (!records->trusted || bytes == access->bytes)
        return true;
    quoted = orr_quote(builder->texts.texts +
                       records->addresses.offsets[access->address]);
    return orr_dag_fail(builder, orr_dag_task_of(builder, access->task)->line,
                        ORR_ERROR_VALUE, error,
                        "handle %s has %" G_GUINT64_FORMAT
                        " bytes, but %" G_GUINT64_FORMAT " before",
                        quoted, access->bytes, bytes);
}

static bool resolve(struct orr_dag_records *records, struct graph *graph,
                    const struct orr_dag_record_access *access, GError **error)
{
    struct orr_dag_address *at = &g_array_index(
        records->places, struct orr_dag_address, access->address);
    const GArray *data = records->builder->data;
    bool several =
        !records->trusted && (!records->has_data || at->first != at->last);

    if (!check_size(records, at, access, error))
        return false;
    if (at->datum == ORR_DAG_NONE ||
        (access->bytes != ORR_DAG_NO_BYTES &&
         g_array_index(data, struct orr_dag_datum, at->datum).bytes !=
             access->bytes) ||
        (several && records->has_edges && is_foreign(graph, at, access))) {
        if (!replace(records, at, records->addresses.offsets[access->address],
                     access->bytes, error))
            return false;
    }
    if (access->mode & ~(unsigned)(ORR_DAG_READ | ORR_DAG_SCRATCH)) {
        at->writer = access->task;
        at->reader = ORR_DAG_NONE;
    } else if (access->mode & ORR_DAG_READ) {
        at->reader = access->task;
    }
    return orr_dag_access(records->builder, access->task, at->datum,
                          access->mode, error);
}

struct entry {
    uint64_t rank;
    uint32_t task;
    uint32_t hint; /* or ORR_DAG_NONE */
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *left = a;
    const struct entry *right = b;

    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return (left->task > right->task) - (left->task < right->task);
}

/* The tasks, and the hints behind those before them, in order of submission. */
static GArray *sort_entries(const struct orr_dag_builder *builder)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
    bool sorted = true;

    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        struct entry entry = {g_array_index(builder->ranks, uint64_t, i), i,
                              ORR_DAG_NONE};

        sorted = sorted &&
                 (i == 0 || g_array_index(entries, struct entry, i - 1).rank <=
                                entry.rank);
        g_array_append_val(entries, entry);
    }
    for (uint32_t i = 0; i < builder->hints->len; i++) {
        struct entry entry = {
            g_array_index(builder->hints, struct orr_dag_pending_hint, i).rank,
            ORR_DAG_NONE, i};

        sorted = false;
        g_array_append_val(entries, entry);
    }
    if (!sorted)
        g_array_sort(entries, compare_entries);
    return entries;
}

/* The accesses of a task; they are side by side. */
static bool resolve_task(struct orr_dag_records *records, struct graph *graph,
                         uint32_t first, GError **error)
{
    for (guint i = first; i < records->accesses->len; i++) {
        const struct orr_dag_record_access *access =
            &g_array_index(records->accesses, struct orr_dag_record_access, i);

        if (access->task != g_array_index(records->accesses,
                                          struct orr_dag_record_access, first)
                                .task)
            break;
        if (!resolve(records, graph, access, error))
            return false;
    }
    return true;
}

static bool resolve_all(struct orr_dag_records *records, struct graph *graph,
                        GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint32_t *first = g_new(uint32_t, builder->tasks->len + (size_t)1);
    GArray *entries = sort_entries(builder);
    guint kept = 0;
    bool good = true;

    for (uint32_t i = 0; i < builder->tasks->len; i++)
        first[i] = ORR_DAG_NONE;
    for (guint i = records->accesses->len; i-- > 0;)
        first[g_array_index(records->accesses, struct orr_dag_record_access, i)
                  .task] = i;
    for (guint i = 0; good && i < entries->len; i++) {
        struct entry entry = g_array_index(entries, struct entry, i);
        struct orr_dag_pending_hint *hint;

        if (entry.hint == ORR_DAG_NONE) {
            if (first[entry.task] != ORR_DAG_NONE)
                good = resolve_task(records, graph, first[entry.task], error);
            continue;
        }
        /* The address becomes the datum that is there; the place of the hint
           is among the tasks, whatever was dropped before it. */
        hint = &g_array_index(builder->hints, struct orr_dag_pending_hint,
                              entry.hint);
        hint->datum =
            g_array_index(records->places, struct orr_dag_address, hint->datum)
                .datum;
    }
    for (guint i = 0; good && i < builder->hints->len; i++) {
        struct orr_dag_pending_hint hint =
            g_array_index(builder->hints, struct orr_dag_pending_hint, i);

        if (hint.datum != ORR_DAG_NONE)
            g_array_index(builder->hints, struct orr_dag_pending_hint, kept++) =
                hint;
    }
    if (good)
        g_array_set_size(builder->hints, kept);
    g_array_unref(entries);
    g_free(first);
    return good;
}

/* ---- what only synchronises ---- */

struct drop {
    struct graph *graph;
    GArray *edges;   /* struct orr_dag_pending_edge: the new ones */
    GArray **handed; /* of dropped tasks: those before them */
};

/* Adds to @list the tasks that stay on which @task depends. */
static void gather(struct drop *drop, uint32_t task, GArray *list)
{
    struct graph *graph = drop->graph;

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
        uint32_t task = g_array_index(entries, struct entry, i).task;
        GArray *list;

        if (task == ORR_DAG_NONE)
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

static bool drop_all(const struct orr_dag_records *records, struct graph *graph,
                     GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint32_t tasks = builder->tasks->len;
    bool *has_data = g_new0(bool, tasks + (size_t)1);
    bool *dropped = g_new0(bool, tasks + (size_t)1);
    GArray *entries = sort_entries(builder);
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

/* Whether every task that is named is described; finishing says which is not.
 */
static bool is_whole(const struct orr_dag_builder *builder)
{
    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        if (g_array_index(builder->tasks, struct orr_dag_task, i).name ==
            ORR_DAG_NONE)
            return false;
    }
    return true;
}

static bool any_synchronises(const struct orr_dag_records *records)
{
    for (uint32_t i = 0; i < records->builder->tasks->len; i++) {
        if (synchronises(records, i))
            return true;
    }
    return false;
}

bool orr_dag_records_end(struct orr_dag_records *records, GError **error)
{
    struct graph graph;
    bool good;

    orr_dag_names_close(&records->addresses);
    orr_dag_names_close(&records->builder->ids);
    orr_dag_records_lose(records);
    if (!is_whole(records->builder))
        return true;
    graph_init(&graph, records->builder);
    good = resolve_all(records, &graph, error);
    orr_dag_records_close(records);
    if (good && records->has_data)
        orr_dag_builder_sort_data(
            records->builder, (const uint32_t *)(void *)records->order->data);
    if (good && any_synchronises(records))
        good = drop_all(records, &graph, error);
    graph_clear(&graph);
    return good;
}
