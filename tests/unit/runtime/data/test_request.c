/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests as they are made, joined and completed, where nothing runs. */
#include "runtime/config/run_config.h"
#include "runtime/data/access_hit.h"
#include "runtime/run.h"
#include "runtime/worker/worker.h"
#include "tests/support/unit_run.h"

enum { RAM, CUDA0, CUDA1, NODES };

struct fixture {
    struct unit_run *unit;
    struct orr_run *run;
    struct orr_data *data;
    struct orr_data *other;
};

static int setup_on(void **state, const char *platform)
{
    struct fixture *f = g_new0(struct fixture, 1);
    struct orr_config config = unit_config("eager", 0, NODES - 1);

    f->unit = unit_run_new(platform, &config);
    f->run = f->unit->run;
    f->data = orr_data_register(f->run, 1000);
    f->other = orr_data_register(f->run, 1000);
    *state = f;
    return 0;
}

static int setup(void **state)
{
    return setup_on(state, "three-gpus.xml");
}

static int setup_without_peers(void **state)
{
    return setup_on(state, "no-peer.xml");
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    unit_run_free(f->unit);
    g_free(f);
    return 0;
}

static struct orr_request *submit(struct fixture *f, struct orr_request_spec w)
{
    struct orr_job_access access = {.bits = w.mode};

    if (!orr_access_is_hit(w.data, w.node, w.mode, w.level))
        return orr_request_submit(&f->run->store, &w);
    orr_access_hit(&f->run->store, &f->run->store.memories[w.node],
                   w.access ? w.access : &access, &w.data->copies[w.node],
                   w.level);
    return NULL;
}

static struct orr_request *want(struct fixture *f, unsigned node,
                                enum orr_access_mode mode, enum orr_level level)
{
    return submit(
        f, (struct orr_request_spec){f->data, node, mode, level, NULL, NULL});
}

/* Submits a request on behalf of @job: of the own worker of the GPU if it is a
 * fetch. */
static struct orr_request *want_for(struct fixture *f, struct orr_job *job,
                                    unsigned node, enum orr_access_mode mode,
                                    enum orr_level level)
{
    struct orr_worker *worker =
        level == ORR_FETCH ? f->run->workers[node - 1] : NULL;

    return submit(f, (struct orr_request_spec){f->data, node, mode, level,
                                               &job->accesses[0], worker});
}

static struct orr_job *task(struct fixture *f, uint64_t id, int priority)
{
    struct orr_access access = {f->data, ORR_R};
    struct orr_job *job =
        orr_job_new(&f->run->graph, ORR_JOB_KERNEL, &access, 1);

    orr_job_set_id(job, id);
    job->priority = priority;
    return job;
}

static void allocate(struct fixture *f, struct orr_data *data, unsigned node)
{
    orr_memory_add(&f->run->store.memories[node], &data->copies[node],
                   (struct orr_block){0});
}

static void assert_queue(const struct orr_request *request, unsigned node,
                         unsigned peer, enum orr_direction direction)
{
    assert_non_null(request);
    assert_int_equal(request->node, node);
    assert_int_equal(request->peer, peer);
    assert_int_equal(request->direction, direction);
    assert_true(request->queued);
}

/* Takes the next request from RAM. */
static struct orr_request *take(struct orr_queues *queues, enum orr_level level)
{
    struct orr_request *request = NULL;

    orr_queues_take(queues, &queues->lanes[RAM][ORR_IN], level, 1, NULL,
                    &request);
    return request;
}

/* As if the driver had started it and its copy had ended. */
static void complete(struct fixture *f, struct orr_request *request)
{
    struct orr_queues *queues = &f->run->store.memories[request->node].queues;

    orr_queues_withdraw(queues, request);
    if (!orr_replicate_is_allocated(request->to))
        allocate(f, request->data, request->to->node);
    orr_request_complete(&f->run->store, request);
}

static void what_is_valid_needs_no_request(void **state)
{
    struct fixture *f = *state;

    assert_null(want(f, RAM, ORR_R, ORR_FETCH));
    assert_null(f->data->copies[RAM].requests);
}

static void requests_are_queued_with_the_gpu_concerned(void **state)
{
    struct fixture *f = *state;

    assert_queue(want(f, CUDA0, ORR_R, ORR_FETCH), CUDA0, RAM, ORR_IN);
    orr_replicate_grant(&f->run->store, &f->data->copies[CUDA1], ORR_W);
    assert_queue(want(f, RAM, ORR_R, ORR_IDLE), CUDA1, RAM, ORR_OUT);
}

