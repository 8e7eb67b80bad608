/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A trace in the format of StarPU's starpu_fxt_tool: tasks.rec and data.rec, or
 * a folder with both and dag.dot. The graph is the one that the application
 * submits without a machine (submitted.h). So two traces of one application
 * differ only in WorkerId, MemoryNode, SubmitTime, and StartTime and EndTime of
 * kernels. The trace is written at the end; a task without dates did not end.
 */
#include "apps/trace/submitted.h"
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "models/base/file.h"
#include "models/base/folder.h"
#include "models/dagfile/dag_write.h"

struct rec {
    struct orr_trace trace; /* first */
    char *path;
    struct orr_dag *dag;
    uint32_t *devices; /* by worker: index + 1; 0: none yet */
    unsigned device_count;
};

/* Returns the index of the device of a worker. GPUs come first; worker w, a
 * GPU, has memory node w + 1. */
static uint32_t device_of(struct rec *rec, unsigned worker, unsigned node)
{
    struct orr_dag *dag = rec->dag;

    if (worker >= rec->device_count) {
        unsigned count = MAX(worker + 1, 2 * rec->device_count);

        rec->devices = g_renew(uint32_t, rec->devices, count);
        while (rec->device_count < count)
            rec->devices[rec->device_count++] = 0;
    }
    if (rec->devices[worker] == 0) {
        dag->devices = g_renew(struct orr_dag_device, dag->devices,
                               dag->device_count + (size_t)1);
        dag->devices[dag->device_count++] = (struct orr_dag_device){
            .worker = worker,
            .memory_node = node,
        };
        rec->devices[worker] = dag->device_count;
    }
    return rec->devices[worker] - 1;
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct rec *rec = (struct rec *)trace;

    if (task->order >= rec->dag->task_count)
        return;
    rec->dag->tasks[task->order].device =
        device_of(rec, task->worker, task->memory_node);
    rec->dag->dates[task->order] = (struct orr_dag_dates){
        .submitted = task->submitted,
        .started = task->kernel_started,
        .ended = task->kernel_ended,
    };
}

/* Records have no copies. */
static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    (void)trace;
    (void)copy;
}

static void rec_free(struct orr_trace *trace)
{
    struct rec *rec = (struct rec *)trace;

    orr_dag_free(rec->dag);
    g_free(rec->devices);
    g_free(rec->path);
    g_free(rec);
}

static char **list_files(const char *path)
{
    char **files = g_new0(char *, 3);

    files[0] = g_strdup(path);
    files[1] = orr_dag_write_beside(path);
    return files;
}

/* Returns whether both files can be written. */
static bool check(const char *path, GError **error)
{
    g_autofree char *beside = orr_dag_write_beside(path);

    return orr_dag_write_check(path, error) && orr_file_check(path, error) &&
           (!beside || orr_file_check(beside, error));
}

/* Begins the trace @path, which can be written. */
static struct orr_trace *begin(const char *path,
                               const struct orr_traced_run *run, GError **error)
{
    struct orr_dag *dag = orr_submitted_graph(run->app, run->values, error);
    struct rec *rec;

    if (!dag)
        return NULL;
    rec = g_new0(struct rec, 1);
    rec->trace =
        (struct orr_trace){ORR_TRACE_INIT, .task = put_task, .copy = put_copy};
    rec->path = g_strdup(path);
    rec->dag = dag;
    dag->dates = g_new0(struct orr_dag_dates, dag->task_count);
    return &rec->trace;
}

static struct orr_trace *
rec_open(const char *path, const struct orr_traced_run *run, GError **error)
{
    return check(path, error) ? begin(path, run, error) : NULL;
}

static struct orr_trace *
starpu_open(const char *path, const struct orr_traced_run *run, GError **error)
{
    return orr_new_folder_check(path, error) ? begin(path, run, error) : NULL;
}

static bool rec_finish(struct orr_trace *trace, bool complete, GError **error)
{
    (void)trace;
    (void)complete;
    (void)error;
    return true;
}

/* Writes both files as a whole. */
static bool rec_move(struct orr_trace *trace, GError **error)
{
    const struct rec *rec = (const struct rec *)trace;

    return orr_dag_write(rec->dag, rec->path, error);
}

static bool starpu_move(struct orr_trace *trace, GError **error)
{
    const struct rec *rec = (const struct rec *)trace;

    return orr_dag_write_folder(rec->dag, rec->path, error);
}

const struct orr_trace_format orr_trace_starpu = {
    .name = "starpu",
    .files = orr_trace_one_folder,
    .open = starpu_open,
    .finish = rec_finish,
    .move = starpu_move,
    .free = rec_free,
};

const struct orr_trace_format orr_trace_rec = {
    .name = "rec",
    .suffix = ".rec",
    .files = list_files,
    .open = rec_open,
    .finish = rec_finish,
    .move = rec_move,
    .free = rec_free,
};
