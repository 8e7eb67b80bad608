/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Broken policies and broken runtimes: the kind of each hang is found. */
#include <string.h>

#include "runtime/config/run_config.h"
#include "runtime/diagnosis/hang_private.h"
#include "tests/support/broken_policies.h"

#define LARGE UINT64_C(5000000) /* a buffer of its own: suballoc.h */

static void a_policy_that_wakes_nobody_holds_its_tasks(void **state)
{
    static const char *const chain[] = {
        "policy mute would now give task 0 (unit) to CUDA0, but CUDA0 sleeps "
        "and nobody wakes it",
        NULL};
    struct unit_run *unit = broken_run(&broken_mute, 1, 1);
    const struct orr_hang *hang;

    (void)state;
    unit_submit_bare(unit);
    orr_task_submit(unit->run, &(struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                                       .kernel = unit->unit,
                                                       .coordinate_count = 2,
                                                       .coordinates = {5, 2}});
    hang = broken_stall(unit);
    broken_check_chain(hang, ORR_HANG_TASKS_HELD, chain);
    assert_int_equal(hang->tasks, 2);
    assert_int_equal(hang->tasks_left, 2);
    assert_string_equal(hang->workers[0].doing, "sleeps");
    assert_string_equal(hang->queues[0].name, "policy mute");
    assert_int_equal(hang->queues[0].count, 2);
    assert_string_equal(hang->queues[0].entries[1], "task 1 (unit(5,2))");
    unit_run_free(unit);
}

static void a_task_given_to_nobody_is_never_offered(void **state)
{
    static const char *const chain[] = {
        "policy hole holds task 0 (unit), while CUDA0 and CPU0, which can run "
        "it, sleep; one more pop by each worker returns no task",
        NULL};
    struct unit_run *unit = broken_run(&broken_hole, 1, 1);

    (void)state;
    unit_submit_bare(unit);
    broken_check_chain(broken_stall(unit), ORR_HANG_NEVER_OFFERED, chain);
    unit_run_free(unit);
}

static void a_task_kept_for_who_cannot_run_it_is_never_offered(void **state)
{
    static const char *const chain[] = {
        "policy mute keeps task 0 (on-cpu) for CUDA0, which cannot run it",
        NULL};
    struct unit_run *unit = broken_run(&broken_mute, 1, 1);
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(unit->run, "test", "on-cpu",
                                  ORR_SINGLE_PRECISION, 960, NULL)};

    (void)state;
    orr_task_submit(unit->run, &spec);
    broken_check_chain(broken_stall(unit), ORR_HANG_NEVER_OFFERED, chain);
    unit_run_free(unit);
}

/* Gives tasks in threes. */
static struct orr_task *dequeue_of_three(struct orr_sched *sched,
                                         unsigned worker)
{
    struct broken_queue *queue = orr_sched_state(sched);
    struct orr_task *task;

    if (queue->count == 0 || (queue->count < 3 && !queue->first->note))
        return NULL;
    task = broken_pop(sched, worker);
    if (queue->first && !task->note) {
        queue->first->note = task;
        queue->first->next->note = task;
    }
    return task;
}

static const struct orr_sched_ops threes = {
    .name = "threes",
    .state_size = sizeof(struct broken_queue),
    .push = broken_push,
    .pop = dequeue_of_three,
};

static struct unit_run *make_window(uint64_t window)
{
    struct orr_config config = unit_with_window(window);

    return broken_run_with(&threes, &config);
}

static void a_window_too_small_for_the_policy_is_to_blame(void **state)
{
    static const char *const chain[] = {
        "the application waits to submit task 2: 2 tasks are in flight, and "
        "the submission window allows no more",
        "policy threes holds task 0 (unit), while CPU0, which can run it, "
        "sleeps; one more pop by each worker returns no task",
        "without the window, all tasks would end", NULL};
    struct unit_run *unit = make_window(2);

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        unit_submit_bare(unit);
    broken_check_chain(broken_stall(unit), ORR_HANG_WINDOW, chain);
    assert_int_equal(unit->tasks->len, 0); /* later events are not traced */
    unit_run_free(unit);
}

