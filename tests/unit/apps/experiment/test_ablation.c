/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of an ablation, computed from given speeds. */
#include "apps/experiment/ablation.h"

#include <math.h>

#include "tests/support/cmocka_all.h"

enum { SIZES = 3, VARIANTS = 3 };

static const uint64_t sizes[SIZES] = {960, 1920, 2880};
static char *const variants[VARIANTS] = {(char *)"", (char *)"memory=off",
                                         (char *)"all"};

struct fixture {
    JsonObject *runs[SIZES * VARIANTS];
    JsonObject *facts;
    const char *const *shapes; /* or NULL */
};

/* The facts of a run that an ablation uses. */
static JsonObject *run_new(uint64_t size, double gflops)
{
    static const char *const names[] = {
        "app",          "tiles",    "tile",
        "precision",    "platform", "cpus",
        "gpus",         "sched",    "gpu_memory_bytes",
        "kernel_times", "window",   "models",
        "perturb",      "seed",     "layout",
        "version",
    };
    static const char *const numbers[] = {
        "makespan_s",
        "bytes_host_to_device",
        "bytes_device_to_host",
        "bytes_device_to_device",
        "evictions",
    };
    JsonObject *run = json_object_new();

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        json_object_set_string_member(run, names[i], "x");
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        json_object_set_double_member(run, numbers[i], gflops / 4);
    json_object_set_int_member(run, "size", (gint64)size);
    json_object_set_double_member(run, "gflops", gflops);
    return run;
}

/* Runs with these speeds, size by size; 0: not run. */
static void make(struct fixture *f, const double *gflops)
{
    struct orr_ablation ablation = {SIZES,    sizes, f->shapes, VARIANTS,
                                    variants, 1,     f->runs};

    for (unsigned i = 0; i < SIZES * VARIANTS; i++)
        f->runs[i] =
            gflops[i] > 0 ? run_new(sizes[i / VARIANTS], gflops[i]) : NULL;
    f->facts = orr_ablation_facts(&ablation);
}

#define MAKE(f, ...) make(f, (const double[]){__VA_ARGS__})

static int setup(void **state)
{
    *state = g_new0(struct fixture, 1);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < SIZES * VARIANTS; i++)
        g_clear_pointer(&f->runs[i], json_object_unref);
    json_object_unref(f->facts);
    g_free(f);
    return 0;
}

static JsonObject *degradation(const struct fixture *f, guint i)
{
    return json_array_get_object_element(
        json_object_get_array_member(f->facts, "degradations"), i);
}

static const char *verdict(const struct fixture *f, guint i)
{
    return json_object_get_string_member(degradation(f, i), "verdict");
}

static JsonObject *run_of(const struct fixture *f, guint i)
{
    return json_array_get_object_element(
        json_object_get_array_member(f->facts, "runs"), i);
}

static double number(JsonObject *object, const char *name)
{
    return json_object_get_double_member(object, name);
}

static void assert_close(double value, double expected)
{
    assert_true(fabs(value - expected) < 1e-6);
}

static void changes_are_relative_to_all_models(void **state)
{
    struct fixture *f = *state;

    MAKE(f, 100, 125, 100, 200, 200, 150, 400, 800, 400);
    assert_true(number(run_of(f, 0), "change") == 0);
    assert_true(number(run_of(f, 1), "change") == 0.25);
    assert_true(number(run_of(f, 5), "change") == -0.25);
    assert_true(number(degradation(f, 0), "mean_change") == 1.25 / 3);
    assert_true(number(degradation(f, 0), "most_change") == 1);
    assert_int_equal(json_object_get_int_member(degradation(f, 0), "most_size"),
                     2880);
    assert_true(number(degradation(f, 1), "least_change") == -0.25);
    assert_int_equal(
        json_object_get_int_member(degradation(f, 1), "least_size"), 1920);
}

static void a_faster_prediction_is_too_good(void **state)
{
    struct fixture *f = *state;

    MAKE(f, 100, 100, 98, 100, 102, 99.5, 100, 99.5, 100);
    assert_string_equal(verdict(f, 0), "too good");
    assert_string_equal(verdict(f, 1), "too bad");
}

static void a_prediction_can_be_too_good_and_too_bad(void **state)
{
    struct fixture *f = *state;

    MAKE(f, 100, 102, 100.5, 100, 98, 99.5, 100, 100, 100);
    assert_string_equal(verdict(f, 0), "too good or too bad");
    assert_string_equal(verdict(f, 1), "within 1 %");
}

static void an_equal_prediction_is_the_same(void **state)
{
    struct fixture *f = *state;

    MAKE(f, 100, 100, 100, 100, 100, 100, 100, 100, 100.1);
    assert_string_equal(verdict(f, 0), "the same");
    assert_string_equal(verdict(f, 1), "within 1 %");
}

