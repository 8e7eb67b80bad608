/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/trace/trace_lanes.h"

void orr_trace_link_name(char name[ORR_TRACE_LINK], const char *from,
                         const char *to)
{
    size_t length = g_strlcpy(name, from, ORR_TRACE_LINK - 1);

    length = MIN(length, ORR_TRACE_LINK - 2);
    name[length] = '-';
    g_strlcpy(name + length + 1, to, ORR_TRACE_LINK - length - 1);
}

static void free_lane(gpointer lane)
{
    g_free(((struct orr_trace_lane *)lane)->name);
}

void orr_trace_lanes_init(struct orr_trace_lanes *lanes)
{
    lanes->lanes = g_array_new(FALSE, FALSE, sizeof(struct orr_trace_lane));
    g_array_set_clear_func(lanes->lanes, free_lane);
    lanes->groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify)g_array_unref);
}

void orr_trace_lanes_clear(struct orr_trace_lanes *lanes)
{
    g_hash_table_unref(lanes->groups);
    g_array_unref(lanes->lanes);
}

static GArray *group_of(struct orr_trace_lanes *lanes, const char *name)
{
    GArray *group = g_hash_table_lookup(lanes->groups, name);

    if (!group) {
        group = g_array_new(FALSE, FALSE, sizeof(unsigned));
        g_hash_table_insert(lanes->groups, g_strdup(name), group);
    }
    return group;
}

static unsigned add(struct orr_trace_lanes *lanes, GArray *group,
                    const char *name)
{
    struct orr_trace_lane lane = {.ended = INT64_MIN};
    unsigned index = lanes->lanes->len;

    lane.name = group->len == 0
                    ? g_strdup(name)
                    : g_strdup_printf("%s (%u)", name, group->len + 1);
    g_array_append_val(group, index);
    g_array_append_val(lanes->lanes, lane);
    return index;
}

/* The lane of @group that was free at @from for the shortest time; or
 * G_MAXUINT.
 */
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

unsigned orr_trace_lanes_take(struct orr_trace_lanes *lanes, const char *name,
                              bool alone, int64_t *from, int64_t to,
                              bool *is_new)
{
    GArray *group = group_of(lanes, name);
    unsigned index = G_MAXUINT;
    struct orr_trace_lane *lane;

    if (alone && group->len > 0)
        index = g_array_index(group, unsigned, 0);
    else
        index = find(lanes, group, *from);
    *is_new = index == G_MAXUINT;
    if (*is_new)
        index = add(lanes, group, name);
    lane = &g_array_index(lanes->lanes, struct orr_trace_lane, index);
    *from = MAX(*from, lane->ended);
    lane->ended = to;
    return index;
}
