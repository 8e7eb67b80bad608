/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The folder of tables that the first phase of StarVZ reads, instead of what
 * starpu_fxt_tool and pj_dump make: paje.* with a comma and a blank between
 * fields, rec.* and dag with a comma. Tables that a run on one machine leaves
 * empty have their titles. Names have no quotation marks, which StarVZ removes:
 * those and commas become ' and ;, and control characters blanks. Dates are in
 * ms.
 */
#include <string.h>

#include "apps/trace/starvz/starvz.h"
#include "apps/trace/trace_format.h"
#include "models/base/folder.h"
#include "runtime/orrery.h"

#define STATE "Nature, ResourceId, Type, Start, End, Duration, Depth, Value"

static const struct {
    const char *name, *titles;
} tables[ORR_STARVZ_TABLES] = {
    [ORR_STARVZ_ENTITIES] = {"entities.csv", "Parent, Name, Type, Nature"},
    [ORR_STARVZ_WORKER_STATE] =
        {"paje.worker_state.csv.gz",
         STATE ", Size, Params, Footprint, Tag, JobId, SubmitOrder, "
               "GFlop, X, Y, Iteration, Subiteration, NumaNodes"},
    [ORR_STARVZ_MEMORY_STATE] = {"paje.memory_state.csv.gz", STATE},
    [ORR_STARVZ_COMM_STATE] = {"paje.comm_state.csv.gz", STATE},
    [ORR_STARVZ_OTHER_STATE] = {"paje.other_state.csv.gz", STATE},
    [ORR_STARVZ_VARIABLE] =
        {"paje.variable.csv.gz",
         "Nature, ResourceId, Type, Start, End, Duration, Value"},
    [ORR_STARVZ_LINK] =
        {"paje.link.csv.gz",
         "Nature, Container, Type, Start, End, Duration, Size, Origin, "
         "Dest, Key, Tag, MPIType, Priority, Handle"},
    [ORR_STARVZ_EVENTS] =
        {"paje.events.csv.gz",
         "Nature, Container, Type, Start, Value, Handle, Info, Size, "
         "Tid, Src"},
    [ORR_STARVZ_TASKS] =
        {"rec.tasks.csv.gz",
         "Control,JobId,SubmitOrder,SubmitTime,Handles,MPIRank,DependsOn,"
         "Tag,Footprint,Iteration,Name,Model,Priority,WorkerId,"
         "MemoryNode,StartTime,EndTime,Parameters,Modes,Sizes"},
    [ORR_STARVZ_DATA] =
        {"rec.data_handles.csv.gz",
         "Handle,HomeNode,MPIRank,Size,Name,Description,Coordinates"},
    [ORR_STARVZ_DAG] = {"dag.csv.gz", "Dependent,JobId"},
};

/* ---- figures over time ---- */

static void put_ready(struct orr_trace *trace,
                      const struct orr_trace_ready *ready)
{
    orr_trace_counters_set(&((struct orr_starvz *)trace)->counters,
                           ORR_STARVZ_READY, ready->date,
                           (int64_t)ready->count);
}

static void change_memory(struct orr_starvz *starvz, unsigned node,
                          int64_t date, int64_t bytes)
{
    orr_starvz_meet_node(starvz, node);
    starvz->memory[node] += bytes;
    orr_trace_counters_set(&starvz->counters,
                           ORR_STARVZ_USED + ORR_STARVZ_OF_MEMORY * node, date,
                           starvz->memory[node]);
}

static void put_allocation(struct orr_trace *trace,
                           const struct orr_trace_allocation *allocation)
{
    change_memory((struct orr_starvz *)trace, allocation->memory_node,
                  allocation->date, (int64_t)allocation->datum.bytes);
}

static void put_eviction(struct orr_trace *trace,
                         const struct orr_trace_eviction *eviction)
{
    change_memory((struct orr_starvz *)trace, eviction->memory_node,
                  eviction->date, -(int64_t)eviction->datum.bytes);
}

/* ---- tasks and copies ---- */

/* Where the result of @task is: the datum with coordinates that it writes. */
static const struct orr_trace_datum *
find_result(const struct orr_trace_task *task)
{
    for (unsigned i = 0; i < task->datum_count; i++)
        if (task->accesses[i].mode != ORR_R &&
            task->accesses[i].datum.has_coordinates)
            return &task->accesses[i].datum;
    return NULL;
}

