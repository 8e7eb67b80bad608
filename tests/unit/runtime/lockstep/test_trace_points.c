/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Points, as the operations that are pending behind them. These are written
 * "10 +submitted 2 -submitted 3": ten ticks, the lock is taken, two ticks (to
 * take it is the first of them), it is given back, three ticks.
 */
#include "runtime/lockstep/members.h"

#include <string.h>

#include "runtime/data/request.h"
#include "tests/support/lockstep.h"

enum { WORKERS = 2, NODES = 2, TICKS = 30 };

struct fixture {
    struct lockstep_fixture base; /* first */
    struct orr_worker *worker;    /* it acts, but in some tests, */
    struct orr_worker *other;     /* not this one */
    struct orr_job *job;
    struct orr_spinlock spinlock;
    struct orr_pool data_pool, request_pool;
    struct orr_data *data;
    struct orr_request *request; /* of a copy from RAM */
    struct orr_copy_stream streams[NODES * NODES];
    GString *pending; /* as text */
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    fixture_init(&f->base, TICKS);
    fixture_add_workers(&f->base, WORKERS);
    f->worker = f->base.run.workers[0];
    f->other = f->base.run.workers[1];
    f->base.engine->acting = &f->worker->actor;
    f->base.run.node_count = NODES;
    orr_run_lend(&f->base.run);
    f->base.run.store.copies.streams = f->streams;
    f->job = g_new0(struct orr_job, 1);
    orr_data_pool_init(&f->data_pool, NODES, NULL);
    f->data = orr_data_new(&f->data_pool, NODES, 0, 1);
    f->job->kernel = 1;
    f->job->access_count = 3;
    orr_pool_init(&f->request_pool, sizeof(struct orr_request));
    f->request = orr_pool_take(&f->request_pool);
    *f->request = (struct orr_request){
        .store = &f->base.run.store,
        .data = f->data,
        .from = &f->data->copies[0],
        .to = &f->data->copies[1],
    };
    f->pending = g_string_new(NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    g_string_free(f->pending, TRUE);
    fixture_clear(&f->base);
    orr_pool_clear(&f->data_pool);
    orr_pool_clear(&f->request_pool);
    g_free(f->job);
    g_free(f);
    return 0;
}

/* Of the locks that trace points take, only the locks of kernels have no
 * name. */
static const char *name_of(const struct fixture *f,
                           const struct orr_mutex *lock)
{
    static const char *const names[ORR_COMMON_LOCKS] = {
        [ORR_LOCK_READY] = "ready",       [ORR_LOCK_SUBMITTED] = "submitted",
        [ORR_LOCK_FINISHED] = "finished", [ORR_LOCK_ARCHS] = "archs",
        [ORR_LOCK_STARTED] = "started",   [ORR_LOCK_DRIVERS] = "drivers",
        [ORR_LOCK_POLICY] = "policy",     [ORR_LOCK_LEARNING] = "learning",
        [ORR_LOCK_GRAPH] = "graph",       [ORR_LOCK_DROPPED] = "dropped",
    };
    const struct orr_mutex *common =
        orr_lockstep_run(&f->base.run.engine)->common;

    for (unsigned i = 0; i < ORR_COMMON_LOCKS; i++) {
        if (lock == &common[i])
            return names[i];
    }
    if (lock == orr_worker_state_lock(f->worker))
        return "worker";
    if (lock == &orr_lockstep_worker(f->worker)->plan)
        return "plan";
    return lock == orr_worker_state_lock(f->other) ? "other" : "model";
}

/* The pending operations of @actor. */
static const char *pending(struct fixture *f, const struct orr_actor *actor)
{
    const struct orr_lockstep_actor *own = orr_lockstep_actor(actor);

    g_string_truncate(f->pending, 0);
    for (unsigned i = 0; i < own->count; i++) {
        const struct orr_pending_operation *operation = &own->operations[i];

        g_string_append_printf(f->pending, "%u ", operation->ticks);
        if (operation->kind == ORR_PENDING_ACT)
            g_string_append(f->pending, "act ");
        else
            g_string_append_printf(f->pending, "%c%s ",
                                   operation->kind == ORR_PENDING_LOCK ? '+'
                                                                       : '-',
                                   name_of(f, operation->arg));
    }
    g_string_append_printf(f->pending, "%u", own->ticks);
    return f->pending->str;
}

static const char *execute(struct fixture *f, enum orr_point point,
                           void *object)
{
    orr_point(f->base.engine, point, object);
    return pending(f, f->base.engine->acting);
}

static void a_submission_is_counted_under_a_lock(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_TASK_SUBMITTED, NULL),
                        "10 +submitted 2 -submitted 3");
}

