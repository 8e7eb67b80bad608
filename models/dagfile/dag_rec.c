/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads tasks.rec, and data.rec beside it: GNU recutils, lines "Field: value"
 * and a blank line between records. */
#include <string.h>

#include "models/dagfile/dag_read_private.h"
#include "models/dagfile/dag_record.h"

/* The fields of one record. A record is short: its values are copied into one
 * buffer, of which they know the offsets. */
struct fields {
    const char *const *names;
    unsigned count;
    size_t lengths[ORR_DAG_FIELDS]; /* of the names */
    size_t offsets[ORR_DAG_FIELDS]; /* of the values, plus 1; 0: absent */
    const char *values[ORR_DAG_FIELDS];
    char *buffer;
    size_t used; /* bytes of it */
    size_t size;
    unsigned last; /* the last one of this record; @count: none yet */
    /* By field, and for the first one of a record: what followed it before, as
       records tend to have the same ones in the same order. */
    unsigned next[ORR_DAG_FIELDS + 1];
    unsigned line; /* where the record begins; 0: none */
};

static void fields_init(struct fields *fields, const char *const *names,
                        unsigned count)
{
    *fields = (struct fields){.names = names, .count = count, .last = count};
    for (unsigned i = 0; i < count; i++)
        fields->lengths[i] = strlen(names[i]);
}

static unsigned find(const struct fields *fields, const char *name,
                     size_t length)
{
    unsigned field = fields->next[fields->last];

    for (unsigned i = 0; i < fields->count; i++) {
        if (fields->lengths[field] == length &&
            memcmp(fields->names[field], name, length) == 0)
            return field;
        field = field + 1 < fields->count ? field + 1 : 0;
    }
    return fields->count;
}

/* Copies the value of @field: @length bytes. */
static void keep(struct fields *fields, unsigned field, const char *value,
                 size_t length)
{
    size_t used = fields->used + length + 1;

    if (used > fields->size) {
        fields->size = 2 * used;
        fields->buffer = g_realloc(fields->buffer, fields->size);
    }
    memcpy(fields->buffer + fields->used, value, length);
    fields->buffer[used - 1] = '\0';
    fields->offsets[field] = fields->used + 1;
    fields->used = used;
}

/* Takes the line "Field: value". Returns false if it is not one. */
static bool gather(struct fields *fields, char *line, size_t length)
{
    char *colon = memchr(line, ':', length);
    char *end = line + length;
    char *value;
    unsigned field;

    if (!colon || memchr(line, '\0', length))
        return false;
    field = find(fields, line, (size_t)(colon - line));
    if (field == fields->count)
        return true;
    fields->next[fields->last] = field;
    fields->last = field;
    for (value = colon + 1; value < end && (*value == ' ' || *value == '\t');)
        value++;
    while (end > value &&
           (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    keep(fields, field, value, (size_t)(end - value));
    return true;
}

static void point(struct fields *fields)
{
    for (unsigned i = 0; i < fields->count; i++)
        fields->values[i] = fields->offsets[i] == 0
                                ? NULL
                                : fields->buffer + fields->offsets[i] - 1;
}

static void forget(struct fields *fields)
{
    memset(fields->offsets, 0, sizeof fields->offsets);
    fields->used = 0;
    fields->line = 0;
    fields->last = fields->count;
}

typedef bool add_function(struct orr_dag_records *records,
                          const char *const *values, GError **error);

static bool finish(struct fields *fields, struct orr_dag_builder *builder,
                   struct orr_dag_records *records, add_function *add,
                   GError **error)
{
    unsigned line = builder->line;
    bool good = true;

    if (fields->line == 0)
        return true;
    builder->line = fields->line;
    point(fields);
    good = add(records, fields->values, error);
    builder->line = line;
    forget(fields);
    return good;
}

static bool is_blank(const char *line, size_t length)
{
    return length == 0 || (length == 1 && *line == '\r');
}

/* Whether the line "%rec: ..." is not one of platform_file.rec. */
static bool check_kind(const struct orr_dag_builder *builder, const char *line,
                       GError **error)
{
    static const char *const kinds[] = {"timing", "worker_count",
                                        "memory_workers", "memory_performance"};

    if (!g_str_has_prefix(line, "%rec:"))
        return true;
    line += strlen("%rec:");
    line += strspn(line, " \t");
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_str_has_prefix(line, kinds[i]))
            return orr_dag_fail(builder, builder->line, ORR_ERROR_VALUE, error,
                                "a platform_file.rec, which has no tasks");
    }
    return true;
}

static bool read_records(struct orr_input *input,
                         struct orr_dag_builder *builder,
                         struct orr_dag_records *records, struct fields *fields,
                         add_function *add, GError **error)
{
    GError *reason = NULL;
    char *line;
    size_t length;

    while (orr_input_next_line(input, &line, &length, &reason)) {
        builder->line++;
        if (is_blank(line, length)) {
            if (!finish(fields, builder, records, add, error))
                return false;
            continue;
        }
        if (*line == '#' || *line == '%' || *line == '+') {
            if (!check_kind(builder, line, error))
                return false;
            continue;
        }
        if (fields->line == 0)
            fields->line = builder->line;
        if (!gather(fields, line, length))
            return orr_dag_fail(builder, builder->line, ORR_ERROR_SYNTAX, error,
                                "expected a field, as 'Name: value'");
    }
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    return finish(fields, builder, records, add, error);
}

/* data.rec, if there is one; messages about it name it. */
static bool read_data(struct orr_dag_builder *builder,
                      struct orr_dag_records *records, const char *path,
                      GError **error)
{
    g_autofree char *beside = orr_dag_data_path(path);
    const struct orr_input_limits limits = orr_input_limits(ORR_DAG_MAX_BYTES);
    struct orr_input *input;
    struct fields fields;
    char *own = builder->path;
    bool good;

    if (!beside)
        return true;
    input = orr_input_open(beside, &limits, error);
    if (!input)
        return false;
    fields_init(&fields, orr_dag_data_field_names, ORR_DAG_DATA_FIELDS);
    builder->path = orr_input_show_path(beside);
    good = read_records(input, builder, records, &fields,
                        orr_dag_records_add_datum, error) &&
           orr_dag_check_texts(builder, error);
    g_free(builder->path);
    builder->path = own;
    builder->line = 0;
    g_free(fields.buffer);
    orr_input_close(input);
    return good;
}

struct orr_dag *orr_dag_read_rec(struct orr_input *input, const char *path,
                                 const struct orr_dag_read_settings *settings,
                                 GError **error)
{
    struct orr_dag_builder *builder =
        orr_dag_builder_new(path, "rec", ORR_DAG_BY_RANK);
    struct orr_dag_records *records = orr_dag_records_new(builder);
    struct orr_dag *dag = NULL;
    struct fields fields;

    (void)settings;
    fields_init(&fields, orr_dag_field_names, ORR_DAG_FIELDS);
    if (read_data(builder, records, path, error) &&
        read_records(input, builder, records, &fields, orr_dag_records_add,
                     error) &&
        orr_dag_records_end(records, error))
        dag = orr_dag_builder_finish(builder, error);
    g_free(fields.buffer);
    orr_dag_records_free(records);
    orr_dag_builder_free(builder);
    return dag;
}
