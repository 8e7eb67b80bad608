/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each call becomes a message (runtime/remote/protocol.h). Handles are numbers,
 * which both sides count, so that a call that makes one needs no answer.
 */
#include "apps/starpu/remote/client.h"

#include <unistd.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/remote/client_data.h"
#include "apps/starpu/remote/client_threads.h"
#include "apps/starpu/remote/link.h"

/* A worker of the run, as it was when it began. */
struct remote_worker {
    enum orr_where where;
    unsigned node;
    char *name;
};

/* A partition: the handle of a program. */
struct remote_partition {
    uint64_t number, first_part;
    unsigned parts;
};

/* The run. */
static struct {
    uint64_t kernels, partitions, tasks; /* how many there are */
    int max_priority;
    unsigned worker_count;
    struct remote_worker *workers;
    GStringChunk *texts;
    struct orr_report report;
    struct orr_worker_report *worker_reports;
    struct orr_energy_report energy;
} remote;

/* ---- kernels ---- */

struct orr_kernel *sp_ask_kernel(GError **error)
{
    return sp_ask_error(error) ? sp_handle_of(++remote.kernels) : NULL;
}

static struct orr_kernel *kernel_find_footprint(struct orr_run *run,
                                                const char *symbol,
                                                uint32_t footprint,
                                                GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_kernel_find_footprint);
    sp_put_text(symbol);
    sp_put(footprint);
    return sp_ask_kernel(error);
}

static struct orr_kernel *kernel_new(struct orr_run *run, const char *name,
                                     GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_kernel_new);
    sp_put_text(name);
    return sp_ask_kernel(error);
}

static void put_cost(const struct orr_cost *cost)
{
    sp_put((uint64_t)cost->ns);
    orr_packet_put_bytes(&sp_link.out, &cost->joules, sizeof(cost->joules));
}

static bool kernel_set_implementations(
    struct orr_run *run, struct orr_kernel *kernel, unsigned count,
    void (*cost)(const void *data, unsigned worker, unsigned implementation,
                 struct orr_cost *cost),
    const void *data, GError **error)
{
    bool sane = count <= ORR_MAX_IMPLEMENTATIONS;

    (void)run;
    sp_begin(ORR_REMOTE_kernel_set_implementations);
    sp_put_handle(kernel);
    sp_put(count);
    for (unsigned w = 0; sane && w < remote.worker_count; w++) {
        for (unsigned i = 0; i < count; i++) {
            struct orr_cost value = {0, 0};

            cost(data, w, i, &value);
            put_cost(&value);
        }
    }
    return sp_ask_error(error);
}

static bool kernel_set_where(struct orr_run *run, struct orr_kernel *kernel,
                             enum orr_where where, GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_kernel_set_where);
    sp_put_handle(kernel);
    sp_put(where);
    return sp_ask_error(error);
}

static void kernel_takes(struct orr_run *run, int64_t ns)
{
    (void)run;
    sp_begin(ORR_REMOTE_kernel_takes);
    sp_put((uint64_t)ns);
    sp_send();
}

/* ---- partitions ---- */

static void put_partition(enum orr_remote_kind kind,
                          const struct orr_partition *partition)
{
    const struct remote_partition *own =
        (const struct remote_partition *)partition;

    sp_begin(kind);
    sp_put(own ? own->number : 0);
}

static void send_partition(enum orr_remote_kind kind,
                           const struct orr_partition *partition)
{
    put_partition(kind, partition);
    sp_send();
}

static void partition_gather_on(struct orr_partition *partition, unsigned node)
{
    put_partition(ORR_REMOTE_partition_gather_on, partition);
    sp_put(node);
    sp_send();
}

static void partition_join(struct orr_partition *partition)
{
    send_partition(ORR_REMOTE_partition_join, partition);
}

static void partition_join_readonly(struct orr_partition *partition)
{
    send_partition(ORR_REMOTE_partition_join_readonly, partition);
}

static void partition_remove(struct orr_partition *partition)
{
    send_partition(ORR_REMOTE_partition_remove, partition);
}

static void partition_split(struct orr_partition *partition)
{
    send_partition(ORR_REMOTE_partition_split, partition);
}

