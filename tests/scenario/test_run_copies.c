/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies and memory in whole runs, with the runtime's own costs switched off:
 * what is left are kernels of 1000 us and copies of 10 us and 1 us for each
 * 10,000 bytes.
 */
#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/orrery.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define KERNEL (1000 * US)
#define MIB ((uint64_t)1024 * 1024)

/* 4 MB, and how long it takes to copy. */
#define BYTES ((uint64_t)4000000)
#define COPY (410 * US)

/* 960 x 960 floats; nine of them fit into 32 MiB. */
#define TILE ((uint64_t)3686400)
#define TILE_COPY ((int64_t)378640)

struct options {
    const char *platform;
    int gpus;
    uint64_t gpu_memory_bytes;
    const char *models;
};

static struct unit_run *make(const struct options *options)
{
    struct orr_config config;

    orr_config_init(&config);
    config.sched = "eager";
    config.cpus = 0;
    config.gpus = options->gpus;
    config.gpu_memory_bytes = options->gpu_memory_bytes;
    config.models = options->models ? options->models : "overheads=off";
    return unit_run_new(
        options->platform ? options->platform : "three-gpus.xml", &config);
}

/* Submits the kernel @name, which runs on one device only. */
static void submit_on(struct unit_run *unit, const char *name,
                      struct orr_data *data, enum orr_access_mode mode)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(unit->run, "test", name, ORR_SINGLE_PRECISION,
                                  960, NULL),
        .count = 1,
        .accesses = (const struct orr_access[]){{data, mode}},
    };

    assert_non_null(spec.kernel);
    orr_task_submit(unit->run, &spec);
}

static void a_task_starts_when_its_data_have_come(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 1});

    (void)state;
    unit_submit(unit, orr_data_register(unit->run, BYTES), ORR_R);
    unit_wait(unit);
    assert_int_equal(unit_copy(unit, 0)->ended, COPY);
    assert_int_equal(unit_task(unit, 0)->started, COPY);
    assert_int_equal(unit_task(unit, 0)->ended, COPY + KERNEL);
    unit_run_free(unit);
}

static void a_second_reader_on_the_same_gpu_needs_no_copy(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 1});
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    unit_submit(unit, data, ORR_R);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_int_equal(unit_task(unit, 1)->ended, COPY + 2 * KERNEL);
    unit_run_free(unit);
}

static void data_that_are_only_written_are_not_copied(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 1});

    (void)state;
    unit_submit(unit, orr_data_register(unit->run, BYTES), ORR_W);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 0);
    assert_int_equal(unit_task(unit, 0)->ended, KERNEL);
    unit_run_free(unit);
}

static void two_copies_share_the_host_link(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 2});

    (void)state;
    unit_submit(unit, orr_data_register(unit->run, BYTES), ORR_R);
    unit_submit(unit, orr_data_register(unit->run, 2 * BYTES), ORR_R);
    unit_wait(unit);
    /* 4 MB each at half speed until 810; then 4 MB at full speed. */
    assert_int_equal(unit_copy(unit, 0)->ended, 810 * US);
    assert_int_equal(unit_copy(unit, 1)->ended, 1210 * US);
    assert_int_equal(unit_task(unit, 0)->ended, 810 * US + KERNEL);
    assert_int_equal(unit_task(unit, 1)->ended, 1210 * US + KERNEL);
    unit_run_free(unit);
}

static void a_crude_network_has_no_link_in_common(void **state)
{
    struct unit_run *unit = make(
        &(struct options){.gpus = 2, .models = "overheads=off,network=crude"});

    (void)state;
    unit_submit(unit, orr_data_register(unit->run, BYTES), ORR_R);
    unit_submit(unit, orr_data_register(unit->run, 2 * BYTES), ORR_R);
    unit_wait(unit);
    assert_int_equal(unit_copy(unit, 0)->ended, 410 * US);
    assert_int_equal(unit_copy(unit, 1)->ended, 810 * US);
    unit_run_free(unit);
}

static void copies_to_one_gpu_go_one_after_the_other(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 1});
    struct orr_data *first = orr_data_register(unit->run, BYTES);
    struct orr_data *second = orr_data_register(unit->run, BYTES);

    (void)state;
    unit_submit_pair(unit, first, second);
    unit_wait(unit);
    /* In order of registration. */
    assert_int_equal(unit_copy(unit, 0)->data, 0);
    assert_int_equal(unit_copy(unit, 0)->ended, COPY);
    assert_int_equal(unit_copy(unit, 1)->data, 1);
    assert_int_equal(unit_copy(unit, 1)->ended, 2 * COPY);
    assert_int_equal(unit_task(unit, 0)->started, 2 * COPY);
    unit_run_free(unit);
}

