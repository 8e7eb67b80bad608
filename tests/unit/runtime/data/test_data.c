/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Coherence, on three GPUs where nothing runs. */
#include "runtime/config/run_config.h"
#include "runtime/data/data.h"
#include "runtime/run.h"
#include "sched/host.h"
#include "tests/support/unit_run.h"

#define BYTES 4000000

/* Predictions for it: see three-gpus.xml. */
#define USUAL (2410 * ORR_US)
#define SHORT (1210 * ORR_US)

enum { RAM, CUDA0, CUDA1, CUDA2, NODES };

struct fixture {
    struct unit_run *unit;
    struct orr_run *run;
    struct orr_data *data;
    struct orr_data *other;
    struct orr_platform_kernel model;
    struct orr_kernel kernel;
};

static int setup_on(void **state, const char *platform)
{
    struct fixture *f = g_new0(struct fixture, 1);
    struct orr_config config = unit_config("eager", 0, -1);

    f->unit = unit_run_new(platform, &config);
    f->run = f->unit->run;
    f->data = orr_data_register(f->run, BYTES);
    f->other = orr_data_register(f->run, 100);
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

/* One letter a node: I, S or O. */
static const char *states(const struct fixture *f)
{
    static char letters[NODES + 1];

    for (unsigned node = 0; node < f->run->node_count; node++)
        letters[node] = "ISO"[orr_replicate_state(&f->data->copies[node])];
    letters[f->run->node_count] = '\0';
    return letters;
}

static void grant(struct fixture *f, unsigned node, enum orr_access_mode mode)
{
    orr_replicate_grant(&f->run->store, &f->data->copies[node], mode);
}

static void allocate(struct fixture *f, struct orr_replicate *copy)
{
    orr_memory_add(&f->run->store.memories[copy->node], copy,
                   (struct orr_block){0});
    orr_replicate_buffer_changed(&f->run->store, copy);
}

static void data_are_born_in_ram(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(states(f), "OIII");
    assert_true(orr_replicate_is_allocated(&f->data->copies[RAM]));
    assert_false(orr_replicate_is_allocated(&f->data->copies[CUDA0]));
    assert_int_equal(f->data->bytes, BYTES);
    assert_int_equal(f->data->id, 0);
    assert_int_equal(f->other->id, 1);
}

static void a_read_shares(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA1, ORR_R);
    assert_string_equal(states(f), "SISI");
    grant(f, CUDA0, ORR_R);
    assert_string_equal(states(f), "SSSI");
}

static void a_read_by_the_owner_changes_nothing(void **state)
{
    struct fixture *f = *state;

    grant(f, RAM, ORR_R);
    assert_string_equal(states(f), "OIII");
}

static void a_write_invalidates_all_other_copies(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA0, ORR_R);
    grant(f, CUDA1, ORR_R);
    grant(f, CUDA0, ORR_RW);
    assert_string_equal(states(f), "IOII");
    grant(f, CUDA2, ORR_W);
    assert_string_equal(states(f), "IIIO");
}

static void the_last_copy_left_is_the_owner(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA0, ORR_R);
    grant(f, CUDA1, ORR_R);
    orr_replicate_drop(&f->run->store, &f->data->copies[RAM]);
    assert_string_equal(states(f), "ISSI");
    orr_replicate_drop(&f->run->store, &f->data->copies[CUDA0]);
    assert_string_equal(states(f), "IIOI");
}

static void dropping_an_invalid_copy_changes_nothing(void **state)
{
    struct fixture *f = *state;

    orr_replicate_drop(&f->run->store, &f->data->copies[CUDA0]);
    assert_string_equal(states(f), "OIII");
}

static void the_source_is_the_copy_predicted_fastest(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA0, ORR_R);
    assert_int_equal(orr_data_source(&f->run->store, f->data, CUDA1), CUDA0);
    assert_int_equal(orr_data_source(&f->run->store, f->data, CUDA2), RAM);
}

static void on_a_tie_the_source_is_the_lowest_node(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA1, ORR_R);
    assert_int_equal(orr_data_source(&f->run->store, f->data, CUDA0), RAM);
    orr_replicate_drop(&f->run->store, &f->data->copies[RAM]);
    assert_int_equal(orr_data_source(&f->run->store, f->data, CUDA0), CUDA1);
    grant(f, CUDA2, ORR_R);
    assert_int_equal(orr_data_source(&f->run->store, f->data, CUDA0), CUDA1);
}

