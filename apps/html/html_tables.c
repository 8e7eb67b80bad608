/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns a recorded run into columns for the page.
 *
 * Kernels and copies are bars: each worker is a row, each link a row below. If
 * there are more bars than the page can show, neighbours are merged
 * (html_thin.h). A task or copy that is still a bar of its own keeps all of its
 * columns; merged bars get the columns of "merged" instead. Columns of dates
 * are stored as differences to a related column, which compresses well.
 */
#include "apps/html/html_tables.h"

#include <string.h>

#include "apps/html/html_curves.h"
#include "apps/html/html_thin.h"
#include "apps/output/output.h"

/* Tables under construction. */
struct tables {
    struct orr_html_columns *columns;
    JsonObject *run;
    const struct orr_html_record *record;
    const struct orr_kernel_kinds *kinds;
    unsigned copy_kind;
    uint32_t workers; /* number of rows of workers */
    GArray *bars;     /* struct orr_html_bar */
    GPtrArray *tasks; /* tasks that were not merged; borrowed */
    GPtrArray *copies;
};

static const struct orr_html_task *task_at(const GArray *tasks, guint i)
{
    return &g_array_index(tasks, struct orr_html_task, i);
}

static const struct orr_html_copy *copy_at(const GArray *copies, guint i)
{
    return &g_array_index(copies, struct orr_html_copy, i);
}

static const char *name_at(const struct orr_html_record *record, uint32_t i)
{
    return orr_name_index_at(&record->names, i);
}

static JsonObject *add_table(const struct tables *tables, const char *name)
{
    JsonObject *table = json_object_new();

    json_object_set_object_member(tables->run, name, table);
    return table;
}

/* ---- bars, and merging them ---- */

static void add_bars(struct tables *tables)
{
    const struct orr_html_record *record = tables->record;

    for (guint i = 0; i < record->tasks->len; i++) {
        const struct orr_html_task *task = task_at(record->tasks, i);
        const struct orr_html_bar bar = {
            .from = task->kernel_started,
            .to = task->kernel_ended,
            .row = task->worker,
            .kind = orr_kernel_kinds_of(tables->kinds,
                                        name_at(record, task->kernel)),
            .index = i,
            .count = 1,
        };

        g_array_append_val(tables->bars, bar);
        tables->workers = MAX(tables->workers, task->worker + 1);
    }
    for (guint i = 0; i < record->copies->len; i++) {
        const struct orr_html_copy *copy = copy_at(record->copies, i);
        const struct orr_html_bar bar = {
            .from = copy->started,
            .to = copy->ended,
            .row = tables->workers + copy->link,
            .kind = tables->copy_kind +
                    (strcmp(name_at(record, copy->why), "evict") == 0),
            .index = i,
            .count = 1,
        };

        g_array_append_val(tables->bars, bar);
    }
}

