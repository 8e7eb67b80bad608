/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_RECORD_H
#define ORR_DAG_RECORD_H

#include "models/dag/dag_builder.h"

/*
 * Makes a graph of StarPU's records, whether they are in recutils files
 * (dag_rec.c) or in CSV (dag_csv.c).
 *
 * A record of tasks.rec is a task, with its data in the fields Handles, Modes
 * and Sizes, and explicit dependencies in DependsOn; or it is a command to the
 * runtime (Control: WontUse). A task only synchronises if it has no name, is
 * StarPU's own (_starpu_...), or did not run in a file where other tasks ran.
 * Such a task is dropped, and its successors depend on its predecessors; with
 * the field Synchronises it stays.
 *
 * A parent whose number is below the numbers of all records was submitted
 * before the recording began, or has the number 0, which StarPU gives to tasks
 * that it does not record. Such parents count as ended.
 *
 * A handle is an address. If a handle is freed, another one may get its
 * address. The two differ in size, or, if the file has DependsOn, in that the
 * tasks of the new one do not depend on the last task that wrote the old one.
 */
enum orr_dag_field {
    ORR_DAG_CONTROL,
    ORR_DAG_NAME,
    ORR_DAG_MODEL,
    ORR_DAG_JOB,
    ORR_DAG_SUBMIT_ORDER,
    ORR_DAG_PRIORITY,
    ORR_DAG_DEPENDS_ON,
    ORR_DAG_WORKER,
    ORR_DAG_MEMORY_NODE,
    ORR_DAG_START,    /* ms */
    ORR_DAG_END,      /* ms */
    ORR_DAG_DURATION, /* ms; of graphs that have durations without dates */
    ORR_DAG_FOOTPRINT,
    ORR_DAG_GFLOP,
    ORR_DAG_ITERATION,
    ORR_DAG_PARAMETERS,
    ORR_DAG_HANDLES,
    ORR_DAG_MODES,
    ORR_DAG_SIZES,
    ORR_DAG_RANK,
    ORR_DAG_HANDLE,       /* in data.rec only: shows that the file is wrong */
    ORR_DAG_SYNCHRONISES, /* of Orrery: no work, but a task that stays */
    ORR_DAG_SYNCHRONOUS,  /* of Orrery: a kernel that blocks its GPU's driver */
    ORR_DAG_CRITICAL_MARK, /* 1: critical, 0: not */
    ORR_DAG_WONT_USE,      /* in CSV only: data that are not used for some time
                              after the task */
    ORR_DAG_FIELDS
};

enum orr_dag_data_field {
    ORR_DAG_DATA_HANDLE,
    ORR_DAG_DATA_NAME,
    ORR_DAG_DATA_HOME,
    ORR_DAG_DATA_SIZE,
    ORR_DAG_DATA_DESCRIPTION,
    ORR_DAG_DATA_COORDINATES,
    ORR_DAG_DATA_RANK,
    ORR_DAG_DATA_FIELDS
};

/* The names of fields in files, by enum orr_dag_field, orr_dag_data_field. */
extern const char *const orr_dag_field_names[ORR_DAG_FIELDS];
extern const char *const orr_dag_data_field_names[ORR_DAG_DATA_FIELDS];

struct orr_dag_records;

/* Makes the reader of records for @builder, which must outlive it. */
struct orr_dag_records *orr_dag_records_new(struct orr_dag_builder *builder);
void orr_dag_records_free(struct orr_dag_records *records);

/* Handles are names of data, not addresses: a name is always the same datum. */
void orr_dag_records_trust_handles(struct orr_dag_records *records);

/* Adds a registration of data.rec: @values by enum orr_dag_data_field, NULL for
 * absent fields. Registrations come before the first task. */
bool orr_dag_records_add_datum(struct orr_dag_records *records,
                               const char *const *values, GError **error);

/* Adds a record of tasks.rec: @values by enum orr_dag_field, without blanks
 * around them. builder->line is the first line of the record. */
bool orr_dag_records_add(struct orr_dag_records *records,
                         const char *const *values, GError **error);

/* Call this after the last record: finds the datum of each access, and drops
 * tasks that only synchronise. */
bool orr_dag_records_end(struct orr_dag_records *records, GError **error);

#endif
