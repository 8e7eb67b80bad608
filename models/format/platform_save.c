/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes platform files. A number is written with the fewest digits that are
 * read back exactly, in the unit that calibrations use if possible; times in
 * whole nanoseconds are exact in us. The text depends on the platform alone,
 * so equal platforms give equal files, and a digest of the text identifies a
 * machine.
 */
#include "models/format/platform_save.h"

#include <string.h>

#include "models/base/file.h"

/* Digits that suffice for figures typed by people, and for any double. */
enum { USUAL_DIGITS = 15, ALL_DIGITS = 17 };

static void append(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void append(GString *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
}

static void append_attribute(GString *text, const char *name, const char *value)
{
    g_autofree char *escaped = value ? g_markup_escape_text(value, -1) : NULL;

    if (escaped)
        append(text, " %s=\"%s\"", name, escaped);
}

/* "<name source="...">" */
static void open_section(GString *text, const char *name, const char *source)
{
    append(text, "  <%s", name);
    append_attribute(text, "source", source);
    g_string_append(text, ">\n");
}

/* Appends a time in us, exact to the ns. */
static void append_time(GString *text, const char *name, orr_time time)
{
    g_autofree char *number = g_strdup_printf(
        "%" G_GINT64_FORMAT ".%03d", time / ORR_US, (int)(time % ORR_US));
    size_t length = strlen(number);

    while (number[length - 1] == '0')
        length--;
    if (number[length - 1] == '.')
        length--;
    append(text, " %s=\"%.*sus\"", name, (int)length, number);
}

/* Whether "@number@unit" is parsed as exactly @value. */
static bool is_rate(const char *number, const char *unit, double value)
{
    g_autofree char *text = g_strconcat(number, unit, NULL);
    double read;

    return orr_parse_rate(text, &read, NULL) && read == value;
}

/*
 * Appends a rate with the fewest digits that are read back exactly: in MBps,
 * the unit of calibrations, if at most @digits decimals are enough; else in
 * Bps.
 */
static void append_rate(GString *text, double rate, int digits)
{
    char number[512];
    char format[16];

    for (int i = 0; i <= digits; i++) {
        g_snprintf(format, sizeof(format), "%%.%df", i);
        g_ascii_formatd(number, sizeof(number), format, rate / 1e6);
        if (is_rate(number, "MBps", rate)) {
            append(text, " bandwidth=\"%sMBps\"", number);
            return;
        }
    }
    for (int i = 0; i <= ALL_DIGITS; i++) {
        g_snprintf(format, sizeof(format), "%%.%df", i);
        g_ascii_formatd(number, sizeof(number), format, rate);
        if (is_rate(number, "Bps", rate))
            break;
    }
    append(text, " bandwidth=\"%sBps\"", number);
}

/* Appends seconds, not rounded to ns: in us if that is exact, else in s. */
static void append_seconds(GString *text, const char *name, double seconds)
{
    char number[512];
    char format[16];

    for (int i = 0; i <= ALL_DIGITS; i++) {
        g_snprintf(format, sizeof(format), "%%.%df", i);
        g_ascii_formatd(number, sizeof(number), format, seconds * 1e6);
        if (g_ascii_strtod(number, NULL) / 1e6 == seconds) {
            append(text, " %s=\"%sus\"", name, number);
            return;
        }
    }
    g_ascii_dtostr(number, sizeof(number), seconds);
    append(text, " %s=\"%ss\"", name, number);
}

static void append_processors(GString *text,
                              const struct orr_platform *platform,
                              const char *source)
{
    open_section(text, "processors", source);
    append(text, "    <cpu cores=\"%u\"", platform->cores);
    if (platform->sockets > 0)
        append(text, " sockets=\"%u\"", platform->sockets);
    append_attribute(text, "model", platform->cpu_model);
    g_string_append(text, "/>\n");
    for (unsigned i = 0; i < platform->gpu_count; i++) {
        const struct orr_platform_gpu *gpu = &platform->gpus[i];

        append(text, "    <gpu name=\"%s\"", gpu->name);
        append_attribute(text, "model", gpu->model);
        append(text, " memory=\"%" G_GUINT64_FORMAT "B\" peer=\"%s\"",
               gpu->memory_bytes, gpu->peer ? "yes" : "no");
        if (gpu->socket > 0)
            append(text, " socket=\"%u\"", gpu->socket);
        g_string_append(text, "/>\n");
    }
    g_string_append(text, "  </processors>\n");
}

static void append_links(GString *text, const struct orr_platform *platform,
                         const char *source)
{
    if (platform->link_count == 0)
        return;
    open_section(text, "links", source);
    for (unsigned i = 0; i < platform->link_count; i++) {
        const struct orr_platform_link *link = &platform->links[i];

        g_string_append(text, "    <link");
        append_attribute(text, "name", link->name);
        append_rate(text, link->bytes_per_s, 3);
        append_time(text, "latency", link->latency);
        if (link->delay_s > 0)
            append_seconds(text, "delay", link->delay_s);
        append_attribute(text, "kind", orr_link_kind_name(link->kind));
        g_string_append(text, "/>\n");
    }
    g_string_append(text, "  </links>\n");
}

/* Appends from and to of pair number @pair. */
static void append_ends(GString *text, const struct orr_platform *platform,
                        unsigned pair)
{
    append(text, " from=\"%s\" to=\"%s\"",
           orr_platform_node_name(platform, pair / platform->node_count),
           orr_platform_node_name(platform, pair % platform->node_count));
}

static void append_route(GString *text, const struct orr_platform *platform,
                         unsigned pair)
{
    const struct orr_platform_route *route = &platform->routes[pair];

    g_string_append(text, "    <route");
    append_ends(text, platform, pair);
    g_string_append(text, ">\n");
    for (unsigned i = 0; i < route->count; i++) {
        g_string_append(text, "      <via");
        append_attribute(text, "link", platform->links[route->links[i]].name);
        g_string_append(text, "/>\n");
    }
    g_string_append(text, "    </route>\n");
}

static void append_routes(GString *text, const struct orr_platform *platform,
                          const char *source)
{
    unsigned pairs = platform->node_count * platform->node_count;
    bool any = false;

    for (unsigned pair = 0; platform->routes && pair < pairs; pair++) {
        if (platform->routes[pair].count == 0)
            continue;
        if (!any)
            open_section(text, "routes", source);
        any = true;
        append_route(text, platform, pair);
    }
    if (any)
        g_string_append(text, "  </routes>\n");
}

/* Appends a range of sizes. Ends that do not limit it are left out. */
static void append_range(GString *text, const char *what, uint64_t above,
                         uint64_t to)
{
    if (above > 0)
        append(text, " %s-above=\"%" G_GUINT64_FORMAT "B\"", what, above);
    if (to < UINT64_MAX)
        append(text, " %s-to=\"%" G_GUINT64_FORMAT "B\"", what, to);
}

static void append_segments(GString *text, const struct orr_platform *platform,
                            const char *source)
{
    if (platform->segment_count == 0)
        return;
    open_section(text, "pitch", source);
    for (unsigned i = 0; i < platform->segment_count; i++) {
        const struct orr_pitch_segment *segment = &platform->segments[i];

        g_string_append(text, "    <segment");
        append_ends(text, platform,
                    segment->from * platform->node_count + segment->to);
        append_attribute(text, "kind",
                         segment->pitched ? "pitched" : "contiguous");
        append_range(text, "bytes", segment->bytes_above, segment->bytes_to);
        append_range(text, "pitch", segment->pitch_above, segment->pitch_to);
        g_string_append(text, "\n     ");
        append_rate(text, segment->bytes_per_s, 3);
        append_time(text, "latency", segment->latency);
        g_string_append(text, "/>\n");
    }
    g_string_append(text, "  </pitch>\n");
}

static void append_beliefs(GString *text, const struct orr_platform *platform,
                           const char *source)
{
    unsigned pairs = platform->node_count * platform->node_count;
    bool any = false;

    for (unsigned pair = 0; platform->beliefs && pair < pairs; pair++) {
        const struct orr_platform_belief *belief = &platform->beliefs[pair];

        if (!(belief->bytes_per_s > 0))
            continue;
        if (!any)
            open_section(text, "calibration", source);
        any = true;
        g_string_append(text, "    <pair");
        append_ends(text, platform, pair);
        append_rate(text, belief->bytes_per_s, 9);
        append_seconds(text, "latency", belief->latency_s);
        g_string_append(text, "/>\n");
    }
    if (any)
        g_string_append(text, "  </calibration>\n");
}

static void append_overheads(GString *text,
                             const struct orr_platform_overheads *overheads,
                             const char *source)
{
    struct orr_platform_overheads copy = *overheads;

    open_section(text, "overheads", source);
    for (unsigned i = 0; i < ORR_OVERHEADS; i++) {
        append(text, "    <overhead name=\"%s\"",
               orr_platform_overhead_name(i));
        append_time(text, "time", *orr_platform_overhead(&copy, i));
        g_string_append(text, "/>\n");
    }
    g_string_append(text, "  </overheads>\n");
}

/* Appends a number with the fewest digits that are read back exactly. */
static void append_number(GString *text, const char *name, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    char format[16];

    for (int i = 1; i <= ALL_DIGITS; i++) {
        g_snprintf(format, sizeof(format), "%%.%dg", i);
        g_ascii_formatd(digits, sizeof(digits), format, number);
        if (g_ascii_strtod(digits, NULL) == number)
            break;
    }
    append(text, " %s=\"%s\"", name, digits);
}

/* Appends model @first of @kernel, and the equal models that follow it, as one
 * element. Returns their number. */
static unsigned append_flops(GString *text, const struct orr_platform *platform,
                             const struct orr_platform_kernel *kernel,
                             unsigned first)
{
    const struct orr_flops *flops = &kernel->flops[first];
    unsigned end = first;
    char peak[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append(text, "      <flops device=\"");
    for (; end < kernel->flops_count &&
           orr_flops_equal(flops, &kernel->flops[end]);
         end++)
        append(text, "%s%s", end > first ? " " : "",
               orr_platform_device_name(platform, kernel->flops[end].device));
    g_ascii_dtostr(peak, sizeof(peak), flops->peak);
    append(text, "\" peak=\"%sFlop/s\"", peak);
    append_number(text, "operations", flops->operations);
    g_string_append(text, ">\n");
    for (unsigned i = 0; i < flops->point_count; i++) {
        append(text, "        <efficiency tile=\"%u\"", flops->points[i].tile);
        append_number(text, "share", flops->points[i].efficiency);
        g_string_append(text, "/>\n");
    }
    g_string_append(text, "      </flops>\n");
    return end - first;
}

static void append_histogram(GString *text,
                             const struct orr_histogram *histogram)
{
    g_string_append(text, "        <histogram");
    append_attribute(text, "source", histogram->source);
    g_string_append(text, ">\n");
    for (unsigned i = 0; i < histogram->count; i++) {
        const struct orr_histogram_bin *bin = &histogram->bins[i];

        g_string_append(text, "          <bin");
        append_time(text, "from", bin->from);
        append_time(text, "to", bin->to);
        append(text, " samples=\"%u\"/>\n", bin->samples);
    }
    g_string_append(text, "        </histogram>\n");
}

/* Appends the mean: unrounded as measured, unless it has changed since. */
static void append_mean(GString *text,
                        const struct orr_platform_duration *duration)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    if (orr_time_from_seconds(duration->mean_s) != duration->mean) {
        append_time(text, "mean", duration->mean);
        return;
    }
    g_ascii_formatd(digits, sizeof(digits), "%.10g", duration->mean_s * 1e6);
    append(text, " mean=\"%sus\"", digits);
}

static void append_duration(GString *text, const struct orr_platform *platform,
                            const struct orr_platform_duration *duration)
{
    append(text, "      <duration tile=\"%u\" device=\"%s\"", duration->tile,
           orr_platform_device_name(platform, duration->device));
    append_mean(text, duration);
    if (duration->deviation > 0)
        append_time(text, "deviation", duration->deviation);
    if (duration->samples > 0)
        append(text, " samples=\"%u\"", duration->samples);
    if (!duration->histogram) {
        g_string_append(text, "/>\n");
        return;
    }
    g_string_append(text, ">\n");
    append_histogram(text, duration->histogram);
    g_string_append(text, "      </duration>\n");
}

static void append_kernel(GString *text, const struct orr_platform *platform,
                          const struct orr_platform_kernel *kernel)
{
    append(text, "    <kernel family=\"%s\" name=\"%s\" precision=\"%s\"",
           kernel->family, kernel->name, orr_precision_name(kernel->precision));
    if (kernel->source)
        g_string_append(text, "\n     ");
    append_attribute(text, "source", kernel->source);
    g_string_append(text, ">\n");
    for (unsigned i = 0; i < kernel->count; i++)
        append_duration(text, platform, &kernel->durations[i]);
    for (unsigned i = 0; i < kernel->flops_count;)
        i += append_flops(text, platform, kernel, i);
    g_string_append(text, "    </kernel>\n");
}

static void append_kernels(GString *text, const struct orr_platform *platform)
{
    if (platform->kernel_count == 0)
        return;
    g_string_append(text, "  <kernels>\n");
    for (unsigned i = 0; i < platform->kernel_count; i++)
        append_kernel(text, platform, &platform->kernels[i]);
    g_string_append(text, "  </kernels>\n");
}

/* Whether the text is read back as @value. */
static bool is_read_back(const char *number, const char *unit, double value)
{
    g_autofree char *text = g_strconcat(number, unit, NULL);
    double read;

    if (*unit == 'W')
        return orr_parse_watts(text, &read, NULL) && !(read < value) &&
               !(read > value);
    if (*unit == 'J')
        return orr_parse_joules(text, &read, NULL) && !(read < value) &&
               !(read > value);
    read = g_ascii_strtod(text, NULL);
    return !(read < value) && !(read > value);
}

/* Appends a quantity with the fewest digits that are read back exactly. */
static void append_quantity(GString *text, const char *name, double value,
                            const char *unit)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    char format[16];

    for (int i = USUAL_DIGITS; i <= ALL_DIGITS; i++) {
        g_snprintf(format, sizeof(format), "%%.%dg", i);
        g_ascii_formatd(number, sizeof(number), format, value);
        if (is_read_back(number, unit, value))
            break;
    }
    g_string_append_printf(text, " %s=\"%s%s\"", name, number, unit);
}

