/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A vocabulary of three words: a garden of beds of flowers, and a fence. */
#include <stdio.h>
#include <string.h>

#include "models/xml/xml.h"
#include "tests/support/temp_file.h"

/* The calls of handlers, as "bed(roses) flower(3) /bed ". */
static void start_flower(struct orr_xml *xml, void *data)
{
    unsigned petals = 0;

    if (orr_xml_count(xml, "petals", 1, 100, &petals))
        g_string_append_printf(data, "flower(%u) ", petals);
}

static void start_bed(struct orr_xml *xml, void *data)
{
    g_string_append_printf(data, "bed(%s) ", orr_xml_text(xml, "name"));
}

static void end_bed(struct orr_xml *xml, void *data)
{
    assert_null(orr_xml_text(xml, "name"));
    g_string_append_printf(data, "/%s:%u ", orr_xml_element(xml),
                           orr_xml_line(xml));
}

static const struct orr_xml_element flower = {
    .name = "flower",
    .optional = {"petals"},
    .start = start_flower,
};
static const struct orr_xml_element fence = {.name = "fence"};
static const struct orr_xml_element bed = {
    .name = "bed",
    .required = {"name"},
    .children = {{&flower, ORR_XML_SOME}},
    .start = start_bed,
    .end = end_bed,
};
static const struct orr_xml_element garden = {
    .name = "garden",
    .children = {{&bed, ORR_XML_ANY}, {&fence, ORR_XML_OPTIONAL}},
};

static bool read_text(const char *text, size_t size, GString *told,
                      GError **error)
{
    char *path = temp_file_new(text, size);
    bool good = orr_xml_read(path, &garden, told, error);

    temp_file_remove(path);
    return good;
}

static void expect(const char *text, const char *expected)
{
    g_autoptr(GString) told = g_string_new(NULL);
    GError *error = NULL;

    assert_true(read_text(text, strlen(text), told, &error));
    assert_null(error);
    assert_string_equal(told->str, expected);
}

/* That @text is refused with @expected, "LINE: message", after the path. */
static void expect_failure(const char *text, size_t size, enum orr_error code,
                           const char *expected)
{
    g_autoptr(GString) told = g_string_new(NULL);
    GError *error = NULL;
    const char *message;

    assert_false(read_text(text, size, told, &error));
    assert_true(g_error_matches(error, ORR_ERROR, (int)code));
    message = strstr(error->message, ".xml:");
    assert_non_null(message);
    assert_string_equal(message + strlen(".xml:"), expected);
    g_error_free(error);
}

static void refuse(const char *text, const char *expected)
{
    expect_failure(text, strlen(text), ORR_ERROR_SYNTAX, expected);
}

static void handlers_are_told_in_the_order_of_the_file(void **state)
{
    (void)state;
    expect("<garden>\n"
           "  <bed name='roses'><flower petals='3'/><flower petals='5'/>\n"
           "  </bed><!-- weeds --><bed name='x'>\n"
           "<flower/>\n"
           "</bed>\n"
           "  <fence/></garden>",
           "bed(roses) flower(3) flower(5) /bed:3 bed(x) flower(0) /bed:5 ");
}

static void a_garden_may_be_bare(void **state)
{
    (void)state;
    expect("<garden/>", "");
    expect("<?tool for others?><garden><?more of it?></garden>", "");
    expect("\xEF\xBB\xBF<?xml version='1.0'?><garden> <fence></fence></garden>",
           "");
}

static void blanks_collapse_and_ampersands_mean_themselves(void **state)
{
    (void)state;
    expect("<garden><bed name='  a \n\t b&amp;c&#38;d &amp;#38; &lt; '>"
           "<flower/></bed></garden>",
           "bed(a b&c&d &#38; <) flower(0) /bed:2 ");
}

static void an_encoding_that_is_claimed_does_not_count(void **state)
{
    (void)state;
    expect("<?xml version='1.0' encoding='ISO-8859-1'?>"
           "<garden><bed name='\xC3\xA9'><flower/></bed></garden>",
           "bed(\xC3\xA9) flower(0) /bed:1 ");
    expect("<?xml version='1.0' encoding='UTF-16'?><garden/>", "");
}

static void elements_out_of_place_are_refused(void **state)
{
    (void)state;
    refuse("<yard/>", "1: the outermost element is 'yard', not <garden>");
    refuse("<garden>\n<gnome/>\n</garden>",
           "2: element 'gnome' is out of place; <garden> holds, in this "
           "order: <bed>, <fence>");
    refuse("<garden><fence/>\n<bed name='x'><flower/></bed></garden>",
           "2: element 'bed' is out of place; <garden> holds, in this order: "
           "<bed>, <fence>");
    refuse("<garden><fence><bed/></fence></garden>",
           "1: element 'bed' is out of place; <fence> is empty");
    refuse("<garden><fence/>\n<fence/></garden>",
           "2: second <fence> in <garden>");
    refuse("<garden>\n<bed name='x'>\n</bed></garden>",
           "3: <bed> needs <flower>");
}

