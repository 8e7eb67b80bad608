/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The last step of reading records, when all tasks are known:
 *
 * 1. Parents that were never recorded are dropped. A trace may begin after the
 *    tasks that make the data were submitted, and DependsOn still names these;
 *    starpu_replay skips them, too. They differ from mistakes by their numbers,
 *    which StarPU counts up: below the numbers of all records of the same rank.
 * 2. Tasks are visited in order of submission, and the address of each access
 *    is replaced by the datum that is there. A handle may be freed and its
 *    address used again, so the access is to a new datum if its size differs,
 *    or if its task does not depend on the last task that wrote the old one.
 *    That is searched backwards through DependsOn, within MAX_SEARCH tasks.
 * 3. Tasks that only synchronise are dropped. Their successors depend on their
 *    predecessors instead, unless these are more than MAX_INHERITED.
 */
#include <stdlib.h>
#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_record.h"
#include "models/dagfile/dag_record_private.h"

/* A search for one answer visits at most so many tasks; beyond, both handles
 * count as the same datum. */
#define MAX_SEARCH 4096

/* A task that synchronises stays if it has more predecessors than this. */
#define MAX_INHERITED 256

/* The datum at an address, while tasks are visited in order of submission. Any
 * member may be ORR_DAG_NONE. */
struct orr_dag_occupant {
    uint32_t registration;
    uint32_t datum;
    uint32_t writer; /* the last task that wrote it */
    uint32_t reader; /* the last task that read it since it was written */
};

/* Predecessors by task, and the tasks that a search has seen. The arrays are
 * NULL until need_graph(). */
struct graph {
    const struct orr_dag_builder *builder;
    const uint64_t *ranks;
    uint32_t *first;
    uint32_t *before;
    uint32_t *seen;
    uint32_t search; /* the number of the search */
    uint32_t *stack;
};

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

/* The least number of a described task, by rank. */
static GHashTable *find_first_numbers(struct orr_dag_builder *builder)
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

static bool is_unrecorded(struct orr_dag_builder *builder, GHashTable *first,
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

/* Removes the edges from each task i with @unrecorded[i]. */
static void remove_edges(struct orr_dag_builder *builder,
                         const bool *unrecorded)
{
    guint kept = 0;

    for (guint i = 0; i < builder->edges->len; i++) {
        struct orr_dag_pending_edge edge =
            g_array_index(builder->edges, struct orr_dag_pending_edge, i);

        if (!unrecorded[edge.before])
            g_array_index(builder->edges, struct orr_dag_pending_edge, kept++) =
                edge;
    }
    g_array_set_size(builder->edges, kept);
}

/* Whether every task that is mentioned is described. */
static bool is_whole(struct orr_dag_builder *builder)
{
    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        if (!is_described(builder, i))
            return false;
    }
    return true;
}

/* Turns parents that were submitted before the recording began into tasks that
 * only synchronise, without successors. */
static void drop_unrecorded_parents(struct orr_dag_records *records)
{
    struct orr_dag_builder *builder = records->builder;
    GHashTable *first;
    bool *unrecorded;

    /* A plain table is not cut off: finishing reports undescribed tasks. */
    if (records->trusted || is_whole(builder))
        return;
    first = find_first_numbers(builder);
    unrecorded = g_new0(bool, builder->tasks->len + (size_t)1);
    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        unrecorded[i] = is_unrecorded(builder, first, i);
        if (!unrecorded[i])
            continue;
        orr_dag_task_of(builder, i)->name = 0;
        builder->lost_parents++;
    }
    remove_edges(builder, unrecorded);
    g_hash_table_unref(first);
    g_free(unrecorded);
}

/* Sorts the edges by task on the first call: most files never need it. */
static void need_graph(struct graph *graph)
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

static void graph_clear(struct graph *graph)
{
    g_free(graph->first);
    g_free(graph->before);
    g_free(graph->seen);
    g_free(graph->stack);
}

/* Whether @task depends on @other, which was submitted before it; true, too, if
 * the search exceeds MAX_SEARCH tasks. */
