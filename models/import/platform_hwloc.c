/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a platform from hwloc's objects: packages and cores become sockets and
 * cores, the devices of computing libraries and of NVIDIA and AMD become GPUs;
 * hwloc_links.c adds the links. GPUs are sorted by their number in CUDA, else
 * by bus. If sockets differ in cores, or one has more GPUs than cores, the
 * platform states no sockets.
 */
#include "models/import/platform_hwloc.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "models/import/hwloc_links.h"
#include "models/xml/xml.h"

#define PLACEHOLDER ((uint64_t)1 << 30)

enum { NVIDIA = 0x10de, AMD = 0x1002 };
enum { DISPLAY = 0x03, ACCELERATOR = 0x12 }; /* base classes of PCI */

/* A GPU that is to become one of the platform. */
struct card {
    unsigned object;
    unsigned order; /* its number in CUDA; G_MAXUINT if not known */
    const char *model;
    uint64_t memory_bytes;
    bool computes; /* a library for computing knows it */
};

struct detection {
    struct orr_hwloc *hwloc;
    struct orr_platform *platform;
    GArray *cards;     /* struct card */
    unsigned *sockets; /* [object]: number of the package, if it is one */
    GPtrArray *notes;  /* or NULL */
};

static void note(struct detection *d, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static void note(struct detection *d, const char *format, ...)
{
    va_list arguments;

    if (!d->notes)
        return;
    va_start(arguments, format);
    g_ptr_array_add(d->notes, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/* Detects the present machine, and reads the result as if it were a file. */
static struct orr_hwloc *detect_machine(GError **error)
{
    hwloc_topology_t topology;
    struct orr_hwloc *hwloc = NULL;
    char *text;
    int size;

    if (hwloc_topology_init(&topology) != 0)
        g_error("out of memory");
    hwloc_topology_set_io_types_filter(topology,
                                       HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(topology) != 0 ||
        hwloc_topology_export_xmlbuffer(topology, &text, &size, 0) != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_IO,
                    "hwloc cannot read the topology of this machine: %s",
                    g_strerror(errno));
    } else {
        hwloc = orr_hwloc_read_text("hwloc", text, strlen(text), error);
        hwloc_free_xmlbuffer(topology, text);
    }
    hwloc_topology_destroy(topology);
    return hwloc;
}

/*
 * Numbers the packages and counts the @cores of each. Returns false if a core
 * is in no package.
 */
static bool deal_cores(struct detection *d, enum orr_hwloc_type core,
                       unsigned *cores)
{
    const struct orr_hwloc *hwloc = d->hwloc;
    unsigned next = 0;

    for (unsigned i = 0; i < hwloc->count; i++) {
        unsigned package = orr_hwloc_ancestor(hwloc, i, ORR_HWLOC_PACKAGE);

        if (package == i)
            d->sockets[i] = next++;
        else if (hwloc->objects[i].type == core && package == ORR_HWLOC_NONE)
            return false;
        else if (hwloc->objects[i].type == core)
            cores[d->sockets[package]]++;
    }
    return true;
}

/* Numbers the @packages. Returns whether all have the same number of cores. */
static bool are_sockets(struct detection *d, enum orr_hwloc_type core,
                        unsigned packages)
{
    unsigned *cores = g_new0(unsigned, MAX(packages, 1));
    bool even = deal_cores(d, core, cores);

    for (unsigned p = 0; p < packages; p++)
        even = even && cores[p] == cores[0] && cores[p] > 0;
    g_free(cores);
    return even;
}

static bool find_cores(struct detection *d, GError **error)
{
    struct orr_platform *platform = d->platform;
    const struct orr_hwloc *hwloc = d->hwloc;
    unsigned cores = orr_hwloc_count(hwloc, ORR_HWLOC_CORE);
    unsigned packages = orr_hwloc_count(hwloc, ORR_HWLOC_PACKAGE);
    enum orr_hwloc_type core = cores > 0 ? ORR_HWLOC_CORE : ORR_HWLOC_PU;

    platform->cores = cores > 0 ? cores : orr_hwloc_count(hwloc, core);
    if (platform->cores == 0 || platform->cores > ORR_MAX_CORES) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: %u cores: a platform has from 1 to %u", platform->path,
                    platform->cores, ORR_MAX_CORES);
        return false;
    }
    if (are_sockets(d, core, packages))
        platform->sockets = packages;
    else if (packages > 0)
        note(d, "sockets left out: their numbers of cores differ");
    for (unsigned i = 0; i < hwloc->count && !platform->cpu_model; i++) {
        if (hwloc->objects[i].type == ORR_HWLOC_PACKAGE)
            platform->cpu_model = g_strdup(hwloc->objects[i].model);
    }
    if (orr_hwloc_count(hwloc, ORR_HWLOC_NUMA) > 1)
        note(d, "%u NUMA nodes are treated as one RAM",
             orr_hwloc_count(hwloc, ORR_HWLOC_NUMA));
    return true;
}

