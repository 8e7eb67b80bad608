/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joules of whole runs, on a machine whose watts are easy to add up
 * (tests/platforms/power.xml), and of random graphs.
 */
#include <math.h>

#include "runtime/config/run_config.h"
#include "runtime/run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/power_graph.h"
#include "tests/support/temp_file.h"

enum { DEVICES = 3 };

#define NJ INT64_C(1000000000) /* of a joule */

/* What a trace tells: the integral of the power of each device. */
struct meter {
    struct orr_trace trace; /* first */
    double watts[DEVICES], joules[DEVICES];
    int64_t since[DEVICES];
    int64_t tasks[2][DEVICES]; /* by kernel and device */
};

static void advance(struct meter *meter, unsigned device, int64_t date)
{
    meter->joules[device] +=
        meter->watts[device] * (double)(date - meter->since[device]) / 1e9;
    meter->since[device] = date;
}

static void take_power(struct orr_trace *trace,
                       const struct orr_trace_power *power)
{
    struct meter *meter = (struct meter *)trace;

    assert_true(power->date >= meter->since[power->device]);
    advance(meter, power->device, power->date);
    meter->watts[power->device] = power->watts;
}

static void take_task(struct orr_trace *trace,
                      const struct orr_trace_task *task)
{
    struct meter *meter = (struct meter *)trace;

    meter->tasks[task->kernel[0] == 'o'][task->memory_node]++;
}

/* The run of a graph, ended. */
static struct orr_run *perform(struct power_graph *graph, struct meter *meter,
                               const char *const *changes)
{
    struct orr_config config;
    struct orr_run *run;
    GError *error = NULL;

    power_graph_configure(graph, &config);
    *meter = (struct meter){
        .trace = {ORR_TRACE_INIT, .task = take_task, .power = take_power}};
    config.changes = changes;
    config.trace = &meter->trace;
    graph->draws = 0;
    run = orr_run_new(&config, &error);
    if (!run)
        fail_msg("%s", error->message);
    power_graph_submit(graph, run);
    assert_true(orr_run_wait(run, &error));
    for (unsigned d = 0; d < DEVICES; d++)
        advance(meter, d, orr_run_report(run)->makespan_ns);
    return run;
}

static int64_t sum(const struct orr_energy_item *items, unsigned count)
{
    int64_t sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += items[i].nj;
    return sum;
}

static int64_t item(const struct orr_energy_item *items, unsigned count,
                    const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (g_str_equal(items[i].name, name))
            return items[i].nj;
    }
    return 0;
}

static int64_t of_device(const struct orr_energy_report *energy,
                         const char *name)
{
    return item(energy->devices, energy->device_count, name);
}

static void check_near(double joules, int64_t nj, double margin_nj)
{
    if (!(fabs(joules * 1e9 - (double)nj) <= margin_nj))
        fail_msg("%.12g J are not %.12g J", joules, (double)nj / 1e9);
}

/* The parts add up, and power integrates to them. */
static void check_sums(const struct orr_energy_report *energy,
                       const struct meter *meter)
{
    static const char *const names[] = {"CPU", "CUDA0", "CUDA1"};

    assert_true(energy->total_nj == energy->static_nj + energy->dynamic_nj +
                                        energy->idle_nj + energy->polling_nj +
                                        energy->copies_nj);
    assert_true(sum(energy->devices, energy->device_count) == energy->total_nj);
    assert_true(sum(energy->kernels, energy->kernel_count) ==
                energy->dynamic_nj);
    for (unsigned d = 0; d < DEVICES; d++)
        check_near(meter->joules[d], of_device(energy, names[d]), 10);
}

/* What kernels add, by hand: (144 - 48) / 6 W for 12 ms and (120 - 48) / 6 W
 * for 6 ms on cores, 80 and 100 W for 4 ms on GPUs, and 0.4 J and 0.45 - 30 W x
 * 5 ms. */
static void check_kernels(const struct orr_energy_report *energy,
                          const struct meter *meter)
{
    const int64_t *even = meter->tasks[0], *odd = meter->tasks[1];

    check_near((double)even[0] * 0.192 + (double)even[1] * 0.32 +
                   (double)even[2] * 0.4,
               item(energy->kernels, energy->kernel_count, "even"), 4);
    check_near((double)odd[0] * 0.072 + (double)odd[1] * 0.4 +
                   (double)odd[2] * 0.3,
               item(energy->kernels, energy->kernel_count, "odd"), 4);
}

