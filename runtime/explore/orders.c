/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/orders.h"

#include "runtime/races/clocks.h"

/* The application has number 0; workers from 64 on share numbers. */
enum { MOST_CALLERS = 64 + 1 };

struct operation {
    struct orr_order order;
    unsigned caller;
    uint32_t epoch;
    guint decision;
    guint before; /* the one before on the same object, plus one; or 0 */
    /* mask of the callers that the operation woke: see bit_of() */
    uint64_t asleep;
};

/* A caller that waits for an operation on an object. */
struct sleeper {
    unsigned caller;
    const void *object;
};

struct orr_orders {
    struct orr_clocks *clocks;
    GArray *operations; /* struct operation */
    GHashTable *last;   /* object: its last operation, plus one */
    GArray *sleepers;   /* struct sleeper */
};

/* The bit of @caller. Those that have none are not known to sleep. */
static uint64_t bit_of(unsigned caller)
{
    return caller < 64 ? UINT64_C(1) << caller : 0;
}

static unsigned caller_of(unsigned caller)
{
    return caller == ORR_NO_WORKER ? 0 : 1 + caller % (MOST_CALLERS - 1);
}

struct orr_orders *orr_orders_new(void)
{
    struct orr_orders *orders = g_new0(struct orr_orders, 1);

    orders->clocks = orr_clocks_new(MOST_CALLERS);
    orders->operations = g_array_new(FALSE, FALSE, sizeof(struct operation));
    orders->last = g_hash_table_new(NULL, NULL);
    orders->sleepers = g_array_new(FALSE, FALSE, sizeof(struct sleeper));
    return orders;
}

void orr_orders_free(struct orr_orders *orders)
{
    if (!orders)
        return;
    orr_clocks_free(orders->clocks);
    g_array_unref(orders->operations);
    g_hash_table_unref(orders->last);
    g_array_unref(orders->sleepers);
    g_free(orders);
}

void orr_orders_clear(struct orr_orders *orders)
{
    g_array_set_size(orders->sleepers, 0);
    if (orders->operations->len == 0)
        return;
    orr_clocks_free(orders->clocks);
    orders->clocks = orr_clocks_new(MOST_CALLERS);
    g_array_set_size(orders->operations, 0);
    g_hash_table_remove_all(orders->last);
}

/* Of two operations on one object. */
static bool commute(const struct orr_order *one, const struct orr_order *other)
{
    return (one->releases && !other->tries) || (other->releases && !one->tries);
}

/* The earlier operation with which @operation races, or NULL. */
static const struct operation *find_race(const struct orr_orders *orders,
                                         const struct operation *operation)
{
    const struct operation *all =
        (const struct operation *)(void *)orders->operations->data;
    guint at = operation->before;

    while (at > 0) {
        const struct operation *earlier = &all[at - 1];

        /* operations before @earlier on the object are known, too */
        if (earlier->caller == operation->caller ||
            orr_clocks_knows(orders->clocks, operation->caller, earlier->caller,
                             earlier->epoch))
            return NULL;
        if (!commute(&earlier->order, &operation->order))
            return earlier->asleep & bit_of(operation->caller) ? NULL : earlier;
        at = earlier->before;
    }
    return NULL;
}

/* An operation on @object comes now: returns the callers that wait for it, one
 * bit each. */
static uint64_t wake_sleepers(struct orr_orders *orders, const void *object)
{
    uint64_t woken = 0;
    guint i = 0;

    while (i < orders->sleepers->len) {
        const struct sleeper *sleeper =
            &g_array_index(orders->sleepers, struct sleeper, i);

        if (sleeper->object != object) {
            i++;
            continue;
        }
        woken |= bit_of(sleeper->caller);
        g_array_remove_index_fast(orders->sleepers, i);
    }
    return woken;
}

void orr_orders_sleep(struct orr_orders *orders, unsigned caller,
                      const void *object)
{
    const struct sleeper sleeper = {caller_of(caller), object};

    g_array_append_val(orders->sleepers, sleeper);
}

bool orr_orders_add(struct orr_orders *orders, unsigned caller,
                    const struct orr_order *order, guint decision, guint *other)
{
    void *object = (void *)(uintptr_t)order->object;
    struct operation operation = {
        .order = *order,
        .caller = caller_of(caller),
        .decision = decision,
        .before = GPOINTER_TO_UINT(g_hash_table_lookup(orders->last, object)),
    };
    const struct operation *race = find_race(orders, &operation);

    if (race)
        *other = race->decision;
    orr_clocks_acquire(orders->clocks, operation.caller, object);
    operation.asleep = wake_sleepers(orders, object);
    operation.epoch = orr_clocks_now(orders->clocks, operation.caller);
    orr_clocks_release(orders->clocks, operation.caller, object);
    g_array_append_val(orders->operations, operation);
    g_hash_table_insert(orders->last, object,
                        GUINT_TO_POINTER(orders->operations->len));
    return race != NULL;
}
