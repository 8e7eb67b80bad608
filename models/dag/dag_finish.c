/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_builder.h"
#include "models/dag/dag_dependencies.h"
#include "models/dag/dag_sort.h"

/*
 * The last step of a builder: makes the graph.
 *
 * 1. The order of submission. Formats that number their tasks give it; others
 *    have edges alone, and tasks are sorted topologically, smallest number
 *    first. Readers of a file follow its writer.
 * 2. Tasks are moved to their places in that order, in the same memory. From
 *    here on a task is called by its place; finish.order and finish.place
 *    translate.
 * 3. Accesses and edges are put side by side, by task. Edges that occur twice
 *    or that data imply are left out.
 * 4. Edges that lead to an earlier task may close a cycle: only then are all
 *    dependencies sorted once more.
 *
 * Graphs may have 10 million tasks: arrays are freed as soon as they have been
 * copied, and no step takes more than linear time, but for sorting.
 */
/* How many tasks of a cycle a message names. */
#define CYCLE_NAMES 8

/* Accesses or edges, sorted by task or datum: their indices are in items, and
 * the range of task or datum k is from first[k] up to first[k + 1]. */
struct ranges {
    uint32_t *first;
    uint32_t *items;
};

#define SORT_ACCESSES(builder, member, keys)                                   \
    sort_by((builder)->accesses, sizeof(struct orr_dag_pending_access),        \
            offsetof(struct orr_dag_pending_access, member), keys)
#define SORT_EDGES(builder, member, keys)                                      \
    sort_by((builder)->edges, sizeof(struct orr_dag_pending_edge),             \
            offsetof(struct orr_dag_pending_edge, member), keys)

static const struct orr_dag_pending_edge *
edge_of(const struct orr_dag_builder *builder, guint i)
{
    return &g_array_index(builder->edges, struct orr_dag_pending_edge, i);
}

static const struct orr_dag_pending_access *
access_of(const struct orr_dag_builder *builder, guint i)
{
    return &g_array_index(builder->accesses, struct orr_dag_pending_access, i);
}

/* The text that identifies a task in the file. */
static const char *id_of(const struct orr_dag_builder *builder, uint32_t task)
{
    return builder->texts.texts + builder->ids.offsets[task];
}

/* Fails with the names of the @count tasks of a cycle, the first of which is
 * described on @line. */
static void fail_names(const struct orr_dag_builder *builder,
                       const uint32_t *tasks, uint32_t count, unsigned line,
                       GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *first = orr_quote(id_of(builder, tasks[0]));

    for (uint32_t i = 0; i < MIN(count, CYCLE_NAMES); i++) {
        g_autofree char *quoted = orr_quote(id_of(builder, tasks[i]));

        g_string_append_printf(text, "%s -> ", quoted);
    }
    if (count > CYCLE_NAMES)
        g_string_append_printf(text, "%u others -> ", count - CYCLE_NAMES);
    g_string_append(text, first);
    orr_dag_fail(builder, line, ORR_ERROR_VALUE, error, "a cycle of tasks: %s",
                 text->str);
}

static int compare_ranks(const void *a, const void *b, void *data)
{
    const uint64_t *ranks = data;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;

    if (ranks[left] != ranks[right])
        return ranks[left] < ranks[right] ? -1 : 1;
    return (left > right) - (left < right);
}

static uint32_t *order_as_numbered(uint32_t count)
{
    uint32_t *order = g_new(uint32_t, count);

    for (uint32_t task = 0; task < count; task++)
        order[task] = task;
    return order;
}

static uint32_t *order_by_rank(const struct orr_dag_builder *builder,
                               uint32_t count)
{
    const uint64_t *ranks = (const uint64_t *)builder->ranks->data;
    uint32_t *order = order_as_numbered(count);
    uint32_t sorted = 1;

    while (sorted < count && ranks[sorted - 1] <= ranks[sorted])
        sorted++;
    if (sorted < count)
        g_qsort_with_data(order, (int)count, sizeof(uint32_t), compare_ranks,
                          (void *)ranks);
    return order;
}

/* Sorts @items, of @size bytes, by the uint32_t at @member of each, which is
 * below @keys. Items with the same key stay in order. */