static void partition_split_readonly(struct orr_partition *partition)
{
    send_partition(ORR_REMOTE_partition_split_readonly, partition);
}

static struct orr_partition *partition_new_parts(struct orr_run *run,
                                                 struct orr_data *data,
                                                 const struct orr_part *parts,
                                                 unsigned count)
{
    struct remote_partition *partition;

    (void)run;
    sp_begin(ORR_REMOTE_partition_new_parts);
    sp_put_handle(data);
    sp_put(count);
    for (unsigned i = 0; i < count; i++) {
        sp_put(parts[i].column_bytes);
        sp_put(parts[i].columns);
        sp_put(parts[i].pitch_bytes);
    }
    if (!sp_ask_word())
        return NULL;
    partition = g_new(struct remote_partition, 1);
    *partition = (struct remote_partition){++remote.partitions,
                                           sp_number_data(count), count};
    return (struct orr_partition *)partition;
}

static struct orr_data *partition_part(const struct orr_partition *partition,
                                       unsigned row, unsigned column)
{
    const struct remote_partition *own =
        (const struct remote_partition *)partition;

    return row < own->parts && column == 0 ? sp_handle_of(own->first_part + row)
                                           : NULL;
}

/* ---- tasks ---- */

static uint64_t flags_of(const struct orr_task_spec *spec)
{
    return (spec->times ? ORR_REMOTE_TIMES : 0u) |
           (spec->unordered ? ORR_REMOTE_UNORDERED : 0u) |
           (spec->pinned ? ORR_REMOTE_PINNED : 0u) |
           (spec->synchronises ? ORR_REMOTE_SYNCHRONISES : 0u) |
           (spec->blocks_driver ? ORR_REMOTE_BLOCKS_DRIVER : 0u) |
           (spec->callback ? ORR_REMOTE_CALLBACK : 0u) |
           (spec->calls ? ORR_REMOTE_CALLS : 0u) |
           (spec->regenerated ? ORR_REMOTE_REGENERATED : 0u);
}

static void put_tags(const uint64_t *tags, unsigned count)
{
    sp_put(count);
    orr_packet_put_bytes(&sp_link.out, tags, count * sizeof(*tags));
}

static void put_lists(const struct orr_task_spec *spec)
{
    sp_put(spec->tag);
    put_tags(spec->wait_tags, spec->wait_count);
    put_tags(spec->end_tags, spec->end_count);
    sp_put(spec->end_releases);
    sp_put(spec->worker_count);
    for (unsigned i = 0; i < spec->worker_count; i++)
        sp_put(spec->workers[i]);
    sp_put(spec->scratch_count);
    for (unsigned i = 0; i < spec->scratch_count; i++)
        sp_put_handle(spec->scratch[i]);
    sp_put(spec->coordinate_count);
    for (unsigned i = 0; i < MIN(spec->coordinate_count, ORR_MAX_COORDINATES);
         i++)
        sp_put(spec->coordinates[i]);
    sp_put(spec->costs ? spec->implementations : 0);
    for (unsigned i = 0;
         spec->costs && i < spec->implementations * remote.worker_count; i++)
        put_cost(&spec->costs[i]);
}

static void put_task(const struct orr_task_spec *spec)
{
    sp_put(flags_of(spec));
    sp_put_handle(spec->kernel);
    sp_put((uint64_t)spec->priority);
    sp_put(spec->critical);
    sp_put(spec->count);
    for (unsigned i = 0; i < spec->count; i++)
        sp_put((uint64_t)(uintptr_t)spec->accesses[i].data << 16 |
               (uint16_t)spec->accesses[i].mode);
    sp_put_text(spec->name);
    put_lists(spec);
    if (spec->times)
        sp_put_times(spec->times);
    if (spec->callback)
        sp_put_call(spec->callback, spec->callback_data);
    if (!spec->calls)
        return;
    sp_put_call(spec->calls->prologue.function, spec->calls->prologue.data);
    sp_put_call(spec->calls->prologue_pop.function,
                spec->calls->prologue_pop.data);
    sp_put_call(spec->calls->epilogue.function, spec->calls->epilogue.data);
    sp_put_call(spec->calls->kernel.function, spec->calls->kernel.data);
}

