/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Components that decide, above stubs in place of a GPU, worker 0, and two
 * CPUs. A task takes as many us on a CPU as it has flops, a tenth on the GPU.
 */
#include "apps/starpu/component/component.h"
#include "tests/support/components.h"
#include "tests/support/ending.h"

#include <stdint.h>

enum { STUBS = 3, TASKS = 6 };

static struct starpu_sched_tree *tree;
static struct stub stubs[STUBS];
static struct starpu_task *tasks[TASKS];

/* The component is the root, below which each stub has room for all tasks. */
static struct starpu_sched_component *
begin(starpu_sched_component_create_t create, void *data)
{
    start_components("2", "1");
    tree = starpu_sched_tree_create(0);
    tree->root = create(tree, data);
    for (unsigned i = 0; i < STUBS; i++) {
        stubs[i] = (struct stub){.room = TASKS, .end = starpu_timing_now()};
        starpu_sched_component_connect(tree->root,
                                       stub_new(tree, (int)i, &stubs[i]));
    }
    take_workers(tree->root);
    for (unsigned i = 0; i < TASKS; i++)
        tasks[i] = flops_task(100, 0);
    return tree->root;
}

static void end(void)
{
    starpu_sched_tree_destroy(tree);
    for (unsigned i = 0; i < TASKS; i++)
        destroy_task(tasks[i]);
    starpu_shutdown();
}

static int push(struct starpu_task *task)
{
    return starpu_sched_component_push_task(NULL, tree->root, task);
}

/* How many tasks each stub has. */
static void assert_counts(unsigned gpu, unsigned first, unsigned second)
{
    assert_int_equal(stubs[0].count, gpu);
    assert_int_equal(stubs[1].count, first);
    assert_int_equal(stubs[2].count, second);
}

static void eager_pushes_to_the_first_with_room(void **state)
{
    struct starpu_sched_component *eager;

    (void)state;
    eager = begin(starpu_sched_component_eager_create, NULL);
    assert_true(starpu_sched_component_is_eager(eager));
    stubs[0].room = 1;
    stubs[1].room = 1;
    stubs[2].room = 0;
    assert_int_equal(push(tasks[0]), 0);
    assert_int_equal(push(tasks[1]), 0);
    assert_int_equal(push(tasks[2]), 1);
    assert_counts(1, 1, 0);
    end();
}

/* A queue above has three tasks. The CPU that asks gets one. */
static void eager_serves_who_asks(void **state)
{
    struct starpu_sched_component *eager, *fifo;

    (void)state;
    eager = begin(starpu_sched_component_eager_create, NULL);
    fifo = starpu_sched_component_fifo_create(tree, NULL);
    tree->root = fifo;
    starpu_sched_component_connect(fifo, eager);
    take_workers(fifo);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(push(tasks[i]), 0);
    assert_int_equal(stubs[0].notified, 3); /* all can pull */
    assert_int_equal(stubs[2].notified, 3);
    assert_null(starpu_sched_component_pull_task(eager, eager->children[2]));
    assert_counts(0, 0, 1);
    assert_ptr_equal(stubs[2].tasks[0], tasks[0]);
    assert_int_equal(eager->can_push(eager, eager->children[1]), 1);
    assert_counts(0, 1, 1);
    end();
}

static void eager_prio_keeps_what_nobody_takes(void **state)
{
    struct starpu_sched_component *eager;

    (void)state;
    eager = begin(starpu_sched_component_eager_prio_create, NULL);
    assert_true(starpu_sched_component_is_eager_prio(eager));
    for (unsigned i = 0; i < STUBS; i++)
        stubs[i].room = 0;
    tasks[1]->priority = 5;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(push(tasks[i]), 0);
    stubs[2].room = 2;
    assert_int_equal(eager->can_push(eager, NULL), 0);
    assert_counts(0, 0, 2);
    assert_ptr_equal(stubs[2].tasks[0], tasks[1]);
    assert_ptr_equal(stubs[2].tasks[1], tasks[0]);
    stubs[0].room = 1;
    eager->can_push(eager, NULL);
    assert_ptr_equal(stubs[0].tasks[0], tasks[2]);
    end();
}

/* The GPU ends a task of 100 flops after 10 us, unless it has 95 us to do. */
static void mct_chooses_the_first_end(void **state)
{
    struct starpu_sched_component *mct;

    (void)state;
    mct = begin(
        (starpu_sched_component_create_t)starpu_sched_component_mct_create,
        NULL);
    assert_true(starpu_sched_component_is_mct(mct));
    assert_int_equal(push(tasks[0]), 0);
    assert_counts(1, 0, 0);
    assert_us(tasks[0]->predicted, 10);
    stubs[0].end = starpu_timing_now() + 95;
    assert_int_equal(push(tasks[1]), 0);
    assert_counts(1, 1, 0);
    assert_us(tasks[1]->predicted, 100);
    stubs[1].end = starpu_timing_now() + 1;
    assert_int_equal(push(tasks[2]), 0);
    assert_counts(1, 1, 1);
    end();
}

