/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores lists of definitions: names with text values, such as those of -D and aliases. */
#include "src/language/definitions.h"

#include "core/vec.h"

#include <string.h>

static void free_definition(struct definition *definition)
{
	free(definition->name);
	free(definition->value);
}

struct cs_error *define(struct definitions *to, const char *name, const char *value)
{
	struct definition definition = {strdup(name), strdup(value)};
	if (!definition.name || !definition.value) {
		free_definition(&definition);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < to->n; i++) {
		if (strcmp(to->at[i].name, name) == 0) {
			free_definition(&to->at[i]);
			to->at[i] = definition;
			return NULL;
		}
	}
	if (cs_vec_push(to, definition))
		return NULL;
	free_definition(&definition);
	return cs_error_nomem();
}

const char *definition_of(const struct definitions *in, const char *name, size_t n)
{
	for (size_t i = 0; i < in->n; i++)
		if (strlen(in->at[i].name) == n && memcmp(in->at[i].name, name, n) == 0)
			return in->at[i].value;
	return NULL;
}

void definitions_free(struct definitions *definitions)
{
	for (size_t i = 0; i < definitions->n; i++)
		free_definition(&definitions->at[i]);
	cs_vec_free(definitions);
}

/* ---- replacing values by their names ---- */

/* Returns the definition whose value is the longest path that begins the text, or NULL. */
static const struct definition *value_here(
	const struct definitions *definitions, const char *text, size_t left)
{
	const struct definition *best = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < definitions->n; i++) {
		const char *value = definitions->at[i].value;
		size_t n = strlen(value);
		bool is_here = strcmp(definitions->at[i].name, DEFINITION_HERE) == 0;
		if (n <= left && n > longest && !is_here && strchr(value, '/') &&
			memcmp(text, value, n) == 0) {
			best = &definitions->at[i];
			longest = n;
		}
	}
	return best;
}

struct cs_error *put_back_definitions(const struct definitions *definitions, const char *text,
	size_t n, char **ret, size_t *n_ret)
{
	CS_VEC(char) out = {0};
	bool room = true;
	for (size_t i = 0; i < n && room;) {
		const struct definition *found = value_here(definitions, text + i, n - i);
		if (!found) {
			room = cs_vec_push(&out, text[i]);
			i++;
			continue;
		}
		room = cs_vec_push(&out, '@') &&
		       cs_vec_append(&out, found->name, strlen(found->name)) &&
		       cs_vec_push(&out, '@');
		i += strlen(found->value);
	}
	if (!room || !cs_vec_push(&out, '\0')) {
		cs_vec_free(&out);
		return cs_error_nomem();
	}
	*ret = out.at;
	*n_ret = out.n - 1;
	return NULL;
}
