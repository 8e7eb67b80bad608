/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FLOPS_H
#define ORR_FLOPS_H

#include "models/base/units.h"

/*
 * What a kernel takes on a device where nobody measured it, from how much it
 * computes:
 *
 *     time(n) = operations x n^3 / (peak x efficiency(n))
 *
 *     n            rows and columns of the tiles, elements
 *     operations   of the kernel, in units of n^3: the usual leading terms
 *                  (Golub and Van Loan, Matrix Computations, 4th edition,
 *                  algorithms 1.1.5, 3.1.1, 3.2.1 and 4.2.1)
 *     peak         of the device in the kernel's precision, flop/s
 *     efficiency   the share of the peak that it reaches at that size, in
 *                  (0, 1]: given at some sizes; linear in n between two of
 *                  them, proportional to n below the first, constant beyond
 *                  the last
 *
 * Valid as far as the curve is: a kernel whose operations are of a lower
 * order than n^3, or that is bound by memory, is only as well described as
 * its points describe it. It has no deviation, no warm-up, no launch latency
 * (the runtime's own queueing costs come on top), and no other kernel slows
 * it down. Take it for a machine that cannot be measured, never for one that
 * can.
 */

/* The share of the peak at one size. */
struct orr_flops_point {
    unsigned tile;
    double efficiency; /* in (0, 1] */
};

struct orr_flops {
    unsigned device;
    double operations;              /* x tile^3; > 0 */
    double peak;                    /* flop/s; > 0 */
    unsigned point_count;           /* >= 1 */
    struct orr_flops_point *points; /* owned; by tile, no two of one size */
};

/*
 * The operations of the kernel that applications call @name ("potrf": 1/3,
 * "gemm": 2), in units of tile^3; 0 if it is not known here.
 */
double orr_flops_operations(const char *name);

/* The names that orr_flops_operations() knows: "potrf, trsm, ...". Owned. */
char *orr_flops_known(void);

/* @tile > 0. */
double orr_flops_efficiency(const struct orr_flops *flops, unsigned tile);

/*
 * Nearest nanosecond, at least 1; ORR_NEVER if it is over a day, beyond what
 * a platform file may state. @tile > 0.
 */
orr_time orr_flops_duration(const struct orr_flops *flops, unsigned tile);

/* Whether both say the same of a device, whichever it is. */
bool orr_flops_equal(const struct orr_flops *a, const struct orr_flops *b);

#endif
