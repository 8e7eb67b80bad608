/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of tasks may hold anything; an application in C gives them. */
#include "apps/trace/trace_format.h"
#include "tests/support/cmocka_all.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include <string.h>

static const char hostile[] = "a\"b\\\n</script>\r\t\377\177";

/* Returns the text of a trace with one task of that name. Free with g_free().
 */
static char *trace_one(const struct orr_trace_format *format, gsize *size)
{
    g_autofree char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "trace", NULL);
    const struct orr_traced_run run = {.platform = NULL};
    struct orr_trace *trace = format->open(path, &run, NULL);
    struct orr_trace_task task = {
        .name = hostile,
        .worker_name = "CPU0",
        .kernel_started = 1000,
        .kernel_ended = 3000,
    };
    char *text = NULL;

    assert_non_null(trace);
    trace->task(trace, &task);
    assert_true(format->finish(trace, true, NULL));
    assert_true(format->move(trace, NULL));
    format->free(trace);
    assert_true(g_file_get_contents(path, &text, size, NULL));
    assert_int_equal(g_unlink(path), 0);
    assert_int_equal(g_rmdir(folder), 0);
    return text;
}

static void json_escapes_names(void **state)
{
    g_autofree char *text = trace_one(&orr_trace_json, NULL);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonArray *events;

    (void)state;
    assert_null(strchr(text, '<'));
    assert_true(json_parser_load_from_data(parser, text, -1, NULL));
    events = json_object_get_array_member(
        json_node_get_object(json_parser_get_root(parser)), "traceEvents");
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);

        if (strcmp(json_object_get_string_member(event, "ph"), "X") != 0)
            continue;
        assert_string_equal(json_object_get_string_member(event, "name"),
                            "a\"b\\\n</script>\r\t\357\277\275\177");
        return;
    }
    fail_msg("no bar");
}

/* The format has no escapes. */
static void paje_replaces_quotes_and_line_ends(void **state)
{
    g_autofree char *text = trace_one(&orr_trace_paje, NULL);

    (void)state;
    assert_non_null(strstr(
        text, "\n10 0.001000 K w0 \"a'b\\ </script>  \357\277\275 \" 0 "));
    assert_true(g_utf8_validate(text, -1, NULL));
}

static void perfetto_has_names_in_utf8(void **state)
{
    gsize size;
    g_autofree char *text = trace_one(&orr_trace_perfetto, &size);
    static const char name[] = "\xba\x01\x14" /* field 23, 20 bytes */
                               "a\"b\\\n</script>\r\t\357\277\275\177";

    (void)state;
    assert_non_null(memmem(text, size, name, sizeof(name) - 1));
}

ORR_TESTS(trace_names)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_escapes_names),
        cmocka_unit_test(perfetto_has_names_in_utf8),
        cmocka_unit_test(paje_replaces_quotes_and_line_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
