/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_DRIVER_H
#define ORR_STARPU_DRIVER_H

#include <starpu_worker.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_driver {
    enum starpu_worker_archtype type;
    union {
        unsigned cpu_id;
        unsigned cuda_id;
        unsigned hip_id;
        unsigned sycl_id;
    } id;
};

void starpu_drivers_preinit(void);
int starpu_driver_run(struct starpu_driver *d);
int starpu_driver_init(struct starpu_driver *d);
int starpu_driver_run_once(struct starpu_driver *d);
int starpu_driver_deinit(struct starpu_driver *d);
void starpu_drivers_request_termination(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
