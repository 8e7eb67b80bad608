/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Generated graphs have the figures that were asked for. */
#include <math.h>
#include <string.h>

#include "models/dag/dag_figures.h"
#include "models/dag/dag_generate.h"
#include "tests/support/cmocka_all.h"

static struct orr_dag *
generate(const struct orr_dag_generate_settings *settings)
{
    GError *error = NULL;
    struct orr_dag *dag = orr_dag_generate(settings, &error);

    if (error)
        fail_msg("%s", error->message);
    return dag;
}

/* Whether @value is within 2 % of @wanted. */
static void expect_near(const char *what, uint64_t seed, double value,
                        double wanted)
{
    if (fabs(value - wanted) > 0.02 * wanted)
        fail_msg("%s of seed %u is %g, not %g", what, (unsigned)seed, value,
                 wanted);
}

static void test_ccr_and_density_of_100_graphs(void **state)
{
    const uint64_t step = orr_tests_are_full() ? 1 : 7;

    (void)state;
    for (uint64_t seed = 0; seed < 100; seed += step) {
        const struct orr_dag_generate_settings settings = {
            .tasks = 200 + 11 * seed,
            .fat = 0.4 + 0.005 * (double)seed,
            .regularity = 0.01 * (double)seed,
            .density = 0.3 + 0.007 * (double)seed,
            .jump = 1 + seed % 4,
            .ccr = 0.001 * (double)(1 + seed * seed),
            .seed = seed,
            .memory = 1u << 30,
        };
        struct orr_dag *dag = generate(&settings);
        struct orr_dag_figures figures;

        orr_dag_figures(dag, &figures);
        assert_int_equal(figures.tasks, settings.tasks);
        expect_near("CCR", seed, figures.read_bytes / figures.flops,
                    settings.ccr);
        expect_near("density", seed, figures.density, settings.density);
        orr_dag_figures_clear(&figures);
        orr_dag_free(dag);
    }
}

static void test_the_same_seed_is_the_same_graph(void **state)
{
    struct orr_dag_generate_settings settings = {.tasks = 500,
                                                 .fat = 0.5,
                                                 .regularity = 0.5,
                                                 .density = 0.5,
                                                 .jump = 2,
                                                 .ccr = 0.1,
                                                 .seed = 7,
                                                 .memory = 1u << 30};
    struct orr_dag *one = generate(&settings);
    struct orr_dag *two = generate(&settings);
    struct orr_dag *other;
    size_t size = orr_dag_access_count(one) * sizeof *one->accesses;

    (void)state;
    settings.seed = 8;
    other = generate(&settings);
    assert_int_equal(orr_dag_access_count(one), orr_dag_access_count(two));
    assert_memory_equal(one->accesses, two->accesses, size);
    assert_memory_equal(one->data, two->data,
                        one->datum_count * sizeof *one->data);
    assert_true(orr_dag_access_count(one) != orr_dag_access_count(other) ||
                memcmp(one->accesses, other->accesses, size) != 0);
    orr_dag_free(one);
    orr_dag_free(two);
    orr_dag_free(other);
}

/* fat 0: one after the other; fat 1: all at once. */
static void test_fat_is_the_width(void **state)
{
    struct orr_dag_generate_settings settings = {.tasks = 100,
                                                 .regularity = 1,
                                                 .jump = 1,
                                                 .density = 1,
                                                 .memory = 1u << 30};
    struct orr_dag_figures figures;

    (void)state;
    for (unsigned fat = 0; fat < 2; fat++) {
        struct orr_dag *dag;

        settings.fat = fat;
        dag = generate(&settings);
        orr_dag_figures(dag, &figures);
        assert_int_equal(figures.width, fat ? 100 : 1);
        assert_int_equal(figures.depth, fat ? 1 : 100);
        assert_true(figures.read_bytes == 0); /* ccr 0: no data */
        orr_dag_figures_clear(&figures);
        orr_dag_free(dag);
    }
}

/* Without jumps, all dependencies are on the level before. */
static void test_jump_is_how_many_levels_a_dependency_spans(void **state)
{
    struct orr_dag_generate_settings settings = {.tasks = 90,
                                                 .fat = 0.5,
                                                 .regularity = 1,
                                                 .density = 0.5,
                                                 .ccr = 1,
                                                 .memory = 1u << 30};

    (void)state;
    for (uint64_t jump = 1; jump <= 3; jump++) {
        uint32_t longest = 0;
        struct orr_dag *dag;

        settings.jump = jump;
        dag = generate(&settings);
        for (uint32_t task = 0; task < 90; task++) {
            for (uint32_t i = dag->tasks[task].first_access;
                 i < dag->tasks[task + 1].first_access; i++)
                longest = MAX(longest, task / 9 - dag->accesses[i].datum / 9);
        }
        assert_int_equal(longest, jump);
        orr_dag_free(dag);
    }
}

/* A graph that does not fit into memory is refused before it is made. */
static void test_memory_is_bounded(void **state)
{
    struct orr_dag_generate_settings settings = {.tasks = 1000,
                                                 .fat = 1,
                                                 .regularity = 1,
                                                 .density = 1,
                                                 .jump = 1,
                                                 .memory = 400000};
    GError *error = NULL;
    struct orr_dag *dag = orr_dag_generate(&settings, &error);

    (void)state;
    assert_null(error); /* one level, no dependencies */
    orr_dag_free(dag);
    settings.fat = 0.5;
    assert_null(orr_dag_generate(&settings, &error));
    assert_string_equal(error->message,
                        "1000 tasks and 30976 dependencies need 2.26 MB of "
                        "memory, but there are 400 KB");
    g_error_free(error);
}

ORR_TESTS(dag_generate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ccr_and_density_of_100_graphs),
        cmocka_unit_test(test_the_same_seed_is_the_same_graph),
        cmocka_unit_test(test_fat_is_the_width),
        cmocka_unit_test(test_jump_is_how_many_levels_a_dependency_spans),
        cmocka_unit_test(test_memory_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
