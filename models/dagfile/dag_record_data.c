/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data of records: handles that are registered, and accesses of tasks. */
#include <string.h>

#include "models/dag/dag_number.h"
#include "models/dagfile/dag_record_private.h"

#define MAX_BYTES ((uint64_t)1 << 62)

/* A name that is unique among the ranks of an MPI program: that of the file
 * for rank 0, and where there are no ranks. */
const char *orr_dag_record_unique(const char *text, size_t *length,
                                  const char *rank, char *buffer, size_t size)
{
    int written;

    if (!orr_dag_given(rank) || *rank == '-' || strcmp(rank, "0") == 0)
        return text;
    written = g_snprintf(buffer, size, "%s:%.*s", rank, (int)*length, text);
    *length = MIN((size_t)written, size - 1);
    return buffer;
}

/* The number of an address. */
uint32_t orr_dag_record_address(struct orr_dag_records *records,
                                const char *text, size_t length,
                                const char *rank, GError **error)
{
    const struct orr_dag_address none = {
        .first = ORR_DAG_NONE,
        .last = ORR_DAG_NONE,
    };
    char buffer[128];
    const char *key =
        orr_dag_record_unique(text, &length, rank, buffer, sizeof buffer);
    uint32_t number = orr_dag_names_add(&records->addresses, key, length);

    if (number == ORR_DAG_NONE)
        orr_dag_fail(records->builder, records->builder->line, ORR_ERROR_VALUE,
                     error, "more than 4 GiB of names");
    else if (number == records->places->len)
        g_array_append_val(records->places, none);
    return number;
}

/* As orr_dag_record_address(). *@near is the number of the address that had
 * this place in the list of the previous record. It is tried first, then the
 * number after it; *@near is set to the result. */
static uint32_t address_near(struct orr_dag_records *records, const char *text,
                             size_t length, const char *rank, uint32_t *near,
                             GError **error)
{
    const struct orr_dag_names *addresses = &records->addresses;
    bool guess = !orr_dag_given(rank); /* the text is all of the name */

    if (guess && orr_dag_names_is(addresses, *near, text, length))
        return *near;
    if (guess && orr_dag_names_is(addresses, *near + 1, text, length))
        return ++*near;
    return *near = orr_dag_record_address(records, text, length, rank, error);
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

    if (!orr_dag_given(handle))
        return orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                            "a record without Handle: these are not the data "
                            "of a tasks.rec");
    if (orr_dag_given(values[ORR_DAG_DATA_SIZE]) &&
        !orr_dag_whole(values[ORR_DAG_DATA_SIZE], MAX_BYTES, &one.bytes))
        return orr_dag_record_fail_field(records, "Size",
                                         values[ORR_DAG_DATA_SIZE],
                                         "a number of bytes", error);
    one.home = -1;
    if (orr_dag_given(values[ORR_DAG_DATA_HOME]) &&
        (!orr_dag_signed(values[ORR_DAG_DATA_HOME], &one.home) ||
         ABS((int64_t)one.home) > ORR_DAG_MAX_HOME))
        return orr_dag_record_fail_field(records, "HomeNode",
                                         values[ORR_DAG_DATA_HOME],
                                         "a memory node", error);
    place = orr_dag_record_address(records, handle, strlen(handle),
                                   values[ORR_DAG_DATA_RANK], error);
    if (place == ORR_DAG_NONE)
        return false;
    if (orr_dag_given(name))
        one.name = orr_dag_texts_add(&builder->texts, name, strlen(name));
    if (orr_dag_given(values[ORR_DAG_DATA_DESCRIPTION]))
        one.shape = orr_dag_share(builder, values[ORR_DAG_DATA_DESCRIPTION],
                                  strlen(values[ORR_DAG_DATA_DESCRIPTION]));
    if (orr_dag_given(values[ORR_DAG_DATA_COORDINATES]))
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
const char *orr_dag_record_word(const char **at, size_t *length)
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

/* The next word of the list *@at. */
static bool parse_size(const struct orr_dag_records *records, const char **at,
                       uint64_t *bytes, GError **error)
{
    size_t length;
    const char *word = orr_dag_record_word(at, &length);
    const char *end = word;
    g_autofree char *text = NULL;

    if (length == 0)
        return fail_counts(records, error);
    if (orr_dag_whole_word(&end, MAX_BYTES, bytes))
        return true;
    text = g_strndup(word, MIN(length, 32));
    return orr_dag_record_fail_field(records, "Sizes", text,
                                     "a number of bytes", error);
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

/* Keeps the size of an access to @address, the one after the @before first
 * ones. Most files need none: each is that of the datum. */
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
    const char *handle = orr_dag_record_word(&lists[0], &length);
    const char *mode = orr_dag_record_word(&lists[1], &mode_length);

    if (mode_length == 0)
        return fail_counts(records, error);
    if (!parse_mode(mode, mode_length, &access->mode)) {
        g_autofree char *word = g_strndup(mode, mode_length);

        return orr_dag_record_fail_field(records, "Modes", word,
                                         "made of R, W, S, C and X", error);
    }
    batch->sizes[batch->count] = ORR_DAG_NO_BYTES;
    if (lists[2] &&
        !parse_size(records, &lists[2], &batch->sizes[batch->count], error))
        return false;
    if (access->mode == 0)
        return true; /* it only says where the task should run */
    access->datum =
        address_near(records, handle, length, rank,
                     &records->near_addresses[batch->count++], error);
    return access->datum != ORR_DAG_NONE;
}

/* Whether the list has ended. */
static bool is_over(const char *list)
{
    while (*list == ' ')
        list++;
    return *list == '\0';
}

bool orr_dag_record_add_accesses(struct orr_dag_records *records, uint32_t task,
                                 const char *const *values, GError **error)
{
    const char *lists[3] = {
        values[ORR_DAG_HANDLES], values[ORR_DAG_MODES],
        orr_dag_given(values[ORR_DAG_SIZES]) ? values[ORR_DAG_SIZES] : NULL};
    struct batch batch = {.count = 0};

    if (!orr_dag_given(lists[0]))
        return true;
    if (!orr_dag_given(lists[1]))
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
