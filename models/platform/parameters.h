/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARAMETERS_H
#define ORR_PARAMETERS_H

#include "models/platform/platform.h"

/*
 * The parameters of a platform, one by one, so that any can be named, read and
 * changed. Each has a path:
 *
 *   cores                                      CPU cores
 *   memory.GPU.size                            of the card
 *   link.LINK.bandwidth, link.LINK.latency
 *   belief.FROM-TO.bandwidth, belief.FROM-TO.latency
 *                                              what policies believe of copies
 *   pitch.FROM-TO.KIND.bandwidth, pitch.FROM-TO.KIND.latency
 *                                              segments of copies (pitch.h);
 *                                              KIND is pitched or contiguous
 *   overhead.NAME
 *   kernel.KERNEL.DEVICE.scale                 factor on all its durations
 *   kernel.KERNEL.DEVICE.peak                  where durations are modelled
 *   kernel.KERNEL.DEVICE.TILE.mean, kernel.KERNEL.DEVICE.TILE.deviation
 *
 * KERNEL is a name, "gemm", for all kernels of that name, or one kernel,
 * "cholesky.gemm.single"; DEVICE is CPU or a GPU.
 */
enum orr_parameter_kind {
    ORR_PARAMETER_CORES,
    ORR_PARAMETER_MEMORY,    /* bytes */
    ORR_PARAMETER_BANDWIDTH, /* bytes/s */
    ORR_PARAMETER_LATENCY,   /* ns */
    ORR_PARAMETER_BELIEF_BANDWIDTH,
    ORR_PARAMETER_BELIEF_LATENCY, /* s */
    ORR_PARAMETER_PITCH_BANDWIDTH,
    ORR_PARAMETER_PITCH_LATENCY, /* ns */
    ORR_PARAMETER_OVERHEAD,      /* ns */
    ORR_PARAMETER_SCALE,         /* 1, as durations are now */
    ORR_PARAMETER_PEAK,          /* flop/s, where kernels are modelled */
    ORR_PARAMETER_MEAN,          /* ns */
    ORR_PARAMETER_DEVIATION,     /* ns */
    ORR_PARAMETERS,
};

enum orr_parameter_unit {
    ORR_UNIT_COUNT,
    ORR_UNIT_BYTES,
    ORR_UNIT_RATE,    /* bytes/s */
    ORR_UNIT_TIME,    /* ns, whole */
    ORR_UNIT_SECONDS, /* not rounded */
    ORR_UNIT_NUMBER,
    ORR_UNIT_FLOPS, /* flop/s */
};

enum orr_parameter_unit orr_parameter_unit(enum orr_parameter_kind kind);

struct orr_parameter {
    enum orr_parameter_kind kind;
    unsigned index;  /* GPU's node, link, pair (from * node_count + to),
                        segment, overhead or kernel */
    unsigned device; /* of a kernel */
    unsigned tile;   /* of a duration */
    double before;   /* a change of it, */
    double after;    /* in the unit of its kind */
};

/* A new value, or a factor on the old one. */
struct orr_parameter_value {
    bool is_factor;
    double number; /* >= 0, in the unit of the kind */
};

/*
 * The kind of the parameters that @path, which may hold wildcards, can name.
 * Returns false with ORR_ERROR_UNKNOWN, a message that lists the kinds.
 */
bool orr_parameter_kind_of(const char *path, enum orr_parameter_kind *kind,
                           GError **error);

/*
 * Reads a value for parameters of @kind: a quantity with its unit or, for any,
 * a factor, "2x"; a plain number for a scale or a count of cores. Returns false
 * with ORR_ERROR_VALUE when it is neither or cannot be, such as 0GBps.
 */
bool orr_parameter_parse(enum orr_parameter_kind kind, const char *text,
                         struct orr_parameter_value *value, GError **error);

/* All parameters of @kind: struct orr_parameter, to be freed by the caller. */
GArray *orr_parameters_list(const struct orr_platform *platform,
                            enum orr_parameter_kind kind);

/*
 * The parameters of @kind whose path @path matches, wildcards and all (glob.h).
 * If there is none, a link may also be called by the two memories of a route,
 * "RAM-CUDA0": it is the only link of that route, or the only one that is on
 * no other. To be freed by the caller; NULL with
 *   ORR_ERROR_UNKNOWN  nothing is called that; the message lists what there is
 *   ORR_ERROR_VALUE    the route has several such links
 */
GArray *orr_parameters_match(const struct orr_platform *platform,
                             const char *path, enum orr_parameter_kind kind,
                             GError **error);

/*
 * The path of @parameter, number @variant (from 0) of those that it has, or
 * NULL when it has no more. To be freed with g_free().
 */
char *orr_parameter_path(const struct orr_platform *platform,
                         const struct orr_parameter *parameter,
                         unsigned variant);

/*
 * Sets @parameter, with what it was and is now. Returns false with
 * ORR_ERROR_VALUE when a platform file would not be allowed to say that; the
 * platform is then as it was.
 */
bool orr_parameter_set(struct orr_platform *platform,
                       struct orr_parameter *parameter,
                       const struct orr_parameter_value *value, GError **error);

/*
 * Whether every parameter is one that a platform file may have, also those that
 * followed others. Else false with ORR_ERROR_VALUE, naming the first.
 */
bool orr_parameters_check(struct orr_platform *platform, GError **error);

#endif
