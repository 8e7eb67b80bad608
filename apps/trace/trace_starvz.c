/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A folder with the tables that the first phase of StarVZ makes from the output
 * of starpu_fxt_tool and pj_dump: paje.* with a comma and a blank between
 * fields, rec.* and dag with a comma. Tables that are empty for a run on one
 * machine have only their titles. StarVZ removes quotation marks, so names have
 * none: quotation marks become ', commas ; and control characters blanks. Dates
 * are in ms.
 */
#include <string.h>

#include "apps/trace/trace_counters.h"
#include "apps/trace/trace_file.h"
#include "apps/trace/trace_format.h"
#include "models/base/folder.h"
#include "models/platform/platform.h"
#include "runtime/orrery.h"
#include "runtime/orrery_trace.h"

enum starvz_table {
    STARVZ_ENTITIES,
    STARVZ_WORKER_STATE,
    STARVZ_MEMORY_STATE,
    STARVZ_COMM_STATE,
    STARVZ_OTHER_STATE,
    STARVZ_VARIABLE,
    STARVZ_LINK,
    STARVZ_EVENTS,
    STARVZ_TASKS,
    STARVZ_DATA,
    STARVZ_DAG,
    STARVZ_TABLES
};

/* Figures over time: the number of ready tasks, and three for each memory. */
enum {
    STARVZ_READY = 0,
    STARVZ_USED = 1,
    STARVZ_IN = 2,
    STARVZ_OUT = 3,
    STARVZ_OF_MEMORY = 3,
    STARVZ_FIGURES = STARVZ_USED + STARVZ_OF_MEMORY * ORR_MAX_NODES
};

/* The beginning of each line of a figure. */
struct starvz_begin {
    char text[56];
    size_t size;
};

struct starvz {
    struct orr_trace trace; /* first */
    char *path;
    struct orr_trace_file files[STARVZ_TABLES];
    struct orr_trace_counters counters;
    struct starvz_begin begins[STARVZ_FIGURES];
    int64_t memory[ORR_MAX_NODES]; /* bytes of buffers, by memory node */
    bool nodes[ORR_MAX_NODES];     /* by memory node: it is in entities.csv */
    GArray *workers; /* bool, by index: the worker is in entities.csv */
    GArray *data;    /* bool, by number: the datum is in rec.data_handles */
    uint64_t copies;
    int64_t last; /* date of the last end */
};

static inline void starvz_put_time(struct orr_trace_file *file, int64_t ns)
{
    orr_trace_put_time(file, ns, 6);
}

static inline void starvz_put_hexadecimal(struct orr_trace_file *file,
                                          uint64_t number)
{
    char text[2 * ORR_DIGITS];
    char *end = text + ORR_DIGITS;
    char *at = end;

    do
        *--at = "0123456789abcdef"[number % 16];
    while (number /= 16);
    orr_trace_put_number(file, at, end);
}

/* ---- entities, each written once, and figures ---- */

/* Writes a name without quotation marks and commas. */
static void starvz_put_name(struct orr_trace_file *file, const char *text)
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

/* Writes "START, END, DURATION". */
static void starvz_put_span(struct orr_trace_file *file, int64_t from,
                            int64_t to)
{
    starvz_put_time(file, from);
    orr_trace_put(file, ", ");
    starvz_put_time(file, to);
    orr_trace_put(file, ", ");
    starvz_put_time(file, to - from);
}

