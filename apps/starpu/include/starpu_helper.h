/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alone, this header brings all of StarPU's interface. */
#include <starpu.h>

#ifndef ORR_STARPU_HELPER_H
#define ORR_STARPU_HELPER_H

#include <starpu_config.h>
#include <starpu_data.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define STARPU_MIN(a, b) ((a) < (b) ? (a) : (b))
#define STARPU_MAX(a, b) ((a) < (b) ? (b) : (a))
#define STARPU_POISON_PTR ((void *)0xdeadbeef)

struct hwloc_bitmap_s;
struct hwloc_obj;
struct hwloc_topology;

/* The environment. A number is -1 where the variable is unset, or the
 * fallback; no number, or a negative one, ends the program. */
char *starpu_getenv(const char *name);
int starpu_get_env_number(const char *name);
int starpu_get_env_number_default(const char *name, int fallback);
float starpu_get_env_float_default(const char *name, float fallback);
/* In bytes; K, M and G are understood. */
int starpu_get_env_size_default(const char *name, int fallback);
/* The number of the value in strings, which ends with NULL. */
int starpu_get_env_string_var_default(const char *name, const char *strings[],
                                      int fallback);
#define starpu_getenv_number(name) starpu_get_env_number(name)
#define starpu_getenv_number_default(name, fallback)                           \
    starpu_get_env_number_default(name, fallback)
#define starpu_getenv_float_default(name, fallback)                            \
    starpu_get_env_float_default(name, fallback)
#define starpu_getenv_size_default(name, fallback)                             \
    starpu_get_env_size_default(name, fallback)
#define starpu_getenv_string_var_default(name, strings, fallback)              \
    starpu_get_env_string_var_default(name, strings, fallback)

/* where: STARPU_CPU, STARPU_CUDA or both. */
void starpu_execute_on_each_worker(void (*function)(void *), void *argument,
                                   uint32_t where);
void starpu_execute_on_each_worker_ex(void (*function)(void *), void *argument,
                                      uint32_t where, const char *name);
void starpu_execute_on_specific_workers(void (*function)(void *),
                                        void *argument, unsigned number,
                                        unsigned *workers, const char *name);

/* The simulated clock, in microseconds. */
double starpu_timing_now(void);
double starpu_timing_get_reference(void);

int starpu_data_cpy(starpu_data_handle_t to, starpu_data_handle_t from,
                    int asynchronous, void (*callback)(void *), void *argument);
int starpu_data_cpy_priority(starpu_data_handle_t to, starpu_data_handle_t from,
                             int asynchronous, void (*callback)(void *),
                             void *argument, int priority);
int starpu_data_dup_ro(starpu_data_handle_t *to, starpu_data_handle_t from);
starpu_data_handle_t starpu_data_dup_ro_get(starpu_data_handle_t handle);

void starpu_display_bindings(void);
int starpu_get_pu_os_index(unsigned logical_index);
long starpu_get_memory_location_bitmap(void *ptr, size_t size);
struct hwloc_topology *starpu_get_hwloc_topology(void);
struct hwloc_bitmap_s *starpu_worker_get_hwloc_cpuset(int worker);
struct hwloc_obj *starpu_worker_get_hwloc_obj(int worker);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
