/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies in shared objects, as STARPU_SCHED_LIB and --sched starpu:FILE name
 * them. */
#include "apps/starpu/policy/library.h"

#include <orrery.h>

#include "apps/starpu/memory/memory.h"
#include "apps/starpu/policy/adapter.h"

#include <string.h>

/* "mine" of "./libmine.so". */
static char *name_of_file(const char *path)
{
    g_autofree char *base = g_path_get_basename(path);
    const char *name = g_str_has_prefix(base, "lib") ? base + 3 : base;
    const char *end = strstr(name, ".so");

    return g_strndup(name, end ? (gsize)(end - name) : strlen(name));
}

static const struct starpu_sched_policy *
find_by_name(const struct sp_policy_library *library, const char *name)
{
    return library->find ? library->find(name) : NULL;
}

/* Its only policy, or the one that has the name of the file. The list of
 * StarPU's own example ends without NULL: no more than its first is read. */
static const struct starpu_sched_policy *
find_only(const struct sp_policy_library *library)
{
    g_autofree char *name = name_of_file(library->path);
    const struct starpu_sched_policy *policy = find_by_name(library, name);

    return policy || !library->list ? policy : library->list()[0];
}

const struct orr_sched_ops *
sp_policy_library_open(const struct sp_policy_library *library,
                       const char *name, GError **error)
{
    const struct starpu_sched_policy *policy;

    if (!library->find && !library->list) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: has neither starpu_get_sched_lib_policy() nor "
                    "starpu_get_sched_lib_policies()",
                    library->path);
        return NULL;
    }
    policy = name ? find_by_name(library, name) : find_only(library);
    if (!policy) {
        g_autofree char *of_file = name_of_file(library->path);
        g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                    "%s: has no policy %s%s", library->path,
                    name ? name : of_file,
                    name ? "" : ": name one, starpu:FILE:POLICY");
        return NULL;
    }
    return sp_policy_table(policy, error);
}

/* The symbols of the file are functions. */
static const struct orr_sched_ops *
open_file(const char *path, const char *name,
          const void *(*find)(const void *object, const char *symbol),
          const void *object, GError **error)
{
    struct sp_policy_library library = {.path = path};
    const void *by_name = find(object, "starpu_get_sched_lib_policy");
    const void *list = find(object, "starpu_get_sched_lib_policies");

    memcpy(&library.find, &by_name, sizeof(library.find));
    memcpy(&library.list, &list, sizeof(library.list));
    return sp_policy_library_open(&library, name, error);
}

/* ---- StarPU's own policies, built from components ---- */

static const struct orr_sched_ops *find_own(const char *name)
{
    struct starpu_sched_policy *policy;

    for (unsigned i = 0; (policy = sp_own_policy(i)); i++)
        if (g_ascii_strcasecmp(policy->policy_name, name) == 0)
            return sp_policy_table(policy, NULL);
    return NULL;
}

static const struct orr_sched_ops *own(unsigned i)
{
    struct starpu_sched_policy *policy = sp_own_policy(i);

    return policy ? sp_policy_table(policy, NULL) : NULL;
}

/* The thread that has the one session of StarPU's interface; NULL: none. */
static struct {
    GMutex lock;
    GCond ended;
    GThread *owner;
} session;

static bool begin(GError **error)
{
    bool is_free;

    g_mutex_lock(&session.lock);
    while (session.owner && session.owner != g_thread_self())
        g_cond_wait(&session.ended, &session.lock);
    is_free = !session.owner;
    if (is_free)
        session.owner = g_thread_self();
    g_mutex_unlock(&session.lock);
    if (!is_free)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "a thread has one run at a time with a policy in StarPU's "
                    "interface");
    return is_free;
}

static void end(void)
{
    g_mutex_lock(&session.lock);
    session.owner = NULL;
    g_cond_signal(&session.ended);
    g_mutex_unlock(&session.lock);
}

#pragma GCC visibility push(default)
extern const struct orr_sched_layer orr_sched_layer;
#pragma GCC visibility pop

const struct orr_sched_layer orr_sched_layer = {
    .version = ORR_SCHED_VERSION,
    .ops_size = sizeof(struct orr_sched_ops),
    .task_size = sizeof(struct orr_task),
    .open = open_file,
    .find = find_own,
    .own = own,
    .begin = begin,
    .end = end,
};
