/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads Orrery's own vocabularies: every element must be in the tables. */
#include "models/xml/xml_grammar.h"

#include <libxml/SAX2.h>
#include <string.h>

/* libxml2 keeps their names, and searches them for each new one. */
#define MAX_INSTRUCTIONS 100

/* NOLINTNEXTLINE(readability-function-size): as many as libxml2 gives. */
static void on_start(void *data, const xmlChar *local, const xmlChar *prefix,
                     const xmlChar *uri, int namespaces,
                     const xmlChar **declared, int attributes, int defaulted,
                     const xmlChar **values)
{
    struct orr_xml *xml = data;
    xmlChar next = *xml->parser->input->cur;
    g_autofree char *quoted = NULL;

    (void)prefix, (void)declared, (void)defaulted;
    /* If the tag is cut short, libxml2 reports an error after this call. */
    if (xml->error || (next != '>' && next != '/'))
        return;
    if (uri || namespaces > 0) {
        quoted = orr_quote((const char *)local);
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "a namespace at element %s, where none is used", quoted);
        return;
    }
    (void)orr_xml_enter(xml, (const char *)local,
                        (const char *const *)(const void *)values, attributes);
}

static void on_end(void *data, const xmlChar *local, const xmlChar *prefix,
                   const xmlChar *uri)
{
    struct orr_xml *xml = data;

    (void)local, (void)prefix, (void)uri;
    if (!xml->error)
        orr_xml_leave(xml);
}

static void on_text(void *data, const xmlChar *text, int size)
{
    struct orr_xml *xml = data;
    g_autofree char *start = NULL;
    g_autofree char *quoted = NULL;

    start = g_strstrip(g_strndup((const char *)text, (size_t)size));
    if (*start == '\0')
        return;
    quoted = orr_quote(start);
    orr_xml_fail(xml, ORR_ERROR_SYNTAX, "<%s> holds text: %s",
                 orr_xml_element(xml), quoted);
}

/* Processing instructions such as <?xml-model ...?> are skipped. */
static void on_instruction(void *data, const xmlChar *target,
                           const xmlChar *text)
{
    struct orr_xml *xml = data;

    (void)target, (void)text;
    if (++xml->instruction_count > MAX_INSTRUCTIONS)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "more than %d processing instructions", MAX_INSTRUCTIONS);
}

/* A hint for files whose document type is that of another program. */
static const char *explain_doctype(const char *name, const char *system)
{
    if (strcmp(name, "topology") == 0)
        return ": this looks like a topology of hwloc, of which `orrery "
               "platform detect --hwloc` makes a platform";
    if (strcmp(name, "platform") == 0 && system && strstr(system, "simgrid"))
        return ": this looks like a platform of SimGrid; `orrery platform "
               "import` makes one of it and of StarPU's calibration";
    return "";
}

/* Called before the document type is read. */
static void on_doctype(void *data, const xmlChar *name, const xmlChar *public,
                       const xmlChar *system)
{
    (void)public;
    orr_xml_fail(data, ORR_ERROR_SYNTAX,
                 "a document type (<!DOCTYPE>) is not accepted%s",
                 explain_doctype((const char *)name, (const char *)system));
}

bool orr_xml_read(const char *path, const struct orr_xml_element *root,
                  void *data, GError **error)
{
    static const xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .internalSubset = on_doctype,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .characters = on_text,
        .processingInstruction = on_instruction,
    };
    struct orr_xml xml = {.root = root, .data = data};

    return orr_xml_parse(&xml, path, &handler, error);
}
