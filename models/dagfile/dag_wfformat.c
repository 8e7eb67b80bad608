/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads WfFormat, the JSON of WfCommons. In the versions 1.5 and 1.6 tasks have
 * a specification and, elsewhere, an execution; in 1.3 and 1.4 they have both
 * at once, with a list of files that they read and write. Members may come in
 * any order. "1.0" is SimGrid's variant: there, transfers are tasks.
 *
 * The file is parsed piece by piece: only the graph and the text of the current
 * task are kept in memory.
 */
#include <string.h>

#include "models/base/bytes.h"
#include "models/base/json_read.h"
#include "models/base/units.h"
#include "models/dagfile/dag_wfformat_private.h"

/* Of one task: parents, children, files and machines; bytes of all texts. */
#define MAX_NAMES 4000000u
#define MAX_TEXTS ((size_t)64 << 20)

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
    unsigned key; /* enum orr_wf_key */
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
    {"kernel", 6, ORR_WF_KERNEL}, /* Orrery's, as the next six keys */
    {"flops", 5, ORR_WF_FLOPS},
    {"iteration", 9, ORR_WF_MARKS + ORR_DAG_MARK_ITERATION},
    {"parameters", 10, ORR_WF_MARKS + ORR_DAG_MARK_PARAMETERS},
    {"footprint", 9, ORR_WF_MARKS + ORR_DAG_MARK_FOOTPRINT},
    {"critical", 8, ORR_WF_MARKS + ORR_DAG_MARK_CRITICAL},
    {"synchronous", 11, ORR_WF_MARKS + ORR_DAG_MARK_SYNCHRONOUS},
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
    unsigned depth;
    enum level levels[ORR_JSON_DEPTH + 1];
    enum orr_wf_key list;             /* key of the current LIST */
    enum orr_wf_key key;              /* key of the current value */
    unsigned last;                    /* index of the newest key in keys[] */
    uint8_t next[G_N_ELEMENTS(keys)]; /* by key: index of the key after it */
    bool has_version;
};

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

/* Clears the item of the object that begins. */
static void clear_item(struct reader *reader, enum level level)
{
    struct orr_wf *wf = &reader->wf;

    if (level == TASK || level == RUN || level == FILE_SIZE) {
        orr_wf_item_clear(&wf->item);
        wf->item.line = wf->builder->line;
    } else if (level == LINK) {
        orr_wf_item_clear(&wf->link);
        wf->link.line = wf->item.line;
    }
}

static bool on_start(void *data, bool is_array, bool *keeps)
{
    struct reader *reader = data;
    enum level level = is_array ? array_in(reader) : object_in(reader);

    clear_item(reader, level);
    *keeps = level == TASK || level == RUN || level == FILE_SIZE;
    if (level == LIST)
        reader->list = reader->key;
    if (level == FILES)
        reader->wf.has_files = true;
    reader->levels[++reader->depth] = level;
    reader->key = ORR_WF_NO_KEY;
    return true;
}

static bool on_end(void *data, bool is_array)
{
    struct reader *reader = data;
    enum level level = reader->levels[reader->depth--];

    reader->key = ORR_WF_NO_KEY;
    if (is_array)
        return true;
    if (level == TASK)
        return orr_wf_end_task(&reader->wf);
    if (level == RUN)
        return orr_wf_end_run(&reader->wf);
    if (level == FILE_SIZE)
        return orr_wf_end_file(&reader->wf);
    return level == LINK ? orr_wf_end_link(&reader->wf) : true;
}

static inline bool is_key(unsigned index, const char *text, size_t length)
{
    return keys[index].length == length &&
           orr_same_bytes(keys[index].name, text, length);
}

/* Looks up a key that differs from the one that followed the last key before.
 */
