/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FILL_H
#define ORR_FILL_H

#include "apps/output/message.h"

/*
 * Fills templates of documents from the tables of options:
 *
 *     orrery --fill FILE
 *
 * prints FILE, with text in place of each line that is one of these marks:
 *
 *   @options@                 the options of all commands, for the manual page
 *   @settings@                the members of reports that stand for options of
 *                             a run and of applications, as properties of a
 *                             JSON schema
 *   @settings without NAME@   these, but not those of option --NAME
 *
 * The build makes docs/orrery.1 and docs/schemas/ so. It is not for users, so
 * the help does not have it.
 */
#define ORR_FILL "--fill"

enum orr_exit orr_fill(const char *path);

#endif
