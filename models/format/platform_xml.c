/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the machine of a platform file: processors, links and routes; and the
 * outermost element, with its default switches and missing parts. Elements
 * come in a fixed order (xml.h), so processors are known before links, and
 * links before routes: names are resolved as they are read.
 */
#include "models/format/platform_xml.h"
#include "models/format/platform_reader.h"
#include "models/platform/switches.h"

#include <string.h>

#define VERSION "1"
#define MAX_LINKS 4096
#define MAX_VIAS 256 /* of a route */
#define MAX_ROUTE_LATENCY (86400 * ORR_S)

static void start_cpu(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    const char *model = NULL;

    if (!orr_xml_count(xml, "cores", 1, ORR_MAX_CORES, &platform->cores) ||
        !orr_xml_count(xml, "sockets", 1, platform->cores,
                       &platform->sockets) ||
        !orr_xml_label(xml, "model", &model))
        return;
    platform->cpu_model = g_strdup(model);
    if (platform->sockets > 0 && platform->cores % platform->sockets != 0)
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "%u cores cannot be dealt evenly to %u sockets",
                     platform->cores, platform->sockets);
}

/* Checks that one more GPU is allowed; refuses the file otherwise. */
static bool check_room(struct orr_xml *xml, const struct orr_platform *platform)
{
    if (platform->node_count >= ORR_MAX_NODES)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %u GPUs",
                     ORR_MAX_NODES - 1);
    else if (platform->gpu_count >= platform->cores)
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "more GPUs than the %u CPU cores, each of which can "
                     "drive one",
                     platform->cores);
    else
        return true;
    return false;
}

/* Reads the socket of @gpu, which must have a core left to drive it. */
static bool read_socket(struct orr_xml *xml,
                        const struct orr_platform *platform,
                        struct orr_platform_gpu *gpu)
{
    unsigned sockets = MAX(platform->sockets, 1);
    unsigned drivers = 1;

    if (!orr_xml_count(xml, "socket", 0, sockets - 1, &gpu->socket))
        return false;
    for (unsigned g = 0; g < platform->gpu_count; g++)
        drivers += platform->gpus[g].socket == gpu->socket;
    if (drivers <= platform->cores / sockets)
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "more GPUs on socket %u than its %u CPU cores, each of which "
                 "can drive one",
                 gpu->socket, platform->cores / sockets);
    return false;
}

static void start_gpu(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_gpu gpu = {.memory_bytes = 0};
    const char *name = NULL;
    const char *model = NULL;
    const char *peer = orr_xml_text(xml, "peer");

    if (!check_room(xml, platform) || !orr_xml_name(xml, "name", &name) ||
        !orr_xml_label(xml, "model", &model) ||
        !orr_xml_bytes(xml, "memory", &gpu.memory_bytes) ||
        !read_socket(xml, platform, &gpu))
        return;
    gpu.peer = g_strcmp0(peer, "yes") == 0;
    if (peer && !gpu.peer && strcmp(peer, "no") != 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "peer of %s is neither yes nor no",
                     name);
    } else if (gpu.memory_bytes == 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "%s has no memory", name);
    } else if (gpu.memory_bytes < ORR_MIN_MEMORY) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "%s has less than 2MiB of memory, of which a run could "
                     "use nothing",
                     name);
    } else if (strcmp(name, "CPU") == 0 ||
               !orr_platform_reader_add(reader->nodes, name,
                                        platform->node_count)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "the name %s is taken", name);
    } else {
        gpu.name = g_strdup(name);
        gpu.model = g_strdup(model);
        reader->gpu_lines[platform->gpu_count] = orr_xml_line(xml);
        platform->gpus[platform->gpu_count++] = gpu;
        platform->node_count++;
    }
}

static void start_processors(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;

    orr_platform_reader_source(xml, data);
    reader->platform->gpus = g_new0(struct orr_platform_gpu, ORR_MAX_NODES - 1);
}

/* Allocates the matrices, as the number of nodes is known now. */
static void end_processors(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    unsigned pairs = platform->node_count * platform->node_count;

    (void)xml;
    platform->routes = g_new0(struct orr_platform_route, pairs);
    platform->beliefs = g_new0(struct orr_platform_belief, pairs);
}

static bool get_link_kind(struct orr_xml *xml, enum orr_link_kind *kind)
{
    const char *text = orr_xml_text(xml, "kind");
    g_autofree char *quoted = NULL;

    for (int i = 0; i < ORR_LINK_KINDS; i++) {
        *kind = (enum orr_link_kind)i;
        if (g_strcmp0(text, orr_link_kind_name(*kind)) == 0)
            return true;
    }
    quoted = orr_quote(text);
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "kind of <link>: %s is none of pcie, direct and memory",
                 quoted);
    return false;
}

