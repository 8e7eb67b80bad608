/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data that are split into parts, and joined again. */
#include "runtime/config/run_config.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define COPY (410 * US)      /* 4 MB */
#define HALF_COPY (210 * US) /* 2 MB */

static const struct orr_grid halves = {
    ORR_GRID_INIT, .element_bytes = 4, .rows = 1000000,
    .columns = 1,  .row_parts = 2,     .column_parts = 1,
};

static struct unit_run *make(int cpus, int gpus)
{
    struct orr_config config = unit_config("eager", cpus, gpus);

    config.models = "overheads=off";
    return unit_run_new("three-gpus.xml", &config);
}

static void end(struct unit_run *unit)
{
    unit_wait(unit);
    unit_run_free(unit);
}

/* A task writes the datum on the GPU, one updates a half there, one reads it
 * all there. Each change brings what the GPU wrote home first. */
static void each_change_brings_the_content_home(void **state)
{
    struct unit_run *unit = make(0, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    unit_submit(unit, data, ORR_W);
    orr_partition_split(partition);
    unit_submit(unit, orr_partition_part(partition, 0, 0), ORR_RW);
    orr_partition_join(partition);
    unit_submit(unit, data, ORR_R);
    unit_wait(unit);
    assert_int_equal(unit_copy(unit, 0)->bytes, 4000000);
    assert_int_equal(unit_copy(unit, 0)->ended, 1000 * US + COPY);
    assert_int_equal(unit_task(unit, 1)->ended,
                     1000 * US + COPY + HALF_COPY + 1000 * US);
    assert_int_equal(unit_copy(unit, 2)->bytes, 2000000);
    assert_int_equal(unit_copy(unit, 2)->ended,
                     unit_task(unit, 1)->ended + HALF_COPY);
    assert_int_equal(unit_task(unit, 2)->ended,
                     unit_copy(unit, 2)->ended + COPY + 1000 * US);
    assert_int_equal(unit->copies->len, 4);
    end(unit);
}

/* Nothing is copied between CPUs, and the halves are updated side by side. */
static void parts_are_independent(void **state)
{
    struct unit_run *unit = make(2, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    unit_submit(unit, data, ORR_RW);
    orr_partition_split(partition);
    for (unsigned i = 0; i < 2; i++)
        unit_submit(unit, orr_partition_part(partition, i, 0), ORR_RW);
    orr_partition_join(partition);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->ended, 2000 * US);
    assert_int_equal(unit_task(unit, 2)->ended, 2000 * US);
    assert_int_equal(unit_task(unit, 3)->ended, 3000 * US);
    assert_int_equal(unit->copies->len, 0);
    end(unit);
}

/* The change takes a push and a submission, and so does the invalidation of
 * each datum that it replaces. */
static void changes_take_the_time_of_internal_tasks(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    orr_partition_split(partition);
    unit_wait(unit);
    assert_int_equal(unit->run->engine.now, (2 + 2) * US);
    orr_partition_join(partition);
    unit_wait(unit);
    assert_int_equal(unit->run->engine.now, (4 + 2 + 2 * 2) * US);
    end(unit);
}

/* What a change replaces has no content, on GPUs either. */
static void replaced_data_have_no_content(void **state)
{
    struct unit_run *unit = make(0, 2);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    unit_submit(unit, data, ORR_R);
    orr_partition_split(partition);
    unit_wait(unit);
    assert_int_equal(data->valid, 0);
    assert_int_equal(data->allocated, 1);
    unit_submit(unit, orr_partition_part(partition, 1, 0), ORR_R);
    orr_partition_join(partition);
    unit_wait(unit);
    assert_int_equal(data->valid, 1);
    assert_int_equal(orr_partition_part(partition, 1, 0)->valid, 0);
    assert_int_equal(orr_partition_part(partition, 1, 0)->allocated, 1);
    end(unit);
}

/* 10 x 5 elements of 8 bytes in 3 x 2 tiles: 4, 3, 3 rows, 3, 2 columns. Tiles
 * of a larger matrix keep its pitch. */
static void the_first_parts_are_larger(void **state)
{
    struct unit_run *unit = make(1, 0);
    struct orr_data *data = orr_data_register_matrix(unit->run, 80, 5, 100);
    const struct orr_grid grid = {ORR_GRID_INIT, 8, 10, 5, 3, 2};
    struct orr_partition *partition = orr_partition_new(unit->run, data, &grid);

    (void)state;
    assert_int_equal(orr_partition_part(partition, 0, 0)->bytes, 8 * 4 * 3);
    assert_int_equal(orr_partition_part(partition, 1, 0)->bytes, 8 * 3 * 3);
    assert_int_equal(orr_partition_part(partition, 2, 1)->bytes, 8 * 3 * 2);
    assert_int_equal(orr_partition_part(partition, 2, 1)->pitch_bytes, 100);
    assert_null(orr_partition_part(partition, 3, 0));
    assert_null(orr_partition_part(partition, 0, 2));
    end(unit);
}

/* 10 x 5 elements of 8 bytes in 3 x 2 tiles of 1, 2, 7 rows, 4, 1 columns. */
static void the_sizes_of_parts_may_be_listed(void **state)
{
    struct unit_run *unit = make(1, 0);
    struct orr_data *data = orr_data_register(unit->run, 400);
    const struct orr_grid grid = {
        ORR_GRID_INIT,
        .element_bytes = 8,
        .rows = 10,
        .columns = 5,
        .row_parts = 3,
        .column_parts = 2,
        .row_sizes = (const uint64_t[]){1, 2, 7},
        .column_sizes = (const uint64_t[]){4, 1},
    };
    struct orr_partition *partition = orr_partition_new(unit->run, data, &grid);

    (void)state;
    assert_int_equal(orr_partition_part(partition, 0, 0)->bytes, 8 * 1 * 4);
    assert_int_equal(orr_partition_part(partition, 1, 0)->bytes, 8 * 2 * 4);
    assert_int_equal(orr_partition_part(partition, 2, 1)->bytes, 8 * 7 * 1);
    assert_int_equal(orr_partition_part(partition, 1, 0)->pitch_bytes, 80);
    end(unit);
}

static void a_part_can_be_split(void **state)
{
    struct unit_run *unit = make(4, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *outer = orr_partition_new(unit->run, data, &halves);
    const struct orr_grid grid = {ORR_GRID_INIT, 4, 500000, 1, 2, 1};
    struct orr_partition *inner =
        orr_partition_new(unit->run, orr_partition_part(outer, 0, 0), &grid);

    (void)state;
    orr_partition_split(outer);
    orr_partition_split(inner);
    for (unsigned i = 0; i < 2; i++)
        unit_submit(unit, orr_partition_part(inner, i, 0), ORR_RW);
    unit_submit(unit, orr_partition_part(outer, 1, 0), ORR_RW);
    orr_partition_join(inner);
    orr_partition_join(outer);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 2)->ended, 1000 * US);
    assert_int_equal(unit_task(unit, 3)->ended, 2000 * US);
    end(unit);
}

