/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_FILE_H
#define ORR_PLATFORM_FILE_H

#include <string.h>

#include "models/format/platform_xml.h"
#include "models/platform/platform_change.h"
#include "tests/support/temp_file.h"

static inline void expect_near(double value, double expected, double margin)
{
    if (!(value >= expected - margin && value <= expected + margin))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* Platforms for tests, and what there is to ask about them. */
static inline struct orr_platform *platform_read(const char *name)
{
    g_autofree char *path = source_file(name);
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform = orr_platform_read(path, &error);

    if (error)
        fail_msg("%s", error->message);
    return platform;
}

static inline const struct orr_platform_link *
platform_link(const struct orr_platform *platform, const char *name)
{
    for (unsigned i = 0; i < platform->link_count; i++) {
        if (strcmp(platform->links[i].name, name) == 0)
            return &platform->links[i];
    }
    fail_msg("no link %s", name);
    return NULL;
}

static inline double platform_rate(const struct orr_platform *platform,
                                   const char *link)
{
    return platform_link(platform, link)->bytes_per_s;
}

/* "up, Host": the links of a route. Owned. */
static inline char *platform_route(const struct orr_platform *platform,
                                   unsigned from, unsigned to)
{
    const struct orr_platform_route *route =
        orr_platform_route(platform, from, to);
    GString *names = g_string_new(NULL);

    for (unsigned i = 0; i < route->count; i++)
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
                               platform->links[route->links[i]].name);
    return g_string_free(names, FALSE);
}

static inline void platform_expect_route(const struct orr_platform *platform,
                                         unsigned from, unsigned to,
                                         const char *expected)
{
    g_autofree char *route = platform_route(platform, from, to);

    assert_string_equal(route, expected);
}

static inline struct orr_changes *
platform_change(struct orr_platform *platform, const struct orr_what_if *what)
{
    g_autoptr(GError) error = NULL;
    struct orr_changes *changes = orr_platform_change(platform, what, &error);

    if (error)
        fail_msg("%s", error->message);
    return changes;
}

/* Applies one setting, and forgets what it was. */
static inline void platform_set(struct orr_platform *platform,
                                const char *setting)
{
    const char *const settings[] = {setting, NULL};

    orr_changes_free(platform_change(
        platform, &(struct orr_what_if){-1, -1, settings, false}));
}

#endif
