/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TURNS_H
#define ORR_TURNS_H

#include "runtime/data/data_turns.h"
#include "runtime/executor/network.h"
#include "runtime/worker/worker_turns.h"

/* An interleaving, in parts: how the actors of a run take turns. */
struct orr_turns {
    const struct orr_interleaving *engine; /* NULL: plain */
    struct orr_data_turns data;
    struct orr_worker_turns workers;
    orr_network_maker *network; /* the links of the machine */
};

#endif
