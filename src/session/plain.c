/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints arrays of structs with the options of a call. */
#include "src/session/plain.h"

#include "src/language/lexer.h"
#include "src/output/lines.h"

#include <stdlib.h>

struct cs_error *emit_rows_taken(struct call *call, const struct cs_table *table,
	struct plain_rows rows, void *owned, struct cs_error *error)
{
	if (!error)
		error = call_list_own(call, table, &rows);
	free(owned);
	return error;
}

struct cs_error *emit_plain_record(struct call *call, const struct cs_table *table, const void *row)
{
	const struct plain_rows source = {row, 1, 0};
	if (call_option(call, "n")->given || call_option(call, "s")->given ||
		call_option(call, "w")->given)
		return call_list_own(call, table, &source);
	const struct rows rows = {.table = table,
		.source = &source,
		.n = 1,
		.columns = call_option(call, "c")->text,
		.as_record = true};
	return emit_rows(call->out, &rows);
}

void note_command(struct output *out, const char *before, const char *name, const char *after)
{
	char *word = quote_word(name);
	if (out->style.format == FORMAT_TEXT && word) {
		say_printed(out, before);
		say_printed(out, word);
		say_printed(out, after);
		note(out, "\n");
	}
	free(word);
}

bool wants_rows(const struct call *call)
{
	return call->out->style.format != FORMAT_TEXT;
}

bool asks_for_rows(const struct call *call)
{
	static const char *const options[] = {"n", "s", "w", "c"};
	bool asks = wants_rows(call);
	for (size_t i = 0; !asks && i < sizeof(options) / sizeof(options[0]); i++)
		asks = call_option(call, options[i])->given;
	return asks;
}
