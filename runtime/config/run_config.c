/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/config/run_config.h"

#include <string.h>

#include "models/base/error.h"
#include "models/base/names.h"
#include "models/base/units.h"

static const struct orr_option_group groups[] = {
    ORR_OPTION_GROUP("Machine", orr_config_machine),
    ORR_OPTION_GROUP("Kernels", orr_config_kernels),
    ORR_OPTION_GROUP("Policy", orr_config_policy),
    ORR_OPTION_GROUP("Runtime", orr_config_runtime),
    ORR_OPTION_GROUP("Checks", orr_config_checks),
};
static const struct orr_option_group *const all[] = {
    &groups[0], &groups[1], &groups[2], &groups[3], &groups[4], NULL};

void orr_config_init(struct orr_config *config)
{
    *config = (struct orr_config){.cpus = -1,
                                  .gpus = -1,
                                  .spread = -1,
                                  .window.least = -1,
                                  .pipeline = ORR_DEFAULT_PIPELINE,
                                  .alpha = 1,
                                  .beta = 1,
                                  .gamma = -1};
}

void orr_config_clear(struct orr_config *config)
{
    orr_texts_free(config->changes);
    orr_texts_free(config->where);
    config->changes = config->where = NULL;
    g_free((char *)(uintptr_t)config->models);
    config->models = NULL;
}

struct orr_config *orr_config_new(void)
{
    struct orr_config *config = g_new(struct orr_config, 1);

    orr_config_init(config);
    config->texts = g_string_chunk_new(256);
    config->given = g_hash_table_new(g_str_hash, g_str_equal);
    return config;
}

void orr_config_free(struct orr_config *config)
{
    if (!config)
        return;
    orr_config_clear(config);
    orr_texts_free(config->platform_folders);
    g_free((void *)(uintptr_t)config->left_out);
    g_hash_table_unref(config->given);
    g_string_chunk_free(config->texts);
    g_free(config);
}

/* A hint at the option that is nearest to @name; NULL is allowed. */
static char *hint_at(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (unsigned i = 0; orr_config_name(i); i++)
        g_ptr_array_add(names, (char *)orr_config_name(i));
    g_ptr_array_add(names, NULL);
    return orr_names_hint((const char *const *)names->pdata, name ? name : "",
                          "");
}

bool orr_config_set(struct orr_config *config, const char *name,
                    const char *value, GError **error)
{
    size_t member = 0;
    const struct orr_option *option =
        name ? orr_option_find(all, name, strlen(name), &member) : NULL;
    const char *text = value ? value : "";
    g_autofree char *quoted = orr_quote(name ? name : "");

    if (!option || !option->value != !*text) {
        g_autofree char *hint = option ? g_strdup("") : hint_at(name);

        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    !option         ? "there is no option %s%s"
                    : option->value ? "option %s needs a value%s"
                                    : "option %s takes no value%s",
                    quoted, hint);
        return false;
    }
    text = g_string_chunk_insert(config->texts, text);
    if (!option->parse(option, text, (char *)config + member, error)) {
        g_prefix_error(error, "%s: ", option->name);
        return false;
    }
    g_hash_table_insert(config->given, (gpointer)option->name, (gpointer)text);
    return true;
}

const char *orr_config_get(const struct orr_config *config, const char *name)
{
    return name ? g_hash_table_lookup(config->given, name) : NULL;
}

const char *orr_config_name(unsigned i)
{
    for (size_t g = 0; all[g]; i -= (unsigned)all[g++]->count) {
        if (i < all[g]->count)
            return all[g]->options[i].name;
    }
    return NULL;
}

void orr_config_set_platform_folders(struct orr_config *config,
                                     const char *const *folders)
{
    orr_texts_free(config->platform_folders);
    config->platform_folders = orr_texts_copy(folders);
}

void orr_config_set_machine(struct orr_config *config,
                            const struct orr_machine *machine)
{
    config->machine = machine;
}

void orr_config_set_policy(struct orr_config *config,
                           const struct orr_sched_ops *policy)
{
    config->policy = policy;
}

void orr_config_set_future(struct orr_config *config, struct orr_future *future)
{
    config->future = future;
}

void orr_config_set_trace(struct orr_config *config, struct orr_trace *trace)
{
    config->trace = trace;
}

void orr_config_set_progress(struct orr_config *config,
                             bool (*progress)(void *data, uint64_t tasks),
                             void *data)
{
    config->progress = progress;
    config->progress_data = data;
}

void orr_config_set_left_out(struct orr_config *config, const uint64_t *tasks,
                             size_t count)
{
    g_free((void *)(uintptr_t)config->left_out);
    config->left_out = g_memdup2(tasks, count * sizeof(*tasks));
    config->left_out_count = count;
}

void orr_config_set_spread(struct orr_config *config, double spread)
{
    config->spread = spread;
}

void orr_config_set_instant_copies(struct orr_config *config, bool instant)
{
    config->instant_copies = instant;
}
