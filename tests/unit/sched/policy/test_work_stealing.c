/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ws and lws, on a hand-made machine of two GPUs and two CPU cores. */
#include "tests/support/policy_fixture.h"

enum { GPU0, GPU1, CPU0, CPU1, WORKERS };
enum { TASKS = 100 };

/* Sets of workers, one bit each. */
enum { GPUS = 0x3, CPUS = 0xc, ALL = 0xf };

struct fixture {
    struct policy_fixture p; /* first */
    struct orr_task tasks[TASKS];
    unsigned runs_on[TASKS];
    unsigned sockets[WORKERS];
    unsigned caller;
    unsigned durations_asked;
    GString *collided;
};

static unsigned fake_socket(void *data, unsigned worker)
{
    const struct fixture *f = data;

    return f->sockets[worker];
}

static unsigned fake_caller(void *data)
{
    const struct fixture *f = data;

    return f->caller;
}

static orr_time fake_duration(void *data, const struct orr_task *task,
                              unsigned worker)
{
    struct fixture *f = data;

    f->durations_asked++;
    return f->runs_on[task->id] & 1u << worker ? 100 : ORR_NEVER;
}

static void fake_collide(void *data, unsigned worker)
{
    struct fixture *f = data;

    g_string_append_c(f->collided, (char)('0' + worker));
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    policy_fixture_init(&f->p, CPU0, WORKERS);
    f->p.host.socket = fake_socket;
    f->p.host.caller = fake_caller;
    f->p.host.duration = fake_duration;
    f->p.host.collide = fake_collide;
    f->collided = g_string_new(NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    policy_fixture_clear(&f->p);
    g_string_free(f->collided, TRUE);
    g_free(f);
    return 0;
}

/* Starts @policy, with all tasks afresh: equally urgent, runnable anywhere. */
static void start(struct fixture *f, const char *policy)
{
    for (unsigned i = 0; i < TASKS; i++) {
        f->tasks[i] = (struct orr_task){.id = i, .kernel = "gemm"};
        f->runs_on[i] = ALL;
    }
    f->caller = ORR_NO_WORKER;
    policy_fixture_start(&f->p, policy);
}

/* @caller's task releases @task. */
static void push(struct fixture *f, unsigned caller, unsigned task)
{
    f->caller = caller;
    orr_sched_push(f->p.sched, &f->tasks[task]);
}

/* The task that @worker pops at the date of the previous pop; -1: none. */
static int pop_too(struct fixture *f, unsigned worker)
{
    const struct orr_task *task = orr_sched_pop(f->p.sched, worker);

    return task ? (int)task->id : -1;
}

/* The task that @worker pops a nanosecond later; -1: none. */
static int pop(struct fixture *f, unsigned worker)
{
    f->p.now++;
    return pop_too(f, worker);
}

/* Gives @worker task @task, and lets it be busy with it. */
static void make_busy(struct fixture *f, unsigned worker, unsigned task)
{
    push(f, worker, task);
    assert_int_equal(pop(f, worker), task);
}

static void a_released_task_joins_the_worker_that_released_it(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    push(f, CPU0, 0);
    push(f, GPU1, 1);
    assert_int_equal(pop(f, GPU0), -1);
    assert_int_equal(pop(f, CPU1), -1);
    assert_int_equal(pop(f, CPU0), 0);
    assert_int_equal(pop(f, GPU1), 1);
}

static void the_application_deals_out_from_the_second_worker_on(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    for (unsigned i = 0; i < 5; i++)
        push(f, ORR_NO_WORKER, i);
    assert_int_equal(pop(f, GPU1), 0);
    assert_int_equal(pop(f, CPU0), 1);
    assert_int_equal(pop(f, CPU1), 2);
    assert_int_equal(pop(f, GPU0), 3);
    assert_int_equal(pop(f, GPU1), 4);
}

static void who_cannot_run_a_task_does_not_get_it(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    f->runs_on[0] = f->runs_on[1] = CPUS;
    push(f, GPU0, 0); /* dealt out, past the GPUs */
    push(f, GPU0, 1);
    assert_int_equal(pop(f, GPU0), -1);
    assert_int_equal(pop(f, CPU0), 0);
    assert_int_equal(pop(f, CPU1), 1);
}

static void everybody_is_woken(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    push(f, CPU0, 0);
    assert_string_equal(f->p.woken->str, "0123");
}

static void ones_own_most_urgent_and_oldest_task_comes_first(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    f->tasks[1].priority = f->tasks[3].priority = 2;
    f->tasks[2].priority = -1;
    for (unsigned i = 0; i < 5; i++)
        push(f, CPU0, i);
    assert_int_equal(pop(f, CPU0), 1);
    assert_int_equal(pop(f, CPU0), 3);
    assert_int_equal(pop(f, CPU0), 0);
    assert_int_equal(pop(f, CPU0), 4);
    assert_int_equal(pop(f, CPU0), 2);
    assert_int_equal(pop(f, CPU0), -1);
}

static void a_thief_takes_the_newest_of_the_most_urgent_tasks(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    make_busy(f, CPU0, 9);
    f->tasks[1].priority = f->tasks[3].priority = 2;
    for (unsigned i = 0; i < 5; i++)
        push(f, CPU0, i);
    assert_int_equal(pop(f, CPU1), 3);
    assert_int_equal(pop(f, CPU1), 1);
    assert_int_equal(pop(f, CPU1), 4);
    assert_int_equal(pop(f, CPU0), 0); /* the victim's own end */
    assert_int_equal(pop(f, CPU1), 2);
    assert_int_equal(pop(f, CPU1), -1);
}

static void a_thief_takes_what_it_can_run(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    make_busy(f, CPU0, 9);
    f->runs_on[0] = GPUS | 1u << CPU0;
    f->runs_on[2] = f->runs_on[3] = CPUS;
    f->tasks[2].priority = f->tasks[3].priority = 7;
    for (unsigned i = 0; i < 4; i++)
        push(f, CPU0, i);
    assert_int_equal(pop(f, GPU0), 1);
    assert_int_equal(pop(f, GPU0), 0);
    assert_int_equal(pop(f, GPU0), -1);
    assert_int_equal(pop(f, CPU1), 3);
    assert_int_equal(pop(f, CPU0), 2);
}

static void who_found_nothing_is_not_robbed(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    push(f, CPU0, 0); /* it has not popped yet */
    assert_int_equal(pop(f, CPU1), -1);
    assert_int_equal(pop(f, CPU0), 0);
    push(f, CPU0, 1);
    assert_int_equal(pop(f, CPU1), 1);
    assert_int_equal(pop(f, CPU0), -1); /* from here on it is not busy */
    push(f, CPU0, 2);
    assert_int_equal(pop(f, CPU1), -1);
    assert_int_equal(pop(f, CPU0), 2);
}

static void ws_looks_on_after_its_last_victim(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    for (unsigned w = GPU0; w <= CPU0; w++) {
        make_busy(f, w, 10 + w);
        push(f, w, w);
        push(f, w, 3 + w);
    }
    assert_int_equal(pop(f, CPU1), 4); /* from GPU1 at first */
    assert_int_equal(pop(f, CPU1), 5);
    assert_int_equal(pop(f, CPU1), 3); /* past itself */
    assert_int_equal(pop(f, CPU1), 1);
    assert_int_equal(pop(f, CPU1), 2);
    assert_int_equal(pop(f, CPU1), 0);
}

static void ws_starts_one_further_after_a_search_in_vain(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    assert_int_equal(pop(f, CPU1), -1); /* from GPU1 round to GPU1 */
    for (unsigned w = GPU0; w <= GPU1; w++) {
        make_busy(f, w, 10 + w);
        push(f, w, w);
    }
    assert_int_equal(pop(f, CPU1), 0);
    assert_int_equal(pop(f, CPU1), 1);
}

/* GPU0 and CPU1 on one socket, GPU1 and CPU0 on the other. */
static void use_two_sockets(struct fixture *f)
{
    f->sockets[GPU1] = f->sockets[CPU0] = 1;
}

static void lws_steals_on_its_own_socket_first(void **state)
{
    struct fixture *f = *state;

    use_two_sockets(f);
    start(f, "lws");
    for (unsigned w = GPU0; w <= GPU1; w++) {
        make_busy(f, w, 10 + w);
        push(f, w, w);
        push(f, w, 2 + w);
    }
    assert_int_equal(pop(f, CPU0), 3); /* GPU1, though GPU0 is the first */
    assert_int_equal(pop(f, CPU0), 1); /* and again */
    assert_int_equal(pop(f, CPU0), 2); /* then from the other socket */
    assert_int_equal(pop(f, CPU1), 0);
}

static void lws_steals_far_away_from_the_lowest_number(void **state)
{
    struct fixture *f = *state;

    use_two_sockets(f);
    start(f, "lws");
    make_busy(f, GPU1, 10);
    make_busy(f, CPU0, 11);
    push(f, CPU0, 0);
    push(f, GPU1, 1);
    assert_int_equal(pop(f, CPU1), 1);
    assert_int_equal(pop(f, CPU1), 0);
}

static int random_id(GRand *rand, struct fixture *f, unsigned *pushed)
{
    if (*pushed < TASKS && g_rand_int_range(rand, 0, 2) == 0) {
        f->tasks[*pushed].priority = g_rand_int_range(rand, 0, 3);
        push(f, g_rand_int_range(rand, 0, WORKERS), (*pushed)++);
        return -2;
    }
    return pop(f, g_rand_int_range(rand, 0, WORKERS));
}

static void lws_without_sockets_is_ws(void **state)
{
    enum { STEPS = 1000 };
    struct fixture *f = *state;
    const char *policies[] = {"ws", "lws"};
    int seen[2][STEPS];

    for (unsigned p = 0; p < 2; p++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(5);
        unsigned pushed = 0;

        start(f, policies[p]);
        for (unsigned i = 0; i < STEPS; i++)
            seen[p][i] = random_id(rand, f, &pushed);
        assert_int_equal(pushed, TASKS);
    }
    assert_memory_equal(seen[0], seen[1], sizeof(seen[0]));
}

static void a_second_thief_collides_even_if_nothing_is_left(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    make_busy(f, CPU0, 9);
    push(f, CPU0, 0);
    assert_int_equal(pop(f, GPU1), 0);
    assert_int_equal(pop_too(f, GPU0), -1);
    assert_int_equal(pop_too(f, CPU1), -1); /* sees that there is nothing */
    assert_string_equal(f->collided->str, "0");
    push(f, CPU0, 1);
    assert_int_equal(pop(f, GPU0), 1);
    assert_string_equal(f->collided->str, "0");
}

static void a_third_thief_finds_the_way_free(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    make_busy(f, GPU0, 9);
    for (unsigned i = 0; i < 3; i++)
        push(f, GPU0, i);
    assert_int_equal(pop(f, CPU0), 2);
    assert_int_equal(pop_too(f, CPU1), -1);
    assert_int_equal(pop_too(f, GPU1), 1);
    assert_string_equal(f->collided->str, "3");
}

static void thieves_at_different_victims_do_not_collide(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    assert_int_equal(pop(f, CPU1), -1); /* it will start from CPU0 */
    for (unsigned w = GPU0; w <= GPU1; w++) {
        make_busy(f, w, 10 + w);
        push(f, w, w);
    }
    assert_int_equal(pop(f, CPU0), 1);
    assert_int_equal(pop_too(f, CPU1), 0);
    assert_string_equal(f->collided->str, "");
}

static void a_pop_asks_nothing_about_the_tasks(void **state)
{
    struct fixture *f = *state;

    start(f, "ws");
    make_busy(f, CPU0, 99);
    for (unsigned i = 0; i < 90; i++)
        push(f, CPU0, i);
    f->durations_asked = 0;
    assert_int_equal(pop(f, CPU0), 0);
    assert_int_equal(pop(f, CPU1), 89);
    assert_int_equal(f->durations_asked, 0);
}

static void tasks_may_be_left_at_the_end(void **state)
{
    struct fixture *f = *state;

    use_two_sockets(f);
    start(f, "lws");
    f->runs_on[1] = CPUS;
    push(f, GPU0, 0);
    push(f, GPU0, 1);
}

ORR_TESTS(work_stealing)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_released_task_joins_the_worker_that_released_it),
        T(the_application_deals_out_from_the_second_worker_on),
        T(who_cannot_run_a_task_does_not_get_it),
        T(everybody_is_woken),
        T(ones_own_most_urgent_and_oldest_task_comes_first),
        T(a_thief_takes_the_newest_of_the_most_urgent_tasks),
        T(a_thief_takes_what_it_can_run),
        T(who_found_nothing_is_not_robbed),
        T(ws_looks_on_after_its_last_victim),
        T(ws_starts_one_further_after_a_search_in_vain),
        T(lws_steals_on_its_own_socket_first),
        T(lws_steals_far_away_from_the_lowest_number),
        T(lws_without_sockets_is_ws),
        T(a_second_thief_collides_even_if_nothing_is_left),
        T(a_third_thief_finds_the_way_free),
        T(thieves_at_different_victims_do_not_collide),
        T(a_pop_asks_nothing_about_the_tasks),
        T(tasks_may_be_left_at_the_end),
#undef T
    };

    return cmocka_run_group_tests_name("work_stealing", tests, NULL, NULL);
}
