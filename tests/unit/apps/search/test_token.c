/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tokens keep all of a run, and damaged tokens are refused. */
#include "apps/search/token.h"

#include <gio/gio.h>
#include <string.h>

#include "apps/search/token_codec.h"
#include "apps/settings/values.h"
#include "models/base/error.h"
#include "tests/support/temp_file.h"

#define ALPHABET                                                               \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/* A value that is not the default, for each option that has an influence. */
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
    {"stale-calibration", NULL},
    {"window", "7"},
    {"model", "overheads=off,quirks=off"},
    {"durations", "sampled"},
    {"record", "tests/records/none.rec"},
    {"perturb", "0.25"},
    {"seed", "4711"},
    {"sched", "lws"},
};

static char *sample_of(const struct orr_option *option)
{
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        if (strcmp(samples[i].name, option->name) != 0)
            continue;
        return samples[i].value
                   ? g_strconcat(option->name, "=", samples[i].value, NULL)
                   : g_strdup(option->name);
    }
    fail_msg("--%s is new: give it a value here", option->name);
    return NULL;
}

/* Settings of an application with the options given, NULL-terminated. */
static void settings_of(struct orr_settings *settings,
                        const char *const *options)
{
    orr_settings_init(settings);
    for (; *options; options++)
        assert_true(orr_settings_give(settings, *options, NULL));
    if (!settings->sched)
        settings->sched = ORR_DEFAULT_SCHED;
    assert_true(orr_settings_resolve(settings, "cholesky", NULL));
}

/* A token with something in every member. */
static void fill(struct orr_token *token)
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

    settings_of(&settings, options);
    assert_true(orr_token_init(token, &settings, "ws", NULL));
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

static char *filled_word(void)
{
    struct orr_token token;
    char *word;

    fill(&token);
    word = orr_token_format(&token);
    orr_token_clear(&token);
    return word;
}

static bool is_refused(const char *word)
{
    struct orr_token token;
    g_autoptr(GError) error = NULL;
    bool refused = !orr_token_parse(&token, word, &error);

    if (refused)
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_SYNTAX));
    orr_token_clear(&token);
    return refused;
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
    fill(&one);
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

static void a_word_is_printable(void **state)
{
    g_autofree char *word = filled_word();

    (void)state;
    assert_true(g_str_has_prefix(word, "orr1-"));
    assert_int_equal(strspn(word, ALPHABET), strlen(word));
    assert_true(strlen(word) < 300);
}