static void start_link(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_link link = {.latency = 0};
    const char *name = NULL;
    g_autofree char *quoted = NULL;

    if (!orr_xml_label(xml, "name", &name) ||
        !orr_xml_rate(xml, "bandwidth", &link.bytes_per_s) ||
        !orr_xml_time(xml, "latency", &link.latency) ||
        !get_link_kind(xml, &link.kind) ||
        (orr_xml_text(xml, "delay") &&
         !orr_xml_seconds(xml, "delay", &link.delay_s)))
        return;
    if (platform->link_count >= MAX_LINKS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d links", MAX_LINKS);
        return;
    }
    if (!orr_platform_reader_add(reader->links, name, platform->link_count)) {
        quoted = orr_quote(name);
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second link called %s", quoted);
        return;
    }
    link.name = g_strdup(name);
    platform->links = orr_platform_reader_grow(
        platform->links, platform->link_count, sizeof(link));
    platform->links[platform->link_count++] = link;
}

static void start_route(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    unsigned from;
    unsigned to;

    if (!orr_platform_reader_nodes(xml, reader, &from, &to))
        return;
    reader->route = &platform->routes[from * platform->node_count + to];
    reader->latency = 0;
    if (reader->route->count > 0)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second route from %s to %s",
                     orr_xml_text(xml, "from"), orr_xml_text(xml, "to"));
}

static void start_via(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform_route *route = reader->route;
    const char *name = orr_xml_text(xml, "link");
    g_autofree char *quoted = NULL;
    unsigned link;

    if (!orr_platform_reader_find(reader->links, name, &link)) {
        quoted = orr_quote(name);
        orr_xml_fail(xml, ORR_ERROR_VALUE, "no link above is called %s",
                     quoted);
        return;
    }
    if (route->count >= MAX_VIAS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d links in a route",
                     MAX_VIAS);
        return;
    }
    reader->latency += reader->platform->links[link].latency;
    if (reader->latency > MAX_ROUTE_LATENCY) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "the latencies of this route add up to over a day");
        return;
    }
    route->links =
        orr_platform_reader_grow(route->links, route->count, sizeof(link));
    route->links[route->count++] = link;
}

static const struct orr_xml_element cpu_element = {
    .name = "cpu",
    .required = {"cores"},
    .optional = {"model", "sockets"},
    .start = start_cpu,
};

static const struct orr_xml_element gpu_element = {
    .name = "gpu",
    .required = {"name", "memory"},
    .optional = {"model", "peer", "socket"},
    .start = start_gpu,
};

static const struct orr_xml_element processors_element = {
    .name = "processors",
    .optional = {"source"},
    .children = {{&cpu_element, ORR_XML_ONE}, {&gpu_element, ORR_XML_ANY}},
    .start = start_processors,
    .end = end_processors,
};

static const struct orr_xml_element link_element = {
    .name = "link",
    .required = {"name", "bandwidth", "latency"},
    .optional = {"kind", "delay"},
    .start = start_link,
};

static const struct orr_xml_element links_element = {
    .name = "links",
    .optional = {"source"},
    .children = {{&link_element, ORR_XML_SOME}},
    .start = orr_platform_reader_source,
};

static const struct orr_xml_element via_element = {
    .name = "via",
    .required = {"link"},
    .start = start_via,
};

static const struct orr_xml_element route_element = {
    .name = "route",
    .required = {"from", "to"},
    .children = {{&via_element, ORR_XML_SOME}},
    .start = start_route,
};

static const struct orr_xml_element routes_element = {
    .name = "routes",
    .optional = {"source"},
    .children = {{&route_element, ORR_XML_SOME}},
    .start = orr_platform_reader_source,
};

/* Checks the attribute models, if there is one. */
static bool check_models(struct orr_xml *xml)
{
    const char *models = orr_xml_text(xml, "models");
    struct orr_switches switches;
    g_autoptr(GError) error = NULL;

    orr_switches_init(&switches);
    if (!models || orr_switches_parse(&switches, models, &error))
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE, "models of <platform>: %s",
                 error->message);
    return false;
}

