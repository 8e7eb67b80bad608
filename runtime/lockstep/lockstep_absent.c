/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All of this folder in a build without lock-step. */
#include "runtime/lockstep/lockstep.h"

const struct orr_turns *const orr_turns_lockstep = NULL;
