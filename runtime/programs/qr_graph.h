/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QR_GRAPH_H
#define ORR_QR_GRAPH_H

#include "runtime/programs/dense.h"
#include "runtime/programs/qr_tree.h"

/*
 * The kernels of a tiled QR factorisation. A kill of kind TS is tpqrt and its
 * updates are tpmqrt, the kernels that Chameleon calibrates; of kind TT, ttqrt
 * and ttmqr. Flops are in units of nb^3.
 *
 *   kernel  flops  reads         updates                        writes
 *   geqrt   4/3                  R and V of tile (i, k)         T of (i, k)
 *   ormqr   2      V and T       tile (i, j)
 *   tpqrt   2                    R of (pivot, k), tile (i, k)   T of the kill
 *   tpmqrt  4      tile (i, k)   tiles (pivot, j) and (i, j)
 *                  and T
 *   ttqrt   2/3                  R of (pivot, k), R of (i, k)   T of the kill
 *   ttmqr   2      R of (i, k)   tiles (pivot, j) and (i, j)
 *                  and T
 *
 * R is the triangle on and above the diagonal of a tile, V the part below it.
 * Tiles that geqrt factors are registered as two data, R and V, so that ormqr,
 * which reads V, and the next kill, which updates R, can run concurrently.
 * Traces call them R(i,k) and V(i,k), whole tiles A(i,j), the T of geqrt
 * T(i,k), and the T of a kill TK(i,k).
 */
enum {
    ORR_QR_GEQRT,
    ORR_QR_ORMQR,
    ORR_QR_TPQRT,
    ORR_QR_TPMQRT,
    ORR_QR_TTQRT,
    ORR_QR_TTMQR,
};

struct orr_qr {
    struct orr_dense dense; /* with the kernels above that the plan needs */
    struct orr_qr_plan plan;
    bool whole;     /* a tile is one datum, even if geqrt factors it */
    unsigned inner; /* rows of T: columns of an inner block */
};

/*
 * Registers the data and submits the tasks: panel after panel; in each one the
 * heads with their updates, then each kill with its updates.
 *
 * Priorities, with n panels, from 0 for the first column:
 *
 *   geqrt, tpqrt, ttqrt of panel k       2 max(n - k, 0)
 *   ormqr, tpmqrt, ttmqr of column j     2 max(n - j, 0) + 1
 *
 * So columns on the left have precedence, and updates precede the panel that
 * depends on them.
 */
void orr_qr_submit(const struct orr_qr *qr);

#endif
