/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads tasks.rec, and data.rec beside it: GNU recutils, lines "Field: value"
 * and a blank line between records. The fields of a record point into the
 * buffer of the input, which holds the record until its end
 * (orr_input_hold()). Records tend to have the same fields in the same order,
 * so the field after the last one is guessed from the record before.
 */
#include <string.h>

#include "models/base/bytes.h"
#include "models/dagfile/dag_read_private.h"
#include "models/dagfile/dag_record.h"

/* Bytes of a record at most: some fields as long as a line may be. */
#define MAX_RECORD ((size_t)8 << 20)

/* The fields of one record. Their texts are in the buffer of the input. */
struct fields {
    const char *const *names;
    unsigned count;
    size_t lengths[ORR_DAG_FIELDS];     /* of the names */
    const char *values[ORR_DAG_FIELDS]; /* in the record; NULL: absent */
    unsigned last; /* the last field of this record; @count: none yet */
    /* By field: the field that followed it in an earlier record, for a guess,
       as records tend to have the same fields in the same order. next[count] is
       the first field of a record. */
    unsigned next[ORR_DAG_FIELDS + 1];
    bool zeros;         /* some line may hold a byte 0 */
    const char *record; /* its first line, if there is one */
    unsigned line;      /* the line of @record; 0: none */
};

static void fields_init(struct fields *fields, const char *const *names,
                        unsigned count)
{
    *fields = (struct fields){.names = names, .count = count, .last = count};
    for (unsigned i = 0; i < count; i++)
        fields->lengths[i] = strlen(names[i]);
}

/* Whether the line of @length bytes begins with the name of @field and ':'. */
static inline bool has_name(const struct fields *fields, unsigned field,
                            const char *line, size_t length)
{
    size_t name = fields->lengths[field];

    return length > name && line[name] == ':' &&
           orr_same_bytes(line, fields->names[field], name);
}

/* The field of the line; @count: another field, or no field. */
static unsigned find(struct fields *fields, const char *line, size_t length)
{
    unsigned field = fields->next[fields->last];

    if (has_name(fields, field, line, length))
        return field;
    for (field = 0; field < fields->count; field++) {
        if (has_name(fields, field, line, length)) {
            fields->next[fields->last] = field;
            break;
        }
    }
    return field;
}

