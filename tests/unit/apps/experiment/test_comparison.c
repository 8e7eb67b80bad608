/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of a comparison, computed from given makespans. */
#include "apps/experiment/comparison.h"

#include <math.h>

#include "tests/support/cmocka_all.h"

enum { A, B, C, POLICIES, REPLICAS = 4 };

static char *names[] = {(char *)"dmda", (char *)"dmdas", (char *)"eager", NULL};

struct fixture {
    struct orr_settings settings;
    struct orr_comparison comparison;
    JsonObject *facts;
};

/* The facts of a run that a comparison copies. */
static JsonObject *run_new(void)
{
    static const char *const members[] = {
        "app",          "tiles",  "tile",    "precision",
        "platform",     "cpus",   "gpus",    "sched",
        "kernel_times", "window", "models",  "gpu_memory_bytes",
        "perturb",      "seed",   "layout",  "version",
        "size",         "evict",  "options",
    };
    JsonObject *run = json_object_new();

    for (size_t i = 0; i < G_N_ELEMENTS(members); i++)
        json_object_set_string_member(run, members[i], "x");
    return run;
}

static int set_up(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    *state = f;
    orr_settings_init(&f->settings);
    if (!orr_settings_resolve(&f->settings, "cholesky", NULL))
        return -1;
    orr_comparison_init(&f->comparison, &f->settings, names, REPLICAS);
    for (unsigned p = 0; p < POLICIES; p++)
        f->comparison.facts[p] = run_new();
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    g_clear_pointer(&f->facts, json_object_unref);
    orr_comparison_clear(&f->comparison);
    orr_settings_clear(&f->settings);
    g_free(f);
    return 0;
}

/* @makespans_s: by replica, then by policy. */
static void make(struct fixture *f,
                 const double makespans_s[REPLICAS][POLICIES])
{
    for (unsigned r = 0; r < REPLICAS; r++) {
        for (unsigned p = 0; p < POLICIES; p++)
            f->comparison.makespans_s[r * POLICIES + p] = makespans_s[r][p];
    }
    f->facts = orr_comparison_facts(&f->comparison);
}

static JsonObject *element(JsonObject *object, const char *name, guint i)
{
    return json_array_get_object_element(
        json_object_get_array_member(object, name), i);
}

static double number(JsonObject *object, const char *name)
{
    return json_object_get_double_member(object, name);
}

static const char *versus_best(const struct fixture *f, guint policy)
{
    return json_object_get_string_member(
        json_object_get_object_member(element(f->facts, "policies", policy),
                                      "versus_best"),
        "verdict");
}

static void expect_pair(const struct fixture *f, guint pair, const char *a,
                        const char *b, const char *verdict)
{
    JsonObject *object = element(f->facts, "pairs", pair);

    assert_string_equal(json_object_get_string_member(object, "a"), a);
    assert_string_equal(json_object_get_string_member(object, "b"), b);
    assert_string_equal(json_object_get_string_member(object, "verdict"),
                        verdict);
}

/*
 * dmdas takes 2.5 % more than dmda in the mean, but less in one replica of the
 * four: a tie. eager takes a tenth more in each, however long that is.
 */
static void a_difference_counts_beyond_the_noise_alone(void **state)
{
    static const double makespans_s[REPLICAS][POLICIES] = {
        {10, 10.5, 11}, {20, 19, 22}, {30, 32.5, 33}, {40, 40.5, 44}};
    struct fixture *f = *state;

    make(f, makespans_s);
    assert_string_equal(versus_best(f, A), "best");
    assert_string_equal(versus_best(f, B), "tie");
    assert_string_equal(versus_best(f, C), "slower");
    expect_pair(f, 0, "dmda", "dmdas", "tie");
    expect_pair(f, 1, "dmda", "eager", "A wins");
    assert_true(fabs(number(element(f->facts, "policies", C), "slowdown") -
                     1.1) < 1e-9);
    /* The differences from 1.025 times dmda are 0.25, -1.5, 1.75 and -0.5: the
     * squares add up to 5.625. t for 3 degrees is 3.182446. */
    assert_true(fabs(json_array_get_double_element(
                         json_object_get_array_member(
                             element(f->facts, "pairs", 0), "ci95"),
                         1) +
                     100 * 0.025 / 1.025 -
                     100 * 3.1824463 * sqrt((5.625 / 1.025 / 1.025) / 3 / 4) /
                         25.625) < 1e-4);
}

/* With the slower one first. */
static void the_second_of_a_pair_may_win(void **state)
{
    static const double makespans_s[REPLICAS][POLICIES] = {
        {11, 10, 10}, {22, 20, 20}, {33, 30, 30}, {44, 40, 40}};
    struct fixture *f = *state;

    make(f, makespans_s);
    expect_pair(f, 0, "dmda", "dmdas", "B wins");
    expect_pair(f, 2, "dmdas", "eager", "tie");
    assert_string_equal(versus_best(f, B), "best"); /* the first of equals */
    assert_string_equal(versus_best(f, C), "tie");
}

