/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The commands of orrery write traces, so these functions do nothing. */
#include <starpu_fxt.h>

#include <string.h>

void starpu_fxt_options_init(struct starpu_fxt_options *options)
{
    memset(options, 0, sizeof(*options));
}

void starpu_fxt_options_set_dir(struct starpu_fxt_options *options)
{
    (void)options;
}

void starpu_fxt_options_shutdown(struct starpu_fxt_options *options)
{
    (void)options;
}

void starpu_fxt_generate_trace(struct starpu_fxt_options *options)
{
    (void)options;
}

void starpu_fxt_write_data_trace(char *file)
{
    (void)file;
}

void starpu_fxt_write_data_trace_in_dir(char *file, char *folder)
{
    (void)file;
    (void)folder;
}

void starpu_fxt_autostart_profiling(int autostart)
{
    (void)autostart;
}

void starpu_fxt_start_profiling(void)
{
}

void starpu_fxt_stop_profiling(void)
{
}

int starpu_fxt_is_enabled(void)
{
    return 0;
}

void starpu_fxt_trace_user_event(unsigned long code)
{
    (void)code;
}

void starpu_fxt_trace_user_event_string(const char *text)
{
    (void)text;
}

void starpu_fxt_trace_user_meta_string(const char *text)
{
    (void)text;
}