static void between_gpus_the_destination_is_concerned(void **state)
{
    struct fixture *f = *state;

    orr_replicate_grant(&f->run->store, &f->data->copies[CUDA0], ORR_W);
    assert_queue(want(f, CUDA1, ORR_R, ORR_FETCH), CUDA1, CUDA0, ORR_IN);
}

static void without_peers_two_requests_lead_through_ram(void **state)
{
    struct fixture *f = *state;
    struct orr_request *first, *second;

    orr_replicate_grant(&f->run->store, &f->data->copies[CUDA0], ORR_W);
    second = want(f, CUDA1, ORR_R, ORR_FETCH);
    first = f->data->copies[RAM].requests;
    assert_queue(first, CUDA0, RAM, ORR_OUT);
    assert_ptr_equal(second->to, &f->data->copies[CUDA1]);
    assert_false(second->queued); /* waits for the first */

    complete(f, first);
    assert_int_equal(orr_replicate_state(&f->data->copies[RAM]), ORR_SHARED);
    assert_queue(second, CUDA1, RAM, ORR_IN);
    complete(f, second);
    assert_int_equal(orr_replicate_state(&f->data->copies[CUDA1]), ORR_SHARED);
}

static void a_request_is_complete_when_the_copy_is_granted(void **state)
{
    struct fixture *f = *state;
    struct orr_request *request = want(f, CUDA0, ORR_R, ORR_FETCH);

    assert_int_equal(orr_replicate_state(&f->data->copies[CUDA0]), ORR_INVALID);
    assert_int_equal(f->data->copies[CUDA0].uses, 1);
    assert_int_equal(f->data->copies[RAM].uses, 1); /* it is read */
    complete(f, request);
    assert_int_equal(orr_replicate_state(&f->data->copies[CUDA0]), ORR_SHARED);
    assert_int_equal(f->data->copies[CUDA0].uses, 0);
    assert_int_equal(f->data->copies[RAM].uses, 0);
    assert_null(f->data->copies[CUDA0].requests);
}

static void the_same_wish_again_joins_the_request(void **state)
{
    struct fixture *f = *state;
    struct orr_request *request = want(f, CUDA0, ORR_R, ORR_PREFETCH);

    assert_ptr_equal(want(f, CUDA0, ORR_R, ORR_PREFETCH), request);
    assert_int_equal(request->level, ORR_PREFETCH);
}

static void an_urgent_wish_hastens_the_request(void **state)
{
    struct fixture *f = *state;
    struct orr_request *request = want(f, CUDA0, ORR_R, ORR_IDLE);
    const struct orr_queues *queues = &f->run->store.memories[CUDA0].queues;

    assert_int_equal(queues->has_waiting[ORR_IN][ORR_IDLE], 1u << RAM);
    assert_ptr_equal(want(f, CUDA0, ORR_R, ORR_FETCH), request);
    assert_int_equal(request->level, ORR_FETCH);
    assert_int_equal(queues->has_waiting[ORR_IN][ORR_IDLE], 0);
    assert_int_equal(queues->has_waiting[ORR_IN][ORR_FETCH], 1u << RAM);
    want(f, CUDA0, ORR_R, ORR_IDLE); /* never slows it down */
    assert_int_equal(request->level, ORR_FETCH);
}

static void requests_of_different_tasks_are_kept_apart(void **state)
{
    struct fixture *f = *state;
    struct orr_job *one = task(f, 0, 0), *other = task(f, 1, 0);
    struct orr_request *request = want_for(f, one, CUDA0, ORR_R, ORR_PREFETCH);

    assert_ptr_not_equal(want_for(f, other, CUDA0, ORR_R, ORR_PREFETCH),
                         request);
    assert_ptr_equal(want_for(f, one, CUDA0, ORR_R, ORR_FETCH), request);
}

static void a_task_joins_what_is_for_no_task(void **state)
{
    struct fixture *f = *state;
    struct orr_request *request = want(f, CUDA0, ORR_R, ORR_IDLE);

    assert_ptr_equal(want_for(f, task(f, 0, 0), CUDA0, ORR_R, ORR_PREFETCH),
                     request);
    assert_int_equal(request->level, ORR_PREFETCH);
}

/* The request for no task only writes, so that no task that reads joins it. */
static void tasks_stay_apart_beside_a_request_for_no_task(void **state)
{
    struct fixture *f = *state;
    struct orr_job *one = task(f, 0, 0), *other = task(f, 1, 0);
    struct orr_request *request;

    want(f, CUDA0, ORR_W, ORR_PREFETCH);
    request = want_for(f, one, CUDA0, ORR_R, ORR_PREFETCH);
    assert_ptr_not_equal(want_for(f, other, CUDA0, ORR_R, ORR_PREFETCH),
                         request);
}

