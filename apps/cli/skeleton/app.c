/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * skeleton: steps over a line of blocks. A step computes each block from what
 * the step left of it before, and from its left neighbour, so that tasks run
 * along a wave front.
 *
 * Something to begin with: orrery_app.h says what the table of an application
 * may contain, orrery.h what submit() may call, docs/APPLICATIONS.md how.
 */
#include <orrery_app.h>

enum { MAX_BLOCKS = 10000 };

/* The first one without a name ends the list. */
static const struct orr_app_option skeleton_options[] = {
    {"blocks", "N", "blocks in the line", ORR_APP_COUNT, 1, MAX_BLOCKS, "12",
     NULL},
    {"steps", "N", "steps over all blocks", ORR_APP_COUNT, 1, 1000000, "20",
     NULL},
    {"kib", "N", "size of a block in KiB", ORR_APP_COUNT, 1, 1000000, "4096",
     NULL},
    {0},
};

static const char *const skeleton_kernels[] = {"update", NULL};

/* Tasks are submitted in the order of a sequential program. What each reads and
 * writes decides which tasks wait for which. */
static bool skeleton_submit(struct orr_run *run,
                            const struct orr_app_values *values, GError **error)
{
    unsigned blocks = (unsigned)orr_app_count(values, "blocks");
    uint64_t steps = orr_app_count(values, "steps");
    uint64_t bytes = 1024 * orr_app_count(values, "kib");
    struct orr_kernel *update = orr_kernel_new(run, "update", error);
    struct orr_data *line[MAX_BLOCKS];
    /* In ns, for every MiB of a block: what you have measured. */
    const struct orr_task_times times = {
        ORR_TASK_TIMES_INIT,
        .cpu_ns = (int64_t)(20000000 * bytes >> 20),
        .gpu_ns = (int64_t)(1000000 * bytes >> 20),
    };

    if (!update)
        return false;
    for (unsigned i = 0; i < blocks; i++)
        line[i] = orr_data_register(run, bytes);
    for (uint64_t step = 0; step < steps; step++) {
        for (unsigned i = 0; i < blocks; i++) {
            const struct orr_access accesses[] = {
                {line[i], ORR_RW},
                {line[i > 0 ? i - 1 : 0], ORR_R},
            };
            const struct orr_task_spec task = {
                ORR_TASK_SPEC_INIT,   .kernel = update,       .times = &times,
                .accesses = accesses, .count = i > 0 ? 2 : 1,
            };

            orr_task_submit(run, &task);
        }
    }
    return true;
}

static double skeleton_tasks(const struct orr_app_values *values)
{
    return (double)orr_app_count(values, "blocks") *
           (double)orr_app_count(values, "steps");
}

static const struct orr_app orr_app_skeleton = {
    .name = "skeleton",
    .summary = "steps over a line of blocks",
    .kernels = skeleton_kernels,
    .options = skeleton_options,
    .axis = "blocks",
    .axis_title = "blocks in the line",
    .scale = "blocks",
    .tasks = skeleton_tasks,
    .submit = skeleton_submit,
};

ORR_APP_PLUGIN(&orr_app_skeleton);
