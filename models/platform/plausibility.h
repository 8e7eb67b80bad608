/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLAUSIBILITY_H
#define ORR_PLAUSIBILITY_H

#include "models/platform/platform.h"

/* Two rates contradict each other if they differ by more than this share of the
 * larger one. */
#define ORR_CONTRADICTION_SHARE 0.01

/*
 * Checks whether the figures of @platform can be right together, and adds a
 * line to platform->notes for each kind of fault, unless the line is there:
 *
 * - contradicting rates: policies predict a copy at one rate (section
 *   calibration), but a lone copy runs at another (links of its route). StarPU
 *   derives both from the same measurements, so a difference means that they
 *   come from different ones, for example from different NUMA nodes. Only pairs
 *   of RAM and a GPU count, if both rates were measured: copies between GPUs
 *   cross the host's links twice;
 * - implausible durations: a kernel measured on a GPU is faster than the peak
 *   of the card. Kernels with an unknown number of operations, and unknown
 *   cards, are not checked.
 */
void orr_platform_check_plausibility(struct orr_platform *platform);

#endif
