/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/fit/scaling.h"

#include <glib.h>
#include <math.h>

/* A law must be better than a simpler one by more than this. */
#define ROUNDING 1e-9

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 1;
}

void orr_efficiency_init(struct orr_efficiency *efficiency,
                         const double *computing, size_t workers,
                         double makespan, double ideal)
{
    double sum = 0, most = 0;

    for (size_t i = 0; i < workers; i++) {
        sum += computing[i];
        most = fmax(most, computing[i]);
    }
    *efficiency = (struct orr_efficiency){
        .load_balance = ratio(sum, (double)workers * most),
        .communication = ratio(most, makespan),
        .serialization = ratio(most, ideal),
        .transfer = ratio(ideal, makespan),
        .parallel = ratio(sum, (double)workers * makespan),
    };
}

const char *orr_scaling_name(enum orr_scaling_law law)
{
    static const char *const names[ORR_SCALING_LAWS] = {"constant", "amdahl",
                                                        "pipeline"};

    return names[law];
}

double orr_scaling_at(const struct orr_scaling *scaling, double count)
{
    double f = scaling->f;

    switch (scaling->law) {
    case ORR_SCALING_AMDAHL:
        return scaling->a / (f + (1 - f) * count);
    case ORR_SCALING_PIPELINE:
        return scaling->a * count / ((1 - f) + f * (2 * count - 1));
    default:
        return scaling->a;
    }
}

/* A law, and the points to which it is fitted. */
struct problem {
    enum orr_scaling_law law;
    const struct orr_scaling_point *points;
    size_t count;
};

/* The shape of a law is ln((1 - f) / f) in Amdahl's law, ln(f) in the law of
 * pipelines: with many workers, f as near to a bound as 1e-12 matters. Shapes
 * are tried in steps from the first on, and then around the best. */
#define FIRST_SHAPE (-35.0)
#define SHAPE_STEP 0.125
#define SHAPES 400 /* up to 15 */

/* -INFINITY and INFINITY give the bounds of f. */
static double f_of(enum orr_scaling_law law, double shape)
{
    return law == ORR_SCALING_AMDAHL ? 1 / (1 + exp(shape))
                                     : fmin(exp(shape), 1);
}

/* Sets @scaling to the law with @shape, and the a that suits it best. Returns
 * the sum of the squared differences. */
static double fit_shape(const struct problem *problem, double shape,
                        struct orr_scaling *scaling)
{
    double products = 0, squares = 0, sum = 0;

    *scaling = (struct orr_scaling){
        .law = problem->law,
        .a = 1,
        .f = problem->law == ORR_SCALING_CONSTANT ? 0
                                                  : f_of(problem->law, shape),
    };
    for (size_t i = 0; i < problem->count; i++) {
        double y = orr_scaling_at(scaling, problem->points[i].count);

        products += y * problem->points[i].value;
        squares += y * y;
    }
    scaling->a = products / squares;
    for (size_t i = 0; i < problem->count; i++) {
        double difference = orr_scaling_at(scaling, problem->points[i].count) -
                            problem->points[i].value;

        sum += difference * difference;
    }
    return sum;
}

/* Golden section search (Kiefer, Sequential minimax search for a maximum,
 * Proc. AMS 1953) between @low and @high; returns the better of the two last
 * shapes. */
static double search(const struct problem *problem, double low, double high)
{
    const double golden = (sqrt(5) - 1) / 2;
    struct orr_scaling scaling;
    double left = high - golden * (high - low);
    double right = low + golden * (high - low);
    double at_left = fit_shape(problem, left, &scaling);
    double at_right = fit_shape(problem, right, &scaling);

    for (unsigned i = 0; i < 64; i++) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = fit_shape(problem, left, &scaling);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = fit_shape(problem, right, &scaling);
        }
    }
    return at_left <= at_right ? left : right;
}

/* Keeps @shape if it fits better than the best so far. */
static void try_shape(const struct problem *problem, double shape,
                      struct orr_scaling *best, double *least)
{
    struct orr_scaling scaling;
    double sum = fit_shape(problem, shape, &scaling);

    if (sum < *least) {
        *least = sum;
        *best = scaling;
    }
}

void orr_scaling_fit(struct orr_scaling *scaling, enum orr_scaling_law law,
                     const struct orr_scaling_point *points, size_t count)
{
    const struct problem problem = {law, points, count};
    double best = FIRST_SHAPE, least = INFINITY;

    for (unsigned i = 0; i <= SHAPES; i++) {
        double shape = FIRST_SHAPE + i * SHAPE_STEP;
        double sum = fit_shape(&problem, shape, scaling);

        if (sum < least) {
            least = sum;
            best = shape;
        }
    }
    least = fit_shape(&problem, -INFINITY, scaling);
    try_shape(&problem, INFINITY, scaling, &least);
    if (law != ORR_SCALING_CONSTANT)
        try_shape(&problem,
                  search(&problem, best - SHAPE_STEP, best + SHAPE_STEP),
                  scaling, &least);
}

bool orr_scaling_choose(struct orr_scaling_choice *choice,
                        const struct orr_scaling_point *points, size_t count)
{
    enum orr_scaling_law best = ORR_SCALING_CONSTANT;

    if (count < ORR_SCALING_LEAST_POINTS)
        return false;
    for (enum orr_scaling_law law = 0; law < ORR_SCALING_LAWS; law++) {
        const struct orr_scaling_point *last = &points[count - 1];
        struct orr_scaling scaling;

        orr_scaling_fit(&scaling, law, points, count - 1);
        choice->errors[law] =
            fabs(orr_scaling_at(&scaling, last->count) - last->value);
        if (choice->errors[law] < choice->errors[best] - ROUNDING)
            best = law;
    }
    orr_scaling_fit(&choice->scaling, best, points, count);
    return true;
}