static void begin_lines(struct starvz *starvz, unsigned figure,
                        const char *container, const char *type)
{
    struct starvz_begin *begin = &starvz->begins[figure];

    begin->size = (size_t)g_snprintf(begin->text, sizeof(begin->text),
                                     "Variable, %s, %s, ", container, type);
    g_assert(begin->size < sizeof(begin->text));
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

/* Writes the entities that exist before the run. */
static void starvz_begin(struct starvz *starvz)
{
    orr_trace_put(&starvz->files[STARVZ_ENTITIES], program);
    begin_lines(starvz, STARVZ_READY, "scheduler", "Number of Ready Tasks");
}

/* Writes the memory @node, unless it has been written. */
static void starvz_define_node(struct starvz *starvz, unsigned node)
{
    static const char *const figures[STARVZ_OF_MEMORY] = {
        "Used (MB)", "Bandwidth In (MB/s)", "Bandwidth Out (MB/s)"};
    struct orr_trace_file *file = &starvz->files[STARVZ_ENTITIES];
    char manager[24];

    if (starvz->nodes[node])
        return;
    starvz->nodes[node] = true;
    orr_trace_printf(file,
                     "program, MEMNODE%u, Memory Node, Container\n"
                     "MEMNODE%u, MEMMANAGER%u, Memory Manager, Container\n",
                     node, node, node);
    g_snprintf(manager, sizeof(manager), "MEMMANAGER%u", node);
    for (unsigned i = 0; i < STARVZ_OF_MEMORY; i++) {
        orr_trace_printf(file, "%s, %s, %s, Variable\n", manager, figures[i],
                         figures[i]);
        begin_lines(starvz, STARVZ_USED + STARVZ_OF_MEMORY * node + i, manager,
                    figures[i]);
    }
}

/* Adds @number to @seen. Returns whether it was new. */
static bool is_new(GArray *seen, uint64_t number)
{
    bool before;

    if (number >= seen->len)
        g_array_set_size(seen, (guint)number + 1);
    before = g_array_index(seen, bool, number);
    g_array_index(seen, bool, number) = true;
    return !before;
}

static void starvz_define_worker(struct starvz *starvz,
                                 const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[STARVZ_ENTITIES];

    if (!is_new(starvz->workers, task->worker))
        return;
    starvz_define_node(starvz, task->memory_node);
    orr_trace_printf(file, "MEMNODE%u, T%u, Thread, Container\nT%u, ",
                     task->memory_node, task->worker, task->worker);
    starvz_put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker, Container\n");
    starvz_put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker State, Worker State, State\n");
}

static void starvz_define_datum(struct starvz *starvz,
                                const struct orr_trace_datum *datum)
{
    struct orr_trace_file *file = &starvz->files[STARVZ_DATA];

    if (!is_new(starvz->data, datum->number))
        return;
    orr_trace_printf(file, "%" G_GINT64_MODIFIER "x,0,0,%" G_GUINT64_FORMAT ",",
                     datum->number + 1, datum->bytes);
    if (datum->name)
        starvz_put_name(file, datum->name);
    orr_trace_put(file, ",,");
    if (datum->has_coordinates)
        orr_trace_printf(file, "%u %u", datum->row, datum->column);
    orr_trace_put_char(file, '\n');
}

/* Writes a line of a figure: orr_trace_counters.put of a struct starvz. */
static void starvz_put_variable(void *data, unsigned figure, int64_t from,
                                int64_t to, int64_t value)
{
    struct starvz *starvz = data;
    struct orr_trace_file *file = &starvz->files[STARVZ_VARIABLE];
    const struct starvz_begin *begin = &starvz->begins[figure];

    memcpy(orr_trace_room(file, sizeof(begin->text)), begin->text,
           sizeof(begin->text));
    file->used += begin->size;
    starvz_put_span(file, from, to);
    orr_trace_put(file, ", ");
    if (figure == STARVZ_READY) {
        orr_trace_put_count(file, (uint64_t)value);
        orr_trace_put(file, ".000000\n");
    } else {
        orr_trace_put_time(file, value, 6);
        orr_trace_put_char(file, '\n');
    }
}

#define STATE "Nature, ResourceId, Type, Start, End, Duration, Depth, Value"

static const struct {
    const char *name, *titles;
} tables[STARVZ_TABLES] = {
    [STARVZ_ENTITIES] = {"entities.csv", "Parent, Name, Type, Nature"},
    [STARVZ_WORKER_STATE] =
        {"paje.worker_state.csv.gz",
         STATE ", Size, Params, Footprint, Tag, JobId, SubmitOrder, "
               "GFlop, X, Y, Iteration, Subiteration, NumaNodes"},
    [STARVZ_MEMORY_STATE] = {"paje.memory_state.csv.gz", STATE},
    [STARVZ_COMM_STATE] = {"paje.comm_state.csv.gz", STATE},
    [STARVZ_OTHER_STATE] = {"paje.other_state.csv.gz", STATE},
    [STARVZ_VARIABLE] =
        {"paje.variable.csv.gz",
         "Nature, ResourceId, Type, Start, End, Duration, Value"},
    [STARVZ_LINK] =
        {"paje.link.csv.gz",
         "Nature, Container, Type, Start, End, Duration, Size, Origin, "
         "Dest, Key, Tag, MPIType, Priority, Handle"},
    [STARVZ_EVENTS] =
        {"paje.events.csv.gz",
         "Nature, Container, Type, Start, Value, Handle, Info, Size, "
         "Tid, Src"},
    [STARVZ_TASKS] =
        {"rec.tasks.csv.gz",
         "Control,JobId,SubmitOrder,SubmitTime,Handles,MPIRank,DependsOn,"
         "Tag,Footprint,Iteration,Name,Model,Priority,WorkerId,"
         "MemoryNode,StartTime,EndTime,Parameters,Modes,Sizes"},
    [STARVZ_DATA] =
        {"rec.data_handles.csv.gz",
         "Handle,HomeNode,MPIRank,Size,Name,Description,Coordinates"},
    [STARVZ_DAG] = {"dag.csv.gz", "Dependent,JobId"},
};

/* ---- figures over time ---- */

static void put_ready(struct orr_trace *trace,
                      const struct orr_trace_ready *ready)
{
    orr_trace_counters_set(&((struct starvz *)trace)->counters, STARVZ_READY,
                           ready->date, (int64_t)ready->count);
}

static void change_memory(struct starvz *starvz, unsigned node, int64_t date,
                          int64_t bytes)
{
    starvz_define_node(starvz, node);
    starvz->memory[node] += bytes;
    orr_trace_counters_set(&starvz->counters,
                           STARVZ_USED + STARVZ_OF_MEMORY * node, date,
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

/* Returns the first datum with coordinates that @task writes. */
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
    struct orr_trace_file *file = &starvz->files[STARVZ_WORKER_STATE];
    const struct orr_trace_datum *result = find_result(task);
    uint64_t bytes = 0;

    for (unsigned i = 0; i < task->datum_count; i++)
        bytes += task->accesses[i].datum.bytes;
    orr_trace_put(file, "State, ");
    starvz_put_name(file, task->worker_name);
    orr_trace_put(file, ", Worker State, ");
    starvz_put_span(file, task->kernel_started, task->kernel_ended);
    orr_trace_put(file, ", 0.000000, ");
    starvz_put_name(file, task->name);
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

static void put_parents(struct starvz *starvz,
                        const struct orr_trace_task *task)
{
    struct orr_trace_file *dag = &starvz->files[STARVZ_DAG];
    struct orr_trace_file *tasks = &starvz->files[STARVZ_TASKS];

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
    for (unsigned i = 0; i < task->datum_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        orr_trace_put(file, orr_access_mode_name(task->accesses[i].mode &
                                                 (ORR_RW | ORR_REDUX)));
    }
}

static void put_record(struct starvz *starvz, const struct orr_trace_task *task)
{
    struct orr_trace_file *file = &starvz->files[STARVZ_TASKS];

    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->order + 1);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->order + 1);
    orr_trace_put_char(file, ',');
    starvz_put_time(file, task->submitted);
    orr_trace_put_char(file, ',');
    for (unsigned i = 0; i < task->datum_count; i++) {
        if (i > 0)
            orr_trace_put_char(file, ' ');
        starvz_put_hexadecimal(file, task->accesses[i].datum.number + 1);
    }
    orr_trace_put(file, ",0,");
    put_parents(starvz, task);
    orr_trace_put(file, ",,,");
    if (task->coordinate_count > 0)
        orr_trace_put_count(file,
                            task->coordinates[task->coordinate_count - 1]);
    orr_trace_put_char(file, ',');
    starvz_put_name(file, task->name);
    orr_trace_put_char(file, ',');
    starvz_put_name(file, task->kernel);
    orr_trace_put_char(file, ',');
    orr_trace_put_time(file, task->priority, 0);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->worker);
    orr_trace_put_char(file, ',');
    orr_trace_put_count(file, task->memory_node);
    orr_trace_put_char(file, ',');
    starvz_put_time(file, task->kernel_started);
    orr_trace_put_char(file, ',');
    starvz_put_time(file, task->kernel_ended);
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
    struct starvz *starvz = (struct starvz *)trace;

    starvz_define_worker(starvz, task);
    for (unsigned i = 0; i < task->datum_count; i++)
        starvz_define_datum(starvz, &task->accesses[i].datum);
    put_state(starvz, task);
    put_record(starvz, task);
    starvz->last = MAX(starvz->last, task->kernel_ended);
}

