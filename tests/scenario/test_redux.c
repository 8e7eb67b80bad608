/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs whose tasks add to data, on random machines: every
 * contribution is in the result once.
 */
#include "runtime/config/run_config.h"
#include "tests/support/chance.h"
#include "tests/support/unit_run.h"

enum { SUMS = 3, INPUTS = 4, STEPS = 60, CASES = 60, MAX_NUMBER = 200 };

/* What a datum would hold, if tasks computed: how often something was added. */
struct ledger {
    struct orr_trace trace; /* first */
    struct orr_run *run;
    struct orr_kernel *kernel;
    struct orr_data *sums[SUMS], *inputs[INPUTS];
    unsigned first[SUMS];        /* numbers of the sums; their copies follow */
    unsigned values[MAX_NUMBER]; /* by number of the datum */
    unsigned expected[STEPS];    /* sum that a task reads; by its place */
    unsigned reductions;
};

static unsigned number_of(const struct orr_trace_access *access)
{
    assert_in_range(access->datum.number, 0, MAX_NUMBER - 1);
    return (unsigned)access->datum.number;
}

/* The first access, which is updated, gets what the second one has. */
static void reduce(struct ledger *ledger, const struct orr_trace_task *task)
{
    unsigned into = number_of(&task->accesses[0]);
    unsigned from = number_of(&task->accesses[1]);

    assert_int_equal(task->datum_count, 2);
    assert_int_equal(task->accesses[0].mode, ORR_RW);
    assert_int_equal(task->accesses[1].mode, ORR_R);
    assert_int_not_equal(ledger->values[from], 0);
    ledger->values[into] += ledger->values[from];
    ledger->values[from] = 0;
    ledger->reductions++;
}

/* A task that is called by its place in the program. */
static void account(struct orr_trace *trace, const struct orr_trace_task *task)
{
    struct ledger *ledger = (struct ledger *)trace;
    const struct orr_trace_access *sum = NULL;
    unsigned step = task->coordinates[0];

    if (strcmp(task->name, "reduce") == 0) {
        reduce(ledger, task);
        return;
    }
    for (unsigned i = 0; i < task->datum_count; i++)
        for (unsigned s = 0; s < SUMS; s++)
            if (task->accesses[i].datum.number == ledger->first[s])
                sum = &task->accesses[i];
    if (!sum)
        return;
    if (sum->mode == ORR_REDUX) {
        ledger->values[number_of(sum) + 1 + task->worker]++;
        return;
    }
    if (ledger->values[number_of(sum)] != ledger->expected[step])
        fail_msg("task %u finds %u contributions instead of %u", step,
                 ledger->values[number_of(sum)], ledger->expected[step]);
    if (sum->mode == ORR_W)
        ledger->values[number_of(sum)] = 0;
}

static enum orr_access_mode draw_mode(GRand *rand)
{
    static const enum orr_access_mode modes[] = {
        ORR_REDUX, ORR_REDUX, ORR_REDUX, ORR_REDUX,           ORR_R,
        ORR_R,     ORR_W,     ORR_RW,    ORR_RW | ORR_COMMUTE};

    return modes[g_rand_int_range(rand, 0, G_N_ELEMENTS(modes))];
}

static void submit_step(struct ledger *ledger, unsigned step,
                        unsigned added[SUMS], GRand *rand)
{
    const unsigned s = (unsigned)g_rand_int_range(rand, 0, SUMS);
    const struct orr_access accesses[] = {
        {ledger->sums[s], draw_mode(rand)},
        {ledger->inputs[g_rand_int_range(rand, 0, INPUTS)], ORR_R}};
    const struct orr_task_times times = {
        ORR_TASK_TIMES_INIT,
        .cpu_ns = INT64_C(200000) * g_rand_int_range(rand, 1, 4),
        .gpu_ns = INT64_C(100000) * g_rand_int_range(rand, 1, 4)};
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = ledger->kernel,
        .times = &times,
        .priority = g_rand_int_range(rand, -1, 2),
        .count = 2,
        .accesses = accesses,
        .coordinate_count = 1,
        .coordinates = {step},
    };

    if (accesses[0].mode == ORR_REDUX)
        added[s]++;
    ledger->expected[step] = added[s];
    if (accesses[0].mode == ORR_W)
        added[s] = 0;
    orr_task_submit(ledger->run, &spec);
    if (g_rand_int_range(rand, 0, 12) == 0)
        orr_data_wont_use(ledger->run, ledger->sums[s]);
    if (g_rand_int_range(rand, 0, 12) == 0)
        orr_data_prefetch(ledger->run, ledger->sums[s], 0);
}

