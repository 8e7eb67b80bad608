/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Facts about built-in policies that are not in their tables. */
#include "sched/policy/queueing.h"
#include "sched/registry.h"
#include "tests/support/cmocka_all.h"

static const struct orr_queueing *queueing_of(const char *name)
{
    return orr_sched_queueing(orr_sched_find(name));
}

static void policies_with_one_queue_or_one_for_each_worker_say_so(void **state)
{
    (void)state;
    assert_null(queueing_of("eager")->steal);
    assert_null(queueing_of("prio")->steal);
    assert_non_null(queueing_of("lws")->steal);
    assert_non_null(queueing_of("ws")->steal);
    assert_non_null(queueing_of("dmda")->planning);
    assert_non_null(queueing_of("heteroprio")->buckets);
    assert_non_null(queueing_of("random")->choose);
    assert_true(queueing_of("random")->only_if_exact);
    assert_true(queueing_of("dmda")->only_if_exact);
    assert_true(queueing_of("heteroprio")->only_if_exact);
    assert_non_null(queueing_of("modular-heft")->late);
    assert_true(queueing_of("modular-heft")->only_if_exact);
    assert_ptr_equal(queueing_of("modular-heft2"), queueing_of("modular-heft"));
    assert_null(queueing_of("darts"));
}

/* Or else a plug-in could have the steps of stealing called on its state. */
static void a_copy_of_a_table_is_another_policy(void **state)
{
    const struct orr_sched_ops *ops;

    (void)state;
    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        struct orr_sched_ops copy = *ops;

        assert_null(orr_sched_queueing(&copy));
    }
}

ORR_TESTS(registry)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_with_one_queue_or_one_for_each_worker_say_so),
        cmocka_unit_test(a_copy_of_a_table_is_another_policy),
    };

    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
