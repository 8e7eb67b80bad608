/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POWER_GRAPH_H
#define ORR_POWER_GRAPH_H

#include "models/rng.h"
#include "runtime/config/run_config.h"
#include "runtime/orrery.h"

/* Random graphs of the kernels of tests/platforms/power.xml. */
enum { GRAPHS = 1000, TASKS = 24, DATA = 6 };

struct power_graph {
    uint64_t seed, draws;
    const char *platform;
    const char *const *where; /* NULL: anywhere */
    bool polling;
    unsigned tasks;
};

static inline unsigned power_graph_draw(struct power_graph *graph,
                                        unsigned below)
{
    return (unsigned)(orr_rng_uniform(graph->seed, 7, graph->draws++) * below);
}

static inline void power_graph_submit(struct power_graph *graph,
                                      struct orr_run *run)
{
    struct orr_kernel *kernels[2];
    struct orr_data *data[DATA];

    kernels[0] =
        orr_kernel_find(run, "test", "even", ORR_SINGLE_PRECISION, 1, NULL);
    kernels[1] =
        orr_kernel_find(run, "test", "odd", ORR_SINGLE_PRECISION, 1, NULL);
    for (unsigned i = 0; i < DATA; i++)
        data[i] = orr_data_register(run, 1000000);
    for (unsigned i = 0; i < graph->tasks; i++) {
        struct orr_access accesses[2] = {
            {data[power_graph_draw(graph, DATA)], ORR_RW},
            {data[power_graph_draw(graph, DATA)], ORR_R}};
        struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT, .kernel = kernels[power_graph_draw(graph, 2)],
            .count = 2, .accesses = accesses};

        orr_task_submit(run, &spec);
    }
}

static inline void power_graph_configure(const struct power_graph *graph,
                                         struct orr_config *config)
{
    static const char *const policies[] = {"dmda", "lws", "eager", "dmdas",
                                           "random"};

    orr_config_init(config);
    config->platform = graph->platform;
    config->sched = policies[graph->seed % G_N_ELEMENTS(policies)];
    config->seed = graph->seed;
    config->polling = graph->polling;
    config->where = graph->where;
}

#endif
