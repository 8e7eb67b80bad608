/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Models kernels by the efficiency that calibrated machines reach. */
#include <string.h>

#include "models/import/platform_find.h"
#include "models/import/platform_parts.h"

/* The newest calibrated machine with the kernels of all families. It is the
 * model for kernels that the machine of the nearest generation lacks, and for
 * kernels on CPUs, in proportion to gemm. */
#define ALL_CURVES "sirocco-v100"

/* The share of the peak of a core that gemm reaches: HPL on MareNostrum 5 GPP
 * (TOP500, 2024). */
#define CPU_GEMM 0.86

#define SLABS "gemm_2d"

/* Operations per second of a measured duration. */
static double speed_of(const struct orr_platform_kernel *kernel,
                       const struct orr_platform_duration *duration)
{
    double tile = duration->tile;

    return orr_flops_operations(kernel->name) * tile * tile * tile /
           orr_time_to_seconds(duration->mean);
}

/*
 * The model of a kernel on @device with the peak speed @peak: at each tile
 * size, its efficiency is its measured speed on device @measured of the
 * calibrated machine / @reference.
 */
static bool make_model(const struct orr_platform_kernel *kernel,
                       unsigned measured, double reference, unsigned device,
                       double peak, struct orr_flops *flops)
{
    *flops = (struct orr_flops){
        .device = device,
        .operations = orr_flops_operations(kernel->name),
        .peak = peak,
        .points = g_new0(struct orr_flops_point, MAX(kernel->count, 1)),
    };
    for (unsigned i = 0; i < kernel->count; i++) {
        const struct orr_platform_duration *duration = &kernel->durations[i];

        if (duration->device != measured)
            continue;
        flops->points[flops->point_count++] = (struct orr_flops_point){
            .tile = duration->tile,
            .efficiency = MIN(speed_of(kernel, duration) / reference, 1),
        };
    }
    if (flops->point_count > 0 && flops->operations > 0)
        return true;
    g_free(flops->points);
    return false;
}

static void add_flops(struct orr_platform *platform,
                      const struct orr_platform_kernel *like, const char *name,
                      const struct orr_flops *flops, const char *curves)
{
    struct orr_platform_kernel *kernel =
        orr_platform_get_kernel(platform, like->family, name, like->precision);
    const char *old = kernel->source;

    if (!old || !strstr(old, curves)) {
        char *source =
            old ? g_strdup_printf("%s, %s", old, curves)
                : g_strdup_printf("MODELLED: published peaks; share of the "
                                  "peak as measured on %s",
                                  curves);

        g_free(kernel->source);
        kernel->source = source;
    }
    kernel->flops =
        g_renew(struct orr_flops, kernel->flops, kernel->flops_count + 1);
    kernel->flops[kernel->flops_count++] = *flops;
}

/* Adds a model equal to the one of kernel @like. No machine has measured the
 * product of slabs: it gets the model of the product of tiles, as slabs are
 * larger, so they reach no less of the peak. */
static void add_model(struct orr_platform *platform,
                      const struct orr_platform_kernel *like,
                      const struct orr_flops *flops, const char *curves)
{
    struct orr_flops slabs = *flops;

    add_flops(platform, like, like->name, flops, curves);
    if (strcmp(like->family, "gemm") != 0 || strcmp(like->name, "gemm") != 0)
        return;
    slabs.operations = orr_flops_operations(SLABS);
    slabs.points =
        g_memdup2(flops->points, flops->point_count * sizeof(flops->points[0]));
    add_flops(platform, like, SLABS, &slabs, curves);
}

/* Whether some GPU runs kernels of the family and precision of @kernel. */
static bool has_family(const struct orr_platform *platform,
                       const struct orr_platform_kernel *kernel)
{
    for (unsigned k = 0; k < platform->kernel_count; k++) {
        if (platform->kernels[k].precision == kernel->precision &&
            strcmp(platform->kernels[k].family, kernel->family) == 0)
            return true;
    }
    return false;
}

/* Models the kernels of the calibrated machine @name on GPU @gpu; unless
 * @measured is NULL, only those of families that @measured lacks. */
static bool model_gpu_as(struct orr_platform *platform, unsigned gpu,
                         const struct orr_device *device, const char *name,
                         const struct orr_platform *measured, GError **error)
{
    struct orr_platform *curves = orr_platform_load(name, NULL, error);
    const struct orr_device *card =
        curves ? orr_device_of_model(curves->gpus[0].model) : NULL;

    for (unsigned k = 0; card && k < curves->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &curves->kernels[k];
        struct orr_flops flops;

        if (measured && has_family(measured, kernel))
            continue;
        if (make_model(kernel, 1, card->peak[kernel->precision], gpu + 1,
                       device->peak[kernel->precision], &flops))
            add_model(platform, kernel, &flops, name);
    }
    orr_platform_free(curves);
    return card;
}

/* Models kernels on GPU @gpu as on the machine of the nearest generation, or,
 * for families that it has not measured, as on ALL_CURVES. */
static bool model_gpu(struct orr_platform *platform, unsigned gpu,
                      const struct orr_device *device, GError **error)
{
    struct orr_platform *nearest =
        orr_platform_load(device->curves, NULL, error);
    bool good =
        nearest &&
        model_gpu_as(platform, gpu, device, device->curves, NULL, error) &&
        model_gpu_as(platform, gpu, device, ALL_CURVES, nearest, error);

    orr_platform_free(nearest);
    return good;
}

/* Models kernels on a core, of the families that the GPUs have, in proportion
 * to gemm of Cholesky. */
static bool model_cores(struct orr_platform *platform,
                        const struct orr_device *cpu, GError **error)
{
    struct orr_platform *curves = orr_platform_load(ALL_CURVES, NULL, error);

    for (unsigned k = 0; curves && k < curves->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &curves->kernels[k];
        const struct orr_platform_kernel *gemm = orr_platform_kernel(
            curves, "cholesky", "gemm", kernel->precision, NULL);
        struct orr_flops flops;

        if (platform->node_count > 1 && platform->kernel_count > 0 &&
            !has_family(platform, kernel))
            continue;
        if (gemm && gemm->count > 0 &&
            make_model(kernel, 0,
                       speed_of(gemm, &gemm->durations[0]) / CPU_GEMM, 0,
                       cpu->peak[kernel->precision] / cpu->cores, &flops))
            add_model(platform, kernel, &flops, ALL_CURVES);
    }
    orr_platform_free(curves);
    return curves;
}

bool orr_platform_model_kernels(struct orr_platform *platform,
                                const struct orr_device *cpu, GError **error)
{
    for (unsigned g = 0; g < platform->gpu_count; g++) {
        const char *model = platform->gpus[g].model;
        const struct orr_device *device = orr_device_of_model(model);

        if (!device)
            g_ptr_array_add(
                platform->notes,
                g_strdup_printf("%s: no kernels, because the card %s is not "
                                "known",
                                platform->gpus[g].name, model ? model : "?"));
        else if (!model_gpu(platform, g, device, error))
            return false;
    }
    if (cpu && !model_cores(platform, cpu, error))
        return false;
    for (unsigned k = 0; k < platform->kernel_count; k++)
        orr_platform_kernel_sort(&platform->kernels[k]);
    return true;
}
