/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_UTIL_H
#define ORR_STARPU_UTIL_H

#include <assert.h>
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <starpu_config.h>

/* Attributes, of gcc and clang. */

#define STARPU_GNUC_PREREQ(maj, min)                                           \
    (__GNUC__ > (maj) || (__GNUC__ == (maj) && __GNUC_MINOR__ >= (min)))
#define STARPU_LIKELY(expr) (__builtin_expect(!!(expr), 1))
#define STARPU_UNLIKELY(expr) (__builtin_expect(!!(expr), 0))
#define STARPU_INLINE __starpu_inline

#define STARPU_ATTRIBUTE_ALIGNED(size) __attribute__((aligned(size)))
#define STARPU_ATTRIBUTE_ALLOC_SIZE(size) __attribute__((alloc_size(size)))
#define STARPU_ATTRIBUTE_CALLOC_SIZE(num, size)                                \
    __attribute__((alloc_size(num, size)))
#define STARPU_ATTRIBUTE_FORMAT(type, string, first)                           \
    __attribute__((format(type, string, first)))
#define STARPU_ATTRIBUTE_INTERNAL __attribute__((visibility("internal")))
#define STARPU_ATTRIBUTE_MALLOC __attribute__((malloc))
#define STARPU_ATTRIBUTE_NORETURN __attribute__((noreturn))
#define STARPU_ATTRIBUTE_PURE __attribute__((pure))
#define STARPU_ATTRIBUTE_UNUSED __attribute__((unused))
#define STARPU_ATTRIBUTE_VISIBILITY_DEFAULT                                    \
    __attribute__((visibility("default")))
#define STARPU_ATTRIBUTE_WARN_UNUSED_RESULT __attribute__((warn_unused_result))
#define STARPU_WARN_UNUSED_RESULT STARPU_ATTRIBUTE_WARN_UNUSED_RESULT
#if defined(STARPU_USE_DEPRECATED_API) ||                                      \
    defined(STARPU_USE_DEPRECATED_ONE_ZERO_API)
#define STARPU_DEPRECATED
#else
#define STARPU_DEPRECATED __attribute__((deprecated))
#endif
#define STARPU_VISIBILITY_PUSH_HIDDEN _Pragma("GCC visibility push(hidden)")
#define STARPU_VISIBILITY_POP _Pragma("GCC visibility pop")

/* Assertions. STARPU_NO_ASSERT compiles them and checks nothing. */

#define STARPU_BACKTRACE_LENGTH 32
#define STARPU_BACKTRACE_FILE stderr
#define STARPU_DUMP_BACKTRACE()                                                \
    do {                                                                       \
        void *starpu_frames_[STARPU_BACKTRACE_LENGTH];                         \
        backtrace_symbols_fd(                                                  \
            starpu_frames_,                                                    \
            backtrace(starpu_frames_, STARPU_BACKTRACE_LENGTH), 2);            \
    } while (0)

/* Each takes a literal and its arguments, as printf() does. */
#define STARPU_SAY_(...)                                                       \
    ((void)fprintf(stderr, __VA_ARGS__), (void)fputc('\n', stderr))

