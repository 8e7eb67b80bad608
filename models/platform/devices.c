/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/devices.h"

#include <string.h>

#define G 1e9
#define T 1e12

enum { SHOWN = 4 }; /* a message lists at most so many entries */

/* Peaks are those of the boost clock where the vendor states them. */
static const struct orr_device devices[] = {
    {"fx5800",
     "Quadro FX 5800",
     "FX5800|FX 5800",
     2008,
     0,
     4,
     102 * G,
     {622 * G, 78 * G},
     "NVIDIA, Quadro FX 5800 data sheet; 240 cores at 1.3 GHz, one "
     "multiply-add "
     "a cycle; double precision: an eighth",
     "sirocco-k40m"},
    {"c2050",
     "Tesla C2050",
     "C2050",
     2010,
     0,
     3,
     144 * G,
     {1.03 * T, 515 * G},
     "NVIDIA, Tesla C2050 and C2070 board specification",
     "sirocco-k40m"},
    {"m2070",
     "Tesla M2070",
     "M2070",
     2010,
     0,
     6,
     150 * G,
     {1.03 * T, 515 * G},
     "NVIDIA, Tesla M2050 and M2070 board specification",
     "sirocco-k40m"},
    {"k40m",
     "Tesla K40m",
     "K40m",
     2013,
     0,
     12,
     288 * G,
     {5.04 * T, 1.68 * T},
     "NVIDIA, Tesla K40 board specification; at the boost clock of 875 MHz",
     "sirocco-k40m"},
    {"titan-x",
     "GeForce GTX TITAN X",
     "TITAN X",
     2015,
     0,
     12,
     336.5 * G,
     {6.6 * T, 206 * G},
     "NVIDIA, GeForce GTX TITAN X; 3072 cores at 1075 MHz; double precision: a "
     "32nd",
     "sirocco-k40m"},
    {"p100",
     "Tesla P100 PCIe 16GB",
     "P100",
     2016,
     0,
     16,
     732 * G,
     {9.3 * T, 4.7 * T},
     "NVIDIA, Tesla P100 PCIe data sheet",
     "sirocco-p100"},
    {"v100",
     "Tesla V100 PCIe 16GB",
     "V100",
     2017,
     0,
     16,
     900 * G,
     {14 * T, 7 * T},
     "NVIDIA, Tesla V100 data sheet",
     "sirocco-v100"},
    {"rtx8000",
     "Quadro RTX 8000",
     "RTX 8000",
     2018,
     0,
     48,
     672 * G,
     {16.3 * T, 510 * G},
     "NVIDIA, Quadro RTX 8000 data sheet; double precision: a 32nd",
     "sirocco-rtx8000"},
    {"a100-40",
     "A100 PCIe 40GB",
     "A100-PCIE-40GB|A100-SXM4-40GB|A100 PCIe 40GB",
     2020,
     0,
     40,
     1555 * G,
     {19.5 * T, 19.5 * T},
     "NVIDIA, A100 data sheet; double precision with tensor cores",
     "sirocco-a100"},
    {"a100-80",
     "A100 PCIe 80GB",
     "A100 80GB|A100-SXM4-80GB|A100 PCIe 80GB",
     2021,
     0,
     80,
     1935 * G,
     {19.5 * T, 19.5 * T},
     "NVIDIA, A100 data sheet; double precision with tensor cores",
     "sirocco-a100"},
    {"rtx3090",
     "GeForce RTX 3090",
     "RTX 3090",
     2020,
     0,
     24,
     936 * G,
     {35.6 * T, 556 * G},
     "NVIDIA, Ampere GA102 whitepaper; double precision: a 64th",
     "sirocco-rtx8000"},
    {"h100",
     "H100 SXM5 80GB",
     "H100 SXM5|H100 80GB HBM3",
     2022,
     0,
     80,
     3350 * G,
     {67 * T, 67 * T},
     "NVIDIA, H100 data sheet; double precision with tensor cores",
     "sirocco-a100"},
    {"h100-pcie",
     "H100 PCIe 80GB",
     "H100 PCIe",
     2022,
     0,
     80,
     2000 * G,
     {51 * T, 51 * T},
     "NVIDIA, H100 data sheet; double precision with tensor cores",
     "sirocco-a100"},
    {"rtx4090",
     "GeForce RTX 4090",
     "RTX 4090",
     2022,
     0,
     24,
     1008 * G,
     {82.6 * T, 1.29 * T},
     "NVIDIA, Ada GPU architecture whitepaper; double precision: a 64th",
     "sirocco-rtx8000"},
    {"xeon-e5-2680v3",
     "Xeon E5-2680 v3",
     "E5-2680 v3",
     2014,
     12,
     0,
     68 * G,
     {960 * G, 480 * G},
     "Intel; 12 cores at 2.5 GHz, 16 flop a cycle in double precision",
     NULL},
    {"xeon-6142",
     "Xeon Gold 6142",
     "Gold 6142",
     2017,
     16,
     0,
     128 * G,
     {2662 * G, 1331 * G},
     "Intel; 16 cores at 2.6 GHz, 32 flop a cycle in double precision",
     NULL},
    {"xeon-6248",
     "Xeon Gold 6248",
     "Gold 6248",
     2019,
     20,
     0,
     141 * G,
     {3200 * G, 1600 * G},
     "Intel; 20 cores at 2.5 GHz, 32 flop a cycle in double precision",
     NULL},
    {"epyc-7742",
     "EPYC 7742",
     "EPYC 7742",
     2019,
     64,
     0,
     205 * G,
     {4608 * G, 2304 * G},
     "AMD; 64 cores at 2.25 GHz, 16 flop a cycle in double precision",
     NULL},
    {"epyc-7763",
     "EPYC 7763",
     "EPYC 7763",
     2021,
     64,
     0,
     205 * G,
     {5018 * G, 2509 * G},
     "AMD; 64 cores at 2.45 GHz, 16 flop a cycle in double precision",
     NULL},
    {"epyc-9654",
     "EPYC 9654",
     "EPYC 9654",
     2022,
     96,
     0,
     461 * G,
     {7373 * G, 3686 * G},
     "AMD; 96 cores at 2.4 GHz, 16 flop a cycle in double precision",
     NULL},
    {"xeon-8480",
     "Xeon Platinum 8480+",
     "Platinum 8480",
     2023,
     56,
     0,
     307 * G,
     {7168 * G, 3584 * G},
     "Intel; 56 cores at 2.0 GHz, 32 flop a cycle in double precision",
     NULL},
};

