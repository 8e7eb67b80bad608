/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random graphs on random machines, under every policy: what must hold of any
 * run whatever its decisions.
 */
#include "models/base/units.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"
#include "sched/registry.h"
#include "tests/support/random_run.h"

enum {
    PLANS = 60,
    ROUNDING = 1 /* ns, of dates in lock-step */
};

/* What the executor really does. */
static void (*real_kernel)(struct orr_executor *, struct orr_worker *,
                           struct orr_job *);
static void (*real_copy)(struct orr_executor *, struct orr_copy *);

static void check_valid(const struct orr_replicate *copy,
                        enum orr_access_mode mode)
{
    assert_true(orr_replicate_is_allocated(copy));
    assert_true(copy->uses > 0);
    assert_true(copy->data->users > 0);
    assert_false(orr_replicate_is_loading(copy));
    assert_int_not_equal(orr_replicate_state(copy), ORR_INVALID);
    if (mode & ORR_W)
        assert_int_equal(orr_replicate_state(copy), ORR_OWNER);
}

static void spy_kernel(struct orr_executor *executor, struct orr_worker *worker,
                       struct orr_job *job)
{
    for (unsigned i = 0; i < job->access_count; i++)
        check_valid(&orr_access_data(&job->accesses[i])->copies[worker->device],
                    orr_access_mode(&job->accesses[i]));
    assert_true(orr_job_can_run(worker->run, job, worker->device));
    real_kernel(executor, worker, job);
}

static void spy_copy(struct orr_executor *executor, struct orr_copy *copy)
{
    const struct orr_request *request = copy->request;

    /* A prefetch for a writer invalidates at once what others still copy; the
     * writer itself waits for them, and invalidates what they brought. */
    assert_true(orr_replicate_is_valid(request->from) ||
                (request->data->users > 0 && request->data->mode == ORR_W));
    assert_int_equal(orr_replicate_state(request->to), ORR_INVALID);
    assert_true(orr_replicate_is_allocated(request->to));
    assert_int_equal(request->from->node, copy->from);
    assert_int_equal(request->to->node, copy->to);
    real_copy(executor, copy);
}

/* A run whose executor checks that the data that it is given are there. */
static void perform(struct random_run *random, const struct random_plan *plan)
{
    struct orr_executor *executor;

    random_run_begin(random, plan);
    executor = random->unit->run->store.executor;
    real_kernel = executor->kernel;
    real_copy = executor->copy;
    executor->kernel = spy_kernel;
    executor->copy = spy_copy;
    random_run_finish(random);
}

/* What a step does with a datum, listed once or several times: a mode, or 0. It
 * commutes if it says so each time. */
static unsigned mode_of(const struct random_step *step, unsigned datum)
{
    unsigned mode = 0, commutes = ORR_COMMUTE;

    for (unsigned i = 0; i < step->count; i++) {
        if (step->data[i] != datum)
            continue;
        mode |= step->modes[i] & ORR_RW;
        commutes &= step->modes[i];
    }
    return mode ? mode | commutes : 0;
}

/* Whether two steps must not be at work at a time, and, if @ordered, have to be
 * in the order of submission. */
static bool conflict(const struct random_step *earlier,
                     const struct random_step *later, bool ordered)
{
    for (unsigned datum = 0; datum < MAX_DATA; datum++) {
        unsigned one = mode_of(earlier, datum), other = mode_of(later, datum);

        if (one && other && ((one | other) & ORR_W) &&
            !(ordered && (one & other & ORR_COMMUTE)))
            return true;
    }
    return false;
}

static bool awaits(const struct random_step *step, uint64_t tag)
{
    for (unsigned i = 0; i < step->wait_count; i++) {
        if (step->wait_tags[i] == tag)
            return true;
    }
    return false;
}

/* Tasks by order of submission; their steps too. */
struct history {
    unsigned count;
    const struct orr_trace_task *tasks[MAX_STEPS];
    const struct random_step *steps[MAX_STEPS];
    uint64_t tags[MAX_STEPS];
};

static void check_each_task_ran_once(const struct random_run *random,
                                     struct history *history)
{
    const struct unit_run *unit = random->unit;

