/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/cli/skeleton.h"
#include "apps/options/option.h"
#include "apps/programs/programs.h"

static const struct orr_syntax syntax = {
    "app new",
    "NAME",
    1,
    1,
    "Writes the template of an application into the folder NAME: NAME.c, a "
    "Makefile\nthat builds NAME.so, which stands for APP as ./NAME.so, and a "
    "test.",
    {NULL},
};

static bool is_built_in(const char *name)
{
    return orr_app_find(name, NULL) != NULL;
}

enum orr_exit orr_cmd_app_new(int argc, char **argv)
{
    static const struct orr_skeleton app = {
        .kind = "an application",
        .source = orr_skeleton_app,
        .test = orr_skeleton_app_test,
        .use = "orrery run ./skeleton.so",
        .is_built_in = is_built_in,
    };
    enum orr_exit status;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, NULL, &operands, &status))
        return status;
    return orr_skeleton_write(&app, argv[0], syntax.command);
}
