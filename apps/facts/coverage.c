/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which kernels can run on which devices, for one family and precision: a mask
 * of devices for each pair of kernel and tile size. Devices whose masks are
 * equal at all tile sizes form a class, and consecutive tile sizes with equal
 * masks share a row of the table.
 */
#include "apps/facts/coverage.h"

#include <string.h>

#include "runtime/machine.h"

static bool is_of(const struct orr_platform_kernel *kernel,
                  const struct orr_coverage *coverage)
{
    return kernel->precision == coverage->precision &&
           strcmp(kernel->family, coverage->family) == 0;
}

/* Whether the kernel @name counts: @app always needs it, or the platform has
 * it. */
static bool is_wanted(const struct orr_coverage *coverage,
                      const struct orr_app *app, const char *name)
{
    return !app->extras || !g_strv_contains(app->extras, name) ||
           orr_platform_kernel(coverage->platform, coverage->family, name,
                               coverage->precision, NULL);
}

static void find_names(struct orr_coverage *coverage)
{
    const struct orr_platform *platform = coverage->platform;
    const struct orr_app *app = orr_app_builtin(coverage->family, NULL);

    for (unsigned i = 0; app && app->kernels[i]; i++) {
        if (is_wanted(coverage, app, app->kernels[i]))
            g_ptr_array_add(coverage->names, (void *)app->kernels[i]);
    }
    for (unsigned i = 0; !app && i < platform->kernel_count; i++) {
        if (is_of(&platform->kernels[i], coverage))
            g_ptr_array_add(coverage->names, platform->kernels[i].name);
    }
}

static int compare_tiles(const void *a, const void *b)
{
    unsigned left = *(const unsigned *)a;
    unsigned right = *(const unsigned *)b;

    return (left > right) - (left < right);
}

static void add_tile(GArray *tiles, unsigned tile)
{
    for (unsigned i = 0; i < tiles->len; i++) {
        if (g_array_index(tiles, unsigned, i) == tile)
            return;
    }
    if (tiles->len < ORR_COVERAGE_TILES)
        g_array_append_val(tiles, tile);
}

static void find_tiles(struct orr_coverage *coverage)
{
    const struct orr_platform *platform = coverage->platform;
    const unsigned other = ORR_OTHER_TILES;
    bool modelled = false;

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        if (!is_of(kernel, coverage))
            continue;
        modelled |= kernel->flops_count > 0;
        for (unsigned j = 0; j < kernel->count; j++)
            add_tile(coverage->tiles, kernel->durations[j].tile);
    }
    g_array_sort(coverage->tiles, compare_tiles);
    if (modelled)
        g_array_append_val(coverage->tiles, other);
}

/* Returns the devices with a duration of @kernel at @tile. */
static uint32_t find_devices(const struct orr_platform *platform,
                             const struct orr_platform_kernel *kernel,
                             unsigned tile)
{
    uint32_t devices = 0;

    for (unsigned d = 0; d < platform->node_count; d++) {
        bool has = tile == ORR_OTHER_TILES
                       ? orr_platform_flops(kernel, d) != NULL
                       : orr_platform_duration(kernel, tile, d) != ORR_NEVER;

        devices |= (uint32_t)has << d;
    }
    return devices;
}

void orr_coverage_init(struct orr_coverage *coverage,
                       const struct orr_platform *platform, const char *family,
                       enum orr_precision precision, unsigned tile)
{
    *coverage = (struct orr_coverage){
        .platform = platform,
        .family = family,
        .precision = precision,
        .names = g_ptr_array_new(),
        .tiles = g_array_new(FALSE, FALSE, sizeof(unsigned)),
    };
    find_names(coverage);
    if (tile > 0)
        g_array_append_val(coverage->tiles, tile);
    else
        find_tiles(coverage);
    coverage->devices =
        g_new0(uint32_t, (size_t)coverage->names->len * coverage->tiles->len);
    for (unsigned k = 0; k < coverage->names->len; k++) {
        const struct orr_platform_kernel *kernel = orr_platform_kernel(
            platform, family, coverage->names->pdata[k], precision, NULL);

        for (unsigned t = 0; kernel && t < coverage->tiles->len; t++)
            coverage->devices[k * coverage->tiles->len + t] = find_devices(
                platform, kernel, g_array_index(coverage->tiles, unsigned, t));
    }
}

void orr_coverage_clear(struct orr_coverage *coverage)
{
    g_ptr_array_unref(coverage->names);
    g_array_unref(coverage->tiles);
    g_free(coverage->devices);
}

