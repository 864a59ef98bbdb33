/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The open world with changes, cooked in memory and counted: whatif, suggest. */
#include "cmds/cmd_cooks.h"
#include "cmds/cmd_differences.h"
#include "cmds/cmd_plain.h"
#include "cmds/commands.h"
#include "src/front/open.h"
#include "src/language/lexer.h"

#include <cellscope/explain.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

static void get_count(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	double value = *(const double *)((const char *)row->record + column->offset);
	bool whole = value == (double)(int64_t)value;
	*ret = whole ? cs_integer((int64_t)value) : cs_number(value);
}

static void get_name(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(((const struct cs_whatif_pair *)row->record)->name);
}

#define COUNT(member, text)                                                     \
	{                                                                       \
		.key = #member, .kind = CS_KIND_NUMBER, .get = get_count,       \
		.offset = offsetof(struct cs_whatif_pair, member), .doc = text, \
		.flags = CS_COLUMN_SHORT,                                       \
	}

static const struct cs_column count_columns[] = {
	{.key = "count",
		.kind = CS_KIND_TEXT,
		.get = get_name,
		.doc = "what is counted",
		.flags = CS_COLUMN_SHORT},
	COUNT(before, "now"),
	COUNT(after, "with the changes"),
};

static const struct cs_table count_table = PLAIN_TABLE("counts", "count", count_columns);

static const char *largest_name(const struct cs_cooked *c, const struct cs_whatif_counts *counts)
{
	return counts->largest_cell == CS_NONE
		       ? "none"
		       : cs_cooked_text(c, c->cells[counts->largest_cell].name);
}

static struct cs_error *emit_counts(
	struct call *call, const struct cs_whatif *whatif, struct cs_cooked *after)
{
	struct cs_whatif_pair rows[CS_WHATIF_PAIRS];
	struct cs_whatif_counts left, right;
	const struct cs_path *path;
	struct cs_error *error = path_of_option(call, &path);
	if (!error)
		error = cs_whatif_count(whatif, call->session->world, path, &left);
	if (!error)
		error = cs_whatif_count(whatif, after, path, &right);
	if (!error)
		error = emit_plain(call, &count_table, rows, cs_whatif_pairs(&left, &right, rows),
			sizeof(*rows));
	if (!error && !wants_rows(call))
		say(call->out, "largest cell: %s, then %s\n",
			largest_name(call->session->world, &left), largest_name(after, &right));
	return error;
}

/* ---- always loaded actors that one side has ---- */

struct always_row {
	const char *change, *actor, *why;
};

static const struct cs_column always_columns[] = {
	PLAIN("change", struct always_row, change, TEXT, text, "+ always loaded then, - no longer",
		.label = " ", .flags = CS_COLUMN_SHORT),
	PLAIN("actor", struct always_row, actor, TEXT, text, "the actor", .flags = CS_COLUMN_SHORT),
	PLAIN("why", struct always_row, why, TEXT, text, "why it is always loaded where it is",
		.flags = CS_COLUMN_SHORT),
};

static const struct cs_table always_table =
	PLAIN_TABLE("always_changes", "always_change", always_columns);

static struct cs_error *emit_always(struct call *call, struct cs_cooked *after)
{
	struct cs_always_change *changes;
	size_t n;
	struct cs_error *error =
		cs_whatif_always_changes(call->session->world, after, &changes, &n);
	if (error)
		return error;
	struct always_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = (struct always_row){changes[i].becomes ? "+" : "-",
			cs_cooked_actor_title(changes[i].becomes ? after : call->session->world,
				changes[i].actor),
			cs_always_name(changes[i].reason)};
	free(changes);
	error = rows ? emit_plain(call, &always_table, rows, n, sizeof(*rows)) : cs_error_nomem();
	free(rows);
	return error;
}

/* ---- whatif ---- */

struct showing {
	struct call *call;
	const struct cs_whatif *whatif;
};

static struct cs_error *show_numbers(void *context, struct cs_cooked *after)
{
	const struct showing *showing = context;
	return call_option(showing->call, "always")->given
		       ? emit_always(showing->call, after)
		       : emit_counts(showing->call, showing->whatif, after);
}

/* Differences begin with what both worlds are called and hold: they need the bytes. */
static struct cs_error *show_whatif(
	struct call *call, struct cs_whatif *whatif, const char *const *changes)
{
	struct cs_whatif_world world;
	struct showing showing = {call, whatif};
	if (!call_option(call, "diff")->given)
		return cs_whatif_visit(whatif, changes, call->n_arguments, show_numbers, &showing);
	struct cs_error *error = cs_whatif_cook(whatif, changes, call->n_arguments, &world);
	if (error)
		return error;
	error = emit_differences(call, call->session->world, world.cooked, NULL);
	cs_whatif_world_close(&world);
	return error;
}

