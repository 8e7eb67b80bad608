/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_XML_H
#define ORR_XML_H

#include <stdbool.h>

#include "models/base/error.h"
#include "models/base/units.h"

/*
 * Reads XML files, which may be hostile.
 *
 * A vocabulary is a set of const tables: an element has a name, attributes,
 * and children in a fixed order. A file is checked against them while it is
 * read, without a tree in memory. Handlers are called for valid elements only.
 * Reading stops at the first mistake, with a message of one line.
 *
 * These are refused: document types (hence a file has no entities of its own,
 * and nothing is ever fetched), encodings other than UTF-8, files of more than
 * ORR_XML_MAX_BYTES, and values of more than ORR_XML_MAX_VALUE.
 */
#define ORR_XML_MAX_BYTES (16u << 20) /* of a file */
#define ORR_XML_MAX_VALUE 4096u       /* bytes of an attribute's value */
#define ORR_XML_MAX_ATTRIBUTES 15     /* required ones, and optional ones */
#define ORR_XML_MAX_CHILDREN 9        /* kinds of children of an element */
#define ORR_XML_MAX_DEPTH 8

struct orr_xml; /* a file being read */
struct orr_xml_element;

enum orr_xml_occurs {
    ORR_XML_ONE,
    ORR_XML_OPTIONAL,
    ORR_XML_ANY,  /* 0 or more */
    ORR_XML_SOME, /* 1 or more */
};

struct orr_xml_child {
    const struct orr_xml_element *element;
    enum orr_xml_occurs occurs;
};

struct orr_xml_element {
    const char *name;
    /* Names of attributes; each list ends with NULL. */
    const char *required[ORR_XML_MAX_ATTRIBUTES + 1];
    const char *optional[ORR_XML_MAX_ATTRIBUTES + 1];
    /* In the order of the file; a NULL element ends them. */
    struct orr_xml_child children[ORR_XML_MAX_CHILDREN + 1];

    /*
     * Optional: called after the start tag, when attributes can be read, and
     * at the end tag, when they no longer can. A handler refuses by
     * orr_xml_fail(); @data is the argument of orr_xml_read().
     */
    void (*start)(struct orr_xml *xml, void *data);
    void (*end)(struct orr_xml *xml, void *data);
};

/*
 * Reads the file @path, whose outermost element must be @root.
 *
 * Returns false with @error:
 *   ORR_ERROR_IO      @path cannot be read, or is too large
 *   ORR_ERROR_SYNTAX  not XML, or not allowed by the tables
 *   ORR_ERROR_VALUE   an attribute has no meaning, or a handler refuses it
 * The last two start with "path:line: ".
 */
bool orr_xml_read(const char *path, const struct orr_xml_element *root,
                  void *data, GError **error);

/*
 * Reads a file in a foreign vocabulary, of which only some elements matter:
 * @elements, ended by one without a name. The outermost element must be
 * @elements[0]; the others may occur anywhere, in any order and number, and
 * their lists of children are ignored. Other elements, other attributes and
 * text are skipped. A document type is accepted if it declares nothing;
 * nothing is fetched for it.
 *
 * Errors are those of orr_xml_read().
 */
bool orr_xml_read_foreign(const char *path,
                          const struct orr_xml_element *elements, void *data,
                          GError **error);

/* Like orr_xml_read_foreign(), for @size bytes at @text. Messages call them
 * @name. */
bool orr_xml_read_foreign_text(const char *name, const char *text, size_t size,
                               const struct orr_xml_element *elements,
                               void *data, GError **error);

/*
 * Refuse the file, at the current line or at @line. The message is in the style
 * of error.h, without the place. Only the first failure is reported.
 */
void orr_xml_fail(struct orr_xml *xml, enum orr_error code, const char *format,
                  ...) G_GNUC_PRINTF(3, 4);
void orr_xml_fail_at(struct orr_xml *xml, unsigned line, enum orr_error code,
                     const char *format, ...) G_GNUC_PRINTF(4, 5);

/* The current line, from 1: where the current tag ends. */
unsigned orr_xml_line(const struct orr_xml *xml);

/* The name of the current element; borrowed. */
const char *orr_xml_element(const struct orr_xml *xml);

/*
 * The value of an attribute of the current element, borrowed until the handler
 * returns; NULL if it is absent. White space is collapsed to single spaces, and
 * there is none at the ends. There are no control characters.
 */
const char *orr_xml_text(const struct orr_xml *xml, const char *attribute);

/*
 * Parse the value of an attribute of the current element. If it is absent, the
 * result is unchanged. If it is wrong, they refuse the file and return false.
 *
 * name:    1 to 100 letters, digits and "._+-", a letter or digit first;
 *          borrowed until the handler returns
 * label:   any text of 1 to 100 bytes; borrowed until the handler returns
 * rate:    in bytes per second; at least 1 Bps
 * time:    in ns, rounded; at most a day, so that sums do not overflow
 * seconds: a time in seconds, not rounded; at most a day
 * flops:   in flop/s
 * watts:   from 0 to 1e6 W
 * joules:  from 0 to 1e9 J
 * number:  above 0 and at most @max
 * count:   a whole number from @min to @max
 */
bool orr_xml_name(struct orr_xml *xml, const char *attribute,
                  const char **name);
bool orr_xml_label(struct orr_xml *xml, const char *attribute,
                   const char **label);
bool orr_xml_bytes(struct orr_xml *xml, const char *attribute, uint64_t *bytes);
bool orr_xml_rate(struct orr_xml *xml, const char *attribute,
                  double *bytes_per_s);
bool orr_xml_time(struct orr_xml *xml, const char *attribute, orr_time *time);
bool orr_xml_seconds(struct orr_xml *xml, const char *attribute,
                     double *seconds);
bool orr_xml_flops(struct orr_xml *xml, const char *attribute,
                   double *flops_per_s);
bool orr_xml_watts(struct orr_xml *xml, const char *attribute, double *watts);
bool orr_xml_joules(struct orr_xml *xml, const char *attribute, double *joules);
bool orr_xml_number(struct orr_xml *xml, const char *attribute, double max,
                    double *number);
bool orr_xml_count(struct orr_xml *xml, const char *attribute, uint64_t min,
                   uint64_t max, unsigned *count);

/* Whether orr_xml_name() would accept @text. */
bool orr_xml_is_name(const char *text);

#endif
