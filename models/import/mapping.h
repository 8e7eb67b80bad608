/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MAPPING_H
#define ORR_MAPPING_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "models/time.h"

/*
 * A given mapping and order: the worker of each task, and the order of the
 * tasks of each worker. The policy fixed replays it. It is read from a file, or
 * made from a run that has ended (orr_config.mapping). The formats are
 *
 *   tasks.rec   as StarPU's starpu_fxt_tool writes it: Name, Model, WorkerId,
 *               StartTime, SubmitOrder
 *   CSV         Orrery's traces; rec.tasks.csv of StarVZ; any table with the
 *               columns worker and start_ns, start_us, start_ms or start_s,
 *               and maybe name or kernel, submit_order, and implementation
 *   rows        "TASK WORKER", in the order in which each worker takes them;
 *               also CSV with the columns task and worker. TASK is the name of
 *               a task or, if no task of the file is called so, its number in
 *               order of submission, from 0
 *
 * In the first two, tasks are ordered by date; tasks without a date and
 * StarPU's own tasks are skipped. A task is identified by its rank: its place
 * in the order of submission among the tasks that do work. In Orrery's traces,
 * it is identified by submit_order itself.
 *
 * A worker is a number, GPUs first, or a name: "CUDA0", "CPU3".
 *
 * Files may be hostile: all is checked, and messages name the line.
 */
struct orr_mapping_task {
    uint64_t number;         /* of submission, or rank; unused in rows */
    const char *name;        /* of the task or its kernel; "": not known */
    const char *worker;      /* as in the file */
    unsigned line;           /* of the file; 0: orr_mapping_add() */
    orr_time start;          /* sort key; in rows, the number of the row */
    unsigned place;          /* in orr_mapping.order, once resolved */
    uint16_t implementation; /* of its kernel, from 0; 0 if not known */
    bool submitted;          /* for the runtime */
};

struct orr_mapping {
    char *path; /* for messages: of the file, or the name of the mapping */
    unsigned count;
    struct orr_mapping_task *tasks; /* by number, or rows as in the file */
    GHashTable *rows; /* by name: index + 1; NULL: tasks have numbers */
    bool by_rank;     /* numbers are ranks, from 0 */
    GStringChunk *texts;

    /* Once resolved: the tasks of worker w, in order, are order[first[w]] and
     * up to first[w + 1]. */
    unsigned *order;
    unsigned *first;
};

#define ORR_MAPPING_NONE G_MAXUINT

/*
 * Reads the file @path. Returns NULL with @error: ORR_ERROR_IO, or
 * ORR_ERROR_SYNTAX and ORR_ERROR_VALUE, which begin with "path:line: ". Free
 * with orr_mapping_free(), where NULL is allowed.
 */
struct orr_mapping *orr_mapping_read(const char *path, GError **error);

/* Makes a mapping without tasks, which messages call @name. Free with
 * orr_mapping_free(). */
struct orr_mapping *orr_mapping_new(const char *name);

/*
 * Adds a task to a mapping of orr_mapping_new(), at most once for each number;
 * in any order.
 *
 * @task: its number, name, worker, start and implementation; the texts are
 *        copied. Other members are ignored.
 */
void orr_mapping_add(struct orr_mapping *mapping,
                     const struct orr_mapping_task *task);

void orr_mapping_free(struct orr_mapping *mapping);

/* Sets order and first for the workers called @names; no task counts as
 * submitted. Another run may do so again. Fails with ORR_ERROR_VALUE if the
 * mapping names another worker. */
bool orr_mapping_resolve(struct orr_mapping *mapping, const char *const *names,
                         unsigned count, GError **error);

/* "path:line" of @task, or the name of the mapping; to be freed with
 * g_free(). */
char *orr_mapping_where(const struct orr_mapping *mapping,
                        const struct orr_mapping_task *task);

/* The index of the task that is the @number-th submitted one, called @name;
 * ORR_MAPPING_NONE: the file lacks it. */
unsigned orr_mapping_find(const struct orr_mapping *mapping, uint64_t number,
                          const char *name);

#endif