static void a_cancelled_request_is_not_joined(void **state)
{
    struct fixture *f = *state;
    struct orr_request *request = want(f, CUDA0, ORR_R, ORR_IDLE);

    request->cancelled = true;
    assert_ptr_not_equal(want(f, CUDA0, ORR_R, ORR_IDLE), request);
}

/* A prefetch to CUDA1 goes through RAM. When the copy to RAM becomes a fetch,
 * so does the copy from there. */
static void a_request_that_awaits_an_urgent_one_is_urgent(void **state)
{
    struct fixture *f = *state;
    struct orr_request *first, *second;

    orr_replicate_grant(&f->run->store, &f->data->copies[CUDA0], ORR_W);
    second = want(f, CUDA1, ORR_R, ORR_PREFETCH);
    first = want(f, RAM, ORR_R, ORR_FETCH);
    assert_ptr_equal(first, f->data->copies[RAM].requests);
    assert_int_equal(first->level, ORR_FETCH);
    assert_int_equal(second->level, ORR_FETCH);
}

/* Makes a request, and has it start. */
static struct orr_request *depart(struct fixture *f, uint64_t id)
{
    struct orr_queues *queues = &f->run->store.memories[CUDA0].queues;
    struct orr_request *request =
        want_for(f, task(f, id, 0), CUDA0, ORR_R, ORR_PREFETCH);

    take(queues, ORR_PREFETCH);
    orr_queues_add_pending(&f->run->store, request);
    return request;
}

static void what_is_in_flight_limits_what_may_start(void **state)
{
    struct fixture *f = *state;
    struct orr_queues *queues = &f->run->store.memories[CUDA0].queues;
    struct orr_lane *lane = &queues->lanes[RAM][ORR_IN];
    struct orr_request *first;

    assert_int_equal(orr_lane_room(lane, ORR_PREFETCH), 2);
    first = depart(f, 0);
    want_for(f, task(f, 1, 0), CUDA0, ORR_R, ORR_PREFETCH);
    assert_int_equal(orr_lane_room(lane, ORR_IDLE), 0);
    assert_int_equal(orr_queues_startable_at_all(queues, ORR_IN), 1u << RAM);
    depart(f, 2);
    assert_int_equal(orr_lane_room(lane, ORR_PREFETCH), 0);
    assert_int_equal(orr_lane_room(lane, ORR_FETCH), 3);
    want_for(f, task(f, 3, 0), CUDA0, ORR_R, ORR_PREFETCH);
    assert_int_equal(orr_queues_startable_at_all(queues, ORR_IN), 0);
    want_for(f, task(f, 4, 0), CUDA0, ORR_R, ORR_FETCH);
    assert_int_equal(queues->startable[ORR_IN][ORR_FETCH], 1u << RAM);
    take(queues, ORR_FETCH);
    assert_int_equal(orr_queues_startable_at_all(queues, ORR_IN), 0);
    orr_request_copied(&f->run->store, first);
    assert_int_equal(queues->has_ended[ORR_IN], 1u << RAM);
    assert_ptr_equal(orr_queues_take_pending(queues, &lane->pending), first);
    assert_int_equal(queues->has_ended[ORR_IN], 0);
    assert_int_equal(orr_queues_startable_at_all(queues, ORR_IN), 1u << RAM);
}

static void requests_go_by_priority_then_as_they_come(void **state)
{
    struct fixture *f = *state;
    struct orr_queues *queues = &f->run->store.memories[CUDA0].queues;
    static const int priorities[] = {0, 5, 0, 5, -1};
    static const unsigned order[] = {1, 3, 0, 2, 4};
    struct orr_request *requests[5];

    for (unsigned i = 0; i < 5; i++)
        requests[i] =
            want_for(f, task(f, i, priorities[i]), CUDA0, ORR_R, ORR_PREFETCH);
    for (unsigned i = 0; i < 5; i++)
        assert_ptr_equal(take(queues, ORR_PREFETCH), requests[order[i]]);
    assert_int_equal(queues->has_waiting[ORR_IN][ORR_PREFETCH], 0);
}

