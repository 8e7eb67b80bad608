/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dagfile/dag_record.h"

#include <string.h>

#include "models/base/units.h"
#include "models/dag/dag_number.h"
#include "models/dagfile/dag_record_private.h"

#define MAX_WORKER 1000000
#define MAX_NODE 1000000
#define MAX_BYTES ((uint64_t)1 << 62)

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
    records->accesses =
        g_array_new(FALSE, FALSE, sizeof(struct orr_dag_record_access));
    return records;
}

void orr_dag_records_free(struct orr_dag_records *records)
{
    if (!records)
        return;
    orr_dag_names_clear(&records->addresses);
    g_array_unref(records->registrations);
    g_array_unref(records->places);
    g_array_unref(records->accesses);
    g_free(records);
}

void orr_dag_records_trust_handles(struct orr_dag_records *records)
{
    records->trusted = true;
}

static bool given(const char *text)
{
    return text && *text;
}

static bool fail_field(const struct orr_dag_records *records, const char *name,
                       const char *text, const char *expected, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    return orr_dag_fail(records->builder, records->builder->line,
                        ORR_ERROR_VALUE, error, "%s: %s is not %s", name,
                        quoted, expected);
}

/* A name that is unique among the ranks of an MPI program: that of the file
 * for rank 0, and where there are no ranks. */
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