/* Wakes the worker only if tasks wait already. */
static void push_by_twos(struct orr_sched *sched, struct orr_task *task)
{
    const struct broken_queue *queue = orr_sched_state(sched);
    bool wakes = queue->first;

    broken_push_mute(sched, task);
    if (wakes)
        orr_sched_wake(sched, 0);
}

/* With a further task the worker would be woken, and all would end. */
static void a_window_is_not_to_blame_for_a_lost_wakeup(void **state)
{
    static const struct orr_sched_ops twos = {
        .name = "twos",
        .state_size = sizeof(struct broken_queue),
        .push = push_by_twos,
        .pop = broken_pop,
    };
    static const char *const chain[] = {
        "policy twos would now give task 0 (unit) to CPU0, but CPU0 sleeps and "
        "nobody wakes it",
        NULL};
    struct orr_config config = unit_with_window(1);
    struct unit_run *unit = broken_run_with(&twos, &config);

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        unit_submit_bare(unit);
    broken_check_chain(broken_stall(unit), ORR_HANG_TASKS_HELD, chain);
    unit_run_free(unit);
}

static void a_window_is_not_to_blame_if_all_stalls_without_it(void **state)
{
    struct unit_run *unit = make_window(2);
    const struct orr_hang *hang;

    (void)state;
    for (unsigned i = 0; i < 7; i++)
        unit_submit_bare(unit);
    hang = broken_stall(unit);
    assert_int_equal(hang->kind, ORR_HANG_NEVER_OFFERED);
    assert_int_equal(hang->tasks_left, 1);
    unit_run_free(unit);
}

/* In lock-step, too: the first task waits for the second. */
static void a_window_that_stops_a_tag_is_to_blame(void **state)
{
    static const uint64_t tag = 7;
    static const char *const scheds[] = {"dmda", "eager"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        struct orr_config config = unit_with_window(1);
        struct unit_run *unit;
        struct orr_task_spec waits = {ORR_TASK_SPEC_INIT, .wait_count = 1,
                                      .wait_tags = &tag};
        struct orr_task_spec has = {ORR_TASK_SPEC_INIT, .tag = tag};

        config.sched = scheds[i];
        unit = unit_run_new("three-gpus.xml", &config);
        waits.kernel = has.kernel = unit->unit;
        orr_task_submit(unit->run, &waits);
        orr_task_submit(unit->run, &has);
        assert_int_equal(broken_stall(unit)->kind, ORR_HANG_WINDOW);
        unit_run_free(unit);
    }
}

static void a_window_of_three_is_enough(void **state)
{
    struct unit_run *unit = make_window(3);

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    assert_null(orr_run_hang(unit->run));
    unit_run_free(unit);
}

static void find_job(void *object, void *data)
{
    struct orr_job **jobs = data;
    struct orr_job *job = object;

    jobs[job->id] = job;
}

/* A broken graph: the second task waits for the third. */
static void tasks_that_wait_for_each_other_are_a_cycle(void **state)
{
    static const char *const chain[] = {
        "task 1 (unit) waits until task 2 (unit) has written A(0,0)",
        "task 2 (unit) waits until task 1 (unit) has written A(0,0)",
        "this closes a cycle: back to task 1 (unit)", NULL};
    struct unit_run *unit = broken_run(&broken_fifo, 1, 0);
    struct orr_graph *graph = &unit->run->graph;
    struct orr_data *data = orr_data_register(unit->run, BROKEN_TILE);
    struct orr_job *jobs[3];

    (void)state;
    orr_data_set_coordinates(data, 0, 0);
    for (unsigned i = 0; i < 3; i++)
        unit_submit(unit, data, ORR_RW);
    orr_graph_each_job(graph, find_job, jobs);
    orr_graph_add_edge(graph, &jobs[2]->successors, jobs[1]);
    broken_check_chain(broken_stall(unit), ORR_HANG_DEPENDENCY_CYCLE, chain);
    unit_run_free(unit);
}

