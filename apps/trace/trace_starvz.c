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

#include "apps/trace/trace_counters.h"
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "models/base/folder.h"
#include "models/platform/platform.h"
#include "runtime/orrery.h"

enum table {
    ENTITIES,
    WORKER_STATE,
    MEMORY_STATE,
    COMM_STATE,
    OTHER_STATE,
    VARIABLE,
    LINK,
    EVENTS,
    TASKS,
    DATA,
    DAG,
    TABLES
};

#define STATE "Nature, ResourceId, Type, Start, End, Duration, Depth, Value"

static const struct {
    const char *name, *titles;
} tables[TABLES] = {
    [ENTITIES] = {"entities.csv", "Parent, Name, Type, Nature"},
    [WORKER_STATE] = {"paje.worker_state.csv.gz", STATE
                      ", Size, Params, Footprint, Tag, JobId, SubmitOrder, "
                      "GFlop, X, Y, Iteration, Subiteration, NumaNodes"},
    [MEMORY_STATE] = {"paje.memory_state.csv.gz", STATE},
    [COMM_STATE] = {"paje.comm_state.csv.gz", STATE},
    [OTHER_STATE] = {"paje.other_state.csv.gz", STATE},
    [VARIABLE] = {"paje.variable.csv.gz",
                  "Nature, ResourceId, Type, Start, End, Duration, Value"},
    [LINK] = {"paje.link.csv.gz",
              "Nature, Container, Type, Start, End, Duration, Size, Origin, "
              "Dest, Key, Tag, MPIType, Priority, Handle"},
    [EVENTS] = {"paje.events.csv.gz",
                "Nature, Container, Type, Start, Value, Handle, Info, Size, "
                "Tid, Src"},
    [TASKS] = {"rec.tasks.csv.gz",
               "Control,JobId,SubmitOrder,SubmitTime,Handles,MPIRank,DependsOn,"
               "Tag,Footprint,Iteration,Name,Model,Priority,WorkerId,"
               "MemoryNode,StartTime,EndTime,Parameters,Modes,Sizes"},
    [DATA] = {"rec.data_handles.csv.gz",
              "Handle,HomeNode,MPIRank,Size,Name,Description,Coordinates"},
    [DAG] = {"dag.csv.gz", "Dependent,JobId"},
};

/* Figures over time: the number of ready tasks, and three of each memory. */
enum { READY = 0, USED = 1, IN = 2, OUT = 3, OF_MEMORY = 3 };

struct starvz {
    struct orr_trace trace; /* first */
    char *path;
    struct orr_trace_file files[TABLES];
    struct orr_trace_counters counters;
    int64_t memory[ORR_MAX_NODES]; /* bytes of buffers, by memory node */
    bool nodes[ORR_MAX_NODES];     /* those in entities.csv */
    GArray *workers;               /* bool, by index: in entities.csv */
    GArray *data;                  /* bool, by number: in rec.data_handles */
    uint64_t copies;
    int64_t last; /* date of the last end */
};

static void put_name(struct orr_trace_file *file, const char *text)
{
    g_autofree char *valid = NULL;

    if (orr_trace_put_plain(file, text, ORR_TRACE_QUOTES | ORR_TRACE_COMMAS))
        return;
    valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid; *at; at++) {
        char c = *at;

        if ((unsigned char)c < ' ' || c == '\177')
            c = ' ';
        else if (c == '"')
            c = '\'';
        else if (c == ',')
            c = ';';
        orr_trace_put_char(file, c);
    }
}

static void put_time(struct orr_trace_file *file, int64_t ns)
{
    orr_trace_put_time(file, ns, 6);
}

/* ", START, END, DURATION" */
static void put_span(struct orr_trace_file *file, int64_t from, int64_t to)
{
    orr_trace_put(file, ", ");
    put_time(file, from);
    orr_trace_put(file, ", ");
    put_time(file, to);
    orr_trace_put(file, ", ");
    put_time(file, to - from);
}

static const char program[] =
    "0, 0, 0, Container\n"
    "0, root, MPI Program, Container\n"
    "root, program, Program, Container\n"
    "program, program event type, program event type, Event\n"
    "program, Intra-node data Fetch, Intra-node data Fetch, Link\n"
    "program, Intra-node data PreFetch, Intra-node data PreFetch, Link\n"
    "program, Intra-node data IdleFetch, Intra-node data IdleFetch, Link\n"
    "program, scheduler, Scheduler State, Container\n"
    "scheduler, Number of Ready Tasks, Number of Ready Tasks, Variable\n";

static void meet_node(struct starvz *starvz, unsigned node)
{
    if (starvz->nodes[node])
        return;
    starvz->nodes[node] = true;
    orr_trace_printf(
        &starvz->files[ENTITIES],
        "program, MEMNODE%u, Memory Node, Container\n"
        "MEMNODE%u, MEMMANAGER%u, Memory Manager, Container\n"
        "MEMMANAGER%u, Used (MB), Used (MB), Variable\n"
        "MEMMANAGER%u, Bandwidth In (MB/s), Bandwidth In (MB/s), Variable\n"
        "MEMMANAGER%u, Bandwidth Out (MB/s), Bandwidth Out (MB/s), Variable\n",
        node, node, node, node, node, node);
}