/* Four levels of halves; 1000000 rows have parts of 62500 in the end. The last
 * level is planned when the datum is split. */
static void parts_of_parts_are_planned_at_any_time(void **state)
{
    struct unit_run *unit = make(1, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_data *part = data;
    struct orr_grid grid = halves;
    struct orr_partition *levels[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        if (i == 3)
            orr_partition_split(levels[0]);
        levels[i] = orr_partition_new(unit->run, part, &grid);
        part = orr_partition_part(levels[i], 1, 0);
        grid.rows /= 2;
    }
    for (unsigned i = 1; i < 4; i++)
        orr_partition_split(levels[i]);
    unit_submit(unit, part, ORR_RW);
    for (unsigned i = 4; i-- > 0;)
        orr_partition_join(levels[i]);
    unit_submit(unit, data, ORR_R);
    assert_int_equal(part->bytes, 4 * 62500);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->ended, 2000 * US);
    unit_run_free(unit);
}

/* On a GPU that has written the datum, a task reads it again as soon as its
 * content is home, and another one a half after the copy of that half. */
static void data_are_read_as_a_whole_and_in_parts(void **state)
{
    struct unit_run *unit = make(0, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    unit_submit(unit, data, ORR_W);
    orr_partition_split_readonly(partition);
    unit_submit(unit, data, ORR_R);
    unit_submit(unit, orr_partition_part(partition, 1, 0), ORR_R);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 2);
    assert_int_equal(unit_copy(unit, 0)->bytes, 4000000);
    assert_int_equal(unit_copy(unit, 0)->ended, 1000 * US + COPY);
    assert_int_equal(unit_task(unit, 1)->ended, 2000 * US);
    assert_int_equal(unit_copy(unit, 1)->bytes, 2000000);
    assert_int_equal(unit_copy(unit, 1)->started, 1000 * US + COPY);
    assert_int_equal(unit_task(unit, 2)->ended, 3000 * US);
    orr_partition_join(partition);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 3);
    assert_int_equal(unit_copy(unit, 2)->bytes, 4000000);
    assert_int_equal(unit_task(unit, 3)->ended, 4000 * US + COPY);
    end(unit);
}

