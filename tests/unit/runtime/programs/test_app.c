/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that applications make, logged by a fake runtime. */
#include "runtime/programs/dense.h"

#include <string.h>

#include "models/base/error.h"
#include "tests/support/app_values.h"

struct orr_kernel {
    const char *name;
    bool synchronous;
};

struct orr_data {
    unsigned number; /* in order of registration */
    unsigned row, column;
    const char *name;
};

struct orr_run {
    GString *log;   /* a line for each call: "TRSM 5 r0 rw1" */
    GString *marks; /* "TRSM+ GEMM- ": critical, and not */
    unsigned data;
    uint64_t bytes;
    uint64_t pitch_bytes;
    unsigned tasks;
    struct orr_report report;
    struct orr_data pool[64];
    struct orr_kernel kernels[ORR_DENSE_MAX_KERNELS];
    unsigned kernel_count;
};

struct orr_kernel *orr_kernel_find(struct orr_run *run, const char *family,
                                   const char *name,
                                   enum orr_kernel_precision precision,
                                   unsigned tile, GError **error)
{
    (void)family;
    (void)precision;
    if (tile != 960) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN, "no %s at %u", name,
                    tile);
        return NULL;
    }
    run->kernels[run->kernel_count].name = name;
    return &run->kernels[run->kernel_count++];
}

void orr_kernel_set_synchronous(struct orr_kernel *kernel)
{
    kernel->synchronous = true;
}

struct orr_data *orr_data_register(struct orr_run *run, uint64_t bytes)
{
    g_assert(run->data < G_N_ELEMENTS(run->pool));
    run->bytes = bytes;
    run->pool[run->data].number = run->data;
    return &run->pool[run->data++];
}

struct orr_data *orr_data_register_matrix(struct orr_run *run,
                                          uint64_t column_bytes, uint64_t count,
                                          uint64_t pitch_bytes)
{
    run->pitch_bytes = pitch_bytes;
    return orr_data_register(run, column_bytes * count);
}

void orr_data_set_coordinates(struct orr_data *data, unsigned row,
                              unsigned column)
{
    data->row = row;
    data->column = column;
}

void orr_data_set_name(struct orr_data *data, const char *name)
{
    data->name = name;
}

void orr_data_wont_use(struct orr_run *run, struct orr_data *data)
{
    g_string_append_printf(run->log, "wont_use %u\n", data->number);
}

uint64_t orr_task_submit(struct orr_run *run, const struct orr_task_spec *spec)
{
    static const char *const modes[] = {"", "r", "w", "rw"};

    run->tasks++;
    g_string_append_printf(run->log, "%s %d", spec->name, spec->priority);
    if (spec->critical != ORR_CRITICAL_UNKNOWN)
        g_string_append_printf(run->marks, "%s%c ", spec->name,
                               spec->critical == ORR_CRITICAL ? '+' : '-');
    for (unsigned i = 0; i < spec->count; i++)
        g_string_append_printf(run->log, " %s%u", modes[spec->accesses[i].mode],
                               spec->accesses[i].data->number);
    g_string_append_c(run->log, '\n');
    return run->tasks - 1;
}

const struct orr_report *orr_run_report(struct orr_run *run)
{
    return &run->report;
}

static struct orr_run *run_new(void)
{
    struct orr_run *run = g_new0(struct orr_run, 1);

    run->log = g_string_new(NULL);
    run->marks = g_string_new(NULL);
    run->report.models = "memory=on";
    return run;
}

static void run_free(struct orr_run *run)
{
    g_string_free(run->log, TRUE);
    g_string_free(run->marks, TRUE);
    g_free(run);
}

static void submit(struct orr_run *run, const char *app, unsigned tiles)
{
    g_autofree char *options = g_strdup_printf("tiles=%u", tiles);

    assert_true(submit_app(run, app, options, NULL));
}

/* Tiles, row by row: 00 is 0, 10 is 1, 11 is 2, 20 is 3, 21 is 4, 22 is 5. */
static void cholesky_submits_column_after_column(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    submit(run, "cholesky", 3);
    assert_string_equal(run->log->str, "POTRF 6 rw0\n"
                                       "TRSM 5 r0 rw1\n"
                                       "TRSM 4 r0 rw3\n"
                                       "wont_use 0\n"
                                       "SYRK 5 r1 rw2\n"
                                       "GEMM 3 r3 r1 rw4\n"
                                       "wont_use 1\n"
                                       "SYRK 4 r3 rw5\n"
                                       "wont_use 3\n"
                                       "POTRF 4 rw2\n"
                                       "TRSM 2 r2 rw4\n"
                                       "wont_use 2\n"
                                       "SYRK 2 r4 rw5\n"
                                       "wont_use 4\n"
                                       "POTRF 2 rw5\n"
                                       "wont_use 5\n");
    run_free(run);
}

