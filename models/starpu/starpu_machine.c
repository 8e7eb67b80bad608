/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads hosts, links and routes of a SimGrid platform file. Elements that
 * StarPU does not write are skipped if they make no difference, and refused
 * otherwise.
 */
#include <stdio.h>
#include <string.h>

#include "models/starpu/starpu_private.h"
#include "models/xml/xml.h"

/* The limits of platform files, to which the result can be written. */
#define MAX_LINKS 4096
#define MAX_VIAS 256                /* of a route */
#define MAX_LATENCY (86400 * ORR_S) /* of a link, and of a route */

/* What a copy takes of the links of its way back, for the acknowledgements of
 * TCP, in relation to its rate. */
#define CROSSTRAFFIC 0.05

/* Bytes of which the time on each link counts, beside the latency, when copies
 * share links. */
#define PAYLOAD 20537

/* A file being read. */
struct reader {
    struct orr_platform *platform;
    GHashTable *links; /* name, owned by the platform, to number */
    bool *used;        /* [link]: on a route of the platform */
    bool one_way;      /* copies take nothing of the links of their way back */
    double payload;    /* bytes */
    unsigned gpu_lines[ORR_MAX_NODES];
    struct orr_platform_gpu *gpu;     /* of the current host, or NULL */
    struct orr_platform_route *route; /* the current one; NULL: skipped */
    orr_time latency;                 /* of the current route */
};

static void start_platform(struct orr_xml *xml, void *data)
{
    static const char *const known[] = {"3", "4", "4.1", NULL};
    const char *version = orr_xml_text(xml, "version");
    g_autofree char *quoted = orr_quote(version);

    (void)data;
    if (!g_strv_contains(known, version))
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "SimGrid platforms of version %s are not known, only 3 "
                     "and 4 are",
                     quoted);
}

/* Whether @name is @kind followed by a number, such as "CPU0". */
static bool is_kind(const char *name, const char *kind)
{
    return g_str_has_prefix(name, kind) && g_ascii_isdigit(name[strlen(kind)]);
}

/* Checks that devices are numbered in the order of the file, as StarPU does. */
static bool check_number(struct orr_xml *xml, const char *kind, unsigned number)
{
    g_autofree char *expected = g_strdup_printf("%s%u", kind, number);
    g_autofree char *quoted = orr_quote(orr_xml_text(xml, "id"));

    if (strcmp(orr_xml_text(xml, "id"), expected) == 0)
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE, "host %s where %s should be", quoted,
                 expected);
    return false;
}

static void start_cpu(struct orr_xml *xml, struct orr_platform *platform)
{
    if (platform->cores >= ORR_MAX_CORES)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %u CPUs", ORR_MAX_CORES);
    else if (check_number(xml, "CPU", platform->cores))
        platform->cores++;
}

static void start_gpu(struct orr_xml *xml, struct reader *reader)
{
    struct orr_platform *platform = reader->platform;

    if (platform->node_count >= ORR_MAX_NODES) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %u CUDA devices",
                     ORR_MAX_NODES - 1);
        return;
    }
    if (!check_number(xml, "CUDA", platform->gpu_count))
        return;
    reader->gpu_lines[platform->gpu_count] = orr_xml_line(xml);
    reader->gpu = &platform->gpus[platform->gpu_count++];
    reader->gpu->name = g_strdup(orr_xml_text(xml, "id"));
    platform->node_count++;
}

static void start_host(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    const char *id = orr_xml_text(xml, "id");

    reader->gpu = NULL;
    if (is_kind(id, "CPU"))
        start_cpu(xml, reader->platform);
    else if (is_kind(id, "CUDA") && reader->platform->routes)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX, "a CUDA device after a route");
    else if (is_kind(id, "CUDA"))
        start_gpu(xml, reader);
}

static void set_memory(struct orr_xml *xml, struct orr_platform_gpu *gpu)
{
    const char *value = orr_xml_text(xml, "value");
    g_autofree char *quoted = orr_quote(value);
    uint64_t bytes;

    if (orr_parse_count(value, ORR_MIN_MEMORY, INT64_MAX, &bytes, NULL))
        gpu->memory_bytes = bytes;
    else
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "memsize of %s: %s: expected a number of bytes, at least "
                     "2MiB",
                     gpu->name, quoted);
}

/* A property of SimGrid's network; in version 3 their names have another dash.
 */
static void set_network(struct reader *reader, const char *id,
                        const char *value)
{
    static const char *const off[] = {"0", "no", "off", "false", NULL};

    if (strcmp(id, "network/crosstraffic") == 0)
        reader->one_way = g_strv_contains(off, value);
    else if (strcmp(id, "network/weight-S") == 0 ||
             strcmp(id, "network/weight_S") == 0)
        reader->payload = g_ascii_strtod(value, NULL);
}