static void put_state(struct orr_starvz *starvz,
                      const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[ORR_STARVZ_WORKER_STATE];
    const struct orr_trace_datum *result = find_result(task);
    uint64_t bytes = 0;

    for (unsigned i = 0; i < task->datum_count; i++)
        bytes += task->accesses[i].datum.bytes;
    orr_trace_put(file, "State, ");
    orr_starvz_put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker State, ");
    orr_starvz_put_span(file, task->kernel_started, task->kernel_ended);
    orr_trace_put(file, ", 0.000000, ");
    orr_starvz_put_name(file, task->name);
    orr_trace_put(file, ", ");
    orr_trace_put_count(file, bytes);
    orr_trace_put(file, ", , , , ");
    orr_trace_put_count(file, task->order + 1);
    orr_trace_put(file, ", ");
    orr_trace_put_count(file, task->order + 1);
    if (result) {
        orr_trace_put(file, ", , ");
        orr_trace_put_count(file, result->row);
        orr_trace_put(file, ", ");
        orr_trace_put_count(file, result->column);
        orr_trace_put(file, ", ");
    } else {
        orr_trace_put(file, ", , , , ");
    }
    if (task->coordinate_count > 0)
        orr_trace_put_count(file,
                            task->coordinates[task->coordinate_count - 1]);
    orr_trace_put(file, ", , \n");
}

static void put_parents(struct orr_starvz *starvz,
                        const struct orr_trace_task *task)
{
    struct orr_trace_file *dag = &starvz->files[ORR_STARVZ_DAG];
    struct orr_trace_file *tasks = &starvz->files[ORR_STARVZ_TASKS];

    for (unsigned i = 0; i < task->parent_count; i++) {
        if (i > 0)
            orr_trace_put_char(tasks, ' ');
        orr_trace_put_count(tasks, task->parents[i] + 1);
        orr_trace_put_count(dag, task->parents[i] + 1);
        orr_trace_put_char(dag, ',');
        orr_trace_put_count(dag, task->order + 1);
        orr_trace_put_char(dag, '\n');
    }
}

/* The modes of the accesses, separated by blanks. */
static void put_modes(struct orr_trace_file *file,
                      const struct orr_trace_task *task)
{
    static const char *const modes[] = {
        [ORR_R] = "R", [ORR_W] = "W", [ORR_RW] = "RW", [ORR_REDUX] = "X"};

    for (unsigned i = 0; i < task->datum_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        orr_trace_put(file,
                      modes[task->accesses[i].mode & (ORR_RW | ORR_REDUX)]);
    }
}

static void put_record(struct orr_starvz *starvz,
                       const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[ORR_STARVZ_TASKS];

    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->order + 1);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->order + 1);
    orr_trace_put_char(file, ',');
    orr_starvz_put_time(file, task->submitted);
    orr_trace_put_char(file, ',');
    for (unsigned i = 0; i < task->datum_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        orr_starvz_put_hexadecimal(file, task->accesses[i].datum.number + 1);
    }
    orr_trace_put(file, ",0,");
    put_parents(starvz, task);
    orr_trace_put(file, ",,,");
    if (task->coordinate_count > 0)
        orr_trace_put_count(file,
                            task->coordinates[task->coordinate_count - 1]);
    orr_trace_put_char(file, ',');
    orr_starvz_put_name(file, task->name);
    orr_trace_put_char(file, ',');
    orr_starvz_put_name(file, task->kernel);
    orr_trace_put_char(file, ',');
    orr_trace_put_time(file, task->priority, 0);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->worker);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->memory_node);
    orr_trace_put_char(file, ',');
    orr_starvz_put_time(file, task->kernel_started);
    orr_trace_put_char(file, ',');
    orr_starvz_put_time(file, task->kernel_ended);
    orr_trace_put(file, ",,");
    put_modes(file, task);
    orr_trace_put_char(file, ',');
    for (unsigned i = 0; i < task->datum_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        orr_trace_put_count(file, task->accesses[i].datum.bytes);
    }
    orr_trace_put_char(file, '\n');
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct orr_starvz *starvz = (struct orr_starvz *)trace;

    orr_starvz_meet_worker(starvz, task);
    for (unsigned i = 0; i < task->datum_count; i++)
        orr_starvz_meet_datum(starvz, &task->accesses[i].datum);
    put_state(starvz, task);
    put_record(starvz, task);
    starvz->last = MAX(starvz->last, task->kernel_ended);
}

