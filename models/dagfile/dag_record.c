/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dagfile/dag_record.h"

#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_mark.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_record_private.h"

#define MAX_WORKER 1000000

const char *const orr_dag_field_names[ORR_DAG_FIELDS] = {
    [ORR_DAG_CONTROL] = "Control",
    [ORR_DAG_NAME] = "Name",
    [ORR_DAG_MODEL] = "Model",
    [ORR_DAG_JOB] = "JobId",
    [ORR_DAG_SUBMIT_ORDER] = "SubmitOrder",
    [ORR_DAG_PRIORITY] = "Priority",
    [ORR_DAG_DEPENDS_ON] = "DependsOn",
    [ORR_DAG_WORKER] = "WorkerId",
    [ORR_DAG_MEMORY_NODE] = "MemoryNode",
    [ORR_DAG_START] = "StartTime",
    [ORR_DAG_END] = "EndTime",
    [ORR_DAG_DURATION] = "Duration",
    [ORR_DAG_FOOTPRINT] = "Footprint",
    [ORR_DAG_GFLOP] = "GFlop",
    [ORR_DAG_ITERATION] = "Iteration",
    [ORR_DAG_PARAMETERS] = "Parameters",
    [ORR_DAG_HANDLES] = "Handles",
    [ORR_DAG_MODES] = "Modes",
    [ORR_DAG_SIZES] = "Sizes",
    [ORR_DAG_RANK] = "MPIRank",
    [ORR_DAG_HANDLE] = "Handle",
    [ORR_DAG_SYNCHRONISES] = "Synchronises",
    [ORR_DAG_SYNCHRONOUS] = "Synchronous",
    [ORR_DAG_CRITICAL_MARK] = "Critical",
    [ORR_DAG_WONT_USE] = "WontUse",
};

const char *const orr_dag_data_field_names[ORR_DAG_DATA_FIELDS] = {
    [ORR_DAG_DATA_HANDLE] = "Handle",
    [ORR_DAG_DATA_NAME] = "Name",
    [ORR_DAG_DATA_HOME] = "HomeNode",
    [ORR_DAG_DATA_SIZE] = "Size",
    [ORR_DAG_DATA_DESCRIPTION] = "Description",
    [ORR_DAG_DATA_COORDINATES] = "Coordinates",
    [ORR_DAG_DATA_RANK] = "MPIRank",
};

struct orr_dag_records *orr_dag_records_new(struct orr_dag_builder *builder)
{
    struct orr_dag_records *records = g_new0(struct orr_dag_records, 1);

    records->builder = builder;
    orr_dag_names_init(&records->addresses, &builder->texts);
    records->registrations =
        g_array_new(FALSE, FALSE, sizeof(struct orr_dag_registration));
    records->places = g_array_new(FALSE, TRUE, sizeof(struct orr_dag_address));
    records->order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    records->kept = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return records;
}

void orr_dag_records_close(struct orr_dag_records *records)
{
    orr_dag_names_clear(&records->addresses);
    g_clear_pointer(&records->registrations, g_array_unref);
    g_clear_pointer(&records->places, g_array_unref);
    g_clear_pointer(&records->occupants, g_free);
    g_clear_pointer(&records->sizes, g_array_unref);
}

void orr_dag_records_free(struct orr_dag_records *records)
{
    if (!records)
        return;
    orr_dag_records_close(records);
    g_array_unref(records->order);
    g_array_unref(records->kept);
    g_free(records);
}

void orr_dag_records_trust_handles(struct orr_dag_records *records)
{
    records->trusted = true;
}

bool orr_dag_record_fail_field(const struct orr_dag_records *records,
                               const char *name, const char *text,
                               const char *expected, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    return orr_dag_fail(records->builder, records->builder->line,
                        ORR_ERROR_VALUE, error, "%s: %s is not %s", name,
                        quoted, expected);
}

/* The task that is called @id; *@near: the last one at this place of a list,
 * for a guess. ORR_DAG_NONE with @error. */
static uint32_t refer(struct orr_dag_records *records, const char *id,
                      size_t length, uint32_t *near, GError **error)
{
    const struct orr_dag_names *ids = &records->builder->ids;

    if (orr_dag_names_is(ids, *near, id, length))
        return *near;
    if (orr_dag_names_is(ids, *near + 1, id, length))
        return ++*near;
    return *near = orr_dag_refer(records->builder, id, length, error);
}