    *history = (struct history){0};
    for (unsigned i = 0; i < random->plan->count; i++) {
        if (random->plan->steps[i].kind == WONT_USE)
            continue;
        history->tags[history->count] = random_step_tag(i);
        history->steps[history->count++] = &random->plan->steps[i];
    }
    assert_int_equal(unit->tasks->len, history->count);
    for (unsigned i = 0; i < history->count; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);

        assert_true(task->order < history->count);
        assert_null(history->tasks[task->order]);
        history->tasks[task->order] = task;
    }
}

static void check_dates(const struct unit_run *unit)
{
    orr_time free_at[16] = {0}, kernel_at[16] = {0};

    for (unsigned i = 0; i < unit->tasks->len; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);

        assert_true(task->submitted <= task->ready);
        assert_true(task->ready <= task->arrived);
        assert_true(task->arrived <= task->started);
        assert_true(task->started < task->ended);
        assert_true(task->worker < unit->run->worker_count);
        assert_true(task->started >= free_at[task->worker]);
        free_at[task->worker] = task->ended;
        assert_true(task->submitted <= task->kernel_started);
        assert_true(task->kernel_started + ROUNDING >= kernel_at[task->worker]);
        assert_true(task->kernel_started < task->kernel_ended);
        assert_true(task->kernel_ended <= task->ended);
        kernel_at[task->worker] = task->kernel_ended;
    }
    for (unsigned i = 0; i < unit->copies->len; i++) {
        const struct orr_trace_copy *copy = unit_copy(unit, i);

        assert_true(copy->submitted <= copy->started);
        assert_true(copy->started < copy->ended);
    }
}

static orr_time shortest(const struct orr_run *run,
                         const struct orr_kernel *kernel)
{
    orr_time least = ORR_NEVER;

    for (unsigned w = 0; w < run->worker_count; w++)
        least = MIN(least, kernel->by_worker[w]);
    return least;
}

/* Tasks start after those that they depend on; the run is as long as the
 * longest chain of kernels at the least. */
static void check_dependencies(const struct random_run *random,
                               const struct history *history)
{
    struct unit_run *unit = random->unit;
    orr_time earliest[MAX_STEPS];
    orr_time path = 0;

    for (unsigned later = 0; later < history->count; later++) {
        const struct random_step *step = history->steps[later];

        earliest[later] = 0;
        for (unsigned earlier = 0; earlier < later; earlier++) {
            if (!conflict(history->steps[earlier], step, true) &&
                !awaits(step, history->tags[earlier]))
                continue;
            assert_true(history->tasks[later]->started >=
                        history->tasks[earlier]->ended);
            earliest[later] = MAX(earliest[later], earliest[earlier]);
        }
        earliest[later] +=
            shortest(unit->run, random_run_kernel(unit, step->kind));
        path = MAX(path, earliest[later]);
    }
    assert_true(orr_run_report(unit->run)->makespan_ns >= path);
}

/* Tasks that await a later one start after it; those that commute are not at
 * work together. */
static void check_what_is_not_in_order(const struct history *history)
{
    for (unsigned i = 0; i < history->count; i++) {
        const struct orr_trace_task *task = history->tasks[i];

        for (unsigned later = i + 1; later < history->count; later++) {
            const struct orr_trace_task *other = history->tasks[later];

            if (awaits(history->steps[i], history->tags[later]))
                assert_true(task->started >= other->ended);
            if (conflict(history->steps[i], history->steps[later], false))
                assert_true(task->started >= other->ended ||
                            other->started >= task->ended);
        }
    }
}

