/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The transfer bound: against the geometry, against every way to load tiles,
 * and against simulated runs. */
#include <math.h>

#include "models/base/units.h"
#include "models/bounds/bounds.h"
#include "models/bounds/bounds_updates.h"
#include "runtime/config/run_config.h"
#include "tests/support/recorded_app.h"

#define PRECISION 1e-6

/* Cholesky or LU on one GPU of attila. */
static struct orr_workload *workload_of(const char *app, unsigned tiles)
{
    struct orr_config config;
    struct orr_workload *workload;
    struct orr_run *run;

    orr_config_init(&config);
    config.cpus = 0;
    config.gpus = 1;
    run = recorded_app(app, tiles, "attila", config);
    workload = orr_run_workload(run);
    orr_run_free(run);
    return workload;
}

static unsigned updates_within(const struct orr_workload *workload,
                               const struct orr_updates *updates,
                               unsigned tiles)
{
    unsigned count = 0;

    for (unsigned t = 0; t < workload->task_count; t++) {
        bool within = updates->is_update[t];

        for (size_t a = workload->first_access[t];
             within && a < workload->first_access[t + 1]; a++)
            within = tiles >> workload->accesses[a].data & 1;
        count += within;
    }
    return count;
}

/* No set of S tiles suffices for more than c S^(3/2) updates. */
static void check_geometry(const char *app, unsigned side, unsigned expected,
                           double coefficient)
{
    struct orr_workload *workload = workload_of(app, side);
    struct orr_updates updates;
    double nearest = 0;

    orr_updates_init(&updates, workload);
    assert_int_equal(updates.count, expected);
    assert_float_equal(updates.coefficient, coefficient, 1e-12);
    assert_float_equal(updates.tile_bytes, 960.0 * 960 * 4, 0.5);
    for (unsigned tiles = 1; tiles < 1u << workload->data_count; tiles++) {
        double size = __builtin_popcount(tiles);
        double most = updates.coefficient * size * sqrt(size);
        unsigned count = updates_within(workload, &updates, tiles);

        assert_true(count <= most);
        nearest = fmax(nearest, count / most);
    }
    assert_true(nearest > 0.3); /* it is a bound worth having */
    orr_updates_clear(&updates);
    orr_workload_free(workload);
}

static void tiles_suffice_for_so_many_updates(void **state)
{
    (void)state;
    check_geometry("cholesky", 4, 4, sqrt(2) / 3);
    check_geometry("cholesky", 5, 10, sqrt(2) / 3);
    check_geometry("lu", 3, 5, 0.5);
    check_geometry("lu", 4, 14, 0.5);
}

static void without_coordinates_nothing_is_known(void **state)
{
    struct orr_workload *workload = workload_of("cholesky", 5);
    struct orr_updates updates;

    (void)state;
    for (unsigned d = 0; d < workload->data_count; d++)
        workload->data[d].placed = false;
    orr_updates_init(&updates, workload);
    assert_int_equal(updates.count, 0);
    orr_updates_clear(&updates);
    orr_workload_free(workload);
}

/* One GPU with room for @room tiles, one link of a tile each second. */
static double bound_on_one_link(const struct orr_workload *workload,
                                unsigned room)
{
    const unsigned link = 0;
    uint64_t tile = UINT64_C(960) * 960 * 4;
    uint64_t memory[] = {0, room == 0 ? UINT64_MAX : room * tile};
    double rate = (double)tile;
    struct orr_supply_route route = {0, 1, 1, &link};
    struct orr_supply supply = {
        .node_count = 2,
        .memory_bytes = memory,
        .route_count = 1,
        .routes = &route,
        .link_count = 1,
        .bytes_per_s = &rate,
    };

    return orr_bound_transfer(workload, &supply);
}

static void each_tile_is_loaded_once(void **state)
{
    struct orr_workload *workload = workload_of("cholesky", 4);

    (void)state;
    assert_float_equal(bound_on_one_link(workload, 0), 10, PRECISION);
    /* A tile that is written before it is read need not be loaded. */
    for (unsigned t = 0; t < workload->task_count; t++) {
        size_t a = workload->first_access[t];

        if (workload->accesses[a].data == 0 && workload->accesses[a].writes) {
            workload->accesses[a].reads = false;
            break;
        }
    }
    assert_float_equal(bound_on_one_link(workload, 0), 9, PRECISION);
    /* A CPU that can do everything needs no copies. */
    for (unsigned k = 0; k < workload->kernel_count; k++)
        workload->seconds[(size_t)2 * k] = 1e-3;
    workload->workers[0] = 1;
    assert_true(bound_on_one_link(workload, 0) < 0.1);
    orr_workload_free(workload);
}

/* Where @data is accessed next, from access @from on. */
static size_t next_use(const struct orr_workload *workload, size_t from,
                       unsigned data)
{
    size_t end = workload->first_access[workload->task_count];

    while (from < end && workload->accesses[from].data != data)
        from++;
    return from;
}

/* The resident tile that is used again last, from access @from on. */
static unsigned furthest(const struct orr_workload *workload,
                         const bool *resident, size_t from)
{
    unsigned victim = 0;
    size_t latest = 0;

    for (unsigned d = 0; d < workload->data_count; d++) {
        size_t next = resident[d] ? next_use(workload, from, d) : 0;

        if (next > latest) {
            latest = next;
            victim = d;
        }
    }
    return victim;
}

