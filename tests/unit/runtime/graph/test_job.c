/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names and accesses of jobs, and the tasks that policies see. */
#include "tests/support/graph_fixture.h"

static const struct orr_platform_kernel gemm = {.name = (char *)"gemm"};

static void a_job_shows_itself_before_and_when_it_is_ready(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access access = {f->data[0], ORR_W};
    struct orr_job *job = job_with(f, &access, 1);
    struct orr_kernel kernel = {.model = &gemm};
    const struct orr_task *task;

    job->id = 3;
    job->priority = -2;
    job->kernel = orr_graph_add_kernel(&f->graph, &kernel);
    task = orr_job_peek(&f->graph, job);
    assert_int_equal(task->id, 3);
    assert_ptr_equal(orr_job_of(task), job);
    assert_null(orr_job_active(job));
    orr_job_activate(&f->graph, job);
    task = &job->active->task;
    assert_int_equal(task->id, 3);
    assert_int_equal(task->priority, -2);
    assert_string_equal(task->kernel, "gemm");
    assert_ptr_equal(orr_job_of(task), job);
    orr_job_free(&f->graph, job);
}

static void tasks_of_a_kernel_may_have_different_names(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_kernel kernel = {.model = &gemm};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = &kernel, .count = 1,
        .accesses = (const struct orr_access[]){{f->data[0], ORR_R}}};
    static const char *const names[][2] = {
        {"update", "update"}, {NULL, "gemm"}, {"", "gemm"}};

    kernel.number = orr_graph_add_kernel(&f->graph, &kernel);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct orr_job *job;

        spec.name = names[i][0];
        job = orr_job_new_task(&f->graph, &spec);
        order(f, job);
        assert_string_equal(orr_job_name(&f->graph, job), names[i][1]);
    }
}

