/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CONTEXT_H
#define ORR_STARPU_CONTEXT_H

/* When the session, or the policy of a run, ends: frees what belongs to the
 * scheduling context. */
void sp_context_end(void);

#endif
