/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_THREAD_UTIL_H
#define ORR_STARPU_THREAD_UTIL_H

#include <errno.h>
#include <string.h>

#include <starpu_thread.h>
#include <starpu_util.h>

/* Each macro calls a function of starpu_thread.h, and ends the program if it
 * fails. A call that tries also returns @busy; other calls have 0 there. */
static __starpu_inline int starpu_thread_checked(int error, int busy,
                                                 const char *call,
                                                 const char *file, int line)
{
    if (STARPU_UNLIKELY(error != 0 && error != busy)) {
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, strerror(error));
        abort();
    }
    return error;
}

#define STARPU_THREAD_TRY(function, arguments, busy)                           \
    starpu_thread_checked(starpu_pthread_##function arguments, busy,           \
                          "starpu_pthread_" #function, __FILE__, __LINE__)
#define STARPU_THREAD_CALL(function, arguments)                                \
    ((void)STARPU_THREAD_TRY(function, arguments, 0))

/* "EXPRESSION (FILE:LINE)" */
#define STARPU_THREAD_TEXT_(line) #line
#define STARPU_THREAD_LINE_(line) STARPU_THREAD_TEXT_(line)
#define STARPU_THREAD_NAME_(object)                                            \
#object " (" __FILE__ ":" STARPU_THREAD_LINE_(__LINE__) ")"

/* Initialises @object, which a policy's messages name. */
#define STARPU_THREAD_INIT_(function, object, attr)                            \
    STARPU_THREAD_CALL(function, ((__typeof__(&*(object)))starpu_object_named( \
                                      object, STARPU_THREAD_NAME_(object)),    \
                                  attr))

#define STARPU_PTHREAD_CREATE_ON(name, thread, attr, routine, arg, where)      \
    STARPU_THREAD_CALL(create, (thread, attr, routine, arg))
#define STARPU_PTHREAD_CREATE(thread, attr, routine, arg)                      \
    STARPU_THREAD_CALL(create, (thread, attr, routine, arg))
#define STARPU_PTHREAD_JOIN(thread, retval)                                    \
    STARPU_THREAD_CALL(join, (thread, retval))

#define STARPU_PTHREAD_MUTEX_INIT(mutex, attr)                                 \
    STARPU_THREAD_INIT_(mutex_init, mutex, attr)
#define STARPU_PTHREAD_MUTEX_INIT0(mutex, attr)                                \
    STARPU_THREAD_INIT_(mutex_init, mutex, attr)
#define STARPU_PTHREAD_MUTEX_LOCK(mutex)                                       \
    ((void)starpu_thread_checked(                                              \
        starpu_mutex_lock_named(mutex, STARPU_THREAD_NAME_(mutex)), 0,         \
        "starpu_pthread_mutex_lock", __FILE__, __LINE__))
#define STARPU_PTHREAD_MUTEX_LOCK_SCHED(mutex) STARPU_PTHREAD_MUTEX_LOCK(mutex)
#define STARPU_PTHREAD_MUTEX_TRYLOCK(mutex)                                    \
    STARPU_THREAD_TRY(mutex_trylock, (mutex), EBUSY)
#define STARPU_PTHREAD_MUTEX_TRYLOCK_SCHED(mutex)                              \
    STARPU_THREAD_TRY(mutex_trylock, (mutex), EBUSY)
#define STARPU_PTHREAD_MUTEX_UNLOCK(mutex)                                     \
    STARPU_THREAD_CALL(mutex_unlock, (mutex))
#define STARPU_PTHREAD_MUTEX_UNLOCK_SCHED(mutex)                               \
    STARPU_THREAD_CALL(mutex_unlock, (mutex))
#define STARPU_PTHREAD_MUTEX_DESTROY(mutex)                                    \
    STARPU_THREAD_CALL(mutex_destroy, (mutex))

#define STARPU_PTHREAD_COND_INIT(cond, attr)                                   \
    STARPU_THREAD_INIT_(cond_init, cond, attr)
#define STARPU_PTHREAD_COND_INIT0(cond, attr)                                  \
    STARPU_THREAD_INIT_(cond_init, cond, attr)
#define STARPU_PTHREAD_COND_WAIT(cond, mutex)                                  \
    STARPU_THREAD_CALL(cond_wait, (cond, mutex))
#define STARPU_PTHREAD_COND_TIMEDWAIT(cond, mutex, abstime)                    \
    STARPU_THREAD_TRY(cond_timedwait, (cond, mutex, abstime), ETIMEDOUT)
#define STARPU_PTHREAD_COND_SIGNAL(cond) STARPU_THREAD_CALL(cond_signal, (cond))
#define STARPU_PTHREAD_COND_BROADCAST(cond)                                    \
    STARPU_THREAD_CALL(cond_broadcast, (cond))
#define STARPU_PTHREAD_COND_DESTROY(cond)                                      \
    STARPU_THREAD_CALL(cond_destroy, (cond))

#define STARPU_PTHREAD_RWLOCK_INIT(rwlock, attr)                               \
    STARPU_THREAD_INIT_(rwlock_init, rwlock, attr)
#define STARPU_PTHREAD_RWLOCK_INIT0(rwlock, attr)                              \
    STARPU_THREAD_INIT_(rwlock_init, rwlock, attr)
#define STARPU_PTHREAD_RWLOCK_RDLOCK(rwlock)                                   \
    STARPU_THREAD_CALL(rwlock_rdlock, (rwlock))
#define STARPU_PTHREAD_RWLOCK_TRYRDLOCK(rwlock)                                \
    STARPU_THREAD_TRY(rwlock_tryrdlock, (rwlock), EBUSY)
#define STARPU_PTHREAD_RWLOCK_WRLOCK(rwlock)                                   \
    STARPU_THREAD_CALL(rwlock_wrlock, (rwlock))
#define STARPU_PTHREAD_RWLOCK_TRYWRLOCK(rwlock)                                \
    STARPU_THREAD_TRY(rwlock_trywrlock, (rwlock), EBUSY)
#define STARPU_PTHREAD_RWLOCK_UNLOCK(rwlock)                                   \
    STARPU_THREAD_CALL(rwlock_unlock, (rwlock))
#define STARPU_PTHREAD_RWLOCK_DESTROY(rwlock)                                  \
    STARPU_THREAD_CALL(rwlock_destroy, (rwlock))

#define STARPU_PTHREAD_BARRIER_INIT(barrier, attr, count)                      \
    STARPU_THREAD_CALL(barrier_init, (barrier, attr, count))
#define STARPU_PTHREAD_BARRIER_WAIT(barrier)                                   \
    ((void)STARPU_THREAD_TRY(barrier_wait, (barrier),                          \
                             STARPU_PTHREAD_BARRIER_SERIAL_THREAD))
#define STARPU_PTHREAD_BARRIER_DESTROY(barrier)                                \
    STARPU_THREAD_CALL(barrier_destroy, (barrier))

#define STARPU_PTHREAD_KEY_CREATE(key, destr)                                  \
    STARPU_THREAD_CALL(key_create, (key, destr))
#define STARPU_PTHREAD_GETSPECIFIC(key) starpu_pthread_getspecific(key)
#define STARPU_PTHREAD_SETSPECIFIC(key, ptr)                                   \
    STARPU_THREAD_CALL(setspecific, (key, ptr))
#define STARPU_PTHREAD_KEY_DELETE(key) STARPU_THREAD_CALL(key_delete, (key))

#endif