static struct cs_error *run_whatif(struct call *call)
{
	struct cs_whatif *whatif;
	struct cs_error *error = whatif_new(call->session, &whatif);
	if (error)
		return error;
	const char **changes = calloc(call->n_arguments + 1, sizeof(*changes));
	for (size_t i = 0; changes && i < call->n_arguments; i++)
		changes[i] = call_argument(call, i)->text;
	error = changes ? show_whatif(call, whatif, changes) : cs_error_nomem();
	free(changes);
	cs_whatif_free(whatif);
	return error;
}

const struct command command_whatif = {
	.name = "whatif",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"NAME=VALUE", ARGUMENT_WORD, .many = true}},
	.options = {{'d', "diff", NULL, ARGUMENT_NONE, "what moves, instead of counts", NULL},
		{'a', "always", NULL, ARGUMENT_NONE,
			"actors that become always loaded, or no longer are", NULL},
		{'p', "path", "NAME", ARGUMENT_WORD, "run both along this path: peaks and loads",
			NULL}},
	.summary = "cook with other settings, actors, references; count what that changes",
	.examples = "whatif MainGrid.cell_size=6400\n"
		    "whatif use_aligned_grid_levels=off --diff\n"
		    "whatif actor.Lamp_04.spatially_loaded=off --always\n"
		    "whatif actor.Lamp_04.references-=SM_Post\n"
		    "whatif profile=5.7",
	.help = "Names and values are those of the JSON form of a world; the world stays as it is.\n"
		"  KEY=VALUE                  a setting of the world, or profile=NAME\n"
		"  GRID.KEY=VALUE             of a grid; of an HLOD setup: GRID:SETUP.KEY\n"
		"  actor.NAME.KEY=VALUE       of an actor, by label, name or GUID\n"
		"  class.NAME.KEY=VALUE       of all actors of a class\n"
		"  layer.NAME.KEY=VALUE       of a data layer; hlod_layer. of an HLOD layer\n"
		"  layers.A,B=C               actors with just the layers A and B get C\n"
		"Lists are A,B; += adds to them, -= takes away: actor.A.references-=B cuts A -> B.\n"
		"Bounds are X,Y,Z..X,Y,Z, none, or editor. `memory` is counted on average over\n"
		"places where actors stand; `cost` is what `suggest` ranks by. With a path both\n"
		"cooks are run along it, one player at 60 frames a second. `sweep` tries several\n"
		"values, `suggest` looks for changes that gain.",
	.run = run_whatif,
};

/* ---- suggest ---- */

struct suggest_row {
	const struct cs_suggestion *suggestion;
	int64_t rank;
	const char *kind, *subject, *why, *rule;
	char *change;
	double gain, share;
	int64_t always, cells, peak_actors, peak_bytes;
};

#define SUGGEST(key_, member, type, reader, text, ...) \
	PLAIN(key_, struct suggest_row, member, type, reader, text, __VA_ARGS__)

static void get_along(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_null();
	if (((const struct suggest_row *)row->record)->suggestion->after.peak_cells >= 0)
		plain_integer(row, column, ret);
}

static const struct cs_column suggest_columns[] = {
	SUGGEST("rank", rank, INTEGER, integer, "place", .label = "#", .flags = CS_COLUMN_SHORT),
	SUGGEST("gain", gain, NUMBER, number, "cost before less cost after, in actors in memory",
		.flags = CS_COLUMN_SHORT),
	SUGGEST("share", share, NUMBER, number, "of the cost, in percent", .label = "%",
		.flags = CS_COLUMN_SHORT),
	SUGGEST("kind", kind, TEXT, text, "what it mends", .flags = CS_COLUMN_SHORT),
	SUGGEST("subject", subject, TEXT, text, "what it is about", .flags = CS_COLUMN_SHORT),
	SUGGEST("why", why, TEXT, text, "what is out of line"),
	SUGGEST("rule", rule, TEXT, text, "that makes it so"),
	SUGGEST("change", change, TEXT, text, "as `whatif` takes it"),
	SUGGEST("always", always, INTEGER, integer, "always loaded actors after it"),
	SUGGEST("cells", cells, INTEGER, integer, "cells after it"),
	{.key = "peak_actors",
		.kind = CS_KIND_INTEGER,
		.get = get_along,
		.offset = offsetof(struct suggest_row, peak_actors),
		.doc = "most actors in memory along the path after it"},
	{.key = "peak_bytes",
		.kind = CS_KIND_INTEGER,
		.get = get_along,
		.offset = offsetof(struct suggest_row, peak_bytes),
		.doc = "most bytes along the path after it"},
};

static const struct cs_table suggest_table =
	PLAIN_TABLE("suggestions", "suggestion", suggest_columns);

/* Words as a command line takes them, whatever names are in them. */
static char *join_changes(const struct cs_suggestion *suggestion)
{
	CS_VEC(char) line = {0};
	bool room = true;
	for (size_t i = 0; room && i < suggestion->n_changes; i++) {
		char *word = quote_word(suggestion->changes[i]);
		room = word && (i == 0 || cs_vec_push(&line, ' ')) &&
		       cs_vec_append(&line, word, strlen(word));
		free(word);
	}
	if (room && cs_vec_push(&line, '\0'))
		return line.at;
	cs_vec_free(&line);
	return NULL;
}