bool orr_coverage_runs(const struct orr_coverage *coverage, unsigned t,
                       uint32_t devices)
{
    for (unsigned k = 0; k < coverage->names->len; k++) {
        if ((coverage->devices[k * coverage->tiles->len + t] & devices) == 0)
            return false;
    }
    return coverage->names->len > 0;
}

uint32_t orr_coverage_idle(const struct orr_coverage *coverage, unsigned t,
                           uint32_t devices)
{
    uint32_t used = 0;

    for (unsigned k = 0; k < coverage->names->len; k++)
        used |= coverage->devices[k * coverage->tiles->len + t];
    for (unsigned d = 0; d < coverage->platform->node_count; d++) {
        if (orr_platform_is_off(coverage->platform, d))
            used |= 1u << d;
    }
    return orr_coverage_runs(coverage, t, devices) ? devices & ~used : 0;
}

uint32_t orr_coverage_class(const struct orr_coverage *coverage,
                            unsigned device)
{
    uint32_t equal =
        (uint32_t)(((uint64_t)1 << coverage->platform->node_count) - 1);
    size_t count = (size_t)coverage->names->len * coverage->tiles->len;

    for (size_t i = 0; i < count; i++) {
        uint32_t devices = coverage->devices[i];

        equal &= devices >> device & 1 ? devices : ~devices;
    }
    return equal;
}

/* ---- coverage as facts, as a table and in messages ---- */

static unsigned tile_at(const struct orr_coverage *coverage, unsigned t)
{
    return g_array_index(coverage->tiles, unsigned, t);
}

static void add_workers(JsonObject *row, const struct orr_platform *platform,
                        uint32_t devices)
{
    JsonArray *names = orr_output_add_array(row, "workers");

    for (unsigned d = 0; d < platform->node_count; d++) {
        if (devices >> d & 1)
            json_array_add_string_element(
                names, orr_platform_device_name(platform, d));
    }
}

/* Whether @device can run the same kernels at two tile sizes. */
static bool are_equal(const struct orr_coverage *coverage, unsigned device,
                      unsigned t, unsigned u)
{
    for (unsigned k = 0; k < coverage->names->len; k++) {
        if (orr_coverage_has(coverage, k, t, device) !=
            orr_coverage_has(coverage, k, u, device))
            return false;
    }
    return true;
}

/* Adds the consecutive sizes from index @first on at which @device can run the
 * same kernels. Returns the index after them. */
static unsigned add_tiles(JsonObject *row, const struct orr_coverage *coverage,
                          unsigned device, unsigned first)
{
    JsonArray *tiles = orr_output_add_array(row, "tiles");
    bool other = false;
    unsigned t = first;

    for (; t < coverage->tiles->len && are_equal(coverage, device, first, t);
         t++) {
        if (tile_at(coverage, t) == ORR_OTHER_TILES)
            other = true;
        else
            json_array_add_int_element(tiles, tile_at(coverage, t));
    }
    json_object_set_boolean_member(row, "other_tiles", other);
    return t;
}

static void add_kernels(JsonObject *row, const struct orr_coverage *coverage,
                        unsigned device, unsigned t)
{
    JsonArray *kernels = orr_output_add_array(row, "kernels");
    JsonArray *missing = orr_output_add_array(row, "missing");

    for (unsigned k = 0; k < coverage->names->len; k++)
        json_array_add_string_element(
            orr_coverage_has(coverage, k, t, device) ? kernels : missing,
            coverage->names->pdata[k]);
}

/* Adds a row for each range of sizes at which @devices, of which @device is
 * one, can run the same kernels. */
static void add_class(JsonArray *rows, const struct orr_coverage *coverage,
                      uint32_t devices, unsigned device)
{
    for (unsigned t = 0; t < coverage->tiles->len;) {
        JsonObject *row = orr_output_add_object(rows);
        unsigned first = t;

        orr_output_set_text(row, "application", coverage->family);
        orr_output_set_text(row, "precision",
                            orr_precision_name(coverage->precision));
        add_workers(row, coverage->platform, devices);
        t = add_tiles(row, coverage, device, first);
        add_kernels(row, coverage, device, first);
    }
}

