/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds the objects of WfFormat to the graph. An object arrives when it ends,
 * with all its texts and lists (dag_wfformat_private.h), since members may
 * come in any order. Numbers of tasks and data that are mentioned near each
 * other tend to be near, so wf->near holds guesses by place in the lists.
 */
#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_wfformat_private.h"

#define MAX_BYTES 4e18

void orr_wf_init(struct orr_wf *wf, struct orr_dag_builder *builder,
                 const struct orr_dag_read_settings *settings)
{
    *wf = (struct orr_wf){.builder = builder, .settings = settings};
    wf->transfers = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    wf->files = g_array_new(FALSE, TRUE, sizeof(struct orr_wf_file));
}

void orr_wf_clear(struct orr_wf *wf)
{
    g_free(wf->item.names);
    g_free(wf->near);
    g_free(wf->edges);
    g_free(wf->accesses);
    g_array_unref(wf->transfers);
    g_array_unref(wf->files);
    g_clear_error(&wf->error);
}

void orr_wf_item_clear(struct orr_wf_item *item)
{
    memset(item->texts, 0, sizeof item->texts);
    item->name_count = 0;
    item->size = 0;
}

void orr_wf_enlarge_names(struct orr_wf_item *item)
{
    item->name_room = 2 * item->name_room + 16;
    item->names = g_renew(struct orr_wf_name, item->names, item->name_room);
}

static bool refuse(struct orr_wf *wf, const char *message)
{
    return orr_dag_fail(wf->builder, wf->item.line, ORR_ERROR_VALUE, &wf->error,
                        "%s", message);
}

/* The text of @key, ended by a 0; NULL: absent. The 0 overwrites the byte
 * behind the text, which is not needed once the object was read. */
static char *text_of(const struct orr_wf_item *item, unsigned key)
{
    const struct orr_wf_text *text = &item->texts[key];

    if (text->text)
        text->text[text->length] = '\0';
    return text->text;
}

/* Reads a size or a runtime. */
static bool number_of(struct orr_wf *wf, const struct orr_wf_item *item,
                      enum orr_wf_key key, const char *name, double max,
                      double *number)
{
    const char *text = text_of(item, key);
    g_autofree char *quoted = NULL;

    if (!text)
        return true;
    if (orr_dag_real(text, false, number) && *number <= max)
        return true;
    quoted = orr_quote(text);
    orr_dag_fail(wf->builder, item->line, ORR_ERROR_VALUE, &wf->error,
                 "%s: %s is not a number from 0 to %g", name, quoted, max);
    return false;
}

/* Sets the kernel from the name of the task: "sort" in "sort_12"; "task" if the
 * name is only a number, as in DOT. */
static void set_kernel_of_name(struct orr_wf *wf, struct orr_dag_task *task,
                               const char *name)
{
    size_t length = orr_dag_kernel_length(name);

    task->kernel = length > 0 ? orr_dag_kernel_of(wf->builder, name, length)
                              : orr_dag_kernel_of(wf->builder, "task", 4);
}

static void set_kernel(struct orr_wf *wf, struct orr_dag_task *task,
                       const struct orr_wf_item *item, const char *name)
{
    const char *kernel = text_of(item, ORR_WF_KERNEL);

    if (kernel && !*kernel)
        return; /* it only synchronises */
    if (!kernel)
        kernel = text_of(item, ORR_WF_CATEGORY);
    if (kernel && *kernel)
        task->kernel = orr_dag_kernel_of(wf->builder, kernel, strlen(kernel));
    else if (task->kernel == ORR_DAG_NONE && name)
        set_kernel_of_name(wf, task, name);
}

static bool set_marks(struct orr_wf *wf, struct orr_dag_task *task,
                      const struct orr_wf_item *item)
{
    for (unsigned i = 0; i < ORR_DAG_MARKS; i++) {
        const char *text = text_of(item, ORR_WF_MARKS + i);
        const char *expected =
            text ? orr_dag_mark_set(wf->builder, task, (enum orr_dag_mark)i,
                                    text)
                 : NULL;
        g_autofree char *quoted = NULL;

        if (!expected)
            continue;
        quoted = orr_quote(text);
        return orr_dag_fail(wf->builder, item->line, ORR_ERROR_VALUE,
                            &wf->error, "%s: %s is not %s",
                            orr_dag_mark_names[i], quoted, expected);
    }
    return true;
}

