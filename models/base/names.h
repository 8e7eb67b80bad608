/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BASE_NAMES_H
#define ORR_BASE_NAMES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Names that users type: of policies, applications, platforms, models and the
 * like. The case of letters A to Z and blanks around a name do not count. Lists
 * of names are NULL-terminated.
 */

/* Returns whether @text, as typed, is the name @name. */
bool orr_name_matches(const char *name, const char *text);

/*
 * Sets *@index to the index of @text in @names. If it is not there, fails as
 * orr_names_fail().
 */
bool orr_names_find(const char *what, const char *const *names,
                    const char *text, size_t *index, GError **error);

/*
 * Fails with ORR_ERROR_UNKNOWN: "unknown policy 'dmads' (did you mean
 * 'dmdas'?); there are: dm, dmdas" for @what "policy" and the text "dmads".
 */
void orr_names_fail(const char *what, const char *const *names,
                    const char *text, GError **error);

/*
 * Returns the first of @names that is nearest to @text; borrowed. Returns NULL
 * if none is near enough: at most one change for every three letters. Two
 * swapped neighbours are one change.
 */
const char *orr_names_nearest(const char *const *names, const char *text);

/*
 * Returns a hint at the name nearest to @text: " (did you mean '--tiles'?)"
 * for the name "tiles" and the prefix "--"; "" if none is near enough, or if
 * @text is that name. Free with g_free().
 */
char *orr_names_hint(const char *const *names, const char *text,
                     const char *prefix);

#endif
