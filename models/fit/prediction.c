/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/fit/prediction.h"

#include <math.h>
#include <string.h>

#include "models/base/error.h"

/* A relative error that counts as 0. */
#define ROUNDING 1e-9

static double mean_size(const struct orr_history *history)
{
    double mean = 0;

    for (guint i = 0; i < history->runs->len; i++) {
        double y = g_array_index(history->runs, struct orr_history_knot, i).y;

        mean += (fabs(y) - mean) / (i + 1);
    }
    return mean;
}

void orr_predictor_init(struct orr_predictor *predictor,
                        const struct orr_history *history, double limit)
{
    double size = mean_size(history);
    bool found = false;

    *predictor = (struct orr_predictor){
        .history = history,
        .limit = limit < 0 ? ORR_PREDICTOR_LIMIT * size : limit,
    };
    if (history->knots->len < 2)
        return;
    for (enum orr_curve_kind kind = 0; kind < ORR_CURVE_KINDS; kind++) {
        double tolerance = predictor->limit + ROUNDING * size;
        struct orr_curve curve;

        orr_curve_fit(&curve, kind, history);
        predictor->errors[kind] = orr_curve_error(&curve, history);
        predictor->fits[kind] =
            kind == ORR_CURVE_SEGMENTS ||
            (predictor->errors[kind] <= tolerance &&
             (kind == ORR_CURVE_LINE || !orr_curve_swings(&curve, tolerance)));
        if (found || !predictor->fits[kind]) {
            orr_curve_clear(&curve);
            continue;
        }
        found = true;
        predictor->kind = kind;
        predictor->curve = curve;
    }
}

void orr_predictor_clear(struct orr_predictor *predictor)
{
    orr_curve_clear(&predictor->curve);
}

static bool ends_with_one_of(const char *text, const char *const *ends)
{
    for (; *ends; ends++) {
        if (g_str_has_suffix(text, *ends))
            return true;
    }
    return false;
}

enum orr_prediction_law orr_prediction_law(const char *x, const char *y)
{
    static const char *const processors[] = {
        "nodes", "gpus", "cpus", "cores", "workers", "processors", NULL};
    static const char *const times[] = {"_s", "_ms", "_us", "_ns", "_h", NULL};
    static const char *const energies[] = {"_j",  "_kj",  "_mj",
                                           "_wh", "_kwh", NULL};
    static const char *const powers[] = {"_w", "_kw", "_mw", NULL};
    g_autofree char *unit = g_ascii_strdown(y, -1);

    if (!g_strv_contains(processors, x))
        return ORR_LAW_NONE;
    return ends_with_one_of(unit, times)      ? ORR_LAW_TIME
           : ends_with_one_of(unit, energies) ? ORR_LAW_ENERGY
           : ends_with_one_of(unit, powers)   ? ORR_LAW_POWER
                                              : ORR_LAW_NONE;
}

/* The known x whose ratio to @x is nearest to 1. */
static const struct orr_history_knot *
find_nearest(const struct orr_history *history, double x)
{
    const struct orr_history_knot *nearest = orr_history_knot(history, 0);

    for (guint i = 1; i < history->knots->len; i++) {
        const struct orr_history_knot *knot = orr_history_knot(history, i);

        if (fabs(log(knot->x / x)) < fabs(log(nearest->x / x)))
            nearest = knot;
    }
    return nearest;
}

static void set_bounds(struct orr_prediction *prediction,
                       enum orr_prediction_law law,
                       const struct orr_history *history)
{
    const struct orr_history_knot *nearest;
    double far;

    prediction->low = -INFINITY;
    prediction->high = INFINITY;
    if (law == ORR_LAW_NONE || !(prediction->x > 0) ||
        !(orr_history_knot(history, 0)->x > 0))
        return;
    nearest = find_nearest(history, prediction->x);
    far = law == ORR_LAW_TIME ? nearest->y * nearest->x / prediction->x
                              : nearest->y * prediction->x / nearest->x;
    prediction->low = fmin(nearest->y, far);
    prediction->high = fmax(nearest->y, far);
}

bool orr_predict(const struct orr_predictor *predictor,
                 enum orr_prediction_law law, double x,
                 struct orr_prediction *prediction, GError **error)
{
    const struct orr_history *history = predictor->history;
    const struct orr_history_knot *known = orr_history_find(history, x);
    guint count = history->knots->len;

    if (!known && count < 2) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "all runs are at %g: a prediction for %g needs runs at two",
                    orr_history_knot(history, 0)->x, x);
        return false;
    }
    *prediction = (struct orr_prediction){
        .x = x,
        .y = known ? known->y : orr_curve_at(&predictor->curve, x),
        .runs = known ? known->runs : 0,
        .beyond = x < orr_history_knot(history, 0)->x ||
                  x > orr_history_knot(history, count - 1)->x,
        .low = -INFINITY,
        .high = INFINITY,
    };
    if (!known)
        set_bounds(prediction, law, history);
    return true;
}