static struct ranges sort_by(const GArray *items, size_t size, size_t member,
                             uint32_t keys)
{
    struct ranges ranges = {
        .first = g_new0(uint32_t, keys + (size_t)2),
        .items = g_new0(uint32_t, items->len + (size_t)1),
    };

    for (guint i = 0; i < items->len; i++)
        ranges.first[*(uint32_t *)(items->data + i * size + member) + 2]++;
    for (uint32_t key = 2; key <= keys; key++)
        ranges.first[key] += ranges.first[key - 1];
    for (guint i = 0; i < items->len; i++)
        ranges
            .items[ranges.first[*(uint32_t *)(items->data + i * size + member) +
                                1]++] = i;
    return ranges;
}

static void ranges_clear(struct ranges *ranges)
{
    g_free(ranges->first);
    g_free(ranges->items);
}

/* By datum: its writer, if only one task writes it and does not read it as
 * well; or ORR_DAG_NONE. */
static uint32_t *find_writers(const struct orr_dag_builder *builder)
{
    uint32_t *writers = g_new(uint32_t, builder->data->len + (size_t)1);
    const uint32_t several = ORR_DAG_NONE - 1;

    for (guint i = 0; i < builder->data->len; i++)
        writers[i] = ORR_DAG_NONE;
    for (guint i = 0; i < builder->accesses->len; i++) {
        const struct orr_dag_pending_access *access = access_of(builder, i);
        uint32_t *writer = &writers[access->datum];

        if (!(access->mode & (ORR_DAG_WRITE | ORR_DAG_REDUX)))
            continue;
        *writer = access->mode == ORR_DAG_WRITE &&
                          (*writer == ORR_DAG_NONE || *writer == access->task)
                      ? access->task
                      : several;
    }
    for (guint i = 0; i < builder->accesses->len; i++) {
        const struct orr_dag_pending_access *access = access_of(builder, i);

        if (access->mode & ORR_DAG_READ &&
            writers[access->datum] == access->task)
            writers[access->datum] = several;
    }
    for (guint i = 0; i < builder->data->len; i++) {
        if (writers[i] == several)
            writers[i] = ORR_DAG_NONE;
    }
    return writers;
}

/* Adds an edge from the only writer of each file to all its readers. */
static void add_file_edges(struct orr_dag_builder *builder)
{
    uint32_t *writers = find_writers(builder);

    for (guint i = 0; i < builder->accesses->len; i++) {
        const struct orr_dag_pending_access *access = access_of(builder, i);
        struct orr_dag_pending_edge edge = {writers[access->datum],
                                            access->task};

        if (edge.before != ORR_DAG_NONE && edge.before != edge.after)
            g_array_append_val(builder->edges, edge);
    }
    g_free(writers);
}

/* Whether each task comes after its predecessors by edges: the order may stay.
 */
static bool is_in_order(const struct orr_dag_builder *builder)
{
    for (guint i = 0; i < builder->edges->len; i++) {
        if (edge_of(builder, i)->before >= edge_of(builder, i)->after)
            return false;
    }
    return true;
}

static uint32_t *order_by_edges(struct orr_dag_builder *builder, uint32_t count,
                                GError **error)
{
    guint own = builder->edges->len;
    struct ranges ranges;
    struct orr_dag_nodes nodes = {.count = count};
    uint32_t *cycle = NULL;
    uint32_t length = 0;
    uint32_t *order;

    add_file_edges(builder);
    if (is_in_order(builder)) {
        g_array_set_size(builder->edges, own);
        return order_as_numbered(count);
    }
    ranges = SORT_EDGES(builder, after, count);
    nodes.first = ranges.first;
    nodes.counts = g_new(uint32_t, count);
    nodes.before = ranges.items;
    for (uint32_t task = 0; task < count; task++)
        nodes.counts[task] = ranges.first[task + 1] - ranges.first[task];
    for (guint i = 0; i < builder->edges->len; i++)
        ranges.items[i] = edge_of(builder, ranges.items[i])->before;
    order = orr_dag_sort(&nodes, &cycle, &length);
    if (!order)
        fail_names(builder, cycle, length,
                   orr_dag_task_of(builder, cycle[0])->line, error);
    g_array_set_size(builder->edges, own);
    g_free(cycle);
    g_free(nodes.counts);
    ranges_clear(&ranges);
    return order;
}

/* Returns the @count tasks in order of submission, an array to free with
 * g_free(); NULL with @error if there is a cycle. */
