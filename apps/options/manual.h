/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MANUAL_H
#define ORR_MANUAL_H

#include "apps/options/syntax.h"

/*
 * Options as text of the manual page, in the language of man(7).
 *
 * The texts in tables are marked up as in Markdown: `bold` for words that are
 * typed as they are, *italic* for words that stand for others and for names of
 * files. An empty line begins a paragraph. Marks do not nest.
 */

/* Appends @text, marked up, to @page: a line for each sentence. */
void orr_manual_add_text(GString *page, const char *text);

/* Appends @count options to @page: a tagged paragraph for each. */
void orr_manual_add_options(GString *page, const struct orr_option *options,
                            size_t count);

#endif
