/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOKEN_FIXTURE_H
#define ORR_TOKEN_FIXTURE_H

#include "apps/token/token.h"
#include "tests/support/cmocka_all.h"

/* Settings of an application with the options given, NULL-terminated. */
static inline void token_settings(struct orr_settings *settings,
                                  const char *const *options)
{
    orr_settings_init(settings);
    assert_true(orr_settings_open(settings, "cholesky", NULL));
    for (; *options; options++)
        assert_true(orr_settings_give(settings, *options, NULL));
    if (!settings->scenario.config.sched)
        settings->scenario.config.sched = ORR_DEFAULT_SCHED;
    assert_true(orr_settings_resolve(settings, "cholesky", NULL));
}

/* A token with something in every member. */
static inline void token_fill(struct orr_token *token)
{
    static const char *const options[] = {
        "tiles=3", "cpus=2", "model=pitch=off", "model=quirks=off", NULL};
    static const struct orr_deviation decisions[] = {
        {.position = 0, .option = 1},
        {.position = 1, .option = 4000000000u},
        {.position = 300, .option = 2},
        {.position = UINT64_MAX - 1, .option = 1}};
    static const uint64_t left_out[] = {0, 1, 7, 1000000};
    struct orr_settings settings;

    token_settings(&settings, options);
    assert_true(orr_token_init(token, &settings.scenario, "ws", NULL));
    g_free(token->strategy);
    g_free(token->hang);
    token->strategy = g_strdup("pct");
    token->schedule = 1234;
    token->hang = g_strdup("lost-wakeup");
    token->digest = UINT64_MAX;
    token->critical = 301;
    g_array_append_vals(token->decisions, decisions, G_N_ELEMENTS(decisions));
    g_array_append_vals(token->left_out, left_out, G_N_ELEMENTS(left_out));
    orr_settings_clear(&settings);
}

/* The word of that token; owned. */
static inline char *token_word(void)
{
    struct orr_token token;
    char *word;

    token_fill(&token);
    word = orr_token_format(&token);
    orr_token_clear(&token);
    return word;
}

#endif
