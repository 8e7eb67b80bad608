/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXECUTOR_SIM_H
#define ORR_EXECUTOR_SIM_H

#include "runtime/engine/executor.h"

/* Simulates @run's machine. Free with its free function. */
struct orr_executor *orr_executor_sim_new(struct orr_run *run);

#endif
