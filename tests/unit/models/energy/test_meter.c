/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/energy/meter.h"

#include <math.h>

#include "models/base/units.h"
#include "models/energy/power_table.h"
#include "models/rng.h"
#include "tests/support/cmocka_all.h"

/* Figures in W: idle, with a core busy, all cores busy, all polling, off. */
static struct orr_power_levels levels(double idle, double fixed, double busy,
                                      double poll, double off)
{
    return (struct orr_power_levels){
        orr_power_from_watts(idle), orr_power_from_watts(fixed),
        orr_power_from_watts(busy), orr_power_from_watts(poll),
        orr_power_from_watts(off)};
}

/* The states of the machines of SimGrid's examples of energy
 * (examples/platforms/energy_platform.xml): 4 cores, and 1 core. */
static const double four_cores[][3] = {
    {100, 93.33333333333333, 200}, {93, 90, 170}, {90, 90, 150}};
static const double one_core[][3] = {
    {100, 200, 200}, {93, 170, 170}, {90, 150, 150}};

static struct orr_power_levels simgrid_state(const double watts[3])
{
    return levels(watts[0], watts[1], watts[2], watts[2], 10);
}

/* The power that a busy core adds in the present state. */
static orr_power one_busy(const struct orr_meter *meter)
{
    return orr_power_share(meter->levels.busy, meter->levels.fixed,
                           meter->cores);
}

/* One core is busy from date @from to @to, in s. */
static void work(struct orr_meter *meter, orr_time from, orr_time to)
{
    orr_meter_begin(meter, from * ORR_S, one_busy(meter));
    orr_meter_end(meter, to * ORR_S, one_busy(meter));
}

/* To a tenth of a nanojoule. */
static void check_joules(const struct orr_meter *meter, double joules)
{
    double actual = orr_energy_to_joules(orr_meter_energy(meter));

    if (!(fabs(actual - joules) < 1e-10))
        fail_msg("%.15g J, not %.15g", actual, joules);
}

/* s4u-energy-exec.tesh: golden joules of MyHost1. */
static void a_host_draws_what_it_does_in_simgrid(void **state)
{
    struct orr_power_levels fast = simgrid_state(four_cores[0]);
    struct orr_power_levels slow = simgrid_state(four_cores[2]);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &fast, 4, 0);
    orr_meter_advance(&meter, 10 * ORR_S);
    check_joules(&meter, 1000);
    work(&meter, 10, 11);
    check_joules(&meter, 1120);
    orr_meter_set_levels(&meter, 11 * ORR_S, &slow);
    work(&meter, 11, 16);
    check_joules(&meter, 1645);
    orr_meter_advance(&meter, 20 * ORR_S);
    check_joules(&meter, 2005);
    orr_meter_advance(&meter, 30 * ORR_S);
    check_joules(&meter, 2905);
}

/* The same file: MyHost2, which is switched off after 20 s. */
static void a_host_that_is_off_draws_its_watts_off(void **state)
{
    struct orr_power_levels figures = simgrid_state(one_core[0]);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &figures, 1, 0);
    orr_meter_set_off(&meter, 20 * ORR_S, true);
    check_joules(&meter, 2000);
    orr_meter_advance(&meter, 30 * ORR_S);
    check_joules(&meter, 2100);
    orr_meter_set_off(&meter, 30 * ORR_S, false);
    assert_true(orr_meter_power(&meter) == 100 * ORR_WATT);
}

/* smpi/energy: the three states for 10, 20, 50 s with one core busy. */
static void check_states(const double states[3][3], unsigned cores,
                         const double joules[3])
{
    static const orr_time dates[] = {0, 10, 30, 80};
    struct orr_power_levels figures = simgrid_state(states[0]);
    struct orr_meter meter;

    orr_meter_init(&meter, &figures, cores, 0);
    for (unsigned i = 0; i < 3; i++) {
        figures = simgrid_state(states[i]);
        orr_meter_set_levels(&meter, dates[i] * ORR_S, &figures);
        work(&meter, dates[i], dates[i + 1]);
        check_joules(&meter, joules[i]);
    }
}

static void each_state_has_its_watts(void **state)
{
    (void)state;
    check_states(four_cores, 4, (const double[]){1200, 3400, 8650});
    check_states(one_core, 1, (const double[]){2000, 5400, 12900});
}

