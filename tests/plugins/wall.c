/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wall: an application that is right. Rows of bricks: a brick lies on two of
 * the row below. Members of its table may be replaced by -D, to be wrong. */
#include <orrery_app.h>

#ifndef NAME
#define NAME "wall"
#endif
#ifndef SUMMARY
#define SUMMARY "rows of bricks, each on two of the row below"
#endif
#ifndef OPTION
#define OPTION "height"
#endif
#ifndef KIND
#define KIND ORR_APP_COUNT
#endif
#ifndef LEAST
#define LEAST 1
#endif
#ifndef MOST
#define MOST 1000
#endif
#ifndef PRESET
#define PRESET "4"
#endif
#ifndef HELP
#define HELP "rows of bricks"
#endif
#ifndef AXIS
#define AXIS "width"
#endif
#ifndef SUBMIT
#define SUBMIT submit
#endif
#ifndef APP
#define APP &wall
#endif
#ifndef VERSION
#define VERSION ORR_APP_VERSION
#endif
#ifndef MAGIC
#define MAGIC ORR_APP_MAGIC
#endif
#ifndef TASK_SIZE
#define TASK_SIZE sizeof(struct orr_task_spec)
#endif

#ifndef SYMBOL
#define SYMBOL orr_app_plugin
#endif

#define MAX_WIDTH 1000

static const char *const bonds[] = {"running", "stack", NULL};

static const struct orr_app_option options[] = {
    {"width", "N", "bricks in the lowest row", ORR_APP_COUNT, 1, MAX_WIDTH, "8",
     NULL},
    {OPTION, "N", HELP, KIND, LEAST, MOST, PRESET, NULL},
    {"bond", "B", "running or stack", ORR_APP_CHOICE, 0, 0, NULL, bonds},
    {"mortar", "X", "share of mortar", ORR_APP_NUMBER, 0, 1, "0.1", NULL},
    {"painted", NULL, "paint it", ORR_APP_FLAG, 0, 0, NULL, NULL},
    {"mason", "NAME", "who builds it", ORR_APP_TEXT, 0, 0, NULL, NULL},
    {NULL, NULL, NULL, ORR_APP_COUNT, 0, 0, NULL, NULL},
};

static bool complete(struct orr_app_values *values, GError **error)
{
    if (orr_app_count(values, "width") >= orr_app_count(values, "height"))
        return true;
    g_set_error(error, g_quark_from_string("wall"), 0,
                "--height: %u rows do not stand on %u bricks",
                (unsigned)orr_app_count(values, "height"),
                (unsigned)orr_app_count(values, "width"));
    return false;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    unsigned width = (unsigned)orr_app_count(values, "width");
    unsigned height = (unsigned)orr_app_count(values, "height");
    unsigned stacked = orr_app_choice(values, "bond");
    struct orr_data *bricks[MAX_WIDTH];
    struct orr_kernel *kernel;

    kernel = orr_kernel_find(run, "cholesky", "gemm", ORR_SINGLE_PRECISION, 960,
                             error);
    if (!kernel)
        return false;
    for (unsigned i = 0; i < width; i++)
        bricks[i] = orr_data_register(run, sizeof(float) * 960 * 960);
    for (unsigned row = 0; row < height; row++) {
        for (unsigned i = 0; i + row < width; i++) {
            const struct orr_access on[] = {
                {bricks[i], ORR_RW},
                {bricks[i + 1 < width ? i + 1 : i], ORR_R},
            };
            struct orr_task_spec brick = {
                .kernel = kernel,
                .name = "BRICK",
                .count = i + 1 < width && !stacked ? 2 : 1,
                .accesses = on,
            };

            orr_task_submit(run, &brick);
        }
    }
    return true;
}

static const char *const kernels[] = {"gemm", NULL};

static const struct orr_app wall = {
    .name = NAME,
    .summary = SUMMARY,
    .kernels = kernels,
    .options = options,
    .axis = AXIS,
    .axis_title = "width of the wall (bricks)",
    .scale = OPTION,
    .complete = complete,
    .submit = SUBMIT,
};

ORR_API extern const struct orr_app_plugin SYMBOL;
const struct orr_app_plugin SYMBOL = {
    MAGIC,     VERSION, sizeof(struct orr_app), sizeof(struct orr_app_option),
    TASK_SIZE, APP};

/* One of them may be replaced. */
bool (*const used)(struct orr_run *, const struct orr_app_values *,
                   GError **) = submit;
const struct orr_app *const table = &wall;
