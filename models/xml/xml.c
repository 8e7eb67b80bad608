/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/xml/xml_private.h"

#include <errno.h>
#include <libxml/SAX2.h>
#include <stdio.h>
#include <string.h>

/*
 * libxml2 compares the attributes of a tag in pairs; this many take a moment,
 * a file full of them would take days.
 */
#define MAX_EQUALS 10000

/* It keeps their names, and looks through them for each new one. */
#define MAX_INSTRUCTIONS 100

/* libxml2 has globals, which two threads must not set up at the same time: it
 * is done when the library is loaded. */
__attribute__((constructor)) static void set_up_libxml2(void)
{
    xmlInitParser();
}

static void fail_va(struct orr_xml *xml, unsigned line, enum orr_error code,
                    const char *format, va_list arguments)
{
    g_autofree char *message = NULL;

    if (xml->error)
        return;
    message = g_strdup_vprintf(format, arguments);
    xml->error = g_error_new(ORR_ERROR, (int)code, "%s:%u: %s", xml->path, line,
                             message);
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
    /* When the tag is cut short, libxml2 finds its error after this. */
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

/* <?xml-model ...?> and such are for others, but not without bound. */
static void on_instruction(void *data, const xmlChar *target,
                           const xmlChar *text)
{
    struct orr_xml *xml = data;

    (void)target, (void)text;
    if (++xml->instruction_count > MAX_INSTRUCTIONS)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "more than %d processing instructions", MAX_INSTRUCTIONS);
}

/* Whose file this is, by its document type, and what to do with it. */
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

/* Before anything of the document type is read. */
static void on_doctype(void *data, const xmlChar *name, const xmlChar *public,
                       const xmlChar *system)
{
    (void)public;
    orr_xml_fail(data, ORR_ERROR_SYNTAX,
                 "a document type (<!DOCTYPE>) is not accepted%s",
                 explain_doctype((const char *)name, (const char *)system));
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
    if (strlen(message) > 100) /* it quotes the file */
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

/* Refuses what libxml2 should not even see. */
static bool scan(struct orr_xml *xml, const char *text, size_t size)
{
    const char *valid = text;
    bool utf8 = g_utf8_validate(text, (gssize)size, &valid);
    const char *end = utf8 ? text + size : valid;
    unsigned line = 1;
    unsigned equals = 0;

    for (const char *c = text; c < end && equals <= MAX_EQUALS; c++) {
        line += *c == '\n';
        if (*c == '<') /* not found inside a tag */
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

/* The whole of @file, or NULL and why not. */
static GByteArray *slurp(FILE *file, const char **failure)
{
    enum { STEP = 1 << 16 };
    g_autoptr(GByteArray) text = g_byte_array_new();
    size_t got = STEP;

    while (got == STEP && text->len <= ORR_XML_MAX_BYTES) {
        guint size = text->len;

        g_byte_array_set_size(text, size + STEP);
        got = fread(text->data + size, 1, STEP, file);
        g_byte_array_set_size(text, size + (guint)got);
    }
    if (ferror(file))
        *failure = g_strerror(errno);
    else if (text->len > ORR_XML_MAX_BYTES)
        *failure = "the file is larger than 16 MiB";
    else
        return g_steal_pointer(&text);
    return NULL;
}

static char *show_path(const char *path)
{
    char *shown = g_filename_display_name(path);

    for (char *c = shown; *c; c++) {
        if (g_ascii_iscntrl(*c))
            *c = '?';
    }
    return shown;
}

bool orr_xml_parse_text(struct orr_xml *xml, const char *path, const char *text,
                        size_t size, const xmlSAXHandler *handler,
                        GError **error)
{
    xml->path = show_path(path);
    if (scan(xml, text, size))
        parse(xml, handler, text, size);
    orr_xml_forget(xml);
    g_free(xml->path);
    if (!xml->error)
        return true;
    g_propagate_error(error, xml->error);
    return false;
}

bool orr_xml_parse(struct orr_xml *xml, const char *path,
                   const xmlSAXHandler *handler, GError **error)
{
    FILE *file = fopen(path, "rb");
    const char *failure = g_strerror(errno);
    g_autoptr(GByteArray) text = file ? slurp(file, &failure) : NULL;
    g_autofree char *shown = show_path(path);

    if (file)
        (void)fclose(file);
    if (text)
        return orr_xml_parse_text(xml, path, (const char *)text->data,
                                  text->len, handler, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown, failure);
    return false;
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
