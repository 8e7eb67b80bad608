/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib/gstdio.h>

#include "apps/cli/cmd.h"
#include "apps/options/graph_values.h"
#include "models/base/error.h"
#include "models/base/input.h"
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

/* Whether writing @out would overwrite the file @in. Each may be NULL. */
static bool is_same(const char *in, const char *out)
{
    GStatBuf left;
    GStatBuf right;

    return in && out && g_stat(in, &left) == 0 && g_stat(out, &right) == 0 &&
           left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* Whether the files to write are other files than those to read, which may have
 * more than @out keeps. */
static bool check_output(const char *in, const char *out, GError **error)
{
    g_autofree char *in_beside = orr_dag_data_path(in);
    g_autofree char *out_beside = orr_dag_write_beside(out);
    const char *inputs[] = {in, in_beside};
    const char *outputs[] = {out, out_beside};

    if (!orr_dag_write_check(out, error))
        return false;
    for (unsigned i = 0; i < G_N_ELEMENTS(inputs); i++) {
        for (unsigned j = 0; j < G_N_ELEMENTS(outputs); j++) {
            g_autofree char *shown = NULL;

            if (!is_same(inputs[i], outputs[j]))
                continue;
            shown = orr_input_show_path(outputs[j]);
            g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                        "%s: would overwrite what is read", shown);
            return false;
        }
    }
    return true;
}

static bool convert(const char *in, const char *out,
                    const struct orr_graph_values *values, GError **error)
{
    struct orr_dag *dag = orr_graph_read(in, values, error);
    bool good = dag && orr_dag_write(dag, out, error);

    orr_dag_free(dag);
    return good;
}

static enum orr_exit command(int argc, char **argv)
{
    struct orr_graph_values values = {.format = ORR_FORMAT_TEXT};
    g_autoptr(GError) error = NULL;
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &values, &operands, &status))
        return status;
    if (!check_output(argv[0], argv[1], &error)) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_USAGE;
    }
    if (convert(argv[0], argv[1], &values, &error))
        return ORR_EXIT_OK;
    orr_message_print(syntax.command, "%s", error->message);
    return ORR_EXIT_FAILURE;
}

const struct orr_cmd orr_cmd_graph_convert = {
    .name = "convert",
    .summary = "convert a task graph to another format",
    .syntax = &syntax,
    .main = command};
