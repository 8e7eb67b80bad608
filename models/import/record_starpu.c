/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads tasks.rec: lines "Field: value", and a blank line between records. */
#include <string.h>

#include "models/import/record_private.h"

#define MAX_TILE 1000000
#define MAX_WORKER 1000000

enum field {
    NAME,
    MODEL,
    WORKER,
    NODE,
    SUBMIT_TIME,
    SUBMIT_ORDER,
    START,
    END,
    PARAMETERS,
    FIELDS
};

static const char *const names[FIELDS] = {
    [NAME] = "Name",
    [MODEL] = "Model",
    [WORKER] = "WorkerId",
    [NODE] = "MemoryNode",
    [SUBMIT_TIME] = "SubmitTime",
    [SUBMIT_ORDER] = "SubmitOrder",
    [START] = "StartTime",
    [END] = "EndTime",
    [PARAMETERS] = "Parameters",
};

/* The fields of the current record; NULL for those that are absent. */
struct fields {
    char *values[FIELDS];
    unsigned line; /* where the record begins */
};

static void clear(struct fields *fields)
{
    for (unsigned i = 0; i < FIELDS; i++)
        g_clear_pointer(&fields->values[i], g_free);
    fields->line = 0;
}

static bool gather(struct orr_record_reader *reader, struct fields *fields,
                   GError **error)
{
    char *colon = strchr(reader->text, ':');

    if (!colon || !g_utf8_validate(reader->text, -1, NULL))
        return orr_record_fail(reader, reader->line, ORR_ERROR_SYNTAX, error,
                               "expected a field, as 'Name: value'");
    if (fields->line == 0)
        fields->line = reader->line;
    *colon = '\0';
    for (unsigned i = 0; i < FIELDS; i++) {
        if (strcmp(reader->text, names[i]) != 0)
            continue;
        g_free(fields->values[i]);
        fields->values[i] = g_strstrip(g_strdup(colon + 1));
    }
    return true;
}

/* The rows of the first operand: 960 for "M960x480x8_...", a matrix; 0 for
 * other types. */
static unsigned tile_of(const char *parameters)
{
    uint64_t rows;

    if (!parameters || *parameters != 'M')
        return 0;
    rows = g_ascii_strtoull(parameters + 1, NULL, 10);
    return rows <= MAX_TILE ? (unsigned)rows : 0;
}

/* Reads the sort key of a task: its number in submission order, or else its
 * time of submission. */
static bool get_rank(const struct orr_record_reader *reader,
                     const struct fields *fields, orr_time *rank,
                     GError **error)
{
    uint64_t order = 0;

    if (fields->values[SUBMIT_ORDER]) {
        if (!orr_record_count(reader, names[SUBMIT_ORDER],
                              fields->values[SUBMIT_ORDER], INT64_MAX, &order,
                              error))
            return false;
        *rank = (orr_time)order;
        return true;
    }
    *rank = 0;
    return !fields->values[SUBMIT_TIME] ||
           orr_record_time(reader, names[SUBMIT_TIME],
                           fields->values[SUBMIT_TIME], "ms", rank, error);
}

/* The field that names the kernel of a task: Model unless it is empty, else
 * Name. */
static enum field name_field(char *const *values)
{
    if (values[MODEL] && (*values[MODEL] || !values[NAME]))
        return MODEL;
    return NAME;
}

/* Reads the number of a worker or a memory node, unless it is absent. */
static bool get_number(const struct orr_record_reader *reader,
                       const struct fields *fields, enum field field,
                       unsigned *value, GError **error)
{
    uint64_t number = 0;

    if (!fields->values[field])
        return true;
    if (!orr_record_count(reader, names[field], fields->values[field],
                          MAX_WORKER, &number, error))
        return false;
    *value = (unsigned)number;
    return true;
}

/* Ends a record, and adds its task if it was executed. */
static bool finish(struct orr_record_reader *reader, struct fields *fields,
                   GError **error)
{
    char **values = fields->values;
    enum field name = name_field(values);
    struct orr_record_task task = {
        .name = values[name],
        .worker = ORR_RECORD_NO_WORKER,
        .node = ORR_RECORD_NO_NODE,
        .tile = tile_of(values[PARAMETERS]),
        .line = fields->line,
    };
    orr_time start;
    orr_time end;
    orr_time rank;

    if (!task.name || !values[START] || !values[END])
        return true;
    return orr_record_name(reader, names[name], &task, error) &&
           orr_record_time(reader, names[START], values[START], "ms", &start,
                           error) &&
           orr_record_time(reader, names[END], values[END], "ms", &end,
                           error) &&
           get_number(reader, fields, WORKER, &task.worker, error) &&
           get_number(reader, fields, NODE, &task.node, error) &&
           get_rank(reader, fields, &rank, error) &&
           orr_record_add(reader, &task, start, end, rank, error);
}

bool orr_record_read_starpu(struct orr_record_reader *reader, GError **error)
{
    struct fields fields = {.line = 0};
    bool good = true;

    do {
        if (*reader->text == '\0') {
            good = finish(reader, &fields, error);
            clear(&fields);
        } else if (!strchr("#%+", *reader->text)) {
            good = gather(reader, &fields, error);
        }
    } while (good && orr_record_next(reader));
    good = good && finish(reader, &fields, error);
    clear(&fields);
    return good;
}
