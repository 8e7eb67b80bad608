/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects tasks, data, accesses and edges in the order of the file
 * (dag_builder.h); dag_finish.c makes the graph.
 *
 * Texts that identify tasks are numbered in the order in which they first
 * occur (dag_names.h), and a task has the number of its text. A task that is
 * only mentioned gets an entry at once, with the name ORR_DAG_NONE until it is
 * described. Accesses and edges stay in the order in which they were added,
 * and refer to tasks and data by number.
 */
#include "models/dag/dag_builder.h"

#include <stdlib.h>
#include <string.h>

#include "models/base/input.h"
#include "models/base/units.h"

struct orr_dag_builder *orr_dag_builder_new(const char *path,
                                            const char *format,
                                            enum orr_dag_order order)
{
    struct orr_dag_builder *builder = g_new0(struct orr_dag_builder, 1);

    builder->path = orr_input_show_path(path);
    builder->format = format;
    builder->order = order;
    orr_dag_texts_init(&builder->texts);
    builder->texts.line = &builder->line;
    orr_dag_names_init(&builder->ids, &builder->texts);
    orr_dag_names_init(&builder->data_ids, &builder->texts);
    orr_dag_names_init(&builder->kernels, &builder->texts);
    orr_dag_names_init(&builder->shared, &builder->texts);
    orr_dag_names_init(&builder->device_ids, &builder->texts);
    builder->tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_dag_task));
    builder->ranks = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    builder->data = g_array_new(FALSE, FALSE, sizeof(struct orr_dag_datum));
    builder->named = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    builder->devices = g_array_new(FALSE, FALSE, sizeof(struct orr_dag_device));
    builder->accesses =
        g_array_new(FALSE, FALSE, sizeof(struct orr_dag_pending_access));
    builder->edges =
        g_array_new(FALSE, FALSE, sizeof(struct orr_dag_pending_edge));
    builder->hints =
        g_array_new(FALSE, FALSE, sizeof(struct orr_dag_pending_hint));
    return builder;
}

void orr_dag_builder_free(struct orr_dag_builder *builder)
{
    if (!builder)
        return;
    g_free(builder->path);
    orr_dag_texts_clear(&builder->texts);
    orr_dag_names_clear(&builder->ids);
    orr_dag_names_clear(&builder->data_ids);
    orr_dag_names_clear(&builder->kernels);
    orr_dag_names_clear(&builder->shared);
    orr_dag_names_clear(&builder->device_ids);
    g_clear_pointer(&builder->tasks, g_array_unref);
    g_array_unref(builder->ranks);
    g_array_unref(builder->data);
    g_array_unref(builder->named);
    g_array_unref(builder->devices);
    g_clear_pointer(&builder->accesses, g_array_unref);
    g_array_unref(builder->edges);
    g_array_unref(builder->hints);
    g_free(builder);
}

bool orr_dag_fail(const struct orr_dag_builder *builder, unsigned line,
                  enum orr_error code, GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, code, builder->path, line, format, arguments);
    va_end(arguments);
    return false;
}

bool orr_dag_check_texts(const struct orr_dag_builder *builder, GError **error)
{
    g_autofree char *quoted = NULL;

    if (builder->texts.bad == 0)
        return true;
    quoted = orr_quote(builder->texts.texts + builder->texts.bad);
    return orr_dag_fail(
        builder, builder->texts.bad_line, ORR_ERROR_VALUE, error,
        "%s is not text in UTF-8, or holds a control character", quoted);
}

struct orr_dag_task *orr_dag_task_of(struct orr_dag_builder *builder,
                                     uint32_t number)
{
    return &g_array_index(builder->tasks, struct orr_dag_task, number);
}

static void add_task(struct orr_dag_builder *builder)
{
    const struct orr_dag_task unknown = {
        .name = ORR_DAG_NONE, /* not described */
        .kernel = ORR_DAG_NONE,
        .device = ORR_DAG_NONE,
        .line = builder->line,
        .duration = -1,
        .flops = -1,
    };
    uint64_t rank = builder->tasks->len;

    g_array_append_val(builder->tasks, unknown);
    g_array_append_val(builder->ranks, rank);
}

/* Adds the task @number, unless it is there. */
static uint32_t take_number(struct orr_dag_builder *builder, uint32_t number,
                            GError **error)
{
    if (number == ORR_DAG_NONE || number >= ORR_DAG_MAX_TASKS) {
        orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                     "more than %u tasks, or than 4 GiB of names",
                     ORR_DAG_MAX_TASKS);
        return ORR_DAG_NONE;
    }
    if (number == builder->tasks->len)
        add_task(builder);
    return number;
}

