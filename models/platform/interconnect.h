/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERCONNECT_H
#define ORR_INTERCONNECT_H

#include "models/platform/parameters.h"

/*
 * Changes all links of a kind at once.
 *
 * If a file does not state the kind of a link, it follows from the routes.
 * Links on routes between RAM and GPUs are PCI Express. So are the links of a
 * route between GPUs if it has one of these links. Other routes between GPUs
 * consist of direct links.
 */

/*
 * Returns the kind of each link of @platform; ORR_LINK_UNSTATED if the link is
 * on no route. Free with g_free().
 */
enum orr_link_kind *orr_link_kinds(const struct orr_platform *platform);

/*
 * Parses a change of PCI Express: a factor such as "0.5x", a rate such as
 * "16GBps", or a generation and width such as "gen4x16", which stands for the
 * rate in PCI-SIG's specifications. Returns false with ORR_ERROR_VALUE.
 */
bool orr_pcie_parse(const char *text, struct orr_parameter_value *value,
                    GError **error);

/*
 * Multiplies the bandwidth of all PCI Express links by a factor, or limits it
 * so that no copy gets more than a rate. A link that is wider than one copy,
 * such as that of a switch, is reduced in proportion to the fastest copy that
 * crosses it. Appends the changed parameters to @parameters.
 */
void orr_pcie_change(struct orr_platform *platform,
                     const struct orr_parameter_value *value,
                     GArray *parameters);

/*
 * Gives each pair of GPUs direct links, one in each direction. Pairs that have
 * direct links keep them, with the new rate or multiplied by the factor. Copies
 * keep their latency, which is due to runtime and driver more than to the wire.
 * Appends the changed parameters to @parameters. Returns false with
 * ORR_ERROR_VALUE if there is nothing to multiply, or there are too many links.
 */
bool orr_direct_change(struct orr_platform *platform,
                       const struct orr_parameter_value *value,
                       GArray *parameters, GError **error);

#endif
