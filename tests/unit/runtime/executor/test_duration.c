/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Durations of kernels under each value of the switch "durations". */
#include <math.h>
#include <string.h>

#include "runtime/config/run_config.h"
#include "runtime/engine/decision.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

/* "eager" on one worker: without overheads, tasks end one after the other. */
static struct unit_run *make(const char *models, bool gpu, uint64_t seed,
                             const char *record)
{
    g_autofree char *all = g_strconcat("overheads=off,", models, NULL);
    struct orr_config config;

    orr_config_init(&config);
    config.sched = "eager";
    config.cpus = gpu ? 0 : 1;
    config.gpus = gpu ? 1 : 0;
    config.models = all;
    config.seed = seed;
    config.record = record;
    return unit_run_new("varied.xml", &config);
}

/* The durations of the @count tasks of @unit; freed with the run. */
static GArray *take(struct unit_run *unit, unsigned count)
{
    GArray *durations = g_array_new(FALSE, FALSE, sizeof(orr_time));
    orr_time before = 0;

    for (unsigned i = 0; i < count; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    for (unsigned i = 0; i < count; i++) {
        orr_time taken = unit_task(unit, i)->ended - before;

        before = unit_task(unit, i)->ended;
        g_array_append_val(durations, taken);
    }
    return durations;
}

static orr_time at(const GArray *durations, unsigned i)
{
    return g_array_index(durations, orr_time, i);
}

static const struct orr_sources *sources(struct unit_run *unit)
{
    return &orr_run_report(unit->run)->sources;
}

/* (3 x 3 + 10) / 4 ms, whatever is calibrated. */
static void means_are_those_of_the_histogram(void **state)
{
    struct unit_run *unit = make("durations=mean", false, 0, NULL);
    GArray *taken = take(unit, 2);

    (void)state;
    assert_int_equal(at(taken, 0), 4750000);
    assert_int_equal(at(taken, 1), 4750000);
    assert_int_equal(orr_run_report(unit->run)->workers[0].busy_ns, 9500000);
    assert_int_equal(sources(unit)->mean, 2);
    g_array_unref(taken);
    unit_run_free(unit);
}

static void means_without_histogram_are_the_calibrated_ones(void **state)
{
    struct unit_run *unit = make("durations=mean", true, 0, NULL);
    GArray *taken = take(unit, 1);

    (void)state;
    assert_int_equal(at(taken, 0), ORR_MS);
    g_array_unref(taken);
    unit_run_free(unit);
}

static void samples_are_drawn_from_the_histogram(void **state)
{
    enum { TASKS = 1000 };
    struct unit_run *unit = make("durations=sampled", false, 1, NULL);
    GArray *taken = take(unit, TASKS);
    unsigned tail = 0;

    (void)state;
    for (unsigned i = 0; i < TASKS; i++) {
        orr_time duration = at(taken, i);

        tail += duration == 10 * ORR_MS;
        assert_true(duration == 10 * ORR_MS ||
                    (duration >= 2 * ORR_MS && duration <= 4 * ORR_MS));
    }
    assert_in_range(tail, 200, 300); /* one in four; deviation 14 */
    assert_int_equal(sources(unit)->histogram, TASKS);
    g_array_unref(taken);
    unit_run_free(unit);
}

static void without_histogram_samples_are_skewed_around_the_mean(void **state)
{
    enum { TASKS = 1000 };
    struct unit_run *unit = make("durations=sampled", true, 1, NULL);
    GArray *taken = take(unit, TASKS);
    double sum = 0;
    double cubes = 0;

    (void)state;
    for (unsigned i = 0; i < TASKS; i++) {
        double off = (double)at(taken, i) / 1e6 - 1;

        sum += off;
        cubes += off * off * off;
    }
    assert_true(sum / TASKS > -0.02 && sum / TASKS < 0.02);
    assert_true(cubes > 0);
    assert_int_equal(sources(unit)->lognormal, TASKS);
    g_array_unref(taken);
    unit_run_free(unit);
}

static void without_deviation_samples_are_the_mean(void **state)
{
    struct unit_run *unit = make("durations=sampled", true, 1, NULL);
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(unit->run, "test", "even",
                                  ORR_SINGLE_PRECISION, 960, NULL)};

    (void)state;
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->ended, ORR_MS);
    assert_int_equal(sources(unit)->mean, 1);
    unit_run_free(unit);
}

