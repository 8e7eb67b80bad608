/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/portfolio.h"
#include "tests/support/cmocka_all.h"

enum {
    RANDOM = ORR_STRATEGY_RANDOM,
    PCT = ORR_STRATEGY_PCT,
    STARVE = ORR_STRATEGY_STARVE,
    DELAY = ORR_STRATEGY_DELAY,
    DFS = ORR_PORTFOLIO_DFS
};

static void init(struct orr_portfolio *portfolio)
{
    const bool all[ORR_PORTFOLIO_MOST] = {true, true, true, true, true};

    orr_portfolio_init(portfolio, all);
}

/* Begins a round, whose turns must equal the quotas. */
static void expect_round(struct orr_portfolio *portfolio, uint64_t most,
                         const uint64_t quotas[ORR_PORTFOLIO_MOST])
{
    g_autoptr(GArray) turns = orr_portfolio_begin(portfolio, most);
    uint64_t counts[ORR_STRATEGIES] = {0};

    for (guint i = 0; i < turns->len; i++)
        counts[g_array_index(turns, struct orr_turn, i).kind]++;
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        assert_int_equal(portfolio->shares[i].quota, quotas[i]);
        if (i < ORR_STRATEGIES)
            assert_int_equal(counts[i], quotas[i]);
    }
}

static void the_first_shares_are_equal(void **state)
{
    struct orr_portfolio portfolio;
    GArray *turns;

    (void)state;
    init(&portfolio);
    turns = orr_portfolio_begin(&portfolio, 1000);
    assert_int_equal(portfolio.shares[DFS].quota, 20);
    assert_int_equal(turns->len, 80);
    for (guint i = 0; i < turns->len; i++) {
        const struct orr_turn *turn = &g_array_index(turns, struct orr_turn, i);

        assert_int_equal(turn->kind, i % 4);
        assert_int_equal(turn->number, i / 4);
    }
    g_array_unref(turns);
    init(&portfolio);
    expect_round(&portfolio, 10, (const uint64_t[]){2, 2, 2, 2, 2});
}

/* Yields of 1, 1/2, 1/2 and nothing, which counts as 1/50 in the beginning:
 * together 2.04, for 200 schedules. */
static void shares_follow_yields(void **state)
{
    struct orr_portfolio portfolio;
    GArray *turns;

    (void)state;
    init(&portfolio);
    g_array_unref(orr_portfolio_begin(&portfolio, 1000));
    orr_portfolio_end(&portfolio, RANDOM, 20, 20);
    orr_portfolio_end(&portfolio, PCT, 20, 10);
    orr_portfolio_end(&portfolio, STARVE, 20, 10);
    orr_portfolio_end(&portfolio, DELAY, 20, 0);
    orr_portfolio_end(&portfolio, DFS, 20, 0);
    turns = orr_portfolio_begin(&portfolio, 1000);
    assert_int_equal(turns->len, 198);
    assert_int_equal(portfolio.shares[RANDOM].quota, 98);
    assert_int_equal(portfolio.shares[PCT].quota, 49);
    assert_int_equal(portfolio.shares[STARVE].quota, 49);
    assert_int_equal(portfolio.shares[DELAY].quota, 2);
    assert_int_equal(portfolio.shares[DFS].quota, 2);
    /* Schedules of each strategy are numbered on. */
    assert_int_equal(portfolio.shares[RANDOM].next, 118);
    g_array_unref(turns);
}

static void who_yields_nothing_is_dropped(void **state)
{
    struct orr_portfolio portfolio;

    (void)state;
    init(&portfolio);
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++)
        orr_portfolio_end(&portfolio, i, 100, i == PCT ? 2 : 1);
    expect_round(&portfolio, 50, (const uint64_t[]){0, 50, 0, 0, 0});
    /* If no strategy yields anything, all are equal. */
    orr_portfolio_end(&portfolio, PCT, 50, 0);
    expect_round(&portfolio, 50, (const uint64_t[]){10, 10, 10, 10, 10});
}

static void one_strategy_has_all(void **state)
{
    const bool one[ORR_PORTFOLIO_MOST] = {[DELAY] = true};
    struct orr_portfolio portfolio;

    (void)state;
    orr_portfolio_init(&portfolio, one);
    for (unsigned round = 0; round < 3; round++) {
        uint64_t quotas[ORR_PORTFOLIO_MOST] = {[DELAY] = UINT64_C(100)
                                                         << round};

        expect_round(&portfolio, 1000, quotas);
        orr_portfolio_end(&portfolio, DELAY, 100, 0);
    }
}

ORR_TESTS(portfolio)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_shares_are_equal),
        cmocka_unit_test(shares_follow_yields),
        cmocka_unit_test(who_yields_nothing_is_dropped),
        cmocka_unit_test(one_strategy_has_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
