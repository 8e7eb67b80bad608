/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/race.h"

#include <glib.h>

struct step {
    const struct orr_event *event; /* NULL: not known yet */
    unsigned due;                  /* steps made before its event became due */
    uint64_t before; /* steps that happen before this step, one bit each */
    struct orr_footprint touched;
};

struct wait {
    const struct orr_event *event;
    unsigned since;
};

struct orr_races {
    unsigned count;
    struct step steps[ORR_MOST_STEPS];
    unsigned due; /* events at the present step */
    struct wait waits[ORR_MOST_OPTIONS];
};

struct orr_races *orr_races_new(void)
{
    return g_new0(struct orr_races, 1);
}

void orr_races_free(struct orr_races *races)
{
    g_free(races);
}

bool orr_footprints_commute(const struct orr_footprint *a,
                            const struct orr_footprint *b)
{
    return !(a->writes & (b->reads | b->writes)) && !(b->writes & a->reads);
}

void orr_races_clear(struct orr_races *races)
{
    races->count = 0;
    races->due = 0;
}

/* The number of steps made before @event became due. */
static unsigned since(const struct orr_races *races,
                      const struct orr_event *event)
{
    if (races->count > 0 && races->steps[races->count - 1].event == event)
        return races->count; /* due again */
    for (unsigned i = 0; i < races->due; i++) {
        if (races->waits[i].event == event)
            return races->waits[i].since;
    }
    return races->count;
}

unsigned orr_races_add(struct orr_races *races, const struct orr_due *due)
{
    struct wait waits[ORR_MOST_OPTIONS];

    g_assert(races->count < ORR_MOST_STEPS);
    for (unsigned i = 0; i < due->count; i++)
        waits[i] = (struct wait){due->events[i], since(races, due->events[i])};
    for (unsigned i = 0; i < due->count; i++)
        races->waits[i] = waits[i];
    races->due = due->count;
    races->steps[races->count] = (struct step){0};
    return races->count++;
}

void orr_races_choose(struct orr_races *races, const struct orr_event *event)
{
    struct step *step = &races->steps[races->count - 1];

    step->event = event;
    for (unsigned i = 0; i < races->due; i++) {
        if (races->waits[i].event == event)
            step->due = races->waits[i].since;
    }
}

/* Whether @step happens directly after step @before. */
static bool follows(const struct orr_races *races, const struct step *step,
                    unsigned before)
{
    const struct step *other = &races->steps[before];

    return other->event == step->event || step->due == before + 1 ||
           !orr_footprints_commute(&other->touched, &step->touched);
}

void orr_races_end_step(struct orr_races *races,
                        const struct orr_footprint *touched)
{
    struct step *step = &races->steps[races->count - 1];

    step->touched = *touched;
    for (unsigned i = races->count - 1; i-- > 0;) {
        if (!(step->before >> i & 1) && follows(races, step, i))
            step->before |= UINT64_C(1) << i | races->steps[i].before;
    }
}

unsigned orr_races_count(const struct orr_races *races)
{
    return races->count;
}

uint64_t orr_races_racing(const struct orr_races *races)
{
    const struct step *last = &races->steps[races->count - 1];
    uint64_t racing = last->before;

    for (unsigned i = 0; i + 1 < races->count; i++) {
        if (last->before >> i & 1)
            racing &= ~races->steps[i].before;
        if (races->steps[i].event == last->event || last->due == i + 1)
            racing &= ~(UINT64_C(1) << i);
    }
    return racing;
}

uint64_t orr_races_initials(const struct orr_races *races, unsigned step)
{
    unsigned last = races->count - 1;
    uint64_t free = 0, firsts = 0;

    for (unsigned i = step + 1; i <= last; i++) {
        uint64_t before = races->steps[i].before;

        if (before >> step & 1 && i < last)
            continue;
        if (!(before & free))
            firsts |= UINT64_C(1) << i;
        free |= UINT64_C(1) << i;
    }
    return firsts;
}

const struct orr_event *orr_races_event(const struct orr_races *races,
                                        unsigned step)
{
    return races->steps[step].event;
}
