/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chooses the writer of a file, and finds the dependencies that it writes. */
#include "models/dagfile/dag_write.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/file.h"
#include "models/base/folder.h"
#include "models/base/input.h"
#include "models/dag/dag_dependencies.h"
#include "models/dagfile/dag_write_private.h"

struct format {
    const char *suffix;
    orr_dag_writer *write;
    orr_dag_writer *write_data; /* into a file beside it; or NULL */
    bool by_names; /* tasks and data are identified by names, not by numbers */
};

static const struct format formats[] = {
    {".rec", orr_dag_write_rec, orr_dag_write_rec_data, false},
    {".json", orr_dag_write_wfformat, NULL, true},
    {".csv", orr_dag_write_csv, NULL, true},
    {".dot", orr_dag_write_dot, NULL, true},
    {".gv", orr_dag_write_dot, NULL, true},
};

static const struct format *format_of(const char *path)
{
    g_autofree char *name = g_ascii_strdown(path, -1);

    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_has_suffix(name, formats[i].suffix))
            return &formats[i];
    }
    return NULL;
}

bool orr_dag_write_check(const char *path, GError **error)
{
    g_autofree char *shown = orr_input_show_path(path);

    if (g_str_has_suffix(path, "data.rec")) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: this is the name of the data beside a graph in rec",
                    shown);
        return false;
    }
    if (format_of(path))
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: the name does not end in .rec, .json, .csv, .dot or .gv",
                shown);
    return false;
}

/* ---- dependencies from task to task ---- */

/* The predecessors of all tasks, task by task. */
struct before {
    uint32_t *tasks; /* owned */
    uint32_t count;
    uint32_t room;
    uint32_t *marks; /* owned; by task: the last task in whose list it is,
                        plus 1 */
};

/* Appends @before, unless it is there already for @task. */
static inline void append(struct before *list, uint32_t before, uint32_t task)
{
    if (list->marks[before] == task + 1)
        return;
    list->marks[before] = task + 1;
    if (list->count == list->room) {
        list->room = 2 * list->room + 64;
        list->tasks = g_renew(uint32_t, list->tasks, list->room);
    }
    list->tasks[list->count++] = before;
}

/* Appends the tasks that a node stands for: itself, or the members of a join.
 */
static void expand(const struct orr_dag_nodes *links, uint32_t tasks,
                   uint32_t node, uint32_t task, struct before *list)
{
    if (node < tasks) {
        append(list, node, task);
        return;
    }
    for (uint32_t i = 0; i < links->counts[node]; i++)
        append(list, links->before[links->first[node] + i], task);
}

static bool expand_all(struct orr_dag_writing *writing, GError **error)
{
    const struct orr_dag *dag = writing->dag;
    struct before list = {
        .tasks = g_new(uint32_t, 1), /* so that it is not NULL */
        .room = 1,
        .marks = g_new0(uint32_t, dag->task_count + (size_t)1),
    };
    struct orr_dag_nodes links;
    bool good = true;

    orr_dag_dependencies(dag, ORR_DAG_FLOW | ORR_DAG_EDGES, &links);
    writing->before.count = dag->task_count;
    writing->before.first = g_new(uint32_t, dag->task_count);
    writing->before.counts = g_new(uint32_t, dag->task_count);
    for (uint32_t task = 0; good && task < dag->task_count; task++) {
        writing->before.first[task] = list.count;
        for (uint32_t i = 0; good && i < links.counts[task]; i++) {
            expand(&links, dag->task_count, links.before[links.first[task] + i],
                   task, &list);
            good = list.count <= ORR_DAG_MAX_ACCESSES;
        }
        writing->before.counts[task] = list.count - writing->before.first[task];
    }
    if (!good)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: more than %u dependencies from task to task",
                    dag->path, ORR_DAG_MAX_ACCESSES);
    writing->before.before = list.tasks;
    orr_dag_dependencies_clear(&links);
    g_free(list.marks);
    return good;
}

static void reverse(struct orr_dag_writing *writing)
{
    const struct orr_dag_nodes *nodes = &writing->before;
    uint32_t *first = g_new0(uint32_t, nodes->count + (size_t)2);
    uint32_t total = 0;

    for (uint32_t task = 0; task < nodes->count; task++) {
        for (uint32_t i = 0; i < nodes->counts[task]; i++)
            first[nodes->before[nodes->first[task] + i] + 2]++;
        total += nodes->counts[task];
    }
    for (uint32_t task = 2; task <= nodes->count; task++)
        first[task] += first[task - 1];
    writing->after = g_new(uint32_t, total + (size_t)1);
    for (uint32_t task = 0; task < nodes->count; task++) {
        for (uint32_t i = 0; i < nodes->counts[task]; i++)
            writing->after[first[nodes->before[nodes->first[task] + i] + 1]++] =
                task;
    }
    writing->first_after = first;
}

