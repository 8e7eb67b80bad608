/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Applications by the name that a user gives. */
#include <limits.h>
#include <orrery_app.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

static void an_application_of_the_library_has_a_name(void **state)
{
    const struct orr_app *app = orr_app_find("cholesky", NULL);

    (void)state;
    assert_string_equal(app->name, "cholesky");
    orr_app_free(app);
    assert_ptr_equal(orr_app_find("Cholesky", NULL), app);
    orr_app_free(NULL);
}

static void the_names_of_the_library_are_listed(void **state)
{
    static const char *const names[] = {"cholesky", "gemm", "lu", "qr"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
        assert_string_equal(orr_app_name(i), names[i]);
    assert_null(orr_app_name(G_N_ELEMENTS(names)));
    assert_null(orr_app_name(UINT_MAX));
}

static void the_file_of_a_graph_is_an_application(void **state)
{
    const struct orr_app *app = orr_app_find("./some/graph.csv.gz", NULL);

    (void)state;
    assert_string_equal(app->name, "./some/graph.csv.gz");
    orr_app_free(app);
}

static void other_names_are_errors(void **state)
{
    static const struct {
        const char *name;
        enum orr_error code;
        const char *message;
    } rows[] = {
        {"svd", ORR_ERROR_UNKNOWN,
         "unknown application 'svd'; there are: cholesky, gemm, lu, qr"},
        {NULL, ORR_ERROR_UNKNOWN,
         "unknown application ''; there are: cholesky, gemm, lu, qr"},
        {"./absent.so", ORR_ERROR_IO, "./absent.so: No such file or directory"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(orr_app_find(rows[i].name, &error));
        assert_true(g_error_matches(error, ORR_ERROR, (gint)rows[i].code));
        assert_string_equal(error->message, rows[i].message);
    }
}

ORR_TESTS(app_find)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_application_of_the_library_has_a_name),
        cmocka_unit_test(the_names_of_the_library_are_listed),
        cmocka_unit_test(the_file_of_a_graph_is_an_application),
        cmocka_unit_test(other_names_are_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