/* The first half is updated twice. The other one can be read at once, the first
 * one and the datum after that, and the datum can be written in the end. */
static void parts_that_were_written_are_shared(void **state)
{
    struct unit_run *unit = make(4, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    orr_partition_split(partition);
    for (unsigned i = 0; i < 2; i++)
        unit_submit(unit, orr_partition_part(partition, 0, 0), ORR_RW);
    orr_partition_join_readonly(partition);
    for (unsigned i = 0; i < 2; i++)
        unit_submit(unit, orr_partition_part(partition, i, 0), ORR_R);
    unit_submit(unit, data, ORR_R);
    orr_partition_join(partition);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    for (unsigned i = 0; i < 6; i++) {
        static const int64_t ends[] = {1000, 2000, 3000, 1000, 3000, 4000};

        assert_int_equal(unit_task(unit, i)->ended,
                         ends[unit_task(unit, i)->order] * US);
    }
    end(unit);
}

/* Rows and columns; the rows have parts of their own. */
static void data_are_read_in_several_partitions(void **state)
{
    struct unit_run *unit = make(4, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    const struct orr_grid rows = {ORR_GRID_INIT, 4, 1000, 1000, 2, 1};
    const struct orr_grid columns = {ORR_GRID_INIT, 4, 1000, 1000, 1, 2};
    const struct orr_grid half = {ORR_GRID_INIT, 4, 500, 1000, 2, 1};
    struct orr_partition *partitions[] = {
        orr_partition_new(unit->run, data, &rows),
        orr_partition_new(unit->run, data, &columns),
        NULL,
    };

    (void)state;
    partitions[2] = orr_partition_new(
        unit->run, orr_partition_part(partitions[0], 1, 0), &half);
    for (unsigned i = 0; i < 3; i++)
        orr_partition_split_readonly(partitions[i]);
    unit_submit(unit, data, ORR_R);
    for (unsigned i = 0; i < 3; i++)
        unit_submit(unit, orr_partition_part(partitions[i], 0, 0), ORR_R);
    unit_wait(unit);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(unit_task(unit, i)->ended, 1000 * US);
    orr_partition_join(partitions[2]);
    orr_partition_join(partitions[0]);
    unit_submit(unit, orr_partition_part(partitions[1], 0, 1), ORR_R);
    orr_partition_join(partitions[1]);
    orr_partition_split(partitions[0]);
    unit_submit(unit, orr_partition_part(partitions[0], 1, 0), ORR_RW);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 5)->ended, 3000 * US);
    end(unit);
}

