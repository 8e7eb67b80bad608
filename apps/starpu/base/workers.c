/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"

#include <starpu_task.h>

#include <limits.h>

/* StarPU and Orrery number workers and memories alike: GPUs come first among
 * workers, RAM among memories. */

int sp_current_worker = -1;
unsigned sp_calls_of_workers;
struct sp_kernel sp_kernel;

int sp_acting_worker(void)
{
    if (sp_policy_calls())
        return sp_policy_caller();
    if (sp_current_worker >= 0 || sp_calls_of_workers == 0)
        return sp_current_worker;
    return (int)sp_calls->run_acting_worker(sp_session.run);
}

static void need_worker(unsigned worker, const char *call)
{
    sp_need_session(call);
    if (worker >= sp_session.workers)
        sp_fail(call, "there is no worker %d: the last one is %d", (int)worker,
                (int)sp_session.workers - 1);
}

static unsigned count(enum starpu_worker_archtype type)
{
    switch (type) {
    case STARPU_CPU_WORKER:
        return sp_session.cpus;
    case STARPU_CUDA_WORKER:
        return sp_session.gpus;
    case STARPU_ANY_WORKER:
        return sp_session.workers;
    default:
        return 0;
    }
}

/* The first worker of a type that has some. */
static unsigned first(enum starpu_worker_archtype type)
{
    return type == STARPU_CPU_WORKER ? sp_session.gpus : 0;
}

unsigned starpu_worker_get_count(void)
{
    return sp_session.workers;
}

int starpu_worker_get_count_by_type(enum starpu_worker_archtype type)
{
    return (int)count(type);
}

unsigned starpu_cpu_worker_get_count(void)
{
    return sp_session.cpus;
}

unsigned starpu_cuda_worker_get_count(void)
{
    return sp_session.gpus;
}

/* Classes of workers that no machine of Orrery has. */
#define NO_WORKERS(function)                                                   \
    unsigned function(void)                                                    \
    {                                                                          \
        return 0;                                                              \
    }
NO_WORKERS(starpu_hip_worker_get_count)
NO_WORKERS(starpu_opencl_worker_get_count)
NO_WORKERS(starpu_sycl_worker_get_count)
NO_WORKERS(starpu_mic_worker_get_count)
NO_WORKERS(starpu_mic_device_get_count)
NO_WORKERS(starpu_mpi_sc_worker_get_count)
NO_WORKERS(starpu_mpi_ms_worker_get_count)
NO_WORKERS(starpu_tcpip_sc_worker_get_count)
NO_WORKERS(starpu_tcpip_ms_worker_get_count)
NO_WORKERS(starpu_combined_worker_get_count)

unsigned starpu_worker_is_combined_worker(int id)
{
    (void)id;
    return 0;
}

unsigned starpu_worker_is_blocked_in_parallel(int workerid)
{
    (void)workerid;
    return 0;
}

unsigned starpu_worker_is_slave_somewhere(int workerid)
{
    (void)workerid;
    return 0;
}

unsigned starpu_worker_is_sub_worker_somewhere(int workerid)
{
    (void)workerid;
    return 0;
}

int starpu_combined_worker_get_size(void)
{
    return 1;
}

int starpu_combined_worker_get_rank(void)
{
    return 0;
}

int starpu_combined_worker_get_id(void)
{
    return sp_acting_worker();
}

int starpu_worker_get_id(void)
{
    return sp_acting_worker();
}

unsigned starpu_worker_get_id_check(void)
{
    int worker = sp_acting_worker();
    if (worker < 0)
        sp_fail("starpu_worker_get_id_check()",
                "no task is executed, so no worker runs it");
    return (unsigned)worker;
}

enum starpu_worker_archtype starpu_worker_get_type(int id)
{
    need_worker((unsigned)id, "starpu_worker_get_type()");
    return (unsigned)id < sp_session.gpus ? STARPU_CUDA_WORKER
                                          : STARPU_CPU_WORKER;
}

int starpu_worker_get_devid(int id)
{
    need_worker((unsigned)id, "starpu_worker_get_devid()");
    return id - (int)first(starpu_worker_get_type(id));
}

int starpu_worker_get_devnum(int id)
{
    return starpu_worker_get_devid(id);
}

int starpu_worker_get_subworkerid(int id)
{
    (void)id;
    return 0;
}

int starpu_worker_get_mp_nodeid(int id)
{
    (void)id;
    return -1;
}

/* A core of its own for each worker: CPUs first, as StarPU binds them. */
int starpu_worker_get_bindid(int workerid)
{
    need_worker((unsigned)workerid, "starpu_worker_get_bindid()");
    return workerid;
}

