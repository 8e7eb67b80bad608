/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/component/mct.h"

#include "apps/starpu/base/policy.h"
#include "apps/starpu/component/component.h"

#include <starpu_helper.h>
#include <starpu_perfmodel.h>
#include <starpu_task.h>
#include <starpu_thread_util.h>

#include <glib.h>

#include <float.h>
#include <math.h>

struct orr_sched_weights
sp_mct_weights(const struct starpu_sched_component_mct_data *data)
{
    static const struct orr_sched_weights without_run = {1, 1, 1000, 0};

    if (!data)
        return sp_policy.sched ? orr_sched_weights(sp_policy.sched)
                               : without_run;
    return (struct orr_sched_weights){data->alpha, data->beta, data->_gamma,
                                      data->idle_power};
}

/* ---- offers ---- */

void sp_offers_init(struct sp_offers *offers,
                    struct starpu_sched_component *component,
                    struct starpu_task *task)
{
    *offers = (struct sp_offers){
        .list = g_new0(struct sp_offer, component->nchildren)};
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        double length = NAN;
        if (!starpu_sched_component_execute_preds(child, task, &length) ||
            isnan(length))
            continue;
        offers->list[offers->count++] = (struct sp_offer){
            .child = i,
            .length = length,
            .transfer = starpu_sched_component_transfer_length(child, task)};
    }
}

void sp_offers_clear(struct sp_offers *offers)
{
    g_free(offers->list);
}

/* The transfer overlaps with earlier tasks of the child. */
static double end_after(double now, double end, const struct sp_offer *offer)
{
    double exposed =
        now + offer->transfer < end ? 0 : offer->transfer - (end - now);
    return end + exposed + offer->length;
}

/* Of the implementation that needs least. As in StarPU, a child is taken for
 * the worker with its number. */
static double energy_of(struct starpu_sched_component *component,
                        struct starpu_task *task, unsigned child)
{
    unsigned context = component->tree->sched_ctx_id;
    double least = starpu_task_worker_expected_energy(task, child, context, 0);
    for (unsigned i = 1; i < STARPU_MAXIMPLEMENTATIONS; i++) {
        double joules =
            starpu_task_worker_expected_energy(task, child, context, i);
        if (joules < least)
            least = joules;
    }
    return least;
}

void sp_offers_find_ends(struct sp_offers *offers,
                         struct starpu_sched_component *component,
                         struct starpu_task *task)
{
    double now = starpu_timing_now();
    offers->first_end = DBL_MAX;
    offers->last_end = 0;
    for (unsigned i = 0; i < offers->count; i++) {
        struct sp_offer *offer = &offers->list[i];
        struct starpu_sched_component *child =
            component->children[offer->child];
        double end = child->estimated_end(child);
        end = MAX(end, now);
        offer->end = end_after(now, end, offer);
        offers->first_end = MIN(offers->first_end, offer->end);
        offers->last_end = MAX(offers->last_end, end);
    }
    for (unsigned i = 0; i < offers->count; i++)
        offers->list[i].energy =
            energy_of(component, task, offers->list[i].child);
}

static double cost_of(const struct sp_offers *offers,
                      const struct sp_offer *offer,
                      const struct orr_sched_weights *weights)
{
    double energy = isnan(offer->energy) ? 0 : offer->energy;
    double cost = weights->alpha * (offer->end - offers->first_end) +
                  weights->beta * offer->transfer + weights->gamma * energy;
    if (offer->end > offers->last_end)
        cost += weights->gamma * weights->idle_power_w *
                (offer->end - offers->last_end) / G_USEC_PER_SEC;
    return cost;
}

struct starpu_sched_component *sp_offers_choose(
    const struct sp_offers *offers, const struct orr_sched_weights *weights,
    struct starpu_sched_component *component, struct starpu_task *task)
{
    const struct sp_offer *best = NULL;
    double least = DBL_MAX;
    for (unsigned i = 0; i < offers->count; i++) {
        double cost = cost_of(offers, &offers->list[i], weights);
        if (cost < least) {
            least = cost;
            best = &offers->list[i];
        }
    }
    if (!best)
        return NULL;
    task->predicted = best->length;
    task->predicted_transfer = best->transfer;
    return component->children[best->child];
}

/* ---- the component ---- */

struct mct {
    struct orr_sched_weights weights;
    starpu_pthread_mutex_t mutex;
};

/* No other thread decides between the choice and the push, after which the
 * child counts @task. */
static int push_to_best(struct starpu_sched_component *component,
                        struct sp_offers *offers, struct starpu_task *task)
{
    struct mct *mct = component->data;
    STARPU_COMPONENT_MUTEX_LOCK(&mct->mutex);
    sp_offers_find_ends(offers, component, task);
    struct starpu_sched_component *best =
        sp_offers_choose(offers, &mct->weights, component, task);
    if (!best) {
        STARPU_COMPONENT_MUTEX_UNLOCK(&mct->mutex);
        return sp_calibration_push(component, task);
    }
    int refused = 1;
    if (starpu_sched_component_is_worker(best)) {
        best->can_pull(best);
    } else {
        starpu_sched_task_break(task);
        refused = starpu_sched_component_push_task(component, best, task);
    }
    STARPU_COMPONENT_MUTEX_UNLOCK(&mct->mutex);
    return refused;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct sp_offers offers;
    sp_offers_init(&offers, component, task);
    int refused = offers.count > 0 ? push_to_best(component, &offers, task)
                                   : sp_calibration_push(component, task);
    sp_offers_clear(&offers);
    return refused;
}

static void deinit_data(struct starpu_sched_component *component)
{
    struct mct *mct = component->data;
    STARPU_PTHREAD_MUTEX_DESTROY(&mct->mutex);
    g_free(mct);
}

int starpu_sched_component_is_mct(struct starpu_sched_component *component)
{
    return component->push_task == push;
}

struct starpu_sched_component *
starpu_sched_component_mct_create(struct starpu_sched_tree *tree,
                                  struct starpu_sched_component_mct_data *data)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "mct");
    struct mct *mct = g_new0(struct mct, 1);
    mct->weights = sp_mct_weights(data);
    STARPU_PTHREAD_MUTEX_INIT(&mct->mutex, NULL);
    component->data = mct;
    component->push_task = push;
    component->deinit_data = deinit_data;
    return component;
}
