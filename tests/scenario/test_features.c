/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What programs do beside submitting tasks in order, compared with StarPU over
 * SimGrid: docs/validation/features.csv has the table. The kernel takes 1 ms on
 * a GPU and 4 ms on a CPU, and each datum 3,686,400 bytes, on attila.
 */
#include <math.h>

#include "runtime/config/run_config.h"
#include "tests/support/cmocka_all.h"

#include "runtime/orrery.h"
#include "tests/scenario/feature_program.h"
#include "tests/support/temp_file.h"

static void acquire_read(struct program *program)
{
    for (unsigned i = 0; i < 4; i++) {
        update(program, 0);
        update(program, 1);
        acquire(program, 0, ORR_R);
        release(program, 0);
    }
}

static void acquire_after(struct program *program, unsigned readers,
                          enum orr_access_mode mode)
{
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned i = 1; i <= readers; i++)
            combine(program, 0, i);
        acquire(program, 0, mode);
        release(program, 0);
    }
}

static void acquire_update(struct program *program)
{
    acquire_after(program, 6, ORR_RW);
}

static void acquire_write(struct program *program)
{
    acquire_after(program, 3, ORR_W);
}

/* Tasks wait for the application. */
static void acquire_long(struct program *program)
{
    for (unsigned i = 0; i < 6; i++)
        update(program, i);
    acquire(program, 3, ORR_RW);
    for (unsigned i = 0; i < 6; i++)
        combine(program, 3, i == 3 ? 7 : i);
    acquire(program, 9, ORR_R);
    release(program, 3);
    release(program, 9);
}

static void unregister_temporary(struct program *program)
{
    for (unsigned k = 0; k < 12; k++) {
        unsigned temporary = add_datum(program);

        two(program, 0, ORR_R, temporary, ORR_W,
            (struct orr_task_spec){ORR_TASK_SPEC_INIT});
        combine(program, temporary, 1 + k % 6);
        unregister(program, temporary);
    }
}

/* At the end: all data come home. */
static void unregister_all(struct program *program)
{
    for (unsigned i = 0; i < 6; i++)
        update(program, i);
    assert_true(orr_run_wait(program->run, NULL));
    for (unsigned i = 0; i < 6; i++)
        unregister(program, i);
}

struct link {
    struct program *program;
    unsigned datum;
};

static void go_on(struct orr_run *run, void *data)
{
    const struct link *link = data;

    (void)run;
    if (link->program->left == 0)
        return;
    link->program->left--;
    one(link->program, link->datum,
        (struct orr_task_spec){ORR_TASK_SPEC_INIT, .callback = go_on,
                               .callback_data = data});
}

/* Two chains, whose tasks submit the next ones. */
static void callback_chain(struct program *program)
{
    static struct link links[2];

    program->left = 7;
    for (unsigned i = 0; i < 2; i++) {
        links[i] = (struct link){program, i};
        go_on(program->run, &links[i]);
    }
}

static void fan_out(struct orr_run *run, void *data)
{
    (void)run;
    for (unsigned i = 1; i < 7; i++)
        combine(data, 0, i);
}

static void callback_fan(struct program *program)
{
    one(program, 0,
        (struct orr_task_spec){ORR_TASK_SPEC_INIT, .callback = fan_out,
                               .callback_data = program});
    for (unsigned i = 7; i < 12; i++)
        update(program, i);
}

static void unordered_data(struct program *program)
{
    for (unsigned i = 0; i < 3; i++)
        orr_data_set_unordered(program->run, program->data[i], true);
    for (unsigned k = 0; k < 8; k++) {
        const uint64_t before = k < 4 ? 0 : k - 3;

        two(program, k % 3, ORR_RW, 3 + k % 5, ORR_R,
            (struct orr_task_spec){ORR_TASK_SPEC_INIT, .tag = k + 1,
                                   .wait_count = k > 3, .wait_tags = &before});
    }
}

static void unordered_tasks(struct program *program)
{
    for (unsigned k = 0; k < 8; k++)
        one(program, k % 2,
            (struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                   .unordered = k % 3 == 0});
}

static void pinned(struct program *program)
{
    for (unsigned k = 0; k < 9; k++) {
        const unsigned worker = k % 2 ? 0 : 2;

        two(program, 0, ORR_R, 1 + k, ORR_RW,
            (struct orr_task_spec){ORR_TASK_SPEC_INIT, .worker_count = 1,
                                   .workers = &worker, .pinned = true});
    }
}

static void named_workers(struct program *program)
{
    static const unsigned workers[] = {1, 2};

    for (unsigned k = 0; k < 9; k++)
        two(program, 0, ORR_R, 1 + k, ORR_RW,
            (struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                   .worker_count = k % 3 ? 2 : 0,
                                   .workers = workers});
}

