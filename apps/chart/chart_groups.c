/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/chart_groups.h"

#include <string.h>

static guint hash(gconstpointer data)
{
    const struct orr_chart_group *group = data;
    guint sum = 0;

    for (guint i = 0; i < ORR_CHART_KEYS; i++)
        sum = sum * 31 * 1009 + group->keys[i];
    return sum;
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    const struct orr_chart_group *left = a, *right = b;

    return memcmp(left->keys, right->keys, sizeof(left->keys)) == 0;
}

static void free_group(gpointer data)
{
    struct orr_chart_group *group = data;

    g_array_unref(group->values);
    g_free(group);
}

void orr_chart_groups_init(struct orr_chart_groups *groups)
{
    for (guint i = 0; i < ORR_CHART_KEYS; i++)
        orr_keys_init(&groups->keys[i]);
    groups->all = g_ptr_array_new_with_free_func(free_group);
    groups->found = g_hash_table_new(hash, equal);
}

void orr_chart_groups_clear(struct orr_chart_groups *groups)
{
    for (guint i = 0; i < ORR_CHART_KEYS; i++)
        orr_keys_clear(&groups->keys[i]);
    g_hash_table_unref(groups->found);
    g_ptr_array_unref(groups->all);
}

struct orr_chart_group *orr_chart_groups_add(struct orr_chart_groups *groups,
                                             const guint keys[ORR_CHART_KEYS],
                                             double value)
{
    struct orr_chart_group wanted;
    struct orr_chart_group *group;

    memcpy(wanted.keys, keys, sizeof(wanted.keys));
    group = g_hash_table_lookup(groups->found, &wanted);
    if (!group) {
        group = g_new(struct orr_chart_group, 1);
        memcpy(group->keys, keys, sizeof(group->keys));
        group->values = g_array_new(FALSE, FALSE, sizeof(double));
        group->point = -1;
        g_ptr_array_add(groups->all, group);
        g_hash_table_add(groups->found, group);
    }
    g_array_append_val(group->values, value);
    return group;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const struct orr_chart_group *left =
        *(const struct orr_chart_group *const *)a;
    const struct orr_chart_group *right =
        *(const struct orr_chart_group *const *)b;

    for (guint i = 0; i < ORR_CHART_KEYS; i++) {
        if (left->keys[i] != right->keys[i])
            return left->keys[i] < right->keys[i] ? -1 : 1;
    }
    return 0;
}

void orr_chart_groups_sort(struct orr_chart_groups *groups)
{
    g_hash_table_remove_all(groups->found);
    for (guint i = 0; i < ORR_CHART_KEYS; i++)
        orr_keys_sort(&groups->keys[i]);
    for (guint g = 0; g < groups->all->len; g++) {
        struct orr_chart_group *group = groups->all->pdata[g];

        for (guint i = 0; i < ORR_CHART_KEYS; i++) {
            if (group->keys[i] < orr_keys_count(&groups->keys[i]))
                group->keys[i] =
                    orr_keys_place(&groups->keys[i], group->keys[i]);
        }
    }
    g_ptr_array_sort(groups->all, compare);
}

void orr_chart_group_summary(const struct orr_chart_group *group,
                             struct orr_summary *summary)
{
    orr_summary_compute(summary, (const double *)(void *)group->values->data,
                        group->values->len);
}
