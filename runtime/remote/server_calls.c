/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each kind of message has a function that reads its arguments, makes the call,
 * and writes the answer. A call may simulate, and so have the program called
 * back, which makes further calls before the first one has returned: so all
 * arguments are read before the call, and nothing of the message is used
 * afterwards.
 */
#include "models/base/error.h"
#include "runtime/remote/server_private.h"

/* ---- handles ---- */

static struct orr_data *read_data(struct orr_server *server)
{
    return orr_server_read_handle(server, server->data);
}

static struct orr_kernel *read_kernel(struct orr_server *server)
{
    return orr_server_read_handle(server, server->kernels);
}

static struct orr_partition *read_partition(struct orr_server *server)
{
    return orr_server_read_handle(server, server->partitions);
}

/* ---- data ---- */

static void serve_data_acquire(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    enum orr_access_mode mode = (enum orr_access_mode)orr_server_read(server);
    GError *error = NULL;
    bool good = orr_data_acquire(server->run, data, mode, &error);

    orr_server_answer_error(server, good, error);
}

static struct orr_acquire read_acquire(struct orr_server *server)
{
    struct orr_acquire how = {ORR_ACQUIRE_INIT};

    how.mode = (enum orr_access_mode)orr_server_read(server);
    how.node = (int)orr_server_read(server);
    how.unordered = orr_server_read(server) != 0;
    how.callback = orr_server_read_call(server);
    return how;
}