/* Returns StarPU's name for the kind of a copy. */
static const char *type_of(const struct orr_trace_copy *copy)
{
    return strcmp(copy->why, "prefetch") == 0 ? "PreFetch"
           : strcmp(copy->why, "idle") == 0   ? "IdleFetch"
                                              : "Fetch";
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct starvz *starvz = (struct starvz *)trace;
    struct orr_trace_file *file = &starvz->files[STARVZ_LINK];

    starvz_define_node(starvz, copy->from_node);
    starvz_define_node(starvz, copy->to_node);
    starvz_define_datum(starvz, &copy->datum);
    orr_trace_put(file, "Link, program, Intra-node data ");
    orr_trace_put(file, type_of(copy));
    orr_trace_put(file, ", ");
    starvz_put_span(file, copy->started, copy->ended);
    orr_trace_put(file, ", ");
    orr_trace_put_count(file, copy->bytes);
    orr_trace_put(file, ", MEMMANAGER");
    orr_trace_put_count(file, copy->from_node);
    orr_trace_put(file, ", MEMMANAGER");
    orr_trace_put_count(file, copy->to_node);
    orr_trace_put(file, ", com_");
    orr_trace_put_count(file, starvz->copies++);
    orr_trace_put(file, ", , , , ");
    starvz_put_hexadecimal(file, copy->data + 1);
    orr_trace_put_char(file, '\n');
    orr_trace_counters_pass(&starvz->counters,
                            STARVZ_OUT + STARVZ_OF_MEMORY * copy->from_node,
                            copy->started, copy->ended, copy->bytes);
    orr_trace_counters_pass(&starvz->counters,
                            STARVZ_IN + STARVZ_OF_MEMORY * copy->to_node,
                            copy->started, copy->ended, copy->bytes);
    starvz->last = MAX(starvz->last, copy->ended);
}

