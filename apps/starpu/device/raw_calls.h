/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_RAW_CALLS_H
#define ORR_STARPU_RAW_CALLS_H

/*
 * Calls of the C library in a policy that would stop all simulated threads:
 * pthread_mutex_lock() and its like become locks of the run, sleep() and its
 * like errors; so is free() of a task. In the program or shared object that
 * contains @code, these symbols are bound to functions of ours, which outside
 * of a policy call the C library. Does nothing on machines other than x86-64
 * and AArch64.
 */
void sp_raw_calls_catch(const void *code);

#endif