/* Task 5 takes the same, however many ran before it, on whatever worker. */
/* Samples on a CPU, whose histogram does not count then: mean 4.75 ms. */
static void check_spread(double spread)
{
    enum { TASKS = 4000 };
    struct orr_config config;
    struct unit_run *unit;
    GArray *taken;
    double sum = 0, squares = 0;

    orr_config_init(&config);
    config.sched = "eager";
    config.cpus = 1;
    config.gpus = 0;
    config.models = "overheads=off,durations=sampled";
    config.spread = spread;
    unit = unit_run_new("varied.xml", &config);
    taken = take(unit, TASKS);
    for (unsigned i = 0; i < TASKS; i++) {
        double off = (double)at(taken, i) / 4.75e6 - 1;

        sum += off;
        squares += off * off;
    }
    assert_true(fabs(sum / TASKS) <= 0.05 * spread);
    assert_true(fabs(sqrt(squares / TASKS) - spread) <= 0.1 * spread);
    assert_int_equal(sources(unit)->histogram, 0);
    g_array_unref(taken);
    unit_run_free(unit);
}

static void a_given_spread_replaces_what_was_measured(void **state)
{
    (void)state;
    check_spread(0);
    check_spread(0.1);
    check_spread(0.5);
}

static void a_draw_depends_on_seed_and_task_alone(void **state)
{
    struct unit_run *first = make("durations=sampled", false, 3, NULL);
    struct unit_run *again = make("durations=sampled", false, 3, NULL);
    struct unit_run *other = make("durations=sampled", false, 4, NULL);
    GArray *ten = take(first, 10);
    GArray *six = take(again, 6);
    GArray *seed = take(other, 6);

    (void)state;
    assert_int_equal(at(ten, 5), at(six, 5));
    assert_int_not_equal(at(ten, 5), at(seed, 5));
    assert_int_not_equal(at(ten, 5), at(ten, 4));
    g_array_unref(ten);
    g_array_unref(six);
    g_array_unref(seed);
    unit_run_free(first);
    unit_run_free(again);
    unit_run_free(other);
}

/* The draw for a CPU says nothing about that for a GPU. With a spread, the law
 * is the same on both but for the mean: 4.75 ms and 1 ms. */
static void a_gpu_draws_apart_from_a_cpu(void **state)
{
    double shares[2];

    (void)state;
    for (unsigned gpu = 0; gpu < 2; gpu++) {
        struct orr_config config = unit_config("eager", !gpu, (int)gpu);
        struct unit_run *unit;

        config.models = "overheads=off,durations=sampled";
        config.spread = 0.2;
        unit = unit_run_new("varied.xml", &config);
        unit_submit_bare(unit);
        unit_wait(unit);
        shares[gpu] = (double)unit_task(unit, 0)->ended / (gpu ? 1e6 : 4.75e6);
        unit_run_free(unit);
    }
    assert_true(fabs(shares[0] - shares[1]) > 0.001);
}

static unsigned choose_duration(struct orr_decider *decider,
                                const struct orr_decision *decision)
{
    (void)decider;
    return decision->kind == ORR_DECIDE_DURATION ? decision->count / 2 : 0;
}

/* Options 1 to 7 are the middles of seven equal shares: 4 is the median. That
 * of a log-normal law with a spread of 0.5 is the mean / sqrt(1 + 0.25). */
static void a_decider_chooses_among_quantiles(void **state)
{
    struct orr_decider decider = {.decide = choose_duration};
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;

    (void)state;
    config.models = "overheads=off";
    config.spread = 0.5;
    config.decider = &decider;
    unit = unit_run_new("varied.xml", &config);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->kernel_ended -
                         unit_task(unit, 0)->kernel_started,
                     (int64_t)(1e6 / sqrt(1.25) + 0.5));
    unit_run_free(unit);
}

static const char csv[] = "name,device,duration_us\n"
                          "unit,CPU,1500\n"
                          "something,CPU,7\n"
                          "unit,CUDA0,300\n"
                          "unit,CPU,2500\n";

static void each_task_takes_what_is_recorded(void **state)
{
    char *path = temp_file_new(csv, strlen(csv));
    struct unit_run *unit = make("durations=replayed", false, 0, path);
    GArray *taken = take(unit, 3);

    (void)state;
    assert_int_equal(at(taken, 0), 1500000);
    assert_int_equal(at(taken, 1), 2000000); /* the CPU's mean in the record */
    assert_int_equal(at(taken, 2), 2500000);
    assert_int_equal(sources(unit)->record, 2);
    assert_int_equal(sources(unit)->elsewhere, 1);
    g_array_unref(taken);
    unit_run_free(unit);
    temp_file_remove(path);
}

/* A factor on the kernel applies to recorded durations, too: 1500 us, and the
 * mean of 2000 us where the task ran elsewhere. */
