/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/settings/graph_values.h"
#include "models/dagfile/dag_write.h"

static const struct orr_syntax syntax = {
    "graph convert",
    "IN OUT",
    2,
    2,
    "Converts the task graph IN to the file OUT, in the format of its name: "
    ".rec (with\n.data.rec beside it), .json (WfFormat 1.5), .csv, or .dot. "
    "docs/GRAPHS.md says\nwhat each one keeps.",
    {&orr_options_graph, NULL},
};

static bool convert(const char *in, const char *out,
                    const struct orr_graph_values *values, GError **error)
{
    struct orr_dag *dag = orr_graph_read(in, values, error);
    bool good = dag && orr_dag_write(dag, out, error);

    orr_dag_free(dag);
    return good;
}

enum orr_exit orr_cmd_graph_convert(int argc, char **argv)
{
    struct orr_graph_values values = {.format = ORR_FORMAT_TEXT};
    g_autoptr(GError) error = NULL;
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        return status;
    if (!orr_dag_write_check(argv[1], &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_USAGE;
    }
    if (convert(argv[0], argv[1], &values, &error))
        return ORR_EXIT_OK;
    orr_message_print(syntax.command, "%s", error->message);
    return ORR_EXIT_FAILURE;
}