/* The number of an address. */
static uint32_t address_of(struct orr_dag_records *records, const char *text,
                           size_t length, const char *rank, GError **error)
{
    const struct orr_dag_address none = {
        .first = ORR_DAG_NONE,
        .last = ORR_DAG_NONE,
        .current = ORR_DAG_NONE,
        .datum = ORR_DAG_NONE,
        .writer = ORR_DAG_NONE,
        .reader = ORR_DAG_NONE,
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

bool orr_dag_records_add_datum(struct orr_dag_records *records,
                               const char *const *values, GError **error)
{
    struct orr_dag_builder *builder = records->builder;
    struct orr_dag_registration one = {.next = ORR_DAG_NONE};
    const char *handle = values[ORR_DAG_DATA_HANDLE];
    const char *name = values[ORR_DAG_DATA_NAME];
    uint32_t number = records->registrations->len;
    struct orr_dag_address *address;

    if (!given(handle))
        return true;
    if (given(values[ORR_DAG_DATA_SIZE]) &&
        !orr_dag_whole(values[ORR_DAG_DATA_SIZE], MAX_BYTES, &one.bytes))
        return fail_field(records, "Size", values[ORR_DAG_DATA_SIZE],
                          "a number of bytes", error);
    one.home = -1;
    if (given(values[ORR_DAG_DATA_HOME]) &&
        !orr_dag_signed(values[ORR_DAG_DATA_HOME], &one.home))
        return fail_field(records, "HomeNode", values[ORR_DAG_DATA_HOME],
                          "a number", error);
    one.address = address_of(records, handle, strlen(handle),
                             values[ORR_DAG_DATA_RANK], error);
    if (one.address == ORR_DAG_NONE)
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
    address =
        &g_array_index(records->places, struct orr_dag_address, one.address);
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
    const char *word = *at + strspn(*at, " ");

    *length = strcspn(word, " ");
    *at = word + *length;
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
        case 's': /* synchronous sends, locality: of no matter here */
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

static bool parse_size(const struct orr_dag_records *records, const char *text,
                       size_t length, uint64_t *bytes, GError **error)
{
    char word[32];

    g_strlcpy(word, text, MIN(length + 1, sizeof word));
    return orr_dag_whole(word, MAX_BYTES, bytes) ||
           fail_field(records, "Sizes", word, "a number of bytes", error);
}

/* One access: the words of the three lists. */
static bool add_access(struct orr_dag_records *records, uint32_t task,
                       const char *const *values, const char **lists,
                       GError **error)
{
    struct orr_dag_record_access access = {.task = task,
                                           .bytes = ORR_DAG_NO_BYTES};
    size_t length;
    size_t mode_length;
    const char *handle = next_word(&lists[0], &length);
    const char *mode = next_word(&lists[1], &mode_length);

    if (mode_length == 0)
        return fail_counts(records, error);
    if (!parse_mode(mode, mode_length, &access.mode)) {
        g_autofree char *word = g_strndup(mode, mode_length);

        return fail_field(records, "Modes", word, "made of R, W, S, C and X",
                          error);
    }
    if (lists[2]) {
        const char *size = next_word(&lists[2], &mode_length);

        if (mode_length == 0)
            return fail_counts(records, error);
        if (!parse_size(records, size, mode_length, &access.bytes, error))
            return false;
    }
    access.address =
        address_of(records, handle, length, values[ORR_DAG_RANK], error);
    if (access.address == ORR_DAG_NONE)
        return false;
    if (records->accesses->len >= ORR_DAG_MAX_ACCESSES)
        return orr_dag_fail(records->builder, records->builder->line,
                            ORR_ERROR_VALUE, error, "more than %u accesses",
                            ORR_DAG_MAX_ACCESSES);
    g_array_append_val(records->accesses, access);
    return true;
}

static bool add_accesses(struct orr_dag_records *records, uint32_t task,
                         const char *const *values, GError **error)
{
    const char *lists[3] = {values[ORR_DAG_HANDLES], values[ORR_DAG_MODES],
                            given(values[ORR_DAG_SIZES]) ? values[ORR_DAG_SIZES]
                                                         : NULL};

    if (!given(lists[0]))
        return true;
    if (!given(lists[1]))
        return fail_counts(records, error);
    while (lists[0] += strspn(lists[0], " "), *lists[0]) {
        if (!add_access(records, task, values, lists, error))
            return false;
    }
    for (unsigned i = 1; i < 3; i++) {
        if (lists[i] && lists[i][strspn(lists[i], " ")])
            return fail_counts(records, error);
    }
    return true;
}

static bool add_edges(struct orr_dag_records *records, uint32_t task,
                      const char *const *values, GError **error)
{
    const char *list = values[ORR_DAG_DEPENDS_ON];
    char buffer[128];
    size_t length;

    while (given(list)) {
        const char *word = next_word(&list, &length);
        uint32_t before;

        if (length == 0)
            break;
        word =
            unique(word, &length, values[ORR_DAG_RANK], buffer, sizeof buffer);
        before = orr_dag_refer(records->builder, word, length, error);
        if (before == ORR_DAG_NONE ||
            !orr_dag_edge(records->builder, before, task, error))
            return false;
        records->has_edges = true;
    }
    return true;
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

static bool set_numbers(struct orr_dag_records *records,
                        struct orr_dag_task *task, const char *const *values,
                        GError **error)
{
    const char *priority = values[ORR_DAG_PRIORITY];
    const char *footprint = values[ORR_DAG_FOOTPRINT];
    const char *gflop = values[ORR_DAG_GFLOP];

    if (given(priority) && !orr_dag_signed(priority, &task->priority))
        return fail_field(records, "Priority", priority, "a number", error);
    if (given(footprint) && !orr_dag_hexadecimal(footprint, &task->footprint))
        return fail_field(records, "Footprint", footprint,
                          "a hexadecimal number", error);
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
    if (given(kernel) && !g_str_has_prefix(name, "_starpu_"))
        task->kernel = orr_dag_kernel_of(builder, kernel, strlen(kernel));
    if (given(name))
        task->name = orr_dag_share(builder, name, strlen(name));
    if (given(values[ORR_DAG_PARAMETERS]) &&
        strcmp(values[ORR_DAG_PARAMETERS], "0") != 0)
        task->parameters = orr_dag_share(builder, values[ORR_DAG_PARAMETERS],
                                         strlen(values[ORR_DAG_PARAMETERS]));
    if (given(values[ORR_DAG_ITERATION]))
        task->iteration = orr_dag_share(builder, values[ORR_DAG_ITERATION],
                                        strlen(values[ORR_DAG_ITERATION]));
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

/* The handles of "Control: WontUse". */
static bool add_hint(struct orr_dag_records *records, const char *const *values,
                     GError **error)
{
    struct orr_dag_pending_hint hint;
    const char *list = values[ORR_DAG_HANDLES];
    size_t length;

    if (strcmp(values[ORR_DAG_CONTROL], "WontUse") != 0)
        return true;
    if (!rank_of(records, values, &hint.rank, error))
        return false;
    while (given(list)) {
        const char *word = next_word(&list, &length);

        if (length == 0)
            break;
        hint.datum =
            address_of(records, word, length, values[ORR_DAG_RANK], error);
        if (hint.datum == ORR_DAG_NONE)
            return false;
        g_array_append_val(records->builder->hints, hint);
    }
    return true;
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
        return add_hint(records, values, error);
    number = define(records, values, error);
    if (number == ORR_DAG_NONE)
        return false;
    task = *orr_dag_task_of(builder, number);
    if (!rank_of(records, values, &rank, error) ||
        !set_duration(records, &task, values, error) ||
        !set_device(records, &task, values, error) ||
        !set_numbers(records, &task, values, error))
        return false;
    set_texts(records, &task, values);
    *orr_dag_task_of(builder, number) = task;
    g_array_index(builder->ranks, uint64_t, number) = rank;
    return add_accesses(records, number, values, error) &&
           add_edges(records, number, values, error);
}
