/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/model/cost.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/model/arch.h"

#include <starpu_scheduler.h>

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Functions of models for some architectures
 * (starpu_perfmodel_set_per_devices_cost_function()). */
struct _starpu_perfmodel_state {
    struct starpu_perfmodel_per_arch per_arch[SP_ARCHS]
                                             [STARPU_MAXIMPLEMENTATIONS];
};

bool sp_model_has_functions(const struct starpu_perfmodel *model)
{
    return model->type == STARPU_COMMON || model->type == STARPU_PER_ARCH ||
           model->type == STARPU_PER_WORKER;
}

double sp_cost_us(struct starpu_task *task, struct starpu_perfmodel *model,
                  unsigned arch, unsigned worker, unsigned implementation)
{
    struct starpu_perfmodel_per_arch *entry;

    switch (model->type) {
    case STARPU_COMMON:
        if (!model->cost_function)
            return NAN;
        return model->cost_function(task, implementation) /
               starpu_worker_get_relative_speedup(sp_arch(arch));
    case STARPU_PER_ARCH:
        if (model->arch_cost_function)
            return model->arch_cost_function(task, sp_arch(arch),
                                             implementation);
        entry =
            model->state ? &model->state->per_arch[arch][implementation] : NULL;
        return entry && entry->cost_function
                   ? entry->cost_function(task, sp_arch(arch), implementation)
                   : NAN;
    case STARPU_PER_WORKER:
        return model->worker_cost_function
                   ? model->worker_cost_function(task, worker, implementation)
                   : NAN;
    default:
        return NAN;
    }
}

/* 0 would mean that no worker can run the task. */
static double nothing_us(struct starpu_task *task,
                         struct starpu_perfmodel_arch *arch, unsigned nimpl)
{
    (void)task;
    (void)arch;
    (void)nimpl;
    return 1e-6;
}

struct starpu_perfmodel starpu_perfmodel_nop = {
    .type = STARPU_PER_ARCH,
    .arch_cost_function = nothing_us,
};

/* The costs of the last task, one row a worker. */
static struct orr_cost *costs;
static size_t costs_room; /* elements */

static int64_t to_ns(double us, struct starpu_task *task, const char *call)
{
    if (isnan(us) || us == 0)
        return 0;
    if (us < 0 || us > 1e12)
        sp_fail(call, "the model of task %s gives %g us: not 0 to 1e12",
                sp_task_name(task), us);
    int64_t ns = (int64_t)llround(us * 1000);
    return ns > 0 ? ns : 1;
}

/* The number of implementations up to the last one that a worker can run. */
static unsigned count_implementations(struct starpu_task *task)
{
    unsigned classes[] = {0, sp_session.gpus};
    unsigned count = 0;
    for (unsigned c = 0; c < 2; c++) {
        if (classes[c] >= sp_session.workers)
            continue;
        for (unsigned i = count; i < STARPU_MAXIMPLEMENTATIONS; i++)
            if (sp_task_can_execute(task, classes[c], i))
                count = i + 1;
    }
    return count;
}

/* The costs of @worker: the same as of the worker before if a model has
 * one time for both, as for all cores. */
static bool fill_worker(struct starpu_task *task, unsigned worker,
                        unsigned implementations, const char *call)
{
    struct starpu_perfmodel *model = task->cl->model;
    unsigned arch = sp_arch_of_worker(worker);
    struct orr_cost *row = &costs[(size_t)worker * implementations];
    bool some = false;

    if (worker > sp_session.gpus && model->type != STARPU_PER_WORKER &&
        !task->cl->can_execute) {
        memcpy(row, row - implementations, implementations * sizeof(*row));
        return false;
    }
    for (unsigned i = 0; i < implementations; i++) {
        row[i] = (struct orr_cost){0};
        if (!sp_task_can_execute(task, worker, i))
            continue;
        row[i].ns = to_ns(sp_cost_us(task, model, arch, worker, i), task, call);
        some = some || row[i].ns > 0;
    }
    return some;
}