/* Whether @name is a device of a library for computing. */
static bool is_computing(const char *name)
{
    static const char *const starts[] = {"cuda", "nvml", "rsmi", "opencl",
                                         "ze"};

    for (size_t i = 0; i < G_N_ELEMENTS(starts); i++) {
        if (g_str_has_prefix(name, starts[i]))
            return true;
    }
    return false;
}

/* Completes @card from the devices of computing libraries below it. */
static void complete_card(const struct orr_hwloc *hwloc, struct card *card)
{
    const struct orr_hwloc_object *pci = &hwloc->objects[card->object];

    for (unsigned i = card->object + 1; i < hwloc->count; i++) {
        const struct orr_hwloc_object *device = &hwloc->objects[i];
        uint64_t order;

        if (device->type == ORR_HWLOC_PCI || device->type == ORR_HWLOC_BRIDGE)
            break; /* its own devices come first */
        if (device->parent != card->object || !device->name)
            continue;
        card->computes |= is_computing(device->name);
        if (!card->model)
            card->model = device->model;
        if (g_str_has_prefix(device->name, "cuda") &&
            orr_parse_count(device->name + 4, 0, G_MAXINT, &order, NULL))
            card->order = (unsigned)order;
        card->memory_bytes = MAX(card->memory_bytes, device->memory_bytes);
    }
    if (!card->model)
        card->model = pci->model;
}

static void find_cards(struct detection *d)
{
    for (unsigned i = 0; i < d->hwloc->count; i++) {
        const struct orr_hwloc_object *object = &d->hwloc->objects[i];
        struct card card = {.object = i, .order = G_MAXUINT};
        unsigned base = object->class_id >> 8;

        if (object->type != ORR_HWLOC_PCI ||
            (base != DISPLAY && base != ACCELERATOR))
            continue;
        complete_card(d->hwloc, &card);
        if (card.computes || object->vendor == NVIDIA || object->vendor == AMD)
            g_array_append_val(d->cards, card);
        else
            note(d,
                 "left out: %s (%s), no library for computing on it was found",
                 object->bus ? object->bus : "a card",
                 card.model ? card.model : "of unknown make");
    }
}

static int compare_cards(const void *a, const void *b)
{
    const struct card *left = a;
    const struct card *right = b;

    if (left->order != right->order)
        return left->order < right->order ? -1 : 1;
    return (left->object > right->object) - (left->object < right->object);
}

/* The name of a GPU by vendor and order: "CUDA0", "HIP0". */
static char *name_card(const struct detection *d, unsigned number)
{
    const struct orr_hwloc_object *objects = d->hwloc->objects;
    const struct card *cards = (const void *)d->cards->data;
    unsigned vendor = objects[cards[number].object].vendor;
    unsigned index = 0;

    for (unsigned i = 0; i < number; i++) {
        unsigned other = objects[cards[i].object].vendor;

        index += (other == NVIDIA) == (vendor == NVIDIA) &&
                 (other == AMD) == (vendor == AMD);
    }
    return g_strdup_printf("%s%u",
                           vendor == NVIDIA ? "CUDA"
                           : vendor == AMD  ? "HIP"
                                            : "GPU",
                           index);
}

static unsigned find_socket(struct detection *d, const struct card *card,
                            const char *name)
{
    unsigned package =
        orr_hwloc_ancestor(d->hwloc, card->object, ORR_HWLOC_PACKAGE);

    if (d->platform->sockets < 2)
        return 0;
    if (package != ORR_HWLOC_NONE)
        return d->sockets[package];
    note(d, "%s: its socket is unknown; socket 0 is assumed", name);
    return 0;
}

static void add_gpu(struct detection *d, unsigned number)
{
    const struct card *card = &g_array_index(d->cards, struct card, number);
    struct orr_platform *platform = d->platform;
    struct orr_platform_gpu *gpu = &platform->gpus[number];

    gpu->name = name_card(d, number);
    gpu->model = g_strdup(card->model);
    gpu->memory_bytes = card->memory_bytes;
    gpu->socket = find_socket(d, card, gpu->name);
    if (gpu->memory_bytes == 0) {
        gpu->memory_bytes = PLACEHOLDER;
        platform->uncalibrated |= ORR_PLATFORM_MEMORY;
        note(d, "%s: the size of its memory is unknown; 1 GiB is a placeholder",
             gpu->name);
    }
}

