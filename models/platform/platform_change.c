/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Applies changes "PATH=VALUE" one after the other (platform_change.h). For
 * each change, the durations of lone copies are computed before and after;
 * beliefs are scaled by their ratio, so that policies know of the change,
 * unless the calibration is to be stale.
 */
#include "models/platform/platform_change.h"

#include <math.h>
#include <string.h>

#include "models/platform/bus.h"
#include "models/platform/interconnect.h"
#include "models/platform/platform_resize.h"
#include "models/platform/power_change.h"

#define MAX_LATENCY (86400 * ORR_S) /* the limit of platform files */

/* A change, parsed without the platform. */
enum target { PARAMETERS, PCIE, DIRECT, POWER };

struct setting {
    char *path;
    enum target target;
    enum orr_parameter_kind kind;
    struct orr_parameter_value value;
    struct orr_pcie pcie; /* if the target is PCIE */
    char *power;          /* if the target is POWER: its value; owned */
};

static bool read_value(struct setting *setting, const char *text,
                       GError **error)
{
    if (strcmp(setting->path, "pcie") == 0) {
        setting->target = PCIE;
        return orr_pcie_parse(text, &setting->pcie, error);
    }
    if (orr_power_change_is(setting->path)) {
        setting->target = POWER;
        setting->power = g_strdup(text);
        return orr_power_change_check(setting->path, text, error);
    }
    setting->kind = ORR_PARAMETER_BANDWIDTH;
    if (strcmp(setting->path, "nvlink") == 0)
        setting->target = DIRECT;
    else if (!orr_parameter_kind_of(setting->path, &setting->kind, error))
        return false;
    return orr_parameter_parse(setting->kind, text, &setting->value, error);
}

static void free_setting(struct setting *setting)
{
    g_free(setting->path);
    g_free(setting->power);
}

/* Splits at the last '=': names of links may hold one, values do not. */
static bool read_setting(struct setting *setting, const char *text,
                         GError **error)
{
    const char *sign = strrchr(text, '=');
    g_autofree char *quoted = orr_quote(text);

    *setting = (struct setting){.target = PARAMETERS};
    if (!sign || !g_utf8_validate(text, -1, NULL)) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%s: expected PATH=VALUE, such as "
                    "link.RAM-CUDA0.bandwidth=12GBps",
                    quoted);
        return false;
    }
    setting->path = g_strndup(text, (gsize)(sign - text));
    if (read_value(setting, sign + 1, error))
        return true;
    g_prefix_error(error, "%s: ", quoted);
    free_setting(setting);
    return false;
}

bool orr_change_check(const char *text, GError **error)
{
    struct setting setting;

    if (!read_setting(&setting, text, error))
        return false;
    free_setting(&setting);
    return true;
}

static bool set_parameters(struct orr_platform *platform,
                           const struct setting *setting, GArray *changed,
                           GError **error)
{
    g_autoptr(GArray) parameters =
        orr_parameters_match(platform, setting->path, setting->kind, error);

    for (unsigned i = 0; parameters && i < parameters->len; i++) {
        struct orr_parameter *parameter =
            &g_array_index(parameters, struct orr_parameter, i);

        if (!orr_parameter_set(platform, parameter, &setting->value, error))
            return false;
        if (parameter->after != parameter->before)
            g_array_append_val(changed, *parameter);
    }
    return parameters;
}

static bool has_kind(const struct orr_platform *platform,
                     enum orr_link_kind kind)
{
    g_autofree enum orr_link_kind *kinds = orr_link_kinds(platform);

    for (unsigned l = 0; l < platform->link_count; l++) {
        if (kinds[l] == kind)
            return true;
    }
    return false;
}

/* Why a change that was carried out has no effect; NULL if it has one. */
static const char *why_idle(const struct orr_platform *platform,
                            const struct setting *setting)
{
    if (setting->target == POWER)
        return "the devices were in that state already";
    if (setting->target == DIRECT && platform->gpu_count < 2)
        return "the platform has no two GPUs";
    if (setting->target == PCIE && !has_kind(platform, ORR_LINK_PCIE))
        return "the platform has no such link";
    if (setting->target == PCIE && setting->pcie.change == ORR_PCIE_LIMIT)
        return "all copies over these links are slower than that; to make them "
               "faster, give a factor such as pcie=2x or a generation such as "
               "pcie=gen5x16";
    return "it had that value already";
}

