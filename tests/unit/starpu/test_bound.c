/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lower bounds, in ms, on a machine of two CPUs and a GPU, which is twice as
 * fast. */
#include <starpu.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <math.h>
#include <unistd.h>

static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-9);
}

static double takes(struct starpu_task *task, unsigned worker,
                    unsigned implementation)
{
    (void)task;
    (void)implementation;
    return starpu_worker_get_type((int)worker) == STARPU_CUDA_WORKER ? 5 : 10;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_WORKER, .symbol = "work", .worker_cost_function = takes};

static void work(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

static struct starpu_codelet codelet = {
    .cpu_funcs = {work}, .cuda_funcs = {work}, .model = &model, .name = "work"};

static void start(void)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);
    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", "2", TRUE);
    g_setenv("STARPU_NCUDA", "1", TRUE);
    g_setenv("STARPU_SCHED", "dmda", TRUE);
    assert_int_equal(starpu_init(NULL), 0);
}

static void submit(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(starpu_task_insert(&codelet, 0), 0);
    starpu_task_wait_for_all();
}

static void tasks_between_start_and_stop_are_counted(void **state)
{
    double shared = -1, whole = -1;

    (void)state;
    start();
    submit(5);
    starpu_bound_start(0, 0);
    submit(10);
    starpu_bound_stop();
    submit(5);
    starpu_bound_compute(&shared, &whole, 1);
    assert_near(shared, 0.025); /* 10 / (2 / 10 + 1 / 5), in ms */
    assert_near(whole, 0.030);  /* 2 + 3 on CPUs, 5 on the GPU */
    starpu_bound_compute(&shared, NULL, 0);
    assert_near(shared, 0.025);
    starpu_bound_start(0, 0); /* begins anew */
    submit(4);
    starpu_bound_stop();
    starpu_bound_compute(&shared, NULL, 0);
    assert_near(shared, 0.010);
    starpu_shutdown();
}

/* What @print writes, to be freed with g_free(). */
static char *printed(void (*print)(FILE *))
{
    char *text = NULL, *copy;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    print(file);
    fclose(file);
    copy = g_strdup(text);
    free(text);
    return copy;
}

static void print_shared(FILE *output)
{
    starpu_bound_print(output, 0);
}

static void the_program_is_printed(void **state)
{
    g_autofree char *solution = NULL, *lp = NULL, *mps = NULL;

    (void)state;
    start();
    starpu_bound_start(0, 0);
    submit(10);
    starpu_bound_stop();
    solution = printed(print_shared);
    lp = printed(starpu_bound_print_lp);
    mps = printed(starpu_bound_print_mps);
    starpu_shutdown();
    assert_string_equal(solution,
                        "Theoretical minimum execution time: 0.025000 ms\n"
                        "work key 0\n"
                        "\tw0t0n 5.000000\tw1t0n 2.500000\tw2t0n 2.500000\n");
    assert_non_null(strstr(lp, "min: tmax;\n"));
    assert_non_null(strstr(lp, "0 + 0.005000 w0t0n <= tmax;\n"));
    assert_non_null(strstr(lp, "0 + 0.010000 w1t0n <= tmax;\n"));
    assert_non_null(strstr(lp, "\n0 + w0t0n + w1t0n + w2t0n = 10;\n"));
    assert_non_null(strstr(lp, "\nint w0t0n, w1t0n, w2t0n; */\n"));
    assert_non_null(strstr(mps, "ROWS\n N  TMAX\n"));
    assert_non_null(strstr(mps, " L  W2\n"));
    assert_non_null(strstr(mps, "    W0T0      W0            0.005000\n"));
    assert_non_null(strstr(mps, "    RHS       T0                  10\n"));
}

/* Ends with status 1, to have its warnings read. */
static void warn(void)
{
    double bound = -1;
    g_autofree char *text = NULL;

    start();
    starpu_bound_compute(&bound, NULL, 0);
    text = printed(starpu_bound_print_lp);
    _exit(bound == 0 && *text == '\0' ? 1 : 2);
}

static void nothing_counted_is_said(void **state)
{
    g_autofree char *message = NULL;

    (void)state;
    message = orr_ending_message(warn);
    assert_true(g_str_has_prefix(
        message, "starpu_bound_compute(): no tasks were submitted after "
                 "starpu_bound_start()"));
}

ORR_TESTS(bound)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_between_start_and_stop_are_counted),
        cmocka_unit_test(the_program_is_printed),
        cmocka_unit_test(nothing_counted_is_said),
    };

    return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
