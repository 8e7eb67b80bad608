/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SOURCE_LINE_H
#define ORR_SOURCE_LINE_H

#include <glib.h>

/*
 * Where in a source file an instruction comes from: "mine.c:57", with the last
 * part of the file's path; to be freed with g_free(). @code is the address
 * behind a call, as __builtin_return_address() gives it. The line is known if
 * the shared object that holds it was compiled with -g (DWARF), and Orrery with
 * libdw, which reads that. Otherwise the result is the place in the object,
 * "mine.so+0x1234", as addr2line takes it.
 */
char *orr_source_line(const void *code);

/*
 * Returns the address behind the innermost call from code that is none of
 * Orrery's, such as a policy in a file; NULL: there is none. Takes some us.
 */
const void *orr_calling_code(void);

#endif
