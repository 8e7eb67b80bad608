/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dependencies between copies, on an executor that ends copies on command. */
#include "runtime/config/run_config.h"
#include "runtime/data/copy.h"
#include "runtime/data/request.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

enum { RAM, CUDA0, CUDA1, CUDA2 };
enum { COPIES = 8 };

struct fake {
    struct orr_executor base; /* first */
    struct orr_copy *started[COPIES];
    unsigned count;
};

struct fixture {
    struct orr_request requests[COPIES];
    struct unit_run *unit;
    struct orr_run *run;
    struct orr_executor *executor; /* the run's own */
    struct fake fake;
    unsigned count;
};

static void start(struct orr_executor *executor, struct orr_copy *copy)
{
    struct fake *fake = (struct fake *)executor;

    assert_true(fake->count < COPIES);
    fake->started[fake->count++] = copy;
}

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);
    struct orr_config config;

    orr_config_init(&config);
    config.models = "overheads=off";
    config.cpus = 0;
    f->unit = unit_run_new("three-gpus.xml", &config);
    f->run = f->unit->run;
    f->executor = f->run->store.executor;
    f->fake.base.copy = start;
    f->run->store.executor = &f->fake.base;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    f->run->store.executor = f->executor;
    unit_run_free(f->unit);
    g_free(f);
    return 0;
}

/* Submits a copy; it is known by the number returned. */
static unsigned submit(struct fixture *f, unsigned from, unsigned to)
{
    struct orr_data *data = orr_data_register(f->run, 1000 + f->count);
    struct orr_request *request = &f->requests[f->count];

    *request = (struct orr_request){
        .store = &f->run->store,
        .data = data,
        .from = &data->copies[from],
        .to = &data->copies[to],
        .node = (uint8_t)MAX(from, to),
    };
    orr_copy_submit(&f->run->store, request);
    return f->count++;
}

static struct orr_copy *find(struct fixture *f, unsigned copy)
{
    for (unsigned i = 0; i < f->fake.count; i++) {
        if (f->fake.started[i]->request == &f->requests[copy])
            return f->fake.started[i];
    }
    return NULL;
}

static bool runs(struct fixture *f, unsigned copy)
{
    return find(f, copy) != NULL;
}

static void end(struct fixture *f, unsigned copy)
{
    struct orr_copy *started = find(f, copy);

    assert_non_null(started);
    orr_copy_ended(&f->run->store, started);
    assert_true(f->requests[copy].copied);
}

/* Whether a copy waits for an earlier one. */
static bool waits(void **state, unsigned from, unsigned to,
                  unsigned earlier_from, unsigned earlier_to)
{
    struct fixture *f = *state;
    unsigned earlier = submit(f, earlier_from, earlier_to);
    unsigned copy = submit(f, from, to);
    bool waited = !runs(f, copy);

    assert_true(runs(f, earlier));
    end(f, earlier);
    end(f, copy);
    f->fake.count = 0;
    f->count = 0;
    return waited;
}

static void a_copy_waits_for_the_one_before_it_in_its_stream(void **state)
{
    assert_true(waits(state, RAM, CUDA0, RAM, CUDA0));
    assert_true(waits(state, CUDA0, RAM, CUDA0, RAM));
    assert_true(waits(state, CUDA0, CUDA1, CUDA0, CUDA1));
}

static void starting_a_copy_takes_operations_unless_it_waits(void **state)
{
    struct fixture *f = *state;
    unsigned first = submit(f, RAM, CUDA0);

    assert_int_equal(orr_copy_operations(&f->requests[first]), 0);
    end(f, first);
    assert_int_equal(orr_copy_operations(&f->requests[first]), 1);
    f->requests[first].to = &f->requests[first].data->copies[CUDA1];
    assert_int_equal(orr_copy_operations(&f->requests[first]), 4); /* new */
}

static void copies_in_and_out_of_a_gpu_overlap(void **state)
{
    assert_false(waits(state, RAM, CUDA0, CUDA0, RAM));
    assert_false(waits(state, CUDA0, RAM, RAM, CUDA0));
}

