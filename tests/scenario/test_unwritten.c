/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random graphs whose tasks often only write, on GPUs that are short of memory:
 * the content of every buffer is followed, from the kernel that writes it
 * through copies to the kernels that read it.
 */
#include "runtime/run.h"
#include "runtime/worker/worker.h"
#include "sched/registry.h"
#include "tests/support/random_run.h"

enum { PLANS = 150 };

/* What a buffer holds: the version of its datum, counted from 1 by kernels that
 * wrote it; or one of these. */
enum { UNWRITTEN, FIRST_VERSION };

struct content {
    unsigned newest;                /* version */
    bool written_now;               /* a kernel that writes is running */
    unsigned held[ORR_MAX_NODES];   /* by the buffer on each node */
    unsigned coming[ORR_MAX_NODES]; /* with the copy to each node */
};

static struct {
    struct unit_run *unit;
    void (*kernel)(struct orr_executor *, struct orr_worker *,
                   struct orr_job *);
    void (*copy)(struct orr_executor *, struct orr_copy *);
    uint32_t seen; /* notes of the history */
    uint64_t evictions;
    unsigned unwritten; /* copies of what nobody wrote */
    GHashTable *jobs;   /* that run: by order of submission */
    struct content contents[MAX_DATA];
} spy;

static struct content *content_of(const struct orr_data *data)
{
    assert_in_range(data->id, 0, MAX_DATA - 1);
    return &spy.contents[data->id];
}

/* A buffer that was evicted holds nothing any more. */
static void notice_evictions(void)
{
    const struct orr_decision_history *history = &spy.unit->run->history;

    while (spy.seen != history->next) {
        const struct orr_past_decision *note = &history->notes[spy.seen];

        spy.seen = (spy.seen + 1) % ORR_HISTORY_LENGTH;
        if (note->kind != ORR_PAST_EVICT)
            continue;
        content_of(note->what)->held[note->from] = UNWRITTEN;
        spy.evictions++;
    }
    assert_int_equal(spy.evictions, spy.unit->run->totals.report.evictions);
}

static void spy_kernel(struct orr_executor *executor, struct orr_worker *worker,
                       struct orr_job *job)
{
    notice_evictions();
    for (unsigned i = 0; i < job->access_count; i++) {
        const struct orr_job_access *access = &job->accesses[i];
        struct content *content = content_of(orr_access_data(access));

        assert_false(content->written_now);
        if (orr_access_mode(access) & ORR_R)
            assert_int_equal(content->held[worker->device], content->newest);
        if (orr_access_mode(access) & ORR_W)
            content->written_now = true;
    }
    g_hash_table_insert(spy.jobs, GUINT_TO_POINTER((guint)job->id), job);
    spy.kernel(executor, worker, job);
}

static void spy_task(struct orr_trace *trace, const struct orr_trace_task *task)
{
    const struct orr_job *job =
        g_hash_table_lookup(spy.jobs, GUINT_TO_POINTER((guint)task->order));
    unsigned node = spy.unit->run->workers[task->worker]->device;

    notice_evictions();
    assert_non_null(job);
    for (unsigned i = 0; i < job->access_count; i++) {
        struct content *content =
            content_of(orr_access_data(&job->accesses[i]));

        if (!(orr_access_mode(&job->accesses[i]) & ORR_W))
            continue;
        content->written_now = false;
        content->held[node] = ++content->newest;
    }
    unit_record_task(trace, task);
}

/* The reference prefetches a buffer for a task that only writes as if it had
 * been written, and may evict it before the task fetches it. */
static bool is_like_the_reference(const struct orr_copy *copy)
{
    const struct orr_request *request = copy->request;

    return orr_switches_quirks(&spy.unit->run->switches) &&
           request->data->users == 1 && request->data->mode == ORR_W &&
           request->from->expected > 0 && copy->to == ORR_RAM &&
           (request->evicts || request->level == ORR_IDLE);
}

static bool writes(const struct orr_job *job, const struct orr_data *data)
{
    for (unsigned i = 0; i < job->access_count; i++) {
        if (orr_access_data(&job->accesses[i]) == data)
            return orr_access_mode(&job->accesses[i]) & ORR_W;
    }
    return false;
}

/* Whether a worker on @node holds a task that writes @data and has all that it
 * reads. */
static bool has_writer(const struct orr_data *data, unsigned node)
{
    const struct orr_run *run = spy.unit->run;

    for (unsigned i = 0; i < run->worker_count; i++) {
        const struct orr_worker *worker = run->workers[i];

        for (unsigned n = 0; n < ORR_MAX_PIPELINE; n++) {
            const struct orr_job *job = worker->pipeline[n];

            if (worker->device == node && job && job != worker->fetching &&
                writes(job, data))
                return true;
        }
    }
    return false;
}