static bool set_work(struct orr_wf *wf, struct orr_dag_task *task,
                     const struct orr_wf_item *item)
{
    const char *text = text_of(item, ORR_WF_RUNTIME);
    const char *priority = text_of(item, ORR_WF_PRIORITY);
    double number = 0;

    if (!number_of(wf, item, ORR_WF_FLOPS, "flops", G_MAXDOUBLE, &task->flops))
        return false;
    if (priority) {
        if (!orr_dag_real(priority, true, &number) || number < INT32_MIN ||
            number > INT32_MAX) {
            g_autofree char *quoted = orr_quote(priority);

            return orr_dag_fail(wf->builder, item->line, ORR_ERROR_VALUE,
                                &wf->error, "priority: %s is not a number",
                                quoted);
        }
        task->priority = (int32_t)number;
    }
    if (!text)
        return true;
    if (wf->settings->runtime_is_flops)
        return number_of(wf, item, ORR_WF_RUNTIME, "runtimeInSeconds",
                         G_MAXDOUBLE, &task->flops);
    if (!number_of(wf, item, ORR_WF_RUNTIME, "runtimeInSeconds", G_MAXDOUBLE,
                   &number))
        return false;
    if (number > ORR_DAG_MAX_SECONDS)
        return orr_dag_fail(wf->builder, item->line, ORR_ERROR_VALUE,
                            &wf->error, "runtimeInSeconds: %.32s is %s", text,
                            ORR_DAG_TOO_LONG);
    return orr_dag_scaled(text, 9, &task->duration);
}

static void set_device(struct orr_wf *wf, struct orr_dag_task *task,
                       const struct orr_wf_item *item)
{
    const char *machine = text_of(item, ORR_WF_MACHINE);

    if (machine && *machine)
        task->device =
            orr_dag_device_of(wf->builder, machine, ORR_DAG_NONE, ORR_DAG_NONE);
}

static struct orr_wf_file *file_of(struct orr_wf *wf, uint32_t datum)
{
    if (datum >= wf->files->len)
        g_array_set_size(wf->files, datum + 1);
    return &g_array_index(wf->files, struct orr_wf_file, datum);
}

/* The number of the task called @name, which is at @place of the lists of a
 * task; ORR_DAG_NONE with wf->error. */
static uint32_t refer(struct orr_wf *wf, const struct orr_wf_name *name,
                      size_t place)
{
    uint32_t *near = &wf->near[place];
    const struct orr_dag_names *ids = &wf->builder->ids;

    if (orr_dag_names_is(ids, *near, name->text, name->length))
        return *near;
    if (orr_dag_names_is(ids, *near + 1, name->text, name->length))
        return ++*near;
    if (place > 0 &&
        orr_dag_names_is(ids, near[-1] + 1, name->text, name->length))
        return *near = near[-1] + 1;
    return *near =
               orr_dag_refer(wf->builder, name->text, name->length, &wf->error);
}

static bool add_file(struct orr_wf *wf, uint32_t task,
                     const struct orr_wf_item *item,
                     const struct orr_wf_name *name, unsigned mode)
{
    struct orr_dag_datum *datum;
    uint32_t number =
        orr_dag_datum_of(wf->builder, name->text, name->length, &wf->error);
    double bytes = 0;

    if (number == ORR_DAG_NONE)
        return false;
    if (name->described)
        file_of(wf, number)->described = item->line;
    else if (file_of(wf, number)->used == 0)
        file_of(wf, number)->used = item->line;
    if (name->size.text) {
        struct orr_wf_item size = *item;

        size.texts[ORR_WF_SIZE] = name->size;
        if (!number_of(wf, &size, ORR_WF_SIZE, "sizeInBytes", MAX_BYTES,
                       &bytes))
            return false;
        datum = &g_array_index(wf->builder->data, struct orr_dag_datum, number);
        if (datum->bytes == 0)
            datum->bytes = (uint64_t)(bytes + 0.5);
    }
    wf->accesses[wf->access_count++] =
        (struct orr_dag_pending_access){task, number, mode};
    return true;
}

/* Adds to wf the edge or the access that the name at @place in the lists of
 * @task stands for. */
static bool add_name(struct orr_wf *wf, uint32_t task,
                     const struct orr_wf_item *item, size_t place)
{
    const struct orr_wf_name *name = &item->names[place];
    uint32_t other;

    if (name->key == ORR_WF_INPUT_FILES)
        return add_file(wf, task, item, name, ORR_DAG_READ);
    if (name->key == ORR_WF_OUTPUT_FILES)
        return add_file(wf, task, item, name, ORR_DAG_WRITE);
    if (name->key == ORR_WF_MACHINES)
        return true;
    other = refer(wf, name, place);
    if (other == ORR_DAG_NONE)
        return false;
    wf->edges[wf->edge_count++] =
        name->key == ORR_WF_PARENTS
            ? (struct orr_dag_pending_edge){other, task}
            : (struct orr_dag_pending_edge){task, other};
    return true;
}

