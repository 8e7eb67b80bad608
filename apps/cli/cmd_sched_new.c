/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/cli/skeleton.h"
#include "apps/options/values.h"
#include "sched/host.h"

struct choices {
    bool concurrent;
};

static const struct orr_option options[] = {
    {"concurrent", NULL, "a concurrent policy, with locks of its own",
     orr_value_true, offsetof(struct choices, concurrent), 0, 0},
};

static const struct orr_option_group style = ORR_OPTION_GROUP("Style", options);

static const struct orr_syntax syntax = {
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

enum orr_exit orr_cmd_sched_new(int argc, char **argv)
{
    struct choices choices = {.concurrent = false};
    struct orr_skeleton policy = {
        .kind = "a policy",
        .test = orr_skeleton_policy_test,
        .use = "orrery run cholesky --sched ./skeleton.so",
        .is_built_in = is_built_in,
    };
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &choices, &operands, &status))
        return status;
    policy.source =
        choices.concurrent ? orr_skeleton_concurrent : orr_skeleton_simple;
    policy.rules = choices.concurrent ? orr_skeleton_races : NULL;
    return orr_skeleton_write(&policy, argv[0], syntax.command);
}
