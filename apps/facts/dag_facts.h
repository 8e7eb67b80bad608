/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_FACTS_H
#define ORR_DAG_FACTS_H

#include <json-glib/json-glib.h>

#include "models/dag/dag.h"

/*
 * Returns the facts of a task graph for `orrery graph show`: plain members, and
 * the array "kernels". Unknown values are null. Free with json_object_unref().
 */
JsonObject *orr_dag_facts_new(const struct orr_dag *dag);

/* Prints these facts as text. */
void orr_dag_facts_print(JsonObject *facts);

#endif