uint32_t orr_dag_refer(struct orr_dag_builder *builder, const char *id,
                       size_t length, GError **error)
{
    return take_number(builder, orr_dag_names_add(&builder->ids, id, length),
                       error);
}

uint32_t orr_dag_task_add(struct orr_dag_builder *builder, const char *id,
                          size_t length, GError **error)
{
    uint32_t number = take_number(
        builder, orr_dag_names_append(&builder->ids, id, length), error);

    if (number != ORR_DAG_NONE)
        orr_dag_task_of(builder, number)->name = 0;
    return number;
}

uint32_t orr_dag_define(struct orr_dag_builder *builder, const char *id,
                        size_t length, GError **error)
{
    uint32_t number = orr_dag_refer(builder, id, length, error);
    struct orr_dag_task *task;

    if (number == ORR_DAG_NONE)
        return number;
    task = orr_dag_task_of(builder, number);
    if (task->name != ORR_DAG_NONE) {
        g_autofree char *quoted =
            orr_quote(builder->texts.texts + builder->ids.offsets[number]);

        orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                     "task %s is there twice; first on line %u", quoted,
                     task->line);
        return ORR_DAG_NONE;
    }
    task->name = 0;
    task->line = builder->line;
    return number;
}

static bool check_data(const struct orr_dag_builder *builder, GError **error)
{
    return builder->data->len < ORR_DAG_MAX_ACCESSES ||
           orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                        "more than %u data", ORR_DAG_MAX_ACCESSES);
}

uint32_t orr_dag_datum_add(struct orr_dag_builder *builder, uint64_t bytes,
                           uint32_t name, GError **error)
{
    const struct orr_dag_datum datum = {
        .bytes = bytes, .name = name, .home = -1};

    if (!check_data(builder, error))
        return ORR_DAG_NONE;
    g_array_append_val(builder->data, datum);
    return builder->data->len - 1;
}

uint32_t orr_dag_datum_of(struct orr_dag_builder *builder, const char *id,
                          size_t length, GError **error)
{
    uint32_t number = orr_dag_names_repeat(&builder->data_ids, id, length);

    if (number == ORR_DAG_NONE) {
        orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                     "more than 4 GiB of names");
        return ORR_DAG_NONE;
    }
    if (number < builder->named->len)
        return g_array_index(builder->named, uint32_t, number);
    number =
        orr_dag_datum_add(builder, 0, builder->data_ids.offsets[number], error);
    if (number != ORR_DAG_NONE)
        g_array_append_val(builder->named, number);
    return number;
}

bool orr_dag_accesses(struct orr_dag_builder *builder,
                      const struct orr_dag_pending_access *accesses,
                      size_t count, GError **error)
{
    if (count > ORR_DAG_MAX_ACCESSES - builder->accesses->len)
        return orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                            "more than %u accesses", ORR_DAG_MAX_ACCESSES);
    g_array_append_vals(builder->accesses, accesses, (guint)count);
    return true;
}

bool orr_dag_access(struct orr_dag_builder *builder, uint32_t task,
                    uint32_t datum, unsigned mode, GError **error)
{
    const struct orr_dag_pending_access access = {task, datum, mode};

    return orr_dag_accesses(builder, &access, 1, error);
}

bool orr_dag_edges(struct orr_dag_builder *builder,
                   const struct orr_dag_pending_edge *edges, size_t count,
                   GError **error)
{
    if (count > ORR_DAG_MAX_ACCESSES - builder->edges->len)
        return orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                            "more than %u edges", ORR_DAG_MAX_ACCESSES);
    g_array_append_vals(builder->edges, edges, (guint)count);
    return true;
}

bool orr_dag_edge(struct orr_dag_builder *builder, uint32_t before,
                  uint32_t after, GError **error)
{
    const struct orr_dag_pending_edge edge = {before, after};

    return orr_dag_edges(builder, &edge, 1, error);
}

bool orr_dag_add_hint(struct orr_dag_builder *builder,
                      const struct orr_dag_pending_hint *hint, GError **error)
{
    if (builder->hints->len >= ORR_DAG_MAX_TASKS)
        return orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                            "more than %u hints", ORR_DAG_MAX_TASKS);
    g_array_append_vals(builder->hints, hint, 1);
    return true;
}

bool orr_dag_transfer(struct orr_dag_builder *builder, uint32_t before,
                      uint32_t after, uint64_t bytes, GError **error)
{
    uint32_t datum;

    if (bytes == 0)
        return orr_dag_edge(builder, before, after, error);
    datum = orr_dag_datum_add(builder, bytes, 0, error);
    return datum != ORR_DAG_NONE &&
           orr_dag_access(builder, before, datum, ORR_DAG_WRITE, error) &&
           orr_dag_access(builder, after, datum, ORR_DAG_READ, error);
}

