/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FIT_PREDICTION_H
#define ORR_FIT_PREDICTION_H

#include "models/fit/curve.h"

/*
 * Predicts a quantity from runs of the past, as the adaptive model of energy
 * and power does (Shoukourian, Wilde, Auweter, Bode, Predicting the energy and
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
    enum orr_curve_kind kind; /* the simplest that fits */
    struct orr_curve curve;   /* of that kind; none if there is one knot */
};

/* The limit of the error that orr_predictor_init() takes for a negative one,
 * relative to the mean of |y|. */
#define ORR_PREDICTOR_LIMIT 0.05

/* Clear with orr_predictor_clear(). */
void orr_predictor_init(struct orr_predictor *predictor,
                        const struct orr_history *history, double limit);
void orr_predictor_clear(struct orr_predictor *predictor);

/*
 * What more or fewer processors can change. Within a problem of one size,
 * from the nearest known x to the one that is wanted, in the ratio r > 1:
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

/* The law for a column called @y, by its unit, over one called @x: none unless
 * @x counts processors, as "gpus" does, and @y ends with "_s" or another unit
 * of time, with one of energy, or of power. */
enum orr_prediction_law orr_prediction_law(const char *x, const char *y);

struct orr_prediction {
    double x, y;
    uint64_t runs;    /* of which y is the mean; 0: it is on the curve */
    bool beyond;      /* x is not between known ones */
    double low, high; /* what the law allows; infinite without one */
};

/* Predicts y at @x. Fails with ORR_ERROR_VALUE if @x is not known, and only one
 * other x is. */
bool orr_predict(const struct orr_predictor *predictor,
                 enum orr_prediction_law law, double x,
                 struct orr_prediction *prediction, GError **error);

#endif