/* Reads the attribute uncalibrated: a list of parts. */
static bool read_uncalibrated(struct orr_xml *xml,
                              struct orr_platform *platform)
{
    const char *text = orr_xml_text(xml, "uncalibrated");
    g_auto(GStrv) names = g_strsplit(text ? text : "", " ", -1);
    g_autofree char *quoted = NULL;
    unsigned part;

    if (text && !names[0])
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "uncalibrated of <platform> is "
                     "empty; leave it out");
    for (char **name = names; *name; name++) {
        for (part = 0; part < ORR_PLATFORM_PARTS; part++) {
            if (strcmp(orr_platform_part_name(part), *name) == 0)
                break;
        }
        if (part == ORR_PLATFORM_PARTS) {
            quoted = orr_quote(*name);
            orr_xml_fail(xml, ORR_ERROR_VALUE,
                         "uncalibrated of <platform>: %s is none of memory, "
                         "links, kernels",
                         quoted);
            return false;
        }
        platform->uncalibrated |= 1u << part;
    }
    return true;
}

static void start_platform(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    const char *version = orr_xml_text(xml, "version");
    const char *name = NULL;
    g_autofree char *quoted = NULL;

    if (strcmp(version, VERSION) != 0) {
        quoted = orr_quote(version);
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "format version %s is not known, only " VERSION " is",
                     quoted);
        return;
    }
    if (!orr_xml_name(xml, "name", &name) || !check_models(xml) ||
        !read_uncalibrated(xml, reader->platform))
        return;
    reader->platform->models = g_strdup(orr_xml_text(xml, "models"));
    reader->platform->name = g_strdup(name);
    reader->platform->description = g_strdup(orr_xml_text(xml, "description"));
}

static void check_gpu_route(struct orr_xml *xml,
                            const struct orr_platform_reader *reader,
                            unsigned from, unsigned to)
{
    const struct orr_platform *platform = reader->platform;

    if (orr_platform_route(platform, from, to)->count == 0)
        orr_xml_fail_at(xml, reader->gpu_lines[MAX(from, to) - 1],
                        ORR_ERROR_VALUE, "no route from %s to %s",
                        orr_platform_node_name(platform, from),
                        orr_platform_node_name(platform, to));
}

static void end_platform(struct orr_xml *xml, void *data)
{
    const struct orr_platform_reader *reader = data;

    for (unsigned node = 1; node < reader->platform->node_count; node++) {
        check_gpu_route(xml, reader, ORR_RAM, node);
        check_gpu_route(xml, reader, node, ORR_RAM);
    }
}

const struct orr_xml_element orr_platform_xml = {
    .name = "platform",
    .required = {"version", "name"},
    .optional = {"description", "models", "uncalibrated"},
    .children =
        {
            {&processors_element, ORR_XML_ONE},
            {&links_element, ORR_XML_OPTIONAL},
            {&routes_element, ORR_XML_OPTIONAL},
            {&orr_platform_xml_pitch, ORR_XML_OPTIONAL},
            {&orr_platform_xml_calibration, ORR_XML_OPTIONAL},
            {&orr_platform_xml_overheads, ORR_XML_OPTIONAL},
            {&orr_platform_xml_kernels, ORR_XML_OPTIONAL},
            {&orr_platform_xml_power, ORR_XML_OPTIONAL},
        },
    .start = start_platform,
    .end = end_platform,
};

static GHashTable *new_table(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

struct orr_platform *orr_platform_read(const char *path, GError **error)
{
    struct orr_platform_reader reader = {
        .platform = orr_platform_new(),
        .nodes = new_table(),
        .links = new_table(),
        .overheads = new_table(),
        .powered_links = new_table(),
        .kernels = new_table(),
        .entries = g_hash_table_new(g_direct_hash, g_direct_equal),
        .bins = g_array_new(FALSE, FALSE, sizeof(struct orr_histogram_bin)),
    };

    reader.platform->path = g_strdup(path);
    orr_platform_reader_add(reader.nodes, "RAM", ORR_RAM);
    if (!orr_xml_read(path, &orr_platform_xml, &reader, error))
        g_clear_pointer(&reader.platform, orr_platform_free);
    orr_power_table_clear(&reader.power);
    g_hash_table_unref(reader.nodes);
    g_hash_table_unref(reader.links);
    g_hash_table_unref(reader.overheads);
    g_hash_table_unref(reader.powered_links);
    g_free(reader.power_state);
    g_hash_table_unref(reader.kernels);
    g_hash_table_unref(reader.entries);
    g_array_unref(reader.bins);
    g_free(reader.histogram_source);
    g_free(reader.kernels_source);
    return reader.platform;
}
