/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Product of matrices, C = A B, as in StarPU's examples/mult: the order of
 * submission, the modes of accesses and the hints are the same, so that
 * schedules can be compared.
 *
 *   2d  A is cut into slabs of rows, B into slabs of columns. A task multiplies
 *       two of them, and writes a tile of C.
 *   k   All three are cut into tiles. A task multiplies two, and adds the
 *       product to a tile of C. The first task of a tile of C only writes it.
 */
#include "models/base/error.h"
#include "runtime/programs/dense.h"
#include "runtime/programs/programs.h"

enum { SLABS, TILES };

static const char *const variants[] = {[SLABS] = "2d", [TILES] = "k", NULL};

/* Columns of a slab of A for which kernels are calibrated, in tiles. */
#define SLAB_TILES 4

static const struct orr_app_option options[] = {
    {"variant", "V", "2d: slabs of A and B; k: one product of tiles a task",
     ORR_APP_CHOICE, 0, 0, "2d", variants},
    {"tiles", "MxN", "tiles of C in a column and a row; MxNxK with k",
     ORR_APP_SHAPE, 1, ORR_DENSE_MAX_TILES, "20", NULL},
    {"tile", "NB", "rows of a tile", ORR_APP_COUNT, 1, ORR_DENSE_MAX_TILE,
     "960", NULL},
    {"depth", "K", "columns of A; 4 NB by default, or K tiles with k",
     ORR_APP_COUNT, 1, ORR_DENSE_MAX_TILES, NULL, NULL},
    {"precision", "P", "single or double", ORR_APP_CHOICE, 0, 0, "single",
     orr_dense_precisions},
    {"layout", "L", "how tiles are stored: tiles or matrix", ORR_APP_CHOICE, 0,
     0, "matrix", orr_dense_layouts},
    {NULL, NULL, NULL, ORR_APP_COUNT, 0, 0, NULL, NULL},
};

static bool complete(struct orr_app_values *values, GError **error)
{
    bool slabs = orr_app_choice(values, "variant") == SLABS;
    uint64_t tile = orr_app_count(values, "tile");
    bool deep = orr_app_is_given(values, "depth");
    uint64_t counts[ORR_APP_DIMENSIONS];
    unsigned dimensions = orr_app_shape(values, "tiles", counts);
    const char *wrong = NULL;

    if (slabs && dimensions > 2)
        wrong = "--tiles: three numbers need --variant k; --depth has the "
                "columns of A otherwise";
    else if (!slabs && deep)
        wrong = "--depth: with --variant k, --tiles MxNxK has the columns of A";
    if (wrong) {
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, wrong);
        return false;
    }
    if (!deep)
        orr_app_set_count(values, "depth",
                          tile * (slabs ? SLAB_TILES : counts[2]));
    orr_app_set_shape(values, "tiles", counts, slabs ? 2 : 3);
    return true;
}

/* ---- data ---- */

/* A grid of blocks of a matrix, row by row. */
struct blocks {
    unsigned columns;
    struct orr_data **data;
};

struct gemm {
    struct orr_run *run;
    struct orr_kernel *kernel;
    enum orr_layout layout;
    unsigned m, n,
        k; /* tiles of C in a column and in a row; products of each tile */
    uint64_t tile;    /* elements of a side of a tile of C */
    uint64_t depth;   /* columns of a block of A, rows of one of B */
    uint64_t element; /* bytes */
    struct blocks a, b, c;
};

/* Registers @blocks in @rows, each of @height x @width elements, of the matrix
 * @name. */
static void register_blocks(const struct gemm *gemm, struct blocks *blocks,
                            const char *name, unsigned rows, uint64_t height,
                            uint64_t width)
{
    uint64_t bytes = height * gemm->element;
    uint64_t pitch = gemm->layout == ORR_LAYOUT_MATRIX ? bytes * rows : bytes;

    blocks->data = g_new(struct orr_data *, (gsize)rows * blocks->columns);
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < blocks->columns; j++) {
            struct orr_data *data =
                orr_data_register_matrix(gemm->run, bytes, width, pitch);

            orr_data_set_coordinates(data, i, j);
            orr_data_set_name(data, name);
            blocks->data[(gsize)i * blocks->columns + j] = data;
        }
    }
}

static struct orr_data *block_at(const struct blocks *blocks, unsigned i,
                                 unsigned j)
{
    g_assert(blocks->data);
    return blocks->data[(gsize)i * blocks->columns + j];
}

/* ---- tasks ---- */

