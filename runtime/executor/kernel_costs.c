/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels with costs given by the application, for each implementation on each
 * worker. */
#include "runtime/executor/energy.h"
#include "runtime/executor/kernel.h"
#include "runtime/run.h"

static bool refuse(GError **error, const struct orr_kernel *kernel,
                   const char *why)
{
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "kernel %s: %s",
                kernel->model->name, why);
    return false;
}

static bool check(const struct orr_run *run, const struct orr_kernel *kernel,
                  unsigned count, GError **error)
{
    g_autofree char *why = NULL;

    if (!kernel || kernel->run != run) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            kernel ? "the kernel is of another run"
                                   : "the kernel is NULL");
        return false;
    }
    if (*kernel->model->family)
        return refuse(error, kernel, "the platform has its costs");
    if (kernel->joules)
        return refuse(error, kernel, "its costs are given twice");
    if (count >= 1 && count <= ORR_MAX_IMPLEMENTATIONS)
        return true;
    why = g_strdup_printf("%u implementations: expected 1 to %d", count,
                          ORR_MAX_IMPLEMENTATIONS);
    return refuse(error, kernel, why);
}

/* The worker of a cost, for messages. */
static bool check_cost(const struct orr_kernel *kernel,
                       const struct orr_worker *worker,
                       const struct orr_cost *cost, GError **error)
{
    g_autofree char *joules = NULL;
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (cost->ns < 0 || cost->ns > ORR_MAX_COST_NS) {
        joules = g_strdup_printf("its time on %s is %s", worker->name,
                                 cost->ns < 0 ? "below 0" : "above 1e15 ns");
        return refuse(error, kernel, joules);
    }
    if (cost->joules >= 0 && cost->joules <= ORR_MAX_JOULES)
        return true;
    g_ascii_formatd(text, sizeof(text), "%g", cost->joules);
    joules = g_strdup_printf("its energy on %s is %s: expected 0 to 1e9 J",
                             worker->name, text);
    return refuse(error, kernel, joules);
}

/* Whether the restriction of @kernel allows workers of @device. */
static bool is_allowed(const struct orr_kernel *kernel, unsigned device)
{
    return kernel->where == ORR_WHERE_ANY ||
           (kernel->where == ORR_WHERE_CPU) == (device == ORR_RAM);
}

/* Perturbs a cost: the duration changes, the power in watts stays. */
static void perturb(const struct orr_run *run, const struct orr_kernel *kernel,
                    unsigned worker, struct orr_cost *cost)
{
    double factor = orr_kernel_factor(run, kernel, worker);

    if (run->kernels.perturb <= 0 || cost->ns == 0)
        return;
    cost->ns = MAX(1, (int64_t)((double)cost->ns * factor + 0.5));
    cost->joules = MIN(cost->joules * factor, ORR_MAX_JOULES);
}

/* Sets the costs of the implementations of @kernel on @worker. Bounds use the
 * fastest implementation on each device. */
static void set_worker(const struct orr_run *run, struct orr_kernel *kernel,
                       const struct orr_worker *worker,
                       const struct orr_cost *costs)
{
    unsigned count = kernel->implementations, w = worker->index;
    orr_time *times = kernel->by_implementation + (size_t)w * count;
    orr_time *cpu_only = times + (size_t)run->worker_count * count;
    orr_time *mean = &kernel->durations[worker->device];
    bool allowed =
        is_allowed(kernel, worker->device) && orr_kernel_allows(kernel, w);

    kernel->by_worker[w] = ORR_NEVER;
    for (unsigned i = 0; i < count; i++) {
        times[i] = costs[i].ns > 0 && allowed ? costs[i].ns : ORR_NEVER;
        cpu_only[i] = worker->device == ORR_RAM ? times[i] : ORR_NEVER;
        if (kernel->by_worker[w] == ORR_NEVER)
            kernel->by_worker[w] = times[i];
        *mean = MIN(*mean, times[i]);
        kernel->joules[(size_t)w * count + i] = costs[i].joules;
    }
    kernel->by_worker[run->worker_count + w] =
        worker->device == ORR_RAM ? kernel->by_worker[w] : ORR_NEVER;
}

