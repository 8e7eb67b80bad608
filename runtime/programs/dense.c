/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/dense.h"

#include "models/base/error.h"
#include "models/platform/switches.h"
#include "runtime/config/app_values.h"

const char *const orr_dense_precisions[] = {
    [ORR_SINGLE_PRECISION] = "single",
    [ORR_DOUBLE_PRECISION] = "double",
    NULL,
};

const char *const orr_dense_layouts[] = {
    [ORR_LAYOUT_TILES] = "tiles",
    [ORR_LAYOUT_MATRIX] = "matrix",
    NULL,
};

const struct orr_app_option orr_dense_options[] = {
    {"tiles", "N", "tiles in each row", ORR_APP_COUNT, 1, ORR_DENSE_MAX_TILES,
     "20", NULL},
    {"size", "N", "rows of the matrix (instead of --tiles)", ORR_APP_COUNT, 1,
     ORR_DENSE_MAX_SIZE, NULL, NULL},
    {"tile", "NB", "rows of a tile", ORR_APP_COUNT, 1, ORR_DENSE_MAX_TILE,
     "960", NULL},
    {"precision", "P", "single or double", ORR_APP_CHOICE, 0, 0, "single",
     orr_dense_precisions},
    {"layout", "L", "how tiles are stored: tiles or matrix", ORR_APP_CHOICE, 0,
     0, "tiles", orr_dense_layouts},
    {0},
};

bool orr_dense_check_size(uint64_t size, uint64_t tile, GError **error)
{
    uint64_t below = size / tile * tile;
    g_autofree char *nearest =
        below == 0
            ? g_strdup("smallest is")
            : g_strdup_printf("nearest are %" G_GUINT64_FORMAT " and", below);

    if (size == below)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--size: %" G_GUINT64_FORMAT
                " is not a multiple of the tile, %" G_GUINT64_FORMAT
                "; the %s %" G_GUINT64_FORMAT,
                size, tile, nearest, below + tile);
    return false;
}

bool orr_dense_complete(struct orr_app_values *values, GError **error)
{
    uint64_t tile = orr_app_count(values, "tile");
    uint64_t size = orr_app_count(values, "size");

    if (!orr_app_is_given(values, "size")) {
        orr_app_set_count(values, "size",
                          orr_app_count(values, "tiles") * tile);
        return true;
    }
    if (orr_app_is_given(values, "tiles")) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--tiles and --size cannot be combined");
        return false;
    }
    if (!orr_dense_check_size(size, tile, error))
        return false;
    orr_app_set_count(values, "tiles", size / tile);
    return true;
}

struct orr_tile_shape orr_dense_tile_shape(const struct orr_dense *dense)
{
    uint64_t element = dense->precision == ORR_DOUBLE_PRECISION ? sizeof(double)
                                                                : sizeof(float);
    struct orr_tile_shape shape = {
        .column_bytes = dense->tile * element,
        .columns = dense->tile,
        .pitch_bytes = dense->tile * element,
    };

    if (dense->layout == ORR_LAYOUT_MATRIX)
        shape.pitch_bytes *= dense->tiles;
    return shape;
}

uint64_t orr_dense_tile_bytes(const struct orr_dense *dense)
{
    struct orr_tile_shape shape = orr_dense_tile_shape(dense);

    return shape.column_bytes * shape.columns;
}

static bool memory_is_limited(const struct orr_report *report)
{
    struct orr_switches switches;

    orr_switches_init(&switches);
    return orr_switches_parse(&switches, report->models, NULL) &&
           switches.memory;
}

bool orr_dense_check_fits(struct orr_run *run, uint64_t bytes, const char *what,
                          GError **error)
{
    const struct orr_report *report = orr_run_report(run);

    if (report->gpus == 0 || bytes <= report->gpu_memory_bytes ||
        !memory_is_limited(report))
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s takes %" G_GUINT64_FORMAT
                " bytes, more than the %" G_GUINT64_FORMAT " of a GPU",
                what, bytes, report->gpu_memory_bytes);
    return false;
}

static bool check_tile_fits(const struct orr_dense *dense, GError **error)
{
    g_autofree char *what =
        g_strdup_printf("a tile of %u x %u in %s precision", dense->tile,
                        dense->tile, orr_dense_precisions[dense->precision]);

    return orr_dense_check_fits(dense->run, orr_dense_tile_bytes(dense), what,
                                error);
}

/* Finds kernel @i of the family. */
static bool find_kernel(struct orr_dense *dense, unsigned i, GError **error)
{
    const struct orr_dense_kernel *kernel = &dense->family->kernels[i];

    dense->kernels[i] =
        orr_kernel_find(dense->run, dense->family->name, kernel->name,
                        dense->precision, dense->tile, error);
    if (dense->kernels[i] && kernel->synchronous)
        orr_kernel_set_synchronous(dense->kernels[i]);
    return dense->kernels[i] != NULL;
}

bool orr_dense_init(struct orr_dense *dense, struct orr_run *run,
                    const struct orr_app_values *values,
                    const struct orr_dense_family *family, uint32_t needed,
                    GError **error)
{
    *dense = (struct orr_dense){
        .run = run,
        .tiles = (unsigned)orr_app_values_shape(values, "tiles").counts[0],
        .tile = (unsigned)orr_app_count(values, "tile"),
        .precision =
            (enum orr_kernel_precision)orr_app_choice(values, "precision"),
        .layout = (enum orr_layout)orr_app_choice(values, "layout"),
        .family = family,
    };
    for (unsigned i = 0; i < ORR_DENSE_MAX_KERNELS; i++) {
        bool finds = family->kernels[i].name && (needed >> i & 1);

        if (finds && !find_kernel(dense, i, error))
            return false;
    }
    return check_tile_fits(dense, error);
}

static void submit(const struct orr_dense *dense, unsigned kernel, int priority,
                   struct orr_task_spec *spec)
{
    const struct orr_dense_kernel *names = &dense->family->kernels[kernel];

    spec->kernel = dense->kernels[kernel];
    spec->name =
        dense->precision == ORR_DOUBLE_PRECISION ? names->task_dp : names->task;
    spec->priority = priority;
    orr_task_submit(dense->run, spec);
}

void orr_dense_submit(const struct orr_dense *dense, unsigned kernel,
                      int priority, const struct orr_access *accesses,
                      unsigned count)
{
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .accesses = accesses,
                                 .count = count};

    submit(dense, kernel, priority, &spec);
}

static void submit_tile(const struct orr_dense *dense, unsigned kernel,
                        int priority, enum orr_critical critical,
                        struct orr_tile_access access)
{
    struct orr_access accesses[G_N_ELEMENTS(access.reads) + 1];
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .accesses = accesses,
                                 .critical = critical};
    unsigned count = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(access.reads); i++) {
        if (access.reads[i])
            accesses[count++] = (struct orr_access){access.reads[i], ORR_R};
    }
    accesses[count++] = (struct orr_access){access.updates, ORR_RW};
    spec.count = count;
    submit(dense, kernel, priority, &spec);
}

void orr_dense_submit_tile(const struct orr_dense *dense, unsigned kernel,
                           int priority, struct orr_tile_access access)
{
    submit_tile(dense, kernel, priority, ORR_CRITICAL_UNKNOWN, access);
}

void orr_dense_submit_critical(const struct orr_dense *dense, unsigned kernel,
                               int priority, bool critical,
                               struct orr_tile_access access)
{
    submit_tile(dense, kernel, priority,
                critical ? ORR_CRITICAL : ORR_NOT_CRITICAL, access);
}