/* ---- the trace ---- */

static void starvz_free(struct orr_trace *trace)
{
    struct starvz *starvz = (struct starvz *)trace;

    for (unsigned i = 0; i < STARVZ_TABLES; i++)
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

    for (unsigned i = 0; i < STARVZ_TABLES; i++) {
        g_autofree char *path =
            g_build_filename(starvz->path, tables[i].name, NULL);

        if (!orr_trace_file_open_in(&starvz->files[i], parent, path, error))
            return false;
        orr_trace_put(&starvz->files[i], tables[i].titles);
        orr_trace_put_char(&starvz->files[i], '\n');
    }
    starvz_begin(starvz);
    return true;
}

static struct orr_trace *
starvz_open(const char *path, const struct orr_traced_run *run, GError **error)
{
    struct starvz *starvz;

    (void)run;
    if (!orr_new_folder_check(path, error))
        return NULL;
    starvz = g_new0(struct starvz, 1);
    starvz->trace = (struct orr_trace){
        ORR_TRACE_INIT,
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
    starvz->counters.put = starvz_put_variable;
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
    struct orr_trace_file *events = &starvz->files[STARVZ_EVENTS];

    orr_trace_counters_end(&starvz->counters, starvz->last);
    if (!complete) {
        orr_trace_put(events, "Event, program, program event type, ");
        starvz_put_time(events, starvz->last);
        orr_trace_put(events, ", unfinished, , , , , \n");
    }
    for (unsigned i = 0; i < STARVZ_TABLES; i++)
        if (!orr_trace_file_finish(&starvz->files[i], error))
            return false;
    return true;
}

static bool starvz_move(struct orr_trace *trace, GError **error)
{
    struct starvz *starvz = (struct starvz *)trace;
    struct orr_new_folder folder;
    bool good = orr_new_folder_begin(&folder, starvz->path, error);

    for (unsigned i = 0; good && i < STARVZ_TABLES; i++) {
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
