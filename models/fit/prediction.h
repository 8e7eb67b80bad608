/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FIT_PREDICTION_H
#define ORR_FIT_PREDICTION_H

#include "models/fit/curve.h"

/*
 * Predicts a quantity from past runs, as the adaptive model of energy and power
 * does (Shoukourian, Wilde, Auweter, Bode, Predicting the energy and
 * power consumption of strong and weak scaling HPC applications, Supercomputing
 * Frontiers and Innovations 1(2), 2014): at an x that is known it is the mean
 * of the runs; elsewhere it is on the simplest curve that fits.
 *
 * A curve fits if its error is within a limit, and a spline only if it also
 * does not swing by more than the limit. Segments always fit.
 */
struct orr_predictor {
    const struct orr_history *history; /* borrowed */
    double limit;                      /* of the error, in the unit of y */
    double errors[ORR_CURVE_KINDS];
    bool fits[ORR_CURVE_KINDS];
    enum orr_curve_kind kind; /* the simplest kind that fits */
    struct orr_curve curve;   /* the fitted curve of @kind; empty when only one
                                 x is known */
};

/* The default limit of the error, relative to the mean of |y|, if
 * orr_predictor_init() gets a negative one. */
#define ORR_PREDICTOR_LIMIT 0.05

/* Clear with orr_predictor_clear(). */
void orr_predictor_init(struct orr_predictor *predictor,
                        const struct orr_history *history, double limit);
void orr_predictor_clear(struct orr_predictor *predictor);

/*
 * Bounds on the effect of more or fewer processors. For a problem of one size,
 * from the nearest known x to the requested x, in the ratio r > 1:
 *
 *   a time    falls at most to 1/r, and does not rise (Amdahl, Validity of the
 *             single processor approach, AFIPS 1967);
 *   energy    does not fall, and rises at most to r: with idle processors that
 *             take no power, or as much as others, and no speedup (Woo and Lee,
 *             Extending Amdahl's law for energy-efficient computing in the
 *             many-core era, IEEE Computer 41(12), 2008);
 *   a power   does not fall, and rises at most to r (Woo and Lee, 2008).
 */
enum orr_prediction_law {
    ORR_LAW_NONE,
    ORR_LAW_TIME,
    ORR_LAW_ENERGY,
    ORR_LAW_POWER
};

/* The law for the columns @x and @y: none unless @x counts processors, like
 * "gpus", and @y ends with a unit of time, such as "_s", of energy or of power.
 */
enum orr_prediction_law orr_prediction_law(const char *x, const char *y);

struct orr_prediction {
    double x, y;
    uint64_t runs;    /* y is the mean of so many runs; 0: from the curve */
    bool beyond;      /* x is outside the range of the known x */
    double low, high; /* bounds by the law; infinite without a law */
};

/* Predicts y at @x. Fails with ORR_ERROR_VALUE if only one x is known, and it
 * is not @x. */
bool orr_predict(const struct orr_predictor *predictor,
                 enum orr_prediction_law law, double x,
                 struct orr_prediction *prediction, GError **error);

#endif