/* Whether @number was not in @seen, where it is from now on. */
static bool is_new(GArray *seen, uint64_t number)
{
    bool before;

    if (number >= seen->len)
        g_array_set_size(seen, (guint)number + 1);
    before = g_array_index(seen, bool, number);
    g_array_index(seen, bool, number) = true;
    return !before;
}

static void meet_worker(struct starvz *starvz,
                        const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[ENTITIES];

    if (!is_new(starvz->workers, task->worker))
        return;
    meet_node(starvz, task->memory_node);
    orr_trace_printf(file, "MEMNODE%u, T%u, Thread, Container\nT%u, ",
                     task->memory_node, task->worker, task->worker);
    put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker, Container\n");
    put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker State, Worker State, State\n");
}

static void meet_datum(struct starvz *starvz,
                       const struct orr_trace_datum *datum)
{
    struct orr_trace_file *file = &starvz->files[DATA];

    if (!is_new(starvz->data, datum->number))
        return;
    orr_trace_printf(file, "%" G_GINT64_MODIFIER "x,0,0,%" G_GUINT64_FORMAT ",",
                     datum->number + 1, datum->bytes);
    if (datum->name)
        put_name(file, datum->name);
    orr_trace_put(file, ",,");
    if (datum->has_coordinates)
        orr_trace_printf(file, "%u %u", datum->row, datum->column);
    orr_trace_put_char(file, '\n');
}

static void put_variable(void *data, unsigned figure, int64_t from, int64_t to,
                         int64_t value)
{
    static const char *const names[] = {"Used (MB)", "Bandwidth In (MB/s)",
                                        "Bandwidth Out (MB/s)"};
    struct starvz *starvz = data;
    struct orr_trace_file *file = &starvz->files[VARIABLE];
    unsigned of = figure - USED;

    if (figure == READY) {
        orr_trace_put(file, "Variable, scheduler, Number of Ready Tasks");
    } else {
        orr_trace_put(file, "Variable, MEMMANAGER");
        orr_trace_put_count(file, of / OF_MEMORY);
        orr_trace_put(file, ", ");
        orr_trace_put(file, names[of % OF_MEMORY]);
    }
    put_span(file, from, to);
    orr_trace_put(file, ", ");
    orr_trace_put_time(file, figure == READY ? value * 1000000 : value, 6);
    orr_trace_put_char(file, '\n');
}

static void put_ready(struct orr_trace *trace,
                      const struct orr_trace_ready *ready)
{
    orr_trace_counters_set(&((struct starvz *)trace)->counters, READY,
                           ready->date, (int64_t)ready->count);
}

static void change_memory(struct starvz *starvz, unsigned node, int64_t date,
                          int64_t bytes)
{
    meet_node(starvz, node);
    starvz->memory[node] += bytes;
    orr_trace_counters_set(&starvz->counters, USED + OF_MEMORY * node, date,
                           starvz->memory[node]);
}

static void put_allocation(struct orr_trace *trace,
                           const struct orr_trace_allocation *allocation)
{
    change_memory((struct starvz *)trace, allocation->memory_node,
                  allocation->date, (int64_t)allocation->datum.bytes);
}

static void put_eviction(struct orr_trace *trace,
                         const struct orr_trace_eviction *eviction)
{
    change_memory((struct starvz *)trace, eviction->memory_node, eviction->date,
                  -(int64_t)eviction->datum.bytes);
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

static void put_state(struct starvz *starvz, const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[WORKER_STATE];
    const struct orr_trace_datum *result = find_result(task);
    uint64_t bytes = 0;

    for (unsigned i = 0; i < task->datum_count; i++)
        bytes += task->accesses[i].datum.bytes;
    orr_trace_put(file, "State, ");
    put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker State");
    put_span(file, task->kernel_started, task->kernel_ended);
    orr_trace_put(file, ", 0.000000, ");
    put_name(file, task->name);
    orr_trace_put(file, ", ");
    orr_trace_put_count(file, bytes);
    orr_trace_put(file, ", , , , ");
    orr_trace_put_count(file, task->order + 1);
    orr_trace_put(file, ", ");
    orr_trace_put_count(file, task->order + 1);
    if (result)
        orr_trace_printf(file, ", , %u, %u, ", result->row, result->column);
    else
        orr_trace_put(file, ", , , , ");
    if (task->coordinate_count > 0)
        orr_trace_put_count(file,
                            task->coordinates[task->coordinate_count - 1]);
    orr_trace_put(file, ", , \n");
}

static void put_parents(struct starvz *starvz,
                        const struct orr_trace_task *task)
{
    struct orr_trace_file *dag = &starvz->files[DAG];
    struct orr_trace_file *tasks = &starvz->files[TASKS];

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
        orr_trace_put(file, i > 0 ? " " : "");
        orr_trace_put(file,
                      modes[task->accesses[i].mode & (ORR_RW | ORR_REDUX)]);
    }
}

