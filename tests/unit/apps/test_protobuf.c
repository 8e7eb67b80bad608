/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bytes of Protocol Buffers; the numbers 150 and "testing" are examples of
 * the description of the format. */
#include "apps/trace/protobuf.h"
#include "apps/trace/trace_window.h"
#include "tests/support/cmocka_all.h"

static void assert_bytes(struct orr_protobuf *message, const char *expected,
                         size_t size)
{
    assert_int_equal(message->size, size);
    assert_memory_equal(message->bytes, expected, size);
    orr_protobuf_clear(message);
}

static void numbers_are_groups_of_seven_bits(void **state)
{
    struct orr_protobuf message = {.size = 0};

    (void)state;
    orr_protobuf_varint(&message, 1, 150);
    orr_protobuf_varint(&message, 60, 0);
    orr_protobuf_varint(&message, 4, (uint64_t)-2);
    orr_protobuf_fixed64(&message, 47, 0x102);
    assert_bytes(&message,
                 "\x08\x96\x01"
                 "\xe0\x03\x00"
                 "\x20\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                 "\xf9\x02\x02\x01\x00\x00\x00\x00\x00\x00",
                 27);
}

static void messages_have_lengths_of_the_width_asked_for(void **state)
{
    struct orr_protobuf message = {.size = 0};
    size_t outer = orr_protobuf_begin(&message, 1, 4);
    size_t inner = orr_protobuf_begin(&message, 11, 1);

    (void)state;
    orr_protobuf_text(&message, 2, "testing");
    orr_protobuf_end(&message, inner, 1);
    orr_protobuf_end(&message, outer, 4);
    assert_bytes(&message,
                 "\x0a\x8b\x80\x80\x00"
                 "\x5a\x09\x12\x07testing",
                 16);
}

static void long_messages_have_long_lengths(void **state)
{
    struct orr_protobuf message = {.size = 0};
    size_t outer = orr_protobuf_begin(&message, 1, 4);
    g_autofree char *text = g_strnfill(1000, 'x');

    (void)state;
    orr_protobuf_text(&message, 1, text);
    orr_protobuf_end(&message, outer, 4);
    assert_int_equal(message.size, 5 + 3 + 1000);
    /* 1003 is 7 * 128 + 107, 1000 is 7 * 128 + 104. */
    assert_memory_equal(message.bytes, "\x0a\xeb\x87\x80\x00\x0a\xe8\x07x", 9);
    orr_protobuf_clear(&message);
}

static struct orr_trace_bar *add(struct orr_trace_window *window,
                                 uint64_t order, const uint64_t *parents,
                                 unsigned count)
{
    struct orr_trace_task task = {
        .order = order, .name = "t", .parents = parents, .parent_count = count};

    return orr_trace_window_add(window, &task);
}

/* Tasks 1 and 2 await 0, and 2 awaits 1. */
static void arrows_lead_from_task_to_task(void **state)
{
    struct orr_trace_window window;
    const struct orr_trace_bar *bar;

    (void)state;
    orr_trace_window_init(&window);
    add(&window, 0, NULL, 0);
    add(&window, 1, (const uint64_t[]){0}, 1);
    add(&window, 2, (const uint64_t[]){0, 1}, 2);
    assert_null(orr_trace_window_leave(&window, false));
    bar = orr_trace_window_leave(&window, true);
    assert_int_equal(bar->order, 0);
    assert_int_equal(bar->before_count, 0);
    assert_int_equal(bar->after, 2);
    assert_int_equal(orr_trace_window_previous(&window, 2), 1);
    assert_int_equal(orr_trace_window_previous(&window, 1), 0);
    assert_true(orr_trace_window_has(&window, 2));
    assert_false(orr_trace_window_has(&window, 0));
    bar = orr_trace_window_leave(&window, true);
    assert_int_equal(bar->before, 1);
    assert_int_equal(bar->before_count, 1);
    assert_int_equal(bar->after, 3);
    assert_int_equal(orr_trace_window_previous(&window, 3), 0);
    bar = orr_trace_window_leave(&window, true);
    assert_int_equal(bar->before, 2);
    assert_int_equal(bar->before_count, 2);
    assert_int_equal(bar->after, 0);
    assert_null(orr_trace_window_leave(&window, true));
    orr_trace_window_clear(&window);
}

/* Each task depends on the first one, as long as it is in the window. */
static void tasks_leave_when_many_ended_after_them(void **state)
{
    struct orr_trace_window window;
    const struct orr_trace_bar *bar;

    (void)state;
    orr_trace_window_init(&window);
    for (uint64_t i = 0; i < ORR_TRACE_WINDOW; i++) {
        assert_null(orr_trace_window_leave(&window, false));
        add(&window, i, (const uint64_t[]){0}, i > 0);
    }
    bar = orr_trace_window_leave(&window, false);
    assert_int_equal(bar->order, 0);
    assert_int_equal(bar->after, ORR_TRACE_WINDOW - 1);
    bar = add(&window, ORR_TRACE_WINDOW, (const uint64_t[]){0}, 1);
    assert_int_equal(bar->before_count, 0);
    orr_trace_window_clear(&window);
}

/* Tasks 0 and 2^17 have one place. */
static void arrows_survive_that_a_place_is_taken(void **state)
{
    struct orr_trace_window window;
    const struct orr_trace_bar *bar;

    (void)state;
    orr_trace_window_init(&window);
    add(&window, 0, NULL, 0);
    add(&window, 1, (const uint64_t[]){0}, 1);
    add(&window, 1 << 17, (const uint64_t[]){0}, 1);
    bar = add(&window, 2, (const uint64_t[]){0, 1 << 17}, 2);
    assert_int_equal(bar->before_count, 1);
    bar = orr_trace_window_leave(&window, true);
    assert_int_equal(bar->order, 0);
    assert_int_equal(bar->after, 1);
    orr_trace_window_clear(&window);
}

static void old_arrows_are_forgotten(void **state)
{
    struct orr_trace_window window;

    (void)state;
    orr_trace_window_init(&window);
    window.arrow_count = ORR_TRACE_ARROWS + 5;
    assert_false(orr_trace_window_has(&window, 5));
    assert_true(orr_trace_window_has(&window, 6));
    orr_trace_window_clear(&window);
}

static void numbers_of_arrows_begin_again(void **state)
{
    struct orr_trace_window window;
    const struct orr_trace_bar *bar;

    (void)state;
    orr_trace_window_init(&window);
    window.arrow_count = UINT32_MAX - 1;
    add(&window, 0, NULL, 0);
    bar = add(&window, 1, (const uint64_t[]){0}, 1);
    assert_int_equal(bar->before, UINT32_MAX);
    bar = add(&window, 2, (const uint64_t[]){0, 1}, 2);
    assert_int_equal(bar->before, 1);
    assert_int_equal(bar->before_count, 2);
    assert_int_equal(orr_trace_window_previous(&window, 1), UINT32_MAX);
    assert_true(orr_trace_window_has(&window, UINT32_MAX));
    orr_trace_window_clear(&window);
}

ORR_TESTS(protobuf)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_groups_of_seven_bits),
        cmocka_unit_test(messages_have_lengths_of_the_width_asked_for),
        cmocka_unit_test(long_messages_have_long_lengths),
        cmocka_unit_test(arrows_lead_from_task_to_task),
        cmocka_unit_test(tasks_leave_when_many_ended_after_them),
        cmocka_unit_test(arrows_survive_that_a_place_is_taken),
        cmocka_unit_test(old_arrows_are_forgotten),
        cmocka_unit_test(numbers_of_arrows_begin_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