/* Ends the program with the message, which is formatted as by printf(); in a
 * policy, the run. Not in StarPU. */
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
void starpu_assertion_failed(const char *file, int line, const char *function,
                             const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#define STARPU_ABORT_MSG(...)                                                  \
    starpu_assertion_failed(__FILE__, __LINE__, __starpu_func__, __VA_ARGS__)
#define STARPU_ABORT() STARPU_ABORT_MSG("the program ends itself")

#define STARPU_ASSERT_MSG_ALWAYS(x, ...)                                       \
    do {                                                                       \
        if (STARPU_UNLIKELY(!(x))) {                                           \
            STARPU_SAY_(__VA_ARGS__);                                          \
            STARPU_ABORT_MSG("%s does not hold", #x);                          \
        }                                                                      \
    } while (0)
#define STARPU_ASSERT_UNCHECKED_(x)                                            \
    do {                                                                       \
        if (0)                                                                 \
            (void)(x);                                                         \
    } while (0)
#define STARPU_SIMGRID_ASSERT(x)
#define STARPU_STATIC_ASSERT(x) STARPU_ASSERT(x)

#ifdef STARPU_NO_ASSERT
#define STARPU_ASSERT(x) STARPU_ASSERT_UNCHECKED_(x)
#define STARPU_ASSERT_MSG(x, ...) STARPU_ASSERT_UNCHECKED_(x)
#define STARPU_ASSERT_ACCESSIBLE(ptr) STARPU_ASSERT_UNCHECKED_(ptr)
#else
#define STARPU_ASSERT(x)                                                       \
    do {                                                                       \
        if (STARPU_UNLIKELY(!(x)))                                             \
            STARPU_ABORT_MSG("%s does not hold", #x);                          \
    } while (0)
#define STARPU_ASSERT_MSG(x, ...) STARPU_ASSERT_MSG_ALWAYS(x, __VA_ARGS__)
#define STARPU_ASSERT_ACCESSIBLE(ptr)                                          \
    do {                                                                       \
        volatile char starpu_byte_ STARPU_ATTRIBUTE_UNUSED =                   \
            *(const volatile char *)(ptr);                                     \
    } while (0)
#endif

/* @buf gets the text of error number @errnum. */
#define starpu_strerror_r(errnum, buf, buflen)                                 \
    ((void)snprintf((buf), (buflen), "%s", strerror(errnum)))

/* Ends the program if @err, a negative error number, is not the expected one:
 * 0, or @value. The dots: a literal and its arguments, for the message. */
#define STARPU_CHECK_RETURN_VALUE(err, ...)                                    \
    STARPU_CHECK_RETURN_VALUE_IS(err, 0, __VA_ARGS__)
#define STARPU_CHECK_RETURN_VALUE_IS(err, value, ...)                          \
    {                                                                          \
        if (STARPU_UNLIKELY((err) != (value))) {                               \
            fprintf(stderr, "%d (%s), not %d, is returned by ", (int)(err),    \
                    strerror(-(int)(err)), (int)(value));                      \
            STARPU_SAY_(__VA_ARGS__);                                          \
            STARPU_ABORT();                                                    \
        }                                                                      \
    }

/* Atomic operations. The add functions return the new value, the or functions
 * the old one. */

#define STARPU_ATOMIC_ADD(ptr, value) __sync_add_and_fetch((ptr), (value))
#define STARPU_ATOMIC_ADDL STARPU_ATOMIC_ADD
#define STARPU_ATOMIC_ADD64 STARPU_ATOMIC_ADD
#define STARPU_ATOMIC_OR(ptr, value) __sync_fetch_and_or((ptr), (value))
#define STARPU_ATOMIC_ORL STARPU_ATOMIC_OR
#define STARPU_ATOMIC_OR64 STARPU_ATOMIC_OR

#define STARPU_BOOL_COMPARE_AND_SWAP(ptr, old, value)                          \
    __sync_bool_compare_and_swap((ptr), (old), (value))
#define STARPU_BOOL_COMPARE_AND_SWAP32 STARPU_BOOL_COMPARE_AND_SWAP
#define STARPU_BOOL_COMPARE_AND_SWAP64 STARPU_BOOL_COMPARE_AND_SWAP
#define STARPU_BOOL_COMPARE_AND_SWAP_PTR(ptr, old, value)                      \
    __sync_bool_compare_and_swap((uintptr_t *)(ptr), (uintptr_t)(old),         \
                                 (uintptr_t)(value))
#define STARPU_VAL_COMPARE_AND_SWAP(ptr, old, value)                           \
    __sync_val_compare_and_swap((ptr), (old), (value))
#define STARPU_VAL_COMPARE_AND_SWAP32 STARPU_VAL_COMPARE_AND_SWAP
#define STARPU_VAL_COMPARE_AND_SWAP64 STARPU_VAL_COMPARE_AND_SWAP
#define STARPU_VAL_COMPARE_AND_SWAP_PTR(ptr, old, value)                       \
    ((void *)__sync_val_compare_and_swap((uintptr_t *)(ptr), (uintptr_t)(old), \
                                         (uintptr_t)(value)))

#define STARPU_VAL_EXCHANGE(ptr, value)                                        \
    __atomic_exchange_n((ptr), (value), __ATOMIC_SEQ_CST)
#define STARPU_VAL_EXCHANGEL STARPU_VAL_EXCHANGE
#define STARPU_VAL_EXCHANGE32 STARPU_VAL_EXCHANGE
#define STARPU_VAL_EXCHANGE64 STARPU_VAL_EXCHANGE
#define STARPU_TEST_AND_SET(ptr, value) __sync_lock_test_and_set((ptr), (value))
#define STARPU_RELEASE(ptr) __sync_lock_release(ptr)

#define STARPU_SYNCHRONIZE() __sync_synchronize()
#define STARPU_RMB() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define STARPU_WMB() __atomic_thread_fence(__ATOMIC_RELEASE)

#define STARPU_CACHELINE_SIZE 64

#endif