static void so_is_a_task_that_becomes_ready(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_TASK_READY, NULL),
                        "0 +ready 2 -ready 1");
}

static void operations_wait_until_they_are_played(void **state)
{
    struct fixture *f = *state;
    struct orr_lockstep_run *own = orr_lockstep_run(&f->base.run.engine);

    orr_point(f->base.engine, ORR_POINT_TASK_SUBMITTED, NULL);
    assert_null(own->common[ORR_LOCK_SUBMITTED].owner);
    assert_true(orr_lockstep_has_pending(&f->worker->actor));
    assert_false(orr_lockstep_has_pending(&f->other->actor));
}

static void turns_of_several_points_add_up(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_DRIVER_LOCK, NULL), "1");
    assert_string_equal(execute(f, ORR_POINT_DRIVER_CALL, NULL), "2");
    assert_string_equal(execute(f, ORR_POINT_DRIVER_RETURN, NULL), "4");
    assert_string_equal(execute(f, ORR_POINT_TASK_SUBMITTED, NULL),
                        "14 +submitted 2 -submitted 3");
}

static void a_worker_takes_the_lock_of_its_own_state(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_FETCHES_ASKED, NULL),
                        "0 +worker 3 -worker 1");
}

static void the_application_has_no_such_lock(void **state)
{
    struct fixture *f = *state;
    struct orr_actor *application = &f->base.actors[0];

    application->index = ORR_NO_WORKER;
    f->base.engine->acting = application;
    assert_string_equal(execute(f, ORR_POINT_FETCHES_ASKED, NULL), "0");
    assert_string_equal(
        execute(f, ORR_POINT_SUCCESSORS_NOTIFIED, NULL),
        "6 +ready 1 -ready 1 +submitted 1 -submitted 1 "
        "+finished 1 -finished 1 +submitted 1 act 0 -submitted 1");
}

static void
a_task_without_a_kernel_is_told_ready_then_locks_itself(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_EMPTY_TASK, NULL),
                        "0 +ready 2 -ready 5");
}

static void a_point_may_be_at_the_state_of_another_worker(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_NO_ROOM, f->other),
                        "0 +other 2 -other 1");
}

static void an_ended_task_is_counted_under_five_locks(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(
        execute(f, ORR_POINT_SUCCESSORS_NOTIFIED, NULL),
        "6 +ready 1 -ready 1 +submitted 1 -submitted 1 "
        "+finished 1 -finished 1 +submitted 1 act 0 -submitted 1 "
        "+worker 1 -worker 1");
}

static void a_kernel_begins_under_the_lock_of_its_model(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(
        execute(f, ORR_POINT_KERNEL_BEGINS, f->job),
        "0 +worker 3 -worker 1 +worker 3 -worker 1 +started 1 -started 1 "
        "+archs 1 -archs 1 +archs 1 -archs 1 +model 1 -model 1");
}

/* The policy has asked for its duration before, and its hook is called. */
static void a_policy_that_plans_locks_the_state_of_its_worker(void **state)
{
    static const struct orr_sched_planning planning = {.plan = NULL};
    static const struct orr_queueing queueing = {.planning = &planning};
    struct fixture *f = *state;

    f->base.run.policy.queueing = &queueing;
    assert_string_equal(
        execute(f, ORR_POINT_KERNEL_BEGINS, f->job),
        "0 +worker 3 -worker 1 +worker 1 -worker 1 +worker 3 -worker 1 "
        "+started 1 -started 1 +archs 1 -archs 1 +model 1 -model 1");
}

