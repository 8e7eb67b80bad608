/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arguments of tasks, packed and unpacked. */
#include <starpu_task_util.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <stdlib.h>

static void values_are_packed_and_unpacked(void **state)
{
    void *packed;
    size_t size;
    int i = 7, i2 = 0;
    double d = 2.5, d2 = 0;
    (void)state;
    starpu_codelet_pack_args(&packed, &size, STARPU_VALUE, &i, sizeof(i),
                             STARPU_VALUE, &d, sizeof(d), 0);
    /* The number of values, then each with its size. */
    assert_int_equal(size, sizeof(int) + sizeof(size_t) + sizeof(int) +
                               sizeof(size_t) + sizeof(double));
    starpu_codelet_unpack_args(packed, &i2, &d2);
    assert_int_equal(i2, 7);
    assert_float_equal(d2, 2.5, 0);
    i2 = 0;
    starpu_codelet_unpack_args(packed, &i2, NULL); /* the first one alone */
    assert_int_equal(i2, 7);
    free(packed);
}

static void values_left_are_packed_again(void **state)
{
    void *packed;
    size_t size;
    int a = 1, b = 2, c = 3, first = 0, second = 0, third = 0;
    char rest[100];
    (void)state;
    starpu_codelet_pack_args(&packed, &size, STARPU_VALUE, &a, sizeof(a),
                             STARPU_VALUE, &b, sizeof(b), STARPU_VALUE, &c,
                             sizeof(c), 0);
    starpu_codelet_unpack_args_and_copyleft(packed, rest, sizeof(rest), &first,
                                            NULL);
    starpu_codelet_unpack_args(rest, &second, &third);
    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    assert_int_equal(third, 3);
    free(packed);
}

static void values_are_read_one_by_one(void **state)
{
    struct starpu_codelet_pack_arg_data pack;
    void *packed, *copy, *place;
    size_t size, copy_size, place_size;
    int numbers[3] = {10, 20, 30}, number = 0;
    (void)state;
    starpu_codelet_pack_arg_init(&pack);
    for (int i = 0; i < 3; i++)
        starpu_codelet_pack_arg(&pack, &numbers[i], sizeof(int));
    starpu_codelet_pack_arg(&pack, "text", 5);
    starpu_codelet_pack_arg_fini(&pack, &packed, &size);
    starpu_codelet_unpack_arg_init(&pack, packed, size);
    starpu_codelet_unpack_arg(&pack, &number, sizeof(number));
    assert_int_equal(number, 10);
    starpu_codelet_unpack_discard_arg(&pack);
    starpu_codelet_dup_arg(&pack, &copy, &copy_size);
    assert_int_equal(copy_size, sizeof(int));
    assert_int_equal(*(int *)copy, 30);
    starpu_codelet_pick_arg(&pack, &place, &place_size);
    assert_string_equal(place, "text");
    starpu_codelet_unpack_arg_fini(&pack);
    free(copy);
    free(packed);
}

static void unpack_another_size(void)
{
    void *packed;
    size_t size;
    int i = 7;
    char c;
    starpu_codelet_pack_args(&packed, &size, STARPU_VALUE, &i, sizeof(i), 0);
    struct starpu_codelet_pack_arg_data pack;
    starpu_codelet_unpack_arg_init(&pack, packed, size);
    starpu_codelet_unpack_arg(&pack, &c, sizeof(c));
}

static void unpack_too_many(void)
{
    void *packed;
    size_t size;
    int i = 7;
    starpu_codelet_pack_args(&packed, &size, STARPU_VALUE, &i, sizeof(i), 0);
    struct starpu_codelet_pack_arg_data pack;
    starpu_codelet_unpack_arg_init(&pack, packed, size);
    starpu_codelet_unpack_arg(&pack, &i, sizeof(i));
    starpu_codelet_unpack_arg(&pack, &i, sizeof(i));
}

static void pack_no_value(void)
{
    void *packed;
    size_t size;
    starpu_codelet_pack_args(&packed, &size, STARPU_NAME, "gemm", 0);
}

static void assert_ending(void (*function)(void), const char *expected)
{
    g_autofree char *message = orr_ending_message(function);
    assert_string_equal(message, expected);
}

static void wrong_arguments_end_the_program(void **state)
{
    (void)state;
    assert_ending(unpack_another_size, "starpu_codelet_unpack_arg(): argument "
                                       "1 has 4 bytes, not 1");
    assert_ending(unpack_too_many, "starpu_codelet_unpack_arg(): there are "
                                   "only 1 arguments");
    assert_ending(pack_no_value, "starpu_codelet_pack_args(): 0x320000 is not "
                                 "STARPU_VALUE: does 0 end the arguments?");
}

ORR_TESTS(starpu_pack)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_packed_and_unpacked),
        cmocka_unit_test(values_left_are_packed_again),
        cmocka_unit_test(values_are_read_one_by_one),
        cmocka_unit_test(wrong_arguments_end_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