/* Tiles by block column: 00 is 0, 01 is 1, 10 is 2, 11 is 3. */
static void lu_alternates_its_two_panels(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    submit(run, "lu", 2);
    assert_string_equal(run->log->str, "starpu_slu_lu_model_getrf 6 rw0\n"
                                       "starpu_slu_lu_model_trsm_ll 5 r0 rw2\n"
                                       "starpu_slu_lu_model_trsm_ru 5 r0 rw1\n"
                                       "wont_use 0\n"
                                       "starpu_slu_lu_model_gemm 4 r1 r2 rw3\n"
                                       "wont_use 1\n"
                                       "wont_use 2\n"
                                       "starpu_slu_lu_model_getrf 3 rw3\n"
                                       "wont_use 3\n");
    run_free(run);
}

/* With 3 x 3 tiles, in step 0, for i = 1 and j = 2. */
static void lu_updates_tile_ji_from_tiles_ki_and_jk(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    submit(run, "lu", 3);
    assert_non_null(strstr(run->log->str,
                           "starpu_slu_lu_model_gemm 7 r1 r3 rw4\n"
                           "starpu_slu_lu_model_gemm 6 r1 r6 rw7\n"
                           "starpu_slu_lu_model_gemm 6 r2 r3 rw5\n"
                           "starpu_slu_lu_model_gemm 5 r2 r6 rw8\n"));
    run_free(run);
}

static void cholesky_tells_what_is_critical(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    submit(run, "cholesky", 3);
    assert_string_equal(run->marks->str, "POTRF+ TRSM+ TRSM- SYRK+ GEMM- SYRK- "
                                         "POTRF+ TRSM+ SYRK+ POTRF+ ");
    run_free(run);
}

static void double_precision_doubles_tiles_and_renames_lu(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    assert_true(submit_app(run, "lu", "tiles=1 precision=double", NULL));
    assert_int_equal(run->bytes, 7372800);
    assert_string_equal(run->log->str, "starpu_dlu_lu_model_getrf 3 rw0\n"
                                       "wont_use 0\n");
    run_free(run);
}

static void a_tile_of_a_matrix_has_the_pitch_of_the_matrix(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    assert_true(submit_app(run, "cholesky", "tiles=3", NULL));
    assert_int_equal(run->pitch_bytes, 3840);
    run_free(run);
    run = run_new();
    assert_true(submit_app(run, "cholesky", "tiles=3 layout=matrix", NULL));
    assert_int_equal(run->pitch_bytes, 3 * 3840);
    assert_int_equal(run->bytes, 3686400);
    run_free(run);
}

static void cholesky_registers_the_lower_triangle_and_lu_all(void **state)
{
    struct orr_run *cholesky = run_new();
    struct orr_run *lu = run_new();

    (void)state;
    submit(cholesky, "cholesky", 4);
    submit(lu, "lu", 4);
    assert_int_equal(cholesky->data, 10);
    assert_int_equal(lu->data, 16);
    assert_int_equal(lu->bytes, 3686400);
    run_free(cholesky);
    run_free(lu);
}

static void tiles_know_where_they_are(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    submit(run, "cholesky", 3);
    assert_int_equal(run->pool[4].row, 2);
    assert_int_equal(run->pool[4].column, 1);
    run_free(run);
    run = run_new();
    submit(run, "lu", 3);
    assert_int_equal(run->pool[5].row, 1);
    assert_int_equal(run->pool[5].column, 2);
    run_free(run);
}

static void only_panel_kernels_are_synchronous(void **state)
{
    const struct orr_app *app;

    (void)state;
    for (size_t i = 0; (app = orr_app_at(i)); i++) {
        struct orr_run *run = run_new();

        submit(run, app->name, 1);
        assert_int_equal(run->kernel_count,
                         strcmp(app->name, "gemm") == 0 ? 1 : 4);
        for (unsigned k = 0; k < run->kernel_count; k++) {
            assert_int_equal(run->kernels[k].synchronous,
                             g_str_has_suffix(run->kernels[k].name, "trf"));
            assert_string_equal(run->kernels[k].name, app->kernels[k]);
        }
        run_free(run);
    }
}

static double tasks_of(const char *app, const char *options)
{
    struct orr_app_values *values = app_values(app, options);
    double tasks = orr_app_tasks(values);

    orr_app_values_free(values);
    return tasks;
}

