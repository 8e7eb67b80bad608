/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads WfFormat, the JSON of WfCommons. In the versions 1.5 and 1.6 tasks have
 * a specification and, elsewhere, an execution; in 1.3 and 1.4 they have both
 * at once, with a list of files that they read and write. Members may come in
 * any order. "1.0" is what SimGrid reads: there, transfers are tasks.
 *
 * The file is parsed piece by piece: what is kept is the graph, and the task
 * that is being read.
 */
#include <string.h>
#include <yajl/yajl_parse.h>

#include "models/base/units.h"
#include "models/dagfile/dag_wfformat_private.h"

#define MAX_DEPTH 100
#define STEP ((size_t)1 << 16)

enum level {
    OTHER, /* skipped */
    ROOT,
    WORKFLOW,
    SPECIFICATION,
    EXECUTION,
    TASKS, /* arrays */
    RUNS,
    FILES,
    TASK, /* of TASKS */
    RUN,  /* of RUNS */
    FILE_SIZE,
    LINKS, /* files of a task before 1.5 */
    LINK,
    LIST, /* of texts, in a task */
};

static const struct {
    const char *name;
    size_t length;
    enum orr_wf_key key;
} keys[] = {
    {"name", 4, ORR_WF_NAME},
    {"id", 2, ORR_WF_ID},
    {"parents", 7, ORR_WF_PARENTS},
    {"children", 8, ORR_WF_CHILDREN},
    {"inputFiles", 10, ORR_WF_INPUT_FILES},
    {"outputFiles", 11, ORR_WF_OUTPUT_FILES},
    {"sizeInBytes", 11, ORR_WF_SIZE},
    {"runtimeInSeconds", 16, ORR_WF_RUNTIME},
    {"priority", 8, ORR_WF_PRIORITY},
    {"machines", 8, ORR_WF_MACHINES},
    {"kernel", 6, ORR_WF_KERNEL}, /* ours */
    {"flops", 5, ORR_WF_FLOPS},   /* ours */
    {"type", 4, ORR_WF_TYPE},
    {"runtime", 7, ORR_WF_RUNTIME},
    {"files", 5, ORR_WF_FILES_KEY},
    {"tasks", 5, ORR_WF_TASKS_KEY},
    {"link", 4, ORR_WF_LINK_KEY},
    {"size", 4, ORR_WF_SIZE},
    {"category", 8, ORR_WF_CATEGORY},
    {"machine", 7, ORR_WF_MACHINE},
    {"writtenBytes", 12, ORR_WF_WRITTEN_BYTES},
    {"specification", 13, ORR_WF_SPECIFICATION_KEY},
    {"execution", 9, ORR_WF_EXECUTION_KEY},
    {"workflow", 8, ORR_WF_WORKFLOW_KEY},
    {"schemaVersion", 13, ORR_WF_SCHEMA_VERSION},
};

struct reader {
    struct orr_wf wf;
    yajl_handle json;
    const unsigned char *piece; /* what is being parsed */
    size_t counted;             /* bytes of it of which lines are counted */
    unsigned depth;
    enum level levels[MAX_DEPTH + 1];
    enum orr_wf_key list; /* what the current LIST is */
    enum orr_wf_key key;  /* before the current value */
    bool has_version;
};

/* Counts lines up to the current place. */
static void count_lines(struct reader *reader)
{
    size_t end = yajl_get_bytes_consumed(reader->json);

    while (reader->counted < end) {
        const unsigned char *at = reader->piece + reader->counted;
        const unsigned char *line = memchr(at, '\n', end - reader->counted);

        if (!line) {
            reader->counted = end;
            break;
        }
        reader->wf.builder->line++;
        reader->counted = (size_t)(line - reader->piece) + 1;
    }
}

static int refuse(struct reader *reader, enum orr_error code,
                  const char *format, ...) G_GNUC_PRINTF(3, 4);

static int refuse(struct reader *reader, enum orr_error code,
                  const char *format, ...)
{
    g_autofree char *message = NULL;
    va_list arguments;

    va_start(arguments, format);
    message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    count_lines(reader);
    orr_dag_fail(reader->wf.builder, reader->wf.builder->line, code,
                 &reader->wf.error, "%s", message);
    return 0;
}

