/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_PAGE_H
#define ORR_HTML_PAGE_H

/* The files in apps/html/page/, compiled into the program. */
extern const char orr_html_template[]; /* report.html */
extern const char orr_html_style[];    /* report.css */
extern const char orr_html_script[];   /* all scripts, in the order in which
                                          local.mk names them */

/*
 * Returns the page of the title @title, which is any text, with the packed data
 * @data, in base64. Its policy of security allows this script and this style,
 * by their digests, and nothing else. Free with g_free().
 */
char *orr_html_page(const char *title, const char *data);

#endif