static void check_report(const struct unit_run *unit)
{
    const struct orr_report *report = orr_run_report(unit->run);
    uint64_t tasks = 0, in = 0, out = 0, between = 0;

    for (unsigned i = 0; i < report->worker_count; i++) {
        assert_true(report->workers[i].busy_ns <= report->makespan_ns);
        tasks += report->workers[i].tasks;
    }
    for (unsigned i = 0; i < unit->copies->len; i++) {
        const struct orr_trace_copy *copy = unit_copy(unit, i);
        bool from_ram = g_str_equal(copy->from, "RAM");
        bool to_ram = g_str_equal(copy->to, "RAM");

        assert_false(g_str_equal(copy->from, copy->to));
        *(from_ram ? &in : to_ram ? &out : &between) += copy->bytes;
    }
    assert_int_equal(report->tasks, unit->tasks->len);
    assert_int_equal(tasks, report->tasks);
    assert_int_equal(report->copies, unit->copies->len);
    assert_int_equal(report->bytes_host_to_device, in);
    assert_int_equal(report->bytes_device_to_host, out);
    assert_int_equal(report->bytes_device_to_device, between);
}

/* The makespan lasts until the runtime has done all for the application: longer
 * than the last task only if it has to note that data are not used any more. */
static void check_makespan(const struct random_run *random)
{
    const struct unit_run *unit = random->unit;
    const struct random_plan *plan = random->plan;
    orr_time makespan = orr_run_report(unit->run)->makespan_ns;
    orr_time last = 0;
    bool notes = false;

    for (unsigned i = 0; i < plan->count; i++)
        notes |= plan->steps[i].kind == WONT_USE;
    for (unsigned i = 0; i < unit->tasks->len; i++)
        last = MAX(last, unit_task(unit, i)->ended);
    assert_true(notes ? makespan >= last : makespan == last);
}

static void check_datum_at_rest(const struct orr_run *run,
                                const struct orr_data *data)
{
    unsigned owners = 0, shared = 0;

    assert_int_equal(data->users, 0);
    assert_int_equal(data->uses, 0);
    assert_int_equal(data->awaited, 0);
    assert_null(data->invalidation);
    assert_int_equal(data->newest_access, 0);
    assert_null(data->last_exclusive);
    assert_null(data->holder);
    assert_null(data->requesters);
    assert_false(data->arbitrated);
    for (unsigned node = 0; node < run->node_count; node++) {
        const struct orr_replicate *copy = &data->copies[node];

        owners += orr_replicate_is_owner(copy);
        shared += orr_replicate_state(copy) == ORR_SHARED;
        assert_true(!orr_replicate_is_valid(copy) ||
                    orr_replicate_is_allocated(copy));
        assert_int_equal(copy->uses, 0);
        assert_false(orr_replicate_is_loading(copy));
        assert_null(copy->requests);
        assert_false(copy->has_taskless);
        assert_true(!data->watchers || !data->watchers[node]);
    }
    assert_true((owners == 1 && shared == 0) || (owners == 0 && shared > 1));
}

static void check_memory_at_rest(const struct orr_run *run, unsigned node)
{
    const struct orr_memory *memory = &run->store.memories[node];
    unsigned buffers = 0;

    for (unsigned i = 0; i < run->store.data->len; i++) {
        const struct orr_data *data = g_ptr_array_index(run->store.data, i);

        buffers += orr_replicate_is_allocated(&data->copies[node]);
    }
    assert_int_equal(memory->buffers, buffers);
    assert_false(run->store.reclaiming_nodes & 1u << node);
    assert_null(memory->evicted.copy);
    assert_null(memory->next.copy);
    assert_true(orr_suballoc_used(memory->pool) <= run->gpu_memory_bytes);
    for (unsigned way = 0; way < ORR_DIRECTIONS; way++) {
        assert_int_equal(memory->queues.has_pending[way], 0);
        for (unsigned level = 0; level < ORR_LEVELS; level++)
            assert_int_equal(memory->queues.has_waiting[way][level], 0);
    }
}

/* Once write-backs in flight have ended, nothing is held or pending. */
static void check_rest(const struct unit_run *unit)
{
    struct orr_run *run = unit->run;

    while (orr_actors_step(&run->engine))
        ;
    assert_int_equal(run->graph.live, 0);
    assert_int_equal(run->store.copies.under_way, 0);
    assert_null(run->store.driver_lock.owner);
    for (unsigned i = 0; i < run->store.data->len; i++)
        check_datum_at_rest(run, g_ptr_array_index(run->store.data, i));
    for (unsigned node = 1; node < run->node_count; node++)
        check_memory_at_rest(run, node);
    for (unsigned i = 0; i < run->worker_count; i++)
        assert_int_equal(run->workers[i]->count, 0);
}

