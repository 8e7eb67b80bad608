/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/model/source.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/handle.h"

#include <starpu_perfmodel.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In messages. */
static const char times_variable[] = "--times, ORRERY_STARPU_TIMES";
static const char speed_variable[] =
    "--assume-speed, ORRERY_STARPU_ASSUME_SPEED";

/* The longest time of a task, ns. */
#define MAX_NS INT64_C(1000000000000000)

static struct {
    bool given;        /* one of them */
    GHashTable *times; /* "CODELET SIZES" to struct orr_task_times, owned */
    double cpu_flops_per_s, gpu_flops_per_s; /* 0: not given */
} sources;

/* ---- ORRERY_STARPU_TIMES ---- */

static int64_t *time_of_class(struct orr_task_times *times, const char *class)
{
    if (g_ascii_strcasecmp(class, "cpu") == 0)
        return &times->cpu_ns;
    return g_ascii_strcasecmp(class, "gpu") == 0 ? &times->gpu_ns : NULL;
}

static void take_line(char **words, const char *path, unsigned line)
{
    g_autofree char *key = g_strdup_printf("%s %s", words[0], words[1]);
    struct orr_task_times *times = g_hash_table_lookup(sources.times, key);
    char *end;
    int64_t ns = g_ascii_strtoll(words[3], &end, 10);
    int64_t *time;

    if (!times) {
        times = g_new(struct orr_task_times, 1);
        *times = (struct orr_task_times){ORR_TASK_TIMES_INIT,
                                         .source = ORR_TIMES_RECORDED};
        g_hash_table_insert(sources.times, g_strdup(key), times);
    }
    time = time_of_class(times, words[2]);
    if (!time)
        sp_fail(times_variable,
                "%s:%u: '%s' is no class of workers: cpu or gpu", path, line,
                words[2]);
    if (*end || ns <= 0 || ns > MAX_NS)
        sp_fail(times_variable, "%s:%u: '%s' is no time in ns: 1 to 1e15", path,
                line, words[3]);
    if (*time)
        sp_fail(times_variable, "%s:%u: %s has a time on %s already", path,
                line, key, words[2]);
    *time = ns;
}

static void read_line(char *text, const char *path, unsigned line)
{
    char *words[4];
    unsigned count = 0;
    char *place;

    text[strcspn(text, "#")] = '\0';
    for (char *word = strtok_r(text, " \t\r", &place); word;
         word = strtok_r(NULL, " \t\r", &place)) {
        words[MIN(count, 3)] = word;
        count++;
    }
    if (count == 0)
        return;
    if (count != 4)
        sp_fail(times_variable, "%s:%u: not CODELET SIZES CLASS NS", path,
                line);
    take_line(words, path, line);
}

static void read_times(const char *path)
{
    g_autofree char *text = NULL;
    GError *error = NULL;
    g_auto(GStrv) lines = NULL;

    sources.times =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (!g_file_get_contents(path, &text, NULL, &error))
        sp_fail_error(times_variable, error);
    lines = g_strsplit(text, "\n", 0);
    for (unsigned i = 0; lines[i]; i++)
        read_line(lines[i], path, i + 1);
}

/* ---- ORRERY_STARPU_ASSUME_SPEED ---- */

/* "20GFlop/s", in flop/s; 0: it is none. */
static double parse_speed(const char *text)
{
    static const char prefixes[] = "kMGTP";
    char *unit;
    double speed = g_ascii_strtod(text, &unit);
    const char *prefix = *unit ? strchr(prefixes, *unit) : NULL;

    if (prefix) {
        speed *= pow(1000, (double)(prefix - prefixes + 1));
        unit++;
    }
    return strcmp(unit, "Flop/s") == 0 && speed > 0 && isfinite(speed) ? speed
                                                                       : 0;
}