static void a_request_put_back_is_first_of_its_priority(void **state)
{
    struct fixture *f = *state;
    struct orr_queues *queues = &f->run->store.memories[CUDA0].queues;
    struct orr_request *requests[3], *taken[2];

    for (unsigned i = 0; i < 3; i++)
        requests[i] = want_for(f, task(f, i, 0), CUDA0, ORR_R, ORR_PREFETCH);
    for (unsigned i = 0; i < 2; i++)
        taken[i] = take(queues, ORR_PREFETCH);
    orr_request_return(&f->run->store, taken[1]); /* the later one first */
    orr_request_return(&f->run->store, taken[0]);
    for (unsigned i = 0; i < 3; i++)
        assert_ptr_equal(take(queues, ORR_PREFETCH), requests[i]);
}

static void a_worker_is_told_when_its_data_have_come(void **state)
{
    struct fixture *f = *state;
    const struct orr_worker *worker = f->run->workers[0];
    struct orr_job *job = task(f, 0, 0);
    struct orr_request *request = want_for(f, job, CUDA0, ORR_R, ORR_FETCH);

    assert_int_equal(worker->buffers_arrived, 0);
    complete(f, request);
    assert_int_equal(worker->buffers_arrived, 1);
}

static void only_prefetches_make_a_copy_expected(void **state)
{
    struct fixture *f = *state;
    const struct orr_replicate *copy = &f->data->copies[CUDA0];

    complete(f, want(f, CUDA0, ORR_R, ORR_FETCH));
    assert_int_equal(copy->expected, 0);
    want(f, CUDA0, ORR_R, ORR_PREFETCH);
    want(f, CUDA0, ORR_R, ORR_PREFETCH);
    want(f, CUDA0, ORR_R, ORR_FETCH);
    assert_int_equal(copy->expected, 2);
}

static void a_completed_prefetch_makes_its_copy_expected(void **state)
{
    struct fixture *f = *state;
    struct orr_request *request = want(f, CUDA0, ORR_R, ORR_PREFETCH);

    want(f, CUDA0, ORR_R, ORR_PREFETCH); /* joins */
    complete(f, request);
    assert_int_equal(f->data->copies[CUDA0].expected, 2);
}

static void a_wish_fulfilled_already_counts_as_use(void **state)
{
    struct fixture *f = *state;
    const struct orr_memory *memory = &f->run->store.memories[CUDA0];

    complete(f, want(f, CUDA0, ORR_R, ORR_FETCH));
    allocate(f, f->other, CUDA0);
    assert_ptr_equal(memory->end->older, f->other->copies[CUDA0].buffer);
    want(f, CUDA0, ORR_R, ORR_FETCH);
    assert_ptr_equal(memory->end->older, f->data->copies[CUDA0].buffer);
}

static void a_task_that_finds_its_data_cancels_its_own_prefetch(void **state)
{
    struct fixture *f = *state;
    struct orr_job *one = task(f, 0, 0), *other = task(f, 1, 0);
    struct orr_request *first = want_for(f, one, CUDA0, ORR_R, ORR_PREFETCH);
    struct orr_request *second = want_for(f, other, CUDA0, ORR_R, ORR_PREFETCH);

    complete(f, first);
    assert_false(second->cancelled);
    assert_null(want_for(f, other, CUDA0, ORR_R, ORR_FETCH));
    assert_true(second->cancelled);
}

static void what_is_only_written_needs_a_buffer_but_no_source(void **state)
{
    struct fixture *f = *state;
    struct orr_request *request = want(f, CUDA0, ORR_W, ORR_FETCH);

    assert_queue(request, CUDA0, CUDA0, ORR_IN);
    assert_ptr_equal(request->from, request->to);
    assert_int_equal(f->data->copies[RAM].uses, 0);
    complete(f, request);
    assert_int_equal(orr_replicate_state(&f->data->copies[CUDA0]), ORR_OWNER);
    assert_int_equal(orr_replicate_state(&f->data->copies[RAM]), ORR_INVALID);
}

static void with_a_buffer_a_write_is_granted_at_once(void **state)
{
    struct fixture *f = *state;

    allocate(f, f->data, CUDA0);
    assert_null(want(f, CUDA0, ORR_W, ORR_FETCH));
    assert_int_equal(orr_replicate_state(&f->data->copies[CUDA0]), ORR_OWNER);
}

static void a_write_waits_for_requests_in_flight(void **state)
{
    struct fixture *f = *state;
    struct orr_request *read, *write;

    orr_replicate_grant(&f->run->store, &f->data->copies[CUDA0], ORR_W);
    allocate(f, f->data, CUDA0);
    read = want(f, RAM, ORR_R, ORR_IDLE);
    write = want(f, CUDA0, ORR_RW, ORR_FETCH);
    assert_non_null(write);
    assert_ptr_equal(f->data->invalidation, write);
    assert_false(write->queued);
    assert_int_equal(read->level, ORR_FETCH); /* it has become urgent */

    complete(f, read);
    assert_int_equal(orr_replicate_state(&f->data->copies[RAM]), ORR_SHARED);
    assert_queue(write, CUDA0, CUDA0, ORR_IN);
    complete(f, write);
    assert_int_equal(orr_replicate_state(&f->data->copies[RAM]), ORR_INVALID);
    assert_int_equal(orr_replicate_state(&f->data->copies[CUDA0]), ORR_OWNER);
    assert_null(f->data->invalidation);
}