/* A device without a task, and which does not poll, costs its idle watts. */
static void check_idle(const struct orr_report *report,
                       const struct meter *meter, bool polling)
{
    static const char *const names[] = {"CPU", "CUDA0", "CUDA1"};
    static const int64_t idle_w[] = {60, 20, 20};

    for (unsigned d = polling ? 1 : 0; d < DEVICES; d++) {
        if (meter->tasks[0][d] + meter->tasks[1][d] == 0)
            assert_true(of_device(report->energy, names[d]) ==
                        idle_w[d] * report->makespan_ns);
    }
}

static char *doubled(void)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");
    g_autofree char *text = NULL;
    GString *twice = g_string_new(NULL);
    gsize size;

    assert_true(g_file_get_contents(path, &text, &size, NULL));
    for (const char *at = text; *at; at++) {
        const char *end = at + strspn(at, "0123456789.");

        if (end > at &&
            (g_str_has_prefix(end, "W\"") || *end == 'J' ||
             g_str_has_prefix(end, "mJ") || g_str_has_prefix(end, "nJ"))) {
            g_string_append_printf(twice, "%g", 2 * g_ascii_strtod(at, NULL));
            at = end;
        }
        g_string_append_c(twice, *at);
    }
    size = twice->len;
    g_free(text);
    text = g_string_free(twice, FALSE);
    return temp_file_new(text, size);
}

static void energy_is_conserved_in_random_graphs(void **state)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");
    char *twice = doubled();

    (void)state;
    for (uint64_t seed = 0; seed < orr_tests_share(GRAPHS); seed++) {
        struct power_graph graph = {.seed = seed,
                                    .platform = path,
                                    .polling = seed % 3 == 0,
                                    .tasks = 1 + (unsigned)(seed % TASKS)};
        struct meter meter, other;
        struct orr_run *run = perform(&graph, &meter, NULL);
        int64_t total = orr_run_report(run)->energy->total_nj;

        check_sums(orr_run_report(run)->energy, &meter);
        check_kernels(orr_run_report(run)->energy, &meter);
        check_idle(orr_run_report(run), &meter, graph.polling);
        orr_run_free(run);
        graph.platform = twice;
        run = perform(&graph, &other, NULL);
        check_near(2e-9 * (double)total, orr_run_report(run)->energy->total_nj,
                   30);
        orr_run_free(run);
    }
    temp_file_remove(twice);
}

/* A GPU that gets no task, and links that carry nothing. */
static void an_idle_machine_costs_idle_watts_times_time(void **state)
{
    static const char *const where[] = {"even=cpu", "odd=cpu", NULL};
    g_autofree char *path = source_file("tests/platforms/power.xml");
    struct orr_config config;
    struct power_graph graph = {.seed = 1, .tasks = 5};
    const struct orr_energy_report *energy;
    int64_t makespan;
    struct orr_run *run;

    (void)state;
    orr_config_init(&config);
    config.platform = path;
    config.where = where;
    config.gpus = 1;
    run = orr_run_new(&config, NULL);
    power_graph_submit(&graph, run);
    assert_true(orr_run_wait(run, NULL));
    energy = orr_run_report(run)->energy;
    makespan = orr_run_report(run)->makespan_ns;
    assert_true(of_device(energy, "CUDA0") == 20 * makespan);
    assert_true(of_device(energy, "CUDA1") == 2 * makespan); /* off */
    assert_true(of_device(energy, "links") == makespan);
    assert_true(energy->copies_nj == 0);
    orr_run_free(run);
}

/* With all workers polling, the host is never idle: 48 W, 8 W for each of four
 * cores and two drivers that wait. */
static void cores_that_wait_poll(void **state)
{
    static const char *const where[] = {"even=cpu", NULL};
    g_autofree char *path = source_file("tests/platforms/power.xml");
    struct power_graph graph = {.seed = 2,
                                .tasks = 12,
                                .polling = true,
                                .platform = path,
                                .where = where};
    const struct orr_energy_report *energy;
    struct meter meter;
    struct orr_run *run = perform(&graph, &meter, NULL);
    int64_t busy;

    (void)state;
    energy = orr_run_report(run)->energy;
    busy = 12000000 * meter.tasks[0][0] + 6000000 * meter.tasks[1][0];
    assert_true(energy->polling_nj ==
                8 * (6 * orr_run_report(run)->makespan_ns - busy));
    assert_true(meter.tasks[0][0] + meter.tasks[1][0] > 0);
    orr_run_free(run);
}

/* A copy of 1 MB over Host takes 1 ms at 2 W above idle, and 1 nJ a byte; over
 * bus it costs 1 mJ. */
