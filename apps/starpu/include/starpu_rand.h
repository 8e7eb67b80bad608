/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_RAND_H
#define ORR_STARPU_RAND_H

#include <starpu_config.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* As in StarPU over SimGrid, the seed of the program does not count: it is
 * STARPU_RAND_SEED, or 0. So every run draws the same numbers. */
#define starpu_seed(seed) starpu_get_env_number_default("STARPU_RAND_SEED", 0)

int starpu_get_env_number_default(const char *name, int fallback);

typedef struct drand48_data starpu_drand48_data;

#define starpu_srand48(seed) srand48(starpu_seed(seed))
#define starpu_drand48() drand48()
#define starpu_lrand48() lrand48()
#define starpu_erand48(state) erand48(state)
#define starpu_srand48_r(seed, data) srand48_r(starpu_seed(seed), data)
#define starpu_drand48_r(data, result) drand48_r(data, result)
#define starpu_lrand48_r(data, result) lrand48_r(data, result)
#define starpu_erand48_r(state, data, result) erand48_r(state, data, result)

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
