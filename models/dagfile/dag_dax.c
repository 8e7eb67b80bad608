/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads DAX 2 and 3, the XML of Pegasus: jobs, the files that they use, and
 * parents of jobs. A file also makes its writer a parent of its readers. */
#include <string.h>

#include "models/dag/dag_number.h"
#include "models/dagfile/dag_read_private.h"
#include "models/xml/xml.h"

#define MAX_BYTES 4e18

struct reader {
    struct orr_dag_builder *builder;
    const struct orr_dag_read_settings *settings;
    GError *error;  /* of the builder */
    uint32_t job;   /* the latest job; ORR_DAG_NONE: none yet */
    uint32_t child; /* the latest child; ORR_DAG_NONE: none yet */
};

static bool check(struct orr_xml *xml, const struct reader *reader, bool good)
{
    /* Reading stops; orr_dag_read_dax() reports reader->error. */
    if (!good && !reader->error)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "the graph is too large");
    else if (!good)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "%s", reader->error->message);
    return good;
}

static void fail_number(struct orr_xml *xml, const char *attribute)
{
    orr_xml_fail(xml, ORR_ERROR_VALUE, "%s '%s' is not a number >= 0",
                 attribute, orr_xml_text(xml, attribute));
}

static bool set_work(struct orr_xml *xml, const struct reader *reader,
                     struct orr_dag_task *task)
{
    const char *runtime = orr_xml_text(xml, "runtime");
    double number;
    bool good;

    if (!runtime)
        return true;
    good = orr_dag_real(runtime, false, &number);
    if (good && reader->settings->runtime_is_flops)
        task->flops = number;
    else if (good && number > ORR_DAG_MAX_SECONDS)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "runtime '%.32s' is %s", runtime,
                     ORR_DAG_TOO_LONG);
    else if (good)
        good = orr_dag_scaled(runtime, 9, &task->duration);
    if (!good)
        fail_number(xml, "runtime");
    return good;
}

static void start_job(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    struct orr_dag_builder *builder = reader->builder;
    const char *id = orr_xml_text(xml, "id");
    const char *name = orr_xml_text(xml, "name");
    struct orr_dag_task task;

    builder->line = orr_xml_line(xml);
    reader->job = orr_dag_define(builder, id, strlen(id), &reader->error);
    if (!check(xml, reader, reader->job != ORR_DAG_NONE))
        return;
    task = *orr_dag_task_of(builder, reader->job);
    if (!name || !*name)
        name = "task";
    task.kernel = orr_dag_kernel_of(builder, name, strlen(name));
    if (set_work(xml, reader, &task))
        *orr_dag_task_of(builder, reader->job) = task;
}

static void start_uses(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    const char *file = orr_xml_text(xml, "file");
    const char *link = orr_xml_text(xml, "link");
    const char *size = orr_xml_text(xml, "size");
    struct orr_dag_datum *datum;
    unsigned mode = 0;
    uint32_t number;
    double bytes = 0;

    reader->builder->line = orr_xml_line(xml);
    if (!file)
        file = orr_xml_text(xml, "name");
    if (!file || !link || reader->job == ORR_DAG_NONE)
        return; /* an executable, or a file outside of jobs */
    if (strcmp(link, "input") == 0)
        mode = ORR_DAG_READ;
    else if (strcmp(link, "output") == 0)
        mode = ORR_DAG_WRITE;
    else if (strcmp(link, "inout") == 0)
        mode = ORR_DAG_READ | ORR_DAG_WRITE;
    else
        return;
    if (size && (!orr_dag_real(size, false, &bytes) || bytes > MAX_BYTES)) {
        fail_number(xml, "size");
        return;
    }
    number =
        orr_dag_datum_of(reader->builder, file, strlen(file), &reader->error);
    if (!check(xml, reader, number != ORR_DAG_NONE))
        return;
    datum = &g_array_index(reader->builder->data, struct orr_dag_datum, number);
    if (datum->bytes == 0)
        datum->bytes = (uint64_t)(bytes + 0.5);
    check(xml, reader,
          orr_dag_access(reader->builder, reader->job, number, mode,
                         &reader->error));
}

static uint32_t refer(struct orr_xml *xml, struct reader *reader)
{
    const char *ref = orr_xml_text(xml, "ref");

    reader->builder->line = orr_xml_line(xml);
    return orr_dag_refer(reader->builder, ref, strlen(ref), &reader->error);
}

static void start_child(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;

    reader->child = refer(xml, reader);
    check(xml, reader, reader->child != ORR_DAG_NONE);
}

static void start_parent(struct orr_xml *xml, void *data)
{
    struct reader *reader = data;
    uint32_t parent;

    if (reader->child == ORR_DAG_NONE) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "a parent without a child");
        return;
    }
    parent = refer(xml, reader);
    check(xml, reader,
          parent != ORR_DAG_NONE &&
              orr_dag_edge(reader->builder, parent, reader->child,
                           &reader->error));
}

static const struct orr_xml_element elements[] = {
    {.name = "adag"},
    {.name = "job",
     .required = {"id"},
     .optional = {"name", "runtime"},
     .start = start_job},
    {.name = "uses",
     .optional = {"file", "name", "link", "size"},
     .start = start_uses},
    {.name = "child", .required = {"ref"}, .start = start_child},
    {.name = "parent", .required = {"ref"}, .start = start_parent},
    {.name = NULL},
};

struct orr_dag *orr_dag_read_dax(struct orr_input *input, const char *path,
                                 const struct orr_dag_read_settings *settings,
                                 GError **error)
{
    struct reader reader = {
        .builder = orr_dag_builder_new(path, "dax", ORR_DAG_BY_EDGES),
        .settings = settings,
        .job = ORR_DAG_NONE,
        .child = ORR_DAG_NONE,
    };
    struct orr_dag *dag = NULL;

    (void)input; /* libxml2 reads the file as a whole */
    if (!orr_xml_read_foreign(path, elements, &reader,
                              reader.error ? NULL : error)) {
        if (reader.error) {
            g_clear_error(error);
            g_propagate_error(error, reader.error);
        }
    } else {
        dag = orr_dag_builder_finish(reader.builder, error);
    }
    orr_dag_builder_free(reader.builder);
    return dag;
}
