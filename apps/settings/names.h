/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NAMES_H
#define ORR_NAMES_H

/* Names that users type, and what they may have meant. */

/*
 * The one of @names (NULL-terminated) that @text most resembles, or NULL if
 * it resembles none: one change for every three letters at most, where two
 * swapped neighbours are one change. Borrowed from @names; the first of equals.
 */
const char *orr_names_nearest(const char *const *names, const char *text);

/*
 * " (did you mean '--tiles'?)" for a nearest name "tiles" and the prefix "--",
 * or "". To be freed with g_free().
 */
char *orr_names_hint(const char *const *names, const char *text,
                     const char *prefix);

#endif