static void a_child_that_must_come_first_is_missed(void **state)
{
    static const struct orr_xml_element park = {
        .name = "park",
        .children = {{&fence, ORR_XML_ONE}, {&flower, ORR_XML_ANY}},
    };
    const char *text = "<park>\n\n<flower/><fence/></park>";
    char *path = temp_file_new(text, strlen(text));
    GError *error = NULL;

    (void)state;
    assert_false(orr_xml_read(path, &park, NULL, &error));
    assert_true(g_str_has_suffix(error->message,
                                 ":3: <park> needs <fence> before "
                                 "<flower>"));
    g_error_free(error);
    temp_file_remove(path);
}

static void attributes_are_held_against_the_table(void **state)
{
    (void)state;
    refuse("<garden>\n<bed/></garden>", "2: <bed> lacks the attribute name");
    refuse("<garden><bed nmae='x'/></garden>",
           "1: <bed> has no attribute 'nmae' (did you mean 'name'?); it may "
           "have: name");
    refuse("<garden><bed name='x' xml:lang='en'/></garden>",
           "1: <bed> has no attribute 'xml:lang'; it may have: name");
    refuse("<garden><bed name='x' xml:name='y'/></garden>",
           "1: <bed> has no attribute 'xml:name'; it may have: name");
}

static void namespaces_and_text_are_refused(void **state)
{
    (void)state;
    refuse("<garden xmlns='urn:x'/>",
           "1: a namespace at element 'garden', where none is used");
    refuse("<garden>\n<fence xmlns:x='urn:x'/></garden>",
           "2: a namespace at element 'fence', where none is used");
    refuse("<garden>\n tulips</garden>", "2: <garden> holds text: 'tulips'");
    refuse("<garden><![CDATA[tulips]]></garden>",
           "1: <garden> holds text: 'tulips'");
}

static void a_document_type_is_refused_before_it_is_read(void **state)
{
    (void)state;
    refuse("<?xml version='1.0'?>\n"
           "<!DOCTYPE garden [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>\n"
           "<garden>&b;</garden>",
           "2: a document type (<!DOCTYPE>) is not accepted");
    refuse("<!DOCTYPE garden SYSTEM '/nowhere/garden.dtd'><garden/>",
           "1: a document type (<!DOCTYPE>) is not accepted");
}

static void what_is_not_text_in_utf8_is_refused(void **state)
{
    const char nul[] = "<garden>\n\0</garden>";

    (void)state;
    refuse("<garden>\n<!-- \xE9t\xE9 --></garden>", "2: not text in UTF-8");
    expect_failure(nul, sizeof(nul) - 1, ORR_ERROR_SYNTAX,
                   "2: not text in UTF-8");
    refuse("", "1: the file is empty");
}

static void values_are_refused_where_they_stand(void **state)
{
    const char *control = "<garden><bed name='a&#x7f;'/></garden>";
    const char *petals = "<garden><bed name='a'>\n\n<flower petals='101'/>"
                         "</bed></garden>";

    (void)state;
    expect_failure(petals, strlen(petals), ORR_ERROR_VALUE,
                   "3: petals of <flower>: '101': expected a whole number "
                   "from 1 to 100");
    expect_failure(control, strlen(control), ORR_ERROR_VALUE,
                   "1: name of <bed> holds a control character");
}

static void one_line_says_what_is_not_well_formed(void **state)
{
    static const char *const texts[] = {
        "<garden>",
        "<garden",
        "<garden></gardem>",
        "<garden><bed name='x'",
        "<garden><bed",
        "<garden><bed name=x/></garden>",
        "<garden><bed name='x' name='y'/></garden>",
        "<garden/><garden/>",
        "garden",
        "<garden>&weed;</garden>",
        "<garden>&#0;</garden>",
        "<garden><bed name='<'/></garden>",
        "<garden a:b='c'/>",
        "<?xml version='1.0'",
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GString) told = g_string_new(NULL);
        GError *error = NULL;

        assert_false(read_text(texts[i], strlen(texts[i]), told, &error));
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_SYNTAX));
        assert_non_null(strstr(error->message, ".xml:1: not well-formed: "));
        assert_null(strchr(error->message, '\n'));
        g_error_free(error);
    }
}

/* @repeat of @part, between @start and @end. */
static GString *build(const char *start, const char *part, unsigned repeat,
                      const char *end)
{
    GString *text = g_string_new(start);

    for (unsigned i = 0; i < repeat; i++)
        g_string_append(text, part);
    return g_string_append(text, end);
}