/* The speed of lone copies between all nodes: [from * node_count + to]. */
struct paces {
    struct orr_bus_pace of[ORR_MAX_NODES * ORR_MAX_NODES];
};

static void get_paces(const struct orr_platform *platform, struct paces *paces)
{
    unsigned nodes = platform->node_count;

    for (unsigned p = 0; p < nodes * nodes; p++)
        paces->of[p] = orr_bus_pace(platform, p / nodes, p % nodes);
}

/*
 * Scales @belief by the change of the duration of its copy. A belief that was
 * not measured stays unknown, unless the copy has another route now.
 */
static bool scale_belief(struct orr_platform_belief *belief,
                         const struct orr_bus_pace *before,
                         const struct orr_bus_pace *after)
{
    bool same_rate = !(before->s_per_byte < after->s_per_byte) &&
                     !(before->s_per_byte > after->s_per_byte);
    bool same_latency = !(before->latency_s < after->latency_s) &&
                        !(before->latency_s > after->latency_s);

    if (!(belief->bytes_per_s > 0) || (same_rate && same_latency))
        return false;
    if (!same_rate)
        belief->bytes_per_s *= before->s_per_byte / after->s_per_byte;
    if (!same_latency && before->latency_s > 0)
        belief->latency_s *= after->latency_s / before->latency_s;
    else if (!same_latency)
        belief->latency_s += after->latency_s;
    return true;
}

static bool scale_beliefs(struct orr_platform *platform,
                          const struct paces *before)
{
    struct paces after = {.of = {{0, 0}}};
    unsigned pairs = platform->node_count * platform->node_count;
    bool any = false;

    get_paces(platform, &after);
    for (unsigned p = 0; p < pairs; p++)
        any |=
            scale_belief(&platform->beliefs[p], &before->of[p], &after.of[p]);
    return any;
}

/*
 * After new links between GPUs: sets the belief of each pair of GPUs that was
 * never measured to the speed of its route.
 */
static bool believe_routes(struct orr_platform *platform)
{
    unsigned nodes = platform->node_count;
    bool any = false;

    for (unsigned p = 0; p < nodes * nodes; p++) {
        struct orr_platform_belief *belief = &platform->beliefs[p];
        struct orr_bus_pace pace = orr_bus_pace(platform, p / nodes, p % nodes);

        if (platform->routes[p].count == 0 || belief->bytes_per_s > 0 ||
            p / nodes == ORR_RAM || p % nodes == ORR_RAM)
            continue;
        belief->bytes_per_s = 1 / pace.s_per_byte;
        belief->latency_s = pace.latency_s;
        any = true;
    }
    return any;
}

/* Checks conditions on several parameters together, for a machine whose first
 * @gpus GPUs are in use. */
static bool is_possible(struct orr_platform *platform, unsigned gpus,
                        GError **error)
{
    unsigned sockets = MAX(platform->sockets, 1);
    unsigned nodes = platform->node_count;

    if (platform->cores < gpus) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "each GPU takes a CPU core to drive it, but there are %u "
                    "GPUs and %u cores",
                    gpus, platform->cores);
        return false;
    }
    if (platform->cores % sockets != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "%u CPU cores cannot be dealt evenly to %u sockets",
                    platform->cores, sockets);
        return false;
    }
    for (unsigned p = 0; p < nodes * nodes; p++) {
        if (orr_bus_latency(platform, p / nodes, p % nodes) <= MAX_LATENCY)
            continue;
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the latencies of the route from %s to %s add up to over "
                    "a day",
                    orr_platform_node_name(platform, p / nodes),
                    orr_platform_node_name(platform, p % nodes));
        return false;
    }
    return orr_parameters_check(platform, error);
}

static bool apply_setting(struct orr_platform *platform,
                          const struct setting *setting,
                          struct orr_change *change, GError **error)
{
    GArray *changed = change->parameters;

