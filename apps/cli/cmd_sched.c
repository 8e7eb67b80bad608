/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"
#include "sched/host.h"

static const struct orr_syntax list_syntax = {
    "sched list",
    NULL,
    0,
    0,
    "Lists the scheduling policies. Applications set task priorities only for "
    "those\nthat use priorities.",
    {&orr_options_output, NULL},
};

static void add_row(JsonArray *rows, const char *name,
                    const struct orr_sched_ops *ops)
{
    JsonObject *row = orr_output_add_object(rows);

    orr_output_set_text(row, "name", name);
    json_object_set_boolean_member(row, "priorities", ops->priorities);
    orr_output_set_text(row, "summary", ops->summary);
}

static enum orr_exit print_list(const char *operand,
                                struct orr_settings *settings, GError **error)
{
    g_autoptr(JsonArray) rows = json_array_new();
    const struct orr_sched_ops *ops;

    (void)operand;
    (void)error;
    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++)
        add_row(rows, ops->name, ops);
    add_row(rows, "fixed:FILE", &orr_policy_fixed);
    orr_output_rows(rows, settings->format);
    return ORR_EXIT_OK;
}

static enum orr_exit list(int argc, char **argv)
{
    return orr_settings_command(&list_syntax, argc, argv, print_list);
}

enum orr_exit orr_cmd_sched(int argc, char **argv)
{
    static const struct orr_cmd commands[] = {
        {"list", "list the scheduling policies", list},
        {"new", "write a template of a policy", orr_cmd_sched_new},
        {NULL, NULL, NULL},
    };

    return orr_cmd_dispatch("orrery sched", commands, argc, argv);
}
