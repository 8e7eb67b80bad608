/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replays of tokens, and errors if a run is not the one of its token. */
#include "apps/search/replay.h"

#include "apps/search/critical_decision.h"
#include "apps/search/shrink.h"
#include "apps/simulation/simulate.h"
#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

/* A token of cholesky with the options given, NULL-terminated. */
static void make_token(struct orr_token *token, const char *const *options)
{
    struct orr_settings settings;

    orr_settings_init(&settings);
    assert_true(orr_settings_open(&settings, "cholesky", NULL));
    for (; *options; options++)
        assert_true(orr_settings_give(&settings, *options, NULL));
    assert_true(orr_settings_resolve(&settings, "cholesky", NULL));
    assert_true(orr_token_init(token, &settings.scenario, "dmda", NULL));
    orr_settings_clear(&settings);
}

static void make_small(struct orr_token *token)
{
    static const char *const options[] = {"tiles=4", "cpus=2", "gpus=2", NULL};

    make_token(token, options);
}

/* Returns a token whose run hangs: prefetched data fill the memory. */
static void make_hanging(struct orr_token *token)
{
    static const char *const options[] = {"tiles=22", "cpus=0", "gpus=3",
                                          "gpu-memory=60MiB", NULL};

    make_token(token, options);
    g_free(token->hang);
    token->hang = g_strdup("memory");
}

static void add_decision(struct orr_token *token, uint64_t position,
                         unsigned option)
{
    struct orr_deviation decision = {.position = position, .option = option};

    g_array_append_val(token->decisions, decision);
}

/* Returns the error of a replay of @token; NULL: none. Free with g_free(). */
static char *complaint_of(struct orr_token *token)
{
    struct orr_replay replay;
    struct orr_settings settings;
    struct orr_run *run;
    GError *error = NULL;
    char *text = NULL;

    orr_settings_init(&settings);
    assert_int_equal(orr_token_prepare(token, &settings, NULL), ORR_EXIT_OK);
    orr_replay_init(&replay, token);
    settings.scenario.config.decider = &replay.decider;
    orr_simulate_run(&settings.scenario, settings.scenario.config.sched, NULL,
                     &run, &error);
    g_clear_error(&error);
    assert_non_null(run);
    if (!orr_replay_check(&replay, run, &error)) {
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
        text = g_strdup(error->message);
        g_clear_error(&error);
    }
    orr_run_free(run);
    orr_replay_clear(&replay);
    orr_settings_clear(&settings);
    return text;
}

static void assert_complaint(struct orr_token *token, const char *pattern)
{
    g_autofree char *complaint = complaint_of(token);

    if (!complaint || !g_pattern_match_simple(pattern, complaint))
        fail_msg("expected \"%s\"; there is: %s", pattern,
                 complaint ? complaint : "nothing");
}

static uint64_t digest_of(const struct orr_token *token)
{
    struct orr_token_runs runs = {0};
    struct orr_outcome outcome;
    uint64_t digest;

    orr_token_run(&runs, token, NULL, false, &outcome);
    assert_non_null(outcome.hang);
    digest = outcome.digest;
    orr_outcome_clear(&outcome);
    orr_token_runs_clear(&runs);
    return digest;
}

static void the_run_of_the_token_is_accepted(void **state)
{
    struct orr_token token;

    (void)state;
    make_small(&token);
    assert_null(complaint_of(&token));
    add_decision(&token, 0, 1);
    add_decision(&token, 3, 1);
    assert_null(complaint_of(&token));
    token.digest = digest_of(&token);
    assert_null(complaint_of(&token));
    orr_token_clear(&token);
}

static void decisions_make_another_schedule(void **state)
{
    struct orr_token token;
    uint64_t digest;

    (void)state;
    make_small(&token);
    g_ptr_array_add(token.options, g_strdup("sched=eager"));
    digest = digest_of(&token);
    for (uint64_t at = 0; at < 200; at++)
        add_decision(&token, at, 1);
    assert_int_not_equal(digest_of(&token), digest);
    orr_token_clear(&token);
}

static void a_decision_without_that_option_is_told(void **state)
{
    struct orr_token token;

    (void)state;
    make_small(&token);
    add_decision(&token, 0, 33);
    assert_complaint(&token, "decision 0 of the token is not possible: it "
                             "takes option 33, but there are * options (*)");
    orr_token_clear(&token);
}

static void a_decision_after_the_end_is_told(void **state)
{
    struct orr_token token;

    (void)state;
    make_small(&token);
    add_decision(&token, 1000000000, 1);
    assert_complaint(
        &token, "the run ended after * decisions, but the token has 1 more");
    orr_token_clear(&token);
}

