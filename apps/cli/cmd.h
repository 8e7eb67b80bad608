/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CMD_H
#define ORR_CMD_H

#include "apps/options/syntax.h"
#include "apps/output/message.h"

/*
 * A command of orrery, or a group of commands. Results go to the standard
 * output, everything else to the standard error, one line a message.
 */
struct orr_cmd {
    const char *name;
    const char *summary;
    const struct orr_syntax *syntax;              /* NULL: a group */
    enum orr_exit (*main)(int argc, char **argv); /* argv[0] is the name */
    const struct orr_cmd *const *commands;        /* of a group, ended by NULL;
                                                     NULL: no group */
};

/* All commands, ended by NULL. */
extern const struct orr_cmd *const orr_commands[];

/*
 * Runs the command of @commands that argv[1] names, or prints help. @path is
 * the part of the command line before that name, such as "orrery platform".
 * Returns the exit status.
 */
enum orr_exit orr_cmd_dispatch(const char *path,
                               const struct orr_cmd *const *commands, int argc,
                               char **argv);

/* The commands that do something; each is in a file of its own or with the
 * others of a small group. */
extern const struct orr_cmd orr_cmd_ablate;
extern const struct orr_cmd orr_cmd_app_list;
extern const struct orr_cmd orr_cmd_app_new;
extern const struct orr_cmd orr_cmd_app_show;
extern const struct orr_cmd orr_cmd_compare;
extern const struct orr_cmd orr_cmd_evict_list;
extern const struct orr_cmd orr_cmd_explain;
extern const struct orr_cmd orr_cmd_explore;
extern const struct orr_cmd orr_cmd_graph_check;
extern const struct orr_cmd orr_cmd_graph_convert;
extern const struct orr_cmd orr_cmd_graph_generate;
extern const struct orr_cmd orr_cmd_graph_save;
extern const struct orr_cmd orr_cmd_graph_show;
extern const struct orr_cmd orr_cmd_histogram_build;
extern const struct orr_cmd orr_cmd_histogram_show;
extern const struct orr_cmd orr_cmd_merge;
extern const struct orr_cmd orr_cmd_platform_add_bandwidth;
extern const struct orr_cmd orr_cmd_platform_add_kernels;
extern const struct orr_cmd orr_cmd_platform_check;
extern const struct orr_cmd orr_cmd_platform_detect;
extern const struct orr_cmd orr_cmd_platform_import;
extern const struct orr_cmd orr_cmd_platform_list;
extern const struct orr_cmd orr_cmd_platform_new;
extern const struct orr_cmd orr_cmd_platform_save;
extern const struct orr_cmd orr_cmd_platform_show;
extern const struct orr_cmd orr_cmd_plot;
extern const struct orr_cmd orr_cmd_predict;
extern const struct orr_cmd orr_cmd_replay;
extern const struct orr_cmd orr_cmd_results;
extern const struct orr_cmd orr_cmd_run;
extern const struct orr_cmd orr_cmd_sched_list;
extern const struct orr_cmd orr_cmd_sched_new;
extern const struct orr_cmd orr_cmd_shrink;
extern const struct orr_cmd orr_cmd_starpu_check;
extern const struct orr_cmd orr_cmd_sweep;

#endif