static void peers_copy_directly(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 2});
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    const struct orr_report *report;

    (void)state;
    submit_on(unit, "on-cuda0", data, ORR_W);
    submit_on(unit, "on-cuda1", data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_string_equal(unit_copy(unit, 0)->from, "CUDA0");
    assert_string_equal(unit_copy(unit, 0)->to, "CUDA1");
    assert_int_equal(unit_task(unit, 1)->ended, 2 * KERNEL + COPY);
    report = orr_run_report(unit->run);
    assert_int_equal(report->bytes_device_to_device, BYTES);
    assert_int_equal(report->bytes_host_to_device, 0);
    assert_int_equal(report->bytes_device_to_host, 0);
    unit_run_free(unit);
}

static void check_copies_pass_by_ram(const char *platform)
{
    struct unit_run *unit =
        make(&(struct options){.platform = platform, .gpus = 2});
    struct orr_data *data = orr_data_register(unit->run, BYTES);
    const struct orr_report *report;

    submit_on(unit, "on-cuda0", data, ORR_W);
    submit_on(unit, "on-cuda1", data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 2);
    assert_string_equal(unit_copy(unit, 0)->from, "CUDA0");
    assert_string_equal(unit_copy(unit, 0)->to, "RAM");
    assert_string_equal(unit_copy(unit, 1)->from, "RAM");
    assert_string_equal(unit_copy(unit, 1)->to, "CUDA1");
    assert_int_equal(unit_task(unit, 1)->ended, 2 * KERNEL + 2 * COPY);
    report = orr_run_report(unit->run);
    assert_int_equal(report->bytes_device_to_device, 0);
    assert_int_equal(report->bytes_host_to_device, BYTES);
    assert_int_equal(report->bytes_device_to_host, BYTES);
    unit_run_free(unit);
}

static void others_copy_by_way_of_ram(void **state)
{
    (void)state;
    check_copies_pass_by_ram("no-peer.xml");
}

static void peers_without_a_route_copy_by_way_of_ram(void **state)
{
    (void)state;
    check_copies_pass_by_ram("no-route.xml");
}

static void results_stay_on_the_gpu(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 1});

    (void)state;
    unit_submit(unit, orr_data_register(unit->run, BYTES), ORR_W);
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->bytes_device_to_host, 0);
    unit_run_free(unit);
}

static void wont_use_brings_a_result_back_to_ram(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 1});
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    unit_submit(unit, data, ORR_W);
    orr_data_wont_use(unit->run, data);
    unit_submit_bare(unit); /* for time to pass */
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_string_equal(unit_copy(unit, 0)->from, "CUDA0");
    assert_string_equal(unit_copy(unit, 0)->to, "RAM");
    assert_string_equal(unit_copy(unit, 0)->why, "idle");
    assert_int_equal(unit_copy(unit, 0)->started, KERNEL);
    assert_int_equal(unit_copy(unit, 0)->ended, KERNEL + COPY);
    assert_int_equal(orr_run_report(unit->run)->bytes_device_to_host, BYTES);
    unit_run_free(unit);
}

static void wont_use_of_data_in_ram_copies_nothing(void **state)
{
    struct unit_run *unit = make(&(struct options){.gpus = 1});
    struct orr_data *data = orr_data_register(unit->run, BYTES);

    (void)state;
    orr_data_wont_use(unit->run, data);
    unit_submit(unit, data, ORR_R);
    orr_data_wont_use(unit->run, data);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->bytes_device_to_host, 0);
    unit_run_free(unit);
}

/* @count tasks, each on a tile of its own, on a GPU with room for nine. */
static struct unit_run *fill(unsigned count, enum orr_access_mode mode,
                             struct orr_data **tiles)
{
    struct unit_run *unit =
        make(&(struct options){.gpus = 1, .gpu_memory_bytes = 32 * MIB});

    for (unsigned i = 0; i < count; i++)
        tiles[i] = orr_data_register(unit->run, TILE);
    for (unsigned i = 0; i < count; i++)
        unit_submit(unit, tiles[i], mode);
    return unit;
}

static void nine_tiles_fit_into_32_mib(void **state)
{
    struct orr_data *tiles[9];
    struct unit_run *unit = fill(9, ORR_RW, tiles);

    (void)state;
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->evictions, 0);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns,
                     TILE_COPY + 9 * KERNEL);
    unit_run_free(unit);
}

