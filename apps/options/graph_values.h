/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPH_VALUES_H
#define ORR_GRAPH_VALUES_H

#include "apps/options/option.h"
#include "apps/output/output.h"
#include "models/dagfile/dag_read.h"

/* The options of the commands that read task graphs. */
struct orr_graph_values {
    struct orr_dag_read_settings read;
    enum orr_format format;
};

extern const struct orr_option_group orr_options_graph;
extern const struct orr_option_group orr_options_graph_output;

/* Reads the graph @path, as orr_dag_read(). */
struct orr_dag *orr_graph_read(const char *path,
                               const struct orr_graph_values *values,
                               GError **error);

#endif
