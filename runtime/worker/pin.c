/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/pin.h"

#include <math.h>

#include "runtime/run.h"

/* Larger buffers have memory of their own, others a part of a chunk. */
#define MOST_IN_CHUNK (ORR_SUBALLOC_CHUNK / 8)

struct pin {
    enum { PIN_BEGINS, PIN_ENDS } at;
    struct orr_run *run;
    struct orr_data *data;
};

/* Begins to pin @bytes. Returns how long that takes, 31 years at most. */
static orr_time begin_pinning(struct orr_run *run, uint64_t bytes)
{
    const double mib = (double)bytes / (1 << 20);

    run->buffers.pinning.paid = true;
    return (orr_time)fmin(mib * (double)run->overheads.host_pin, 1e18);
}

/* Takes a part of a chunk, which is pinned if need be. */
static enum orr_next take_part(struct orr_actor *actor, struct orr_run *run,
                               uint64_t bytes)
{
    struct orr_pinning *pinning = &run->buffers.pinning;

    while (pinning->until > run->engine.now || pinning->left < bytes) {
        if (pinning->until <= run->engine.now) {
            pinning->left = ORR_SUBALLOC_CHUNK;
            pinning->until =
                run->engine.now + begin_pinning(run, ORR_SUBALLOC_CHUNK);
        }
        if (orr_actor_sleep(actor, pinning->until - run->engine.now) ==
            ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    pinning->left -= bytes;
    return ORR_DONE;
}

static enum orr_next pin(struct orr_actor *actor, void *locals)
{
    struct pin *frame = locals;
    struct orr_run *run = frame->run;
    struct orr_data *data = frame->data;
    struct orr_spare spare;
    bool reuses =
        frame->at == PIN_BEGINS && data->temporary &&
        orr_memory_take_spare(&run->store.memories[ORR_RAM], data, &spare);

    if (!reuses && data->bytes <= MOST_IN_CHUNK &&
        take_part(actor, run, data->bytes) == ORR_ASLEEP)
        return ORR_ASLEEP;
    if (!reuses && data->bytes > MOST_IN_CHUNK && frame->at == PIN_BEGINS) {
        frame->at = PIN_ENDS;
        if (orr_actor_sleep(actor, begin_pinning(run, data->bytes)) ==
            ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    data->allocated |= 1u << ORR_RAM;
    orr_replicate_buffer_changed(&run->store, &data->copies[ORR_RAM]);
    return ORR_DONE;
}

void orr_pin(struct orr_actor *actor, struct orr_run *run,
             struct orr_data *data)
{
    struct pin *frame = orr_actor_call(actor, pin, sizeof(*frame));

    frame->run = run;
    frame->data = data;
}

void orr_unpin(struct orr_run *run, struct orr_data *data)
{
    if (data->bytes <= MOST_IN_CHUNK)
        run->buffers.pinning.left += data->bytes;
}

void orr_pin_spare(struct orr_run *run, struct orr_data *data)
{
    struct orr_replicate *copy = &data->copies[ORR_RAM];

    if (!data->temporary || run->gpu_count == 0 ||
        !orr_replicate_is_allocated(copy))
        return;
    data->allocated &= ~(1u << ORR_RAM);
    orr_replicate_buffer_changed(&run->store, copy);
    orr_memory_add_spare(&run->store.memories[ORR_RAM], data,
                         (struct orr_block){0});
}