static void end_in_silence(struct orr_executor *executor, struct orr_copy *copy)
{
    (void)executor;
    orr_request_copied(copy->request->store, copy->request);
}

/* A broken runtime: the end of a copy is recorded, and no actor is
 * signalled. */
static void a_driver_that_is_not_told_has_lost_its_wakeup(void **state)
{
    static const char *const chain[] = {
        "task 0 (unit) is assigned to CUDA0 and waits for data handle 0",
        "the fetch of data handle 0 from RAM to CUDA0 for task 0 (unit) has "
        "completed, but the driver of CUDA0 sleeps",
        NULL};
    struct unit_run *unit = broken_run(&broken_fifo, 0, 1);
    struct orr_data *data = orr_data_register(unit->run, BROKEN_TILE);

    (void)state;
    unit->run->store.executor->copy = end_in_silence;
    unit_submit(unit, data, ORR_R);
    broken_check_chain(broken_stall(unit), ORR_HANG_LOST_WAKEUP, chain);
    unit_run_free(unit);
}

static void never_end(struct orr_executor *executor, struct orr_worker *worker,
                      struct orr_job *job)
{
    (void)executor;
    (void)worker;
    (void)job;
}

/* A broken runtime: a kernel that does not end. */
static void what_no_kind_explains_says_so(void **state)
{
    static const char *const chain[] = {
        "task 0 (unit) is on CPU0, which does not complete it",
        "CPU0 sleeps and does not complete task 0 (unit), whose kernel has not "
        "ended",
        NULL};
    struct unit_run *unit = broken_run(&broken_fifo, 1, 0);

    (void)state;
    unit->run->store.executor->kernel = never_end;
    unit_submit_bare(unit);
    broken_check_chain(broken_stall(unit), ORR_HANG_UNEXPLAINED, chain);
    unit_run_free(unit);
}

/*
 * A task keeps the only buffer of the GPU for ever, so the fetch for the next
 * one finds no memory. A request for the buffer there needs none, but is behind
 * that fetch, of the same level, in the queue of the driver.
 */
static void a_request_is_behind_one_of_its_level_that_lacks_memory(void **state)
{
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;
    struct orr_data *data[2];
    struct orr_request_spec spec = {
        .node = 1, .mode = ORR_W, .level = ORR_FETCH};
    const struct orr_request *ahead, *behind;
    struct orr_scene scene;
    struct orr_lead lead;

    (void)state;
    config.gpu_memory_bytes = 3 * LARGE / 2;
    unit = broken_run_with(&broken_fifo, &config);
    unit->run->store.executor->kernel = never_end;
    for (unsigned i = 0; i < 2; i++) {
        data[i] = orr_data_register(unit->run, LARGE);
        unit_submit(unit, data[i], ORR_R);
    }
    broken_stall(unit);
    ahead = orr_waiting_first(&unit->run->store.memories[1]
                                   .queues.lanes[0][ORR_IN]
                                   .waiting[ORR_FETCH]);
    assert_ptr_equal(ahead->data, data[1]);
    spec.data = data[0];
    behind = orr_request_submit(&unit->run->store, &spec);
    orr_scene_init(&scene, unit->run, false);
    lead = orr_lead_of_request(&scene, behind);
    assert_false(lead.ends);
    assert_int_equal(lead.next.kind, ORR_PARTY_REQUEST);
    assert_ptr_equal(lead.next.what, ahead);
    assert_non_null(strstr(lead.why, " is queued behind the fetch of "));
    g_free(lead.why);
    orr_scene_clear(&scene);
    unit_run_free(unit);
}

static void a_run_that_hangs_takes_no_more_tasks(void **state)
{
    struct unit_run *unit = broken_run(&broken_hole, 1, 0);

    (void)state;
    unit_submit_bare(unit);
    broken_stall(unit);
    unit_submit_bare(unit);
    assert_int_equal(orr_run_report(unit->run)->tasks, 0);
    assert_int_equal(broken_stall(unit)->tasks, 1);
    unit_run_free(unit);
}

