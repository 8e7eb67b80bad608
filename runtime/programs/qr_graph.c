/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/qr_graph.h"

/* The most data of a task: two that it reads, and two tiles in halves. */
enum { MAX_ACCESSES = 6 };

/* A tile, and the factors that its elimination leaves. */
struct tile {
    struct orr_data *upper; /* R, or the whole tile */
    struct orr_data *lower; /* V; NULL: upper is the whole tile */
    struct orr_data *head;  /* T of geqrt; NULL: none */
    struct orr_data
        *kill; /* T of the kill that eliminates this row; NULL: none */
};

struct graph {
    const struct orr_qr *qr;
    struct tile *tiles; /* row by row */
};

struct task {
    unsigned count;
    struct orr_access accesses[MAX_ACCESSES];
};

static struct tile *tile_at(const struct graph *graph, unsigned i, unsigned j)
{
    return &graph->tiles[(gsize)i * graph->qr->plan.columns + j];
}

/* ---- data ---- */

static void name_data(struct orr_data *data, const char *matrix, unsigned i,
                      unsigned j)
{
    orr_data_set_coordinates(data, i, j);
    orr_data_set_name(data, matrix);
}

/* Two halves are together as large as a tile: nb columns of half its length,
 * with the diagonal, half a column, in the upper one. */
static void register_tile(const struct graph *graph, unsigned i, unsigned j)
{
    const struct orr_qr *qr = graph->qr;
    struct orr_run *run = qr->dense.run;
    struct orr_tile_shape shape = orr_dense_tile_shape(&qr->dense);
    struct tile *tile = tile_at(graph, i, j);
    uint64_t element = shape.column_bytes / shape.columns;
    uint64_t below = shape.columns / 2 * element;

    if (!qr->whole && below > 0 && orr_qr_is_head(&qr->plan, j, i)) {
        shape.column_bytes -= below;
        tile->lower = orr_data_register_matrix(run, below, shape.columns,
                                               shape.pitch_bytes);
        name_data(tile->lower, "V", i, j);
    }
    tile->upper = orr_data_register_matrix(run, shape.column_bytes,
                                           shape.columns, shape.pitch_bytes);
    name_data(tile->upper, tile->lower ? "R" : "A", i, j);
}

static struct orr_data *register_factor(const struct graph *graph,
                                        const char *matrix, unsigned i,
                                        unsigned k)
{
    const struct orr_qr *qr = graph->qr;
    struct orr_tile_shape shape = orr_dense_tile_shape(&qr->dense);
    uint64_t bytes = shape.column_bytes / shape.columns * qr->inner;

    struct orr_data *factor =
        orr_data_register_matrix(qr->dense.run, bytes, shape.columns, bytes);

    name_data(factor, matrix, i, k);
    return factor;
}

/* Tiles row by row, then factors. */
static void register_all(struct graph *graph)
{
    const struct orr_qr_plan *plan = &graph->qr->plan;

    graph->tiles = g_new0(struct tile, (gsize)plan->rows * plan->columns);
    for (unsigned i = 0; i < plan->rows; i++) {
        for (unsigned j = 0; j < plan->columns; j++)
            register_tile(graph, i, j);
    }
    for (unsigned i = 0; i < plan->rows; i++) {
        for (unsigned k = 0; k <= i && k < plan->columns; k++) {
            if (orr_qr_is_head(plan, k, i))
                tile_at(graph, i, k)->head = register_factor(graph, "T", i, k);
            if (i > k)
                tile_at(graph, i, k)->kill = register_factor(graph, "TK", i, k);
        }
    }
}

/* ---- tasks ---- */

static void add(struct task *task, struct orr_data *data,
                enum orr_access_mode mode)
{
    if (data)
        task->accesses[task->count++] = (struct orr_access){data, mode};
}

static void add_tile(struct task *task, const struct tile *tile)
{
    add(task, tile->upper, ORR_RW);
    add(task, tile->lower, ORR_RW);
}

static int priority_of(const struct graph *graph, unsigned column)
{
    unsigned panels = orr_qr_panels(&graph->qr->plan);

    return column < panels ? (int)(2 * (panels - column)) : 0;
}

static void submit(const struct graph *graph, unsigned kernel, int priority,
                   const struct task *task)
{
    orr_dense_submit(&graph->qr->dense, kernel, priority, task->accesses,
                     task->count);
}

static void submit_head(const struct graph *graph, unsigned i, unsigned k)
{
    const struct tile *tile = tile_at(graph, i, k);
    struct task geqrt = {0};

    add_tile(&geqrt, tile);
    add(&geqrt, tile->head, ORR_W);
    submit(graph, ORR_QR_GEQRT, priority_of(graph, k), &geqrt);
    for (unsigned j = k + 1; j < graph->qr->plan.columns; j++) {
        struct task ormqr = {0};

        add(&ormqr, tile->lower ? tile->lower : tile->upper, ORR_R);
        add(&ormqr, tile->head, ORR_R);
        add_tile(&ormqr, tile_at(graph, i, j));
        submit(graph, ORR_QR_ORMQR, priority_of(graph, j) + 1, &ormqr);
    }
}

static void submit_kill(const struct graph *graph, unsigned k,
                        struct orr_qr_kill kill)
{
    const struct tile *pivot = tile_at(graph, kill.pivot, k);
    const struct tile *tile = tile_at(graph, kill.row, k);
    struct task panel = {0};

    add(&panel, pivot->upper, ORR_RW);
    add(&panel, tile->upper, ORR_RW);
    add(&panel, tile->kill, ORR_W);
    submit(graph, kill.triangles ? ORR_QR_TTQRT : ORR_QR_TPQRT,
           priority_of(graph, k), &panel);
    for (unsigned j = k + 1; j < graph->qr->plan.columns; j++) {
        struct task update = {0};

        add(&update, tile->upper, ORR_R);
        add(&update, tile->kill, ORR_R);
        add_tile(&update, tile_at(graph, kill.pivot, j));
        add_tile(&update, tile_at(graph, kill.row, j));
        submit(graph, kill.triangles ? ORR_QR_TTMQR : ORR_QR_TPMQRT,
               priority_of(graph, j) + 1, &update);
    }
}

static void submit_panel(const struct graph *graph, unsigned k,
                         const GArray *kills)
{
    const struct orr_qr_plan *plan = &graph->qr->plan;

    for (unsigned i = k; i < plan->rows; i++) {
        if (orr_qr_is_head(plan, k, i))
            submit_head(graph, i, k);
    }
    for (guint n = 0; n < kills->len; n++)
        submit_kill(graph, k, g_array_index(kills, struct orr_qr_kill, n));
}

void orr_qr_submit(const struct orr_qr *qr)
{
    struct graph graph = {.qr = qr};
    GPtrArray *panels = orr_qr_kills(&qr->plan);

    register_all(&graph);
    for (unsigned k = 0; k < panels->len; k++)
        submit_panel(&graph, k, panels->pdata[k]);
    g_ptr_array_unref(panels);
    g_free(graph.tiles);
}