static inline bool is_space(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Reads a line "Field: value", and ends the value with a 0. Returns false if
 * the line has another form. */
static bool gather(struct fields *fields, char *line, size_t length)
{
    unsigned field = find(fields, line, length);
    char *end = line + length;
    char *value;

    if (fields->zeros && memchr(line, '\0', length))
        return false;
    if (field == fields->count)
        return memchr(line, ':', length);
    fields->last = field;
    for (value = line + fields->lengths[field] + 1; is_space(*value);)
        value++;
    while (end > value && (is_space(end[-1]) || end[-1] == '\r'))
        end--;
    *end = '\0';
    fields->values[field] = value;
    return true;
}

/* Adjusts the fields: the record, read in part, has moved to @record. */
static void move(struct fields *fields, const char *record)
{
    for (unsigned i = 0; i < fields->count; i++) {
        if (fields->values[i])
            fields->values[i] = record + (fields->values[i] - fields->record);
    }
    fields->record = record;
}

static void forget(struct fields *fields)
{
    memset(fields->values, 0, sizeof fields->values);
    fields->line = 0;
    fields->last = fields->count;
}

typedef bool add_function(struct orr_dag_records *records,
                          const char *const *values, GError **error);

struct reader {
    struct orr_input *input;
    struct orr_dag_builder *builder;
    struct orr_dag_records *records;
    struct fields fields;
    add_function *add;
};

/* The end of a record, if there is one. */
static bool finish(struct reader *reader, GError **error)
{
    struct fields *fields = &reader->fields;
    unsigned line = reader->builder->line;
    bool good;

    if (fields->line == 0)
        return true;
    reader->builder->line = fields->line;
    good = reader->add(reader->records, fields->values, error);
    reader->builder->line = line;
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

static bool take_line(struct reader *reader, char *line, size_t length,
                      GError **error)
{
    struct orr_dag_builder *builder = reader->builder;

    if (is_blank(line, length))
        return finish(reader, error);
    if (reader->fields.line == 0)
        reader->fields.record = line;
    if (line - reader->fields.record > (ptrdiff_t)MAX_RECORD)
        return orr_dag_fail(builder, reader->fields.line, ORR_ERROR_VALUE,
                            error, "the record is longer than 8 MiB");
    if (*line < 'A' && (*line == '#' || *line == '%' || *line == '+'))
        return check_kind(builder, line, error);
    if (reader->fields.line == 0)
        reader->fields.line = builder->line;
    return gather(&reader->fields, line, length) ||
           orr_dag_fail(builder, builder->line, ORR_ERROR_SYNTAX, error,
                        "expected a field, as 'Name: value'");
}

/* The lines from @line to @end. */
static bool take_lines(struct reader *reader, char *line, const char *end,
                       GError **error)
{
    while (line < end) {
        char *behind = memchr(line, '\n', (size_t)(end - line));

        *behind = '\0';
        reader->builder->line++;
        if (!take_line(reader, line, (size_t)(behind - line), error))
            return false;
        line = behind + 1;
    }
    return true;
}

static bool read_records(struct reader *reader, GError **error)
{
    struct fields *fields = &reader->fields;
    GError *reason = NULL;
    char *line;
    char *end;

    while (orr_input_next_lines(reader->input, reader->builder->line, &line,
                                &end, &reason)) {
        fields->zeros = orr_input_has_zeros(reader->input);
        if (fields->line != 0)
            move(fields, orr_input_held(reader->input));
        if (!take_lines(reader, line, end, error))
            return false;
        orr_input_hold(reader->input, fields->line == 0 ? end : fields->record);
    }
    if (reason) {
        g_propagate_error(error, reason);
        return false;
    }
    /* The input may have moved the record while it looked for more lines. */
    if (fields->line != 0)
        move(fields, orr_input_held(reader->input));
    return finish(reader, error);
}

/* data.rec, if there is one; messages about it name it. */
static bool read_data(struct orr_dag_builder *builder,
                      struct orr_dag_records *records, const char *path,
                      GError **error)
{
    g_autofree char *beside = orr_dag_data_path(path);
    const struct orr_input_limits limits = orr_input_limits(ORR_DAG_MAX_BYTES);
    struct reader reader = {.builder = builder,
                            .records = records,
                            .add = orr_dag_records_add_datum};
    char *own = builder->path;
    bool good;

    if (!beside)
        return true;
    reader.input = orr_input_open(beside, &limits, error);
    if (!reader.input)
        return false;
    fields_init(&reader.fields, orr_dag_data_field_names, ORR_DAG_DATA_FIELDS);
    builder->path = orr_input_show_path(beside);
    good = read_records(&reader, error) && orr_dag_check_texts(builder, error);
    g_free(builder->path);
    builder->path = own;
    builder->line = 0;
    orr_input_close(reader.input);
    return good;
}

struct orr_dag *orr_dag_read_rec(struct orr_input *input, const char *path,
                                 const struct orr_dag_read_settings *settings,
                                 GError **error)
{
    struct orr_dag_builder *builder =
        orr_dag_builder_new(path, "rec", ORR_DAG_BY_RANK);
    struct orr_dag_records *records = orr_dag_records_new(builder);
    struct reader reader = {.input = input,
                            .builder = builder,
                            .records = records,
                            .add = orr_dag_records_add};
    struct orr_dag *dag = NULL;

    (void)settings;
    fields_init(&reader.fields, orr_dag_field_names, ORR_DAG_FIELDS);
    if (read_data(builder, records, path, error) &&
        read_records(&reader, error) && orr_dag_records_end(records, error))
        dag = orr_dag_builder_finish(builder, error);
    orr_dag_records_free(records);
    orr_dag_builder_free(builder);
    return dag;
}
