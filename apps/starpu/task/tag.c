/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/task/tag.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"

#include <inttypes.h>
#include <stdarg.h>

/* A tag of the program. It may be used again, when the tag in the run may not,
 * so it gets a number in the run for each use. */
struct tag {
    uint64_t id; /* the key */
    uint64_t number;
    struct sp_job *job; /* of the task that has it; NULL: none yet */
    bool used;          /* the number: by a task, or a notification */
    GArray *waits;      /* numbers in the run */
};

static GHashTable *tags;

static void free_tag(void *pointer)
{
    struct tag *tag = pointer;
    g_clear_pointer(&tag->waits, g_array_unref);
    g_free(tag);
}

static struct tag *find_tag(starpu_tag_t id)
{
    return tags ? g_hash_table_lookup(tags, &id) : NULL;
}

static struct tag *get_tag(starpu_tag_t id)
{
    struct tag *tag = find_tag(id);
    if (tag)
        return tag;
    if (!tags)
        tags =
            g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_tag);
    tag = g_new0(struct tag, 1);
    tag->id = id;
    tag->number = sp_new_tag();
    g_hash_table_insert(tags, &tag->id, tag);
    return tag;
}

void sp_tag_submitted(struct sp_job *job, const char *call)
{
    struct tag *tag = get_tag(job->task->tag_id);
    if (tag->used)
        tag->number = job->tag ? job->tag : sp_new_tag();
    if (job->tag && job->tag != tag->number)
        sp_fail(call,
                "tasks depend on the task itself and on its tag %" PRIu64
                ": declare either",
                tag->id);
    job->tag = tag->number;
    tag->job = job;
    tag->used = true;
    for (guint i = 0; tag->waits && i < tag->waits->len; i++)
        sp_add_tag(&job->wait_tags, g_array_index(tag->waits, uint64_t, i));
    g_clear_pointer(&tag->waits, g_array_unref);
}

void sp_tags_end(void)
{
    g_clear_pointer(&tags, g_hash_table_unref);
}

void starpu_tag_declare_deps_array(starpu_tag_t id, unsigned ndeps,
                                   starpu_tag_t *array)
{
    struct tag *tag = get_tag(id);
    if (ndeps && !array)
        sp_fail("starpu_tag_declare_deps()", "the array of %u tags is NULL",
                ndeps);
    for (unsigned i = 0; i < ndeps; i++) {
        if (array[i] == id)
            sp_fail("starpu_tag_declare_deps()",
                    "tag %" PRIu64 " depends on itself", id);
        sp_add_tag(&tag->waits, get_tag(array[i])->number);
    }
}

void starpu_tag_declare_deps(starpu_tag_t id, unsigned ndeps, ...)
{
    if (ndeps > SP_MOST_ARGUMENTS)
        sp_fail("starpu_tag_declare_deps()", "%u tags as arguments", ndeps);
    starpu_tag_t *array = g_new(starpu_tag_t, ndeps);
    va_list arguments;
    va_start(arguments, ndeps);
    for (unsigned i = 0; i < ndeps; i++)
        array[i] = va_arg(arguments, starpu_tag_t);
    va_end(arguments);
    starpu_tag_declare_deps_array(id, ndeps, array);
    g_free(array);
}

int starpu_tag_wait_array(unsigned ntags, starpu_tag_t *id)
{
    static const char call[] = "starpu_tag_wait()";
    sp_need_session(call);
    if (ntags && !id)
        sp_fail(call, "the array of %u tags is NULL", ntags);
    for (unsigned i = 0; i < ntags; i++) {
        struct tag *tag = get_tag(id[i]);
        if (!tag->used)
            sp_fail(call, "no task with tag %" PRIu64 " was submitted", id[i]);
        GError *error = NULL;
        if (!sp_calls->run_wait_tag(sp_session.run, tag->number, &error))
            sp_fail_error(call, error);
    }
    return 0;
}

int starpu_tag_wait(starpu_tag_t id)
{
    starpu_tag_t one[] = {id};
    return starpu_tag_wait_array(1, one);
}

void starpu_tag_remove(starpu_tag_t id)
{
    if (tags)
        g_hash_table_remove(tags, &id);
}

void starpu_tag_restart(starpu_tag_t id)
{
    starpu_tag_remove(id);
}

void starpu_tag_notify_from_apps(starpu_tag_t id)
{
    struct tag *tag = get_tag(id);
    sp_need_session("starpu_tag_notify_from_apps()");
    sp_calls->tag_notify(sp_session.run, tag->number);
    tag->used = true;
}

void starpu_tag_notify_restart_from_apps(starpu_tag_t id)
{
    starpu_tag_notify_from_apps(id);
    starpu_tag_restart(id);
}

void starpu_tag_clear(void)
{
    sp_tags_end();
}

struct starpu_task *starpu_tag_get_task(starpu_tag_t id)
{
    struct tag *tag = find_tag(id);
    return tag && tag->job ? tag->job->task : NULL;
}