/* Nothing is replaced: the change is pushed in 1 us, and its submission ends.
 */
static void to_be_read_only_nothing_is_replaced(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    orr_partition_split_readonly(partition);
    unit_wait(unit);
    assert_int_equal(unit->run->engine.now, 2 * US);
    orr_partition_join(partition);
    unit_wait(unit);
    assert_int_equal(unit->run->engine.now, (2 + 2 + 2 * 2) * US);
    end(unit);
}

/* Each writer waits for all tasks before it, however the data are split. */
static void check_random_readers(const char *sched, const char *models,
                                 unsigned seed)
{
    struct orr_config config = unit_config(sched, 2, 2);
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    struct unit_run *unit;
    struct orr_partition *partition;
    struct orr_data *data;
    bool writes[100] = {false};
    unsigned count = 0;

    config.models = models;
    unit = unit_run_new("three-gpus.xml", &config);
    data = orr_data_register(unit->run, 4000000);
    partition = orr_partition_new(unit->run, data, &halves);
    for (unsigned turn = 0; turn < 10; turn++) {
        unit_submit(unit, data, ORR_RW);
        writes[count++] = true;
        if (g_rand_boolean(rand)) {
            orr_partition_split(partition);
            unit_submit(unit, orr_partition_part(partition, 1, 0), ORR_RW);
            writes[count++] = true;
            orr_partition_join_readonly(partition);
        } else {
            orr_partition_split_readonly(partition);
        }
        for (int i = g_rand_int_range(rand, 0, 6); i > 0; i--, count++)
            unit_submit(unit,
                        g_rand_boolean(rand)
                            ? data
                            : orr_partition_part(partition, i & 1, 0),
                        ORR_R);
        orr_partition_join(partition);
    }
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < count; k++) {
            const struct orr_trace_task *before = unit_task(unit, i);
            const struct orr_trace_task *task = unit_task(unit, k);

            if (before->order < task->order && writes[task->order])
                assert_true(task->kernel_started >= before->ended);
        }
    }
    unit_run_free(unit);
}

static void random_readers_are_between_writers(void **state)
{
    static const char *const scheds[] = {"eager", "dmda", "dmdas",
                                         "lws",   "ws",   "prio"};

    (void)state;
    for (unsigned seed = 0; seed < 5; seed++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++)
            check_random_readers(scheds[i], NULL, seed);
        if (orr_turns_lockstep)
            check_random_readers("dmda", "quirks=exact", seed);
    }
}

/* Frees @unit, whose run must have failed so. */
static void expect(struct unit_run *unit, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, message);
    unit_run_free(unit);
}

enum wrong {
    USES_SPLIT,
    USES_PART,
    SPLITS_TWICE,
    JOINS_TWICE,
    JOINS_SPLIT_PART,
    UNREGISTERS_SPLIT,
    UNREGISTERS_PART,
    ACQUIRES_PART,
    WRITES_READ_ONLY,
    WRITES_READ_ONLY_PART,
    SPLITS_READ_ONLY,
    SPLITS_READ_ONLY_TWICE,
    JOINS_READ_ONLY_TWICE,
    JOINS_READ_ONLY_PART,
    WRONGS
};