/* StarPU's name of a copy. */
static const char *type_of(const struct orr_trace_copy *copy)
{
    return strcmp(copy->why, "prefetch") == 0 ? "PreFetch"
           : strcmp(copy->why, "idle") == 0   ? "IdleFetch"
                                              : "Fetch";
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct orr_starvz *starvz = (struct orr_starvz *)trace;
    struct orr_trace_file *file = &starvz->files[ORR_STARVZ_LINK];

    orr_starvz_meet_node(starvz, copy->from_node);
    orr_starvz_meet_node(starvz, copy->to_node);
    orr_starvz_meet_datum(starvz, &copy->datum);
    orr_trace_put(file, "Link, program, Intra-node data ");
    orr_trace_put(file, type_of(copy));
    orr_trace_put(file, ", ");
    orr_starvz_put_span(file, copy->started, copy->ended);
    orr_trace_put(file, ", ");
    orr_trace_put_count(file, copy->bytes);
    orr_trace_put(file, ", MEMMANAGER");
    orr_trace_put_count(file, copy->from_node);
    orr_trace_put(file, ", MEMMANAGER");
    orr_trace_put_count(file, copy->to_node);
    orr_trace_put(file, ", com_");
    orr_trace_put_count(file, starvz->copies++);
    orr_trace_put(file, ", , , , ");
    orr_starvz_put_hexadecimal(file, copy->data + 1);
    orr_trace_put_char(file, '\n');
    orr_trace_counters_pass(&starvz->counters,
                            ORR_STARVZ_OUT +
                                ORR_STARVZ_OF_MEMORY * copy->from_node,
                            copy->started, copy->ended, copy->bytes);
    orr_trace_counters_pass(
        &starvz->counters, ORR_STARVZ_IN + ORR_STARVZ_OF_MEMORY * copy->to_node,
        copy->started, copy->ended, copy->bytes);
    starvz->last = MAX(starvz->last, copy->ended);
}

/* ---- the trace ---- */

static void starvz_free(struct orr_trace *trace)
{
    struct orr_starvz *starvz = (struct orr_starvz *)trace;

    for (unsigned i = 0; i < ORR_STARVZ_TABLES; i++)
        orr_trace_file_clear(&starvz->files[i]);
    orr_trace_counters_clear(&starvz->counters);
    g_array_unref(starvz->workers);
    g_array_unref(starvz->data);
    g_free(starvz->path);
    g_free(starvz);
}

/* Opens the tables, with their titles. */
static bool open_tables(struct orr_starvz *starvz, GError **error)
{
    g_autofree char *parent = orr_new_folder_parent(starvz->path);

    for (unsigned i = 0; i < ORR_STARVZ_TABLES; i++) {
        g_autofree char *path =
            g_build_filename(starvz->path, tables[i].name, NULL);

        if (!orr_trace_file_open_in(&starvz->files[i], parent, path, error))
            return false;
        orr_trace_put(&starvz->files[i], tables[i].titles);
        orr_trace_put_char(&starvz->files[i], '\n');
    }
    orr_starvz_begin(starvz);
    return true;
}

static struct orr_trace *starvz_open(const char *path,
                                     const struct orr_settings *settings,
                                     GError **error)
{
    struct orr_starvz *starvz;

    (void)settings;
    if (!orr_new_folder_check(path, error))
        return NULL;
    starvz = g_new0(struct orr_starvz, 1);
    starvz->trace = (struct orr_trace){
        .task = put_task,
        .copy = put_copy,
        .eviction = put_eviction,
        .allocation = put_allocation,
        .ready = put_ready,
        .wants = ORR_TRACE_PARENTS,
    };
    starvz->path = orr_new_folder_name(path);
    starvz->workers = g_array_new(FALSE, TRUE, sizeof(bool));
    starvz->data = g_array_new(FALSE, TRUE, sizeof(bool));
    starvz->counters.put = orr_starvz_put_variable;
    starvz->counters.data = starvz;
    orr_trace_counters_init(&starvz->counters);
    if (open_tables(starvz, error))
        return &starvz->trace;
    starvz_free(&starvz->trace);
    return NULL;
}

static bool starvz_finish(struct orr_trace *trace, bool complete,
                          GError **error)
{
    struct orr_starvz *starvz = (struct orr_starvz *)trace;
    struct orr_trace_file *events = &starvz->files[ORR_STARVZ_EVENTS];

    orr_trace_counters_end(&starvz->counters, starvz->last);
    if (!complete) {
        orr_trace_put(events, "Event, program, program event type, ");
        orr_starvz_put_time(events, starvz->last);
        orr_trace_put(events, ", unfinished, , , , , \n");
    }
    for (unsigned i = 0; i < ORR_STARVZ_TABLES; i++)
        if (!orr_trace_file_finish(&starvz->files[i], error))
            return false;
    return true;
}

static bool starvz_move(struct orr_trace *trace, GError **error)
{
    struct orr_starvz *starvz = (struct orr_starvz *)trace;
    struct orr_new_folder folder;
    bool good = orr_new_folder_begin(&folder, starvz->path, error);

    for (unsigned i = 0; good && i < ORR_STARVZ_TABLES; i++) {
        g_autofree char *place =
            g_build_filename(folder.draft, tables[i].name, NULL);

        good = orr_draft_move_to(&starvz->files[i].draft, place, error);
    }
    return orr_new_folder_end(&folder, good, error);
}

const struct orr_trace_format orr_trace_starvz = {
    .name = "starvz",
    .files = orr_trace_one_folder,
    .open = starvz_open,
    .finish = starvz_finish,
    .move = starvz_move,
    .free = starvz_free,
};