static void read_speeds(const char *value)
{
    g_auto(GStrv) parts = g_strsplit(value, ",", 0);

    for (unsigned i = 0; parts[i]; i++) {
        double *speed = NULL;
        const char *text = strchr(parts[i], '=');

        if (g_str_has_prefix(parts[i], "CPU="))
            speed = &sources.cpu_flops_per_s;
        else if (g_str_has_prefix(parts[i], "CUDA="))
            speed = &sources.gpu_flops_per_s;
        if (speed)
            *speed = parse_speed(text + 1);
        if (!speed || *speed == 0)
            sp_fail(speed_variable,
                    "'%s' is not CPU=SPEED or CUDA=SPEED, as CPU=20GFlop/s",
                    parts[i]);
    }
}

void sp_sources_begin(void)
{
    const char *path = getenv("ORRERY_STARPU_TIMES");
    const char *speeds = getenv("ORRERY_STARPU_ASSUME_SPEED");

    sources.given = (path && *path) || (speeds && *speeds);
    if (path && *path)
        read_times(path);
    if (speeds && *speeds)
        read_speeds(speeds);
}

/* ---- times of a task ---- */

char *sp_source_key(const struct starpu_task *task, const char *name)
{
    GString *key = g_string_new(name);
    unsigned count = sp_task_buffers(task);

    g_string_append(key, count ? " " : " -");
    for (unsigned i = 0; i < count; i++)
        g_string_append_printf(key, "%s%" G_GUINT64_FORMAT, i ? "+" : "",
                               sp_handle_size(sp_task_handle(task, i)));
    return g_string_free(key, FALSE);
}

static const struct orr_task_times *find_times(const struct starpu_task *task,
                                               const char *name)
{
    g_autofree char *key = sp_source_key(task, name);

    return g_hash_table_lookup(sources.times, key);
}

/* A codelet is in the file under its own name or the symbol of its model. */
static bool take_from_file(const struct starpu_task *task,
                           struct orr_task_times *times)
{
    const struct starpu_codelet *codelet = task->cl;
    const struct orr_task_times *found = NULL;

    if (!sources.times)
        return false;
    if (codelet->name)
        found = find_times(task, codelet->name);
    if (!found && codelet->model && codelet->model->symbol)
        found = find_times(task, codelet->model->symbol);
    if (found)
        *times = *found;
    return found;
}

static int64_t divide(double flops, double flops_per_s)
{
    double ns = flops_per_s > 0 ? flops / flops_per_s * 1e9 : 0;
    if (ns <= 0)
        return 0;
    return CLAMP(llround(MIN(ns, (double)MAX_NS)), 1, MAX_NS);
}

static bool take_from_flops(const struct starpu_task *task,
                            struct orr_task_times *times)
{
    *times = (struct orr_task_times){
        ORR_TASK_TIMES_INIT,
        .cpu_ns = divide(task->flops, sources.cpu_flops_per_s),
        .gpu_ns = divide(task->flops, sources.gpu_flops_per_s),
        .source = ORR_TIMES_FLOPS,
    };
    return true;
}

static bool cut(struct orr_task_times *times, enum orr_where where)
{
    if (where == ORR_WHERE_CPU)
        times->gpu_ns = 0;
    if (where == ORR_WHERE_GPU)
        times->cpu_ns = 0;
    return times->cpu_ns || times->gpu_ns;
}

bool sp_source_times(const struct starpu_task *task, enum orr_where where,
                     struct orr_task_times *times)
{
    return (take_from_file(task, times) && cut(times, where)) ||
           (take_from_flops(task, times) && cut(times, where));
}

static void sum_up(void)
{
    const uint64_t *from = sp_calls->run_report(sp_session.run)->times_from;

    sp_warn("tasks without a calibration: %" G_GUINT64_FORMAT
            " took times of %s, %" G_GUINT64_FORMAT " of %s",
            from[ORR_TIMES_RECORDED], times_variable, from[ORR_TIMES_FLOPS],
            speed_variable);
}

void sp_sources_end(void)
{
    if (sources.given && sp_session.run)
        sum_up();
    g_clear_pointer(&sources.times, g_hash_table_unref);
    memset(&sources, 0, sizeof(sources));
}