/* "CUDA0, CUDA1"; with @cpus, "CUDA0 and 4 CPU workers". */
static char *list_workers(const struct orr_platform *platform, uint32_t devices,
                          unsigned cpus)
{
    GString *names = g_string_new(NULL);

    for (unsigned d = 1; d < platform->node_count; d++) {
        if (devices >> d & 1)
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
                                   orr_platform_device_name(platform, d));
    }
    if (devices & 1u << ORR_RAM)
        g_string_append_printf(names, "%s%u CPU worker%s",
                               names->len > 0 ? " and " : "", cpus,
                               cpus > 1 ? "s" : "");
    return g_string_free(names, FALSE);
}

/* "960", "320, 960, others" or "any" for the sizes from @first to before @end.
 */
static char *list_tiles(const struct orr_coverage *coverage, unsigned first,
                        unsigned end)
{
    GString *text = g_string_new(NULL);

    for (unsigned t = first; t < end; t++) {
        g_string_append(text, t > first ? ", " : "");
        if (tile_at(coverage, t) != ORR_OTHER_TILES)
            g_string_append_printf(text, "%u", tile_at(coverage, t));
        else
            g_string_append(text, t > 0 ? "others" : "any");
    }
    return g_string_free(text, FALSE);
}

/* Returns a message that workers stay idle at the sizes from @first to @end -
 * 1. */
static char *describe_idle(const struct orr_coverage *coverage,
                           uint32_t devices, unsigned cpus, unsigned first,
                           unsigned end)
{
    g_autofree char *workers = list_workers(coverage->platform, devices, cpus);
    g_autofree char *tiles = list_tiles(coverage, first, end);

    return g_strdup_printf("platform %s has no duration of any kernel of %s "
                           "(%s precision, tiles: %s) on %s, so nothing runs "
                           "there",
                           coverage->platform->name, coverage->family,
                           orr_precision_name(coverage->precision), tiles,
                           workers);
}

static void add_text(JsonArray *texts, char *text)
{
    json_array_add_string_element(texts, text);
    g_free(text);
}

/* Returns the devices that have workers if all GPUs are used. */
static uint32_t all_devices(const struct orr_platform *platform)
{
    uint32_t all = (uint32_t)(((uint64_t)1 << platform->node_count) - 1);

    return platform->cores > platform->gpu_count ? all : all & ~1u;
}

static void add_warnings(JsonArray *warnings,
                         const struct orr_coverage *coverage)
{
    const struct orr_platform *platform = coverage->platform;
    uint32_t all = all_devices(platform);
    unsigned first = 0;
    bool runs = false;

    for (unsigned t = 0; t < coverage->tiles->len; t++) {
        uint32_t idle = orr_coverage_idle(coverage, t, all);

        runs |= orr_coverage_runs(coverage, t, all);
        if (t + 1 < coverage->tiles->len &&
            orr_coverage_idle(coverage, t + 1, all) == idle)
            continue;
        if (idle)
            add_text(warnings,
                     describe_idle(coverage, idle,
                                   platform->cores - platform->gpu_count, first,
                                   t + 1));
        first = t + 1;
    }
    if (!runs)
        add_text(warnings,
                 g_strdup_printf("%s (%s precision) runs at no tile size: some "
                                 "kernel has a duration on no worker",
                                 coverage->family,
                                 orr_precision_name(coverage->precision)));
}

static void add_coverage(JsonObject *row, const struct orr_coverage *coverage)
{
    JsonArray *rows = json_object_get_array_member(row, "coverage");
    uint32_t seen = 0;

    for (unsigned d = 0; d < coverage->platform->node_count; d++) {
        uint32_t devices = orr_coverage_class(coverage, d);

        if (!(seen >> d & 1))
            add_class(rows, coverage, devices, d);
        seen |= devices;
    }
    add_warnings(json_object_get_array_member(row, "warnings"), coverage);
}

/* Whether a kernel before number @i has its family and precision. */
static bool is_known(const struct orr_platform *platform, unsigned i)
{
    const struct orr_platform_kernel *kernel = &platform->kernels[i];

    for (unsigned k = 0; k < i; k++) {
        if (platform->kernels[k].precision == kernel->precision &&
            strcmp(platform->kernels[k].family, kernel->family) == 0)
            return true;
    }
    return false;
}

void orr_coverage_add(JsonObject *row, const struct orr_platform *platform)
{
    orr_output_add_array(row, "coverage");
    orr_output_add_array(row, "warnings");
    for (unsigned i = 0; platform && i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];
        struct orr_coverage coverage;

        if (is_known(platform, i))
            continue;
        orr_coverage_init(&coverage, platform, kernel->family,
                          kernel->precision, 0);
        add_coverage(row, &coverage);
        orr_coverage_clear(&coverage);
    }
}

