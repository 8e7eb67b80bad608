/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_GENERATE_H
#define ORR_DAG_GENERATE_H

#include "models/dag/dag.h"

/*
 * Makes layered random graphs, with the parameters of daggen (F. Suter), which
 * many papers on list scheduling use:
 *
 *   tasks       number of tasks
 *   fat         width: levels have tasks^fat tasks on average
 *   regularity  how alike levels are: a level has from regularity to
 *               2 - regularity times the average
 *   density     dependencies of a level, in relation to all pairs of its tasks
 *               with those of the level before; each task has at least one
 *   jump        tasks depend on tasks of up to so many levels before
 *   ccr         bytes that tasks read from other tasks / flops of all tasks
 *
 * Each task but the last ones writes one datum, which all its successors read.
 * Its flops and the size of its datum are drawn from the range of daggen:
 * a task works on d elements of 8 bytes, 11264 <= d <= 4194304, with 2^6 to 2^9
 * flops each. Then all sizes are scaled by one factor, to meet ccr.
 *
 * In contrast to daggen, density and ccr are met exactly, but for rounding.
 * Where one dependency a task is already more than density says, later levels
 * get fewer. Very narrow graphs stay above the density.
 */
#define ORR_DAG_GENERATE_MAX_TASKS 10000000u

struct orr_dag_generate_settings {
    uint64_t tasks;    /* at least 1, at most ORR_DAG_GENERATE_MAX_TASKS */
    double fat;        /* 0 to 1 */
    double regularity; /* 0 to 1 */
    double density;    /* 0 to 1 */
    uint64_t jump;     /* at least 1 */
    double ccr;        /* bytes per flop, at least 0 */
    uint64_t seed;     /* the same seed, the same graph */
    uint64_t memory;   /* bytes that making and writing it may take */
};

/* Returns a graph to free with orr_dag_free(). Fails with ORR_ERROR_VALUE if it
 * has too many tasks or dependencies for settings->memory. */
struct orr_dag *
orr_dag_generate(const struct orr_dag_generate_settings *settings,
                 GError **error);

#endif
