/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/html/html_thin.h"

static struct orr_html_bar *bar_at(const GArray *bars, guint i)
{
    return &g_array_index(bars, struct orr_html_bar, i);
}

/* Bars that are merged into one. */
struct group {
    struct orr_html_bar bar;
    int64_t *times; /* total time by kind */
    uint32_t kinds;
};

static void begin(struct group *group, const struct orr_html_bar *bar)
{
    group->bar = *bar;
    for (uint32_t i = 0; i < group->kinds; i++)
        group->times[i] = 0;
    group->times[bar->kind] = bar->to - bar->from;
}

static void take(struct group *group, const struct orr_html_bar *bar)
{
    group->bar.to = MAX(group->bar.to, bar->to);
    group->bar.count += bar->count;
    group->times[bar->kind] += bar->to - bar->from;
}

static struct orr_html_bar end(const struct group *group)
{
    struct orr_html_bar bar = group->bar;

    for (uint32_t i = 0; i < group->kinds; i++) {
        if (group->times[i] > group->times[bar.kind])
            bar.kind = i;
    }
    return bar;
}

static gboolean fits(const struct group *group, const struct orr_html_bar *bar,
                     int64_t width)
{
    return bar->row == group->bar.row && bar->to - group->bar.from <= width;
}

/* Merges neighbours in place; @bars keep their order. */
static void merge(GArray *bars, uint32_t kinds, int64_t width)
{
    struct group group = {.times = g_new0(int64_t, kinds), .kinds = kinds};
    guint left = 0;

    begin(&group, bar_at(bars, 0));
    for (guint i = 1; i < bars->len; i++) {
        if (fits(&group, bar_at(bars, i), width)) {
            take(&group, bar_at(bars, i));
            continue;
        }
        *bar_at(bars, left++) = end(&group);
        begin(&group, bar_at(bars, i));
    }
    *bar_at(bars, left++) = end(&group);
    g_array_set_size(bars, left);
    g_free(group.times);
}

/* Returns the number of bars that merge() would leave. */
static guint count_left(const GArray *bars, int64_t width)
{
    const struct orr_html_bar *first = bar_at(bars, 0);
    guint left = 1;

    for (guint i = 1; i < bars->len; i++) {
        const struct orr_html_bar *bar = bar_at(bars, i);

        if (bar->row == first->row && bar->to - first->from <= width)
            continue;
        first = bar;
        left++;
    }
    return left;
}

int64_t orr_html_thin(GArray *bars, uint32_t kinds, guint most)
{
    int64_t width = 1, last = 0;

    if (bars->len <= most)
        return 0;
    for (guint i = 0; i < bars->len; i++)
        last = MAX(last, bar_at(bars, i)->to);
    while (width < last && count_left(bars, width) > most)
        width *= 2;
    merge(bars, kinds, width);
    return width;
}
