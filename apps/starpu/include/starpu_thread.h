/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_THREAD_H
#define ORR_STARPU_THREAD_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <starpu_util.h>

/*
 * A thread that starpu_pthread_create() makes after starpu_init() is simulated:
 * it makes calls of StarPU's interface, in simulated time, and these functions
 * wait in simulated time. Other functions are the ones of the system.
 */

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
#define starpu_pthread_create_on(name, thread, attr, routine, arg, where)      \
    starpu_pthread_create(thread, attr, routine, arg)
#define starpu_pthread_setname(name) pthread_setname_np(pthread_self(), name)
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
#define starpu_pthread_mutex_lock_sched starpu_pthread_mutex_lock
#define starpu_pthread_mutex_trylock_sched starpu_pthread_mutex_trylock
#define starpu_pthread_mutex_unlock_sched starpu_pthread_mutex_unlock
#define starpu_pthread_mutex_check_sched(mutex, file, line) ((void)(mutex))
#define starpu_pthread_mutex_destroy pthread_mutex_destroy
#define starpu_pthread_mutexattr_init pthread_mutexattr_init
#define starpu_pthread_mutexattr_gettype pthread_mutexattr_gettype
#define starpu_pthread_mutexattr_settype pthread_mutexattr_settype
#define starpu_pthread_mutexattr_destroy pthread_mutexattr_destroy

#define starpu_pthread_cond_init pthread_cond_init
#define starpu_pthread_cond_destroy pthread_cond_destroy

#define starpu_sem_init sem_init
#define starpu_sem_trywait sem_trywait
#define starpu_sem_getvalue sem_getvalue
#define starpu_sem_destroy sem_destroy

/* <pthread.h> has these in strict ISO C only if _POSIX_C_SOURCE asks for
 * them. */
#if defined(__cplusplus) || defined(__USE_XOPEN2K)
typedef pthread_rwlock_t starpu_pthread_rwlock_t;
typedef pthread_rwlockattr_t starpu_pthread_rwlockattr_t;
typedef struct {
    pthread_barrier_t system; /* of threads that are not simulated */
    unsigned count, arrived;
} starpu_pthread_barrier_t;
typedef pthread_barrierattr_t starpu_pthread_barrierattr_t;

#define STARPU_PTHREAD_RWLOCK_INITIALIZER PTHREAD_RWLOCK_INITIALIZER
#define STARPU_PTHREAD_BARRIER_SERIAL_THREAD PTHREAD_BARRIER_SERIAL_THREAD

#define starpu_pthread_rwlock_init pthread_rwlock_init
#define starpu_pthread_rwlock_tryrdlock pthread_rwlock_tryrdlock
#define starpu_pthread_rwlock_trywrlock pthread_rwlock_trywrlock
#define starpu_pthread_rwlock_destroy pthread_rwlock_destroy

#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

int starpu_pthread_create(starpu_pthread_t *thread,
                          const starpu_pthread_attr_t *attr,
                          void *(*routine)(void *), void *arg);
int starpu_pthread_join(starpu_pthread_t thread, void **retval);
int starpu_pthread_detach(starpu_pthread_t thread);

int starpu_pthread_mutex_lock(starpu_pthread_mutex_t *mutex);
int starpu_pthread_mutex_trylock(starpu_pthread_mutex_t *mutex);
int starpu_pthread_mutex_unlock(starpu_pthread_mutex_t *mutex);

/* starpu_pthread_mutex_lock(); a policy's messages call the mutex @name. Not in
 * StarPU. */
int starpu_mutex_lock_named(starpu_pthread_mutex_t *mutex, const char *name);

/* Returns @object, a mutex or the like which is to be initialised; a policy's
 * messages call it @name. Not in StarPU. */
void *starpu_object_named(const void *object, const char *name);

/* @abstime is a date of the simulated clock. */
int starpu_pthread_cond_wait(starpu_pthread_cond_t *cond,
                             starpu_pthread_mutex_t *mutex);
int starpu_pthread_cond_timedwait(starpu_pthread_cond_t *cond,
                                  starpu_pthread_mutex_t *mutex,
                                  const struct timespec *abstime);
int starpu_pthread_cond_signal(starpu_pthread_cond_t *cond);
int starpu_pthread_cond_broadcast(starpu_pthread_cond_t *cond);

int starpu_sem_post(starpu_sem_t *sem);
int starpu_sem_wait(starpu_sem_t *sem);

#if defined(__cplusplus) || defined(__USE_XOPEN2K)
int starpu_pthread_rwlock_rdlock(starpu_pthread_rwlock_t *rwlock);
int starpu_pthread_rwlock_wrlock(starpu_pthread_rwlock_t *rwlock);
int starpu_pthread_rwlock_unlock(starpu_pthread_rwlock_t *rwlock);

int starpu_pthread_barrier_init(starpu_pthread_barrier_t *barrier,
                                const starpu_pthread_barrierattr_t *attr,
                                unsigned count);
int starpu_pthread_barrier_destroy(starpu_pthread_barrier_t *barrier);
int starpu_pthread_barrier_wait(starpu_pthread_barrier_t *barrier);
#endif

/* A lock of StarPU's own, as some programs look into it. */
typedef struct {
    int taken;
} starpu_pthread_spinlock_t;

int starpu_pthread_spin_init(starpu_pthread_spinlock_t *lock, int shared);
int starpu_pthread_spin_destroy(starpu_pthread_spinlock_t *lock);
int starpu_pthread_spin_trylock(starpu_pthread_spinlock_t *lock);
int starpu_pthread_spin_lock(starpu_pthread_spinlock_t *lock);
int starpu_pthread_spin_unlock(starpu_pthread_spinlock_t *lock);

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