typedef void plan_check(const struct random_plan *plan);

/* Applies @check to many plans for every policy. */
static void for_all_plans(plan_check *check)
{
    const struct orr_sched_ops *ops;

    for (size_t i = 0; (ops = orr_sched_builtin(i)); i++) {
        for (uint32_t seed = 0;
             seed < orr_tests_share(orr_tests_are_full() ? PLANS : PLANS / 2);
             seed++) {
            struct random_plan plan;

            random_plan_draw(&plan, ops->name, seed);
            check(&plan);
        }
    }
}

static void check_run(const struct random_plan *plan)
{
    struct random_run random;
    struct history history;

    perform(&random, plan);
    check_each_task_ran_once(&random, &history);
    check_dates(random.unit);
    check_dependencies(&random, &history);
    check_what_is_not_in_order(&history);
    check_report(random.unit);
    check_makespan(&random);
    check_rest(random.unit);
    random_run_end(&random);
}

static void every_run_is_sound(void **state)
{
    (void)state;
    for_all_plans(check_run);
}

static void assert_same_tasks(const struct unit_run *a,
                              const struct unit_run *b)
{
    assert_int_equal(a->tasks->len, b->tasks->len);
    for (unsigned i = 0; i < a->tasks->len; i++) {
        const struct orr_trace_task *one = unit_task(a, i);
        const struct orr_trace_task *other = unit_task(b, i);

        assert_int_equal(one->order, other->order);
        assert_int_equal(one->worker, other->worker);
        assert_int_equal(one->submitted, other->submitted);
        assert_int_equal(one->started, other->started);
        assert_int_equal(one->ended, other->ended);
    }
}

static void assert_same_copies(const struct unit_run *a,
                               const struct unit_run *b)
{
    assert_int_equal(a->copies->len, b->copies->len);
    for (unsigned i = 0; i < a->copies->len; i++) {
        const struct orr_trace_copy *one = unit_copy(a, i);
        const struct orr_trace_copy *other = unit_copy(b, i);

        assert_string_equal(one->from, other->from);
        assert_string_equal(one->to, other->to);
        assert_string_equal(one->why, other->why);
        assert_int_equal(one->data, other->data);
        assert_int_equal(one->started, other->started);
        assert_int_equal(one->ended, other->ended);
    }
}

static void check_again(const struct random_plan *plan)
{
    struct random_run first, second;

    random_run_begin(&first, plan);
    random_run_finish(&first);
    random_run_begin(&second, plan);
    random_run_finish(&second);
    assert_same_tasks(first.unit, second.unit);
    assert_same_copies(first.unit, second.unit);
    random_run_end(&first);
    random_run_end(&second);
}

static void the_same_run_has_the_same_trace(void **state)
{
    (void)state;
    for_all_plans(check_again);
}

/* Two runs, a step of one and then a step of the other. */
static void check_interleaved(const struct random_plan *plan)
{
    struct random_run alone, one, other;
    struct random_plan different;
    bool more;

    random_plan_draw(&different, plan->config.sched,
                     (uint32_t)plan->config.seed + 1);
    random_run_begin(&alone, plan);
    random_run_finish(&alone);
    random_run_begin(&one, plan);
    random_run_begin(&other, &different);
    do {
        more = random_run_go_on(&one);
        more |= random_run_go_on(&other);
    } while (more);
    random_run_finish(&other);
    random_run_finish(&one);
    assert_same_tasks(alone.unit, one.unit);
    assert_same_copies(alone.unit, one.unit);
    random_run_end(&alone);
    random_run_end(&one);
    random_run_end(&other);
}

static void runs_side_by_side_do_not_disturb_each_other(void **state)
{
    (void)state;
    for_all_plans(check_interleaved);
}

ORR_TESTS(property)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_is_sound),
        cmocka_unit_test(the_same_run_has_the_same_trace),
        cmocka_unit_test(runs_side_by_side_do_not_disturb_each_other),
    };

    return cmocka_run_group_tests_name("property", tests, NULL, NULL);
}
