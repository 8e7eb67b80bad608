/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shapes of data: sizes, hashes, places, filters, rows of bytes. */
#include "apps/starpu/data/elements.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/data/plan.h"
#include "tests/support/components.h"

#include <starpu_data_filters.h>
#include <starpu_hash.h>
#include <starpu_stdlib.h>
#include <string.h>

/* A handle of a kind that is in no run. */
static starpu_data_handle_t make(struct starpu_data_interface_ops *ops,
                                 void *interface)
{
    starpu_data_handle_t handle = sp_handle_new(ops, 0);

    ops->register_data_handle(handle, 0, interface);
    sp_handle_measure(handle);
    return handle;
}

/* @nx x @ny floats at @address, columns @ld apart. */
static starpu_data_handle_t make_matrix(uintptr_t address, size_t nx, size_t ny,
                                        size_t ld)
{
    struct starpu_matrix_interface matrix = {.id = STARPU_MATRIX_INTERFACE_ID,
                                             .ptr = address,
                                             .dev_handle = address,
                                             .nx = nx,
                                             .ny = ny,
                                             .ld = ld,
                                             .elemsize = 4,
                                             .allocsize = nx * ny * 4};

    return make(&starpu_interface_matrix_ops, &matrix);
}

/* The footprint of a task with that handle alone. */
static uint32_t task_footprint(starpu_data_handle_t handle)
{
    return starpu_hash_crc32c_be(sp_handle_footprint(handle), 0);
}

/* As in calibrations of StarPU: of tiles of 320, 640 and 960 floats. */
static void hashes_are_starpus(void **state)
{
    static const struct {
        size_t n;
        uint32_t hash;
    } cases[] = {{320, 0xcea37d6d}, {640, 0xafdd228b}, {960, 0x617e5fe6}};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        starpu_data_handle_t handle =
            make_matrix(4096, cases[i].n, cases[i].n, cases[i].n);

        assert_int_equal(task_footprint(handle), cases[i].hash);
        assert_int_equal(sp_handle_size(handle), 4 * cases[i].n * cases[i].n);
        sp_handle_free(handle);
    }
}

/* Rows 4 to 6 of 10, the second part of three: 4, 3 and 3 rows. */
static void a_block_of_rows_keeps_the_pitch(void **state)
{
    starpu_data_handle_t whole = make_matrix(4096, 10, 5, 12);
    struct starpu_data_filter filter = {.filter_func =
                                            starpu_matrix_filter_block};
    starpu_data_handle_t part = sp_part_new(whole, &filter, 1, 3, "test");
    const struct starpu_matrix_interface *matrix = part->ram;
    uint64_t column, columns, pitch;

    (void)state;
    assert_int_equal(matrix->nx, 3);
    assert_int_equal(matrix->ny, 5);
    assert_int_equal(matrix->ld, 12);
    assert_int_equal(matrix->ptr, 4096 + 4 * 4);
    assert_int_equal(matrix->offset, 4 * 4);
    assert_int_equal(matrix->allocsize, 12 * 5 * 4);
    assert_int_equal(((struct starpu_matrix_interface *)part->elsewhere)->ptr,
                     0);
    sp_handle_layout(part, &column, &columns, &pitch);
    assert_int_equal(column, 12);
    assert_int_equal(columns, 5);
    assert_int_equal(pitch, 48);
    sp_handle_free(part);
    sp_handle_free(whole);
}

