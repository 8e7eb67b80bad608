/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/model/source.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/elements.h"
#include "apps/starpu/data/handle.h"

#include <starpu_perfmodel.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMES_VARIABLE "ORRERY_STARPU_TIMES"
#define SPEED_VARIABLE "ORRERY_STARPU_ASSUME_SPEED"

/* A file of times is smaller. */
#define MOST_BYTES ((size_t)64 << 20)

/* The longest time of a task, ns. */
#define MAX_NS INT64_C(1000000000000000)

static struct {
    GHashTable *times; /* "CODELET SIZES" to struct orr_task_times, owned; NULL:
                          not given */
    double cpu_flops_per_s, gpu_flops_per_s; /* 0: not given */
    bool of_machine; /* tasks took the speed of the machine for their flops */
} sources;

const char *sp_source_setting(const char *option, const char *variable)
{
    return sp_calls == &sp_direct_calls ? variable : option;
}

static const char *times_setting(void)
{
    return sp_source_setting("--times", TIMES_VARIABLE);
}

static const char *speed_setting(void)
{
    return sp_source_setting("--assume-speed", SPEED_VARIABLE);
}

static bool has_speeds(void)
{
    return sources.cpu_flops_per_s > 0 || sources.gpu_flops_per_s > 0;
}

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
        sp_fail(times_setting(),
                "%s:%u: '%s' is no class of workers: cpu or gpu", path, line,
                words[2]);
    if (*end || ns <= 0 || ns > MAX_NS)
        sp_fail(times_setting(), "%s:%u: '%s' is no time in ns: 1 to 1e15",
                path, line, words[3]);
    if (*time)
        sp_fail(times_setting(), "%s:%u: %s has a time on %s already", path,
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
        sp_fail(times_setting(), "%s:%u: not CODELET SIZES CLASS NS", path,
                line);
    take_line(words, path, line);
}

/* The text of the file. It may be a pipe, but not one without an end. Free with
 * g_free(). */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = g_malloc(MOST_BYTES + 1);
    size_t bytes = file ? fread(text, 1, MOST_BYTES, file) : 0;

    if (!file || ferror(file))
        sp_fail(times_setting(), "%s: %s", path, g_strerror(errno));
    if (bytes == MOST_BYTES || memchr(text, 0, bytes))
        sp_fail(times_setting(), "%s: expected text of less than %d MiB", path,
                (int)(MOST_BYTES >> 20));
    fclose(file);
    text[bytes] = '\0';
    return g_realloc(text, bytes + 1);
}

static void read_times(const char *path)
{
    char *text = read_text(path);
    g_auto(GStrv) lines = g_strsplit(text, "\n", 0);

    sources.times =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_free(text);
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
            sp_fail(speed_setting(),
                    "'%s' is not CPU=SPEED or CUDA=SPEED, as CPU=20GFlop/s",
                    parts[i]);
    }
}

void sp_sources_begin(void)
{
    const char *path = getenv(TIMES_VARIABLE);
    const char *speeds = getenv(SPEED_VARIABLE);

    if (path && *path)
        read_times(path);
    if (speeds && *speeds)
        read_speeds(speeds);
}

/* ---- times of a task ---- */

/* The words of the line of @task under the name @name. */
static char *make_key(const struct starpu_task *task, const char *name)
{
    GString *key = g_string_new(name);
    unsigned count = sp_task_buffers(task);

    /* A name is one word, and no comment. */
    g_strdelimit(key->str, " \t\r\n#", '_');
    g_string_append(key, count ? " " : " -");
    for (unsigned i = 0; i < count; i++)
        g_string_append_printf(key, "%s%" G_GUINT64_FORMAT, i ? "+" : "",
                               sp_handle_size(sp_task_handle(task, i)));
    return g_string_free(key, FALSE);
}

char *sp_source_key(const struct starpu_task *task)
{
    return make_key(task, sp_codelet_name(task));
}