int starpu_bindid_get_workerids(int bindid, int **workerids)
{
    if (bindid < 0 || (unsigned)bindid >= sp_session.workers)
        return 0;
    *workerids = malloc(sizeof(**workerids));
    **workerids = bindid;
    return 1;
}

void starpu_worker_get_name(int id, char *dst, size_t maxlen)
{
    need_worker((unsigned)id, "starpu_worker_get_name()");
    snprintf(dst, maxlen, "%s %d",
             (unsigned)id < sp_session.gpus ? "CUDA" : "CPU",
             starpu_worker_get_devid(id));
}

unsigned starpu_worker_get_memory_node(unsigned workerid)
{
    need_worker(workerid, "starpu_worker_get_memory_node()");
    return workerid < sp_session.gpus ? workerid + 1 : 0;
}

unsigned starpu_worker_get_local_memory_node(void)
{
    int worker = sp_acting_worker();
    return worker < 0 ? 0 : starpu_worker_get_memory_node((unsigned)worker);
}

unsigned starpu_worker_get_ids_by_type(enum starpu_worker_archtype type,
                                       int *workerids, unsigned maxsize)
{
    unsigned n = count(type);
    for (unsigned i = 0; i < n && i < maxsize; i++)
        workerids[i] = (int)(first(type) + i);
    return n <= maxsize ? n : (unsigned)-ERANGE;
}

int starpu_worker_get_by_type(enum starpu_worker_archtype type, int num)
{
    return num >= 0 && (unsigned)num < count(type) ? (int)first(type) + num
                                                   : -1;
}

int starpu_worker_get_by_devid(enum starpu_worker_archtype type, int devid)
{
    return starpu_worker_get_by_type(type, devid);
}

int starpu_worker_get_devids(enum starpu_worker_archtype type, int *devids,
                             int num)
{
    int n = MIN((int)count(type), num);
    for (int i = 0; i < n; i++)
        devids[i] = i;
    return n;
}

int starpu_worker_get_stream_workerids(unsigned devid, int *workerids,
                                       enum starpu_worker_archtype type)
{
    int worker = starpu_worker_get_by_devid(type, (int)devid);
    if (worker < 0)
        return 0;
    workerids[0] = worker;
    return 1;
}

unsigned starpu_worker_get_sched_ctx_list(int worker, unsigned **sched_ctx)
{
    need_worker((unsigned)worker, "starpu_worker_get_sched_ctx_list()");
    *sched_ctx = calloc(1, sizeof(**sched_ctx));
    return 1;
}

void starpu_worker_wait_for_initialisation(void)
{
    sp_need_session("starpu_worker_wait_for_initialisation()");
}

/* Types. */

static const char *const type_names[STARPU_NARCH] = {
    [STARPU_CPU_WORKER] = "CPU",       [STARPU_CUDA_WORKER] = "CUDA",
    [STARPU_OPENCL_WORKER] = "OpenCL", [STARPU_MAX_FPGA_WORKER] = "Max FPGA",
    [STARPU_MPI_SC_WORKER] = "MPI_SC", [STARPU_TCPIP_SC_WORKER] = "TCPIP_SC",
    [STARPU_HIP_WORKER] = "HIP",       [STARPU_SYCL_WORKER] = "SYCL",
};

unsigned starpu_worker_archtype_is_valid(enum starpu_worker_archtype type)
{
    return (unsigned)type < STARPU_NARCH && type_names[type];
}

enum starpu_worker_archtype starpu_arch_mask_to_worker_archtype(unsigned mask)
{
    for (unsigned type = 0; type < STARPU_NARCH; type++)
        if (mask == STARPU_WORKER_TO_MASK(type) && type_names[type])
            return (enum starpu_worker_archtype)type;
    return STARPU_UNKNOWN_WORKER;
}

const char *starpu_worker_get_type_as_string(enum starpu_worker_archtype type)
{
    if (type == STARPU_ANY_WORKER)
        return "STARPU_ANY_WORKER";
    return starpu_worker_archtype_is_valid(type) ? type_names[type]
                                                 : "STARPU_unknown_WORKER";
}

enum starpu_worker_archtype starpu_worker_get_type_from_string(const char *type)
{
    for (unsigned i = 0; i < STARPU_NARCH; i++)
        if (type_names[i] && !strcmp(type_names[i], type))
            return (enum starpu_worker_archtype)i;
    return STARPU_UNKNOWN_WORKER;
}

