/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/graph_values.h"

#include "apps/options/tables.h"
#include "apps/options/values.h"
#include "models/base/names.h"

#define MEMBER(name) offsetof(struct orr_graph_values, name)

static bool parse_runtime(const struct orr_option *option, const char *text,
                          void *member, GError **error)
{
    size_t found;

    if (!orr_names_find("unit", option->choices, text, &found, error))
        return false;
    *(bool *)member = found == 1;
    return true;
}

static const struct orr_option read_options[] = {
    {"runtime-is", "UNIT",
     "unit of runtimes in WfFormat, DAX and STG: seconds (default), flops",
     .parse = parse_runtime, .member = MEMBER(read.runtime_is_flops),
     .choices = ORR_CHOICES("seconds", "flops"),
     .manual = "The unit of the runtimes of tasks in WfFormat, DAX and STG: "
               "seconds (default), or flops, as SimGrid reads them."},
};

const struct orr_option_group orr_options_graph =
    ORR_OPTION_GROUP("Graph", read_options);

const struct orr_option_group orr_options_graph_output = {
    .title = "Output",
    .options = orr_format_option_table,
    .count = G_N_ELEMENTS(orr_format_option_table),
    .member = MEMBER(format)};

struct orr_dag *orr_graph_read(const char *path,
                               const struct orr_graph_values *values,
                               GError **error)
{
    return orr_dag_read(path, &values->read, error);
}