static void append_levels(GString *text, const struct orr_power_state *state)
{
    append_quantity(text, "idle", state->idle_w, "W");
    append_quantity(text, "static", state->static_w, "W");
    append_quantity(text, "busy", state->busy_w, "W");
    append_quantity(text, "poll", state->poll_w, "W");
    append_quantity(text, "off", state->off_w, "W");
}

static void append_state_kernels(GString *text,
                                 const struct orr_power_state *state,
                                 const char *indent)
{
    for (unsigned k = 0; k < state->kernel_count; k++) {
        const struct orr_state_kernel *kernel = &state->kernels[k];

        g_string_append_printf(text, "%s<kernel name=\"%s\"", indent,
                               kernel->name);
        if (kernel->tile > 0)
            g_string_append_printf(text, " tile=\"%u\"", kernel->tile);
        if (kernel->speed > 0)
            append_quantity(text, "speed", kernel->speed, "");
        if (kernel->watts > 0)
            append_quantity(text, "watts", kernel->watts, "W");
        if (kernel->kind != ORR_JOULES_NONE) {
            append_quantity(text, "joules", kernel->joules, "J");
            g_string_append_printf(
                text, " of=\"%s\"",
                kernel->kind == ORR_JOULES_TOTAL ? "total" : "above-idle");
        }
        g_string_append(text, "/>\n");
    }
}

