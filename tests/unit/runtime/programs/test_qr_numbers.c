/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * QR, computed: LAPACK's kernels run the tasks of the graph that the
 * application submits, in random orders that its dependencies allow. What comes
 * out must be the factors of the matrix, so the graph lacks no dependency.
 *
 * Each datum has memory of its own. A task gets copies of what it declares; all
 * else is NaN, so a kernel that reads what its task does not declare spoils the
 * factors. The options are named tile=9 and inner=3 to tell the data apart by
 * their size.
 */
#include <lapacke.h>
#include <math.h>
#include <stdio.h>

#include "apps/trace/submitted.h"
#include "models/dag/dag_dependencies.h"
#include "models/rng.h"
#include "tests/support/app_values.h"

enum { NB = 9, IB = 3, TILE = NB * NB };

enum part { WHOLE, UPPER, LOWER, FACTOR };

/* A matrix of tiles, each column by column, that tasks of @dag factor. */
struct matrix {
    unsigned rows, columns;
    struct orr_dag *dag;
    double (*tiles)[TILE]; /* as given, row by row */
    double (*data)[TILE];  /* by datum; parts outside the datum are NaN */
    uint32_t *order;       /* tasks as they ran */
};

/* ---- data ---- */

static enum part part_of(const struct matrix *matrix, uint32_t datum)
{
    switch (matrix->dag->data[datum].bytes / sizeof(double)) {
    case TILE:
        return WHOLE;
    case (NB + 1) / 2 * NB:
        return UPPER;
    case NB / 2 * NB:
        return LOWER;
    default:
        assert_int_equal(matrix->dag->data[datum].bytes,
                         sizeof(double) * IB * NB);
        return FACTOR;
    }
}

static bool holds(enum part part, unsigned element)
{
    bool is_below = element % NB > element / NB;

    switch (part) {
    case UPPER:
        return !is_below;
    case LOWER:
        return is_below;
    case FACTOR:
        return element < IB * NB;
    default:
        return true;
    }
}

/* The number of the tile to which @datum belongs. */
static unsigned tile_of(const struct matrix *matrix, uint32_t datum)
{
    uint32_t text = matrix->dag->data[datum].coordinates;
    unsigned row, column;

    assert_int_equal(
        sscanf(orr_dag_text(matrix->dag, text), "%u %u", &row, &column), 2);
    return row * matrix->columns + column;
}

static void copy_part(double *to, const double *from, enum part part)
{
    for (unsigned e = 0; e < TILE; e++) {
        if (holds(part, e))
            to[e] = from[e];
    }
}

static void fill(double *values)
{
    for (unsigned e = 0; e < TILE; e++)
        values[e] = NAN;
}

/* ---- tasks ---- */

/* A tile or a T factor, from one datum or two that a task accesses. */
struct operand {
    unsigned tile;
    unsigned parts;
    uint32_t data[2];
    bool written;
    double values[TILE];
};

struct operands {
    unsigned count;
    struct operand all[4];
};

static bool is_other_half(const struct matrix *matrix,
                          const struct operand *operand, uint32_t datum)
{
    return operand->parts == 1 && part_of(matrix, datum) == LOWER &&
           part_of(matrix, operand->data[0]) == UPPER &&
           tile_of(matrix, datum) == operand->tile;
}

static void add_access(const struct matrix *matrix, struct operands *operands,
                       const struct orr_dag_access *access)
{
    unsigned last = operands->count;
    struct operand *operand;
    enum part part = part_of(matrix, access->datum);

    if (last == 0 ||
        !is_other_half(matrix, &operands->all[last - 1], access->datum)) {
        assert_true(last < G_N_ELEMENTS(operands->all));
        operand = &operands->all[operands->count++];
        operand->parts = 0;
        fill(operand->values);
        if (part != FACTOR)
            operand->tile = tile_of(matrix, access->datum);
    }
    operand = &operands->all[operands->count - 1];
    operand->data[operand->parts++] = access->datum;
    operand->written = access->mode & ORR_DAG_WRITE;
    if (access->mode & ORR_DAG_READ)
        copy_part(operand->values, matrix->data[access->datum], part);
}

static void find_operands(const struct matrix *matrix, uint32_t task,
                          struct operands *operands)
{
    const struct orr_dag_task *tasks = matrix->dag->tasks;

    *operands = (struct operands){0};
    for (uint32_t a = tasks[task].first_access;
         a < tasks[task + 1].first_access; a++)
        add_access(matrix, operands, &matrix->dag->accesses[a]);
}

static void write_back(struct matrix *matrix, const struct operands *operands)
{
    for (unsigned i = 0; i < operands->count; i++) {
        const struct operand *operand = &operands->all[i];

        for (unsigned p = 0; operand->written && p < operand->parts; p++)
            copy_part(matrix->data[operand->data[p]], operand->values,
                      part_of(matrix, operand->data[p]));
    }
}

static void apply(char trans, int triangle, const double *v, const double *t,
                  double *a, double *b)
{
    assert_int_equal(LAPACKE_dtpmqrt(LAPACK_COL_MAJOR, 'L', trans, NB, NB, NB,
                                     triangle, IB, v, NB, t, IB, a, NB, b, NB),
                     0);
}