__attribute__((noinline)) static void find_key(struct reader *reader,
                                               const char *text, size_t length)
{
    unsigned index = 0;

    while (index < G_N_ELEMENTS(keys) && !is_key(index, text, length))
        index++;
    reader->key = ORR_WF_NO_KEY;
    if (index == G_N_ELEMENTS(keys))
        return;
    reader->next[reader->last] = (uint8_t)index;
    reader->last = index;
    reader->key = keys[index].key;
}

/* Most objects have their keys in the same order as the previous object. */
static bool on_key(void *data, const char *text, size_t length)
{
    struct reader *reader = data;
    unsigned index = reader->next[reader->last];

    if (reader->levels[reader->depth] == OTHER) {
        reader->key = ORR_WF_NO_KEY;
    } else if (is_key(index, text, length)) {
        reader->last = index;
        reader->key = keys[index].key;
    } else {
        find_key(reader, text, length);
    }
    return true;
}

static bool check_version(struct reader *reader, const char *text,
                          size_t length)
{
    static const char *const known[] = {"1.0", "1.3", "1.4", "1.5", "1.6"};
    g_autofree char *version = g_strndup(text, length);
    g_autofree char *quoted = orr_quote(version);

    for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(known[i], version) == 0) {
            reader->has_version = true;
            return true;
        }
    }
    return orr_dag_fail(
        reader->wf.builder, reader->wf.builder->line, ORR_ERROR_VALUE,
        &reader->wf.error,
        "WfFormat %s is not known; there are: 1.3, 1.4, 1.5, 1.6, and 1.0 of "
        "SimGrid",
        quoted);
}

static bool fail_large(struct orr_wf *wf)
{
    return orr_dag_fail(wf->builder, wf->item.line, ORR_ERROR_VALUE, &wf->error,
                        "more than %u names, or than 64 MiB of texts, in one "
                        "task",
                        MAX_NAMES);
}

/* The value of a member. Not a part of on_value(), where most texts are names
 * in lists. */
__attribute__((noinline)) static bool
take_value(struct reader *reader, enum level level, char *text, size_t length)
{
    enum orr_wf_key key = reader->key;
    struct orr_wf_item *item = &reader->wf.item;

    if (key == ORR_WF_NO_KEY)
        return true;
    reader->key = ORR_WF_NO_KEY;
    if (level == TASK || level == RUN || level == FILE_SIZE)
        orr_wf_set_text(item, key, text, length);
    else if (level == LINK)
        orr_wf_set_text(&reader->wf.link, key, text, length);
    else if (level == ROOT && key == ORR_WF_SCHEMA_VERSION)
        return check_version(reader, text, length);
    return true;
}

/* A text or a number. */
static bool on_value(void *data, char *text, size_t length)
{
    struct reader *reader = data;
    struct orr_wf *wf = &reader->wf;
    enum level level = reader->levels[reader->depth];

    /* Limits the memory of one task or file. */
    if (wf->item.name_count >= MAX_NAMES ||
        wf->item.size + wf->link.size >= MAX_TEXTS)
        return fail_large(wf);
    if (level != LIST)
        return take_value(reader, level, text, length);
    orr_wf_add_name(&wf->item, reader->list, text, length);
    return true;
}

static bool parse(struct reader *reader, struct orr_input *input)
{
    static const struct orr_json_handler handler = {
        .start = on_start, .end = on_end, .key = on_key, .value = on_value};

    return orr_json_read(input, &reader->wf.builder->line, &handler, reader,
                         &reader->wf.error) &&
           (reader->has_version ||
            orr_dag_fail(reader->wf.builder, 0, ORR_ERROR_SYNTAX,
                         &reader->wf.error,
                         "not WfFormat: it has no schemaVersion"));
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
    if (parse(&reader, input) && orr_wf_check_files(&reader.wf) &&
        orr_wf_resolve_transfers(&reader.wf))
        dag = orr_dag_builder_finish(builder, &reader.wf.error);
    if (reader.wf.error)
        g_propagate_error(error, g_steal_pointer(&reader.wf.error));
    orr_wf_clear(&reader.wf);
    orr_dag_builder_free(builder);
    return dag;
}
