/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ENDING_H
#define ORR_ENDING_H

/* Performs @function in a process of its own, which it must end with exit
 * status 1. Returns the line that it writes to the standard error, without the
 * name of the program and the newline (owned). */
char *orr_ending_message(void (*function)(void));

#endif
