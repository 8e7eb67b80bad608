/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_XML_READER_H
#define ORR_XML_READER_H

#include <libxml/parser.h>

#include "models/xml/xml.h"

/*
 * A file being read, for every vocabulary: drives libxml2, holds the attributes
 * of the latest start tag, and reports errors. xml_read.c reads Orrery's own
 * vocabularies and checks them against their tables (xml_grammar.h),
 * xml_foreign.c reads foreign vocabularies, xml_values.c parses values.
 */

struct orr_xml_attribute {
    const char *name; /* borrowed from the table */
    char *value;
};

/* An element that is open. */
struct orr_xml_level {
    const struct orr_xml_element *element;
    unsigned child; /* index of the latest child's kind */
    unsigned count; /* children of that kind so far */
};

struct orr_xml {
    char *path; /* as messages show it */
    const struct orr_xml_element *root;
    void *data;
    xmlParserCtxt *parser; /* NULL unless parsing */
    GError *error;         /* the first one, or NULL */
    unsigned instruction_count;
    unsigned depth;
    struct orr_xml_level levels[ORR_XML_MAX_DEPTH];
    unsigned attribute_count;
    struct orr_xml_attribute attributes[2 * ORR_XML_MAX_ATTRIBUTES];
};

/*
 * Reads the file @path. The functions of @handler are called with @xml, in
 * which the caller has set root and data. Refuses files that would take libxml2
 * too long. Errors are those of orr_xml_read().
 */
bool orr_xml_parse(struct orr_xml *xml, const char *path,
                   const xmlSAXHandler *handler, GError **error);

/* Like orr_xml_parse(), for @size bytes at @text. Messages call them @path. */
bool orr_xml_parse_text(struct orr_xml *xml, const char *path, const char *text,
                        size_t size, const xmlSAXHandler *handler,
                        GError **error);

/*
 * Keeps the attribute @name (not copied) of @element, with the value of @size
 * bytes at @start, for orr_xml_text(). If the value is too long or holds
 * control characters, refuses the file and returns false.
 */
bool orr_xml_keep_attribute(struct orr_xml *xml, const char *element,
                            const char *name, const char *start, size_t size);

/* Frees the attributes that orr_xml_keep_attribute() has kept of the last start
 * tag. */
void orr_xml_clear_attributes(struct orr_xml *xml);

#endif