static void serve_data_acquire_as(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    struct orr_acquire how = read_acquire(server);
    GError *error = NULL;
    bool good = orr_data_acquire_as(server->run, data, &how, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_data_acquire_later(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    struct orr_acquire how = read_acquire(server);

    orr_data_acquire_later(server->run, data, &how);
}

static void serve_data_deinitialize(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    GError *error = NULL;
    bool good = orr_data_deinitialize(server->run, data, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_data_deinitialize_submit(struct orr_server *server)
{
    orr_data_deinitialize_submit(server->run, read_data(server));
}

static void serve_data_set_arbiter(struct orr_server *server)
{
    struct orr_data *data = read_data(server);

    orr_data_set_arbiter(server->run, data, (uint32_t)orr_server_read(server));
}

static void serve_data_evict(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    unsigned node = (unsigned)orr_server_read(server);

    orr_server_answer(server, orr_data_evict(server->run, data, node));
}

static void serve_data_expected_transfer_ns(struct orr_server *server)
{
    const struct orr_data *data = read_data(server);
    unsigned node = (unsigned)orr_server_read(server);

    orr_server_answer(server, (uint64_t)orr_data_expected_transfer_ns(
                                  server->run, data, node));
}

static void serve_data_state(struct orr_server *server)
{
    const struct orr_data *data = read_data(server);
    unsigned node = (unsigned)orr_server_read(server);

    orr_server_answer(server, orr_data_state(server->run, data, node));
}

static void serve_data_idle_prefetch(struct orr_server *server)
{
    struct orr_data *data = read_data(server);

    orr_data_idle_prefetch(server->run, data,
                           (unsigned)orr_server_read(server));
}

static void serve_data_invalidate(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    GError *error = NULL;
    bool good = orr_data_invalidate(server->run, data, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_data_invalidate_submit(struct orr_server *server)
{
    orr_data_invalidate_submit(server->run, read_data(server));
}

static void serve_data_prefetch(struct orr_server *server)
{
    struct orr_data *data = read_data(server);

    orr_data_prefetch(server->run, data, (unsigned)orr_server_read(server));
}

static void serve_data_register(struct orr_server *server)
{
    g_ptr_array_add(server->data,
                    orr_data_register(server->run, orr_server_read(server)));
}

static void serve_data_register_matrix(struct orr_server *server)
{
    uint64_t column_bytes = orr_server_read(server);
    uint64_t count = orr_server_read(server);

    g_ptr_array_add(server->data,
                    orr_data_register_matrix(server->run, column_bytes, count,
                                             orr_server_read(server)));
}

static void serve_data_register_temporary(struct orr_server *server)
{
    uint64_t bytes = orr_server_read(server);

    g_ptr_array_add(server->data,
                    orr_data_register_temporary(server->run, bytes));
}

static void serve_data_release(struct orr_server *server)
{
    orr_data_release(server->run, read_data(server));
}

static void serve_data_release_on(struct orr_server *server)
{
    struct orr_data *data = read_data(server);

    orr_data_release_on(server->run, data, (int)orr_server_read(server));
}

static void serve_data_set_coordinates(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    unsigned row = (unsigned)orr_server_read(server);

    orr_data_set_coordinates(data, row, (unsigned)orr_server_read(server));
}

static void serve_data_set_name(struct orr_server *server)
{
    struct orr_data *data = read_data(server);

    orr_data_set_name(data, orr_read_text(&server->in));
}

void orr_server_read_times(struct orr_server *server,
                           struct orr_task_times *times)
{
    *times = (struct orr_task_times){ORR_TASK_TIMES_INIT};
    times->cpu_ns = (int64_t)orr_server_read(server);
    times->gpu_ns = (int64_t)orr_server_read(server);
    times->source = (enum orr_times_source)orr_server_read(server);
}

static void serve_data_set_reduction(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    struct orr_kernel *kernel = read_kernel(server);
    bool has_times = orr_server_read(server) != 0;
    struct orr_task_times times;

    if (has_times)
        orr_server_read_times(server, &times);
    orr_data_set_reduction(server->run, data, kernel,
                           has_times ? &times : NULL);
}

static void serve_data_set_unordered(struct orr_server *server)
{
    struct orr_data *data = read_data(server);

    orr_data_set_unordered(server->run, data, orr_server_read(server) != 0);
}

static void serve_data_unregister(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    GError *error = NULL;
    bool good = orr_data_unregister(server->run, data, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_data_unregister_no_coherency(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    GError *error = NULL;
    bool good = orr_data_unregister_no_coherency(server->run, data, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_data_unregister_submit(struct orr_server *server)
{
    orr_data_unregister_submit(server->run, read_data(server));
}

static void serve_data_wont_use(struct orr_server *server)
{
    orr_data_wont_use(server->run, read_data(server));
}

/* ---- kernels ---- */

static void take_kernel(struct orr_server *server, struct orr_kernel *kernel,
                        GError *error)
{
    if (kernel)
        g_ptr_array_add(server->kernels, kernel);
    orr_server_answer_error(server, kernel, error);
}

static void serve_kernel_find_footprint(struct orr_server *server)
{
    const char *symbol = orr_read_text(&server->in);
    GError *error = NULL;
    struct orr_kernel *kernel = orr_kernel_find_footprint(
        server->run, symbol, (uint32_t)orr_server_read(server), &error);

    take_kernel(server, kernel, error);
}

static void serve_kernel_find_size(struct orr_server *server)
{
    const char *symbol = orr_read_text(&server->in);
    uint32_t footprint = (uint32_t)orr_server_read(server);
    uint64_t bytes = orr_server_read(server);
    enum orr_formula formula = (enum orr_formula)orr_server_read(server);
    GError *error = NULL;
    struct orr_kernel *kernel = orr_kernel_find_size(
        server->run, symbol, footprint, bytes, formula, &error);

    take_kernel(server, kernel, error);
}

/* More terms than any model has are as if there were none. */
enum { MAX_TERMS = 10000 };

static void serve_kernel_find_terms(struct orr_server *server)
{
    const char *symbol = orr_read_text(&server->in);
    uint32_t footprint = (uint32_t)orr_server_read(server);
    uint64_t count = orr_server_read(server);
    double *terms = count <= MAX_TERMS ? g_new0(double, count) : NULL;
    GError *error = NULL;
    struct orr_kernel *kernel;

    if (terms)
        orr_read_bytes(&server->in, terms, count * sizeof(*terms));
    kernel = orr_kernel_find_terms(server->run, symbol, footprint, terms,
                                   (unsigned)count, &error);
    g_free(terms);
    take_kernel(server, kernel, error);
}

static void serve_kernel_new(struct orr_server *server)
{
    GError *error = NULL;
    struct orr_kernel *kernel =
        orr_kernel_new(server->run, orr_read_text(&server->in), &error);

    take_kernel(server, kernel, error);
}

/* Costs by worker, then by implementation. */
struct cost_table {
    struct orr_cost *costs;
    uint64_t implementations;
};

static void find_cost(const void *data, unsigned worker,
                      unsigned implementation, struct orr_cost *cost)
{
    const struct cost_table *table = data;

    *cost = table->costs[worker * table->implementations + implementation];
}

struct orr_cost *orr_server_read_costs(struct orr_server *server,
                                       uint64_t implementations)
{
    uint64_t count;
    struct orr_cost *costs;

    if (implementations == 0 || implementations > ORR_MAX_IMPLEMENTATIONS)
        return NULL;
    count = implementations * orr_run_workers(server->run);
    costs = g_new0(struct orr_cost, count);
    for (uint64_t i = 0; i < count; i++) {
        costs[i].ns = (int64_t)orr_server_read(server);
        orr_read_bytes(&server->in, &costs[i].joules, sizeof(double));
    }
    return costs;
}

static void serve_kernel_set_implementations(struct orr_server *server)
{
    struct orr_kernel *kernel = read_kernel(server);
    uint64_t count = orr_server_read(server);
    g_autofree struct orr_cost *costs = orr_server_read_costs(server, count);
    const struct cost_table table = {costs, count};
    GError *error = NULL;
    bool good = orr_kernel_set_implementations(
        server->run, kernel, (unsigned)count, find_cost, &table, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_kernel_set_where(struct orr_server *server)
{
    struct orr_kernel *kernel = read_kernel(server);
    enum orr_where where = (enum orr_where)orr_server_read(server);
    GError *error = NULL;
    bool good = orr_kernel_set_where(server->run, kernel, where, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_kernel_takes(struct orr_server *server)
{
    orr_kernel_takes(server->run, (int64_t)orr_server_read(server));
}

/* ---- partitions ---- */

static void serve_partition_gather_on(struct orr_server *server)
{
    struct orr_partition *partition = read_partition(server);

    orr_partition_gather_on(partition, (unsigned)orr_server_read(server));
}

static void serve_partition_join(struct orr_server *server)
{
    orr_partition_join(read_partition(server));
}

static void serve_partition_join_readonly(struct orr_server *server)
{
    orr_partition_join_readonly(read_partition(server));
}

static void serve_partition_remove(struct orr_server *server)
{
    orr_partition_remove(read_partition(server));
}

static void serve_partition_split(struct orr_server *server)
{
    orr_partition_split(read_partition(server));
}

static void serve_partition_split_readonly(struct orr_server *server)
{
    orr_partition_split_readonly(read_partition(server));
}

static void serve_partition_new_parts(struct orr_server *server)
{
    struct orr_data *data = read_data(server);
    uint64_t count = orr_server_read(server);
    const uint64_t *words =
        orr_read_words(&server->in, count < UINT32_MAX ? 3 * count : count);
    struct orr_partition *partition;
    struct orr_part *parts;

    if (!words)
        return;
    parts = g_new(struct orr_part, count);
    for (uint64_t i = 0; i < count; i++)
        parts[i] =
            (struct orr_part){words[3 * i], words[3 * i + 1], words[3 * i + 2]};
    partition =
        orr_partition_new_parts(server->run, data, parts, (unsigned)count);
    g_free(parts);
    orr_server_answer(server, partition != NULL);
    if (!partition)
        return;
    g_ptr_array_add(server->partitions, partition);
    for (unsigned i = 0; i < count; i++)
        g_ptr_array_add(server->data, orr_partition_part(partition, i, 0));
}

/* ---- the run ---- */

static void serve_run_new(struct orr_server *server)
{
    unsigned workers = orr_run_workers(server->run);

    orr_server_answer(server, (uint64_t)orr_run_max_priority(server->run));
    orr_server_answer(server, workers);
    for (unsigned i = 0; i < workers; i++) {
        orr_server_answer(server, orr_run_worker_class(server->run, i));
        orr_server_answer(server, orr_run_worker_node(server->run, i));
        orr_packet_put_text(&server->out, orr_run_worker_name(server->run, i));
    }
    for (char *const *text = server->environment; *text; text++)
        orr_packet_put_text(&server->out, *text);
}

static void serve_run_flops_ns(struct orr_server *server)
{
    unsigned worker = (unsigned)orr_server_read(server);
    enum orr_kernel_precision precision =
        (enum orr_kernel_precision)orr_server_read(server);
    double flops = 0;

    orr_read_bytes(&server->in, &flops, sizeof(flops));
    orr_server_answer(server, (uint64_t)orr_run_flops_ns(server->run, worker,
                                                         precision, flops));
}

static void serve_run_free(struct orr_server *server)
{
    (void)server; /* the run ends later */
}

static void serve_run_acting_worker(struct orr_server *server)
{
    orr_server_answer(server, orr_run_acting_worker(server->run));
}

static void serve_run_execution(struct orr_server *server)
{
    unsigned worker = 0;
    int64_t started_ns = 0, ended_ns = 0;

    orr_server_answer(server, orr_run_execution(server->run, &worker,
                                                &started_ns, &ended_ns));
    orr_server_answer(server, worker);
    orr_server_answer(server, (uint64_t)started_ns);
    orr_server_answer(server, (uint64_t)ended_ns);
}

static void serve_run_bounds(struct orr_server *server)
{
    struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT};
    GError *error = NULL;
    bool good = orr_run_bounds(server->run, &bounds, &error);

    orr_server_answer_error(server, good, error);
    if (good)
        orr_packet_put_bytes(&server->out, &bounds, sizeof(bounds));
}

/* The command decides that: it asks for bounds itself. */
static void serve_run_keep_for_bounds(struct orr_server *server)
{
    orr_run_keep_for_bounds(server->run);
}

static void serve_run_now(struct orr_server *server)
{
    orr_server_answer(server, (uint64_t)orr_run_now(server->run));
}

static void serve_run_pause(struct orr_server *server)
{
    orr_run_pause(server->run);
}

static void serve_run_report(struct orr_server *server)
{
    const struct orr_report *report = orr_run_report(server->run);

    orr_packet_put_bytes(&server->out, report, sizeof(*report));
    orr_packet_put_text(&server->out, report->platform);
    orr_packet_put_text(&server->out, report->sched);
    orr_packet_put_text(&server->out, report->models);
    for (unsigned i = 0; i < report->worker_count; i++)
        orr_packet_put_bytes(&server->out, &report->workers[i],
                             sizeof(report->workers[i]));
    if (report->energy)
        orr_packet_put_bytes(&server->out, report->energy,
                             sizeof(*report->energy));
}

static void serve_run_resume(struct orr_server *server)
{
    orr_run_resume(server->run);
}

static void serve_run_schedule(struct orr_server *server)
{
    orr_run_schedule(server->run);
}

static void serve_run_sleep(struct orr_server *server)
{
    int64_t ns = (int64_t)orr_server_read(server);
    GError *error = NULL;
    bool good = orr_run_sleep(server->run, ns, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_run_wait(struct orr_server *server)
{
    GError *error = NULL;
    bool good = orr_run_wait(server->run, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_run_wait_tag(struct orr_server *server)
{
    uint64_t tag = orr_server_read(server);
    GError *error = NULL;
    bool good = orr_run_wait_tag(server->run, tag, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_run_set_buckets(struct orr_server *server)
{
    const char *buckets = orr_read_text(&server->in);
    GError *error = NULL;
    bool good = buckets && orr_run_set_buckets(server->run, buckets, &error);

    orr_server_answer_error(server, good, error);
}

static void serve_run_set_window(struct orr_server *server)
{
    uint64_t least = orr_server_read(server);

    orr_run_set_window(server->run, least, orr_server_read(server));
}

static void serve_run_tasks_in_flight(struct orr_server *server)
{
    orr_server_answer(server, orr_run_tasks_in_flight(server->run));
}

static void serve_run_tasks_ready(struct orr_server *server)
{
    orr_server_answer(server, orr_run_tasks_ready(server->run));
}

static void serve_run_wait_in_flight(struct orr_server *server)
{
    uint64_t most = orr_server_read(server);
    GError *error = NULL;
    bool good = orr_run_wait_in_flight(server->run, most, &error);

    orr_server_answer_error(server, good, error);
}

/* ---- messages that are no calls ---- */

static void serve_hello(struct orr_server *server)
{
    server->error = g_error_new(ORR_ERROR, ORR_ERROR_APP,
                                "%s: two of its processes call starpu_init()",
                                orr_process_name(server->process));
}

static void serve_answer(struct orr_server *server)
{
    orr_server_fail(server, "an answer");
}

static void serve_callback(struct orr_server *server)
{
    orr_server_fail(server, "a callback");
}

static void serve_control(struct orr_server *server)
{
    orr_server_fail(server, "a switch of threads");
}

static void serve_done(struct orr_server *server)
{
    orr_server_fail(server, "the end of a callback that was not called");
}

/* The program ends itself with an error. */
static void serve_fail(struct orr_server *server)
{
    const char *message = orr_read_text(&server->in);

    server->error = g_error_new(ORR_ERROR, ORR_ERROR_APP, "%s: %s",
                                orr_process_name(server->process),
                                message ? message : "it has failed");
}

/* Calls about tasks are in server_task.c. */
#define serve_task_expected_ns orr_server_task_expected_ns
#define serve_task_expected_transfer_ns orr_server_task_expected_transfer_ns
#define serve_task_release_end orr_server_task_release_end
#define serve_task_submit orr_server_task_submit
#define serve_tag_notify orr_server_tag_notify
#define serve_run_wait_task orr_server_run_wait_task

/* Calls about threads are in server_threads.c. */
#define serve_run_park orr_server_run_park
#define serve_run_thread_end orr_server_run_thread_end
#define serve_run_thread_new orr_server_run_thread_new
#define serve_run_unpark orr_server_run_unpark

void (*const orr_server_calls[ORR_REMOTE_COUNT])(struct orr_server *server) = {
#define SERVE(name) [ORR_REMOTE_##name] = serve_##name,
    ORR_REMOTE_KINDS(SERVE)
#undef SERVE
};
