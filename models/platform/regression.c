/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/regression.h"

#include <math.h>
#include <string.h>

void orr_regression_free(struct orr_regression *regression)
{
    if (!regression)
        return;
    g_free(regression->symbol);
    g_free(regression->coefficients);
    g_free(regression);
}

static bool has_power(const struct orr_regression *regression)
{
    return !isnan(regression->alpha) && !isnan(regression->beta);
}

static bool has_offset(const struct orr_regression *regression)
{
    return !isnan(regression->a) && !isnan(regression->b) &&
           !isnan(regression->c);
}

bool orr_regression_is_known(const struct orr_regression *regression)
{
    return has_power(regression) || has_offset(regression) ||
           regression->count > 0;
}

const struct orr_regression *orr_regression_find(const GPtrArray *regressions,
                                                 const char *symbol,
                                                 unsigned device)
{
    const struct orr_regression *found = NULL;

    for (guint i = 0; i < regressions->len; i++) {
        const struct orr_regression *regression = regressions->pdata[i];
        bool fits = device == 0 ? regression->device == 0
                                : regression->device > 0 &&
                                      regression->device <= device;

        if (fits && (!found || regression->device > found->device) &&
            strcmp(regression->symbol, symbol) == 0)
            found = regression;
    }
    return found;
}

/* StarPU wants sizes that differ by more than 10 %, in whole bytes. */
static bool is_trusted(const struct orr_regression *regression, uint64_t size)
{
    return regression->samples >= ORR_REGRESSION_SAMPLES &&
           regression->least < 9 * regression->most / 10 &&
           (double)size >= (double)regression->least * 0.9 &&
           (double)size <= (double)regression->most * 1.1;
}

double orr_regression_power_us(const struct orr_regression *regression,
                               uint64_t size)
{
    if (!has_power(regression) || !is_trusted(regression, size))
        return NAN;
    return regression->alpha * pow((double)size, regression->beta);
}

double orr_regression_offset_us(const struct orr_regression *regression,
                                uint64_t size)
{
    if (!has_offset(regression) || !is_trusted(regression, size))
        return NAN;
    return regression->a * pow((double)size, regression->b) + regression->c;
}

double orr_regression_sum_us(const struct orr_regression *regression,
                             const double *terms, unsigned count)
{
    double sum;

    if (regression->count != count + 1)
        return NAN;
    sum = regression->coefficients[0];
    for (unsigned i = 0; i < count; i++)
        sum += regression->coefficients[i + 1] * terms[i];
    return sum < 0 ? 0.00001 : sum;
}
