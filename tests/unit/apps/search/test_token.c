/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tokens keep all of a run, and are refused where the run would differ. */
#include "apps/token/token.h"

#include <string.h>

#include "apps/options/values.h"
#include "models/base/error.h"
#include "tests/support/temp_file.h"
#include "tests/support/token_fixture.h"

/* Values that are not the default, where no other will do. */
static const struct {
    const char *name, *value;
} samples[] = {
    {"tiles", "3"},
    {"size", "2880"},
    {"tile", "320"},
    {"precision", "single"},
    {"where", "gemm=gpu"},
    {"layout", "matrix"},
    {"platform", "mirage"},
    {"cpus", "2"},
    {"gpus", "1"},
    {"gpu-memory", "64MiB"},
    {"pcie", "0.5x"},
    {"nvlink", "50GBps"},
    {"set", "link.Host.latency=9us"},
    {"model", "overheads=off,quirks=off"},
    {"durations", "sampled"},
    {"record", "tests/records/none.rec"},
    {"perturb", "0.25"},
    {"power-cap", "gpus=150W"},
    {"pstate", "cpu=1"},
    {"sched", "lws"},
    {"evict", "belady"},
    {"buckets", "cpu:0,1*4;gpu:1"},
};

/* Where a setting lies in struct orr_settings, in bytes. */
static size_t place_of(const struct orr_option *option)
{
    return option->member +
           (strcmp(option->name, "app") == 0
                ? 0
                : offsetof(struct orr_settings, scenario.config));
}

/* Returns "name=value" with the first of some values that @option takes. */
static char *find_sample(const struct orr_option *option)
{
    static const char *const values[] = {"0.3", "7", "7ms", "7MiB"};
    struct orr_settings settings;
    char *sample = NULL;

    orr_settings_init(&settings);
    for (size_t i = 0; i < G_N_ELEMENTS(values) && !sample; i++) {
        const char *value = option->choices ? option->choices[0] : values[i];

        if (option->parse(option, value, (char *)&settings + place_of(option),
                          NULL))
            sample = g_strconcat(option->name, "=", value, NULL);
    }
    orr_settings_clear(&settings);
    if (!sample)
        fail_msg("--%s is new: give it a value here", option->name);
    return sample;
}

static char *sample_of(const struct orr_option *option)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        if (strcmp(samples[i].name, option->name) == 0)
            return g_strconcat(option->name, "=", samples[i].value, NULL);
    }
    return option->value ? find_sample(option) : g_strdup(option->name);
}

static void assert_same_array(const GArray *one, const GArray *other)
{
    assert_int_equal(one->len, other->len);
    assert_memory_equal(one->data, other->data,
                        (size_t)one->len *
                            g_array_get_element_size((GArray *)one));
}

/* Compares members, as padding may differ. */
static void assert_same_decisions(const GArray *one, const GArray *other)
{
    assert_int_equal(one->len, other->len);
    for (guint i = 0; i < one->len; i++) {
        const struct orr_deviation *a =
            &g_array_index(one, struct orr_deviation, i);
        const struct orr_deviation *b =
            &g_array_index(other, struct orr_deviation, i);

        assert_true(a->position == b->position);
        assert_int_equal(a->option, b->option);
    }
}

static void nothing_is_lost(void **state)
{
    struct orr_token one, other;
    g_autofree char *word = NULL;
    g_autofree char *again = NULL;

    (void)state;
    token_fill(&one);
    word = orr_token_format(&one);
    assert_true(orr_token_parse(&other, word, NULL));
    assert_string_equal(other.version, one.version);
    assert_string_equal(other.app, "cholesky");
    assert_int_equal(other.options->len, 5);
    for (guint i = 0; i < one.options->len; i++)
        assert_string_equal(other.options->pdata[i], one.options->pdata[i]);
    assert_string_equal(other.options->pdata[4], "sched=ws");
    assert_memory_equal(other.inputs, one.inputs, sizeof(one.inputs));
    assert_true(other.inputs[ORR_TOKEN_PLATFORM] != 0);
    assert_string_equal(other.strategy, "pct");
    assert_int_equal(other.schedule, 1234);
    assert_string_equal(other.hang, "lost-wakeup");
    assert_true(other.digest == UINT64_MAX);
    assert_int_equal(other.critical, 301);
    assert_same_decisions(other.decisions, one.decisions);
    assert_same_array(other.left_out, one.left_out);
    again = orr_token_format(&other);
    assert_string_equal(again, word);
    orr_token_clear(&one);
    orr_token_clear(&other);
}

static void assert_same_member(const struct orr_settings *one,
                               const struct orr_settings *other,
                               const struct orr_option *option)
{
    const char *a = (const char *)one + place_of(option);
    const char *b = (const char *)other + place_of(option);
    struct orr_settings defaults;

    orr_settings_init(&defaults);
    /* Pointers differ: the texts that they point to are compared. */
    if (option->parse == orr_value_text || option->parse == orr_value_buckets)
        assert_string_equal(*(const char *const *)a, *(const char *const *)b);
    else if (option->member == offsetof(struct orr_config, models))
        assert_string_equal(one->scenario.config.models,
                            other->scenario.config.models);
    else if (option->member == offsetof(struct orr_config, changes))
        assert_string_equal(one->scenario.config.changes[0],
                            other->scenario.config.changes[0]);
    else if (option->member == offsetof(struct orr_config, where))
        assert_string_equal(one->scenario.config.where[0],
                            other->scenario.config.where[0]);
    else
        assert_memory_equal(a, b, option->value ? sizeof(int) : sizeof(bool));
}

