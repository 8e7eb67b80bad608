/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/capture.h"

#include <limits.h>
#include <string.h>

#include "runtime/run.h"

/* The policy that an application sees: it asks for priorities. */
static void refuse_task(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    (void)task;
    g_assert_not_reached();
}

static struct orr_task *no_task(struct orr_sched *sched, unsigned worker)
{
    (void)sched;
    (void)worker;
    return NULL;
}

static const struct orr_sched_ops policy = {
    .name = "none",
    .priorities = true,
    .push = refuse_task,
    .pop = no_task,
};

/* A core, so that there is a worker; nothing runs on it. */
static struct orr_machine *machine_new(void)
{
    struct orr_machine *machine = g_new0(struct orr_machine, 1);
    struct orr_platform *platform = orr_platform_new();

    platform->name = g_strdup("none");
    platform->path = g_strdup("none");
    platform->cores = 1;
    platform->node_count = 1;
    platform->routes = g_new0(struct orr_platform_route, 1);
    platform->beliefs = g_new0(struct orr_platform_belief, 1);
    machine->platform = platform;
    machine->changes = g_new0(struct orr_changes, 1);
    machine->change_texts = g_new0(const char *, 1);
    return machine;
}

static const struct orr_platform_kernel *
make_kernel(struct orr_run *run, const char *family, const char *name,
            enum orr_precision precision)
{
    GPtrArray *kernels = run->captured_kernels;
    struct orr_platform_kernel *kernel;

    for (guint i = 0; i < kernels->len; i++) {
        kernel = kernels->pdata[i];
        if (strcmp(kernel->family, family) == 0 &&
            strcmp(kernel->name, name) == 0 && kernel->precision == precision)
            return kernel;
    }
    kernel = g_new0(struct orr_platform_kernel, 1);
    kernel->family = g_strdup(family);
    kernel->name = g_strdup(name);
    kernel->precision = precision;
    g_ptr_array_add(kernels, kernel);
    return kernel;
}

struct orr_run *orr_capture_new(struct orr_capture *capture)
{
    struct orr_machine *machine = machine_new();
    struct orr_config config;
    struct orr_run *run;

    orr_config_init(&config);
    config.machine = machine;
    config.policy = &policy;
    run = orr_run_new(&config, NULL);
    g_assert(run);
    run->own_machine = machine;
    run->capture = capture;
    run->make_kernel = make_kernel;
    run->captured_kernels = g_ptr_array_new();
    return run;
}

void orr_capture_clear(struct orr_run *run)
{
    for (guint i = 0; i < run->captured_kernels->len; i++) {
        struct orr_platform_kernel *kernel = run->captured_kernels->pdata[i];

        g_free(kernel->family);
        g_free(kernel->name);
        g_free(kernel);
    }
    g_clear_pointer(&run->captured_kernels, g_ptr_array_unref);
}