const char *starpu_worker_get_type_as_env_var(enum starpu_worker_archtype type)
{
    switch (type) {
    case STARPU_CPU_WORKER:
        return "NCPU";
    case STARPU_CUDA_WORKER:
        return "NCUDA";
    case STARPU_OPENCL_WORKER:
        return "NOPENCL";
    case STARPU_MAX_FPGA_WORKER:
        return "NMAX_FPGA";
    case STARPU_HIP_WORKER:
        return "NHIP";
    case STARPU_SYCL_WORKER:
        return "NSYCL";
    case STARPU_MPI_SC_WORKER:
        return "NMPI_SC";
    case STARPU_TCPIP_SC_WORKER:
        return "NTCPIP_SC";
    default:
        return "unknown";
    }
}

void starpu_worker_display_count(FILE *output, enum starpu_worker_archtype type)
{
    unsigned n = count(type);
    fprintf(output, "%u %s worker%s\n", n,
            starpu_worker_get_type_as_string(type), n == 1 ? "" : "s");
}

void starpu_worker_display_names(FILE *output, enum starpu_worker_archtype type)
{
    starpu_worker_display_count(output, type);
    for (unsigned i = 0; i < count(type); i++) {
        char name[64];
        starpu_worker_get_name((int)(first(type) + i), name, sizeof(name));
        fprintf(output, "\t%s\n", name);
    }
}

void starpu_worker_display_all(FILE *output)
{
    starpu_worker_display_names(output, STARPU_CPU_WORKER);
    starpu_worker_display_names(output, STARPU_CUDA_WORKER);
}

/* Memories. */

static void need_node(unsigned node, const char *call)
{
    sp_need_session(call);
    if (node >= sp_session.nodes)
        sp_fail(call, "there is no memory node %u: the last one is %u", node,
                sp_session.nodes - 1);
}

unsigned starpu_memory_nodes_get_count(void)
{
    return sp_session.nodes;
}

unsigned starpu_memory_nodes_get_numa_count(void)
{
    return 1;
}

unsigned starpu_memory_nodes_get_count_by_kind(enum starpu_node_kind kind)
{
    switch (kind) {
    case STARPU_CPU_RAM:
        return 1;
    case STARPU_CUDA_RAM:
        return sp_session.nodes - 1;
    default:
        return 0;
    }
}

unsigned starpu_memory_node_get_ids_by_type(enum starpu_node_kind kind,
                                            unsigned *memory_nodes_ids,
                                            unsigned maxsize)
{
    unsigned n = starpu_memory_nodes_get_count_by_kind(kind);
    for (unsigned i = 0; i < n && i < maxsize; i++)
        memory_nodes_ids[i] = kind == STARPU_CPU_RAM ? 0 : i + 1;
    return n <= maxsize ? n : (unsigned)-ERANGE;
}

enum starpu_node_kind starpu_node_get_kind(unsigned node)
{
    need_node(node, "starpu_node_get_kind()");
    return node ? STARPU_CUDA_RAM : STARPU_CPU_RAM;
}

int starpu_node_needs_offset(unsigned node)
{
    (void)node;
    return 0;
}

int starpu_memory_node_get_name(unsigned node, char *name, size_t size)
{
    need_node(node, "starpu_memory_node_get_name()");
    return node ? snprintf(name, size, "CUDA %u", node - 1)
                : snprintf(name, size, "NUMA 0");
}

int starpu_memory_node_get_devid(unsigned node)
{
    need_node(node, "starpu_memory_node_get_devid()");
    return node ? (int)node - 1 : 0;
}

unsigned starpu_memory_devid_find_node(int devid, enum starpu_node_kind kind)
{
    if (devid < 0 ||
        (unsigned)devid >= starpu_memory_nodes_get_count_by_kind(kind))
        sp_fail("starpu_memory_devid_find_node()",
                "no memory of kind %d has device %d", (int)kind, devid);
    return kind == STARPU_CPU_RAM ? 0 : (unsigned)devid + 1;
}

int starpu_memory_nodes_numa_id_to_devid(int osid)
{
    return osid == 0 ? 0 : -1;
}

int starpu_memory_nodes_numa_devid_to_id(unsigned id)
{
    return id == 0 ? 0 : -1;
}

enum starpu_worker_archtype
starpu_memory_node_get_worker_archtype(enum starpu_node_kind node_kind)
{
    switch (node_kind) {
    case STARPU_CPU_RAM:
        return STARPU_CPU_WORKER;
    case STARPU_CUDA_RAM:
        return STARPU_CUDA_WORKER;
    default:
        return STARPU_UNKNOWN_WORKER;
    }
}

enum starpu_node_kind
starpu_worker_get_memory_node_kind(enum starpu_worker_archtype type)
{
    return type == STARPU_CUDA_WORKER ? STARPU_CUDA_RAM : STARPU_CPU_RAM;
}
