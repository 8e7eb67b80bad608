/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_lanes.h"

#include "models/platform/platform.h"

struct orr_trace_group orr_trace_worker(const struct orr_trace_task *task)
{
    return (struct orr_trace_group){
        .number = task->worker + 1,
        .has_one_row = true,
        .from = task->worker_name,
    };
}

struct orr_trace_group orr_trace_link(const struct orr_trace_copy *copy)
{
    return (struct orr_trace_group){
        .number = copy->from_node * ORR_MAX_NODES + copy->to_node,
        .from = copy->from,
        .to = copy->to,
    };
}

struct orr_trace_group orr_trace_application(void)
{
    return (struct orr_trace_group){.number = 0, .from = "application"};
}

struct orr_trace_use_bar orr_trace_use_bar(const struct orr_trace_use *use,
                                           unsigned i)
{
    if (i == 0)
        return (struct orr_trace_use_bar){"wait for data", use->asked,
                                          use->acquired};
    return (struct orr_trace_use_bar){use->unregisters ? "unregister data"
                                                       : "use data",
                                      use->acquired, use->released};
}

char *orr_trace_group_name(const struct orr_trace_group *group)
{
    return group->to ? g_strconcat(group->from, "-", group->to, NULL)
                     : g_strdup(group->from);
}

static void free_lane(gpointer lane)
{
    g_free(((struct orr_trace_lane *)lane)->name);
}

static void free_group(gpointer group)
{
    if (group)
        g_array_unref(group);
}

void orr_trace_lanes_init(struct orr_trace_lanes *lanes)
{
    lanes->lanes = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_lane));
    g_array_set_clear_func(lanes->lanes, free_lane);
    lanes->groups = g_ptr_array_new_with_free_func(free_group);
}

void orr_trace_lanes_clear(struct orr_trace_lanes *lanes)
{
    g_ptr_array_unref(lanes->groups);
    g_array_unref(lanes->lanes);
}

/* The lanes of the group @number. */
static GArray *lanes_of(struct orr_trace_lanes *lanes, unsigned number)
{
    if (number >= lanes->groups->len)
        g_ptr_array_set_size(lanes->groups, (gint)number + 1);
    if (!lanes->groups->pdata[number])
        lanes->groups->pdata[number] =
            g_array_new(FALSE, FALSE, sizeof(unsigned));
    return lanes->groups->pdata[number];
}

static unsigned add(struct orr_trace_lanes *lanes, GArray *group, char *name)
{
    struct orr_trace_lane lane = {.name = name, .ended = INT64_MIN};
    unsigned index = lanes->lanes->len;

    if (group->len > 0) {
        lane.name = g_strdup_printf("%s (%u)", name, group->len + 1);
        g_free(name);
    }
    g_array_append_val(group, index);
    g_array_append_val(lanes->lanes, lane);
    return index;
}

/* Returns the lane of @group that is free at @from and ended last; or
 * G_MAXUINT. */
static unsigned find(struct orr_trace_lanes *lanes, const GArray *group,
                     int64_t from)
{
    unsigned best = G_MAXUINT;
    int64_t ended = INT64_MIN;

    for (guint i = 0; i < group->len; i++) {
        unsigned index = g_array_index(group, unsigned, i);
        int64_t at =
            g_array_index(lanes->lanes, struct orr_trace_lane, index).ended;

        if (at <= from && at > ended) {
            best = index;
            ended = at;
        }
    }
    return best;
}

unsigned orr_trace_lanes_take(struct orr_trace_lanes *lanes,
                              const struct orr_trace_group *group,
                              int64_t *from, int64_t to, bool *is_new)
{
    GArray *all = lanes_of(lanes, group->number);
    unsigned index = G_MAXUINT;
    struct orr_trace_lane *lane;

    if (group->has_one_row && all->len > 0)
        index = g_array_index(all, unsigned, 0);
    else
        index = find(lanes, all, *from);
    *is_new = index == G_MAXUINT;
    if (*is_new)
        index = add(lanes, all, orr_trace_group_name(group));
    lane = &g_array_index(lanes->lanes, struct orr_trace_lane, index);
    *from = MAX(*from, lane->ended);
    lane->ended = to;
    return index;
}