static uint32_t *order_tasks(struct orr_dag_builder *builder, uint32_t count,
                             GError **error)
{
    return builder->order == ORR_DAG_BY_RANK
               ? order_by_rank(builder, count)
               : order_by_edges(builder, count, error);
}

/* Joins with more tasks are not searched for edges that they imply. */
#define JOIN_SEARCH 64

struct finish {
    struct orr_dag_builder *builder;
    uint32_t task_count;
    uint32_t *order; /* place -> number of the task in the builder */
    uint32_t *place; /* the reverse */
};

static bool fail_unknown(const struct orr_dag_builder *builder, uint32_t task,
                         GError **error)
{
    g_autofree char *unknown = orr_quote(id_of(builder, task));
    unsigned line =
        orr_dag_task_of((struct orr_dag_builder *)builder, task)->line;

    for (guint i = 0; i < builder->edges->len; i++) {
        const struct orr_dag_pending_edge *edge = edge_of(builder, i);
        bool before = edge->before == task;
        g_autofree char *other = NULL;

        if (!before && edge->after != task)
            continue;
        other = orr_quote(id_of(builder, before ? edge->after : edge->before));
        return orr_dag_fail(builder, line, ORR_ERROR_VALUE, error,
                            "unknown task %s, %s of task %s", unknown,
                            before ? "a parent" : "a child", other);
    }
    return orr_dag_fail(builder, line, ORR_ERROR_VALUE, error,
                        "unknown task %s", unknown);
}

static bool check_tasks(const struct orr_dag_builder *builder, GError **error)
{
    if (builder->tasks->len == 0)
        return orr_dag_fail(builder, 0, ORR_ERROR_VALUE, error, "no task");
    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        if (g_array_index(builder->tasks, struct orr_dag_task, i).name ==
            ORR_DAG_NONE)
            return fail_unknown(builder, i, error);
    }
    return true;
}

/* Moves the tasks from their order in the builder to their places. */
static void arrange(struct finish *finish, struct orr_dag_task *tasks)
{
    for (uint32_t i = 0; i < finish->task_count; i++)
        finish->place[i] = ORR_DAG_NONE;
    for (uint32_t start = 0; start < finish->task_count; start++) {
        struct orr_dag_task first = tasks[start];
        uint32_t place = start;

        /* A cycle of the permutation: each task moves to where the next was. */
        while (finish->place[finish->order[place]] == ORR_DAG_NONE) {
            uint32_t task = finish->order[place];

            finish->place[task] = place;
            tasks[place] = task == start ? first : tasks[task];
            place = task;
        }
    }
}

/* Moves the tasks to @dag, in the same memory. */
static void take_tasks(struct finish *finish, struct orr_dag *dag)
{
    struct orr_dag_builder *builder = finish->builder;

    dag->task_count = finish->task_count;
    g_array_set_size(builder->tasks, dag->task_count + 1);
    dag->tasks = (struct orr_dag_task *)(void *)g_array_free(
        g_steal_pointer(&builder->tasks), FALSE);
    dag->tasks[dag->task_count] = (struct orr_dag_task){.name = 0};
    finish->place = g_new(uint32_t, dag->task_count);
    arrange(finish, dag->tasks);
    for (uint32_t place = 0; place < dag->task_count; place++) {
        if (dag->tasks[place].name == 0)
            dag->tasks[place].name = builder->ids.offsets[finish->order[place]];
    }
}

/* Adds @access to the current task, whose accesses begin at @first; accesses to
 * one datum become one. @slot[datum] is the index of its last access, plus 1.
 */
static void take_access(struct orr_dag *dag,
                        const struct orr_dag_pending_access *access,
                        uint32_t first, uint32_t *slot, uint32_t *count)
{
    uint32_t *at = &slot[access->datum];

    if (*at > first) {
        dag->accesses[*at - 1].mode |= access->mode;
        return;
    }
    dag->accesses[(*count)++] =
        (struct orr_dag_access){access->datum, access->mode};
    *at = *count;
}

