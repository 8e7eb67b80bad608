/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/model/measure.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/model/source.h"

#define VARIABLE "ORRERY_STARPU_MEASURE"

/* The kernels with one name and sizes. */
struct measured {
    double sum_ns;
    uint64_t count;
};

static GHashTable *measures; /* struct measured, by sp_source_key(); NULL: none
                                yet */
static bool lacked_times;    /* tasks took 1 ns */

const char *sp_measure_file(void)
{
    const char *path = getenv(VARIABLE);
    return path && *path ? path : NULL;
}

static const char *setting(void)
{
    return sp_source_setting("--measure", VARIABLE);
}

/* The file that is replaced by @path: the target of links. Free with g_free().
 */
static char *place_of(const char *path)
{
    char *place = realpath(path, NULL);
    char *copy = g_strdup(place ? place : path);

    free(place);
    return copy;
}

void sp_measures_begin(void)
{
    const char *path = sp_measure_file();
    if (!path)
        return;
    if (!sp_session.execute)
        sp_fail(setting(), "kernels are measured where they are called: with "
                           "ORRERY_STARPU_EXECUTE=1");
    g_autofree char *place = place_of(path);
    g_autofree char *folder = g_path_get_dirname(place);
    if (g_file_test(place, G_FILE_TEST_EXISTS) &&
        !g_file_test(place, G_FILE_TEST_IS_REGULAR))
        sp_fail(setting(), "%s: not a regular file", path);
    if (access(folder, W_OK) != 0)
        sp_fail(setting(), "%s: %s", path, g_strerror(errno));
}

void sp_measure_without_times(void)
{
    lacked_times = true;
}

double sp_measure_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void sp_measure_add(const struct starpu_task *task, double ns)
{
    if (task->cl->model == &sp_no_time)
        return;
    char *key = sp_source_key(task);
    if (!measures)
        measures =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    struct measured *measured = g_hash_table_lookup(measures, key);
    if (!measured) {
        measured = g_new0(struct measured, 1);
        g_hash_table_insert(measures, g_strdup(key), measured);
    }
    measured->sum_ns += ns;
    measured->count++;
    g_free(key);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(a, b);
}

void sp_measures_end(void)
{
    const char *path = sp_measure_file();
    if (!path)
        return;
    g_autoptr(GString) text = g_string_new(
        "# Wall clock times of cpu_funcs, each the mean of its calls on the "
        "machine\n# that ran the program: CODELET SIZES CLASS NS\n");
    g_autoptr(GList) keys = measures ? g_hash_table_get_keys(measures) : NULL;
    keys = g_list_sort(keys, compare);
    for (const GList *key = keys; key; key = key->next) {
        const struct measured *measured =
            g_hash_table_lookup(measures, key->data);
        double mean = measured->sum_ns / (double)measured->count;
        g_string_append_printf(
            text, "%s cpu %.0f # %" G_GUINT64_FORMAT " calls\n",
            (const char *)key->data, fmax(round(mean), 1), measured->count);
    }
    GError *error = NULL;
    g_autofree char *place = place_of(path);
    if (!g_file_set_contents(place, text->str, (gssize)text->len, &error))
        sp_fail_error(setting(), error);
    if (lacked_times)
        sp_warn("%s: tasks without times took 1 ns, so the dates of this run "
                "mean nothing",
                setting());
    lacked_times = false;
    g_clear_pointer(&measures, g_hash_table_unref);
}