/* s4u-energy-link.tesh: 1 W idle, 3 W full, 100 kB/s. */
static void a_link_draws_what_it_does_in_simgrid(void **state)
{
    const struct orr_link_power link = {.idle = 1 * ORR_WATT,
                                        .busy = 3 * ORR_WATT};
    struct orr_power_levels figures = {link.idle, link.idle, link.busy,
                                       link.busy, 0};
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &figures, 1, 0);
    orr_meter_add(&meter, ORR_ENERGY_COPIES,
                  orr_link_energy(&link, 25000, 1e5));
    orr_meter_advance(&meter, 10250 * ORR_MS);
    check_joules(&meter, 10.75);

    orr_meter_init(&meter, &figures, 1, 0);
    orr_meter_add(&meter, ORR_ENERGY_COPIES, orr_link_energy(&link, 5e7, 1e5));
    orr_meter_advance(&meter, 510 * ORR_S);
    check_joules(&meter, 1510);
}

static void a_link_may_have_joules_for_messages_and_bytes(void **state)
{
    const struct orr_link_power link = {.joules_per_message = 2e-6,
                                        .joules_per_byte = 1e-9};

    (void)state;
    assert_int_equal(orr_energy_to_nj(orr_link_energy(&link, 1000, 1e9)), 3000);
}

/*
 * The node of the paper, section V-C: 110 W idle, 188 W with all 12 cores in
 * MPI calls that poll, 214 W running HPL, static 92 W.
 */
static void the_node_of_the_paper_draws_what_was_measured(void **state)
{
    struct orr_power_levels figures = levels(110, 92, 214, 188, 0);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &figures, 12, 0);
    assert_true(orr_meter_power(&meter) == 110 * ORR_WATT);
    orr_meter_poll(&meter, 0, 12);
    assert_true(orr_meter_power(&meter) == 188 * ORR_WATT);
    for (unsigned busy = 1; busy <= 12; busy++) {
        orr_power expected =
            188 * ORR_WATT + (orr_power)busy * 26 * ORR_WATT / 12;

        orr_meter_begin(&meter, 0, one_busy(&meter));
        orr_meter_poll(&meter, 0, 12 - busy);
        assert_true(llabs(orr_meter_power(&meter) - expected) <= 12);
    }
    assert_true(llabs(orr_meter_power(&meter) - 214 * ORR_WATT) <= 12);
    orr_meter_advance(&meter, 10 * ORR_S);
    assert_int_equal(orr_energy_to_nj(meter.parts[ORR_ENERGY_STATIC]),
                     920 * INT64_C(1000000000));
}

static void figures_that_contradict_each_other_are_named(void **state)
{
    struct orr_power_levels figures = levels(110, 92, 214, 188, 0);

    (void)state;
    assert_null(orr_power_levels_wrong(&figures));
    figures.poll = 91 * ORR_WATT;
    assert_string_equal(orr_power_levels_wrong(&figures),
                        "static is above poll");
    figures.busy = 91 * ORR_WATT;
    assert_string_equal(orr_power_levels_wrong(&figures),
                        "static is above busy");
}

/* SimGrid, issue 171: the time before a change of state was forgotten. */
static void the_time_before_a_change_of_state_counts(void **state)
{
    struct orr_power_levels before = levels(100, 100, 200, 200, 0);
    struct orr_power_levels after = levels(50, 50, 80, 80, 0);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &before, 1, 0);
    orr_meter_set_levels(&meter, 5 * ORR_S, &after);
    check_joules(&meter, 500);
    orr_meter_set_levels(&meter, 5 * ORR_S, &before);
    orr_meter_set_levels(&meter, 7 * ORR_S, &after);
    check_joules(&meter, 700);
}

/* SimGrid, issue 44: a state of speed 0, in which a machine boots, made NaN of
 * its energy. Here no power is divided by a speed. */
static void a_state_in_which_nothing_can_run_has_joules(void **state)
{
    struct orr_power_levels booting = levels(120, 120, 120, 120, 10);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &booting, 1, 0);
    orr_meter_advance(&meter, 150 * ORR_S);
    check_joules(&meter, 18000);
}

/* SimGrid, issue 189: the cores of a parallel task counted as idle. */
static void each_core_of_a_parallel_kernel_is_busy(void **state)
{
    struct orr_power_levels figures = levels(100, 100, 200, 200, 0);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &figures, 4, 0);
    for (unsigned core = 0; core < 4; core++)
        orr_meter_begin(&meter, 0, one_busy(&meter));
    for (unsigned core = 0; core < 4; core++)
        orr_meter_end(&meter, 10 * ORR_S, one_busy(&meter));
    check_joules(&meter, 2000);
    assert_true(meter.parts[ORR_ENERGY_IDLE] == 0);
}

/* SimGrid, issue 343: when a wait for work on two machines ran out of time, the
 * end was counted on one of them. */
static void work_that_is_given_up_ends_on_every_device(void **state)
{
    struct orr_power_levels figures = levels(100, 100, 200, 200, 0);
    struct orr_meter meters[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        orr_meter_init(&meters[i], &figures, 1, 0);
        orr_meter_begin(&meters[i], 0, one_busy(&meters[i]));
    }
    for (unsigned i = 0; i < 2; i++) {
        orr_meter_end(&meters[i], 2 * ORR_S, one_busy(&meters[i]));
        orr_meter_advance(&meters[i], 10 * ORR_S);
        check_joules(&meters[i], 400 + 800);
    }
}

