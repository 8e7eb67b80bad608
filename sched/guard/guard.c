/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guards (guard.h): makes a call between sigsetjmp() and the possible jumps
 * back.
 *
 * guard->stack is the alternate stack for signals, and begins the chain of
 * current calls: a plug-in may call the runtime, which calls the plug-in
 * again. A signal handler (guard_signal.c), at a crash or for the watch
 * (guard_watch.c), or a failed check of an argument ends the innermost call by
 * siglongjmp(); the reason is the value of sigsetjmp(). After the first error
 * the guard makes no call any more, as the plug-in's data may be inconsistent.
 */
/* Fortified longjmp() would refuse jumps to another stack. */
#undef _FORTIFY_SOURCE

#include <malloc.h>

#include "models/base/error.h"
#include "sched/guard/guard.h"
#include "sched/guard/guard_private.h"

void orr_guard_describe(const struct orr_guard *guard,
                        const struct orr_guard_call *call, const char *what,
                        char text[ORR_GUARD_TEXT])
{
    const struct orr_guarded *plugin = &guard->plugin;
    const char *file = plugin->file;
    const char *function =
        guard->stack->call == call ? guard->stack->function : call->function;
    char more[512] = "";

    if (call->function == function && call->describe)
        call->describe(call, more, sizeof(more));
    g_snprintf(text, ORR_GUARD_TEXT, "%s %s%s%s%s: %s()%s%s %s", plugin->kind,
               plugin->name, file ? " (" : "", file ? file : "",
               file ? ")" : "", function, more, *more ? "," : "", what);
}

/* Records an error of the plug-in in @call, if it is the first. */
static void record(struct orr_guard *guard, int code,
                   const struct orr_guard_call *call, const char *what)
{
    char text[ORR_GUARD_TEXT];

    guard->failed = true;
    if (*guard->error)
        return;
    orr_guard_describe(guard, call, what, text);
    g_set_error_literal(guard->error, ORR_ERROR, code, text);
}

void orr_guard_record(struct orr_guard *guard, int code,
                      const struct orr_guard_call *call, const char *format,
                      ...)
{
    g_autofree char *what = NULL;
    va_list arguments;

    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    record(guard, code, call, what);
}

/* The code of an error of @kind: only guards of policies have codes by kind. */
static int code_of(const struct orr_guard *guard, enum orr_error kind)
{
    return guard->code == ORR_ERROR_POLICY ? (int)kind : guard->code;
}

void orr_guard_stop(struct orr_guard *guard, const char *format, ...)
{
    char *what;
    va_list arguments;

    va_start(arguments, format);
    what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    record(guard, guard->code, guard->stack->call, what);
    g_free(what); /* g_autofree has no effect across the jump */
    siglongjmp(((struct orr_guard_call *)guard->stack->call)->left,
               ORR_LEFT_STOPPED);
}

void orr_guard_fail_as(struct orr_guard *guard, int code, char *does)
{
    struct orr_guard_call *call = guard ? guard->stack->call : NULL;

    if (!call)
        return;
    record(guard, code, call, does);
    g_free(does);
    siglongjmp(call->left, ORR_LEFT_STOPPED);
}

void orr_guard_fail(struct orr_guard *guard, char *does)
{
    if (guard)
        orr_guard_fail_as(guard, guard->code, does);
}

static void set_stack(struct orr_guard *guard)
{
    if (guard->is_set)
        return;
    guard->thread = pthread_self();
    orr_guard_stack_set(guard->stack, &guard->before);
    guard->is_set = true;
}

/* Counts a call, so that the watch measures its limit from now on. */
static void count_call(struct orr_guard_stack *stack)
{
    atomic_fetch_add_explicit(&stack->number, 1, memory_order_relaxed);
}

/* Makes @call the current one. The watch counts outermost calls only: a call
 * that never returns may make others. */