static void assert_same_member(const struct orr_settings *one,
                               const struct orr_settings *other,
                               const struct orr_option *option)
{
    const char *a = (const char *)one + option->member;
    const char *b = (const char *)other + option->member;
    struct orr_settings defaults;

    orr_settings_init(&defaults);
    /* Pointers differ: the texts that they point to are compared. */
    if (option->parse == orr_value_text)
        assert_string_equal(*(const char *const *)a, *(const char *const *)b);
    else if (option->member == offsetof(struct orr_settings, models))
        assert_string_equal(one->models, other->models);
    else if (option->member == offsetof(struct orr_settings, changes))
        assert_string_equal(one->changes->pdata[0], other->changes->pdata[0]);
    else if (option->member == offsetof(struct orr_settings, restrictions))
        assert_memory_equal(one->where, other->where, sizeof(one->where));
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

    settings_of(&one, options);
    /* The record does not exist: the token has all but its hash. */
    orr_token_init(&token, &one, one.sched, &error);
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

/* Fails for a new option until it is added to samples. */
static void every_option_that_has_an_influence_is_kept(void **state)
{
    static const struct orr_option_group *const groups[] = {
        &orr_options_application, &orr_options_machine, &orr_options_runtime,
        &orr_options_run};

    (void)state;
    for (size_t g = 0; g < G_N_ELEMENTS(groups); g++) {
        for (size_t i = 0; i < groups[g]->count; i++) {
            const struct orr_option *option = &groups[g]->options[i];

            if (option->member < offsetof(struct orr_settings, trace))
                try_option(option);
        }
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

static void a_token_changed_in_any_letter_is_refused(void **state)
{
    g_autofree char *word = filled_word();

    (void)state;
    assert_false(is_refused(word));
    for (size_t i = 0; word[i]; i++) {
        char letter = word[i];

        for (const char *other = ALPHABET "=+/ \n\x80"; *other; other++) {
            word[i] = *other;
            assert_int_equal(is_refused(word), *other != letter);
        }
        word[i] = letter;
    }
}

static void a_token_that_lost_letters_is_refused(void **state)
{
    g_autofree char *word = filled_word();
    g_autofree char *longer = g_strconcat(word, "A", NULL);

    (void)state;
    assert_true(is_refused(longer));
    for (size_t length = strlen(word); length > 0; length--) {
        word[length - 1] = '\0';
        assert_true(is_refused(word));
    }
}

/* Returns a valid word for bytes that orr_token_format() does not make. */
static char *word_of(const char *bytes, size_t length)
{
    g_autoptr(GByteArray) array = g_byte_array_new();

    g_byte_array_append(array, (const guint8 *)bytes, (guint)length);
    return orr_token_encode(array);
}

static void a_token_that_was_cut_before_it_was_packed_is_refused(void **state)
{
    g_autofree char *word = filled_word();
    g_autoptr(GByteArray) bytes = orr_token_decode(word, NULL);

    (void)state;
    assert_non_null(bytes);
    for (guint length = 0; length < bytes->len; length++) {
        g_autofree char *cut = word_of((const char *)bytes->data, length);

        assert_true(is_refused(cut));
    }
}

/* Returns a valid word for @bytes with the largest number at byte @at. */
static char *word_with_most(const GByteArray *bytes, guint at)
{
    static const guint8 most[] = {0xff, 0xff, 0xff, 0xff, 0xff,
                                  0xff, 0xff, 0xff, 0xff, 0x01};
    g_autoptr(GByteArray) changed = g_byte_array_new();

    g_byte_array_append(changed, bytes->data, at);
    g_byte_array_append(changed, most, sizeof(most));
    g_byte_array_append(changed, bytes->data + at + 1, bytes->len - at - 1);
    return orr_token_encode(changed);
}

/* Replaces each byte in turn by the largest number. */
static void huge_counts_are_refused(void **state)
{
    g_autofree char *word = filled_word();
    g_autoptr(GByteArray) bytes = orr_token_decode(word, NULL);
    size_t refused = 0;

    (void)state;
    assert_non_null(bytes);
    for (guint at = 0; at < bytes->len; at++) {
        g_autofree char *hostile = word_with_most(bytes, at);

        refused += is_refused(hostile);
    }
    /* Inside texts they are letters, and they are valid hashes. */
    assert_true(refused > 20);
}

/* 256 MiB of zeros in a word of 350,000 letters. */
static void a_word_for_too_much_is_refused(void **state)
{
    size_t size = (size_t)256 * 1024 * 1024;
    g_autoptr(GZlibCompressor) zlib =
        g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, 9);
    g_autofree guint8 *packed = g_malloc(size / 512);
    g_autofree guint8 *zeros = g_malloc0(size);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *text = NULL;
    g_autofree char *word = NULL;
    guint8 digest[32];
    gsize length = sizeof(digest), read, written;

    (void)state;
    assert_int_equal(g_converter_convert(G_CONVERTER(zlib), zeros, size, packed,
                                         size / 512, G_CONVERTER_INPUT_AT_END,
                                         &read, &written, NULL),
                     G_CONVERTER_FINISHED);
    g_checksum_update(sum, packed, (gssize)written);
    g_checksum_get_digest(sum, digest, &length);
    memcpy(packed + written, digest, 4);
    text = g_base64_encode(packed, written + 4);
    g_strdelimit(text, "+", '-');
    g_strdelimit(text, "/", '_');
    text[strcspn(text, "=")] = '\0';
    word = g_strconcat("orr1-", text, NULL);
    assert_true(is_refused(word));
}

static void nonsense_is_no_token(void **state)
{
    static const char *const words[] = {
        "",          "orr1", "orr1-",     "orr1-A",       "orr2-",
        "orr1-====", "dmda", "orr1-AAAA", "orr1-AAAAAAAA"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        assert_true(is_refused(words[i]));
}

static void another_version_is_refused(void **state)
{
    struct orr_token token;
    struct orr_settings settings;
    g_autoptr(GError) error = NULL;

    (void)state;
    fill(&token);
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

        fill(&token);
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
    settings_of(&settings, here);
    settings_of(&others, there);
    assert_true(orr_token_init(&token, &settings, settings.sched, NULL));
    assert_true(orr_token_check(&token, &settings, NULL));
    assert_false(orr_token_check(&token, &others, &error));
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
    settings_of(&settings, options);
    assert_true(orr_token_init(&token, &settings, settings.sched, NULL));
    assert_true(orr_token_check(&token, &settings, NULL));
    assert_true(g_file_set_contents(path, "two", 3, NULL));
    assert_false(orr_token_check(&token, &settings, &error));
    assert_true(g_str_has_prefix(error->message, "the record "));
    orr_token_clear(&token);
    orr_settings_clear(&settings);
    temp_file_remove(g_steal_pointer(&path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(a_word_is_printable),
        cmocka_unit_test(every_option_that_has_an_influence_is_kept),
        cmocka_unit_test(output_options_are_not_kept),
        cmocka_unit_test(a_token_changed_in_any_letter_is_refused),
        cmocka_unit_test(a_token_that_lost_letters_is_refused),
        cmocka_unit_test(a_token_that_was_cut_before_it_was_packed_is_refused),
        cmocka_unit_test(huge_counts_are_refused),
        cmocka_unit_test(a_word_for_too_much_is_refused),
        cmocka_unit_test(nonsense_is_no_token),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(unknown_options_are_refused),
        cmocka_unit_test(another_machine_is_refused),
        cmocka_unit_test(another_record_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
