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
 * A change of all PCI Express links.
 *
 * A factor multiplies their bandwidths. A limit holds every copy to a rate: a
 * link is reduced in proportion to the fastest lone copy that crosses it. So a
 * link that serves several copies at once, such as the link of a switch, still
 * does. A limit makes no link faster.
 *
 * A generation and width set the slot of each GPU: a lone copy between RAM and
 * a GPU, in either direction, then gets its rate from the PCI Express links.
 * Links that several GPUs share (host bridge, switches) and links between GPUs
 * keep their proportion to the slots that they serve. The reason is that files
 * of StarPU derive shared links from copies of single GPUs: such a link is as
 * fast as the fastest of these copies, which is no limit of the hardware. Users
 * who know the limit can set it afterwards.
 *
 * The rate of a slot counts data only: PCI-SIG's rate of the lanes, minus
 * encoding and packet headers. Measured copies are slower: on sirocco, whose
 * GPUs are of generation 3, they reach 10.5 of 14.2 GB/s.
 */
struct orr_pcie {
    enum { ORR_PCIE_FACTOR, ORR_PCIE_LIMIT, ORR_PCIE_SLOTS } change;
    double number; /* the factor, or the rate in bytes/s */
};

/* Parses "0.5x", "16GBps" or "gen4x16". Returns false with ORR_ERROR_VALUE. */
bool orr_pcie_parse(const char *text, struct orr_pcie *pcie, GError **error);

/* Carries out @pcie, and appends the changed parameters to @parameters. */
void orr_pcie_change(struct orr_platform *platform, const struct orr_pcie *pcie,
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