static bool add_edges(struct orr_dag_records *records, uint32_t task,
                      const char *const *values, GError **error)
{
    const char *list = values[ORR_DAG_DEPENDS_ON];
    struct orr_dag_pending_edge
        edges[ORR_DAG_BATCH]; /* several are added at once */
    unsigned count = 0;
    char buffer[128];
    size_t length;

    while (orr_dag_given(list)) {
        const char *word = orr_dag_record_word(&list, &length);

        if (length == 0)
            break;
        if (count == ORR_DAG_BATCH) {
            if (!orr_dag_edges(records->builder, edges, count, error))
                return false;
            count = 0;
        }
        word = orr_dag_record_unique(word, &length, values[ORR_DAG_RANK],
                                     buffer, sizeof buffer);
        edges[count].after = task;
        edges[count].before =
            refer(records, word, length, &records->near_tasks[count], error);
        if (edges[count++].before == ORR_DAG_NONE)
            return false;
        records->has_edges = true;
    }
    return orr_dag_edges(records->builder, edges, count, error);
}

static bool set_duration(struct orr_dag_records *records,
                         struct orr_dag_task *task, const char *const *values,
                         GError **error)
{
    const enum orr_dag_field fields[] = {ORR_DAG_DURATION, ORR_DAG_START,
                                         ORR_DAG_END};
    orr_time times[3] = {-1, -1, -1};

    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++) {
        const char *text = values[fields[i]];

        if (orr_dag_given(text) && !orr_dag_scaled(text, 6, &times[i]))
            return orr_dag_record_fail_field(records,
                                             orr_dag_field_names[fields[i]],
                                             text, "a time in ms", error);
    }
    task->duration = times[0];
    if (times[1] < 0 || times[2] < 0)
        return true;
    records->has_dates = true;
    task->duration = times[2] - times[1];
    return task->duration >= 0 ||
           orr_dag_fail(records->builder, records->builder->line,
                        ORR_ERROR_VALUE, error, "EndTime is before StartTime");
}

static bool set_device(struct orr_dag_records *records,
                       struct orr_dag_task *task, const char *const *values,
                       GError **error)
{
    const enum orr_dag_field fields[] = {ORR_DAG_WORKER, ORR_DAG_MEMORY_NODE};
    uint64_t numbers[2] = {ORR_DAG_NONE, ORR_DAG_NONE};

    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++) {
        const char *text = values[fields[i]];

        if (orr_dag_given(text) &&
            !orr_dag_whole(text, MAX_WORKER, &numbers[i]))
            return orr_dag_record_fail_field(records,
                                             orr_dag_field_names[fields[i]],
                                             text, "a number", error);
    }
    if (numbers[0] != ORR_DAG_NONE)
        task->device = orr_dag_device_of(
            records->builder, "", (uint32_t)numbers[0], (uint32_t)numbers[1]);
    return true;
}

static bool set_marks(struct orr_dag_records *records,
                      struct orr_dag_task *task, const char *const *values,
                      GError **error)
{
    static const enum orr_dag_field fields[ORR_DAG_MARKS] = {
        [ORR_DAG_MARK_ITERATION] = ORR_DAG_ITERATION,
        [ORR_DAG_MARK_PARAMETERS] = ORR_DAG_PARAMETERS,
        [ORR_DAG_MARK_FOOTPRINT] = ORR_DAG_FOOTPRINT,
        [ORR_DAG_MARK_CRITICAL] = ORR_DAG_CRITICAL_MARK,
        [ORR_DAG_MARK_SYNCHRONOUS] = ORR_DAG_SYNCHRONOUS,
    };

    for (unsigned i = 0; i < ORR_DAG_MARKS; i++) {
        const char *text = values[fields[i]];
        const char *expected;

        if (!orr_dag_given(text))
            continue;
        expected = orr_dag_mark_set(records->builder, task,
                                    (enum orr_dag_mark)i, text);
        if (expected)
            return orr_dag_record_fail_field(
                records, orr_dag_field_names[fields[i]], text, expected, error);
    }
    return true;
}

static bool set_numbers(struct orr_dag_records *records,
                        struct orr_dag_task *task, const char *const *values,
                        GError **error)
{
    const char *priority = values[ORR_DAG_PRIORITY];
    const char *gflop = values[ORR_DAG_GFLOP];

    if (orr_dag_given(priority) && !orr_dag_signed(priority, &task->priority))
        return orr_dag_record_fail_field(records, "Priority", priority,
                                         "a number", error);
    if (orr_dag_given(gflop)) {
        if (!orr_dag_real(gflop, false, &task->flops))
            return orr_dag_record_fail_field(records, "GFlop", gflop,
                                             "a number >= 0", error);
        task->flops *= 1e9;
    }
    return true;
}

