/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CONTRADICTION_H
#define ORR_CONTRADICTION_H

#include "models/platform/platform.h"

/*
 * Figures of a platform that contradict each other: policies predict a copy at
 * one rate (section calibration), but a lone copy runs at another (links of its
 * route). Files of StarPU derive both from the same measurements, so a
 * difference means that they were taken from different ones, say of different
 * NUMA nodes.
 */

/* Rates that differ by less than this share are no contradiction. */
#define ORR_CONTRADICTION_SHARE 0.01

/*
 * One line about the pairs of RAM and a GPU whose rates contradict each other;
 * NULL if there are none. Free with g_free(). Pairs that were not measured, and
 * pairs of GPUs, whose copies cross the host's links twice, do not count.
 */
char *orr_platform_contradictions(const struct orr_platform *platform);

#endif
