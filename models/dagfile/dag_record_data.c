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

    length = MIN(length, sizeof word - 1);
    memcpy(word, text, length);
    word[length] = '\0';
    return orr_dag_whole(word, MAX_BYTES, bytes) ||
           orr_dag_record_fail_field(records, "Sizes", word,
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

/* Keeps the size of the last access of the builder, to @address. Most files
 * need none: each is that of the datum. */
static void keep_size(struct orr_dag_records *records, uint32_t address,
                      uint64_t bytes)
{
    const GArray *accesses = records->builder->accesses;

    if (!records->sizes) {
        if (bytes == orr_dag_record_size(records, address))
            return;
        records->sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        for (guint i = 0; i + 1 < accesses->len; i++) {
            uint64_t before = orr_dag_record_size(
                records,
                g_array_index(accesses, struct orr_dag_pending_access, i)
                    .datum);

            g_array_append_val(records->sizes, before);
        }
    }
    g_array_append_val(records->sizes, bytes);
}

/* One access: the words of the three lists. */
static bool add_access(struct orr_dag_records *records, uint32_t task,
                       const char *const *values, const char **lists,
                       GError **error)
{
    uint64_t bytes = ORR_DAG_NO_BYTES;
    uint32_t address;
    unsigned bits;
    size_t length;
    size_t mode_length;
    const char *handle = orr_dag_record_word(&lists[0], &length);
    const char *mode = orr_dag_record_word(&lists[1], &mode_length);

    if (mode_length == 0)
        return fail_counts(records, error);
    if (!parse_mode(mode, mode_length, &bits)) {
        g_autofree char *word = g_strndup(mode, mode_length);

        return orr_dag_record_fail_field(records, "Modes", word,
                                         "made of R, W, S, C and X", error);
    }
    if (lists[2]) {
        const char *size = orr_dag_record_word(&lists[2], &mode_length);

        if (mode_length == 0)
            return fail_counts(records, error);
        if (!parse_size(records, size, mode_length, &bytes, error))
            return false;
    }
    if (bits == 0)
        return true; /* it only says where the task should run */
    address = orr_dag_record_address(records, handle, length,
                                     values[ORR_DAG_RANK], error);
    if (address == ORR_DAG_NONE ||
        !orr_dag_access(records->builder, task, address, bits, error))
        return false;
    keep_size(records, address, bytes);
    return true;
}

bool orr_dag_record_add_accesses(struct orr_dag_records *records, uint32_t task,
                                 const char *const *values, GError **error)
{
    const char *lists[3] = {
        values[ORR_DAG_HANDLES], values[ORR_DAG_MODES],
        orr_dag_given(values[ORR_DAG_SIZES]) ? values[ORR_DAG_SIZES] : NULL};

    if (!orr_dag_given(lists[0]))
        return true;
    if (!orr_dag_given(lists[1]))
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
