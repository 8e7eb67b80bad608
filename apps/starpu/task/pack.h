/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PACK_H
#define ORR_STARPU_PACK_H

#include <starpu_task_util.h>

/* As starpu_codelet_pack_arg(). Ends the program, naming @call, if the argument
 * cannot be one. */
void sp_pack_arg(struct starpu_codelet_pack_arg_data *state, const void *ptr,
                 size_t ptr_size, const char *call);

#endif
