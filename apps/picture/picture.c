/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/picture.h"

#include <libxml/xmlreader.h>
#include <string.h>

#include "models/base/error.h"
#include "models/base/file.h"

/* Whether the element of @reader is <svg>. */
static bool is_svg_element(xmlTextReader *reader)
{
    const xmlChar *name = xmlTextReaderConstLocalName(reader);
    const xmlChar *space = xmlTextReaderConstNamespaceUri(reader);

    return xmlStrEqual(name, BAD_CAST "svg") &&
           xmlStrEqual(space, BAD_CAST "http://www.w3.org/2000/svg");
}

/* Whether @bytes are well-formed XML to their end, with <svg> outermost. */
static bool is_svg(const char *bytes, size_t size)
{
    xmlTextReader *reader = xmlReaderForMemory(
        bytes, (int)size, NULL, NULL,
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    bool root = false;
    int more = reader ? xmlTextReaderRead(reader) : -1;

    while (more == 1) {
        if (!root && xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT) {
            root = is_svg_element(reader);
            if (!root)
                break;
        }
        more = xmlTextReaderRead(reader);
    }
    xmlFreeTextReader(reader);
    return root && more == 0;
}

static bool begins(const char *bytes, size_t size, const char *begin,
                   size_t length)
{
    return size >= length && memcmp(bytes, begin, length) == 0;
}

static bool ends(const char *bytes, size_t size, const char *end, size_t length)
{
    return size >= length && memcmp(bytes + size - length, end, length) == 0;
}

/* The signature and the last chunk, IEND (PNG specification, 5.2 and 11.2.5).
 */
static bool is_png(const char *bytes, size_t size)
{
    static const char signature[8] = "\x89PNG\r\n\x1a\n";
    static const char end[12] = "\0\0\0\0IEND\xae\x42\x60\x82";

    return begins(bytes, size, signature, sizeof(signature)) &&
           ends(bytes, size, end, sizeof(end));
}

/* The header and the trailer, which white space may follow (ISO 32000-1, 7.5).
 */
static bool is_pdf(const char *bytes, size_t size)
{
    static const char begin[] = "%PDF-";
    static const char end[] = "%%EOF";

    while (size > 0 && g_ascii_isspace(bytes[size - 1]))
        size--;
    return begins(bytes, size, begin, strlen(begin)) &&
           ends(bytes, size, end, strlen(end));
}

/* Cairo writes the date of creation into PDF files. A fixed date makes the
 * bytes of a plot the same each time. */
static void replace_date(char *picture, gsize size)
{
    static const char key[] = "/CreationDate (D:";
    static const char date[] = "19700101000000";
    const gsize length = strlen(key) + strlen(date);
    char *end = picture + size;

    for (char *at = picture; (at = memchr(at, '/', (gsize)(end - at))); at++) {
        if ((gsize)(end - at) >= length && memcmp(at, key, strlen(key)) == 0)
            memcpy(at + strlen(key), date, strlen(date));
    }
}

static const struct format {
    const char *suffix, *name;
    bool (*is)(const char *bytes, size_t size);
} formats[] = {
    {".svg", "SVG", is_svg},
    {".png", "PNG", is_png},
    {".pdf", "PDF", is_pdf},
};

static const struct format *format_of(const char *path)
{
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_has_suffix(path, formats[i].suffix))
            return &formats[i];
    }
    g_assert_not_reached();
}

bool orr_picture_draw(const struct orr_child *child, const char *script,
                      const char *path, GError **error)
{
    const struct format *format = format_of(path);
    GBytes *picture = orr_child_feed(child, script, error);
    g_autofree char *bytes = NULL;
    gsize size;

    if (!picture)
        return false;
    bytes = g_bytes_unref_to_data(picture, &size);
    if (format->is == is_pdf)
        replace_date(bytes, size);
    if (format->is(bytes, size))
        return orr_file_replace(path, bytes, size, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO,
                "%s: its output is not a complete %s picture", child->argv[0],
                format->name);
    return false;
}