/* Removes the sockets from the platform if one has more GPUs than cores to
 * drive them. */
static void check_sockets(struct detection *d)
{
    struct orr_platform *platform = d->platform;
    unsigned each = platform->cores / MAX(platform->sockets, 1);

    for (unsigned s = 0; s < platform->sockets; s++) {
        unsigned drivers = 0;

        for (unsigned g = 0; g < platform->gpu_count; g++)
            drivers += platform->gpus[g].socket == s;
        if (drivers <= each)
            continue;
        note(d, "sockets left out: %u has more GPUs than cores", s);
        platform->sockets = 0;
    }
    for (unsigned g = 0; platform->sockets == 0 && g < platform->gpu_count; g++)
        platform->gpus[g].socket = 0;
}

static bool find_gpus(struct detection *d, GError **error)
{
    struct orr_platform *platform = d->platform;

    find_cards(d);
    g_array_sort(d->cards, compare_cards);
    platform->gpu_count = d->cards->len;
    platform->node_count = d->cards->len + 1;
    if (d->cards->len > MIN(platform->cores, ORR_MAX_NODES - 1)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: %u GPUs: a platform has at most %u, and a core for "
                    "each of them; here are %u",
                    platform->path, d->cards->len, ORR_MAX_NODES - 1,
                    platform->cores);
        platform->gpu_count = 0; /* there are none to be freed */
        platform->node_count = 1;
        return false;
    }
    platform->gpus = g_new0(struct orr_platform_gpu, ORR_MAX_NODES);
    for (unsigned g = 0; g < platform->gpu_count; g++)
        add_gpu(d, g);
    check_sockets(d);
    return true;
}

static void connect_gpus(struct detection *d)
{
    unsigned gpus[ORR_MAX_NODES];
    unsigned guesses;

    for (unsigned g = 0; g < d->platform->gpu_count; g++)
        gpus[g] = g_array_index(d->cards, struct card, g).object;
    guesses = orr_hwloc_links(d->hwloc, gpus, d->platform);
    if (d->platform->gpu_count > 0)
        d->platform->uncalibrated |= ORR_PLATFORM_LINKS;
    if (guesses > 0)
        note(d,
             "%u of %u links: their speed is unknown; PCIe 3.0 x16 is a "
             "placeholder",
             guesses, d->platform->link_count);
}

/* The host name, or else the name of the file. */
static char *name_machine(const struct orr_hwloc *hwloc, const char *path)
{
    g_autofree char *name = path ? g_path_get_basename(path) : NULL;

    if (hwloc->host && orr_xml_is_name(hwloc->host))
        return g_strdup(hwloc->host);
    if (name && g_str_has_suffix(name, ".xml"))
        name[strlen(name) - strlen(".xml")] = '\0';
    return g_strdup(name && orr_xml_is_name(name) ? name : "detected");
}

static bool fill(struct detection *d, const char *path, GError **error)
{
    struct orr_platform *platform = d->platform;

    platform->name = name_machine(d->hwloc, path);
    platform->path = g_strdup(path ? path : "this machine");
    platform->models = g_strdup("clean");
    platform->uncalibrated = ORR_PLATFORM_KERNELS;
    if (!find_cores(d, error) || !find_gpus(d, error))
        return false;
    connect_gpus(d);
    platform->description = g_strdup_printf(
        "%u CPU core%s and %u GPU%s, as hwloc sees them", platform->cores,
        platform->cores == 1 ? "" : "s", platform->gpu_count,
        platform->gpu_count == 1 ? "" : "s");
    return true;
}

struct orr_platform *orr_platform_hwloc_read(const char *path, GPtrArray *notes,
                                             GError **error)
{
    struct detection d = {.notes = notes};

    d.hwloc = path ? orr_hwloc_read(path, error) : detect_machine(error);
    if (!d.hwloc)
        return NULL;
    d.platform = orr_platform_new();
    d.cards = g_array_new(FALSE, FALSE, sizeof(struct card));
    d.sockets = g_new0(unsigned, MAX(d.hwloc->count, 1));
    if (!fill(&d, path, error))
        g_clear_pointer(&d.platform, orr_platform_free);
    g_array_unref(d.cards);
    g_free(d.sockets);
    orr_hwloc_free(d.hwloc);
    return d.platform;
}
