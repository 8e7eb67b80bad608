/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The schema and the reader know the vocabulary independently: here they are
 * held against each other. The reader may refuse more (names that nothing
 * bears, figures out of range), never less; and what it calls a mistake of
 * syntax must be one for the schema.
 */
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <string.h>

#include "models/format/platform_xml.h"
#include "models/import/platform_find.h"
#include "tests/support/temp_file.h"

static void be_quiet(void *data, const char *format, ...)
{
    (void)data;
    (void)format;
}

static int setup(void **state)
{
    g_autofree char *path = source_file("platforms/platform.rng");
    xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt(path);
    xmlRelaxNG *schema = xmlRelaxNGParse(parser);

    assert_non_null(schema);
    xmlRelaxNGFreeParserCtxt(parser);
    *state = schema;
    return 0;
}

static int teardown(void **state)
{
    xmlRelaxNGFree(*state);
    return 0;
}

static bool is_valid(xmlRelaxNG *schema, xmlDoc *document)
{
    xmlRelaxNGValidCtxt *valid = xmlRelaxNGNewValidCtxt(schema);
    int result;

    xmlRelaxNGSetValidErrors(valid, be_quiet, be_quiet, NULL);
    result = xmlRelaxNGValidateDoc(valid, document);
    assert_true(result >= 0);
    xmlRelaxNGFreeValidCtxt(valid);
    return result == 0;
}

static xmlDoc *parse(const char *text, size_t size)
{
    return xmlReadMemory(text, (int)size, NULL, "UTF-8",
                         XML_PARSE_NONET | XML_PARSE_NOERROR |
                             XML_PARSE_NOWARNING);
}

/* Whether the schema accepts the text of @path; not so if it is no XML. */
static bool schema_accepts(xmlRelaxNG *schema, const char *path)
{
    g_autofree char *text = NULL;
    gsize size;
    xmlDoc *document;
    bool valid;

    assert_true(g_file_get_contents(path, &text, &size, NULL));
    document = parse(text, size);
    valid = document && is_valid(schema, document);
    xmlFreeDoc(document);
    return valid;
}

/* How both judged, over many files. */
struct tally {
    unsigned both_accept;
    unsigned both_refuse;
    unsigned only_reader_refuses;
    unsigned first; /* value of the next attribute */
};

/* Fails unless reader and schema agree about @path, as far as they must. */
static void judge(xmlRelaxNG *schema, const char *path, const char *what,
                  struct tally *tally)
{
    GError *error = NULL;
    struct orr_platform *platform = orr_platform_read(path, &error);
    bool accepted = schema_accepts(schema, path);

    if (platform && !accepted)
        fail_msg("the schema refuses what the reader accepts: %s", what);
    if (accepted && g_error_matches(error, ORR_ERROR, ORR_ERROR_SYNTAX))
        fail_msg("the schema accepts %s: %s", what, error->message);
    if (platform)
        tally->both_accept++;
    else if (accepted)
        tally->only_reader_refuses++;
    else
        tally->both_refuse++;
    orr_platform_free(platform);
    g_clear_error(&error);
}

static void judge_folder(xmlRelaxNG *schema, const char *folder,
                         struct tally *tally)
{
    g_autofree char *path = source_file(folder);
    const char *const folders[] = {path, NULL};
    g_auto(GStrv) names = orr_platform_names(folders);

    for (char **name = names; *name; name++) {
        g_autofree char *file = g_strconcat(path, "/", *name, ".xml", NULL);

        judge(schema, file, file, tally);
    }
}

static void both_accept_every_good_platform(void **state)
{
    struct tally tally = {0};

    judge_folder(*state, "platforms", &tally);
    judge_folder(*state, "tests/platforms", &tally);
    assert_true(tally.both_accept >= 5);
    assert_int_equal(tally.both_refuse, 0);
    assert_int_equal(tally.only_reader_refuses, 0);
}

static void both_accept_the_example_of_the_manual(void **state)
{
    g_autofree char *path = source_file("docs/PLATFORMS.md");
    g_autofree char *manual = NULL;
    struct tally tally = {0};
    const char *start;
    const char *end;
    char *file;

    assert_true(g_file_get_contents(path, &manual, NULL, NULL));
    start = strstr(manual, "```xml\n");
    assert_non_null(start);
    start += strlen("```xml\n");
    end = strstr(start, "```");
    assert_non_null(end);
    file = temp_file_new(start, (size_t)(end - start));
    judge(*state, file, path, &tally);
    assert_int_equal(tally.both_accept, 1);
    temp_file_remove(file);
}

