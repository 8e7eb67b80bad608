/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FLOPS_H
#define ORR_FLOPS_H

#include "models/base/units.h"

/*
 * The duration of a kernel on a device where it was not measured, computed from
 * the number of its operations:
 *
 *     time(n) = operations x n^3 / (peak x efficiency(n))
 *
 *     n            rows and columns of the tiles, elements
 *     operations   of the kernel, in units of n^3: the usual leading terms
 *                  (Golub and Van Loan, Matrix Computations, 4th edition,
 *                  algorithms 1.1.5, 3.1.1, 3.2.1 and 4.2.1)
 *     peak         of the device in the kernel's precision, flop/s
 *     efficiency   the share of the peak that the kernel reaches, in
 *                  (0, 1]: given at some sizes; linear in n between two of
 *                  them, proportional to n below the first, constant beyond
 * the last
 * The model is as good as the efficiency curve. For a kernel of fewer than
 * O(n^3) operations, or bound by memory, the points must reflect that.
 * The model has no deviation, no warm-up, no launch latency (the queueing costs
 * of the runtime are added elsewhere), and no slowdown by other kernels. Use it
 * for machines that cannot be measured only.
 */

/* The share of the peak at one size. */
struct orr_flops_point {
    unsigned tile;
    double efficiency; /* in (0, 1] */
};

struct orr_flops {
    unsigned device;
    double operations;    /* x tile^3; > 0 */
    double peak;          /* flop/s; > 0 */
    unsigned point_count; /* >= 1 */
    struct orr_flops_point
        *points; /* owned; by ascending tile, all different */
};

/*
 * The operations of kernel @name ("potrf": 1/3, "gemm": 2), in units of
 * tile^3; 0 if the name is unknown.
 */
double orr_flops_operations(const char *name);

/* The names that orr_flops_operations() knows: "potrf, trsm, ...". Free with
 * g_free(). */
char *orr_flops_known(void);

/* The efficiency at @tile (> 0), interpolated. */
double orr_flops_efficiency(const struct orr_flops *flops, unsigned tile);

/* The speed, flop/s, of a kernel with @operations operations in all: peak x
 * efficiency(n) at the size n at which it has so many. */
double orr_flops_speed(const struct orr_flops *flops, double operations);

/*
 * The duration at @tile (> 0), in ns, at least 1. ORR_NEVER above one day, the
 * largest duration that a platform file may state.
 */
orr_time orr_flops_duration(const struct orr_flops *flops, unsigned tile);

/* Whether both models are equal, apart from the device. */
bool orr_flops_equal(const struct orr_flops *a, const struct orr_flops *b);

#endif