static void as_many_tasks_are_submitted_as_announced(void **state)
{
    const struct orr_app *app;

    (void)state;
    assert_true(tasks_of("cholesky", "tiles=3") == 10);
    assert_true(tasks_of("lu", "tiles=3") == 14);
    for (size_t i = 0; (app = orr_app_at(i)); i++) {
        for (unsigned tiles = 1; tiles < 6; tiles++) {
            g_autofree char *options = g_strdup_printf("tiles=%u", tiles);
            struct orr_run *run = run_new();

            submit(run, app->name, tiles);
            assert_true(run->tasks == tasks_of(app->name, options));
            run_free(run);
        }
    }
}

static void lu_does_twice_the_work_of_cholesky(void **state)
{
    struct orr_app_values *cholesky = app_values("cholesky", "tiles=2 tile=15");
    struct orr_app_values *lu = app_values("lu", "size=60 tile=15");

    (void)state;
    assert_true(orr_app_cholesky.flops(cholesky) == 9000);
    assert_true(orr_app_flops_at(lu, 30) == 18000);
    assert_int_equal(orr_app_size(lu, "size"), 60);
    orr_app_values_free(cholesky);
    orr_app_values_free(lu);
}

static bool check_tasks(const char *app, const char *options, uint64_t window,
                        GError **error)
{
    struct orr_app_values *values = app_values(app, options);
    bool good = orr_app_check_tasks(values, window, error);

    orr_app_values_free(values);
    return good;
}

/* 668 * 669 * 670 / 6 = 49,902,940; 669 * 670 * 671 / 6 = 50,127,055. */
static void many_tasks_need_a_window(void **state)
{
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_true(check_tasks("cholesky", "tiles=668", 0, NULL));
    assert_false(check_tasks("cholesky", "tiles=669", 0, &error));
    assert_non_null(strstr(error->message, "window"));
    assert_true(check_tasks("cholesky", "tiles=669", 1000, NULL));
}

static void too_many_tasks_are_refused_in_any_case(void **state)
{
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(check_tasks("lu", "tiles=1000000000", 10, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_non_null(strstr(error->message, "lu has 3.333e+26 tasks"));
}

static void a_tile_bigger_than_a_gpu_is_refused(void **state)
{
    struct orr_run *run = run_new();
    g_autoptr(GError) error = NULL;

    (void)state;
    run->report.gpus = 1;
    run->report.gpu_memory_bytes = 3686400;
    submit(run, "lu", 1);
    run->kernel_count = 0;
    run->report.gpu_memory_bytes--;
    assert_false(submit_app(run, "lu", "tiles=1", &error));
    assert_non_null(strstr(error->message, "3686400"));
    assert_non_null(strstr(error->message, "3686399"));
    run_free(run);
}

static void a_tile_of_any_size_fits_where_memory_is_not_modelled(void **state)
{
    struct orr_run *run = run_new();

    (void)state;
    run->report.gpus = 1;
    run->report.gpu_memory_bytes = 1;
    run->report.models = "overheads=on,memory=off";
    submit(run, "lu", 1);
    run_free(run);
}

static void a_kernel_that_was_not_measured_is_named(void **state)
{
    struct orr_run *run = run_new();
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(submit_app(run, "lu", "tiles=1 tile=7", &error));
    assert_string_equal(error->message, "no getrf at 7");
    run_free(run);
}

static void unknown_applications_are_not_found(void **state)
{
    (void)state;
    assert_ptr_equal(orr_app_builtin(" LU", NULL), orr_app_builtin("lu", NULL));
    assert_null(orr_app_builtin("svd", NULL));
    assert_null(orr_app_builtin("", NULL));
}

ORR_TESTS(app)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cholesky_submits_column_after_column),
        cmocka_unit_test(lu_alternates_its_two_panels),
        cmocka_unit_test(lu_updates_tile_ji_from_tiles_ki_and_jk),
        cmocka_unit_test(cholesky_tells_what_is_critical),
        cmocka_unit_test(double_precision_doubles_tiles_and_renames_lu),
        cmocka_unit_test(a_tile_of_a_matrix_has_the_pitch_of_the_matrix),
        cmocka_unit_test(cholesky_registers_the_lower_triangle_and_lu_all),
        cmocka_unit_test(tiles_know_where_they_are),
        cmocka_unit_test(only_panel_kernels_are_synchronous),
        cmocka_unit_test(as_many_tasks_are_submitted_as_announced),
        cmocka_unit_test(lu_does_twice_the_work_of_cholesky),
        cmocka_unit_test(many_tasks_need_a_window),
        cmocka_unit_test(too_many_tasks_are_refused_in_any_case),
        cmocka_unit_test(a_tile_bigger_than_a_gpu_is_refused),
        cmocka_unit_test(a_tile_of_any_size_fits_where_memory_is_not_modelled),
        cmocka_unit_test(a_kernel_that_was_not_measured_is_named),
        cmocka_unit_test(unknown_applications_are_not_found),
    };

    return cmocka_run_group_tests_name("app", tests, NULL, NULL);
}
