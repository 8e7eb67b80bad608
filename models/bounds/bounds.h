/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_H
#define ORR_BOUNDS_H

#include "models/bounds/workload.h"

/*
 * Lower bounds on the makespan of a task graph on a heterogeneous machine. No
 * schedule of any policy is shorter, provided that all tasks of a kernel take
 * the same time on all workers of a class. All times are in seconds.
 *
 * The bounds ignore the overheads of the runtime. All but the transfer bound
 * ignore copies. If durations are random, and policies do not know them in
 * advance, then bounds computed from the mean durations hold for the mean
 * makespan: the choice of a worker does not depend on the random duration, so
 * the mean durations give the expected load of a class and the expected length
 * of a path.
 *
 * Sources:
 *   [H15] Agullo, Beaumont, Eyraud-Dubois, Herrmann, Kumar, Marchal, Thibault,
 *         Bridging the gap between performance and bounds of Cholesky
 *         factorization on heterogeneous platforms, HCW 2015, section III.
 *   [I16] Agullo, Beaumont, Eyraud-Dubois, Kumar, Are static schedules so bad?
 *         A case study on Cholesky factorization, IPDPS 2016.
 *   [HK]  Hong, Kung, I/O complexity: the red-blue pebble game, STOC 1981;
 *         Irony, Toledo, Tiskin, Communication lower bounds for
 *         distributed-memory matrix multiplication, JPDC 2004.
 *   [S22] Beaumont, Eyraud-Dubois, Verite, Langou, I/O-optimal algorithms for
 *         symmetric linear algebra kernels, SPAA 2022.
 */

/*
 * Area bound: the least T such that all tasks, taken as divisible, fit into the
 * time T on the workers of all classes [H15]:
 *
 *   minimise T   n(k, c) >= 0 tasks of kernel k on class c, t(k, c) each
 *   sum over c of n(k, c) = N(k)                          for each kernel k
 *   sum over k of n(k, c) t(k, c) <= workers(c) T         for each class c
 */
double orr_bound_area(const struct orr_workload *workload);

/* As orr_bound_area(), and sets counts[kernel * class_count + class] to n(k, c)
 * of a solution. These need not be whole. */
double orr_bound_area_counts(const struct orr_workload *workload,
                             double *counts);

/* Critical path: the longest path, with each task on its fastest class [H15].
 */
double orr_bound_critical_path(const struct orr_workload *workload);

/*
 * Mixed bound: the area bound with the additional condition that no path takes
 * longer than T, if tasks run on the classes that the solution gives them:
 *
 *   sum over tasks i of P and classes c of n(i, c) t(i, c) <= T   for path P
 *
 * [H15] states it for one path, which holds every POTRF of a Cholesky
 * factorisation, with the fastest TRSM and SYRK in between. Here the paths are
 * found automatically: the longest path under the latest solution is added,
 * until no path is longer than T or five paths have been added. Tasks of one
 * kernel that are on the same set of these paths share their variables, which
 * changes nothing, since they are interchangeable. The result is never below
 * the area bound or the critical path.
 */
double orr_bound_mixed(const struct orr_workload *workload);

/*
 * Transfer bound: the least T for which the conditions of the area bound hold,
 * and the data that tasks on GPUs need can reach the GPUs within T. With f(r)
 * bytes over route r, and n(g) update tasks on GPU g:
 *
 *   sum over routes r across l of f(r) <= bandwidth(l) T     for each link l
 *   sum over routes r to g of f(r) >= b Q(n(g), M(g))        for each GPU g
 *   sum over routes r from the host of f(r) >= b Q(sum of n(g), infinity)
 *   sum over routes r from the host of f(r) >= bytes of the data that a task
 *   reads which no CPU can run, unless an earlier task overwrites them unread
 *
 * An update task updates tile (i, j) and reads two other tiles, each of at
 * least b bytes. Let F(S) be the largest number of update tasks on S tiles.
 * Geometry limits it to c S^(3/2). If tasks read tiles (i, k) and (k, j), as in
 * LU,
 *
 *   F(S)^2 <= updated x read (i, k) x read (k, j)   (Loomis, Whitney; [HK])
 *
 * hence c = 1. It is 1/2 if no tile is read both as (i, k) and as (k, j), and
 * 3^(-3/2) if moreover no updated tile is read. If tasks read tiles (i, k) and
 * (j, k), as in Cholesky, they are the triangles of a graph whose edges are the
 * tiles, and c = sqrt(2)/3 (Kruskal, Katona; [S22]). If m tasks have the same
 * i, j, k, c is m times larger.
 *
 * Q(n, M) is the number of tiles that a memory of M tiles has to load for n
 * update tasks. Cut the run into phases of R loads each. A phase has M + R
 * tiles at its disposal [HK]:
 *
 *   Q(n, M) >= R (n / F(M + R) - 1)   for any R
 *   Q(n, M) >= n / N x S(N)           with N updates in all
 *
 * The latter holds because n tasks need at least S(n) tiles, where F(S(n)) = n.
 * S is concave, so its chord from 0 to N is a lower limit. Tasks of other
 * shapes count as if they needed no data, which keeps the bound valid.
 */
double orr_bound_transfer(const struct orr_workload *workload,
                          const struct orr_supply *supply);

/*
 * Bounds on the energy, J. The machine always draws at least base_w, and a task
 * of kernel k on class c adds at least e(k, c), so that a run of time T takes
 * at least
 *
 *   E = base_w T + sum over k, c of n(k, c) e(k, c)
 *
 * if n(k, c) of its tasks run there. Copies and the overheads of the runtime
 * are left out.
 */
struct orr_energy_bounds {
    double least_j; /* the least E under the conditions of the area bound, for
                       any T >= the critical path: no schedule takes less,
                       however slow it is */
    double area_j;  /* the least E for T = the area bound, or the critical path
                       if that is longer. A slower schedule may take less */
    double idle_j;  /* base_w x critical path: the energy if no task adds any */
};

/* Computes all three: NAN if workload->joules is NULL, INFINITY if no worker
 * can run some task. */
void orr_energy_bounds_compute(struct orr_energy_bounds *bounds,
                               const struct orr_workload *workload);

/* All bounds. INFINITY if no worker can run some task. */
struct orr_bounds {
    double area_s;
    double critical_path_s;
    double mixed_s;
    double transfer_s;
    struct orr_energy_bounds energy;
};

/* Sets all bounds to NAN: not known. */
void orr_bounds_init(struct orr_bounds *bounds);

void orr_bounds_compute(struct orr_bounds *bounds,
                        const struct orr_workload *workload,
                        const struct orr_supply *supply);

/* The largest of the bounds, which is the tightest. */
double orr_bounds_best(const struct orr_bounds *bounds);

#endif