/* Document types and encodings are no business of a schema. */
static bool schema_sees(const char *path)
{
    g_autofree char *text = NULL;
    gsize size;

    assert_true(g_file_get_contents(path, &text, &size, NULL));
    return g_utf8_validate(text, (gssize)size, NULL) &&
           !strstr(text, "<!DOCTYPE");
}

static void no_bad_platform_is_bad_for_the_schema_only(void **state)
{
    g_autofree char *folder = source_file("tests/bad-platforms");
    const char *const folders[] = {folder, NULL};
    g_auto(GStrv) names = orr_platform_names(folders);
    struct tally tally = {0};

    for (char **name = names; *name; name++) {
        g_autofree char *file = g_strconcat(folder, "/", *name, ".xml", NULL);

        if (schema_sees(file))
            judge(*state, file, file, &tally);
    }
    assert_int_equal(tally.both_accept, 0);
    assert_true(tally.both_refuse > 70);
    assert_true(tally.only_reader_refuses > 20);
}

/* The elements of a document, outermost first; owned. */
static GPtrArray *list_elements(xmlDoc *document)
{
    GPtrArray *elements = g_ptr_array_new();

    g_ptr_array_add(elements, xmlDocGetRootElement(document));
    for (guint i = 0; i < elements->len; i++) {
        xmlNode *node = g_ptr_array_index(elements, i);

        for (node = xmlFirstElementChild(node); node;
             node = xmlNextElementSibling(node))
            g_ptr_array_add(elements, node);
    }
    return elements;
}

/* Whether no element before element @number has its name. */
static bool is_first_of_its_kind(const GPtrArray *elements, guint number)
{
    const xmlNode *node = g_ptr_array_index(elements, number);

    for (guint i = 0; i < number; i++) {
        const xmlNode *other = g_ptr_array_index(elements, i);

        if (xmlStrEqual(node->name, other->name))
            return false;
    }
    return true;
}

#define BAD_CAST_OF(text) ((const xmlChar *)(text))

/* Ways to spoil an element; true unless there is nothing to spoil. */
static bool remove_it(xmlNode *node)
{
    xmlUnlinkNode(node);
    xmlFreeNode(node);
    return true;
}

static bool repeat_it(xmlNode *node)
{
    return xmlAddNextSibling(node, xmlCopyNode(node, 1)) != NULL;
}

static bool rename_it(xmlNode *node)
{
    xmlNodeSetName(node, BAD_CAST_OF("strange"));
    return true;
}

static bool move_it_behind_the_next(xmlNode *node)
{
    xmlNode *next = xmlNextElementSibling(node);

    return next && xmlAddNextSibling(next, node);
}

static bool fill_it_with_itself(xmlNode *node)
{
    return xmlAddChild(node, xmlCopyNode(node, 1)) != NULL;
}

static bool write_in_it(xmlNode *node)
{
    xmlNodeAddContent(node, BAD_CAST_OF("words"));
    return true;
}

static bool empty_it(xmlNode *node)
{
    bool filled = node->children;

    xmlNodeSetContent(node, BAD_CAST_OF(""));
    return filled;
}

static bool give_it_a_strange_attribute(xmlNode *node)
{
    return xmlNewProp(node, BAD_CAST_OF("strange"), BAD_CAST_OF("1")) != NULL;
}

static bool (*const spoilers[])(xmlNode *node) = {
    remove_it,   repeat_it,           rename_it, move_it_behind_the_next,
    write_in_it, fill_it_with_itself, empty_it,  give_it_a_strange_attribute,
};

/* Writes the document into a file and judges it. */
static void judge_document(xmlRelaxNG *schema, xmlDoc *document,
                           const char *what, struct tally *tally)
{
    xmlChar *text;
    int size;
    char *path;

    xmlDocDumpMemoryEnc(document, &text, &size, "UTF-8");
    path = temp_file_new((const char *)text, (size_t)size);
    judge(schema, path, what, tally);
    temp_file_remove(path);
    xmlFree(text);
}

static xmlDoc *parse_everything(void)
{
    g_autofree char *path = source_file("tests/platforms/everything.xml");
    g_autofree char *text = NULL;
    gsize size;
    xmlDoc *document;

    assert_true(g_file_get_contents(path, &text, &size, NULL));
    document = parse(text, size);
    assert_non_null(document);
    return document;
}

/* Spoils element @number in way @way; false if there are not so many. */
static bool spoil_element(xmlRelaxNG *schema, unsigned number, unsigned way,
                          struct tally *tally)
{
    xmlDoc *document = parse_everything();
    g_autoptr(GPtrArray) elements = list_elements(document);
    bool exists = number < elements->len;
    xmlNode *node = exists ? g_ptr_array_index(elements, number) : NULL;
    g_autofree char *what = exists ? g_strdup_printf("<%s> of line %ld, way %u",
                                                     (const char *)node->name,
                                                     xmlGetLineNo(node), way)
                                   : NULL;