static int64_t task_expected_ns(struct orr_run *run,
                                const struct orr_task_spec *spec,
                                unsigned worker, unsigned implementation)
{
    uint64_t callbacks = sp_link.callbacks; /* without the functions of @spec */

    (void)run;
    sp_begin(ORR_REMOTE_task_expected_ns);
    sp_put(worker);
    sp_put(implementation);
    put_task(spec);
    sp_link.callbacks = callbacks;
    return (int64_t)sp_ask_word();
}

static int64_t task_expected_transfer_ns(struct orr_run *run,
                                         const struct orr_task_spec *spec,
                                         unsigned node)
{
    uint64_t callbacks = sp_link.callbacks;

    (void)run;
    sp_begin(ORR_REMOTE_task_expected_transfer_ns);
    sp_put(node);
    put_task(spec);
    sp_link.callbacks = callbacks;
    return (int64_t)sp_ask_word();
}

static void task_release_end(struct orr_run *run, uint64_t task)
{
    (void)run;
    sp_begin(ORR_REMOTE_task_release_end);
    sp_put(task);
    sp_send();
}

static uint64_t task_submit(struct orr_run *run,
                            const struct orr_task_spec *spec)
{
    uint64_t number = remote.tasks++;

    (void)run;
    sp_begin(ORR_REMOTE_task_submit);
    put_task(spec);
    sp_send();
    return number;
}

static uint64_t run_next_task(struct orr_run *run)
{
    (void)run;
    return remote.tasks;
}

static void tag_notify(struct orr_run *run, uint64_t tag)
{
    (void)run;
    sp_begin(ORR_REMOTE_tag_notify);
    sp_put(tag);
    sp_send();
}

/* ---- the run ---- */

static unsigned run_acting_worker(const struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_acting_worker);
    return (unsigned)sp_ask_word();
}

static bool run_execution(const struct orr_run *run, unsigned *worker,
                          int64_t *started_ns, int64_t *ended_ns)
{
    struct orr_reader answer;
    bool known;

    (void)run;
    sp_begin(ORR_REMOTE_run_execution);
    answer = sp_ask();
    known = orr_read(&answer) != 0;
    *worker = (unsigned)orr_read(&answer);
    *started_ns = (int64_t)orr_read(&answer);
    *ended_ns = (int64_t)orr_read(&answer);
    return known;
}

static bool run_bounds(struct orr_run *run, struct orr_bounds_report *bounds,
                       GError **error)
{
    struct orr_reader answer;

    (void)run;
    sp_begin(ORR_REMOTE_run_bounds);
    answer = sp_ask();
    if (!sp_read_error(&answer, error))
        return false;
    orr_read_bytes(&answer, bounds, sizeof(*bounds));
    return true;
}

static void run_keep_for_bounds(struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_keep_for_bounds);
    sp_send();
}

static const char *run_keep_text(struct orr_run *run, const char *text)
{
    (void)run;
    return text ? g_string_chunk_insert_const(remote.texts, text) : NULL;
}

static int run_max_priority(const struct orr_run *run)
{
    (void)run;
    return remote.max_priority;
}

/* The other process does it when the run begins. */
static void run_wake(struct orr_run *run)
{
    (void)run;
}

/* Sends the options that the program asks for. */
static void send_hello(const struct orr_config *config)
{
    const char *name;

    sp_begin(ORR_REMOTE_hello);
    sp_put(ORR_REMOTE_VERSION);
    for (unsigned i = 0; (name = orr_config_name(i)); i++) {
        const char *value = orr_config_get(config, name);
        g_autofree char *text =
            value ? g_strconcat(name, *value ? "=" : "", value, NULL) : NULL;

        if (text)
            sp_put_text(text);
    }
    sp_send();
}

/* @text: "NAME=VALUE", as options of the command give it. */
static void set_variable(const char *text)
{
    const char *value = text ? strchr(text, '=') : NULL;
    g_autofree char *name =
        value ? g_strndup(text, (gsize)(value - text)) : NULL;

    if (name)
        g_setenv(name, value + 1, TRUE);
}

/* Waits for the begin of the run; everything before was in no simulated time.
 */