static void start_prop(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    struct orr_platform_gpu *gpu = reader->gpu;
    const char *id = orr_xml_text(xml, "id");
    const char *label = NULL;

    if (!gpu) {
        set_network(reader, id, orr_xml_text(xml, "value"));
        return;
    }
    if (strcmp(id, "memsize") == 0) {
        set_memory(xml, gpu);
    } else if (strcmp(id, "memcpy_peer") == 0) {
        gpu->peer = strcmp(orr_xml_text(xml, "value"), "0") != 0;
    } else if (strcmp(id, "model") == 0 &&
               orr_xml_label(xml, "value", &label)) {
        g_free(gpu->model);
        gpu->model = g_strdup(label);
    }
}

static void end_host(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;

    if (reader->gpu && reader->gpu->memory_bytes == 0)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "host %s has no property memsize",
                     reader->gpu->name);
    reader->gpu = NULL;
}

/* Adds the unit that version 3 of the format implies: Bps or s. */
static char *add_unit(const char *text, const char *unit)
{
    bool bare = *text != '\0' && g_ascii_isdigit(text[strlen(text) - 1]);

    return g_strconcat(text, bare ? unit : "", NULL);
}

static bool get_parameters(struct orr_xml *xml, struct orr_platform_link *link)
{
    g_autofree char *rate = add_unit(orr_xml_text(xml, "bandwidth"), "Bps");
    g_autofree char *time = add_unit(orr_xml_text(xml, "latency"), "s");
    g_autoptr(GError) error = NULL;

    if (!orr_parse_rate(rate, &link->bytes_per_s, &error) ||
        !orr_parse_time(time, &link->latency, &error))
        orr_xml_fail(xml, ORR_ERROR_VALUE, "<link>: %s", error->message);
    else if (link->bytes_per_s < 1)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "<link>: less than 1 Bps");
    else if (link->latency > MAX_LATENCY)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "<link>: a latency of over a day");
    else
        return true;
    return false;
}

static void start_link(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_link link = {.latency = 0};
    const char *name = NULL;
    const char *sharing = orr_xml_text(xml, "sharing_policy");
    g_autofree char *quoted = orr_quote(orr_xml_text(xml, "id"));

    if (!orr_xml_label(xml, "id", &name) || !get_parameters(xml, &link))
        return;
    if (sharing && strcmp(sharing, "SHARED") != 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "link %s is not SHARED", quoted);
    } else if (platform->link_count >= MAX_LINKS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d links", MAX_LINKS);
    } else if (g_hash_table_contains(reader->links, name)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second link called %s", quoted);
    } else {
        link.name = g_strdup(name);
        g_hash_table_insert(reader->links, link.name,
                            GUINT_TO_POINTER(platform->link_count));
        platform->links[platform->link_count++] = link;
    }
}

/* The memory node called @name; node_count if it is not in the platform. */
static unsigned find_node(const struct orr_platform *platform, const char *name)
{
    for (unsigned node = 0; node < platform->node_count; node++) {
        if (strcmp(name, orr_platform_node_name(platform, node)) == 0)
            return node;
    }
    return platform->node_count;
}

static void start_route(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    struct orr_platform *platform = reader->platform;
    unsigned from = find_node(platform, orr_xml_text(xml, "src"));
    unsigned to = find_node(platform, orr_xml_text(xml, "dst"));
    const char *symmetrical = orr_xml_text(xml, "symmetrical");

    reader->route = NULL;
    reader->latency = 0;
    if (from >= platform->node_count || to >= platform->node_count ||
        from == to)
        return;
    if (!symmetrical || g_ascii_strcasecmp(symmetrical, "no") != 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "a route of both directions, without symmetrical=\"NO\"");
        return;
    }
    if (!platform->routes)
        platform->routes =
            g_new0(struct orr_platform_route,
                   (size_t)platform->node_count * platform->node_count);
    reader->route = &platform->routes[from * platform->node_count + to];
    if (reader->route->count > 0)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second route from %s to %s",
                     orr_xml_text(xml, "src"), orr_xml_text(xml, "dst"));
    else if (!reader->route->links)
        reader->route->links = g_new(unsigned, MAX_VIAS);
}

static void start_via(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    struct orr_platform_route *route = reader->route;
    g_autofree char *quoted = orr_quote(orr_xml_text(xml, "id"));
    gpointer number;
    unsigned link;

    if (!route)
        return;
    if (!g_hash_table_lookup_extended(reader->links, orr_xml_text(xml, "id"),
                                      NULL, &number)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "no link above is called %s",
                     quoted);
        return;
    }
    link = GPOINTER_TO_UINT(number);
    reader->latency += reader->platform->links[link].latency;
    if (route->count >= MAX_VIAS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d links in a route",
                     MAX_VIAS);
    } else if (reader->latency > MAX_LATENCY) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "the latencies of this route add up to over a day");
    } else {
        reader->used[link] = true;
        route->links[route->count++] = link;
    }
}

static void end_route(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;

    (void)xml;
    reader->route = NULL;
}

