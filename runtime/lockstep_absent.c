/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces lockstep/ in a build without it. */
#include "runtime/engine/interleaving.h"

const struct orr_interleaving *const orr_interleaving_lockstep = NULL;
