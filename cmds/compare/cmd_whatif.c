/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `whatif`: cooks the open world in memory with changed settings and compares counts. */
#include "cmds/cook/cmd_cooks.h"
#include "cmds/world/cmd_differences.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- counts of both cooks ---- */

PLAIN_GETTER(
	get_count, double, *at == (double)(int64_t)*at ? cs_integer((int64_t)*at) : cs_number(*at))

#define COUNT(member, text)                                                     \
	{                                                                       \
		.key = #member, .kind = CS_KIND_NUMBER, .get = get_count,       \
		.offset = offsetof(struct cs_whatif_pair, member), .doc = text, \
		.flags = CS_COLUMN_SHORT,                                       \
	}

static const struct cs_column count_columns[] = {
	SHORT_AS("count", struct cs_whatif_pair, name, "quantity that the row counts"),
	COUNT(before, "value in the open world"),
	COUNT(after, "value with the changes"),
};

static const struct cs_table count_table = PLAIN_TABLE("counts", "count", count_columns);

static const char *largest_name(
	const struct cs_cooked *cooked, const struct cs_whatif_counts *counts)
{
	return counts->largest_cell == CS_NONE ? "none"
					       : cs_cooked_cell_name(cooked, counts->largest_cell);
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
		error = emit_plain(call, &count_table, rows, cs_whatif_pairs(&left, &right, rows));
	if (!error && !wants_rows(call))
		say(call->out, "largest cell: %s, then %s\n",
			largest_name(call->session->world, &left), largest_name(after, &right));
	return error;
}

/* ---- actors that are always loaded on one side only ---- */

struct always_row {
	const char *change, *actor, *why;
};

static const struct cs_column always_columns[] = {
	SHORT(struct always_row, change, "+ always loaded after the change, - no longer",
		.label = " "),
	SHORT(struct always_row, actor, "actor that is always loaded on one side only"),
	SHORT(struct always_row, why, "reason why the actor is always loaded on that side"),
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
			cs_word(CS_WORDS_ALWAYS, changes[i].reason)->name};
	free(changes);
	return emit_plain_taken(call, &always_table, rows, n);
}

/* ---- command whatif ---- */

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

/* Prints a what-if: counts, or with --diff the rows that differ, for which it cooks into memory. */
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
	cs_cooked_close(world.cooked);
	free(world.bytes);
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
	.options = {{'d', "diff", NULL, ARGUMENT_NONE,
			    "list the differences (help diff) instead of counting"},
		{'a', "always", NULL, ARGUMENT_NONE,
			"list actors that become always loaded or are no longer always loaded"},
		{'p', "path", "NAME", ARGUMENT_WORD,
			"move one player along path NAME of `path load` through both cooks and list "
			"the peaks of cells, actors and bytes in memory, the loads and the waits"}},
	.summary = "cook with changed settings, actors or references, and count what changes",
	.examples = "whatif MainGrid.cell_size=6400\n"
		    "whatif use_aligned_grid_levels=off --diff\n"
		    "whatif actor.Lamp_04.spatially_loaded=off --always\n"
		    "whatif actor.Lamp_04.references-=SM_Post\n"
		    "whatif profile=5.7",
	.help = "NAME=VALUE is a change of the open world, in one of these forms; KEY and VALUE\n"
		"are a key and a value of the JSON form of a world (cellscope-format(5)):\n"
		"  KEY=VALUE                  a setting of the world, or profile=NAME (help\n"
		"                             profiles)\n"
		"  GRID.KEY=VALUE             a setting of a grid\n"
		"  GRID:SETUP.KEY=VALUE       a setting of an HLOD setup of a grid\n"
		"  actor.NAME.KEY=VALUE       a value of an actor, by label, name or GUID\n"
		"  class.NAME.KEY=VALUE       a value of all actors of a class\n"
		"  layer.NAME.KEY=VALUE       a value of a data layer\n"
		"  hlod_layer.NAME.KEY=VALUE  a value of an HLOD layer\n"
		"  layers.A,B=C               give actors with exactly the layers A and B the\n"
		"                             layer C instead\n"
		"A list is written A,B. With += in place of = these items are added to the list,\n"
		"and with -= they are removed from the list. Bounds are X,Y,Z..X,Y,Z (least and\n"
		"greatest corner in cm), `none`, or `editor` (the bounds that the editor uses).\n"
		"The open world must come from JSON, a project, or a log that `open LOG --recook`\n"
		"cooked; the command does not change the world.\n\n"
		"The command prints each count before and after the change:\n"
		"  lost_actors       actors that Unreal would lose without a message (help drops)\n"
		"  actors_in_memory  average over streaming sources at the positions of up to 192\n"
		"                    actors, one after the other, with all data layers active\n"
		"  cells_in_memory   the same average for cells\n"
		"  cost              actors_in_memory, plus 8 for each of cells_in_memory, 20 for\n"
		"                    each of lost_actors, 10 for an error, 10 for a child whose\n"
		"                    parent is not cooked, and 3 for a warning\n"
		"  level N           cells on that level\n"
		"  always: REASON    actors that are always loaded for that reason\n"
		"With a path, one player moves along it through both cooks at 60 frames a second,\n"
		"and `path report -c ?` explains the counts of these runs. `sweep` tries several\n"
		"values.",
	.run = run_whatif,
};
