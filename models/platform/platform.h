/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_H
#define ORR_PLATFORM_H

#include <stdbool.h>

#include "models/base/error.h"
#include "models/base/units.h"
#include "models/cost/flops.h"
#include "models/cost/histogram.h"
#include "models/cost/pitch.h"
#include "models/energy/power_table.h"

/*
 * The simulated machine: processors, memory nodes, links between them, the
 * durations of kernels on each processor, and the durations of copies that a
 * runtime on this machine would predict.
 *
 * A platform never changes once built, so runs and threads may share one. It
 * is read from XML by platform_xml.h; docs/PLATFORMS.md describes the file.
 *
 * Memory node 0 is the host's RAM, node g + 1 is the memory of GPU g. Devices
 * on which kernels run have the same numbers: device 0 is a CPU core (all cores
 * are equal), device g + 1 is GPU g. So a device has the same number as the
 * memory node that it works in.
 */

#define ORR_RAM 0u
#define ORR_MAX_NODES 32u /* RAM and up to 31 GPUs */

/* Limits of platform files. */
#define ORR_MAX_CORES 100000u
#define ORR_MAX_KERNELS 4096u

/* The least memory of a GPU, and the least that a run can use, bytes. Runs use
 * 90 % of a GPU's memory, in whole MiB: with less, nothing would be left. */
#define ORR_MIN_MEMORY ((uint64_t)2 * 1024 * 1024)
#define ORR_MIN_USABLE_MEMORY ((uint64_t)1024 * 1024)

enum orr_precision { ORR_SINGLE, ORR_DOUBLE };

/* "single" or "double". */
const char *orr_precision_name(enum orr_precision precision);

/* Parts of a platform that may be placeholders or missing; a bit each. */
enum orr_platform_part {
    ORR_PLATFORM_MEMORY = 1, /* the size of some GPU's memory */
    ORR_PLATFORM_LINKS = 2,  /* bandwidths and latencies */
    ORR_PLATFORM_KERNELS = 4 /* durations */
};

#define ORR_PLATFORM_PARTS 3

/* Sections of a platform file that state the origin of their figures. Kernels
 * do so one by one. */
enum orr_platform_section {
    ORR_SECTION_PROCESSORS,
    ORR_SECTION_LINKS,
    ORR_SECTION_ROUTES,
    ORR_SECTION_PITCH,
    ORR_SECTION_CALIBRATION,
    ORR_SECTION_OVERHEADS,
    ORR_SECTION_POWER,
    ORR_SECTIONS,
};

/* The most bytes of the text about an origin. */
#define ORR_MAX_SOURCE 4096u

/* A GPU and its memory. */
struct orr_platform_gpu {
    char *name;            /* "CUDA0"; also the name of its memory node */
    char *model;           /* as the vendor calls it, or NULL */
    uint64_t memory_bytes; /* of the card; the runtime leaves some unused */
    bool peer;             /* it can copy directly from other GPUs */
    unsigned socket;       /* where its driver core is */
};

/* The technology of a link. If a file does not state it, interconnect.h derives
 * it from the routes. */
enum orr_link_kind {
    ORR_LINK_UNSTATED,
    ORR_LINK_PCIE,   /* PCI Express, its switches, the interface to the host */
    ORR_LINK_DIRECT, /* between GPUs: NVLink or the like */
    ORR_LINK_MEMORY, /* the host's memory, and links between its sockets */
    ORR_LINK_KINDS,
};

/* "pcie", "direct", "memory"; NULL for unstated. */
const char *orr_link_kind_name(enum orr_link_kind kind);

/* A link. It is used in one direction or in both, depending on the routes that
 * list it. */
struct orr_platform_link {
    char *name;
    double bytes_per_s; /* > 0, shared by the copies that cross it */
    orr_time latency;   /* ns, >= 0, added once to each copy */
    double delay_s;     /* >= 0: of two copies that share a link, the one with
                           less latency and delay gets more of it */
    enum orr_link_kind kind;
    struct orr_link_power power; /* zero: unknown */
};

/*
 * The links that a copy crosses, as indexes into the platform's links. A link
 * listed twice is used twice: a copy between GPUs through the host interface
 * goes in and out of it.
 */
struct orr_platform_route {
    unsigned count; /* 0: no direct route between these nodes */
    unsigned *links;
};

