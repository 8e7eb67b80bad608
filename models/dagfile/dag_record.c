/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the records of StarPU, one by one, into a builder: registrations of
 * data first, then tasks.
 *
 * While records are read, an access names the address of its handle, not a
 * datum: which datum was at the address is only known once all tasks and their
 * order are (dag_record_end.c). Sizes of accesses are kept only from the first
 * one that differs from the registered size, as most files need none.
 *
 * Lists of consecutive tasks tend to name consecutive tasks and addresses.
 * near_tasks and near_addresses remember the last number at each place of a
 * list; it and the number after it are tried before a look-up by name.
 */
#include "models/dagfile/dag_record.h"

#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_mark.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_record_private.h"

#define MAX_WORKER 1000000
#define MAX_BYTES ((uint64_t)1 << 62)

static bool given(const char *text)
{
    return text && *text;
}

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

/* "Name: 'text' is not @expected". Returns false. */
static bool fail_field(const struct orr_dag_records *records, const char *name,
                       const char *text, const char *expected, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    return orr_dag_fail(records->builder, records->builder->line,
                        ORR_ERROR_VALUE, error, "%s: %s is not %s", name,
                        quoted, expected);
}

/* Makes a name of *@length bytes unique among the ranks of an MPI program: with
 * the rank in front, in @buffer, or @text itself for rank 0 or without ranks.
 */
static const char *unique(const char *text, size_t *length, const char *rank,
                          char *buffer, size_t size)
{
    int written;

    if (!given(rank) || *rank == '-' || strcmp(rank, "0") == 0)
        return text;
    written = g_snprintf(buffer, size, "%s:%.*s", rank, (int)*length, text);
    *length = MIN((size_t)written, size - 1);
    return buffer;
}

/* The number of an address; ORR_DAG_NONE with @error. */
static uint32_t address_of(struct orr_dag_records *records, const char *text,
                           size_t length, const char *rank, GError **error)
{
    const struct orr_dag_address none = {
        .first = ORR_DAG_NONE,
        .last = ORR_DAG_NONE,
    };
    char buffer[128];
    const char *key = unique(text, &length, rank, buffer, sizeof buffer);
    uint32_t number = orr_dag_names_add(&records->addresses, key, length);

    if (number == ORR_DAG_NONE)
        orr_dag_fail(records->builder, records->builder->line, ORR_ERROR_VALUE,
                     error, "more than 4 GiB of names");
    else if (number == records->places->len)
        g_array_append_val(records->places, none);
    return number;
}

/* As address_of(). Tries *@near first, the address at the same place of the
 * previous record, then the number after it; sets *@near to the result. */
static uint32_t address_near(struct orr_dag_records *records, const char *text,
                             size_t length, const char *rank, uint32_t *near,
                             GError **error)
{
    const struct orr_dag_names *addresses = &records->addresses;
    bool guess = !given(rank); /* else the name is not @text alone */

    if (guess && orr_dag_names_is(addresses, *near, text, length))
        return *near;
    if (guess && orr_dag_names_is(addresses, *near + 1, text, length))
        return ++*near;
    return *near = address_of(records, text, length, rank, error);
}