static int compare_bars(gconstpointer a, gconstpointer b)
{
    const struct orr_html_bar *left = a;
    const struct orr_html_bar *right = b;

    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

static int compare_orders(gconstpointer a, gconstpointer b)
{
    const struct orr_html_task *left = *(const struct orr_html_task *const *)a;
    const struct orr_html_task *right = *(const struct orr_html_task *const *)b;

    return (left->order > right->order) - (left->order < right->order);
}

static int compare_starts(gconstpointer a, gconstpointer b)
{
    const struct orr_html_copy *left = *(const struct orr_html_copy *const *)a;
    const struct orr_html_copy *right = *(const struct orr_html_copy *const *)b;

    if (left->started != right->started)
        return left->started < right->started ? -1 : 1;
    return (left > right) - (left < right);
}

static void keep_single(struct tables *tables)
{
    const struct orr_html_record *record = tables->record;

    for (guint i = 0; i < tables->bars->len; i++) {
        const struct orr_html_bar *bar =
            &g_array_index(tables->bars, struct orr_html_bar, i);

        if (bar->count > 1)
            continue;
        if (bar->row < tables->workers)
            g_ptr_array_add(tables->tasks,
                            (gpointer)task_at(record->tasks, bar->index));
        else
            g_ptr_array_add(tables->copies,
                            (gpointer)copy_at(record->copies, bar->index));
    }
    g_ptr_array_sort(tables->tasks, compare_orders);
    g_ptr_array_sort(tables->copies, compare_starts);
}

static void thin(struct tables *tables, guint most)
{
    guint bars;
    int64_t width;
    JsonObject *thinned;

    add_bars(tables);
    g_array_sort(tables->bars, compare_bars);
    bars = tables->bars->len;
    width = orr_html_thin(tables->bars, tables->kinds->kinds->len, most);
    keep_single(tables);
    if (width == 0) {
        json_object_set_null_member(tables->run, "thinned");
        return;
    }
    thinned = add_table(tables, "thinned");
    json_object_set_int_member(thinned, "width_ns", width);
    json_object_set_int_member(thinned, "bars", bars);
    json_object_set_int_member(thinned, "left", tables->bars->len);
}

/* ---- columns of records ---- */

#define MEMBER(record, offset, type)                                           \
    (*(const type *)(const void *)((const char *)(record) + (offset)))

/* Returns the int64_t members at @offset of all @records. */
static int64_t *gather(const GPtrArray *records, size_t offset)
{
    int64_t *numbers = g_new(int64_t, records->len);

    for (guint i = 0; i < records->len; i++)
        numbers[i] = MEMBER(records->pdata[i], offset, int64_t);
    return numbers;
}

struct column {
    const char *name;
    size_t offset;
    const char *of; /* the column from which the differences are taken; NULL:
                       from the row before (html_columns.h) */
    size_t base;
};

static void put_dates(const struct tables *tables, JsonObject *table,
                      const GPtrArray *records, const struct column *column)
{
    int64_t *numbers = gather(records, column->offset);
    int64_t *base = column->of ? gather(records, column->base) : NULL;
    const struct orr_html_i64 dates = {column->name, records->len, numbers,
                                       column->of, base};

    orr_html_add_i64(tables->columns, table, &dates);
    g_free(numbers);
    g_free(base);
}

static void put_u32(const struct tables *tables, JsonObject *table,
                    const GPtrArray *records, const struct column *column)
{
    uint32_t *numbers = g_new(uint32_t, records->len);

    for (guint i = 0; i < records->len; i++)
        numbers[i] = MEMBER(records->pdata[i], column->offset, uint32_t);
    orr_html_add_u32(tables->columns, table, column->name, numbers,
                     records->len);
    g_free(numbers);
}

#define TASK(member) offsetof(struct orr_html_task, member)
#define COPY(member) offsetof(struct orr_html_copy, member)

static void add_coordinates(const struct tables *tables, JsonObject *table)
{
    static const char *const names[ORR_MAX_COORDINATES] = {"c0", "c1", "c2"};
    g_autofree int32_t *numbers = g_new(int32_t, tables->tasks->len);

    for (unsigned c = 0; c < ORR_MAX_COORDINATES; c++) {
        for (guint i = 0; i < tables->tasks->len; i++) {
            const struct orr_html_task *task = tables->tasks->pdata[i];

            numbers[i] =
                c < task->coordinate_count ? (int32_t)task->coordinates[c] : -1;
        }
        orr_html_add_i32(tables->columns, table, names[c], numbers,
                         tables->tasks->len);
    }
}

static void add_tasks(const struct tables *tables)
{
    static const struct column dates[] = {
        {"order", TASK(order), NULL, 0},
        {"submitted", TASK(submitted), NULL, 0},
        {"ready", TASK(ready), "submitted", TASK(submitted)},
        {"arrived", TASK(arrived), "ready", TASK(ready)},
        {"started", TASK(started), "arrived", TASK(arrived)},
        {"kernel_started", TASK(kernel_started), "started", TASK(started)},
        {"kernel_ended", TASK(kernel_ended), "kernel_started",
         TASK(kernel_started)},
        {"ended", TASK(ended), "kernel_ended", TASK(kernel_ended)},
    };
    static const struct column numbers[] = {
        {"worker", TASK(worker), NULL, 0},
        {"kernel", TASK(kernel), NULL, 0},
        {"name", TASK(name), NULL, 0},
        {"memory", TASK(memory), NULL, 0},
        {"priority", TASK(priority), NULL, 0},
        {"parents", TASK(parent_count), NULL, 0},
        {"accesses", TASK(access_count), NULL, 0},
    };
    JsonObject *table = add_table(tables, "tasks");

    for (size_t i = 0; i < G_N_ELEMENTS(dates); i++)
        put_dates(tables, table, tables->tasks, &dates[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        put_u32(tables, table, tables->tasks, &numbers[i]);
    add_coordinates(tables, table);
}

static void add_parents(const struct tables *tables)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (guint i = 0; i < tables->tasks->len; i++) {
        const struct orr_html_task *task = tables->tasks->pdata[i];

        for (uint32_t p = 0; p < task->parent_count; p++) {
            uint32_t distance = (uint32_t)task->order -
                                g_array_index(tables->record->parents, uint32_t,
                                              task->first_parent + p);

            g_array_append_val(all, distance);
        }
    }
    orr_html_add_u32(tables->columns, add_table(tables, "parents"), "distance",
                     (const uint32_t *)(void *)all->data, all->len);
}

static void add_accesses(const struct tables *tables)
{
    g_autoptr(GArray) data = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GByteArray) modes = g_byte_array_new();
    JsonObject *table = add_table(tables, "accesses");

    for (guint i = 0; i < tables->tasks->len; i++) {
        const struct orr_html_task *task = tables->tasks->pdata[i];

        for (uint32_t a = 0; a < task->access_count; a++) {
            const struct orr_html_access *access =
                &g_array_index(tables->record->accesses, struct orr_html_access,
                               task->first_access + a);

            g_array_append_val(data, access->datum);
            g_byte_array_append(modes, &access->mode, 1);
        }
    }
    orr_html_add_u32(tables->columns, table, "datum",
                     (const uint32_t *)(void *)data->data, data->len);
    orr_html_add_u8(tables->columns, table, "mode", modes->data, modes->len);
}

static void add_data(const struct tables *tables)
{
    static const struct column columns[] = {
        {"name", offsetof(struct orr_html_datum, name), NULL, 0},
        {"row", offsetof(struct orr_html_datum, row), NULL, 0},
        {"column", offsetof(struct orr_html_datum, column), NULL, 0},
    };
    static const struct column bytes = {
        "bytes", offsetof(struct orr_html_datum, bytes), NULL, 0};
    g_autoptr(GPtrArray) data = g_ptr_array_new();
    JsonObject *table = add_table(tables, "data");

    for (guint i = 0; i < tables->record->data->len; i++)
        g_ptr_array_add(data, &g_array_index(tables->record->data,
                                             struct orr_html_datum, i));
    put_dates(tables, table, data, &bytes);
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
        put_u32(tables, table, data, &columns[i]);
}

static void add_copies(const struct tables *tables)
{
    static const struct column dates[] = {
        {"started", COPY(started), NULL, 0},
        {"submitted", COPY(submitted), "started", COPY(started)},
        {"ended", COPY(ended), "started", COPY(started)},
        {"bytes", COPY(bytes), NULL, 0},
    };
    static const struct column numbers[] = {
        {"link", COPY(link), NULL, 0},
        {"datum", COPY(datum), NULL, 0},
        {"why", COPY(why), NULL, 0},
    };
    JsonObject *table = add_table(tables, "copies");

    for (size_t i = 0; i < G_N_ELEMENTS(dates); i++)
        put_dates(tables, table, tables->copies, &dates[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        put_u32(tables, table, tables->copies, &numbers[i]);
}

static void add_merged(const struct tables *tables)
{
#define BAR(member) offsetof(struct orr_html_bar, member)
    static const struct column dates[] = {
        {"from", BAR(from), NULL, 0},
        {"to", BAR(to), "from", BAR(from)},
    };
    static const struct column numbers[] = {
        {"row", BAR(row), NULL, 0},
        {"kind", BAR(kind), NULL, 0},
        {"count", BAR(count), NULL, 0},
    };
    g_autoptr(GPtrArray) merged = g_ptr_array_new();
    JsonObject *table = add_table(tables, "merged");

    for (guint i = 0; i < tables->bars->len; i++) {
        struct orr_html_bar *bar =
            &g_array_index(tables->bars, struct orr_html_bar, i);

        if (bar->count > 1)
            g_ptr_array_add(merged, bar);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(dates); i++)
        put_dates(tables, table, merged, &dates[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        put_u32(tables, table, merged, &numbers[i]);
}

/* ---- members other than columns ---- */

static void add_names(const struct tables *tables)
{
    const struct orr_html_record *record = tables->record;
    JsonArray *names = orr_output_add_array(tables->run, "names");
    JsonArray *kinds = orr_output_add_array(tables->run, "kernel_kinds");
    JsonArray *links = orr_output_add_array(tables->run, "links");

    for (guint i = 0; i < orr_name_index_count(&record->names); i++) {
        const char *name = name_at(record, i);

        json_array_add_string_element(names, name);
        json_array_add_int_element(
            kinds, g_hash_table_contains(tables->kinds->kernels, name)
                       ? (gint64)orr_kernel_kinds_of(tables->kinds, name)
                       : -1);
    }
    for (guint i = 0; i < record->links->len; i++) {
        const struct orr_html_link *link =
            &g_array_index(record->links, struct orr_html_link, i);
        JsonArray *pair = json_array_new();

        json_array_add_string_element(pair, name_at(record, link->from));
        json_array_add_string_element(pair, name_at(record, link->to));
        json_array_add_array_element(links, pair);
    }
}

static void clear(struct tables *tables)
{
    g_array_unref(tables->bars);
    g_ptr_array_unref(tables->tasks);
    g_ptr_array_unref(tables->copies);
}

void orr_html_tables_add(struct orr_html_columns *columns, JsonObject *run,
                         const struct orr_html_record *record,
                         const struct orr_kernel_kinds *kinds,
                         unsigned copy_kind, guint most)
{
    struct tables tables = {
        .columns = columns,
        .run = run,
        .record = record,
        .kinds = kinds,
        .copy_kind = copy_kind,
        .bars = g_array_new(FALSE, FALSE, sizeof(struct orr_html_bar)),
        .tasks = g_ptr_array_new(),
        .copies = g_ptr_array_new(),
    };

    thin(&tables, most);
    json_object_set_int_member(run, "rows", tables.workers);
    add_names(&tables);
    add_tasks(&tables);
    add_parents(&tables);
    add_accesses(&tables);
    add_data(&tables);
    add_copies(&tables);
    add_merged(&tables);
    orr_html_curves_add(columns, run, record);
    clear(&tables);
}
