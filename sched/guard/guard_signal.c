/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signal handling: ends a call that crashes. */
/* Fortified longjmp() would refuse jumps to another stack. */
#undef _FORTIFY_SOURCE
/* NOLINTNEXTLINE(bugprone-reserved-identifier): for the names of registers */
#define _GNU_SOURCE

#include <ucontext.h>

#include "sched/guard/guard.h"
#include "sched/guard/guard_private.h"

#define MAGIC UINT64_C(0x6472617567727230) /* "0rrguard" */

/* Nothing is mapped below this address. */
#define NULL_PAGE 4096

/* A fault this close to the stack pointer is taken for a stack overflow. */
#define OVERFLOW_BYTES ((uintptr_t)64 * 1024)

struct orr_guard_stack *orr_guard_stack_new(void)
{
    struct orr_guard_stack *stack = g_malloc(ORR_GUARD_STACK);

    *stack = (struct orr_guard_stack){.magic = MAGIC};
    return stack;
}

void orr_guard_stack_free(struct orr_guard_stack *stack)
{
    g_free(stack);
}

void orr_guard_stack_set(struct orr_guard_stack *stack, stack_t *before)
{
    const stack_t ours = {.ss_sp = stack, .ss_size = ORR_GUARD_STACK};

    sigaltstack(&ours, before);
}

void orr_guard_stack_unset(const stack_t *before)
{
    sigaltstack(before, NULL);
}

static const char *stack_pointer(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const char *)(uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (const char *)(uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return NULL; /* an overflow is then reported as any crash */
#endif
}

static bool is_overflow(const siginfo_t *info, const ucontext_t *context)
{
    uintptr_t top = (uintptr_t)stack_pointer(context);
    uintptr_t address = (uintptr_t)info->si_addr;

    return info->si_signo == SIGSEGV && address < top + OVERFLOW_BYTES &&
           top < address + OVERFLOW_BYTES;
}

/* The guard's stack, if the thread has one and is in a guarded call. */
static struct orr_guard_stack *stack_of(const ucontext_t *context)
{
    struct orr_guard_stack *stack = context->uc_stack.ss_sp;

    if (!stack || context->uc_stack.ss_flags & SS_DISABLE ||
        context->uc_stack.ss_size != ORR_GUARD_STACK || stack->magic != MAGIC ||
        !stack->call)
        return NULL;
    return stack;
}

/* The signal is not from a plug-in: restores the default effect. Returning
 * makes the cause of the signal happen again, unless it was sent. */
static void die(int signal, const siginfo_t *info)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigaction(signal, &action, NULL);
    if (info->si_code <= 0)
        raise(signal);
}

static void handle(int signal, siginfo_t *info, void *data)
{
    const ucontext_t *context = data;
    struct orr_guard_stack *stack = stack_of(context);

    if (!stack) {
        die(signal, info);
        return;
    }
    stack->crash = (struct orr_guard_crash){
        .signal = signal,
        .null = signal == SIGSEGV && info->si_code == SEGV_MAPERR &&
                (uintptr_t)info->si_addr < NULL_PAGE,
        .overflow = is_overflow(info, context),
    };
    siglongjmp(stack->call->left, ORR_LEFT_CRASHED);
}

void orr_guard_catch_signals(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    /* The handler jumps out, so the signal must not stay blocked. */
    struct sigaction action = {
        .sa_sigaction = handle,
        .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
    };

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        sigaction(signals[i], &action, NULL);
}
