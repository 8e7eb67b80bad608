/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads foreign vocabularies: finds some elements, wherever they are. */
#include "models/xml/xml_reader.h"

#include <libxml/SAX2.h>
#include <string.h>

static const struct orr_xml_element *find(const struct orr_xml *xml,
                                          const xmlChar *name)
{
    for (const struct orr_xml_element *e = xml->root; e->name; e++) {
        if (strcmp(e->name, (const char *)name) == 0)
            return e;
    }
    return NULL;
}

/* The five pointers that libxml2 passes for attribute @name; NULL if it is
 * absent. */
static const char *const *find_given(const char *const *given, int count,
                                     const char *name)
{
    for (int i = 0; i < count; i++, given += 5) {
        if (!given[1] && strcmp(given[0], name) == 0)
            return given;
    }
    return NULL;
}

static bool take(struct orr_xml *xml, const struct orr_xml_element *element,
                 const char *const *given, int count)
{
    const char *const *one;

    orr_xml_clear_attributes(xml);
    for (unsigned i = 0; element->required[i]; i++) {
        one = find_given(given, count, element->required[i]);
        if (!one) {
            orr_xml_fail(xml, ORR_ERROR_SYNTAX, "<%s> lacks the attribute %s",
                         element->name, element->required[i]);
            return false;
        }
        if (!orr_xml_keep_attribute(xml, element->name, element->required[i],
                                    one[3], (size_t)(one[4] - one[3])))
            return false;
    }
    for (unsigned i = 0; element->optional[i]; i++) {
        one = find_given(given, count, element->optional[i]);
        if (one &&
            !orr_xml_keep_attribute(xml, element->name, element->optional[i],
                                    one[3], (size_t)(one[4] - one[3])))
            return false;
    }
    return true;
}

/* NOLINTNEXTLINE(readability-function-size): as many as libxml2 gives. */
static void on_start(void *data, const xmlChar *local, const xmlChar *prefix,
                     const xmlChar *uri, int namespaces,
                     const xmlChar **declared, int attributes, int defaulted,
                     const xmlChar **values)
{
    struct orr_xml *xml = data;
    xmlChar next = *xml->parser->input->cur;
    const struct orr_xml_element *element = find(xml, local);
    bool outermost = xml->depth == 0;

    (void)prefix, (void)uri, (void)namespaces, (void)declared, (void)defaulted;
    /* If the tag is cut short, libxml2 reports an error after this call. */
    if (xml->error || (next != '>' && next != '/'))
        return;
    if (outermost && element != xml->root) {
        g_autofree char *quoted = orr_quote((const char *)local);

        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "the outermost element is %s, not <%s>", quoted,
                     xml->root->name);
        return;
    }
    xml->depth = 1; /* handlers see one level, whatever the nesting */
    if (!element)
        return;
    xml->levels[0].element = element;
    if (take(xml, element, (const char *const *)(const void *)values,
             attributes) &&
        element->start)
        element->start(xml, xml->data);
}

static void on_end(void *data, const xmlChar *local, const xmlChar *prefix,
                   const xmlChar *uri)
{
    struct orr_xml *xml = data;
    const struct orr_xml_element *element = find(xml, local);

    (void)prefix, (void)uri;
    if (xml->error || !element || !element->end)
        return;
    orr_xml_clear_attributes(xml);
    xml->levels[0].element = element;
    element->end(xml, xml->data);
}

static void refuse_declaration(struct orr_xml *xml)
{
    orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                 "a declaration in the document type is not accepted");
}

static void on_entity(void *data, const xmlChar *name, int type,
                      const xmlChar *public, const xmlChar *system,
                      xmlChar *content)
{
    (void)name, (void)type, (void)public, (void)system, (void)content;
    refuse_declaration(data);
}

/* NOLINTNEXTLINE(readability-function-size): as many as libxml2 gives. */
static void on_attribute(void *data, const xmlChar *element,
                         const xmlChar *name, int type, int kind,
                         const xmlChar *value, xmlEnumerationPtr choices)
{
    (void)element, (void)name, (void)type, (void)kind, (void)value;
    xmlFreeEnumeration(choices);
    refuse_declaration(data);
}

static void on_element(void *data, const xmlChar *name, int type,
                       xmlElementContentPtr content)
{
    (void)name, (void)type, (void)content;
    refuse_declaration(data);
}

static void on_notation(void *data, const xmlChar *name, const xmlChar *public,
                        const xmlChar *system)
{
    (void)name, (void)public, (void)system;
    refuse_declaration(data);
}

static const xmlSAXHandler foreign = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = on_start,
    .endElementNs = on_end,
    .entityDecl = on_entity,
    .attributeDecl = on_attribute,
    .elementDecl = on_element,
    .notationDecl = on_notation,
};

bool orr_xml_read_foreign(const char *path,
                          const struct orr_xml_element *elements, void *data,
                          GError **error)
{
    struct orr_xml xml = {.root = elements, .data = data};

    return orr_xml_parse(&xml, path, &foreign, error);
}

bool orr_xml_read_foreign_text(const char *name, const char *text, size_t size,
                               const struct orr_xml_element *elements,
                               void *data, GError **error)
{
    struct orr_xml xml = {.root = elements, .data = data};

    return orr_xml_parse_text(&xml, name, text, size, &foreign, error);
}
