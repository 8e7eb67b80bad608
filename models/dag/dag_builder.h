/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_BUILDER_H
#define ORR_DAG_BUILDER_H

#include "models/base/error.h"
#include "models/dag/dag.h"
#include "models/dag/dag_names.h"

/*
 * Makes a graph, for readers of files and for the generator. Tasks and data
 * are added in any order, and may be named before they are described, by texts
 * that identify them in the file. At the end, orr_dag_builder_finish() checks
 * that all were described, puts tasks in order, and makes the graph.
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
     * The order in which the file first names the tasks, also where it names
     * them as parents or children of others. Tasks that come before one on
     * which they depend by an edge or by a file are moved behind it. A task
     * depends by a file on the only task that writes it, if that does not read
     * it too.
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
    GArray *tasks;         /* struct orr_dag_task; name 0: that in the file */
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

/* Fails if a text so far is not UTF-8, or holds a control character: before
 * builder->path changes. orr_dag_builder_finish() does it, too. */
bool orr_dag_check_texts(const struct orr_dag_builder *builder, GError **error);

/* The number of the task that the file calls @id: text of @length bytes. */
uint32_t orr_dag_refer(struct orr_dag_builder *builder, const char *id,
                       size_t length, GError **error);

/* Returns the number of the task that the file calls @id, for a caller that
 * describes it: fails if it was described before. Its members are those of a
 * task of which nothing is known, until the caller sets them. */
uint32_t orr_dag_define(struct orr_dag_builder *builder, const char *id,
                        size_t length, GError **error);

/* As orr_dag_define(), faster, where no task is called @id twice, nor named
 * before or after: it cannot be found by it. */
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

/* The index of a kernel, the offset of a text that may be there already. */
uint32_t orr_dag_kernel_of(struct orr_dag_builder *builder, const char *name,
                           size_t length);
uint32_t orr_dag_share(struct orr_dag_builder *builder, const char *text,
                       size_t length);

/* The length of the kernel in the name of a task: "sort" of "sort_ID00012" or
 * "sort_12"; 0 if the name is nothing but a number. */
size_t orr_dag_kernel_length(const char *name);

/* The index of the device @name, or "" and the number of a worker. */
uint32_t orr_dag_device_of(struct orr_dag_builder *builder, const char *name,
                           uint32_t worker, uint32_t memory_node);

/* Puts the data in the order of @keys, by number; equal ones stay in order. */
void orr_dag_builder_sort_data(struct orr_dag_builder *builder,
                               const uint32_t *keys);

/* Removes the tasks that are true in @dropped, by number; there are no edges
 * and accesses of them any more. */
void orr_dag_builder_drop(struct orr_dag_builder *builder, const bool *dropped);

/* Makes the graph. Returns NULL with @error: a task is not described, or there
 * is a cycle, of which it names the tasks. */
struct orr_dag *orr_dag_builder_finish(struct orr_dag_builder *builder,
                                       GError **error);

#endif
