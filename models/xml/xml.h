/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_XML_H
#define ORR_XML_H

#include <stdbool.h>

#include "models/base/error.h"
#include "models/base/units.h"

/*
 * Reading XML in a vocabulary of ours, from files that anybody may have
 * written.
 *
 * A vocabulary is a set of const tables: an element has a name, attributes
 * and children in a fixed order. The file is checked against them while it is
 * read, once, without a tree in memory; a handler is called only for elements
 * that have what they must. The first thing that is wrong ends the reading
 * with one line that says where and what.
 *
 * What strangers may try is refused: document types (so a file has no
 * entities of its own, and nothing is ever fetched), encodings other than
 * UTF-8, more than ORR_XML_MAX_BYTES, values beyond ORR_XML_MAX_VALUE.
 */
#define ORR_XML_MAX_BYTES (16u << 20) /* of a file */
#define ORR_XML_MAX_VALUE 4096u       /* bytes of an attribute's value */
#define ORR_XML_MAX_ATTRIBUTES 15     /* required or optional, and a NULL */
#define ORR_XML_MAX_CHILDREN 9        /* kinds of them, and an end mark */
#define ORR_XML_MAX_DEPTH 8

struct orr_xml; /* a file being read */
struct orr_xml_element;

enum orr_xml_occurs {
    ORR_XML_ONE,
    ORR_XML_OPTIONAL,
    ORR_XML_ANY,  /* none is fine */
    ORR_XML_SOME, /* one at least */
};

struct orr_xml_child {
    const struct orr_xml_element *element;
    enum orr_xml_occurs occurs;
};

struct orr_xml_element {
    const char *name;
    /* Names of attributes; NULL ends each. */
    const char *required[ORR_XML_MAX_ATTRIBUTES + 1];
    const char *optional[ORR_XML_MAX_ATTRIBUTES + 1];
    /* In the order of the file; a NULL element ends them. */
    struct orr_xml_child children[ORR_XML_MAX_CHILDREN + 1];

    /*
     * Optional: called after the start tag, when attributes can be read, and
     * at the end tag, when they no longer can. A handler refuses by
     * orr_xml_fail(); @data is what orr_xml_read() was given.
     */
    void (*start)(struct orr_xml *xml, void *data);
    void (*end)(struct orr_xml *xml, void *data);
};

/*
 * Reads the file @path, whose outermost element must be @root.
 *
 * Returns false with @error:
 *   ORR_ERROR_IO      @path cannot be read, or is too large
 *   ORR_ERROR_SYNTAX  not XML, or not what the tables allow
 *   ORR_ERROR_VALUE   an attribute has no meaning, or what handlers refuse
 * The last two start with "path:line: ".
 */
bool orr_xml_read(const char *path, const struct orr_xml_element *root,
                  void *data, GError **error);

/*
 * Reads a file in somebody else's vocabulary. The outermost element is
 * @elements[0]; the others, up to one without a name, may come anywhere, in
 * any order and number, whatever their children say. Other elements, other
 * attributes and text are passed over. A document type is accepted if it
 * declares nothing; still, nothing is fetched.
 *
 * Else as orr_xml_read().
 */
bool orr_xml_read_foreign(const char *path,
                          const struct orr_xml_element *elements, void *data,
                          GError **error);

/* The same of @size bytes at @text; messages call them @name. */
bool orr_xml_read_foreign_text(const char *name, const char *text, size_t size,
                               const struct orr_xml_element *elements,
                               void *data, GError **error);

/*
 * Refuses the file at the current line, or at @line, with a message in the
 * style of error.h but without the place. The first failure counts.
 */
void orr_xml_fail(struct orr_xml *xml, enum orr_error code, const char *format,
                  ...) G_GNUC_PRINTF(3, 4);
void orr_xml_fail_at(struct orr_xml *xml, unsigned line, enum orr_error code,
                     const char *format, ...) G_GNUC_PRINTF(4, 5);

/* The current line, from 1: where the start tag or the end tag ends. */
unsigned orr_xml_line(const struct orr_xml *xml);

/* The name of the element that handlers are called for; borrowed. */
const char *orr_xml_element(const struct orr_xml *xml);

/*
 * The value of an attribute, borrowed until the handler returns, with blanks
 * and newlines collapsed to single spaces and none at the ends, free of
 * control characters; NULL when it is absent.
 */
const char *orr_xml_text(const struct orr_xml *xml, const char *attribute);

/*
 * The value of an attribute. An absent one leaves the result as it is. All
 * return false, having refused the file, when the value is wrong.
 *
 * name:    letters, digits and "._+-" (the first a letter or digit), at most
 *          100 of them; borrowed until the handler returns
 * label:   any text of at most 100 bytes, but not empty; borrowed likewise
 * rate:    in bytes per second; at least 1 Bps
 * time:    in ns; at most a day, so that sums do not overflow
 * seconds: the same, not rounded
 * flops:   in flop/s
 * number:  above 0 and at most @max
 * count:   a whole number, as orr_parse_count()
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
bool orr_xml_number(struct orr_xml *xml, const char *attribute, double max,
                    double *number);
bool orr_xml_count(struct orr_xml *xml, const char *attribute, uint64_t min,
                   uint64_t max, unsigned *count);

/* Whether @text is a name, as orr_xml_name() wants it. */
bool orr_xml_is_name(const char *text);

#endif
