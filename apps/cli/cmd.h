/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CMD_H
#define ORR_CMD_H

#include "apps/output/message.h"

/*
 * The commands of orrery, one file each. Results go to the standard output,
 * everything else to the standard error, one line a message.
 */
struct orr_cmd {
    const char *name;
    const char *summary;
    enum orr_exit (*main)(int argc, char **argv); /* argv[0] is the name */
};

/*
 * Runs the command of @cmds (ended by a NULL name) that argv[1] names, or
 * prints help. @path is the part of the command line before that name, such as
 * "orrery platform". Returns the exit status.
 */
enum orr_exit orr_cmd_dispatch(const char *path, const struct orr_cmd *cmds,
                               int argc, char **argv);

/* The commands, as struct orr_cmd.main; each has a file of the same name. */
enum orr_exit orr_cmd_ablate(int argc, char **argv);
enum orr_exit orr_cmd_app(int argc, char **argv);
enum orr_exit orr_cmd_app_new(int argc, char **argv);
enum orr_exit orr_cmd_app_show(int argc, char **argv);
enum orr_exit orr_cmd_compare(int argc, char **argv);
enum orr_exit orr_cmd_evict(int argc, char **argv);
enum orr_exit orr_cmd_explain(int argc, char **argv);
enum orr_exit orr_cmd_explore(int argc, char **argv);
enum orr_exit orr_cmd_graph(int argc, char **argv);
enum orr_exit orr_cmd_graph_check(int argc, char **argv);
enum orr_exit orr_cmd_graph_convert(int argc, char **argv);
enum orr_exit orr_cmd_graph_generate(int argc, char **argv);
enum orr_exit orr_cmd_graph_save(int argc, char **argv);
enum orr_exit orr_cmd_graph_show(int argc, char **argv);
enum orr_exit orr_cmd_histogram(int argc, char **argv);
enum orr_exit orr_cmd_histogram_build(int argc, char **argv);
enum orr_exit orr_cmd_histogram_show(int argc, char **argv);
enum orr_exit orr_cmd_merge(int argc, char **argv);
enum orr_exit orr_cmd_platform(int argc, char **argv);
enum orr_exit orr_cmd_platform_add_bandwidth(int argc, char **argv);
enum orr_exit orr_cmd_platform_add_kernels(int argc, char **argv);
enum orr_exit orr_cmd_platform_check(int argc, char **argv);
enum orr_exit orr_cmd_platform_detect(int argc, char **argv);
enum orr_exit orr_cmd_platform_import(int argc, char **argv);
enum orr_exit orr_cmd_platform_list(int argc, char **argv);
enum orr_exit orr_cmd_platform_new(int argc, char **argv);
enum orr_exit orr_cmd_platform_save(int argc, char **argv);
enum orr_exit orr_cmd_platform_show(int argc, char **argv);
enum orr_exit orr_cmd_plot(int argc, char **argv);
enum orr_exit orr_cmd_predict(int argc, char **argv);
enum orr_exit orr_cmd_replay(int argc, char **argv);
enum orr_exit orr_cmd_results(int argc, char **argv);
enum orr_exit orr_cmd_run(int argc, char **argv);
enum orr_exit orr_cmd_sched(int argc, char **argv);
enum orr_exit orr_cmd_sched_new(int argc, char **argv);
enum orr_exit orr_cmd_shrink(int argc, char **argv);
enum orr_exit orr_cmd_sweep(int argc, char **argv);

#endif
