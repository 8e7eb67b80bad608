/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ASSUMED_SPEED_H
#define ORR_ASSUMED_SPEED_H

#include <glib.h>
#include <stdbool.h>

/*
 * Assumptions about devices, for tasks that the platform has no times of.
 *
 * The first is how fast devices are in relation to each other, for tasks with
 * a recorded duration: such a task takes on a device
 *
 *     recorded duration x speed of the recording device / speed of the device
 *
 * Written "CPU=1,CUDA=10": CPU is a core, CUDA a GPU. The speeds are those of
 * the simulated machine, and of the recording one unless it has its own:
 * "recorded-CPU=0.5". A speed is a number above 0 and at most 10^9; that of a
 * core is 1 if not given.
 *
 * Without any, a task takes on a device of the kind that recorded it as long as
 * it did there, and does not run on the other kind.
 *
 * The second is how many operations a second they do, for tasks with a number
 * of flops: "CPU=20GFlop/s,CUDA=1TFlop/s". Such a task does not run on a kind
 * of device that has no such speed.
 */
enum orr_assumed_class { ORR_ASSUMED_CPU, ORR_ASSUMED_GPU };

struct orr_assumed_speeds {
    double target[2];    /* by class; 0: not given */
    double recording[2]; /* by class; 0: as the target's */
    double flops[2];     /* by class, Flop/s; 0: not given */
};

/*
 * Parses relative speeds; NULL gives none. Otherwise fails with ORR_ERROR_VALUE
 * or ORR_ERROR_UNKNOWN, leaving @speeds as they are: an unknown class, one that
 * is there twice, a number out of range.
 */
bool orr_assumed_speeds_parse(const char *text,
                              struct orr_assumed_speeds *speeds,
                              GError **error);

/* Parses speeds in Flop/s into speeds->flops, and leaves the other members as
 * they are. Fails as orr_assumed_speeds_parse(). */
bool orr_assumed_flops_parse(const char *text,
                             struct orr_assumed_speeds *speeds, GError **error);

/*
 * By which to multiply what a device of class @from recorded, to get the
 * duration on class @to; 0: not known.
 */
double orr_assumed_factor(const struct orr_assumed_speeds *speeds,
                          enum orr_assumed_class from,
                          enum orr_assumed_class to);

#endif