static void do_wrong(struct unit_run *unit, enum wrong wrong)
{
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);
    struct orr_data *part = orr_partition_part(partition, 0, 0);
    const struct orr_grid grid = {ORR_GRID_INIT, 4, 500000, 1, 2, 1};

    if (wrong >= WRITES_READ_ONLY)
        orr_partition_split_readonly(partition);
    else if (wrong != USES_PART && wrong != ACQUIRES_PART)
        orr_partition_split(partition);
    switch (wrong) {
    case USES_SPLIT:
        unit_submit(unit, data, ORR_R);
        break;
    case USES_PART:
        unit_submit(unit, part, ORR_R);
        break;
    case SPLITS_TWICE:
        orr_partition_split(partition);
        break;
    case JOINS_TWICE:
        orr_partition_join(partition);
        orr_partition_join(partition);
        break;
    case JOINS_SPLIT_PART:
        orr_partition_split(orr_partition_new(unit->run, part, &grid));
        orr_partition_join(partition);
        break;
    case UNREGISTERS_SPLIT:
        orr_data_unregister(unit->run, data, NULL);
        break;
    case UNREGISTERS_PART:
        orr_data_unregister(unit->run, part, NULL);
        break;
    case WRITES_READ_ONLY:
        unit_submit(unit, data, ORR_RW);
        break;
    case WRITES_READ_ONLY_PART:
        unit_submit(unit, part, ORR_W);
        break;
    case SPLITS_READ_ONLY:
        orr_partition_split(orr_partition_new(unit->run, data, &halves));
        break;
    case SPLITS_READ_ONLY_TWICE:
        orr_partition_split_readonly(partition);
        break;
    case JOINS_READ_ONLY_TWICE:
        orr_partition_join_readonly(partition);
        break;
    case JOINS_READ_ONLY_PART:
        orr_partition_split_readonly(orr_partition_new(unit->run, part, &grid));
        orr_partition_join(partition);
        break;
    default:
        orr_data_acquire(unit->run, part, ORR_R, NULL);
        break;
    }
}

static void data_in_the_wrong_state_are_errors(void **state)
{
    static const char *const messages[WRONGS] = {
        [USES_SPLIT] = "task 0 (unit): data handle 0 is split into parts",
        [USES_PART] = "task 0 (unit): A(0,0) is a part of a datum that is "
                      "not split into such parts",
        [SPLITS_TWICE] = "data handle 0 is split into parts",
        [JOINS_TWICE] =
            "data handle 0 is joined, but not split into these parts",
        [JOINS_SPLIT_PART] = "A(0,0) is split into parts",
        [UNREGISTERS_SPLIT] = "data handle 0 is split into parts",
        [UNREGISTERS_PART] = "A(0,0) is a part, and cannot be unregistered",
        [ACQUIRES_PART] = "A(0,0) is a part of a datum that is not split into "
                          "such parts",
        [WRITES_READ_ONLY] =
            "task 0 (unit): data handle 0 is split into parts, to "
            "be read only",
        [WRITES_READ_ONLY_PART] = "task 0 (unit): A(0,0) is a part that can "
                                  "be read only",
        [SPLITS_READ_ONLY] =
            "data handle 0 is split into parts, to be read only",
        [SPLITS_READ_ONLY_TWICE] =
            "data handle 0 is split into these parts already",
        [JOINS_READ_ONLY_TWICE] =
            "data handle 0 is split to be read only already",
        [JOINS_READ_ONLY_PART] = "A(0,0) is split into parts",
    };

    (void)state;
    for (enum wrong wrong = 0; wrong < WRONGS; wrong++) {
        struct unit_run *unit = make(1, 0);

        do_wrong(unit, wrong);
        expect(unit, messages[wrong]);
    }
}

/* Two parts of 3 MB of a datum of 4 MB, as with a shadow: both are copied whole
 * to the GPU, and the later one back. The second one has two columns of 1.5 MB,
 * 2.5 MB apart. */
