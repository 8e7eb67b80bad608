/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The components fifo and prio, above a stub in place of worker 0, a CPU. */
#include "tests/support/components.h"
#include "tests/support/ending.h"

#include <math.h>

static struct starpu_sched_tree *tree;
static struct starpu_task *tasks[4];
static struct stub stub;

/* Priorities of the tasks; each takes 100 us. */
static void start(const int priorities[4])
{
    start_components("1", "0");
    tree = starpu_sched_tree_create(0);
    stub = (struct stub){.room = 0};
    for (unsigned i = 0; i < 4; i++)
        tasks[i] = flops_task(100, priorities[i]);
}

static struct starpu_task *pull(struct starpu_sched_component *queue)
{
    return starpu_sched_component_pull_task(queue, queue->children[0]);
}

static void end(void)
{
    while (pull(tree->root)) /* a queue must be empty in the end */
        ;
    starpu_sched_tree_destroy(tree);
    for (unsigned i = 0; i < 4; i++)
        destroy_task(tasks[i]);
    starpu_shutdown();
}

static struct starpu_sched_component *
above_stub(struct starpu_sched_component *queue)
{
    tree->root = queue;
    starpu_sched_component_connect(queue, stub_new(tree, 0, &stub));
    take_workers(queue);
    return queue;
}

/* Only priorities above 0 count there, as in StarPU. */
static void a_fifo_keeps_the_order(void **state)
{
    struct starpu_sched_component *fifo;

    (void)state;
    start((const int[]){0, -1, 0, 2});
    fifo = above_stub(starpu_sched_component_fifo_create(tree, NULL));
    assert_true(starpu_sched_component_is_fifo(fifo));
    assert_false(starpu_sched_component_is_prio(fifo));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(starpu_sched_component_push_task(NULL, fifo, tasks[i]),
                         0);
    assert_int_equal(stub.notified, 4);
    assert_ptr_equal(pull(fifo), tasks[3]);
    for (unsigned i = 0; i < 3; i++)
        assert_ptr_equal(pull(fifo), tasks[i]);
    assert_null(pull(fifo));
    end();
}

static void a_prio_sorts_by_priority(void **state)
{
    struct starpu_sched_component *prio;

    (void)state;
    start((const int[]){0, -1, 0, 2});
    prio = above_stub(starpu_sched_component_prio_create(tree, NULL));
    assert_true(starpu_sched_component_is_prio(prio));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(starpu_sched_component_push_task(NULL, prio, tasks[i]),
                         0);
    assert_ptr_equal(pull(prio), tasks[3]);
    assert_ptr_equal(pull(prio), tasks[0]);
    assert_ptr_equal(pull(prio), tasks[2]);
    assert_ptr_equal(pull(prio), tasks[1]);
    end();
}

static void a_full_queue_refuses_tasks(void **state)
{
    struct starpu_sched_component_fifo_data data = {.ntasks_threshold = 2};
    struct starpu_sched_component *fifo;

    (void)state;
    start((const int[]){0, 0, 0, 0});
    fifo = above_stub(starpu_sched_component_fifo_create(tree, &data));
    assert_int_equal(starpu_sched_component_push_task(NULL, fifo, tasks[0]), 0);
    assert_int_equal(starpu_sched_component_push_task(NULL, fifo, tasks[1]), 0);
    assert_int_equal(starpu_sched_component_push_task(NULL, fifo, tasks[2]), 1);
    assert_int_equal(stub.notified, 2);
    assert_ptr_equal(pull(fifo), tasks[0]);
    assert_int_equal(starpu_sched_component_push_task(NULL, fifo, tasks[2]), 0);
    assert_ptr_equal(pull(fifo), tasks[1]);
    assert_ptr_equal(pull(fifo), tasks[2]);
    end();
}

/* The child has room for one task. The next one goes back to the front. */
static void a_queue_pushes_what_children_take(void **state)
{
    struct starpu_sched_component *prio;

    (void)state;
    start((const int[]){0, 0, 0, 0});
    prio = above_stub(starpu_sched_component_prio_create(tree, NULL));
    for (unsigned i = 0; i < 3; i++)
        starpu_sched_component_push_task(NULL, prio, tasks[i]);
    stub.room = 1;
    assert_int_equal(prio->can_push(prio, prio->children[0]), 1);
    assert_int_equal(stub.count, 1);
    assert_ptr_equal(stub.tasks[0], tasks[0]);
    assert_int_equal(prio->can_push(prio, prio->children[0]), 0);
    assert_ptr_equal(pull(prio), tasks[1]);
    assert_ptr_equal(pull(prio), tasks[2]);
    end();
}

/* The queue below takes two tasks, and asks for more when one leaves it. */
static void a_queue_asks_for_tasks_when_it_has_room(void **state)
{
    struct starpu_sched_component_prio_data data = {.ntasks_threshold = 2};
    struct starpu_sched_component *above, *below;

    (void)state;
    start((const int[]){0, 0, 0, 0});
    below = above_stub(starpu_sched_component_prio_create(tree, &data));
    above = starpu_sched_component_fifo_create(tree, NULL);
    tree->root = above;
    starpu_sched_component_connect(above, below);
    take_workers(above);
    for (unsigned i = 0; i < 4; i++)
        starpu_sched_component_push_task(NULL, above, tasks[i]);
    assert_ptr_equal(pull(below), NULL);     /* two tasks come down */
    assert_ptr_equal(pull(below), tasks[0]); /* and the third one */
    assert_ptr_equal(starpu_sched_component_pull_task(above, below), tasks[3]);
    assert_ptr_equal(pull(below), tasks[1]);
    assert_ptr_equal(pull(below), tasks[2]);
    assert_null(pull(below));
    end();
}

