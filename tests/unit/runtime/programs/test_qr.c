/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* QR: elimination lists, and the graphs that the application submits. */
#include "runtime/programs/qr_tree.h"

#include <math.h>

#include "apps/trace/submitted.h"
#include "models/dag/dag_figures.h"
#include "tests/support/app_values.h"

static const char *const names[] = {"flat", "binary", "greedy", "fibonacci",
                                    "plasma:3"};

/* ---- elimination lists ---- */

static struct orr_qr_plan plan_of(unsigned rows, unsigned columns,
                                  enum orr_qr_tree tree, bool triangles)
{
    return (struct orr_qr_plan){rows, columns, tree, 3, triangles};
}

/* "row-pivot" of the kills of @panel, with * for kind TT. */
static void expect(const struct orr_qr_plan *plan, unsigned panel,
                   const char *expected)
{
    g_autoptr(GPtrArray) panels = orr_qr_kills(plan);
    const GArray *kills = panels->pdata[panel];
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < kills->len; i++) {
        struct orr_qr_kill kill = g_array_index(kills, struct orr_qr_kill, i);

        g_string_append_printf(text, "%u-%u%s ", kill.row, kill.pivot,
                               kill.triangles ? "*" : "");
    }
    assert_string_equal(text->str, expected);
}

static void trees_kill_in_their_order(void **state)
{
    struct orr_qr_plan flat = plan_of(4, 2, ORR_QR_FLAT, false);
    struct orr_qr_plan binary = plan_of(7, 2, ORR_QR_BINARY, true);
    struct orr_qr_plan greedy = plan_of(6, 2, ORR_QR_GREEDY, true);
    struct orr_qr_plan fibonacci = plan_of(8, 2, ORR_QR_FIBONACCI, true);
    struct orr_qr_plan plasma = plan_of(8, 2, ORR_QR_PLASMA, false);

    (void)state;
    expect(&flat, 0, "1-0 2-0 3-0 ");
    expect(&flat, 1, "2-1 3-1 ");
    expect(&binary, 0, "1-0* 3-2* 5-4* 2-0* 6-4* 4-0* ");
    expect(&binary, 1, "2-1* 4-3* 6-5* 3-1* 5-1* ");
    expect(&greedy, 0, "5-2* 4-1* 3-0* 2-1* 1-0* ");
    /* Rows 5, 4, 3 are zero first, then row 2, then row 1. */
    expect(&greedy, 1, "5-4* 4-3* 3-2* 2-1* ");
    expect(&fibonacci, 0, "7-6* 4-1* 5-2* 6-3* 2-0* 3-1* 1-0* ");
    expect(&fibonacci, 1, "5-2* 6-3* 7-4* 3-1* 4-2* 2-1* ");
    expect(&plasma, 0, "1-0 2-0 4-3 5-3 7-6 3-0* 6-0* ");
    expect(&plasma, 1, "2-1 3-1 5-4 6-4 4-1* 7-1* ");
}

/* A row is killed once, by a row that is a triangle and still alive. */
static void check_panel(const struct orr_qr_plan *plan, unsigned panel,
                        const GArray *kills)
{
    bool dead[24] = {false};

    assert_int_equal(kills->len, plan->rows - panel - 1);
    for (guint i = 0; i < kills->len; i++) {
        struct orr_qr_kill kill = g_array_index(kills, struct orr_qr_kill, i);

        assert_true(kill.pivot >= panel && kill.pivot < kill.row);
        assert_true(kill.row < plan->rows);
        assert_false(dead[kill.row]);
        assert_false(dead[kill.pivot]);
        assert_true(orr_qr_is_head(plan, panel, kill.pivot));
        assert_int_equal(orr_qr_is_head(plan, panel, kill.row), kill.triangles);
        dead[kill.row] = true;
    }
}

static void check_plan(const struct orr_qr_plan *plan)
{
    g_autoptr(GPtrArray) panels = orr_qr_kills(plan);

    assert_int_equal(panels->len, MIN(plan->rows, plan->columns));
    for (unsigned k = 0; k < panels->len; k++)
        check_panel(plan, k, panels->pdata[k]);
}

static void check_trees(unsigned rows, unsigned columns)
{
    for (unsigned tree = ORR_QR_FLAT; tree <= ORR_QR_PLASMA; tree++) {
        struct orr_qr_plan plan =
            plan_of(rows, columns, (enum orr_qr_tree)tree, true);

        check_plan(&plan);
        plan.triangles = false;
        if (!orr_qr_needs_triangles(plan.tree))
            check_plan(&plan);
    }
}

static void each_row_is_killed_once_by_a_living_triangle(void **state)
{
    const unsigned limit = orr_tests_share(10) < 10 ? 9 : 24;

    (void)state;
    for (unsigned rows = 1; rows < limit; rows++) {
        for (unsigned columns = 1; columns < limit; columns++)
            check_trees(rows, columns);
    }
}

