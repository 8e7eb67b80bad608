/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_MAX_FPGA_H
#define ORR_STARPU_MAX_FPGA_H

#include <starpu_config.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_max_load {
    struct max_file *file;
    const char *engine_id_pattern;
};

struct max_engine *starpu_max_fpga_get_local_engine(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
