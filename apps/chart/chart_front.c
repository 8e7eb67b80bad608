/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two results of each run, and their Pareto front: the runs for which no other
 * is better in one result and as good in the other. */
#include <math.h>

#include "apps/chart/chart_private.h"
#include "apps/chart/labels.h"

/* A run. Of @good_x and @good_y, less is better. */
struct point {
    double x, y;
    double good_x, good_y;
    guint curve; /* the first group of its curve */
    bool beaten;
};

static int compare(gconstpointer a, gconstpointer b)
{
    const struct point *left = a, *right = b;

    if (left->good_x < right->good_x || left->good_x > right->good_x)
        return left->good_x < right->good_x ? -1 : 1;
    return (left->good_y > right->good_y) - (left->good_y < right->good_y);
}

/* Puts @points in the order of x, the best first, and says which are beaten:
 * those that are not better in y than all before. */
static void find_front(GArray *points)
{
    double least_x = INFINITY, least_y = INFINITY;

    g_array_sort(points, compare);
    for (guint i = 0; i < points->len; i++) {
        struct point *point = &g_array_index(points, struct point, i);
        bool equal = !(point->good_x > least_x) && !(point->good_y > least_y);

        point->beaten = !(point->good_y < least_y) && !equal;
        if (point->beaten)
            continue;
        least_x = point->good_x;
        least_y = point->good_y;
    }
}

/* Adds a curve, as @look says, of those of @points that are @beaten or not, and
 * are on curve @curve or anywhere (G_MAXUINT). Returns whether there are any.
 */
static bool add_points(struct orr_chart_drawing *drawing, const GArray *points,
                       guint curve, bool beaten, const struct orr_curve *look)
{
    struct orr_curve added = *look;
    double *x = orr_chart_column(drawing, points->len);
    double *y = orr_chart_column(drawing, points->len);

    for (guint i = 0; i < points->len; i++) {
        const struct point *point = &g_array_index(points, struct point, i);

        if (point->beaten != beaten ||
            (curve != G_MAXUINT && point->curve != curve))
            continue;
        x[added.count] = point->x;
        y[added.count++] = point->y;
    }
    added.x = x;
    added.y = y;
    if (added.count > 0)
        g_array_append_val(drawing->curves, added);
    return added.count > 0;
}

/* The points of each curve among the groups from @from to before @to. */
static void add_curves(struct orr_chart_drawing *drawing, const GArray *points,
                       guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint first = from;

    for (guint i = from + 1; i <= to; i++) {
        const struct orr_chart_group *group =
            orr_chart_groups_at(groups, first);
        struct orr_curve look = {
            .title = orr_chart_title(drawing, group),
            .style = ORR_CURVE_DOTS,
            .look = group->keys[ORR_BY_CURVE],
            .panel = group->keys[ORR_BY_PANEL],
        };

        if (i < to && orr_chart_are_one(group, orr_chart_groups_at(groups, i)))
            continue;
        if (add_points(drawing, points, first, false, &look))
            look.title = NULL;
        look.style = ORR_CURVE_PALE;
        add_points(drawing, points, first, true, &look);
        first = i;
    }
}

static void add_panel(struct orr_chart_drawing *drawing, guint from, guint to)
{
    const struct orr_chart_request *request = drawing->chart->request;
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    double sign_x = orr_label_is_speed(request->x) ? -1 : 1;
    double sign_y = orr_label_is_speed(request->y) ? -1 : 1;
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct point));
    struct orr_curve line = {
        .title = "Pareto front",
        .style = ORR_CURVE_STEPS,
        .panel = orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL],
    };
    guint first = from;

    for (guint i = from; i < to; i++) {
        const struct orr_chart_group *group = orr_chart_groups_at(groups, i);
        struct point point = {
            .x = orr_chart_x(drawing, group),
            .y = g_array_index(group->values, double, 0),
        };

        if (!orr_chart_are_one(orr_chart_groups_at(groups, first), group))
            first = i;
        point.curve = first;
        point.good_x = sign_x * point.x;
        point.good_y = sign_y * point.y;
        g_array_append_val(points, point);
    }
    find_front(points);
    add_curves(drawing, points, from, to);
    add_points(drawing, points, G_MAXUINT, false, &line);
}

void orr_chart_add_fronts(struct orr_chart_drawing *drawing)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint from = 0;

    for (guint i = 1; i <= groups->all->len; i++) {
        if (i < groups->all->len &&
            orr_chart_groups_at(groups, i)->keys[ORR_BY_PANEL] ==
                orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL])
            continue;
        add_panel(drawing, from, i);
        from = i;
    }
    drawing->plot.note = "pale: runs that another one beats";
}
