/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/options/graph_values.h"

static const struct orr_syntax syntax = {
    "graph check",
    "FILE...",
    1,
    INT_MAX,
    "Checks files of task graphs. For each one, prints its first error, or how "
    "many\ntasks it has. Fails if any file has an error.",
    {&orr_options_graph, &orr_options_graph_output, NULL},
};

static void print(const char *path, const struct orr_dag *dag)
{
    printf("%s: OK, %s, %u tasks, %u data", path, dag->format, dag->task_count,
           dag->datum_count);
    if (dag->lost_parents > 0)
        printf("; %u tasks on which others depend were not recorded",
               dag->lost_parents);
    putchar('\n');
}

static bool check(JsonArray *rows, const char *path,
                  const struct orr_graph_values *values)
{
    g_autoptr(GError) error = NULL;
    struct orr_dag *dag = orr_graph_read(path, values, &error);
    JsonObject *row = orr_output_add_object(rows);
    bool valid = dag;

    orr_output_set_text(row, "file", path);
    json_object_set_boolean_member(row, "valid", valid);
    orr_output_set_text(row, "error", valid ? NULL : error->message);
    orr_output_set_text(row, "format", valid ? dag->format : NULL);
    json_object_set_int_member(row, "tasks", valid ? dag->task_count : 0);
    json_object_set_int_member(row, "data", valid ? dag->datum_count : 0);
    json_object_set_int_member(row, "unrecorded_parents",
                               valid ? dag->lost_parents : 0);
    if (!valid)
        orr_message_print(syntax.command, "%s", error->message);
    else if (values->format == ORR_FORMAT_TEXT)
        print(path, dag);
    orr_dag_free(dag);
    return valid;
}

static enum orr_exit command(int argc, char **argv)
{
    struct orr_graph_values values = {.format = ORR_FORMAT_TEXT};
    enum orr_exit status;
    JsonArray *rows;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        return status;
    status = ORR_EXIT_OK;
    rows = json_array_new();
    for (int i = 0; i < operands; i++) {
        if (!check(rows, argv[i], &values))
            status = ORR_EXIT_FAILURE;
    }
    if (values.format != ORR_FORMAT_TEXT)
        orr_output_rows(rows, values.format);
    json_array_unref(rows);
    return status;
}

const struct orr_cmd orr_cmd_graph_check = {.name = "check",
                                            .summary =
                                                "check files of task graphs",
                                            .syntax = &syntax,
                                            .main = command};
