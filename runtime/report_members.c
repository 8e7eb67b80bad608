/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The members of a report by name: a table, and the functions that read it. */
#include "runtime/report_members.h"

#include <string.h>

#define TYPE(value)                                                            \
    _Generic(value, bool: ORR_REPORT_BOOL, unsigned: ORR_REPORT_UNSIGNED,      \
             int64_t: ORR_REPORT_INT64, uint64_t: ORR_REPORT_UINT64,           \
             double: ORR_REPORT_DOUBLE, const char *: ORR_REPORT_STRING,       \
             const char *const *: ORR_REPORT_STRINGS)

#define ROW(place, tag, member, name, unit)                                    \
    {                                                                          \
        name, unit, TYPE(((struct tag *)NULL)->member), place,                 \
            offsetof(struct tag, member), sizeof(((struct tag *)NULL)->member) \
    }
#define REPORT(member, unit)                                                   \
    ROW(ORR_IN_REPORT, orr_report, member, #member, unit)
#define NAMED(member, name) ROW(ORR_IN_REPORT, orr_report, member, name, "")
#define WORKER(member, unit)                                                   \
    ROW(ORR_IN_WORKER, orr_worker_report, member, "workers.#." #member, unit)
#define ENERGY(member, unit)                                                   \
    ROW(ORR_IN_ENERGY, orr_energy_report, member, "energy." #member, unit)
#define ENERGY_COUNT(member, name)                                             \
    ROW(ORR_IN_ENERGY, orr_energy_report, member, "energy." name, "")
#define ITEM(place, array, member, unit)                                       \
    ROW(place, orr_energy_item, member, "energy." array ".#." #member, unit)
#define STRING(place, name)                                                    \
    {                                                                          \
        name, "", ORR_REPORT_STRING, place, 0, sizeof(const char *)            \
    }

const struct orr_report_member orr_report_members[] = {
    REPORT(platform, ""),
    REPORT(sched, ""),
    REPORT(sched_file, ""),
    REPORT(evict, ""),
    REPORT(cpus, ""),
    REPORT(gpus, ""),
    REPORT(gpu_memory_bytes, "bytes"),
    REPORT(seed, ""),
    NAMED(change_count, "changes"),
    STRING(ORR_IN_CHANGES, "changes.#"),
    REPORT(unused, ""),
    STRING(ORR_IN_UNUSED, "unused.#"),
    REPORT(models, ""),
    REPORT(modelled, ""),
    REPORT(assumed, ""),
    REPORT(makespan_ns, "ns"),
    REPORT(tasks, ""),
    REPORT(bytes_host_to_device, "bytes"),
    REPORT(bytes_device_to_host, "bytes"),
    REPORT(bytes_device_to_device, "bytes"),
    REPORT(copies, ""),
    REPORT(copies_by_segment, ""),
    REPORT(evictions, ""),
    REPORT(events, ""),
    REPORT(digest, ""),
    REPORT(order, ""),
    REPORT(sources.mean, ""),
    REPORT(sources.histogram, ""),
    REPORT(sources.lognormal, ""),
    REPORT(sources.record, ""),
    REPORT(sources.elsewhere, ""),
    NAMED(times_from[ORR_TIMES_GIVEN], "times_from.given"),
    NAMED(times_from[ORR_TIMES_FLOPS], "times_from.flops"),
    NAMED(times_from[ORR_TIMES_RECORDED], "times_from.recorded"),
    NAMED(times_from[ORR_TIMES_NONE], "times_from.none"),
    REPORT(times_of_kernels, ""),
    NAMED(worker_count, "workers"),
    WORKER(name, ""),
    WORKER(tasks, ""),
    WORKER(busy_ns, "ns"),
    WORKER(memory_node, ""),
    WORKER(peak_memory_bytes, "bytes"),
    ENERGY(total_nj, "nJ"),
    ENERGY(dynamic_nj, "nJ"),
    ENERGY(idle_nj, "nJ"),
    ENERGY(static_nj, "nJ"),
    ENERGY(polling_nj, "nJ"),
    ENERGY(copies_nj, "nJ"),
    ENERGY(peak_power_w, "W"),
    ENERGY(nominal, ""),
    ENERGY_COUNT(device_count, "devices"),
    ITEM(ORR_IN_ENERGY_DEVICE, "devices", name, ""),
    ITEM(ORR_IN_ENERGY_DEVICE, "devices", nj, "nJ"),
    ENERGY_COUNT(kernel_count, "kernels"),
    ITEM(ORR_IN_ENERGY_KERNEL, "kernels", name, ""),
    ITEM(ORR_IN_ENERGY_KERNEL, "kernels", nj, "nJ"),
    {.name = NULL},
};

static uint64_t count_texts(const char *const *texts)
{
    uint64_t count = 0;

    while (texts && texts[count])
        count++;
    return count;
}

/* Element @i of an array, or NULL. */
static const void *element(const void *array, uint64_t count, size_t size,
                           uint64_t i)
{
    return i < count ? (const char *)array + i * size : NULL;
}

/* The structure or array element in which members of @place lie; NULL: @report
 * does not have it. */
static const void *find_place(const struct orr_report *report,
                              enum orr_report_place place, uint64_t i)
{
    const struct orr_energy_report *energy = report->energy;

    switch (place) {
    case ORR_IN_REPORT:
        return report;
    case ORR_IN_WORKER:
        return element(report->workers, report->worker_count,
                       sizeof(*report->workers), i);
    case ORR_IN_ENERGY:
        return energy;
    case ORR_IN_ENERGY_DEVICE:
        return energy ? element(energy->devices, energy->device_count,
                                sizeof(*energy->devices), i)
                      : NULL;
    case ORR_IN_ENERGY_KERNEL:
        return energy ? element(energy->kernels, energy->kernel_count,
                                sizeof(*energy->kernels), i)
                      : NULL;
    case ORR_IN_CHANGES:
        return element(report->changes, report->change_count,
                       sizeof(*report->changes), i);
    case ORR_IN_UNUSED:
        return element(report->unused, count_texts(report->unused),
                       sizeof(*report->unused), i);
    }
    return NULL;
}

/* Whether @name is @pattern, with "#" or a number in place of its "#"; stores
 * the number in *@number. */
static bool matches(const char *pattern, const char *name, uint64_t *number)
{
    size_t before = strcspn(pattern, "#");
    const char *rest = name + before;

    *number = UINT64_MAX; /* no element */
    if (strncmp(pattern, name, before) != 0)
        return false;
    if (!pattern[before])
        return !*rest;
    if (*rest == '#')
        rest++;
    else if (g_ascii_isdigit(*rest))
        *number = g_ascii_strtoull(rest, (char **)&rest, 10);
    else
        return false;
    return strcmp(pattern + before + 1, rest) == 0;
}

/* The row of @name, or NULL. */
static const struct orr_report_member *find_member(const char *name,
                                                   uint64_t *number)
{
    const struct orr_report_member *member = orr_report_members;

    while (member->name && !(name && matches(member->name, name, number)))
        member++;
    return member->name ? member : NULL;
}

static enum orr_report_kind kind_of(const struct orr_report_member *member)
{
    switch (member->type) {
    case ORR_REPORT_DOUBLE:
        return ORR_REPORT_NUMBER;
    case ORR_REPORT_STRING:
        return ORR_REPORT_TEXT;
    default:
        return ORR_REPORT_INTEGER;
    }
}

/* The place of the member @name, of @kind, in @report, or NULL; sets *@type. */
static const void *find(const struct orr_report *report, const char *name,
                        enum orr_report_kind kind, enum orr_report_type *type)
{
    uint64_t number;
    const struct orr_report_member *member = find_member(name, &number);
    const char *place;

    if (!member || kind_of(member) != kind)
        return NULL;
    *type = member->type;
    place = find_place(report, member->place, number);
    return place ? place + member->offset : NULL;
}

const char *orr_report_name(unsigned i)
{
    for (unsigned k = 0; orr_report_members[k].name; k++) {
        if (k == i)
            return orr_report_members[k].name;
    }
    return NULL;
}

enum orr_report_kind orr_report_kind(const char *name)
{
    uint64_t number;
    const struct orr_report_member *member = find_member(name, &number);

    return member ? kind_of(member) : ORR_REPORT_NONE;
}

const char *orr_report_unit(const char *name)
{
    uint64_t number;
    const struct orr_report_member *member = find_member(name, &number);

    return member ? member->unit : NULL;
}

bool orr_report_integer(const struct orr_report *report, const char *name,
                        int64_t *value)
{
    enum orr_report_type type;
    const void *place = find(report, name, ORR_REPORT_INTEGER, &type);

    if (!place)
        return false;
    switch (type) {
    case ORR_REPORT_BOOL:
        *value = *(const bool *)place;
        break;
    case ORR_REPORT_UNSIGNED:
        *value = *(const unsigned *)place;
        break;
    case ORR_REPORT_STRINGS:
        *value = (int64_t)count_texts(*(const char *const *const *)place);
        break;
    default:
        *value = *(const int64_t *)place; /* the bits of a uint64_t, too */
    }
    return true;
}

bool orr_report_number(const struct orr_report *report, const char *name,
                       double *value)
{
    enum orr_report_type type;
    const double *place = find(report, name, ORR_REPORT_NUMBER, &type);
    int64_t integer;

    if (place) {
        *value = *place;
        return true;
    }
    if (!orr_report_integer(report, name, &integer))
        return false;
    *value = (double)integer;
    return true;
}

bool orr_report_text(const struct orr_report *report, const char *name,
                     const char **value)
{
    enum orr_report_type type;
    const char *const *place = find(report, name, ORR_REPORT_TEXT, &type);

    if (!place)
        return false;
    *value = *place;
    return true;
}
