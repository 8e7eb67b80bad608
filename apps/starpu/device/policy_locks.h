/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_POLICY_LOCKS_H
#define ORR_STARPU_POLICY_LOCKS_H

#include <starpu_thread.h>
#include <stdbool.h>

/*
 * Locks and conditions in functions of a policy. Each address of a mutex, a
 * spinlock or a lock for readers and writers is a lock of the run
 * (orr_lock_new() of sched/sched.h), so that callers wait in simulated time and
 * explore chooses between them. The objects of the system at these addresses
 * are not used.
 *
 * @name: for messages, "&data->mutex (src/mine.c:45)"; NULL: none is known. The
 * first one counts. The functions return as pthread_mutex_lock() and its like.
 */
int sp_policy_lock(const void *address, const char *name);
int sp_policy_trylock(const void *address, const char *name);
int sp_policy_unlock(const void *address);

/* The lock or condition at @address is initialised. @name is as above; without
 * one it is @what, "mutex", of the line that calls. */
void sp_policy_name_object(const void *address, const char *name);
void sp_policy_name_by_line(const void *address, const char *what);

/* A mutex that its owner may lock again. */
int sp_policy_mutex_lock(const pthread_mutex_t *mutex, const char *name);

int sp_policy_cond_wait(const void *address, const void *lock);
int sp_policy_cond_signal(const void *address);
int sp_policy_cond_broadcast(const void *address);

/* Locks for readers and writers. */
int sp_policy_rwlock_lock(const void *address, bool writes);
int sp_policy_rwlock_unlock(const void *address);

/* The mutex that stands for the lock of @worker
 * (starpu_worker_get_sched_condition()). */
starpu_pthread_mutex_t *sp_policy_worker_mutex(unsigned worker);

/* Forgets all: the run frees its locks. */
void sp_policy_locks_end(void);

#endif
