/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Six tasks on a GPU (worker 0) and a CPU (worker 1), computed on paper. */
#include <math.h>

#include "apps/explain/breakdown.h"
#include "apps/explain/path.h"
#include "apps/explain/traffic.h"
#include "runtime/orrery.h"
#include "tests/support/cmocka_all.h"

#define END 95

enum { A, B, C, D, E, F };

/* Dates as in struct orr_trace_task; beginning and end of the kernel. */
static const struct row {
    unsigned order, worker;
    uint64_t nodes;
    int64_t ready, taken, arrived, from, to, ended;
    uint64_t parent_count;
    uint64_t parents[2];
} rows[] = {
    {A, 1, 3, 0, 2, 2, 3, 13, 14, 0, {0}},
    {B, 0, 2, 14, 15, 30, 32, 52, 53, 1, {A}},
    {C, 1, 1, 14, 14, 14, 15, 25, 25, 1, {A}},
    {D, 0, 2, 20, 40, 45, 52, 60, 61, 0, {0}},
    {E, 1, 1, 53, 54, 65, 66, 76, 77, 2, {B, C}},
    {F, 0, 3, 77, 80, 80, 82, 92, 93, 1, {E}},
};

static void tell_task(struct orr_observation *seen, const struct row *row)
{
    static const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    const struct orr_trace_access access = {.mode = ORR_R};
    const struct orr_trace_task task = {
        .order = row->order,
        .name = names[row->order],
        .kernel = row->worker == 0 ? "gpu" : "cpu",
        .kernel_number = row->worker == 0 ? 1 : 2,
        .worker = row->worker,
        .memory_node = row->worker == 0,
        .memory_nodes = row->nodes,
        .ready = row->ready,
        .taken = row->taken,
        .arrived = row->arrived,
        .started = row->from,
        .kernel_started = row->from,
        .kernel_ended = row->to,
        .ended = row->ended,
        .parent_count = (unsigned)row->parent_count,
        .parents = row->parents,
        .datum_count = 1,
        .accesses = &access,
    };

    seen->trace.task(&seen->trace, &task);
}

static void tell_copy(struct orr_observation *seen, bool to_gpu,
                      struct orr_trace_copy copy)
{
    static const char *const links[] = {"host", "bus", "host"};

    copy.from = to_gpu ? "RAM" : "CUDA0";
    copy.to = to_gpu ? "CUDA0" : "RAM";
    copy.from_node = !to_gpu;
    copy.to_node = to_gpu;
    copy.bytes = 1000;
    copy.why = "fetch";
    copy.links = links;
    copy.link_count = to_gpu ? 3 : 2;
    seen->trace.copy(&seen->trace, &copy);
}

/* All that happens, in order of the ends. */
static void tell(struct orr_observation *seen)
{
    tell_task(seen, &rows[A]);
    tell_task(seen, &rows[C]);
    tell_copy(seen, true,
              (struct orr_trace_copy){
                  .submitted = 15, .started = 20, .ended = 29, .alone = 6});
    tell_task(seen, &rows[B]);
    tell_task(seen, &rows[D]);
    tell_copy(seen, false,
              (struct orr_trace_copy){
                  .submitted = 54, .started = 54, .ended = 64, .alone = 10});
    tell_task(seen, &rows[E]);
    tell_task(seen, &rows[F]);
}

static void the_time_of_each_worker_has_no_remainder(void **state)
{
    static const unsigned nodes[] = {1, 0};
    static const int64_t wanted[2][ORR_STATES] = {
        {[ORR_COMPUTING] = 38,
         [ORR_STARVATION] = 30,
         [ORR_LATENCY] = 6,
         [ORR_OVERHEAD] = 12,
         [ORR_WAITING] = 9},
        {[ORR_COMPUTING] = 30,
         [ORR_STARVATION] = 43,
         [ORR_LATENCY] = 10,
         [ORR_OVERHEAD] = 11,
         [ORR_WAITING] = 1},
    };
    struct orr_observation seen;
    struct orr_breakdown breakdown;

    (void)state;
    orr_observation_init(&seen, false);
    tell(&seen);
    orr_breakdown_init(&breakdown, &seen, 2, nodes, END);
    for (unsigned w = 0; w < 2; w++) {
        int64_t sum = 0;

        for (unsigned i = 0; i < ORR_STATES; i++) {
            assert_int_equal(breakdown.ns[w][i], wanted[w][i]);
            sum += breakdown.ns[w][i];
        }
        assert_int_equal(sum, END);
    }
    assert_int_equal(breakdown.gaps->len, 3 + 4);
    orr_breakdown_clear(&breakdown);
    orr_observation_clear(&seen);
}

