/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPAND_H
#define ORR_EXPAND_H

#include <glib.h>

/*
 * Adds the application to a command line of `orrery sweep` that gives it in
 * another way. An argument that ends in ".ini" is a campaign file: its options
 * (campaign.h) replace it, before the other arguments. If --vary app=A,B varies
 * the application, and none is given, it is A.
 *
 * Returns the arguments, NULL-terminated, of which the strings are borrowed
 * from @argv or owned by @texts; free with g_ptr_array_unref(). NULL with
 * @error.
 */
GPtrArray *orr_expand_arguments(int argc, char *const *argv, GPtrArray *texts,
                                GError **error);

#endif
