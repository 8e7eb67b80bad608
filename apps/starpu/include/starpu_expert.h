/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_EXPERT_H
#define ORR_STARPU_EXPERT_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_wake_all_blocked_workers(void);
int starpu_progression_hook_register(unsigned (*func)(void *arg), void *arg);
void starpu_progression_hook_deregister(int hook_id);
int starpu_idle_hook_register(unsigned (*func)(void *arg), void *arg);
void starpu_idle_hook_deregister(int hook_id);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
