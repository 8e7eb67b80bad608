/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Maps over two settings: of a result, or of the best value of a third. */
#include <math.h>
#include <string.h>

#include "apps/chart/chart_private.h"
#include "apps/chart/labels.h"

/* The best in a cell. */
struct choice {
    guint curve; /* G_MAXUINT: no runs */
    double best, second;
};

static bool are_in_one_panel(const struct orr_chart_group *a,
                             const struct orr_chart_group *b)
{
    return a->keys[ORR_BY_PANEL] == b->keys[ORR_BY_PANEL];
}

/* Returns the row of @group in the picture, where row 0 is at the top. */
static double row_of(const struct orr_chart_drawing *drawing,
                     const struct orr_chart_group *group)
{
    return orr_keys_count(&drawing->chart->groups.keys[ORR_BY_ROW]) - 1 -
           group->keys[ORR_BY_ROW];
}

static double mean_of(const struct orr_chart_group *group)
{
    struct orr_summary summary;

    orr_chart_group_summary(group, &summary);
    return summary.mean;
}

/* Adds cells with the means of the groups from @from to before @to. */
static void add_cells(struct orr_chart_drawing *drawing, guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    double *x = orr_chart_column(drawing, to - from);
    double *y = orr_chart_column(drawing, to - from);
    double *value = orr_chart_column(drawing, to - from);
    struct orr_curve curve = {
        .style = ORR_CURVE_CELLS,
        .panel = orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL],
        .count = to - from,
        .x = x,
        .y = y,
        .value = value,
    };

    for (guint i = from; i < to; i++) {
        const struct orr_chart_group *group = orr_chart_groups_at(groups, i);

        x[i - from] = group->keys[ORR_BY_X];
        y[i - from] = row_of(drawing, group);
        value[i - from] = mean_of(group);
    }
    g_array_append_val(drawing->curves, curve);
}

static void take(struct choice *choice, guint curve, double mean, bool largest)
{
    bool better = largest ? mean > choice->best : mean < choice->best;

    if (choice->curve == G_MAXUINT || better) {
        choice->second = choice->best;
        choice->best = mean;
        choice->curve = curve;
    } else if (!isfinite(choice->second) ||
               (largest ? mean > choice->second : mean < choice->second)) {
        choice->second = mean;
    }
}

/* Returns by how much the best is ahead of the second, in percent. */
static double lead_of(const struct choice *choice, bool largest)
{
    return 100 * (largest ? choice->best / choice->second - 1
                          : choice->second / choice->best - 1);
}

/* Adds the cells in which @index is the best. */
static void add_choices(struct orr_chart_drawing *drawing,
                        const struct choice *choices, guint panel, guint index)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    const struct orr_chart_request *request = drawing->chart->request;
    guint columns = orr_keys_count(&groups->keys[ORR_BY_X]);
    guint rows = orr_keys_count(&groups->keys[ORR_BY_ROW]);
    double *x = orr_chart_column(drawing, columns * rows);
    double *y = orr_chart_column(drawing, columns * rows);
    double *value = orr_chart_column(drawing, columns * rows);
    struct orr_curve curve = {
        .title = orr_chart_text(
            drawing, orr_label_of_value(
                         request->best,
                         orr_keys_at(&groups->keys[ORR_BY_CURVE], index))),
        .style = ORR_CURVE_CHOICES,
        .look = index,
        .panel = panel,
        .x = x,
        .y = y,
        .value = value,
    };

    for (guint i = 0; i < columns * rows; i++) {
        guint row = i / columns;

        if (choices[i].curve != index)
            continue;
        x[curve.count] = i % columns;
        y[curve.count] = rows - 1 - row;
        value[curve.count++] =
            lead_of(&choices[i], orr_label_is_speed(request->y));
    }
    if (curve.count > 0)
        g_array_append_val(drawing->curves, curve);
}

/* Adds the best of each cell of the groups from @from to before @to. */
static void add_best(struct orr_chart_drawing *drawing, guint from, guint to)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    guint columns = orr_keys_count(&groups->keys[ORR_BY_X]);
    guint cells = columns * orr_keys_count(&groups->keys[ORR_BY_ROW]);
    struct choice *choices = g_new(struct choice, cells);
    bool largest = orr_label_is_speed(drawing->chart->request->y);

    for (guint i = 0; i < cells; i++)
        choices[i] = (struct choice){G_MAXUINT, NAN, NAN};
    for (guint i = from; i < to; i++) {
        const struct orr_chart_group *group = orr_chart_groups_at(groups, i);

        take(
            &choices[group->keys[ORR_BY_ROW] * columns + group->keys[ORR_BY_X]],
            group->keys[ORR_BY_CURVE], mean_of(group), largest);
    }
    for (guint c = 0; c < orr_keys_count(&groups->keys[ORR_BY_CURVE]); c++)
        add_choices(drawing, choices,
                    orr_chart_groups_at(groups, from)->keys[ORR_BY_PANEL], c);
    g_free(choices);
}

void orr_chart_add_maps(struct orr_chart_drawing *drawing)
{
    const struct orr_chart_groups *groups = &drawing->chart->groups;
    const struct orr_chart_request *request = drawing->chart->request;
    guint from = 0;

    drawing->plot.rows = orr_chart_names(drawing, ORR_BY_ROW, NULL, true);
    drawing->plot.scale = orr_chart_text(drawing, orr_label_of(request->y));
    if (request->best)
        drawing->plot.note = orr_chart_text(
            drawing, g_strdup_printf("shapes: the best %.*s; %%: its lead",
                                     (int)strcspn(drawing->plot.scale, " ("),
                                     drawing->plot.scale));
    for (guint i = 1; i <= groups->all->len; i++) {
        if (i < groups->all->len &&
            are_in_one_panel(orr_chart_groups_at(groups, from),
                             orr_chart_groups_at(groups, i)))
            continue;
        (request->best ? add_best : add_cells)(drawing, from, i);
        from = i;
    }
}