static void append_state(GString *text, const struct orr_power_state *state)
{
    g_string_append(text, "      <state");
    append_attribute(text, "name", state->name);
    append_quantity(text, "speed", state->speed, "");
    append_levels(text, state);
    if (state->kernel_count == 0) {
        g_string_append(text, "/>\n");
        return;
    }
    g_string_append(text, ">\n");
    append_state_kernels(text, state, "        ");
    g_string_append(text, "      </state>\n");
}

static void append_device(GString *text, const char *name,
                          const struct orr_power_table *table)
{
    const struct orr_power_state *first = &table->states[0];

    g_string_append_printf(text, "    <device name=\"%s\"", name);
    if (table->nominal)
        g_string_append(text, " nominal=\"yes\"");
    if (table->off || table->current > 0)
        append_attribute(text, "state",
                         table->off ? ORR_STATE_OFF
                                    : table->states[table->current].name);
    append_attribute(text, "first", first->name);
    append_levels(text, first);
    if (first->kernel_count == 0 && table->count == 1) {
        g_string_append(text, "/>\n");
        return;
    }
    g_string_append(text, ">\n");
    append_state_kernels(text, first, "      ");
    for (unsigned s = 1; s < table->count; s++)
        append_state(text, &table->states[s]);
    g_string_append(text, "    </device>\n");
}

