/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/platform_parts.h"

#include <string.h>

#include "models/import/nominal_power.h"
#include "models/platform/bus.h"
#include "models/platform/interconnect.h"
#include "models/platform/parameters.h"

/* The latency of a copy: 8 to 12 us on the calibrated machines. */
#define LATENCY (10 * ORR_US)

static char *list_parts(bool is_cpu)
{
    GString *text = g_string_new(NULL);
    const struct orr_device *device;

    for (unsigned i = 0; (device = orr_device_at(i)); i++) {
        if ((device->cores > 0) == is_cpu)
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                                   device->part);
    }
    return g_string_free(text, FALSE);
}

bool orr_parts_parse(const char *text, bool is_cpu, unsigned max,
                     const struct orr_device **device, unsigned *count,
                     GError **error)
{
    const char *colon = strchr(text, ':');
    g_autofree char *part =
        g_strndup(text, colon ? (size_t)(colon - text) : strlen(text));
    g_autofree char *quoted = orr_quote(part);
    g_autofree char *known = list_parts(is_cpu);
    uint64_t number = 1;

    *device = orr_device_find(part);
    if (!*device || ((*device)->cores > 0) != is_cpu) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "no %s %s; there are: %s", is_cpu ? "CPU" : "GPU", quoted,
                    known);
        return false;
    }
    if (colon && !orr_parse_count(colon + 1, 1, max, &number, error))
        return false;
    *count = (unsigned)number;
    return true;
}

/* Adds a link and the route over it. */
static void add_link(struct orr_platform *platform, unsigned from, unsigned to)
{
    struct orr_platform_route *route =
        &platform->routes[from * platform->node_count + to];

    platform->links[platform->link_count] = (struct orr_platform_link){
        .name = g_strdup_printf("%s-%s", orr_platform_node_name(platform, from),
                                orr_platform_node_name(platform, to)),
        .bytes_per_s = 1e9, /* --pcie replaces it */
        .latency = LATENCY / 2,
        .kind = ORR_LINK_PCIE,
    };
    route->count = 1;
    route->links = g_new(unsigned, 1);
    route->links[0] = platform->link_count++;
}

/* Makes the route between two GPUs: up and down, without a stop in RAM. */
static void join(struct orr_platform *platform, unsigned from, unsigned to)
{
    unsigned count = platform->node_count;
    struct orr_platform_route *route = &platform->routes[from * count + to];

    route->count = 2;
    route->links = g_new(unsigned, 2);
    route->links[0] = platform->routes[from * count + ORR_RAM].links[0];
    route->links[1] = platform->routes[ORR_RAM * count + to].links[0];
}

static void add_links(struct orr_platform *platform)
{
    size_t count = platform->node_count;

    platform->routes = g_new0(struct orr_platform_route, count * count);
    platform->beliefs = g_new0(struct orr_platform_belief, count * count);
    platform->links = g_new0(struct orr_platform_link, 2 * count);
    for (unsigned gpu = 1; gpu < count; gpu++) {
        add_link(platform, ORR_RAM, gpu);
        add_link(platform, gpu, ORR_RAM);
    }
    for (unsigned from = 1; from < count; from++) {
        for (unsigned to = 1; to < count; to++) {
            if (from != to)
                join(platform, from, to);
        }
    }
}

static bool set_rates(struct orr_platform *platform,
                      const struct orr_parts *parts, GError **error)
{
    g_autoptr(GArray) changed =
        g_array_new(FALSE, FALSE, sizeof(struct orr_parameter));
    struct orr_parameter_value value;
    struct orr_pcie pcie;

    if (!orr_pcie_parse(parts->pcie, &pcie, error))
        return false;
    if (pcie.change != ORR_PCIE_SLOTS) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "expected a generation and a width, such as gen4x16");
        return false;
    }
    orr_pcie_change(platform, &pcie, changed);
    for (unsigned i = 0; i < platform->link_count; i++)
        platform->links[i].latency = LATENCY;
    return !parts->nvlink ||
           (orr_parameter_parse(ORR_PARAMETER_BANDWIDTH, parts->nvlink, &value,
                                error) &&
            orr_direct_change(platform, &value, changed, error));
}

/* Sets the predictions of policies to the speed of the links. */
static void set_beliefs(struct orr_platform *platform)
{
    unsigned count = platform->node_count;

    for (unsigned pair = 0; pair < count * count; pair++) {
        struct orr_bus_pace pace;

        if (pair / count == pair % count)
            continue;
        pace = orr_bus_pace(platform, pair / count, pair % count);
        platform->beliefs[pair].bytes_per_s = 1 / pace.s_per_byte;
        platform->beliefs[pair].latency_s = pace.latency_s;
    }
}

static void add_gpus(struct orr_platform *platform,
                     const struct orr_parts *parts)
{
    platform->gpu_count = parts->gpus;
    platform->node_count = parts->gpus + 1;
    platform->gpus = g_new0(struct orr_platform_gpu, MAX(parts->gpus, 1));
    for (unsigned g = 0; g < parts->gpus; g++) {
        platform->gpus[g].name = g_strdup_printf("CUDA%u", g);
        platform->gpus[g].model = g_strdup(parts->gpu->model);
        platform->gpus[g].memory_bytes =
            (uint64_t)(parts->gpu->memory_gib * 1024 * 1024 * 1024);
        platform->gpus[g].peer = true;
        platform->gpus[g].socket = g * parts->sockets / parts->gpus;
    }
}

struct orr_platform *orr_platform_of_parts(const struct orr_parts *parts,
                                           GError **error)
{
    struct orr_platform *platform = orr_platform_new();

    platform->name = g_strdup(parts->name);
    platform->description = g_strdup(parts->description);
    platform->models = g_strdup("clean");
    platform->cores = parts->cpu->cores * parts->sockets;
    platform->sockets = parts->sockets;
    platform->cpu_model = g_strdup(parts->cpu->model);
    add_gpus(platform, parts);
    add_links(platform);
    if (set_rates(platform, parts, error)) {
        set_beliefs(platform);
        orr_nominal_power_add(platform, parts->cpu);
        if (orr_platform_model_kernels(platform, parts->cpu, error))
            return platform;
    }
    orr_platform_free(platform);
    return NULL;
}