static void a_duplicate_ends_with_the_one_that_it_joined(void **state)
{
    struct fixture *f = *state;
    struct orr_job *one = task(f, 0, 0), *other = task(f, 1, 0);
    struct orr_request *first = want_for(f, one, CUDA0, ORR_R, ORR_PREFETCH);
    struct orr_request *second = want_for(f, other, CUDA0, ORR_R, ORR_FETCH);
    struct orr_queues *queues = &f->run->store.memories[CUDA0].queues;

    second->references++; /* to look at it afterwards */
    take(queues, ORR_FETCH);
    assert_false(orr_request_is_late(second));
    orr_request_load(&f->run->store, first);
    assert_true(orr_request_is_late(second) && !orr_request_is_late(first));
    orr_request_join(&f->run->store, second);
    assert_int_equal(first->level, ORR_FETCH);
    assert_false(second->completed);
    complete(f, first);
    assert_true(second->completed);
    assert_int_equal(f->run->workers[0]->buffers_arrived, 1);
    orr_request_unref(&f->run->store, second);
}

struct asking {
    struct fixture *f;
};

/* Asks for the right to write once it finds that data have come. */
static enum orr_next ask_to_write(struct orr_actor *actor, void *locals)
{
    struct fixture *f = ((struct asking *)locals)->f;

    orr_actor_clear_signal(actor);
    if (!orr_replicate_is_valid(&f->data->copies[CUDA0]))
        return orr_actor_wait(actor);
    want(f, CUDA0, ORR_RW, ORR_FETCH);
    return ORR_DONE;
}

/* The driver runs before its request has quite ended. */
static void who_joins_a_request_that_is_ending_is_told_too(void **state)
{
    struct fixture *f = *state;
    struct orr_actor *actor = &f->run->workers[0]->actor;
    struct orr_request *read = want(f, CUDA0, ORR_R, ORR_FETCH);
    struct asking *asking;

    orr_actor_init(actor, &f->run->engine);
    asking = orr_actor_call(actor, ask_to_write, sizeof(*asking));
    asking->f = f;
    orr_actor_start(actor);
    complete(f, read);
    assert_true(orr_actor_idle(actor));
    assert_non_null(f->data->invalidation);
    assert_int_equal(f->data->invalidation->awaited, 0);
    complete(f, f->data->invalidation);
    assert_int_equal(orr_replicate_state(&f->data->copies[CUDA0]), ORR_OWNER);
}

ORR_TESTS(request)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define P(test)                                                                \
    cmocka_unit_test_setup_teardown(test, setup_without_peers, teardown)
        T(what_is_valid_needs_no_request),
        T(requests_are_queued_with_the_gpu_concerned),
        T(between_gpus_the_destination_is_concerned),
        P(without_peers_two_requests_lead_through_ram),
        T(a_request_is_complete_when_the_copy_is_granted),
        T(the_same_wish_again_joins_the_request),
        T(an_urgent_wish_hastens_the_request),
        T(requests_of_different_tasks_are_kept_apart),
        T(a_task_joins_what_is_for_no_task),
        T(tasks_stay_apart_beside_a_request_for_no_task),
        T(a_cancelled_request_is_not_joined),
        P(a_request_that_awaits_an_urgent_one_is_urgent),
        T(what_is_in_flight_limits_what_may_start),
        T(requests_go_by_priority_then_as_they_come),
        T(a_request_put_back_is_first_of_its_priority),
        T(a_worker_is_told_when_its_data_have_come),
        T(only_prefetches_make_a_copy_expected),
        T(a_completed_prefetch_makes_its_copy_expected),
        T(a_wish_fulfilled_already_counts_as_use),
        T(a_task_that_finds_its_data_cancels_its_own_prefetch),
        T(what_is_only_written_needs_a_buffer_but_no_source),
        T(with_a_buffer_a_write_is_granted_at_once),
        T(a_write_waits_for_requests_in_flight),
        T(a_duplicate_ends_with_the_one_that_it_joined),
        T(who_joins_a_request_that_is_ending_is_told_too),
#undef P
#undef T
    };

    return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
