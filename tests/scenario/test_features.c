/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What programs do beside submitting tasks in order, compared with StarPU over
 * SimGrid: docs/VALIDATION.md, "Program features", has the table. The kernel
 * takes 1 ms on a GPU and 4 ms on a CPU, and each datum 3,686,400 bytes, on
 * attila.
 */
#include <math.h>

#include "tests/support/cmocka_all.h"

#include "runtime/orrery.h"
#include "tests/support/temp_file.h"

enum { DATA = 40, FIRST = 12 };

struct program {
    struct orr_run *run;
    struct orr_kernel *kernel;
    struct orr_data *data[DATA];
    unsigned count; /* of these */
    unsigned gpus;
    unsigned left; /* tasks that callbacks submit */
};

static unsigned add_sized(struct program *program, uint64_t bytes)
{
    program->data[program->count] = orr_data_register(program->run, bytes);
    return program->count++;
}

static unsigned add_datum(struct program *program)
{
    return add_sized(program, 3686400);
}

/* ---- tasks ---- */

static void submit(struct program *program, struct orr_task_spec spec)
{
    static const struct orr_task_times times = {.cpu_ns = 4000000,
                                                .gpu_ns = 1000000};

    spec.kernel = program->kernel;
    spec.times = &times;
    orr_task_submit(program->run, &spec);
}

static void one(struct program *program, unsigned datum,
                struct orr_task_spec spec)
{
    const struct orr_access access = {program->data[datum], ORR_RW};

    spec.count = 1;
    spec.accesses = &access;
    submit(program, spec);
}

static void update(struct program *program, unsigned datum)
{
    one(program, datum, (struct orr_task_spec){0});
}

static void two(struct program *program, unsigned a,
                enum orr_access_mode a_mode, unsigned b,
                enum orr_access_mode b_mode, struct orr_task_spec spec)
{
    const struct orr_access accesses[] = {{program->data[a], a_mode},
                                          {program->data[b], b_mode}};

    spec.count = 2;
    spec.accesses = accesses;
    submit(program, spec);
}

static void combine(struct program *program, unsigned read, unsigned updated)
{
    two(program, read, ORR_R, updated, ORR_RW, (struct orr_task_spec){0});
}

static void acquire(struct program *program, unsigned datum,
                    enum orr_access_mode mode)
{
    assert_true(
        orr_data_acquire(program->run, program->data[datum], mode, NULL));
}

static void release(struct program *program, unsigned datum)
{
    orr_data_release(program->run, program->data[datum]);
}

static void unregister(struct program *program, unsigned datum)
{
    assert_true(orr_data_unregister(program->run, program->data[datum], NULL));
}

/* ---- programs ---- */

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

        two(program, 0, ORR_R, temporary, ORR_W, (struct orr_task_spec){0});
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
        (struct orr_task_spec){.callback = go_on, .callback_data = data});
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
        (struct orr_task_spec){.callback = fan_out, .callback_data = program});
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
            (struct orr_task_spec){
                .tag = k + 1, .wait_count = k > 3, .wait_tags = &before});
    }
}

static void unordered_tasks(struct program *program)
{
    for (unsigned k = 0; k < 8; k++)
        one(program, k % 2, (struct orr_task_spec){.unordered = k % 3 == 0});
}

static void pinned(struct program *program)
{
    for (unsigned k = 0; k < 9; k++) {
        const unsigned worker = k % 2 ? 0 : 2;

        two(program, 0, ORR_R, 1 + k, ORR_RW,
            (struct orr_task_spec){
                .worker_count = 1, .workers = &worker, .pinned = true});
    }
}

static void named_workers(struct program *program)
{
    static const unsigned workers[] = {1, 2};

    for (unsigned k = 0; k < 9; k++)
        two(program, 0, ORR_R, 1 + k, ORR_RW,
            (struct orr_task_spec){.worker_count = k % 3 ? 2 : 0,
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

        submit(program,
               (struct orr_task_spec){.count = 3, .accesses = accesses});
    }
}

static void scratch(struct program *program)
{
    struct orr_data *const room = program->data[add_datum(program)];

    for (unsigned k = 0; k < 18; k++)
        one(program, k % 6,
            (struct orr_task_spec){.scratch_count = 1, .scratch = &room});
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
     0.001},
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
     0.03},
    {scratch,
     "scratch",
     "18 tasks that need a buffer of their worker",
     {10894.4, 10945.9, 0},
     0.001},
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
        config.window = 12;
        config.window_min = 6;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_take_what_they_take_in_the_reference),
    };

    return cmocka_run_group_tests_name("features", tests, NULL, NULL);
}