static void copies_cost_what_their_links_say(void **state)
{
    static const char *const where[] = {"even=gpu", "odd=gpu", NULL};
    g_autofree char *path = source_file("tests/platforms/power.xml");
    struct orr_config config;
    struct power_graph graph = {.seed = 3, .tasks = 1};
    const struct orr_report *report;
    struct orr_run *run;

    (void)state;
    orr_config_init(&config);
    config.platform = path;
    config.where = where;
    run = orr_run_new(&config, NULL);
    power_graph_submit(&graph, run);
    assert_true(orr_run_wait(run, NULL));
    report = orr_run_report(run);
    assert_int_equal(report->bytes_host_to_device, 1000000 * report->copies);
    assert_true(report->copies > 0);
    assert_true(report->energy->copies_nj ==
                (int64_t)report->copies * 4 * NJ / 1000);
    orr_run_free(run);
}

static int64_t makespan_with(const char *change, int64_t *nj)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");
    const char *const changes[] = {change, NULL};
    struct power_graph graph = {.seed = 5, .tasks = 1, .platform = path};
    struct meter meter;
    struct orr_run *run = perform(&graph, &meter, change ? changes : NULL);
    int64_t makespan = orr_run_report(run)->makespan_ns;

    *nj = orr_run_report(run)->energy->total_nj;
    orr_run_free(run);
    return makespan;
}

static void states_change_times_and_watts(void **state)
{
    int64_t full, slow, nj, slow_nj;

    (void)state;
    full = makespan_with(NULL, &nj);
    slow = makespan_with("pstate.cpu=slow", &slow_nj);
    assert_true(slow >= full);
    assert_true(slow_nj != nj);
    assert_true(makespan_with("pstate.cpu=0", &slow_nj) == full);
    assert_true(slow_nj == nj);
}

static void check_refused(const char *change, const char *message)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");
    const char *const changes[] = {change, NULL};
    g_autoptr(GError) error = NULL;
    struct orr_config config;

    orr_config_init(&config);
    config.platform = path;
    config.changes = changes;
    assert_null(orr_run_new(&config, &error));
    assert_string_equal(error->message, message);
}

static void caps_outside_the_table_are_refused(void **state)
{
    (void)state;
    check_refused("power-cap.CUDA1=40W",
                  "'power-cap.CUDA1=40W': a cap of 40 W is outside the table "
                  "of CUDA1, whose states draw 50 to 130 W");
    check_refused("power-cap.CUDA1=200W",
                  "'power-cap.CUDA1=200W': a cap of 200 W is outside the table "
                  "of CUDA1, whose states draw 50 to 130 W");
    check_refused("power-cap.cuda0=50W",
                  "'power-cap.cuda0=50W': platform power has no table of "
                  "states of CUDA0 (docs/ENERGY.md, \"Caps and frequencies\")");
    check_refused("pstate.cpu=7",
                  "'pstate.cpu=7': CPU has no state '7'; it has: 0 (full), 1 "
                  "(slow)");
    check_refused("pstate.CUDA5=0",
                  "'pstate.CUDA5=0': no device is called 'CUDA5': expected "
                  "cpu, the name of a GPU, gpus or all");
}

static void a_cap_takes_the_fastest_state_below(void **state)
{
    g_autofree char *path = source_file("tests/platforms/power.xml");
    static const char *const changes[] = {"power-cap.CUDA1=99W", NULL};
    struct orr_config config;
    struct orr_run *run;
    const struct orr_platform *platform;

    (void)state;
    orr_config_init(&config);
    config.platform = path;
    config.changes = changes;
    run = orr_run_new(&config, NULL);
    platform = run->platform;
    assert_string_equal(
        platform->power[2].states[platform->power[2].current].name, "cap-80");
    assert_int_equal(orr_platform_duration(&platform->kernels[0], 1, 2),
                     5000000);
    assert_int_equal(orr_platform_duration(&platform->kernels[0], 1, 1),
                     4000000);
    orr_run_free(run);
}

ORR_TESTS(energy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_conserved_in_random_graphs),
        cmocka_unit_test(an_idle_machine_costs_idle_watts_times_time),
        cmocka_unit_test(cores_that_wait_poll),
        cmocka_unit_test(copies_cost_what_their_links_say),
        cmocka_unit_test(states_change_times_and_watts),
        cmocka_unit_test(caps_outside_the_table_are_refused),
        cmocka_unit_test(a_cap_takes_the_fastest_state_below),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