static struct orr_run *run_new(const struct orr_config *config, GError **error)
{
    struct orr_reader answer;

    (void)error;
    sp_link.run = (struct orr_run *)(void *)&remote;
    remote.texts = g_string_chunk_new(1 << 12);
    send_hello(config);
    sp_begin(ORR_REMOTE_run_new);
    answer = sp_ask();
    remote.max_priority = (int)orr_read(&answer);
    remote.worker_count = (unsigned)orr_read(&answer);
    remote.workers = g_new0(struct remote_worker, remote.worker_count);
    for (unsigned i = 0; i < remote.worker_count; i++) {
        struct remote_worker *worker = &remote.workers[i];

        worker->where = (enum orr_where)orr_read(&answer);
        worker->node = (unsigned)orr_read(&answer);
        worker->name = g_strdup(orr_read_text(&answer));
    }
    while (answer.at < answer.end)
        set_variable(orr_read_text(&answer));
    return sp_link.run;
}

static int64_t run_flops_ns(const struct orr_run *run, unsigned worker,
                            enum orr_kernel_precision precision, double flops)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_flops_ns);
    sp_put(worker);
    sp_put(precision);
    orr_packet_put_bytes(&sp_link.out, &flops, sizeof(flops));
    return (int64_t)sp_ask_word();
}

static void run_free(struct orr_run *run)
{
    if (!run)
        return;
    sp_begin(ORR_REMOTE_run_free);
    sp_ask();
    sp_link.ended = true; /* the socket is for an error that comes later */
    g_string_chunk_free(remote.texts);
    for (unsigned i = 0; i < remote.worker_count; i++)
        g_free(remote.workers[i].name);
    g_free(remote.workers);
    g_free(remote.worker_reports);
    g_clear_pointer(&sp_link.words, g_free);
    sp_link.room = 0;
    g_free(sp_link.out.words);
    sp_link.out = (struct orr_packet){.words = NULL};
}

static int64_t run_now(const struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_now);
    return (int64_t)sp_ask_word();
}

static const char *keep(struct orr_reader *answer)
{
    return run_keep_text(NULL, orr_read_text(answer));
}

/* Empties what would point to the other process. */
static void clear_lists(struct orr_report *report)
{
    static const char *const none[] = {NULL};

    report->sched_file = NULL;
    report->evict = NULL;
    report->change_count = 0;
    report->changes = none;
    report->unused = none;
}

static void read_energy(struct orr_reader *answer)
{
    orr_read_bytes(answer, &remote.energy, sizeof(remote.energy));
    remote.energy.device_count = 0;
    remote.energy.devices = NULL;
    remote.energy.kernel_count = 0;
    remote.energy.kernels = NULL;
    remote.report.energy = &remote.energy;
}

static void run_pause(struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_pause);
    sp_send();
}

static const struct orr_report *run_report(struct orr_run *run)
{
    struct orr_report *report = &remote.report;
    struct orr_reader answer;

    (void)run;
    sp_begin(ORR_REMOTE_run_report);
    answer = sp_ask();
    orr_read_bytes(&answer, report, sizeof(*report));
    clear_lists(report);
    report->platform = keep(&answer);
    report->sched = keep(&answer);
    report->models = keep(&answer);
    remote.worker_reports = g_renew(struct orr_worker_report,
                                    remote.worker_reports, remote.worker_count);
    for (unsigned i = 0; i < remote.worker_count; i++) {
        orr_read_bytes(&answer, &remote.worker_reports[i],
                       sizeof(remote.worker_reports[i]));
        remote.worker_reports[i].name = remote.workers[i].name;
    }
    report->worker_count = remote.worker_count;
    report->workers = remote.worker_reports;
    if (report->energy)
        read_energy(&answer);
    return report;
}

static void run_resume(struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_resume);
    sp_send();
}

static void run_schedule(struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_schedule);
    sp_send();
}

static bool run_set_buckets(struct orr_run *run, const char *buckets,
                            GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_set_buckets);
    sp_put_text(buckets);
    return sp_ask_error(error);
}

static void run_set_window(struct orr_run *run, uint64_t least, uint64_t most)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_set_window);
    sp_put(least);
    sp_put(most);
    sp_send();
}