/* ---- files ---- */

/* One of several files that are written together. */
struct part {
    char *path;  /* owned */
    char *shown; /* its path in messages, once there is a draft; owned */
    orr_dag_writer *write;
};

static bool write_file(struct orr_dag_writing *writing, const struct part *part,
                       struct orr_draft *draft, GError **error)
{
    if (!orr_draft_open(draft, part->path, error))
        return false;
    g_free(draft->path);
    draft->path = g_strdup(part->shown);
    writing->file = draft->file;
    part->write(writing);
    orr_draft_check(draft);
    return orr_draft_finish(draft, error);
}

char *orr_dag_write_beside(const char *path)
{
    const struct format *format = format_of(path);

    if (!format || !format->write_data)
        return NULL;
    if (g_str_has_suffix(path, "tasks.rec"))
        return g_strdup_printf("%.*sdata.rec",
                               (int)(strlen(path) - strlen("tasks.rec")), path);
    return g_strdup_printf("%.*s.data.rec",
                           (int)(strlen(path) - strlen(".rec")), path);
}

enum { MAX_PARTS = 3 };

/* Writes drafts of all files; only when all are complete, renames them, in the
 * order of @parts. */
static bool write_parts(struct orr_dag_writing *writing,
                        const struct part *parts, unsigned count,
                        GError **error)
{
    struct orr_draft drafts[MAX_PARTS];
    unsigned opened = 0;
    bool good = true;

    for (; good && opened < count; opened++)
        good = write_file(writing, &parts[opened], &drafts[opened], error);
    for (unsigned i = 0; good && i < count; i++)
        good = orr_draft_move(&drafts[i], error);
    for (unsigned i = 0; i < opened; i++)
        orr_draft_clear(&drafts[i]);
    return good;
}

static bool write_graph(const struct orr_dag *dag, const struct part *parts,
                        unsigned count, bool by_names, GError **error)
{
    struct orr_dag_writing writing = {.dag = dag};
    bool good = expand_all(&writing, error);

    if (good) {
        if (by_names) {
            reverse(&writing);
            writing.names = orr_dag_written_names_new(dag);
        }
        good = write_parts(&writing, parts, count, error);
    }
    orr_dag_dependencies_clear(&writing.before);
    g_free(writing.first_after);
    g_free(writing.after);
    orr_dag_written_names_free(writing.names);
    return good;
}

static void clear_parts(struct part *parts, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        g_free(parts[i].path);
        g_free(parts[i].shown);
    }
}

bool orr_dag_write(const struct orr_dag *dag, const char *path, GError **error)
{
    struct part parts[MAX_PARTS];
    const struct format *format = format_of(path);
    unsigned count = 0;
    char *beside;
    bool good;

    if (!orr_dag_write_check(path, error))
        return false;
    beside = orr_dag_write_beside(path);
    if (beside)
        parts[count++] =
            (struct part){beside, g_strdup(beside), format->write_data};
    parts[count++] =
        (struct part){g_strdup(path), g_strdup(path), format->write};
    good = write_graph(dag, parts, count, format->by_names, error);
    clear_parts(parts, count);
    return good;
}

static bool fill_folder(const struct orr_dag *dag, const char *path,
                        const char *draft, GError **error)
{
    static const char *const names[] = {"data.rec", "tasks.rec", "dag.dot"};
    static orr_dag_writer *const writers[] = {
        orr_dag_write_rec_data, orr_dag_write_rec, orr_dag_write_rec_dot};
    struct part parts[MAX_PARTS];
    bool good;

    for (unsigned i = 0; i < MAX_PARTS; i++)
        parts[i] =
            (struct part){g_build_filename(draft, names[i], NULL),
                          g_build_filename(path, names[i], NULL), writers[i]};
    good = write_graph(dag, parts, MAX_PARTS, false, error);
    clear_parts(parts, MAX_PARTS);
    return good;
}

bool orr_dag_write_folder(const struct orr_dag *dag, const char *path,
                          GError **error)
{
    struct orr_new_folder folder;
    bool good = orr_new_folder_begin(&folder, path, error) &&
                fill_folder(dag, path, folder.draft, error);

    return orr_new_folder_end(&folder, good, error);
}
