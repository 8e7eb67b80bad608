/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RESUME_H
#define ORR_RESUME_H

#include "apps/search/checkpoint.h"

/*
 * The file of --resume: the state of one or several explorations
 * (checkpoint.h), to resume them after an interruption. It is replaced as a
 * whole each time. The file is not trusted: reading it loads no code, and takes
 * bounded time and memory. Errors begin with "PATH:LINE: ".
 */
struct orr_resume;

/* Reads the file @path, which need not exist. Returns NULL with @error. Free
 * with orr_resume_free(), where NULL is allowed. */
struct orr_resume *orr_resume_open(const char *path, GError **error);
void orr_resume_free(struct orr_resume *resume);

/*
 * Announces the exploration @name with the resolved @scenario. Fails if the
 * file has it with another request, and names the difference.
 */
bool orr_resume_expect(struct orr_resume *resume, const char *name,
                       const struct orr_scenario *scenario,
                       const struct orr_exploration_settings *settings,
                       GError **error);

/* Fails if the file has an exploration that is not expected. */
bool orr_resume_check(const struct orr_resume *resume, GError **error);

/* Whether the file that was read has the exploration @name, which is expected.
 */
bool orr_resume_has(const struct orr_resume *resume, const char *name);

/* Reads the position of the exploration @name with orr_checkpoint_read(). Fails
 * if the file is damaged. */
bool orr_resume_load(const struct orr_resume *resume, const char *name,
                     const struct orr_checkpoint *checkpoint, uint64_t last,
                     struct orr_round *round, GError **error);

/* Replaces the state of the exploration @name by its current position, and
 * writes the file. */
bool orr_resume_save(struct orr_resume *resume, const char *name,
                     const struct orr_checkpoint *checkpoint,
                     const struct orr_round *round, GError **error);

#endif
