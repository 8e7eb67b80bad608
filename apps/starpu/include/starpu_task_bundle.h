/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_TASK_BUNDLE_H
#define ORR_STARPU_TASK_BUNDLE_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_task;
struct starpu_perfmodel_arch;
typedef struct _starpu_task_bundle *starpu_task_bundle_t;

void starpu_task_bundle_create(starpu_task_bundle_t *bundle);
int starpu_task_bundle_insert(starpu_task_bundle_t bundle,
                              struct starpu_task *task);
int starpu_task_bundle_remove(starpu_task_bundle_t bundle,
                              struct starpu_task *task);
void starpu_task_bundle_close(starpu_task_bundle_t bundle);

/* In us, and in J. */
double starpu_task_bundle_expected_length(starpu_task_bundle_t bundle,
                                          struct starpu_perfmodel_arch *arch,
                                          unsigned nimpl);
double
starpu_task_bundle_expected_data_transfer_time(starpu_task_bundle_t bundle,
                                               unsigned memory_node);
double starpu_task_bundle_expected_energy(starpu_task_bundle_t bundle,
                                          struct starpu_perfmodel_arch *arch,
                                          unsigned nimpl);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