/* ---- graphs ---- */

struct graph {
    double tasks, work, path; /* work in units of nb^3 / 3 */
    uint32_t data;
};

/* With tiles of 3 x 3, a unit is 9 flops. */
static struct graph graph_of(unsigned rows, unsigned columns,
                             const char *kernels, const char *tree,
                             const char *more)
{
    g_autofree char *options =
        g_strdup_printf("tiles=%ux%u tile=3 kernels=%s tree=%s%s", rows,
                        columns, kernels, tree, more);
    struct orr_app_values *values = app_values("qr", options);
    struct orr_dag *dag = orr_submitted_graph(&orr_app_qr, values, NULL);
    struct orr_dag_figures figures;
    struct graph graph = {.tasks = dag->task_count, .data = dag->datum_count};

    orr_dag_figures(dag, &figures);
    graph.path = figures.path_flops / 9;
    for (uint32_t i = 0; i < dag->task_count; i++)
        graph.work += dag->tasks[i].flops / 9;
    assert_true(orr_app_tasks(values) == graph.tasks);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
    orr_app_values_free(values);
    return graph;
}

static void expect_path(unsigned rows, unsigned columns, const char *kernels,
                        const char *tree, double expected)
{
    struct graph graph = graph_of(rows, columns, kernels, tree, "");

    assert_float_equal(graph.path, expected, 1e-6);
}

/* Formulas of Bouwmeester et al. */
static void flat_trees_have_the_critical_paths_of_the_paper(void **state)
{
    (void)state;
    for (unsigned p = 2; p <= 12; p++) {
        expect_path(p, 1, "tt", "flat", 2 * p + 2);
        expect_path(p, p, "tt", "flat", 22 * p - 24);
        expect_path(p, p, "ts", "flat", 30 * p - 34);
        for (unsigned q = 2; q < p; q++)
            expect_path(p, q, "tt", "flat", 6 * p + 16 * q - 22);
    }
    expect_path(8, 3, "tt", "flat", 74);
    expect_path(15, 6, "tt", "flat", 164);
    expect_path(20, 10, "tt", "flat", 258);
    expect_path(20, 20, "ts", "flat", 566);
    expect_path(40, 40, "ts", "flat", 1166);
    expect_path(20, 10, "ts", "flat", 388);
}

static void binary_trees_have_the_critical_paths_of_the_paper(void **state)
{
    (void)state;
    for (unsigned lg = 1; lg <= 5; lg++) {
        unsigned p = 1u << lg;

        for (unsigned q = 1; q < p; q *= 2)
            expect_path(p, q, "tt", "binary", (10 + 6 * lg) * q - 4 * lg - 6);
    }
    expect_path(8, 4, "tt", "binary", 94);
    expect_path(16, 8, "tt", "binary", 250);
    expect_path(64, 16, "tt", "binary", 706);
}

static void the_work_does_not_depend_on_the_tree(void **state)
{
    (void)state;
    for (unsigned p = 1; p <= 20; p += 3) {
        for (unsigned q = 1; q <= p; q += 2) {
            double work = 2.0 * q * q * (3.0 * p - q);

            for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
                assert_float_equal(graph_of(p, q, "tt", names[i], "").work,
                                   work, 1e-6);
            assert_float_equal(graph_of(p, q, "ts", "flat", "").work, work,
                               1e-6);
            assert_float_equal(graph_of(p, q, "ts", "plasma:3", "").work, work,
                               1e-6);
        }
    }
    assert_float_equal(graph_of(4, 2, "ts", "flat", "").work, 80, 1e-6);
    assert_float_equal(graph_of(20, 10, "tt", "greedy", "").work, 10000, 1e-6);
}

static void full_tiles_make_as_many_tasks_as_lu(void **state)
{
    (void)state;
    assert_true(graph_of(20, 20, "ts", "flat", "").tasks == 2870);
    assert_true(graph_of(40, 40, "ts", "flat", "").tasks == 22140);
}

/* One panel of 3 columns: 1 geqrt and 2 ormqr; two panels if p = 2. */
static void a_flat_matrix_has_as_many_panels_as_rows(void **state)
{
    (void)state;
    assert_true(graph_of(1, 3, "ts", "flat", "").tasks == 3);
    assert_true(graph_of(2, 3, "ts", "flat", "").tasks == 8);
}

/* 4 tiles, 2 halves more on the diagonal, a T for each geqrt and each kill. */
static void only_tiles_that_geqrt_factors_have_halves(void **state)
{
    (void)state;
    assert_int_equal(graph_of(2, 2, "ts", "flat", "").data, 4 + 2 + 3);
    assert_int_equal(graph_of(2, 2, "tt", "flat", "").data, 4 + 3 + 4);
    assert_int_equal(graph_of(2, 2, "tt", "flat", " halves=whole").data, 4 + 4);
}

