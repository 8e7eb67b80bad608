/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_API_H
#define ORR_API_H

/*
 * Marks functions that plug-ins may call. All others are invisible outside the
 * program and the library. (runtime/orrery.h includes no other header of
 * Orrery, so it repeats this.)
 */
#if defined(__GNUC__)
#define ORR_API __attribute__((visibility("default")))
#else
#define ORR_API
#endif

#endif
