/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader of platform files: whatever is in a file, it is refused or read,
 * and what is read is written as a file that is read, too. So is what a few
 * changes make of it, unless they are refused.
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "models/platform/platform_change.h"
#include "models/platform/platform_resize.h"
#include "models/platform/topology.h"
#include "tests/fuzz/fuzz.h"

/* The platform that a file of @text describes, or NULL if it is refused. */
static struct orr_platform *read_text(const void *text, size_t size,
                                      GError **error)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("orrery-fuzz-XXXXXX", &path, NULL);
    struct orr_platform *platform;

    if (file < 0 || !g_close(file, NULL) ||
        !g_file_set_contents(path, text, (gssize)size, NULL))
        abort();
    platform = orr_platform_read(path, error);
    g_remove(path);
    return platform;
}

static void expect_readable(const struct orr_platform *platform)
{
    g_autofree char *text = orr_platform_format(platform, NULL);
    g_autoptr(GError) error = NULL;
    struct orr_platform *again = read_text(text, strlen(text), &error);

    if (!again) {
        fprintf(stderr, "%s\nis not read back: %s\n", text, error->message);
        abort();
    }
    orr_platform_free(again);
}

static void change(struct orr_platform *platform)
{
    static const char *const settings[] = {"link.*.bandwidth=0.5x",
                                           "pcie=1GBps", "nvlink=2GBps", NULL};
    const struct orr_what_if what = {.gpus = -1, .cpus = -1, settings, false};
    struct orr_changes *changes = NULL;

    if (orr_platform_grow(platform, platform->gpu_count + 1, 0, NULL))
        changes = orr_platform_change(platform, &what, NULL);
    orr_topology_free(orr_topology_new(platform));
    if (changes)
        expect_readable(platform);
    orr_changes_free(changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct orr_platform *platform = read_text(data, size, NULL);

    if (!platform)
        return 0;
    expect_readable(platform);
    change(platform);
    orr_platform_free(platform);
    return 0;
}
