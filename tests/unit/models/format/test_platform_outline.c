/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The schema and the reader's tables have the same outline: the same elements,
 * their attributes, which of them are required, and how often children come in
 * which order. What values mean is compared in test_platform_schema.c.
 */
#include <libxml/parser.h>
#include <string.h>

#include "models/format/platform_reader.h"
#include "tests/support/temp_file.h"

/* Adds "NAME", with '?' unless it is required, unless it is there already. */
static void add_word(GPtrArray *words, const char *name, const char *mark)
{
    char *word = g_strconcat(name, mark, NULL);

    for (guint i = 0; i < words->len; i++) {
        if (strcmp(g_ptr_array_index(words, i), word) == 0) {
            g_free(word);
            return;
        }
    }
    g_ptr_array_add(words, word);
}

static gint compare_words(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* An element: "name [attributes, sorted] children in order". Owned. */
struct outline {
    const char *name;
    GPtrArray *attributes;
    GPtrArray *children;
};

static struct outline outline_new(const char *name)
{
    return (struct outline){
        .name = name,
        .attributes = g_ptr_array_new_with_free_func(g_free),
        .children = g_ptr_array_new_with_free_func(g_free),
    };
}

/* Notes the outline as text, by the name of the element; ends it. */
static void outline_finish(struct outline *outline, GHashTable *texts)
{
    GString *text = g_string_new(outline->name);

    g_ptr_array_sort(outline->attributes, compare_words);
    g_string_append(text, " [");
    for (guint i = 0; i < outline->attributes->len; i++)
        g_string_append_printf(
            text, " %s", (char *)g_ptr_array_index(outline->attributes, i));
    g_string_append(text, " ]");
    for (guint i = 0; i < outline->children->len; i++)
        g_string_append_printf(text, " %s",
                               (char *)g_ptr_array_index(outline->children, i));
    g_ptr_array_unref(outline->attributes);
    g_ptr_array_unref(outline->children);
    g_hash_table_insert(texts, g_strdup(outline->name),
                        g_string_free(text, FALSE));
}

/* The element of a table and its descendants. */
static void outline_table(const struct orr_xml_element *element,
                          GHashTable *texts)
{
    static const char *const marks[] = {
        [ORR_XML_ONE] = "",
        [ORR_XML_OPTIONAL] = "?",
        [ORR_XML_ANY] = "*",
        [ORR_XML_SOME] = "+",
    };
    struct outline outline = outline_new(element->name);

    for (unsigned i = 0; element->required[i]; i++)
        add_word(outline.attributes, element->required[i], "");
    for (unsigned i = 0; element->optional[i]; i++)
        add_word(outline.attributes, element->optional[i], "?");
    for (unsigned i = 0; element->children[i].element; i++) {
        const struct orr_xml_child *child = &element->children[i];

        add_word(outline.children, child->element->name, marks[child->occurs]);
        outline_table(child->element, texts);
    }
    outline_finish(&outline, texts);
}

static bool is_called(const xmlNode *node, const char *name)
{
    return strcmp((const char *)node->name, name) == 0;
}

static char *name_of(xmlNode *node)
{
    return (char *)xmlGetProp(node, (const xmlChar *)"name");
}

/* The definition to which a <ref> refers. */
static xmlNode *find_definition(xmlNode *ref)
{
    xmlNode *node = xmlFirstElementChild(xmlDocGetRootElement(ref->doc));
    g_autofree char *wanted = name_of(ref);

    for (; node; node = xmlNextElementSibling(node)) {
        g_autofree char *name = name_of(node);

        if (g_strcmp0(name, wanted) == 0)
            return node;
    }
    fail_msg("no definition of %s", wanted);
    return NULL;
}

static void outline_schema(xmlNode *element, GHashTable *texts);

/* Adds the content of the pattern @node to @outline. @optional: it may be left
 * out, @repeated: it may come again. */
static void add_pattern(struct outline *outline, xmlNode *node, bool optional,
                        bool repeated, GHashTable *texts)
{
    g_autofree char *name = name_of(node);

    if (is_called(node, "attribute")) {
        add_word(outline->attributes, name, optional ? "?" : "");
        return;
    }
    if (is_called(node, "element")) {
        add_word(outline->children, name,
                 repeated ? (optional ? "*" : "+") : (optional ? "?" : ""));
        outline_schema(node, texts);
        return;
    }
    if (is_called(node, "ref"))
        node = find_definition(node);
    optional |= is_called(node, "optional") || is_called(node, "zeroOrMore") ||
                is_called(node, "choice");
    repeated |= is_called(node, "oneOrMore") || is_called(node, "zeroOrMore");
    for (node = xmlFirstElementChild(node); node;
         node = xmlNextElementSibling(node))
        add_pattern(outline, node, optional, repeated, texts);
}

/* The <element> of a schema and its descendants. */
static void outline_schema(xmlNode *element, GHashTable *texts)
{
    g_autofree char *name = name_of(element);
    struct outline outline = outline_new(name);

    for (xmlNode *node = xmlFirstElementChild(element); node;
         node = xmlNextElementSibling(node))
        add_pattern(&outline, node, false, false, texts);
    outline_finish(&outline, texts);
}

static void schema_and_tables_have_the_same_outline(void **state)
{
    g_autofree char *path = source_file("platforms/platform.rng");
    xmlDoc *schema = xmlReadFile(path, NULL, XML_PARSE_NONET);
    g_autoptr(GHashTable) of_schema =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GHashTable) of_tables =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    xmlNode *start;
    GHashTableIter iter;
    gpointer name, text;

    (void)state;
    assert_non_null(schema);
    start = xmlFirstElementChild(xmlDocGetRootElement(schema));
    outline_schema(xmlFirstElementChild(start), of_schema);
    outline_table(&orr_platform_xml, of_tables);
    g_hash_table_iter_init(&iter, of_schema);
    while (g_hash_table_iter_next(&iter, &name, &text)) {
        const char *other = g_hash_table_lookup(of_tables, name);

        if (g_strcmp0(text, other) != 0)
            fail_msg("schema: %s\ntables: %s", (char *)text,
                     other ? other : "no such element");
    }
    assert_int_equal(g_hash_table_size(of_schema),
                     g_hash_table_size(of_tables));
    assert_true(g_hash_table_size(of_tables) > 20);
    xmlFreeDoc(schema);
}

ORR_TESTS(platform_outline)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schema_and_tables_have_the_same_outline),
    };

    return cmocka_run_group_tests_name("platform_outline", tests, NULL, NULL);
}
