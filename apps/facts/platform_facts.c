/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of a platform as JSON, and their text. Kernels with equal models of
 * durations share a row. */
#include "apps/facts/platform_facts.h"

#include <stdio.h>

#include "apps/facts/power_facts.h"
#include "apps/output/output.h"
#include "apps/output/table.h"

static void add_time(JsonObject *object, const char *name, orr_time time)
{
    json_object_set_double_member(object, name, orr_time_to_seconds(time));
}

static void add_gpus(JsonObject *machine, const struct orr_platform *platform)
{
    JsonArray *gpus = orr_output_add_array(machine, "gpus");

    for (unsigned i = 0; i < platform->gpu_count; i++) {
        const struct orr_platform_gpu *gpu = &platform->gpus[i];
        JsonObject *row = orr_output_add_object(gpus);

        orr_output_set_text(row, "name", gpu->name);
        orr_output_set_text(row, "model", gpu->model);
        json_object_set_int_member(row, "memory_bytes",
                                   (gint64)gpu->memory_bytes);
        json_object_set_boolean_member(row, "peer", gpu->peer);
    }
}

static void add_links(JsonObject *machine, const struct orr_platform *platform)
{
    JsonArray *links = orr_output_add_array(machine, "links");

    for (unsigned i = 0; i < platform->link_count; i++) {
        const struct orr_platform_link *link = &platform->links[i];
        JsonObject *row = orr_output_add_object(links);

        orr_output_set_text(row, "name", link->name);
        json_object_set_double_member(row, "bytes_per_s", link->bytes_per_s);
        add_time(row, "latency_s", link->latency);
    }
}

static void add_ends(JsonObject *row, const struct orr_platform *platform,
                     unsigned pair)
{
    orr_output_set_text(
        row, "from",
        orr_platform_node_name(platform, pair / platform->node_count));
    orr_output_set_text(
        row, "to",
        orr_platform_node_name(platform, pair % platform->node_count));
}

static void add_routes(JsonObject *machine, const struct orr_platform *platform)
{
    JsonArray *routes = orr_output_add_array(machine, "routes");

    for (unsigned p = 0; p < platform->node_count * platform->node_count; p++) {
        const struct orr_platform_route *route = &platform->routes[p];
        JsonObject *row;
        JsonArray *links;

        if (route->count == 0)
            continue;
        row = orr_output_add_object(routes);
        add_ends(row, platform, p);
        links = orr_output_add_array(row, "links");
        for (unsigned i = 0; i < route->count; i++)
            json_array_add_string_element(
                links, platform->links[route->links[i]].name);
    }
}

static void add_beliefs(JsonObject *machine,
                        const struct orr_platform *platform)
{
    JsonArray *beliefs = orr_output_add_array(machine, "beliefs");

    for (unsigned p = 0; p < platform->node_count * platform->node_count; p++) {
        const struct orr_platform_belief *belief = &platform->beliefs[p];
        JsonObject *row;

        if (!(belief->bytes_per_s > 0))
            continue;
        row = orr_output_add_object(beliefs);
        add_ends(row, platform, p);
        json_object_set_double_member(row, "bytes_per_s", belief->bytes_per_s);
        json_object_set_double_member(row, "latency_s", belief->latency_s);
    }
}

static void set_limit(JsonObject *row, const char *name, uint64_t bytes)
{
    if (bytes < UINT64_MAX)
        json_object_set_int_member(row, name, (gint64)bytes);
    else
        json_object_set_null_member(row, name);
}

static void add_segments(JsonObject *machine,
                         const struct orr_platform *platform)
{
    JsonArray *segments = orr_output_add_array(machine, "pitch");

    for (unsigned i = 0; i < platform->segment_count; i++) {
        const struct orr_pitch_segment *segment = &platform->segments[i];
        JsonObject *row = orr_output_add_object(segments);

        add_ends(row, platform,
                 segment->from * platform->node_count + segment->to);
        orr_output_set_text(row, "kind",
                            segment->pitched ? "pitched" : "contiguous");
        set_limit(row, "above_bytes", segment->bytes_above);
        set_limit(row, "to_bytes", segment->bytes_to);
        set_limit(row, "pitch_above_bytes", segment->pitch_above);
        set_limit(row, "pitch_to_bytes", segment->pitch_to);
        json_object_set_double_member(row, "bytes_per_s", segment->bytes_per_s);
        add_time(row, "latency_s", segment->latency);
    }
}