/* The plan of its worker has a lock of its own. */
static void a_policy_that_binds_late_locks_the_plan_of_its_worker(void **state)
{
    static const struct orr_sched_late late = {.bind = NULL};
    static const struct orr_queueing queueing = {.late = &late};
    struct fixture *f = *state;

    f->base.run.policy.queueing = &queueing;
    assert_string_equal(
        execute(f, ORR_POINT_KERNEL_BEGINS, f->job),
        "0 +worker 3 -worker 1 +plan 1 -plan 1 +worker 3 -worker 1 "
        "+started 1 -started 1 +archs 1 -archs 1 +model 1 -model 1");
}

/* The lock that is taken last for a kernel that begins. */
static const struct orr_mutex *lock_of(struct fixture *f, struct orr_job *job)
{
    const struct orr_lockstep_actor *own =
        orr_lockstep_actor(f->base.engine->acting);

    orr_point(f->base.engine, ORR_POINT_KERNEL_BEHIND, job);
    return own->operations[own->count - 1].arg;
}

static void each_kernel_has_a_lock_of_its_own(void **state)
{
    struct fixture *f = *state;
    struct orr_job same = {.kernel = 1}, other = {.kernel = 2};
    const struct orr_mutex *lock = lock_of(f, f->job);

    assert_ptr_equal(lock_of(f, &same), lock);
    assert_ptr_not_equal(lock_of(f, &other), lock);
}

static void each_datum_that_is_released_has_a_lock(void **state)
{
    struct fixture *f = *state;

    /* And so has the task. */
    assert_string_equal(execute(f, ORR_POINT_DATA_RELEASED, f->job), "8");
}

/* 2 for the task, and the locks of the policy and the graph. */
static bool fake_learns(struct orr_sched *sched)
{
    (void)sched;
    return true;
}

static void a_policy_with_buckets_learns_before_that(void **state)
{
    static const struct orr_sched_buckets buckets = {.learns = fake_learns};
    static const struct orr_queueing queueing = {.buckets = &buckets};
    struct fixture *f = *state;

    f->base.run.policy.queueing = &queueing;
    assert_string_equal(execute(f, ORR_POINT_DATA_RELEASED, f->job),
                        "2 +policy 1 +learning 1 -learning 1 -policy 4 "
                        "+dropped 2 -dropped 8");
}

static bool learns_nothing(struct orr_sched *sched)
{
    (void)sched;
    return false;
}

static void unless_its_buckets_are_given(void **state)
{
    static const struct orr_sched_buckets buckets = {.learns = learns_nothing};
    static const struct orr_queueing queueing = {.buckets = &buckets};
    struct fixture *f = *state;

    f->base.run.policy.queueing = &queueing;
    assert_string_equal(execute(f, ORR_POINT_DATA_RELEASED, f->job), "8");
}

static void a_lock_is_held_until_its_holder_leaves_it(void **state)
{
    struct fixture *f = *state;

    orr_spinlock_lock_for(&f->spinlock, f->base.engine, ORR_US);
    assert_true(f->spinlock.until == ORR_NEVER);
    assert_int_equal(f->spinlock.taken, 1);
    assert_ptr_equal(f->spinlock.holder, &f->worker->actor);

    /* Nothing is pending. */
    assert_string_equal(execute(f, ORR_POINT_UNLOCKED, &f->spinlock), "0");
    assert_int_equal(f->spinlock.taken, 0);
    assert_null(f->spinlock.holder);
}

static void it_leaves_it_after_the_operations_before(void **state)
{
    struct fixture *f = *state;

    orr_spinlock_lock_briefly(&f->spinlock, f->base.engine);
    orr_lockstep_add_ticks(f->base.engine, 5);
    assert_string_equal(execute(f, ORR_POINT_UNLOCKED, &f->spinlock),
                        "5 act 0");
    assert_int_equal(f->spinlock.taken, 1);
    assert_ptr_equal(f->spinlock.toucher, &f->worker->actor);
}

