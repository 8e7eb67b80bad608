/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader of hwloc's files: whatever is in one, it is refused or makes a
 * platform, and that is written as a file that is read.
 */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): the C library asks for it */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "models/import/platform_hwloc.h"
#include "tests/fuzz/fuzz.h"

/* A file without a place on a disk. */
static int new_file(const void *text, size_t size)
{
    int file = memfd_create("hwloc", MFD_CLOEXEC);

    if (file < 0 || write(file, text, size) != (ssize_t)size)
        abort();
    return file;
}

static void expect_readable(const struct orr_platform *platform)
{
    g_autofree char *text = orr_platform_format(platform, NULL);
    int file = new_file(text, strlen(text));
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
    g_autoptr(GError) error = NULL;
    struct orr_platform *read = orr_platform_read(path, &error);

    if (!read) {
        fprintf(stderr, "%s\nis not read back: %s\n", text, error->message);
        abort();
    }
    orr_platform_free(read);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = new_file(data, size);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
    g_autoptr(GError) error = NULL;
    struct orr_platform *platform = orr_platform_hwloc_read(path, NULL, &error);

    if ((platform == NULL) != (error != NULL))
        abort();
    if (platform)
        expect_readable(platform);
    orr_platform_free(platform);
    close(file);
    return 0;
}