/* Sets all costs of @kernel: @costs has as many for each worker as it has
 * implementations. */
static void set_costs(const struct orr_run *run, struct orr_kernel *kernel,
                      const struct orr_cost *costs)
{
    kernel->factors = NULL;
    for (unsigned device = 0; device < run->node_count; device++)
        kernel->durations[device] = ORR_NEVER;
    for (unsigned w = 0; w < run->worker_count; w++)
        set_worker(run, kernel, run->workers[w],
                   &costs[(size_t)w * kernel->implementations]);
    for (unsigned device = 0; device < run->node_count; device++) {
        kernel->means[device] = kernel->durations[device];
        kernel->means_s[device] = orr_time_to_seconds(kernel->means[device]);
    }
}

/* All CPU workers run the kernel, or none; and some worker does. */
static bool check_workers(const struct orr_run *run,
                          const struct orr_kernel *kernel, GError **error)
{
    bool any = false;

    for (unsigned w = 0; w < run->worker_count; w++) {
        bool runs = kernel->by_worker[w] != ORR_NEVER;

        if (w > run->gpu_count &&
            runs != (kernel->by_worker[w - 1] != ORR_NEVER))
            return refuse(error, kernel,
                          "some CPU workers can run it, and others cannot");
        any |= runs;
    }
    return any || refuse(error, kernel, "no worker of this run can run it");
}

static bool take_costs(const struct orr_run *run, struct orr_kernel *kernel,
                       struct orr_cost *costs, GError **error)
{
    for (unsigned w = 0; w < run->worker_count; w++) {
        for (unsigned i = 0; i < kernel->implementations; i++) {
            struct orr_cost *cost = &costs[w * kernel->implementations + i];

            if (!check_cost(kernel, run->workers[w], cost, error))
                return false;
            perturb(run, kernel, w, cost);
        }
    }
    set_costs(run, kernel, costs);
    return check_workers(run, kernel, error);
}

/* Without CPU workers, it is not known whether they could run the kernel. */
static void record_classes(const struct orr_run *run, struct orr_kernel *kernel)
{
    bool on_gpus = false;

    for (unsigned device = 1; device < run->node_count; device++)
        on_gpus |= kernel->durations[device] != ORR_NEVER;
    orr_kernel_set_classes(kernel,
                           run->worker_count == run->gpu_count ||
                               kernel->durations[ORR_RAM] != ORR_NEVER,
                           on_gpus);
}

static void make_room(const struct orr_run *run, struct orr_kernel *kernel,
                      unsigned count)
{
    size_t costs = (size_t)run->worker_count * count;

    kernel->implementations = count;
    kernel->joules = g_new0(double, costs);
    kernel->by_implementation = g_new0(orr_time, 2 * costs);
}

/* Shows policies and reports that some kernel has costs, of @count
 * implementations. */
static void show_costs(struct orr_run *run, unsigned count)
{
    run->policy.host.joules = orr_energy_expect;
    if (count > 1)
        orr_run_host_implementations(run);
    run->energy.known = true;
}

bool orr_kernel_set_implementations(
    struct orr_run *run, struct orr_kernel *kernel, unsigned count,
    void (*cost)(const void *data, unsigned worker, unsigned implementation,
                 struct orr_cost *cost),
    const void *data, GError **error)
{
    g_autofree struct orr_cost *costs = NULL;

    if (!check(run, kernel, count, error))
        return false;
    kernel->brings_times = false;
    if (run->capture)
        return true;
    costs = g_new0(struct orr_cost, (size_t)run->worker_count * count);
    for (unsigned w = 0; w < run->worker_count; w++) {
        for (unsigned i = 0; i < count; i++)
            cost(data, w, i, &costs[(size_t)w * count + i]);
    }
    make_room(run, kernel, count);
    if (!take_costs(run, kernel, costs, error)) {
        orr_kernel_free_costs(kernel);
        return false;
    }
    record_classes(run, kernel);
    show_costs(run, count);
    return true;
}

