/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ends a call that crashes, calls exit() or does not return. */
/* Fortified longjmp() would refuse jumps to another stack, so <setjmp.h> is
   read with the level 0, whatever the level of the headers before it. */
#include <features.h>
#undef __USE_FORTIFY_LEVEL
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define __USE_FORTIFY_LEVEL 0

#include <link.h>
#include <ucontext.h>

#include "sched/guard/guard.h"
#include "sched/guard/guard_private.h"

#define MAGIC UINT64_C(0x6472617567727230) /* "0rrguard" */

/* Nothing is mapped below this address. */
#define NULL_PAGE 4096

/* A fault this close to the stack pointer is taken for a stack overflow. */
#define OVERFLOW_BYTES ((uintptr_t)64 * 1024)

/* A stack that ends this far above the frame of the guarded call is still the
 * same stack. */
#define UNWOUND_BYTES ((uintptr_t)64 * 1024)

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
    return NULL; /* an overflow is then reported like any crash */
#endif
}

static uintptr_t program_counter(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0; /* a call is then ended wherever it is */
#endif
}

static bool is_overflow(const siginfo_t *info, const ucontext_t *context)
{
    uintptr_t top = (uintptr_t)stack_pointer(context);
    uintptr_t address = (uintptr_t)info->si_addr;

    return info->si_signo == SIGSEGV && address < top + OVERFLOW_BYTES &&
           top < address + OVERFLOW_BYTES;
}

/*
 * Whether the plug-in has jumped out of the guarded call, to a function that
 * had returned. @top is the end of its stack. The calls of that function
 * overwrite the frames of the guard, so the guard cannot go back to them.
 */
static bool has_jumped(const struct orr_guard_call *call, const char *top)
{
    uintptr_t frame = (uintptr_t)call, end = (uintptr_t)top;

    return end > frame && end - frame < UNWOUND_BYTES;
}

/* Returns @current, the alternate stack of the thread, if it belongs to a guard
 * and the thread is in a guarded call that can be left. The thread's own stack
 * ends at @top. */
static struct orr_guard_stack *stack_of(const stack_t *current, const char *top)
{
    struct orr_guard_stack *stack = current->ss_sp;

    if (!stack || current->ss_flags & SS_DISABLE ||
        current->ss_size != ORR_GUARD_STACK || stack->magic != MAGIC ||
        !stack->call || has_jumped(stack->call, top))
        return NULL;
    return stack;
}

static G_GNUC_NORETURN void leave(struct orr_guard_stack *stack, int why)
{
    struct orr_guard_call *call = stack->call;

    stack->is_leaving = true;
    siglongjmp(call->left, why);
}

/*
 * Ends the call that is overdue. While it runs library code, such as malloc(),
 * it may hold locks: then a later signal ends it. A signal that comes during a
 * jump changes nothing: the jump may hold locks as well.
 */
static void end_overdue(struct orr_guard_stack *stack,
                        const ucontext_t *context)
{
    uintptr_t counter = program_counter(context);

    if (stack->overdue == stack->number && !stack->is_leaving &&
        (stack->anywhere ||
         (counter >= stack->code_low && counter < stack->code_high)))
        leave(stack, ORR_LEFT_OVERDUE);
}

const char *orr_guard_crash_text(const struct orr_guard_crash *crash)
{
    switch (crash->signal) {
    case SIGSEGV:
        return crash->null       ? "segmentation fault, at a null pointer"
               : crash->overflow ? "stack overflow; endless recursion?"
                                 : "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGFPE:
        return "arithmetic error, such as a division by zero";
    case SIGILL:
        return "illegal instruction";
    case SIGTRAP:
        return "it aborts, by g_error() or a breakpoint";
    default:
        return "it aborts";
    }
}

const char *orr_guard_catch(int signal, const siginfo_t *info,
                            const void *context)
{
    const ucontext_t *interrupted = context;
    struct orr_guard_stack *stack =
        stack_of(&interrupted->uc_stack, stack_pointer(interrupted));
    const struct orr_guard_crash crash = {
        .signal = signal,
        .null = signal == SIGSEGV && info->si_code == SEGV_MAPERR &&
                (uintptr_t)info->si_addr < NULL_PAGE,
        .overflow = is_overflow(info, interrupted),
    };

    if (signal == ORR_GUARD_SIGNAL) {
        if (stack)
            end_overdue(stack, interrupted);
        return NULL;
    }
    if (stack) {
        stack->crash = crash;
        leave(stack, ORR_LEFT_CRASHED);
    }
    return orr_guard_crash_text(&crash);
}

/* As stack_of(), outside of a signal handler. */
static struct orr_guard_stack *current_stack(void)
{
    stack_t current;

    return sigaltstack(NULL, &current) == 0
               ? stack_of(&current, __builtin_frame_address(0))
               : NULL;
}

void orr_guard_catch_exit(void)
{
    struct orr_guard_stack *stack = current_stack();

    if (stack)
        leave(stack, ORR_LEFT_EXITED);
}

void orr_guard_catch_fork(void)
{
    struct orr_guard_stack *stack = current_stack();

    if (stack)
        leave(stack, ORR_LEFT_FORKED);
}

bool orr_guard_is_in_call(void)
{
    return current_stack();
}

/* Looks in @object for the plug-in of the guard @data. */
static int find_code(struct dl_phdr_info *object, size_t size, void *data)
{
    const struct orr_guard *guard = data;
    uintptr_t code = (uintptr_t)guard->plugin.code;

    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t low = object->dlpi_addr + segment->p_vaddr;

        if (segment->p_type != PT_LOAD || code < low ||
            code - low >= segment->p_memsz)
            continue;
        guard->stack->code_low = low;
        guard->stack->code_high = low + segment->p_memsz;
        return 1;
    }
    return 0;
}

void orr_guard_find_code(struct orr_guard *guard)
{
    dl_iterate_phdr(find_code, guard);
}
