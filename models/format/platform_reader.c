/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/format/platform_reader.h"

#include <string.h>

bool orr_platform_reader_add(GHashTable *table, const char *name,
                             unsigned number)
{
    if (g_hash_table_contains(table, name))
        return false;
    return g_hash_table_insert(table, g_strdup(name), GUINT_TO_POINTER(number));
}

bool orr_platform_reader_find(GHashTable *table, const char *name,
                              unsigned *number)
{
    gpointer value;

    if (!g_hash_table_lookup_extended(table, name, NULL, &value))
        return false;
    *number = GPOINTER_TO_UINT(value);
    return true;
}

void *orr_platform_reader_grow(void *items, unsigned count, size_t size)
{
    if (count & (count - 1))
        return items;
    return g_realloc_n(items, MAX(2 * (size_t)count, 1), size);
}

void orr_platform_reader_source(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    const char *source = orr_xml_text(xml, "source");

    for (unsigned i = 0; i < ORR_SECTIONS; i++) {
        if (strcmp(orr_xml_element(xml), orr_platform_section_name(i)) == 0)
            reader->platform->sources[i] = g_strdup(source);
    }
}

static bool get_node(struct orr_xml *xml, struct orr_platform_reader *reader,
                     const char *attribute, unsigned *node)
{
    const char *name = orr_xml_text(xml, attribute);
    g_autofree char *quoted = NULL;

    if (orr_platform_reader_find(reader->nodes, name, node))
        return true;
    quoted = orr_quote(name);
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "%s of <%s>: %s is neither RAM nor a GPU", attribute,
                 orr_xml_element(xml), quoted);
    return false;
}

bool orr_platform_reader_nodes(struct orr_xml *xml,
                               struct orr_platform_reader *reader,
                               unsigned *from, unsigned *to)
{
    if (!get_node(xml, reader, "from", from) ||
        !get_node(xml, reader, "to", to))
        return false;
    if (*from != *to)
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE, "<%s> from %s to itself",
                 orr_xml_element(xml), orr_xml_text(xml, "from"));
    return false;
}

bool orr_platform_reader_device(struct orr_xml *xml,
                                struct orr_platform_reader *reader,
                                const char *name, unsigned *device)
{
    g_autofree char *quoted = NULL;

    if (strcmp(name, "CPU") == 0) {
        *device = 0;
        return true;
    }
    if (orr_platform_reader_find(reader->nodes, name, device) &&
        *device != ORR_RAM)
        return true;
    quoted = orr_quote(name);
    orr_xml_fail(xml, ORR_ERROR_VALUE, "device %s is neither CPU nor a GPU",
                 quoted);
    return false;
}