/*
 * A datum reaches the GPU through RAM: two copies, which take 4 and 3 alone. Of
 * the 30 that its task waits for them, 7 are latency.
 */
static void copies_one_after_the_other_are_all_latency(void **state)
{
    static const unsigned nodes[] = {1, 0};
    static const struct row row = {A, 0, 2, 0, 0, 30, 30, 40, 40, 0, {0}};
    struct orr_observation seen;
    struct orr_breakdown breakdown;

    (void)state;
    orr_observation_init(&seen, false);
    tell_copy(&seen, false,
              (struct orr_trace_copy){
                  .submitted = 0, .started = 2, .ended = 14, .alone = 4});
    tell_copy(&seen, true,
              (struct orr_trace_copy){
                  .submitted = 0, .started = 14, .ended = 30, .alone = 3});
    tell_task(&seen, &row);
    orr_breakdown_init(&breakdown, &seen, 2, nodes, 40);
    assert_int_equal(breakdown.ns[0][ORR_LATENCY], 4 + 3);
    assert_int_equal(breakdown.ns[0][ORR_WAITING], 30 - 7);
    assert_int_equal(breakdown.ns[0][ORR_COMPUTING], 10);
    orr_breakdown_clear(&breakdown);
    orr_observation_clear(&seen);
}

/* The first copy has ended when the second one is asked for: the second does
 * not wait for it. */
static void a_copy_that_had_ended_is_not_waited_for(void **state)
{
    static const struct row row = {A, 0, 2, 0, 0, 30, 30, 40, 40, 0, {0}};
    struct orr_observation seen;

    (void)state;
    orr_observation_init(&seen, false);
    tell_copy(&seen, false,
              (struct orr_trace_copy){
                  .submitted = 0, .started = 2, .ended = 14, .alone = 4});
    tell_copy(&seen, true,
              (struct orr_trace_copy){
                  .submitted = 14, .started = 14, .ended = 30, .alone = 3});
    tell_task(&seen, &row);
    assert_int_equal(orr_seen_task(&seen, 0)->copy, 1);
    assert_int_equal(orr_seen_copy(&seen, 1)->previous, ORR_SEEN_NONE);
    orr_observation_clear(&seen);
}

/* Of two data, the one that came last was waited for; of two parents, the one
 * that ended last, unless both had ended before the task was submitted. */
static void a_task_waits_for_what_comes_last(void **state)
{
    static const struct orr_trace_access accesses[] = {
        {.datum = {.number = 0}, .mode = ORR_R},
        {.datum = {.number = 1}, .mode = ORR_R}};
    static const uint64_t parents[] = {B, A};
    struct orr_trace_task task = {
        .order = 6,
        .name = "G",
        .kernel = "gpu",
        .kernel_number = 1,
        .memory_node = 1,
        .memory_nodes = 2,
        .submitted = 52,
        .ready = 53,
        .taken = 53,
        .arrived = 80,
        .parent_count = 2,
        .parents = parents,
        .datum_count = 2,
        .accesses = accesses,
    };
    struct orr_observation seen;

    (void)state;
    orr_observation_init(&seen, false);
    tell_task(&seen, &rows[A]); /* ends at 14, B at 53 */
    tell_task(&seen, &rows[B]);
    tell_copy(&seen, true,
              (struct orr_trace_copy){.started = 54, .ended = 60, .data = 0});
    tell_copy(&seen, true,
              (struct orr_trace_copy){.started = 60, .ended = 70, .data = 1});
    seen.trace.task(&seen.trace, &task);
    assert_int_equal(orr_seen_task(&seen, 2)->copy, 1);
    assert_int_equal(orr_seen_task(&seen, 2)->parent, 1); /* B */
    task.order = 7;
    task.submitted = 53;
    seen.trace.task(&seen.trace, &task);
    assert_int_equal(orr_seen_task(&seen, 3)->parent, ORR_SEEN_NONE);
    orr_observation_clear(&seen);
}