const struct orr_device *orr_device_at(unsigned i)
{
    return i < G_N_ELEMENTS(devices) ? &devices[i] : NULL;
}

const struct orr_device *orr_device_find(const char *part)
{
    for (size_t i = 0; i < G_N_ELEMENTS(devices); i++) {
        if (g_ascii_strcasecmp(devices[i].part, part) == 0)
            return &devices[i];
    }
    return NULL;
}

static bool matches(const struct orr_device *device, const char *model)
{
    g_auto(GStrv) names = g_strsplit(device->match, "|", -1);

    for (char **name = names; *name; name++) {
        if (strstr(model, *name))
            return true;
    }
    return false;
}

const struct orr_device *orr_device_of_model(const char *model)
{
    for (size_t i = 0; model && i < G_N_ELEMENTS(devices); i++) {
        if (matches(&devices[i], model))
            return &devices[i];
    }
    return NULL;
}

/* Adds the entry to @list if it is faster than the peak of its GPU. */
static void add_entry(GPtrArray *list, const struct orr_platform *platform,
                      const struct orr_platform_kernel *kernel,
                      const struct orr_platform_duration *duration)
{
    const struct orr_device *device =
        duration->device == 0
            ? NULL
            : orr_device_of_model(platform->gpus[duration->device - 1].model);
    double tile = duration->tile;
    double operations = orr_flops_operations(kernel->name) * tile * tile * tile;
    double speed = operations / orr_time_to_seconds(duration->mean);
    g_autofree char *is = NULL;
    g_autofree char *peak = NULL;

    if (!device || speed <= device->peak[kernel->precision])
        return;
    is = orr_format_flops(speed);
    peak = orr_format_flops(device->peak[kernel->precision]);
    g_ptr_array_add(
        list,
        g_strdup_printf("%s of %s (%s precision, tile %u, %s) %s of %s",
                        kernel->name, kernel->family,
                        orr_precision_name(kernel->precision), duration->tile,
                        orr_platform_device_name(platform, duration->device),
                        is, peak));
}

char *orr_platform_implausible(const struct orr_platform *platform)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = NULL;
    guint count;

    for (unsigned k = 0; k < platform->kernel_count; k++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[k];

        for (unsigned i = 0; i < kernel->count; i++)
            add_entry(list, platform, kernel, &kernel->durations[i]);
    }
    count = list->len;
    if (count == 0)
        return NULL;
    if (count > SHOWN)
        g_ptr_array_set_size(list, SHOWN);
    g_ptr_array_add(list, NULL);
    text = g_strjoinv(", ", (char **)list->pdata);
    return g_strdup_printf(
        "entries above the peak of the card, %u in all: %s%s", count, text,
        count > SHOWN ? ", ..." : "");
}