static bool has_power(const struct orr_link_power *power)
{
    return power->idle > 0 || power->busy > 0 ||
           power->joules_per_message > 0 || power->joules_per_byte > 0;
}

static void append_link_power(GString *text,
                              const struct orr_platform_link *link)
{
    const struct orr_link_power *power = &link->power;

    g_string_append(text, "    <link");
    append_attribute(text, "name", link->name);
    append_quantity(text, "idle", orr_power_to_watts(power->idle), "W");
    append_quantity(text, "busy", orr_power_to_watts(power->busy), "W");
    append_quantity(text, "message", power->joules_per_message, "J");
    append_quantity(text, "byte", power->joules_per_byte, "J");
    g_string_append(text, "/>\n");
}

static void append_power(GString *text, const struct orr_platform *platform,
                         const char *source)
{
    if (!platform->power)
        return;
    g_string_append(text, "  <power");
    append_attribute(text, "source", source);
    g_string_append(text, ">\n");
    for (unsigned d = 0; d < platform->node_count; d++)
        append_device(text, orr_platform_device_name(platform, d),
                      &platform->power[d]);
    for (unsigned l = 0; l < platform->link_count; l++) {
        if (has_power(&platform->links[l].power))
            append_link_power(text, &platform->links[l]);
    }
    g_string_append(text, "  </power>\n");
}

