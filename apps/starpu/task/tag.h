/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_TAG_H
#define ORR_STARPU_TAG_H

#include "apps/starpu/task/job.h"

/* A task with a tag of the program is submitted: @job gets the number of the
 * tag in the run, and the dependencies that were declared for the tag. */
void sp_tag_submitted(struct sp_job *job, const char *call);

/* Forgets all tags. */
void sp_tags_end(void);

#endif