static void a_lock_may_be_taken_twice_before_it_is_left(void **state)
{
    struct fixture *f = *state;

    orr_spinlock_lock_briefly(&f->spinlock, f->base.engine);
    orr_spinlock_lock_briefly(&f->spinlock, f->base.engine);
    orr_spinlock_unlock_pending(&f->spinlock, f->base.engine);
    assert_ptr_equal(f->spinlock.toucher, &f->worker->actor);
    orr_spinlock_unlock_pending(&f->spinlock, f->base.engine);
    assert_null(f->spinlock.toucher);
}

static void the_first_copy_of_a_stream_starts_that_too(void **state)
{
    struct fixture *f = *state;

    /* Four ticks to start it, and one more. */
    assert_string_equal(execute(f, ORR_POINT_COPY_QUEUED, f->request),
                        "5 act 2");
}

static void a_copy_that_waits_for_another_tells_no_stream(void **state)
{
    struct fixture *f = *state;
    struct orr_copy earlier = {.from = 0, .to = 1};

    /* The datum is left at once, since nothing is pending. */
    f->streams[1].latest = &earlier;
    assert_string_equal(execute(f, ORR_POINT_COPY_QUEUED, f->request), "2");
}

static void a_copy_is_queued_after_its_stream_has_been_told(void **state)
{
    struct fixture *f = *state;

    /* One tick to signal the stream; the datum is unlocked; two ticks for the
     * list. */
    f->streams[1].used = true;
    assert_string_equal(execute(f, ORR_POINT_COPY_QUEUED, f->request),
                        "1 act 2");
}

static void a_worker_that_spins_allocates_nothing(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_SPIN_BEGINS, f->worker), "0");
    assert_int_equal(f->worker->no_alloc, 1);
    assert_string_equal(execute(f, ORR_POINT_SPIN_ENDS, f->worker), "0");
    assert_int_equal(f->worker->no_alloc, 0);
}

static void a_driver_awaits_its_kernel_on_a_condition_of_its_own(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(execute(f, ORR_POINT_AWAIT_BEGINS, f->worker), "4");
    assert_true(orr_lockstep_worker(f->worker)->awaits_kernel);
    assert_string_equal(execute(f, ORR_POINT_AWAIT_ENDS, f->worker), "8");
    assert_false(orr_lockstep_worker(f->worker)->awaits_kernel);
}

static void outside_of_any_actor_nothing_is_pending(void **state)
{
    struct fixture *f = *state;

    f->base.engine->acting = NULL;
    orr_point(f->base.engine, ORR_POINT_TASK_SUBMITTED, NULL);
    orr_point(f->base.engine, ORR_POINT_WONT_USE_ENDS, NULL);
    orr_point(f->base.engine, ORR_POINT_KERNEL_BEGINS, f->job);
    for (unsigned i = 0; i < ORR_COMMON_LOCKS; i++)
        assert_null(orr_lockstep_run(&f->base.run.engine)->common[i].owner);
}

/* Points that take no operation by themselves. */
static bool merely_notes(enum orr_point point)
{
    return point == ORR_POINT_REQUEST_WAITS || point == ORR_POINT_LOCKED ||
           point == ORR_POINT_LOCKED_BRIEFLY || point == ORR_POINT_UNLOCKED ||
           point == ORR_POINT_SPIN_BEGINS || point == ORR_POINT_SPIN_ENDS;
}