static void register_data(struct ledger *ledger, uint64_t bytes)
{
    static const struct orr_task_times times = {
        ORR_TASK_TIMES_INIT, .cpu_ns = 50000, .gpu_ns = 20000};
    struct orr_kernel *reduce_kernel =
        orr_kernel_new(ledger->run, "reduce", NULL);
    unsigned next = 0;

    ledger->kernel = orr_kernel_new(ledger->run, "unit", NULL);
    for (unsigned s = 0; s < SUMS; s++) {
        ledger->sums[s] = orr_data_register(ledger->run, bytes);
        orr_data_set_reduction(ledger->run, ledger->sums[s], reduce_kernel,
                               &times);
        ledger->first[s] = next;
        next += 1 + orr_run_report(ledger->run)->worker_count;
    }
    for (unsigned i = 0; i < INPUTS; i++)
        ledger->inputs[i] = orr_data_register(ledger->run, bytes);
}

static void check_case(uint32_t seed, bool explores)
{
    static const char *const policies[] = {
        "eager", "lws", "dmda", "dmdas", "heteroprio", "dmdar", "random"};
    GRand *rand = g_rand_new_with_seed(seed);
    g_autofree char *platform = source_file("tests/platforms/three-gpus.xml");
    struct ledger ledger = {.trace = {ORR_TRACE_INIT, .task = account}};
    struct chance chance;
    struct orr_config config;
    unsigned added[SUMS] = {0};
    g_autoptr(GError) error = NULL;

    chance_init(&chance, seed, 3);
    orr_config_init(&config);
    config.platform = platform;
    config.trace = &ledger.trace;
    config.sched = policies[g_rand_int_range(rand, 0, G_N_ELEMENTS(policies))];
    config.cpus = g_rand_int_range(rand, 0, 4);
    config.gpus = g_rand_int_range(rand, config.cpus == 0, 4);
    config.gpu_memory_bytes = g_rand_boolean(rand) ? 0 : 48 << 20;
    config.window.most = g_rand_boolean(rand) ? 0 : 10;
    config.instant_copies = g_rand_int_range(rand, 0, 5) == 0;
    config.decider = explores ? &chance.decider : NULL;
    ledger.run = orr_run_new(&config, &error);
    if (error)
        fail_msg("%s", error->message);
    register_data(&ledger, 3 << 20);
    for (unsigned step = 0; step < STEPS; step++)
        submit_step(&ledger, step, added, rand);
    for (unsigned s = 0; s < SUMS; s++) {
        if (!orr_data_acquire(ledger.run, ledger.sums[s], ORR_R, &error))
            fail_msg("seed %u: %s", seed, error->message);
        orr_data_release(ledger.run, ledger.sums[s]);
        assert_int_equal(ledger.values[ledger.first[s]], added[s]);
    }
    if (!orr_run_wait(ledger.run, &error))
        fail_msg("seed %u: %s", seed, error->message);
    assert_int_not_equal(ledger.reductions, 0);
    orr_run_free(ledger.run);
    chance_clear(&chance);
    g_rand_free(rand);
}

static void every_contribution_counts_once(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < CASES; seed++)
        check_case(seed, false);
}

static void so_it_is_in_any_order(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < CASES; seed++)
        check_case(seed, true);
}

ORR_TESTS(redux)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_contribution_counts_once),
        cmocka_unit_test(so_it_is_in_any_order),
    };

    return cmocka_run_group_tests_name("redux", tests, NULL, NULL);
}
