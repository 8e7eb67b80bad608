/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/model/arch.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"

#include <starpu_scheduler.h>

struct starpu_perfmodel_arch *sp_arch(unsigned number)
{
    static struct starpu_perfmodel_device devices[SP_ARCHS];
    static struct starpu_perfmodel_arch archs[SP_ARCHS];
    devices[number] = (struct starpu_perfmodel_device){
        .type = number ? STARPU_CUDA_WORKER : STARPU_CPU_WORKER,
        .devid = number ? (int)number - 1 : 0,
        .ncores = 1,
    };
    archs[number].ndevices = 1;
    archs[number].devices = &devices[number];
    return &archs[number];
}

unsigned sp_arch_of_worker(unsigned worker)
{
    return worker < sp_session.gpus ? worker + 1 : 0;
}

int sp_worker_of_arch(const struct starpu_perfmodel_arch *arch)
{
    if (!arch || arch->ndevices != 1)
        return -1;
    const struct starpu_perfmodel_device *device = arch->devices;
    if (device->type == STARPU_CPU_WORKER)
        return sp_session.cpus && device->ncores <= 1 ? (int)sp_session.gpus
                                                      : -1;
    if (device->type != STARPU_CUDA_WORKER || device->devid < 0 ||
        device->devid >= (int)sp_session.gpus)
        return -1;
    return device->devid;
}

struct starpu_perfmodel_arch *
starpu_worker_get_perf_archtype(int workerid, unsigned sched_ctx_id)
{
    static const char call[] = "starpu_worker_get_perf_archtype()";
    (void)sched_ctx_id;
    sp_need_session(call);
    if (workerid < 0 || (unsigned)workerid >= sp_session.workers)
        sp_fail(call, "there is no worker %d", workerid);
    return sp_arch(sp_arch_of_worker((unsigned)workerid));
}

int starpu_perfmodel_get_narch_combs(void)
{
    return (int)sp_session.nodes;
}

int starpu_perfmodel_arch_comb_get(int ndevices,
                                   struct starpu_perfmodel_device *devices)
{
    if (ndevices != 1 || devices->ncores > 1)
        return -1;
    if (devices->type == STARPU_CPU_WORKER)
        return 0;
    if (devices->type == STARPU_CUDA_WORKER && devices->devid >= 0 &&
        devices->devid + 1 < SP_ARCHS)
        return devices->devid + 1;
    return -1;
}

int starpu_perfmodel_arch_comb_add(int ndevices,
                                   struct starpu_perfmodel_device *devices)
{
    return starpu_perfmodel_arch_comb_get(ndevices, devices);
}

struct starpu_perfmodel_arch *starpu_perfmodel_arch_comb_fetch(int comb)
{
    return comb >= 0 && comb < SP_ARCHS ? sp_arch((unsigned)comb) : NULL;
}

const char *
starpu_perfmodel_get_archtype_name(enum starpu_worker_archtype archtype)
{
    switch (archtype) {
    case STARPU_CPU_WORKER:
        return "cpu";
    case STARPU_CUDA_WORKER:
        return "cuda";
    case STARPU_HIP_WORKER:
        return "hip";
    case STARPU_OPENCL_WORKER:
        return "opencl";
    default:
        return "unknown";
    }
}

void starpu_perfmodel_get_arch_name(struct starpu_perfmodel_arch *arch,
                                    char *archname, size_t maxlen,
                                    unsigned nimpl)
{
    g_autoptr(GString) name = g_string_new(NULL);
    for (int d = 0; d < arch->ndevices; d++) {
        const struct starpu_perfmodel_device *device = &arch->devices[d];
        g_string_append_printf(name, "%s%s%d_cores%d", d ? "_" : "",
                               starpu_perfmodel_get_archtype_name(device->type),
                               device->devid, device->ncores);
    }
    g_string_append_printf(
        name, "_impl%u (Comb%d)", nimpl,
        starpu_perfmodel_arch_comb_get(arch->ndevices, arch->devices));
    g_strlcpy(archname, name->str, maxlen);
}

/* What StarPU divides the times of models of type STARPU_COMMON by, for each
 * core or GPU: 0.5 for cores, 13.33 for GPUs (starpu_driver_info[].alpha). */
double starpu_worker_get_relative_speedup(struct starpu_perfmodel_arch *arch)
{
    double speedup = 0;
    for (int d = 0; d < arch->ndevices; d++) {
        const struct starpu_perfmodel_device *device = &arch->devices[d];
        float alpha = device->type == STARPU_CUDA_WORKER ? 13.33f : 0.5f;
        speedup += (double)alpha * device->ncores;
    }
    return speedup;
}
