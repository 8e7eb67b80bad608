/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "apps/cli/cmd.h"
#include "apps/cli/skeleton.h"
#include "apps/settings/values.h"
#include "models/base/error.h"

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

enum orr_exit orr_cmd_sched_new(int argc, char **argv)
{
    struct choices choices = {.concurrent = false};
    enum orr_exit status;
    GError *error = NULL;
    int operands;

    if (!orr_syntax_read(&syntax, argc, argv, &choices, &operands, &status))
        return status;
    if (orr_skeleton_write(argv[0], choices.concurrent, &error)) {
        printf("%s/%s.c\n%s/Makefile\n%s/test.sh\n\n", argv[0], argv[0],
               argv[0], argv[0]);
        printf("To compile and try it: make -C %s check\n", argv[0]);
        return ORR_EXIT_OK;
    }
    orr_message_print(syntax.command, "%s", error->message);
    status = orr_exit_of(error);
    g_error_free(error);
    return status;
}
