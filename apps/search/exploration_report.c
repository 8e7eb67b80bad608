/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The facts of an exploration as JSON, and their text. Each failure gets a
 * token, which repeats its schedule. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/facts/facts.h"
#include "apps/output/members.h"
#include "apps/output/table.h"
#include "apps/search/exploration.h"
#include "apps/token/token.h"
#include "runtime/explore/decision_log.h"

/* The facts of an exploration. */

static void set_count(JsonObject *object, const char *name, uint64_t count)
{
    json_object_set_int_member(object, name, (gint64)count);
}

static void add_request(JsonObject *facts,
                        const struct orr_exploration_settings *settings)
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

/* Sets @token, to be cleared in any case, to repeat @failure. */
static bool init_token(struct orr_token *token,
                       const struct orr_exploration *exploration,
                       const struct orr_failure *failure, GError **error)
{
    bool made = orr_token_init(token, exploration->scenario,
                               exploration->scenario->config.sched, error);

    g_free(token->strategy);
    token->strategy = g_strdup(failure->strategy);
    token->schedule = failure->number;
    g_free(token->hang);
    token->hang = g_strdup(failure->kind);
    token->digest = failure->digest;
    if (failure->deviations->len > 0)
        g_array_append_vals(token->decisions, failure->deviations->data,
                            failure->deviations->len);
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

static void describe(JsonObject *object, const struct orr_failure *failure)
{
    JsonArray *chain;

    orr_output_set_text(object, "kind", failure->kind);
    json_object_set_boolean_member(object, "livelock",
                                   failure->status == ORR_EXIT_LIVELOCKED);
    orr_output_set_text(object, "strategy", failure->strategy);
    set_count(object, "schedule_number", failure->number);
    set_count(object, "count", failure->count);
    set_count(object, "decisions", failure->deviations->len);
    json_object_set_boolean_member(object, "repeats", failure->repeats);
    orr_output_set_text(object, "message", failure->message);
    chain = orr_output_add_array(object, "chain");
    for (char **sentence = failure->chain; *sentence; sentence++)
        json_array_add_string_element(chain, *sentence);
}

static bool add_failure(JsonArray *array,
                        const struct orr_exploration *exploration,
                        const struct orr_failure *failure, GError **error)
{
    struct orr_token token;
    bool made = init_token(&token, exploration, failure, error);
    JsonObject *object;

    if (made) {
        object = orr_output_add_object(array);
        describe(object, failure);
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
    for (guint i = 0; i < exploration->failures->len; i++) {
        if (add_failure(hangs, exploration, exploration->failures->pdata[i],
                        error))
            continue;
        json_object_unref(facts);
        return NULL;
    }
    return facts;
}

/* An exploration as text. */

static const char *plural(gint64 count)
{
    return count == 1 ? "" : "s";
}

static void take_count(struct orr_table *table, JsonObject *object,
                       const char *name)
{
    orr_table_take(
        table, g_strdup_printf("%" G_GINT64_FORMAT, orr_int_of(object, name)));
}

static void print_strategies(JsonArray *strategies)
{
    struct orr_table *table = orr_table_new("lrrr");

    orr_table_add(table, "strategy");
    orr_table_add(table, "schedules");
    orr_table_add(table, "distinct");
    orr_table_add(table, "unfinished");
    for (guint i = 0; i < json_array_get_length(strategies); i++) {
        JsonObject *strategy = orr_object_at(strategies, i);

        orr_table_add(table, orr_text_of(strategy, "name"));
        take_count(table, strategy, "schedules");
        take_count(table, strategy, "distinct");
        take_count(table, strategy, "unfinished");
    }
    orr_table_print(table);
    orr_table_free(table);
}

static void print_summary(JsonObject *facts, bool timing)
{
    gint64 schedules = orr_int_of(facts, "schedules");

    printf("%" G_GINT64_FORMAT " schedule%s, %" G_GINT64_FORMAT " distinct",
           schedules, plural(schedules), orr_int_of(facts, "distinct"));
    if (timing)
        printf(", in %.3f s: %.0f per second",
               orr_double_of(facts, "exploration_wall_s"),
               orr_double_of(facts, "schedules_per_s"));
    puts("");
}

/* Prints which interleavings of operations of a concurrent policy were seen. */
static void print_interleavings(JsonObject *facts)
{
    JsonObject *object;
    struct orr_table *table;

    if (!json_object_has_member(facts, "interleavings"))
        return;
    object = json_object_get_object_member(facts, "interleavings");
    table = orr_table_new("l");
    orr_table_take(
        table, g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                               " pairs of operations of the policy were "
                               "interleaved: the second, of another caller, "
                               "came right after the first, within its call.",
                               orr_int_of(object, "seen"),
                               orr_int_of(object, "pairs")));
    orr_table_print(table);
    orr_table_free(table);
}

/* Prints the difference between two runs if the policy is not deterministic. */
static void print_difference(JsonObject *facts)
{
    struct orr_table *table;

    if (json_object_get_null_member(facts, "difference"))
        return;
    table = orr_table_new("l");
    orr_table_take(table, g_strconcat("The policy is not deterministic: ",
                                      orr_text_of(facts, "difference"), NULL));
    orr_table_print(table);
    orr_table_free(table);
}

/* Prints the claims about schedules that were not run. */
static void print_claims(JsonArray *strategies)
{
    for (guint i = 0; i < json_array_get_length(strategies); i++) {
        JsonObject *strategy = orr_object_at(strategies, i);
        struct orr_table *table;

        if (json_object_get_null_member(strategy, "claim"))
            continue;
        table = orr_table_new("l");
        orr_table_take(table,
                       g_strdup_printf("%s: %s.", orr_text_of(strategy, "name"),
                                       orr_text_of(strategy, "claim")));
        orr_table_print(table);
        orr_table_free(table);
    }
}

static void print_hang(JsonObject *hang)
{
    JsonArray *chain = orr_array_of(hang, "chain");
    const char *options =
        json_object_get_string_member_with_default(hang, "replay_options", "");
    gint64 count = orr_int_of(hang, "count");

    printf(
        "\n%s%s: schedule %" G_GINT64_FORMAT " (%s)", orr_text_of(hang, "kind"),
        json_object_get_boolean_member(hang, "livelock") ? ", a livelock" : "",
        orr_int_of(hang, "schedule_number"), orr_text_of(hang, "strategy"));
    if (count > 1)
        printf(" and %" G_GINT64_FORMAT " more", count - 1);
    puts("");
    if (json_array_get_length(chain) == 0)
        printf("  %s\n", orr_text_of(hang, "message"));
    for (guint i = 0; i < json_array_get_length(chain); i++)
        printf("  %s\n", json_array_get_string_element(chain, i));
    if (!json_object_get_boolean_member(hang, "repeats"))
        puts("  The same decisions do not lead to this hang again: the policy "
             "is not\n  deterministic (see orrery run --twice).");
    printf("  orrery replay %s%s%s\n", orr_text_of(hang, "token"),
           *options ? " " : "", options);
    printf("  orrery shrink %s%s%s\n", orr_text_of(hang, "token"),
           *options ? " " : "", options);
}

void orr_exploration_print_failures(JsonObject *facts)
{
    JsonArray *hangs = orr_array_of(facts, "hangs");

    print_difference(facts);
    for (guint i = 0; i < json_array_get_length(hangs); i++)
        print_hang(orr_object_at(hangs, i));
}

void orr_exploration_print(JsonObject *facts, bool timing)
{
    JsonArray *strategies = orr_array_of(facts, "strategies");
    JsonArray *hangs = orr_array_of(facts, "hangs");
    guint count = json_array_get_length(hangs);

    orr_facts_print_request(facts, true);
    puts("");
    print_strategies(strategies);
    puts("");
    print_summary(facts, timing);
    print_interleavings(facts);
    print_difference(facts);
    if (count == 0) {
        puts("No hang was found.");
        print_claims(strategies);
    }
    for (guint i = 0; i < count; i++)
        print_hang(orr_object_at(hangs, i));
}
