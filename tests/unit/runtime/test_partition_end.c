/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Partitions that are removed or gathered on a GPU, and parts to be read that
 * become parts to be written. */
#include "runtime/data/data.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* Two parts of 500000 x 1 elements of 4 bytes. */
static const struct orr_grid halves = {ORR_GRID_INIT, 4, 1000000, 1, 2, 1};

/* In no time but for tasks. */
static struct unit_run *begin(int cpus)
{
    struct orr_config config = unit_config("eager", cpus, 0);

    config.models = "overheads=off";
    return unit_run_new("three-gpus.xml", &config);
}

/* Each part is unregistered by a push and a submission. */
static void the_parts_of_a_partition_can_be_removed(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *partition =
        orr_partition_new(unit->run, data, &halves);

    (void)state;
    orr_partition_remove(partition);
    assert_int_equal(orr_run_now(unit->run), 4 * US);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    orr_partition_split(partition);
    unit_submit(unit, orr_partition_part(partition, 0, 0), ORR_R);
    assert_false(orr_run_wait(unit->run, NULL));
    unit_run_free(unit);
    unit = begin(1);
    partition = orr_partition_new(
        unit->run, orr_data_register(unit->run, 4000000), &halves);
    orr_partition_split(partition);
    orr_partition_remove(partition);
    assert_false(orr_run_wait(unit->run, NULL));
    unit_run_free(unit);
}

/* The only partition that can be read becomes one that can be written. */
static void parts_to_be_read_can_be_upgraded(void **state)
{
    struct unit_run *unit = begin(2);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    struct orr_partition *one = orr_partition_new(unit->run, data, &halves);
    struct orr_partition *other = orr_partition_new(unit->run, data, &halves);

    (void)state;
    orr_partition_split_readonly(one);
    orr_partition_split_readonly(other);
    unit_submit(unit, orr_partition_part(one, 0, 0), ORR_R);
    orr_partition_join(one);
    orr_partition_split(other);
    unit_submit(unit, orr_partition_part(other, 0, 0), ORR_RW);
    orr_partition_join(other);
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->started, 1000 * US);
    assert_int_equal(unit_task(unit, 2)->ended, 3000 * US);
    orr_partition_split_readonly(one);
    orr_partition_split_readonly(other);
    orr_partition_split(other);
    assert_false(orr_run_wait(unit->run, NULL));
    unit_run_free(unit);
}

/* A GPU writes the parts of a datum without a home, which meet there: nothing
 * is copied. In RAM, both come and go. */
static void parts_are_gathered_on_a_gpu(void **state)
{
    (void)state;
    for (unsigned node = 0; node < 2; node++) {
        struct unit_run *unit = unit_run_on("eager", 0, 1);
        struct orr_data *data = orr_data_register_temporary(unit->run, 4000000);
        struct orr_partition *partition =
            orr_partition_new(unit->run, data, &halves);

        orr_partition_gather_on(partition, node);
        orr_partition_split(partition);
        for (unsigned i = 0; i < 2; i++)
            unit_submit(unit, orr_partition_part(partition, i, 0), ORR_W);
        orr_partition_join(partition);
        unit_submit(unit, data, ORR_R);
        unit_wait(unit);
        assert_int_equal(unit->copies->len, node == 0 ? 3 : 0);
        assert_int_equal(data->valid, node == 0 ? 3 : 2);
        unit_run_free(unit);
    }
}

static void there_is_a_node_to_gather_on(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_partition *partition = orr_partition_new(
        unit->run, orr_data_register(unit->run, 4000000), &halves);

    (void)state;
    orr_partition_gather_on(NULL, 0);
    orr_partition_gather_on(partition, 2);
    assert_false(orr_run_wait(unit->run, NULL));
    unit_run_free(unit);
}

ORR_TESTS(partition_end)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_of_a_partition_can_be_removed),
        cmocka_unit_test(parts_to_be_read_can_be_upgraded),
        cmocka_unit_test(parts_are_gathered_on_a_gpu),
        cmocka_unit_test(there_is_a_node_to_gather_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
