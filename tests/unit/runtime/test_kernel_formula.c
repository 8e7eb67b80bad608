/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels of which formulas of StarPU give the times. */
#include <glib/gstdio.h>
#include <unistd.h>

#include "runtime/run.h"
#include "tests/support/unit_run.h"

/* On a core, from 100 to 1000 bytes: 0.5 * size^2 us, 2 * size + 3 us, and
 * 1 + 2 * first - 4 * second us. On a GPU there are too few measurements. */
static const char scale[] = "45\n2\n"
                            "1\n0\n0\n1\n1\n2\n"
                            "1 2 3 4 0.5 2 10 100 1000\n"
                            "2 1 3\n"
                            "3\n1 2\n-4\n"
                            "0000000b 100 0 7 0 0 0 10\n"
                            "00000016 5000 0 8 0 0 0 9\n"
                            "1\n1\n0\n1\n1\n1\n"
                            "1 2 3 4 0.5 2 9 100 1000\n"
                            "2 1 3\n"
                            "0\n"
                            "0000000b 100 0 1 0 0 0 10\n";

/* The core's measurements are of one size, so formulas say nothing. */
static const char alike[] = "44\n1\n"
                            "1\n0\n0\n1\n1\n0\n"
                            "1 2 3 4 0.5 2 50 1000 1111\n"
                            "nan nan nan\n";

enum { FEW = 0x16, ENOUGH = 0x0b, OTHER = 1 };

struct fixture {
    char *dir, *codelets, *bus;
    struct orr_run *run;
};

static void save(const struct fixture *fixture, const char *name,
                 const char *text)
{
    g_autofree char *path = g_build_filename(fixture->codelets, name, NULL);

    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void set_up(struct fixture *fixture, int cpus, int gpus)
{
    g_autofree char *machine = source_file("tests/starpu-sampling/bus");
    struct orr_config config = unit_config("eager", cpus, gpus);
    g_autofree char *platform = NULL;
    g_autoptr(GError) error = NULL;

    fixture->dir = g_dir_make_tmp("orrery-XXXXXX", NULL);
    fixture->codelets = g_build_filename(fixture->dir, "codelets", NULL);
    fixture->bus = g_build_filename(fixture->dir, "bus", NULL);
    assert_int_equal(g_mkdir(fixture->codelets, 0700), 0);
    assert_int_equal(symlink(machine, fixture->bus), 0);
    save(fixture, "scale.tiny", scale);
    save(fixture, "alike.tiny", alike);
    platform = g_strdup_printf("starpu:%s:tiny", fixture->dir);
    config.platform = platform;
    config.models = "overheads=off";
    fixture->run = orr_run_new(&config, &error);
    if (!fixture->run)
        fail_msg("%s", error->message);
}

static void tear_down(struct fixture *fixture)
{
    const char *const names[] = {"scale.tiny", "alike.tiny"};

    orr_run_free(fixture->run);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path =
            g_build_filename(fixture->codelets, names[i], NULL);

        g_remove(path);
    }
    g_remove(fixture->bus);
    g_rmdir(fixture->codelets);
    g_rmdir(fixture->dir);
    g_free(fixture->bus);
    g_free(fixture->codelets);
    g_free(fixture->dir);
}

/* What the first worker takes for @kernel, ns; -1: @kernel is NULL. */
static int64_t time_of(struct orr_run *run, struct orr_kernel *kernel)
{
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel};

    return kernel ? orr_task_expected_ns(run, &spec, 0, 0) : -1;
}

static int64_t power(struct orr_run *run, uint64_t bytes)
{
    return time_of(run, orr_kernel_find_size(run, "scale", ENOUGH, bytes,
                                             ORR_FORMULA_POWER, NULL));
}

static int64_t offset(struct orr_run *run, uint64_t bytes, uint32_t footprint)
{
    return time_of(run, orr_kernel_find_size(run, "scale", footprint, bytes,
                                             ORR_FORMULA_OFFSET, NULL));
}

static int64_t sum(struct orr_run *run, double first, double second)
{
    const double terms[] = {first, second};

    return time_of(run,
                   orr_kernel_find_terms(run, "scale", OTHER, terms, 2, NULL));
}