/* Of two tasks of one priority, the shorter one can end first; another of lower
 * priority is shorter still, and waits. */
static void heft_begins_with_the_shortest(void **state)
{
    static const double flops[] = {100, 50, 10};
    struct starpu_sched_component *heft;

    (void)state;
    heft = begin(
        (starpu_sched_component_create_t)starpu_sched_component_heft_create,
        NULL);
    assert_true(starpu_sched_component_is_heft(heft));
    for (unsigned i = 0; i < STUBS; i++)
        stubs[i].room = 0;
    for (unsigned i = 0; i < 3; i++) {
        tasks[i]->flops = flops[i];
        tasks[i]->priority = i < 2;
        assert_int_equal(push(tasks[i]), 0);
    }
    stubs[0].room = TASKS;
    heft->can_push(heft, heft->children[0]);
    assert_counts(3, 0, 0);
    assert_ptr_equal(stubs[0].tasks[0], tasks[1]);
    assert_ptr_equal(stubs[0].tasks[1], tasks[0]);
    assert_ptr_equal(stubs[0].tasks[2], tasks[2]);
    end();
}

/* The first numbers of drand48() are 0.000, 0.001, 0.042, 0.177, 0.365, 0.091.
 * Below the root, a GPU has 10 / 12 of the speed, and comes first. */
static void random_draws_by_speed(void **state)
{
    struct starpu_sched_component *random;

    (void)state;
    random = begin(starpu_sched_component_random_create, NULL);
    assert_true(starpu_sched_component_is_random(random));
    for (unsigned i = 0; i < TASKS; i++)
        assert_int_equal(push(tasks[i]), 0);
    assert_counts(6, 0, 0);
    end();
}

/* GPUs get what they accelerate most. A CPU has room for one, and gets the task
 * that is accelerated least, if it ends it first. */
static void heteroprio_sorts_by_acceleration(void **state)
{
    struct starpu_sched_component *own;

    (void)state;
    own = begin((starpu_sched_component_create_t)
                    starpu_sched_component_heteroprio_create,
                NULL);
    assert_true(starpu_sched_component_is_heteroprio(own));
    assert_int_equal(push(tasks[0]), 0);
    assert_counts(1, 0, 0);
    assert_int_equal(tasks[0]->priority, INT_MAX); /* in batches */
    stubs[0].end = starpu_timing_now() + 1000;
    assert_int_equal(push(tasks[1]), 0);
    assert_counts(1, 1, 0);
    end();
}

static void the_best_implementation_is_predicted(void **state)
{
    struct starpu_sched_component *best;

    (void)state;
    start_components("2", "1");
    tree = starpu_sched_tree_create(0);
    best = starpu_sched_component_best_implementation_create(tree, NULL);
    stubs[0] = (struct stub){.room = 1};
    starpu_sched_component_connect(best, stub_new(tree, 0, &stubs[0]));
    take_workers(best);
    tree->root = best;
    for (unsigned i = 0; i < TASKS; i++)
        tasks[i] = flops_task(100, 0);
    assert_int_equal(push(tasks[0]), 0);
    assert_us(tasks[0]->predicted, 10);
    assert_us(tasks[0]->predicted_transfer, 0);
    assert_int_equal(starpu_task_get_implementation(tasks[0]), 0);
    assert_int_equal(push(tasks[1]), 1); /* the child has no room */
    end();
}

/* Tasks without a model take the third way. */
static void tasks_without_a_model_take_their_way(void **state)
{
    static struct starpu_codelet codelet = {.cpu_funcs = {do_no_work},
                                            .name = "unknown"};
    struct starpu_sched_component_perfmodel_select_data data;
    struct starpu_sched_component *ways[STUBS];

    (void)state;
    start_components("2", "1");
    tree = starpu_sched_tree_create(0);
    for (unsigned i = 0; i < STUBS; i++) {
        stubs[i] = (struct stub){.room = TASKS, .end = i};
        ways[i] = stub_new(tree, 1, &stubs[i]);
    }
    data = (struct starpu_sched_component_perfmodel_select_data){
        .perfmodel_component = ways[0],
        .calibrator_component = ways[1],
        .no_perfmodel_component = ways[2]};
    tree->root = starpu_sched_component_perfmodel_select_create(tree, &data);
    assert_true(starpu_sched_component_is_perfmodel_select(tree->root));
    for (unsigned i = 0; i < STUBS; i++)
        starpu_sched_component_connect(tree->root, ways[i]);
    take_workers(tree->root);
    for (unsigned i = 0; i < TASKS; i++)
        tasks[i] = flops_task(100, 0);
    tasks[1]->cl = &codelet;
    assert_int_equal(push(tasks[0]), 0);
    assert_int_equal(push(tasks[1]), 0);
    assert_counts(1, 0, 1);
    assert_us(tree->root->estimated_end(tree->root), 0);
    end();
}

