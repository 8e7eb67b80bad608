/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/xml/xml_reader.h"

#include <libxml/SAX2.h>
#include <string.h>

#include "models/base/input.h"

/*
 * The limit of attributes of a tag. libxml2 compares them in pairs: this many
 * take a moment, a file full of them would take days.
 */
#define MAX_EQUALS 10000

/* The globals of libxml2 must not be set up by two threads at the same time, so
 * this is done when the library is loaded. */
__attribute__((constructor)) static void set_up_libxml2(void)
{
    xmlInitParser();
}

static void fail_va(struct orr_xml *xml, unsigned line, enum orr_error code,
                    const char *format, va_list arguments)
{
    if (xml->error)
        return;
    orr_error_set_at(&xml->error, code, xml->path, line, format, arguments);
    if (xml->parser)
        xmlStopParser(xml->parser);
}

void orr_xml_fail_at(struct orr_xml *xml, unsigned line, enum orr_error code,
                     const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail_va(xml, line, code, format, arguments);
    va_end(arguments);
}

void orr_xml_fail(struct orr_xml *xml, enum orr_error code, const char *format,
                  ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail_va(xml, orr_xml_line(xml), code, format, arguments);
    va_end(arguments);
}

unsigned orr_xml_line(const struct orr_xml *xml)
{
    return (unsigned)xmlSAX2GetLineNumber(xml->parser);
}

const char *orr_xml_element(const struct orr_xml *xml)
{
    return xml->levels[xml->depth - 1].element->name;
}

const char *orr_xml_text(const struct orr_xml *xml, const char *attribute)
{
    for (unsigned i = 0; i < xml->attribute_count; i++) {
        if (strcmp(xml->attributes[i].name, attribute) == 0)
            return xml->attributes[i].value;
    }
    return NULL;
}

void orr_xml_clear_attributes(struct orr_xml *xml)
{
    for (unsigned i = 0; i < xml->attribute_count; i++)
        g_free(xml->attributes[i].value);
    xml->attribute_count = 0;
}

/*
 * Returns a value with "&#38;" replaced by "&" and white space collapsed.
 * libxml2 leaves "&#38;" for each "&", as it is not asked to replace entities.
 */
static char *decode(const char *start, size_t size)
{
    static const char ampersand[] = "&#38;";
    const char *end = start + size;
    GString *text = g_string_sized_new(size);

    while (start < end) {
        if (g_str_has_prefix(start, ampersand)) {
            g_string_append_c(text, '&');
            start += strlen(ampersand);
        } else if (!g_ascii_isspace(*start)) {
            g_string_append_c(text, *start++);
        } else {
            if (text->len > 0 && text->str[text->len - 1] != ' ')
                g_string_append_c(text, ' ');
            start++;
        }
    }
    return g_strchomp(g_string_free(text, FALSE));
}

/* Whether @text, valid UTF-8, holds no control characters. */
static bool is_printable(const char *text)
{
    for (; *text; text = g_utf8_next_char(text)) {
        if (g_unichar_iscntrl(g_utf8_get_char(text)))
            return false;
    }
    return true;
}

bool orr_xml_keep_attribute(struct orr_xml *xml, const char *element,
                            const char *name, const char *start, size_t size)
{
    if (size > ORR_XML_MAX_VALUE) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "%s of <%s> is %zu bytes long, %u are the limit", name,
                     element, size, ORR_XML_MAX_VALUE);
        return false;
    }
    xml->attributes[xml->attribute_count++] = (struct orr_xml_attribute){
        .name = name,
        .value = decode(start, size),
    };
    if (is_printable(orr_xml_text(xml, name)))
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE, "%s of <%s> holds a control character",
                 name, element);
    return false;
}

static void on_error(void *data, const char *format, ...)
{
    struct orr_xml *xml = data;
    const xmlError *error = xmlCtxtGetLastError(xml->parser);
    g_autofree char *message = NULL;

    (void)format;
    if (xml->error || !error || !error->message)
        return;
    message = g_utf8_make_valid(error->message, -1);
    if (strlen(message) > 100) /* it may quote the file */
        *g_utf8_find_prev_char(message, message + 100) = '\0';
    g_strdelimit(message, "\r\n\t", ' ');
    orr_xml_fail_at(xml, (unsigned)error->line, ORR_ERROR_SYNTAX,
                    "not well-formed: %s", g_strstrip(message));
}

static void parse(struct orr_xml *xml, const xmlSAXHandler *handler,
                  const char *text, size_t size)
{
    xml->parser = xmlNewParserCtxt();
    if (!xml->parser)
        g_error("out of memory");
    *xml->parser->sax = *handler;
    xml->parser->sax->error = on_error;
    xml->parser->userData = xml;
    xmlFreeDoc(xmlCtxtReadMemory(xml->parser, text, (int)size, NULL, "UTF-8",
                                 XML_PARSE_NONET));
    if (!xml->parser->wellFormed)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX, "not well-formed");
    xmlFreeParserCtxt(xml->parser);
    xml->parser = NULL;
}

/* Refuses texts that are not UTF-8, or that would take libxml2 too long. */
static bool scan(struct orr_xml *xml, const char *text, size_t size)
{
    const char *valid = text;
    bool utf8 = g_utf8_validate(text, (gssize)size, &valid);
    const char *end = utf8 ? text + size : valid;
    unsigned line = 1;
    unsigned equals = 0;

    for (const char *c = text; c < end && equals <= MAX_EQUALS; c++) {
        line += *c == '\n';
        if (*c == '<') /* a new tag; none begins inside another */
            equals = 0;
        equals += *c == '=';
    }
    if (equals > MAX_EQUALS)
        orr_xml_fail_at(xml, line, ORR_ERROR_SYNTAX,
                        "a tag with over %d attributes", MAX_EQUALS);
    else if (!utf8)
        orr_xml_fail_at(xml, line, ORR_ERROR_SYNTAX, "not text in UTF-8");
    else if (size == 0)
        orr_xml_fail_at(xml, line, ORR_ERROR_SYNTAX, "the file is empty");
    return !xml->error;
}

bool orr_xml_parse_text(struct orr_xml *xml, const char *path, const char *text,
                        size_t size, const xmlSAXHandler *handler,
                        GError **error)
{
    xml->path = orr_input_show_path(path);
    if (scan(xml, text, size))
        parse(xml, handler, text, size);
    orr_xml_clear_attributes(xml);
    g_free(xml->path);
    if (!xml->error)
        return true;
    g_propagate_error(error, xml->error);
    return false;
}

bool orr_xml_parse(struct orr_xml *xml, const char *path,
                   const xmlSAXHandler *handler, GError **error)
{
    g_autoptr(GByteArray) text =
        orr_input_read_file(path, ORR_XML_MAX_BYTES, error);

    return text && orr_xml_parse_text(xml, path, (const char *)text->data,
                                      text->len, handler, error);
}