static void spy_copy(struct orr_executor *executor, struct orr_copy *copy)
{
    struct content *content = content_of(copy->request->data);
    unsigned version;

    notice_evictions();
    version = content->held[copy->from];
    assert_false(content->written_now);
    assert_false(has_writer(copy->request->data, copy->from));
    if (version == UNWRITTEN) {
        spy.unwritten++;
        assert_true(is_like_the_reference(copy));
    }
    content->coming[copy->to] = version;
    spy.copy(executor, copy);
}

static unsigned node_called(const char *name)
{
    unsigned node = 0;

    while (!g_str_equal(orr_platform_node_name(spy.unit->run->platform, node),
                        name))
        node++;
    return node;
}

static void spy_copied(struct orr_trace *trace,
                       const struct orr_trace_copy *copy)
{
    struct content *content = &spy.contents[copy->data];
    unsigned to = node_called(copy->to);

    notice_evictions();
    content->held[to] = content->coming[to];
    unit_record_copy(trace, copy);
}

static void put_spies(struct unit_run *unit)
{
    struct orr_executor *executor = unit->run->store.executor;

    spy.unit = unit;
    spy.seen = unit->run->history.next;
    spy.evictions = 0;
    spy.kernel = executor->kernel;
    spy.copy = executor->copy;
    executor->kernel = spy_kernel;
    executor->copy = spy_copy;
    unit->run->totals.calls = (struct orr_trace){
        ORR_TRACE_INIT, .task = spy_task, .copy = spy_copied};
    for (unsigned i = 0; i < MAX_DATA; i++) {
        spy.contents[i] = (struct content){.newest = FIRST_VERSION};
        spy.contents[i].held[ORR_RAM] = FIRST_VERSION;
    }
}

/* Every valid copy holds what was written last. */
static void check_valid_copies(const struct orr_run *run)
{
    for (unsigned i = 0; i < run->store.data->len; i++) {
        const struct orr_data *data = g_ptr_array_index(run->store.data, i);
        const struct content *content = content_of(data);

        assert_false(content->written_now);
        for (unsigned node = 0; node < run->node_count; node++) {
            if (orr_replicate_is_valid(&data->copies[node]))
                assert_int_equal(content->held[node], content->newest);
        }
    }
}

static void check_plan(const struct random_plan *plan)
{
    struct random_run random;

    random_run_begin(&random, plan);
    spy.jobs = g_hash_table_new(NULL, NULL);
    put_spies(random.unit);
    random_run_finish(&random);
    while (orr_actors_step(&random.unit->run->engine))
        ;
    notice_evictions();
    check_valid_copies(random.unit->run);
    g_hash_table_unref(spy.jobs);
    random_run_end(&random);
}

/* GPUs that hold four data each; two of three accesses only write. */
static void draw(struct random_plan *plan, const char *sched,
                 const char *models, uint32_t seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);

    random_plan_draw(plan, sched, seed);
    plan->config.models = models;
    plan->config.gpus = g_rand_int_range(rand, 2, 4);
    plan->config.gpu_memory_bytes = 32 << 20;
    plan->config.pipeline = ORR_DEFAULT_PIPELINE; /* more may deadlock */
    plan->data_count = MAX_DATA;
    for (unsigned i = 0; i < MAX_DATA; i++)
        plan->bytes[i] = 7 << 20;
    for (unsigned i = 0; i < plan->count; i++) {
        struct random_step *step = &plan->steps[i];

        step->count = MIN(step->count, 2);
        for (unsigned n = 0; n < step->count; n++)
            step->data[n] = (unsigned)g_rand_int_range(rand, 0, MAX_DATA);
        for (unsigned n = 0; n < step->count; n++) {
            if (g_rand_int_range(rand, 0, 2))
                step->modes[n] = ORR_W;
        }
    }
}

static void check_policies(const char *models)
{
    const struct orr_sched_ops *ops;

    spy.unwritten = 0;
    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        for (uint32_t seed = 0;
             seed < orr_tests_share(orr_tests_are_full() ? PLANS : PLANS / 2);
             seed++) {
            struct random_plan plan;

            draw(&plan, ops->name, models, seed);
            check_plan(&plan);
        }
    }
}

static void no_unwritten_copy_is_sent_without_quirks(void **state)
{
    (void)state;
    check_policies("quirks=off");
    assert_int_equal(spy.unwritten, 0);
}

static void no_unwritten_copy_is_sent_on_clean_machines(void **state)
{
    (void)state;
    check_policies("clean,overheads=off");
    assert_int_equal(spy.unwritten, 0);
}

static void with_quirks_only_those_of_the_reference_are_sent(void **state)
{
    (void)state;
    check_policies("quirks=on");
    assert_int_not_equal(spy.unwritten, 0);
}

ORR_TESTS(unwritten)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_unwritten_copy_is_sent_without_quirks),
        cmocka_unit_test(no_unwritten_copy_is_sent_on_clean_machines),
        cmocka_unit_test(with_quirks_only_those_of_the_reference_are_sent),
    };

    return cmocka_run_group_tests_name("unwritten", tests, NULL, NULL);
}
