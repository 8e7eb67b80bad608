/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * program PLATFORM POLICY [STRUCT]: uses each struct that programs allocate,
 * and prints results that do not depend on the release of the headers. With the
 * name of a struct, it sets the member "added" of that struct, which only
 * headers of a later release have, and prints the error.
 */
#include <orrery.h>
#include <orrery_trace.h>
#include <stdio.h>
#include <string.h>

enum { TASKS = 4 };

static const char *refused = "";

#ifdef LATER
#define ADD(name, variable) ((variable).added = strcmp(refused, name) == 0)
#else
#define ADD(name, variable) ((void)(variable))
#endif

struct counter {
    struct orr_trace trace; /* first */
    unsigned tasks;
};

static void count(struct orr_trace *trace, const struct orr_trace_task *task)
{
    (void)task;
    ((struct counter *)trace)->tasks++;
}

static bool submit(struct orr_run *run, GError **error)
{
    struct orr_kernel *kernel = orr_kernel_new(run, "work", error);
    struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = 1000};
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                 .times = &times};
    struct orr_access access = {orr_data_register(run, 8), ORR_RW};

    ADD("task_times", times);
    ADD("task_spec", spec);
    spec.count = 1;
    spec.accesses = &access;
    for (unsigned i = 0; kernel && i < TASKS; i++)
        orr_task_submit(run, &spec);
    return kernel && orr_run_wait(run, error);
}

static bool simulate(const struct orr_config *config, GError **error)
{
    struct orr_run *run = orr_run_new(config, error);
    bool right = run && submit(run, error);

    if (right)
        printf("busy %d ns\n", (int)orr_run_report(run)->workers[0].busy_ns);
    orr_run_free(run);
    return right;
}

static bool bound(const struct orr_config *config, GError **error)
{
    struct orr_run *run = orr_run_new(config, error);
    struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT};
    bool right = run;

    ADD("bounds_report", bounds);
    if (run)
        orr_run_keep_for_bounds(run);
    right = run && submit(run, error) && orr_run_bounds(run, &bounds, error);
    if (right)
        printf("at least %.1f us\n", bounds.critical_path_s * 1e6);
    orr_run_free(run);
    return right;
}

int main(int argc, char **argv)
{
    struct orr_config *config = orr_config_new();
    struct counter counter = {.trace = {ORR_TRACE_INIT, .task = count}};
    GError *error = NULL;

    if (argc < 3)
        return 2;
    if (argc > 3)
        refused = argv[3];
    ADD("trace", counter.trace);
    orr_config_set_trace(config, &counter.trace);
    if (orr_config_set(config, "platform", argv[1], &error) &&
        orr_config_set(config, "sched", argv[2], &error) &&
        orr_config_set(config, "cpus", "1", &error) &&
        orr_config_set(config, "gpus", "0", &error) &&
        simulate(config, &error) && bound(config, &error))
        printf("traced %u\n", counter.tasks);
    else
        puts(error->message);
    orr_config_free(config);
    return error != NULL;
}