static void add_overheads(JsonObject *machine,
                          const struct orr_platform_overheads *overheads)
{
    JsonObject *object = json_object_new();

    add_time(object, "submit_s", overheads->submit);
    add_time(object, "push_s", overheads->push);
    add_time(object, "fetch_s", overheads->fetch);
    add_time(object, "progress_s", overheads->progress);
    add_time(object, "kernel_queue_s", overheads->kernel_queue);
    add_time(object, "transfer_queue_s", overheads->transfer_queue);
    add_time(object, "stream_start_s", overheads->stream_start);
    add_time(object, "gpu_alloc_s", overheads->gpu_alloc);
    add_time(object, "gpu_free_s", overheads->gpu_free);
    add_time(object, "host_pin_per_mib_s", overheads->host_pin);
    json_object_set_object_member(machine, "overheads", object);
}

static void add_kernel_name(JsonObject *row,
                            const struct orr_platform_kernel *kernel)
{
    orr_output_set_text(row, "family", kernel->family);
    orr_output_set_text(row, "kernel", kernel->name);
    orr_output_set_text(row, "precision",
                        orr_precision_name(kernel->precision));
}

static void add_tiles(JsonObject *row, const struct orr_platform_kernel *kernel)
{
    JsonArray *tiles = orr_output_add_array(row, "tiles");

    for (unsigned i = 0; i < kernel->count; i++) {
        unsigned tile = kernel->durations[i].tile;

        if (i == 0 || tile != kernel->durations[i - 1].tile)
            json_array_add_int_element(tiles, tile);
    }
}

/* Adds the devices on which @kernel was measured at some tile size. */
static void add_devices(JsonObject *row, const struct orr_platform *platform,
                        const struct orr_platform_kernel *kernel)
{
    JsonArray *devices = orr_output_add_array(row, "devices");
    bool seen[ORR_MAX_NODES] = {false};

    for (unsigned i = 0; i < kernel->count; i++)
        seen[kernel->durations[i].device] = true;
    for (unsigned d = 0; d < platform->node_count; d++) {
        if (seen[d])
            json_array_add_string_element(
                devices, orr_platform_device_name(platform, d));
    }
}

static void add_kernels(JsonObject *machine,
                        const struct orr_platform *platform)
{
    JsonArray *kernels = orr_output_add_array(machine, "kernels");

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];
        JsonObject *row;

        if (kernel->count == 0)
            continue;
        row = orr_output_add_object(kernels);
        add_kernel_name(row, kernel);
        add_tiles(row, kernel);
        add_devices(row, platform, kernel);
        orr_output_set_text(row, "source", kernel->source);
    }
}

/* Returns the first and last point of the curve. */
static char *describe_curve(const struct orr_flops *flops)
{
    const struct orr_flops_point *first = &flops->points[0];
    const struct orr_flops_point *last = &flops->points[flops->point_count - 1];

    if (first == last)
        return g_strdup_printf("%.3g %% at %u", 100 * first->efficiency,
                               first->tile);
    return g_strdup_printf("%.3g %% at %u to %.3g %% at %u",
                           100 * first->efficiency, first->tile,
                           100 * last->efficiency, last->tile);
}

/*
 * Adds a row for model @first of @kernel and the equal ones that follow it.
 * Returns their number.
 */
