/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/capture.h"

#include <limits.h>
#include <string.h>

#include "runtime/config/run_config.h"
#include "runtime/run.h"

/* The policy of the run, as the application sees it: it accepts all
 * priorities. */
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
    run->rare = true;
    return run;
}
