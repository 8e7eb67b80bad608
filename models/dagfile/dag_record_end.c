/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* After the last record: tells handles apart. */
#include <stdlib.h>

#include "models/base/units.h"
#include "models/dagfile/dag_record.h"
#include "models/dagfile/dag_record_private.h"

/* Limit of what is searched for one answer; beyond, handles count as the same.
 */
#define MAX_SEARCH 4096

void orr_dag_record_graph_need(struct orr_dag_record_graph *graph)
{
    const struct orr_dag_builder *builder = graph->builder;
    uint32_t tasks = builder->tasks->len;
    const struct orr_dag_pending_edge *edges =
        (const struct orr_dag_pending_edge *)builder->edges->data;

    if (graph->first)
        return;
    graph->first = g_new0(uint32_t, tasks + (size_t)2);
    graph->before = g_new(uint32_t, builder->edges->len + (size_t)1);
    graph->seen = g_new0(uint32_t, tasks + (size_t)1);
    graph->stack = g_new(uint32_t, MAX_SEARCH + (size_t)1);
    for (guint i = 0; i < builder->edges->len; i++)
        graph->first[edges[i].after + 2]++;
    for (uint32_t i = 2; i <= tasks; i++)
        graph->first[i] += graph->first[i - 1];
    for (guint i = 0; i < builder->edges->len; i++)
        graph->before[graph->first[edges[i].after + 1]++] = edges[i].before;
}

static void graph_clear(struct orr_dag_record_graph *graph)
{
    g_free(graph->first);
    g_free(graph->before);
    g_free(graph->seen);
    g_free(graph->stack);
}

/* Whether @task depends on @other, which was submitted before it; also if that
 * is not found out within MAX_SEARCH tasks. */
static bool depends(struct orr_dag_record_graph *graph, uint32_t task,
                    uint32_t other)
{
    uint32_t count = 0;
    unsigned searched = 0;

    orr_dag_record_graph_need(graph);
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
static bool is_foreign(struct orr_dag_record_graph *graph,
                       const struct orr_dag_occupant *at,
                       const struct orr_dag_pending_access *access)
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

/* Puts another datum at the address @number: of the next registration that
 * fits. */
static bool replace(struct orr_dag_records *records, uint32_t number,
                    uint64_t bytes, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    struct orr_dag_occupant *at = &records->occupants[number];
    uint32_t next =
        at->registration == ORR_DAG_NONE
            ? g_array_index(records->places, struct orr_dag_address, number)
                  .first
            : registration_of(records, at->registration)->next;
    struct orr_dag_datum *datum;

    next = find_size(records, next, bytes);
    if (bytes == ORR_DAG_NO_BYTES)
        bytes =
            next == ORR_DAG_NONE ? 0 : registration_of(records, next)->bytes;
    at->datum = orr_dag_datum_add(builder, bytes,
                                  records->addresses.offsets[number], error);
    if (at->datum == ORR_DAG_NONE)
        return false;
    at->writer = ORR_DAG_NONE;
    at->reader = ORR_DAG_NONE;
    g_array_append_val(records->order, next);
    if (next == ORR_DAG_NONE)
        return true;
    at->registration = next;
    datum = &g_array_index(builder->data, struct orr_dag_datum, at->datum);
    datum->home = (int16_t)registration_of(records, next)->home;
    datum->shape = registration_of(records, next)->shape;
    datum->coordinates = registration_of(records, next)->coordinates;
    datum->is_named = registration_of(records, next)->name != 0;
    if (datum->is_named)
        datum->name = registration_of(records, next)->name;
    return true;
}

/* In a table of one's own, a handle has one size. */
static bool check_size(const struct orr_dag_records *records,
                       const struct orr_dag_occupant *at,
                       const struct orr_dag_pending_access *access,
                       uint64_t size, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint64_t bytes =
        at->datum == ORR_DAG_NONE
            ? size
            : g_array_index(builder->data, struct orr_dag_datum, at->datum)
                  .bytes;
    g_autofree char *quoted = NULL;

    if (!records->trusted || bytes == size)
        return true;
    quoted = orr_quote(builder->texts.texts +
                       records->addresses.offsets[access->datum]);
    return orr_dag_fail(builder, orr_dag_task_of(builder, access->task)->line,
                        ORR_ERROR_VALUE, error,
                        "handle %s has %" G_GUINT64_FORMAT
                        " bytes, but %" G_GUINT64_FORMAT " before",
                        quoted, size, bytes);
}

/* The address of the access becomes the datum that is there. */
static bool resolve(struct orr_dag_records *records,
                    struct orr_dag_record_graph *graph,
                    struct orr_dag_pending_access *access, uint64_t bytes,
                    GError **error)
{
    struct orr_dag_occupant *at = &records->occupants[access->datum];
    const struct orr_dag_address *place =
        &g_array_index(records->places, struct orr_dag_address, access->datum);
    const GArray *data = records->builder->data;
    bool several = !records->trusted &&
                   (!records->has_data || place->first != place->last);

    if (!check_size(records, at, access, bytes, error))
        return false;
    if (at->datum == ORR_DAG_NONE ||
        (bytes != ORR_DAG_NO_BYTES &&
         g_array_index(data, struct orr_dag_datum, at->datum).bytes != bytes) ||
        (several && records->has_edges && is_foreign(graph, at, access))) {
        if (!replace(records, access->datum, bytes, error))
            return false;
    }
    if (access->mode & ~(unsigned)(ORR_DAG_READ | ORR_DAG_SCRATCH)) {
        at->writer = access->task;
        at->reader = ORR_DAG_NONE;
    } else if (access->mode & ORR_DAG_READ) {
        at->reader = access->task;
    }
    access->datum = at->datum;
    return true;
}

/* Of an entry: see orr_dag_record_entries(). */
static uint64_t rank_of(const struct orr_dag_builder *builder, uint32_t entry)
{
    uint32_t tasks = builder->tasks->len;

    return entry < tasks
               ? g_array_index(builder->ranks, uint64_t, entry)
               : g_array_index(builder->hints, struct orr_dag_pending_hint,
                               entry - tasks)
                     .rank;
}

static int compare_entries(const void *a, const void *b, void *builder)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    uint64_t left_rank = rank_of(builder, left);
    uint64_t right_rank = rank_of(builder, right);

    if (left_rank != right_rank)
        return left_rank < right_rank ? -1 : 1;
    return (left > right) - (left < right);
}

