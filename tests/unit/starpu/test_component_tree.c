/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees of components: their shapes, written as "parent(child, child)", on a
 * machine with a GPU, worker 0, and two CPUs; composed components; workers. */
#include "apps/starpu/component/component.h"
#include "apps/starpu/component/modular.h"
#include "tests/support/components.h"
#include "tests/support/ending.h"

#include <starpu_sched_ctx.h>

static void write_shape(GString *text, struct starpu_sched_component *component)
{
    g_string_append(text, component->name);
    for (unsigned i = 0; i < component->nchildren; i++) {
        g_string_append(text, i == 0 ? "(" : ", ");
        write_shape(text, component->children[i]);
    }
    if (component->nchildren > 0)
        g_string_append_c(text, ')');
}

static void assert_shape(const char *shape)
{
    g_autoptr(GString) text = g_string_new(NULL);

    write_shape(text, starpu_sched_tree_get(0)->root);
    assert_string_equal(text->str, shape);
}

static void start(void)
{
    start_components("2", "1");
}

static void end(void)
{
    starpu_sched_tree_deinitialize(0);
    starpu_sched_ctx_set_policy_data(0, NULL);
    starpu_shutdown();
}

static const struct starpu_sched_policy *policy_named(const char *name)
{
    const struct starpu_sched_policy *policy = sp_modular_policies;

    while (policy->policy_name && strcmp(policy->policy_name, name) != 0)
        policy++;
    assert_non_null(policy->policy_name);
    return policy;
}

#define FOR_EACH_WORKER                                                        \
    "best_impl(worker 0), best_impl(worker 1), best_impl(worker 2)"
#define PRIOS                                                                  \
    "prio(best_impl(worker 0)), prio(best_impl(worker 1)), "                   \
    "prio(best_impl(worker 2))"
#define FIFOS                                                                  \
    "fifo(best_impl(worker 0)), fifo(best_impl(worker 1)), "                   \
    "fifo(best_impl(worker 2))"
/* Below the selector, beside the decision. */
#define OTHER_WAYS                                                             \
    "eager_calibration(worker 0, worker 1, worker 2), eager(" FOR_EACH_WORKER  \
    ")"
#define STAGED(queue)                                                          \
    queue "(stage(best_impl(worker 0))), " queue                               \
          "(stage(best_impl(worker 1))), " queue                               \
          "(stage(best_impl(worker 2)))"

