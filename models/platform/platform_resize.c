/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds and removes GPUs (platform_resize.h). To add one, matrices of routes
 * and beliefs get a row and a column more, and everything with the number of
 * the last GPU is repeated with the new number: memory, durations, pitch
 * segments, beliefs; gpu_clone.c adds the links. To remove GPUs, the matrices
 * are cut, and links that no route lists any more are dropped and the rest
 * renumbered.
 */
#include "models/platform/platform_resize.h"

#include <string.h>

#include "models/platform/gpu_clone.h"

/* The limits of platform files. */
#define MAX_LINKS 4096u
#define MAX_NAME 100u /* bytes */

/* Resizes routes and beliefs to @nodes rows and columns; new elements are
 * empty.
 */
static void resize_pairs(struct orr_platform *platform, unsigned nodes)
{
    size_t pairs = (size_t)nodes * nodes;
    struct orr_platform_route *routes =
        g_new0(struct orr_platform_route, pairs);
    struct orr_platform_belief *beliefs =
        g_new0(struct orr_platform_belief, pairs);

    for (unsigned p = 0; p < platform->node_count * platform->node_count; p++) {
        unsigned from = p / platform->node_count;
        unsigned to = p % platform->node_count;

        if (MAX(from, to) >= nodes) {
            g_free(platform->routes[p].links);
            continue;
        }
        routes[from * nodes + to] = platform->routes[p];
        beliefs[from * nodes + to] = platform->beliefs[p];
    }
    g_free(platform->routes);
    g_free(platform->beliefs);
    platform->routes = routes;
    platform->beliefs = beliefs;
    platform->node_count = nodes;
    platform->gpu_count = nodes - 1;
}

static struct orr_platform_belief *
belief_of(const struct orr_platform *platform, unsigned from, unsigned to)
{
    return &platform->beliefs[from * platform->node_count + to];
}

/* The belief of a copy through RAM; empty if either half was not measured. */
static struct orr_platform_belief
believe_detour(const struct orr_platform *platform, unsigned from, unsigned to)
{
    const struct orr_platform_belief *up = belief_of(platform, from, ORR_RAM);
    const struct orr_platform_belief *down = belief_of(platform, ORR_RAM, to);
    struct orr_platform_belief belief = {.bytes_per_s = 0};

    if (!(up->bytes_per_s > 0) || !(down->bytes_per_s > 0))
        return belief;
    belief.bytes_per_s = 1 / (1 / up->bytes_per_s + 1 / down->bytes_per_s);
    belief.latency_s = up->latency_s + down->latency_s;
    return belief;
}

static void repeat_beliefs(struct orr_platform *platform, unsigned old,
                           unsigned new)
{
    unsigned neighbour = orr_gpu_clone_neighbour(platform, old);

    for (unsigned node = 0; node < new; node++) {
        *belief_of(platform, node, new) = *belief_of(platform, node, old);
        *belief_of(platform, new, node) = *belief_of(platform, old, node);
    }
    *belief_of(platform, old, new) = neighbour == ORR_NO_NODE
                                         ? believe_detour(platform, old, new)
                                         : *belief_of(platform, neighbour, old);
    *belief_of(platform, new, old) = neighbour == ORR_NO_NODE
                                         ? believe_detour(platform, new, old)
                                         : *belief_of(platform, neighbour, old);
}

static void repeat_flops(struct orr_platform_kernel *kernel, unsigned old,
                         unsigned new)
{
    const struct orr_flops *model = orr_platform_flops(kernel, old);
    struct orr_flops copy;

    if (!model)
        return;
    copy = *model;
    copy.device = new;
    copy.points = g_new(struct orr_flops_point, copy.point_count);
    memcpy(copy.points, model->points, copy.point_count * sizeof(*copy.points));
    kernel->flops =
        g_renew(struct orr_flops, kernel->flops, kernel->flops_count + 1);
    kernel->flops[kernel->flops_count++] = copy;
}