static bool is_sorted(const uint32_t *entries, uint32_t count,
                      struct orr_dag_builder *builder)
{
    for (uint32_t i = 1; i < count; i++) {
        if (compare_entries(&entries[i - 1], &entries[i], builder) > 0)
            return false;
    }
    return true;
}

GArray *orr_dag_record_entries(struct orr_dag_builder *builder)
{
    uint32_t tasks = builder->tasks->len;
    uint32_t count = tasks + builder->hints->len;
    GArray *array = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), count);
    uint32_t *entries = (uint32_t *)(void *)array->data;
    uint32_t task = 0;
    uint32_t hint = tasks;

    g_array_set_size(array, count);
    /* Tasks and hints are merged: in most files, both are in order. */
    for (uint32_t i = 0; i < count; i++)
        entries[i] =
            hint == count || (task < tasks &&
                              rank_of(builder, task) <= rank_of(builder, hint))
                ? task++
                : hint++;
    if (!is_sorted(entries, count, builder))
        g_array_sort_with_data(array, compare_entries, builder);
    return array;
}

/* The accesses of a task; they are side by side. */
static bool resolve_task(struct orr_dag_records *records,
                         struct orr_dag_record_graph *graph, uint32_t first,
                         GError **error)
{
    GArray *accesses = records->builder->accesses;
    uint32_t task =
        g_array_index(accesses, struct orr_dag_pending_access, first).task;

    for (guint i = first; i < accesses->len; i++) {
        struct orr_dag_pending_access *access =
            &g_array_index(accesses, struct orr_dag_pending_access, i);

        if (access->task != task)
            break;
        if (!resolve(records, graph, access,
                     records->sizes
                         ? g_array_index(records->sizes, uint64_t, i)
                         : orr_dag_record_size(records, access->datum),
                     error))
            return false;
    }
    return true;
}

