/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/sweep/machines.h"

#include "apps/simulation/simulate.h"
#include "models/import/platform_find.h"

/* Unused machines to keep, at a few 100 kB each. */
#define MOST_KEPT 64

struct entry {
    char *key; /* the settings that determine the machine, as text; owned */
    struct orr_machine *machine;
    unsigned users;
    uint64_t last; /* number of its last use */
};

struct read_platform {
    struct orr_platform *platform; /* NULL: the file cannot be read */
    GError *error;
};

struct orr_machines {
    GMutex mutex;
    GHashTable *platforms; /* struct read_platform, by name */
    GHashTable *entries;   /* struct entry, by key */
    uint64_t uses;
};

static void free_platform(gpointer data)
{
    struct read_platform *read = data;

    orr_platform_free(read->platform);
    g_clear_error(&read->error);
    g_free(read);
}

static void free_entry(gpointer data)
{
    struct entry *entry = data;

    orr_machine_free(entry->machine);
    g_free(entry->key);
    g_free(entry);
}

struct orr_machines *orr_machines_new(void)
{
    struct orr_machines *machines = g_new0(struct orr_machines, 1);

    g_mutex_init(&machines->mutex);
    machines->platforms =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_platform);
    machines->entries =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_entry);
    return machines;
}

void orr_machines_free(struct orr_machines *machines)
{
    if (!machines)
        return;
    g_hash_table_unref(machines->platforms);
    g_hash_table_unref(machines->entries);
    g_mutex_clear(&machines->mutex);
    g_free(machines);
}

const struct orr_platform *orr_machines_platform(struct orr_machines *machines,
                                                 const char *name,
                                                 GError **error)
{
    struct read_platform *read;

    g_mutex_lock(&machines->mutex);
    read = g_hash_table_lookup(machines->platforms, name);
    if (!read) {
        read = g_new0(struct read_platform, 1);
        read->platform = orr_platform_load(name, NULL, &read->error);
        g_hash_table_insert(machines->platforms, g_strdup(name), read);
    }
    g_mutex_unlock(&machines->mutex);
    if (!read->platform && error)
        *error = g_error_copy(read->error);
    return read->platform;
}

/* Returns the settings that determine the machine, as text. Free with g_free().
 */
static char *key_of(const struct orr_settings *settings)
{
    GString *key = g_string_new(NULL);

    g_string_printf(key, "%s\n%d\n%d\n%d", settings->scenario.config.platform,
                    settings->scenario.config.gpus,
                    settings->scenario.config.cpus,
                    settings->scenario.config.stale_calibration);
    for (guint i = 0; settings->scenario.config.changes &&
                      settings->scenario.config.changes[i];
         i++)
        g_string_append_printf(key, "\n%s",
                               settings->scenario.config.changes[i]);
    return g_string_free(key, FALSE);
}

/* Removes the least recently used machine if there are too many. */
static void limit(struct orr_machines *machines)
{
    struct entry *oldest = NULL;
    GHashTableIter iter;
    gpointer value;

    if (g_hash_table_size(machines->entries) <= MOST_KEPT)
        return;
    g_hash_table_iter_init(&iter, machines->entries);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        struct entry *entry = value;

        if (entry->users == 0 && (!oldest || entry->last < oldest->last))
            oldest = entry;
    }
    if (oldest)
        g_hash_table_remove(machines->entries, oldest->key);
}

/* Adds @machine, which it takes; if another thread has added the same
 * meanwhile, returns that one. */
static struct entry *add(struct orr_machines *machines, const char *key,
                         struct orr_machine *machine)
{
    struct entry *entry = g_hash_table_lookup(machines->entries, key);

    if (entry) {
        orr_machine_free(machine);
        return entry;
    }
    limit(machines);
    entry = g_new0(struct entry, 1);
    entry->key = g_strdup(key);
    entry->machine = machine;
    g_hash_table_insert(machines->entries, entry->key, entry);
    return entry;
}

bool orr_machines_enter(struct orr_machines *machines,
                        struct orr_settings *settings, GError **error)
{
    g_autofree char *key = key_of(settings);
    struct entry *entry;

    g_mutex_lock(&machines->mutex);
    entry = g_hash_table_lookup(machines->entries, key);
    if (!entry) {
        struct orr_machine *machine;

        g_mutex_unlock(&machines->mutex);
        machine = orr_simulate_machine(&settings->scenario, error);
        if (!machine)
            return false;
        g_mutex_lock(&machines->mutex);
        entry = add(machines, key, machine);
    }
    entry->users++;
    entry->last = ++machines->uses;
    settings->scenario.run.machine = entry->machine;
    g_mutex_unlock(&machines->mutex);
    return true;
}

void orr_machines_leave(struct orr_machines *machines,
                        struct orr_settings *settings)
{
    g_autofree char *key = NULL;
    struct entry *entry;

    if (!settings->scenario.run.machine)
        return;
    key = key_of(settings);
    g_mutex_lock(&machines->mutex);
    entry = g_hash_table_lookup(machines->entries, key);
    entry->users--;
    settings->scenario.run.machine = NULL;
    g_mutex_unlock(&machines->mutex);
}