/* A signal has stopped eager before replica 2, dmda before replica 3. */
static void replicas_count_that_every_policy_has(void **state)
{
    static const double makespans_s[REPLICAS][POLICIES] = {
        {10, 20, 30}, {12, 22, 32}, {500, 500, NAN}, {NAN, 500, 500}};
    struct fixture *f = *state;
    double columns[REPLICAS];

    make(f, makespans_s);
    assert_int_equal(orr_comparison_complete(&f->comparison, C, columns), 2);
    assert_true(columns[0] == 30 && columns[1] == 32);
    assert_true(number(json_object_get_object_member(
                           element(f->facts, "policies", B), "makespan_s"),
                       "mean") == 21);
}

/* eager hangs once: the others keep all their replicas. */
static void a_policy_that_hangs_costs_the_others_nothing(void **state)
{
    static const double makespans_s[REPLICAS][POLICIES] = {
        {10, 20, 30}, {10, 20, NAN}, {10, 20, 30}, {10, 20, 30}};
    struct fixture *f = *state;
    JsonObject *eager;

    f->comparison.hanging[C] = 1;
    f->comparison.hangs[1 * POLICIES + C] = json_object_new();
    make(f, makespans_s);
    assert_int_equal(orr_comparison_complete(&f->comparison, A, NULL), 4);
    eager = element(f->facts, "policies", C);
    assert_true(json_object_get_null_member(eager, "slowdown"));
    assert_int_equal(json_object_get_int_member(eager, "hanging_replicas"), 1);
    assert_int_equal(
        json_array_get_length(json_object_get_array_member(f->facts, "pairs")),
        1);
}

/* Replica 1 is not complete, so its bounds do not count. */
static void bounds_are_means_over_complete_replicas(void **state)
{
    static const double areas_s[REPLICAS] = {1, 100, 2, 6};
    static const double makespans_s[REPLICAS][POLICIES] = {
        {10, 20, 30}, {10, NAN, 30}, {10, 20, 30}, {10, 20, 30}};
    struct fixture *f = *state;
    struct orr_bounds bounds;

    g_free(f->comparison.bounds);
    f->comparison.bounds_count = REPLICAS;
    f->comparison.bounds = g_new0(struct orr_bounds, REPLICAS);
    for (unsigned r = 0; r < REPLICAS; r++)
        f->comparison.bounds[r].area_s = areas_s[r];
    make(f, makespans_s);
    orr_comparison_bounds(&f->comparison, &bounds);
    assert_true(fabs(bounds.area_s - 3) < 1e-12);
}

/* A comparison with a spread, of two policies. */
static JsonObject *spread_new(double spread, const double makespans_s[2])
{
    JsonObject *object = json_object_new();
    JsonArray *policies = json_array_new();
    double least_s = fmin(makespans_s[0], makespans_s[1]);

    json_object_set_double_member(object, "spread", spread);
    json_object_set_array_member(object, "policies", policies);
    for (unsigned p = 0; p < 2; p++) {
        JsonObject *policy = json_object_new();
        JsonObject *summary = json_object_new();

        json_object_set_string_member(policy, "sched", names[p]);
        json_object_set_null_member(policy, "hang");
        json_object_set_double_member(summary, "mean", makespans_s[p]);
        json_object_set_object_member(policy, "makespan_s", summary);
        json_object_set_double_member(policy, "slowdown",
                                      makespans_s[p] / least_s);
        json_array_add_object_element(policies, policy);
    }
    return object;
}

/* dmda takes 10, 20 and 12 s: a fifth more at the end, and twice as long as the
 * best at the spread 0.1. dmdas takes 10 s each time. */
static void robustness_compares_the_last_spread_with_the_first(void **state)
{
    static const double spreads[] = {0, 0.1, 0.3};
    static const double makespans_s[][2] = {{10, 10}, {20, 10}, {12, 10}};
    JsonArray *comparisons = json_array_new();
    JsonArray *robustness;
    JsonObject *dmda, *dmdas;

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(spreads); i++)
        json_array_add_object_element(comparisons,
                                      spread_new(spreads[i], makespans_s[i]));
    robustness = orr_comparison_robustness(comparisons);
    assert_int_equal(json_array_get_length(robustness), 2);
    dmda = json_array_get_object_element(robustness, 0);
    assert_string_equal(json_object_get_string_member(dmda, "sched"), "dmda");
    assert_true(number(dmda, "growth_percent") == 20);
    assert_true(number(dmda, "worst_slowdown") == 2);
    assert_true(number(dmda, "at_spread") == 0.1);
    dmdas = json_array_get_object_element(robustness, 1);
    assert_true(number(dmdas, "growth_percent") == 0);
    assert_true(number(dmdas, "worst_slowdown") == 1);
    assert_true(number(dmdas, "at_spread") == 0); /* the first of equals */
    json_array_unref(robustness);
    json_array_unref(comparisons);
}

ORR_TESTS(comparison)
{
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_difference_counts_beyond_the_noise_alone),
        T(the_second_of_a_pair_may_win),
        T(replicas_count_that_every_policy_has),
        T(a_policy_that_hangs_costs_the_others_nothing),
        T(bounds_are_means_over_complete_replicas),
        cmocka_unit_test(robustness_compares_the_last_spread_with_the_first),
    };
#undef T

    return cmocka_run_group_tests(tests, NULL, NULL);
}
