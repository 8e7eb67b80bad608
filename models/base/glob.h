/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GLOB_H
#define ORR_GLOB_H

#include <stdbool.h>

/*
 * Whether all of @text is as @pattern says, in which '*' stands for any text
 * and '?' for any character of UTF-8; nothing else is special, since names of
 * links hold brackets. Takes at most length times length steps, whatever a
 * stranger asks for.
 */
bool orr_glob_matches(const char *pattern, const char *text);

#endif
