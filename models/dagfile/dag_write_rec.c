/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes tasks.rec, data.rec and dag.dot. */
#include "models/base/writer.h"
#include "models/dagfile/dag_write_private.h"

/* A graph that is being written, and the file. */
struct records {
    const struct orr_dag_writing *writing;
    const struct orr_dag *dag;
    struct orr_writer *writer;
    double flops;               /* of the previous task */
    char gflop[ORR_DAG_NUMBER]; /* the text of @flops */
};

static void begin(struct records *records,
                  const struct orr_dag_writing *writing)
{
    records->writing = writing;
    records->dag = writing->dag;
    records->writer = g_new(struct orr_writer, 1);
    records->writer->file = writing->file;
    records->writer->used = 0;
    records->flops = -1;
}

static void end(struct records *records)
{
    orr_writer_flush(records->writer);
    g_free(records->writer);
}

/* Writes a line: @field, "Name: ", and the text; no line without a text. */
static void put_text(const struct records *records, const char *field,
                     uint32_t text)
{
    if (!text)
        return;
    orr_writer_text(records->writer, field);
    orr_writer_text(records->writer, orr_dag_text(records->dag, text));
    orr_writer_char(records->writer, '\n');
}

/* Writes a line: @field, "JobId: ", and @count. */
static inline void put_count(const struct records *records, const char *field,
                             uint64_t count)
{
    orr_writer_text(records->writer, field);
    orr_writer_count(records->writer, count);
    orr_writer_char(records->writer, '\n');
}

/* Writes a line: @field, and @date, or a duration, in ms. */
static inline void put_date(const struct records *records, const char *field,
                            orr_time date)
{
    orr_writer_text(records->writer, field);
    orr_writer_decimal(records->writer, date, 6);
    orr_writer_char(records->writer, '\n');
}

static void put_dependencies(const struct records *records, uint32_t task)
{
    const struct orr_dag_nodes *nodes = &records->writing->before;

    if (nodes->counts[task] == 0)
        return;
    orr_writer_text(records->writer, "DependsOn:");
    for (uint32_t i = 0; i < nodes->counts[task]; i++) {
        orr_writer_char(records->writer, ' ');
        orr_writer_count(records->writer,
                         nodes->before[nodes->first[task] + i] + 1);
    }
    orr_writer_char(records->writer, '\n');
}

static void put_accesses(const struct records *records,
                         const struct orr_dag_task *task)
{
    const struct orr_dag *dag = records->dag;
    struct orr_writer *writer = records->writer;
    char mode[ORR_DAG_MODE];

    if (task[0].first_access == task[1].first_access)
        return;
    orr_writer_text(writer, "Handles:");
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        orr_writer_char(writer, ' ');
        orr_writer_hexadecimal(writer, dag->accesses[i].datum + UINT64_C(1));
    }
    orr_writer_text(writer, "\nModes:");
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        orr_writer_char(writer, ' ');
        orr_writer_text(writer, orr_dag_mode_text(dag->accesses[i].mode, mode));
    }
    orr_writer_text(writer, "\nSizes:");
    for (uint32_t i = task[0].first_access; i < task[1].first_access; i++) {
        orr_writer_char(writer, ' ');
        orr_writer_count(writer, dag->data[dag->accesses[i].datum].bytes);
    }
    orr_writer_char(writer, '\n');
}

static void put_device(const struct records *records, uint32_t number)
{
    const struct orr_dag_device *device;

    if (number == ORR_DAG_NONE)
        return;
    device = &records->dag->devices[number];
    if (device->worker != ORR_DAG_NONE)
        put_count(records, "WorkerId: ", device->worker);
    if (device->memory_node != ORR_DAG_NONE)
        put_count(records, "MemoryNode: ", device->memory_node);
}

static void put_dates(const struct records *records,
                      const struct orr_dag_dates *dates)
{
    if (dates->ended == 0)
        return;
    put_date(records, "SubmitTime: ", dates->submitted);
    put_date(records, "StartTime: ", dates->started);
    put_date(records, "EndTime: ", dates->ended);
}

/* Writes the fields that are known before the task runs. */
static void put_origin(const struct records *records, uint32_t number,
                       uint32_t order)
{
    const struct orr_dag_task *task = &records->dag->tasks[number];
    struct orr_writer *writer = records->writer;

    put_text(records, "Name: ", task->name);
    if (task->kernel == ORR_DAG_NONE)
        orr_writer_text(writer, "Synchronises: 1\n");
    else
        put_text(records, "Model: ", records->dag->kernels[task->kernel]);
    put_count(records, "JobId: ", number + UINT64_C(1));
    put_count(records, "SubmitOrder: ", order);
    orr_writer_text(writer, "Priority: ");
    orr_writer_decimal(writer, task->priority, 0);
    orr_writer_char(writer, '\n');
    if (task->critical != ORR_DAG_CRITICAL_UNKNOWN)
        orr_writer_text(writer, task->critical == ORR_DAG_CRITICAL
                                    ? "Critical: 1\n"
                                    : "Critical: 0\n");
    put_dependencies(records, number);
}

