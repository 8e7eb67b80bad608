/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tiled QR factorisation with an elimination tree. qr_tree.h has the trees,
 * qr_graph.h the kernels, the data and the priorities. If the matrix has fewer
 * rows than columns, the first columns are factored, as many as there are rows,
 * and the others are updated.
 */
#include <string.h>

#include "models/base/error.h"
#include "runtime/programs/programs.h"
#include "runtime/programs/qr_graph.h"

enum { TS, TT };

static const char *const kernel_sets[] = {[TS] = "ts", [TT] = "tt", NULL};

enum { SPLIT, WHOLE };

static const char *const halves[] = {
    [SPLIT] = "split", [WHOLE] = "whole", NULL};

static const char *const trees[] = {
    [ORR_QR_FLAT] = "flat",     [ORR_QR_BINARY] = "binary",
    [ORR_QR_GREEDY] = "greedy", [ORR_QR_FIBONACCI] = "fibonacci",
    [ORR_QR_PLASMA] = "plasma",
};

static const struct orr_app_option options[] = {
    {"tiles", "PxQ", "tiles in each column and each row", ORR_APP_SHAPE, 1,
     ORR_DENSE_MAX_TILES, "20", NULL},
    {"size", "MxN", "rows and columns of the matrix (instead of --tiles)",
     ORR_APP_SHAPE, 1, ORR_DENSE_MAX_SIZE, NULL, NULL},
    {"tile", "NB", "rows of a tile", ORR_APP_COUNT, 1, ORR_DENSE_MAX_TILE,
     "960", NULL},
    {"inner", "IB", "columns of an inner block: rows of T factors",
     ORR_APP_COUNT, 1, ORR_DENSE_MAX_TILE, "48", NULL},
    {"kernels", "SET", "ts (full tiles) or tt (triangles)", ORR_APP_CHOICE, 0,
     0, "ts", kernel_sets},
    {"tree", "TREE", "flat, binary, greedy, fibonacci or plasma:BS",
     ORR_APP_TEXT, 0, 0, "flat", NULL},
    {"halves", "H", "V and R of a tile are split, or the tile is whole",
     ORR_APP_CHOICE, 0, 0, "split", halves},
    {"precision", "P", "single or double", ORR_APP_CHOICE, 0, 0, "single",
     orr_dense_precisions},
    {"layout", "L", "how tiles are stored: tiles or matrix", ORR_APP_CHOICE, 0,
     0, "tiles", orr_dense_layouts},
    {0},
};

/* ---- values ---- */

/* Sets tree and domain of @plan from @text. */
static bool parse_tree(const char *text, struct orr_qr_plan *plan)
{
    const char *colon = strchr(text, ':');
    guint64 domain = 0;

    if (colon) {
        plan->tree = ORR_QR_PLASMA;
        if (!g_str_has_prefix(text, "plasma:") ||
            !g_ascii_string_to_unsigned(
                colon + 1, 10, 1, (guint64)ORR_DENSE_MAX_TILES, &domain, NULL))
            return false;
        plan->domain = (unsigned)domain;
        return true;
    }
    for (unsigned i = 0; i < ORR_QR_PLASMA; i++) {
        if (strcmp(text, trees[i]) == 0) {
            plan->tree = (enum orr_qr_tree)i;
            return true;
        }
    }
    return false;
}

/* Sets @plan from the options; fails if the tree is not valid. */
static bool find_plan(const struct orr_app_values *values,
                      struct orr_qr_plan *plan)
{
    uint64_t tiles[ORR_APP_DIMENSIONS];

    orr_app_shape(values, "tiles", tiles);
    *plan = (struct orr_qr_plan){
        .rows = (unsigned)tiles[0],
        .columns = (unsigned)tiles[1],
        .triangles = orr_app_choice(values, "kernels") == TT,
    };
    return parse_tree(orr_app_text(values, "tree"), plan);
}

static bool check_tree(const struct orr_app_values *values, GError **error)
{
    const char *text = orr_app_text(values, "tree");
    struct orr_qr_plan plan;

    if (!find_plan(values, &plan)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--tree: '%s' is none of flat, binary, greedy, fibonacci, "
                    "plasma:BS with BS rows of tiles from 1 on",
                    text);
        return false;
    }
    if (plan.triangles || !orr_qr_needs_triangles(plan.tree))
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--tree: %s combines triangles, which needs --kernels tt; with "
                "ts there are flat and plasma:BS",
                text);
    return false;
}

/* Checks --inner; its default, for large tiles, is reduced for smaller ones. */
static bool check_inner(struct orr_app_values *values, GError **error)
{
    uint64_t tile = orr_app_count(values, "tile");
    uint64_t inner = orr_app_count(values, "inner");

    if (inner <= tile)
        return true;
    if (!orr_app_is_given(values, "inner")) {
        orr_app_set_count(values, "inner", tile);
        return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--inner: %" G_GUINT64_FORMAT
                " columns are more than the tile has, %" G_GUINT64_FORMAT,
                inner, tile);
    return false;
}

