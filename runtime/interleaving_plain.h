/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERLEAVING_PLAIN_H
#define ORR_INTERLEAVING_PLAIN_H

#include "runtime/executor/turns.h"

extern const struct orr_turns orr_turns_plain;

#endif
