/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ASSUMED_SPEED_H
#define ORR_ASSUMED_SPEED_H

#include <glib.h>
#include <stdbool.h>

/*
 * Assumed speeds of devices, for tasks whose durations the platform lacks.
 *
 * The first is how fast devices are in relation to each other, for tasks with
 * a recorded duration: such a task takes on a device
 *
 *     recorded duration x speed of the recording device / speed of the device
 *
 * Written "CPU=1,CUDA=10": CPU is a core, CUDA a GPU. The speeds hold for the
 * simulated machine, and for the recording one unless its own are given:
 * "recorded-CPU=0.5". A speed is a number above 0 and at most 10^9; a core has
 * 1 if none is given.
 *
 * Without any speed, a task takes its recorded duration on devices of the kind
 * that recorded it, and does not run on the other kind.
 *
 * The second is the number of operations a second, for tasks with flops:
 * "CPU=20GFlop/s,CUDA=1TFlop/s". Such a task does not run on a kind of device
 * without such a speed.
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
 * The factor from a duration recorded on a device of class @from to the
 * duration on class @to; 0: not known.
 */
double orr_assumed_factor(const struct orr_assumed_speeds *speeds,
                          enum orr_assumed_class from,
                          enum orr_assumed_class to);

#endif