static void parts_may_overlap(void **state)
{
    static const struct orr_part parts[] = {{3000000, 1, 3000000},
                                            {1500000, 2, 2500000}};
    struct unit_run *unit = make(0, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new_parts(unit->run, data, parts, 2);

    (void)state;
    orr_partition_split(partition);
    unit_submit(unit, orr_partition_part(partition, 0, 0), ORR_R);
    unit_submit(unit, orr_partition_part(partition, 1, 0), ORR_RW);
    orr_partition_join(partition);
    unit_wait(unit);
    assert_null(orr_partition_part(partition, 2, 0));
    assert_null(orr_partition_part(partition, 0, 1));
    assert_int_equal(unit_copy(unit, 0)->bytes, 3000000);
    assert_int_equal(unit_copy(unit, 0)->ended, 310 * US);
    assert_int_equal(unit_task(unit, 0)->ended, 1310 * US);
    assert_int_equal(unit_copy(unit, 1)->bytes, 3000000);
    assert_int_equal(unit->copies->len, 3);
    end(unit);
}

static void wrong_parts_are_errors(void **state)
{
    static const struct {
        struct orr_part part;
        unsigned count;
        const char *message;
    } cases[] = {
        {{4, 1, 4},
         0,
         "data handle 0 is split into no parts, or into too many"},
        {{4, 1, 4},
         ORR_MAX_ACCESSES,
         "data handle 0 is split into no parts, or into too many"},
        {{4000001, 1, 4000001},
         1,
         "data handle 0 is split into parts of which one is larger"},
        {{0, 1, 4},
         1,
         "a block of 1 columns of 0 bytes: expected 1 to 2^50 bytes together"},
        {{4, 2, 3}, 1, "the pitch 3 is below the 4 bytes of a column"},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct unit_run *unit = make(1, 0);
        struct orr_data *data = orr_data_register(unit->run, 4000000);

        assert_null(orr_partition_new_parts(unit->run, data, &cases[i].part,
                                            cases[i].count));
        expect(unit, cases[i].message);
    }
}

static void wrong_grids_are_errors(void **state)
{
    static const uint64_t few[] = {1, 999998}, empty[] = {0, 1000000};
    static const uint64_t many[] = {999, 2};
    static const struct {
        struct orr_grid grid;
        const char *message;
    } cases[] = {
        {{ORR_GRID_INIT, 4, 999999, 1, 2, 1},
         "data handle 0 has not the bytes of rows x columns elements of its "
         "partition"},
        {{ORR_GRID_INIT, 0, 1, 1, 1, 1},
         "data handle 0 has not the bytes of rows x columns elements of its "
         "partition"},
        {{ORR_GRID_INIT, 4, 1000000, 1, 0, 1},
         "data handle 0 is split into no parts, or into more than there are "
         "rows or "
         "columns"},
        {{ORR_GRID_INIT, 4, 1000000, 1, 1, 2},
         "data handle 0 is split into no parts, or into more than there are "
         "rows or "
         "columns"},
        {{ORR_GRID_INIT, 4, 1000, 1000, 1000, 4},
         "data handle 0 is split into too many parts"},
        {{ORR_GRID_INIT, 4, 1000000, 1, 2, 1, few},
         "data handle 0 is split by row_sizes that are not above 0, or not "
         "together its rows"},
        {{ORR_GRID_INIT, 4, 1000000, 1, 2, 1, empty},
         "data handle 0 is split by row_sizes that are not above 0, or not "
         "together its rows"},
        {{ORR_GRID_INIT, 4, 1000, 1000, 1, 2, NULL, many},
         "data handle 0 is split by column_sizes that are not above 0, or not "
         "together its columns"},
        {{.size = 0, 4, 1000000, 1, 2, 1},
         "the size of struct orr_grid is 0: begin it with ORR_GRID_INIT"},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct unit_run *unit = make(1, 0);
        struct orr_data *data = orr_data_register(unit->run, 4000000);

        assert_null(orr_partition_new(unit->run, data, &cases[i].grid));
        orr_partition_split(NULL);
        orr_partition_join(NULL);
        expect(unit, cases[i].message);
    }
}

/* Of two tasks with a change between them, the first has ended before the
 * second starts; all run, under any policy. The first coordinate counts the
 * changes before a task. */
static void check_random(const char *sched, const char *models, unsigned seed)
{
    struct orr_config config = unit_config(sched, 2, 3);
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    const struct orr_grid grid = {ORR_GRID_INIT, 4, 1000, 1000, 4, 3};
    struct unit_run *unit;
    struct orr_partition *partition;
    struct orr_data *data;
    int64_t last_end[40] = {0};
    bool split = false;
    unsigned changes = 0;

    config.models = models;
    config.gpu_memory_bytes = 12 << 20;
    unit = unit_run_new("three-gpus.xml", &config);
    data = orr_data_register(unit->run, 4000000);
    partition = orr_partition_new(unit->run, data, &grid);
    for (unsigned i = 0; i < 100; i++) {
        struct orr_access access = {
            .data = !split
                        ? data
                        : orr_partition_part(
                              partition, (unsigned)g_rand_int_range(rand, 0, 4),
                              (unsigned)g_rand_int_range(rand, 0, 3)),
            .mode = (enum orr_access_mode)g_rand_int_range(rand, 1, 4),
        };
        const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT,
                                           .kernel = unit->unit,
                                           .count = 1,
                                           .accesses = &access,
                                           .coordinate_count = 1,
                                           .coordinates = {changes}};

        orr_task_submit(unit->run, &spec);
        if (changes < 39 && g_rand_int_range(rand, 0, 4) == 0) {
            if (split)
                orr_partition_join(partition);
            else
                orr_partition_split(partition);
            split = !split;
            changes++;
        }
    }
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 100);
    for (unsigned i = 0; i < 100; i++) {
        int64_t *last = &last_end[unit_task(unit, i)->coordinates[0]];

        *last = MAX(*last, unit_task(unit, i)->ended);
    }
    for (unsigned i = 0; i < 100; i++) {
        unsigned before = unit_task(unit, i)->coordinates[0];

        if (before > 0)
            assert_true(unit_task(unit, i)->kernel_started >=
                        last_end[before - 1]);
    }
    unit_run_free(unit);
}

