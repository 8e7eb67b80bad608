/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wall: an application that is right. Rows of bricks: a brick lies on two of
 * the row below. Variables of the environment, as WALL_NAME, replace members of
 * its table, which may be wrong then: by NULL, if their value is that word. */
#include <orrery_app.h>
#include <stdlib.h>
#include <string.h>

#ifndef SYMBOL
#define SYMBOL orr_app_plugin
#endif

#define MAX_WIDTH 1000

static const char *const bonds[] = {"running", "stack", NULL};

static struct orr_app_option options[] = {
    {"width", "N", "bricks in the lowest row", ORR_APP_COUNT, 1, MAX_WIDTH, "8",
     NULL},
    {"height", "N", "rows of bricks", ORR_APP_COUNT, 1, MAX_WIDTH, "4", NULL},
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
                ORR_TASK_SPEC_INIT, .kernel = kernel,
                .name = "BRICK",    .count = i + 1 < width && !stacked ? 2 : 1,
                .accesses = on,
            };

            orr_task_submit(run, &brick);
        }
    }
    return true;
}

static const char *const kernels[] = {"gemm", NULL};

static struct orr_app wall = {
    .name = "wall",
    .summary = "rows of bricks, each on two of the row below",
    .kernels = kernels,
    .options = options,
    .axis = "width",
    .axis_title = "width of the wall (bricks)",
    .scale = "height",
    .complete = complete,
    .submit = submit,
};

ORR_API extern struct orr_app_plugin SYMBOL;
struct orr_app_plugin SYMBOL = {ORR_APP_MAGIC, ORR_APP_VERSION,
                                sizeof(struct orr_app),
                                sizeof(struct orr_app_option), &wall};

static bool is_null(const char *variable)
{
    const char *value = getenv(variable);

    return value && strcmp(value, "NULL") == 0;
}

static void replace_text(const char **member, const char *variable)
{
    if (getenv(variable))
        *member = is_null(variable) ? NULL : getenv(variable);
}

static void replace_number(double *member, const char *variable)
{
    const char *text = getenv(variable);

    if (text)
        *member = strtod(text, NULL);
}

static void replace_count(uint64_t *member, const char *variable)
{
    const char *text = getenv(variable);

    if (text)
        *member = strtoull(text, NULL, 10);
}

static void replace_members_of_height(struct orr_app_option *height)
{
    const char *kind = getenv("WALL_KIND");

    replace_text(&height->name, "WALL_OPTION");
    replace_text(&height->help, "WALL_HELP");
    replace_text(&height->preset, "WALL_PRESET");
    replace_number(&height->min, "WALL_MIN");
    replace_number(&height->max, "WALL_MAX");
    if (kind)
        height->kind = strcmp(kind, "SHAPE") == 0 ? ORR_APP_SHAPE : 7;
}

__attribute__((constructor)) static void replace_members(void)
{
    replace_members_of_height(&options[1]);
    replace_text(&wall.name, "WALL_NAME");
    replace_text(&wall.summary, "WALL_SUMMARY");
    replace_text(&wall.axis, "WALL_AXIS");
    wall.scale = options[1].name;
    if (is_null("WALL_SUBMIT"))
        wall.submit = NULL;
    if (is_null("WALL_APP"))
        SYMBOL.app = NULL;
    replace_count(&SYMBOL.magic, "WALL_MAGIC");
    replace_count(&SYMBOL.option_size, "WALL_OPTION_SIZE");
    replace_count(&SYMBOL.version, "WALL_VERSION");
}