static void put_record(struct starvz *starvz, const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[TASKS];

    orr_trace_printf(file, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",",
                     task->order + 1, task->order + 1);
    put_time(file, task->submitted);
    orr_trace_put_char(file, ',');
    for (unsigned i = 0; i < task->datum_count; i++)
        orr_trace_printf(file, "%s%" G_GINT64_MODIFIER "x", i > 0 ? " " : "",
                         task->accesses[i].datum.number + 1);
    orr_trace_put(file, ",0,");
    put_parents(starvz, task);
    orr_trace_put(file, ",,,");
    if (task->coordinate_count > 0)
        orr_trace_put_count(file,
                            task->coordinates[task->coordinate_count - 1]);
    orr_trace_put_char(file, ',');
    put_name(file, task->name);
    orr_trace_put_char(file, ',');
    put_name(file, task->kernel);
    orr_trace_printf(file, ",%d,%u,%u,", task->priority, task->worker,
                     task->memory_node);
    put_time(file, task->kernel_started);
    orr_trace_put_char(file, ',');
    put_time(file, task->kernel_ended);
    orr_trace_put(file, ",,");
    put_modes(file, task);
    orr_trace_put_char(file, ',');
    for (unsigned i = 0; i < task->datum_count; i++) {
        orr_trace_put(file, i > 0 ? " " : "");
        orr_trace_put_count(file, task->accesses[i].datum.bytes);
    }
    orr_trace_put_char(file, '\n');
}

static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct starvz *starvz = (struct starvz *)trace;

    meet_worker(starvz, task);
    for (unsigned i = 0; i < task->datum_count; i++)
        meet_datum(starvz, &task->accesses[i].datum);
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
    struct starvz *starvz = (struct starvz *)trace;
    struct orr_trace_file *file = &starvz->files[LINK];

    meet_node(starvz, copy->from_node);
    meet_node(starvz, copy->to_node);
    meet_datum(starvz, &copy->datum);
    orr_trace_put(file, "Link, program, Intra-node data ");
    orr_trace_put(file, type_of(copy));
    put_span(file, copy->started, copy->ended);
    orr_trace_printf(file,
                     ", %" G_GUINT64_FORMAT ", MEMMANAGER%u, MEMMANAGER%u, "
                     "com_%" G_GUINT64_FORMAT ", , , , %" G_GINT64_MODIFIER
                     "x\n",
                     copy->bytes, copy->from_node, copy->to_node,
                     starvz->copies++, copy->data + 1);
    orr_trace_counters_pass(&starvz->counters,
                            OUT + OF_MEMORY * copy->from_node, copy->started,
                            copy->ended, copy->bytes);
    orr_trace_counters_pass(&starvz->counters, IN + OF_MEMORY * copy->to_node,
                            copy->started, copy->ended, copy->bytes);
    starvz->last = MAX(starvz->last, copy->ended);
}

/* ---- the trace ---- */

static void starvz_free(struct orr_trace *trace)
{
    struct starvz *starvz = (struct starvz *)trace;

    for (unsigned i = 0; i < TABLES; i++)
        orr_trace_file_clear(&starvz->files[i]);
    orr_trace_counters_clear(&starvz->counters);
    g_array_unref(starvz->workers);
    g_array_unref(starvz->data);
    g_free(starvz->path);
    g_free(starvz);
}

/* Opens the tables, with their titles. */
static bool open_tables(struct starvz *starvz, GError **error)
{
    g_autofree char *parent = orr_new_folder_parent(starvz->path);

    for (unsigned i = 0; i < TABLES; i++) {
        g_autofree char *path =
            g_build_filename(starvz->path, tables[i].name, NULL);

        if (!orr_trace_file_open_in(&starvz->files[i], parent, path, error))
            return false;
        orr_trace_put(&starvz->files[i], tables[i].titles);
        orr_trace_put_char(&starvz->files[i], '\n');
    }
    orr_trace_put(&starvz->files[ENTITIES], program);
    return true;
}

static struct orr_trace *starvz_open(const char *path,
                                     const struct orr_settings *settings,
                                     GError **error)
{
    struct starvz *starvz;

    (void)settings;
    if (!orr_new_folder_check(path, error))
        return NULL;
    starvz = g_new0(struct starvz, 1);
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
    starvz->counters.put = put_variable;
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
    struct starvz *starvz = (struct starvz *)trace;
    struct orr_trace_file *events = &starvz->files[EVENTS];

    orr_trace_counters_end(&starvz->counters, starvz->last);
    if (!complete) {
        orr_trace_put(events, "Event, program, program event type, ");
        put_time(events, starvz->last);
        orr_trace_put(events, ", unfinished, , , , , \n");
    }
    for (unsigned i = 0; i < TABLES; i++)
        if (!orr_trace_file_finish(&starvz->files[i], error))
            return false;
    return true;
}

static bool starvz_move(struct orr_trace *trace, GError **error)
{
    struct starvz *starvz = (struct starvz *)trace;
    struct orr_new_folder folder;
    bool good = orr_new_folder_begin(&folder, starvz->path, error);

    for (unsigned i = 0; good && i < TABLES; i++) {
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
