/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Curves over a setting. */
#include <math.h>

#include "apps/chart/chart_private.h"
#include "apps/chart/labels.h"

/* Room above the highest value. */
#define HEADROOM 1.08

const char *orr_chart_title(struct orr_chart_drawing *drawing,
                            const struct orr_chart_group *group)
{
    const struct orr_chart_request *request = drawing->chart->request;
    guint key = group->keys[ORR_BY_CURVE];

    if (orr_chart_group_is_bound(group))
        return orr_chart_text(
            drawing,
            orr_label_of_bound(request->bounds[key - ORR_BOUND_KEY(0)]));
    if (!request->by)
        return NULL;
    return orr_chart_text(
        drawing,
        orr_label_of_value(
            request->by,
            orr_keys_at(&drawing->chart->groups.keys[ORR_BY_CURVE], key)));
}

double orr_chart_x(const struct orr_chart_drawing *drawing,
                   const struct orr_chart_group *group)
{
    const double *values = drawing->chart->groups.keys[ORR_BY_X].values;
    guint place = group->keys[ORR_BY_X];

    return values ? values[place] : place;
}

/* Adds the curve of the groups from @from to before @to. */
static void add_curve(struct orr_chart_drawing *drawing, guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    const struct orr_chart_group *first = orr_chart_groups_at(groups, from);
    double *x = orr_chart_column(drawing, to - from);
    double *y = orr_chart_column(drawing, to - from);
    double *low = orr_chart_column(drawing, to - from);
    double *high = orr_chart_column(drawing, to - from);
    bool bands = drawing->most > 1 && !orr_chart_group_is_bound(first);
    struct orr_curve curve = {
        .title = orr_chart_title(drawing, first),
        .style =
            orr_chart_group_is_bound(first) ? ORR_CURVE_DASHED : ORR_CURVE_LINE,
        .look = orr_chart_group_is_bound(first) ? 0 : first->keys[ORR_BY_CURVE],
        .panel = first->keys[ORR_BY_PANEL],
        .count = to - from,
        .x = x,
        .y = y,
        .low = bands ? low : NULL,
        .high = bands ? high : NULL,
    };

    for (guint i = from; i < to; i++) {
        struct orr_summary summary;

        orr_chart_group_summary(orr_chart_groups_at(groups, i), &summary);
        x[i - from] = orr_chart_x(drawing, orr_chart_groups_at(groups, i));
        y[i - from] = summary.mean;
        low[i - from] = summary.p05;
        high[i - from] = summary.p95;
    }
    g_array_append_val(drawing->curves, curve);
}

/* Ends the y axis above all curves that are no bounds, and above the lowest
 * bound: others may be far away. */
static void set_end(struct orr_chart_drawing *drawing)
{
    double top = 0;
    double least = INFINITY;
    double bottom = 0;

    for (guint c = 0; c < drawing->curves->len; c++) {
        const struct orr_curve *curve =
            &g_array_index(drawing->curves, struct orr_curve, c);
        bool bound = curve->style == ORR_CURVE_DASHED;
        double highest = 0;

        for (guint i = 0; i < curve->count; i++) {
            highest = fmax(highest, curve->high ? curve->high[i] : curve->y[i]);
            bottom = fmin(bottom, curve->low ? curve->low[i] : curve->y[i]);
        }
        if (bound)
            least = fmin(least, highest);
        else
            top = fmax(top, highest);
    }
    if (isfinite(least))
        drawing->plot.y.end = HEADROOM * fmax(top, least);
    drawing->plot.y.from_zero = bottom >= 0;
}

void orr_chart_add_lines(struct orr_chart_drawing *drawing)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint from = 0;

    for (guint i = 1; i <= groups->all->len; i++) {
        if (i < groups->all->len &&
            orr_chart_are_one(orr_chart_groups_at(groups, from),
                              orr_chart_groups_at(groups, i)))
            continue;
        add_curve(drawing, from, i);
        from = i;
    }
    set_end(drawing);
}
