/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output of a child is bounded, and must be a picture of the format
 * requested. */
#include "apps/picture/picture.h"

#include <signal.h>
#include <string.h>

#include "models/base/error.h"
#include "tests/support/temp_file.h"

/* Programs that exist everywhere stand for gnuplot: cat, false and sh. */
static void a_child_turns_text_into_bytes(void **state)
{
    static const char *const cat[] = {"cat", NULL};
    const struct orr_child child = {.argv = cat, .package = "coreutils"};
    char *text = g_strnfill(1000000, 'x'); /* more than pipes hold */
    g_autoptr(GBytes) output = orr_child_feed(&child, text, NULL);

    (void)state;
    assert_non_null(output);
    assert_int_equal(g_bytes_get_size(output), 1000000);
    assert_memory_equal(g_bytes_get_data(output, NULL), text, 1000000);
    g_free(text);
}

static void a_child_that_fails_is_quoted(void **state)
{
    static const char *const complain[] = {
        "sh", "-c",
        "cat >/dev/null; echo x; printf '\n ^\nbad\nworse\n' >&2; exit 3",
        NULL};
    static const char *const fail[] = {"false", NULL};
    static const char *const silent[] = {"true", NULL};
    const struct orr_child children[] = {
        {.argv = complain, .package = "dash"},
        {.argv = fail, .package = "coreutils"},
        {.argv = silent, .package = "coreutils"}};
    static const char *const expected[] = {"sh: bad", "false: ", "true: "};
    GError *error = NULL;

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(children); i++) {
        assert_null(orr_child_feed(&children[i], "text", &error));
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
        assert_true(g_str_has_prefix(error->message, expected[i]));
        g_clear_error(&error);
    }
}

/* Fails unless a shell that runs @script is stopped with @message. */
static void assert_stopped(const char *script, size_t output_bytes,
                           double time_s, const char *message)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct orr_child child = {.argv = argv,
                                    .package = "dash",
                                    .output_bytes = output_bytes,
                                    .time_s = time_s};
    g_autoptr(GError) error = NULL;

    assert_null(orr_child_feed(&child, "text", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message, message);
}

static void a_child_that_writes_without_end_is_stopped(void **state)
{
    (void)state;
    assert_stopped("cat /dev/zero", 1000, 0,
                   "sh: it writes more than 1000 "
                   "bytes");
    assert_stopped("cat /dev/zero", 0, 0, "sh: it writes more than 64 MiB");
    assert_stopped("echo loud >&2; exec cat /dev/zero", 0, 0,
                   "sh: it writes more than 64 MiB");
}

static void a_child_may_write_as_much_as_allowed(void **state)
{
    static const char *const argv[] = {"printf", "1000", NULL};
    const struct orr_child child = {
        .argv = argv, .package = "coreutils", .output_bytes = 4};
    g_autoptr(GBytes) output = orr_child_feed(&child, "", NULL);

    (void)state;
    assert_non_null(output);
    assert_int_equal(g_bytes_get_size(output), 4);
}

/* Whether it is silent, floods us with messages, or has closed its pipes. */
static void a_child_that_does_not_end_is_stopped(void **state)
{
    static const char *const scripts[] = {
        "exec sleep 1000000",
        "echo picture; exec sleep 1000000",
        "exec cat /dev/zero >&2",
        "echo picture; exec sleep 1000000 <&- >&- 2>&-",
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++)
        assert_stopped(scripts[i], 0, 0.05,
                       "sh: it does not end within 0.05 s");
}

#define SVG "<svg xmlns=\"http://www.w3.org/2000/svg\""
#define DOCTYPE                                                                \
    "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\"\n"                       \
    " \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n"
#define PNG "\\211PNG\\r\\n\\032\\n"
#define PNG_END "\\0\\0\\0\\0IEND\\256B\\140\\202"

/* Output of printf in a shell, and whether it is a picture. */
static const struct {
    const char *suffix, *format;
    bool good;
} pictures[] = {
    {".svg", SVG "/>", true},
    {".svg",
     "<?xml version=\"1.0\"?>\n<!-- made -->\n" DOCTYPE SVG "><g/></svg>\n",
     true},
    {".svg", SVG "><g>", false},
    {".svg", SVG "/>" SVG "/>", false},
    {".svg", "<svg/>", false},
    {".svg", "<html>" SVG "/></html>", false},
    {".svg", "no picture", false},
    {".svg", PNG PNG_END, false},
    {".png", PNG "data" PNG_END, true},
    {".png", PNG "data", false},
    {".png", "data" PNG_END, false},
    {".png", PNG, false},
    {".png", SVG "/>", false},
    {".png", "x", false},
    {".pdf", "%%PDF-1.5\ndata\n%%%%EOF\n", true},
    {".pdf", "%%PDF-1.5\r\ndata\r\n%%%%EOF", true},
    {".pdf", "%%PDF-1.5\ndata\n", false},
    {".pdf", "data\n%%%%EOF\n", false},
    {".pdf", "\n", false},
};

static void only_a_complete_picture_replaces_a_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(pictures); i++) {
        const char *const argv[] = {"printf", pictures[i].format, NULL};
        const struct orr_child child = {.argv = argv, .package = "coreutils"};
        g_autofree char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
        g_autofree char *path =
            g_strconcat(folder, "/picture", pictures[i].suffix, NULL);
        g_autofree char *content = NULL;
        g_autofree char *message = NULL;
        g_autoptr(GError) error = NULL;

        assert_true(g_file_set_contents(path, "old", 3, NULL));
        assert_int_equal(orr_picture_draw(&child, "", path, &error),
                         pictures[i].good);
        assert_true(g_file_get_contents(path, &content, NULL, NULL));
        assert_int_equal(strcmp(content, "old") != 0, pictures[i].good);
        if (error) {
            message = g_strdup_printf(
                "printf: its output is not a complete %s picture",
                strcmp(pictures[i].suffix, ".svg") == 0   ? "SVG"
                : strcmp(pictures[i].suffix, ".png") == 0 ? "PNG"
                                                          : "PDF");
            assert_string_equal(error->message, message);
        }
        assert_int_equal(g_remove(path), 0);
        assert_int_equal(g_rmdir(folder), 0);
    }
}

ORR_TESTS(picture)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_turns_text_into_bytes),
        cmocka_unit_test(a_child_that_fails_is_quoted),
        cmocka_unit_test(a_child_that_writes_without_end_is_stopped),
        cmocka_unit_test(a_child_may_write_as_much_as_allowed),
        cmocka_unit_test(a_child_that_does_not_end_is_stopped),
        cmocka_unit_test(only_a_complete_picture_replaces_a_file),
    };

    signal(SIGPIPE, SIG_IGN); /* as the program does */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