/*
 * The number of tiles that a GPU with room for @room loads if it runs the tasks
 * in order of submission and evicts the tile whose next use is last, which is
 * optimal for this order (Belady).
 */
static unsigned loads_of(const struct orr_workload *workload, unsigned room)
{
    bool *resident = g_new0(bool, workload->data_count);
    unsigned held = 0, loads = 0;

    for (unsigned t = 0; t < workload->task_count; t++) {
        size_t first = workload->first_access[t];

        for (size_t a = first; a < workload->first_access[t + 1]; a++) {
            if (resident[workload->accesses[a].data])
                continue;
            if (held == room)
                resident[furthest(workload, resident, first)] = false;
            else
                held++;
            resident[workload->accesses[a].data] = true;
            loads++;
        }
    }
    g_free(resident);
    return loads;
}

/* The bound in a memory that holds the matrix is one load a tile; it grows as
 * the memory shrinks, and never exceeds the loads of an optimal eviction.
 */
static void check_loads(const char *app, unsigned side)
{
    static const unsigned rooms[] = {4, 6, 9, 16, 40, 100};
    struct orr_workload *workload = workload_of(app, side);
    double all = workload->data_count, before = INFINITY;

    /* Computing is not to matter here. */
    for (unsigned k = 0; k < workload->kernel_count; k++)
        workload->seconds[(size_t)2 * k + 1] = 1e-6;
    for (size_t i = 0; i < G_N_ELEMENTS(rooms); i++) {
        double bound = bound_on_one_link(workload, rooms[i]);
        unsigned loads = loads_of(workload, rooms[i]);

        assert_true(bound >= all * (1 - PRECISION));
        assert_true(bound <= before * (1 + PRECISION));
        assert_true(bound <= loads * (1 + PRECISION));
        before = bound;
    }
    assert_true(bound_on_one_link(workload, 4) > 1.2 * all);
    assert_float_equal(bound_on_one_link(workload, 0), all, 1e-4);
    orr_workload_free(workload);
}

static void a_small_memory_loads_tiles_again(void **state)
{
    (void)state;
    check_loads("cholesky", 16);
    check_loads("lu", 12);
}

/* 560 updates; phases of 8 loads give the best bound of all that are tried. */
static void phases_are_those_by_hand(void **state)
{
    struct orr_workload *workload = workload_of("cholesky", 16);
    double expected = 8 * (560 / (sqrt(2) / 3 * 12 * sqrt(12)) - 1);

    (void)state;
    for (unsigned k = 0; k < workload->kernel_count; k++)
        workload->seconds[(size_t)2 * k + 1] = 1e-6;
    assert_true(fabs(bound_on_one_link(workload, 4) - expected) < 1e-3);
    orr_workload_free(workload);
}

static double simulated(const char *app, struct orr_config config)
{
    g_autofree char *path = source_file("platforms/attila.xml");
    struct orr_run *run;
    double makespan;

    config.platform = path;
    run = orr_run_new(&config, NULL);
    assert_non_null(run);
    assert_true(submit_app(run, app, "tiles=12", NULL));
    assert_true(orr_run_wait(run, NULL));
    makespan = orr_time_to_seconds(orr_run_report(run)->makespan_ns);
    orr_run_free(run);
    return makespan;
}

/* Whatever the policy, the workers and the memory. */
static void no_run_beats_a_bound(void **state)
{
    static const char *const policies[] = {"dmda", "dmdas", "eager", "lws"};
    static const char *const apps[] = {"cholesky", "lu"};
    static const char *const models[] = {"quirks=on", "network=crude"};

    (void)state;
    /* One of nine meets each choice: 9 and 64 have no common divisor. */
    for (unsigned i = 0; i < 64; i += 9 / orr_tests_share(9)) {
        const char *app = apps[i / 4 % 2];
        struct orr_config config;
        struct orr_run *run;
        struct orr_workload *workload;
        struct orr_supply *supply;
        double makespan;

        orr_config_init(&config);
        config.sched = policies[i % 4];
        config.cpus = i / 8 % 2 ? 4 : 0;
        config.gpus = i / 16 % 2 ? 3 : 1;
        config.models = models[i / 32 % 2];
        config.gpu_memory_bytes = (uint64_t)(60 + 20 * (i % 7)) << 20;
        run = recorded_app(app, 12, "attila", config);
        workload = orr_run_workload(run);
        supply = orr_run_supply(run);
        makespan = simulated(app, config);
        assert_true(orr_bound_area(workload) < makespan);
        assert_true(orr_bound_critical_path(workload) < makespan);
        assert_true(orr_bound_mixed(workload) < makespan);
        assert_true(orr_bound_transfer(workload, supply) < makespan);
        orr_supply_free(supply);
        orr_workload_free(workload);
        orr_run_free(run);
    }
}

ORR_TESTS(bounds_transfer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_suffice_for_so_many_updates),
        cmocka_unit_test(without_coordinates_nothing_is_known),
        cmocka_unit_test(each_tile_is_loaded_once),
        cmocka_unit_test(a_small_memory_loads_tiles_again),
        cmocka_unit_test(phases_are_those_by_hand),
        cmocka_unit_test(no_run_beats_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