static void data_come_in_order_of_registration(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access accesses[] = {
        {f->data[3], ORR_RW},
        {f->data[1], ORR_R},
        {f->data[2], ORR_W},
        {f->data[0], ORR_R},
    };
    const struct orr_job *job = job_with(f, accesses, 4);

    assert_int_equal(job->access_count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_ptr_equal(orr_access_data(&job->accesses[i]), f->data[i]);
}

static void written_parts_of_a_whole_come_before_read_ones(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access accesses[] = {
        {f->data[1], ORR_R},
        {f->data[0], ORR_R},
        {f->data[2], ORR_W},
        {f->data[3], ORR_RW},
    };
    const struct orr_job *job;

    for (unsigned i = 0; i < 4; i++)
        f->data[i]->root = 0;
    job = job_with(f, accesses, 4);

    /* RW, then W, then R in order of registration. */
    assert_int_equal(job->access_count, 4);
    assert_ptr_equal(orr_access_data(&job->accesses[0]), f->data[3]);
    assert_ptr_equal(orr_access_data(&job->accesses[1]), f->data[2]);
    assert_ptr_equal(orr_access_data(&job->accesses[2]), f->data[0]);
    assert_ptr_equal(orr_access_data(&job->accesses[3]), f->data[1]);
}

/* Datum 0 and 2 are parts of one, 1 and 3 of another one. */
static void wholes_come_in_order_of_their_first_parts(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access accesses[] = {
        {f->data[0], ORR_R},
        {f->data[1], ORR_R},
        {f->data[2], ORR_RW},
        {f->data[3], ORR_RW},
    };
    const struct orr_job *job;

    f->data[2]->root = 0;
    f->data[3]->root = 1;
    job = job_with(f, accesses, 4);
    assert_ptr_equal(orr_access_data(&job->accesses[0]), f->data[2]);
    assert_ptr_equal(orr_access_data(&job->accesses[1]), f->data[0]);
    assert_ptr_equal(orr_access_data(&job->accesses[2]), f->data[3]);
    assert_ptr_equal(orr_access_data(&job->accesses[3]), f->data[1]);
}

static void modes_are_kept_as_declared_for_traces(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access accesses[] = {
        {f->data[1], ORR_R},  {f->data[0], ORR_R},   {f->data[3], ORR_W},
        {f->data[1], ORR_RW}, {f->data[2], COMMUTE},
    };
    const struct orr_job *job = job_with(f, accesses, 5);

    assert_int_equal(orr_job_declared_count(job), 5);
    assert_int_equal(orr_job_mode(job, 0), ORR_R);
    assert_int_equal(orr_job_mode(job, 1), ORR_R);
    assert_int_equal(orr_job_mode(job, 2), ORR_W);
    assert_int_equal(orr_job_mode(job, 3), ORR_RW);
    assert_int_equal(orr_job_mode(job, 4), COMMUTE);
}

static void a_datum_listed_twice_is_accessed_once(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access accesses[] = {
        {f->data[0], ORR_R},
        {f->data[1], ORR_R},
        {f->data[1], ORR_W},
        {f->data[0], ORR_R},
    };
    const struct orr_job *job = job_with(f, accesses, 4);

    assert_int_equal(job->access_count, 2);
    assert_ptr_equal(orr_access_data(&job->accesses[0]), f->data[0]);
    assert_int_equal(orr_access_mode(&job->accesses[0]), ORR_R);
    assert_ptr_equal(orr_access_data(&job->accesses[1]), f->data[1]);
    assert_int_equal(orr_access_mode(&job->accesses[1]), ORR_RW);
}

static void jobs_are_live_until_freed(void **state)
{
    struct graph_fixture *f = *state;
    const struct orr_access reads[] = {
        {f->data[0], ORR_R}, {f->data[1], ORR_R}, {f->data[2], ORR_R}};
    struct orr_job *job = job_with(f, reads, 3);

    assert_int_equal(f->graph.live, 1);
    orr_job_free(&f->graph, job);
    assert_int_equal(f->graph.live, 0);
    assert_ptr_equal(job_with(f, reads, 3), job);
}

/* Sets @accesses to @count, to new @data that are not in order: parts of three
 * wholes. */
static void make_accesses(struct graph_fixture *f, unsigned count,
                          struct orr_data **data, struct orr_access *accesses)
{
    static const enum orr_access_mode modes[] = {ORR_R, ORR_RW, ORR_R, ORR_W,
                                                 COMMUTE};

    for (unsigned i = 0; i < count; i++)
        data[i] = orr_data_new(&f->pool, 1, GRAPH_DATA + i, 100);
    for (unsigned i = 3; i < count; i++)
        data[i]->root = data[i - 3]->root;
    for (unsigned i = 0; i < count; i++)
        accesses[i] = (struct orr_access){data[(i * 7 + 3) % count],
                                          modes[i % G_N_ELEMENTS(modes)]};
}

/* Whether @a comes before @b: the whole decides first, then the mode without
 * ORR_COMMUTE, then the order of registration. */
static bool is_before(const struct orr_job_access *a,
                      const struct orr_job_access *b)
{
    const struct orr_data *first = orr_access_data(a);
    const struct orr_data *second = orr_access_data(b);

    if (first->root != second->root)
        return first->root < second->root;
    if (orr_access_mode(a) != orr_access_mode(b))
        return orr_access_mode(a) > orr_access_mode(b);
    return first->id < second->id;
}

static void assert_in_order(const struct orr_job *job)
{
    for (unsigned i = 1; i < job->access_count; i++)
        assert_true(is_before(&job->accesses[i - 1], &job->accesses[i]));
}

/* Jobs of up to four accesses are sorted without loops: all 4^4 lists, of which
 * 24 name four data. */
static void four_accesses_come_in_order_however_declared(void **state)
{
    struct graph_fixture *f = *state;
    const enum orr_access_mode modes[] = {ORR_R, ORR_RW, ORR_R, ORR_W};

    f->data[1]->root = 0;
    f->data[3]->root = 2;
    for (unsigned list = 0; list < 256; list++) {
        struct orr_access accesses[4];
        unsigned seen = 0;
        const struct orr_job *job;

        for (unsigned i = 0; i < 4; i++) {
            unsigned k = list >> (2 * i) & 3;

            accesses[i] = (struct orr_access){f->data[k], modes[k]};
            seen |= 1u << k;
        }
        job = job_with(f, accesses, 4);
        assert_int_equal(job->access_count, __builtin_popcount(seen));
        assert_in_order(job);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(orr_job_mode(job, i), accesses[i].mode);
    }
}

static void assert_coordinates(const struct orr_job *job,
                               const struct orr_task_spec *spec)
{
    unsigned coordinates[ORR_MAX_COORDINATES];
    unsigned count = orr_job_coordinates(job, coordinates);

    assert_int_equal(count, spec->coordinate_count);
    assert_in_range(count, 0, ORR_MAX_COORDINATES);
    assert_memory_equal(coordinates, spec->coordinates,
                        count * sizeof(*coordinates));
}

static void check_accesses(struct graph_fixture *f, unsigned count)
{
    struct orr_kernel kernel = {.model = &gemm};
    struct orr_data *data[ORR_MAX_ACCESSES];
    struct orr_access accesses[ORR_MAX_ACCESSES];
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = &kernel,
        .count = count,
        .accesses = accesses,
        .coordinate_count = count % 4,
        .coordinates = {count, ORR_MAX_COORDINATE, 1},
    };
    struct orr_job *job;

    kernel.number = orr_graph_add_kernel(&f->graph, &kernel);
    kernel.task_name = "other";
    make_accesses(f, count, data, accesses);
    job = orr_job_new_task(&f->graph, &spec);
    order(f, job);
    assert_int_equal(job->access_count, count);
    assert_int_equal(orr_job_declared_count(job), count);
    assert_in_order(job);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(orr_access_index(&job->accesses[i]), i);
        assert_ptr_equal(orr_access_job(&job->accesses[i]), job);
        assert_int_equal(orr_job_mode(job, i), accesses[i].mode);
    }
    assert_string_equal(orr_job_name(&f->graph, job), "gemm");
    assert_coordinates(job, &spec);
    orr_graph_retire(&f->graph, job);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(data[i]->newest_access, 0);
        assert_null(data[i]->last_exclusive);
    }
    orr_job_free(&f->graph, job);
}

