/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SETTING_VALUES_H
#define ORR_SETTING_VALUES_H

#include "apps/options/option.h"

/*
 * The values of options that only settings have; values.h has those that any
 * option may have. Each is a parse function of an option (option.h): it sets
 * the member of struct orr_settings, or fails with ORR_ERROR_VALUE or
 * ORR_ERROR_UNKNOWN.
 */
bool orr_setting_by(const struct orr_option *option, const char *text,
                    void *member, GError **error);
bool orr_setting_text(const struct orr_option *option, const char *text,
                      void *member, GError **error);
bool orr_setting_strategy(const struct orr_option *option, const char *text,
                          void *member, GError **error);
bool orr_setting_budget(const struct orr_option *option, const char *text,
                        void *member, GError **error);
bool orr_setting_emission(const struct orr_option *option, const char *text,
                          void *member, GError **error);

#endif
