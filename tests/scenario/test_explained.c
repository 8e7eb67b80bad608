/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explanations of random runs: nothing is lost, and nothing counted twice. */
#include "apps/explain/breakdown.h"
#include "apps/explain/path.h"
#include "apps/explain/traffic.h"
#include "tests/support/random_run.h"

enum { RUNS = 1000 };

static struct orr_observation seen;

static void tell_task(struct orr_trace *trace,
                      const struct orr_trace_task *task)
{
    (void)trace;
    seen.trace.task(&seen.trace, task);
}

static void tell_copy(struct orr_trace *trace,
                      const struct orr_trace_copy *copy)
{
    (void)trace;
    seen.trace.copy(&seen.trace, copy);
}

static void tell_eviction(struct orr_trace *trace,
                          const struct orr_trace_eviction *eviction)
{
    (void)trace;
    seen.trace.eviction(&seen.trace, eviction);
}

static void check_times(const struct orr_report *report, int64_t end)
{
    unsigned nodes[ORR_MAX_NODES];
    struct orr_breakdown breakdown;

    for (unsigned w = 0; w < report->worker_count; w++)
        nodes[w] = report->workers[w].memory_node;
    orr_breakdown_init(&breakdown, &seen, report->worker_count, nodes, end);
    for (unsigned w = 0; w < report->worker_count; w++) {
        int64_t sum = 0;

        for (unsigned i = 0; i < ORR_STATES; i++) {
            assert_true(breakdown.ns[w][i] >= 0);
            sum += breakdown.ns[w][i];
        }
        assert_int_equal(sum, end);
        /* In lock-step, dates are rounded: kernels may overlap by 1 ns. */
        assert_in_range(report->workers[w].busy_ns -
                            breakdown.ns[w][ORR_COMPUTING],
                        0, report->workers[w].tasks);
    }
    orr_breakdown_clear(&breakdown);
}

static void check_path(int64_t end)
{
    GArray *path = orr_path_find(&seen, end);
    int64_t date = 0;

    for (guint i = 0; i < path->len; i++) {
        const struct orr_step *step = &g_array_index(path, struct orr_step, i);

        assert_int_equal(step->from, date);
        assert_true(step->to > step->from);
        date = step->to;
    }
    assert_int_equal(date, end);
    g_array_unref(path);
}

static void check_memories(const struct orr_report *report)
{
    uint64_t evictions = 0, bytes = 0;

    for (unsigned node = 0; node < ORR_MAX_NODES; node++)
        evictions += seen.evictions[node];
    for (guint i = 0; i < seen.copies->len; i++) {
        const struct orr_seen_copy *copy = orr_seen_copy(&seen, i);

        bytes += copy->bytes;
        assert_true(copy->started + copy->alone <= copy->ended + 1);
    }
    for (unsigned w = 0; w < report->worker_count; w++)
        assert_true(report->workers[w].peak_memory_bytes <=
                    report->gpu_memory_bytes);
    assert_int_equal(evictions, report->evictions);
    assert_int_equal(seen.copies->len, report->copies);
    assert_int_equal(bytes, report->bytes_host_to_device +
                                report->bytes_device_to_host +
                                report->bytes_device_to_device);
}

static void check_plan(const struct random_plan *plan)
{
    struct random_run random;
    const struct orr_report *report;

    orr_observation_init(&seen, false);
    random_run_begin(&random, plan);
    random.unit->trace = (struct orr_trace){
        .task = tell_task, .copy = tell_copy, .eviction = tell_eviction};
    random_run_finish(&random);
    report = orr_run_report(random.unit->run);
    check_times(report, report->makespan_ns);
    check_path(report->makespan_ns);
    check_memories(report);
    random_run_end(&random);
    orr_observation_clear(&seen);
}

static void random_runs_add_up(void **state)
{
    static const char *const policies[] = {"eager", "lws",    "dmda",
                                           "dmdas", "random", "heteroprio"};

    (void)state;
    for (uint32_t seed = 0; seed < RUNS; seed++) {
        struct random_plan plan;

        random_plan_draw(&plan, policies[seed % G_N_ELEMENTS(policies)], seed);
        check_plan(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