static enum level object_in(const struct reader *reader)
{
    switch (reader->levels[reader->depth]) {
    case OTHER:
        return reader->depth == 0 ? ROOT : OTHER;
    case ROOT:
        return reader->key == ORR_WF_WORKFLOW_KEY ? WORKFLOW : OTHER;
    case WORKFLOW:
        if (reader->key == ORR_WF_SPECIFICATION_KEY)
            return SPECIFICATION;
        return reader->key == ORR_WF_EXECUTION_KEY ? EXECUTION : OTHER;
    case TASKS:
        return TASK;
    case RUNS:
        return RUN;
    case FILES:
        return FILE_SIZE;
    case LINKS:
        return LINK;
    default:
        return OTHER;
    }
}

static enum level array_in(const struct reader *reader)
{
    switch (reader->levels[reader->depth]) {
    case WORKFLOW:
        return reader->key == ORR_WF_TASKS_KEY ? TASKS : OTHER;
    case SPECIFICATION:
        if (reader->key == ORR_WF_TASKS_KEY)
            return TASKS;
        return reader->key == ORR_WF_FILES_KEY ? FILES : OTHER;
    case EXECUTION:
        return reader->key == ORR_WF_TASKS_KEY ? RUNS : OTHER;
    case TASK:
    case RUN:
        if (reader->key == ORR_WF_FILES_KEY)
            return LINKS;
        return reader->key == ORR_WF_PARENTS ||
                       reader->key == ORR_WF_CHILDREN ||
                       reader->key == ORR_WF_INPUT_FILES ||
                       reader->key == ORR_WF_OUTPUT_FILES ||
                       reader->key == ORR_WF_MACHINES
                   ? LIST
                   : OTHER;
    default:
        return OTHER;
    }
}

static int open_level(struct reader *reader, enum level level)
{
    if (reader->depth == MAX_DEPTH)
        return refuse(reader, ORR_ERROR_SYNTAX,
                      "nested more than %d levels deep", MAX_DEPTH);
    reader->levels[++reader->depth] = level;
    if (level == LIST)
        reader->list = reader->key;
    reader->key = ORR_WF_NO_KEY;
    return 1;
}

static int on_start_map(void *data)
{
    struct reader *reader = data;
    enum level level = object_in(reader);

    if (level == TASK || level == RUN || level == FILE_SIZE) {
        count_lines(reader);
        orr_wf_item_clear(&reader->wf.item);
        reader->wf.item.line = reader->wf.builder->line;
    } else if (level == LINK) {
        orr_wf_item_clear(&reader->wf.link);
        reader->wf.link.line = reader->wf.item.line;
    }
    return open_level(reader, level);
}

static int on_end_map(void *data)
{
    struct reader *reader = data;
    enum level level = reader->levels[reader->depth--];

    reader->key = ORR_WF_NO_KEY;
    if (level == TASK)
        return orr_wf_end_task(&reader->wf);
    if (level == RUN)
        return orr_wf_end_run(&reader->wf);
    if (level == FILE_SIZE)
        return orr_wf_end_file(&reader->wf);
    return level == LINK ? orr_wf_end_link(&reader->wf) : 1;
}

static int on_start_array(void *data)
{
    struct reader *reader = data;

    return open_level(reader, array_in(reader));
}

static int on_end_array(void *data)
{
    struct reader *reader = data;

    reader->depth--;
    reader->key = ORR_WF_NO_KEY;
    return 1;
}

static int on_key(void *data, const unsigned char *text, size_t length)
{
    struct reader *reader = data;

    reader->key = ORR_WF_NO_KEY;
    if (reader->levels[reader->depth] == OTHER)
        return 1;
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (keys[i].length == length &&
            memcmp(keys[i].name, text, length) == 0) {
            reader->key = keys[i].key;
            break;
        }
    }
    return 1;
}

static int check_version(struct reader *reader, const char *text, size_t length)
{
    static const char *const known[] = {"1.0", "1.3", "1.4", "1.5", "1.6"};
    g_autofree char *version = g_strndup(text, length);
    g_autofree char *quoted = orr_quote(version);

    for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(known[i], version) == 0) {
            reader->has_version = true;
            return 1;
        }
    }
    return refuse(reader, ORR_ERROR_VALUE,
                  "WfFormat %s is not known; there are: 1.3, 1.4, 1.5, 1.6, "
                  "and 1.0 of SimGrid",
                  quoted);
}

