/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the table of rules and finding one. */
#include <cellscope/core.h>

#include <strings.h>

#define R(number, engines, certainty, test, title, text) \
	{number, engines, CS_CERTAINTY_##certainty, test, title, text},

static const struct cs_rulebook_entry entries[] = {
#include "rules/rulebook.def"
};

static const size_t n_entries = sizeof(entries) / sizeof(entries[0]);

static const char *const certainty_names[CS_CERTAINTIES] = {
	[CS_CERTAINTY_FILE] = "engine files",
	[CS_CERTAINTY_TEXT] = "published texts",
	[CS_CERTAINTY_ASSUMED] = "assumed",
};

const struct cs_rulebook_entry *cs_rulebook(size_t *n_ret)
{
	*n_ret = n_entries;
	return entries;
}

const struct cs_rulebook_entry *cs_rulebook_find(const char *number)
{
	for (size_t i = 0; i < n_entries; i++)
		if (strcasecmp(entries[i].number, number) == 0)
			return &entries[i];
	return NULL;
}

const char *cs_certainty_name(enum cs_certainty certainty)
{
	return certainty_names[certainty];
}
