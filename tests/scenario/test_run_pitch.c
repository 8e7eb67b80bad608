/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies of tiles inside a matrix in whole runs, with the runtime's own costs
 * switched off. On pitched.xml a tile of 3600 KiB takes 10 us + 368.64 us
 * where no segment has a say.
 */
#include <string.h>

#include "apps/simulation/simulate.h"
#include "runtime/config/run_config.h"
#include "runtime/orrery.h"
#include "tests/support/unit_run.h"

/* 960 columns of 960 floats. */
#define COLUMN ((uint64_t)3840)
#define COLUMNS ((uint64_t)960)
#define PLAIN ((int64_t)378640)

/* Of which the last is the first multiple of 960 beyond the threshold. */
#define BELOW ((uint64_t)4 * 65280)
#define AT ((uint64_t)262144)
#define ABOVE ((uint64_t)4 * 66240)

static struct unit_run *make(int cpus, int gpus, const char *models)
{
    struct orr_config config;

    orr_config_init(&config);
    config.sched = "eager";
    config.cpus = cpus;
    config.gpus = gpus;
    config.models = models;
    return unit_run_new("pitched.xml", &config);
}

/* What the only copy of a tile with this pitch to a GPU takes, in ns. */
static int64_t time_up(uint64_t pitch_bytes, const char *models)
{
    struct unit_run *unit = make(0, 1, models);
    int64_t time;

    unit_submit(
        unit, orr_data_register_matrix(unit->run, COLUMN, COLUMNS, pitch_bytes),
        ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    time = unit_copy(unit, 0)->ended - unit_copy(unit, 0)->started;
    unit_run_free(unit);
    return time;
}

static void a_copy_of_3600_KiB_slows_down_beyond_the_threshold(void **state)
{
    (void)state;
    assert_int_equal(time_up(COLUMN, "overheads=off"), PLAIN);
    assert_int_equal(time_up(BELOW, "overheads=off"), PLAIN);
    assert_int_equal(time_up(AT, "overheads=off"), PLAIN);
    /* 20 us and 3686400 B at 2.5 GB/s */
    assert_int_equal(time_up(ABOVE, "overheads=off"), 1494560);
}

static void on_a_crude_network_it_does_as_well(void **state)
{
    (void)state;
    assert_int_equal(time_up(AT, "overheads=off,network=crude"), PLAIN);
    assert_int_equal(time_up(ABOVE, "overheads=off,network=crude"), 1494560);
}

static void without_the_model_there_is_no_threshold(void **state)
{
    (void)state;
    assert_int_equal(time_up(ABOVE, "overheads=off,pitch=off"), PLAIN);
}

/* Submits a kernel that runs on one kind of device only. */
static void submit_on(struct unit_run *unit, const char *kernel,
                      struct orr_data *data, enum orr_access_mode mode)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(unit->run, "test", kernel,
                                  ORR_SINGLE_PRECISION, 960, NULL),
        .count = 1,
        .accesses = (const struct orr_access[]){{data, mode}},
    };

    orr_task_submit(unit->run, &spec);
}

static int64_t time_of(const struct unit_run *unit, unsigned i)
{
    return unit_copy(unit, i)->ended - unit_copy(unit, i)->started;
}

static void the_way_back_has_its_own_segment(void **state)
{
    struct unit_run *unit = make(1, 1, "overheads=off");
    struct orr_data *data =
        orr_data_register_matrix(unit->run, COLUMN, COLUMNS, ABOVE);

    (void)state;
    unit_submit(unit, data, ORR_RW);
    submit_on(unit, "on-cpu", data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 2);
    assert_int_equal(time_of(unit, 0), 1494560);
    /* 30 us and 3686400 B at 5 GB/s */
    assert_int_equal(time_of(unit, 1), 767280);
    assert_int_equal(orr_run_report(unit->run)->copies_by_segment, 2);
    unit_run_free(unit);
}

static void between_gpus_a_tile_is_contiguous(void **state)
{
    struct unit_run *unit = make(0, 2, "overheads=off");
    struct orr_data *data =
        orr_data_register_matrix(unit->run, COLUMN, COLUMNS, ABOVE);

    (void)state;
    unit_submit(unit, data, ORR_RW);
    submit_on(unit, "on-cuda1", data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 2);
    assert_string_equal(unit_copy(unit, 1)->from, "CUDA0");
    assert_int_equal(time_of(unit, 0), 1494560);
    assert_int_equal(time_of(unit, 1), PLAIN);
    assert_int_equal(orr_run_report(unit->run)->copies_by_segment, 1);
    unit_run_free(unit);
}

