/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* hello [PLATFORM]: C += A x B in N x N tiles, on a simulated machine. */
#include <orrery.h>
#include <stdio.h>

enum { N = 8, TILE = 960, BYTES = sizeof(float) * TILE * TILE };

static void submit_product(struct orr_run *run, struct orr_kernel *gemm)
{
    struct orr_data *a[N * N], *b[N * N], *c[N * N];

    for (int i = 0; i < N * N; i++) {
        a[i] = orr_data_register(run, BYTES);
        b[i] = orr_data_register(run, BYTES);
        c[i] = orr_data_register(run, BYTES);
    }
    for (int ijk = 0; ijk < N * N * N; ijk++) {
        int i = ijk / N / N, j = ijk / N % N, k = ijk % N;
        struct orr_access accesses[] = {
            {a[i * N + k], ORR_R},
            {b[k * N + j], ORR_R},
            {c[i * N + j], ORR_RW},
        };
        struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .kernel = gemm,
                                     .count = 3, .accesses = accesses};

        orr_task_submit(run, &task);
    }
}

static void print_report(const struct orr_report *report)
{
    double ns = (double)report->makespan_ns;

    printf("%d tasks in %.1f ms\n", (int)report->tasks, ns / 1e6);
    for (unsigned i = 0; i < report->worker_count; i++)
        printf("%s computed %.0f %% of the time\n", report->workers[i].name,
               (double)report->workers[i].busy_ns / ns * 100);
}

int main(int argc, char **argv)
{
    struct orr_config *config = orr_config_new();
    struct orr_kernel *gemm = NULL;
    struct orr_run *run = NULL;
    GError *error = NULL;

    if (orr_config_set(config, "cpus", "0", &error) && /* GPUs only */
        orr_config_set(config, "platform", argc > 1 ? argv[1] : "attila",
                       &error))
        run = orr_run_new(config, &error);
    orr_config_free(config);
    if (run)
        gemm = orr_kernel_find(run, "cholesky", "gemm", ORR_SINGLE_PRECISION,
                               TILE, &error);
    if (gemm)
        submit_product(run, gemm);
    if (gemm && orr_run_wait(run, &error))
        print_report(orr_run_report(run));
    else
        fprintf(stderr, "hello: %s\n", error->message);
    orr_run_free(run);
    return error ? 1 : 0;
}
