/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/chart/platform_drawing.h"

#include <libxml/parser.h>

#include "tests/support/platform_file.h"

static void expect_in_script(const struct orr_platform *platform,
                             const char *expected)
{
    g_autofree char *script = orr_platform_drawing_script(platform);

    if (!strstr(script, expected))
        fail_msg("'%s' is not in: %s", expected, script);
}

static void every_gpu_and_what_it_shares_is_drawn(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");

    (void)state;
    expect_in_script(platform, "gpu1 [label=\"CUDA0\\nFermi C2050\\n3.22 GB\"");
    expect_in_script(platform, "socket0 [label=\"CPU\\n12 cores\"");
    expect_in_script(platform, "ram -> hop0");
    expect_in_script(platform, "hop0 -> hop1");
    expect_in_script(platform, "hop1 -> gpu1");
    expect_in_script(platform, "hop1 -> gpu2");
    expect_in_script(platform, "hop0 -> gpu3");
    expect_in_script(platform, "5.23 GB/s");
    orr_platform_free(platform);
}

static void direct_links_are_drawn_between_gpus(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");
    struct orr_platform *hub = platform_read("platforms/dgx-h100.xml");
    g_autofree char *before = orr_platform_drawing_script(platform);

    (void)state;
    assert_null(strstr(before, "gpu1 -> gpu2"));
    platform_set(platform, "nvlink=50GBps");
    expect_in_script(platform, "gpu1 -> gpu2");
    expect_in_script(platform, "50.0 GB/s");
    /* Each GPU shares its direct links among all others. */
    expect_in_script(hub, "gpu8 -> hub");
    expect_in_script(hub, "450 GB/s");
    orr_platform_free(platform);
    orr_platform_free(hub);
}

static void sockets_are_drawn(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/everything.xml");

    (void)state;
    expect_in_script(platform, "socket2 [label=\"socket 2\\n1 cores");
    expect_in_script(platform, "driven from socket 2");
    orr_platform_free(platform);
}

static void a_picture_ends_in_svg_or_png(void **state)
{
    GError *error = NULL;

    (void)state;
    assert_false(orr_platform_drawing_check("machine.pdf", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    g_error_free(error);
}

/* Any name in a platform file appears in the SVG, which is well-formed. */
static void names_of_any_text_are_drawn(void **state)
{
    struct orr_platform *platform;
    g_autoptr(GError) error = NULL;
    char *path;
    g_autofree char *svg = NULL;
    g_autofree char *content = NULL;
    gsize size;
    xmlDoc *document;

    (void)state;
    if (!orr_platform_drawing_check("machine.svg", NULL)) {
        print_message("no dot here\n");
        skip();
    }
    platform = platform_read("platforms/attila.xml");
    path = temp_file_new("", 0);
    svg = g_strconcat(path, ".svg", NULL);
    g_free(platform->gpus[0].model);
    platform->gpus[0].model = g_strdup("<a> & \"b\" \\N \\c' \xc3\xa9");
    assert_true(orr_platform_drawing_save(platform, svg, &error));
    assert_true(g_file_get_contents(svg, &content, &size, NULL));
    document = xmlReadMemory(content, (int)size, NULL, NULL, XML_PARSE_NONET);
    assert_non_null(document);
    assert_non_null(strstr(content, "&lt;a&gt; &amp; &quot;b&quot; \\N \\c"));
    xmlFreeDoc(document);
    assert_int_equal(g_remove(svg), 0);
    temp_file_remove(path);
    orr_platform_free(platform);
}

ORR_TESTS(drawing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gpu_and_what_it_shares_is_drawn),
        cmocka_unit_test(direct_links_are_drawn_between_gpus),
        cmocka_unit_test(sockets_are_drawn),
        cmocka_unit_test(a_picture_ends_in_svg_or_png),
        cmocka_unit_test(names_of_any_text_are_drawn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