static void repeat_durations(struct orr_platform_kernel *kernel, unsigned old,
                             unsigned new)
{
    unsigned count = kernel->count;

    kernel->durations = g_renew(struct orr_platform_duration, kernel->durations,
                                MAX(2 * count, 1));
    for (unsigned i = 0; i < count; i++) {
        struct orr_platform_duration duration = kernel->durations[i];

        if (duration.device != old)
            continue;
        duration.device = new;
        kernel->durations[kernel->count++] = duration;
    }
    repeat_flops(kernel, old, new);
    orr_platform_kernel_sort(kernel);
}

/* Copies the pitch segments of the old GPU for the new one. */
static void repeat_segments(struct orr_platform *platform, unsigned old,
                            unsigned new)
{
    unsigned count = platform->segment_count;

    platform->segments = g_renew(struct orr_pitch_segment, platform->segments,
                                 MAX(2 * count, 1));
    for (unsigned i = 0; i < count; i++) {
        struct orr_pitch_segment segment = platform->segments[i];

        if (segment.from != old && segment.to != old)
            continue;
        *(segment.from == old ? &segment.from : &segment.to) = new;
        platform->segments[platform->segment_count++] = segment;
    }
}

static void drop_segments(struct orr_platform *platform)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < platform->segment_count; i++) {
        if (MAX(platform->segments[i].from, platform->segments[i].to) <
            platform->node_count)
            platform->segments[kept++] = platform->segments[i];
    }
    platform->segment_count = kept;
}

static bool is_taken(const struct orr_platform *platform, const char *name)
{
    for (unsigned i = 0; i < platform->gpu_count; i++) {
        if (g_strcmp0(platform->gpus[i].name, name) == 0)
            return true;
    }
    return false;
}

/* "CUDA3" after "CUDA2". */
static char *next_name(const struct orr_platform *platform)
{
    const char *last = platform->gpus[platform->gpu_count - 1].name;
    size_t length = strlen(last);
    guint64 number;
    char *name = NULL;

    while (length > 0 && g_ascii_isdigit(last[length - 1]))
        length--;
    number = g_ascii_strtoull(last + length, NULL, 10);
    if (length + 20 > MAX_NAME || number > G_MAXUINT)
        length = number = 0;
    do {
        g_free(name);
        name = g_strdup_printf("%.*s%s%" G_GUINT64_FORMAT, (int)length, last,
                               length == 0 ? "GPU" : "", ++number);
    } while (is_taken(platform, name));
    return name;
}

/* The first socket, from @wanted on, with a core left to drive a GPU. */
static unsigned find_socket(const struct orr_platform *platform,
                            unsigned wanted)
{
    unsigned sockets = MAX(platform->sockets, 1);

    for (unsigned i = 0; i < sockets; i++) {
        unsigned socket = (wanted + i) % sockets;
        unsigned drivers = 0;

        for (unsigned g = 0; g < platform->gpu_count; g++)
            drivers += platform->gpus[g].socket == socket;
        if (drivers < platform->cores / sockets)
            return socket;
    }
    return wanted;
}

static void repeat_last_gpu(struct orr_platform *platform)
{
    unsigned old = platform->gpu_count;
    struct orr_platform_gpu gpu = platform->gpus[old - 1];

    gpu.name = next_name(platform);
    gpu.model = g_strdup(gpu.model);
    gpu.socket = find_socket(platform, gpu.socket);
    platform->gpus = g_renew(struct orr_platform_gpu, platform->gpus, old + 1);
    platform->gpus[old] = gpu;
    resize_pairs(platform, old + 2);
    orr_gpu_clone_connect(platform);
    repeat_beliefs(platform, old, old + 1);
    repeat_segments(platform, old, old + 1);
    if (platform->power) {
        platform->power =
            g_renew(struct orr_power_table, platform->power, old + 2);
        orr_power_table_copy(&platform->power[old + 1], &platform->power[old]);
    }
    for (unsigned k = 0; k < platform->kernel_count; k++)
        repeat_durations(&platform->kernels[k], old, old + 1);
}

static bool refuse(const struct orr_platform *platform, const char *what,
                   unsigned most, GError **error)
{
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "platform %s would have more than %u %s", platform->name, most,
                what);
    return false;
}

