/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/switches.h"
#include "tests/support/cmocka_all.h"

#define DEFAULTS                                                               \
    "durations=mean,overheads=on,memory=on,network=full,pitch=on,"             \
    "sharing=weighted,belief=reference,quirks=on"
#define OPPOSITES                                                              \
    "durations=sampled,overheads=off,memory=off,network=crude,pitch=off,"      \
    "sharing=fair,belief=route,quirks=off"

static void assert_shows(const struct orr_switches *switches,
                         const char *expected)
{
    g_autofree char *text = orr_switches_format(switches);

    assert_string_equal(text, expected);
}

/* Fails unless the defaults, then @text, are shown as @expected. */
static void assert_gives(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    struct orr_switches switches;

    orr_switches_init(&switches);
    assert_true(orr_switches_parse(&switches, text, &error));
    assert_null(error);
    assert_shows(&switches, expected);
}

/* Fails unless @text is refused with @message, and nothing changed. */
static void assert_refused(const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;
    struct orr_switches switches;

    orr_switches_init(&switches);
    assert_false(orr_switches_parse(&switches, text, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_string_equal(error->message, message);
    assert_shows(&switches, DEFAULTS);
}

static void defaults_are_those_of_the_reference(void **state)
{
    struct orr_switches s;

    (void)state;
    orr_switches_init(&s);
    assert_true(s.overheads && s.memory && s.network_full);
    assert_true(s.pitch && s.sharing_weighted && s.quirks == ORR_QUIRKS_ON);
    assert_int_equal(s.belief, ORR_BELIEF_REFERENCE);
    assert_gives("", DEFAULTS);
}

static struct orr_switches with(const char *text)
{
    struct orr_switches switches;

    orr_switches_init(&switches);
    assert_true(orr_switches_parse(&switches, text, NULL));
    return switches;
}

static void each_switch_moves_its_own_member(void **state)
{
    (void)state;
    assert_int_equal(with("durations=sampled").durations,
                     ORR_DURATIONS_SAMPLED);
    assert_int_equal(with("durations=replayed").durations,
                     ORR_DURATIONS_REPLAYED);
    assert_false(with("overheads=off").overheads);
    assert_false(with("memory=off").memory);
    assert_false(with("network=crude").network_full);
    assert_false(with("pitch=off").pitch);
    assert_false(with("sharing=fair").sharing_weighted);
    assert_int_equal(with("belief=route").belief, ORR_BELIEF_ROUTE);
    assert_int_equal(with("quirks=off").quirks, ORR_QUIRKS_OFF);
    assert_int_equal(with("quirks=exact").quirks, ORR_QUIRKS_EXACT);
}

/* The defaults, with the switch of that name at its other value. */
static char *opposite(const char *name)
{
    g_auto(GStrv) items = g_strsplit(DEFAULTS, ",", -1);
    g_auto(GStrv) others = g_strsplit(OPPOSITES, ",", -1);

    for (unsigned i = 0; items[i]; i++) {
        if (g_str_has_prefix(items[i], name)) {
            g_free(items[i]);
            items[i] = g_strdup(others[i]);
        }
    }
    return g_strjoinv(",", items);
}

static void each_switch_leaves_the_others_alone(void **state)
{
    const char *const texts[] = {
        "overheads=off", "memory=off",   "network=crude", "pitch=off",
        "sharing=fair",  "belief=route", "quirks=off"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_auto(GStrv) pair = g_strsplit(texts[i], "=", 2);
        g_autofree char *expected = opposite(pair[0]);

        assert_gives(texts[i], expected);
    }
}

static void what_is_shown_can_be_given(void **state)
{
    (void)state;
    assert_gives(OPPOSITES, OPPOSITES);
    assert_gives(OPPOSITES "," DEFAULTS, DEFAULTS);
}

static void sets_stand_for_several_switches(void **state)
{
    (void)state;
    assert_gives("clean",
                 "durations=mean,overheads=on,memory=on,network=full,pitch=on,"
                 "sharing=fair,belief=route,quirks=off");
    assert_gives(OPPOSITES ",reference", DEFAULTS);
}

static void later_items_override_earlier_ones(void **state)
{
    (void)state;
    assert_gives("quirks=off,quirks=on", DEFAULTS);
    assert_gives("clean,belief=reference",
                 "durations=mean,overheads=on,memory=on,network=full,pitch=on,"
                 "sharing=fair,belief=reference,quirks=off");
}

#define MODELS                                                                 \
    "; there are: durations, overheads, memory, network, pitch, sharing, "     \
    "belief, quirks, reference, clean"

static void unknown_models_are_refused_with_a_list(void **state)
{
    (void)state;
    assert_refused("gravity=on", "unknown model 'gravity'" MODELS);
    assert_refused("quirk=on",
                   "unknown model 'quirk' (did you mean 'quirks'?)" MODELS);
    assert_refused("quirks=off,,memory=off", "unknown model ''" MODELS);
    assert_refused("clean=on", "unknown model 'clean'" MODELS);
}

static void unknown_values_are_refused_with_a_list(void **state)
{
    (void)state;
    assert_refused("network=fast",
                   "unknown value of network 'fast'; there are: full, crude");
    assert_refused("durations=random",
                   "unknown value of durations 'random'; there are: mean, "
                   "sampled, replayed");
    assert_refused("memory=off,quirks",
                   "unknown value of quirks ''; there are: on, off, exact");
    assert_refused("quirks=on=off",
                   "unknown value of quirks 'on=off'; there are: on, off, "
                   "exact");
}

static void case_and_blanks_do_not_count(void **state)
{
    (void)state;
    assert_gives(" Clean , BELIEF = Reference",
                 "durations=mean,overheads=on,memory=on,network=full,pitch=on,"
                 "sharing=fair,belief=reference,quirks=off");
}

/* Fails unless the degradations after @text are @expected, "a,b". */
static void assert_degradable(const char *text, const char *expected)
{
    const struct orr_switches switches = with(text);
    g_auto(GStrv) items = orr_switches_degradations(&switches);
    g_autofree char *list = g_strjoinv(",", items);

    assert_string_equal(list, expected);
}

static void what_is_not_at_its_plainest_can_be_degraded(void **state)
{
    (void)state;
    assert_degradable("", "overheads=off,memory=off,network=crude,pitch=off,"
                          "sharing=fair,belief=route,quirks=off");
    assert_degradable("clean",
                      "overheads=off,memory=off,network=crude,pitch=off");
    assert_degradable(OPPOSITES, "durations=mean");
    assert_degradable(OPPOSITES ",durations=mean", "");
}

ORR_TESTS(switches)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_reference),
        cmocka_unit_test(each_switch_moves_its_own_member),
        cmocka_unit_test(each_switch_leaves_the_others_alone),
        cmocka_unit_test(what_is_shown_can_be_given),
        cmocka_unit_test(sets_stand_for_several_switches),
        cmocka_unit_test(later_items_override_earlier_ones),
        cmocka_unit_test(unknown_models_are_refused_with_a_list),
        cmocka_unit_test(unknown_values_are_refused_with_a_list),
        cmocka_unit_test(case_and_blanks_do_not_count),
        cmocka_unit_test(what_is_not_at_its_plainest_can_be_degraded),
    };

    return cmocka_run_group_tests_name("switches", tests, NULL, NULL);
}
