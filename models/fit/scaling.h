/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FIT_SCALING_H
#define ORR_FIT_SCALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How well a run uses P workers, as a product of factors, and how these factors
 * depend on P (Rosas, Gimenez, Labarta, Scalability prediction for fundamental
 * performance factors, Supercomputing Frontiers and Innovations 1(2), 2014).
 */

/* With t(i) the time for which worker i computes, T the makespan, and T' the
 * makespan of the same run with an ideal network (orr_config.instant_copies).
 */
struct orr_efficiency {
    double load_balance;  /* sum t(i) / (P max t(i)) */
    double communication; /* max t(i) / T: serialization x transfer */
    double serialization; /* max t(i) / T': below 1 because of dependencies and
                             the runtime */
    double transfer;      /* T' / T: below 1 because of copies */
    double parallel;      /* sum t(i) / (P T), the product of load balance,
                             serialization and transfer */
};

/*
 * Computes the factors.
 *
 * @computing:   t(i) of each of @workers (> 0), in any unit, >= 0
 * @makespan:    T in that unit, >= 0
 * @ideal:       T' in that unit, >= 0
 *
 * A factor whose denominator is 0 is 1.
 */
void orr_efficiency_init(struct orr_efficiency *efficiency,
                         const double *computing, size_t workers,
                         double makespan, double ideal);

/* How a factor y may depend on P, the simplest first; 0 <= f <= 1, a >= 0. */
enum orr_scaling_law {
    ORR_SCALING_CONSTANT, /* y = a */
    ORR_SCALING_AMDAHL,   /* y = a / (f + (1 - f) P): a part of the work 1 - f
                             is not shared by the workers */
    ORR_SCALING_PIPELINE, /* y = a P / ((1 - f) + f (2 P - 1)): a part f of the
                             work is a pipeline through all workers */
    ORR_SCALING_LAWS
};

/* "constant", "amdahl" or "pipeline". */
const char *orr_scaling_name(enum orr_scaling_law law);

/* A factor at some P. */
struct orr_scaling_point {
    double count; /* P, finite, >= 1 */
    double value; /* finite, >= 0 */
};

struct orr_scaling {
    enum orr_scaling_law law;
    double a, f; /* f is 0 if the law has none */
};

/* Fits @law to @count (> 0) points by least squares. */
void orr_scaling_fit(struct orr_scaling *scaling, enum orr_scaling_law law,
                     const struct orr_scaling_point *points, size_t count);

double orr_scaling_at(const struct orr_scaling *scaling, double count);

/* The least number of points to choose a law. */
#define ORR_SCALING_LEAST_POINTS 3

/* A prediction for more than so many times the P of the last point comes with a
 * warning. */
#define ORR_SCALING_FAR 100

/* The law of a factor, and how far it may be trusted. */
struct orr_scaling_choice {
    struct orr_scaling scaling;      /* fitted to all points */
    double errors[ORR_SCALING_LAWS]; /* by law: |y - prediction| at the last
                                        point, if fitted to the other points */
};

/*
 * Fits each law to all points but the last, and chooses the law that predicts
 * the last point best; of equal laws, the simplest.
 *
 * @points: by ascending P, all different.
 *
 * Returns false, and sets nothing, if there are fewer than
 * ORR_SCALING_LEAST_POINTS.
 */
bool orr_scaling_choose(struct orr_scaling_choice *choice,
                        const struct orr_scaling_point *points, size_t count);

#endif
