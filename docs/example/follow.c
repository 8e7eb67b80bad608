/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* follow: a trace of four tasks and of the copies that they need. */
#include <inttypes.h>
#include <orrery.h>
#include <orrery_trace.h>
#include <stdio.h>

static void put_datum(const struct orr_trace_datum *datum)
{
    printf(" %s", datum->name ? datum->name : "A");
    if (datum->has_coordinates)
        printf("(%u,%u)", datum->row, datum->column);
}

/* What @task points to is valid during the call. */
static void put_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    (void)trace;
    printf("%" PRIu64 " %s on %s:", task->order, task->name, task->worker_name);
    for (unsigned i = 0; i < task->datum_count; i++) {
        bool writes = task->accesses[i].mode & ORR_W;

        put_datum(&task->accesses[i].datum);
        printf(writes ? " is written," : " is read,");
    }
    printf(" after");
    for (unsigned i = 0; i < task->parent_count; i++)
        printf(" %" PRIu64, task->parents[i]);
    puts(task->parent_count > 0 ? "" : " nothing");
}

static void put_copy(struct orr_trace *trace, const struct orr_trace_copy *copy)
{
    (void)trace;
    printf("%s from %s to %s:", copy->why, copy->from, copy->to);
    put_datum(&copy->datum);
    printf(", %" PRIu64 " bytes\n", copy->datum.bytes);
}

static void submit(struct orr_run *run, struct orr_kernel *kernel)
{
    static const struct orr_task_times on_cpu = {ORR_TASK_TIMES_INIT,
                                                 .cpu_ns = 1000000};
    static const struct orr_task_times on_gpu = {ORR_TASK_TIMES_INIT,
                                                 .gpu_ns = 200000};
    struct orr_data *block = orr_data_register(run, 4096);
    struct orr_data *sum = orr_data_register(run, 8);
    const struct orr_access accesses[] = {{block, ORR_R}, {sum, ORR_RW}};
    const struct orr_task_spec make = {
        ORR_TASK_SPEC_INIT, .kernel = kernel,
        .times = &on_cpu,   .name = "make",
        .count = 1,         .accesses = &(struct orr_access){block, ORR_W}};
    struct orr_task_spec add = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                .times = &on_gpu,   .name = "add",
                                .count = 2,         .accesses = accesses};
    const struct orr_task_spec end = {
        ORR_TASK_SPEC_INIT, .kernel = kernel,
        .times = &on_cpu,   .name = "end",
        .wait_count = 1,    .wait_tags = (const uint64_t[]){7}};

    orr_data_set_coordinates(block, 2, 1);
    orr_data_set_name(sum, "sum");
    orr_task_submit(run, &make);
    orr_task_submit(run, &add);
    add.tag = 7;
    orr_task_submit(run, &add);
    orr_task_submit(run, &end);
}

int main(void)
{
    struct orr_trace trace = {ORR_TRACE_INIT, .task = put_task,
                              .copy = put_copy, .wants = ORR_TRACE_PARENTS};
    struct orr_config *config = orr_config_new();
    struct orr_kernel *kernel = NULL;
    struct orr_run *run = NULL;
    GError *error = NULL;

    orr_config_set_trace(config, &trace);
    if (orr_config_set(config, "platform", "attila", &error) &&
        orr_config_set(config, "cpus", "1", &error) &&
        orr_config_set(config, "gpus", "1", &error) &&
        orr_config_set(config, "sched", "eager", &error))
        run = orr_run_new(config, &error);
    orr_config_free(config);
    if (run)
        kernel = orr_kernel_new(run, "step", &error);
    if (kernel) {
        submit(run, kernel);
        orr_run_wait(run, &error);
    }
    if (error)
        fprintf(stderr, "follow: %s\n", error->message);
    orr_run_free(run);
    return error ? 1 : 0;
}