static bool runs_anywhere(const struct orr_run *run,
                          const struct orr_kernel *kernel)
{
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (kernel->by_worker[w] != ORR_NEVER)
            return true;
    }
    return false;
}

/* Whether some of the @count costs of a worker lets it run the task. */
static bool can_run(const struct orr_cost *costs, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (costs[i].ns > 0)
            return true;
    }
    return false;
}

const char *orr_wrong_costs(const struct orr_run *run,
                            const struct orr_cost *costs, unsigned count)
{
    for (size_t i = 0; i < (size_t)run->worker_count * count; i++) {
        if (costs[i].ns < 0)
            return "a time in costs is below 0";
        if (!(costs[i].joules >= 0 && costs[i].joules <= ORR_MAX_JOULES))
            return "an energy in costs is not 0 to 1e9 J";
    }
    for (unsigned w = run->gpu_count + 1; w < run->worker_count; w++) {
        if (can_run(&costs[(size_t)w * count], count) !=
            can_run(&costs[(size_t)(w - 1) * count], count))
            return "by its costs, some CPU workers can run it, and others "
                   "cannot";
    }
    return NULL;
}

bool orr_kernel_take_costs(struct orr_run *run, struct orr_kernel *kernel,
                           GBytes *costs)
{
    gsize size;
    const void *given = g_bytes_get_data(costs, &size);
    gsize all = size / sizeof(struct orr_cost);
    unsigned count = (unsigned)(all / run->worker_count);
    g_autofree struct orr_cost *own = g_memdup2(given, size);

    for (gsize i = 0; i < all; i++)
        perturb(run, kernel, (unsigned)(i / count), &own[i]);
    make_room(run, kernel, count);
    set_costs(run, kernel, own);
    record_classes(run, kernel);
    show_costs(run, count);
    return runs_anywhere(run, kernel);
}

bool orr_kernel_share_costs(const struct orr_run *run,
                            struct orr_kernel *kernel,
                            const struct orr_kernel *of)
{
    size_t count = (size_t)run->worker_count * of->implementations;
    struct orr_cost *costs = g_new0(struct orr_cost, count);

    for (size_t i = 0; i < count; i++) {
        if (of->by_implementation[i] != ORR_NEVER)
            costs[i].ns = of->by_implementation[i];
        costs[i].joules = of->joules[i];
    }
    make_room(run, kernel, of->implementations);
    set_costs(run, kernel, costs);
    g_free(costs);
    kernel->only_worker = of->only_worker;
    return runs_anywhere(run, kernel);
}

void orr_kernel_free_costs(struct orr_kernel *kernel)
{
    g_clear_pointer(&kernel->joules, g_free);
    g_clear_pointer(&kernel->by_implementation, g_free);
    kernel->implementations = 0;
}

/* orr_kernel_set_costs(): the same on all implementations, of which there is
 * one. */
struct single {
    void (*cost)(const void *data, unsigned worker, struct orr_cost *cost);
    const void *data;
};

static void cost_single(const void *data, unsigned worker,
                        unsigned implementation, struct orr_cost *cost)
{
    const struct single *single = data;

    (void)implementation;
    single->cost(single->data, worker, cost);
}

bool orr_kernel_set_costs(struct orr_run *run, struct orr_kernel *kernel,
                          void (*cost)(const void *data, unsigned worker,
                                       struct orr_cost *cost),
                          const void *data, GError **error)
{
    const struct single single = {cost, data};

    return orr_kernel_set_implementations(run, kernel, 1, cost_single, &single,
                                          error);
}