static void without_peers_the_source_is_ram_or_the_last_gpu(void **state)
{
    struct fixture *f = *state;

    assert_false(orr_route_is_direct(&f->run->store, CUDA0, CUDA1));
    assert_true(orr_route_is_direct(&f->run->store, CUDA0, RAM));
    assert_true(orr_route_is_direct(&f->run->store, RAM, CUDA1));
    grant(f, CUDA0, ORR_R);
    assert_int_equal(orr_data_source(&f->run->store, f->data, CUDA1), RAM);
    orr_replicate_drop(&f->run->store, &f->data->copies[RAM]);
    assert_int_equal(orr_data_source(&f->run->store, f->data, CUDA1), CUDA0);
}

/* A job that is ready and waits for no other. */
static struct orr_job *job_with(struct fixture *f, enum orr_access_mode mode,
                                enum orr_access_mode other)
{
    const struct orr_access accesses[] = {{f->data, mode}, {f->other, other}};
    struct orr_job *job =
        orr_job_new(&f->run->graph, ORR_JOB_KERNEL, accesses, 2);

    f->kernel.model = &f->model;
    job->kernel = orr_graph_add_kernel(&f->run->graph, &f->kernel);
    orr_job_activate(&f->run->graph, job);
    return job;
}

static void predicted_transfer_counts_what_is_read_and_not_there(void **state)
{
    struct fixture *f = *state;
    const struct orr_job *reads = job_with(f, ORR_R, ORR_W);
    const struct orr_job *writes = job_with(f, ORR_W, ORR_W);

    assert_int_equal(orr_job_transfer(&f->run->store, reads, RAM), 0);
    assert_int_equal(orr_job_transfer(&f->run->store, reads, CUDA1), USUAL);
    assert_int_equal(orr_job_transfer(&f->run->store, writes, CUDA1), 0);
    grant(f, CUDA0, ORR_RW);
    assert_int_equal(orr_job_transfer(&f->run->store, reads, RAM), USUAL);
    assert_int_equal(orr_job_transfer(&f->run->store, reads, CUDA0), 0);
    assert_int_equal(orr_job_transfer(&f->run->store, reads, CUDA1), SHORT);
}

static void predicted_transfers_add_up(void **state)
{
    struct fixture *f = *state;
    const struct orr_job *job = job_with(f, ORR_RW, ORR_R);
    orr_time times[ORR_MAX_NODES];

    /* 100 bytes: 10 us and six times 10 ns. */
    assert_int_equal(orr_job_transfer(&f->run->store, job, CUDA1),
                     USUAL + 10 * ORR_US + 60);
    grant(f, CUDA0, ORR_RW);
    orr_job_transfers(&f->run->store, job, 1u << CUDA0 | 1u << CUDA1, times);
    assert_int_equal(times[CUDA0], 10 * ORR_US + 60);
    assert_int_equal(times[CUDA1], SHORT + 10 * ORR_US + 60);
}

static void what_is_on_its_way_counts_as_there(void **state)
{
    struct fixture *f = *state;
    const struct orr_job *job = job_with(f, ORR_R, ORR_W);
    struct orr_request_spec spec = {
        .data = f->data,
        .node = CUDA1,
        .mode = ORR_R,
        .level = ORR_IDLE,
    };

    orr_request_submit(&f->run->store, &spec);
    assert_int_equal(orr_job_transfer(&f->run->store, job, CUDA1), 0);
    assert_int_equal(orr_job_transfer(&f->run->store, job, CUDA0), USUAL);
}

static void without_peers_a_predicted_transfer_passes_by_ram(void **state)
{
    struct fixture *f = *state;
    const struct orr_job *job = job_with(f, ORR_R, ORR_W);

    /* Two GPUs: four times 400 us and 10 us, each way. */
    grant(f, CUDA0, ORR_RW);
    assert_int_equal(orr_job_transfer(&f->run->store, job, RAM), 1610 * ORR_US);
    assert_int_equal(orr_job_transfer(&f->run->store, job, CUDA1),
                     3220 * ORR_US);
}