static void set_texts(struct orr_dag_records *records,
                      struct orr_dag_task *task, const char *const *values)
{
    struct orr_dag_builder *builder = records->builder;
    const char *name = values[ORR_DAG_NAME];
    const char *kernel =
        orr_dag_given(values[ORR_DAG_MODEL]) ? values[ORR_DAG_MODEL] : name;

    if (!orr_dag_given(name))
        name = kernel;
    if (orr_dag_given(kernel) && !g_str_has_prefix(name, "_starpu_") &&
        !orr_dag_given(values[ORR_DAG_SYNCHRONISES]))
        task->kernel = orr_dag_kernel_of(builder, kernel, strlen(kernel));
    if (orr_dag_given(name))
        task->name = orr_dag_share(builder, name, strlen(name));
    else if (records->trusted && !orr_dag_given(values[ORR_DAG_SYNCHRONISES]))
        task->kernel = orr_dag_kernel_of(builder, "task", strlen("task"));
}

static bool rank_of(struct orr_dag_records *records, const char *const *values,
                    uint64_t *rank, GError **error)
{
    const char *text = values[ORR_DAG_SUBMIT_ORDER];

    *rank = records->next_rank++;
    if (!orr_dag_given(text))
        return true;
    if (!orr_dag_whole(text, INT64_MAX, rank))
        return orr_dag_record_fail_field(records, "SubmitOrder", text,
                                         "a number", error);
    records->next_rank = *rank;
    return true;
}

/* Data that are not used for some time after the task of @rank: a list of
 * handles. */
static bool add_hints(struct orr_dag_records *records, const char *list,
                      const char *mpi_rank, uint64_t rank, GError **error)
{
    struct orr_dag_pending_hint hint = {.rank = rank};
    size_t length;

    while (orr_dag_given(list)) {
        const char *word = orr_dag_record_word(&list, &length);

        if (length == 0)
            break;
        hint.datum =
            orr_dag_record_address(records, word, length, mpi_rank, error);
        if (hint.datum == ORR_DAG_NONE ||
            !orr_dag_add_hint(records->builder, &hint, error))
            return false;
    }
    return true;
}

/* A record with "Control: WontUse"; others are skipped. */
static bool add_control(struct orr_dag_records *records,
                        const char *const *values, GError **error)
{
    uint64_t rank;

    return strcmp(values[ORR_DAG_CONTROL], "WontUse") != 0 ||
           (rank_of(records, values, &rank, error) &&
            add_hints(records, values[ORR_DAG_HANDLES], values[ORR_DAG_RANK],
                      rank, error));
}

/* The number of the task that the record describes. */
static uint32_t define(struct orr_dag_records *records,
                       const char *const *values, GError **error)
{
    const char *job = values[ORR_DAG_JOB];
    char buffer[128];
    size_t length;

    if (!orr_dag_given(job)) {
        g_snprintf(buffer, sizeof buffer, "line %u", records->builder->line);
        return orr_dag_define(records->builder, buffer, strlen(buffer), error);
    }
    length = strlen(job);
    job = orr_dag_record_unique(job, &length, values[ORR_DAG_RANK], buffer,
                                sizeof buffer);
    return orr_dag_define(records->builder, job, length, error);
}

bool orr_dag_records_add(struct orr_dag_records *records,
                         const char *const *values, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    struct orr_dag_task task;
    uint64_t rank;
    uint32_t number;

    if (orr_dag_given(values[ORR_DAG_CONTROL]))
        return add_control(records, values, error);
    if (orr_dag_given(values[ORR_DAG_HANDLE]) &&
        !orr_dag_given(values[ORR_DAG_JOB]))
        return orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                            "a datum, not a task: this is a data.rec, which "
                            "belongs to a tasks.rec");
    number = define(records, values, error);
    if (number == ORR_DAG_NONE)
        return false;
    task = *orr_dag_task_of(builder, number);
    if (!rank_of(records, values, &rank, error) ||
        !set_duration(records, &task, values, error) ||
        !set_device(records, &task, values, error) ||
        !set_numbers(records, &task, values, error) ||
        !set_marks(records, &task, values, error))
        return false;
    set_texts(records, &task, values);
    *orr_dag_task_of(builder, number) = task;
    g_array_index(builder->ranks, uint64_t, number) = rank;
    if (orr_dag_given(values[ORR_DAG_SYNCHRONISES]))
        g_array_append_val(records->kept, number);
    return orr_dag_record_add_accesses(records, number, values, error) &&
           add_edges(records, number, values, error) &&
           add_hints(records, values[ORR_DAG_WONT_USE], values[ORR_DAG_RANK],
                     rank, error);
}
