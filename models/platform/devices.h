/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DEVICES_H
#define ORR_DEVICES_H

#include "models/platform/platform.h"

/*
 * Data sheets of processors: memory and peak speed of a GPU card or a CPU
 * socket. Speeds are in flop/s, rates in bytes/s.
 */
struct orr_device {
    const char *part;  /* on the command line: "a100-40" */
    const char *model; /* as the vendor calls it */
    const char *match; /* parts of names of the model in files: "A|B" */
    unsigned year;     /* when it came out */
    unsigned cores;    /* of a CPU; 0: the device is a GPU */
    double memory_gib; /* of a GPU */
    double bandwidth;  /* of the GPU's memory */
    double peak[2];    /* by precision; of tensor cores if they compute in this
                          precision */
    double tdp_w;      /* thermal design power of the card or socket; 0: the
                          vendor states only a sum with other parts */
    const char *source;

    /* Of a GPU: the calibrated machine with the nearest generation of GPUs,
       whose kernels reach a similar share of the peak. */
    const char *curves;
};

/* The devices, GPUs first, each by year; NULL past the last. */
const struct orr_device *orr_device_at(unsigned i);

/* The device called @part, or NULL. */
const struct orr_device *orr_device_find(const char *part);

/* The device with this @model in a platform file; NULL if @model is NULL or not
 * known. */
const struct orr_device *orr_device_of_model(const char *model);

#endif