static bool grow_gpus(struct orr_platform *platform, unsigned gpus,
                      GError **error)
{
    if (gpus > platform->gpu_count && platform->gpu_count == 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "platform %s has no GPU that could be repeated",
                    platform->name);
        return false;
    }
    if (gpus >= ORR_MAX_NODES)
        return refuse(platform, "GPUs", ORR_MAX_NODES - 1, error);
    while (platform->gpu_count < gpus) {
        repeat_last_gpu(platform);
        if (platform->link_count > MAX_LINKS)
            return refuse(platform, "links", MAX_LINKS, error);
    }
    return true;
}

bool orr_platform_grow(struct orr_platform *platform, unsigned gpus,
                       unsigned cores, GError **error)
{
    unsigned step = MAX(platform->sockets, 1);

    cores = MAX(cores, gpus);
    if (gpus >= ORR_MAX_NODES)
        return refuse(platform, "GPUs", ORR_MAX_NODES - 1, error);
    if (cores > ORR_MAX_CORES - step)
        return refuse(platform, "CPU cores", ORR_MAX_CORES, error);
    if (platform->cores < cores)
        orr_platform_set_cores(
            platform, platform->cores +
                          (cores - platform->cores + step - 1) / step * step);
    return grow_gpus(platform, gpus, error);
}

/* Changes the number of each link to @numbers[link], in all routes; frees links
 * without a new number. */
static void renumber_links(struct orr_platform *platform, unsigned *numbers)
{
    unsigned kept = 0;

    for (unsigned l = 0; l < platform->link_count; l++) {
        if (numbers[l] == 0) {
            g_free(platform->links[l].name);
            continue;
        }
        platform->links[kept] = platform->links[l];
        numbers[l] = kept++;
    }
    platform->link_count = kept;
}

/* Removes the links that no route lists. */
static void drop_unused_links(struct orr_platform *platform)
{
    unsigned *numbers = g_new0(unsigned, platform->link_count);
    unsigned pairs = platform->node_count * platform->node_count;

    for (unsigned p = 0; p < pairs; p++) {
        for (unsigned i = 0; i < platform->routes[p].count; i++)
            numbers[platform->routes[p].links[i]] = 1;
    }
    renumber_links(platform, numbers);
    for (unsigned p = 0; p < pairs; p++) {
        unsigned *links = platform->routes[p].links;

        for (unsigned i = 0; i < platform->routes[p].count; i++)
            links[i] = numbers[links[i]];
    }
    g_free(numbers);
}

/* Removes the durations on GPUs beyond @gpus. */
static void drop_durations(struct orr_platform_kernel *kernel, unsigned gpus)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].device <= gpus)
            kernel->durations[kept++] = kernel->durations[i];
    }
    kernel->count = kept;
    kept = 0;
    for (unsigned i = 0; i < kernel->flops_count; i++) {
        if (kernel->flops[i].device <= gpus)
            kernel->flops[kept++] = kernel->flops[i];
        else
            g_free(kernel->flops[i].points);
    }
    kernel->flops_count = kept;
}

static void drop_empty_kernels(struct orr_platform *platform)
{
    unsigned kept = 0;

    for (unsigned k = 0; k < platform->kernel_count; k++) {
        struct orr_platform_kernel *kernel = &platform->kernels[k];

        if (kernel->count + kernel->flops_count > 0) {
            platform->kernels[kept++] = *kernel;
            continue;
        }
        g_free(kernel->family);
        g_free(kernel->name);
        g_free(kernel->source);
        g_free(kernel->durations);
        g_free(kernel->flops);
    }
    platform->kernel_count = kept;
}

void orr_platform_shrink(struct orr_platform *platform, unsigned gpus,
                         unsigned cores)
{
    g_assert(gpus <= platform->gpu_count && cores <= platform->cores);
    if (platform->sockets == 0)
        orr_platform_set_cores(platform, MAX(cores, 1));
    if (gpus == platform->gpu_count)
        return;
    for (unsigned g = gpus; g < platform->gpu_count; g++) {
        if (platform->power)
            orr_power_table_clear(&platform->power[g + 1]);
        g_free(platform->gpus[g].name);
        g_free(platform->gpus[g].model);
    }
    resize_pairs(platform, gpus + 1);
    drop_unused_links(platform);
    drop_segments(platform);
    for (unsigned k = 0; k < platform->kernel_count; k++)
        drop_durations(&platform->kernels[k], gpus);
    drop_empty_kernels(platform);
}
