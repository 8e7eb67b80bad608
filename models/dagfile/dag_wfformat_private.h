/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_WFFORMAT_PRIVATE_H
#define ORR_DAG_WFFORMAT_PRIVATE_H

#include "models/dag/dag_mark.h"
#include "models/dagfile/dag_read_private.h"

/* Shared by dag_wfformat.c, which parses JSON, and dag_wfformat_items.c, which
 * adds its objects to the graph. */

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

/* A text in the file: the reader of JSON keeps it to the end of the object. */
struct orr_wf_text {
    char *text; /* NULL: absent */
    size_t length;
};

/* The members of a task, a file or a link. */
struct orr_wf_item {
    struct orr_wf_text texts[ORR_WF_KEYS]; /* by key */
    struct orr_wf_name *names;             /* parents, children, files */
    size_t name_count, name_room;
    size_t size; /* of all texts, in bytes */
    unsigned line;
};

struct orr_wf_name {
    char *text;
    struct orr_wf_text size; /* bytes of the file, if known */
    uint32_t length;         /* at most ORR_INPUT_MAX_LINE */
    enum orr_wf_key key;     /* the list in which it is */
    bool described;          /* before 1.5: a file, described here alone */
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
    struct orr_wf_item link; /* before 1.5: the file of a task, being read */

    /* Edges and accesses of the task in @item; @room of each. */
    struct orr_dag_pending_edge *edges;
    struct orr_dag_pending_access *accesses;
    size_t edge_count, access_count, room;
    /* By place in the lists of a task: the number of the last task or datum
       there, for a guess. */
    uint32_t *near;
    GArray *files;     /* struct orr_wf_file, by datum */
    bool has_files;    /* there is a list of files, with their sizes */
    GArray *transfers; /* uint32_t: datum plus 1 by task, 0: no transfer */
};

void orr_wf_init(struct orr_wf *wf, struct orr_dag_builder *builder,
                 const struct orr_dag_read_settings *settings);
void orr_wf_clear(struct orr_wf *wf);

void orr_wf_item_clear(struct orr_wf_item *item);

/* Makes room for one more name. */
void orr_wf_enlarge_names(struct orr_wf_item *item);

/* Sets the text of @key. */
static inline void orr_wf_set_text(struct orr_wf_item *item,
                                   enum orr_wf_key key, char *text,
                                   size_t length)
{
    item->texts[key] = (struct orr_wf_text){text, length};
    item->size += length + 1;
}

/* Adds a name to a list; returns it, to be completed. */
static inline struct orr_wf_name *orr_wf_add_name(struct orr_wf_item *item,
                                                  enum orr_wf_key key,
                                                  char *text, size_t length)
{
    struct orr_wf_name *name;

    if (item->name_count == item->name_room)
        orr_wf_enlarge_names(item);
    name = &item->names[item->name_count++];
    *name = (struct orr_wf_name){
        .text = text, .length = (uint32_t)length, .key = key};
    item->size += length + 1;
    return name;
}

/* At the end of an object: add wf->item, or wf->link to the item. Return false
 * with wf->error. */
bool orr_wf_end_task(struct orr_wf *wf);
bool orr_wf_end_run(struct orr_wf *wf);
bool orr_wf_end_file(struct orr_wf *wf);
bool orr_wf_end_link(struct orr_wf *wf);

/* Checks that all files that tasks use are in the list of files, if there is
 * one. Returns false with wf->error. */
bool orr_wf_check_files(struct orr_wf *wf);

/* Replaces the tasks that are transfers, and their edges, by accesses. */
bool orr_wf_resolve_transfers(struct orr_wf *wf);

#endif