/* The accesses of each task, in the order in which they were added. */
static void take_accesses(struct finish *finish, struct orr_dag *dag)
{
    const struct orr_dag_builder *builder = finish->builder;
    struct ranges by_task = SORT_ACCESSES(builder, task, dag->task_count);
    uint32_t *slot = g_new0(uint32_t, builder->data->len + (size_t)1);
    uint32_t count = 0;

    dag->accesses =
        g_new(struct orr_dag_access, builder->accesses->len + (size_t)1);
    for (uint32_t place = 0; place < dag->task_count; place++) {
        uint32_t task = finish->order[place];

        dag->tasks[place].first_access = count;
        for (uint32_t i = by_task.first[task]; i < by_task.first[task + 1]; i++)
            take_access(dag, access_of(builder, by_task.items[i]),
                        dag->tasks[place].first_access, slot, &count);
    }
    dag->tasks[dag->task_count].first_access = count;
    g_free(slot);
    ranges_clear(&by_task);
}

/* Sets the marks of the predecessors of @task by data to @task + 1. */
static void mark_flow(const struct orr_dag_nodes *flow, uint32_t tasks,
                      uint32_t task, uint32_t *marks)
{
    const uint32_t *before = flow->before + flow->first[task];

    for (uint32_t i = 0; i < flow->counts[task]; i++) {
        uint32_t node = before[i];

        if (node < tasks) {
            marks[node] = task + 1;
            continue;
        }
        for (uint32_t j = 0;
             flow->counts[node] <= JOIN_SEARCH && j < flow->counts[node]; j++)
            marks[flow->before[flow->first[node] + j]] = task + 1;
    }
}

/* The edges of each task, without those that occur twice or that data imply. */
static void take_edges(struct finish *finish, struct orr_dag *dag)
{
    const struct orr_dag_builder *builder = finish->builder;
    struct ranges by_after;
    uint32_t *marks;
    struct orr_dag_nodes flow;
    uint32_t count = 0;

    if (builder->edges->len == 0) {
        dag->edges = g_new0(uint32_t, 1);
        return;
    }
    by_after = SORT_EDGES(builder, after, dag->task_count);
    marks = g_new0(uint32_t, dag->task_count + (size_t)1);
    orr_dag_dependencies(dag, ORR_DAG_FLOW, &flow);
    dag->edges = g_new(uint32_t, builder->edges->len + (size_t)1);
    for (uint32_t place = 0; place < dag->task_count; place++) {
        uint32_t task = finish->order[place];

        dag->tasks[place].first_edge = count;
        if (by_after.first[task] == by_after.first[task + 1])
            continue;
        mark_flow(&flow, dag->task_count, place, marks);
        for (uint32_t i = by_after.first[task]; i < by_after.first[task + 1];
             i++) {
            uint32_t before =
                finish->place[edge_of(builder, by_after.items[i])->before];

            if (marks[before] == place + 1)
                continue;
            marks[before] = place + 1;
            dag->edges[count++] = before;
        }
    }
    dag->tasks[dag->task_count].first_edge = count;
    dag->edges = g_renew(uint32_t, dag->edges, count + (size_t)1);
    orr_dag_dependencies_clear(&flow);
    g_free(marks);
    ranges_clear(&by_after);
}

static int compare_hints(const void *a, const void *b)
{
    const struct orr_dag_pending_hint *left = a;
    const struct orr_dag_pending_hint *right = b;

    return (left->rank > right->rank) - (left->rank < right->rank);
}

static void take_hints(struct finish *finish, struct orr_dag *dag)
{
    const struct orr_dag_builder *builder = finish->builder;
    const uint64_t *ranks = (const uint64_t *)builder->ranks->data;
    uint32_t place = 0;

    g_array_sort(builder->hints, compare_hints); /* is stable */
    dag->hint_count = builder->hints->len;
    dag->hints = g_new(struct orr_dag_hint, dag->hint_count + (size_t)1);
    for (uint32_t i = 0; i < dag->hint_count; i++) {
        const struct orr_dag_pending_hint *hint =
            &g_array_index(builder->hints, struct orr_dag_pending_hint, i);

        while (place < dag->task_count &&
               ranks[finish->order[place]] <= hint->rank)
            place++;
        dag->hints[i] = (struct orr_dag_hint){hint->datum, place};
    }
}

/* Returns a copy of the elements of @array, and room for one more. */
static void *take(const GArray *array, size_t size, uint32_t *count)
{
    char *copy = g_malloc0((array->len + (size_t)1) * size);

    *count = array->len;
    if (array->len > 0)
        memcpy(copy, array->data, array->len * size);
    return copy;
}

