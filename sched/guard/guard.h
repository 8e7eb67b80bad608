/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GUARD_H
#define ORR_GUARD_H

#include <glib.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

/*
 * A guard calls the functions of a plug-in, a policy or an application. If a
 * call crashes (orr_guard_catch()), calls exit() (orr_guard_catch_exit()) or
 * does not return (orr_guard_watch), the guard ends it with an error that names
 * the plug-in and the function. The program has to install these three.
 * Afterwards the plug-in is not called any more.
 */
struct orr_guard;
struct orr_guard_watch;

/* A plug-in. All are borrowed. */
struct orr_guarded {
    const char *kind; /* "policy" */
    const char *name;
    const char *file; /* or NULL */
    const void *code; /* the address of one of its functions */
};

/* Guards @plugin. @watch, or NULL, notices calls that do not return. The first
 * error is stored in *@error, with code @code. All are borrowed. Free with
 * orr_guard_free(). */
struct orr_guard *orr_guard_new(const struct orr_guarded *plugin, int code,
                                struct orr_guard_watch *watch, GError **error);
void orr_guard_free(struct orr_guard *guard);

/* A call of the plug-in. */
struct orr_guard_call {
    const char *function; /* its name */

    /* Makes the call. */
    void (*invoke)(struct orr_guard_call *call);

    /* Writes the text that messages have behind the function: " of task 3".
     * NULL: none. Allocates no memory: the thread of the call may have been
     * stopped within malloc(). */
    void (*describe)(const struct orr_guard_call *call, char *text,
                     size_t size);

    /* Private to the guard. */
    struct orr_guard_call *outer; /* the interrupted call, or NULL */
    sigjmp_buf left;              /* target of the jump that ends it */
};

/* Makes @call. Returns false if the plug-in has failed, now or before. */
bool orr_guard_perform(struct orr_guard *guard, struct orr_guard_call *call);

/* Records an error of the plug-in in @call, with @code and the formatted text,
 * whose subject is the function: "returns a pointer that is not a task". */
void orr_guard_record(struct orr_guard *guard, int code,
                      const struct orr_guard_call *call, const char *format,
                      ...) G_GNUC_PRINTF(4, 5);

/* Ends the current call with an error. Does not return. */
void orr_guard_stop(struct orr_guard *guard, const char *format, ...)
    G_GNUC_PRINTF(2, 3) G_GNUC_NORETURN;

/* Private: the part of orr_guard_progress() that is not inline. */
void orr_guard_count(struct orr_guard *guard);

/* Reports progress of the current call: the watch measures its limit from now
 * on. The guard may be NULL. */
static inline void orr_guard_progress(struct orr_guard *guard)
{
    if (G_UNLIKELY(guard))
        orr_guard_count(guard);
}

/*
 * A call that a coroutine makes (runtime/engine/coroutine.h) may be suspended,
 * and resumed later in any thread. orr_guard_leave() is to be called before
 * that, and returns the current call; orr_guard_enter() is to be called
 * afterwards with this call. The guard may be NULL.
 */
struct orr_guard_call *orr_guard_leave(struct orr_guard *guard);
void orr_guard_enter(struct orr_guard *guard, struct orr_guard_call *call);

/*
 * Ends the current call with an error, whose text behind the function is @does:
 * frees @does and does not return. Returns if there is no call, or if @guard is
 * NULL.
 */
void orr_guard_fail(struct orr_guard *guard, char *does);

/* As orr_guard_fail(), with @code instead of the guard's code. */
void orr_guard_fail_as(struct orr_guard *guard, int code, char *does);

/*
 * Restores the thread's alternate stack for signals, which calls replace by one
 * of the guard. To be called before the run returns to its caller. NULL is
 * allowed.
 */
void orr_guard_restore_stack(struct orr_guard *guard);

/*
 * To be called by the program's handler of signals (SA_SIGINFO, SA_ONSTACK and
 * SA_NODEFER), with its arguments, for SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP
 * and SIGABRT, and for ORR_GUARD_SIGNAL, which the watch sends. A crash in a
 * guarded call ends that call: the function does not return.
 *
 * ORR_GUARD_SIGNAL is in the handler's mask: the watch repeats it, and handlers
 * that interrupt each other would fill the small stack on which they run.
 *
 * Outside of guarded calls it returns a short description of the crash, which
 * is static; NULL for ORR_GUARD_SIGNAL, which is then to be ignored.
 *
 * A plug-in can still do harm: it may overwrite memory of the runtime, which
 * then crashes later.
 */
const char *orr_guard_catch(int signal, const siginfo_t *info,
                            const void *context);

/* Ends the guarded call of this thread, if any, because the plug-in ends the
 * program. Otherwise returns. To be called by a function that atexit()
 * registers. */
void orr_guard_catch_exit(void);

/* Ends the guarded call of this thread, if any, because the plug-in calls
 * fork(): a copy of the process would run beside it. */
void orr_guard_catch_fork(void);

/* Whether this thread is in a guarded call. */
bool orr_guard_is_in_call(void);

/*
 * A watch over guards, which ends calls that do not return. A thread of the
 * program calls orr_guard_watch_wait() and orr_guard_watch_tick() in turn.
 * Ticks are counted, not time: while the process is stopped, as by a debugger,
 * none passes.
 *
 * After the limit, the watch sends ORR_GUARD_SIGNAL to the thread of the call.
 * If the thread runs code of the plug-in, its handler (orr_guard_catch()) ends
 * the call with an error. Otherwise it may hold a lock, such as malloc()'s, and
 * the signal is repeated each millisecond; after a second, the call is ended
 * wherever it is. If it has not ended after another second, the program has to
 * end.
 */
#define ORR_GUARD_SIGNAL SIGUSR2

/* The interval between ticks for which limits are given, in milliseconds. */
enum { ORR_GUARD_TICK_MS = 100 };

/* A watch that ends calls which last longer than @limit_s seconds, above 0.
 * Free with orr_guard_watch_free(), after the guards. */
struct orr_guard_watch *orr_guard_watch_new(double limit_s);
void orr_guard_watch_free(struct orr_guard_watch *watch);

/* Sets another limit; 0: none. */
void orr_guard_watch_set_limit(struct orr_guard_watch *watch, double limit_s);

/* The number of ticks that a call may last. */
unsigned orr_guard_watch_limit(struct orr_guard_watch *watch);

/* Waits until the next tick. Meanwhile repeats the signal to threads whose
 * calls are overdue. */
void orr_guard_watch_wait(struct orr_guard_watch *watch);

/* The error of a call that is ended: "does not return within 10 s". */
const char *orr_guard_watch_reason(const struct orr_guard_watch *watch);

/*
 * To be called in a thread that runs no policy. Returns NULL or, if a call
 * cannot be ended, the error, which is borrowed: the program should print it
 * and end by _exit(). It must not allocate memory first.
 */
const char *orr_guard_watch_tick(struct orr_guard_watch *watch);

#endif
