/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_API_H
#define ORR_API_H

/*
 * Marks functions that programs and plug-ins may call. All others are invisible
 * outside the program and the library.
 */
#if defined(__GNUC__)
#define ORR_API __attribute__((visibility("default")))
#else
#define ORR_API
#endif

/* Around the declarations of a header that C++ may include, too. */
#ifdef __cplusplus
#define ORR_BEGIN_DECLS extern "C" {
#define ORR_END_DECLS }
#else
#define ORR_BEGIN_DECLS
#define ORR_END_DECLS
#endif

/*
 * Sets the member size, the first one, of a struct that a program allocates, so
 * that the library knows which members the program has; members that are not
 * named are 0. Each such struct has a macro for it: {ORR_TRACE_INIT, .task =
 * put_task}. In C++, where it is the first of the members in their order, the
 * others may be set afterwards.
 *
 * Later versions of the library have more members at the end of such a struct.
 * They are 0 for programs that were compiled with an earlier one. A later
 * program may run with an earlier library as long as it leaves the members that
 * this does not know at 0; otherwise that is an error.
 */
#ifdef __cplusplus
#define ORR_SIZE_OF(type) sizeof(type)
#else
#define ORR_SIZE_OF(type) .size = sizeof(type)
#endif

#endif
