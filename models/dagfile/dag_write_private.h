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

    /* Of formats with names alone: NULL in others. */
    uint32_t *first_after; /* of tasks: ranges in after */
    uint32_t *after;
    struct orr_dag_written_names *names;
};

/* Writers, one a format. */
typedef void orr_dag_writer(const struct orr_dag_writing *writing);

orr_dag_writer orr_dag_write_csv;
orr_dag_writer orr_dag_write_dot;
orr_dag_writer orr_dag_write_rec;
orr_dag_writer orr_dag_write_rec_data;
orr_dag_writer orr_dag_write_rec_dot;
orr_dag_writer orr_dag_write_wfformat;

/* Makes the texts that identify tasks and data. */
struct orr_dag_written_names *
orr_dag_written_names_new(const struct orr_dag *dag);
void orr_dag_written_names_free(struct orr_dag_written_names *names);

/* The text that identifies a task, a datum: its name if no other has it, else
 * one made of the name and its number. Borrowed. */
const char *orr_dag_task_id(const struct orr_dag_writing *writing,
                            uint32_t task);
const char *orr_dag_datum_id(const struct orr_dag_writing *writing,
                             uint32_t datum);

/* Writes @text in quotation marks, as DOT and JSON want it. It holds no control
 * characters. */
void orr_dag_put_quoted(FILE *file, const char *text);

/* Bytes of the text of a number. */
enum { ORR_DAG_NUMBER = G_ASCII_DTOSTR_BUF_SIZE };

/* Makes the text of @number in the ORR_DAG_NUMBER bytes at @text, with as many
 * digits as are needed to read it back. Returns its begin. */
const char *orr_dag_number_text(double number, char *text);
void orr_dag_put_number(FILE *file, double number);

/* Writes @time as a decimal number with @scale digits behind the point, at
 * least: ms with 6, s with 9. */
void orr_dag_put_time(FILE *file, orr_time time, unsigned scale);

/* Writes what is known of the marks of @task: for each one @before, its name,
 * @behind, and the text in quotation marks. */
void orr_dag_put_marks(const struct orr_dag_writing *writing,
                       const struct orr_dag_task *task, const char *before,
                       const char *behind);

/* Bytes of the text of a mode. */
enum { ORR_DAG_MODE = 6 };

/* Makes "RW" for a mode in the ORR_DAG_MODE bytes at @text, which it returns.
 */
const char *orr_dag_mode_text(unsigned mode, char *text);

#endif
