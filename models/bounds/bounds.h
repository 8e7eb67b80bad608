/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_H
#define ORR_BOUNDS_H

#include "models/bounds/workload.h"

/*
 * Lower bounds on the makespan of a task graph on a heterogeneous machine: no
 * schedule is shorter, whatever the policy, if each task of a kernel takes the
 * same time on each worker of a class. Seconds throughout.
 *
 * The bounds ignore what the runtime itself costs, and all but the last ignore
 * copies. Where durations are random and policies do not know them before they
 * have waited for them, bounds from the mean durations hold for the mean
 * makespan: the choice of a worker is then independent of how long the task
 * takes there, so that the expected load of a class and the expected length
 * of a path are what the mean durations say.
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
 * Area bound: the least T for which the tasks, taken as divisible, fit into
 * the time T of every class [H15]:
 *
 *   minimise T   n(k, c) >= 0 tasks of kernel k on class c, t(k, c) each
 *   sum over c of n(k, c) = N(k)                          for each kernel k
 *   sum over k of n(k, c) t(k, c) <= workers(c) T         for each class c
 */
double orr_bound_area(const struct orr_workload *workload);

/* Critical path: the longest path, each task on its fastest class [H15]. */
double orr_bound_critical_path(const struct orr_workload *workload);

/*
 * Mixed bound: the area bound, under the condition that no path takes longer
 * than T, with each of its tasks where the area bound then has it:
 *
 *   sum over tasks i of P and classes c of n(i, c) t(i, c) <= T   for path P
 *
 * [H15] states it for the one path that holds every POTRF of a Cholesky
 * factorisation, with the fastest TRSM and SYRK in between. Here paths are
 * found by the program itself: whichever is longest under the last solution
 * joins, until none is longer than T, or five have. Tasks of one kernel that
 * are on the same of these paths share their variables, which is no loss, since
 * they may trade places. Never below the area bound or the critical path.
 */
double orr_bound_mixed(const struct orr_workload *workload);

/*
 * Transfer bound: the least T for which the area bound's conditions hold and
 * the data that GPU tasks need get to the GPUs within T. With f(r) bytes
 * over route r, and n(g) update tasks on GPU g:
 *
 *   sum over routes r across l of f(r) <= bandwidth(l) T     for each link l
 *   sum over routes r to g of f(r) >= b Q(n(g), M(g))        for each GPU g
 *   sum over routes r from the host of f(r) >= b Q(sum of n(g), infinity)
 *   and >= the bytes that a task which no CPU can do reads from data which no
 *   task has only written before
 *
 * An update task is one that updates tile (i, j) and reads two others, each of
 * at least b bytes. For how many of them S tiles suffice, F(S), is limited by
 * geometry to c S^(3/2). Where they read tiles (i, k) and (k, j), as in LU,
 *
 *   F(S)^2 <= updated x read (i, k) x read (k, j)   (Loomis, Whitney; [HK])
 *
 * hence c = 1; 1/2 if no tile is read in both ways; 3^(-3/2) if none that is
 * updated is read, either. Where they read tiles (i, k) and (j, k), as in
 * Cholesky, they are the triangles of a graph whose edges are the tiles, and
 * c = sqrt(2)/3 (Kruskal, Katona; [S22]). If there are several tasks for the
 * same i, j, k, c is as many times larger.
 *
 * Hence Q, the tiles to be loaded for n tasks by a memory of M tiles: cut the
 * run into phases of R loads each; a phase disposes of M + R tiles [HK]:
 *
 *   Q(n, M) >= R (n / F(M + R) - 1)   for any R
 *   Q(n, M) >= n / N x the S for which F(S) = N, of all N updates
 *
 * the latter because n tasks need that many tiles, of which the chord is a
 * lower limit. Tasks of other shapes need no data here, which is a bound, too.
 */
double orr_bound_transfer(const struct orr_workload *workload,
                          const struct orr_supply *supply);

/* All of them. INFINITY where nobody can run a task. */
struct orr_bounds {
    double area_s;
    double critical_path_s;
    double mixed_s;
    double transfer_s;
};

void orr_bounds_compute(struct orr_bounds *bounds,
                        const struct orr_workload *workload,
                        const struct orr_supply *supply);

/* The largest, which says most. */
double orr_bounds_best(const struct orr_bounds *bounds);

#endif
