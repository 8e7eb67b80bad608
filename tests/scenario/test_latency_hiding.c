/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The queue model of SLOWER (Sterling et al.) as an application: a processor
 * with many contexts works on one while others wait for memory. In each round,
 * a context computes for 19.9 units of time and then waits 8192 for memory; a
 * switch of contexts costs more. Here the GPU is the processor, and CPU cores
 * are the memory, which serves all contexts at a time.
 */
#include <math.h>

#include "runtime/config/run_config.h"
#include "tests/support/unit_run.h"

enum { CONTEXTS = 64, ROUNDS = 6 };

#define UNIT ((int64_t)1000) /* ns */
#define WORK ((int64_t)19900)
#define LATENCY (8192 * UNIT)

/* Submits the task number @tag, which takes what @times say, after the task
 * @before of its context; 0: it is the first. Returns its number. */
static uint64_t submit(struct unit_run *unit, struct orr_kernel *kernel,
                       const struct orr_task_times *times, uint64_t tag,
                       uint64_t before)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = kernel,         .times = times,
        .tag = tag,         .wait_count = before > 0, .wait_tags = &before,
    };

    orr_task_submit(unit->run, &spec);
    return tag;
}

/* Returns how long @contexts take for @rounds rounds each, in ns, if a switch
 * costs @overhead. */
static int64_t duration_of(unsigned contexts, unsigned rounds, int64_t overhead)
{
    static const char *const changes[] = {"cores=65", NULL};
    const struct orr_task_times work = {ORR_TASK_TIMES_INIT,
                                        .gpu_ns = WORK + overhead};
    const struct orr_task_times latency = {ORR_TASK_TIMES_INIT,
                                           .cpu_ns = LATENCY};
    struct orr_config config = unit_config("eager", CONTEXTS, 1);
    uint64_t last[CONTEXTS] = {0}, tag = 1;
    struct orr_kernel *kernel;
    struct unit_run *unit;
    int64_t makespan;

    config.models = "clean,overheads=off";
    config.changes = changes;
    unit = unit_run_new("three-gpus.xml", &config);
    kernel = orr_kernel_new(unit->run, "context", NULL);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned c = 0; c < contexts; c++) {
            last[c] = submit(unit, kernel, &work, tag++, last[c]);
            last[c] = submit(unit, kernel, &latency, tag++, last[c]);
        }
    }
    unit_wait(unit);
    makespan = orr_run_report(unit->run)->makespan_ns;
    unit_run_free(unit);
    return makespan;
}

/* The time of a round once all contexts are at work. */
static double round_of(unsigned contexts, int64_t overhead)
{
    return (double)(duration_of(contexts, 2 * ROUNDS, overhead) -
                    duration_of(contexts, ROUNDS, overhead)) /
           ROUNDS;
}

/* One that blocks does not switch: it is a single context. The gain is
 * 64 (19.9 + 8192) / max(19.9 + o + 8192, 64 (19.9 + o)). */
static void contexts_hide_latency_up_to_their_overhead(void **state)
{
    static const struct {
        int64_t overhead;
        double gain;
    } cases[] = {
        {1, 63.99},   {16, 63.88},  {64, 63.51},  {128, 55.52},
        {256, 29.76}, {1024, 7.87}, {8192, 1.00},
    };
    double blocking = round_of(1, 0);

    (void)state;
    assert_true(blocking == (double)(WORK + LATENCY));
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        double gain =
            CONTEXTS * blocking / round_of(CONTEXTS, cases[i].overhead * UNIT);

        assert_true(fabs(gain - cases[i].gain) < 0.006);
    }
}

ORR_TESTS(latency_hiding)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_hide_latency_up_to_their_overhead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
