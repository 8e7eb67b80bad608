/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POWER_TABLE_H
#define ORR_POWER_TABLE_H

#include "models/energy/power.h"

/*
 * What a platform file says of the power of one device: a table of states, the
 * first of which is that in which its kernels were measured. A state is a
 * frequency, or a power cap; each has its own watts and its own speed. Nothing
 * between two states is known, and nothing outside the table.
 *
 * Figures are kept as the file has them, in W and J.
 */
#define ORR_MAX_STATES 64u
#define ORR_STATE_OFF                                                          \
    "off" /* the name of no state: the device takes no tasks,                  \
             and draws what its present state says */
#define ORR_MAX_STATE_KERNELS 256u
#define ORR_MAX_STATE_SPEED 100.0

/* What the joules of a kernel are. */
enum orr_joules_kind {
    ORR_JOULES_NONE,       /* it has watts */
    ORR_JOULES_ABOVE_IDLE, /* joules of a kernel beyond the idle power of
                              the device; on a CPU core, beyond static power */
    ORR_JOULES_TOTAL,      /* all that the device draws meanwhile */
};

/* A kernel in one state. */
struct orr_state_kernel {
    char *name;
    unsigned tile; /* 0: all others */
    double speed;  /* relative to the first state; 0: that of the state */
    double watts;  /* of the device, all of its cores running it; 0: unknown */
    double joules; /* of one execution, by @kind */
    enum orr_joules_kind kind;
};

struct orr_power_state {
    char *name;
    double speed; /* of all other kernels, relative to the first state */
    double idle_w, static_w, busy_w, poll_w, off_w;
    unsigned kernel_count;
    struct orr_state_kernel *kernels;
};

struct orr_power_table {
    bool nominal; /* figures of the vendor, such as TDP: not measured */
    bool off;
    unsigned current;
    unsigned count; /* 0: nothing is known of the device */
    struct orr_power_state *states;
};

void orr_power_table_clear(struct orr_power_table *table);

/* Makes @copy, which is overwritten, equal to @table. */
void orr_power_table_copy(struct orr_power_table *copy,
                          const struct orr_power_table *table);

/*
 * Changes the number of cores of the device from @before (> 0) to @cores (> 0).
 * The idle and static watts of the device stay as they are, and so does what
 * one core adds to the static watts. So the watts of all cores change: busy,
 * poll and those of kernels. Busy watts are at least the idle watts.
 */
void orr_power_table_set_cores(struct orr_power_table *table, unsigned before,
                               unsigned cores);

/* The levels of @state. */
struct orr_power_levels
orr_power_state_levels(const struct orr_power_state *state);

/* The most that a device draws in @state, W: the watts of its kernels, or all
 * cores busy. A power cap is a bound on this. */
double orr_power_state_peak(const struct orr_power_state *state);

/* What @state says of kernel @name at @tile; borrowed, or NULL. */
const struct orr_state_kernel *
orr_power_state_kernel(const struct orr_power_state *state, const char *name,
                       unsigned tile);

/* The speed of kernel @name at @tile in @state, relative to the first state. */
double orr_power_state_speed(const struct orr_power_state *state,
                             const char *name, unsigned tile);

#endif
