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

/* The longest time of a task, in s; and the message about a longer one. */
#define ORR_DAG_MAX_SECONDS 1e9
#define ORR_DAG_TOO_LONG                                                       \
    "more than 1e9 s; flops, as SimGrid has them, need --runtime-is flops"

#endif
