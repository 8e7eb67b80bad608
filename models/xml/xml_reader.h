/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_XML_READER_H
#define ORR_XML_READER_H

#include <libxml/parser.h>

#include "models/xml/xml.h"

/*
 * A file being read, for every vocabulary: drives libxml2, holds the
 * attributes of the latest start tag, and reports what is wrong. xml_read.c
 * reads vocabularies of ours, against their tables (xml_grammar.h);
 * xml_foreign.c reads those of others; xml_values.c tells what attributes mean.
 */

struct orr_xml_attribute {
    const char *name; /* the table's */
    char *value;
};

/* An element that is open. */
struct orr_xml_level {
    const struct orr_xml_element *element;
    unsigned child; /* the kind of the latest child */
    unsigned count; /* how many of that kind there are so far */
};

struct orr_xml {
    char *path; /* as messages show it */
    const struct orr_xml_element *root;
    void *data;
    xmlParserCtxt *parser; /* NULL unless parsing */
    GError *error;         /* what went wrong first */
    unsigned instruction_count;
    unsigned depth;
    struct orr_xml_level levels[ORR_XML_MAX_DEPTH];
    unsigned attribute_count;
    struct orr_xml_attribute attributes[2 * ORR_XML_MAX_ATTRIBUTES];
};

/*
 * Reads the file @path with @handler, whose functions get @xml, of which the
 * caller sets what they need. Like orr_xml_read(), which is made of this, it
 * refuses what libxml2 should not even see, and fails as that does.
 */
bool orr_xml_parse(struct orr_xml *xml, const char *path,
                   const xmlSAXHandler *handler, GError **error);

/* The same of @size bytes at @text, which messages call @path. */
bool orr_xml_parse_text(struct orr_xml *xml, const char *path, const char *text,
                        size_t size, const xmlSAXHandler *handler,
                        GError **error);

/*
 * Keeps the attribute @name (not copied) of an element, with the value of
 * @size bytes at @start, for orr_xml_text(). Returns false, having refused
 * the file, if no value may look like that.
 */
bool orr_xml_take(struct orr_xml *xml, const char *element, const char *name,
                  const char *start, size_t size);

/* Frees the attributes of the latest start tag. */
void orr_xml_forget(struct orr_xml *xml);

#endif
