/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether the numbers of a platform are measured, modelled or missing, and
 * where they are from. */
#include <string.h>

#include "models/platform/platform.h"

/* In the order of the bits of enum orr_platform_part. */
static const struct {
    const char *name;
    const char *missing;
} parts[ORR_PLATFORM_PARTS] = {
    {"memory", "memory (of some GPU: a placeholder)"},
    {"links", "links (bandwidths and latencies are nominal)"},
    {"kernels", "kernels (there are no durations)"},
};

const char *orr_platform_part_name(unsigned i)
{
    g_assert(i < ORR_PLATFORM_PARTS);
    return parts[i].name;
}

/* The parts that are marked as missing, and kernels if there are none. */
static unsigned missing_parts(const struct orr_platform *platform)
{
    return platform->uncalibrated |
           (platform->kernel_count == 0 ? ORR_PLATFORM_KERNELS : 0);
}

const char *orr_platform_state(const struct orr_platform *platform)
{
    if (missing_parts(platform))
        return "uncalibrated";
    for (unsigned i = 0; i < platform->kernel_count; i++) {
        if (platform->kernels[i].flops_count > 0)
            return "modelled";
    }
    return "calibrated";
}

char *orr_platform_parameters(const struct orr_platform *platform)
{
    GString *text = g_string_new(orr_platform_state(platform));
    const char *separator = ": ";

    for (unsigned i = 0; i < ORR_PLATFORM_PARTS; i++) {
        if (!(missing_parts(platform) & (1u << i)))
            continue;
        g_string_append_printf(text, "%s%s", separator, parts[i].name);
        separator = ", ";
    }
    return g_string_free(text, FALSE);
}

bool orr_platform_check_calibrated(const struct orr_platform *platform,
                                   GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);

    for (unsigned i = 0; i < ORR_PLATFORM_PARTS; i++) {
        if (platform->uncalibrated & (1u << i))
            g_string_append_printf(missing, "%s%s",
                                   missing->len > 0 ? ", " : "",
                                   parts[i].missing);
    }
    if (missing->len == 0)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: platform %s is not calibrated: %s; measure these, write "
                "them into the file and take their names out of "
                "uncalibrated=\"...\" there (docs/PLATFORMS.md, \"Calibrating "
                "a detected machine\")",
                platform->path ? platform->path : "(no file)", platform->name,
                missing->str);
    return false;
}

const char *orr_platform_section_name(enum orr_platform_section section)
{
    static const char *const names[ORR_SECTIONS] = {
        [ORR_SECTION_PROCESSORS] = "processors",
        [ORR_SECTION_LINKS] = "links",
        [ORR_SECTION_ROUTES] = "routes",
        [ORR_SECTION_PITCH] = "pitch",
        [ORR_SECTION_CALIBRATION] = "calibration",
        [ORR_SECTION_OVERHEADS] = "overheads",
        [ORR_SECTION_POWER] = "power",
    };

    g_assert(section < ORR_SECTIONS);
    return names[section];
}

/* The beginning of @text that fits, in whole characters. */
static char *cut(const char *text)
{
    const char *end;

    if (strlen(text) <= ORR_MAX_SOURCE)
        return g_strdup(text);
    end = g_utf8_find_prev_char(text, text + ORR_MAX_SOURCE);
    return g_strndup(text, (size_t)(end - text));
}

void orr_source_add(char **source, const char *text)
{
    g_autofree char *old = *source;

    if (old && strstr(old, text)) {
        *source = g_steal_pointer(&old);
        return;
    }
    *source = old ? g_strdup_printf("%s; %s", old, text) : g_strdup(text);
    if (strlen(*source) <= ORR_MAX_SOURCE)
        return;
    g_free(*source);
    *source = cut(text);
}

bool orr_platform_is_off(const struct orr_platform *platform, unsigned device)
{
    return platform->power && platform->power[device].off;
}

static void forget_kernel(struct orr_platform_kernel *kernel, unsigned device)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].device != device)
            kernel->durations[kept++] = kernel->durations[i];
    }
    kernel->count = kept;
    kept = 0;
    for (unsigned i = 0; i < kernel->flops_count; i++) {
        if (kernel->flops[i].device != device)
            kernel->flops[kept++] = kernel->flops[i];
    }
    kernel->flops_count = kept;
}

void orr_platform_switch_off(struct orr_platform *platform, unsigned device)
{
    g_assert(platform->power && device != ORR_RAM);
    platform->power[device].off = true;
    for (unsigned k = 0; k < platform->kernel_count; k++)
        forget_kernel(&platform->kernels[k], device);
}
