/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/config/options.h"

#include <string.h>

static const struct orr_option *find_in(const struct orr_option_group *group,
                                        const char *name, size_t length)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct orr_option *option = &group->options[i];

        if (strlen(option->name) == length &&
            strncmp(option->name, name, length) == 0)
            return option;
    }
    return NULL;
}

const struct orr_option *
orr_option_find(const struct orr_option_group *const *groups, const char *name,
                size_t length, size_t *member)
{
    for (; *groups; groups++) {
        const struct orr_option *option = find_in(*groups, name, length);

        if (option && member)
            *member = (*groups)->member + option->member;
        if (option)
            return option;
    }
    return NULL;
}
