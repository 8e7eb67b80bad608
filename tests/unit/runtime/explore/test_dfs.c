/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every way to decide, once each. */
#include "runtime/explore/dfs.h"

#include "tests/support/cmocka_all.h"

static unsigned ask(struct orr_decider *decider, unsigned count)
{
    const struct orr_decision decision = {
        .kind = ORR_DECIDE_EVENT, .count = count, .actors = NULL};
    unsigned option = decider->decide(decider, &decision);

    assert_true(option < count);
    return option;
}

static void all_combinations_come_in_order(void **state)
{
    struct orr_dfs *dfs = orr_dfs_new(true);
    struct orr_decider *decider;
    unsigned expected = 0;

    (void)state;
    while ((decider = orr_dfs_begin(dfs))) {
        unsigned first = ask(decider, 2), second = ask(decider, 3);

        assert_int_equal(3 * first + second, expected);
        assert_false(orr_dfs_is_complete(dfs));
        expected++;
    }
    assert_int_equal(expected, 6);
    assert_true(orr_dfs_is_complete(dfs));
    assert_null(orr_dfs_begin(dfs));
    orr_dfs_free(dfs);
}

/* A decision may depend on earlier answers: 0 ends the run, 1 asks for one of
 * two, 2 for one of four. */
static void trees_need_not_be_even(void **state)
{
    struct orr_dfs *dfs = orr_dfs_new(true);
    struct orr_decider *decider;
    unsigned leaves[3] = {0};

    (void)state;
    while ((decider = orr_dfs_begin(dfs))) {
        unsigned branch = ask(decider, 3);

        leaves[branch]++;
        if (branch > 0)
            ask(decider, 2 * branch);
    }
    assert_int_equal(leaves[0], 1);
    assert_int_equal(leaves[1], 2);
    assert_int_equal(leaves[2], 4);
    assert_true(orr_dfs_is_complete(dfs));
    orr_dfs_free(dfs);
}

static void with_nothing_to_decide_there_is_one(void **state)
{
    struct orr_dfs *dfs = orr_dfs_new(true);

    (void)state;
    assert_non_null(orr_dfs_begin(dfs));
    assert_null(orr_dfs_begin(dfs));
    assert_true(orr_dfs_is_complete(dfs));
    orr_dfs_free(dfs);
    orr_dfs_free(NULL);
}

static void durations_stay_as_they_are(void **state)
{
    static const struct orr_decision duration = {
        .kind = ORR_DECIDE_DURATION, .count = 8, .actors = NULL};
    struct orr_dfs *dfs = orr_dfs_new(true);
    struct orr_decider *decider;
    unsigned runs = 0;

    (void)state;
    while ((decider = orr_dfs_begin(dfs))) {
        assert_int_equal(decider->decide(decider, &duration), 0);
        assert_int_equal(ask(decider, 2), runs);
        runs++;
    }
    assert_int_equal(runs, 2);
    assert_true(orr_dfs_is_complete(dfs));
    orr_dfs_free(dfs);
}

static void options_beyond_those_offered_are_missed(void **state)
{
    struct orr_dfs *dfs = orr_dfs_new(true);
    struct orr_decider *decider;

    (void)state;
    while ((decider = orr_dfs_begin(dfs)))
        ask(decider, ORR_MOST_OPTIONS);
    assert_false(orr_dfs_is_complete(dfs));
    orr_dfs_free(dfs);
}

/* The second run offers less than the first one did, the third asks less. */
static void runs_that_differ_by_themselves_prove_nothing(void **state)
{
    struct orr_dfs *less = orr_dfs_new(true), *shorter = orr_dfs_new(true);
    struct orr_decider *decider;
    unsigned run = 0;

    (void)state;
    while ((decider = orr_dfs_begin(less)))
        ask(decider, run++ == 0 ? 3 : 2);
    assert_false(orr_dfs_is_complete(less));
    run = 0;
    while ((decider = orr_dfs_begin(shorter))) {
        if (run++ == 0)
            ask(decider, 3);
    }
    assert_false(orr_dfs_is_complete(shorter));
    orr_dfs_free(less);
    orr_dfs_free(shorter);
}

ORR_TESTS(dfs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_combinations_come_in_order),
        cmocka_unit_test(trees_need_not_be_even),
        cmocka_unit_test(with_nothing_to_decide_there_is_one),
        cmocka_unit_test(durations_stay_as_they_are),
        cmocka_unit_test(options_beyond_those_offered_are_missed),
        cmocka_unit_test(runs_that_differ_by_themselves_prove_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