/* The product of block (@i, @l) of A and block (@l, @j) of B. */
static void submit_product(const struct gemm *gemm, unsigned i, unsigned j,
                           unsigned l)
{
    const struct orr_access accesses[] = {
        {block_at(&gemm->a, i, l), ORR_R},
        {block_at(&gemm->b, l, j), ORR_R},
        {block_at(&gemm->c, i, j), l == 0 ? ORR_W : ORR_RW},
    };
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .accesses = accesses};

    spec.kernel = gemm->kernel;
    spec.count = G_N_ELEMENTS(accesses);
    spec.name = "GEMM";
    orr_task_submit(gemm->run, &spec);
}

static void submit_all(struct gemm *gemm)
{
    gemm->a.columns = gemm->k;
    gemm->b.columns = gemm->n;
    gemm->c.columns = gemm->n;
    register_blocks(gemm, &gemm->a, "A", gemm->m, gemm->tile, gemm->depth);
    register_blocks(gemm, &gemm->b, "B", gemm->k, gemm->depth, gemm->tile);
    register_blocks(gemm, &gemm->c, "C", gemm->m, gemm->tile, gemm->tile);
    for (unsigned j = 0; j < gemm->n; j++) {
        for (unsigned i = 0; i < gemm->m; i++) {
            for (unsigned l = 0; l < gemm->k; l++)
                submit_product(gemm, i, j, l);
            orr_data_wont_use(gemm->run, block_at(&gemm->c, i, j));
        }
    }
    g_free(gemm->a.data);
    g_free(gemm->b.data);
    g_free(gemm->c.data);
}

/* Square blocks, or slabs of four tiles: others are not calibrated. */
static bool find_kernel(struct gemm *gemm, enum orr_kernel_precision precision,
                        GError **error)
{
    const char *name = gemm->depth == gemm->tile ? "gemm" : "gemm_2d";

    if (gemm->depth != gemm->tile && gemm->depth != SLAB_TILES * gemm->tile) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--depth: %" G_GUINT64_FORMAT
                    " is neither one tile nor four, %" G_GUINT64_FORMAT
                    " or %" G_GUINT64_FORMAT
                    ": there is no kernel for other slabs",
                    gemm->depth, gemm->tile, SLAB_TILES * gemm->tile);
        return false;
    }
    gemm->kernel = orr_kernel_find(gemm->run, "gemm", name, precision,
                                   (unsigned)gemm->tile, error);
    if (!gemm->kernel && gemm->depth != gemm->tile)
        g_prefix_error(error, "--variant 2d needs gemm_2d, and k gemm: ");
    return gemm->kernel != NULL;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    bool slabs = orr_app_choice(values, "variant") == SLABS;
    enum orr_kernel_precision precision =
        (enum orr_kernel_precision)orr_app_choice(values, "precision");
    struct gemm gemm = {
        .run = run,
        .layout = (enum orr_layout)orr_app_choice(values, "layout"),
        .tile = orr_app_count(values, "tile"),
        .element =
            precision == ORR_DOUBLE_PRECISION ? sizeof(double) : sizeof(float),
    };
    uint64_t counts[ORR_APP_DIMENSIONS];

    orr_app_shape(values, "tiles", counts);
    gemm.m = (unsigned)counts[0];
    gemm.n = (unsigned)counts[1];
    gemm.k = slabs ? 1 : (unsigned)counts[2];
    gemm.depth = slabs ? orr_app_count(values, "depth") : gemm.tile;
    if (!find_kernel(&gemm, precision, error) ||
        !orr_dense_check_fits(
            run, (2 * gemm.depth + gemm.tile) * gemm.tile * gemm.element,
            "the data of a task", error))
        return false;
    submit_all(&gemm);
    return true;
}

static double tasks(const struct orr_app_values *values)
{
    bool slabs = orr_app_choice(values, "variant") == SLABS;
    uint64_t counts[ORR_APP_DIMENSIONS];

    orr_app_shape(values, "tiles", counts);
    return (double)counts[0] * (double)counts[1] *
           (slabs ? 1 : (double)counts[2]);
}

static double flops(const struct orr_app_values *values)
{
    bool slabs = orr_app_choice(values, "variant") == SLABS;
    double tile = (double)orr_app_count(values, "tile");
    double depth = slabs ? (double)orr_app_count(values, "depth") : tile;

    return 2 * tasks(values) * tile * tile * depth;
}

static const char *const names[] = {"gemm_2d", "gemm", NULL};

const struct orr_app orr_app_gemm = {
    .name = "gemm",
    .summary = "product of matrices, by slabs or by tiles",
    .kernels = names,
    .extras = names,
    .options = options,
    .axis = "tiles",
    .axis_title = "tiles (geometric mean)",
    .scale = "tiles",
    .complete = complete,
    .tasks = tasks,
    .flops = flops,
    .submit = submit,
};