static unsigned add_flops(JsonArray *rows, const struct orr_platform *platform,
                          const struct orr_platform_kernel *kernel,
                          unsigned first)
{
    const struct orr_flops *flops = &kernel->flops[first];
    g_autofree char *curve = describe_curve(flops);
    g_autofree char *work = g_strdup_printf("%.3g n^3", flops->operations);
    JsonObject *row = orr_output_add_object(rows);
    JsonArray *devices;
    unsigned end = first;

    add_kernel_name(row, kernel);
    devices = orr_output_add_array(row, "devices");
    for (; end < kernel->flops_count &&
           orr_flops_equal(flops, &kernel->flops[end]);
         end++)
        json_array_add_string_element(
            devices,
            orr_platform_device_name(platform, kernel->flops[end].device));
    orr_output_set_text(row, "flops", work);
    json_object_set_double_member(row, "peak_flops_per_s", flops->peak);
    orr_output_set_text(row, "efficiency", curve);
    orr_output_set_text(row, "source", kernel->source);
    return end - first;
}

static void add_modelled(JsonObject *machine,
                         const struct orr_platform *platform)
{
    JsonArray *rows = orr_output_add_array(machine, "modelled_kernels");

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        for (unsigned f = 0; f < kernel->flops_count;)
            f += add_flops(rows, platform, kernel, f);
    }
}

JsonObject *orr_platform_facts_new(const struct orr_platform *platform)
{
    JsonObject *machine = json_object_new();
    g_autofree char *figures = orr_platform_parameters(platform);

    orr_output_set_text(machine, "name", platform->name);
    orr_output_set_text(machine, "description", platform->description);
    orr_output_set_text(machine, "file", platform->path);
    json_object_set_int_member(machine, "cores", platform->cores);
    orr_output_set_text(machine, "cpu_model", platform->cpu_model);
    orr_output_set_text(machine, "models",
                        platform->models ? platform->models : "reference");
    orr_output_set_text(machine, "figures", figures);
    add_gpus(machine, platform);
    add_links(machine, platform);
    add_routes(machine, platform);
    add_segments(machine, platform);
    add_beliefs(machine, platform);
    add_overheads(machine, &platform->overheads);
    add_kernels(machine, platform);
    add_modelled(machine, platform);
    orr_power_facts_add(machine, platform);
    return machine;
}

static bool holds_texts(JsonNode *node)
{
    JsonArray *array = json_node_get_array(node);

    return json_array_get_length(array) > 0 &&
           JSON_NODE_HOLDS_VALUE(json_array_get_element(array, 0));
}

/* Prints the members that are neither arrays nor objects, one in each line. */
static void print_facts(JsonObject *object)
{
    GList *names = json_object_get_members(object);

    for (GList *i = names; i; i = i->next) {
        JsonNode *node = json_object_get_member(object, i->data);
        g_autofree char *title = NULL;
        g_autofree char *value = NULL;
        struct orr_table *table;

        if (JSON_NODE_HOLDS_OBJECT(node) ||
            (JSON_NODE_HOLDS_ARRAY(node) && !holds_texts(node)))
            continue;
        title = orr_output_title(i->data);
        value = orr_output_value(i->data, node);
        table = orr_table_new("ll");
        orr_table_take(table, g_strdup_printf("%-16s", title));
        orr_table_add(table, value);
        orr_table_print(table);
        orr_table_free(table);
    }
    g_list_free(names);
}

void orr_platform_facts_print(JsonObject *machine)
{
    static const struct {
        const char *name;
        const char *title;
    } sections[] = {
        {"gpus", "GPUs"},
        {"links", "Links"},
        {"routes", "Routes"},
        {"pitch",
         "Copies with a measured duration, not computed from the route"},
        {"beliefs", "Transfer figures that policies use"},
        {"kernels", "Kernels with measured durations"},
        {"modelled_kernels",
         "Kernels whose durations are MODELLED from peak and efficiency, not "
         "measured"},
        {"power", "Power, by state of devices"},
    };

    print_facts(machine);
    for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
        JsonArray *rows =
            json_object_get_array_member(machine, sections[i].name);

        if (json_array_get_length(rows) == 0)
            continue;
        printf("\n%s:\n", sections[i].title);
        orr_output_rows(rows, ORR_FORMAT_TEXT);
    }
    puts("\nRuntime overheads:");
    print_facts(json_object_get_object_member(machine, "overheads"));
}
