/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads hwloc's XML into an array of objects, parents first (hwloc_xml.h).
 * Only the elements object and info matter. The object that is open is found
 * again at its end through its parent, so no stack is needed.
 */
#include "models/import/hwloc_xml.h"

#include <string.h>

#include "models/xml/xml.h"

#define MAX_OBJECTS 1000000
#define MAX_LABEL 100        /* the limit of platform files */
#define MAX_GBYTES_PER_S 1e6 /* of a link */
#define KIB 1024

struct reader {
    struct orr_hwloc *hwloc;
    unsigned open; /* the current object, or ORR_HWLOC_NONE */
};

static enum orr_hwloc_type find_type(const char *name)
{
    static const struct {
        const char *name;
        enum orr_hwloc_type type;
    } types[] = {
        {"Package", ORR_HWLOC_PACKAGE}, {"Socket", ORR_HWLOC_PACKAGE},
        {"NUMANode", ORR_HWLOC_NUMA},   {"Core", ORR_HWLOC_CORE},
        {"PU", ORR_HWLOC_PU},           {"Bridge", ORR_HWLOC_BRIDGE},
        {"PCIDev", ORR_HWLOC_PCI},      {"OSDev", ORR_HWLOC_OS},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    }
    return ORR_HWLOC_OTHER;
}

/* A copy of @text, cut to the longest label of a platform file; NULL for NULL.
 */
static char *copy_label(const char *text)
{
    char *copy;
    char *end;

    if (!text || !*text)
        return NULL;
    copy = g_utf8_make_valid(text, -1);
    if (strlen(copy) > MAX_LABEL) {
        end = g_utf8_find_prev_char(copy, copy + MAX_LABEL + 1);
        *end = '\0';
        g_strchomp(copy);
    }
    return copy;
}

/* A copy of @text if it looks like a PCI bus or a range of buses, else NULL. */
static char *copy_bus(const char *text)
{
    enum { LONGEST = 30 };

    if (!text || strlen(text) > LONGEST ||
        text[strspn(text, "0123456789abcdefABCDEF:.-[]")] != '\0')
        return NULL;
    return g_strdup(text);
}

/* Reads class and vendor from a text like "0302 [10de:2330] [10de:16c1] a1". */
static void read_pci_type(struct orr_hwloc_object *object, const char *text)
{
    const char *bracket = text ? strchr(text, '[') : NULL;

    if (!bracket)
        return;
    object->class_id = (unsigned)(g_ascii_strtoull(text, NULL, 16) & 0xffff);
    object->vendor =
        (unsigned)(g_ascii_strtoull(bracket + 1, NULL, 16) & 0xffff);
}

/* Parses GB/s; 0 if it is not known. */
static double read_link_speed(const char *text)
{
    double speed = text ? g_ascii_strtod(text, NULL) : 0;

    return speed > 0 && speed <= MAX_GBYTES_PER_S ? speed * 1e9 : 0;
}

static void start_object(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    struct orr_hwloc *hwloc = reader->hwloc;
    struct orr_hwloc_object object = {
        .type = find_type(orr_xml_text(xml, "type")),
        .parent = reader->open,
        .bus = copy_bus(orr_xml_text(xml, "pci_busid")),
        .buses = copy_bus(orr_xml_text(xml, "bridge_pci")),
        .bytes_per_s = read_link_speed(orr_xml_text(xml, "pci_link_speed")),
        .name = copy_label(orr_xml_text(xml, "name")),
    };

    read_pci_type(&object, orr_xml_text(xml, "pci_type"));
    if ((hwloc->count & (hwloc->count - 1)) == 0)
        hwloc->objects = g_renew(struct orr_hwloc_object, hwloc->objects,
                                 MAX(2 * (size_t)hwloc->count, 1));
    reader->open = hwloc->count;
    hwloc->objects[hwloc->count++] = object;
    if (hwloc->count >= MAX_OBJECTS)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX, "more than %d objects",
                     MAX_OBJECTS);
}

