/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a policy calls that was compiled with -fsanitize=thread: the interface
 * between compilers (gcc, clang) and their run-time library for data races, for
 * plain accesses. Policies that free memory are linked with the options
 * --wrap=free and so on, which lead to the functions at the end.
 */
#include "runtime/worker/accesses.h"

#include "models/api.h"
#include "runtime/explore/tsan.h"

#include <malloc.h>
#include <stdlib.h>

void orr_tsan_keep(void)
{
    orr_tsan_keep_atomic();
}

#ifndef __SANITIZE_THREAD__ /* then the real ones are here */

/* Compilers declare none of these. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#ifndef __clang__ /* gcc knows these with other types of the same size */
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

/* NOLINTBEGIN(bugprone-reserved-identifier): their names are given. */
#define CODE __builtin_return_address(0)

#define ACCESS(name, bytes, flags)                                             \
    ORR_API void __tsan_##name(void *address)                                  \
    {                                                                          \
        orr_accesses_note(address, bytes, flags, CODE);                        \
    }

#define SIZES(prefix, verb, flags)                                             \
    ACCESS(prefix##verb##1, 1, flags)                                          \
    ACCESS(prefix##verb##2, 2, flags)                                          \
    ACCESS(prefix##verb##4, 4, flags)                                          \
    ACCESS(prefix##verb##8, 8, flags)                                          \
    ACCESS(prefix##verb##16, 16, flags)

SIZES(, read, 0)
SIZES(, write, ORR_ACCESS_WRITES)
SIZES(, read_write, ORR_ACCESS_WRITES)
SIZES(unaligned_, read, 0)
SIZES(unaligned_, write, ORR_ACCESS_WRITES)
SIZES(unaligned_, read_write, ORR_ACCESS_WRITES)
SIZES(volatile_, read, 0)
SIZES(volatile_, write, ORR_ACCESS_WRITES)
SIZES(unaligned_volatile_, read, 0)
SIZES(unaligned_volatile_, write, ORR_ACCESS_WRITES)

ORR_API void __tsan_read_range(void *address, unsigned long bytes)
{
    orr_accesses_note(address, bytes, 0, CODE);
}

ORR_API void __tsan_write_range(void *address, unsigned long bytes)
{
    orr_accesses_note(address, bytes, ORR_ACCESS_WRITES, CODE);
}

/* A virtual table (C++). */
ORR_API void __tsan_vptr_read(void **address)
{
    orr_accesses_note(address, sizeof(void *), 0, CODE);
}

ORR_API void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        orr_accesses_note(address, sizeof(void *), ORR_ACCESS_WRITES, CODE);
}

ORR_API void *__tsan_memcpy(void *to, const void *from, unsigned long bytes)
{
    orr_accesses_note(from, bytes, 0, CODE);
    orr_accesses_note(to, bytes, ORR_ACCESS_WRITES, CODE);
    return __builtin_memcpy(to, from, bytes);
}

ORR_API void *__tsan_memmove(void *to, const void *from, unsigned long bytes)
{
    orr_accesses_note(from, bytes, 0, CODE);
    orr_accesses_note(to, bytes, ORR_ACCESS_WRITES, CODE);
    return __builtin_memmove(to, from, bytes);
}

ORR_API void *__tsan_memset(void *to, int byte, unsigned long bytes)
{
    orr_accesses_note(to, bytes, ORR_ACCESS_WRITES, CODE);
    return __builtin_memset(to, byte, bytes);
}

/* Nothing has to be known of functions. */
ORR_API void __tsan_init(void)
{
}

ORR_API void __tsan_func_entry(G_GNUC_UNUSED void *code)
{
}

ORR_API void __tsan_func_exit(void)
{
}

ORR_API void __tsan_ignore_thread_begin(void)
{
}

ORR_API void __tsan_ignore_thread_end(void)
{
}

static void forget(void *block)
{
    if (block)
        orr_accesses_forget(block, malloc_usable_size(block));
}

ORR_API void __wrap_free(void *block)
{
    forget(block);
    free(block);
}

ORR_API void *__wrap_realloc(void *block, size_t bytes)
{
    forget(block);
    return realloc(block, bytes);
}

ORR_API void __wrap_g_free(void *block)
{
    forget(block);
    g_free(block);
}

ORR_API void *__wrap_g_realloc(void *block, size_t bytes)
{
    forget(block);
    return g_realloc(block, bytes);
}

ORR_API void __wrap_g_slice_free1(size_t bytes, void *block)
{
    if (block)
        orr_accesses_forget(block, bytes);
    g_slice_free1(bytes, block);
}

/* NOLINTEND(bugprone-reserved-identifier) */
#endif
