/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_H
#define ORR_DAG_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "models/time.h"

/*
 * The task graph of an application, without a machine: tasks in order of
 * submission, the data that each one accesses, and dependencies between tasks
 * that no datum implies. It may come from a file (dag_read.h) or a generator
 * (dag_generate.h), does not change once it is made, and is passive.
 *
 * Dependencies are those of sequential task flow: the accesses to a datum, in
 * order of submission, imply that a task which reads it depends on the last
 * task that wrote it, and a task which writes it on all tasks that accessed it
 * since. Edges add to these. dag_dependencies.h lists both.
 *
 * All is in arrays, and texts are in one pool: a graph with three accesses a
 * task takes about 100 bytes a task. Indices are 32 bits.
 */
#define ORR_DAG_NONE UINT32_MAX
#define ORR_DAG_MAX_TASKS 20000000u
#define ORR_DAG_MAX_ACCESSES 200000000u /* of all tasks; also of edges */

enum orr_dag_mode {
    ORR_DAG_READ = 1,
    ORR_DAG_WRITE = 2,
    ORR_DAG_COMMUTE = 4, /* writes in any order */
    ORR_DAG_REDUX = 8,   /* reduction: contributions in any order */
    ORR_DAG_SCRATCH = 16 /* memory for the time of the task; no dependency */
};

struct orr_dag_access {
    uint32_t datum;
    uint32_t mode; /* enum orr_dag_mode, or-ed */
};

/* As enum orr_critical of the runtime. */
enum orr_dag_critical {
    ORR_DAG_CRITICAL_UNKNOWN,
    ORR_DAG_NOT_CRITICAL,
    ORR_DAG_CRITICAL
};

struct orr_dag_task {
    uint32_t name;   /* text, as the file names the task */
    uint32_t kernel; /* index; ORR_DAG_NONE: synchronises, and does no work */
    uint32_t device; /* index in devices, where it ran; or ORR_DAG_NONE */
    uint32_t parameters; /* text, as the file has it; 0: none */
    uint32_t iteration;  /* text: coordinates of the task; 0: none */
    uint32_t footprint;  /* hash of the sizes of its data; 0: not known */
    int32_t priority;
    uint32_t line;     /* of the file */
    uint8_t critical;  /* enum orr_dag_critical */
    bool synchronous;  /* blocks the driver of a GPU until it ends */
    orr_time duration; /* ns, recorded on the device; -1: not known */
    double flops;      /* work; -1: not known */
    /* Its accesses and edges end where those of the next task begin. */
    uint32_t first_access;
    uint32_t first_edge;
};

struct orr_dag_datum {
    uint64_t bytes;
    uint32_t name;        /* text */
    uint32_t coordinates; /* text: "0 2"; 0: none */
    uint32_t shape;       /* text: "M960x960x8"; 0: none */
    int16_t home;         /* memory node that holds it at first; -1: none */
    bool is_named;        /* @name was given; with coordinates, it is the name
                             of the matrix or vector that holds the datum */
};

#define ORR_DAG_MAX_HOME INT16_MAX

/* When a task ran, in ns; it did not if its end is 0. */
struct orr_dag_dates {
    orr_time submitted;
    orr_time started;
    orr_time ended;
};

/* A worker on which tasks ran. */
struct orr_dag_device {
    uint32_t name;        /* text; 0: only its number is known */
    uint32_t worker;      /* number; ORR_DAG_NONE: not known */
    uint32_t memory_node; /* of the worker; ORR_DAG_NONE: not known */
};

/* A hint to the runtime: the datum will not be used for some time (StarPU's
 * wont_use). */
struct orr_dag_hint {
    uint32_t datum;
    uint32_t task; /* submitted before this task; the number of tasks: last */
};

struct orr_dag {
    char *path;         /* of the file, for messages; owned */
    const char *format; /* "rec", "wfformat", ... ; static */

    uint32_t task_count;
    uint32_t datum_count;
    uint32_t kernel_count;
    uint32_t device_count;
    uint32_t hint_count;
    uint32_t lost_parents;      /* number of parents that were submitted before
                                   the recording began, and are left out */
    struct orr_dag_task *tasks; /* task_count + 1; the last one only ends the
                                   ranges of accesses and edges */
    struct orr_dag_access *accesses;
    uint32_t *edges; /* predecessors, by task: ranges from first_edge on */
    struct orr_dag_datum *data;
    struct orr_dag_device *devices;
    struct orr_dag_hint *hints; /* in order of submission */
    uint32_t *kernels;          /* texts: names of kernels */
    char *texts;                /* each ends with a 0; texts[0] is "" */
    size_t text_size;
    struct orr_dag_dates *dates; /* by task; NULL: not known */
};

/* NULL is allowed. */
void orr_dag_free(struct orr_dag *dag);

/* The text at @offset; borrowed. */
static inline const char *orr_dag_text(const struct orr_dag *dag,
                                       uint32_t offset)
{
    return dag->texts + offset;
}

/* The name of the kernel of @task; "" if it has none. Borrowed. */
const char *orr_dag_kernel(const struct orr_dag *dag, uint32_t task);

/* The number of all accesses, of all edges. */
uint32_t orr_dag_access_count(const struct orr_dag *dag);
uint32_t orr_dag_edge_count(const struct orr_dag *dag);

/* Bytes of memory that the graph takes. */
size_t orr_dag_memory(const struct orr_dag *dag);

#endif
