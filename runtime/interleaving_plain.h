/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERLEAVING_PLAIN_H
#define ORR_INTERLEAVING_PLAIN_H

#include "runtime/engine/interleaving.h"

extern const struct orr_interleaving orr_interleaving_plain;

#endif