static bool fill_suggestions(const struct cs_suggestions *found, struct suggest_row *rows)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct cs_suggestion *s = &found->rows[i];
		rows[i] = (struct suggest_row){.suggestion = s,
			.rank = (int64_t)i + 1,
			.kind = cs_suggest_kind_name(s->kind),
			.subject = s->subject,
			.why = s->why,
			.rule = s->rule,
			.change = join_changes(s),
			.gain = s->gain,
			.share = s->share,
			.always = s->after.always_loaded_actors,
			.cells = s->after.cells,
			.peak_actors = s->after.peak_actors,
			.peak_bytes = s->after.peak_bytes};
		if (!rows[i].change)
			return false;
	}
	return true;
}

/* In sentences, below each row: what there is no room for in a line of a table. */
static void say_suggestions(
	struct call *call, const struct cs_suggestions *found, const struct suggest_row *rows)
{
	const struct argument *limit = call_option(call, "n");
	say(call->out, "cost %.1f: %.1f actors and %.1f cells in memory at a place",
		found->before.cost, found->before.near_actors, found->before.near_cells);
	say(call->out, ", %lld faults\n", (long long)cs_whatif_faults(&found->before));
	for (size_t i = 0; i < found->n && (!limit->given || i < limit->count); i++) {
		say(call->out,
			"%2zu  %-11s gains %.1f (%.1f %%): %s\n    %s (rule %s)\n    whatif ",
			i + 1, rows[i].kind, rows[i].gain, rows[i].share, rows[i].subject,
			rows[i].why, rows[i].rule);
		/* quoted and without an unsafe byte: to be typed as it stands */
		say_fixed(call->out, rows[i].change, strlen(rows[i].change));
		say(call->out, "\n");
	}
	if (found->n == 0)
		say(call->out, "nothing that was tried gains\n");
	say(call->out, "%zu tried, %zu gain", found->tried, found->n);
	if (found->untried)
		say(call->out, "; %zu more promised less: --tries", found->untried);
	say(call->out, "\n");
}

/* A listing when columns or rows are asked for, else sentences. */
static bool is_listing(const struct call *call)
{
	return wants_rows(call) || call_option(call, "c")->given || call_option(call, "w")->given ||
	       call_option(call, "s")->given || call_option(call, "table")->given;
}

static struct cs_error *show_suggestions(struct call *call, const struct cs_suggestions *found)
{
	struct suggest_row *rows = calloc(found->n + 1, sizeof(*rows));
	struct cs_error *error = NULL;
	if (!rows || !fill_suggestions(found, rows))
		error = cs_error_nomem();
	else if (is_listing(call))
		error = emit_plain(call, &suggest_table, rows, found->n, sizeof(*rows));
	else
		say_suggestions(call, found, rows);
	for (size_t i = 0; rows && i < found->n; i++)
		free(rows[i].change);
	free(rows);
	return error;
}

static struct cs_error *run_suggest(struct call *call)
{
	struct cs_suggest_options options = {
		.size = sizeof(options), .tries = call_option(call, "tries")->count};
	const struct cs_suggestions *found;
	struct cs_whatif *whatif;
	struct cs_error *error = path_of_option(call, &options.path);
	if (!error)
		error = whatif_new(call->session, &whatif);
	if (error)
		return error;
	error = cs_suggest(whatif, &options, &found);
	if (!error) {
		error = show_suggestions(call, found);
		cs_suggestions_free(found);
	}
	cs_whatif_free(whatif);
	return error;
}

const struct command command_suggest = {
	.name = "suggest",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.options = {{0, "tries", "N", ARGUMENT_WHOLE, "most what-ifs, 96", NULL},
		{'t', "table", NULL, ARGUMENT_NONE, "a line each", NULL},
		{'p', "path", "NAME", ARGUMENT_WORD, "count along this path too", NULL}},
	.summary = "changes of the world that would gain most, each tried by a what-if",
	.examples = "suggest\nsuggest -n 3\nsuggest --json -w \"kind = 'range'\"",
	.help = "Looks for what is out of the ordinary: references that hold far actors together,\n"
		"actors whose size takes others with it, always loaded ones alone in their class\n"
		"or by a reference, bounds, odd combinations of data layers, layers and grids that\n"
		"differ along a reference, grids that do not exist, sizes and ranges of cells,\n"
		"HLODs, children of editor-only actors, options. Each remedy is tried, and told if\n"
		"it gains; of several for one trouble the best. The gain is in actors in memory,\n"
		"on average over places where actors stand; a cell in memory counts as 8, an\n"
		"actor in no cell as 20, an error or a child without its parent as 10, a warning\n"
		"as 3.",
	.run = run_suggest,
};
