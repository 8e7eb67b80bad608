/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels of a run: what the platform says, for the devices in use. */
#include "runtime/executor/kernel.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"
#include "models/rng.h"
#include "runtime/executor/duration.h"
#include "runtime/run.h"

static const char *const where_names[] = {
    [ORR_WHERE_ANY] = "any",
    [ORR_WHERE_CPU] = "cpu",
    [ORR_WHERE_GPU] = "gpu",
    NULL,
};

const char *orr_where_name(enum orr_where where)
{
    return where_names[where];
}

bool orr_where_parse(const char *text, enum orr_where *where, GError **error)
{
    size_t index;

    if (!orr_names_find("class of workers", where_names, text, &index, error))
        return false;
    *where = (enum orr_where)index;
    return true;
}

bool orr_restriction_parse(const char *text, size_t *length,
                           enum orr_where *where, GError **error)
{
    g_autofree char *quoted = orr_quote(text);

    *length = strcspn(text, "=");
    if (text[*length])
        return orr_where_parse(text + *length + 1, where, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s is not KERNEL=cpu, KERNEL=gpu or KERNEL=any", quoted);
    return false;
}

/* FNV-1a, to make a stream of draws out of names. */
static uint64_t hash(uint64_t state, const char *text)
{
    for (; *text; text++)
        state = (state ^ (unsigned char)*text) * 0x100000001b3u;
    return state;
}

/* The factor of one kernel, size and device: see perturb in orrery.h. */
static double factor_of(const struct orr_run *run,
                        const struct orr_platform_kernel *model, unsigned tile,
                        unsigned device)
{
    uint64_t stream;
    double draw;

    if (run->perturb <= 0)
        return 1;
    stream = hash(0xcbf29ce484222325u, model->family);
    stream = hash(stream, "/");
    stream = hash(stream, model->name);
    stream = hash(stream, model->precision == ORR_SINGLE ? "/s" : "/d");
    draw = orr_rng_uniform(run->seed, stream, (uint64_t)tile << 32 | device);
    return 1 + run->perturb * (2 * draw - 1);
}

static struct orr_kernel *recall(const struct orr_run *run,
                                 const struct orr_platform_kernel *model,
                                 unsigned tile)
{
    struct orr_kernel *kernel = run->kernels;

    while (kernel && (kernel->model != model || kernel->tile != tile))
        kernel = kernel->next;
    return kernel;
}

/* What policies expect of the kernel on a device in use. */
static orr_time expect(const struct orr_run *run,
                       const struct orr_kernel *kernel, unsigned device,
                       double factor)
{
    orr_time mean = orr_platform_duration(kernel->model, kernel->tile, device);

    if (mean == ORR_NEVER || run->perturb <= 0)
        return mean;
    return MAX(1, orr_time_from_seconds(orr_time_to_seconds(mean) * factor));
}

/* Whether there are workers on @device, and @kernel may run on them. */
static bool is_used(const struct orr_run *run, const struct orr_kernel *kernel,
                    unsigned device)
{
    if (device == ORR_RAM)
        return run->worker_count > run->gpu_count &&
               kernel->where != ORR_WHERE_GPU;
    return device <= run->gpu_count && kernel->where != ORR_WHERE_CPU;
}

static void set_by_worker(const struct orr_run *run, struct orr_kernel *kernel)
{
    unsigned workers = run->worker_count;

    kernel->by_worker =
        g_renew(orr_time, kernel->by_worker, (size_t)2 * workers);
    for (unsigned w = 0; w < workers; w++) {
        unsigned device = w < run->gpu_count ? w + 1 : ORR_RAM;

        kernel->by_worker[w] = kernel->durations[device];
        kernel->by_worker[workers + w] =
            device == ORR_RAM ? kernel->durations[device] : ORR_NEVER;
    }
}

/* Fills in the durations. Returns whether any worker can run the kernel. */
static bool set_durations(struct orr_run *run, struct orr_kernel *kernel)
{
    double factors[ORR_MAX_NODES];
    bool any = false;

    for (unsigned device = 0; device < ORR_MAX_NODES; device++) {
        bool used = is_used(run, kernel, device);

        factors[device] = factor_of(run, kernel->model, kernel->tile, device);
        kernel->durations[device] =
            used ? expect(run, kernel, device, factors[device]) : ORR_NEVER;
        any |= kernel->durations[device] != ORR_NEVER;
        run->report.modelled |=
            used && orr_platform_flops(kernel->model, device);
    }
    set_by_worker(run, kernel);
    if (any)
        orr_duration_set(run, kernel, factors);
    return any;
}

/* The class of workers to which the configuration restricts kernels @name. */
static enum orr_where restriction_of(const struct orr_run *run,
                                     const char *name)
{
    enum orr_where where = ORR_WHERE_ANY;

    for (unsigned i = 0; run->where && run->where[i]; i++) {
        enum orr_where other;
        size_t length;

        if (orr_restriction_parse(run->where[i], &length, &other, NULL) &&
            strlen(name) == length && strncmp(run->where[i], name, length) == 0)
            where = other;
    }
    return where;
}

static bool refuse(GError **error, const char *why)
{
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, why);
    return false;
}

