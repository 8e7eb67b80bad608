/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_READ_PRIVATE_H
#define ORR_DAG_READ_PRIVATE_H

#include "models/base/input.h"
#include "models/dag/dag_builder.h"
#include "models/dagfile/dag_read.h"

/* Readers, one a format: @input is at the beginning of the file @path. */
typedef struct orr_dag *
orr_dag_reader(struct orr_input *input, const char *path,
               const struct orr_dag_read_settings *settings, GError **error);

orr_dag_reader orr_dag_read_csv;
orr_dag_reader orr_dag_read_dax;
orr_dag_reader orr_dag_read_dot;
orr_dag_reader orr_dag_read_rec;
orr_dag_reader orr_dag_read_stg;
orr_dag_reader orr_dag_read_wfformat;

/*
 * The path of the file with the data of @path: "data.rec" for "tasks.rec",
 * "a.data.rec" for "a.rec", "rec.data_handles.csv" for "rec.tasks.csv", each
 * perhaps with ".gz". NULL if there is no such file. Free with g_free().
 */
char *orr_dag_data_path(const char *path);

#endif
