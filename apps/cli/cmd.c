/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"

#include <stdio.h>
#include <string.h>

#include "apps/options/completion.h"
#include "apps/options/syntax.h"
#include "models/base/names.h"
#include "models/base/units.h"

static const struct orr_cmd *find(const struct orr_cmd *const *commands,
                                  const char *name)
{
    for (; *commands; commands++) {
        if (strcmp((*commands)->name, name) == 0)
            return *commands;
    }
    return NULL;
}

static void print_help(const char *path, const struct orr_cmd *const *commands)
{
    size_t width = 10;

    for (size_t i = 0; commands[i]; i++)
        width = MAX(width, strlen(commands[i]->name));
    printf("Usage: %s COMMAND [ARGUMENT...] [OPTION...]\n\nCommands:\n", path);
    for (; *commands; commands++)
        printf("  %-*s %s\n", (int)width, (*commands)->name,
               (*commands)->summary);
    printf("\n'%s COMMAND --help' explains a command.\n", path);
}

/* Returns the name in messages: "platform" for "orrery platform". */
static const char *command_of(const char *path)
{
    const char *space = strchr(path, ' ');

    return space ? space + 1 : "";
}

static void complain_unknown(const char *path,
                             const struct orr_cmd *const *commands,
                             const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *quoted = orr_quote(name);
    g_autofree char *hint = NULL;

    for (; *commands; commands++)
        g_ptr_array_add(names, (gpointer)(*commands)->name);
    g_ptr_array_add(names, NULL);
    hint = orr_names_hint((const char *const *)names->pdata, name, "");
    orr_message_print(command_of(path), "unknown command %s%s; see '%s --help'",
                      quoted, hint, path);
}

/* Runs @cmd, which comes after @path, or the command of a group that argv[1]
 * names. */
static enum orr_exit perform(const char *path, const struct orr_cmd *cmd,
                             int argc, char **argv)
{
    g_autofree char *group = NULL;

    if (!cmd->commands)
        return cmd->main(argc, argv);
    group = g_strconcat(path, " ", cmd->name, NULL);
    return orr_cmd_dispatch(group, cmd->commands, argc, argv);
}

/* "help run" is "run --help". */
static enum orr_exit help(const char *path,
                          const struct orr_cmd *const *commands, int argc,
                          char **argv)
{
    GPtrArray *args = g_ptr_array_new();
    enum orr_exit status;

    for (int i = 0; i < argc; i++)
        g_ptr_array_add(args, argv[i]);
    g_ptr_array_add(args, (gpointer) "--help");
    g_ptr_array_add(args, NULL);
    status = orr_cmd_dispatch(path, commands, argc + 1, (char **)args->pdata);
    g_ptr_array_unref(args);
    return status;
}

static void offer_commands(const char *path,
                           const struct orr_cmd *const *commands,
                           const char *word)
{
    for (; *commands; commands++)
        orr_completion_offer(word, "", (*commands)->name, (*commands)->summary);
    orr_completion_offer(word, "", "help", "explain a command");
    orr_completion_offer(word, "", "--help", "list the commands");
    if (strcmp(path, "orrery") == 0)
        orr_completion_offer(word, "", "--version", "show the version");
}

/* Prints how the last of the words argv[2] and on may go on (completion.h). */
static enum orr_exit complete(const char *path,
                              const struct orr_cmd *const *commands, int argc,
                              char **argv)
{
    const struct orr_cmd *cmd;

    for (; argc > 3 && strcmp(argv[2], "help") == 0; argc--)
        argv++;
    if (argc <= 3) {
        offer_commands(path, commands, argc == 3 ? argv[2] : "");
        return ORR_EXIT_OK;
    }
    cmd = find(commands, argv[2]);
    argv[2] = (char *)ORR_COMPLETE;
    return cmd ? perform(path, cmd, argc - 1, argv + 1) : ORR_EXIT_OK;
}

enum orr_exit orr_cmd_dispatch(const char *path,
                               const struct orr_cmd *const *commands, int argc,
                               char **argv)
{
    const struct orr_cmd *cmd;

    if (argc < 2) {
        orr_message_print(command_of(path),
                          "a command is missing; see '%s --help'", path);
        return ORR_EXIT_USAGE;
    }
    if (strcmp(argv[1], ORR_COMPLETE) == 0)
        return complete(path, commands, argc, argv);
    if (strcmp(orr_option_long(argv[1]), "--help") == 0) {
        print_help(path, commands);
        return ORR_EXIT_OK;
    }
    if (strcmp(argv[1], "help") == 0)
        return help(path, commands, argc - 1, argv + 1);
    cmd = find(commands, argv[1]);
    if (cmd)
        return perform(path, cmd, argc - 1, argv + 1);
    complain_unknown(path, commands, argv[1]);
    return ORR_EXIT_USAGE;
}
