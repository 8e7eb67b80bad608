/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/fit/curve.h"

#include <math.h>

static const char *const names[ORR_CURVE_KINDS] = {"line", "spline",
                                                   "segments"};

const char *orr_curve_name(enum orr_curve_kind kind)
{
    return names[kind];
}

static double step(const struct orr_curve *curve, guint i)
{
    return curve->x[i + 1] - curve->x[i];
}

/* The slope of the chord from knot @i to the next. */
static double chord(const struct orr_curve *curve, guint i)
{
    return (curve->y[i + 1] - curve->y[i]) / step(curve, i);
}

/* Puts the knots onto the line of least squares. */
static void fit_line(struct orr_curve *curve, const struct orr_history *history)
{
    double mean_x = 0, mean_y = 0, products = 0, squares = 0;
    guint count = history->runs->len;

    for (guint i = 0; i < count; i++) {
        const struct orr_history_knot *run =
            &g_array_index(history->runs, struct orr_history_knot, i);

        mean_x += (run->x - mean_x) / (i + 1);
        mean_y += (run->y - mean_y) / (i + 1);
    }
    for (guint i = 0; i < count; i++) {
        const struct orr_history_knot *run =
            &g_array_index(history->runs, struct orr_history_knot, i);

        products += (run->x - mean_x) * (run->y - mean_y);
        squares += (run->x - mean_x) * (run->x - mean_x);
    }
    for (guint i = 0; i < curve->count; i++) {
        curve->slope[i] = products / squares;
        curve->y[i] = mean_y + (curve->x[i] - mean_x) * products / squares;
    }
}

/*
 * The slopes s of a natural spline: the second derivatives are continuous, and
 * 0 at both ends. With h the steps and d the slopes of the chords,
 *
 *   2 s(0) + s(1) = 3 d(0)
 *   s(i-1)/h(i-1) + 2 (1/h(i-1) + 1/h(i)) s(i) + s(i+1)/h(i)
 *       = 3 (d(i-1)/h(i-1) + d(i)/h(i))
 *   s(n-2) + 2 s(n-1) = 3 d(n-2),
 *
 * solved by elimination; @above are the elements above the diagonal.
 */
static void fit_spline(struct orr_curve *curve)
{
    guint last = curve->count - 1;
    double *above = g_new(double, curve->count);

    above[0] = 0.5;
    curve->slope[0] = 1.5 * chord(curve, 0);
    for (guint i = 1; i <= last; i++) {
        double left = i < last ? 1 / step(curve, i - 1) : 1;
        double right = i < last ? 1 / step(curve, i) : 0;
        double sum = 3 * (chord(curve, i - 1) * left +
                          (i < last ? chord(curve, i) * right : 0));
        double diagonal = 2 * (left + right) - left * above[i - 1];

        above[i] = right / diagonal;
        curve->slope[i] = (sum - left * curve->slope[i - 1]) / diagonal;
    }
    for (guint i = last; i-- > 0;)
        curve->slope[i] -= above[i] * curve->slope[i + 1];
    g_free(above);
}

/*
 * The slopes at the knots: between two chords of one sign, the weighted
 * harmonic mean of their slopes (Fritsch and Butland, SIAM J. Sci. Stat.
 * Comput. 1984), else 0; at both ends, the slope of the chord. No segment then
 * leaves the range of its knots.
 */
static void fit_segments(struct orr_curve *curve)
{
    guint last = curve->count - 1;

    curve->slope[0] = chord(curve, 0);
    curve->slope[last] = chord(curve, last - 1);
    for (guint i = 1; i < last; i++) {
        double before = chord(curve, i - 1), after = chord(curve, i);
        double w1 = 2 * step(curve, i) + step(curve, i - 1);
        double w2 = step(curve, i) + 2 * step(curve, i - 1);

        curve->slope[i] =
            before * after > 0 ? (w1 + w2) / (w1 / before + w2 / after) : 0;
    }
}

void orr_curve_fit(struct orr_curve *curve, enum orr_curve_kind kind,
                   const struct orr_history *history)
{
    guint count = history->knots->len;

    *curve = (struct orr_curve){
        .count = count,
        .x = g_new(double, count),
        .y = g_new(double, count),
        .slope = g_new(double, count),
    };
    for (guint i = 0; i < count; i++) {
        curve->x[i] = orr_history_knot(history, i)->x;
        curve->y[i] = orr_history_knot(history, i)->y;
    }
    if (kind == ORR_CURVE_LINE)
        fit_line(curve, history);
    else if (kind == ORR_CURVE_SPLINE)
        fit_spline(curve);
    else
        fit_segments(curve);
}

void orr_curve_clear(struct orr_curve *curve)
{
    g_free(curve->x);
    g_free(curve->y);
    g_free(curve->slope);
}

/* The value at @x in the segment behind knot @i (Hermite's form). */
static double value_in(const struct orr_curve *curve, guint i, double x)
{
    double h = step(curve, i), t = (x - curve->x[i]) / h;

    return curve->y[i] * (1 + 2 * t) * (1 - t) * (1 - t) +
           curve->slope[i] * h * t * (1 - t) * (1 - t) +
           curve->y[i + 1] * t * t * (3 - 2 * t) +
           curve->slope[i + 1] * h * t * t * (t - 1);
}

double orr_curve_at(const struct orr_curve *curve, double x)
{
    guint low = 0, high = curve->count - 1;

    if (x <= curve->x[0])
        return curve->y[0] + curve->slope[0] * (x - curve->x[0]);
    if (x >= curve->x[high])
        return curve->y[high] + curve->slope[high] * (x - curve->x[high]);
    while (high - low > 1) {
        guint middle = (low + high) / 2;

        if (curve->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return value_in(curve, low, x);
}

double orr_curve_error(const struct orr_curve *curve,
                       const struct orr_history *history)
{
    double squares = 0;

    for (guint i = 0; i < history->runs->len; i++) {
        const struct orr_history_knot *run =
            &g_array_index(history->runs, struct orr_history_knot, i);
        double difference = run->y - orr_curve_at(curve, run->x);

        squares += difference * difference;
    }
    return sqrt(squares / history->runs->len);
}

/* Whether the segment behind knot @i leaves the range [@low, @high]: tests the
 * zeros of its derivative, a parabola, that lie between the knots. */
static bool leaves(const struct orr_curve *curve, guint i, double low,
                   double high)
{
    double d = chord(curve, i), s0 = curve->slope[i], s1 = curve->slope[i + 1];
    double a = 3 * (s0 + s1 - 2 * d), b = 2 * (3 * d - 2 * s0 - s1), c = s0;
    double root = b * b - 4 * a * c;

    if (root < 0)
        return false;
    root = sqrt(root);
    for (int sign = -1; sign <= 1; sign += 2) {
        double q = -(b + (b < 0 ? -root : root)) / 2;
        double t = sign < 0 ? q / a : c / q;
        double y;

        if (!(t > 0 && t < 1)) /* also if it is not a number */
            continue;
        y = value_in(curve, i, curve->x[i] + t * step(curve, i));
        if (y < low || y > high)
            return true;
    }
    return false;
}

bool orr_curve_swings(const struct orr_curve *curve, double tolerance)
{
    for (guint i = 0; i + 1 < curve->count; i++) {
        double low = fmin(curve->y[i], curve->y[i + 1]) - tolerance;
        double high = fmax(curve->y[i], curve->y[i + 1]) + tolerance;

        if (leaves(curve, i, low, high))
            return true;
    }
    return false;
}
