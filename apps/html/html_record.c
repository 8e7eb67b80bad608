/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/html/html_record.h"

#include <string.h>

static uint32_t name_of(struct orr_html_record *record, const char *name)
{
    return orr_name_index_add(&record->names, name);
}

/* Stores @datum unless it is known. Returns its number. */
static uint32_t add_datum(struct orr_html_record *record,
                          const struct orr_trace_datum *datum)
{
    struct orr_html_datum *kept;

    if (datum->number >= record->data->len)
        g_array_set_size(record->data, (guint)datum->number + 1);
    kept = &g_array_index(record->data, struct orr_html_datum, datum->number);
    kept->bytes = datum->bytes;
    kept->name = datum->name ? name_of(record, datum->name) + 1 : 0;
    kept->row = datum->has_coordinates ? (int32_t)datum->row : -1;
    kept->column = datum->has_coordinates ? (int32_t)datum->column : -1;
    return (uint32_t)datum->number;
}

static void note_accesses(struct orr_html_record *record,
                          const struct orr_trace_task *task)
{
    for (unsigned i = 0; i < task->datum_count; i++) {
        const struct orr_html_access access = {
            .datum = add_datum(record, &task->accesses[i].datum),
            .mode = task->accesses[i].mode,
        };

        g_array_append_val(record->accesses, access);
    }
}

static void note_parents(struct orr_html_record *record,
                         const struct orr_trace_task *task)
{
    for (unsigned i = 0; i < task->parent_count; i++) {
        uint32_t parent = (uint32_t)task->parents[i];

        g_array_append_val(record->parents, parent);
    }
}

static void add_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct orr_html_record *record = (struct orr_html_record *)trace;
    struct orr_html_task kept = {
        .order = task->order,
        .submitted = task->submitted,
        .ready = task->ready,
        .arrived = task->arrived,
        .started = task->started,
        .kernel_started = task->kernel_started,
        .kernel_ended = task->kernel_ended,
        .ended = task->ended,
        .worker = task->worker,
        .kernel = name_of(record, task->kernel),
        .name = name_of(record, task->name),
        .memory = task->memory_node,
        .priority = task->priority,
        .first_parent = record->parents->len,
        .parent_count = task->parent_count,
        .first_access = record->accesses->len,
        .access_count = task->datum_count,
        .coordinate_count = (uint8_t)task->coordinate_count,
    };

    for (unsigned i = 0; i < task->coordinate_count; i++)
        kept.coordinates[i] = task->coordinates[i];
    note_parents(record, task);
    note_accesses(record, task);
    g_array_append_val(record->tasks, kept);
}

/* Stores the name of memory node @node. */
static void name_memory(struct orr_html_record *record, unsigned node,
                        uint32_t name)
{
    if (node >= record->memories->len)
        g_array_set_size(record->memories, node + 1);
    g_array_index(record->memories, uint32_t, node) = name + 1;
}

static uint32_t link_of(struct orr_html_record *record, const char *from,
                        const char *to)
{
    struct orr_html_link link = {name_of(record, from), name_of(record, to)};
    gint64 key = (gint64)link.from << 32 | link.to;
    gpointer found = g_hash_table_lookup(record->of_link, &key);

    if (found)
        return GPOINTER_TO_UINT(found) - 1;
    g_array_append_val(record->links, link);
    g_hash_table_insert(record->of_link, g_memdup2(&key, sizeof key),
                        GUINT_TO_POINTER(record->links->len));
    return record->links->len - 1;
}

static void add_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct orr_html_record *record = (struct orr_html_record *)trace;
    const struct orr_html_copy kept = {
        .submitted = copy->submitted,
        .started = copy->started,
        .ended = copy->ended,
        .bytes = copy->bytes,
        .link = link_of(record, copy->from, copy->to),
        .datum = add_datum(record, &copy->datum),
        .why = name_of(record, copy->why),
    };

    name_memory(record, copy->from_node, name_of(record, copy->from));
    name_memory(record, copy->to_node, name_of(record, copy->to));
    g_array_append_val(record->copies, kept);
}

static void add_change(struct orr_html_record *record, int64_t date,
                       unsigned memory, int64_t bytes)
{
    const struct orr_html_change change = {date, bytes, memory};

    g_array_append_val(record->changes, change);
}

static void add_allocation(struct orr_trace *trace,
                           const struct orr_trace_allocation *allocation)
{
    add_change((struct orr_html_record *)trace, allocation->date,
               allocation->memory_node, (int64_t)allocation->datum.bytes);
}

static void add_eviction(struct orr_trace *trace,
                         const struct orr_trace_eviction *eviction)
{
    add_change((struct orr_html_record *)trace, eviction->date,
               eviction->memory_node, -(int64_t)eviction->datum.bytes);
}

void orr_html_record_init(struct orr_html_record *record)
{
    *record = (struct orr_html_record){
        .trace = {ORR_TRACE_INIT, .task = add_task, .copy = add_copy,
                  .allocation = add_allocation, .eviction = add_eviction,
                  .wants = ORR_TRACE_PARENTS},
        .tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_html_task)),
        .copies = g_array_new(FALSE, FALSE, sizeof(struct orr_html_copy)),
        .parents = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .accesses = g_array_new(FALSE, FALSE, sizeof(struct orr_html_access)),
        .data = g_array_new(FALSE, TRUE, sizeof(struct orr_html_datum)),
        .links = g_array_new(FALSE, FALSE, sizeof(struct orr_html_link)),
        .memories = g_array_new(FALSE, TRUE, sizeof(uint32_t)),
        .changes = g_array_new(FALSE, FALSE, sizeof(struct orr_html_change)),
        .of_link =
            g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
    };
    orr_name_index_init(&record->names);
}

void orr_html_record_clear(struct orr_html_record *record)
{
    g_hash_table_unref(record->of_link);
    orr_name_index_clear(&record->names);
    g_array_unref(record->changes);
    g_array_unref(record->memories);
    g_array_unref(record->links);
    g_array_unref(record->data);
    g_array_unref(record->accesses);
    g_array_unref(record->parents);
    g_array_unref(record->copies);
    g_array_unref(record->tasks);
}
