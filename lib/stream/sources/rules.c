/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Engine profiles: a table with a column for each run-time rule that depends on the engine version.
 * No other file of this directory tests versions.
 */
#include "stream/rules.h"

#include <ctype.h>
#include <string.h>

static const struct cs_run_rules table[] = {
	{.name = "5.0", .first = 0, .last = 2, .angle_weight = true},
	{.name = "5.3", .first = 3, .last = 3, .skips_updates = true},
	{.name = "5.4", .first = 4, .last = 6, .skips_updates = true},
	{.name = "5.7",
		.first = 7,
		.last = 99,
		.skips_updates = true,
		.immediate = true,
		.external_caps = true},
};

static const char default_profile[] = "5.4";

/* Returns the minor version N of "5.N...", or -1. */
static int minor_of(const char *text)
{
	int minor = 0;
	if (strncmp(text, "5.", 2) != 0 || !isdigit((unsigned char)text[2]))
		return -1;
	for (text += 2; isdigit((unsigned char)*text); text++)
		if ((minor = minor * 10 + (*text - '0')) > 99)
			return -1;
	return *text == '\0' || *text == '.' || *text == '-' ? minor : -1;
}

struct cs_error *cs_run_rules_find(const char *text, const struct cs_run_rules **ret)
{
	int minor = minor_of(*text ? text : default_profile);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (minor >= (int)table[i].first && minor <= (int)table[i].last) {
			*ret = &table[i];
			return NULL;
		}
	}
	return cs_error_new(CS_E_PROFILE,
		"unknown engine profile '%s': profiles begin with the version, 5.0 or later, such "
		"as 5.4",
		text);
}
