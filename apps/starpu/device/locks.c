/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locks between simulated threads. Each is a lock of the system, which a thread
 * tries to take; if another simulated thread has it, the thread waits in
 * simulated time. Threads that are not simulated use the locks of the system.
 * Functions of a policy use the locks of policy_locks.h.
 */
#include <starpu_thread.h>

#include <time.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/base/threads.h"
#include "apps/starpu/device/policy_locks.h"
#include "apps/starpu/device/waiting.h"

#include <starpu_util.h>

/* Any thread may wake it, or a callback. */
static void wait_on(const void *object, const char *call, const char *what)
{
    sp_wait_on(&(struct sp_wait){call, what, object, SP_ANY_THREAD});
}

void *starpu_object_named(const void *object, const char *name)
{
    if (sp_policy_calls())
        sp_policy_name_object(object, name);
    return (void *)(uintptr_t)object;
}

/* ---- mutexes ---- */

/* The simulated thread that has a mutex, and how often. */
struct holding {
    unsigned thread, depth;
};

static GHashTable *held; /* struct holding, by mutex */

static struct holding *find_holding(const void *mutex)
{
    return held ? g_hash_table_lookup(held, mutex) : NULL;
}

static void note_taken(void *mutex)
{
    struct holding *holding = find_holding(mutex);
    if (!holding) {
        if (!held)
            held = g_hash_table_new_full(NULL, NULL, NULL, g_free);
        holding = g_new0(struct holding, 1);
        g_hash_table_insert(held, mutex, holding);
    }
    holding->thread = sp_thread_self()->number;
    holding->depth++;
}

int starpu_pthread_mutex_trylock(starpu_pthread_mutex_t *mutex)
{
    if (sp_policy_calls())
        return sp_policy_trylock(mutex, NULL);
    int status = pthread_mutex_trylock(mutex);
    if (!status && sp_is_simulated())
        note_taken(mutex);
    return status;
}

int starpu_pthread_mutex_lock(starpu_pthread_mutex_t *mutex)
{
    return starpu_mutex_lock_named(mutex, NULL);
}

int starpu_mutex_lock_named(starpu_pthread_mutex_t *mutex, const char *name)
{
    if (sp_policy_calls())
        return sp_policy_mutex_lock(mutex, name);
    if (!sp_is_simulated())
        return pthread_mutex_lock(mutex);
    int status;
    while ((status = starpu_pthread_mutex_trylock(mutex)) == EBUSY) {
        const struct holding *holding = find_holding(mutex);
        if (!holding) { /* a thread has it that is not simulated */
            status = pthread_mutex_lock(mutex);
            if (!status)
                note_taken(mutex);
            return status;
        }
        sp_wait_on(&(struct sp_wait){"starpu_pthread_mutex_lock()", "a mutex",
                                     mutex, holding->thread});
    }
    return status;
}

int starpu_pthread_mutex_unlock(starpu_pthread_mutex_t *mutex)
{
    if (sp_policy_calls())
        return sp_policy_unlock(mutex);
    int status = pthread_mutex_unlock(mutex);
    struct holding *holding = sp_is_simulated() ? find_holding(mutex) : NULL;
    if (!status && holding && --holding->depth == 0) {
        g_hash_table_remove(held, mutex);
        sp_wake_one(mutex);
    }
    return status;
}

/* ---- conditions ---- */

int starpu_pthread_cond_wait(starpu_pthread_cond_t *cond,
                             starpu_pthread_mutex_t *mutex)
{
    if (sp_policy_calls())
        return sp_policy_cond_wait(cond, mutex);
    if (!sp_is_simulated())
        return pthread_cond_wait(cond, mutex);
    int status = starpu_pthread_mutex_unlock(mutex);
    if (status)
        return status;
    wait_on(cond, "starpu_pthread_cond_wait()", "a condition");
    return starpu_pthread_mutex_lock(mutex);
}

int starpu_pthread_cond_timedwait(starpu_pthread_cond_t *cond,
                                  starpu_pthread_mutex_t *mutex,
                                  const struct timespec *abstime)
{
    if (!sp_is_simulated())
        return pthread_cond_timedwait(cond, mutex, abstime);
    int64_t ns = abstime->tv_sec * (int64_t)1000000000 + abstime->tv_nsec -
                 sp_calls->run_now(sp_session.run);
    int status = starpu_pthread_mutex_unlock(mutex);
    if (status)
        return status;
    bool woken =
        ns > 0 &&
        sp_wait_for(&(struct sp_wait){"starpu_pthread_cond_timedwait()",
                                      "a condition", cond, SP_ANY_THREAD},
                    ns);
    status = starpu_pthread_mutex_lock(mutex);
    return status || woken ? status : ETIMEDOUT;
}

