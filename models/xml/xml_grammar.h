/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_XML_GRAMMAR_H
#define ORR_XML_GRAMMAR_H

#include "models/xml/xml_reader.h"

/* Elements of a file, held against the tables of a vocabulary (xml.h). */

/*
 * Opens the element @name. @given: @count attributes as libxml2 gives them,
 * five pointers each: name, prefix, namespace, bounds of the value. Returns
 * false, having refused the file, if it may not come now.
 */
bool orr_xml_enter(struct orr_xml *xml, const char *name,
                   const char *const *given, int count);

/* Closes the element that is open. */
void orr_xml_leave(struct orr_xml *xml);

#endif
