/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHART_GROUPS_H
#define ORR_CHART_GROUPS_H

#include "apps/chart/keys.h"
#include "models/base/statistics.h"

/*
 * Groups of runs with the same settings, which differ only in the replica. A
 * group is one point of a plot, or one cell of a map.
 */
enum orr_chart_key { ORR_BY_PANEL, ORR_BY_CURVE, ORR_BY_ROW, ORR_BY_X };
enum { ORR_CHART_KEYS = ORR_BY_X + 1 };

/* The curve key of bound @i, which belongs to no policy or other setting. */
#define ORR_MAX_BOUNDS 8u
#define ORR_BOUND_KEY(i) (G_MAXUINT - ORR_MAX_BOUNDS + (i))

struct orr_chart_group {
    guint keys[ORR_CHART_KEYS]; /* numbers of keys; after
                                   orr_chart_groups_sort() their places */
    GArray *values;             /* double; owned */
    gint64 point; /* point of the first run in its campaign; -1: not known */
};

struct orr_chart_groups {
    struct orr_keys keys[ORR_CHART_KEYS];
    GPtrArray *all;    /* struct orr_chart_group; owned */
    GHashTable *found; /* the same groups, by keys */
};

void orr_chart_groups_init(struct orr_chart_groups *groups);
void orr_chart_groups_clear(struct orr_chart_groups *groups);

/* Adds @value to the group with the @keys, numbers in groups->keys, and returns
 * it. */
struct orr_chart_group *orr_chart_groups_add(struct orr_chart_groups *groups,
                                             const guint keys[ORR_CHART_KEYS],
                                             double value);

/* Sorts the keys, and the groups by panel, curve, row and x. Nothing can be
 * added afterwards. */
void orr_chart_groups_sort(struct orr_chart_groups *groups);

static inline const struct orr_chart_group *
orr_chart_groups_at(const struct orr_chart_groups *groups, guint i)
{
    return groups->all->pdata[i];
}

static inline bool orr_chart_group_is_bound(const struct orr_chart_group *group)
{
    return group->keys[ORR_BY_CURVE] >= ORR_BOUND_KEY(0);
}

/* Summarises the values of a group. */
void orr_chart_group_summary(const struct orr_chart_group *group,
                             struct orr_summary *summary);

#endif
