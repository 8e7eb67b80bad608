/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARAMETERS_H
#define ORR_PARAMETERS_H

#include "models/platform/platform.h"

/*
 * The numbers of a platform as a list of parameters, each of which can be
 * named, read and changed. Each has a path:
 *
 *   cores                                      CPU cores
 *   memory.GPU.size                            of the card
 *   link.LINK.bandwidth, link.LINK.latency
 *   belief.FROM-TO.bandwidth, belief.FROM-TO.latency
 *                                              by which policies predict copies
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
    ORR_PARAMETER_SCALE,         /* factor on present durations: reads as 1 */
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
    double before;   /* its old value, in the unit of its kind */
    double after;    /* its new value, in the unit of its kind */
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
 * Parses a new value of parameters of @kind: a quantity with its unit, or a
 * factor such as "2x". A scale or a count of cores is a plain number. Returns
 * false with ORR_ERROR_VALUE if it is none of these, or not possible (0GBps).
 */
bool orr_parameter_parse(enum orr_parameter_kind kind, const char *text,
                         struct orr_parameter_value *value, GError **error);

/* All parameters of @kind: an array of struct orr_parameter, owned. */
GArray *orr_parameters_list(const struct orr_platform *platform,
                            enum orr_parameter_kind kind);

/*
 * The parameters of @kind whose path matches @path, which may hold wildcards
 * (glob.h). If there is none, @path may also name a link by the two memories of
 * a route, "RAM-CUDA0", if the route has only one link, or only one that is on
 * no other route. Returns an owned array, or NULL with
 *   ORR_ERROR_UNKNOWN  no path matches; the message lists the existing ones
 *   ORR_ERROR_VALUE    the route has several such links
 */
GArray *orr_parameters_match(const struct orr_platform *platform,
                             const char *path, enum orr_parameter_kind kind,
                             GError **error);

/*
 * The path of @parameter. If it has several, number @variant (from 0) of them;
 * NULL if it has no more. Free with g_free().
 */
char *orr_parameter_path(const struct orr_platform *platform,
                         const struct orr_parameter *parameter,
                         unsigned variant);

/*
 * Changes @parameter in @platform, and sets its members before and after.
 * Returns false with ORR_ERROR_VALUE, and @platform unchanged, if a platform
 * file may not have such a value.
 */
bool orr_parameter_set(struct orr_platform *platform,
                       struct orr_parameter *parameter,
                       const struct orr_parameter_value *value, GError **error);

/*
 * Checks that all parameters of @platform are allowed in a platform file.
 * Returns false with ORR_ERROR_VALUE, which names the first that is not.
 */
bool orr_parameters_check(struct orr_platform *platform, GError **error);

#endif
