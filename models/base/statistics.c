/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/statistics.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

static double mean_of(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t below = (size_t)at;

    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] +
           (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

void orr_summary_compute(struct orr_summary *summary, const double *values,
                         size_t count)
{
    double *sorted = g_new(double, count);

    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i];
    qsort(sorted, count, sizeof(*sorted), by_size);
    summary->mean = mean_of(values, count);
    summary->median = quantile(sorted, count, 0.5);
    summary->p05 = quantile(sorted, count, 0.05);
    summary->p95 = quantile(sorted, count, 0.95);
    g_free(sorted);
}

/*
 * The probability that a variable of Student's law lies within +-@t: a finite
 * sum for a whole number of degrees of freedom (Abramowitz, Stegun, Handbook of
 * mathematical functions, 26.7.3 and 26.7.4).
 */
static double student_share(double t, size_t freedom)
{
    double theta = atan(t / sqrt((double)freedom));
    double cosine = cos(theta), term = freedom % 2 ? cosine : 1, sum = 0;

    for (size_t k = freedom % 2 ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= cosine * cosine * (double)(k - 1) / (double)k;
    }
    return freedom % 2 ? (theta + sin(theta) * sum) / G_PI_2 : sin(theta) * sum;
}

double orr_student_quantile(size_t freedom)
{
    double low = 1.9, high = 13; /* 1.96 for infinite freedom, 12.71 for 1 */

    while (high - low > 1e-9) {
        double middle = (low + high) / 2;

        if (student_share(middle, freedom) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void orr_contrast_compute(struct orr_contrast *contrast, const double *a,
                          const double *b, size_t count)
{
    double base = mean_of(b, count);
    double ratio = mean_of(a, count) / base;
    double squares = 0, half;

    for (size_t i = 0; i < count; i++) {
        double rest = a[i] - ratio * b[i]; /* these have the mean 0 */

        squares += rest * rest;
    }
    half = orr_student_quantile(count - 1) *
           sqrt(squares / (double)(count - 1) / (double)count) / base;
    contrast->difference = ratio - 1;
    contrast->low = contrast->difference - half;
    contrast->high = contrast->difference + half;
}
