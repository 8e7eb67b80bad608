/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/settings/command.h"
#include "apps/trace/submitted.h"
#include "models/dagfile/dag_write.h"

static const struct orr_syntax syntax = {
    "graph save",
    "APP",
    1,
    1,
    "Writes the task graph that the application APP submits: tasks, data and "
    "work,\nwithout a machine and without times. The format is that of the "
    "name: .rec (with\n.data.rec beside it), .json (WfFormat 1.5), .csv, or "
    ".dot.",
    {&orr_options_application, &orr_options_kernels, &orr_options_graph_file,
     NULL},
};

static enum orr_exit save(const char *app, struct orr_settings *settings,
                          GError **error)
{
    struct orr_dag *dag;
    bool written;

    if (!settings->outputs.output) {
        orr_message_print(syntax.command, "--output FILE is missing");
        return ORR_EXIT_USAGE;
    }
    if (!orr_dag_write_check(settings->outputs.output, error) ||
        !orr_settings_resolve(settings, app, error))
        return ORR_EXIT_USAGE;
    if (!orr_app_check_tasks(settings->scenario.problem.values, 0, error))
        return ORR_EXIT_FAILURE;
    orr_settings_remark(&settings->scenario, syntax.command);
    dag = orr_submitted_graph(settings->scenario.problem.app,
                              settings->scenario.problem.values, error);
    written = dag && orr_dag_write(dag, settings->outputs.output, error);
    orr_dag_free(dag);
    return written ? ORR_EXIT_OK : ORR_EXIT_FAILURE;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, save);
}

const struct orr_cmd orr_cmd_graph_save = {
    .name = "save",
    .summary = "write the task graph of an application",
    .syntax = &syntax,
    .main = command};
