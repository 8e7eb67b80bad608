/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_TASK_DEP_H
#define ORR_STARPU_TASK_DEP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_task;
typedef uint64_t starpu_tag_t;

/* The dots are ndeps tasks, or tags: struct starpu_task *, starpu_tag_t. */
void starpu_task_declare_deps(struct starpu_task *task, unsigned ndeps, ...);
void starpu_task_declare_deps_array(struct starpu_task *task, unsigned ndeps,
                                    struct starpu_task *task_array[]);
void starpu_task_declare_end_deps(struct starpu_task *task, unsigned ndeps,
                                  ...);
void starpu_task_declare_end_deps_array(struct starpu_task *task,
                                        unsigned ndeps,
                                        struct starpu_task *task_array[]);
void starpu_task_end_dep_add(struct starpu_task *t, int nb_deps);
void starpu_task_end_dep_release(struct starpu_task *t);
int starpu_task_get_task_succs(struct starpu_task *task, unsigned ndeps,
                               struct starpu_task *task_array[]);
int starpu_task_get_task_scheduled_succs(struct starpu_task *task,
                                         unsigned ndeps,
                                         struct starpu_task *task_array[]);

void starpu_tag_declare_deps(starpu_tag_t id, unsigned ndeps, ...);
void starpu_tag_declare_deps_array(starpu_tag_t id, unsigned ndeps,
                                   starpu_tag_t *array);
int starpu_tag_wait(starpu_tag_t id);
int starpu_tag_wait_array(unsigned ntags, starpu_tag_t *id);
void starpu_tag_restart(starpu_tag_t id);
void starpu_tag_remove(starpu_tag_t id);
void starpu_tag_clear(void);
void starpu_tag_notify_from_apps(starpu_tag_t id);
void starpu_tag_notify_restart_from_apps(starpu_tag_t id);
struct starpu_task *starpu_tag_get_task(starpu_tag_t id);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
