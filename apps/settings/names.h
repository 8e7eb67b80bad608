/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NAMES_H
#define ORR_NAMES_H

/* Corrections of mistyped names. */

/*
 * Returns the first of @names (NULL-terminated) that is nearest to @text;
 * borrowed. Returns NULL if none is near enough: at most one change for every
 * three letters. Two swapped neighbours are one change.
 */
const char *orr_names_nearest(const char *const *names, const char *text);

/*
 * Returns a hint at the name nearest to @text: " (did you mean '--tiles'?)"
 * for the name "tiles" and the prefix "--"; "" if none is near enough. Free
 * with g_free().
 */
char *orr_names_hint(const char *const *names, const char *text,
                     const char *prefix);

#endif
