/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PARALLEL_WORKER_H
#define ORR_STARPU_PARALLEL_WORKER_H

#include <starpu_config.h>
#include <starpu_data.h>
#include <starpu_util.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Workers that run tasks together: not simulated. */
#define STARPU_PARALLEL_WORKER_MIN_NB (1 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_MAX_NB (2 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_NB (3 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_PREFERE_MIN (4 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_KEEP_HOMOGENEOUS (5 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_POLICY_NAME (6 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_POLICY_STRUCT (7 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_CREATE_FUNC (8 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_CREATE_FUNC_ARG (9 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_TYPE (10 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_AWAKE_WORKERS (11 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_PARTITION_ONE (12 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_NEW (13 << STARPU_MODE_SHIFT)
#define STARPU_PARALLEL_WORKER_NCORES (14 << STARPU_MODE_SHIFT)

enum starpu_parallel_worker_types {
    STARPU_PARALLEL_WORKER_OPENMP,
    STARPU_PARALLEL_WORKER_INTEL_OPENMP_MKL,
    STARPU_PARALLEL_WORKER_GNU_OPENMP_MKL
};

struct starpu_parallel_worker_config;

/* level: a hwloc_obj_type_t; pairs of a key and a value follow, then 0. */
struct starpu_parallel_worker_config *starpu_parallel_worker_init(int level,
                                                                  ...);
int starpu_parallel_worker_print(struct starpu_parallel_worker_config *config);
int starpu_parallel_worker_shutdown(
    struct starpu_parallel_worker_config *config);
void starpu_parallel_worker_openmp_prologue(void *argument);
void starpu_parallel_worker_gnu_openmp_mkl_prologue(void *argument);
#define starpu_parallel_worker_intel_openmp_mkl_prologue                       \
    starpu_parallel_worker_openmp_prologue

/* Their names in StarPU 1.3. */
#define STARPU_CLUSTER_MIN_NB STARPU_PARALLEL_WORKER_MIN_NB
#define STARPU_CLUSTER_MAX_NB STARPU_PARALLEL_WORKER_MAX_NB
#define STARPU_CLUSTER_NB STARPU_PARALLEL_WORKER_NB
#define STARPU_CLUSTER_PREFERE_MIN STARPU_PARALLEL_WORKER_PREFERE_MIN
#define STARPU_CLUSTER_KEEP_HOMOGENEOUS STARPU_PARALLEL_WORKER_KEEP_HOMOGENEOUS
#define STARPU_CLUSTER_POLICY_NAME STARPU_PARALLEL_WORKER_POLICY_NAME
#define STARPU_CLUSTER_POLICY_STRUCT STARPU_PARALLEL_WORKER_POLICY_STRUCT
#define STARPU_CLUSTER_CREATE_FUNC STARPU_PARALLEL_WORKER_CREATE_FUNC
#define STARPU_CLUSTER_CREATE_FUNC_ARG STARPU_PARALLEL_WORKER_CREATE_FUNC_ARG
#define STARPU_CLUSTER_TYPE STARPU_PARALLEL_WORKER_TYPE
#define STARPU_CLUSTER_AWAKE_WORKERS STARPU_PARALLEL_WORKER_AWAKE_WORKERS
#define STARPU_CLUSTER_PARTITION_ONE STARPU_PARALLEL_WORKER_PARTITION_ONE
#define STARPU_CLUSTER_NEW STARPU_PARALLEL_WORKER_NEW
#define STARPU_CLUSTER_NCORES STARPU_PARALLEL_WORKER_NCORES

enum starpu_cluster_types {
    STARPU_CLUSTER_OPENMP,
    STARPU_CLUSTER_INTEL_OPENMP_MKL,
    STARPU_CLUSTER_GNU_OPENMP_MKL
};

struct starpu_cluster_machine;

struct starpu_cluster_machine *starpu_cluster_machine(int level, ...);
int starpu_cluster_print(struct starpu_cluster_machine *clusters);
int starpu_uncluster_machine(struct starpu_cluster_machine *clusters);
void starpu_openmp_prologue(void *argument);
void starpu_gnu_openmp_mkl_prologue(void *argument);
#define starpu_intel_openmp_mkl_prologue starpu_openmp_prologue

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
