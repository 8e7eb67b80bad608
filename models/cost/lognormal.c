/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/lognormal.h"

#include <glib.h>
#include <math.h>

#define LN2 0.69314718055994530942
#define LONGEST (1000.0 * 86400 * 1e9) /* ns; so that dates do not overflow */
#define SQRT_HALF 0.70710678118654752440

/* ln(x) for x > 0: x = 2^k y, and ln y = 2 artanh((y - 1) / (y + 1)). */
static double ln(double x)
{
    int k;
    double y = frexp(x, &k);
    double t;
    double power;
    double sum = 0;

    if (y < SQRT_HALF) {
        y *= 2;
        k--;
    }
    t = (y - 1) / (y + 1); /* at most 0.172 */
    power = t;
    for (int n = 1; n < 25; n += 2) {
        sum += power / n;
        power *= t * t;
    }
    return 2 * sum + k * LN2;
}

/* exp(x) for |x| < 700: 2^k exp(r) with |r| <= ln(2) / 2, by its series. */
static double exponential(double x)
{
    int k = (int)(x / LN2 + (x < 0 ? -0.5 : 0.5));
    double r = x - k * LN2;
    double term = 1;
    double sum = 1;

    for (int n = 1; n < 18; n++) {
        term *= r / n;
        sum += term;
    }
    return ldexp(sum, k);
}

/* A polynomial of degree 7; the constant coefficient comes first. */
static double polynomial(const double *coefficients, double x)
{
    double value = coefficients[7];

    for (int i = 6; i >= 0; i--)
        value = value * x + coefficients[i];
    return value;
}

/* Numerator (over) and denominator (under) of each rational function. */
static const double middle_over[8] = {
    3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
    3.3430575583588128105e4, 2.5090809287301226727e3,
};
static const double middle_under[8] = {
    1,
    4.2313330701600911252e1,
    6.8718700749205790830e2,
    5.3941960214247511077e3,
    2.1213794301586595867e4,
    3.9307895800092710610e4,
    2.8729085735721942674e4,
    5.2264952788528545610e3,
};
static const double side_over[8] = {
    1.42343711074968357734e0,  4.63033784615654529590e0,
    5.76949722146069140550e0,  3.64784832476320460504e0,
    1.27045825245236838258e0,  2.41780725177450611770e-1,
    2.27238449892691845833e-2, 7.74545014278341407640e-4,
};
static const double side_under[8] = {
    1,
    2.05319162663775882187e0,
    1.67638483018380384940e0,
    6.89767334985100004550e-1,
    1.48103976427480074590e-1,
    1.51986665636164571966e-2,
    5.47593808499534494600e-4,
    1.05075007164441684324e-9,
};
static const double tail_over[8] = {
    6.65790464350110377720e0,  5.46378491116411436990e0,
    1.78482653991729133580e0,  2.96560571828504891230e-1,
    2.65321895265761230930e-2, 1.24266094738807843860e-3,
    2.71155556874348757815e-5, 2.01033439929228813265e-7,
};
static const double tail_under[8] = {
    1,
    5.99832206555887937690e-1,
    1.36929880922737805310e-1,
    1.48753612908506148525e-2,
    7.86869131745613259100e-4,
    1.84631831751005468180e-5,
    1.42151175831644588870e-7,
    2.04426310338993978564e-15,
};

double orr_normal_quantile(double p)
{
    double q = p - 0.5;
    double r;
    double z;

    if (q >= -0.425 && q <= 0.425) {
        r = 0.180625 - q * q;
        return q * polynomial(middle_over, r) / polynomial(middle_under, r);
    }
    r = sqrt(-ln(q < 0 ? p : 1 - p));
    if (r <= 5)
        z = polynomial(side_over, r - 1.6) / polynomial(side_under, r - 1.6);
    else
        z = polynomial(tail_over, r - 5) / polynomial(tail_under, r - 5);
    return q < 0 ? -z : z;
}

void orr_lognormal_init(struct orr_lognormal *law, orr_time mean,
                        orr_time deviation)
{
    double variation = (double)deviation / (double)mean;

    g_assert(mean > 0 && deviation >= 0);
    law->mean = (double)mean;
    law->sigma = sqrt(ln(1 + variation * variation));
}

orr_time orr_lognormal_quantile(const struct orr_lognormal *law, double p)
{
    double z = orr_normal_quantile(p);
    double exponent = law->sigma * z - law->sigma * law->sigma / 2;
    double duration = law->mean * exponential(exponent);

    return MAX(1, (orr_time)(MIN(duration, LONGEST) + 0.5));
}