static void try_option(const struct orr_option *option)
{
    g_autofree char *text = sample_of(option);
    const char *const options[] = {text, NULL};
    struct orr_settings one, other;
    struct orr_token token, read;
    g_autofree char *word = NULL;
    g_autoptr(GError) error = NULL;

    token_settings(&one, options);
    /* The record does not exist: the token has all but its hash. */
    orr_token_init(&token, &one.scenario, one.scenario.config.sched, &error);
    word = orr_token_format(&token);
    orr_settings_init(&other);
    assert_true(orr_token_parse(&read, word, NULL));
    for (unsigned i = 0; i < ORR_TOKEN_INPUTS; i++)
        read.files[i] = g_strdup(token.files[i]);
    assert_true(orr_token_apply(&read, &other, NULL));
    assert_true(orr_settings_resolve(&other, read.app, NULL));
    assert_same_member(&one, &other, option);
    orr_token_clear(&token);
    orr_token_clear(&read);
    orr_settings_clear(&one);
    orr_settings_clear(&other);
}

/* The application itself comes before the options. */
static void every_option_that_has_an_influence_is_kept(void **state)
{
    const struct orr_option *option;

    (void)state;
    for (size_t i = 0; (option = orr_settings_option(i)); i++) {
        if (strcmp(option->name, "app") != 0)
            try_option(option);
    }
}

/* The file of a trace is not part of a run. */
static void output_options_are_not_kept(void **state)
{
    struct orr_settings settings;
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_settings_init(&settings);
    assert_false(orr_settings_give(&settings, "trace=a.csv", &error));
    assert_string_equal(error->message,
                        "there is no option 'trace' with a value");
    orr_settings_clear(&settings);
}

static void another_version_is_refused(void **state)
{
    struct orr_token token;
    struct orr_settings settings;
    g_autoptr(GError) error = NULL;

    (void)state;
    token_fill(&token);
    g_free(token.version);
    token.version = g_strdup("0.0.9");
    orr_settings_init(&settings);
    assert_false(orr_token_apply(&token, &settings, &error));
    assert_true(
        strstr(error->message, "by version '0.0.9' of orrery, this is "));
    orr_settings_clear(&settings);
    orr_token_clear(&token);
}

static void unknown_options_are_refused(void **state)
{
    static const struct {
        const char *option, *message;
    } cases[] = {
        {"warp=9", "in the token: there is no option 'warp' with a value"},
        {"tiles", "in the token: there is no option 'tiles' without a value"},
        {"stale-calibration=1",
         "in the token: there is no option 'stale-calibration' with a value"},
        {"tiles=0", "in the token: --tiles: '0': expected a whole number from "
                    "1 to 1000000000"},
        {"", "in the token: there is no option '' without a value"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct orr_token token;
        struct orr_settings settings;
        g_autoptr(GError) error = NULL;

        token_fill(&token);
        g_ptr_array_add(token.options, g_strdup(cases[i].option));
        orr_settings_init(&settings);
        assert_false(orr_token_apply(&token, &settings, &error));
        assert_string_equal(error->message, cases[i].message);
        orr_settings_clear(&settings);
        orr_token_clear(&token);
    }
}

static void another_machine_is_refused(void **state)
{
    static const char *const here[] = {"set=link.Host.latency=9us", NULL};
    static const char *const there[] = {"set=link.Host.latency=8us", NULL};
    struct orr_settings settings, others;
    struct orr_token token;
    g_autoptr(GError) error = NULL;

    (void)state;
    token_settings(&settings, here);
    token_settings(&others, there);
    assert_true(orr_token_init(&token, &settings.scenario,
                               settings.scenario.config.sched, NULL));
    assert_true(orr_token_check(&token, &settings.scenario, NULL));
    assert_false(orr_token_check(&token, &others.scenario, &error));
    assert_string_equal(error->message,
                        "the platform attila is not the one of the token");
    orr_token_clear(&token);
    orr_settings_clear(&settings);
    orr_settings_clear(&others);
}

static void another_record_is_refused(void **state)
{
    g_autofree char *path = NULL;
    g_autofree char *option = NULL;
    const char *options[] = {NULL, "durations=replayed", NULL};
    struct orr_settings settings;
    struct orr_token token;
    g_autoptr(GError) error = NULL;

    (void)state;
    path = temp_file_new("one", 3);
    option = g_strconcat("record=", path, NULL);
    options[0] = option;
    token_settings(&settings, options);
    assert_true(orr_token_init(&token, &settings.scenario,
                               settings.scenario.config.sched, NULL));
    assert_true(orr_token_check(&token, &settings.scenario, NULL));
    assert_true(g_file_set_contents(path, "two", 3, NULL));
    assert_false(orr_token_check(&token, &settings.scenario, &error));
    assert_true(g_str_has_prefix(error->message, "the record "));
    orr_token_clear(&token);
    orr_settings_clear(&settings);
    temp_file_remove(g_steal_pointer(&path));
}

ORR_TESTS(token)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(every_option_that_has_an_influence_is_kept),
        cmocka_unit_test(output_options_are_not_kept),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(unknown_options_are_refused),
        cmocka_unit_test(another_machine_is_refused),
        cmocka_unit_test(another_record_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