/* Columns 1 to 4 of 8: two of their own, and a shadow of one on both sides. */
static void a_shadow_overlaps(void **state)
{
    starpu_data_handle_t whole = make_matrix(4096, 10, 8, 10);
    struct starpu_data_filter filter = {
        .filter_func = starpu_matrix_filter_vertical_block_shadow,
        .filter_arg_ptr = (void *)1};
    starpu_data_handle_t part = sp_part_new(whole, &filter, 0, 3, "test");
    const struct starpu_matrix_interface *matrix = part->ram;

    (void)state;
    assert_int_equal(matrix->nx, 10);
    assert_int_equal(matrix->ny, 4);
    assert_int_equal(matrix->ptr, 4096);
    sp_handle_free(part);
    part = sp_part_new(whole, &filter, 1, 3, "test");
    matrix = part->ram;
    assert_int_equal(matrix->ny, 4);
    assert_int_equal(matrix->ptr, 4096 + 2 * 10 * 4);
    sp_handle_free(part);
    sp_handle_free(whole);
}

/* The vector of column 3; its elements follow each other. */
static void a_column_is_picked(void **state)
{
    starpu_data_handle_t whole = make_matrix(4096, 10, 8, 16);
    struct starpu_data_filter filter = {
        .filter_func = starpu_matrix_filter_pick_vector_y,
        .get_child_ops = starpu_matrix_filter_pick_vector_child_ops,
        .filter_arg_ptr = (void *)2};
    starpu_data_handle_t part = sp_part_new(whole, &filter, 1, 3, "test");
    const struct starpu_vector_interface *vector = part->ram;

    (void)state;
    assert_int_equal(vector->id, STARPU_VECTOR_INTERFACE_ID);
    assert_int_equal(vector->nx, 10);
    assert_int_equal(vector->ptr, 4096 + 3 * 16 * 4);
    assert_int_equal(vector->allocsize, 40);
    sp_handle_free(part);
    sp_handle_free(whole);
}

/* Rows of bytes have the 2 x 3 elements without the gap between columns. */
static void elements_are_packed(void **state)
{
    float elements[3][4] = {{1, 2, -1, -1}, {3, 4, -1, -1}, {5, 6, -1, -1}};
    const float row[] = {1, 2, 3, 4, 5, 6}, other[] = {7, 8, 9, 10, 11, 12};
    starpu_data_handle_t handle = make_matrix((uintptr_t)elements, 2, 3, 4);
    starpu_ssize_t bytes;
    void *packed;

    (void)state;
    assert_int_equal(starpu_data_pack(handle, &packed, &bytes), 0);
    assert_int_equal(bytes, sizeof(row));
    assert_memory_equal(packed, row, sizeof(row));
    memcpy(packed, other, sizeof(other));
    assert_int_equal(starpu_data_unpack(handle, packed, sizeof(other)), 0);
    assert_true(elements[2][1] == 12 && elements[2][2] == -1);
    sp_handle_free(handle);
}

/* 7 elements in 3 parts: 3, 2, 2. */
static void the_first_parts_are_larger(void **state)
{
    size_t count, offset;

    (void)state;
    starpu_filter_nparts_compute_chunk_size_and_offset(7, 3, 8, 2, 10, &count,
                                                       &offset);
    assert_int_equal(count, 2);
    assert_int_equal(offset, 5 * 10 * 8);
    starpu_filter_nparts_compute_chunk_size_and_offset(7, 3, 8, 0, 10, &count,
                                                       NULL);
    assert_int_equal(count, 3);
}

static void a_gpu_has_its_usable_memory(void **state)
{
    (void)state;
    g_setenv("STARPU_LIMIT_CUDA_MEM", "100", TRUE);
    start_components("1", "1");
    g_unsetenv("STARPU_LIMIT_CUDA_MEM");
    assert_int_equal(starpu_memory_get_total(1), 100 << 20);
    assert_int_equal(starpu_memory_get_total(STARPU_MAIN_RAM), -1);
    starpu_shutdown();
}

ORR_TESTS(starpu_data)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_starpus),
        cmocka_unit_test(a_block_of_rows_keeps_the_pitch),
        cmocka_unit_test(a_shadow_overlaps),
        cmocka_unit_test(a_column_is_picked),
        cmocka_unit_test(elements_are_packed),
        cmocka_unit_test(the_first_parts_are_larger),
        cmocka_unit_test(a_gpu_has_its_usable_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