/* Batsim, issue 65: each of two kernels was charged all of a device. */
static void kernels_that_share_a_device_pay_its_static_power_once(void **state)
{
    struct orr_power_levels figures = levels(100, 120, 200, 200, 0);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &figures, 2, 0);
    orr_meter_begin(&meter, 0, one_busy(&meter));
    orr_meter_begin(&meter, 0, one_busy(&meter));
    orr_meter_end(&meter, 1 * ORR_S, one_busy(&meter));
    orr_meter_end(&meter, 1 * ORR_S, one_busy(&meter));
    check_joules(&meter, 200);
    assert_true(meter.parts[ORR_ENERGY_STATIC] ==
                orr_power_over(120 * ORR_WATT, ORR_S));
}

static void joules_are_read_and_shown_exactly(void **state)
{
    static const double joules[] = {0,         1e-9,       0.044023414,
                                    11.832753, 123456.789, 1e9};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(joules); i++) {
        double back = orr_energy_to_joules(orr_energy_from_joules(joules[i]));

        assert_true(fabs(back - joules[i]) <= 1e-15 * joules[i]);
    }
    assert_int_equal(orr_energy_to_nj(orr_energy_from_joules(1.5e-9)), 2);
}

/* A random history of one device, reported to a meter, and the expected energy.
 */
enum { CORES = 5, CHANGES = 60 };

struct history {
    struct orr_meter meter;
    struct orr_meter doubled; /* the same with twice the watts */
    orr_energy integral;      /* of the power */
    orr_energy kernels;       /* of the kernels that ended */
    orr_power running[CORES];
    orr_time since[CORES];
    uint64_t seed, draws;
};

static uint64_t draw(struct history *history, uint64_t below)
{
    return (uint64_t)(orr_rng_uniform(history->seed, 1, history->draws++) *
                      (double)below);
}

static void begin(struct history *history, orr_time now, orr_power power)
{
    unsigned core = history->meter.busy;

    history->running[core] = power;
    history->since[core] = now;
    orr_meter_begin(&history->meter, now, power);
    orr_meter_begin(&history->doubled, now, 2 * power);
}

static void end(struct history *history, orr_time now)
{
    unsigned core = history->meter.busy - 1;
    orr_power power = history->running[core];

    history->kernels += orr_power_over(power, now - history->since[core]);
    orr_meter_end(&history->meter, now, power);
    orr_meter_end(&history->doubled, now, 2 * power);
}

/* Levels whose shares are whole numbers, so that doubling is exact. */
static void change_levels(struct history *history, orr_time now)
{
    orr_power fixed = CORES * (orr_power)draw(history, 1u << 30);
    struct orr_power_levels one = {
        .idle = (orr_power)draw(history, 1u << 30),
        .fixed = fixed,
        .busy = fixed + CORES * (orr_power)draw(history, 1u << 30),
        .poll = fixed + CORES * (orr_power)draw(history, 1u << 30),
        .off = (orr_power)draw(history, 1u << 30),
    };
    struct orr_power_levels two = {2 * one.idle, 2 * one.fixed, 2 * one.busy,
                                   2 * one.poll, 2 * one.off};

    orr_meter_set_levels(&history->meter, now, &one);
    orr_meter_set_levels(&history->doubled, now, &two);
}

static void change(struct history *history, orr_time now)
{
    unsigned busy = history->meter.busy;
    unsigned what = (unsigned)draw(history, 5);
    unsigned polling = (unsigned)draw(history, CORES);
    bool off = draw(history, 2) > 0;

    if (what <= 1 && busy < CORES && !history->meter.off) {
        begin(history, now, (orr_power)draw(history, 1u << 30));
    } else if (what == 2 && busy > 0) {
        end(history, now);
    } else if (what == 3) {
        orr_meter_poll(&history->meter, now, polling);
        orr_meter_poll(&history->doubled, now, polling);
    } else if (what == 4 && busy == 0) {
        orr_meter_set_off(&history->meter, now, off);
        orr_meter_set_off(&history->doubled, now, off);
    } else {
        change_levels(history, now);
    }
}