/* Sets first_access of each task, or ORR_DAG_NONE, until finishing sets it
 * anew: large graphs have no room for another array. */
static void find_first(struct orr_dag_builder *builder)
{
    for (uint32_t i = 0; i < builder->tasks->len; i++)
        orr_dag_task_of(builder, i)->first_access = ORR_DAG_NONE;
    for (guint i = builder->accesses->len; i-- > 0;)
        orr_dag_task_of(builder, g_array_index(builder->accesses,
                                               struct orr_dag_pending_access, i)
                                     .task)
            ->first_access = i;
}

/* The address of the hint becomes the datum that is there. Of a trace, which
 * may begin late, a hint without one is dropped; a table of one's own has to
 * have it. */
static bool resolve_hint(const struct orr_dag_records *records,
                         struct orr_dag_pending_hint *hint, GError **error)
{
    const struct orr_dag_builder *builder = records->builder;
    uint32_t number = hint->datum;
    g_autofree char *quoted = NULL;

    hint->datum = records->occupants[number].datum;
    if (hint->datum != ORR_DAG_NONE || !records->trusted)
        return true;
    quoted =
        orr_quote(builder->texts.texts + records->addresses.offsets[number]);
    return orr_dag_fail(builder, 0, ORR_ERROR_VALUE, error,
                        "wont_use: handle %s, which no task accesses before",
                        quoted);
}

/* Drops hints about addresses where there is no datum. */
static void drop_hints(struct orr_dag_builder *builder)
{
    guint kept = 0;

    for (guint i = 0; i < builder->hints->len; i++) {
        struct orr_dag_pending_hint hint =
            g_array_index(builder->hints, struct orr_dag_pending_hint, i);

        if (hint.datum != ORR_DAG_NONE)
            g_array_index(builder->hints, struct orr_dag_pending_hint, kept++) =
                hint;
    }
    g_array_set_size(builder->hints, kept);
}

static struct orr_dag_occupant *new_occupants(uint32_t count)
{
    const struct orr_dag_occupant none = {ORR_DAG_NONE, ORR_DAG_NONE,
                                          ORR_DAG_NONE, ORR_DAG_NONE};
    struct orr_dag_occupant *occupants =
        g_new0(struct orr_dag_occupant, count + (size_t)1);

    for (uint32_t i = 0; i < count; i++)
        occupants[i] = none;
    return occupants;
}

static bool resolve_all(struct orr_dag_records *records,
                        struct orr_dag_record_graph *graph, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint32_t tasks = builder->tasks->len;
    GArray *entries = orr_dag_record_entries(builder);
    bool good = true;

    records->occupants = new_occupants(records->places->len);
    find_first(builder);
    for (guint i = 0; good && i < entries->len; i++) {
        uint32_t entry = g_array_index(entries, uint32_t, i);
        if (entry < tasks) {
            uint32_t first = orr_dag_task_of(builder, entry)->first_access;

            if (first != ORR_DAG_NONE)
                good = resolve_task(records, graph, first, error);
            continue;
        }
        good = resolve_hint(records,
                            &g_array_index(builder->hints,
                                           struct orr_dag_pending_hint,
                                           entry - tasks),
                            error);
    }
    if (good)
        drop_hints(builder);
    g_array_unref(entries);
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

bool orr_dag_records_end(struct orr_dag_records *records, GError **error)
{
    struct orr_dag_record_graph graph = {
        .builder = records->builder,
        .ranks = (const uint64_t *)records->builder->ranks->data,
    };
    bool good;

    orr_dag_names_close(&records->addresses);
    orr_dag_names_close(&records->builder->ids);
    orr_dag_records_lose(records);
    if (!is_whole(records->builder))
        return true;
    good = resolve_all(records, &graph, error);
    orr_dag_records_close(records);
    if (good && records->has_data)
        orr_dag_builder_sort_data(
            records->builder, (const uint32_t *)(void *)records->order->data);
    good = good && orr_dag_records_drop(records, &graph, error);
    graph_clear(&graph);
    return good;
}