static void take_rest(struct finish *finish, struct orr_dag *dag)
{
    struct orr_dag_builder *builder = finish->builder;

    take_hints(finish, dag);
    dag->data = take(builder->data, sizeof *dag->data, &dag->datum_count);
    dag->devices =
        take(builder->devices, sizeof *dag->devices, &dag->device_count);
    dag->kernel_count = builder->kernels.count;
    dag->kernels = g_steal_pointer(&builder->kernels.offsets);
    dag->texts =
        g_realloc(g_steal_pointer(&builder->texts.texts), builder->texts.size);
    dag->text_size = builder->texts.size;
}

/* Fails with the names of a cycle, without the joins in it, which have none. */
static void fail_cycle(const struct finish *finish, const struct orr_dag *dag,
                       uint32_t *cycle, uint32_t length, GError **error)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < length; i++) {
        if (cycle[i] < dag->task_count)
            cycle[count++] = cycle[i];
    }
    for (uint32_t i = 0; i < count; i++)
        cycle[i] = finish->order[cycle[i]];
    fail_names(finish->builder, cycle, count,
               dag->tasks[finish->place[cycle[0]]].line, error);
}

/* Whether there is a cycle: only an edge to an earlier task can make one. */
static bool check_cycles(const struct finish *finish, const struct orr_dag *dag,
                         GError **error)
{
    struct orr_dag_nodes nodes;
    uint32_t *cycle = NULL;
    uint32_t length = 0;
    uint32_t *order;
    bool forward = true;

    for (uint32_t task = 0; task < dag->task_count; task++) {
        for (uint32_t i = dag->tasks[task].first_edge;
             i < dag->tasks[task + 1].first_edge; i++)
            forward = forward && dag->edges[i] < task;
    }
    if (forward)
        return true;
    orr_dag_dependencies(dag, ORR_DAG_FLOW | ORR_DAG_EDGES, &nodes);
    order = orr_dag_sort(&nodes, &cycle, &length);
    if (!order)
        fail_cycle(finish, dag, cycle, length, error);
    orr_dag_dependencies_clear(&nodes);
    g_free(cycle);
    g_free(order);
    return order;
}

/* Whether the sums over all tasks can be represented. */
static bool check_sums(const struct orr_dag_builder *builder, GError **error)
{
    orr_time time = 0;
    double flops = 0;

    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        const struct orr_dag_task *task =
            &g_array_index(builder->tasks, struct orr_dag_task, i);

        if (task->duration > INT64_MAX - time)
            return orr_dag_fail(builder, task->line, ORR_ERROR_VALUE, error,
                                "the times of all tasks up to here are more "
                                "than 9.2e9 s");
        time += MAX(task->duration, 0);
        flops += MAX(task->flops, 0);
        if (!isfinite(flops))
            return orr_dag_fail(builder, task->line, ORR_ERROR_VALUE, error,
                                "the flops of all tasks up to here are more "
                                "than 1.7e308");
    }
    return true;
}

/* Frees the hash tables of names, as all names are known, before the graph
 * needs memory. */
static void close_names(struct orr_dag_builder *builder)
{
    orr_dag_names_close(&builder->ids);
    orr_dag_names_close(&builder->data_ids);
    orr_dag_names_close(&builder->kernels);
    orr_dag_names_close(&builder->shared);
    orr_dag_names_close(&builder->device_ids);
}

struct orr_dag *orr_dag_builder_finish(struct orr_dag_builder *builder,
                                       GError **error)
{
    struct finish finish = {.builder = builder,
                            .task_count = builder->tasks->len};
    struct orr_dag *dag = NULL;

    if (!check_tasks(builder, error) || !orr_dag_check_texts(builder, error) ||
        !check_sums(builder, error))
        return NULL;
    close_names(builder);
    finish.order = order_tasks(builder, finish.task_count, error);
    if (!finish.order)
        return NULL;
    dag = g_new0(struct orr_dag, 1);
    dag->path = g_strdup(builder->path);
    dag->format = builder->format;
    dag->lost_parents = builder->lost_parents;
    dag->datum_count = builder->data->len; /* for dependencies */
    take_tasks(&finish, dag);
    take_accesses(&finish, dag);
    g_clear_pointer(&builder->accesses, g_array_unref); /* to save memory */
    take_edges(&finish, dag);
    if (check_cycles(&finish, dag, error))
        take_rest(&finish, dag);
    else
        g_clear_pointer(&dag, orr_dag_free);
    g_free(finish.order);
    g_free(finish.place);
    return dag;
}
