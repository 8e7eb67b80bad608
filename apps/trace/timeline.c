/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/timeline.h"

#include <string.h>

static void add_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct orr_timeline *timeline = (struct orr_timeline *)trace;
    struct orr_timeline_bar bar = {
        .from = task->kernel_started,
        .to = task->kernel_ended,
        .row = task->worker,
        .kind = orr_name_index_add(&timeline->kernels, task->kernel),
    };

    g_array_append_val(timeline->tasks, bar);
}

static void add_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    struct orr_timeline *timeline = (struct orr_timeline *)trace;
    char link[128];
    struct orr_timeline_bar bar = {
        .from = copy->started,
        .to = copy->ended,
        .kind = strcmp(copy->why, "evict") == 0,
    };

    g_snprintf(link, sizeof(link), "%s-%s", copy->from, copy->to);
    bar.row = orr_name_index_add(&timeline->links, link);
    g_array_append_val(timeline->copies, bar);
}

void orr_timeline_init(struct orr_timeline *timeline)
{
    *timeline = (struct orr_timeline){
        .trace = {ORR_TRACE_INIT, .task = add_task, .copy = add_copy},
        .tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_timeline_bar)),
        .copies = g_array_new(FALSE, FALSE, sizeof(struct orr_timeline_bar)),
    };
    orr_name_index_init(&timeline->kernels);
    orr_name_index_init(&timeline->links);
}

void orr_timeline_clear(struct orr_timeline *timeline)
{
    orr_name_index_clear(&timeline->links);
    orr_name_index_clear(&timeline->kernels);
    g_array_unref(timeline->copies);
    g_array_unref(timeline->tasks);
}