static void another_ending_is_told(void **state)
{
    struct orr_token token;

    (void)state;
    make_small(&token);
    g_free(token.hang);
    token.hang = g_strdup("spinning");
    assert_complaint(&token,
                     "the run of the token hangs: spinning, this one finishes");
    orr_token_clear(&token);
}

static void another_schedule_is_told(void **state)
{
    struct orr_token token;

    (void)state;
    make_small(&token);
    token.digest = digest_of(&token) + 1;
    assert_complaint(
        &token,
        "this run differs from the run of the token, although all decisions "
        "are the same: is policy dmda deterministic? See 'orrery run --twice'");
    orr_token_clear(&token);
}

static void shrink(const struct orr_token *token, uint64_t budget,
                   struct orr_shrink *shrink)
{
    *shrink = (struct orr_shrink){.command = "test", .budget = budget};
    assert_true(orr_shrink_perform(shrink, token, NULL));
}

static void shrinking_keeps_the_hang_and_is_deterministic(void **state)
{
    struct orr_shrink one, two;
    struct orr_token token;
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;
    uint64_t budget = orr_tests_are_full() ? 4000 : 400;

    (void)state;
    make_hanging(&token);
    shrink(&token, budget, &one);
    shrink(&token, budget, &two);
    first = orr_token_format(&one.token);
    second = orr_token_format(&two.token);
    assert_string_equal(first, second);
    assert_null(complaint_of(&one.token));
    assert_true(one.complete || budget < 4000);
    assert_int_equal(one.before.tasks, 2024);
    assert_true(one.after.scale < 22);
    assert_true(one.after.tasks < 100);
    assert_true(one.runs.count <= 2 * budget);
    orr_shrink_clear(&one);
    orr_shrink_clear(&two);
    orr_token_clear(&token);
}

/* A shrunk run does not hang without any one of its tasks. It takes too long
 * with sanitizers. */
static void every_remaining_task_is_needed(void **state)
{
    struct orr_token_runs runs = {0};
    struct orr_shrink shrunk;
    struct orr_token token;
    uint64_t tiles;

    (void)state;
    if (orr_tests_share(10) < 10)
        return;
    make_hanging(&token);
    shrink(&token, 1000, &shrunk);
    tiles = shrunk.after.scale;
    for (uint64_t task = 0, passed = 0;
         task < tiles * (tiles + 1) * (tiles + 2) / 6; task++) {
        const GArray *left_out = shrunk.token.left_out;
        struct orr_token less;
        struct orr_outcome outcome;

        if (passed < left_out->len &&
            g_array_index(left_out, uint64_t, passed) == task) {
            passed++;
            continue;
        }
        orr_token_copy(&less, &shrunk.token);
        g_array_insert_val(less.left_out, (guint)passed, task);
        orr_token_run(&runs, &less, NULL, false, &outcome);
        assert_string_not_equal(outcome.hang, "memory");
        orr_outcome_clear(&outcome);
        orr_token_clear(&less);
    }
    assert_int_equal(runs.count, shrunk.after.tasks);
    orr_token_runs_clear(&runs);
    orr_shrink_clear(&shrunk);
    orr_token_clear(&token);
}

static void the_budget_is_kept(void **state)
{
    struct orr_shrink shrunk;
    struct orr_token token;

    (void)state;
    make_hanging(&token);
    shrink(&token, 30, &shrunk);
    assert_false(shrunk.complete);
    assert_true(shrunk.runs.count <= 60);
    assert_null(complaint_of(&shrunk.token));
    orr_shrink_clear(&shrunk);
    orr_token_clear(&token);
}

static void a_run_that_finishes_is_not_shrunk(void **state)
{
    struct orr_shrink shrunk = {.command = "test", .budget = 10};
    struct orr_token token;
    g_autoptr(GError) error = NULL;

    (void)state;
    make_small(&token);
    assert_false(orr_shrink_perform(&shrunk, &token, &error));
    assert_string_equal(error->message, "the run of the token finishes");
    orr_shrink_clear(&shrunk);
    orr_token_clear(&token);
}

ORR_TESTS(replay)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_of_the_token_is_accepted),
        cmocka_unit_test(decisions_make_another_schedule),
        cmocka_unit_test(a_decision_without_that_option_is_told),
        cmocka_unit_test(a_decision_after_the_end_is_told),
        cmocka_unit_test(another_ending_is_told),
        cmocka_unit_test(another_schedule_is_told),
        cmocka_unit_test(shrinking_keeps_the_hang_and_is_deterministic),
        cmocka_unit_test(every_remaining_task_is_needed),
        cmocka_unit_test(the_budget_is_kept),
        cmocka_unit_test(a_run_that_finishes_is_not_shrunk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