static void missing_bytes_are_counted_by_kind(void **state)
{
    struct fixture *f = *state;
    const struct orr_job *job = job_with(f, ORR_RW, ORR_W);
    struct orr_replicate *copy = &f->data->copies[CUDA0];
    struct orr_missing missing;

    orr_active_missing(job->active, CUDA0, &missing);
    assert_int_equal(missing.invalid_bytes, BYTES);
    assert_int_equal(missing.unstarted_bytes, BYTES);
    assert_int_equal(missing.unallocated_bytes, BYTES + 100);

    orr_replicate_flip_loading(&f->run->store, copy);
    allocate(f, copy);
    orr_active_missing(job->active, CUDA0, &missing);
    assert_int_equal(missing.invalid_bytes, BYTES);
    assert_int_equal(missing.unstarted_bytes, 0);
    assert_int_equal(missing.unallocated_bytes, 100);

    orr_replicate_flip_loading(&f->run->store, copy);
    orr_memory_add(&f->run->store.memories[CUDA0], copy, (struct orr_block){0});
    grant(f, CUDA0, ORR_R);
    orr_active_missing(job->active, CUDA0, &missing);
    assert_int_equal(missing.invalid_bytes, 0);
    assert_int_equal(missing.unstarted_bytes, 0);
}

/* A policy that counts its notifications of changes. */
static unsigned touches;

static void count_touch(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    (void)task;
    touches++;
}

static void listen(struct fixture *f)
{
    static const struct orr_sched_ops ops = {
        .name = "ear",
        .touched = count_touch,
    };

    orr_sched_free(f->run->policy.sched);
    f->run->policy.sched = orr_sched_new(&ops, &f->run->policy.host);
    touches = 0;
}

/* The policy has asked what the job lacks, and hears if that changes. */
static void ask(const struct orr_job *job)
{
    struct orr_missing missing;

    orr_active_missing(job->active, CUDA0, &missing);
}

static void
the_policy_hears_when_what_a_watched_task_lacks_changes(void **state)
{
    struct fixture *f = *state;
    struct orr_job *job = job_with(f, ORR_R, ORR_W);
    struct orr_replicate *copy = &f->data->copies[CUDA0];

    listen(f);
    orr_job_watch(&f->run->store, job, CUDA0);
    grant(f, CUDA1, ORR_R); /* another node: no news */
    assert_int_equal(touches, 0);
    allocate(f, copy);
    assert_int_equal(touches, 1);
    ask(job);
    orr_replicate_flip_loading(&f->run->store, copy);
    assert_int_equal(touches, 2);
    ask(job);
    grant(f, CUDA0, ORR_R);
    assert_int_equal(touches, 3);
    ask(job);
    orr_replicate_flip_loading(&f->run->store, copy); /* it is there: no news */
    assert_int_equal(touches, 3);
    grant(f, CUDA1, ORR_W); /* it becomes invalid */
    assert_int_equal(touches, 4);
}

static void the_policy_hears_once_until_it_asks_again(void **state)
{
    struct fixture *f = *state;
    struct orr_job *job = job_with(f, ORR_R, ORR_W);

    listen(f);
    orr_job_watch(&f->run->store, job, CUDA0);
    grant(f, CUDA0, ORR_R);
    grant(f, CUDA1, ORR_W);
    assert_int_equal(touches, 1);
    ask(job);
    grant(f, CUDA0, ORR_R);
    assert_int_equal(touches, 2);
    ask(job);
    orr_job_watch(&f->run->store, job, CUDA0); /* it asks anew */
    grant(f, CUDA1, ORR_W);
    assert_int_equal(touches, 3);
}

static void every_watcher_of_a_copy_hears_until_it_stops(void **state)
{
    struct fixture *f = *state;
    struct orr_job *jobs[3];

    listen(f);
    for (unsigned i = 0; i < 3; i++) {
        jobs[i] = job_with(f, ORR_R, ORR_W);
        orr_job_watch(&f->run->store, jobs[i], CUDA0);
    }
    grant(f, CUDA0, ORR_R);
    assert_int_equal(touches, 3);
    for (unsigned i = 0; i < 3; i++)
        ask(jobs[i]);
    orr_job_unwatch(&f->run->store, jobs[1]);
    orr_job_unwatch(&f->run->store, jobs[1]);
    grant(f, CUDA1, ORR_W);
    assert_int_equal(touches, 5);
    ask(jobs[0]);
    ask(jobs[2]);
    orr_job_unwatch(&f->run->store, jobs[2]);
    orr_job_unwatch(&f->run->store, jobs[0]);
    grant(f, CUDA0, ORR_R);
    assert_int_equal(touches, 5);
}

/* The missing bytes that the runtime keeps for @watched equal those computed
 * for @other, which accesses the same data. */
