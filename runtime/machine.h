/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MACHINE_H
#define ORR_MACHINE_H

#include "models/platform/platform_change.h"
#include "runtime/orrery.h"

/* A platform with its changes. Immutable, so runs in several threads may share
 * one. */
struct orr_machine {
    struct orr_platform *platform;
    struct orr_changes *changes;
    const char **change_texts; /* borrowed from @changes */
};

#endif