bool orr_dag_records_add_datum(struct orr_dag_records *records,
                               const char *const *values, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    struct orr_dag_registration one = {.next = ORR_DAG_NONE};
    const char *handle = values[ORR_DAG_DATA_HANDLE];
    const char *name = values[ORR_DAG_DATA_NAME];
    uint32_t number = records->registrations->len;
    uint32_t place;
    struct orr_dag_address *address;

    if (!given(handle))
        return orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                            "a record without Handle: these are not the data "
                            "of a tasks.rec");
    if (given(values[ORR_DAG_DATA_SIZE]) &&
        !orr_dag_whole(values[ORR_DAG_DATA_SIZE], MAX_BYTES, &one.bytes))
        return fail_field(records, "Size", values[ORR_DAG_DATA_SIZE],
                          "a number of bytes", error);
    one.home = -1;
    if (given(values[ORR_DAG_DATA_HOME]) &&
        (!orr_dag_signed(values[ORR_DAG_DATA_HOME], &one.home) ||
         ABS((int64_t)one.home) > ORR_DAG_MAX_HOME))
        return fail_field(records, "HomeNode", values[ORR_DAG_DATA_HOME],
                          "a memory node", error);
    place = address_of(records, handle, strlen(handle),
                       values[ORR_DAG_DATA_RANK], error);
    if (place == ORR_DAG_NONE)
        return false;
    if (given(name))
        one.name = orr_dag_texts_add(&builder->texts, name, strlen(name));
    if (given(values[ORR_DAG_DATA_DESCRIPTION]))
        one.shape = orr_dag_share(builder, values[ORR_DAG_DATA_DESCRIPTION],
                                  strlen(values[ORR_DAG_DATA_DESCRIPTION]));
    if (given(values[ORR_DAG_DATA_COORDINATES]))
        one.coordinates =
            orr_dag_share(builder, values[ORR_DAG_DATA_COORDINATES],
                          strlen(values[ORR_DAG_DATA_COORDINATES]));
    g_array_append_val(records->registrations, one);
    address = &g_array_index(records->places, struct orr_dag_address, place);
    if (address->first == ORR_DAG_NONE)
        address->first = number;
    else
        g_array_index(records->registrations, struct orr_dag_registration,
                      address->last)
            .next = number;
    address->last = number;
    records->has_data = true;
    return true;
}

/* The next word of the list *@at, which is moved behind it. */
static const char *next_word(const char **at, size_t *length)
{
    const char *word = *at;
    const char *end;

    while (*word == ' ')
        word++;
    for (end = word; *end && *end != ' ';)
        end++;
    *length = (size_t)(end - word);
    *at = end;
    return word;
}

static bool parse_mode(const char *text, size_t length, unsigned *mode)
{
    *mode = 0;
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case 'R':
            *mode |= ORR_DAG_READ;
            break;
        case 'W':
            *mode |= ORR_DAG_WRITE;
            break;
        case 'C':
            *mode |= ORR_DAG_COMMUTE;
            break;
        case 'X':
            *mode |= ORR_DAG_REDUX;
            break;
        case 'S':
            *mode |= ORR_DAG_SCRATCH;
            break;
        case 's': /* synchronous send, and locality: ignored */
        case 'L':
            break;
        default:
            return false;
        }
    }
    return length > 0;
}

static bool fail_counts(const struct orr_dag_records *records, GError **error)
{
    return orr_dag_fail(records->builder, records->builder->line,
                        ORR_ERROR_VALUE, error,
                        "Handles, Modes and Sizes are not of the same length");
}

/* The next word of the list *@at. */
static bool parse_size(const struct orr_dag_records *records, const char **at,
                       uint64_t *bytes, GError **error)
{
    size_t length;
    const char *word = next_word(at, &length);
    const char *end = word;
    g_autofree char *text = NULL;

    if (length == 0)
        return fail_counts(records, error);
    if (orr_dag_whole_word(&end, MAX_BYTES, bytes))
        return true;
    text = g_strndup(word, MIN(length, 32));
    return fail_field(records, "Sizes", text, "a number of bytes", error);
}

uint64_t orr_dag_record_size(const struct orr_dag_records *records,
                             uint32_t number)
{
    const struct orr_dag_address *at =
        &g_array_index(records->places, struct orr_dag_address, number);

    return at->first == at->last && at->first != ORR_DAG_NONE
               ? g_array_index(records->registrations,
                               struct orr_dag_registration, at->first)
                     .bytes
               : ORR_DAG_NO_BYTES;
}

/* Keeps the size of access number @before, to @address. Sizes are only kept
 * from the first access on that differs in size from its datum. */