bool sp_costs_fill(struct starpu_task *task, struct orr_task_spec *spec,
                   const char *call)
{
    unsigned implementations = count_implementations(task);
    size_t count = (size_t)sp_session.workers * implementations;
    bool some = false;

    if (count > costs_room) {
        costs_room = count;
        costs = g_renew(struct orr_cost, costs, count);
    }
    for (unsigned w = 0; w < sp_session.workers; w++)
        some = fill_worker(task, w, implementations, call) || some;
    spec->costs = costs;
    spec->implementations = implementations;
    return some;
}

void sp_costs_end(void)
{
    g_clear_pointer(&costs, g_free);
    costs_room = 0;
}

void starpu_perfmodel_init(struct starpu_perfmodel *model)
{
    if (!model->state)
        model->state = g_new0(struct _starpu_perfmodel_state, 1);
    model->is_init = 1;
}

int starpu_perfmodel_deinit(struct starpu_perfmodel *model)
{
    g_clear_pointer(&model->state, g_free);
    model->is_init = model->is_loaded = 0;
    return 0;
}

struct starpu_perfmodel_per_arch *
starpu_perfmodel_get_model_per_arch(struct starpu_perfmodel *model,
                                    struct starpu_perfmodel_arch *arch,
                                    unsigned impl)
{
    int comb = starpu_perfmodel_arch_comb_get(arch->ndevices, arch->devices);
    if (comb < 0 || impl >= STARPU_MAXIMPLEMENTATIONS)
        return NULL;
    starpu_perfmodel_init(model);
    return &model->state->per_arch[comb][impl];
}

/* The entry of the devices that are listed: their type, number and cores, three
 * numbers each, up to -1. */
static struct starpu_perfmodel_per_arch *listed(struct starpu_perfmodel *model,
                                                int impl, va_list arguments,
                                                const char *call)
{
    struct starpu_perfmodel_device devices[SP_ARCHS];
    struct starpu_perfmodel_arch arch = {0, devices};
    struct starpu_perfmodel_per_arch *entry;

    for (;;) {
        int type = va_arg(arguments, int);
        if (type == -1)
            break;
        if (arch.ndevices == SP_ARCHS)
            sp_fail(call, "the list of devices does not end with -1");
        struct starpu_perfmodel_device *device = &devices[arch.ndevices++];
        device->type = (enum starpu_worker_archtype)type;
        device->devid = va_arg(arguments, int);
        device->ncores = va_arg(arguments, int);
    }
    entry = starpu_perfmodel_get_model_per_arch(model, &arch, (unsigned)impl);
    if (!entry)
        sp_fail(call, "no model has times for several devices at once "
                      "(docs/STARPU.md#parallel-workers)");
    return entry;
}

struct starpu_perfmodel_per_arch *
starpu_perfmodel_get_model_per_devices(struct starpu_perfmodel *model, int impl,
                                       ...)
{
    va_list arguments;
    va_start(arguments, impl);
    struct starpu_perfmodel_per_arch *entry = listed(
        model, impl, arguments, "starpu_perfmodel_get_model_per_devices()");
    va_end(arguments);
    return entry;
}

int starpu_perfmodel_set_per_devices_cost_function(
    struct starpu_perfmodel *model, int impl,
    starpu_perfmodel_per_arch_cost_function func, ...)
{
    va_list arguments;
    va_start(arguments, func);
    listed(model, impl, arguments,
           "starpu_perfmodel_set_per_devices_cost_function()")
        ->cost_function = func;
    va_end(arguments);
    return 0;
}

int starpu_perfmodel_set_per_devices_size_base(
    struct starpu_perfmodel *model, int impl,
    starpu_perfmodel_per_arch_size_base func, ...)
{
    va_list arguments;
    va_start(arguments, func);
    listed(model, impl, arguments,
           "starpu_perfmodel_set_per_devices_size_base()")
        ->size_base = func;
    va_end(arguments);
    return 0;
}