/* A comment of XML may hold anything but "--". */
static void append_comment(GString *text, const char *comment)
{
    g_auto(GStrv) pieces = g_strsplit(comment ? comment : "", "-", -1);

    if (!comment)
        return;
    g_string_append(text, "<!-- ");
    for (char **piece = pieces; *piece; piece++) {
        if (piece > pieces)
            g_string_append(text, **piece ? "-" : "- ");
        g_string_append(text, *piece);
    }
    g_string_append(text, " -->\n");
}

static void append_uncalibrated(GString *text, unsigned parts)
{
    const char *separator = "\n  uncalibrated=\"";

    for (unsigned i = 0; i < ORR_PLATFORM_PARTS; i++) {
        if (!(parts & (1u << i)))
            continue;
        append(text, "%s%s", separator, orr_platform_part_name(i));
        separator = " ";
    }
    if (parts)
        g_string_append_c(text, '"');
}

/* The source of a section: @given unless NULL, else @own, as read. */
static const char *pick(const char *given, const char *own)
{
    if (!given)
        return own;
    return *given ? given : NULL;
}

char *orr_platform_format(const struct orr_platform *platform,
                          const struct orr_platform_sources *sources)
{
    static const struct orr_platform_sources none = {.comment = NULL};
    char *const *own = platform->sources;
    GString *text = g_string_new("<?xml version=\"1.0\" "
                                 "encoding=\"UTF-8\"?>\n");

    if (!sources)
        sources = &none;
    append_comment(text, sources->comment);
    append(text, "<platform version=\"1\" name=\"%s\"", platform->name);
    if (platform->description)
        g_string_append(text, "\n ");
    append_attribute(text, "description", platform->description);
    append_attribute(text, "models", platform->models);
    append_uncalibrated(text, platform->uncalibrated);
    g_string_append(text, ">\n");
    append_processors(text, platform,
                      pick(sources->processors, own[ORR_SECTION_PROCESSORS]));
    append_links(text, platform, pick(sources->links, own[ORR_SECTION_LINKS]));
    append_routes(text, platform,
                  pick(sources->routes, own[ORR_SECTION_ROUTES]));
    append_segments(text, platform,
                    pick(sources->pitch, own[ORR_SECTION_PITCH]));
    append_beliefs(text, platform,
                   pick(sources->calibration, own[ORR_SECTION_CALIBRATION]));
    append_overheads(text, &platform->overheads,
                     pick(sources->overheads, own[ORR_SECTION_OVERHEADS]));
    append_kernels(text, platform);
    append_power(text, platform, pick(sources->power, own[ORR_SECTION_POWER]));
    g_string_append(text, "</platform>\n");
    return g_string_free(text, FALSE);
}

char *orr_platform_digest(const struct orr_platform *platform)
{
    static const struct orr_platform_sources none = {
        .processors = "",
        .links = "",
        .routes = "",
        .pitch = "",
        .calibration = "",
        .overheads = "",
        .power = "",
    };
    g_autofree char *text = orr_platform_format(platform, &none);

    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}

bool orr_platform_save(const struct orr_platform *platform,
                       const struct orr_platform_sources *sources,
                       const char *path, GError **error)
{
    g_autofree char *text = orr_platform_format(platform, sources);

    if (path)
        return orr_file_replace(path, text, strlen(text), error);
    fputs(text, stdout);
    return true;
}
