/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GLOB_H
#define ORR_GLOB_H

#include <stdbool.h>

/*
 * Returns whether @pattern matches the whole of @text. '*' matches any text and
 * '?' any character of UTF-8. Brackets are not special, as names of links hold
 * them. The time is at most proportional to the product of both lengths, even
 * for hostile patterns.
 */
bool orr_glob_matches(const char *pattern, const char *text);

#endif
