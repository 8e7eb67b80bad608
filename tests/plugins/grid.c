/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grid: an application with a shape. Each column is a chain of tasks. */
#include <orrery_app.h>

static const struct orr_app_option options[] = {
    {"tiles", "MxN", "tasks in a column, columns", ORR_APP_SHAPE, 1, 100, "4x2",
     NULL},
    {NULL, NULL, NULL, ORR_APP_COUNT, 0, 0, NULL, NULL},
};

static double tasks(const struct orr_app_values *values)
{
    uint64_t counts[ORR_APP_DIMENSIONS];

    orr_app_shape(values, "tiles", counts);
    return (double)(counts[0] * counts[1]);
}

/* "3" becomes "3x3". */
static bool complete(struct orr_app_values *values, GError **error)
{
    uint64_t counts[ORR_APP_DIMENSIONS];

    if (orr_app_shape(values, "tiles", counts) > 2) {
        g_set_error(error, g_quark_from_string("grid"), 0,
                    "--tiles: a grid has two dimensions");
        return false;
    }
    orr_app_set_shape(values, "tiles", counts, 2);
    return true;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    struct orr_kernel *kernel = orr_kernel_find(
        run, "cholesky", "gemm", ORR_SINGLE_PRECISION, 960, error);
    uint64_t counts[ORR_APP_DIMENSIONS];

    if (!kernel)
        return false;
    orr_app_shape(values, "tiles", counts);
    for (uint64_t column = 0; column < counts[1]; column++) {
        const struct orr_access access = {
            orr_data_register(run, sizeof(float) * 960 * 960), ORR_RW};
        struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                     .count = 1, .accesses = &access};

        for (uint64_t row = 0; row < counts[0]; row++)
            orr_task_submit(run, &task);
    }
    return true;
}

static const struct orr_app grid = {
    .name = "grid",
    .summary = "chains of tasks",
    .options = options,
    .axis = "tiles",
    .axis_title = "tiles (geometric mean)",
    .scale = "tiles",
    .complete = complete,
    .tasks = tasks,
    .submit = submit,
};

ORR_APP_PLUGIN(&grid);