static void every_other_point_takes_operations(void **state)
{
    struct fixture *f = *state;
    void *const objects[ORR_POINTS] = {
        [ORR_POINT_NO_ROOM] = f->other,
        [ORR_POINT_AWAIT_BEGINS] = f->worker,
        [ORR_POINT_AWAIT_ENDS] = f->worker,
        [ORR_POINT_MODEL_FIRST] = f->job,
        [ORR_POINT_MODEL_ASKED] = f->job,
        [ORR_POINT_KERNEL_BEGINS] = f->job,
        [ORR_POINT_KERNEL_NOTIFIED] = f->job,
        [ORR_POINT_KERNEL_BEHIND] = f->job,
        [ORR_POINT_DATA_RELEASED] = f->job,
        [ORR_POINT_COPY_QUEUED] = f->request,
    };
    struct orr_lockstep_actor *own = orr_lockstep_actor(&f->worker->actor);

    for (enum orr_point point = 0; point < ORR_POINTS; point++) {
        own->ticks = own->count = 0;
        if (!merely_notes(point) &&
            strcmp(execute(f, point, objects[point]), "0") == 0)
            fail_msg("point %u takes no operation", (unsigned)point);
    }
    own->ticks = own->count = 0;
}

struct submission {
    bool ended;
    struct fixture *f;
};

static enum orr_next submit(struct orr_actor *actor, void *locals)
{
    struct submission *submission = locals;
    struct fixture *f = submission->f;

    if (submission->ended) {
        fixture_note(&f->base, actor);
        return ORR_DONE;
    }
    submission->ended = true;
    orr_point(actor->engine, ORR_POINT_TASK_SUBMITTED, NULL);
    return orr_actor_pass(actor);
}

/* Actor @i submits from tick 1 on. */
static void start(struct fixture *f, unsigned i)
{
    struct orr_actor *actor = &f->base.actors[i];
    struct submission *locals = orr_actor_call(actor, submit, sizeof(*locals));

    locals->f = f;
    orr_actor_resume(actor);
}

static void operations_are_played_when_the_actor_passes(void **state)
{
    struct fixture *f = *state;

    /* From tick 1 on: the lock is taken at 11 and given back at 13. */
    f->base.engine->acting = NULL;
    start(f, 0);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a16 ");
}

static void actors_meet_at_common_locks(void **state)
{
    struct fixture *f = *state;

    /* b gets the lock at 13, continues at 14 and unlocks it a tick later. */
    f->base.engine->acting = NULL;
    start(f, 0);
    start(f, 1);
    fixture_run_counting(&f->base);
    assert_string_equal(f->base.log->str, "a16 b18 ");
}

ORR_TESTS(points)
{
#define T(behaviour) cmocka_unit_test_setup_teardown(behaviour, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_submission_is_counted_under_a_lock),
        T(so_is_a_task_that_becomes_ready),
        T(operations_wait_until_they_are_played),
        T(turns_of_several_points_add_up),
        T(a_worker_takes_the_lock_of_its_own_state),
        T(the_application_has_no_such_lock),
        T(a_task_without_a_kernel_is_told_ready_then_locks_itself),
        T(a_point_may_be_at_the_state_of_another_worker),
        T(an_ended_task_is_counted_under_five_locks),
        T(a_kernel_begins_under_the_lock_of_its_model),
        T(a_policy_that_plans_locks_the_state_of_its_worker),
        T(a_policy_that_binds_late_locks_the_plan_of_its_worker),
        T(each_kernel_has_a_lock_of_its_own),
        T(each_datum_that_is_released_has_a_lock),
        T(a_policy_with_buckets_learns_before_that),
        T(unless_its_buckets_are_given),
        T(a_lock_is_held_until_its_holder_leaves_it),
        T(it_leaves_it_after_the_operations_before),
        T(a_lock_may_be_taken_twice_before_it_is_left),
        T(the_first_copy_of_a_stream_starts_that_too),
        T(a_copy_that_waits_for_another_tells_no_stream),
        T(a_copy_is_queued_after_its_stream_has_been_told),
        T(a_worker_that_spins_allocates_nothing),
        T(outside_of_any_actor_nothing_is_pending),
        T(a_driver_awaits_its_kernel_on_a_condition_of_its_own),
        T(every_other_point_takes_operations),
        T(operations_are_played_when_the_actor_passes),
        T(actors_meet_at_common_locks),
#undef T
    };

    return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