static void a_tenth_tile_takes_the_place_of_the_oldest_at_no_cost(void **state)
{
    struct orr_data *tiles[10];
    struct unit_run *unit = fill(10, ORR_R, tiles);
    const struct orr_report *report;

    (void)state;
    unit_submit(unit, tiles[1], ORR_R); /* still there */
    unit_submit(unit, tiles[0], ORR_R); /* to be copied again */
    unit_wait(unit);
    report = orr_run_report(unit->run);
    assert_int_equal(report->evictions, 2);
    assert_int_equal(report->bytes_host_to_device, 11 * TILE);
    assert_int_equal(report->bytes_device_to_host, 0);
    assert_int_equal(unit_copy(unit, 10)->data, 0);
    assert_int_equal(report->makespan_ns, TILE_COPY + 12 * KERNEL);
    unit_run_free(unit);
}

static void a_tenth_tile_waits_until_dirty_ones_are_written_back(void **state)
{
    struct orr_data *tiles[10];
    struct unit_run *unit = fill(10, ORR_RW, tiles);
    const struct orr_report *report;
    int64_t asked = TILE_COPY + 8 * KERNEL; /* with task 8 on the GPU */

    (void)state;
    unit_wait(unit);
    report = orr_run_report(unit->run);
    /* Twice the room needed is made, by the two oldest. */
    assert_int_equal(report->evictions, 2);
    assert_int_equal(report->bytes_device_to_host, 2 * TILE);
    assert_int_equal(report->bytes_host_to_device, 10 * TILE);
    for (unsigned i = 0; i < 2; i++) {
        const struct orr_trace_copy *copy = unit_copy(unit, 9 + i);

        assert_int_equal(copy->data, i);
        assert_string_equal(copy->why, "evict");
        assert_int_equal(copy->ended, asked + (i + 1) * TILE_COPY);
    }
    assert_int_equal(unit_copy(unit, 11)->data, 9);
    assert_int_equal(unit_task(unit, 9)->started, asked + 3 * TILE_COPY);
    unit_run_free(unit);
}

static void what_nobody_will_use_is_the_first_to_go(void **state)
{
    struct orr_data *tiles[9];
    struct unit_run *unit = fill(0, ORR_W, NULL);
    const struct orr_report *report;

    (void)state;
    for (unsigned i = 0; i < 9; i++)
        tiles[i] = orr_data_register(unit->run, TILE);
    for (unsigned round = 0; round < 2; round++) { /* used again: dirty */
        for (unsigned i = 0; i < 9; i++)
            unit_submit(unit, tiles[i], i == 3 ? ORR_R : ORR_RW);
        unit_wait(unit);
    }
    orr_data_wont_use(unit->run, tiles[7]);
    unit_submit_bare(unit); /* meanwhile it is written back */
    unit_submit_bare(unit);
    unit_submit(unit, orr_data_register(unit->run, TILE), ORR_R);
    unit_submit(unit, tiles[3], ORR_R); /* clean and older, but still there */
    unit_wait(unit);
    report = orr_run_report(unit->run);
    assert_int_equal(report->bytes_host_to_device, (9 + 1) * TILE);
    assert_int_equal(report->bytes_device_to_host, TILE);
    assert_string_equal(unit_copy(unit, 9)->to, "RAM");
    assert_int_equal(unit_copy(unit, 9)->data, 7);
    unit_run_free(unit);
}

/*
 * Nine tiles, of which tile 1 is the last to be used, and a tenth: tiles 0 and
 * 2 go first, and are not neighbours. Returns the evictions.
 */
static uint64_t evict_lone_tiles(const char *models)
{
    struct unit_run *unit = make(&(struct options){
        .gpus = 1, .gpu_memory_bytes = 32 * MIB, .models = models});
    struct orr_data *tiles[9];
    uint64_t evictions;

    for (unsigned i = 0; i < 9; i++) {
        tiles[i] = orr_data_register(unit->run, TILE);
        unit_submit(unit, tiles[i], ORR_RW);
    }
    unit_submit(unit, tiles[1], ORR_RW);
    unit_wait(unit);
    unit_submit(unit, orr_data_register(unit->run, TILE), ORR_RW);
    unit_wait(unit);
    evictions = orr_run_report(unit->run)->evictions;
    assert_int_equal(unit->copies->len, 9 + evictions + 1);
    unit_run_free(unit);
    return evictions;
}

static void room_that_stands_alone_is_overlooked(void **state)
{
    (void)state;
    /* 0 and 2 in vain; then 3, which joins 2, and 4. */
    assert_int_equal(evict_lone_tiles("overheads=off"), 4);
    assert_int_equal(evict_lone_tiles("overheads=off,quirks=off"), 2);
}

/*
 * Room for four. Datum 2, the first to go, is being written back, and 3 is in
 * use, when 4 comes: 0 goes. Meanwhile 2 has become clean, but was passed.
 */
