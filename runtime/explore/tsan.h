/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TSAN_H
#define ORR_TSAN_H

/* Does nothing: a call has the linker keep the functions of the file, which
 * policies call (accesses.h). */
void orr_tsan_keep(void);

#endif
