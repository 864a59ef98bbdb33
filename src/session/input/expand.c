/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces variables in words by their values, but not in SQL, which binds them itself. */
#include "src/session/input/expand.h"

#include <ctype.h>
#include <string.h>

/* Returns the length of NAME in $NAME or ${NAME}, or 0. *end_ret points after the name or brace. */
static size_t name_at(const char *text, const char **name_ret, const char **end_ret)
{
	bool braced = text[0] == '$' && text[1] == '{';
	const char *name = text + 1 + braced;
	size_t n = 0;
	if (text[0] != '$')
		return 0;
	while (isalnum((unsigned char)name[n]) || name[n] == '_')
		n++;
	if (n == 0 || (braced && name[n] != '}'))
		return 0;
	*name_ret = name;
	*end_ret = name + n + braced;
	return n;
}

/*
 * Returns whether the character `c` of a word is a literal dollar, which begins no variable.
 * *literal has a bit for each dollar from `c` on, 1 if it is literal; the bit of `c` is removed.
 */
static bool pass_dollar(char c, uint64_t *literal)
{
	bool is_literal = c == '$' && *literal & 1;
	if (c == '$')
		*literal >>= 1;
	return is_literal;
}

bool word_has_variable(const struct word *word)
{
	const char *name, *end;
	uint64_t literal = word->literal;
	for (const char *c = word->text; *c; c++)
		if (!pass_dollar(*c, &literal) && name_at(c, &name, &end))
			return true;
	return false;
}

static const struct cs_value *expand_value_of(
	const struct session *session, const char *name, size_t n)
{
	for (size_t i = 0; i < session->words.variables.n; i++) {
		const struct cs_parameter *variable = &session->words.variables.at[i];
		if (strlen(variable->name) == n && memcmp(variable->name, name, n) == 0)
			return &variable->value;
	}
	return NULL;
}

/* Writes the value. A text is not escaped, because it becomes part of a word. */
static void expand_put_value(struct sink *to, const struct cs_value *value)
{
	struct output out;
	if (value->kind == CS_KIND_TEXT) {
		sink_write(to, value->text, strlen(value->text));
		return;
	}
	output_init(&out, &style_of_scripts, to);
	say_value(&out, value);
	cs_error_free(output_end(&out));
}

struct cs_error *expand_word(const struct session *session, const struct word *word, char **ret)
{
	const char *name, *end;
	struct memory_sink text;
	size_t size, n;
	uint64_t literal = word->literal;
	*ret = NULL;
	if (!word_has_variable(word))
		return NULL;
	memory_sink_init(&text);
	for (const char *c = word->text; *c;) {
		n = pass_dollar(*c, &literal) ? 0 : name_at(c, &name, &end);
		const struct cs_value *value = n ? expand_value_of(session, name, n) : NULL;
		if (n && !value && c == word->text && *end == '\0' && !word->quoted) {
			memory_sink_deinit(&text);
			return cs_error_new(CS_E_USAGE,
				"no variable %s is set: `set %s = EXPR` sets it", word->text,
				word->text);
		}
		if (value)
			expand_put_value(&text.sink, value);
		else
			sink_write(&text.sink, c, 1);
		c = value ? end : c + 1;
	}
	return memory_sink_take(&text, ret, &size);
}
