/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/repeat.h"

#include "apps/output/message.h"
#include "apps/token/token.h"
#include "runtime/diagnosis/hang.h"

bool orr_repeat_init(struct orr_repeat *repeat,
                     const struct orr_settings *settings, struct orr_run *run,
                     GError **error)
{
    const struct orr_hang *hang = orr_run_hang(run);
    struct orr_token token;
    bool made = orr_token_init(&token, settings, settings->sched, error);

    if (made) {
        g_free(token.hang);
        token.hang = g_strdup(hang ? orr_hang_kind_name(hang->kind) : "");
        token.digest = orr_run_report(run)->digest;
        repeat->token = orr_token_format(&token);
        repeat->files = orr_token_files_text(&token);
    }
    orr_token_clear(&token);
    return made;
}

void orr_repeat_clear(struct orr_repeat *repeat)
{
    g_free(repeat->token);
    g_free(repeat->files);
}

void orr_repeat_print(const struct orr_repeat *repeat, const char *command)
{
    orr_message_print(command, "to repeat this run: orrery replay %s%s",
                      repeat->token, repeat->files);
}