static void a_small_contiguous_copy_has_a_segment_too(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");
    struct orr_data *first = orr_data_register(unit->run, 1000001);
    struct orr_data *second = orr_data_register(unit->run, 1000000);

    (void)state;
    unit_submit_pair(unit, first, second);
    unit_wait(unit);
    assert_int_equal(time_of(unit, 0), 110001);
    assert_int_equal(time_of(unit, 1), 105000 + 110001);
    unit_run_free(unit);
}

/* One column, or columns without gaps, are not pitched. */
static void what_has_no_gaps_is_contiguous(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");

    (void)state;
    unit_submit(unit,
                orr_data_register_matrix(unit->run, COLUMN * COLUMNS, 1,
                                         COLUMN * COLUMNS),
                ORR_R);
    unit_submit(unit,
                orr_data_register_matrix(unit->run, COLUMN * COLUMNS, 1,
                                         2 * COLUMN * COLUMNS),
                ORR_R);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->copies_by_segment, 0);
    unit_run_free(unit);
}

/* Shares of a link: 7.5 GB/s are left by one that cannot use more than 2.5. */
static void a_slow_pitched_copy_leaves_the_rest_to_others(void **state)
{
    struct unit_run *unit = make(0, 2, "overheads=off");
    struct orr_data *slow =
        orr_data_register_matrix(unit->run, COLUMN, COLUMNS, ABOVE);

    (void)state;
    unit_submit(unit, slow, ORR_R);
    submit_on(unit, "on-cuda1", orr_data_register(unit->run, 7500000), ORR_R);
    unit_wait(unit);
    assert_string_equal(unit_copy(unit, 0)->to, "CUDA1");
    /* Alone for 10 us (100,000 B), then at 7.5 GB/s. */
    assert_int_equal(unit_copy(unit, 0)->ended, 20000 + 986667);
    assert_int_equal(unit_copy(unit, 1)->ended, 1494560);
    unit_run_free(unit);
}

/* A makespan of LU with 70 tiles a row, which is beyond the threshold. */
static double makespan_of(const char *platform, const char *layout)
{
    struct orr_settings settings;
    GError *error = NULL;
    JsonObject *facts = NULL;
    double makespan_s;

    orr_settings_init(&settings);
    settings.scenario.config.platform = platform;
    settings.scenario.config.cpus = 0;
    assert_true(orr_settings_open(&settings, "lu", &error));
    assert_true(orr_settings_give(&settings, "tiles=70", &error));
    assert_true(orr_settings_give(&settings, layout, &error));
    assert_true(orr_settings_resolve(&settings, "lu", &error));
    assert_int_equal(
        orr_simulate(&settings.scenario, "dmdas", NULL, &facts, &error),
        ORR_EXIT_OK);
    makespan_s = json_object_get_double_member(facts, "makespan_s");
    json_object_unref(facts);
    orr_settings_clear(&settings);
    return makespan_s;
}

/* hannibal, with the bandwidth that hannibal-pitch has for its shared link. */
static char *write_hannibal(void)
{
    g_autofree char *path = source_file("platforms/hannibal.xml");
    g_autofree char *text = NULL;
    g_auto(GStrv) parts = NULL;
    g_autofree char *changed = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    parts = g_strsplit(text, "\"Share\" bandwidth=\"5988971975.023217Bps\"", 2);
    assert_int_equal(g_strv_length(parts), 2);
    changed = g_strjoinv("\"Share\" bandwidth=\"5988779905.433726Bps\"", parts);
    return temp_file_new(changed, strlen(changed));
}

static void a_big_matrix_on_hannibal_is_as_on_hannibal_pitch(void **state)
{
    g_autofree char *pitched = NULL;
    char *path;
    double expected;

    (void)state;
    if (orr_tests_share(10) < 10)
        skip(); /* three runs of 116,795 tasks each */
    pitched = source_file("platforms/hannibal-pitch.xml");
    path = write_hannibal();
    expected = makespan_of(pitched, "layout=tiles");
    assert_true(makespan_of(path, "layout=matrix") == expected);
    assert_true(makespan_of(path, "layout=tiles") < 0.99 * expected);
    temp_file_remove(path);
}

ORR_TESTS(run_pitch)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(a_copy_of_3600_KiB_slows_down_beyond_the_threshold),
        T(on_a_crude_network_it_does_as_well),
        T(without_the_model_there_is_no_threshold),
        T(the_way_back_has_its_own_segment),
        T(between_gpus_a_tile_is_contiguous),
        T(a_small_contiguous_copy_has_a_segment_too),
        T(what_has_no_gaps_is_contiguous),
        T(a_slow_pitched_copy_leaves_the_rest_to_others),
        T(a_big_matrix_on_hannibal_is_as_on_hannibal_pitch),
#undef T
    };

    return cmocka_run_group_tests_name("run_pitch", tests, NULL, NULL);
}
