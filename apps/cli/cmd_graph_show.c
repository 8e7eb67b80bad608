/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/facts/dag_facts.h"
#include "apps/options/graph_values.h"
#include "apps/output/csv.h"

static const struct orr_syntax syntax = {
    "graph show",
    "FILE",
    1,
    1,
    "Shows a task graph: its tasks and data, how deep and wide it is, its "
    "work, its\ncritical path, its ratio of communication to computation "
    "(CCR), and its kernels.\nFILE is a tasks.rec of StarPU, or in one of the "
    "other formats of docs/GRAPHS.md.",
    {&orr_options_graph, &orr_options_graph_output, NULL},
};

static void print(const struct orr_dag *dag, enum orr_format format)
{
    JsonObject *facts = orr_dag_facts_new(dag);

    if (format == ORR_FORMAT_TEXT)
        orr_dag_facts_print(facts);
    else if (format == ORR_FORMAT_CSV)
        orr_csv_print_pairs(facts);
    else
        orr_output_object(facts);
    json_object_unref(facts);
}

static enum orr_exit command(int argc, char **argv)
{
    struct orr_graph_values values = {.format = ORR_FORMAT_TEXT};
    g_autoptr(GError) error = NULL;
    enum orr_exit status;
    struct orr_dag *dag;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        return status;
    dag = orr_graph_read(argv[0], &values, &error);
    if (!dag) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_FAILURE;
    }
    print(dag, values.format);
    orr_dag_free(dag);
    return ORR_EXIT_OK;
}

const struct orr_cmd orr_cmd_graph_show = {
    .name = "show",
    .summary = "show what a task graph is made of",
    .syntax = &syntax,
    .main = command};
