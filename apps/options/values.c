/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/options/values.h"

#include <string.h>

#include "apps/output/output.h"
#include "models/base/error.h"
#include "models/base/units.h"
#include "models/xml/xml.h"

bool orr_value_texts(const struct orr_option *option, const char *text,
                     void *member, GError **error)
{
    GPtrArray **list = member;
    const char *checked;

    if (!orr_value_text(option, text, &checked, error))
        return false;
    if (!*list) {
        *list = g_ptr_array_new();
        g_ptr_array_add(*list, NULL);
    }
    g_ptr_array_insert(*list, (int)(*list)->len - 1, (gpointer)checked);
    return true;
}

bool orr_value_conditions(const struct orr_option *option, const char *text,
                          void *member, GError **error)
{
    const char *equals = strchr(text, '=');

    if (equals && equals != text)
        return orr_value_texts(option, text, member, error);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "'%s' is not COLUMN=VALUE",
                text);
    return false;
}

const char *const *orr_value_list(const GPtrArray *texts)
{
    return texts ? (const char *const *)texts->pdata : NULL;
}

bool orr_value_line(const struct orr_option *option, const char *text,
                    void *member, GError **error)
{
    bool valid = g_utf8_validate(text, -1, NULL);
    size_t size = strlen(text);

    for (const char *c = text; *c; c++)
        valid = valid && !g_ascii_iscntrl(*c);
    if (!valid)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the value is not a line of text in UTF-8");
    else if (size > ORR_XML_MAX_VALUE)
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the value is %zu bytes long, %u are the limit", size,
                    ORR_XML_MAX_VALUE);
    else
        return orr_value_text(option, text, member, error);
    return false;
}

bool orr_value_format(const struct orr_option *option, const char *text,
                      void *member, GError **error)
{
    (void)option;
    return orr_format_parse(text, member, error);
}
