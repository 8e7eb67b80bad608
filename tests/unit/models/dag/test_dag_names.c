/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names and their numbers, whatever they look like. */
#include <string.h>

#include "models/dag/dag.h"
#include "models/dag/dag_names.h"
#include "tests/support/cmocka_all.h"

#define COUNT 20000

/* Adds COUNT names, each twice, and looks for them. */
static void expect_numbers(const char *format)
{
    struct orr_dag_texts texts;
    struct orr_dag_names names;

    orr_dag_texts_init(&texts);
    orr_dag_names_init(&names, &texts);
    for (unsigned i = 0; i < 2 * COUNT; i++) {
        char name[32];

        g_snprintf(name, sizeof name, format, i % COUNT);
        assert_int_equal(orr_dag_names_add(&names, name, strlen(name)),
                         i % COUNT);
    }
    for (unsigned i = 0; i < 2 * COUNT; i++) {
        char name[32];

        g_snprintf(name, sizeof name, format, i);
        assert_int_equal(orr_dag_names_find(&names, name, strlen(name)),
                         i < COUNT ? i : ORR_DAG_NONE);
        assert_int_equal(orr_dag_names_is(&names, i, name, strlen(name)),
                         i < COUNT);
        assert_false(orr_dag_names_is(&names, i + 1, name, strlen(name)));
        assert_false(orr_dag_names_is(&names, i, name, strlen(name) - 1));
        if (i < COUNT)
            assert_int_equal(orr_dag_names_repeat(&names, name, strlen(name)),
                             i);
    }
    orr_dag_names_clear(&names);
    orr_dag_texts_clear(&texts);
}

static void test_numbers_are_those_of_the_first_occurrence(void **state)
{
    (void)state;
    expect_numbers("%u");
    expect_numbers("GEMM_ID%07u");
}

/* The last letter chooses the place in the table. */
static void test_names_may_end_with_the_same_letter(void **state)
{
    (void)state;
    expect_numbers("%u_task_of_a_program");
}

/* Texts of any length that differ in one letter, wherever that is. */
static void test_texts_are_compared_to_the_last_letter(void **state)
{
    char text[40];
    char other[40];

    (void)state;
    memset(text, 'x', sizeof text);
    memset(other, 'x', sizeof other);
    for (size_t length = 0; length <= sizeof text; length++) {
        assert_true(orr_same_bytes(text, other, length));
        for (size_t i = 0; i < sizeof text; i++) {
            other[i] = 'y';
            assert_int_equal(orr_same_bytes(text, other, length), i >= length);
            other[i] = 'x';
        }
    }
}

static void test_a_name_may_begin_as_another_one(void **state)
{
    struct orr_dag_texts texts;
    struct orr_dag_names names;

    (void)state;
    orr_dag_texts_init(&texts);
    orr_dag_names_init(&names, &texts);
    assert_int_equal(orr_dag_names_add(&names, "task", 4), 0);
    assert_int_equal(orr_dag_names_add(&names, "task", 3), 1);
    assert_int_equal(orr_dag_names_add(&names, "task", 0), 2);
    assert_int_equal(orr_dag_names_find(&names, "tas", 3), 1);
    assert_int_equal(orr_dag_names_find(&names, "ta", 2), ORR_DAG_NONE);
    orr_dag_names_clear(&names);
    orr_dag_texts_clear(&texts);
}

/* It has the next number, and leaves the one that is found as it is. */
static void test_an_appended_name_cannot_be_found(void **state)
{
    struct orr_dag_texts texts;
    struct orr_dag_names names;

    (void)state;
    orr_dag_texts_init(&texts);
    orr_dag_names_init(&names, &texts);
    assert_int_equal(orr_dag_names_add(&names, "a", 1), 0);
    assert_int_equal(orr_dag_names_append(&names, "a", 1), 1);
    assert_int_equal(orr_dag_names_append(&names, "b", 1), 2);
    assert_int_equal(orr_dag_names_add(&names, "c", 1), 3);
    assert_int_equal(orr_dag_names_find(&names, "a", 1), 0);
    assert_int_equal(orr_dag_names_find(&names, "b", 1), ORR_DAG_NONE);
    assert_true(orr_dag_names_is(&names, 2, "b", 1));
    orr_dag_names_clear(&names);
    orr_dag_texts_clear(&texts);
}

ORR_TESTS(dag_names)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_those_of_the_first_occurrence),
        cmocka_unit_test(test_names_may_end_with_the_same_letter),
        cmocka_unit_test(test_texts_are_compared_to_the_last_letter),
        cmocka_unit_test(test_a_name_may_begin_as_another_one),
        cmocka_unit_test(test_an_appended_name_cannot_be_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