static bool check_dimensions(const struct orr_app_values *values,
                             const char *name, GError **error)
{
    uint64_t counts[ORR_APP_DIMENSIONS];

    if (orr_app_shape(values, name, counts) <= 2)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--%s: a matrix has two dimensions", name);
    return false;
}

/* Completes the size from the tiles, or the tiles from the size. */
static bool complete_size(struct orr_app_values *values, GError **error)
{
    uint64_t tile = orr_app_count(values, "tile");
    uint64_t tiles[ORR_APP_DIMENSIONS], size[ORR_APP_DIMENSIONS];
    bool has_size = orr_app_is_given(values, "size");

    orr_app_shape(values, "tiles", tiles);
    orr_app_shape(values, "size", size);
    if (has_size && orr_app_is_given(values, "tiles")) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "--tiles and --size cannot be combined");
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (has_size && !orr_dense_check_size(size[i], tile, error))
            return false;
        if (has_size)
            tiles[i] = size[i] / tile;
        else
            size[i] = tiles[i] * tile;
    }
    orr_app_set_shape(values, "tiles", tiles, 2);
    orr_app_set_shape(values, "size", size, 2);
    return true;
}

static void remark_on_shape(struct orr_app_values *values)
{
    uint64_t tiles[ORR_APP_DIMENSIONS];
    g_autofree char *text = NULL;

    orr_app_shape(values, "tiles", tiles);
    if (tiles[0] >= tiles[1])
        return;
    text = g_strdup_printf(
        "%" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT
        " tiles have fewer rows than columns: the first %" G_GUINT64_FORMAT
        " columns of tiles are factored, the others are only updated",
        tiles[0], tiles[1], tiles[0]);
    orr_app_remark(values, text);
}

static bool complete(struct orr_app_values *values, GError **error)
{
    if (!check_dimensions(values, "tiles", error) ||
        !check_dimensions(values, "size", error) ||
        !complete_size(values, error))
        return false;
    remark_on_shape(values);
    return check_tree(values, error) && check_inner(values, error);
}

/* ---- kernels ---- */

static const struct orr_dense_family family = {
    "qr",
    {
        [ORR_QR_GEQRT] = {"geqrt", false, "GEQRT", "GEQRT"},
        [ORR_QR_ORMQR] = {"ormqr", false, "ORMQR", "ORMQR"},
        [ORR_QR_TPQRT] = {"tpqrt", false, "TPQRT", "TPQRT"},
        [ORR_QR_TPMQRT] = {"tpmqrt", false, "TPMQRT", "TPMQRT"},
        [ORR_QR_TTQRT] = {"ttqrt", false, "TTQRT", "TTQRT"},
        [ORR_QR_TTMQR] = {"ttmqr", false, "TTMQR", "TTMQR"},
    }};

/* Returns a bit mask of the kernels that tasks need; the platform may lack the
 * others. */
static uint32_t needed(const struct orr_qr_plan *plan)
{
    const uint32_t heads = 1u << ORR_QR_GEQRT | 1u << ORR_QR_ORMQR;
    const uint32_t full = 1u << ORR_QR_TPQRT | 1u << ORR_QR_TPMQRT;
    const uint32_t triangles = 1u << ORR_QR_TTQRT | 1u << ORR_QR_TTMQR;

    if (plan->triangles)
        return heads | triangles;
    if (plan->tree != ORR_QR_PLASMA || plan->domain >= plan->rows)
        return heads | full;
    /* A domain of one row has no full tile to eliminate. */
    return heads | triangles | (plan->domain > 1 ? full : 0);
}

static const char *const names[] = {"geqrt", "ormqr", "tpqrt", "tpmqrt",
                                    "ttqrt", "ttmqr", NULL};

static const char *const extras[] = {"ttqrt", "ttmqr", NULL};

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    struct orr_qr qr = {
        .whole = orr_app_choice(values, "halves") == WHOLE,
        .inner = (unsigned)orr_app_count(values, "inner"),
    };

    find_plan(values, &qr.plan);
    if (!orr_dense_init(&qr.dense, run, values, &family, needed(&qr.plan),
                        error))
        return false;
    orr_qr_submit(&qr);
    return true;
}

static double tasks(const struct orr_app_values *values)
{
    struct orr_qr_plan plan;

    find_plan(values, &plan);
    return orr_qr_tasks(&plan);
}

/* Operations of LAPACK's dgeqrf. */
static double flops(const struct orr_app_values *values)
{
    uint64_t size[ORR_APP_DIMENSIONS];
    double low, high;

    orr_app_shape(values, "size", size);
    low = (double)MIN(size[0], size[1]);
    high = (double)MAX(size[0], size[1]);
    return 2 * low * low * (high - low / 3);
}

const struct orr_app orr_app_qr = {
    .name = "qr",
    .summary = "tiled QR factorisation with an elimination tree",
    .kernels = names,
    .extras = extras,
    .options = options,
    .axis = "size",
    .axis_title = "matrix size (geometric mean)",
    .scale = "tiles",
    .complete = complete,
    .tasks = tasks,
    .flops = flops,
    .submit = submit,
};
