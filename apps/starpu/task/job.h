/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_JOB_H
#define ORR_STARPU_JOB_H

#include <starpu_task.h>

#include <glib.h>
#include <stdbool.h>

/* More of them in a list of arguments are a mistake. */
#define SP_MOST_ARGUMENTS (1 << 16)

enum sp_job_state { SP_JOB_NEW, SP_JOB_SUBMITTED, SP_JOB_ENDED };

/* The member starpu_private of a task: facts that struct starpu_task has no
 * place for. */
struct sp_job {
    struct starpu_task *task;
    enum sp_job_state state; /* ENDED is noticed by tasks with a call at their
                                end; others stay SUBMITTED */
    uint64_t number;         /* of orr_task_submit(), once submitted */

    /* The tag of the task in the run, for which others wait; 0: none. A tag is
     * of one submission. */
    uint64_t tag;
    GArray *wait_tags;     /* uint64_t; NULL: none; until it is submitted */
    GArray *end_tags;      /* the same for end dependencies */
    unsigned end_releases; /* more of them, that the program releases */

    uint8_t implementation; /* starpu_task_set_implementation() */
    bool unseen;            /* the program has no pointer to the task */
    bool free_when_done;    /* unseen, and the policy of the program has it */
    bool is_given;          /* the policy has given it to a worker */
    bool destroy_wanted;    /* starpu_task_destroy() in its callback */
    struct sp_job *next;    /* in the list of tasks to destroy later */
};

/* The job of @task, which is made if there is none. */
struct sp_job *sp_job_of(struct starpu_task *task);

/* Makes a task of which the program sees no pointer, unless a function of the
 * program gets one. */
struct starpu_task *sp_task_new_unseen(void);

/* Destroys @task, and whatever is to be freed with it. */
void sp_task_free(struct starpu_task *task);

/* Destroys @task when the program has waited for all tasks. Until then, the
 * program may name it in dependencies of other tasks. */
void sp_task_free_later(struct starpu_task *task);
void sp_tasks_free_waiting(void);

/* A new number of a tag in the run. */
uint64_t sp_new_tag(void);

/* The tag of @job, which is made if there is none. */
uint64_t sp_job_tag(struct sp_job *job);

/* Adds @tag to an array that may be NULL. */
void sp_add_tag(GArray **tags, uint64_t tag);

/* A function of the program that belongs to this task runs; NULL: none. */
extern struct starpu_task *sp_current_task;

#endif
