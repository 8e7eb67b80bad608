/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* features: an application with tasks that files of graphs cannot represent. */
#include <orrery_app.h>

static const char *const features[] = {"none",
                                       "unordered-data",
                                       "unordered-task",
                                       "workers",
                                       "callback",
                                       "acquire",
                                       "unregister",
                                       "tag",
                                       "scratch",
                                       "last",
                                       "names",
                                       "redux",
                                       "partition",
                                       "costs",
                                       "blocks-driver",
                                       "sleep",
                                       "end",
                                       NULL};

/* Of a task and a datum that want to be records of their own. */
static const char hostile[] = "a\"b\\\n\nJobId: 7\r</script>,\t\377\177";

enum {
    NONE,
    UNORDERED_DATA,
    UNORDERED_TASK,
    WORKERS,
    CALLBACK,
    ACQUIRE,
    UNREGISTER,
    TAG,
    SCRATCH,
    LAST, /* unregisters when all is submitted */
    NAMES,
    REDUX,
    PARTITION,
    COSTS,
    BLOCKS_DRIVER,
    SLEEP,
    END
};

static const struct orr_app_option options[] = {
    {"feature", "F", "what it does", ORR_APP_CHOICE, 0, 0, "none", features},
    {NULL, NULL, NULL, ORR_APP_COUNT, 0, 0, NULL, NULL},
};

static void submit_more(struct orr_run *run, void *kernel)
{
    const struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                       .name = "more"};

    orr_task_submit(run, &task);
}

static bool wait_for(struct orr_run *run, struct orr_data *data,
                     unsigned feature, GError **error)
{
    if (feature == ACQUIRE) {
        if (!orr_data_acquire(run, data, ORR_R, error))
            return false;
        orr_data_release(run, data);
    }
    if (feature == UNREGISTER)
        return orr_data_unregister(run, data, error);
    if (feature == SLEEP)
        return orr_run_sleep(run, 1000000, error);
    return feature != TAG || orr_run_wait_tag(run, 1, error);
}

/* A task, its kernel and its datum have hostile names. */
static bool submit_names(struct orr_run *run, GError **error)
{
    struct orr_kernel *kernel = orr_kernel_new(run, hostile, error);
    struct orr_data *data = orr_data_register(run, 4096);
    const struct orr_access access = {data, ORR_RW};
    const struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = 1000,
                                         .gpu_ns = 1000};
    const struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                       .name = hostile,    .times = &times,
                                       .count = 1,         .accesses = &access};

    if (!kernel)
        return false;
    orr_data_set_name(data, hostile);
    orr_task_submit(run, &task);
    return true;
}

/* A task adds, another one reads the sum. */
static bool submit_redux(struct orr_run *run, struct orr_kernel *kernel,
                         struct orr_data *sum)
{
    struct orr_access access = {sum, ORR_REDUX};
    const struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                       .count = 1, .accesses = &access};

    orr_data_set_reduction(run, sum, kernel, NULL);
    orr_task_submit(run, &task);
    access.mode = ORR_R;
    orr_task_submit(run, &task);
    return true;
}

/* Two tasks that bring costs: GPUs have two implementations, CPUs one. */
static bool submit_costs(struct orr_run *run, GError **error)
{
    struct orr_kernel *kernel = orr_kernel_new(run, "gemm", error);
    struct orr_cost costs[64][2] = {{{0, 0}}};
    const struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                       .implementations = 2, .costs = costs[0]};

    if (!kernel)
        return false;
    for (unsigned w = 0; w < orr_run_workers(run) && w < 64; w++) {
        costs[w][0] = (struct orr_cost){200000, 0.5};
        if (orr_run_worker_class(run, w) == ORR_WHERE_GPU)
            costs[w][1] = (struct orr_cost){50000, 1};
    }
    orr_task_submit(run, &task);
    orr_task_submit(run, &task);
    return true;
}

/* A task updates a matrix, one each of its halves, and one all of it again. */
static bool submit_partition(struct orr_run *run, struct orr_kernel *kernel,
                             struct orr_data *matrix)
{
    const struct orr_grid halves = {
        ORR_GRID_INIT, sizeof(float), 960, 960, 1, 2};
    struct orr_partition *partition = orr_partition_new(run, matrix, &halves);
    struct orr_access access = {matrix, ORR_RW};
    const struct orr_task_spec task = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                       .count = 1, .accesses = &access};

    orr_task_submit(run, &task);
    orr_partition_split(partition);
    for (unsigned i = 0; i < 2; i++) {
        access.data = orr_partition_part(partition, 0, i);
        orr_task_submit(run, &task);
    }
    orr_partition_join(partition);
    access.data = matrix;
    orr_task_submit(run, &task);
    return true;
}

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    unsigned feature = orr_app_choice(values, "feature");
    struct orr_kernel *kernel = orr_kernel_find(
        run, "cholesky", "gemm", ORR_SINGLE_PRECISION, 960, error);
    struct orr_data *data = orr_data_register(run, sizeof(float) * 960 * 960);
    struct orr_data *other = orr_data_register(run, sizeof(float) * 960 * 960);
    const unsigned worker = 0;
    const uint64_t second = 2;
    struct orr_access access = {data, ORR_RW};
    struct orr_task_spec task = {ORR_TASK_SPEC_INIT,
                                 .kernel = kernel,
                                 .count = 1,
                                 .accesses = &access,
                                 .tag = 1,
                                 .unordered = feature == UNORDERED_TASK,
                                 .worker_count = feature == WORKERS,
                                 .workers = &worker,
                                 .scratch_count = feature == SCRATCH,
                                 .scratch = &other,
                                 .blocks_driver = feature == BLOCKS_DRIVER,
                                 .end_count = feature == END,
                                 .end_tags = &second};

    if (!kernel)
        return false;
    if (feature == NAMES)
        return submit_names(run, error);
    if (feature == REDUX)
        return submit_redux(run, kernel, data);
    if (feature == PARTITION)
        return submit_partition(run, kernel, data);
    if (feature == COSTS)
        return submit_costs(run, error);
    if (feature == CALLBACK) {
        task.callback = submit_more;
        task.callback_data = kernel;
    }
    orr_data_set_unordered(run, data, feature == UNORDERED_DATA);
    orr_task_submit(run, &task);
    if (!wait_for(run, data, feature, error))
        return false;
    access.data = other;
    task.tag = 2;
    task.callback = NULL;
    task.end_count = 0;
    orr_task_submit(run, &task);
    return feature != LAST || orr_data_unregister(run, other, error);
}

static const struct orr_app app = {
    .name = "features",
    .summary = "two tasks",
    .options = options,
    .submit = submit,
};

ORR_APP_PLUGIN(&app);