static void a_job_may_have_any_number_of_accesses(void **state)
{
    static const unsigned large[] = {63,   64,   65,   127,
                                     128,  129,  500,  1000,
                                     1024, 2049, 3989, ORR_MAX_ACCESSES};

    for (unsigned count = 0; count <= 40; count++) {
        if (count % 7 != 0) /* for make_accesses() */
            check_accesses(*state, count);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(large); i++) {
        if (large[i] % 7 != 0)
            check_accesses(*state, large[i]);
    }
}

static void a_merged_job_has_its_name_and_its_coordinates(void **state)
{
    struct graph_fixture *f = *state;
    struct orr_kernel kernel = {.model = &gemm, .task_name = "other"};
    const struct orr_access accesses[] = {{f->data[0], ORR_R},
                                          {f->data[0], ORR_W}};
    const struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = &kernel,
        .name = "own",
        .count = 2,
        .accesses = accesses,
        .coordinate_count = 3,
        .coordinates = {7, 0, ORR_MAX_COORDINATE},
    };
    struct orr_job *job;

    kernel.number = orr_graph_add_kernel(&f->graph, &kernel);
    job = orr_job_new_task(&f->graph, &spec);
    order(f, job);
    assert_int_equal(job->access_count, 1);
    assert_int_equal(orr_job_declared_count(job), 2);
    assert_string_equal(orr_job_name(&f->graph, job), "own");
    assert_coordinates(job, &spec);
    orr_graph_retire(&f->graph, job);
    orr_job_free(&f->graph, job);
}

static void many_accesses_to_one_datum_are_merged(void **state)
{
    enum { COUNT = 100 };
    struct graph_fixture *f = *state;
    struct orr_access accesses[COUNT];
    struct orr_job *job;

    for (unsigned i = 0; i < 3; i++)
        f->data[i]->root = 0;
    for (unsigned i = 0; i < COUNT; i++)
        accesses[i] =
            (struct orr_access){f->data[i % 3], i == 50 ? ORR_W : ORR_R};
    job = job_with(f, accesses, COUNT);
    order(f, job);
    assert_int_equal(job->access_count, 3);
    assert_int_equal(orr_job_declared_count(job), COUNT);
    assert_ptr_equal(orr_access_data(&job->accesses[0]), f->data[50 % 3]);
    assert_int_equal(orr_access_mode(&job->accesses[0]), ORR_RW);
    assert_ptr_equal(orr_access_data(&job->accesses[1]), f->data[0]);
    assert_ptr_equal(orr_access_data(&job->accesses[2]), f->data[1]);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(orr_job_mode(job, i), accesses[i].mode);
    orr_graph_retire(&f->graph, job);
    orr_job_free(&f->graph, job);
}

ORR_TESTS(job)
{
    const struct CMUnitTest tests[] = {
#define T(test)                                                                \
    cmocka_unit_test_setup_teardown(test, graph_setup, graph_teardown)
        T(a_job_shows_itself_before_and_when_it_is_ready),
        T(tasks_of_a_kernel_may_have_different_names),
        T(data_come_in_order_of_registration),
        T(written_parts_of_a_whole_come_before_read_ones),
        T(wholes_come_in_order_of_their_first_parts),
        T(four_accesses_come_in_order_however_declared),
        T(modes_are_kept_as_declared_for_traces),
        T(a_datum_listed_twice_is_accessed_once),
        T(jobs_are_live_until_freed),
        T(a_job_may_have_any_number_of_accesses),
        T(a_merged_job_has_its_name_and_its_coordinates),
        T(many_accesses_to_one_datum_are_merged),
#undef T
    };

    return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