static bool depends(struct graph *graph, uint32_t task, uint32_t other)
{
    uint32_t count = 0;
    unsigned searched = 0;

    need_graph(graph);
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

/* Whether the access must be to another datum than the one at its address: its
 * task does not depend on the last task that accessed the latter. */
static bool is_foreign(struct graph *graph, const struct orr_dag_occupant *at,
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

/* Puts a new datum at the address @number, for the next registration there with
 * @bytes. */
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

/* In a plain table, all accesses to a handle must state one size. */
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

/* Replaces the address in @access by the datum that is there. */
static bool resolve(struct orr_dag_records *records, struct graph *graph,
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

/* The rank of an entry of list_entries(). */
static uint64_t rank_of_entry(const struct orr_dag_builder *builder,
                              uint32_t entry)
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
    uint64_t left_rank = rank_of_entry(builder, left);
    uint64_t right_rank = rank_of_entry(builder, right);

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

/*
 * The tasks, and the hints behind the tasks before them, in order of
 * submission: uint32_t, to free with g_array_unref(). An entry is the number of
 * a task, or the number of a hint plus the number of all tasks.
 */
static GArray *list_entries(struct orr_dag_builder *builder)
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
            hint == count || (task < tasks && rank_of_entry(builder, task) <=
                                                  rank_of_entry(builder, hint))
                ? task++
                : hint++;
    if (!is_sorted(entries, count, builder))
        g_array_sort_with_data(array, compare_entries, builder);
    return array;
}

/* Resolves the accesses of a task, which are side by side, from @first on. */
static bool resolve_task(struct orr_dag_records *records, struct graph *graph,
                         uint32_t first, GError **error)
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

/* Sets first_access of each task to its first access in the builder, or
 * ORR_DAG_NONE. The member is free for this until the builder finishes. */
static void set_first_accesses(struct orr_dag_builder *builder)
{
    for (uint32_t i = 0; i < builder->tasks->len; i++)
        orr_dag_task_of(builder, i)->first_access = ORR_DAG_NONE;
    for (guint i = builder->accesses->len; i-- > 0;)
        orr_dag_task_of(builder, g_array_index(builder->accesses,
                                               struct orr_dag_pending_access, i)
                                     .task)
            ->first_access = i;
}

/* Replaces the address in @hint by the datum that is there, or ORR_DAG_NONE: a
 * trace may have begun after the datum was accessed. In a plain table that is
 * an error. */
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

static bool resolve_all(struct orr_dag_records *records, struct graph *graph,
                        GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    uint32_t tasks = builder->tasks->len;
    GArray *entries = list_entries(builder);
    bool good = true;

    records->occupants = new_occupants(records->places->len);
    set_first_accesses(builder);
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

struct drop {
    struct graph *graph;
    GArray *edges; /* struct orr_dag_pending_edge: all edges that remain */
    /* By task, NULL unless it is dropped: the predecessors (uint32_t) that its
       successors inherit. */
    GArray **inherited;
};

/* Adds to @list the predecessors of @task; a dropped one is replaced by the
 * predecessors that it leaves. */
static void gather(struct drop *drop, uint32_t task, GArray *list)
{
    struct graph *graph = drop->graph;

    graph->search++;
    for (uint32_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
        uint32_t before = graph->before[i];
        const GArray *more = drop->inherited[before];

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

/* Whether a task with the predecessors @list may be dropped: they are few, and
 * none of them may still be dropped later. */
static bool may_drop(const struct orr_dag_records *records, const GArray *list,
                     const bool *decided)
{
    bool good = list->len <= MAX_INHERITED;

    for (guint i = 0; good && i < list->len; i++) {
        uint32_t before = g_array_index(list, uint32_t, i);

        good = decided[before] || !synchronises(records, before);
    }
    return good;
}

/* Decides in order of submission which tasks are dropped: they synchronise,
 * have no data and few predecessors, and lack the field Synchronises. */
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
        if (may_drop(records, list, decided))
            drop->inherited[task] = list;
        else
            g_array_unref(list);
    }
    g_free(decided);
    g_free(kept);
}

/* Makes the edges of all tasks that stay. */
static bool make_edges(struct drop *drop, struct orr_dag_builder *builder,
                       GError **error)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (uint32_t task = 0; task < builder->tasks->len; task++) {
        if (drop->inherited[task])
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
    GArray *entries = list_entries(builder);
    struct drop drop = {
        .graph = graph,
        .edges = g_array_new(FALSE, FALSE, sizeof(struct orr_dag_pending_edge)),
        .inherited = g_new0(GArray *, tasks + (size_t)1),
    };
    bool good;

    for (guint i = 0; i < builder->accesses->len; i++)
        has_data[g_array_index(builder->accesses, struct orr_dag_pending_access,
                               i)
                     .task] = true;
    need_graph(graph);
    decide(&drop, records, entries, has_data);
    good = make_edges(&drop, builder, error);
    for (uint32_t i = 0; i < tasks; i++) {
        dropped[i] = drop.inherited[i];
        if (drop.inherited[i])
            g_array_unref(drop.inherited[i]);
    }
    if (good) {
        g_array_unref(builder->edges);
        builder->edges = g_array_ref(drop.edges);
        orr_dag_builder_drop(builder, dropped);
    }
    g_array_unref(drop.edges);
    g_array_unref(entries);
    g_free(drop.inherited);
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

/* Drops tasks that only synchronise; their successors then depend on their
 * predecessors. */
static bool drop_synchronising(const struct orr_dag_records *records,
                               struct graph *graph, GError **error)
{
    return !any_synchronises(records) || drop_all(records, graph, error);
}

bool orr_dag_records_end(struct orr_dag_records *records, GError **error)
{
    struct graph graph = {
        .builder = records->builder,
        .ranks = (const uint64_t *)records->builder->ranks->data,
    };
    bool good;

    orr_dag_names_close(&records->addresses);
    orr_dag_names_close(&records->builder->ids);
    drop_unrecorded_parents(records);
    if (!is_whole(records->builder))
        return true;
    good = resolve_all(records, &graph, error);
    orr_dag_records_close(records);
    if (good && records->has_data)
        orr_dag_builder_sort_data(
            records->builder, (const uint32_t *)(void *)records->order->data);
    good = good && drop_synchronising(records, &graph, error);
    graph_clear(&graph);
    return good;
}