/* Adds the edges and accesses in the lists of @task. */
static bool add_names(struct orr_wf *wf, uint32_t task,
                      const struct orr_wf_item *item)
{
    wf->edge_count = wf->access_count = 0;
    if (wf->room < item->name_room) {
        wf->near = g_renew(uint32_t, wf->near, item->name_room);
        for (size_t i = wf->room; i < item->name_room; i++)
            wf->near[i] = 0;
        wf->room = item->name_room;
        wf->edges = g_renew(struct orr_dag_pending_edge, wf->edges, wf->room);
        wf->accesses =
            g_renew(struct orr_dag_pending_access, wf->accesses, wf->room);
    }
    for (size_t i = 0; i < item->name_count; i++) {
        if (!add_name(wf, task, item, i))
            return false;
    }
    return orr_dag_edges(wf->builder, wf->edges, wf->edge_count, &wf->error) &&
           orr_dag_accesses(wf->builder, wf->accesses, wf->access_count,
                            &wf->error);
}

/* SimGrid's transfers are tasks in the file, and data in the graph. */
static bool add_transfer(struct orr_wf *wf, uint32_t task,
                         const struct orr_wf_item *item)
{
    double bytes = 0;
    uint32_t datum;

    if (!number_of(wf, item, ORR_WF_WRITTEN_BYTES, "writtenBytes", MAX_BYTES,
                   &bytes))
        return false;
    datum = orr_dag_datum_add(wf->builder, (uint64_t)(bytes + 0.5),
                              wf->builder->ids.offsets[task], &wf->error);
    if (datum == ORR_DAG_NONE)
        return false;
    if (wf->transfers->len <= task)
        g_array_set_size(wf->transfers, task + 1);
    g_array_index(wf->transfers, uint32_t, task) = datum + 1;
    return true;
}

bool orr_wf_end_task(struct orr_wf *wf)
{
    const struct orr_wf_item *item = &wf->item;
    struct orr_dag_builder *builder = wf->builder;
    const char *name = text_of(item, ORR_WF_NAME);
    const char *id = text_of(item, ORR_WF_ID) ? text_of(item, ORR_WF_ID) : name;
    const char *type = text_of(item, ORR_WF_TYPE);
    struct orr_dag_task task;
    uint32_t number;

    if (!id || !*id)
        return refuse(wf, "a task without id and name");
    number = orr_dag_define(builder, id, strlen(id), &wf->error);
    if (number == ORR_DAG_NONE)
        return false;
    task = *orr_dag_task_of(builder, number);
    if (name && strcmp(name, id) != 0)
        task.name = orr_dag_share(builder, name, strlen(name));
    set_kernel(wf, &task, item, name ? name : id);
    set_device(wf, &task, item);
    if (!set_work(wf, &task, item) || !set_marks(wf, &task, item))
        return false;
    *orr_dag_task_of(builder, number) = task;
    if (!add_names(wf, number, item))
        return false;
    return !type || strcmp(type, "transfer") != 0 ||
           add_transfer(wf, number, item);
}

/* Adds the execution of a task, whose specification may come before or after.
 */
bool orr_wf_end_run(struct orr_wf *wf)
{
    const struct orr_wf_item *item = &wf->item;
    const char *id = text_of(item, ORR_WF_ID);
    struct orr_dag_task task;
    uint32_t number;

    if (!id || !*id)
        return refuse(wf, "a task without id");
    number = orr_dag_refer(wf->builder, id, strlen(id), &wf->error);
    if (number == ORR_DAG_NONE)
        return false;
    task = *orr_dag_task_of(wf->builder, number);
    set_kernel(wf, &task, item, NULL);
    for (size_t i = 0; i < item->name_count; i++) {
        const struct orr_wf_name *name = &item->names[i];

        if (name->key == ORR_WF_MACHINES && task.device == ORR_DAG_NONE) {
            name->text[name->length] = '\0';
            task.device = orr_dag_device_of(wf->builder, name->text,
                                            ORR_DAG_NONE, ORR_DAG_NONE);
        }
    }
    if (!set_work(wf, &task, item))
        return false;
    *orr_dag_task_of(wf->builder, number) = task;
    return true;
}