static void policies_have_their_shapes(void **state)
{
    static const struct {
        const char *name, *shape;
    } policies[] = {
        {"modular-eager", "fifo(eager(" FOR_EACH_WORKER "))"},
        {"modular-eager-prefetching", "fifo(eager(" FIFOS "))"},
        {"modular-eager-prio", "eager_prio(" PRIOS ")"},
        {"modular-prio", "prio(eager(" FOR_EACH_WORKER "))"},
        {"modular-prio-prefetching", "prio(eager(" PRIOS "))"},
        {"modular-random", "fifo(random(" FOR_EACH_WORKER "))"},
        {"modular-ws", "work_stealing(" FOR_EACH_WORKER ")"},
        {"modular-heft",
         "prio(perfmodel_selector(mct(" PRIOS "), " OTHER_WAYS "))"},
        {"modular-heft2",
         "prio(perfmodel_selector(heft(" PRIOS "), " OTHER_WAYS "))"},
        /* RAM, with two CPUs, comes first. */
        {"modular-heft-prio",
         "prio(perfmodel_selector(mct(prio(eager(best_impl(worker 1), "
         "best_impl(worker 2))), prio(best_impl(worker 0))), " OTHER_WAYS "))"},
        {"modular-heteroprio",
         "prio(perfmodel_selector(heteroprio(" PRIOS "), " OTHER_WAYS "))"},
        /* Without a queue above, the other ways have queues. */
        {"modular-dmda",
         "perfmodel_selector(mct(" FIFOS "), fifo(eager_calibration, worker 0, "
         "worker 1, worker 2), fifo(eager, " FOR_EACH_WORKER "))"},
        {"modular-gemm", "prio(gemm(prio(eager(best_impl(worker 1), "
                         "best_impl(worker 2))), prio(best_impl(worker 0))))"},
        {"modular-heteroprio-heft",
         "userchoice(heteroprio(" STAGED("fifo") "), prio(heft(" STAGED(
             "prio") ")))"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
        start();
        policy_named(policies[i].name)->init_sched(0);
        assert_shape(policies[i].shape);
        end();
    }
}

/* One memory has workers: there is no choice. */
static void a_decision_without_a_choice_is_left_out(void **state)
{
    (void)state;
    start_components("2", "0");
    policy_named("modular-heft-prio")->init_sched(0);
    assert_shape("prio(perfmodel_selector(eager(prio(eager(best_impl(worker "
                 "0), best_impl(worker 1)))), eager_calibration(worker 0, "
                 "worker 1), eager(best_impl(worker 0), best_impl(worker "
                 "1))))");
    end();
    start_components("2", "0");
    starpu_sched_component_initialize_simple_scheduler(
        sp_component_gemm_create, NULL,
        STARPU_SCHED_SIMPLE_DECIDE_ARCHS | STARPU_SCHED_SIMPLE_DECIDE_ALWAYS |
            STARPU_SCHED_SIMPLE_WS_BELOW,
        0);
    assert_shape("gemm(work_stealing(worker 0, worker 1))");
    end();
}

static void components_come_before_a_decision(void **state)
{
    (void)state;
    start();
    starpu_sched_component_initialize_simple_schedulers(
        0, 1, starpu_sched_component_random_create, NULL,
        STARPU_SCHED_SIMPLE_PRE_DECISION, starpu_sched_component_eager_create,
        NULL, STARPU_SCHED_SIMPLE_DECIDE_WORKERS);
    assert_shape("eager(random(worker 0, worker 1, worker 2))");
    end();
}

static void decide_nothing(void)
{
    start();
    starpu_sched_component_initialize_simple_scheduler(
        starpu_sched_component_eager_create, NULL,
        STARPU_SCHED_SIMPLE_FIFO_ABOVE, 0);
}

static void want_parallel_tasks(void)
{
    start();
    starpu_sched_component_initialize_simple_scheduler(
        starpu_sched_component_eager_create, NULL,
        STARPU_SCHED_SIMPLE_DECIDE_WORKERS |
            STARPU_SCHED_SIMPLE_COMBINED_WORKERS,
        0);
}

static void build_twice(void)
{
    start();
    starpu_sched_tree_create(0);
    starpu_sched_tree_create(0);
}

static void ask_for_no_worker(void)
{
    start();
    starpu_sched_tree_create(0);
    starpu_sched_component_worker_get(0, 3);
}

static void use_no_tree(void)
{
    start();
    starpu_sched_tree_do_schedule(0);
}

static void errors_say_what_is_wrong(void **state)
{
    static const struct {
        void (*function)(void);
        const char *message;
    } errors[] = {
        {decide_nothing, "starpu_sched_component_initialize_simple_scheduler():"
                         " a STARPU_SCHED_SIMPLE_DECIDE_ flag is missing"},
        {want_parallel_tasks,
         "starpu_sched_component_initialize_simple_scheduler(): "
         "STARPU_SCHED_SIMPLE_COMBINED_WORKERS: tasks that run on several "
         "workers are not simulated"},
        {build_twice, "starpu_sched_tree_create(): context 0 has a tree: "
                      "starpu_sched_tree_destroy() comes first"},
        {ask_for_no_worker,
         "starpu_sched_component_worker_new(): there is no worker 3"},
        {use_no_tree, "starpu_sched_tree_do_schedule(): the data of the policy "
                      "is not a tree of components: see "
                      "starpu_sched_ctx_set_policy_data()"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(errors); i++) {
        g_autofree char *message = orr_ending_message(errors[i].function);

        assert_string_equal(message, errors[i].message);
    }
}

/* Workers come and go. The GPU has a memory of its own. */
static void properties_follow_the_workers(void **state)
{
    struct starpu_sched_tree *tree;
    int workers[] = {0, 1, 2};

    (void)state;
    start();
    policy_named("modular-eager")->init_sched(0);
    tree = starpu_sched_tree_get(0);
    assert_int_equal(starpu_bitmap_cardinal(&tree->root->workers), 3);
    assert_int_equal(starpu_bitmap_cardinal(&tree->root->workers_in_ctx), 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(workers); i++)
        starpu_bitmap_set(&tree->workers, workers[i]);
    starpu_sched_tree_update_workers_in_ctx(tree);
    assert_int_equal(starpu_bitmap_cardinal(&tree->root->workers_in_ctx), 3);
    assert_int_equal(tree->root->properties, 0);
    starpu_bitmap_unset(&tree->workers, 0);
    starpu_sched_tree_update_workers_in_ctx(tree);
    assert_int_equal(starpu_bitmap_cardinal(&tree->root->workers_in_ctx), 2);
    assert_int_equal(tree->root->properties,
                     STARPU_SCHED_COMPONENT_HOMOGENEOUS |
                         STARPU_SCHED_COMPONENT_SINGLE_MEMORY_NODE);
    end();
}

static void workers_are_leaves(void **state)
{
    struct starpu_sched_component *worker;

    (void)state;
    start();
    starpu_sched_ctx_set_policy_data(0, starpu_sched_tree_create(0));
    worker = starpu_sched_component_worker_get(0, 2);
    assert_ptr_equal(starpu_sched_component_worker_new(0, 2), worker);
    assert_true(starpu_sched_component_is_worker(worker));
    assert_true(starpu_sched_component_is_simple_worker(worker));
    assert_false(starpu_sched_component_is_combined_worker(worker));
    assert_int_equal(starpu_sched_component_worker_get_workerid(worker), 2);
    assert_us(worker->estimated_end(worker), starpu_timing_now());
    end();
}

/* ---- several components as one ---- */

static struct starpu_sched_component *
create_fifo(struct starpu_sched_tree *tree, void *data)
{
    return starpu_sched_component_fifo_create(tree, data);
}

/* A queue above eager: a task waits until the stub has room and asks. */
static void a_composed_component_is_a_chain(void **state)
{
    struct starpu_sched_component_composed_recipe *recipe;
    struct starpu_sched_component *composed;
    struct starpu_sched_tree *tree;
    struct starpu_task *task;
    struct stub stub = {.room = 0};

    (void)state;
    start();
    tree = starpu_sched_tree_create(0);
    recipe = starpu_sched_component_composed_recipe_create_singleton(
        create_fifo, NULL);
    starpu_sched_component_composed_recipe_add(
        recipe, starpu_sched_component_eager_create, NULL);
    composed = starpu_sched_component_composed_component_create(tree, recipe);
    starpu_sched_component_composed_recipe_destroy(recipe);
    tree->root = composed;
    starpu_sched_component_connect(composed, stub_new(tree, 1, &stub));
    take_workers(composed);
    composed->notify_change_workers(composed);
    task = flops_task(100, 0);
    assert_int_equal(starpu_sched_component_push_task(NULL, composed, task), 0);
    assert_int_equal(stub.notified, 1);
    assert_null(
        starpu_sched_component_pull_task(composed, composed->children[0]));
    assert_int_equal(stub.count, 0);
    stub.room = 1;
    assert_null(
        starpu_sched_component_pull_task(composed, composed->children[0]));
    assert_int_equal(stub.count, 1);
    assert_ptr_equal(stub.tasks[0], task);
    destroy_task(task);
    starpu_sched_tree_destroy(tree);
    starpu_shutdown();
}

/* The queue of the composed component asks the one above. */
static void a_composed_component_asks_its_parents(void **state)
{
    struct starpu_sched_component_composed_recipe *recipe;
    struct starpu_sched_component *composed, *above;
    struct starpu_sched_component_fifo_data data = {.ntasks_threshold = 1};
    struct starpu_sched_tree *tree;
    struct starpu_task *tasks[2];
    struct stub stub = {.room = 2};

    (void)state;
    start();
    tree = starpu_sched_tree_create(0);
    recipe = starpu_sched_component_composed_recipe_create();
    starpu_sched_component_composed_recipe_add(recipe, create_fifo, &data);
    starpu_sched_component_composed_recipe_add(recipe, create_fifo, &data);
    composed = starpu_sched_component_composed_component_create(tree, recipe);
    starpu_sched_component_composed_recipe_destroy(recipe);
    above = tree->root = starpu_sched_component_fifo_create(tree, NULL);
    starpu_sched_component_connect(above, composed);
    starpu_sched_component_connect(composed, stub_new(tree, 1, &stub));
    take_workers(composed);
    take_workers(above);
    composed->notify_change_workers(composed);
    for (unsigned i = 0; i < 2; i++) {
        tasks[i] = flops_task(100, 0);
        starpu_sched_component_push_task(NULL, above, tasks[i]);
    }
    /* Each ask moves a task one queue down. */
    for (unsigned i = 0; i < 2; i++)
        assert_null(
            starpu_sched_component_pull_task(composed, composed->children[0]));
    assert_ptr_equal(
        starpu_sched_component_pull_task(composed, composed->children[0]),
        tasks[0]);
    assert_ptr_equal(
        starpu_sched_component_pull_task(composed, composed->children[0]),
        tasks[1]);
    for (unsigned i = 0; i < 2; i++)
        destroy_task(tasks[i]);
    starpu_sched_tree_destroy(tree);
    starpu_shutdown();
}

static struct starpu_sched_component_composed_recipe *
fifo_on_gpus(enum starpu_worker_archtype type)
{
    return type == STARPU_CUDA_WORKER
               ? starpu_sched_component_composed_recipe_create_singleton(
                     create_fifo, NULL)
               : NULL;
}

static void a_tree_follows_the_machine(void **state)
{
    struct starpu_sched_component_specs specs = {
        .hwloc_machine_composed_sched_component =
            starpu_sched_component_composed_recipe_create_singleton(create_fifo,
                                                                    NULL),
        .hwloc_component_composed_sched_component =
            starpu_sched_component_composed_recipe_create_singleton(
                starpu_sched_component_eager_create, NULL),
        .hwloc_socket_composed_sched_component =
            starpu_sched_component_composed_recipe_create_singleton(
                starpu_sched_component_work_stealing_create, NULL),
        .worker_composed_sched_component = fifo_on_gpus,
    };

    (void)state;
    for (unsigned mixed = 0; mixed < 2; mixed++) {
        start();
        specs.mix_heterogeneous_workers = (int)mixed;
        starpu_sched_ctx_set_policy_data(
            0, starpu_sched_component_make_scheduler(0, specs));
        assert_shape(mixed ? "fifo(eager(work_stealing(worker 1, worker 2), "
                             "fifo(worker 0)))"
                           : "fifo(eager(work_stealing(worker 1, worker 2)), "
                             "eager(fifo(worker 0)))");
        end();
    }
    starpu_sched_component_composed_recipe_destroy(
        specs.hwloc_machine_composed_sched_component);
    starpu_sched_component_composed_recipe_destroy(
        specs.hwloc_component_composed_sched_component);
    starpu_sched_component_composed_recipe_destroy(
        specs.hwloc_socket_composed_sched_component);
}

ORR_TESTS(starpu_component_tree)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_have_their_shapes),
        cmocka_unit_test(a_decision_without_a_choice_is_left_out),
        cmocka_unit_test(components_come_before_a_decision),
        cmocka_unit_test(errors_say_what_is_wrong),
        cmocka_unit_test(properties_follow_the_workers),
        cmocka_unit_test(workers_are_leaves),
        cmocka_unit_test(a_composed_component_is_a_chain),
        cmocka_unit_test(a_composed_component_asks_its_parents),
        cmocka_unit_test(a_tree_follows_the_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
