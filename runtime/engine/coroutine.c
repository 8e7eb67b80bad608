/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The check of longjmp() takes a jump to another stack for a mistake. */
#undef _FORTIFY_SOURCE

#include "config.h"

#include "runtime/engine/coroutine.h"

#include <glib.h>
#include <setjmp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAS_ASAN 1
#endif
#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef HAVE_VALGRIND_VALGRIND_H
#include <valgrind/valgrind.h>
#endif

/* ucontext prepares the stack. Its switches save the signal mask, which is a
 * system call, so _setjmp() and _longjmp() switch instead. */
struct orr_coroutine {
    /* states of the resuming code and of the coroutine */
    jmp_buf outside, inside;
    void (*body)(void *arg);
    void *arg;
    bool begun, ended;
    char *stack;              /* above the page without access */
    size_t page, size;        /* bytes, of that page and of the stack */
    const void *caller_stack; /* for ASan */
    size_t caller_size;
    void *caller_frames, *own_frames; /* for ASan */
    unsigned registered;              /* with valgrind */
};

/* Tell ASan of a switch, before and after. */
static void leave(G_GNUC_UNUSED void **frames, G_GNUC_UNUSED const void *stack,
                  G_GNUC_UNUSED size_t size)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(frames, stack, size);
#endif
}

static void arrive(G_GNUC_UNUSED void *frames, G_GNUC_UNUSED const void **stack,
                   G_GNUC_UNUSED size_t *size)
{
#ifdef HAS_ASAN
    __sanitizer_finish_switch_fiber(frames, stack, size);
#endif
}

static void register_stack(G_GNUC_UNUSED struct orr_coroutine *coroutine)
{
#ifdef HAVE_VALGRIND_VALGRIND_H
    coroutine->registered = VALGRIND_STACK_REGISTER(
        coroutine->stack, coroutine->stack + coroutine->size);
#endif
}

static void unregister_stack(G_GNUC_UNUSED struct orr_coroutine *coroutine)
{
#ifdef HAVE_VALGRIND_VALGRIND_H
    VALGRIND_STACK_DEREGISTER(coroutine->registered);
#endif
#ifdef HAS_ASAN
    __asan_unpoison_memory_region(coroutine->stack, coroutine->size);
#endif
}

struct orr_coroutine *orr_coroutine_new(void (*body)(void *arg), void *arg,
                                        size_t stack)
{
    struct orr_coroutine *coroutine = g_new0(struct orr_coroutine, 1);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, page + stack, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED ||
        mprotect(memory + page, stack, PROT_READ | PROT_WRITE))
        g_error("out of memory for the stack of a coroutine");
    coroutine->body = body;
    coroutine->arg = arg;
    coroutine->page = page;
    coroutine->size = stack;
    coroutine->stack = memory + page;
    register_stack(coroutine);
    return coroutine;
}

void orr_coroutine_free(struct orr_coroutine *coroutine)
{
    if (!coroutine)
        return;
    unregister_stack(coroutine);
    munmap(coroutine->stack - coroutine->page,
           coroutine->page + coroutine->size);
    g_free(coroutine);
}

/* makecontext() passes nothing wider than an int. */
static void run(unsigned high, unsigned low)
{
    struct orr_coroutine *coroutine =
        (struct orr_coroutine *)(uintptr_t)((uint64_t)high << 32 | low);

    arrive(NULL, &coroutine->caller_stack, &coroutine->caller_size);
    coroutine->body(coroutine->arg);
    coroutine->ended = true;
    orr_coroutine_yield(coroutine);
    g_assert_not_reached();
}

/* It never returns, so ASan must not mark its frame on the caller's stack. */
__attribute__((noinline, no_sanitize_address)) static void
begin(struct orr_coroutine *coroutine)
{
    uint64_t address = (uintptr_t)coroutine;
    ucontext_t context;

    coroutine->begun = true;
    getcontext(&context);
    context.uc_stack.ss_sp = coroutine->stack;
    context.uc_stack.ss_size = coroutine->size;
    context.uc_link = NULL;
    /* The cast is what makecontext() is made for. */
    makecontext(&context, (void (*)(void))run, 2, (unsigned)(address >> 32),
                (unsigned)address);
    setcontext(&context);
    g_assert_not_reached();
}

void orr_coroutine_resume(struct orr_coroutine *coroutine)
{
    g_assert(!coroutine->ended);
    leave(&coroutine->caller_frames, coroutine->stack, coroutine->size);
    if (_setjmp(coroutine->outside) == 0) {
        if (coroutine->begun)
            _longjmp(coroutine->inside, 1);
        begin(coroutine);
    }
    arrive(coroutine->caller_frames, NULL, NULL);
}

bool orr_coroutine_ended(const struct orr_coroutine *coroutine)
{
    return coroutine->ended;
}

void orr_coroutine_yield(struct orr_coroutine *coroutine)
{
    leave(&coroutine->own_frames, coroutine->caller_stack,
          coroutine->caller_size);
    if (_setjmp(coroutine->inside) == 0)
        _longjmp(coroutine->outside, 1);
    arrive(coroutine->own_frames, &coroutine->caller_stack,
           &coroutine->caller_size);
}

bool orr_coroutine_holds(const struct orr_coroutine *coroutine,
                         const void *address)
{
    uintptr_t stack = (uintptr_t)coroutine->stack;

    return (uintptr_t)address - stack < coroutine->size;
}