static void assert_same_missing(const struct orr_job *watched,
                                const struct orr_job *other)
{
    struct orr_missing kept, found;

    orr_active_missing(watched->active, CUDA0, &kept);
    orr_active_missing(other->active, CUDA0, &found);
    assert_memory_equal(&kept, &found, sizeof(kept));
}

static void what_a_watched_task_lacks_is_kept_up_to_date(void **state)
{
    struct fixture *f = *state;
    struct orr_job *job = job_with(f, ORR_R, ORR_W);
    const struct orr_job *same = job_with(f, ORR_R, ORR_W);
    struct orr_data *data[] = {f->data, f->other};

    listen(f);
    orr_job_watch(&f->run->store, job, CUDA0);
    assert_same_missing(job, same);
    for (unsigned i = 0; i < 2; i++) {
        struct orr_replicate *copy = &data[i]->copies[CUDA0];

        allocate(f, copy);
        assert_same_missing(job, same);
        orr_replicate_flip_loading(&f->run->store, copy);
        assert_same_missing(job, same);
        orr_replicate_grant(&f->run->store, copy, ORR_R);
        assert_same_missing(job, same);
        orr_replicate_flip_loading(&f->run->store, copy);
        assert_same_missing(job, same);
        orr_replicate_drop(&f->run->store, copy);
        assert_same_missing(job, same);
    }
    orr_job_unwatch(&f->run->store, job);
    grant(f, CUDA0, ORR_R); /* looked for from now on */
    assert_same_missing(job, same);
}

static void a_write_back_asks_for_an_idle_copy_to_ram(void **state)
{
    struct fixture *f = *state;
    const struct orr_request *request;

    grant(f, CUDA1, ORR_W);
    orr_data_write_back(&f->run->store, f->data);
    request = f->data->copies[RAM].requests;
    assert_non_null(request);
    assert_ptr_equal(request->from, &f->data->copies[CUDA1]);
    assert_int_equal(request->level, ORR_IDLE);
    assert_int_equal(request->node, CUDA1);
}

static void nothing_is_written_back_that_is_in_ram(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA1, ORR_R);
    orr_data_write_back(&f->run->store, f->data);
    assert_null(f->data->copies[RAM].requests);
}

static void a_write_back_waits_for_the_writer(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA1, ORR_W);
    orr_data_hold(&f->run->store, f->data, ORR_W);
    orr_data_write_back(&f->run->store, f->data);
    assert_null(f->data->copies[RAM].requests);
    orr_data_let_go(&f->run->store, f->data);
    assert_non_null(f->data->copies[RAM].requests);
}

static void a_write_back_does_not_wait_for_readers(void **state)
{
    struct fixture *f = *state;

    grant(f, CUDA1, ORR_W);
    orr_data_hold(&f->run->store, f->data, ORR_R);
    orr_data_write_back(&f->run->store, f->data);
    assert_non_null(f->data->copies[RAM].requests);
}

ORR_TESTS(data)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define P(test)                                                                \
    cmocka_unit_test_setup_teardown(test, setup_without_peers, teardown)
        T(data_are_born_in_ram),
        T(a_read_shares),
        T(a_read_by_the_owner_changes_nothing),
        T(a_write_invalidates_all_other_copies),
        T(the_last_copy_left_is_the_owner),
        T(dropping_an_invalid_copy_changes_nothing),
        T(the_source_is_the_copy_predicted_fastest),
        T(on_a_tie_the_source_is_the_lowest_node),
        P(without_peers_the_source_is_ram_or_the_last_gpu),
        T(predicted_transfer_counts_what_is_read_and_not_there),
        T(predicted_transfers_add_up),
        T(what_is_on_its_way_counts_as_there),
        P(without_peers_a_predicted_transfer_passes_by_ram),
        T(missing_bytes_are_counted_by_kind),
        T(the_policy_hears_when_what_a_watched_task_lacks_changes),
        T(the_policy_hears_once_until_it_asks_again),
        T(every_watcher_of_a_copy_hears_until_it_stops),
        T(what_a_watched_task_lacks_is_kept_up_to_date),
        T(a_write_back_asks_for_an_idle_copy_to_ram),
        T(nothing_is_written_back_that_is_in_ram),
        T(a_write_back_waits_for_the_writer),
        T(a_write_back_does_not_wait_for_readers),
#undef P
#undef T
    };

    return cmocka_run_group_tests_name("data", tests, NULL, NULL);
}