/* A text or a number. */
static int on_value(struct reader *reader, const char *text, size_t length)
{
    enum level level = reader->levels[reader->depth];

    if (level != OTHER && memchr(text, '\0', length))
        return refuse(reader, ORR_ERROR_VALUE, "a 0 in a text");
    if (level == LIST) {
        struct orr_wf_name name = {.key = reader->list, .length = length};

        name.offset = orr_wf_keep(&reader->wf.item, text, length) - 1;
        g_array_append_val(reader->wf.item.names, name);
        return 1;
    }
    if (reader->key == ORR_WF_NO_KEY)
        return 1;
    if (level == ROOT && reader->key == ORR_WF_SCHEMA_VERSION)
        return check_version(reader, text, length);
    if (level == TASK || level == RUN || level == FILE_SIZE)
        reader->wf.item.texts[reader->key] =
            orr_wf_keep(&reader->wf.item, text, length);
    else if (level == LINK)
        reader->wf.link.texts[reader->key] =
            orr_wf_keep(&reader->wf.link, text, length);
    reader->key = ORR_WF_NO_KEY;
    return 1;
}

static int on_string(void *data, const unsigned char *text, size_t length)
{
    return on_value(data, (const char *)text, length);
}

static int on_number(void *data, const char *text, size_t length)
{
    return on_value(data, text, length);
}

static const yajl_callbacks callbacks = {
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_start_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end_map,
    .yajl_start_array = on_start_array,
    .yajl_end_array = on_end_array,
};

/* The message of yajl, as one line: what comes before the text it quotes. */
static void fail_syntax(struct reader *reader)
{
    unsigned char *text = yajl_get_error(reader->json, 0, NULL, 0);

    if (reader->wf.error) {
        yajl_free_error(reader->json, text);
        return;
    }
    count_lines(reader);
    g_strdelimit((char *)text, "\n", ' ');
    orr_dag_fail(reader->wf.builder, reader->wf.builder->line, ORR_ERROR_SYNTAX,
                 &reader->wf.error, "not JSON: %s", g_strstrip((char *)text));
    yajl_free_error(reader->json, text);
}

static bool parse(struct reader *reader, struct orr_input *input)
{
    g_autofree unsigned char *piece = g_malloc(STEP);
    size_t size = 1;
    yajl_status status = yajl_status_ok;

    reader->wf.builder->line = 1;
    reader->piece = piece;
    while (status == yajl_status_ok && size > 0) {
        if (!orr_input_read(input, piece, STEP, &size, &reader->wf.error))
            return false;
        reader->counted = 0;
        status = size > 0 ? yajl_parse(reader->json, piece, size)
                          : yajl_complete_parse(reader->json);
        if (status == yajl_status_ok)
            count_lines(reader);
    }
    if (status != yajl_status_ok)
        fail_syntax(reader);
    else if (!reader->has_version)
        orr_dag_fail(reader->wf.builder, 0, ORR_ERROR_SYNTAX, &reader->wf.error,
                     "not WfFormat: it has no schemaVersion");
    return !reader->wf.error;
}

struct orr_dag *
orr_dag_read_wfformat(struct orr_input *input, const char *path,
                      const struct orr_dag_read_settings *settings,
                      GError **error)
{
    struct orr_dag_builder *builder =
        orr_dag_builder_new(path, "wfformat", ORR_DAG_BY_EDGES);
    struct reader reader = {.depth = 0};
    struct orr_dag *dag = NULL;

    orr_wf_init(&reader.wf, builder, settings);
    reader.json = yajl_alloc(&callbacks, NULL, &reader);
    /* orr_dag_builder_finish() does, for the texts that are kept. */
    yajl_config(reader.json, yajl_dont_validate_strings, 1);
    if (parse(&reader, input) && orr_wf_resolve_transfers(&reader.wf))
        dag = orr_dag_builder_finish(builder, &reader.wf.error);
    if (reader.wf.error)
        g_propagate_error(error, g_steal_pointer(&reader.wf.error));
    yajl_free(reader.json);
    orr_wf_clear(&reader.wf);
    orr_dag_builder_free(builder);
    return dag;
}