static void end_object(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;

    (void)xml;
    g_assert(reader->open != ORR_HWLOC_NONE);
    reader->open = reader->hwloc->objects[reader->open].parent;
}

/* Sets the label if it is not set yet. */
static void set_label(char **label, const char *text)
{
    if (!*label)
        *label = copy_label(text);
}

/* Whether @name is an attribute of some library with the size of a memory, in
 * KiB. */
static bool is_memory(const char *name)
{
    static const char *const names[] = {
        "CUDAGlobalMemorySize", "RSMIVRAMSize",     "OpenCLGlobalMemorySize",
        "LevelZeroHBMSize",     "LevelZeroDDRSize", "LevelZeroMemorySize",
    };

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static void read_memory(struct orr_hwloc_object *object, const char *text)
{
    uint64_t kib;

    if (orr_parse_count(text, 1, INT64_MAX / KIB, &kib, NULL))
        object->memory_bytes = MAX(object->memory_bytes, kib * KIB);
}

static void start_info(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    const char *name = orr_xml_text(xml, "name");
    const char *value = orr_xml_text(xml, "value");
    struct orr_hwloc_object *object;

    if (strcmp(name, "HostName") == 0)
        set_label(&reader->hwloc->host, value);
    if (reader->open == ORR_HWLOC_NONE)
        return;
    object = &reader->hwloc->objects[reader->open];
    if (strcmp(name, "CPUModel") == 0 || strcmp(name, "GPUModel") == 0 ||
        strcmp(name, "PCIDevice") == 0)
        set_label(&object->model, value);
    if (object->type == ORR_HWLOC_OS && is_memory(name))
        read_memory(object, value);
}

static const struct orr_xml_element elements[] = {
    {.name = "topology"},
    {.name = "object",
     .required = {"type"},
     .optional = {"name", "pci_busid", "pci_type", "pci_link_speed",
                  "bridge_pci"},
     .start = start_object,
     .end = end_object},
    {.name = "info", .required = {"name", "value"}, .start = start_info},
    {.name = NULL},
};

static struct orr_hwloc *finish(struct reader *reader, bool read)
{
    if (read)
        return reader->hwloc;
    orr_hwloc_free(reader->hwloc);
    return NULL;
}

struct orr_hwloc *orr_hwloc_read(const char *path, GError **error)
{
    struct reader reader = {g_new0(struct orr_hwloc, 1), ORR_HWLOC_NONE};

    return finish(&reader,
                  orr_xml_read_foreign(path, elements, &reader, error));
}

struct orr_hwloc *orr_hwloc_read_text(const char *path, const char *text,
                                      size_t size, GError **error)
{
    struct reader reader = {g_new0(struct orr_hwloc, 1), ORR_HWLOC_NONE};

    return finish(&reader, orr_xml_read_foreign_text(path, text, size, elements,
                                                     &reader, error));
}

void orr_hwloc_free(struct orr_hwloc *hwloc)
{
    if (!hwloc)
        return;
    for (unsigned i = 0; i < hwloc->count; i++) {
        g_free(hwloc->objects[i].bus);
        g_free(hwloc->objects[i].buses);
        g_free(hwloc->objects[i].name);
        g_free(hwloc->objects[i].model);
    }
    g_free(hwloc->objects);
    g_free(hwloc->host);
    g_free(hwloc);
}

unsigned orr_hwloc_ancestor(const struct orr_hwloc *hwloc, unsigned number,
                            enum orr_hwloc_type type)
{
    while (number != ORR_HWLOC_NONE && hwloc->objects[number].type != type)
        number = hwloc->objects[number].parent;
    return number;
}

unsigned orr_hwloc_count(const struct orr_hwloc *hwloc,
                         enum orr_hwloc_type type)
{
    unsigned count = 0;

    for (unsigned i = 0; i < hwloc->count; i++)
        count += hwloc->objects[i].type == type;
    return count;
}
