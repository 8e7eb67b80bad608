/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERCONNECT_H
#define ORR_INTERCONNECT_H

#include "models/platform/parameters.h"

/*
 * Changing all links of a kind at once.
 *
 * What a file does not say of a link follows from the routes: links between
 * RAM and GPUs are PCI Express, and so are all of a route between GPUs that
 * has one in common with those. Routes between GPUs that have none are direct.
 */

/*
 * The kind of each link of @platform, unstated if it is on no route; to be
 * freed with g_free().
 */
enum orr_link_kind *orr_link_kinds(const struct orr_platform *platform);

/*
 * Reads what to make of PCI Express: a factor, "0.5x"; a rate, "16GBps"; or a
 * generation and a width, "gen4x16", which stands for the rate of PCI-SIG's
 * specifications. Returns false with ORR_ERROR_VALUE.
 */
bool orr_pcie_parse(const char *text, struct orr_parameter_value *value,
                    GError **error);

/*
 * Multiplies all PCI Express links, or caps them: then no copy gets more than
 * the rate, and a link wider than one copy, such as a switch, is cut in
 * proportion to the fastest copy that crosses it. Appends the parameters that
 * changed to @parameters.
 */
void orr_pcie_change(struct orr_platform *platform,
                     const struct orr_parameter_value *value,
                     GArray *parameters);

/*
 * Gives all GPUs direct links among each other: one from each to each, unless
 * they have some, which then get the rate or are multiplied. Copies keep the
 * latency that they had: it is the runtime's and the driver's more than the
 * wire's. Appends the parameters that changed to @parameters. Returns false
 * with ORR_ERROR_VALUE when there is nothing to multiply, or too many links.
 */
bool orr_direct_change(struct orr_platform *platform,
                       const struct orr_parameter_value *value,
                       GArray *parameters, GError **error);

#endif
