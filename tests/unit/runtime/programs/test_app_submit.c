/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that run applications. On cpu-only.xml, cholesky is measured at tile
 * 1000: potrf takes 80 ms, trsm and syrk 50, gemm 100. */
#include <orrery_app.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/temp_file.h"

/* A run without overheads on the only worker of cpu-only.xml. */
static struct orr_run *new_run(void)
{
    g_autofree char *platform = source_file("tests/platforms/cpu-only.xml");
    struct orr_config *config = orr_config_new();
    struct orr_run *run;

    assert_true(orr_config_set(config, "platform", platform, NULL));
    assert_true(orr_config_set(config, "cpus", "1", NULL));
    assert_true(orr_config_set(config, "model", "overheads=off", NULL));
    run = orr_run_new(config, NULL);
    assert_non_null(run);
    orr_config_free(config);
    return run;
}

/* Whether @app has submitted as many @tasks as take @ns, with option @name set
 * to @value. */
static void expect_run(const struct orr_app *app, const char *name,
                       const char *value, uint64_t tasks, int64_t ns)
{
    struct orr_app_values *values = orr_app_values_new(app);
    struct orr_run *run = new_run();

    assert_true(orr_app_values_set(values, name, value, NULL));
    assert_true(orr_app_submit(run, values, NULL));
    assert_true(orr_run_wait(run, NULL));
    assert_int_equal(orr_run_report(run)->tasks, tasks);
    assert_int_equal(orr_run_report(run)->makespan_ns, ns);
    orr_run_free(run);
    orr_app_values_free(values);
}

static void it_submits_its_tasks_at_the_measured_tile(void **state)
{
    const struct orr_app *cholesky = orr_app_find("cholesky", NULL);

    (void)state;
    expect_run(cholesky, "tiles", "1", 1, 80000000);
    /* 3 potrf, 3 trsm, 3 syrk and 1 gemm */
    expect_run(cholesky, "tiles", "3", 10, 640000000);
}

static void a_graph_is_submitted_from_its_file(void **state)
{
    g_autofree char *path = source_file("tests/graphs/plain.csv");
    const struct orr_app *graph = orr_app_find(path, NULL);

    (void)state;
    expect_run(graph, "runtime-is", "seconds", 4, 6750500);
    orr_app_free(graph);
}

static void values_serve_several_runs(void **state)
{
    struct orr_app_values *values =
        orr_app_values_new(orr_app_find("cholesky", NULL));
    struct orr_run *first = new_run(), *second = new_run();

    (void)state;
    assert_true(orr_app_values_set(values, "tiles", "9", NULL));
    assert_true(orr_app_values_set(values, "tiles", "1", NULL));
    assert_true(orr_app_submit(first, values, NULL));
    assert_true(orr_app_values_set(values, "tiles", "2", NULL));
    assert_true(orr_app_submit(second, values, NULL));
    assert_true(orr_app_submit(second, values, NULL));
    assert_true(orr_run_wait(first, NULL) && orr_run_wait(second, NULL));
    assert_int_equal(orr_run_report(first)->tasks, 1);
    assert_int_equal(orr_run_report(second)->tasks, 8);
    orr_run_free(first);
    orr_run_free(second);
    orr_app_values_free(values);
}

static void wrong_values_are_refused(void **state)
{
    static const char *const rows[][3] = {
        {NULL, "3", "there is no option ''"},
        {"rows", "3", "there is no option 'rows'"},
        {"tile", "0", "--tile: '0': expected a whole number from 1 to 1000000"},
        {"tile", NULL, "--tile: '': expected a whole number from 1 to 1000000"},
        {"precision", "half",
         "--precision: unknown precision 'half'; there are: single, double"},
    };
    struct orr_app_values *values =
        orr_app_values_new(orr_app_find("cholesky", NULL));

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_false(
            orr_app_values_set(values, rows[i][0], rows[i][1], &error));
        assert_string_equal(error->message, rows[i][2]);
    }
    assert_false(orr_app_is_given(values, "tile"));
    orr_app_values_free(values);
}

/* A submission of @app with @options, "tiles=2 size=1000", is refused. */
static void expect_refusal(const char *app, const char *options,
                           const char *message)
{
    const struct orr_app *found = orr_app_find(app, NULL);
    struct orr_app_values *values = orr_app_values_new(found);
    g_auto(GStrv) items = g_strsplit(options, " ", -1);
    struct orr_run *run = new_run();
    g_autoptr(GError) error = NULL;

    for (char **item = items; *item; item++) {
        g_auto(GStrv) words = g_strsplit(*item, "=", 2);

        assert_true(orr_app_values_set(values, words[0], words[1], NULL));
    }
    assert_false(orr_app_submit(run, values, &error));
    assert_string_equal(error->message, message);
    orr_run_free(run);
    orr_app_values_free(values);
    orr_app_free(found);
}

static void a_submission_that_cannot_be_is_refused(void **state)
{
    (void)state;
    expect_refusal("cholesky", "tiles=2 size=2000",
                   "--tiles and --size cannot be combined");
    expect_refusal("cholesky", "tiles=700",
                   "cholesky has 5.741e+07 tasks; more than 5e+07 can only be "
                   "simulated with a submission window");
    expect_refusal("absent.csv", "runtime-is=flops",
                   "absent.csv: No such file or directory");
}

ORR_TESTS(app_submit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_submits_its_tasks_at_the_measured_tile),
        cmocka_unit_test(a_graph_is_submitted_from_its_file),
        cmocka_unit_test(values_serve_several_runs),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(a_submission_that_cannot_be_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