static void evictions_go_through_the_buffers_once(void **state)
{
    struct unit_run *unit =
        make(&(struct options){.gpus = 1, .gpu_memory_bytes = 32 * MIB});
    struct orr_data *data[5];

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        data[i] = orr_data_register(unit->run, 8 * MIB);
    unit_submit(unit, data[0], ORR_W);
    unit_wait(unit);
    for (unsigned i = 0; i < 5; i++) {
        unit_submit(unit, data[i], ORR_W);
        if (i == 2)
            orr_data_wont_use(unit->run, data[i]);
    }
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->evictions, 2);
    assert_int_equal(unit->copies->len, 3);
    assert_int_equal(unit_copy(unit, 0)->data, 2);
    assert_int_equal(unit_copy(unit, 1)->data, 0);
    assert_int_equal(unit_copy(unit, 2)->data, 1);
    unit_run_free(unit);
}

static void without_the_memory_model_everything_fits(void **state)
{
    struct unit_run *unit =
        make(&(struct options){.gpus = 1,
                               .gpu_memory_bytes = 32 * MIB,
                               .models = "overheads=off,memory=off"});

    (void)state;
    for (unsigned i = 0; i < 20; i++)
        unit_submit(unit, orr_data_register(unit->run, TILE), ORR_R);
    unit_submit(unit, orr_data_register(unit->run, 64 * MIB), ORR_R);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->evictions, 0);
    assert_int_equal(orr_run_report(unit->run)->tasks, 21);
    unit_run_free(unit);
}

static void data_too_big_for_a_gpu_are_an_error(void **state)
{
    struct unit_run *unit =
        make(&(struct options){.gpus = 1, .gpu_memory_bytes = 32 * MIB});
    struct orr_data *half = orr_data_register(unit->run, 17 * MIB);
    struct orr_data *other = orr_data_register(unit->run, 17 * MIB);
    g_autoptr(GError) error = NULL;

    (void)state;
    unit_submit(unit, half, ORR_R);
    unit_submit_pair(unit, half, other);
    unit_submit(unit, half, ORR_R);
    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_string_equal(error->message,
                        "the data of task unit of tile 960 do not fit together "
                        "into the 33.6 MB of a GPU, and no CPU worker can run "
                        "it");
    g_clear_error(&error);
    assert_false(orr_run_wait(unit->run, &error)); /* still */
    assert_non_null(error);
    unit_run_free(unit);
}

static void data_too_big_for_a_gpu_are_for_the_cpus(void **state)
{
    struct orr_config config;
    struct unit_run *unit;

    (void)state;
    orr_config_init(&config);
    config.cpus = 1;
    config.gpus = 1;
    config.gpu_memory_bytes = 32 * MIB;
    unit = unit_run_new("three-gpus.xml", &config);
    unit_submit(unit, orr_data_register(unit->run, 33 * MIB), ORR_RW);
    unit_submit(unit, orr_data_register(unit->run, 33 * MIB), ORR_RW);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->worker, 1);
    assert_int_equal(unit_task(unit, 1)->worker, 1);
    unit_run_free(unit);
}

ORR_TESTS(run_copies)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_starts_when_its_data_have_come),
        cmocka_unit_test(a_second_reader_on_the_same_gpu_needs_no_copy),
        cmocka_unit_test(data_that_are_only_written_are_not_copied),
        cmocka_unit_test(two_copies_share_the_host_link),
        cmocka_unit_test(a_crude_network_has_no_link_in_common),
        cmocka_unit_test(copies_to_one_gpu_go_one_after_the_other),
        cmocka_unit_test(peers_copy_directly),
        cmocka_unit_test(others_copy_by_way_of_ram),
        cmocka_unit_test(peers_without_a_route_copy_by_way_of_ram),
        cmocka_unit_test(results_stay_on_the_gpu),
        cmocka_unit_test(wont_use_brings_a_result_back_to_ram),
        cmocka_unit_test(wont_use_of_data_in_ram_copies_nothing),
        cmocka_unit_test(nine_tiles_fit_into_32_mib),
        cmocka_unit_test(a_tenth_tile_takes_the_place_of_the_oldest_at_no_cost),
        cmocka_unit_test(a_tenth_tile_waits_until_dirty_ones_are_written_back),
        cmocka_unit_test(what_nobody_will_use_is_the_first_to_go),
        cmocka_unit_test(room_that_stands_alone_is_overlooked),
        cmocka_unit_test(evictions_go_through_the_buffers_once),
        cmocka_unit_test(without_the_memory_model_everything_fits),
        cmocka_unit_test(data_too_big_for_a_gpu_are_an_error),
        cmocka_unit_test(data_too_big_for_a_gpu_are_for_the_cpus),
    };

    return cmocka_run_group_tests_name("run_copies", tests, NULL, NULL);
}
