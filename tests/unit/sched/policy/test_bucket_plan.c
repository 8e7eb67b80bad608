/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buckets that are given to heteroprio, as text. */
#include "models/base/error.h"
#include "sched/policy/bucket_plan.h"
#include "tests/support/cmocka_all.h"

#define CPU ORR_HETEROPRIO_CPU
#define GPU ORR_HETEROPRIO_GPU

static struct orr_bucket_plan *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    struct orr_bucket_plan *plan = orr_bucket_plan_parse(text, &error);

    if (!plan)
        fail_msg("%s: %s", text, error->message);
    return plan;
}

/* The order of a class: "0 1 2". */
static char *order(const struct orr_bucket_plan *plan,
                   enum orr_heteroprio_arch arch)
{
    const struct orr_bucket_visits *visits = &plan->visits[arch];
    GString *text = g_string_new(NULL);

    for (unsigned i = 0; i < visits->count; i++)
        g_string_append_printf(text, "%s%u", i ? " " : "", visits->buckets[i]);
    return g_string_free(text, FALSE);
}

static void assert_order(const char *text, enum orr_heteroprio_arch arch,
                         const char *expected)
{
    struct orr_bucket_plan *plan = parse(text);
    g_autofree char *actual = order(plan, arch);

    assert_string_equal(actual, expected);
    orr_bucket_plan_free(plan);
}

static void each_class_has_its_order(void **state)
{
    (void)state;
    assert_order("cpu:0,1,2;gpu:2,1", CPU, "0 1 2");
    assert_order("cpu:0,1,2;gpu:2,1", GPU, "2 1");
    assert_order("gpu:7", CPU, "");
    assert_order(" GPU : 7 , 3 ", GPU, "7 3");
}

static void ranges_go_both_ways(void **state)
{
    (void)state;
    assert_order("cpu:2-5,0", CPU, "2 3 4 5 0");
    assert_order("cpu:5-2", CPU, "5 4 3 2");
    assert_order("cpu:9-9", CPU, "9");
}

static void a_slowdown_is_of_each_bucket_before_it(void **state)
{
    struct orr_bucket_plan *plan = parse("cpu:0,1-2*4,3*1.5;gpu:0-3");

    (void)state;
    assert_float_equal(plan->slowdowns[0], 0, 0);
    assert_float_equal(plan->slowdowns[1], 4, 0);
    assert_float_equal(plan->slowdowns[2], 4, 0);
    assert_float_equal(plan->slowdowns[3], 1.5, 0);
    orr_bucket_plan_free(plan);
}

static void a_number_is_the_priority_of_its_tasks(void **state)
{
    struct orr_bucket_plan *plan = parse("cpu:0,5");

    (void)state;
    assert_int_equal(orr_bucket_plan_find(plan, "gemm", 5), 5);
    assert_true(orr_bucket_plan_visits(plan, CPU, 5));
    assert_false(orr_bucket_plan_visits(plan, CPU, 4));
    assert_false(orr_bucket_plan_visits(plan, GPU, 5));
    assert_int_equal(orr_bucket_plan_find(plan, "gemm", 100), plan->count);
    assert_int_equal(orr_bucket_plan_find(plan, "gemm", -1), plan->count);
    orr_bucket_plan_free(plan);
}

static void a_name_is_the_kernel_of_its_tasks(void **state)
{
    struct orr_bucket_plan *plan = parse("cpu:potrf,gemm*20;gpu:gemm,trsm");

    (void)state;
    assert_int_equal(plan->count, 3);
    assert_int_equal(orr_bucket_plan_find(plan, "gemm", 7), 1);
    assert_float_equal(plan->slowdowns[1], 20, 0);
    assert_true(orr_bucket_plan_visits(plan, GPU, 1));
    assert_false(orr_bucket_plan_visits(plan, GPU, 0));
    assert_int_equal(orr_bucket_plan_find(plan, "syrk", 7), 3);
    orr_bucket_plan_free(plan);
}

static void errors_name_the_culprit(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "there is no bucket"},
        {"cpu", "'cpu' is not CLASS:BUCKET,..."},
        {"cpu:", "cpu: '' is no bucket"},
        {"cpu:1,,2", "cpu: '' is no bucket"},
        {"gpus:1", "unknown class of workers 'gpus' (did you mean 'gpu'?); "
                   "there are: cpu, gpu"},
        {"cpu:1;cpu:2", "cpu is there twice"},
        {"cpu:100", "cpu: '100' is no bucket: their numbers are 0 to 99"},
        {"cpu:1-x", "cpu: 'x' is no bucket: their numbers are 0 to 99"},
        {"gpu:0-3,2", "gpu: '2' is visited twice"},
        {"gpu:gemm,gemm", "gpu: 'gemm' is visited twice"},
        {"gpu:2*4", "gpu: '2*4' has a slowdown: CPUs alone are slower"},
        {"cpu:2*0", "cpu: '2*0' has no slowdown above 0 behind '*'"},
        {"cpu:2*nan", "cpu: '2*nan' has no slowdown above 0 behind '*'"},
        {"cpu:1,gemm", "cpu: 'gemm' is a kernel, but other buckets are "
                       "numbers"},
        {"cpu:gemm;gpu:1", "gpu: '1' is a number, but other buckets are "
                           "kernels"},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(orr_bucket_plan_parse(wrong[i].text, &error));
        assert_string_equal(error->message, wrong[i].message);
    }
}

static void there_are_at_most_100(void **state)
{
    g_autoptr(GString) text = g_string_new("cpu:k0");
    g_autoptr(GError) error = NULL;

    (void)state;
    for (unsigned i = 1; i < 100; i++)
        g_string_append_printf(text, ",k%u", i);
    orr_bucket_plan_free(parse(text->str));
    g_string_append(text, ",k100");
    assert_null(orr_bucket_plan_parse(text->str, &error));
    assert_string_equal(error->message,
                        "cpu: 'k100' is one kernel too many: at most 100");
}

ORR_TESTS(bucket_plan)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_has_its_order),
        cmocka_unit_test(ranges_go_both_ways),
        cmocka_unit_test(a_slowdown_is_of_each_bucket_before_it),
        cmocka_unit_test(a_number_is_the_priority_of_its_tasks),
        cmocka_unit_test(a_name_is_the_kernel_of_its_tasks),
        cmocka_unit_test(errors_name_the_culprit),
        cmocka_unit_test(there_are_at_most_100),
    };

    return cmocka_run_group_tests_name("bucket_plan", tests, NULL, NULL);
}