/*
 * Bandwidth and latency between two nodes as the runtime has measured them.
 * Policies plan with these (bus.h); simulated copies use the route.
 */
struct orr_platform_belief {
    double bytes_per_s; /* > 0; 0 when not measured */
    double latency_s;
};

/* The measured duration of a kernel at one size on one device. */
struct orr_platform_duration {
    unsigned tile;      /* rows and columns of the tiles it works on */
    unsigned device;    /* 0: a CPU core; g + 1: GPU g */
    orr_time mean;      /* ns, > 0 */
    double mean_s;      /* the mean in s before rounding; 0 when unknown */
    orr_time deviation; /* standard deviation, ns; 0 when unknown */
    unsigned samples;   /* measurements behind the mean; 0 when unknown */

    /* Distribution of single measurements, owned by the platform; NULL if
       unknown. It may come from other measurements than the mean, with which
       policies plan. */
    const struct orr_histogram *histogram;
};

/*
 * A kernel as calibrated inside one application: gemm of cholesky in single
 * precision is not gemm of lu.
 */
struct orr_platform_kernel {
    char *family; /* the application: "cholesky", "lu" */
    char *name;   /* "gemm" */
    enum orr_precision precision;
    char *source;   /* where the durations come from */
    unsigned inner; /* columns of the inner blocks of its tiles; 0: unknown, or
                       its operands have none */
    unsigned count;
    struct orr_platform_duration *durations; /* by tile, then by device */

    /* Models, for devices on which it was not measured. */
    unsigned flops_count;
    struct orr_flops *flops; /* by device */
};

/*
 * The time that operations of the runtime take, in ns (the constants of StarPU
 * over SimGrid). host_pin is per MiB.
 */
struct orr_platform_overheads {
    orr_time submit;         /* after each task submission */
    orr_time push;           /* before each push of a ready task */
    orr_time fetch;          /* for each buffer of a popped task */
    orr_time progress;       /* for each memory node, each turn of a worker */
    orr_time kernel_queue;   /* to queue a kernel on a GPU */
    orr_time transfer_queue; /* to queue a copy */
    orr_time stream_start;   /* once, by the first copy between two nodes */
    orr_time gpu_alloc;
    orr_time gpu_free;
    orr_time host_pin;
};

#define ORR_OVERHEADS 10u

/* Overhead number @i (< ORR_OVERHEADS), and its name in files. */
orr_time *orr_platform_overhead(struct orr_platform_overheads *overheads,
                                unsigned i);
const char *orr_platform_overhead_name(unsigned i);

struct orr_platform {
    char *name;
    char *description;     /* one line, or NULL */
    char *path;            /* where it was read from */
    char *models;          /* default switches of runs, as orr_switches_parse()
                              reads them; or NULL */
    unsigned uncalibrated; /* enum orr_platform_part; runs need 0 */
    unsigned cores;        /* each GPU in use takes one as its driver */
    unsigned sockets;      /* of equal numbers of cores; 0: not stated */
    char *cpu_model;       /* or NULL */

    unsigned gpu_count;
    struct orr_platform_gpu *gpus;

    unsigned link_count;
    struct orr_platform_link *links;

    /* Matrices of node_count x node_count, [from * node_count + to]. */
    unsigned node_count; /* gpu_count + 1 */
    struct orr_platform_route *routes;
    struct orr_platform_belief *beliefs;

    /* Durations of copies that depend on the pitch: see pitch.h. */
    unsigned segment_count;
    struct orr_pitch_segment *segments;

    struct orr_platform_overheads overheads;

    unsigned kernel_count;
    struct orr_platform_kernel *kernels;

    /* struct orr_regression *, owned: formulas of StarPU (regression.h) */
    GPtrArray *regressions;

    /* By device, node_count of them; NULL: the power is unknown. */
    struct orr_power_table *power;

    char *sources[ORR_SECTIONS]; /* origins of figures, for people; or NULL */

    GPtrArray *histograms; /* owned; each is used by one or more durations */

    /* char *, for people: parts that the reader has left out, and figures that
       contradict each other (plausibility.h). */
    GPtrArray *notes;
};

/* An empty platform with the default overheads, to be filled by a reader. */
struct orr_platform *orr_platform_new(void);

/* NULL is allowed. */
void orr_platform_free(struct orr_platform *platform);

/* "memory", "links", "kernels" for @i = 0, 1, 2: the bit 1 << i. */
const char *orr_platform_part_name(unsigned i);

