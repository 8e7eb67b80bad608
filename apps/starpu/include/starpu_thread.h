/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_THREAD_H
#define ORR_STARPU_THREAD_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <starpu_util.h>

/* Threads of the program are threads of the system. */

typedef pthread_t starpu_pthread_t;
typedef pthread_attr_t starpu_pthread_attr_t;
typedef pthread_mutex_t starpu_pthread_mutex_t;
typedef pthread_mutexattr_t starpu_pthread_mutexattr_t;
typedef pthread_cond_t starpu_pthread_cond_t;
typedef pthread_condattr_t starpu_pthread_condattr_t;
typedef pthread_key_t starpu_pthread_key_t;
typedef sem_t starpu_sem_t;
typedef void *starpu_sg_host_t;

#define STARPU_PTHREAD_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define STARPU_PTHREAD_COND_INITIALIZER PTHREAD_COND_INITIALIZER

#define starpu_pthread_self pthread_self
#define starpu_pthread_equal pthread_equal
#define starpu_pthread_create pthread_create
#define starpu_pthread_create_on(name, thread, attr, routine, arg, where)      \
    pthread_create(thread, attr, routine, arg)
#define starpu_pthread_setname(name) pthread_setname_np(pthread_self(), name)
#define starpu_pthread_detach pthread_detach
#define starpu_pthread_join pthread_join
#define starpu_pthread_exit pthread_exit
#define starpu_pthread_attr_init pthread_attr_init
#define starpu_pthread_attr_setstacksize pthread_attr_setstacksize
#define starpu_pthread_attr_setdetachstate pthread_attr_setdetachstate
#define starpu_pthread_attr_destroy pthread_attr_destroy

#define starpu_pthread_key_create pthread_key_create
#define starpu_pthread_getspecific pthread_getspecific
#define starpu_pthread_setspecific pthread_setspecific
#define starpu_pthread_key_delete pthread_key_delete

#define starpu_pthread_mutex_init pthread_mutex_init
#define starpu_pthread_mutex_lock pthread_mutex_lock
#define starpu_pthread_mutex_lock_sched pthread_mutex_lock
#define starpu_pthread_mutex_trylock pthread_mutex_trylock
#define starpu_pthread_mutex_trylock_sched pthread_mutex_trylock
#define starpu_pthread_mutex_unlock pthread_mutex_unlock
#define starpu_pthread_mutex_unlock_sched pthread_mutex_unlock
#define starpu_pthread_mutex_check_sched(mutex, file, line) ((void)(mutex))
#define starpu_pthread_mutex_destroy pthread_mutex_destroy
#define starpu_pthread_mutexattr_init pthread_mutexattr_init
#define starpu_pthread_mutexattr_gettype pthread_mutexattr_gettype
#define starpu_pthread_mutexattr_settype pthread_mutexattr_settype
#define starpu_pthread_mutexattr_destroy pthread_mutexattr_destroy

#define starpu_pthread_cond_init pthread_cond_init
#define starpu_pthread_cond_timedwait pthread_cond_timedwait
#define starpu_pthread_cond_signal pthread_cond_signal
#define starpu_pthread_cond_broadcast pthread_cond_broadcast
#define starpu_pthread_cond_destroy pthread_cond_destroy

#define starpu_sem_init sem_init
#define starpu_sem_post sem_post
#define starpu_sem_wait sem_wait
#define starpu_sem_trywait sem_trywait
#define starpu_sem_getvalue sem_getvalue
#define starpu_sem_destroy sem_destroy

/* <pthread.h> has these in strict ISO C only if _POSIX_C_SOURCE asks for
 * them. */
#if defined(__cplusplus) || defined(__USE_XOPEN2K)
typedef pthread_rwlock_t starpu_pthread_rwlock_t;
typedef pthread_rwlockattr_t starpu_pthread_rwlockattr_t;
typedef pthread_barrier_t starpu_pthread_barrier_t;
typedef pthread_barrierattr_t starpu_pthread_barrierattr_t;

#define STARPU_PTHREAD_RWLOCK_INITIALIZER PTHREAD_RWLOCK_INITIALIZER
#define STARPU_PTHREAD_BARRIER_SERIAL_THREAD PTHREAD_BARRIER_SERIAL_THREAD

#define starpu_pthread_rwlock_init pthread_rwlock_init
#define starpu_pthread_rwlock_rdlock pthread_rwlock_rdlock
#define starpu_pthread_rwlock_tryrdlock pthread_rwlock_tryrdlock
#define starpu_pthread_rwlock_wrlock pthread_rwlock_wrlock
#define starpu_pthread_rwlock_trywrlock pthread_rwlock_trywrlock
#define starpu_pthread_rwlock_unlock pthread_rwlock_unlock
#define starpu_pthread_rwlock_destroy pthread_rwlock_destroy

#define starpu_pthread_barrier_init pthread_barrier_init
#define starpu_pthread_barrier_wait pthread_barrier_wait
#define starpu_pthread_barrier_destroy pthread_barrier_destroy
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* In the thread of starpu_init(), simulates 1 us and returns: callbacks of
 * tasks may signal meanwhile, and a program that waits checks its condition
 * anyway. */
int starpu_pthread_cond_wait(starpu_pthread_cond_t *cond,
                             starpu_pthread_mutex_t *mutex);

/* A lock of StarPU's own, as some programs look into it. */
typedef struct {
    int taken;
} starpu_pthread_spinlock_t;

static inline int starpu_pthread_spin_init(starpu_pthread_spinlock_t *lock,
                                           int shared)
{
    (void)shared;
    lock->taken = 0;
    return 0;
}

static inline int starpu_pthread_spin_destroy(starpu_pthread_spinlock_t *lock)
{
    (void)lock;
    return 0;
}

static inline int starpu_pthread_spin_trylock(starpu_pthread_spinlock_t *lock)
{
    return __atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE) ? EBUSY : 0;
}

static inline int starpu_pthread_spin_lock(starpu_pthread_spinlock_t *lock)
{
    while (starpu_pthread_spin_trylock(lock))
        sched_yield();
    return 0;
}

static inline int starpu_pthread_spin_unlock(starpu_pthread_spinlock_t *lock)
{
    __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
    return 0;
}

typedef struct {
    starpu_pthread_mutex_t mutex;
    starpu_pthread_cond_t cond;
    unsigned block;
} starpu_pthread_wait_t;

typedef struct {
    starpu_pthread_mutex_t mutex;
    starpu_pthread_wait_t **queue;
    unsigned allocqueue;
    unsigned nqueue;
} starpu_pthread_queue_t;

int starpu_pthread_queue_init(starpu_pthread_queue_t *q);
int starpu_pthread_queue_signal(starpu_pthread_queue_t *q);
int starpu_pthread_queue_broadcast(starpu_pthread_queue_t *q);
int starpu_pthread_queue_destroy(starpu_pthread_queue_t *q);

int starpu_pthread_wait_init(starpu_pthread_wait_t *w);
int starpu_pthread_queue_register(starpu_pthread_wait_t *w,
                                  starpu_pthread_queue_t *q);
int starpu_pthread_queue_unregister(starpu_pthread_wait_t *w,
                                    starpu_pthread_queue_t *q);
int starpu_pthread_wait_reset(starpu_pthread_wait_t *w);
int starpu_pthread_wait_wait(starpu_pthread_wait_t *w);
int starpu_pthread_wait_timedwait(starpu_pthread_wait_t *w,
                                  const struct timespec *abstime);
int starpu_pthread_wait_destroy(starpu_pthread_wait_t *w);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