/* The stub ends at 1000 us. Two tasks of 100 us follow; the transfer of 30 us
 * to the first one overlaps. One worker does it all. When one task has left,
 * 100 us remain. */
static void a_queue_predicts_its_end(void **state)
{
    struct starpu_sched_component_fifo_data data = {.exp = 1};
    struct starpu_sched_component *fifo;
    double now;

    (void)state;
    start((const int[]){0, 0, 0, 0});
    fifo = above_stub(starpu_sched_component_fifo_create(tree, &data));
    now = starpu_timing_now();
    stub.end = now + 1000;
    tasks[0]->predicted = tasks[1]->predicted = 100;
    tasks[0]->predicted_transfer = 30;
    tasks[1]->predicted_transfer = NAN;
    starpu_sched_component_push_task(NULL, fifo, tasks[0]);
    assert_us(tasks[0]->predicted_transfer, 0);
    assert_us(fifo->estimated_end(fifo), now + 1100);
    starpu_sched_component_push_task(NULL, fifo, tasks[1]);
    assert_us(fifo->estimated_end(fifo), now + 1200);
    assert_ptr_equal(pull(fifo), tasks[0]);
    assert_us(fifo->estimated_end(fifo), now + 1100);
    assert_ptr_equal(pull(fifo), tasks[1]);
    assert_us(fifo->estimated_end(fifo), now + 1000);
    end();
}

/* The stub is idle: all 30 us of the transfer count. */
static void a_transfer_that_does_not_overlap_counts(void **state)
{
    struct starpu_sched_component_prio_data data = {.exp = 1};
    struct starpu_sched_component *prio;
    double now;

    (void)state;
    start((const int[]){0, 0, 0, 0});
    prio = above_stub(starpu_sched_component_prio_create(tree, &data));
    now = stub.end = starpu_timing_now();
    tasks[0]->predicted = 100;
    tasks[0]->predicted_transfer = 30;
    starpu_sched_component_push_task(NULL, prio, tasks[0]);
    assert_us(tasks[0]->predicted_transfer, 30);
    assert_us(prio->estimated_end(prio), now + 130);
    end();
}

/* 100 us are as long as the queue may be; 99 are less. */
static void a_queue_that_is_too_long_refuses_tasks(void **state)
{
    struct starpu_sched_component_prio_data data = {.exp = 1,
                                                    .exp_len_threshold = 100};
    struct starpu_sched_component *prio;

    (void)state;
    start((const int[]){0, 0, 0, 0});
    prio = above_stub(starpu_sched_component_prio_create(tree, &data));
    for (unsigned i = 0; i < 3; i++) {
        tasks[i]->predicted_transfer = NAN;
        tasks[i]->predicted = 50;
    }
    tasks[0]->predicted = 49;
    assert_int_equal(starpu_sched_component_push_task(NULL, prio, tasks[0]), 0);
    assert_int_equal(starpu_sched_component_push_task(NULL, prio, tasks[1]), 0);
    assert_int_equal(starpu_sched_component_push_task(NULL, prio, tasks[2]), 1);
    end();
}

/* One task waits here, for a worker of this speed, and one at the stub. */
static void the_load_is_of_the_queue_and_below(void **state)
{
    struct starpu_sched_component *fifo;
    double speed;

    (void)state;
    start((const int[]){0, 0, 0, 0});
    speed = starpu_worker_get_relative_speedup(
        starpu_worker_get_perf_archtype(0, 0));
    fifo = above_stub(starpu_sched_component_fifo_create(tree, NULL));
    stub.count = 1;
    starpu_sched_component_push_task(NULL, fifo, tasks[0]);
    assert_us(fifo->estimated_load(fifo), 1 + 1 / speed);
    end();
}

static void push_for_a_gpu(void)
{
    struct starpu_codelet codelet = {.cuda_funcs = {do_no_work},
                                     .name = "product"};
    struct starpu_sched_component *fifo;

    start((const int[]){0, 0, 0, 0});
    fifo = above_stub(starpu_sched_component_fifo_create(tree, NULL));
    tasks[0]->cl = &codelet;
    starpu_sched_component_push_task(NULL, fifo, tasks[0]);
}

static void a_task_that_nobody_can_run_ends_the_program(void **state)
{
    g_autofree char *message = orr_ending_message(push_for_a_gpu);

    (void)state;
    assert_string_equal(message,
                        "starpu_sched_component_push_task(): component fifo: "
                        "no worker below can run the task product");
}

ORR_TESTS(starpu_component_queue)
{
    const struct CMUnitTest tests_of_queues[] = {
        cmocka_unit_test(a_fifo_keeps_the_order),
        cmocka_unit_test(a_prio_sorts_by_priority),
        cmocka_unit_test(a_full_queue_refuses_tasks),
        cmocka_unit_test(a_queue_pushes_what_children_take),
        cmocka_unit_test(a_queue_asks_for_tasks_when_it_has_room),
        cmocka_unit_test(a_queue_predicts_its_end),
        cmocka_unit_test(a_transfer_that_does_not_overlap_counts),
        cmocka_unit_test(a_queue_that_is_too_long_refuses_tasks),
        cmocka_unit_test(the_load_is_of_the_queue_and_below),
        cmocka_unit_test(a_task_that_nobody_can_run_ends_the_program),
    };

    return cmocka_run_group_tests(tests_of_queues, NULL, NULL);
}
