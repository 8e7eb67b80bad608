/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"

enum orr_exit orr_cmd_histogram(int argc, char **argv)
{
    static const struct orr_cmd commands[] = {
        {"build", "build histograms of kernel durations",
         orr_cmd_histogram_build},
        {"show", "draw a histogram, or list those of a machine",
         orr_cmd_histogram_show},
        {NULL, NULL, NULL},
    };

    return orr_cmd_dispatch("orrery histogram", commands, argc, argv);
}
