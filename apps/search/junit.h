/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_JUNIT_H
#define ORR_JUNIT_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

/*
 * Results of an exploration as JUnit XML, which systems of continuous
 * integration show. Each case is a test. Each failure of a case is a failure of
 * the test; its text has the diagnosis and the command to replay it.
 *
 * @facts: of orr_matrix_facts(). @policy: its name. Replaces the file @path;
 * fails with ORR_ERROR_IO.
 */
bool orr_junit_write(const char *path, JsonObject *facts, const char *policy,
                     GError **error);

#endif
