/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which points of a campaign are wanted. */
#include "apps/campaign/where_filter.h"

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

static void free_key(gpointer key)
{
    orr_key_free(key);
}

static GPtrArray *make_keys(void)
{
    GPtrArray *keys = g_ptr_array_new_with_free_func(free_key);

    g_ptr_array_add(keys, orr_key_parse("gpus=1:10", NULL));
    g_ptr_array_add(keys, orr_key_parse("pcie=0.25x,1x,4x", NULL));
    g_ptr_array_add(keys, orr_key_parse("sched=dmda,dmdas", NULL));
    g_ptr_array_add(keys, orr_key_parse("gpu-memory=512MiB,1GiB", NULL));
    return keys;
}

/* The expression holds for these numbers of values. */
static bool holds(const char *text, uint64_t gpus, uint64_t pcie,
                  uint64_t sched, uint64_t memory)
{
    g_autoptr(GPtrArray) keys = make_keys();
    const uint64_t values[] = {gpus, pcie, sched, memory};
    g_autoptr(GError) error = NULL;
    struct orr_where_filter *filter = orr_where_filter_new(text, keys, &error);
    bool has;

    if (!filter)
        fail_msg("%s: %s", text, error->message);
    has = orr_where_filter_has(filter, values);
    orr_where_filter_free(filter);
    return has;
}

static void numbers_are_compared_as_numbers(void **state)
{
    (void)state;
    assert_true(holds("gpus<=4", 3, 0, 0, 0));
    assert_false(holds("gpus<=4", 4, 0, 0, 0));
    assert_true(holds("gpus>9", 9, 0, 0, 0)); /* 10, not "10" */
    assert_true(holds("gpus = 2.0", 1, 0, 0, 0));
    assert_true(holds("pcie>=1x", 0, 1, 0, 0));
    assert_false(holds("pcie>=1x", 0, 0, 0, 0));
    assert_true(holds("gpu-memory<600MB", 0, 0, 0, 0));
    assert_false(holds("gpu-memory < 1024MiB", 0, 0, 0, 1));
}

static void texts_are_equal_or_not(void **state)
{
    (void)state;
    assert_true(holds("sched=dmdas", 0, 0, 1, 0));
    assert_true(holds("sched == 'dmda'", 0, 0, 0, 0));
    assert_true(holds("sched != \"dmdas\"", 0, 0, 0, 0));
    assert_true(holds("pcie!=gen4x16", 0, 0, 0, 0));
}

static void and_binds_more_than_or(void **state)
{
    (void)state;
    assert_true(holds("gpus=1 or gpus=2 and sched=dmdas", 0, 0, 0, 0));
    assert_false(holds("(gpus=1 or gpus=2) and sched=dmdas", 0, 0, 0, 0));
    assert_false(holds("not gpus=1 and sched=dmda", 0, 0, 0, 0));
    assert_true(holds("not (gpus=1 and sched=dmdas)", 0, 0, 0, 0));
}

static void assert_refused(const char *text, int code, const char *why)
{
    g_autoptr(GPtrArray) keys = make_keys();
    g_autoptr(GError) error = NULL;

    assert_null(orr_where_filter_new(text, keys, &error));
    assert_true(g_error_matches(error, ORR_ERROR, code));
    assert_string_equal(error->message, why);
}

static void anything_else_is_refused(void **state)
{
    g_autofree char *deep = g_strnfill(500, '(');
    g_autoptr(GPtrArray) keys = make_keys();

    (void)state;
    assert_refused("gpu=1", ORR_ERROR_UNKNOWN,
                   "unknown varied setting 'gpu' (did you mean 'gpus'?); there "
                   "are: gpus, pcie, sched, gpu-memory");
    assert_refused("", ORR_ERROR_VALUE,
                   "expected the name of a varied setting at the end");
    assert_refused("gpus 1", ORR_ERROR_VALUE,
                   "expected one of = != < <= > >= before '1'");
    assert_refused("gpus<", ORR_ERROR_VALUE, "expected a value at the end");
    assert_refused("(gpus<2", ORR_ERROR_VALUE, "expected ')' at the end");
    assert_refused("gpus<2 gpus>3", ORR_ERROR_VALUE,
                   "expected 'and' or 'or' before 'gpus>3'");
    assert_refused("gpus<2 and", ORR_ERROR_VALUE,
                   "expected the name of a varied setting at the end");
    assert_refused("pcie>2GBps", ORR_ERROR_VALUE,
                   "the values '0.25x' and '2GBps' of pcie have no order");
    assert_refused("sched='dmda", ORR_ERROR_VALUE,
                   "expected a value before ''dmda'");
    assert_null(orr_where_filter_new(deep, keys, NULL));
}

ORR_TESTS(where_filter)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_compared_as_numbers),
        cmocka_unit_test(texts_are_equal_or_not),
        cmocka_unit_test(and_binds_more_than_or),
        cmocka_unit_test(anything_else_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
