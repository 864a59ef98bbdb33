/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the rule book: the table of the engine's rules that cellscope follows. */
#include <cellscope/core.h>

#define R(number, engines, certainty, test, title, text) \
	{number, engines, CS_CERTAINTY_##certainty, test, title, text},

static const struct cs_rulebook_entry entries[] = {
#include "rules/rulebook.def"
};

static const size_t n_entries = sizeof(entries) / sizeof(entries[0]);

const struct cs_rulebook_entry *cs_rulebook(size_t *n_ret)
{
	*n_ret = n_entries;
	return entries;
}
