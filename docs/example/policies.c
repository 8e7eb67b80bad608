/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* policies [APP [NAME VALUE]...]: an application under two policies. */
#include <orrery_app.h>
#include <stdio.h>

static bool measure(struct orr_app_values *values, const char *sched,
                    GError **error)
{
    struct orr_config *config = orr_config_new();
    struct orr_run *run = NULL;
    bool done;

    if (orr_config_set(config, "platform", "attila", error) &&
        orr_config_set(config, "sched", sched, error))
        run = orr_run_new(config, error);
    orr_config_free(config);
    done =
        run && orr_app_submit(run, values, error) && orr_run_wait(run, error);
    if (done)
        printf("%s: %.1f ms\n", sched,
               (double)orr_run_report(run)->makespan_ns / 1e6);
    orr_run_free(run);
    return done;
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    const struct orr_app *app =
        orr_app_find(argc > 1 ? argv[1] : "cholesky", &error);
    struct orr_app_values *values = app ? orr_app_values_new(app) : NULL;
    bool done = app;

    for (int i = 2; done && i < argc; i += 2)
        done = orr_app_values_set(values, argv[i], argv[i + 1], &error);
    done = done && measure(values, "dmda", &error) &&
           measure(values, "eager", &error);
    if (!done)
        fprintf(stderr, "policies: %s\n", error->message);
    orr_app_values_free(values);
    orr_app_free(app);
    return done ? 0 : 1;
}