    if (setting->target == POWER)
        return orr_power_change(platform, setting->path, setting->power,
                                changed, &change->power, error);
    if (setting->target == PARAMETERS)
        return set_parameters(platform, setting, changed, error);
    if (setting->target == DIRECT)
        return orr_direct_change(platform, &setting->value, changed, error);
    orr_pcie_change(platform, &setting->pcie, changed);
    return true;
}

static struct orr_change *append(struct orr_changes *changes, char *text)
{
    struct orr_change *change;

    changes->items =
        g_renew(struct orr_change, changes->items, changes->count + 1);
    change = &changes->items[changes->count++];
    *change = (struct orr_change){
        .text = text,
        .parameters = g_array_new(FALSE, FALSE, sizeof(struct orr_parameter)),
    };
    return change;
}

static bool apply_change(struct orr_platform *platform,
                         struct orr_change *change,
                         const struct orr_what_if *what, GError **error)
{
    struct paces before = {.of = {{0, 0}}};
    g_autofree char *quoted = orr_quote(change->text);
    bool stale = what->stale_calibration;
    unsigned gpus = platform->gpu_count;
    struct setting setting;
    bool applied;

    if (what->gpus >= 0)
        gpus = MIN(gpus, (unsigned)what->gpus);
    if (!read_setting(&setting, change->text, error))
        return false;
    get_paces(platform, &before);
    applied = apply_setting(platform, &setting, change, error);
    if (applied && change->parameters->len == 0 && !change->power)
        change->idle = g_strdup(why_idle(platform, &setting));
    if (applied && !stale)
        change->beliefs = scale_beliefs(platform, &before);
    if (applied && !stale && setting.target == DIRECT)
        change->beliefs |= believe_routes(platform);
    if (applied)
        applied = is_possible(platform, gpus, error);
    if (!applied)
        g_prefix_error(error, "%s: ", quoted);
    free_setting(&setting);
    return applied;
}

static bool grow(struct orr_platform *platform, struct orr_changes *changes,
                 const struct orr_what_if *what, GError **error)
{
    unsigned gpus = platform->gpu_count;
    unsigned cores = platform->cores;
    unsigned drivers = what->gpus < 0 ? gpus : (unsigned)what->gpus;

    if (!orr_platform_grow(platform, MAX(gpus, drivers),
                           drivers + (unsigned)MAX(what->cpus, 0), error))
        return false;
    if (platform->gpu_count != gpus)
        append(changes, g_strdup_printf("gpus=%u", platform->gpu_count));
    if (platform->cores != cores)
        append(changes, g_strdup_printf("cores=%u", platform->cores));
    return true;
}

/* Notes that beliefs were not scaled, although copies took @before. */
static void note_stale(const struct orr_platform *platform,
                       struct orr_changes *changes, const struct paces *before)
{
    struct orr_change *change = append(changes, g_strdup("stale-calibration"));
    struct paces after = {.of = {{0, 0}}};
    unsigned pairs = platform->node_count * platform->node_count;
    bool differ = false;

    get_paces(platform, &after);
    for (unsigned p = 0; p < pairs; p++) {
        struct orr_platform_belief belief = platform->beliefs[p];

        differ |= scale_belief(&belief, &before->of[p], &after.of[p]);
    }
    if (!differ)
        change->idle = g_strdup("no change made copies slower or faster");
}

struct orr_changes *orr_platform_change(struct orr_platform *platform,
                                        const struct orr_what_if *what,
                                        GError **error)
{
    struct orr_changes *changes = g_new0(struct orr_changes, 1);
    bool done = grow(platform, changes, what, error);
    struct paces before = {.of = {{0, 0}}};

    get_paces(platform, &before);
    for (unsigned i = 0; done && what->settings && what->settings[i]; i++)
        done =
            apply_change(platform, append(changes, g_strdup(what->settings[i])),
                         what, error);
    if (done && what->stale_calibration)
        note_stale(platform, changes, &before);
    if (done)
        return changes;
    orr_changes_free(changes);
    return NULL;
}

void orr_changes_free(struct orr_changes *changes)
{
    if (!changes)
        return;
    for (unsigned i = 0; i < changes->count; i++) {
        g_free(changes->items[i].text);
        g_free(changes->items[i].idle);
        g_array_unref(changes->items[i].parameters);
    }
    g_free(changes->items);
    g_free(changes);
}