    /* Without its root, or with two of them, it is no document. */
    if (exists && (number > 0 || way > 1) && spoilers[way](node))
        judge_document(schema, document, what, tally);
    xmlFreeDoc(document);
    return exists;
}

/* Each way to spoil it is tried with every tenth element, each value with every
   tenth attribute; at full length with all. */
static unsigned stride(void)
{
    return orr_tests_are_full() ? 1 : 10;
}

static void they_agree_on_spoilt_elements(void **state)
{
    struct tally tally = {0};

    for (unsigned way = 0; way < G_N_ELEMENTS(spoilers); way++) {
        unsigned i = way % stride();

        while (spoil_element(*state, i, way, &tally))
            i += stride();
    }
    assert_true(tally.both_refuse > 150 / stride());
    assert_true(tally.both_accept > 40 / stride());
    assert_true(tally.only_reader_refuses > 20 / stride());
}

/* Values for every attribute. */
static const char *const values[] = {
    "",
    " ",
    "0",
    "1",
    "-1",
    "01",
    "+1",
    "2",
    "1.5",
    "yes",
    "no ",
    "single",
    "doub le",
    "push",
    "CUDA0",
    " CUDA1 ",
    "CPU",
    "CPU CPU0",
    "a/b",
    "\xC3\xA9",
    "x y",
    "9us",
    "9 us",
    ".5us",
    "5.us",
    "5.5e0us",
    "1e-3s",
    "0x1us",
    "nanus",
    "infs",
    "-9us",
    "9us9us",
    "1GBps",
    "1GiBps",
    "1gbps",
    "1e3Bps",
    "1,5GBps",
    "1GB",
    "1KiB",
    "1kB",
    "1e9B",
    "a\nb",
    "0.5",
    "1e-9",
    "1TFlop/s",
    "links",
    "kernels  memory",
    "link",
    "2.5e3GFlop/s",
    "1TFlops",
    "1GFlop",
    "150W",
    "0.25kW",
    "150",
    "-5W",
    "nanW",
    "2.5mJ",
    "1kJ",
    "above-idle",
    "total",
    "slow",
};

/* Judges the document without an attribute, then with the values of its turn.
 */
static void spoil_attribute(xmlRelaxNG *schema, xmlNode *node,
                            const char *attribute, struct tally *tally)
{
    const xmlChar *name = BAD_CAST_OF(attribute);
    xmlChar *value = xmlGetProp(node, name);

    xmlUnsetProp(node, name);
    judge_document(schema, node->doc, attribute, tally);
    for (size_t i = tally->first; i < G_N_ELEMENTS(values); i += stride()) {
        g_autofree char *what = g_strdup_printf(
            "%s of <%s>: '%s'", attribute, (const char *)node->name, values[i]);

        xmlSetProp(node, name, BAD_CAST_OF(values[i]));
        judge_document(schema, node->doc, what, tally);
    }
    tally->first = (tally->first + 1) % stride();
    xmlSetProp(node, name, value);
    xmlFree(value);
}

static void they_agree_on_spoilt_attributes(void **state)
{
    struct tally tally = {0};
    xmlDoc *document = parse_everything();
    g_autoptr(GPtrArray) elements = list_elements(document);

    for (guint i = 0; i < elements->len; i++) {
        xmlNode *node = g_ptr_array_index(elements, i);
        g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

        if (!is_first_of_its_kind(elements, i))
            continue;
        for (xmlAttr *a = node->properties; a; a = a->next)
            g_ptr_array_add(names, g_strdup((const char *)a->name));
        for (guint n = 0; n < names->len; n++)
            spoil_attribute(*state, node, g_ptr_array_index(names, n), &tally);
    }
    judge_document(*state, document, "unspoilt", &tally);
    xmlFreeDoc(document);
    assert_true(tally.both_refuse > 500 / stride());
    assert_true(tally.both_accept > 300 / stride());
    assert_true(tally.only_reader_refuses > 150 / stride());
}

ORR_TESTS(platform_schema)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(both_accept_every_good_platform),
        T(both_accept_the_example_of_the_manual),
        T(no_bad_platform_is_bad_for_the_schema_only),
        T(they_agree_on_spoilt_elements),
        T(they_agree_on_spoilt_attributes),
#undef T
    };

    return cmocka_run_group_tests_name("platform_schema", tests, setup,
                                       teardown);
}