/* 4x4 and 8x2 differ, but their geometric means are equal. */
static void shapes_are_told_beside_their_means(void **state)
{
    static const char *const shapes[SIZES] = {"4x4", "8x2", "9x9"};
    struct fixture *f = *state;
    JsonObject *row;

    f->shapes = shapes;
    MAKE(f, 100, 90, 80, 100, 110, 100, 100, 100, 100);
    row = degradation(f, 0);
    assert_string_equal(json_object_get_string_member(row, "least_shape"),
                        "4x4");
    assert_string_equal(json_object_get_string_member(row, "most_shape"),
                        "8x2");
    assert_int_equal(json_object_get_int_member(row, "most_size"), 1920);
    row = json_array_get_object_element(
        json_object_get_array_member(f->facts, "runs"), VARIANTS);
    assert_string_equal(json_object_get_string_member(row, "shape"), "8x2");
}

/* The facts of one size with these speeds, replica by replica; 0: not run. */
static void make_replicas(struct fixture *f, const double *gflops)
{
    struct orr_ablation ablation = {1,        sizes, NULL,   VARIANTS,
                                    variants, SIZES, f->runs};

    for (unsigned i = 0; i < SIZES * VARIANTS; i++)
        f->runs[i] = gflops[i] > 0 ? run_new(sizes[0], gflops[i]) : NULL;
    f->facts = orr_ablation_facts(&ablation);
}

#define MAKE_REPLICAS(f, ...) make_replicas(f, (const double[]){__VA_ARGS__})

static void replicas_are_compared_one_by_one(void **state)
{
    struct fixture *f = *state;

    /* A quarter more in each replica; more in the mean, not significantly. */
    MAKE_REPLICAS(f, 100, 125, 100, 200, 250, 300, 400, 500, 800);
    assert_int_equal(json_object_get_int_member(run_of(f, 1), "replicas"), 3);
    assert_close(number(run_of(f, 1), "change"), 0.25);
    assert_close(number(run_of(f, 1), "change_low"), 0.25);
    assert_close(number(run_of(f, 1), "gflops"), 875.0 / 3);
    assert_close(number(run_of(f, 1), "makespan_s"), 875.0 / 12);
    /* 1200 to 700; the rest of the runs are -500, -300 and 800 sevenths,
       whose squares add up to 20000; t for 2 degrees is 4.302653. */
    assert_close(number(run_of(f, 2), "change"), 5.0 / 7);
    assert_close(number(run_of(f, 2), "change_high"),
                 5.0 / 7 + 4.3026527 * sqrt(20000.0 / 6) * 3 / 700);
    assert_string_equal(verdict(f, 0), "too good");
    assert_string_equal(verdict(f, 1), "not told from chance");
}

/* A tenth more, a twentieth less, the same: the means are equal, but not every
 * run is. */
static void equal_means_of_different_runs_are_not_the_same(void **state)
{
    struct fixture *f = *state;

    MAKE_REPLICAS(f, 100, 110, 100, 200, 190, 200, 300, 300, 300);
    assert_true(number(degradation(f, 0), "mean_change") == 0);
    assert_string_equal(verdict(f, 0), "within 1 %");
    assert_string_equal(verdict(f, 1), "the same");
}

/* A signal has stopped the second of three replicas of the first variant. */
static void means_are_over_the_replicas_that_were_run(void **state)
{
    struct fixture *f = *state;

    MAKE_REPLICAS(f, 100, 80, 100, 100, 0, 100, 100, 60, 100);
    assert_int_equal(json_object_get_int_member(run_of(f, 1), "replicas"), 2);
    assert_close(number(run_of(f, 1), "gflops"), 70);
    assert_close(number(run_of(f, 1), "change"), -0.3);
    assert_close(number(run_of(f, 2), "gflops"), 100);
}

/* A signal may leave runs out. */
static void missing_runs_are_not_counted(void **state)
{
    struct fixture *f = *state;

    MAKE(f, 100, 110, 0, 100, 0, 0, 0, 0, 0);
    assert_int_equal(
        json_array_get_length(json_object_get_array_member(f->facts, "runs")),
        3);
    assert_true(number(degradation(f, 0), "most_change") > 0.0999);
    assert_int_equal(
        json_object_get_int_member(degradation(f, 0), "least_size"), 960);
    assert_true(json_object_get_null_member(degradation(f, 1), "mean_change"));
    assert_true(json_object_get_null_member(degradation(f, 1), "verdict"));
}

static void runs_say_what_was_degraded(void **state)
{
    struct fixture *f = *state;

    MAKE(f, 100, 110, 120, 100, 110, 120, 100, 110, 120);
    assert_true(json_object_get_null_member(run_of(f, 0), "degraded"));
    assert_string_equal(json_object_get_string_member(run_of(f, 1), "degraded"),
                        "memory=off");
    assert_true(json_object_has_member(run_of(f, 1), "models"));
    assert_false(json_object_has_member(f->facts, "size"));
}

ORR_TESTS(ablation)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(changes_are_relative_to_all_models),
        T(shapes_are_told_beside_their_means),
        T(a_faster_prediction_is_too_good),
        T(a_prediction_can_be_too_good_and_too_bad),
        T(an_equal_prediction_is_the_same),
        T(replicas_are_compared_one_by_one),
        T(equal_means_of_different_runs_are_not_the_same),
        T(means_are_over_the_replicas_that_were_run),
        T(missing_runs_are_not_counted),
        T(runs_say_what_was_degraded),
#undef T
    };

    return cmocka_run_group_tests_name("ablation", tests, NULL, NULL);
}