bool orr_wf_end_file(struct orr_wf *wf)
{
    const char *id = text_of(&wf->item, ORR_WF_ID);
    double bytes = 0;
    uint32_t number;

    if (!id || !*id)
        return refuse(wf, "a file without id");
    number = orr_dag_datum_of(wf->builder, id, strlen(id), &wf->error);
    if (number == ORR_DAG_NONE || !number_of(wf, &wf->item, ORR_WF_SIZE,
                                             "sizeInBytes", MAX_BYTES, &bytes))
        return false;
    if (file_of(wf, number)->described != 0) {
        g_autofree char *quoted = orr_quote(id);

        return orr_dag_fail(wf->builder, wf->item.line, ORR_ERROR_VALUE,
                            &wf->error,
                            "file %s is there twice; first on line %u", quoted,
                            file_of(wf, number)->described);
    }
    file_of(wf, number)->described = wf->item.line;
    wf->has_files = true;
    g_array_index(wf->builder->data, struct orr_dag_datum, number).bytes =
        (uint64_t)(bytes + 0.5);
    return true;
}

/* Adds a file of a task, before 1.5: its direction, name and size. */
bool orr_wf_end_link(struct orr_wf *wf)
{
    const struct orr_wf_item *link = &wf->link;
    const char *direction = text_of(link, ORR_WF_LINK_KEY);
    char *file = text_of(link, ORR_WF_NAME) ? text_of(link, ORR_WF_NAME)
                                            : text_of(link, ORR_WF_ID);
    struct orr_wf_name *name;
    enum orr_wf_key key;

    if (!direction || !file)
        return refuse(wf, "a file without link or name");
    if (strcmp(direction, "input") == 0)
        key = ORR_WF_INPUT_FILES;
    else if (strcmp(direction, "output") == 0)
        key = ORR_WF_OUTPUT_FILES;
    else
        return refuse(wf, "the link of a file is neither input nor output");
    name = orr_wf_add_name(&wf->item, key, file, strlen(file));
    name->described = true;
    name->size = link->texts[ORR_WF_SIZE];
    return true;
}

bool orr_wf_check_files(struct orr_wf *wf)
{
    for (guint i = 0; wf->has_files && i < wf->files->len; i++) {
        const struct orr_wf_file *file =
            &g_array_index(wf->files, struct orr_wf_file, i);
        g_autofree char *quoted = NULL;

        if (file->used == 0 || file->described != 0)
            continue;
        quoted = orr_quote(
            wf->builder->texts.texts +
            g_array_index(wf->builder->data, struct orr_dag_datum, i).name);
        return orr_dag_fail(
            wf->builder, file->used, ORR_ERROR_VALUE, &wf->error,
            "file %s of a task is not in the list of files", quoted);
    }
    return true;
}

/* Replaces edges from and to transfers by accesses. */
static bool resolve_edges(struct orr_wf *wf)
{
    struct orr_dag_builder *builder = wf->builder;
    guint kept = 0;

    for (guint i = 0; i < builder->edges->len; i++) {
        struct orr_dag_pending_edge edge =
            g_array_index(builder->edges, struct orr_dag_pending_edge, i);
        uint32_t before = g_array_index(wf->transfers, uint32_t, edge.before);
        uint32_t after = g_array_index(wf->transfers, uint32_t, edge.after);

        if (before && after)
            return orr_dag_fail(
                builder, orr_dag_task_of(builder, edge.after)->line,
                ORR_ERROR_VALUE, &wf->error,
                "a transfer follows another one, without a task between them");
        if (before && !orr_dag_access(builder, edge.after, before - 1,
                                      ORR_DAG_READ, &wf->error))
            return false;
        if (after && !orr_dag_access(builder, edge.before, after - 1,
                                     ORR_DAG_WRITE, &wf->error))
            return false;
        if (!before && !after)
            g_array_index(builder->edges, struct orr_dag_pending_edge, kept++) =
                edge;
    }
    g_array_set_size(builder->edges, kept);
    return true;
}

bool orr_wf_resolve_transfers(struct orr_wf *wf)
{
    bool *dropped;

    if (wf->transfers->len == 0)
        return true;
    g_array_set_size(wf->transfers, wf->builder->tasks->len);
    if (!resolve_edges(wf))
        return false;
    dropped = g_new0(bool, wf->transfers->len);
    for (guint i = 0; i < wf->transfers->len; i++)
        dropped[i] = g_array_index(wf->transfers, uint32_t, i) != 0;
    orr_dag_builder_drop(wf->builder, dropped);
    g_free(dropped);
    return true;
}