static bool check_names(const char *family, const char *name,
                        enum orr_kernel_precision precision, unsigned tile,
                        GError **error)
{
    if (!family || !name)
        return refuse(error, family ? "the name of the kernel is NULL"
                                    : "the family of the kernel is NULL");
    if (precision != ORR_SINGLE_PRECISION && precision != ORR_DOUBLE_PRECISION)
        return refuse(error, "the precision of the kernel is neither "
                             "ORR_SINGLE_PRECISION nor ORR_DOUBLE_PRECISION");
    return tile > 0 || refuse(error, "the tile of the kernel is 0");
}

static const struct orr_platform_kernel *
find_model(struct orr_run *run, const char *family, const char *name,
           enum orr_kernel_precision precision, GError **error)
{
    enum orr_precision known =
        precision == ORR_SINGLE_PRECISION ? ORR_SINGLE : ORR_DOUBLE;

    if (run->capture)
        return run->make_kernel(run, family, name, known);
    return orr_platform_kernel(run->platform, family, name, known, error);
}

struct orr_kernel *orr_kernel_find(struct orr_run *run, const char *family,
                                   const char *name,
                                   enum orr_kernel_precision precision,
                                   unsigned tile, GError **error)
{
    const struct orr_platform_kernel *model;
    struct orr_kernel *kernel;
    enum orr_where where;

    if (!check_names(family, name, precision, tile, error))
        return NULL;
    model = find_model(run, family, name, precision, error);
    if (!model)
        return NULL;
    kernel = recall(run, model, tile);
    if (kernel)
        return kernel;
    kernel = g_new0(struct orr_kernel, 1);
    kernel->run = run;
    kernel->model = model;
    kernel->tile = tile;
    if (!run->capture && !set_durations(run, kernel)) {
        g_autofree char *tiles = orr_platform_tiles(model);

        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "kernel %s of %s (%s precision) has no duration at tile "
                    "%u on the workers of this run; platform %s has it at "
                    "tile %s",
                    name, family, orr_precision_name(model->precision), tile,
                    run->platform->name, tiles);
        g_free(kernel->by_worker);
        g_free(kernel);
        return NULL;
    }
    kernel->next = run->kernels;
    run->kernels = kernel;
    kernel->number = orr_graph_add_kernel(&run->graph, kernel);
    where = restriction_of(run, name);
    return where == ORR_WHERE_ANY ||
                   orr_kernel_set_where(run, kernel, where, error)
               ? kernel
               : NULL;
}

static bool check_where(const struct orr_run *run,
                        const struct orr_kernel *kernel, enum orr_where where,
                        GError **error)
{
    if (!kernel)
        return refuse(error, "the kernel is NULL");
    if (kernel->run != run)
        return refuse(error, "the kernel is of another run");
    if (where != ORR_WHERE_ANY && where != ORR_WHERE_CPU &&
        where != ORR_WHERE_GPU)
        return refuse(error, "the class of workers is none of ORR_WHERE_ANY, "
                             "ORR_WHERE_CPU, ORR_WHERE_GPU");
    return !kernel->task_name || run->graph.live == 0 ||
           refuse(error, "the kernel has tasks that may not be complete");
}

bool orr_kernel_set_where(struct orr_run *run, struct orr_kernel *kernel,
                          enum orr_where where, GError **error)
{
    const struct orr_platform_kernel *model;
    enum orr_where before;

    if (!check_where(run, kernel, where, error))
        return false;
    if (run->capture)
        return true;
    model = kernel->model;
    before = kernel->where;
    kernel->where = where;
    if (set_durations(run, kernel))
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "kernel %s of %s (%s precision) is restricted to %ss, but no "
                "%s of this run can run it at tile %u",
                model->name, model->family,
                orr_precision_name(model->precision),
                where == ORR_WHERE_CPU ? "CPU" : "GPU",
                where == ORR_WHERE_CPU ? "CPU worker" : "GPU", kernel->tile);
    kernel->where = before;
    set_durations(run, kernel);
    return false;
}

void orr_kernel_set_synchronous(struct orr_kernel *kernel)
{
    if (kernel)
        kernel->synchronous = true;
}