static void the_program_chooses_a_child(void **state)
{
    (void)state;
    begin(starpu_sched_component_userchoice_create, NULL);
    assert_true(starpu_sched_component_is_userchoice(tree->root));
    tasks[0]->sched_data = (void *)(uintptr_t)2;
    tasks[1]->sched_data = NULL;
    assert_int_equal(push(tasks[0]), 0);
    assert_int_equal(push(tasks[1]), 0);
    assert_counts(1, 0, 1);
    end();
}

static void choose_no_child(void)
{
    begin(starpu_sched_component_userchoice_create, NULL);
    tasks[0]->sched_data = (void *)(uintptr_t)3;
    push(tasks[0]);
}

static void a_choice_of_no_child_ends_the_program(void **state)
{
    g_autofree char *message = orr_ending_message(choose_no_child);

    (void)state;
    assert_string_equal(message,
                        "starpu_sched_component_push_task(): component "
                        "userchoice has 3 children: sched_data of the task is "
                        "3");
}

/* Two queues above: the first one is emptied before the second. */
static void a_stage_asks_its_parents_in_order(void **state)
{
    struct starpu_sched_component *stage, *queues[2];

    (void)state;
    stage = begin(starpu_sched_component_stage_create, NULL);
    assert_true(starpu_sched_component_is_stage(stage));
    stage->properties = 0;
    for (unsigned i = 0; i < 2; i++) {
        queues[i] = starpu_sched_component_fifo_create(tree, NULL);
        starpu_sched_component_connect(queues[i], stage);
        take_workers(queues[i]);
    }
    starpu_sched_component_push_task(NULL, queues[1], tasks[0]);
    starpu_sched_component_push_task(NULL, queues[0], tasks[1]);
    assert_ptr_equal(
        starpu_sched_component_pull_task(stage, stage->children[0]), tasks[1]);
    assert_ptr_equal(
        starpu_sched_component_pull_task(stage, stage->children[0]), tasks[0]);
    assert_null(starpu_sched_component_pull_task(stage, stage->children[0]));
    for (unsigned i = 0; i < 2; i++)
        starpu_sched_component_destroy(queues[i]);
    end();
}

/* On worker 1. */
static void pull_all(void *text)
{
    struct starpu_sched_component *ws = tree->root;
    struct starpu_task *task;

    while ((task = starpu_sched_component_pull_task(ws, ws->children[1])))
        for (unsigned i = 0; i < TASKS; i++)
            if (tasks[i] == task)
                g_string_append_printf(text, "%u ", i);
}

/* Children 1, 2, 0 and 1 get tasks 0 to 3. The load is of four tasks at the
 * speed of all workers. Worker 1 begins with the newest of its own; then it
 * robs child 0, and next time child 2, as its own queue is empty. */
static void work_is_stolen_in_turn(void **state)
{
    struct starpu_sched_component *ws;
    g_autoptr(GString) pulled = g_string_new(NULL);
    unsigned thief[] = {1};
    double speed = 0;

    (void)state;
    ws = begin(starpu_sched_component_work_stealing_create, NULL);
    assert_true(starpu_sched_component_is_work_stealing(ws));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(push(tasks[i]), 0);
    assert_int_equal(stubs[0].notified, 4); /* all can pull or steal */
    assert_int_equal(stubs[2].notified, 4);
    for (int w = 0; w < STUBS; w++)
        speed += starpu_worker_get_relative_speedup(
            starpu_worker_get_perf_archtype(w, 0));
    assert_us(ws->estimated_load(ws) * speed, 4);
    starpu_execute_on_specific_workers(pull_all, pulled, 1, thief, "pull");
    assert_string_equal(pulled->str, "3 0 2 1 ");
    end();
}

ORR_TESTS(starpu_component_decision)
{
    const struct CMUnitTest tests_of_decisions[] = {
        cmocka_unit_test(eager_pushes_to_the_first_with_room),
        cmocka_unit_test(eager_serves_who_asks),
        cmocka_unit_test(eager_prio_keeps_what_nobody_takes),
        cmocka_unit_test(mct_chooses_the_first_end),
        cmocka_unit_test(heft_begins_with_the_shortest),
        cmocka_unit_test(random_draws_by_speed),
        cmocka_unit_test(heteroprio_sorts_by_acceleration),
        cmocka_unit_test(the_best_implementation_is_predicted),
        cmocka_unit_test(tasks_without_a_model_take_their_way),
        cmocka_unit_test(the_program_chooses_a_child),
        cmocka_unit_test(a_choice_of_no_child_ends_the_program),
        cmocka_unit_test(a_stage_asks_its_parents_in_order),
        cmocka_unit_test(work_is_stolen_in_turn),
    };

    return cmocka_run_group_tests(tests_of_decisions, NULL, NULL);
}