/* The elements that are read; others are skipped. */
static const struct orr_xml_element vocabulary[] = {
    {
        .name = "platform",
        .required = {"version"},
        .start = start_platform,
    },
    {
        .name = "host",
        .required = {"id"},
        .start = start_host,
        .end = end_host,
    },
    {
        .name = "prop",
        .required = {"id", "value"},
        .start = start_prop,
    },
    {
        .name = "link",
        .required = {"id", "bandwidth", "latency"},
        .optional = {"sharing_policy"},
        .start = start_link,
    },
    {
        .name = "route",
        .required = {"src", "dst"},
        .optional = {"symmetrical"},
        .start = start_route,
        .end = end_route,
    },
    {
        .name = "link_ctn",
        .required = {"id"},
        .start = start_via,
    },
    {.name = NULL},
};

static bool fail(const char *path, unsigned line, GError **error,
                 const char *format, ...) G_GNUC_PRINTF(4, 5);

static bool fail(const char *path, unsigned line, GError **error,
                 const char *format, ...)
{
    g_autofree char *shown = g_filename_display_name(path);
    va_list arguments;

    va_start(arguments, format);
    orr_error_set_at(error, ORR_ERROR_VALUE, shown, line, format, arguments);
    va_end(arguments);
    return false;
}

/* Checks conditions on the file as a whole. */
static bool check(const struct reader *reader, const char *path, GError **error)
{
    const struct orr_platform *platform = reader->platform;

    if (platform->cores < MAX(platform->gpu_count, 1))
        return fail(path, 1, error,
                    "%u hosts CPU0, CPU1... for %u CUDA devices, each of "
                    "which takes one for its driver",
                    platform->cores, platform->gpu_count);
    for (unsigned gpu = 0; gpu < platform->gpu_count; gpu++) {
        const char *name = platform->gpus[gpu].name;
        unsigned line = reader->gpu_lines[gpu];

        if (!platform->routes ||
            orr_platform_route(platform, ORR_RAM, gpu + 1)->count == 0)
            return fail(path, line, error, "no route from RAM to %s", name);
        if (orr_platform_route(platform, gpu + 1, ORR_RAM)->count == 0)
            return fail(path, line, error, "no route from %s to RAM", name);
    }
    return true;
}

/* Removes links that no route uses: they belong to disks and OpenCL devices. */
static void drop_unused_links(const struct reader *reader)
{
    struct orr_platform *platform = reader->platform;
    unsigned pairs = platform->node_count * platform->node_count;
    unsigned *numbers = g_new0(unsigned, platform->link_count + 1);
    unsigned kept = 0;

    for (unsigned i = 0; i < platform->link_count; i++) {
        numbers[i] = kept;
        if (reader->used[i])
            platform->links[kept++] = platform->links[i];
        else
            g_free(platform->links[i].name);
    }
    platform->link_count = kept;
    for (unsigned p = 0; platform->routes && p < pairs; p++) {
        struct orr_platform_route *route = &platform->routes[p];

        for (unsigned i = 0; i < route->count; i++)
            route->links[i] = numbers[route->links[i]];
    }
    g_free(numbers);
}

static bool has_link(const struct orr_platform_route *route, unsigned link)
{
    for (unsigned i = 0; i < route->count; i++) {
        if (route->links[i] == link)
            return true;
    }
    return false;
}

/* Whether the copies over @link come back over it. */
static bool is_way_back(const struct orr_platform *platform, unsigned link)
{
    for (unsigned from = 0; from < platform->node_count; from++) {
        for (unsigned to = 0; to < platform->node_count; to++) {
            if (has_link(orr_platform_route(platform, from, to), link) &&
                !has_link(orr_platform_route(platform, to, from), link))
                return false;
        }
    }
    return true;
}

/*
 * Unless the file switches it off, as StarPU's do since 1.4, copies take a part
 * of the links of their way back. Where that is the same link, it carries less.
 * What is taken of other links is neglected: StarPU wrote links of one
 * direction, and one for all, which is full before they are.
 */
static void apply_properties(const struct reader *reader)
{
    struct orr_platform *platform = reader->platform;

    for (unsigned i = 0; i < platform->link_count; i++) {
        struct orr_platform_link *link = &platform->links[i];

        link->delay_s = reader->payload / link->bytes_per_s;
        if (!reader->one_way && is_way_back(platform, i))
            link->bytes_per_s /= 1 + CROSSTRAFFIC;
    }
}

static void finish(const struct reader *reader)
{
    drop_unused_links(reader);
    if (reader->platform->routes)
        apply_properties(reader);
}

bool orr_starpu_read_machine(struct orr_platform *platform, const char *path,
                             GError **error)
{
    struct reader reader = {
        .platform = platform,
        .links = g_hash_table_new(g_str_hash, g_str_equal),
        .used = g_new0(bool, MAX_LINKS),
        .payload = PAYLOAD,
    };
    bool success;

    platform->gpus = g_new0(struct orr_platform_gpu, ORR_MAX_NODES - 1);
    platform->links = g_new0(struct orr_platform_link, MAX_LINKS);
    success = orr_xml_read_foreign(path, vocabulary, &reader, error) &&
              check(&reader, path, error);
    g_hash_table_unref(reader.links);
    if (success)
        finish(&reader);
    g_free(reader.used);
    return success;
}