static void changes_keep_random_tasks_apart(void **state)
{
    static const char *const scheds[] = {
        "eager", "dmda", "dmdas", "lws", "ws", "heteroprio", "darts", "prio"};

    (void)state;
    for (unsigned seed = 0; seed < 10; seed++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
            check_random(scheds[i], NULL, seed);
            check_random(scheds[i], "overheads=off", seed);
        }
    }
}

static void so_they_do_in_lock_step(void **state)
{
    (void)state;
    if (!orr_turns_lockstep)
        skip();
    for (unsigned seed = 0; seed < 10; seed++) {
        check_random("eager", "quirks=exact", seed);
        check_random("dmda", "quirks=exact", seed);
    }
}

ORR_TESTS(partition)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_brings_the_content_home),
        cmocka_unit_test(parts_are_independent),
        cmocka_unit_test(changes_take_the_time_of_internal_tasks),
        cmocka_unit_test(replaced_data_have_no_content),
        cmocka_unit_test(the_first_parts_are_larger),
        cmocka_unit_test(the_sizes_of_parts_may_be_listed),
        cmocka_unit_test(a_part_can_be_split),
        cmocka_unit_test(parts_of_parts_are_planned_at_any_time),
        cmocka_unit_test(data_are_read_as_a_whole_and_in_parts),
        cmocka_unit_test(parts_that_were_written_are_shared),
        cmocka_unit_test(data_are_read_in_several_partitions),
        cmocka_unit_test(to_be_read_only_nothing_is_replaced),
        cmocka_unit_test(random_readers_are_between_writers),
        cmocka_unit_test(data_in_the_wrong_state_are_errors),
        cmocka_unit_test(parts_may_overlap),
        cmocka_unit_test(wrong_parts_are_errors),
        cmocka_unit_test(wrong_grids_are_errors),
        cmocka_unit_test(changes_keep_random_tasks_apart),
        cmocka_unit_test(so_they_do_in_lock_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
