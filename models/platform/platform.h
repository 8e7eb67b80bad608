/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_H
#define ORR_PLATFORM_H

#include <stdbool.h>

#include "models/base/error.h"
#include "models/base/units.h"
#include "models/cost/flops.h"
#include "models/cost/histogram.h"
#include "models/cost/pitch.h"

/*
 * The simulated machine: processors, memory nodes, links between them, what
 * each kernel costs on each processor, and what a runtime on this machine
 * believes that a copy costs.
 *
 * A platform never changes once built, so runs and threads may share one. It
 * is read from XML by platform_xml.h; docs/PLATFORMS.md describes the file.
 *
 * Memory node 0 is the host's RAM, node g + 1 is the memory of GPU g. Devices
 * on which kernels run are numbered alike: device 0 is a CPU core (all cores
 * are alike), device g + 1 is GPU g. So a device's number is also that of the
 * memory node that it works in.
 */

#define ORR_RAM 0u
#define ORR_MAX_NODES 32u /* RAM and up to 31 GPUs */

/* Of a GPU: runs use 90 % of it in whole MiB, of less nothing. */
#define ORR_MIN_MEMORY ((uint64_t)2 * 1024 * 1024)

enum orr_precision { ORR_SINGLE, ORR_DOUBLE };

/* "single" or "double". */
const char *orr_precision_name(enum orr_precision precision);

/* What of a platform is still a placeholder or missing, a bit each. */
enum orr_platform_part {
    ORR_PLATFORM_MEMORY = 1, /* the size of some GPU's memory */
    ORR_PLATFORM_LINKS = 2,  /* bandwidths and latencies */
    ORR_PLATFORM_KERNELS = 4 /* durations */
};

#define ORR_PLATFORM_PARTS 3

/* A GPU and its memory. */
struct orr_platform_gpu {
    char *name;            /* "CUDA0"; also the name of its memory node */
    char *model;           /* as the vendor calls it, or NULL */
    uint64_t memory_bytes; /* of the card; the runtime leaves some unused */
    bool peer;             /* copies directly from another GPU's memory */
    unsigned socket;       /* of the core that drives it */
};

/* What links are made of; interconnect.h finds out where files do not say. */
enum orr_link_kind {
    ORR_LINK_UNSTATED,
    ORR_LINK_PCIE,   /* PCI Express, its switches, the interface to the host */
    ORR_LINK_DIRECT, /* between GPUs: NVLink or the like */
    ORR_LINK_MEMORY, /* the host's memory, and what joins its sockets */
    ORR_LINK_KINDS,
};

/* "pcie", "direct", "memory"; NULL for unstated. */
const char *orr_link_kind_name(enum orr_link_kind kind);

/* A link, one way or shared by both, as the routes that list it decide. */
struct orr_platform_link {
    char *name;
    double bytes_per_s; /* > 0, split between the copies that cross it */
    orr_time latency;   /* ns, >= 0, paid once by each copy */
    enum orr_link_kind kind;
};

/*
 * The links that a copy crosses, as indexes into the platform's links. A
 * link listed twice is consumed twice: a GPU to GPU copy that passes through
 * the host interface goes in and out of it.
 */
struct orr_platform_route {
    unsigned count; /* 0: no direct route between these nodes */
    unsigned *links;
};

/*
 * What the runtime believes of a copy between two nodes, from its own
 * measurements: policies plan with this, copies take the route. See bus.h.
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
    double mean_s;      /* the same before it was rounded, or 0 */
    orr_time deviation; /* standard deviation, ns; 0 when unknown */
    unsigned samples;   /* measurements behind the mean; 0 when unknown */

    /* Of single measurements; the platform's. NULL: none were kept. Policies
       plan with the mean above, which comes from another day. */
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
    char *source; /* where the figures come from */
    unsigned count;
    struct orr_platform_duration *durations; /* by tile, then by device */

    /* Where it was not measured but is modelled: other devices than above. */
    unsigned flops_count;
    struct orr_flops *flops; /* by device */
};

/*
 * Time that the runtime itself takes, in ns (REFERENCE: StarPU's simgrid
 * constants). host_pin is per MiB.
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

/* Overhead number @i (< ORR_OVERHEADS), and what files call it. */
orr_time *orr_platform_overhead(struct orr_platform_overheads *overheads,
                                unsigned i);
