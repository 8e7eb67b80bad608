/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/cli/skeleton.h"
#include "apps/options/values.h"
#include "apps/output/output.h"
#include "apps/settings/command.h"
#include "sched/plugin.h"
#include "sched/registry.h"

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
    for (unsigned i = 0; (ops = orr_policy_named(i)); i++)
        add_row(rows, ops->name, ops);
    add_row(rows, "fixed:FILE", &orr_policy_fixed);
    orr_output_rows(rows, settings->format);
    return ORR_EXIT_OK;
}

static enum orr_exit list(int argc, char **argv)
{
    return orr_settings_command(&list_syntax, argc, argv, print_list);
}

const struct orr_cmd orr_cmd_sched_list = {.name = "list",
                                           .summary =
                                               "list the scheduling policies",
                                           .syntax = &list_syntax,
                                           .main = list};

struct choices {
    bool concurrent, starpu;
};

static const struct orr_skeleton_interface starpu = {
    "orrery-starpu", "apps/starpu", ORR_PLUGIN_STARPU};

static const struct orr_option options[] = {
    {"concurrent", NULL, "a concurrent policy, with locks of its own",
     .parse = orr_value_true, .member = offsetof(struct choices, concurrent),
     .manual = "A concurrent policy with locks, which every worker calls like "
               "a thread."},
    {"starpu", NULL, "a policy in StarPU's interface", .parse = orr_value_true,
     .member = offsetof(struct choices, starpu),
     .manual = "A policy in StarPU's interface, `struct starpu_sched_policy`. "
               "Every worker calls it like a thread, too."},
};

static const struct orr_option_group style = ORR_OPTION_GROUP("Style", options);

static const struct orr_syntax new_syntax = {
    "sched new",
    "NAME",
    1,
    1,
    "Writes the template of a scheduling policy into the folder NAME: NAME.c, "
    "a\nMakefile that builds NAME.so for --sched ./NAME.so, and a test.",
    {&style, NULL},
};

static bool is_built_in(const char *name)
{
    return orr_sched_find(name) != NULL;
}

static void choose(struct orr_skeleton *policy, const struct choices *choices)
{
    policy->source = choices->starpu       ? orr_skeleton_starpu
                     : choices->concurrent ? orr_skeleton_concurrent
                                           : orr_skeleton_simple;
    if (choices->concurrent || choices->starpu)
        policy->rules = orr_skeleton_races;
    if (!choices->starpu)
        return;
    policy->interface = &starpu;
    policy->use = "orrery run cholesky --sched starpu:./skeleton.so";
}

static enum orr_exit new_command(int argc, char **argv)
{
    struct choices choices = {.concurrent = false};
    struct orr_skeleton policy = {
        .kind = "a policy",
        .interface = &orr_skeleton_orrery,
        .test = orr_skeleton_policy_test,
        .use = "orrery run cholesky --sched ./skeleton.so",
        .is_built_in = is_built_in,
    };
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&new_syntax, argc, argv, &choices, &operands, &status))
        return status;
    choose(&policy, &choices);
    return orr_skeleton_write(&policy, argv[0], new_syntax.command);
}

const struct orr_cmd orr_cmd_sched_new = {.name = "new",
                                          .summary =
                                              "write a template of a policy",
                                          .syntax = &new_syntax,
                                          .main = new_command};
