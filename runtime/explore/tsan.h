/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TSAN_H
#define ORR_TSAN_H

/* Do nothing: a call has the linker keep the functions of the files, which
 * policies call (accesses.h). */
void orr_tsan_keep(void);
void orr_tsan_keep_atomic(void);

#endif