static void prefetches(struct program *program)
{
    for (unsigned i = 0; i < 6; i++)
        orr_data_prefetch(program->run, program->data[i],
                          1 + i % program->gpus);
    for (unsigned i = 6; i < 9; i++)
        orr_data_idle_prefetch(program->run, program->data[i],
                               1 + i % program->gpus);
    for (unsigned i = 0; i < 10; i++)
        update(program, i);
}

static void wont_use(struct program *program)
{
    for (unsigned k = 0; k < 18; k++) {
        update(program, k % 6);
        orr_data_wont_use(program->run, program->data[k % 6]);
    }
}

static void window(struct program *program)
{
    for (unsigned k = 0; k < 40; k++)
        update(program, k % 8);
}

/* C(i,j) += A(i) B(j), of blocks that are not square. */
static void rectangles(struct program *program)
{
    enum { ROWS = 4, COLUMNS = 3 };
    unsigned a = program->count, b = a + ROWS, c = b + COLUMNS;

    for (unsigned i = 0; i < ROWS; i++)
        add_sized(program, 4915200);
    for (unsigned j = 0; j < COLUMNS; j++)
        add_sized(program, 1228800);
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        add_sized(program, 819200);
    for (unsigned k = 0; k < 2 * ROWS * COLUMNS; k++) {
        unsigned i = k / COLUMNS % ROWS, j = k % COLUMNS;
        const struct orr_access accesses[] = {
            {program->data[a + i], ORR_R},
            {program->data[b + j], ORR_R},
            {program->data[c + COLUMNS * i + j], ORR_RW}};

        submit(program, (struct orr_task_spec){ORR_TASK_SPEC_INIT, .count = 3,
                                               .accesses = accesses});
    }
}

static void scratch(struct program *program)
{
    struct orr_data *const room = program->data[add_datum(program)];

    for (unsigned k = 0; k < 18; k++)
        one(program, k % 6,
            (struct orr_task_spec){ORR_TASK_SPEC_INIT, .scratch_count = 1,
                                   .scratch = &room});
}

static void unregister_scratch(struct program *program)
{
    for (unsigned k = 0; k < 4; k++) {
        unsigned room = add_datum(program);

        for (unsigned i = 0; i < 5; i++)
            one(program, (k + i) % 6,
                (struct orr_task_spec){ORR_TASK_SPEC_INIT, .scratch_count = 1,
                                       .scratch = &program->data[room]});
        unregister(program, room);
    }
}

/* Data to which tasks add are reduced by tasks of 0.2 ms on a GPU and 0.8 ms on
 * a CPU. */
static void reduce(struct program *program, unsigned datum)
{
    static const struct orr_task_times times = {
        ORR_TASK_TIMES_INIT, .cpu_ns = 800000, .gpu_ns = 200000};

    orr_data_set_reduction(program->run, program->data[datum],
                           orr_kernel_new(program->run, "reduce", NULL),
                           &times);
}

/* Tasks that read data from 2 on, and add to the first @targets data. */
static void add_up(struct program *program, unsigned count, unsigned targets)
{
    for (unsigned k = 0; k < count; k++)
        two(program, 2 + k, ORR_R, k % targets, ORR_REDUX,
            (struct orr_task_spec){ORR_TASK_SPEC_INIT});
}

static void redux_sum(struct program *program)
{
    reduce(program, 0);
    add_up(program, 9, 1);
    update(program, 0);
}

static void redux_repeated(struct program *program)
{
    reduce(program, 0);
    for (unsigned i = 0; i < 3; i++) {
        add_up(program, 6, 1);
        combine(program, 0, 8 + i);
    }
}

static void redux_unregistered(struct program *program)
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned sum = add_datum(program);

        reduce(program, sum);
        for (unsigned k = 0; k < 6; k++)
            two(program, 2 + k, ORR_R, sum, ORR_REDUX,
                (struct orr_task_spec){ORR_TASK_SPEC_INIT});
        unregister(program, sum);
    }
}

static void redux_two(struct program *program)
{
    reduce(program, 0);
    reduce(program, 1);
    add_up(program, 8, 2);
    combine(program, 0, 1);
}

static void redux_acquired(struct program *program)
{
    reduce(program, 0);
    add_up(program, 6, 1);
    acquire(program, 0, ORR_R);
    release(program, 0);
    for (unsigned i = 2; i < 6; i++)
        combine(program, 0, i);
}

/* ---- the comparison ---- */

struct row {
    void (*submit)(struct program *program);
    const char *name, *what; /* in the table of the document */
    /* Makespans of the reference, us: 2 GPUs under eager; 3 GPUs, then 2 CPUs
       and 3 GPUs under dmdas. 0: not compared. */
    double reference[3];
    double tolerance; /* relative */
};