static void a_power_holds_ten_percent_beyond_its_sizes(void **state)
{
    struct fixture fixture;

    (void)state;
    set_up(&fixture, 1, 0);
    assert_int_equal(power(fixture.run, 100), 5000000);
    assert_int_equal(power(fixture.run, 90), 4050000);
    assert_int_equal(power(fixture.run, 89), -1);
    assert_int_equal(power(fixture.run, 1100), 605000000);
    assert_int_equal(power(fixture.run, 1101), -1);
    tear_down(&fixture);
}

static void means_of_ten_measurements_help_an_offset(void **state)
{
    struct fixture fixture;

    (void)state;
    set_up(&fixture, 1, 0);
    assert_int_equal(offset(fixture.run, 100, ENOUGH), 203000);
    assert_int_equal(offset(fixture.run, 5000, ENOUGH), 7000);
    assert_int_equal(offset(fixture.run, 5000, FEW), -1);
    assert_int_equal(offset(fixture.run, 5000, OTHER), -1);
    tear_down(&fixture);
}

static void a_sum_is_above_nothing(void **state)
{
    const double one = 1;
    struct fixture fixture;

    (void)state;
    set_up(&fixture, 1, 0);
    assert_int_equal(sum(fixture.run, 5, 2), 3000);
    assert_int_equal(sum(fixture.run, 0, 1), 1);
    assert_null(
        orr_kernel_find_terms(fixture.run, "scale", OTHER, &one, 1, NULL));
    tear_down(&fixture);
}

static void each_device_has_its_own(void **state)
{
    struct fixture fixture;

    (void)state;
    set_up(&fixture, 0, 1);
    assert_int_equal(power(fixture.run, 100), -1);
    assert_int_equal(offset(fixture.run, 100, ENOUGH), 1000);
    assert_int_equal(sum(fixture.run, 5, 2), -1);
    tear_down(&fixture);
}

static void the_same_times_are_one_kernel(void **state)
{
    const double terms[] = {5, 2}, others[] = {3, 1};
    struct fixture fixture;

    (void)state;
    set_up(&fixture, 1, 0);
    assert_ptr_equal(
        orr_kernel_find_terms(fixture.run, "scale", OTHER, terms, 2, NULL),
        orr_kernel_find_terms(fixture.run, "scale", OTHER, others, 2, NULL));
    tear_down(&fixture);
}

static void expect_size_refused(struct orr_run *run, const char *symbol,
                                enum orr_formula formula, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(
        orr_kernel_find_size(run, symbol, OTHER, 1050, formula, &error));
    assert_string_equal(error->message, message);
}

static void errors_have_the_sizes(void **state)
{
    g_autoptr(GError) error = NULL;
    struct fixture fixture;

    (void)state;
    set_up(&fixture, 1, 0);
    expect_size_refused(fixture.run, NULL, ORR_FORMULA_POWER,
                        "the symbol of the kernel is NULL");
    expect_size_refused(fixture.run, "scale", (enum orr_formula)2,
                        "the formula is neither ORR_FORMULA_POWER nor "
                        "ORR_FORMULA_OFFSET");
    expect_size_refused(
        fixture.run, "alike", ORR_FORMULA_POWER,
        "kernel 'alike': the formulas of platform tiny give no duration of "
        "tasks of 1050 bytes, footprint 00000001, on the workers of this run: "
        "CPU has 50 measurements from 1000 to 1111 bytes");
    expect_size_refused(
        fixture.run, "gone", ORR_FORMULA_OFFSET,
        "kernel 'gone': the formulas of platform tiny give no duration of "
        "tasks of 1050 bytes, footprint 00000001, on the workers of this run: "
        "it has no formula of this name");
    assert_null(
        orr_kernel_find_terms(fixture.run, "alike", OTHER, NULL, 0, &error));
    assert_string_equal(
        error->message,
        "kernel 'alike': the formulas of platform tiny give no duration of "
        "tasks with 0 terms, footprint 00000001, on the workers of this run: "
        "CPU has 0 coefficients");
    g_clear_error(&error);
    assert_null(
        orr_kernel_find_terms(fixture.run, "scale", OTHER, NULL, 2, &error));
    assert_string_equal(error->message, "the array of terms is NULL");
    tear_down(&fixture);
}

ORR_TESTS(kernel_formula)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_holds_ten_percent_beyond_its_sizes),
        cmocka_unit_test(means_of_ten_measurements_help_an_offset),
        cmocka_unit_test(a_sum_is_above_nothing),
        cmocka_unit_test(each_device_has_its_own),
        cmocka_unit_test(the_same_times_are_one_kernel),
        cmocka_unit_test(errors_have_the_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