/* A was ready at 20; its datum was on the way since 10, to 30. The path goes
 * along the copy back to 20, where A's own driver waits for nothing else. */
static void a_path_does_not_follow_a_copy_beyond_ready(void **state)
{
    static const struct row row = {A, 0, 2, 20, 20, 30, 30, 40, 40, 0, {0}};
    struct orr_observation seen;
    GArray *path;

    (void)state;
    orr_observation_init(&seen, false);
    tell_copy(&seen, true,
              (struct orr_trace_copy){
                  .submitted = 5, .started = 10, .ended = 30, .alone = 20});
    tell_task(&seen, &row);
    path = orr_path_find(&seen, 40);
    assert_int_equal(path->len, 3);
    assert_int_equal(g_array_index(path, struct orr_step, 0).kind,
                     ORR_STEP_DRIVER);
    assert_int_equal(g_array_index(path, struct orr_step, 1).kind,
                     ORR_STEP_COPY);
    assert_int_equal(g_array_index(path, struct orr_step, 1).from, 20);
    assert_int_equal(g_array_index(path, struct orr_step, 1).to, 30);
    g_array_unref(path);
    orr_observation_clear(&seen);
}

static void the_path_has_no_gap(void **state)
{
    static const struct {
        enum orr_step_kind kind;
        uint32_t order; /* of a task */
        int64_t to;
    } wanted[] = {
        {ORR_STEP_DRIVER, 0, 3},  {ORR_STEP_TASK, A, 13},
        {ORR_STEP_DRIVER, 0, 15}, {ORR_STEP_QUEUE, 0, 20},
        {ORR_STEP_COPY, 0, 29},   {ORR_STEP_DRIVER, 0, 32},
        {ORR_STEP_TASK, B, 52},   {ORR_STEP_DRIVER, 0, 54},
        {ORR_STEP_COPY, 0, 64},   {ORR_STEP_DRIVER, 0, 66},
        {ORR_STEP_TASK, E, 76},   {ORR_STEP_DRIVER, 0, 82},
        {ORR_STEP_TASK, F, 92},   {ORR_STEP_DRIVER, 0, END},
    };
    struct orr_observation seen;
    int64_t date = 0;
    GArray *path;

    (void)state;
    orr_observation_init(&seen, false);
    tell(&seen);
    path = orr_path_find(&seen, END);
    assert_int_equal(path->len, G_N_ELEMENTS(wanted));
    for (guint i = 0; i < path->len; i++) {
        const struct orr_step *step = &g_array_index(path, struct orr_step, i);

        assert_int_equal(step->kind, wanted[i].kind);
        assert_int_equal(step->from, date);
        assert_int_equal(step->to, wanted[i].to);
        if (step->kind == ORR_STEP_TASK)
            assert_int_equal(orr_seen_task(&seen, step->index)->order,
                             wanted[i].order);
        date = step->to;
    }
    g_array_unref(path);
    orr_observation_clear(&seen);
}

/* Its drivers take 3, 2, 3, 2, 2, 6 and 3 ns. */
static void the_parts_of_the_path_are_all_of_it(void **state)
{
    struct orr_observation seen;
    GArray *path, *parts;
    int64_t sum = 0;
    unsigned steps = 0;

    (void)state;
    orr_observation_init(&seen, false);
    tell(&seen);
    path = orr_path_find(&seen, END);
    parts = orr_path_sum(&seen, path);
    for (guint i = 0; i < parts->len; i++) {
        const struct orr_path_part *part =
            &g_array_index(parts, struct orr_path_part, i);

        assert_true(i == 0 || part->ns <= (part - 1)->ns);
        if (part->kind == ORR_STEP_DRIVER) {
            assert_int_equal(part->steps, 7);
            assert_int_equal(part->ns, 21);
        }
        steps += part->steps;
        sum += part->ns;
    }
    assert_int_equal(steps, path->len);
    assert_int_equal(sum, END);
    g_array_unref(parts);
    g_array_unref(path);
    orr_observation_clear(&seen);
}