static void set_call(struct orr_guard_stack *stack, struct orr_guard_call *call)
{
    if (call && !call->outer)
        count_call(stack);
    if (call)
        atomic_store_explicit(&stack->function, call->function,
                              memory_order_relaxed);
    atomic_store_explicit(&stack->call, call, memory_order_release);
}

/* Makes the call that @call interrupted the current one. */
static void end_call(struct orr_guard_stack *stack,
                     const struct orr_guard_call *call)
{
    if (call->outer)
        atomic_store_explicit(&stack->function, call->outer->function,
                              memory_order_relaxed);
    atomic_store_explicit(&stack->call, call->outer, memory_order_release);
}

void orr_guard_count(struct orr_guard *guard)
{
    count_call(guard->stack);
}

/*
 * A call that crashes, or is ended within the C library, may leave the lock of
 * a heap locked. Locks all heaps: if that does not return, the watch ends the
 * program, as the call is still being left.
 */
static void test_heap(struct orr_guard_stack *stack)
{
    if (stack->is_tested)
        return;
    stack->is_tested = true;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    mallinfo2();
#endif
    stack->is_tested = false;
}

/* Unblocks the watch's signal, which a handler that jumps leaves blocked. */
static void unblock_signal(void)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, ORR_GUARD_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

bool orr_guard_perform(struct orr_guard *guard, struct orr_guard_call *call)
{
    int crash = code_of(guard, ORR_ERROR_POLICY_CRASH);

    if (guard->failed)
        return false;
    set_stack(guard);
    call->outer = guard->stack->call;
    switch (sigsetjmp(call->left, 0)) {
    case ORR_LEFT_NOT:
        set_call(guard->stack, call); /* the call can be ended from here on */
        call->invoke(call);
        break;
    case ORR_LEFT_CRASHED:
        test_heap(guard->stack);
        orr_guard_record(guard, crash, call, "crashes: %s",
                         orr_guard_crash_text(&guard->stack->crash));
        break;
    case ORR_LEFT_EXITED:
        record(guard, crash, call, "calls exit()");
        break;
    case ORR_LEFT_FORKED:
        record(guard, crash, call, "calls fork()");
        break;
    case ORR_LEFT_OVERDUE:
        guard->stack->crash.signal = 0;
        test_heap(guard->stack);
        record(guard, code_of(guard, ORR_ERROR_POLICY_OVERDUE), call,
               orr_guard_watch_reason(guard->watch));
        break;
    default: /* the error is noted */
        break;
    }
    if (guard->stack->is_leaving)
        unblock_signal();
    guard->stack->is_leaving = false;
    end_call(guard->stack, call);
    return !guard->failed;
}

struct orr_guard_call *orr_guard_leave(struct orr_guard *guard)
{
    struct orr_guard_call *call;

    if (!guard)
        return NULL;
    call = guard->stack->call;
    set_call(guard->stack, NULL);
    return call;
}

void orr_guard_enter(struct orr_guard *guard, struct orr_guard_call *call)
{
    if (!guard)
        return;
    set_stack(guard);
    set_call(guard->stack, call);
}

void orr_guard_restore_stack(struct orr_guard *guard)
{
    if (!guard || !guard->is_set)
        return;
    orr_guard_stack_unset(&guard->before);
    guard->is_set = false;
}

struct orr_guard *orr_guard_new(const struct orr_guarded *plugin, int code,
                                struct orr_guard_watch *watch, GError **error)
{
    struct orr_guard *guard = g_new0(struct orr_guard, 1);

    guard->plugin = *plugin;
    guard->code = code;
    guard->error = error;
    guard->stack = orr_guard_stack_new();
    guard->watch = watch;
    orr_guard_find_code(guard);
    orr_guard_watch_add(watch, guard);
    return guard;
}

void orr_guard_free(struct orr_guard *guard)
{
    if (!guard)
        return;
    orr_guard_restore_stack(guard);
    orr_guard_watch_remove(guard->watch, guard);
    orr_guard_stack_free(guard->stack);
    g_free(guard);
}
