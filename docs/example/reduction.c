/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * reduction: a sum of products of tiles. Each leaf computes one product; pairs
 * of partial sums are added, then pairs of these, up to the root of a tree.
 */
#include <orrery_app.h>

enum { MAX_LEAVES = 100000 };

static const struct orr_app_option options[] = {
    {"leaves", "N", "products to sum up", ORR_APP_COUNT, 1, MAX_LEAVES, "64",
     NULL},
    {"tile", "NB", "rows of a tile", ORR_APP_COUNT, 1, 100000, "960", NULL},
    {0},
};

static bool complete(struct orr_app_values *values, GError **error)
{
    uint64_t leaves = orr_app_count(values, "leaves");

    if ((leaves & (leaves - 1)) == 0)
        return true;
    g_set_error(error, g_quark_from_string("reduction"), 0,
                "--leaves: %u is no power of two", (unsigned)leaves);
    return false;
}

/* What submit() works with. */
struct tree {
    struct orr_run *run;
    struct orr_kernel *gemm; /* calibrated on the machine */
    struct orr_kernel *add;  /* its tasks bring their times */
    struct orr_task_times add_times;
    uint64_t bytes; /* of a tile */
};

static struct orr_data *multiply(const struct tree *tree)
{
    struct orr_data *product = orr_data_register(tree->run, tree->bytes);
    const struct orr_access accesses[] = {
        {orr_data_register(tree->run, tree->bytes), ORR_R},
        {orr_data_register(tree->run, tree->bytes), ORR_R},
        {product, ORR_W},
    };

    orr_task_submit(tree->run, &(struct orr_task_spec){
                                   ORR_TASK_SPEC_INIT,
                                   .kernel = tree->gemm,
                                   .count = 3,
                                   .accesses = accesses,
                               });
    return product;
}

/* Near the root there is less to do at once, so additions there come first. */
static void add(const struct tree *tree, struct orr_data *to,
                struct orr_data *from, unsigned level)
{
    const struct orr_access accesses[] = {{from, ORR_R}, {to, ORR_RW}};

    orr_task_submit(tree->run, &(struct orr_task_spec){
                                   ORR_TASK_SPEC_INIT,
                                   .kernel = tree->add,
                                   .times = &tree->add_times,
                                   .priority = (int)level,
                                   .count = 2,
                                   .accesses = accesses,
                               });
    orr_data_wont_use(tree->run, from);
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    unsigned leaves = (unsigned)orr_app_count(values, "leaves");
    unsigned tile = (unsigned)orr_app_count(values, "tile");
    struct orr_data *sums[MAX_LEAVES] = {NULL};
    struct tree tree = {
        .run = run,
        .gemm = orr_kernel_find(run, "cholesky", "gemm", ORR_SINGLE_PRECISION,
                                tile, error),
        .add_times = {ORR_TASK_TIMES_INIT},
        .bytes = sizeof(float) * tile * tile,
    };
    unsigned level = 1;

    if (!tree.gemm || !(tree.add = orr_kernel_new(run, "add", error)))
        return false;
    /* Two tiles read and one written, at 10 GB/s and at 100 GB/s. */
    tree.add_times.cpu_ns = (int64_t)(3 * tree.bytes / 10);
    tree.add_times.gpu_ns = (int64_t)(3 * tree.bytes / 100);
    for (unsigned i = 0; i < leaves; i++)
        sums[i] = multiply(&tree);
    for (unsigned apart = 1; apart < leaves; apart *= 2, level++) {
        for (unsigned i = 0; i < leaves; i += 2 * apart)
            add(&tree, sums[i], sums[i + apart], level);
    }
    orr_data_set_name(sums[0], "sum");
    return true;
}

static double tasks(const struct orr_app_values *values)
{
    return 2 * (double)orr_app_count(values, "leaves") - 1;
}

static const char *const kernels[] = {"gemm", "add", NULL};

static const struct orr_app reduction = {
    .name = "reduction",
    .summary = "a sum of products of tiles, by a binary tree",
    .kernels = kernels,
    .options = options,
    .complete = complete,
    .tasks = tasks,
    .submit = submit,
};

ORR_APP_PLUGIN(&reduction);