/* "processors", "links", ...: the name of a section in files. */
const char *orr_platform_section_name(enum orr_platform_section section);

/*
 * Appends "; " and @text to *@source, the text about an origin, which may be
 * NULL, unless @text is there already. If both together are longer than
 * ORR_MAX_SOURCE, only @text stays, as far as it fits.
 */
void orr_source_add(char **source, const char *text);

/*
 * The origin of the figures of @platform: "calibrated" (all are measured),
 * "modelled" (some kernels are modelled) or "uncalibrated" (some figures are
 * missing).
 */
const char *orr_platform_state(const struct orr_platform *platform);

/* orr_platform_state() with the missing parts: "uncalibrated: links, kernels".
 * Free with g_free(). */
char *orr_platform_parameters(const struct orr_platform *platform);

/*
 * Checks that runs can use @platform. Returns false with ORR_ERROR_VALUE, which
 * names the missing parts and how to add them.
 */
bool orr_platform_check_calibrated(const struct orr_platform *platform,
                                   GError **error);

/* "RAM" or the GPU's name; borrowed. @node < node_count. */
const char *orr_platform_node_name(const struct orr_platform *platform,
                                   unsigned node);

/* "CPU" or the GPU's name; borrowed. @device < node_count. */
const char *orr_platform_device_name(const struct orr_platform *platform,
                                     unsigned device);

/*
 * A name for a new link: the formatted text, followed by a number if there is
 * such a name already. Free with g_free().
 */
char *orr_platform_link_name(const struct orr_platform *platform,
                             const char *format, ...) G_GNUC_PRINTF(2, 3);

const struct orr_platform_route *
orr_platform_route(const struct orr_platform *platform, unsigned from,
                   unsigned to);

const struct orr_platform_belief *
orr_platform_belief(const struct orr_platform *platform, unsigned from,
                    unsigned to);

/* Changes the number of cores. The watts of a core stay as they are:
 * orr_power_table_set_cores(). */
void orr_platform_set_cores(struct orr_platform *platform, unsigned cores);

/*
 * The socket of core @core (< cores - @gpus), counted among the cores that are
 * left when each of the first @gpus GPUs has taken a driver core of its socket.
 * 0 if the platform states no sockets.
 */
unsigned orr_platform_socket(const struct orr_platform *platform, unsigned gpus,
                             unsigned core);

/*
 * Finds a kernel; borrowed. Returns NULL with ORR_ERROR_UNKNOWN if there is
 * none; the message lists the kernels that there are.
 */
const struct orr_platform_kernel *
orr_platform_kernel(const struct orr_platform *platform, const char *family,
                    const char *name, enum orr_precision precision,
                    GError **error);

/* The kernel, which is added without durations if there is none; NULL if there
 * are ORR_MAX_KERNELS already. Borrowed until the next one is added. */
struct orr_platform_kernel *
orr_platform_get_kernel(struct orr_platform *platform, const char *family,
                        const char *name, enum orr_precision precision);

/* The measured duration of @kernel at @tile on @device; borrowed, or NULL. */
const struct orr_platform_duration *
orr_platform_find_duration(const struct orr_platform_kernel *kernel,
                           unsigned tile, unsigned device);

/* The model of @kernel on @device; borrowed, or NULL. */
const struct orr_flops *
orr_platform_flops(const struct orr_platform_kernel *kernel, unsigned device);

/*
 * The mean duration of @kernel at @tile on @device, in ns, as measured or as
 * modelled (flops.h); ORR_NEVER if unknown.
 */
orr_time orr_platform_duration(const struct orr_platform_kernel *kernel,
                               unsigned tile, unsigned device);

/*
 * The tile sizes for which @kernel has a duration on some device, for messages:
 * "320, 640, 960" or "960, any (modelled)". Free with g_free().
 */
char *orr_platform_tiles(const struct orr_platform_kernel *kernel);

/* Whether @device is switched off (power_table.h). */
bool orr_platform_is_off(const struct orr_platform *platform, unsigned device);

/* Switches off @device, a GPU of a platform with power: no kernel can run there
 * any more. */
void orr_platform_switch_off(struct orr_platform *platform, unsigned device);

/* Sorts durations and models of @kernel. Readers call it once all are there. */
void orr_platform_kernel_sort(struct orr_platform_kernel *kernel);

#endif
