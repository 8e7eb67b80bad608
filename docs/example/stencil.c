/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stencil: a grid of blocks. Each step computes every block anew from itself
 * and from the borders of its four neighbours after the step before. A task
 * leaves the border of its block in a datum of its own, so that neighbours need
 * not copy the block.
 */
#include <orrery_app.h>

enum { MAX_SIDE = 1000 };

static const struct orr_app_option options[] = {
    {"side", "N", "blocks in each row", ORR_APP_COUNT, 1, MAX_SIDE, "16", NULL},
    {"steps", "N", "steps over all blocks", ORR_APP_COUNT, 1, 1000000, "10",
     NULL},
    {"edge", "N", "elements in each row of a block", ORR_APP_COUNT, 1, 100000,
     "2048", NULL},
    {0},
};

/* side x side each: blocks, and their borders before a step and after it. */
struct grid {
    unsigned side;
    unsigned done; /* steps */
    struct orr_data **blocks, **old, **fresh;
};

static void update_block(struct orr_run *run, const struct grid *grid,
                         struct orr_kernel *update,
                         const struct orr_task_times *times, unsigned row,
                         unsigned column)
{
    unsigned side = grid->side, i = row * side + column;
    struct orr_access accesses[6] = {
        {grid->blocks[i], ORR_RW},
        {grid->fresh[i], ORR_W},
    };
    struct orr_task_spec task = {
        ORR_TASK_SPEC_INIT,
        .kernel = update,
        .times = times,
        .count = 2,
        .accesses = accesses,
        .coordinate_count = 3,
        .coordinates = {grid->done, row, column},
    };

    if (row > 0)
        accesses[task.count++] =
            (struct orr_access){grid->old[i - side], ORR_R};
    if (row + 1 < side)
        accesses[task.count++] =
            (struct orr_access){grid->old[i + side], ORR_R};
    if (column > 0)
        accesses[task.count++] = (struct orr_access){grid->old[i - 1], ORR_R};
    if (column + 1 < side)
        accesses[task.count++] = (struct orr_access){grid->old[i + 1], ORR_R};
    orr_task_submit(run, &task);
}

static void step(struct orr_run *run, struct grid *grid,
                 struct orr_kernel *update, const struct orr_task_times *times)
{
    struct orr_data **old = grid->old;

    for (unsigned row = 0; row < grid->side; row++) {
        for (unsigned column = 0; column < grid->side; column++)
            update_block(run, grid, update, times, row, column);
    }
    grid->old = grid->fresh;
    grid->fresh = old;
    grid->done++;
}

static void register_grid(struct orr_run *run, struct grid *grid, uint64_t edge)
{
    uint64_t border = 4 * edge * sizeof(double);
    unsigned i = 0;

    for (unsigned row = 0; row < grid->side; row++) {
        for (unsigned column = 0; column < grid->side; column++, i++) {
            grid->blocks[i] =
                orr_data_register(run, edge * edge * sizeof(double));
            grid->old[i] = orr_data_register(run, border);
            grid->fresh[i] = orr_data_register(run, border);
            orr_data_set_coordinates(grid->blocks[i], row, column);
        }
    }
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    unsigned side = (unsigned)orr_app_count(values, "side");
    uint64_t edge = orr_app_count(values, "edge");
    uint64_t steps = orr_app_count(values, "steps");
    struct orr_kernel *update = orr_kernel_new(run, "update", error);
    size_t count = (size_t)side * side;
    struct orr_data **data;
    struct grid grid;
    /* Bound by memory: 16 bytes an element at 2 GB/s, the share of a core, and
       at 400 GB/s. */
    const struct orr_task_times times = {
        ORR_TASK_TIMES_INIT,
        .cpu_ns = (int64_t)(edge * edge * 16 / 2),
        .gpu_ns = (int64_t)(edge * edge * 16 / 400),
    };

    if (!update)
        return false;
    data = g_new(struct orr_data *, 3 * count);
    grid = (struct grid){side, 0, data, data + count, data + 2 * count};
    register_grid(run, &grid, edge);
    for (uint64_t i = 0; i < steps; i++)
        step(run, &grid, update, &times);
    g_free(data);
    return true;
}

static double tasks(const struct orr_app_values *values)
{
    double side = (double)orr_app_count(values, "side");

    return side * side * (double)orr_app_count(values, "steps");
}

/* Five additions or products an element. */
static double flops(const struct orr_app_values *values)
{
    double edge = (double)orr_app_count(values, "edge");

    return tasks(values) * edge * edge * 5;
}

static const char *const kernels[] = {"update", NULL};

static const struct orr_app stencil = {
    .name = "stencil",
    .summary = "steps of a five-point stencil on a grid of blocks",
    .kernels = kernels,
    .options = options,
    .axis = "side",
    .axis_title = "blocks in each row",
    .scale = "side",
    .tasks = tasks,
    .flops = flops,
    .submit = submit,
};

ORR_APP_PLUGIN(&stencil);
