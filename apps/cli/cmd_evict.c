/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"
#include "sched/evict/evict_registry.h"

static const struct orr_syntax list_syntax = {
    "evict list",
    NULL,
    0,
    0,
    "Lists the eviction policies. Scheduling policies that have one of their "
    "own use it\nunless --evict names another.",
    {&orr_options_output, NULL},
};

static enum orr_exit print_list(const char *operand,
                                struct orr_settings *settings, GError **error)
{
    g_autoptr(JsonArray) rows = json_array_new();
    const struct orr_evict_ops *ops;

    (void)operand;
    (void)error;
    for (size_t i = 0; (ops = orr_evict_builtin(i)); i++) {
        JsonObject *row = orr_output_add_object(rows);

        orr_output_set_text(row, "name", ops->name);
        json_object_set_boolean_member(row, "runs_twice", ops->future);
        orr_output_set_text(row, "summary", ops->summary);
    }
    orr_output_rows(rows, settings->format);
    return ORR_EXIT_OK;
}

static enum orr_exit list(int argc, char **argv)
{
    return orr_settings_command(&list_syntax, argc, argv, print_list);
}

const struct orr_cmd orr_cmd_evict_list = {.name = "list",
                                           .summary =
                                               "list the eviction policies",
                                           .syntax = &list_syntax,
                                           .main = list};
