/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Eviction policies in shared objects, made with ORR_EVICT_PLUGIN (evict.h). */
#include <string.h>

#include "models/base/shared_object.h"
#include "sched/evict/evict_registry.h"

bool orr_evict_is_file(const char *name)
{
    return strchr(name, '/') || g_str_has_suffix(name, ".so");
}

static const struct orr_evict_ops *find(const struct orr_shared_object *object,
                                        GError **error)
{
    const struct orr_evict_plugin *header =
        orr_shared_object_find(object, "orr_evict_plugin");
    const char *why = NULL;

    if (!header)
        why = "is not an eviction policy: the line ORR_EVICT_PLUGIN(...) of "
              "sched/evict.h is missing";
    else if (header->magic != ORR_EVICT_MAGIC)
        why = "its orr_evict_plugin was not made with ORR_EVICT_PLUGIN()";
    else if (header->version != ORR_EVICT_VERSION ||
             header->ops_size != sizeof(struct orr_evict_ops) ||
             header->candidate_size != sizeof(struct orr_evict_candidate))
        why = "compiled with another sched/evict.h than this program: "
              "recompile it";
    else if (!header->ops)
        why = "has no policy: ORR_EVICT_PLUGIN(NULL)";
    if (why) {
        orr_shared_object_refuse(object, error, "%s", why);
        return NULL;
    }
    if (orr_evict_check(header->ops, error))
        return header->ops;
    g_prefix_error(error, "%s: ", orr_shared_object_path(object));
    return NULL;
}

const struct orr_evict_ops *orr_evict_load(const char *path, GError **error)
{
    struct orr_shared_object *object = orr_shared_object_open(path, error);
    const struct orr_evict_ops *ops = object ? find(object, error) : NULL;

    orr_shared_object_close(object); /* the code stays loaded */
    return ops;
}