/* Both copies cross the link host, the first one twice. */
static void links_are_loaded_by_each_crossing(void **state)
{
    struct orr_platform_link links[] = {
        {.name = (char *)"bus", .bytes_per_s = 1e12},
        {.name = (char *)"host", .bytes_per_s = 1e11}};
    const struct orr_platform platform = {.links = links, .link_count = 2};
    struct orr_observation seen;
    struct orr_traffic traffic;

    (void)state;
    orr_observation_init(&seen, false);
    tell(&seen);
    orr_traffic_init(&traffic, &seen, &platform, END);
    assert_int_equal(traffic.link_count, 2);
    assert_string_equal(traffic.links[0].name, "host");
    assert_int_equal(traffic.links[0].bytes, 3000);
    assert_int_equal(traffic.links[0].busy, 9 + 10);
    assert_true(fabs(traffic.links[0].load - 3000 / (1e11 * 95e-9)) < 1e-9);
    assert_int_equal(traffic.links[0].sharers->len, 2);
    assert_string_equal(
        g_array_index(traffic.links[0].sharers, struct orr_sharer, 0).route,
        "RAM-CUDA0");
    assert_int_equal(
        g_array_index(traffic.links[0].sharers, struct orr_sharer, 0).bytes,
        2000);
    assert_int_equal(traffic.links[1].bytes, 2000);
    orr_traffic_clear(&traffic);
    orr_observation_clear(&seen);
}

static void evict(struct orr_observation *seen, bool makes_room)
{
    const struct orr_trace_eviction eviction = {
        .memory_node = 1, .datum = {.number = 0}, .makes_room = makes_room};

    seen->trace.eviction(&seen->trace, &eviction);
}

/* Data copied again after an eviction are a reload, unless they were written
 * since. */
static void reloads_follow_evictions(void **state)
{
    const struct orr_platform platform = {.link_count = 0};
    const struct orr_trace_access access = {.datum = {.number = 0},
                                            .mode = ORR_RW};
    struct orr_observation seen;
    struct orr_traffic traffic;

    (void)state;
    orr_observation_init(&seen, false);
    tell(&seen);
    evict(&seen, true);
    tell_copy(&seen, true, (struct orr_trace_copy){.ended = 200});
    tell_copy(&seen, true, (struct orr_trace_copy){.ended = 300});
    evict(&seen, true);
    seen.trace.task(&seen.trace, &(struct orr_trace_task){.order = 6,
                                                          .name = "G",
                                                          .kernel = "cpu",
                                                          .worker = 1,
                                                          .datum_count = 1,
                                                          .accesses = &access});
    tell_copy(&seen, true, (struct orr_trace_copy){.ended = 400});
    orr_traffic_init(&traffic, &seen, &platform, 400);
    assert_int_equal(seen.evictions[1], 2);
    assert_int_equal(traffic.reloads[1], 1);
    assert_int_equal(traffic.reloaded_bytes[1], 1000);
    orr_traffic_clear(&traffic);
    orr_observation_clear(&seen);
}

/* A datum that is unregistered leaves the memory, but is not evicted. */
static void data_that_go_are_no_evictions(void **state)
{
    struct orr_observation seen;

    (void)state;
    orr_observation_init(&seen, false);
    tell(&seen);
    evict(&seen, false);
    tell_copy(&seen, true, (struct orr_trace_copy){.ended = 200});
    assert_int_equal(seen.evictions[1], 0);
    assert_false(
        g_array_index(seen.copies, struct orr_seen_copy, seen.copies->len - 1)
            .again);
    orr_observation_clear(&seen);
}

ORR_TESTS(explanation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_of_each_worker_has_no_remainder),
        cmocka_unit_test(copies_one_after_the_other_are_all_latency),
        cmocka_unit_test(a_copy_that_had_ended_is_not_waited_for),
        cmocka_unit_test(a_task_waits_for_what_comes_last),
        cmocka_unit_test(a_path_does_not_follow_a_copy_beyond_ready),
        cmocka_unit_test(the_path_has_no_gap),
        cmocka_unit_test(the_parts_of_the_path_are_all_of_it),
        cmocka_unit_test(links_are_loaded_by_each_crossing),
        cmocka_unit_test(reloads_follow_evictions),
        cmocka_unit_test(data_that_go_are_no_evictions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
