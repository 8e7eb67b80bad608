/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/syntax.h"

#include <string.h>

const struct orr_option *
orr_option_find(const struct orr_option_group *const *groups, const char *name,
                size_t length)
{
    for (; *groups; groups++) {
        for (size_t i = 0; i < (*groups)->count; i++) {
            const struct orr_option *option = &(*groups)->options[i];

            if (strlen(option->name) == length &&
                strncmp(option->name, name, length) == 0)
                return option;
        }
    }
    return NULL;
}
