/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/syntax.h"

#include <string.h>

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
