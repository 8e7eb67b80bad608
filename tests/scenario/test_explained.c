/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explanations of random runs: nothing is lost, and nothing counted twice. */
#include <float.h>
#include <math.h>

#include "apps/explain/breakdown.h"
#include "apps/explain/path.h"
#include "apps/explain/traffic.h"
#include "models/fit/scaling.h"
#include "models/import/mapping.h"
#include "runtime/run.h"
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

/* Each task ran once, whole, on a worker that could run it. */
static void check_tasks(const struct orr_report *report,
                        const struct random_plan *plan)
{
    unsigned count = random_plan_count_tasks(plan);
    bool ran[MAX_STEPS] = {false};

    assert_int_equal(report->tasks, count);
    assert_int_equal(seen.tasks->len, count);
    for (guint i = 0; i < seen.tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(&seen, i);
        unsigned node = report->workers[task->worker].memory_node;

        assert_true(task->order < count && !ran[task->order]);
        ran[task->order] = true;
        assert_true(task->nodes & UINT32_C(1) << node);
        /* Lock-step rounds dates. */
        assert_true(task->ready <= task->taken &&
                    task->taken <= task->from + 1 && task->from <= task->to &&
                    task->to <= task->ended + 1);
    }
}

/* What crosses a link is what its routes carry, and each copy crosses all of
 * its route. */
static void check_traffic(struct orr_run *run, int64_t end)
{
    struct orr_traffic traffic;
    uint64_t crossed = 0, carried = 0;

    orr_traffic_init(&traffic, &seen, run->platform, end);
    for (guint i = 0; i < seen.copies->len; i++) {
        const struct orr_seen_copy *copy = orr_seen_copy(&seen, i);
        const struct orr_seen_route *route =
            &g_array_index(seen.routes, struct orr_seen_route, copy->route);

        assert_true(copy->from != copy->to);
        crossed += copy->bytes * route->links->len;
    }
    for (unsigned i = 0; i < traffic.link_count; i++) {
        const struct orr_link_traffic *link = &traffic.links[i];
        uint64_t shared = 0;

        for (guint n = 0; n < link->sharers->len; n++)
            shared += g_array_index(link->sharers, struct orr_sharer, n).bytes;
        assert_int_equal(shared, link->bytes);
        carried += link->bytes;
    }
    assert_int_equal(carried, crossed);
    orr_traffic_clear(&traffic);
}

/* Runs @plan, and sees it. End with end_plan(). */
static const struct orr_report *observe_plan(struct random_run *random,
                                             const struct random_plan *plan)
{
    orr_observation_init(&seen, false);
    random_run_begin(random, plan);
    random->unit->run->totals.calls =
        (struct orr_trace){ORR_TRACE_INIT, .task = tell_task, .copy = tell_copy,
                           .eviction = tell_eviction};
    random_run_finish(random);
    return orr_run_report(random->unit->run);
}

static void end_plan(struct random_run *random)
{
    random_run_end(random);
    orr_observation_clear(&seen);
}

/* The policy changes with the seed. */
static void draw_plan(struct random_plan *plan, uint32_t seed)
{
    static const char *const policies[] = {"eager", "lws",    "dmda",
                                           "dmdas", "random", "heteroprio"};

    random_plan_draw(plan, policies[seed % G_N_ELEMENTS(policies)], seed);
}

static void random_runs_add_up(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < orr_tests_share(RUNS); seed++) {
        struct random_plan plan;
        struct random_run random;
        const struct orr_report *report;

        draw_plan(&plan, seed);
        report = observe_plan(&random, &plan);
        check_tasks(report, &plan);
        check_times(report, report->makespan_ns);
        check_path(report->makespan_ns);
        check_memories(report);
        check_traffic(random.unit->run, report->makespan_ns);
        end_plan(&random);
    }
}

/* ---- factors of efficiency ---- */

/* The makespan of the run that was seen, on an ideal network. */
static int64_t run_ideal(const struct orr_report *report,
                         struct random_plan *plan)
{
    struct orr_mapping *mapping = orr_mapping_new("the run");
    struct random_run ideal;
    int64_t makespan;

    for (guint i = 0; i < seen.tasks->len; i++) {
        const struct orr_seen_task *task = orr_seen_task(&seen, i);

        orr_mapping_add(mapping,
                        &(struct orr_mapping_task){
                            .number = task->order,
                            .name = "",
                            .worker = report->workers[task->worker].name,
                            .start = task->from,
                        });
    }
    plan->config.mapping = mapping;
    plan->config.instant_copies = true;
    random_run_begin(&ideal, plan);
    random_run_finish(&ideal);
    makespan = orr_run_report(ideal.unit->run)->makespan_ns;
    random_run_end(&ideal);
    orr_mapping_free(mapping);
    return makespan;
}

/* LB Ser Trf = sum t(i) / (P T), but for the last digits of a double: each
 * division and product may be wrong by half of DBL_EPSILON. */
static void check_factors(const struct orr_report *report, double ideal)
{
    double times[ORR_MAX_NODES], sum = 0, end = (double)report->makespan_ns;
    struct orr_efficiency factors;
    double product;

    assert_in_range(report->worker_count, 1, ORR_MAX_NODES);
    for (unsigned w = 0; w < report->worker_count; w++)
        sum += times[w] = (double)report->workers[w].busy_ns;
    orr_efficiency_init(&factors, times, report->worker_count, end, ideal);
    if (sum == 0)
        return;
    product = factors.load_balance * factors.serialization * factors.transfer;
    assert_true(fabs(product * report->worker_count * end / sum - 1) <
                5 * DBL_EPSILON);
    assert_true(factors.parallel == sum / (report->worker_count * end));
    assert_true(factors.load_balance <= 1 && factors.communication <= 1 &&
                factors.serialization <= 1);
}

static void factors_multiply_to_the_efficiency(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < orr_tests_share(RUNS); seed++) {
        struct random_plan plan;
        struct random_run random;
        const struct orr_report *report;

        draw_plan(&plan, seed);
        random_plan_do_not_commute(&plan);
        report = observe_plan(&random, &plan);
        check_factors(report, (double)run_ideal(report, &plan));
        end_plan(&random);
    }
}

ORR_TESTS(explained)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_add_up),
        cmocka_unit_test(factors_multiply_to_the_efficiency),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