static void recorded_durations_are_scaled(void **state)
{
    char *path = temp_file_new(csv, strlen(csv));
    struct orr_config config = unit_config("eager", 1, 0);
    struct unit_run *unit;
    GArray *taken;
    double factor;

    (void)state;
    config.models = "overheads=off,durations=replayed";
    config.record = path;
    config.perturb.share = 0.1;
    config.perturb.by_device = true;
    config.seed = 1;
    unit = unit_run_new("varied.xml", &config);
    factor = (double)unit->unit->by_worker[0] / 1e6; /* calibrated: 1 ms */
    assert_true(fabs(factor - 1) > 0.001);
    taken = take(unit, 3);
    assert_true(fabs((double)at(taken, 0) - 1.5e6 * factor) < 2);
    assert_true(fabs((double)at(taken, 1) - 2e6 * factor) < 2);
    g_array_unref(taken);
    unit_run_free(unit);
    temp_file_remove(path);
}

static void devices_without_record_take_the_mean(void **state)
{
    const char text[] = "name,device,duration_us\nunit,CPU,1500\n";
    char *path = temp_file_new(text, strlen(text));
    struct unit_run *unit = make("durations=replayed", true, 0, path);
    GArray *taken = take(unit, 1);

    (void)state;
    assert_int_equal(at(taken, 0), ORR_MS);
    assert_int_equal(sources(unit)->mean, 1);
    g_array_unref(taken);
    unit_run_free(unit);
    temp_file_remove(path);
}

static void expect_failure(struct unit_run *unit, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    if (!g_str_has_suffix(error->message, message))
        fail_msg("'%s' does not end in '%s'", error->message, message);
    unit_run_free(unit);
}

static void tasks_that_are_not_recorded_fail_the_run(void **state)
{
    char *path = temp_file_new(csv, strlen(csv));
    struct unit_run *unit = make("durations=replayed", false, 0, path);
    struct orr_task_spec spec;

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        unit_submit_bare(unit);
    expect_failure(unit, ": the record ends after 3 tasks, the application "
                         "goes on");
    unit = make("durations=replayed", false, 0, path);
    spec = (struct orr_task_spec){
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(unit->run, "test", "even",
                                  ORR_SINGLE_PRECISION, 960, NULL)};
    unit_submit_bare(unit);
    orr_task_submit(unit->run, &spec);
    expect_failure(unit, ":4: task 1 is 'unit' in the record, but even of test "
                         "in single precision here");
    temp_file_remove(path);
}

static void expect_no_run(const char *record, const char *message)
{
    g_autofree char *path = source_file("tests/platforms/varied.xml");
    g_autoptr(GError) error = NULL;
    struct orr_config config;

    orr_config_init(&config);
    config.platform = path;
    config.models = "durations=replayed";
    config.record = record;
    assert_null(orr_run_new(&config, &error));
    if (!g_str_has_suffix(error->message, message))
        fail_msg("'%s' does not end in '%s'", error->message, message);
}

static void records_of_nothing_known_are_refused(void **state)
{
    const char text[] = "name,device,duration_us\nother,CPU,1500\n";
    char *path = temp_file_new(text, strlen(text));

    (void)state;
    expect_no_run(
        NULL, "the model durations=replayed needs a record of task durations "
              "(--record FILE)");
    expect_no_run("/nowhere", "/nowhere: No such file or directory");
    expect_no_run(path, ": no task runs a kernel of platform varied");
    temp_file_remove(path);
}

ORR_TESTS(duration)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_of_the_histogram),
        cmocka_unit_test(means_without_histogram_are_the_calibrated_ones),
        cmocka_unit_test(samples_are_drawn_from_the_histogram),
        cmocka_unit_test(without_histogram_samples_are_skewed_around_the_mean),
        cmocka_unit_test(without_deviation_samples_are_the_mean),
        cmocka_unit_test(a_given_spread_replaces_what_was_measured),
        cmocka_unit_test(a_draw_depends_on_seed_and_task_alone),
        cmocka_unit_test(a_gpu_draws_apart_from_a_cpu),
        cmocka_unit_test(a_decider_chooses_among_quantiles),
        cmocka_unit_test(each_task_takes_what_is_recorded),
        cmocka_unit_test(recorded_durations_are_scaled),
        cmocka_unit_test(devices_without_record_take_the_mean),
        cmocka_unit_test(tasks_that_are_not_recorded_fail_the_run),
        cmocka_unit_test(records_of_nothing_known_are_refused),
    };

    return cmocka_run_group_tests_name("duration", tests, NULL, NULL);
}
