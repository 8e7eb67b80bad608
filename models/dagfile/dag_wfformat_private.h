/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_WFFORMAT_PRIVATE_H
#define ORR_DAG_WFFORMAT_PRIVATE_H

#include <string.h>

#include "models/dag/dag_mark.h"
#include "models/dagfile/dag_read_private.h"

/* Shared by dag_wfformat.c, which parses JSON, and dag_wfformat_items.c, which
 * knows what its objects mean. */

enum orr_wf_key {
    ORR_WF_NO_KEY,
    ORR_WF_SCHEMA_VERSION,
    ORR_WF_WORKFLOW_KEY,
    ORR_WF_SPECIFICATION_KEY,
    ORR_WF_EXECUTION_KEY,
    ORR_WF_TASKS_KEY,
    ORR_WF_FILES_KEY,
    ORR_WF_NAME,
    ORR_WF_ID,
    ORR_WF_TYPE,
    ORR_WF_RUNTIME,
    ORR_WF_WRITTEN_BYTES,
    ORR_WF_PRIORITY,
    ORR_WF_CATEGORY,
    ORR_WF_MACHINE,
    ORR_WF_MACHINES,
    ORR_WF_PARENTS,
    ORR_WF_CHILDREN,
    ORR_WF_INPUT_FILES,
    ORR_WF_OUTPUT_FILES,
    ORR_WF_SIZE,
    ORR_WF_LINK_KEY,
    ORR_WF_KERNEL,
    ORR_WF_FLOPS,
    ORR_WF_MARKS, /* one for each enum orr_dag_mark */
    ORR_WF_KEYS = ORR_WF_MARKS + ORR_DAG_MARKS
};

/*
 * What a task, a file or a link holds: texts in one buffer, each ended by a 0.
 * Offsets are 1 more than where a text begins; 0: absent.
 */
struct orr_wf_item {
    size_t texts[ORR_WF_KEYS]; /* by key */
    struct orr_wf_name *names; /* parents, children, files */
    size_t name_count, name_room;
    char *buffer;
    size_t size, capacity; /* of the buffer, in bytes */
    unsigned line;
};

struct orr_wf_name {
    size_t offset;       /* of the text in the buffer */
    size_t size;         /* offset of another text, plus 1: bytes of the
                            file; 0: not known */
    uint32_t length;     /* at most ORR_INPUT_MAX_LINE */
    enum orr_wf_key key; /* the list in which it is */
    bool described;      /* a file of before 1.5, which is listed nowhere
                            else */
};

/* Lines of the file; 0: none. */
struct orr_wf_file {
    unsigned described; /* in the list of files */
    unsigned used;      /* by a task */
};

struct orr_wf {
    struct orr_dag_builder *builder;
    const struct orr_dag_read_settings *settings;
    GError *error;
    struct orr_wf_item item; /* the task or file that is being read */
    struct orr_wf_item link; /* the file of that task, before 1.5 */

    /* Of that task; each has @room. */
    struct orr_dag_pending_edge *edges;
    struct orr_dag_pending_access *accesses;
    size_t edge_count, access_count, room;
    GArray *files;     /* struct orr_wf_file, by datum */
    bool has_files;    /* there is a list of files, with their sizes */
    GArray *transfers; /* uint32_t: datum plus 1 by task, 0: no transfer */
};

void orr_wf_init(struct orr_wf *wf, struct orr_dag_builder *builder,
                 const struct orr_dag_read_settings *settings);
void orr_wf_clear(struct orr_wf *wf);

void orr_wf_item_clear(struct orr_wf_item *item);

/* Makes room for one more name, for @length bytes of text and a 0. */
void orr_wf_enlarge_names(struct orr_wf_item *item);
void orr_wf_enlarge_buffer(struct orr_wf_item *item, size_t length);

/* Adds a text to the buffer; returns its offset, plus 1. */
static inline size_t orr_wf_keep(struct orr_wf_item *item, const char *text,
                                 size_t length)
{
    size_t offset = item->size;

    if (item->capacity - offset <= length)
        orr_wf_enlarge_buffer(item, length);
    memcpy(item->buffer + offset, text, length);
    item->buffer[offset + length] = '\0';
    item->size += length + 1;
    return offset + 1;
}

/* Adds a name to a list; returns it, to be completed. */
static inline struct orr_wf_name *orr_wf_add_name(struct orr_wf_item *item,
                                                  enum orr_wf_key key,
                                                  const char *text,
                                                  size_t length)
{
    struct orr_wf_name *name;

    if (item->name_count == item->name_room)
        orr_wf_enlarge_names(item);
    name = &item->names[item->name_count++];
    *name = (struct orr_wf_name){.key = key, .length = (uint32_t)length};
    name->offset = orr_wf_keep(item, text, length) - 1;
    return name;
}

/* At the end of an object: add wf->item, or wf->link to the item. Return false
 * with wf->error. */
bool orr_wf_end_task(struct orr_wf *wf);
bool orr_wf_end_run(struct orr_wf *wf);
bool orr_wf_end_file(struct orr_wf *wf);
bool orr_wf_end_link(struct orr_wf *wf);

/* Whether all files that tasks use are in the list of files, if there is one.
 */
bool orr_wf_check_files(struct orr_wf *wf);

/* Makes accesses of the edges from and to transfers, and drops these. */
bool orr_wf_resolve_transfers(struct orr_wf *wf);

#endif