static void apply_head(char trans, const double *v, const double *t, double *c)
{
    assert_int_equal(LAPACKE_dgemqrt(LAPACK_COL_MAJOR, 'L', trans, NB, NB, NB,
                                     IB, v, NB, t, IB, c, NB),
                     0);
}

/* The l of LAPACK: rows of the triangle in the tile that is killed. */
static int triangle_of(const char *kernel)
{
    return kernel[1] == 'T' ? NB : 0;
}

/* Whether @kernel makes reflections; others apply them. */
static bool factors(const char *kernel)
{
    return strcmp(kernel + 1, "EQRT") == 0 || strcmp(kernel + 2, "QRT") == 0;
}

static void compute(struct matrix *matrix, uint32_t task)
{
    const char *kernel =
        orr_dag_text(matrix->dag, matrix->dag->tasks[task].name);
    struct operands operands;
    struct operand *all = operands.all;

    find_operands(matrix, task, &operands);
    if (strcmp(kernel, "GEQRT") == 0)
        assert_int_equal(LAPACKE_dgeqrt(LAPACK_COL_MAJOR, NB, NB, IB,
                                        all[0].values, NB, all[1].values, IB),
                         0);
    else if (strcmp(kernel, "ORMQR") == 0)
        apply_head('T', all[0].values, all[1].values, all[2].values);
    else if (factors(kernel))
        assert_int_equal(LAPACKE_dtpqrt(LAPACK_COL_MAJOR, NB, NB,
                                        triangle_of(kernel), IB, all[0].values,
                                        NB, all[1].values, NB, all[2].values,
                                        IB),
                         0);
    else
        apply('T', triangle_of(kernel), all[0].values, all[1].values,
              all[2].values, all[3].values);
    write_back(matrix, &operands);
}

/* ---- orders ---- */

static bool may_run(const struct orr_dag_nodes *nodes, const bool *done,
                    uint32_t node)
{
    const uint32_t *before = nodes->before + nodes->first[node];

    if (done[node])
        return false;
    for (uint32_t i = 0; i < nodes->counts[node]; i++) {
        if (!done[before[i]])
            return false;
    }
    return true;
}

/* Runs all tasks, each time one of those that may run, with @seed. */
static void run(struct matrix *matrix, unsigned kinds, uint64_t seed)
{
    struct orr_dag_nodes nodes;
    uint32_t *ready, count = 0;
    bool *done;

    orr_dag_dependencies(matrix->dag, kinds, &nodes);
    ready = g_new(uint32_t, nodes.count);
    done = g_new0(bool, nodes.count);
    for (uint32_t step = 0; step < nodes.count; step++) {
        uint32_t some = 0, node;

        for (uint32_t i = 0; i < nodes.count; i++) {
            if (may_run(&nodes, done, i))
                ready[some++] = i;
        }
        g_assert(some > 0);
        node = ready[orr_rng_bits(seed, 1, step) % some];
        done[node] = true;
        if (node >= matrix->dag->task_count) /* a join */
            continue;
        compute(matrix, node);
        matrix->order[count++] = node;
    }
    assert_int_equal(count, matrix->dag->task_count);
    g_free(ready);
    g_free(done);
    orr_dag_dependencies_clear(&nodes);
}

/* ---- Q R ---- */

static double *tile_at(const struct matrix *matrix, double (*tiles)[TILE],
                       unsigned head, unsigned j)
{
    return tiles[head / matrix->columns * matrix->columns + j];
}

/* The factor R: on and above the diagonal, from the data after the run. */
static double (*take_r(const struct matrix *matrix))[TILE]
{
    unsigned count = matrix->rows * matrix->columns;
    double(*r)[TILE] = g_malloc0_n(count, sizeof *r);

    for (uint32_t d = 0; d < matrix->dag->datum_count; d++) {
        enum part part = part_of(matrix, d);
        unsigned tile = part == FACTOR ? 0 : tile_of(matrix, d);
        unsigned i = tile / matrix->columns, j = tile % matrix->columns;

        if (part == FACTOR || part == LOWER || i > j)
            continue;
        copy_part(r[tile], matrix->data[d], i == j ? UPPER : part);
    }
    return r;
}

/* Applies the reflections of @task to the rows of its tiles. */
static void reflect(struct matrix *matrix, uint32_t task, double (*tiles)[TILE])
{
    const char *kernel =
        orr_dag_text(matrix->dag, matrix->dag->tasks[task].name);
    struct operands operands;
    struct operand *all = operands.all;

    if (!factors(kernel))
        return;
    find_operands(matrix, task, &operands);
    for (unsigned i = 0; i < operands.count; i++)
        copy_part(all[i].values, matrix->data[all[i].data[0]],
                  part_of(matrix, all[i].data[0]));
    for (unsigned j = 0; j < matrix->columns; j++) {
        double *first = tile_at(matrix, tiles, all[0].tile, j);

        if (operands.count == 2)
            apply_head('N', all[0].values, all[1].values, first);
        else
            apply('N', triangle_of(kernel), all[1].values, all[2].values, first,
                  tile_at(matrix, tiles, all[1].tile, j));
    }
}

