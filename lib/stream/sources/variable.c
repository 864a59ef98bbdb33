/* SPDX-License-Identifier: Apache-2.0 */
/* The table of variables, which setting, printing, completion and the manual use. */
#include "stream/variable.h"

#include "stream/rules.h"

#include <math.h>
#include <string.h>

#define ROW(id, spelled, kind, where, value, least, most, ...) \
	{.name = spelled,                                      \
		.type = CS_VARIABLE_##kind,                    \
		.scope = CS_SCOPE_##where,                     \
		.initial = value,                              \
		.low = least,                                  \
		.high = most,                                  \
		__VA_ARGS__},

const struct cs_variable cs_run_variable_table[CS_VAR_COUNT] = {
#include "stream/variables.def"
};
#undef ROW

const struct cs_variable *cs_stream_variables(size_t *n_ret)
{
	*n_ret = CS_VAR_COUNT;
	return cs_run_variable_table;
}

/* Returns whether a list of words, separated by blanks, contains the word. */
static bool lists(const char *list, const char *word)
{
	size_t length = strlen(word);
	char item[128];
	while (list && *list && length) {
		size_t n = strcspn(list, " ");
		if (n == length && n < sizeof(item)) {
			memcpy(item, list, n);
			item[n] = '\0';
			if (cs_name_compare(item, word) == 0)
				return true;
		}
		list += n + (list[n] == ' ');
	}
	return false;
}

size_t cs_stream_find_variable(const char *name)
{
	for (size_t i = 0; i < CS_VAR_COUNT; i++)
		if (cs_name_compare(cs_run_variable_table[i].name, name) == 0 ||
			lists(cs_run_variable_table[i].aliases, name))
			return i;
	return SIZE_MAX;
}

double cs_run_variable_default(enum cs_run_variable variable, const struct cs_run_rules *rules)
{
	if (variable == CS_VAR_OPTIMIZE)
		return rules->skips_updates;
	return cs_run_variable_table[variable].initial;
}

void cs_run_variables_init(struct cs_run_variables *variables, const struct cs_run_rules *rules)
{
	for (int i = 0; i < CS_VAR_COUNT; i++)
		variables->numbers[i] = cs_run_variable_default(i, rules);
	variables->disallow[0] = '\0';
}

static const struct {
	const char *word;
	double value;
} words[] = {{"true", 1}, {"on", 1}, {"yes", 1}, {"false", 0}, {"off", 0}, {"no", 0}};

static bool variable_parse_word(const char *text, double *ret)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (cs_name_compare(words[i].word, text) == 0) {
			*ret = words[i].value;
			return true;
		}
	}
	return false;
}

struct cs_error *cs_run_variable_parse(enum cs_run_variable variable, const char *text, double *ret)
{
	const struct cs_variable *row = &cs_run_variable_table[variable];
	double value;
	char low[CS_DOUBLE_TEXT], high[CS_DOUBLE_TEXT];
	bool good = cs_double_parse(text, strlen(text), &value) ||
		    (row->type == CS_VARIABLE_BOOL && variable_parse_word(text, &value));
	good = good && value >= row->low && value <= row->high &&
	       (row->type == CS_VARIABLE_REAL || value == floor(value));
	if (good) {
		*ret = value;
		return NULL;
	}
	cs_double_format(row->low, low);
	cs_double_format(row->high, high);
	return cs_error_new(CS_E_SETTING, "%s must be %s from %s to %s, not '%.100s'", row->name,
		row->type == CS_VARIABLE_REAL ? "a number" : "an integer", low, high, text);
}