static uint64_t run_tasks_in_flight(const struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_tasks_in_flight);
    return sp_ask_word();
}

static uint64_t run_tasks_ready(const struct orr_run *run)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_tasks_ready);
    return sp_ask_word();
}

static bool run_wait_in_flight(struct orr_run *run, uint64_t most,
                               GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_wait_in_flight);
    sp_put(most);
    return sp_ask_error(error);
}

static bool run_sleep(struct orr_run *run, int64_t ns, GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_sleep);
    sp_put((uint64_t)ns);
    return sp_ask_error(error);
}

static bool run_wait(struct orr_run *run, GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_wait);
    return sp_ask_error(error);
}

static bool run_wait_tag(struct orr_run *run, uint64_t tag, GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_wait_tag);
    sp_put(tag);
    return sp_ask_error(error);
}

static bool run_wait_task(struct orr_run *run, uint64_t task, GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_run_wait_task);
    sp_put(task);
    return sp_ask_error(error);
}

static enum orr_where run_worker_class(const struct orr_run *run,
                                       unsigned worker)
{
    (void)run;
    return worker < remote.worker_count ? remote.workers[worker].where
                                        : ORR_WHERE_ANY;
}

static const char *run_worker_name(const struct orr_run *run, unsigned worker)
{
    (void)run;
    return worker < remote.worker_count ? remote.workers[worker].name : NULL;
}

static unsigned run_worker_node(const struct orr_run *run, unsigned worker)
{
    (void)run;
    return worker < remote.worker_count ? remote.workers[worker].node
                                        : UINT_MAX;
}

static unsigned run_workers(const struct orr_run *run)
{
    (void)run;
    return remote.worker_count;
}

const struct sp_calls sp_remote_calls = {
#define SP_MEMBER(name) .name = sp_remote_##name,
    SP_REMOTE_DATA_CALLS(SP_MEMBER) SP_REMOTE_THREAD_CALLS(SP_MEMBER)
#undef SP_MEMBER
        .kernel_find_footprint = kernel_find_footprint,
    .kernel_find_size = sp_ask_kernel_of_size,
    .kernel_find_terms = sp_ask_kernel_of_terms,
    .kernel_new = kernel_new,
    .kernel_set_implementations = kernel_set_implementations,
    .kernel_set_where = kernel_set_where,
    .kernel_takes = kernel_takes,
    .partition_gather_on = partition_gather_on,
    .partition_join = partition_join,
    .partition_join_readonly = partition_join_readonly,
    .partition_new_parts = partition_new_parts,
    .partition_part = partition_part,
    .partition_remove = partition_remove,
    .partition_split = partition_split,
    .partition_split_readonly = partition_split_readonly,
    .run_acting_worker = run_acting_worker,
    .run_bounds = run_bounds,
    .run_execution = run_execution,
    .run_flops_ns = run_flops_ns,
    .run_free = run_free,
    .run_keep_for_bounds = run_keep_for_bounds,
    .run_keep_text = run_keep_text,
    .run_max_priority = run_max_priority,
    .run_new = run_new,
    .run_now = run_now,
    .run_next_task = run_next_task,
    .run_pause = run_pause,
    .run_report = run_report,
    .run_resume = run_resume,
    .run_schedule = run_schedule,
    .run_set_buckets = run_set_buckets,
    .run_set_window = run_set_window,
    .run_sleep = run_sleep,
    .run_tasks_in_flight = run_tasks_in_flight,
    .run_tasks_ready = run_tasks_ready,
    .run_wait = run_wait,
    .run_wait_in_flight = run_wait_in_flight,
    .run_wait_tag = run_wait_tag,
    .run_wait_task = run_wait_task,
    .run_wake = run_wake,
    .run_worker_class = run_worker_class,
    .run_worker_name = run_worker_name,
    .run_worker_node = run_worker_node,
    .run_workers = run_workers,
    .tag_notify = tag_notify,
    .task_expected_ns = task_expected_ns,
    .task_expected_transfer_ns = task_expected_transfer_ns,
    .task_release_end = task_release_end,
    .task_submit = task_submit,
};