static void the_last_decisions_are_told(void **state)
{
    struct unit_run *unit = broken_run(&broken_fifo, 0, 1);
    struct orr_data *data = orr_data_register(unit->run, BROKEN_TILE);
    const struct orr_hang *hang;

    (void)state;
    unit->run->store.executor->copy = end_in_silence;
    unit_submit(unit, data, ORR_R);
    hang = broken_stall(unit);
    assert_int_equal(hang->decision_count, 4);
    assert_string_equal(hang->decisions[0].what,
                        "the application pushes task 0 (unit) to policy fifo");
    assert_string_equal(hang->decisions[1].what, "policy fifo wakes CUDA0");
    assert_string_equal(hang->decisions[2].what,
                        "policy fifo gives task 0 (unit) to CUDA0");
    assert_string_equal(hang->decisions[3].what,
                        "data handle 0 is copied from RAM to CUDA0");
    assert_int_equal(hang->decisions[0].date, ORR_US);
    unit_run_free(unit);
}

static void of_many_decisions_the_last_twenty_are_told(void **state)
{
    struct unit_run *unit = broken_run(&broken_fifo, 1, 0);
    const struct orr_hang *hang;

    (void)state;
    for (unsigned i = 0; i < 100; i++)
        unit_submit_bare(unit);
    unit->run->store.executor->kernel = never_end;
    hang = broken_stall(unit);
    assert_int_equal(hang->decision_count, ORR_HISTORY_LISTED);
    assert_string_equal(hang->decisions[ORR_HISTORY_LISTED - 1].what,
                        "policy fifo gives task 1 (unit) to CPU0");
    unit_run_free(unit);
}

/* Wakes all workers but the one for which there is a task. */
static struct orr_task *wake_others(struct orr_sched *sched, unsigned worker)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (w != worker)
            orr_sched_wake(sched, w);
    }
    return worker == 2 ? broken_pop(sched, worker) : NULL;
}

static void that_the_policy_is_asked_again_changes_nothing_else(void **state)
{
    static const struct orr_sched_ops policy = {
        .name = "loud",
        .state_size = sizeof(struct broken_queue),
        .push = broken_push_mute,
        .pop = wake_others,
    };
    struct unit_run *unit = broken_run(&policy, 3, 0);
    const struct orr_hang *hang;

    (void)state;
    unit_submit_bare(unit);
    hang = broken_stall(unit);
    assert_int_equal(hang->kind, ORR_HANG_TASKS_HELD);
    assert_non_null(strstr(hang->chain[0], "to CPU2, but CPU2 sleeps"));
    for (unsigned w = 0; w < 3; w++)
        assert_string_equal(hang->workers[w].doing, "sleeps");
    assert_int_equal(hang->decision_count, 1);
    unit_run_free(unit);
}

ORR_TESTS(hang)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_that_wakes_nobody_holds_its_tasks),
        cmocka_unit_test(a_task_given_to_nobody_is_never_offered),
        cmocka_unit_test(a_task_kept_for_who_cannot_run_it_is_never_offered),
        cmocka_unit_test(a_window_too_small_for_the_policy_is_to_blame),
        cmocka_unit_test(a_window_is_not_to_blame_for_a_lost_wakeup),
        cmocka_unit_test(a_window_is_not_to_blame_if_all_stalls_without_it),
        cmocka_unit_test(a_window_that_stops_a_tag_is_to_blame),
        cmocka_unit_test(a_window_of_three_is_enough),
        cmocka_unit_test(tasks_that_wait_for_each_other_are_a_cycle),
        cmocka_unit_test(a_driver_that_is_not_told_has_lost_its_wakeup),
        cmocka_unit_test(what_no_kind_explains_says_so),
        cmocka_unit_test(
            a_request_is_behind_one_of_its_level_that_lacks_memory),
        cmocka_unit_test(a_run_that_hangs_takes_no_more_tasks),
        cmocka_unit_test(the_last_decisions_are_told),
        cmocka_unit_test(of_many_decisions_the_last_twenty_are_told),
        cmocka_unit_test(that_the_policy_is_asked_again_changes_nothing_else),
    };

    return cmocka_run_group_tests_name("hang", tests, NULL, NULL);
}