const char *orr_platform_overhead_name(unsigned i);

struct orr_platform {
    char *name;
    char *description; /* one line, or NULL */
    char *path;        /* where it was read from */
    char *models;      /* what switches.h parses: the switches of a run on this
                          machine unless said otherwise; or NULL */
    unsigned uncalibrated; /* enum orr_platform_part: no run until it is 0 */
    unsigned cores;        /* each GPU in use takes one for its driver */
    unsigned sockets;      /* each with as many of the cores; 0: not stated */
    char *cpu_model;       /* or NULL */

    unsigned gpu_count;
    struct orr_platform_gpu *gpus;

    unsigned link_count;
    struct orr_platform_link *links;

    /* Both node_count x node_count, [from * node_count + to]. */
    unsigned node_count; /* gpu_count + 1 */
    struct orr_platform_route *routes;
    struct orr_platform_belief *beliefs;

    /* Copies that take other than their route gives: see pitch.h. */
    unsigned segment_count;
    struct orr_pitch_segment *segments;

    struct orr_platform_overheads overheads;

    unsigned kernel_count;
    struct orr_platform_kernel *kernels;

    GPtrArray *histograms; /* owned; durations, also several, refer to them */
};

/* An empty platform with the default overheads, to be filled by a reader. */
struct orr_platform *orr_platform_new(void);

/* NULL is allowed. */
void orr_platform_free(struct orr_platform *platform);

/* "memory", "links", "kernels" for @i = 0, 1, 2: the bit 1 << i. */
const char *orr_platform_part_name(unsigned i);

/*
 * Where the figures of @platform come from: "calibrated" (measured),
 * "modelled" (some kernel's are) or "uncalibrated" (some are missing).
 */
const char *orr_platform_state(const struct orr_platform *platform);

/* The same, with what is missing: "uncalibrated: links, kernels". Owned. */
char *orr_platform_parameters(const struct orr_platform *platform);

/*
 * Whether @platform can be used for a run. Else false with ORR_ERROR_VALUE: a
 * message that names what is missing and says what to do.
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
 * A name for one more link: what @format makes, with a number behind it if
 * that is taken. To be freed with g_free().
 */
char *orr_platform_link_name(const struct orr_platform *platform,
                             const char *format, ...) G_GNUC_PRINTF(2, 3);

const struct orr_platform_route *
orr_platform_route(const struct orr_platform *platform, unsigned from,
                   unsigned to);

const struct orr_platform_belief *
orr_platform_belief(const struct orr_platform *platform, unsigned from,
                    unsigned to);

/*
 * The socket of a core, by its number among those that are left when each of
 * the first @gpus GPUs has taken one of its socket; 0 where no sockets are
 * stated. @core < cores - @gpus.
 */
unsigned orr_platform_socket(const struct orr_platform *platform, unsigned gpus,
                             unsigned core);

/*
 * Returns the kernel, borrowed, or NULL with ORR_ERROR_UNKNOWN, a message
 * that names it and lists the kernels that there are.
 */
const struct orr_platform_kernel *
orr_platform_kernel(const struct orr_platform *platform, const char *family,
                    const char *name, enum orr_precision precision,
                    GError **error);

/* What is known of @kernel at @tile on @device, borrowed, or NULL. */
const struct orr_platform_duration *
orr_platform_find_duration(const struct orr_platform_kernel *kernel,
                           unsigned tile, unsigned device);

/* How @kernel is modelled on @device, borrowed; NULL if it is not. */
const struct orr_flops *
orr_platform_flops(const struct orr_platform_kernel *kernel, unsigned device);

/*
 * Mean duration of @kernel at @tile on @device, ns, as measured or, on devices
 * where it is modelled, as flops.h says; ORR_NEVER if unknown.
 */
orr_time orr_platform_duration(const struct orr_platform_kernel *kernel,
                               unsigned tile, unsigned device);

/*
 * The sizes at which @kernel is known on some device, as "320, 640, 960" or
 * "960, any (modelled)", for messages. To be freed with g_free().
 */
char *orr_platform_tiles(const struct orr_platform_kernel *kernel);

/* For readers: puts durations and models of @kernel in their order. */
void orr_platform_kernel_sort(struct orr_platform_kernel *kernel);

#endif
