/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * energy: Cholesky on CPU cores of which some are slow and save energy, with a
 * cost function for each worker: StarPU's tests/energy/energy_efficiency.c. The
 * data take no memory, so nothing is copied. With --dynamic, each core has two
 * implementations of each kernel, a slow one and a fast one, and the policy
 * chooses: there, STARPU_NCPU_SLOW is not set.
 */
#include <orrery_app.h>

#include <math.h>

#define TILE 512.0
#define MHZ_MIN 1200.0
#define MHZ_FAST 3500.0
#define GEMM_US (2 * TILE * TILE * TILE / 50e9 * 1e6)
#define SYRK_US (TILE * TILE * (TILE + 1) / 50e9 * 1e6)

enum { POTRF, TRSM, SYRK, GEMM, KERNELS };

static const char *const names[] = {"potrf", "trsm", "syrk", "gemm", NULL};

static const struct orr_app_option options[] = {
    {"tiles", "N", "tiles in a row or column", ORR_APP_COUNT, 1, 100, "10",
     NULL},
    {"slow", "K", "slow cores, the first ones", ORR_APP_COUNT, 0, 100, "8",
     NULL},
    {"mhz", "F", "frequency of the slow cores", ORR_APP_NUMBER, MHZ_MIN,
     MHZ_FAST, "1200", NULL},
    {"dynamic", NULL, "each core has a slow and a fast implementation",
     ORR_APP_FLAG, 0, 0, NULL, NULL},
    {NULL, NULL, NULL, ORR_APP_COUNT, 0, 0, NULL, NULL},
};

/* A kernel, and the cores that run it. */
struct question {
    int kernel;
    unsigned slow;
    double mhz;
};

static double kernel_us(int kernel, double mhz)
{
    double x = mhz - 600;

    if (kernel == GEMM)
        return GEMM_US / (mhz / MHZ_FAST);
    if (kernel == SYRK)
        return SYRK_US / (mhz / MHZ_FAST);
    if (kernel == TRSM)
        return 0.7 * GEMM_US / (sqrt(x) / sqrt(2900));
    return 1.2 * GEMM_US / (1 - 0.5 * (1200 / x - 1200.0 / 2900));
}

/* W; the reference has it in binary32. */
static double core_watts(double mhz)
{
    double cube = MHZ_MIN * MHZ_MIN * MHZ_MIN;

    return (float)(2 + 6.2 / (MHZ_FAST * MHZ_FAST * MHZ_FAST - cube) *
                           (mhz * mhz * mhz - cube));
}

static void set_cost(int kernel, double mhz, struct orr_cost *cost)
{
    double us = kernel_us(kernel, mhz);

    cost->ns = (int64_t)(us * 1e3 + 0.5);
    cost->joules = core_watts(mhz) * us / 1e6;
}

/* Of a core, which is slow or fast. */
static void cost(const void *data, unsigned worker, struct orr_cost *cost)
{
    const struct question *question = data;

    set_cost(question->kernel,
             worker < question->slow ? question->mhz : MHZ_FAST, cost);
}

/* Of the slow or the fast implementation, on any core. */
static void cost_dynamic(const void *data, unsigned worker,
                         unsigned implementation, struct orr_cost *cost)
{
    const struct question *question = data;

    (void)worker;
    set_cost(question->kernel, implementation == 0 ? question->mhz : MHZ_FAST,
             cost);
}

/* A Cholesky factorisation being submitted. */
struct cholesky {
    struct orr_run *run;
    unsigned tiles;
    struct orr_kernel *kernels[KERNELS];
    struct orr_data **data; /* [row * tiles + column] */
};

static bool make_kernels(struct cholesky *cholesky,
                         const struct orr_app_values *values, GError **error)
{
    for (int k = 0; k < KERNELS; k++) {
        struct question question = {k, (unsigned)orr_app_count(values, "slow"),
                                    orr_app_number(values, "mhz")};
        struct orr_run *run = cholesky->run;
        struct orr_kernel *kernel = orr_kernel_new(run, names[k], error);

        if (!kernel)
            return false;
        if (!(orr_app_flag(values, "dynamic")
                  ? orr_kernel_set_implementations(run, kernel, 2, cost_dynamic,
                                                   &question, error)
                  : orr_kernel_set_costs(run, kernel, cost, &question, error)))
            return false;
        cholesky->kernels[k] = kernel;
    }
    return true;
}

/* The task of step @k that updates tile (@m, @n) of the lower half. */
static void submit_task(const struct cholesky *cholesky, unsigned k, unsigned m,
                        unsigned n)
{
    unsigned size = cholesky->tiles;
    int kernel = m == k ? POTRF : n == k ? TRSM : m == n ? SYRK : GEMM;
    struct orr_access accesses[3];
    struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .accesses = accesses};

    if (kernel == GEMM || kernel == SYRK)
        accesses[task.count++] =
            (struct orr_access){cholesky->data[(size_t)m * size + k], ORR_R};
    if (kernel == GEMM)
        accesses[task.count++] =
            (struct orr_access){cholesky->data[(size_t)n * size + k], ORR_R};
    if (kernel == TRSM)
        accesses[task.count++] =
            (struct orr_access){cholesky->data[(size_t)k * size + k], ORR_R};
    accesses[task.count++] =
        (struct orr_access){cholesky->data[(size_t)m * size + n], ORR_RW};
    task.kernel = cholesky->kernels[kernel];
    task.priority = (int)(2 * size - 2 * k);
    task.priority -= kernel == POTRF ? 0 : (int)m;
    task.priority -= kernel == SYRK || kernel == GEMM ? (int)n : 0;
    if (kernel == TRSM || kernel == POTRF)
        task.priority = (int)(2 * size - 2 * k) - (kernel == TRSM ? (int)m : 0);
    orr_task_submit(cholesky->run, &task);
}

static void submit_tasks(const struct cholesky *cholesky)
{
    unsigned size = cholesky->tiles;

    for (unsigned k = 0; k < size; k++) {
        submit_task(cholesky, k, k, k);
        for (unsigned m = k + 1; m < size; m++)
            submit_task(cholesky, k, m, k);
        for (unsigned m = k + 1; m < size; m++) {
            for (unsigned n = k + 1; n <= m; n++)
                submit_task(cholesky, k, m, n);
        }
    }
}

static bool complete(struct orr_app_values *values, GError **error)
{
    if (!orr_app_flag(values, "dynamic"))
        return true;
    if (!orr_app_is_given(values, "slow")) {
        orr_app_set_count(values, "slow", 0);
        return true;
    }
    g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                        "--slow: with --dynamic, all cores are equal");
    return false;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    struct cholesky cholesky = {
        .run = run, .tiles = (unsigned)orr_app_count(values, "tiles")};
    size_t count = (size_t)cholesky.tiles * cholesky.tiles;

    if (!make_kernels(&cholesky, values, error))
        return false;
    cholesky.data = g_new(struct orr_data *, count);
    for (size_t i = 0; i < count; i++)
        cholesky.data[i] = orr_data_register(run, 1);
    submit_tasks(&cholesky);
    g_free(cholesky.data);
    return true;
}

static const struct orr_app energy = {
    .name = "energy",
    .summary = "Cholesky on cores of two speeds",
    .kernels = names,
    .options = options,
    .axis = "tiles",
    .axis_title = "tiles",
    .scale = "tiles",
    .complete = complete,
    .submit = submit,
};

ORR_APP_PLUGIN(&energy);
