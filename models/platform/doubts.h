/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DOUBTS_H
#define ORR_DOUBTS_H

#include "models/platform/platform.h"

/* Rates that differ by less than this share are no contradiction. */
#define ORR_CONTRADICTION_SHARE 0.01

/*
 * Adds a line to the notes of @platform, unless it is there, about its figures
 * that cannot all be right:
 *
 * - rates that contradict each other: policies predict a copy at one rate
 *   (section calibration), but a lone copy runs at another (links of its
 *   route). Files of StarPU derive both from the same measurements, so a
 *   difference means that they were taken from different ones, say of different
 *   NUMA nodes. Pairs that were not measured do not count, nor do pairs of
 *   GPUs, whose copies cross the host's links twice;
 * - measured durations of kernels on GPUs that would be faster than the peak of
 *   the card. Kernels with an unknown number of operations, and unknown cards,
 *   do not count.
 */
void orr_platform_note_doubts(struct orr_platform *platform);

#endif
