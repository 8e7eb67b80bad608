/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tree of commands, in the order of `orrery --help`. */
#include "apps/cli/cmd.h"

static const struct orr_cmd platform = {
    .name = "platform",
    .summary = "list, show and check machines",
    .commands = (const struct orr_cmd *const[]){
        &orr_cmd_platform_list, &orr_cmd_platform_show, &orr_cmd_platform_save,
        &orr_cmd_platform_check, &orr_cmd_platform_import,
        &orr_cmd_platform_detect, &orr_cmd_platform_new,
        &orr_cmd_platform_add_bandwidth, &orr_cmd_platform_add_kernels, NULL}};

static const struct orr_cmd histogram = {
    .name = "histogram",
    .summary = "build and show histograms of kernel durations",
    .commands = (const struct orr_cmd *const[]){&orr_cmd_histogram_build,
                                                &orr_cmd_histogram_show, NULL}};

static const struct orr_cmd graph = {
    .name = "graph",
    .summary = "show, check and convert task graphs",
    .commands = (const struct orr_cmd *const[]){
        &orr_cmd_graph_save, &orr_cmd_graph_show, &orr_cmd_graph_check,
        &orr_cmd_graph_convert, &orr_cmd_graph_generate, NULL}};

static const struct orr_cmd sched = {
    .name = "sched",
    .summary = "list the scheduling policies",
    .commands = (const struct orr_cmd *const[]){&orr_cmd_sched_list,
                                                &orr_cmd_sched_new, NULL}};

static const struct orr_cmd evict = {
    .name = "evict",
    .summary = "list the eviction policies",
    .commands = (const struct orr_cmd *const[]){&orr_cmd_evict_list, NULL}};

static const struct orr_cmd app = {
    .name = "app",
    .summary = "list the applications",
    .commands = (const struct orr_cmd *const[]){
        &orr_cmd_app_list, &orr_cmd_app_show, &orr_cmd_app_new, NULL}};

static const struct orr_cmd starpu = {
    .name = "starpu",
    .summary = "check programs that are written for StarPU",
    .commands = (const struct orr_cmd *const[]){&orr_cmd_starpu_check, NULL}};

const struct orr_cmd *const orr_commands[] = {
    &orr_cmd_run,     &orr_cmd_compare,
    &orr_cmd_sweep,   &orr_cmd_merge,
    &orr_cmd_results, &orr_cmd_plot,
    &orr_cmd_explain, &orr_cmd_ablate,
    &orr_cmd_explore, &orr_cmd_replay,
    &orr_cmd_shrink,  &platform,
    &histogram,       &orr_cmd_predict,
    &graph,           &sched,
    &evict,           &app,
    &starpu,          NULL,
};