static void expect_failure_of(GString *text, enum orr_error code,
                              const char *expected)
{
    expect_failure(text->str, text->len, code, expected);
    g_string_free(text, TRUE);
}

static void giants_are_refused(void **state)
{
    (void)state;
    expect_failure_of(
        build("<garden><bed name='", "0123456789", 410, "'/></garden>"),
        ORR_ERROR_VALUE,
        "1: name of <bed> is 4100 bytes long, 4096 are the "
        "limit");
    expect_failure_of(build("<", "garden", 1000, "/>"), ORR_ERROR_SYNTAX,
                      "1: the outermost element is "
                      "'gardengardengardengardengardengardengardengarden"
                      "gardengarden...', not <garden>");
    expect_failure_of(build("<garden>", "<garden>", 100000, ""),
                      ORR_ERROR_SYNTAX,
                      "1: element 'garden' is out of place; <garden> holds, "
                      "in this order: <bed>, <fence>");
    expect_failure_of(build("<garden>\n", "<?rake it?>", 101, "</garden>"),
                      ORR_ERROR_SYNTAX,
                      "2: more than 100 processing instructions");
    expect_failure_of(build("<garden", " a=''", 100000, "/>"), ORR_ERROR_SYNTAX,
                      "1: a tag with over 10000 attributes");
}

static void what_libxml2_quotes_is_cut(void **state)
{
    GString *text = build("<garden></garden", "xxxxxxxxxx", 1000, ">");
    g_autoptr(GString) told = g_string_new(NULL);
    GError *error = NULL;

    (void)state;
    assert_false(read_text(text->str, text->len, told, &error));
    assert_true(strlen(strstr(error->message, ".xml:")) < 130);
    g_error_free(error);
    g_string_free(text, TRUE);
}

static void there_may_be_many_small_tags(void **state)
{
    GString *text = build("<garden><bed name='x'>", "<flower petals='1'/>",
                          20000, "</bed></garden>");
    g_autoptr(GString) told = g_string_new(NULL);

    (void)state;
    assert_true(read_text(text->str, text->len, told, NULL));
    assert_int_equal(told->len,
                     strlen("bed(x) /bed:1 ") + 20000 * strlen("flower(1) "));
    g_string_free(text, TRUE);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    GError *error = NULL;

    (void)state;
    assert_false(orr_xml_read("/nowhere/garden.xml", &garden, NULL, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message,
                        "/nowhere/garden.xml: No such file or directory");
    g_clear_error(&error);
    assert_false(orr_xml_read("/", &garden, NULL, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message, "/: Is a directory");
    g_error_free(error);
}

static void no_more_than_16_mib_are_read(void **state)
{
    GError *error = NULL;

    (void)state;
    assert_false(orr_xml_read("/dev/zero", &garden, NULL, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message,
                        "/dev/zero: the file is larger than 16 MiB");
    g_error_free(error);
}

static void names_hold_nothing_surprising(void **state)
{
    g_autofree char *longest = g_strnfill(100, 'x');
    g_autofree char *too_long = g_strnfill(101, 'x');

    (void)state;
    assert_true(orr_xml_is_name("CUDA0"));
    assert_true(orr_xml_is_name("0-a_b.c+d"));
    assert_true(orr_xml_is_name(longest));
    assert_false(orr_xml_is_name(too_long));
    assert_false(orr_xml_is_name(""));
    assert_false(orr_xml_is_name("-a"));
    assert_false(orr_xml_is_name("a b"));
    assert_false(orr_xml_is_name("a/b"));
    assert_false(orr_xml_is_name("\xC3\xA9"));
}

ORR_TESTS(xml)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(handlers_are_told_in_the_order_of_the_file),
        T(a_garden_may_be_bare),
        T(blanks_collapse_and_ampersands_mean_themselves),
        T(an_encoding_that_is_claimed_does_not_count),
        T(elements_out_of_place_are_refused),
        T(a_child_that_must_come_first_is_missed),
        T(attributes_are_held_against_the_table),
        T(namespaces_and_text_are_refused),
        T(a_document_type_is_refused_before_it_is_read),
        T(what_is_not_text_in_utf8_is_refused),
        T(values_are_refused_where_they_stand),
        T(one_line_says_what_is_not_well_formed),
        T(giants_are_refused),
        T(what_libxml2_quotes_is_cut),
        T(there_may_be_many_small_tags),
        T(a_file_that_cannot_be_read_is_named),
        T(no_more_than_16_mib_are_read),
        T(names_hold_nothing_surprising),
#undef T
    };

    return cmocka_run_group_tests_name("xml", tests, NULL, NULL);
}