static void check_history(uint64_t seed)
{
    static const struct orr_power_levels none;
    struct history history = {.seed = seed};
    orr_time now = 0;

    orr_meter_init(&history.meter, &none, CORES, 0);
    orr_meter_init(&history.doubled, &none, CORES, 0);
    change_levels(&history, 0);
    for (unsigned i = 0; i < CHANGES; i++) {
        orr_time step = (orr_time)draw(&history, 3) * ORR_MS;

        history.integral +=
            orr_power_over(orr_meter_power(&history.meter), step);
        now += step;
        change(&history, now);
    }
    while (history.meter.busy > 0)
        end(&history, now);
    orr_meter_advance(&history.meter, now);
    orr_meter_advance(&history.doubled, now);
    assert_true(orr_meter_energy(&history.meter) == history.integral);
    assert_true(history.meter.parts[ORR_ENERGY_DYNAMIC] == history.kernels);
    for (unsigned part = 0; part < ORR_ENERGY_PARTS; part++)
        assert_true(history.doubled.parts[part] ==
                    2 * history.meter.parts[part]);
}

static void energy_is_conserved_in_random_histories(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++)
        check_history(seed);
}

/* The first busy core turns 10 W idle into 25 W static and 40 W of its own; the
 * second one adds its own alone. */
static void
the_first_core_and_the_last_one_change_the_static_power(void **state)
{
    struct orr_power_levels figures = levels(10, 25, 105, 25, 0);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &figures, 2, 0);
    assert_true(orr_meter_begin(&meter, 0, 40 * ORR_WATT) == 55 * ORR_WATT);
    assert_true(orr_meter_begin(&meter, 0, 40 * ORR_WATT) == 40 * ORR_WATT);
    assert_true(orr_meter_power(&meter) == 105 * ORR_WATT);
    assert_true(orr_meter_end(&meter, 1, 40 * ORR_WATT) == -40 * ORR_WATT);
    assert_true(orr_meter_end(&meter, 1, 40 * ORR_WATT) == -55 * ORR_WATT);
    assert_true(orr_meter_power(&meter) == 10 * ORR_WATT);
}

/* Figures of a tile come before those of all others, wherever they stand. */
static void a_kernel_has_the_figures_of_its_tile(void **state)
{
    static char gemm[] = "gemm", trsm[] = "trsm";
    struct orr_state_kernel kernels[] = {
        {.name = gemm, .tile = 960, .speed = 0.5},
        {.name = gemm, .tile = 0, .speed = 0.7},
        {.name = trsm, .tile = 480, .speed = 0.6},
        {.name = gemm, .tile = 480},
    };
    const struct orr_power_state power = {
        .speed = 0.9, .kernel_count = 4, .kernels = kernels};

    (void)state;
    assert_ptr_equal(orr_power_state_kernel(&power, "gemm", 960), &kernels[0]);
    assert_ptr_equal(orr_power_state_kernel(&power, "gemm", 480), &kernels[3]);
    assert_ptr_equal(orr_power_state_kernel(&power, "gemm", 100), &kernels[1]);
    assert_null(orr_power_state_kernel(&power, "trsm", 960));
    assert_true(orr_power_state_speed(&power, "gemm", 100) == 0.7);
    assert_true(orr_power_state_speed(&power, "gemm", 480) == 0.9);
    assert_true(orr_power_state_speed(&power, "trsm", 960) == 0.9);
}

static void an_idle_machine_costs_idle_watts_times_time(void **state)
{
    struct orr_power_levels figures = levels(110, 92, 214, 188, 0);
    struct orr_meter meter;

    (void)state;
    orr_meter_init(&meter, &figures, 12, 3);
    orr_meter_advance(&meter, 1000000010);
    assert_true(orr_meter_energy(&meter) ==
                orr_power_over(110 * ORR_WATT, 1000000007));
    orr_meter_advance(&meter, 5); /* in the past */
    assert_true(meter.since == 1000000010);
}

ORR_TESTS(meter)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_draws_what_it_does_in_simgrid),
        cmocka_unit_test(a_host_that_is_off_draws_its_watts_off),
        cmocka_unit_test(each_state_has_its_watts),
        cmocka_unit_test(a_link_draws_what_it_does_in_simgrid),
        cmocka_unit_test(a_link_may_have_joules_for_messages_and_bytes),
        cmocka_unit_test(the_node_of_the_paper_draws_what_was_measured),
        cmocka_unit_test(figures_that_contradict_each_other_are_named),
        cmocka_unit_test(the_time_before_a_change_of_state_counts),
        cmocka_unit_test(a_state_in_which_nothing_can_run_has_joules),
        cmocka_unit_test(each_core_of_a_parallel_kernel_is_busy),
        cmocka_unit_test(work_that_is_given_up_ends_on_every_device),
        cmocka_unit_test(kernels_that_share_a_device_pay_its_static_power_once),
        cmocka_unit_test(joules_are_read_and_shown_exactly),
        cmocka_unit_test(energy_is_conserved_in_random_histories),
        cmocka_unit_test(
            the_first_core_and_the_last_one_change_the_static_power),
        cmocka_unit_test(a_kernel_has_the_figures_of_its_tile),
        cmocka_unit_test(an_idle_machine_costs_idle_watts_times_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
