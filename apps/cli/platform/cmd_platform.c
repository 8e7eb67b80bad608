/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"

enum orr_exit orr_cmd_platform(int argc, char **argv)
{
    static const struct orr_cmd commands[] = {
        {"list", "list the machines that come with orrery",
         orr_cmd_platform_list},
        {"show", "show a machine", orr_cmd_platform_show},
        {"save", "write a machine, changed by options, to a file",
         orr_cmd_platform_save},
        {"check", "check platform files", orr_cmd_platform_check},
        {"import", "convert a StarPU calibration to a platform file",
         orr_cmd_platform_import},
        {"detect", "write a platform file of this machine",
         orr_cmd_platform_detect},
        {"new", "write a platform file of a machine made of known parts",
         orr_cmd_platform_new},
        {"add-bandwidth", "add measured rates of links to a platform file",
         orr_cmd_platform_add_bandwidth},
        {"add-kernels", "add measured durations of kernels to a platform file",
         orr_cmd_platform_add_kernels},
        {NULL, NULL, NULL},
    };

    return orr_cmd_dispatch("orrery platform", commands, argc, argv);
}
