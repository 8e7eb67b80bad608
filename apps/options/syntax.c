/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/syntax.h"

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

/* Short forms of options. */
static const struct {
    const char *text;
    const char *full;
} forms[] = {
    {"-h", "--help"},
    {"-o", "--output"},
};

const char *orr_option_long(const char *text)
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (strcmp(text, forms[i].text) == 0)
            return forms[i].full;
    }
    return text;
}

const char *orr_option_short(const char *text)
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (strcmp(text, forms[i].full) == 0)
            return forms[i].text;
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
