/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_H
#define ORR_STARPU_H

/* StarPU's interface, for programs that Orrery simulates: docs/STARPU.md. */

#include <stdint.h>
#include <stdlib.h>

#include <starpu_config.h>

#include <starpu_bitmap.h>
#include <starpu_bound.h>
#include <starpu_cublas.h>
#include <starpu_cuda.h>
#include <starpu_data.h>
#include <starpu_data_filters.h>
#include <starpu_data_interfaces.h>
#include <starpu_disk.h>
#include <starpu_driver.h>
#include <starpu_expert.h>
#include <starpu_fxt.h>
#include <starpu_hash.h>
#include <starpu_helper.h>
#include <starpu_hip.h>
#include <starpu_hipblas.h>
#include <starpu_hipsolver.h>
#include <starpu_max_fpga.h>
#include <starpu_opencl.h>
#include <starpu_openmp.h>
#include <starpu_parallel_worker.h>
#include <starpu_perf_monitoring.h>
#include <starpu_perf_steering.h>
#include <starpu_perfmodel.h>
#include <starpu_profiling.h>
#include <starpu_profiling_tool.h>
#include <starpu_rand.h>
#include <starpu_sched_ctx.h>
#include <starpu_scheduler.h>
#include <starpu_simgrid_wrap.h>
#include <starpu_stdlib.h>
#include <starpu_sycl.h>
#include <starpu_task.h>
#include <starpu_task_bundle.h>
#include <starpu_task_dep.h>
#include <starpu_task_list.h>
#include <starpu_task_util.h>
#include <starpu_thread.h>
#include <starpu_thread_util.h>
#include <starpu_tree.h>
#include <starpu_util.h>
#include <starpu_worker.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The configuration of starpu_init(). Numbers of workers: -1 is as many as the
 * machine has. */
struct starpu_conf {
    int magic; /* of starpu_conf_init() */
    int will_use_mpi;
    const char *sched_policy_name;
    struct starpu_sched_policy *sched_policy;
    void (*sched_policy_callback)(unsigned);
    int precedence_over_environment_variables;

    int ncpus, reserve_ncpus;
    int ncuda, nhip, nsycl, nopencl, nmax_fpga, nmpi_sc, ntcpip_sc;

    unsigned use_explicit_workers_bindid;
    unsigned workers_bindid[STARPU_NMAXWORKERS];
    unsigned use_explicit_workers_cuda_gpuid;
    unsigned workers_cuda_gpuid[STARPU_NMAXWORKERS];
    unsigned use_explicit_workers_hip_gpuid;
    unsigned workers_hip_gpuid[STARPU_NMAXWORKERS];
    unsigned use_explicit_workers_sycl_gpuid;
    unsigned workers_sycl_gpuid[STARPU_NMAXWORKERS];
    unsigned use_explicit_workers_opencl_gpuid;
    unsigned workers_opencl_gpuid[STARPU_NMAXWORKERS];
    unsigned use_explicit_workers_max_fpga_deviceid;
    unsigned workers_max_fpga_deviceid[STARPU_NMAXWORKERS];
    void *max_fpga_load;
    unsigned use_explicit_workers_mpi_sc_deviceid;
    unsigned workers_mpi_sc_deviceid[STARPU_NMAXWORKERS];

    int bus_calibrate, calibrate;
    int data_locality_enforce;
    int single_combined_worker;

    int disable_asynchronous_copy;
    int disable_asynchronous_cuda_copy, disable_asynchronous_hip_copy;
    int disable_asynchronous_sycl_copy, disable_asynchronous_opencl_copy;
    int disable_asynchronous_mpi_sc_copy, disable_asynchronous_tcpip_sc_copy;
    int disable_asynchronous_max_fpga_copy;
    int enable_map;

    unsigned *cuda_opengl_interoperability;
    unsigned n_cuda_opengl_interoperability;
    struct starpu_driver *not_launched_drivers;
    unsigned n_not_launched_drivers;

    uint64_t trace_buffer_size;
    int global_sched_ctx_min_priority, global_sched_ctx_max_priority;
    int catch_signals;
    unsigned start_perf_counter_collection;
    unsigned driver_spinning_backoff_min, driver_spinning_backoff_max;
    int cuda_only_fast_alloc_other_memnodes;

    /* Of StarPU 1.3 and 1.4. */
    void (*callback_worker_going_to_sleep)(unsigned workerid);
    void (*callback_worker_waking_up)(unsigned workerid);
    int nmic, nmpi_ms, ntcpip_ms;
    unsigned use_explicit_workers_mic_deviceid;
    unsigned workers_mic_deviceid[STARPU_NMAXWORKERS];
    unsigned use_explicit_workers_mpi_ms_deviceid;
    unsigned workers_mpi_ms_deviceid[STARPU_NMAXWORKERS];
    char *mic_sink_program_path;
    int disable_asynchronous_mic_copy, disable_asynchronous_mpi_ms_copy;
    int disable_asynchronous_tcpip_ms_copy;
};

int starpu_conf_init(struct starpu_conf *conf);
int starpu_conf_noworker(struct starpu_conf *conf);
int starpu_init(struct starpu_conf *conf) STARPU_WARN_UNUSED_RESULT;
int starpu_initialize(struct starpu_conf *user_conf, int *argc, char ***argv);
int starpu_is_initialized(void);
void starpu_wait_initialized(void);
void starpu_shutdown(void);
void starpu_pause(void);
void starpu_resume(void);
int starpu_is_paused(void);
void starpu_get_version(int *major, int *minor, int *release);

#define STARPU_THREAD_ACTIVE (1 << 0)
unsigned starpu_get_next_bindid(unsigned flags, unsigned *preferred,
                                unsigned npreferred);
int starpu_bind_thread_on(int cpuid, unsigned flags, const char *name);
void starpu_bind_thread_on_worker(unsigned workerid);
void starpu_bind_thread_on_main(void);
void starpu_bind_thread_on_cpu(int cpuid);
int starpu_cpu_os_index(int cpuid);

int starpu_asynchronous_copy_disabled(void);
int starpu_asynchronous_copy_disabled_for(enum starpu_node_kind kind);
int starpu_asynchronous_cuda_copy_disabled(void);
int starpu_asynchronous_hip_copy_disabled(void);
int starpu_asynchronous_sycl_copy_disabled(void);
int starpu_asynchronous_opencl_copy_disabled(void);
int starpu_asynchronous_max_fpga_copy_disabled(void);
int starpu_asynchronous_mpi_sc_copy_disabled(void);
int starpu_asynchronous_tcpip_sc_copy_disabled(void);
int starpu_asynchronous_mic_copy_disabled(void);
int starpu_asynchronous_mpi_ms_copy_disabled(void);
int starpu_asynchronous_tcpip_ms_copy_disabled(void);
int starpu_map_enabled(void);

void starpu_display_stats(void);
void starpu_topology_print(FILE *f);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include <starpu_deprecated_api.h>

#endif
