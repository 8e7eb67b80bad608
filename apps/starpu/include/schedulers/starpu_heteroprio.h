/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_HETEROPRIO_H
#define ORR_STARPU_HETEROPRIO_H

#include <stdio.h>

#include <starpu.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define STARPU_HETEROPRIO_MAX_PREFETCH 2
#define STARPU_HETEROPRIO_MAX_PRIO 100

/* The names of the types of workers in StarPU 1.3. */
#define STARPU_CPU_IDX STARPU_CPU_WORKER
#define STARPU_CUDA_IDX STARPU_CUDA_WORKER
#define STARPU_OPENCL_IDX STARPU_OPENCL_WORKER
#define starpu_heteroprio_types starpu_worker_archtype

#define STARPU_AUTOHETEROPRIO_PRIORITY_ORDERING_POLICY_COUNT 28
enum starpu_autoheteroprio_priority_ordering_policy {
    STARPU_HETEROPRIO_NOD_TIME_COMBINATION,
    STARPU_HETEROPRIO_BEST_NODS_SCORE,
    STARPU_HETEROPRIO_BEST_NODS,
    STARPU_HETEROPRIO_URT_PURE,
    STARPU_HETEROPRIO_URT,
    STARPU_HETEROPRIO_URT_2,
    STARPU_HETEROPRIO_URT_DOT_DIFF_PURE,
    STARPU_HETEROPRIO_URT_DOT_DIFF_PURE_2,
    STARPU_HETEROPRIO_URT_DOT_REL_DIFF_PURE,
    STARPU_HETEROPRIO_URT_DOT_REL_DIFF_PURE_2,
    STARPU_HETEROPRIO_URT_DOT_DIFF_2,
    STARPU_HETEROPRIO_URT_DOT_DIFF_3,
    STARPU_HETEROPRIO_URT_DOT_DIFF_4,
    STARPU_HETEROPRIO_URT_DOT_DIFF_5,
    STARPU_HETEROPRIO_URT_DOT_DIFF_6,
    STARPU_HETEROPRIO_URT_DOT_DIFF_7,
    STARPU_HETEROPRIO_URT_DOT_DIFF_8,
    STARPU_HETEROPRIO_URT_DOT_DIFF_9,
    STARPU_HETEROPRIO_URT_DOT_DIFF_10,
    STARPU_HETEROPRIO_URT_DOT_DIFF_11,
    STARPU_HETEROPRIO_URTS_PER_SECONDS,
    STARPU_HETEROPRIO_URTS_PER_SECONDS_2,
    STARPU_HETEROPRIO_URTS_PER_SECONDS_DIFF,
    STARPU_HETEROPRIO_URTS_TIME_RELEASED_DIFF,
    STARPU_HETEROPRIO_URTS_TIME_COMBINATION,
    STARPU_HETEROPRIO_NODS_PER_SECOND,
    STARPU_HETEROPRIO_NODS_TIME_RELEASED,
    STARPU_HETEROPRIO_NODS_TIME_RELEASED_DIFF
};
extern const char starpu_autoheteroprio_priority_ordering_policy_names
    [STARPU_AUTOHETEROPRIO_PRIORITY_ORDERING_POLICY_COUNT][64];

/* A bucket for each priority of each type of workers. */
void starpu_heteroprio_set_nb_prios(unsigned context,
                                    enum starpu_worker_archtype type,
                                    unsigned count);
void starpu_heteroprio_set_mapping(unsigned context,
                                   enum starpu_worker_archtype type,
                                   unsigned priority, unsigned bucket);
void starpu_heteroprio_set_faster_arch(unsigned context,
                                       enum starpu_worker_archtype type,
                                       unsigned bucket);
void starpu_heteroprio_set_arch_slow_factor(unsigned context,
                                            enum starpu_worker_archtype type,
                                            unsigned bucket, float factor);
void starpu_heteroprio_set_use_locality(unsigned context, unsigned use);
void starpu_heteroprio_map_wgroup_memory_nodes(unsigned context);
void starpu_heteroprio_print_wgroups(FILE *stream, unsigned context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
