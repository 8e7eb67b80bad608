/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/timeline.h"

#include <string.h>

/* Returns the index of @name in @names, which it adds if it is not there.
 * @indices: of all names, plus 1. */
static uint32_t index_of(GPtrArray *names, GHashTable *indices,
                         const char *name)
{
    gpointer found = g_hash_table_lookup(indices, name);
    char *copy;

    if (found)
        return GPOINTER_TO_UINT(found) - 1;
    copy = g_strdup(name);
    g_ptr_array_add(names, copy);
    g_hash_table_insert(indices, copy, GUINT_TO_POINTER(names->len));
    return names->len - 1;
}

static void add_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct orr_timeline *timeline = (struct orr_timeline *)trace;
    struct orr_timeline_bar bar = {
        .from = task->kernel_started,
        .to = task->kernel_ended,
        .row = task->worker,
        .kind = index_of(timeline->kernels, timeline->of_kernel, task->kernel),
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
    bar.row = index_of(timeline->links, timeline->of_link, link);
    g_array_append_val(timeline->copies, bar);
}

void orr_timeline_init(struct orr_timeline *timeline)
{
    *timeline = (struct orr_timeline){
        .trace = {.task = add_task, .copy = add_copy},
        .tasks = g_array_new(FALSE, FALSE, sizeof(struct orr_timeline_bar)),
        .copies = g_array_new(FALSE, FALSE, sizeof(struct orr_timeline_bar)),
        .kernels = g_ptr_array_new_with_free_func(g_free),
        .links = g_ptr_array_new_with_free_func(g_free),
        .of_kernel = g_hash_table_new(g_str_hash, g_str_equal),
        .of_link = g_hash_table_new(g_str_hash, g_str_equal),
    };
}

void orr_timeline_clear(struct orr_timeline *timeline)
{
    g_hash_table_unref(timeline->of_link);
    g_hash_table_unref(timeline->of_kernel);
    g_ptr_array_unref(timeline->links);
    g_ptr_array_unref(timeline->kernels);
    g_array_unref(timeline->copies);
    g_array_unref(timeline->tasks);
}