static void keep_size(struct orr_dag_records *records, uint32_t before,
                      uint32_t address, uint64_t bytes)
{
    const GArray *accesses = records->builder->accesses;

    if (!records->sizes) {
        if (bytes == orr_dag_record_size(records, address))
            return;
        records->sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        for (guint i = 0; i < before; i++) {
            uint64_t other = orr_dag_record_size(
                records,
                g_array_index(accesses, struct orr_dag_pending_access, i)
                    .datum);

            g_array_append_val(records->sizes, other);
        }
    }
    g_array_append_val(records->sizes, bytes);
}

/* Accesses of a task; several are added at once. */
struct batch {
    unsigned count;
    struct orr_dag_pending_access accesses[ORR_DAG_BATCH];
    uint64_t sizes[ORR_DAG_BATCH];
};

static bool add_batch(struct orr_dag_records *records, struct batch *batch,
                      GError **error)
{
    uint32_t before = records->builder->accesses->len;

    if (!orr_dag_accesses(records->builder, batch->accesses, batch->count,
                          error))
        return false;
    for (unsigned i = 0; i < batch->count; i++)
        keep_size(records, before + i, batch->accesses[i].datum,
                  batch->sizes[i]);
    batch->count = 0;
    return true;
}

/* One access: the words of the three lists. */
static bool read_access(struct orr_dag_records *records, const char **lists,
                        const char *rank, struct batch *batch, GError **error)
{
    struct orr_dag_pending_access *access = &batch->accesses[batch->count];
    size_t length;
    size_t mode_length;
    const char *handle = next_word(&lists[0], &length);
    const char *mode = next_word(&lists[1], &mode_length);

    if (mode_length == 0)
        return fail_counts(records, error);
    if (!parse_mode(mode, mode_length, &access->mode)) {
        g_autofree char *word = g_strndup(mode, mode_length);

        return fail_field(records, "Modes", word, "made of R, W, S, C and X",
                          error);
    }
    batch->sizes[batch->count] = ORR_DAG_NO_BYTES;
    if (lists[2] &&
        !parse_size(records, &lists[2], &batch->sizes[batch->count], error))
        return false;
    if (access->mode == 0)
        return true; /* only a hint about where the task should run */
    access->datum =
        address_near(records, handle, length, rank,
                     &records->near_addresses[batch->count++], error);
    return access->datum != ORR_DAG_NONE;
}

/* Whether only blanks follow. */
static bool is_over(const char *list)
{
    while (*list == ' ')
        list++;
    return *list == '\0';
}

/* The fields Handles, Modes and Sizes of @task. */
static bool add_accesses(struct orr_dag_records *records, uint32_t task,
                         const char *const *values, GError **error)
{
    const char *lists[3] = {values[ORR_DAG_HANDLES], values[ORR_DAG_MODES],
                            given(values[ORR_DAG_SIZES]) ? values[ORR_DAG_SIZES]
                                                         : NULL};
    struct batch batch = {.count = 0};

    if (!given(lists[0]))
        return true;
    if (!given(lists[1]))
        return fail_counts(records, error);
    while (!is_over(lists[0])) {
        if (batch.count == ORR_DAG_BATCH && !add_batch(records, &batch, error))
            return false;
        batch.accesses[batch.count].task = task;
        if (!read_access(records, lists, values[ORR_DAG_RANK], &batch, error))
            return false;
    }
    if (!add_batch(records, &batch, error))
        return false;
    return (is_over(lists[1]) && (!lists[2] || is_over(lists[2]))) ||
           fail_counts(records, error);
}