/* The elements of the array @name of @row; NULL if it is empty. */
static char *join(JsonObject *row, const char *name)
{
    JsonNode *node = json_object_get_member(row, name);

    return json_array_get_length(json_node_get_array(node)) == 0
               ? NULL
               : orr_output_value(name, node);
}

/* Whether some tile size of the application of @row was measured. */
static bool has_measured(JsonArray *rows, JsonObject *row)
{
    static const char *const keys[] = {"application", "precision"};

    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *other = json_array_get_object_element(rows, i);
        bool same = json_array_get_length(
                        json_object_get_array_member(other, "tiles")) > 0;

        for (size_t k = 0; same && k < G_N_ELEMENTS(keys); k++)
            same = strcmp(json_object_get_string_member(other, keys[k]),
                          json_object_get_string_member(row, keys[k])) == 0;
        if (same)
            return true;
    }
    return false;
}

/* "320, 960", "960, others", "others" or "any". */
static char *describe_tiles(JsonArray *rows, JsonObject *row)
{
    g_autofree char *tiles = join(row, "tiles");
    bool others = json_object_get_boolean_member(row, "other_tiles");

    if (!tiles)
        return g_strdup(has_measured(rows, row) ? "others" : "any");
    return g_strconcat(tiles, others ? ", others" : NULL, NULL);
}

static void add_line(JsonArray *lines, JsonArray *rows, JsonObject *row)
{
    JsonObject *line = orr_output_add_object(lines);
    g_autofree char *workers = join(row, "workers");
    g_autofree char *tiles = describe_tiles(rows, row);
    g_autofree char *kernels = join(row, "kernels");
    g_autofree char *missing = join(row, "missing");

    orr_output_set_text(line, "application",
                        json_object_get_string_member(row, "application"));
    orr_output_set_text(line, "precision",
                        json_object_get_string_member(row, "precision"));
    orr_output_set_text(line, "tiles", tiles);
    orr_output_set_text(line, "kernels",
                        !missing   ? "all"
                        : !kernels ? "none"
                                   : kernels);
    orr_output_set_text(line, "workers", workers);
}

void orr_coverage_print(JsonObject *row)
{
    JsonArray *rows = json_object_get_array_member(row, "coverage");
    JsonArray *lines = json_array_new();

    for (guint i = 0; i < json_array_get_length(rows); i++)
        add_line(lines, rows, json_array_get_object_element(rows, i));
    if (json_array_get_length(lines) > 0)
        orr_output_rows(lines, ORR_FORMAT_TEXT);
    json_array_unref(lines);
}

void orr_notes_print(const struct orr_platform *platform, const char *command)
{
    for (guint i = 0; i < platform->notes->len; i++)
        orr_message_print(command, "%s",
                          (const char *)platform->notes->pdata[i]);
}

void orr_coverage_warn(const struct orr_scenario *scenario, const char *command)
{
    const struct orr_platform *platform = scenario->run.machine->platform;
    const struct orr_app_values *values =
        scenario->problem.several ? scenario->problem.several->pdata[0]
                                  : scenario->problem.values;
    unsigned gpus = scenario->config.gpus < 0 ? platform->gpu_count
                                              : (unsigned)scenario->config.gpus;
    unsigned cpus = scenario->config.cpus < 0
                        ? platform->cores - MIN(platform->cores, gpus)
                        : (unsigned)scenario->config.cpus;
    uint32_t devices = (uint32_t)(((uint64_t)1 << (gpus + 1)) - 1);
    struct orr_coverage coverage;
    g_autofree char *text = NULL;
    uint32_t idle;

    orr_settings_remark(scenario, command);
    orr_notes_print(platform, command);
    if (orr_app_file(scenario->problem.app) ||
        !orr_app_option(scenario->problem.app, "tile", strlen("tile")) ||
        !orr_app_option(scenario->problem.app, "precision",
                        strlen("precision")))
        return;
    orr_coverage_init(&coverage, platform, scenario->problem.app->name,
                      orr_app_choice(values, "precision") ==
                              ORR_DOUBLE_PRECISION
                          ? ORR_DOUBLE
                          : ORR_SINGLE,
                      (unsigned)orr_app_count(values, "tile"));
    idle = orr_coverage_idle(&coverage, 0, cpus > 0 ? devices : devices & ~1u);
    if (idle)
        text = describe_idle(&coverage, idle, cpus, 0, 1);
    if (text)
        orr_message_print(command, "%s", text);
    orr_coverage_clear(&coverage);
}
