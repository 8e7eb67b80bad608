/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ELF_IMPORTS_H
#define ORR_ELF_IMPORTS_H

#include <glib.h>

/*
 * Returns the names of the functions that @path, a program, a shared library or
 * an object file, needs from others, in the order of the file (owned, free with
 * g_ptr_array_unref()). Files are of 64 bits, in the byte order of this
 * machine. Fails with ORR_ERROR_IO, or ORR_ERROR_SYNTAX if the file is no such
 * file or has no names.
 */
GPtrArray *orr_elf_imports(const char *path, GError **error);

#endif
