/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of an exploration. */
#include <math.h>
#include <string.h>

#include "apps/report/facts.h"
#include "apps/search/exploration.h"
#include "apps/token/token.h"
#include "runtime/explore/decision_log.h"

static void set_count(JsonObject *object, const char *name, uint64_t count)
{
    json_object_set_int_member(object, name, (gint64)count);
}

static void add_request(JsonObject *facts, const struct orr_settings *settings)
{
    orr_output_set_text(facts, "strategy", settings->strategy);
    if (settings->budget > 0)
        set_count(facts, "budget_schedules", settings->budget);
    else
        json_object_set_null_member(facts, "budget_schedules");
    if (settings->budget_time > 0)
        json_object_set_double_member(
            facts, "budget_s", orr_time_to_seconds(settings->budget_time));
    else
        json_object_set_null_member(facts, "budget_s");
    json_object_set_boolean_member(facts, "all", settings->all);
}

static void add_bounds(JsonObject *object,
                       const struct orr_exploration_part *part)
{
    JsonArray *array;

    if (part->bound_count == 0)
        return;
    array = orr_output_add_array(object, "bounds");
    for (unsigned i = 0; i < part->bound_count; i++)
        json_array_add_double_element(array, part->bounds[i]);
}

static void add_parts(JsonObject *facts, const GArray *parts)
{
    JsonArray *array = orr_output_add_array(facts, "strategies");

    for (guint i = 0; i < parts->len; i++) {
        const struct orr_exploration_part *part =
            &g_array_index(parts, struct orr_exploration_part, i);
        JsonObject *object = orr_output_add_object(array);

        orr_output_set_text(object, "name", part->strategy);
        set_count(object, "schedules", part->schedules);
        set_count(object, "distinct", part->distinct);
        set_count(object, "unfinished", part->hangs);
        orr_output_set_text(object, "claim", part->claim);
        add_bounds(object, part);
    }
}

/* Sets @token, to be cleared in any case, to repeat @finding. */
static bool init_token(struct orr_token *token,
                       const struct orr_exploration *exploration,
                       const struct orr_finding *finding, GError **error)
{
    bool made = orr_token_init(token, exploration->settings,
                               exploration->settings->sched, error);

    g_free(token->strategy);
    token->strategy = g_strdup(finding->strategy);
    token->schedule = finding->number;
    g_free(token->hang);
    token->hang = g_strdup(finding->kind);
    token->digest = finding->digest;
    if (finding->deviations->len > 0)
        g_array_append_vals(token->decisions, finding->deviations->data,
                            finding->deviations->len);
    return made;
}

static void add_token(JsonObject *object, const struct orr_token *token)
{
    g_autofree char *word = orr_token_format(token);
    g_autofree char *files = orr_token_files_text(token);

    orr_output_set_text(object, "token", word);
    if (*files)
        orr_output_set_text(object, "replay_options", g_strchug(files));
}

static void describe(JsonObject *object, const struct orr_finding *finding)
{
    JsonArray *chain;

    orr_output_set_text(object, "kind", finding->kind);
    json_object_set_boolean_member(object, "livelock",
                                   finding->status == ORR_EXIT_LIVELOCKED);
    orr_output_set_text(object, "strategy", finding->strategy);
    set_count(object, "schedule_number", finding->number);
    set_count(object, "count", finding->count);
    set_count(object, "decisions", finding->deviations->len);
    json_object_set_boolean_member(object, "repeats", finding->repeats);
    orr_output_set_text(object, "message", finding->message);
    chain = orr_output_add_array(object, "chain");
    for (char **sentence = finding->chain; *sentence; sentence++)
        json_array_add_string_element(chain, *sentence);
}

static bool add_finding(JsonArray *array,
                        const struct orr_exploration *exploration,
                        const struct orr_finding *finding, GError **error)
{
    struct orr_token token;
    bool made = init_token(&token, exploration, finding, error);
    JsonObject *object;

    if (made) {
        object = orr_output_add_object(array);
        describe(object, finding);
        add_token(object, &token);
    }
    orr_token_clear(&token);
    return made;
}

JsonObject *orr_exploration_facts(const struct orr_exploration *exploration,
                                  GError **error)
{
    static const char *const policy[] = {"sched", "sched_file"};
    JsonObject *facts = json_object_new();
    JsonArray *hangs;
    double speed = (double)exploration->schedules / exploration->wall_s;

    orr_facts_copy_common(facts, exploration->facts);
    for (size_t i = 0; i < G_N_ELEMENTS(policy); i++) {
        if (json_object_has_member(exploration->facts, policy[i]))
            json_object_set_member(
                facts, policy[i],
                json_object_dup_member(exploration->facts, policy[i]));
    }
    add_request(facts, exploration->settings);
    set_count(facts, "schedules", exploration->schedules);
    set_count(facts, "distinct", exploration->distinct);
    json_object_set_boolean_member(facts, "exhausted", exploration->exhausted);
    orr_output_set_text(facts, "difference", exploration->difference);
    json_object_set_double_member(facts, "exploration_wall_s",
                                  exploration->wall_s);
    json_object_set_double_member(facts, "schedules_per_s",
                                  isfinite(speed) ? speed : 0);
    add_parts(facts, exploration->parts);
    orr_interleavings_add_facts(exploration->interleavings, facts);
    hangs = orr_output_add_array(facts, "hangs");
    for (guint i = 0; i < exploration->findings->len; i++) {
        if (add_finding(hangs, exploration, exploration->findings->pdata[i],
                        error))
            continue;
        json_object_unref(facts);
        return NULL;
    }
    return facts;
}