static const struct orr_task_times *find_times(const struct starpu_task *task,
                                               const char *name)
{
    g_autofree char *key = make_key(task, name);

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
    found = find_times(task, sp_codelet_name(task));
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

/* Of the elements of its data: double if some have 8 bytes. */
static enum orr_kernel_precision precision_of(const struct starpu_task *task)
{
    for (unsigned i = 0; i < sp_task_buffers(task); i++) {
        struct sp_dense dense;

        if (sp_dense_read(sp_handle_interface(sp_task_handle(task, i)),
                          &dense) &&
            dense.element_bytes == sizeof(double))
            return ORR_DOUBLE_PRECISION;
    }
    return ORR_SINGLE_PRECISION;
}

/* The time of @task on @count workers of a class, of which @worker is the
 * first, at a speed that is given, or else at the speed of the machine. */
static int64_t time_of_flops(const struct starpu_task *task, double flops_per_s,
                             unsigned count, unsigned worker)
{
    int64_t ns;

    if (flops_per_s > 0)
        return divide(task->flops, flops_per_s);
    if (has_speeds() || count == 0 || !(task->flops > 0))
        return 0;
    ns = sp_calls->run_flops_ns(sp_session.run, worker, precision_of(task),
                                task->flops);
    sources.of_machine |= ns > 0;
    return ns;
}

static bool take_from_flops(const struct starpu_task *task,
                            struct orr_task_times *times)
{
    *times = (struct orr_task_times){
        ORR_TASK_TIMES_INIT,
        .cpu_ns = time_of_flops(task, sources.cpu_flops_per_s, sp_session.cpus,
                                sp_session.gpus),
        .gpu_ns =
            time_of_flops(task, sources.gpu_flops_per_s, sp_session.gpus, 0),
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

char *sp_source_complain(const struct starpu_task *task)
{
    GString *text = g_string_new(NULL);
    g_autofree char *key = sp_source_key(task);

    if (sources.times)
        g_string_append_printf(text, "; %s has no line '%s CLASS NS'",
                               times_setting(), key);
    if (has_speeds())
        g_string_append_printf(text,
                               task->flops > 0
                                   ? "; %s has no speed of its workers"
                                   : "; it has no STARPU_FLOPS for %s",
                               speed_setting());
    if (!has_speeds() && task->flops > 0)
        g_string_append_printf(
            text, "; for its STARPU_FLOPS give %s%s", speed_setting(),
            sp_source_setting(" CPU=20GFlop/s,CUDA=1TFlop/s",
                              "=CPU=20GFlop/s,CUDA=1TFlop/s"));
    if (!sources.times)
        g_string_append(
            text,
            sp_source_setting("; measure it by --execute --measure FILE, then "
                              "run with --times FILE",
                              "; measure it by ORRERY_STARPU_EXECUTE=1 "
                              "ORRERY_STARPU_MEASURE=FILE, then run with "
                              "ORRERY_STARPU_TIMES=FILE"));
    return g_string_free(text, FALSE);
}

static void sum_up(enum orr_times_source source, const char *setting)
{
    uint64_t count = sp_calls->run_report(sp_session.run)->times_from[source];

    if (count > 0)
        sp_warn("tasks without a calibration: %" G_GUINT64_FORMAT
                " took times of %s",
                count, setting);
    else
        sp_warn("no task needs %s: sources before it know all times "
                "(docs/STARPU.md#times)",
                setting);
}

void sp_sources_end(void)
{
    if (sources.times && sp_session.run)
        sum_up(ORR_TIMES_RECORDED, times_setting());
    if (has_speeds() && sp_session.run)
        sum_up(ORR_TIMES_FLOPS, speed_setting());
    if (sources.of_machine && sp_session.run)
        sum_up(ORR_TIMES_FLOPS, "GEMM on this machine for their STARPU_FLOPS");
    g_clear_pointer(&sources.times, g_hash_table_unref);
    memset(&sources, 0, sizeof(sources));
}
