/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FIT_CURVE_H
#define ORR_FIT_CURVE_H

#include "models/fit/history.h"

/* Kinds of curves through the known points, the simplest first. */
enum orr_curve_kind {
    /* The straight line of least squares through all runs. */
    ORR_CURVE_LINE,

    /* The natural cubic spline through the knots (de Boor, A practical guide to
       splines, chapter IV): smooth, but it may swing between knots. */
    ORR_CURVE_SPLINE,

    /* Cubic segments that rise and fall only where the knots do (Fritsch and
       Carlson, Monotone piecewise cubic interpolation, SIAM J. Numer. Anal.
       1980). */
    ORR_CURVE_SEGMENTS,

    ORR_CURVE_KINDS
};

/*
 * A curve: cubic between knots, given by its values and slopes there, and
 * straight beyond the first and the last knot.
 */
struct orr_curve {
    guint count; /* of knots, at least 2 */
    double *x;   /* ascending */
    double *y;
    double *slope;
};

/* "line", "spline" or "segments". */
const char *orr_curve_name(enum orr_curve_kind kind);

/* Fits a curve of @kind to @history, which has at least two knots. Clear with
 * orr_curve_clear(). */
void orr_curve_fit(struct orr_curve *curve, enum orr_curve_kind kind,
                   const struct orr_history *history);
void orr_curve_clear(struct orr_curve *curve);

double orr_curve_at(const struct orr_curve *curve, double x);

/* The root mean square of the differences between @curve and the runs of
 * @history, in the unit of y. */
double orr_curve_error(const struct orr_curve *curve,
                       const struct orr_history *history);

/*
 * Whether @curve leaves, between two neighbouring knots, the range of their y
 * by more than @tolerance.
 */
bool orr_curve_swings(const struct orr_curve *curve, double tolerance);

#endif
