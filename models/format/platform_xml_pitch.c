/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads <pitch>: copies whose duration depends on the pitch (pitch.h). */
#include "models/format/platform_reader.h"

#include <string.h>

#define MAX_SEGMENTS 4096

static bool get_kind(struct orr_xml *xml, bool *pitched)
{
    const char *kind = orr_xml_text(xml, "kind");
    g_autofree char *quoted = NULL;

    *pitched = strcmp(kind, "pitched") == 0;
    if (*pitched || strcmp(kind, "contiguous") == 0)
        return true;
    quoted = orr_quote(kind);
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "kind of <segment>: %s is neither pitched nor contiguous",
                 quoted);
    return false;
}

/* Reads a range from the attributes called @above and @to. */
static bool get_range(struct orr_xml *xml, const char *above, const char *to,
                      uint64_t *from_bytes, uint64_t *to_bytes)
{
    *from_bytes = 0;
    *to_bytes = UINT64_MAX;
    if (!orr_xml_bytes(xml, above, from_bytes) ||
        !orr_xml_bytes(xml, to, to_bytes))
        return false;
    if (*from_bytes < *to_bytes)
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "no figure is above %" G_GUINT64_FORMAT
                 " (%s) and at most %" G_GUINT64_FORMAT " (%s)",
                 *from_bytes, above, *to_bytes, to);
    return false;
}

/* Checks that there are copies of this kind in this direction. */
static bool check_kind(struct orr_xml *xml, const struct orr_platform *platform,
                       const struct orr_pitch_segment *segment)
{
    const char *from = orr_platform_node_name(platform, segment->from);
    const char *to = orr_platform_node_name(platform, segment->to);

    if (orr_platform_route(platform, segment->from, segment->to)->count == 0)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "no route from %s to %s", from, to);
    else if (!segment->pitched && (orr_xml_text(xml, "pitch-above") ||
                                   orr_xml_text(xml, "pitch-to")))
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "a contiguous copy has no pitch to be limited");
    else if (segment->pitched && segment->from != ORR_RAM &&
             segment->to != ORR_RAM)
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "copies from %s to %s are never pitched: data are "
                     "contiguous in the memories of GPUs",
                     from, to);
    else
        return true;
    return false;
}

/* Checks that @segment overlaps no other segment of @platform. */
static bool check_others(struct orr_xml *xml,
                         const struct orr_platform *platform,
                         const struct orr_pitch_segment *segment)
{
    for (unsigned i = 0; i < platform->segment_count; i++) {
        if (!orr_pitch_overlap(&platform->segments[i], segment))
            continue;
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "this segment from %s to %s overlaps number %u of the "
                     "file",
                     orr_platform_node_name(platform, segment->from),
                     orr_platform_node_name(platform, segment->to), i + 1);
        return false;
    }
    return true;
}

static void start_segment(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_pitch_segment segment = {.latency = 0};

    if (!orr_platform_reader_nodes(xml, reader, &segment.from, &segment.to) ||
        !get_kind(xml, &segment.pitched) ||
        !get_range(xml, "bytes-above", "bytes-to", &segment.bytes_above,
                   &segment.bytes_to) ||
        !get_range(xml, "pitch-above", "pitch-to", &segment.pitch_above,
                   &segment.pitch_to) ||
        !orr_xml_time(xml, "latency", &segment.latency) ||
        !orr_xml_rate(xml, "bandwidth", &segment.bytes_per_s) ||
        !check_kind(xml, platform, &segment) ||
        !check_others(xml, platform, &segment))
        return;
    if (platform->segment_count >= MAX_SEGMENTS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d segments",
                     MAX_SEGMENTS);
        return;
    }
    platform->segments = orr_platform_reader_grow(
        platform->segments, platform->segment_count, sizeof(segment));
    platform->segments[platform->segment_count++] = segment;
}

static const struct orr_xml_element segment_element = {
    .name = "segment",
    .required = {"from", "to", "kind", "latency", "bandwidth"},
    .optional = {"bytes-above", "bytes-to", "pitch-above", "pitch-to"},
    .start = start_segment,
};

const struct orr_xml_element orr_platform_xml_pitch = {
    .name = "pitch",
    .optional = {"source"},
    .children = {{&segment_element, ORR_XML_SOME}},
    .start = orr_platform_reader_source,
};