uint32_t orr_dag_kernel_of(struct orr_dag_builder *builder, const char *name,
                           size_t length)
{
    return orr_dag_names_repeat(&builder->kernels, name, length);
}

size_t orr_dag_kernel_length(const char *name)
{
    size_t length = strlen(name);
    size_t end = length;

    while (end > 0 && g_ascii_isdigit(name[end - 1]))
        end--;
    if (end == length || end == 0)
        return end;
    if (end > 3 && memcmp(name + end - 3, "_ID", 3) == 0)
        return end - 3;
    if (end > 1 && (name[end - 1] == '_' || name[end - 1] == '-'))
        return end - 1;
    return length;
}

uint32_t orr_dag_share(struct orr_dag_builder *builder, const char *text,
                       size_t length)
{
    uint32_t number = length > 0
                          ? orr_dag_names_repeat(&builder->shared, text, length)
                          : ORR_DAG_NONE;

    return number == ORR_DAG_NONE ? 0 : builder->shared.offsets[number];
}

uint32_t orr_dag_device_of(struct orr_dag_builder *builder, const char *name,
                           uint32_t worker, uint32_t memory_node)
{
    struct orr_dag_device device = {0, worker, memory_node};
    char key[48];
    uint32_t number;

    if (*name) {
        number = orr_dag_names_add(&builder->device_ids, name, strlen(name));
    } else {
        g_snprintf(key, sizeof key, "%u %u", worker, memory_node);
        number = orr_dag_names_add(&builder->device_ids, key, strlen(key));
    }
    if (number == builder->devices->len) {
        device.name = *name ? builder->device_ids.offsets[number] : 0;
        g_array_append_val(builder->devices, device);
    }
    return number;
}

void orr_dag_builder_drop(struct orr_dag_builder *builder, const bool *dropped)
{
    uint32_t *places = g_new(uint32_t, builder->tasks->len + (size_t)1);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < builder->tasks->len; i++) {
        places[i] = kept;
        if (dropped[i])
            continue;
        *orr_dag_task_of(builder, kept) = *orr_dag_task_of(builder, i);
        g_array_index(builder->ranks, uint64_t, kept) =
            g_array_index(builder->ranks, uint64_t, i);
        builder->ids.offsets[kept++] = builder->ids.offsets[i];
    }
    g_array_set_size(builder->tasks, kept);
    g_array_set_size(builder->ranks, kept);
    for (guint i = 0; i < builder->edges->len; i++) {
        struct orr_dag_pending_edge *edge =
            &g_array_index(builder->edges, struct orr_dag_pending_edge, i);

        edge->before = places[edge->before];
        edge->after = places[edge->after];
    }
    for (guint i = 0; i < builder->accesses->len; i++) {
        struct orr_dag_pending_access *access =
            &g_array_index(builder->accesses, struct orr_dag_pending_access, i);

        access->task = places[access->task];
    }
    g_free(places);
}

/* ---- order of data ---- */

struct place {
    uint32_t key;
    uint32_t datum;
};

static int compare(const void *a, const void *b)
{
    const struct place *left = a;
    const struct place *right = b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return (left->datum > right->datum) - (left->datum < right->datum);
}

void orr_dag_builder_sort_data(struct orr_dag_builder *builder,
                               const uint32_t *keys)
{
    uint32_t count = builder->data->len;
    struct place *places = g_new(struct place, count + (size_t)1);
    uint32_t *numbers = g_new(uint32_t, count + (size_t)1); /* the new ones */
    GArray *data =
        g_array_sized_new(FALSE, FALSE, sizeof(struct orr_dag_datum), count);

    for (uint32_t i = 0; i < count; i++)
        places[i] = (struct place){keys[i], i};
    qsort(places, count, sizeof *places, compare);
    for (uint32_t i = 0; i < count; i++) {
        numbers[places[i].datum] = i;
        g_array_append_val(data,
                           g_array_index(builder->data, struct orr_dag_datum,
                                         places[i].datum));
    }
    g_array_unref(builder->data);
    builder->data = data;
    for (guint i = 0; i < builder->accesses->len; i++) {
        uint32_t *datum =
            &g_array_index(builder->accesses, struct orr_dag_pending_access, i)
                 .datum;

        *datum = numbers[*datum];
    }
    for (guint i = 0; i < builder->hints->len; i++) {
        uint32_t *datum =
            &g_array_index(builder->hints, struct orr_dag_pending_hint, i)
                 .datum;

        *datum = numbers[*datum];
    }
    g_free(places);
    g_free(numbers);
}
