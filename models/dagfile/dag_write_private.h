/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_WRITE_PRIVATE_H
#define ORR_DAG_WRITE_PRIVATE_H

#include <stdio.h>

#include "models/dag/dag.h"
#include "models/dag/dag_sort.h"

/*
 * A graph that is being written, for the writers of all formats: dependencies
 * are from task to task, without joins.
 */
struct orr_dag_writing {
    const struct orr_dag *dag;
    FILE *file;
    struct orr_dag_nodes before; /* predecessors of tasks */

    /* NULL unless the format identifies tasks by names. */
    uint32_t *first_after; /* by task: where its range in after begins */
    uint32_t *after;       /* successors */
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

/* The text that identifies a task or a datum: its name if that is unique, else
 * the name and its number. Borrowed. */
const char *orr_dag_task_id(const struct orr_dag_writing *writing,
                            uint32_t task);
const char *orr_dag_datum_id(const struct orr_dag_writing *writing,
                             uint32_t datum);

/* Writes @text, which has no control characters, in quotation marks and escaped
 * for DOT and JSON. */
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

/* Writes the marks of @task that are set: for each @before, its name, @behind,
 * and the text in quotation marks. */
void orr_dag_put_marks(const struct orr_dag_writing *writing,
                       const struct orr_dag_task *task, const char *before,
                       const char *behind);

/* Bytes of the text of a mode. */
enum { ORR_DAG_MODE = 6 };

/* Makes "RW" for a mode in the ORR_DAG_MODE bytes at @text, which it returns.
 */
const char *orr_dag_mode_text(unsigned mode, char *text);

#endif
