/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_XML_GRAMMAR_H
#define ORR_XML_GRAMMAR_H

#include "models/xml/xml_reader.h"

/* Checks the elements of a file against the tables of a vocabulary (xml.h). */

/*
 * Opens the element @name and calls its start handler. @given holds @count
 * attributes as libxml2 gives them, five pointers each: name, prefix,
 * namespace, begin and end of the value. If the element is not allowed here,
 * refuses the file and returns false.
 */
bool orr_xml_enter(struct orr_xml *xml, const char *name,
                   const char *const *given, int count);

/* Closes the current element and calls its end handler. */
void orr_xml_leave(struct orr_xml *xml);

#endif