/* geqrt 4, ormqr 6, then tpqrt 6 waits for ormqr, which reads the tile. */
static void whole_tiles_make_kills_wait_for_updates(void **state)
{
    struct graph split = graph_of(10, 10, "ts", "flat", "");
    struct graph whole = graph_of(10, 10, "ts", "flat", " halves=whole");

    (void)state;
    assert_true(whole.path > split.path);
    assert_float_equal(whole.work, split.work, 1e-6);
}

/* ---- docs/QR.md ---- */

/* Checks the path in a cell of the table, "254 (`plasma:10`)". */
static void check_cell(unsigned p, unsigned q, const char *cell,
                       const char *kernels, const char *tree)
{
    const char *name = g_strstr_len(cell, -1, "`");
    g_autofree char *named =
        name ? g_strndup(name + 1, strcspn(name + 1, "`")) : g_strdup(tree);

    expect_path(p, q, kernels, named, g_ascii_strtod(cell, NULL));
}

/* The last cell has the trees with the shortest path. */
static void check_best(char **cells)
{
    static const char *const columns[] = {"flat", "binary", "fibonacci",
                                          "greedy", "plasma"};
    double best = INFINITY;

    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++)
        best = MIN(best, g_ascii_strtod(cells[i + 4], NULL));
    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++)
        assert_int_equal(strstr(cells[9], columns[i]) != NULL,
                         g_ascii_strtod(cells[i + 4], NULL) == best);
}

static void check_row(const char *line)
{
    g_auto(GStrv) cells = g_strsplit(line, "|", -1);
    unsigned p, q;

    assert_int_equal(g_strv_length(cells), 11);
    for (unsigned i = 0; cells[i]; i++)
        g_strstrip(cells[i]);
    p = (unsigned)g_ascii_strtoull(cells[1], NULL, 10);
    q = (unsigned)g_ascii_strtoull(cells[2], NULL, 10);
    check_cell(p, q, cells[3], "ts", "flat");
    check_cell(p, q, cells[4], "tt", "flat");
    check_cell(p, q, cells[5], "tt", "binary");
    check_cell(p, q, cells[6], "tt", "fibonacci");
    check_cell(p, q, cells[7], "tt", "greedy");
    check_cell(p, q, cells[8], "tt", NULL);
    check_best(cells);
}

static void the_table_of_the_documents_is_right(void **state)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;
    unsigned rows = 0;

    (void)state;
    assert_true(
        g_file_get_contents(ORR_SOURCE_DIR "/docs/QR.md", &text, NULL, NULL));
    lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        if (!g_str_has_prefix(*line, "| ") || !g_ascii_isdigit((*line)[2]))
            continue;
        check_row(*line);
        rows++;
    }
    assert_true(rows >= 20);
}

/* ---- values ---- */

static bool completes(const char *options, const char *message)
{
    struct orr_app_values *values = orr_app_values_new(&orr_app_qr);
    g_auto(GStrv) items = g_strsplit(options, " ", -1);
    g_autoptr(GError) error = NULL;
    bool good;

    for (char **item = items; *item; item++) {
        char *sign = strchr(*item, '=');

        *sign = '\0';
        assert_true(orr_app_values_give(values, *item, sign + 1, NULL));
    }
    good = orr_app_values_complete(values, &error);
    if (!good)
        assert_non_null(strstr(error->message, message));
    orr_app_values_free(values);
    return good;
}

static void wrong_trees_and_inner_blocks_are_refused(void **state)
{
    static const char *const wrong[] = {"plasma", "plasma:0", "plasma:x",
                                        "oak",    "flat:2",   "plasma:-1"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *options = g_strconcat("tree=", wrong[i], NULL);

        assert_false(completes(options, wrong[i]));
    }
    assert_false(completes("tree=greedy", "needs --kernels tt"));
    assert_false(completes("tree=binary kernels=ts", "needs --kernels tt"));
    assert_true(completes("tree=plasma:4 kernels=ts", ""));
    assert_false(completes("tile=32 inner=33", "--inner: 33"));
    assert_true(completes("tile=32", ""));
}

ORR_TESTS(qr)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_kill_in_their_order),
        cmocka_unit_test(each_row_is_killed_once_by_a_living_triangle),
        cmocka_unit_test(flat_trees_have_the_critical_paths_of_the_paper),
        cmocka_unit_test(binary_trees_have_the_critical_paths_of_the_paper),
        cmocka_unit_test(the_work_does_not_depend_on_the_tree),
        cmocka_unit_test(full_tiles_make_as_many_tasks_as_lu),
        cmocka_unit_test(a_flat_matrix_has_as_many_panels_as_rows),
        cmocka_unit_test(only_tiles_that_geqrt_factors_have_halves),
        cmocka_unit_test(whole_tiles_make_kills_wait_for_updates),
        cmocka_unit_test(the_table_of_the_documents_is_right),
        cmocka_unit_test(wrong_trees_and_inner_blocks_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
