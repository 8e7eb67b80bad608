/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/graph_values.h"

#include "apps/options/values.h"
#include "models/base/names.h"

#define MEMBER(name) offsetof(struct orr_graph_values, name)

static bool parse_runtime(const struct orr_option *option, const char *text,
                          void *member, GError **error)
{
    static const char *const names[] = {"seconds", "flops", NULL};
    size_t found;

    (void)option;
    if (!orr_names_find("unit", names, text, &found, error))
        return false;
    *(bool *)member = found == 1;
    return true;
}

static const struct orr_option read_options[] = {
    {"runtime-is", "UNIT",
     "unit of runtimes in WfFormat, DAX and STG: seconds (default), flops",
     parse_runtime, MEMBER(read.runtime_is_flops), 0, 0},
};

const struct orr_option_group orr_options_graph = {
    "Graph", read_options, G_N_ELEMENTS(read_options), 0, NULL};

static const struct orr_option output_options[] = {
    {"format", "FORMAT", "text (default), json or csv", orr_value_format,
     MEMBER(format), 0, 0},
};

const struct orr_option_group orr_options_graph_output = {
    "Output", output_options, G_N_ELEMENTS(output_options), 0, NULL};

struct orr_dag *orr_graph_read(const char *path,
                               const struct orr_graph_values *values,
                               GError **error)
{
    return orr_dag_read(path, &values->read, error);
}