/* The number of the task called @id; ORR_DAG_NONE with @error. Tries *@near,
 * the task at the same place of the previous list, then the number after it. */
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

    while (given(list)) {
        const char *word = next_word(&list, &length);

        if (length == 0)
            break;
        if (count == ORR_DAG_BATCH) {
            if (!orr_dag_edges(records->builder, edges, count, error))
                return false;
            count = 0;
        }
        word =
            unique(word, &length, values[ORR_DAG_RANK], buffer, sizeof buffer);
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

        if (given(text) && !orr_dag_scaled(text, 6, &times[i]))
            return fail_field(records, orr_dag_field_names[fields[i]], text,
                              "a time in ms", error);
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

        if (given(text) && !orr_dag_whole(text, MAX_WORKER, &numbers[i]))
            return fail_field(records, orr_dag_field_names[fields[i]], text,
                              "a number", error);
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

        if (!given(text))
            continue;
        expected = orr_dag_mark_set(records->builder, task,
                                    (enum orr_dag_mark)i, text);
        if (expected)
            return fail_field(records, orr_dag_field_names[fields[i]], text,
                              expected, error);
    }
    return true;
}

static bool set_numbers(struct orr_dag_records *records,
                        struct orr_dag_task *task, const char *const *values,
                        GError **error)
{
    const char *priority = values[ORR_DAG_PRIORITY];
    const char *gflop = values[ORR_DAG_GFLOP];

    if (given(priority) && !orr_dag_signed(priority, &task->priority))
        return fail_field(records, "Priority", priority, "a number", error);
    if (given(gflop)) {
        if (!orr_dag_real(gflop, false, &task->flops))
            return fail_field(records, "GFlop", gflop, "a number >= 0", error);
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
        given(values[ORR_DAG_MODEL]) ? values[ORR_DAG_MODEL] : name;

    if (!given(name))
        name = kernel;
    if (given(kernel) && !g_str_has_prefix(name, "_starpu_") &&
        !given(values[ORR_DAG_SYNCHRONISES]))
        task->kernel = orr_dag_kernel_of(builder, kernel, strlen(kernel));
    if (given(name))
        task->name = orr_dag_share(builder, name, strlen(name));
    else if (records->trusted && !given(values[ORR_DAG_SYNCHRONISES]))
        task->kernel = orr_dag_kernel_of(builder, "task", strlen("task"));
}

static bool rank_of(struct orr_dag_records *records, const char *const *values,
                    uint64_t *rank, GError **error)
{
    const char *text = values[ORR_DAG_SUBMIT_ORDER];

    *rank = records->next_rank++;
    if (!given(text))
        return true;
    if (!orr_dag_whole(text, INT64_MAX, rank))
        return fail_field(records, "SubmitOrder", text, "a number", error);
    records->next_rank = *rank;
    return true;
}

/* Adds hints: the handles of @list are not used for some time after the task of
 * @rank. */
static bool add_hints(struct orr_dag_records *records, const char *list,
                      const char *mpi_rank, uint64_t rank, GError **error)
{
    struct orr_dag_pending_hint hint = {.rank = rank};
    size_t length;

    while (given(list)) {
        const char *word = next_word(&list, &length);

        if (length == 0)
            break;
        hint.datum = address_of(records, word, length, mpi_rank, error);
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

    if (!given(job)) {
        g_snprintf(buffer, sizeof buffer, "line %u", records->builder->line);
        return orr_dag_define(records->builder, buffer, strlen(buffer), error);
    }
    length = strlen(job);
    job = unique(job, &length, values[ORR_DAG_RANK], buffer, sizeof buffer);
    return orr_dag_define(records->builder, job, length, error);
}

bool orr_dag_records_add(struct orr_dag_records *records,
                         const char *const *values, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    struct orr_dag_task task;
    uint64_t rank;
    uint32_t number;

    if (given(values[ORR_DAG_CONTROL]))
        return add_control(records, values, error);
    if (given(values[ORR_DAG_HANDLE]) && !given(values[ORR_DAG_JOB]))
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
    if (given(values[ORR_DAG_SYNCHRONISES]))
        g_array_append_val(records->kept, number);
    return add_accesses(records, number, values, error) &&
           add_edges(records, number, values, error) &&
           add_hints(records, values[ORR_DAG_WONT_USE], values[ORR_DAG_RANK],
                     rank, error);
}
