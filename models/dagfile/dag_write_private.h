/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_WRITE_PRIVATE_H
#define ORR_DAG_WRITE_PRIVATE_H

#include <stdio.h>

#include "models/dag/dag.h"
#include "models/dag/dag_sort.h"

/* What the writers of all formats share. */

/*
 * A graph that is being written: all dependencies from task to task, without
 * joins; and a unique text for each task and each datum.
 */
struct orr_dag_writing {
    const struct orr_dag *dag;
    FILE *file;
    struct orr_dag_nodes before; /* of tasks */
    uint32_t *first_after;       /* of tasks: ranges in after */
    uint32_t *after;
    bool *repeated; /* by task: the name of another one, too */
    bool *renamed;  /* by datum: the same, or none */
};

/* Writers, one a format. */
typedef void orr_dag_writer(const struct orr_dag_writing *writing);

orr_dag_writer orr_dag_write_csv;
orr_dag_writer orr_dag_write_dot;
orr_dag_writer orr_dag_write_rec;
orr_dag_writer orr_dag_write_rec_data;
orr_dag_writer orr_dag_write_wfformat;

/* The text that identifies a task, a datum: its name if no other has it, else
 * with its number. Free with g_free(). */
char *orr_dag_task_id(const struct orr_dag_writing *writing, uint32_t task);
char *orr_dag_datum_id(const struct orr_dag_writing *writing, uint32_t datum);

/* Writes @number with as many digits as are needed to read it back. */
void orr_dag_put_number(FILE *file, double number);

/* Writes @time as a decimal number with @scale digits behind the point, at
 * least: ms with 6, s with 9. */
void orr_dag_put_time(FILE *file, orr_time time, unsigned scale);

/* Writes "RW" for a mode. */
void orr_dag_put_mode(FILE *file, unsigned mode);

#endif