/* |A - QR| / |A|, in the norm of Frobenius. */
static double residual(struct matrix *matrix)
{
    unsigned count = matrix->rows * matrix->columns;
    double(*tiles)[TILE] = take_r(matrix);
    double difference = 0, norm = 0;

    for (uint32_t i = matrix->dag->task_count; i-- > 0;)
        reflect(matrix, matrix->order[i], tiles);
    for (unsigned t = 0; t < count; t++) {
        for (unsigned e = 0; e < TILE; e++) {
            double error = matrix->tiles[t][e] - tiles[t][e];

            difference += error * error;
            norm += matrix->tiles[t][e] * matrix->tiles[t][e];
        }
    }
    g_free(tiles);
    return sqrt(difference / norm);
}

/* ---- tests ---- */

static struct orr_dag *graph_of(unsigned rows, unsigned columns,
                                const char *options)
{
    g_autofree char *all =
        g_strdup_printf("tiles=%ux%u tile=%d inner=%d precision=double %s",
                        rows, columns, NB, IB, options);
    struct orr_app_values *values = app_values("qr", all);
    struct orr_dag *dag = orr_submitted_graph(&orr_app_qr, values, NULL);

    assert_non_null(dag);
    orr_app_values_free(values);
    return dag;
}

/* Random numbers in [-1, 1). */
static void init(struct matrix *matrix, uint64_t seed)
{
    unsigned count = matrix->rows * matrix->columns;

    matrix->tiles = g_malloc_n(count, sizeof *matrix->tiles);
    for (unsigned t = 0; t < count; t++) {
        for (unsigned e = 0; e < TILE; e++)
            matrix->tiles[t][e] =
                2 * orr_rng_uniform(seed, 0, (uint64_t)t * TILE + e) - 1;
    }
    matrix->data = g_malloc_n(matrix->dag->datum_count, sizeof *matrix->data);
    for (uint32_t d = 0; d < matrix->dag->datum_count; d++) {
        fill(matrix->data[d]);
        if (part_of(matrix, d) != FACTOR)
            copy_part(matrix->data[d], matrix->tiles[tile_of(matrix, d)],
                      part_of(matrix, d));
    }
    matrix->order = g_new(uint32_t, matrix->dag->task_count);
}

/* The residual after a run in an order that dependencies of @kinds allow. */
static double factor(unsigned rows, unsigned columns, const char *options,
                     unsigned kinds, uint64_t seed)
{
    struct matrix matrix = {rows, columns, graph_of(rows, columns, options),
                            NULL, NULL,    NULL};
    double error;

    init(&matrix, seed);
    run(&matrix, kinds, seed);
    error = residual(&matrix);
    g_free(matrix.order);
    g_free(matrix.data);
    g_free(matrix.tiles);
    orr_dag_free(matrix.dag);
    return error;
}

static const char *const variants[] = {
    "kernels=ts tree=flat",
    "kernels=ts tree=plasma:2",
    "kernels=ts tree=plasma:3",
    "kernels=tt tree=flat",
    "kernels=tt tree=binary",
    "kernels=tt tree=greedy",
    "kernels=tt tree=fibonacci",
    "kernels=tt tree=plasma:2",
    "kernels=ts tree=flat halves=whole",
    "kernels=tt tree=greedy halves=whole",
};

static void check(unsigned rows, unsigned columns, const char *options,
                  uint64_t seed)
{
    double error =
        factor(rows, columns, options, ORR_DAG_FLOW | ORR_DAG_EDGES, seed);

    if (!(error < 1e-13))
        fail_msg("%s, seed %u: |A - QR| / |A| is %g", options, (unsigned)seed,
                 error);
}

static void check_each_order(unsigned rows, unsigned columns)
{
    for (unsigned v = 0; v < G_N_ELEMENTS(variants); v++) {
        for (uint64_t seed = 0; seed < 8; seed++)
            check(rows, columns, variants[v], seed);
    }
}

static void a_tall_matrix_is_factored(void **state)
{
    (void)state;
    check_each_order(6, 4);
}

static void a_square_matrix_is_factored(void **state)
{
    (void)state;
    check_each_order(5, 5);
}

static void the_first_columns_of_a_flat_matrix_are_factored(void **state)
{
    (void)state;
    check_each_order(4, 6);
}

static void without_dependencies_the_factors_are_wrong(void **state)
{
    (void)state;
    for (unsigned v = 0; v < G_N_ELEMENTS(variants); v++)
        assert_false(factor(6, 4, variants[v], 0, 1) < 0.1);
}

ORR_TESTS(qr_numbers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tall_matrix_is_factored),
        cmocka_unit_test(a_square_matrix_is_factored),
        cmocka_unit_test(the_first_columns_of_a_flat_matrix_are_factored),
        cmocka_unit_test(without_dependencies_the_factors_are_wrong),
    };

    LAPACKE_set_nancheck(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
