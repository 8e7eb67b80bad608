/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"

enum orr_exit orr_cmd_graph(int argc, char **argv)
{
    static const struct orr_cmd commands[] = {
        {"save", "write the task graph of an application", orr_cmd_graph_save},
        {"show", "show what a task graph is made of", orr_cmd_graph_show},
        {"check", "check files of task graphs", orr_cmd_graph_check},
        {"convert", "convert a task graph to another format",
         orr_cmd_graph_convert},
        {"generate", "write a random task graph", orr_cmd_graph_generate},
        {NULL, NULL, NULL},
    };

    return orr_cmd_dispatch("orrery graph", commands, argc, argv);
}