int starpu_pthread_cond_signal(starpu_pthread_cond_t *cond)
{
    if (sp_policy_calls())
        return sp_policy_cond_signal(cond);
    return sp_is_simulated() && sp_wake_one(cond) ? 0
                                                  : pthread_cond_signal(cond);
}

int starpu_pthread_cond_broadcast(starpu_pthread_cond_t *cond)
{
    if (sp_policy_calls())
        return sp_policy_cond_broadcast(cond);
    if (sp_is_simulated())
        sp_wake_all(cond);
    return pthread_cond_broadcast(cond);
}

/* ---- locks for readers and writers ---- */

int starpu_pthread_rwlock_rdlock(starpu_pthread_rwlock_t *rwlock)
{
    if (sp_policy_calls())
        return sp_policy_rwlock_lock(rwlock, false);
    if (!sp_is_simulated())
        return pthread_rwlock_rdlock(rwlock);
    int status;
    while ((status = pthread_rwlock_tryrdlock(rwlock)) == EBUSY)
        wait_on(rwlock, "starpu_pthread_rwlock_rdlock()",
                "a lock that a writer has");
    return status;
}

int starpu_pthread_rwlock_wrlock(starpu_pthread_rwlock_t *rwlock)
{
    if (sp_policy_calls())
        return sp_policy_rwlock_lock(rwlock, true);
    if (!sp_is_simulated())
        return pthread_rwlock_wrlock(rwlock);
    int status;
    while ((status = pthread_rwlock_trywrlock(rwlock)) == EBUSY)
        wait_on(rwlock, "starpu_pthread_rwlock_wrlock()",
                "a lock that others have");
    return status;
}

int starpu_pthread_rwlock_unlock(starpu_pthread_rwlock_t *rwlock)
{
    if (sp_policy_calls())
        return sp_policy_rwlock_unlock(rwlock);
    int status = pthread_rwlock_unlock(rwlock);
    if (sp_is_simulated())
        sp_wake_all(rwlock);
    return status;
}

/* ---- barriers ---- */

int starpu_pthread_barrier_init(starpu_pthread_barrier_t *barrier,
                                const starpu_pthread_barrierattr_t *attr,
                                unsigned count)
{
    barrier->count = count;
    barrier->arrived = 0;
    return pthread_barrier_init(&barrier->system, attr, count);
}

int starpu_pthread_barrier_destroy(starpu_pthread_barrier_t *barrier)
{
    return pthread_barrier_destroy(&barrier->system);
}

int starpu_pthread_barrier_wait(starpu_pthread_barrier_t *barrier)
{
    if (!sp_is_simulated())
        return pthread_barrier_wait(&barrier->system);
    if (++barrier->arrived < barrier->count) {
        wait_on(barrier, "starpu_pthread_barrier_wait()",
                "the other threads of a barrier");
        return 0;
    }
    barrier->arrived = 0;
    sp_wake_all(barrier);
    return STARPU_PTHREAD_BARRIER_SERIAL_THREAD;
}

/* ---- semaphores ---- */

int starpu_sem_wait(starpu_sem_t *sem)
{
    if (!sp_is_simulated())
        return sem_wait(sem);
    int status;
    while ((status = sem_trywait(sem)) != 0 && errno == EAGAIN)
        wait_on(sem, "starpu_sem_wait()", "a semaphore");
    return status;
}

int starpu_sem_post(starpu_sem_t *sem)
{
    int status = sem_post(sem);
    if (sp_is_simulated())
        sp_wake_one(sem);
    return status;
}

/* ---- spinlocks ---- */

int starpu_pthread_spin_init(starpu_pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    if (sp_policy_calls())
        sp_policy_name_by_line(lock, "spinlock");
    lock->taken = 0;
    return 0;
}

int starpu_pthread_spin_destroy(starpu_pthread_spinlock_t *lock)
{
    (void)lock;
    return 0;
}

int starpu_pthread_spin_trylock(starpu_pthread_spinlock_t *lock)
{
    if (sp_policy_calls())
        return sp_policy_trylock(lock, NULL);
    return __atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE) ? EBUSY : 0;
}

int starpu_pthread_spin_lock(starpu_pthread_spinlock_t *lock)
{
    if (sp_policy_calls())
        return sp_policy_lock(lock, NULL);
    while (starpu_pthread_spin_trylock(lock)) {
        if (sp_is_simulated())
            wait_on(lock, "starpu_pthread_spin_lock()", "a spinlock");
        else
            sched_yield();
    }
    return 0;
}

int starpu_pthread_spin_unlock(starpu_pthread_spinlock_t *lock)
{
    if (sp_policy_calls())
        return sp_policy_unlock(lock);
    __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
    if (sp_is_simulated())
        sp_wake_one(lock);
    return 0;
}