static void copies_of_different_gpus_overlap(void **state)
{
    assert_false(waits(state, RAM, CUDA0, RAM, CUDA1));
    assert_false(waits(state, CUDA0, RAM, CUDA1, RAM));
}

static void a_copy_between_gpus_waits_for_copies_into_either(void **state)
{
    assert_true(waits(state, CUDA0, CUDA1, RAM, CUDA0));
    assert_true(waits(state, CUDA0, CUDA1, RAM, CUDA1));
    assert_false(waits(state, CUDA0, CUDA1, RAM, CUDA2));
}

static void a_copy_into_either_gpu_waits_for_a_copy_between_them(void **state)
{
    assert_true(waits(state, RAM, CUDA0, CUDA0, CUDA1));
    assert_true(waits(state, RAM, CUDA1, CUDA0, CUDA1));
    assert_false(waits(state, RAM, CUDA2, CUDA0, CUDA1));
}

static void a_copy_between_gpus_overlaps_copies_out_to_ram(void **state)
{
    assert_false(waits(state, CUDA0, CUDA1, CUDA0, RAM));
    assert_false(waits(state, CUDA0, CUDA1, CUDA1, RAM));
    assert_false(waits(state, CUDA0, RAM, CUDA0, CUDA1));
    assert_false(waits(state, CUDA1, RAM, CUDA0, CUDA1));
}

static void copies_between_two_gpus_both_ways_exclude_each_other(void **state)
{
    assert_true(waits(state, CUDA0, CUDA1, CUDA1, CUDA0));
}

static void copies_between_gpus_that_meet_exclude_each_other(void **state)
{
    assert_true(waits(state, CUDA1, CUDA2, CUDA0, CUDA2)); /* same target */
    assert_true(waits(state, CUDA1, CUDA2, CUDA0, CUDA1)); /* on, from there */
    assert_true(waits(state, CUDA0, CUDA1, CUDA1, CUDA2)); /* into the source */
    assert_false(waits(state, CUDA0, CUDA1, CUDA0, CUDA2)); /* same source */
}

static void
a_copy_starts_when_the_last_that_it_waits_for_has_ended(void **state)
{
    struct fixture *f = *state;
    unsigned into_source = submit(f, RAM, CUDA0);
    unsigned into_target = submit(f, RAM, CUDA1);
    unsigned between = submit(f, CUDA0, CUDA1);

    end(f, into_target);
    assert_false(runs(f, between));
    end(f, into_source);
    assert_true(runs(f, between));
    end(f, between);
}

static void a_copy_waits_even_for_earlier_ones_that_wait(void **state)
{
    struct fixture *f = *state;
    unsigned first = submit(f, RAM, CUDA0);
    unsigned between = submit(f, CUDA0, CUDA1);
    unsigned last = submit(f, RAM, CUDA1);

    assert_false(runs(f, last)); /* though nothing flows into CUDA1 */
    end(f, first);
    assert_false(runs(f, last));
    end(f, between);
    assert_true(runs(f, last));
    end(f, last);
}

static void copies_that_waited_start_in_order_of_submission(void **state)
{
    struct fixture *f = *state;
    unsigned between = submit(f, CUDA0, CUDA1);
    unsigned second = submit(f, RAM, CUDA1);
    unsigned third = submit(f, RAM, CUDA0);

    end(f, between);
    assert_int_equal(f->fake.count, 3);
    assert_ptr_equal(f->fake.started[1]->request, &f->requests[second]);
    assert_ptr_equal(f->fake.started[2]->request, &f->requests[third]);
    end(f, second);
    end(f, third);
}

/* An actor that continues when all copies have ended. */
struct patient {
    enum { PATIENT_BEGIN, PATIENT_END } at;
    struct orr_run *run;
    bool *done;
};

static enum orr_next wait_for_all(struct orr_actor *actor, void *locals)
{
    struct patient *patient = locals;

    if (patient->at == PATIENT_BEGIN) {
        patient->at = PATIENT_END;
        if (orr_copies_await_all(&patient->run->store, actor))
            return orr_actor_suspend(actor);
    }
    *patient->done = true;
    return ORR_DONE;
}

