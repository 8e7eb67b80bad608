/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What nvbandwidth and nvidia-smi topo print: it is refused, or makes a machine
 * that is written as a file that is read. JSON begins with a brace.
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/format/platform_save.h"
#include "models/format/platform_xml.h"
#include "models/import/bandwidth.h"
#include "models/import/platform_parts.h"
#include "tests/fuzz/fuzz.h"

enum { GPUS = 4 };

static char *write_text(const void *text, size_t size)
{
    char *path = NULL;
    int file = g_file_open_tmp("orrery-fuzz-XXXXXX", &path, NULL);

    if (file < 0 || !g_close(file, NULL) ||
        !g_file_set_contents(path, text, (gssize)size, NULL))
        abort();
    return path;
}

/* A machine without links and kernels. */
static struct orr_platform *make_platform(void)
{
    struct orr_platform *platform = orr_platform_new();

    platform->name = g_strdup("fuzz");
    platform->cores = GPUS;
    platform->gpu_count = GPUS;
    platform->node_count = GPUS + 1;
    platform->gpus = g_new0(struct orr_platform_gpu, GPUS);
    for (unsigned g = 0; g < GPUS; g++) {
        platform->gpus[g].name = g_strdup_printf("CUDA%u", g);
        platform->gpus[g].model = g_strdup("A100 PCIe 40GB");
        platform->gpus[g].memory_bytes = (uint64_t)1 << 30;
    }
    return platform;
}

static void expect_readable(const struct orr_bandwidth *bandwidth)
{
    struct orr_platform *platform = make_platform();
    g_autofree char *text = NULL;
    g_autofree char *path = NULL;
    g_autoptr(GError) error = NULL;
    struct orr_platform *again;

    orr_bandwidth_apply(platform, bandwidth, "fuzz", NULL);
    text = orr_platform_format(platform, NULL);
    path = write_text(text, strlen(text));
    again = orr_platform_read(path, &error);
    g_remove(path);
    if (!again) {
        fprintf(stderr, "%s\nis not read back: %s\n", text, error->message);
        abort();
    }
    orr_platform_free(again);
    orr_platform_free(platform);
}

/* Rates that are there where the text tells only the wiring. */
static void fill(struct orr_bandwidth *bandwidth)
{
    for (unsigned from = 0; from <= GPUS; from++) {
        for (unsigned to = 0; to <= GPUS; to++)
            bandwidth->lone[from][to] = 1e9 * (1 + from + 2 * to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct orr_bandwidth *bandwidth = g_new0(struct orr_bandwidth, 1);
    g_autofree char *path = write_text(data, size);
    bool is_json = size > 0 && data[0] == '{';
    bool good;

    if (!is_json)
        fill(bandwidth);
    good = is_json ? orr_bandwidth_read(bandwidth, path, GPUS, NULL)
                   : orr_wiring_read(bandwidth, path, GPUS, NULL);
    g_remove(path);
    if (good)
        expect_readable(bandwidth);
    g_free(bandwidth);
    return 0;
}