/* Writes GFlop. Consecutive tasks tend to have the same, whose text is kept. */
static void put_flops(struct records *records, double flops)
{
    char text[ORR_DAG_NUMBER];

    if (flops < records->flops || flops > records->flops) {
        g_strlcpy(records->gflop, orr_dag_number_text(flops / 1e9, text),
                  sizeof records->gflop);
        records->flops = flops;
    }
    orr_writer_text(records->writer, "GFlop: ");
    orr_writer_text(records->writer, records->gflop);
    orr_writer_char(records->writer, '\n');
}

static void put_task(struct records *records, uint32_t number, uint32_t order)
{
    const struct orr_dag *dag = records->dag;
    const struct orr_dag_task *task = &dag->tasks[number];
    struct orr_writer *writer = records->writer;

    put_origin(records, number, order);
    put_device(records, task->device);
    if (task->synchronous)
        orr_writer_text(writer, "Synchronous: 1\n");
    if (dag->dates)
        put_dates(records, &dag->dates[number]);
    else if (task->duration >= 0)
        put_date(records, "Duration: ", task->duration);
    if (task->footprint) {
        char text[9];

        g_snprintf(text, sizeof text, "%08x", task->footprint);
        orr_writer_text(writer, "Footprint: ");
        orr_writer_text(writer, text);
        orr_writer_char(writer, '\n');
    }
    if (task->flops >= 0)
        put_flops(records, task->flops);
    put_text(records, "Iteration: ", task->iteration);
    put_text(records, "Parameters: ", task->parameters);
    put_accesses(records, task);
    orr_writer_char(writer, '\n');
}

/* Whether @dag has dates, but not for all tasks with a kernel. */
static bool is_unfinished(const struct orr_dag *dag)
{
    for (uint32_t task = 0; dag->dates && task < dag->task_count; task++)
        if (dag->tasks[task].kernel != ORR_DAG_NONE &&
            dag->dates[task].ended == 0)
            return true;
    return false;
}

static void put_hint(const struct records *records,
                     const struct orr_dag_hint *hint, uint32_t order)
{
    put_count(records, "Control: WontUse\nSubmitOrder: ", order);
    orr_writer_text(records->writer, "Handles: ");
    orr_writer_hexadecimal(records->writer, hint->datum + UINT64_C(1));
    orr_writer_text(records->writer, "\n\n");
}

void orr_dag_write_rec(const struct orr_dag_writing *writing)
{
    const struct orr_dag *dag = writing->dag;
    struct records records;
    uint32_t order = 0;
    uint32_t hint = 0;

    begin(&records, writing);
    if (is_unfinished(dag))
        orr_writer_text(records.writer,
                        "# unfinished: tasks without EndTime did not end\n\n");
    for (uint32_t task = 0; task <= dag->task_count; task++) {
        for (; hint < dag->hint_count && dag->hints[hint].task <= task; hint++)
            put_hint(&records, &dag->hints[hint], ++order);
        if (task < dag->task_count)
            put_task(&records, task, ++order);
    }
    end(&records);
}

static void put_datum(const struct records *records, uint32_t number)
{
    const struct orr_dag_datum *datum = &records->dag->data[number];

    orr_writer_text(records->writer, "Handle: ");
    orr_writer_hexadecimal(records->writer, number + UINT64_C(1));
    orr_writer_text(records->writer, "\nHomeNode: ");
    orr_writer_decimal(records->writer, datum->home, 0);
    orr_writer_char(records->writer, '\n');
    if (datum->is_named || !datum->coordinates)
        put_text(records, "Name: ", datum->name);
    put_count(records, "Size: ", datum->bytes);
    put_text(records, "Description: ", datum->shape);
    put_text(records, "Coordinates: ", datum->coordinates);
    orr_writer_char(records->writer, '\n');
}

void orr_dag_write_rec_data(const struct orr_dag_writing *writing)
{
    struct records records;

    begin(&records, writing);
    for (uint32_t i = 0; i < writing->dag->datum_count; i++)
        put_datum(&records, i);
    end(&records);
}

/* Writes only dependencies; tasks are named by their JobId. */
void orr_dag_write_rec_dot(const struct orr_dag_writing *writing)
{
    const struct orr_dag_nodes *nodes = &writing->before;
    struct records records;
    struct orr_writer *writer;

    begin(&records, writing);
    writer = records.writer;
    orr_writer_text(writer, "digraph G {\n\tcolor=white\n\trankdir=LR;\n");
    for (uint32_t task = 0; task < nodes->count; task++) {
        char text[2 * ORR_DIGITS];
        const char *last = text + ORR_DIGITS;
        const char *number = orr_digits_put(text + ORR_DIGITS, task + 1);

        orr_writer_text(writer, "\t\"task_");
        orr_writer_number(writer, number, last);
        orr_writer_text(writer, "\"\n");
        for (uint32_t i = 0; i < nodes->counts[task]; i++) {
            orr_writer_text(writer, "\t\"task_");
            orr_writer_count(writer, nodes->before[nodes->first[task] + i] + 1);
            orr_writer_text(writer, "\"->\"task_");
            orr_writer_number(writer, number, last);
            orr_writer_text(writer, "\"\n");
        }
    }
    orr_writer_text(writer, "}\n");
    end(&records);
}