static void start_patient(struct fixture *f, bool *done)
{
    struct patient *patient =
        orr_actor_call(&f->run->app.main.actor, wait_for_all, sizeof(*patient));

    patient->run = f->run;
    patient->done = done;
    orr_actor_start(&f->run->app.main.actor);
}

static void whoever_awaits_all_copies_goes_on_after_the_last(void **state)
{
    struct fixture *f = *state;
    unsigned first = submit(f, RAM, CUDA0);
    unsigned second = submit(f, RAM, CUDA0);
    unsigned third;
    bool done = false;

    start_patient(f, &done);
    third = submit(f, RAM, CUDA1); /* later: not waited for */
    end(f, first);
    orr_actors_step(&f->run->engine);
    assert_false(done);
    end(f, second);
    orr_actors_step(&f->run->engine);
    assert_true(done);
    end(f, third);
}

static void whoever_awaits_no_copy_goes_on_at_once(void **state)
{
    bool done = false;

    start_patient(*state, &done);
    assert_true(done);
}

static void bytes_are_counted_by_direction(void **state)
{
    struct fixture *f = *state;
    unsigned in = submit(f, RAM, CUDA0);        /* 1000 bytes */
    unsigned out = submit(f, CUDA0, RAM);       /* 1001 */
    unsigned between = submit(f, CUDA1, CUDA2); /* 1002 */
    unsigned again = submit(f, RAM, CUDA0);     /* 1003 */
    const struct orr_report *report;

    end(f, in);
    end(f, out);
    end(f, between);
    end(f, again);
    report = orr_run_report(f->run);
    assert_int_equal(report->copies, 4);
    assert_int_equal(report->bytes_host_to_device, 1000 + 1003);
    assert_int_equal(report->bytes_device_to_host, 1001);
    assert_int_equal(report->bytes_device_to_device, 1002);
}

static void the_trace_is_told_of_each_copy(void **state)
{
    struct fixture *f = *state;
    unsigned fetch = submit(f, RAM, CUDA0);
    unsigned evict = submit(f, CUDA2, RAM);

    f->requests[evict].evicts = true;
    end(f, evict);
    end(f, fetch);
    assert_int_equal(f->unit->copies->len, 2);
    assert_string_equal(unit_copy(f->unit, 0)->from, "CUDA2");
    assert_string_equal(unit_copy(f->unit, 0)->to, "RAM");
    assert_string_equal(unit_copy(f->unit, 0)->why, "evict");
    assert_int_equal(unit_copy(f->unit, 0)->data, 1);
    assert_int_equal(unit_copy(f->unit, 0)->bytes, 1001);
    assert_string_equal(unit_copy(f->unit, 1)->from, "RAM");
    assert_string_equal(unit_copy(f->unit, 1)->to, "CUDA0");
    assert_string_equal(unit_copy(f->unit, 1)->why, "fetch");
}

ORR_TESTS(copy)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_copy_waits_for_the_one_before_it_in_its_stream),
        T(starting_a_copy_takes_operations_unless_it_waits),
        T(copies_in_and_out_of_a_gpu_overlap),
        T(copies_of_different_gpus_overlap),
        T(a_copy_between_gpus_waits_for_copies_into_either),
        T(a_copy_into_either_gpu_waits_for_a_copy_between_them),
        T(a_copy_between_gpus_overlaps_copies_out_to_ram),
        T(copies_between_two_gpus_both_ways_exclude_each_other),
        T(copies_between_gpus_that_meet_exclude_each_other),
        T(a_copy_starts_when_the_last_that_it_waits_for_has_ended),
        T(a_copy_waits_even_for_earlier_ones_that_wait),
        T(copies_that_waited_start_in_order_of_submission),
        T(whoever_awaits_all_copies_goes_on_after_the_last),
        T(whoever_awaits_no_copy_goes_on_at_once),
        T(bytes_are_counted_by_direction),
        T(the_trace_is_told_of_each_copy),
#undef T
    };

    return cmocka_run_group_tests_name("copy", tests, NULL, NULL);
}
