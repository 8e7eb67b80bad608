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

#endif
