/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_BUILDER_H
#define ORR_DAG_BUILDER_H

#include "models/base/error.h"
#include "models/dag/dag.h"
#include "models/dag/dag_names.h"

/*
 * Makes a graph, for readers of files and for the generator. Tasks and data
 * are added in any order. A task may be mentioned, by the text that identifies
 * it in the file, before it is described. At the end, orr_dag_builder_finish()
 * checks that all tasks were described, puts them in order, and makes the
 * graph.
 *
 * Functions that may fail return false or ORR_DAG_NONE with @error, which
 * begins with "path:line: ". After that, only orr_dag_builder_free() is
 * allowed.
 */

/* How the order of submission is found. */
enum orr_dag_order {
    /* By the ranks of tasks; accesses in this order make dependencies. */
    ORR_DAG_BY_RANK,
    /*
     * The order in which the file first mentions the tasks, be it as parents or
     * children of others. A task that comes before one of its predecessors, by
     * an edge or by a file, is moved behind it. The predecessor by a file is
     * the only task that writes the file, unless it reads the file as well.
     */
    ORR_DAG_BY_EDGES,
};

struct orr_dag_builder {
    char *path; /* for messages */
    const char *format;
    enum orr_dag_order order;
    unsigned line; /* current line of the file, for messages */

    struct orr_dag_texts texts;
    struct orr_dag_names ids;      /* of tasks in the file */
    struct orr_dag_names data_ids; /* of data in the file */
    struct orr_dag_names kernels;
    struct orr_dag_names shared; /* texts that repeat: shapes, coordinates */
    struct orr_dag_names device_ids;
    uint32_t lost_parents; /* as in struct orr_dag */
    GArray *tasks;         /* struct orr_dag_task; name 0: named by its id */
    GArray *ranks;         /* uint64_t: keys of the order, by task */
    GArray *data;          /* struct orr_dag_datum */
    GArray *named;         /* uint32_t: data, by number in data_ids */
    GArray *devices;       /* struct orr_dag_device */
    GArray *accesses;      /* struct orr_dag_pending_access */
    GArray *edges;         /* struct orr_dag_pending_edge */
    GArray *hints;         /* struct orr_dag_pending_hint */
};

struct orr_dag_pending_access {
    uint32_t task;
    uint32_t datum;
    uint32_t mode;
};

struct orr_dag_pending_edge {
    uint32_t before;
    uint32_t after;
};

struct orr_dag_pending_hint {
    uint64_t rank; /* it comes after the task of this rank */
    uint32_t datum;
};

struct orr_dag_builder *orr_dag_builder_new(const char *path,
                                            const char *format,
                                            enum orr_dag_order order);
void orr_dag_builder_free(struct orr_dag_builder *builder); /* or NULL */

/* Sets @error to "path:line: " and the message; returns false. */
bool orr_dag_fail(const struct orr_dag_builder *builder, unsigned line,
                  enum orr_error code, GError **error, const char *format, ...)
    G_GNUC_PRINTF(5, 6);

/* Fails if a text added so far is not UTF-8, or holds a control character. Call
 * it before builder->path changes, so that the message names the right file.
 * orr_dag_builder_finish() checks, too. */
bool orr_dag_check_texts(const struct orr_dag_builder *builder, GError **error);

/* The number of the task that the file calls @id: text of @length bytes. */
uint32_t orr_dag_refer(struct orr_dag_builder *builder, const char *id,
                       size_t length, GError **error);

/* Returns the number of the task that the file calls @id, for a caller that
 * describes it: fails if it was described before. The caller sets its members,
 * which mean "not known" until then. */
uint32_t orr_dag_define(struct orr_dag_builder *builder, const char *id,
                        size_t length, GError **error);

/* As orr_dag_define(), but faster: does not look @id up, and later look-ups do
 * not find it. For formats that mention each id once. */
uint32_t orr_dag_task_add(struct orr_dag_builder *builder, const char *id,
                          size_t length, GError **error);

/* The task @number, until another one is added. */
struct orr_dag_task *orr_dag_task_of(struct orr_dag_builder *builder,
                                     uint32_t number);

/* The number of the datum that the file calls @id. New data have 0 bytes. */
uint32_t orr_dag_datum_of(struct orr_dag_builder *builder, const char *id,
                          size_t length, GError **error);

/* The number of a datum that has no name in the file. */
uint32_t orr_dag_datum_add(struct orr_dag_builder *builder, uint64_t bytes,
                           uint32_t name, GError **error);

/* Add @count accesses, or dependencies: faster than one by one. */
bool orr_dag_accesses(struct orr_dag_builder *builder,
                      const struct orr_dag_pending_access *accesses,
                      size_t count, GError **error);
bool orr_dag_edges(struct orr_dag_builder *builder,
                   const struct orr_dag_pending_edge *edges, size_t count,
                   GError **error);

/* Adds an access, or a dependency. */
bool orr_dag_access(struct orr_dag_builder *builder, uint32_t task,
                    uint32_t datum, unsigned mode, GError **error);
bool orr_dag_edge(struct orr_dag_builder *builder, uint32_t before,
                  uint32_t after, GError **error);

/* Adds a hint. */
bool orr_dag_add_hint(struct orr_dag_builder *builder,
                      const struct orr_dag_pending_hint *hint, GError **error);

/* An edge with data: a datum that @before writes and @after reads; without
 * @bytes, an edge alone. */
bool orr_dag_transfer(struct orr_dag_builder *builder, uint32_t before,
                      uint32_t after, uint64_t bytes, GError **error);

/* Return the index of the kernel @name, and the offset of @text; added only if
 * they are new. */
uint32_t orr_dag_kernel_of(struct orr_dag_builder *builder, const char *name,
                           size_t length);
uint32_t orr_dag_share(struct orr_dag_builder *builder, const char *text,
                       size_t length);

/* The length of the kernel in the name of a task: "sort" of "sort_ID00012" or
 * "sort_12"; 0 if the name is nothing but a number. */
size_t orr_dag_kernel_length(const char *name);

/* The index of a device: called @name or, if that is "", known by the number of
 * its worker. */
uint32_t orr_dag_device_of(struct orr_dag_builder *builder, const char *name,
                           uint32_t worker, uint32_t memory_node);

/* Sorts the data by @keys, one for each datum; data with equal keys stay in
 * order. Accesses and hints follow. */
void orr_dag_builder_sort_data(struct orr_dag_builder *builder,
                               const uint32_t *keys);

/* Removes each task i with @dropped[i], which must have no edges and no
 * accesses any more. */
void orr_dag_builder_drop(struct orr_dag_builder *builder, const bool *dropped);

/* Makes the graph. Returns NULL with @error if a task is not described, or if
 * there is a cycle; the message names its tasks. */
struct orr_dag *orr_dag_builder_finish(struct orr_dag_builder *builder,
                                       GError **error);

#endif
