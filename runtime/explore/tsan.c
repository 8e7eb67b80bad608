/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions that a policy compiled with -fsanitize=thread calls: the
 * interface between compilers (gcc, clang) and their run-time library for data
 * races. First the functions for plain accesses; then the functions with which
 * policies that free memory are linked (options --wrap=free and so on); last
 * the functions for atomic accesses.
 *
 * All atomic accesses take effect in one order, whatever memory order they ask
 * for. Their memory order decides which other accesses they order.
 */
#include <malloc.h>
#include <stdlib.h>

#include "models/api.h"
#include "runtime/explore/tsan.h"
#include "runtime/worker/accesses.h"

void orr_tsan_keep(void)
{
}

#ifndef __SANITIZE_THREAD__ /* otherwise the real functions are linked */

/* Compilers do not declare these functions. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic" /* for __int128 */
#ifndef __clang__ /* gcc knows these with other types of the same size */
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

/* NOLINTBEGIN(bugprone-reserved-identifier): their names are given. */
#define CODE __builtin_return_address(0)

#define ACCESS(name, bytes, flags)                                             \
    ORR_API void __tsan_##name(void *address)                                  \
    {                                                                          \
        orr_accesses_record(address, bytes, flags, CODE);                      \
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
    orr_accesses_record(address, bytes, 0, CODE);
}

ORR_API void __tsan_write_range(void *address, unsigned long bytes)
{
    orr_accesses_record(address, bytes, ORR_ACCESS_WRITES, CODE);
}

/* A virtual table (C++). */
ORR_API void __tsan_vptr_read(void **address)
{
    orr_accesses_record(address, sizeof(void *), 0, CODE);
}

ORR_API void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        orr_accesses_record(address, sizeof(void *), ORR_ACCESS_WRITES, CODE);
}

ORR_API void *__tsan_memcpy(void *to, const void *from, unsigned long bytes)
{
    orr_accesses_record(from, bytes, 0, CODE);
    orr_accesses_record(to, bytes, ORR_ACCESS_WRITES, CODE);
    return __builtin_memcpy(to, from, bytes);
}

ORR_API void *__tsan_memmove(void *to, const void *from, unsigned long bytes)
{
    orr_accesses_record(from, bytes, 0, CODE);
    orr_accesses_record(to, bytes, ORR_ACCESS_WRITES, CODE);
    return __builtin_memmove(to, from, bytes);
}

ORR_API void *__tsan_memset(void *to, int byte, unsigned long bytes)
{
    orr_accesses_record(to, bytes, ORR_ACCESS_WRITES, CODE);
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

static void discard(void *block)
{
    if (block)
        orr_accesses_discard(block, malloc_usable_size(block));
}

ORR_API void __wrap_free(void *block)
{
    discard(block);
    free(block);
}

ORR_API void *__wrap_realloc(void *block, size_t bytes)
{
    discard(block);
    return realloc(block, bytes);
}

ORR_API void __wrap_g_free(void *block)
{
    discard(block);
    g_free(block);
}

ORR_API void *__wrap_g_realloc(void *block, size_t bytes)
{
    discard(block);
    return g_realloc(block, bytes);
}

ORR_API void __wrap_g_slice_free1(size_t bytes, void *block)
{
    if (block)
        orr_accesses_discard(block, bytes);
    g_slice_free1(bytes, block);
}

/* NOLINTEND(bugprone-reserved-identifier) */

/* Atomic accesses. */

static bool acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
           order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static void order_after(const volatile void *address, int order, bool writes)
{
    const void *object = (const void *)(uintptr_t)address;

    if (acquires(order))
        orr_accesses_acquire(object);
    if (writes && releases(order))
        orr_accesses_release(object);
}

static void come(const volatile void *address, size_t bytes, bool writes,
                 const void *code)
{
    orr_accesses_atomic((const void *)(uintptr_t)address, bytes, writes, code);
}

/* NOLINTBEGIN(bugprone-macro-parentheses,bugprone-reserved-identifier): the
   arguments of macros are types and expressions of macros below, which need
   none; names are given. */
#define LOAD_AND_STORE(bits, type)                                             \
    ORR_API type __tsan_atomic##bits##_load(const volatile type *at,           \
                                            int order)                         \
    {                                                                          \
        come(at, sizeof(type), false, CODE);                                   \
        order_after(at, order, false);                                         \
        return *at;                                                            \
    }                                                                          \
    ORR_API void __tsan_atomic##bits##_store(volatile type *at, type value,    \
                                             int order)                        \
    {                                                                          \
        come(at, sizeof(type), true, CODE);                                    \
        if (releases(order))                                                   \
            orr_accesses_release((const void *)(uintptr_t)at);                 \
        *at = value;                                                           \
    }

/* @result: of the values before and given. */
#define CHANGE(bits, type, name, result)                                       \
    ORR_API type __tsan_atomic##bits##_##name(volatile type *at, type given,   \
                                              int order)                       \
    {                                                                          \
        type before;                                                           \
                                                                               \
        come(at, sizeof(type), true, CODE);                                    \
        order_after(at, order, true);                                          \
        before = *at;                                                          \
        *at = (type)(result);                                                  \
        return before;                                                         \
    }

#define EXCHANGE(bits, type, name)                                             \
    ORR_API int __tsan_atomic##bits##_compare_exchange_##name(                 \
        volatile type *at, type *expected, type desired, int order,            \
        int otherwise)                                                         \
    {                                                                          \
        type before;                                                           \
        bool same;                                                             \
                                                                               \
        come(at, sizeof(type), true, CODE);                                    \
        before = *at;                                                          \
        same = before == *expected;                                            \
        order_after(at, same ? order : otherwise, same);                       \
        if (same)                                                              \
            *at = desired;                                                     \
        else                                                                   \
            *expected = before;                                                \
        return same;                                                           \
    }

#define ALL(bits, type)                                                        \
    LOAD_AND_STORE(bits, type)                                                 \
    CHANGE(bits, type, exchange, given)                                        \
    CHANGE(bits, type, fetch_add, before + given)                              \
    CHANGE(bits, type, fetch_sub, before - given)                              \
    CHANGE(bits, type, fetch_and, before &given)                               \
    CHANGE(bits, type, fetch_or, before | given)                               \
    CHANGE(bits, type, fetch_xor, before ^ given)                              \
    CHANGE(bits, type, fetch_nand, ~(before & given))                          \
    EXCHANGE(bits, type, strong)                                               \
    EXCHANGE(bits, type, weak)                                                 \
    ORR_API type __tsan_atomic##bits##_compare_exchange_val(                   \
        volatile type *at, type expected, type desired, int order,             \
        int otherwise)                                                         \
    {                                                                          \
        __tsan_atomic##bits##_compare_exchange_strong(at, &expected, desired,  \
                                                      order, otherwise);       \
        return expected;                                                       \
    }

ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
ALL(128, unsigned __int128)

/* A fence orders what the atomic accesses around it do not: it counts as one
 * access that acquires and releases. */
static const char fence;

ORR_API void __tsan_atomic_thread_fence(int order)
{
    order_after(&fence, order, true);
}

ORR_API void __tsan_atomic_signal_fence(G_GNUC_UNUSED int order)
{
}

/* NOLINTEND(bugprone-macro-parentheses,bugprone-reserved-identifier) */
#endif
