/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* As tsan.c, for atomic accesses. All of them take effect in one order,
 * whatever the memory order that is asked for; what they order of other
 * accesses depends on it. */
#include "models/api.h"
#include "runtime/explore/tsan.h"
#include "runtime/worker/accesses.h"

void orr_tsan_keep_atomic(void)
{
}

#ifndef __SANITIZE_THREAD__

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"
#ifndef __clang__ /* gcc knows these with other types of the same size */
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

#define CODE __builtin_return_address(0)

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