static const struct row rows[] = {
    {acquire_read,
     "acquire, read",
     "an application waits for one of two tasks, four times",
     {9701.6, 7675.7, 16023.0},
     0.001},
    {acquire_update,
     "acquire, update",
     "and for six readers, then holds the datum to write",
     {25748.6, 22454.8, 48060.0},
     0.001},
    {acquire_write,
     "acquire, write only",
     "the same without a copy",
     {14260.1, 15400.4, 32039.0},
     0.001},
    {acquire_long,
     "acquire, long",
     "tasks wait until the application releases",
     {8718.1, 9532.6, 16025.0},
     0.001},
    {unregister_temporary,
     "unregister, temporary",
     "a datum for two tasks, twelve times",
     {44856.5, 36036.8, 96096.0},
     0.002},
    {unregister_all,
     "unregister, all",
     "six dirty data come home at the end",
     {8429.5, 8734.9, 9187.7},
     0.001},
    {callback_chain,
     "callback, chain",
     "two tasks that submit the next ones",
     {7480.9, 5306.5, 16014.0},
     0.001},
    {callback_fan,
     "callback, fan",
     "a task that submits six readers",
     {9304.5, 10955.9, 16022.0},
     0.002},
    {unordered_data,
     "unordered data",
     "tags alone order eight tasks",
     {11563.2, 8389.7, 16016.0},
     0.001},
    {unordered_tasks,
     "unordered tasks",
     "every third task of eight",
     {8191.8, 5478.2, 16014.0},
     0.001},
    {pinned, "pinned", "nine tasks on two workers", {0, 7939.4, 7939.4}, 0.001},
    {named_workers,
     "named workers",
     "six of nine tasks on two workers",
     {0, 10209.3, 8007.0},
     0.001},
    {prefetches,
     "prefetches",
     "six, and three idle ones",
     {7344.5, 7221.1, 6329.4},
     0.03},
    {wont_use,
     "wont_use",
     "after each of 18 tasks",
     {10896.4, 11302.1, 24038.0},
     0.001},
    {rectangles,
     "rectangles",
     "blocks of a product that are not square",
     {17246.2, 14702.7, 24029.0},
     0.001},
    {scratch,
     "scratch",
     "18 tasks that need a buffer of their worker",
     {10894.4, 10945.9, 44825.0},
     0.001},
    {unregister_scratch,
     "unregister, scratch",
     "a buffer of workers for five tasks, four times",
     {17303.8, 11170.7, 52836.0},
     0.002},
    {redux_sum,
     "redux",
     "nine tasks add to a datum, then one updates it",
     {11900.1, 10955.9, 34072.1},
     0.001},
    {redux_repeated,
     "redux, repeated",
     "six tasks add and one reads, three times",
     {25323.8, 25004.7, 58277.4},
     0.001},
    {redux_two,
     "redux, two",
     "eight tasks add to two data",
     {0, 13445.7, 33935.5},
     0.001},
    {redux_acquired,
     "redux, acquired",
     "the application reads the sum, then four tasks",
     {12586.6, 12362.2, 40652.3},
     0.001},
    {redux_unregistered,
     "redux, unregistered",
     "six tasks add to a datum that goes, three times",
     {22687.6, 23432.5, 56327.0},
     0.002},
    {window, "window", "12, opened at 6", {22120.5, 17611.2, 40031.0}, 0.001},
};

static double simulate(const struct row *row, unsigned machine)
{
    static const int cpus[] = {0, 0, 2}, gpus[] = {2, 3, 3};
    g_autofree char *platform = source_file("platforms/attila.xml");
    struct program program = {.gpus = (unsigned)gpus[machine]};
    struct orr_config config;
    double makespan;

    orr_config_init(&config);
    config.platform = platform;
    config.cpus = cpus[machine];
    config.gpus = gpus[machine];
    config.sched = machine == 0 ? "eager" : "dmdas";
    if (row->submit == window) {
        config.window.most = 12;
        config.window.least = 6;
    }
    program.run = orr_run_new(&config, NULL);
    program.kernel = orr_kernel_new(program.run, "unit", NULL);
    for (unsigned i = 0; i < FIRST; i++)
        add_datum(&program);
    row->submit(&program);
    assert_true(orr_run_wait(program.run, NULL));
    makespan = (double)orr_run_report(program.run)->makespan_ns / 1000;
    orr_run_free(program.run);
    return makespan;
}

static void compare(const struct row *row, unsigned machine)
{
    double expected = row->reference[machine];
    double makespan;

    if (expected <= 0)
        return;
    makespan = simulate(row, machine);
    print_message("row|%s|%s|%u|%.1f|%.1f\n", row->name, row->what, machine,
                  expected, makespan);
    if (fabs(makespan / expected - 1) > row->tolerance)
        fail_msg("%s, machine %u: %.1f us, reference %.1f", row->name, machine,
                 makespan, expected);
}

static void they_take_what_they_take_in_the_reference(void **state)
{
    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned machine = 0; machine < 3; machine++)
            compare(&rows[i], machine);
    }
}

ORR_TESTS(features)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_take_what_they_take_in_the_reference),
    };

    return cmocka_run_group_tests_name("features", tests, NULL, NULL);
}
