/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POWER_TABLE_H
#define ORR_POWER_TABLE_H

#include "models/energy/power.h"

/*
 * The power of one device in a platform file: a table of states. The kernels
 * were measured in the first state. A state is a frequency or a power cap, with
 * its watts and its speed. The model does not interpolate between states.
 *
 * Figures are kept in the units of the file, W and J.
 */
#define ORR_MAX_STATES 64u
#define ORR_STATE_OFF                                                          \
    "off" /* reserved: the device takes no tasks, and draws off_w */
#define ORR_MAX_STATE_KERNELS 256u
#define ORR_MAX_STATE_SPEED 100.0

/* What the joules of a kernel include. */
enum orr_joules_kind {
    ORR_JOULES_NONE,       /* no joules: the kernel has watts */
    ORR_JOULES_ABOVE_IDLE, /* energy beyond the idle power of the device; on a
                              CPU core, beyond static power */
    ORR_JOULES_TOTAL,      /* all energy of the device during the kernel */
};

/* A kernel in one state. */
struct orr_state_kernel {
    char *name;
    unsigned tile; /* 0: all tile sizes without an entry of their own */
    enum orr_joules_kind kind;
    double speed;  /* relative to the first state; 0: the speed of the state */
    double watts;  /* of the device, if all its cores run it; 0: unknown */
    double joules; /* of one execution, by @kind */
};

struct orr_power_state {
    char *name;
    double
        speed; /* of kernels without their own, relative to the first state */
    double idle_w, static_w, busy_w, poll_w, off_w;
    unsigned kernel_count;
    struct orr_state_kernel *kernels;
};

struct orr_power_table {
    bool nominal; /* figures of the vendor, such as TDP: not measured */
    bool off;
    unsigned current; /* the present state */
    unsigned count;   /* 0: the power of the device is unknown */
    struct orr_power_state *states;
};

void orr_power_table_clear(struct orr_power_table *table);

/* Makes @copy, which is overwritten, equal to @table. */
void orr_power_table_copy(struct orr_power_table *copy,
                          const struct orr_power_table *table);

/*
 * Changes the number of cores of the device from @before (> 0) to @cores (> 0).
 * The idle and static watts of the device stay, and so do the watts that one
 * core adds to the static ones. So the watts of all cores change: busy, poll
 * and of kernels. Busy watts are at least the idle watts.
 */
void orr_power_table_set_cores(struct orr_power_table *table, unsigned before,
                               unsigned cores);

/* The power of a device in @state. */
struct orr_power_levels
orr_power_state_levels(const struct orr_power_state *state);

/* The largest power of a device in @state, W: with all cores busy, or running
 * one of its kernels. A power cap limits this. */
double orr_power_state_peak(const struct orr_power_state *state);

/* The entry of @state for kernel @name at @tile; borrowed, or NULL. */
const struct orr_state_kernel *
orr_power_state_kernel(const struct orr_power_state *state, const char *name,
                       unsigned tile);

/* The speed of kernel @name at @tile in @state, relative to the first state. */
double orr_power_state_speed(const struct orr_power_state *state,
                             const char *name, unsigned tile);

#endif
