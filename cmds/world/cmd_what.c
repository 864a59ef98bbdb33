/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `why`, `why-not` and `explain`, which call the command that answers for
 * the kind of the object; `why actor`, which explains the actor's cell; and `cell-of`.
 */
#include "src/language/arguments.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

/* Runs the command "VERB ." (about the current place) in the output format of this call. */
static struct cs_error *what_ask(struct call *call, const char *verb)
{
	char *line = NULL;
	if (asprintf(&line, "%s .%s", verb, format_options[call->out->style.format]) < 0)
		return cs_error_nomem();
	struct cs_error *error = run_nested(call->session, line, call->out->sink);
	call->out->emitted = true; /* the command called here has printed the rows */
	free(line);
	return error;
}

/*
 * Runs "VERB ." with the given row as the current place, and restores the place afterwards. A name
 * would not identify the row, because instances of a level share names and GUIDs.
 */
static struct cs_error *ask_about(
	struct call *call, const char *verb, enum place_kind kind, uint32_t row)
{
	struct session *session = call->session;
	const struct place before = session->places.here;
	session->places.here =
		(struct place){.kind = kind, .row = row, .partition = session->files.partition};
	struct cs_error *error = what_ask(call, verb);
	session->places.here = before;
	return error;
}

/* ---- commands why actor and why-not actor ---- */

/* Prints the actor's cell and runs `verb` on it, or without a cell, runs `explain actor`. */
static struct cs_error *why_actor(struct call *call, const char *verb, uint32_t row)
{
	const struct cs_cooked *world = call->session->world;
	const struct cs_cooked_actor *actor = cs_cooked_actor(world, row);
	struct cs_error *error = cs_cooked_failed(call->session->world);
	if (error)
		return error;
	if (actor->cell == CS_NONE)
		return ask_about(call, "explain actor", PLACE_ACTOR, row);
	if (!wants_rows(call))
		say(call->out, "%s is in %s\n", cs_cooked_actor_title(world, row),
			cs_cooked_cell_name(world, actor->cell));
	return ask_about(call, verb, PLACE_CELL, actor->cell);
}

static struct cs_error *run_why_actor(struct call *call)
{
	const bool is_not = strcmp(call->command->instead, "why-not") == 0;
	return why_actor(call, is_not ? "why-not cell" : "why cell", call_argument(call, 0)->row);
}

OLD_NAME(command_why_actor, "why actor", "why", run_why_actor, COMMAND_WORLD, "why Rock_1187",
	{"ACTOR", ARGUMENT_ACTOR});

OLD_NAME(command_why_not_actor, "why-not actor", "why-not", run_why_actor, COMMAND_WORLD,
	"why-not Rock_1187", {"ACTOR", ARGUMENT_ACTOR});

static struct cs_error *run_cell_of(struct call *call)
{
	const struct cs_cooked *world = call->session->world;
	uint32_t actor = call_argument(call, 0)->row, cell = cs_cooked_actor(world, actor)->cell;
	struct cs_error *error = cs_cooked_failed(call->session->world);
	if (error)
		return error;
	if (cell == CS_NONE)
		return ask_about(call, "explain actor", PLACE_ACTOR, actor);
	if (!wants_rows(call))
		say(call->out, "%s\n", cs_cooked_cell_name(world, cell));
	return call_list_in_cell(call, cell);
}

const struct command command_cell_of = {
	.name = "cell-of",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "show the cell that contains an actor, and all actors of that cell",
	.examples = "cell-of Rock_1187",
	.help = "The first line is the name of the cell; the rows below are its actors. When the\n"
		"actor is in no cell, the command explains why.",
	.run = run_cell_of,
};

/* ---- commands why, why-not and explain ---- */

/* Gets the object that the argument names (see call_place), or for a point, the cell there. */
static struct cs_error *place_meant(struct call *call, struct place *ret)
{
	struct place place = call_place(call, call_argument(call, 0));
	if (place.kind == PLACE_POINT && call->session->world) {
		place.row = cs_cooked_cell_at(call->session->world, place.point);
		place.kind = place.row == CS_NONE ? PLACE_NONE : PLACE_CELL;
		if (place.kind == PLACE_NONE)
			return cs_error_new(CS_E_NOCELL,
				"no cell contains the point %g,%g,%g; `map` shows where cells are",
				place.point.x, place.point.y, place.point.z);
	}
	if (place.kind == PLACE_NONE)
		return cs_error_new(CS_E_USAGE,
			"%s needs an object, such as a cell or an actor: name one, or go to one "
			"with cd",
			call->command->name);
	*ret = place;
	return NULL;
}

/* ---- names in a catalogue of several worlds ---- */

typedef CS_VEC(struct place) places;

/* Finds the cells and actors named `text` in all open worlds, in the order of the worlds. */
static struct cs_error *find_in_worlds(struct session *session, const char *text, places *ret)
{
	const uint32_t n = (uint32_t)cs_query_partitions(session->query);
	for (uint32_t i = 0; i < n; i++) {
		struct place place;
		session_focus(session, i);
		struct cs_error *error = place_resolve(session, text, &place);
		const enum cs_code code = error ? error->code : CS_E_USAGE;
		if (error && code != CS_E_NOCELL && code != CS_E_NOACTOR && code != CS_E_UNKNOWN)
			return error;
		cs_error_free(error);
		place.partition = i;
		if (!error && !cs_vec_push(ret, place))
			return cs_error_nomem();
	}
	return NULL;
}

/* Explains a cell or actor from its cook only: the worlds of a catalogue are not in the run. */
static struct cs_error *explain_in_world(struct call *call, const struct place *place)
{
	const char *world = NULL;
	session_focus(call->session, place->partition);
	cs_query_partition(call->session->query, place->partition, &world);
	if (!wants_rows(call))
		say(call->out, "in %s:\n", world);
	return place->kind == PLACE_ACTOR
		       ? ask_about(call, "explain actor", PLACE_ACTOR, place->row)
		       : ask_about(call, "explain cell", PLACE_CELL, place->row);
}

static struct cs_error *explain_in_worlds(struct call *call, const char *text)
{
	places found = {0};
	struct cs_error *error = find_in_worlds(call->session, text, &found);
	if (!error && found.n > 1 && wants_rows(call))
		error = cs_error_new(CS_E_AMBIGUOUS,
			"%zu worlds have '%s'; name the world with -P, because --json and --csv "
			"print only one",
			found.n, text);
	for (size_t i = 0; !error && i < found.n; i++)
		error = explain_in_world(call, &found.at[i]);
	cs_vec_free(&found);
	return error;
}

/* Returns whether the argument is a name that several worlds may have (no row number, no -P). */
static bool what_is_named(const struct call *call)
{
	const struct argument *what = call_argument(call, 0);
	return what->given && !call_option(call, "P")->given && strcmp(what->text, ".") != 0 &&
	       what->text[strspn(what->text, "#0123456789")] != '\0';
}

/* The questions. `answers` has for each question and kind of place a command, or NULL. */
enum question { WHY, WHY_NOT, EXPLAIN };

static const char *const answers[][PLACE_LAYER + 1] = {
	[WHY] = {[PLACE_CELL] = "why cell",
		[PLACE_ACTOR] = "why cell",
		[PLACE_PAGE] = "why page",
		[PLACE_CLUSTER] = "why cluster",
		[PLACE_LAYER] = "why-layer"},
	[WHY_NOT] = {[PLACE_CELL] = "why-not cell",
		[PLACE_ACTOR] = "why-not cell",
		[PLACE_PAGE] = "why page",
		[PLACE_CLUSTER] = "why cluster",
		[PLACE_LAYER] = "why-layer"},
	[EXPLAIN] = {[PLACE_CELL] = "explain cell",
		[PLACE_ACTOR] = "explain actor",
		[PLACE_PAGE] = "explain page",
		[PLACE_CLUSTER] = "explain cluster"},
};

static struct cs_error *run_question(struct call *call)
{
	const enum question question = (enum question)call->command->variant;
	struct place place = {0};
	struct cs_error *error = place_meant(call, &place);
	if (error)
		return error;
	if (call->session->files.beside.n > 0 &&
		(place.kind == PLACE_ACTOR || place.kind == PLACE_CELL))
		return what_is_named(call) ? explain_in_worlds(call, call_argument(call, 0)->text)
					   : explain_in_world(call, &place);
	const char *verb = answers[question][place.kind];
	if (!verb)
		return cs_error_new(CS_E_USAGE,
			"`%s` explains only cells, actors, pages and clusters (`why` and "
			"`why-not` also data layers)",
			call->command->name);
	if (place.kind == PLACE_ACTOR && question != EXPLAIN)
		return why_actor(call, verb, place.row);
	return ask_about(call, verb, place.kind, place.row);
}

#define WHAT_HELP                                                                          \
	"WHAT is a cell, an actor, a point (the smallest cell that contains it), a data\n" \
	"layer, or a page or a cluster (PAGE:NUMBER) of a Nanite resource. After a\n"      \
	"listing of cells, actors or data layers a number means a row of that listing;\n"  \
	"otherwise it means a page. Without WHAT the command uses the place after @ or,\n" \
	"without @, the current place (help where).\n"
#define SEVERAL_HELP                                                                         \
	"\nWith several open worlds there is no run. The command then prints how the cook\n" \
	"of each world, or of the world that -P names, placed the actor or made the cell."

#define QUESTION(variable, name_, alias_, question, text, example, help_)     \
	const struct command variable = {                                     \
		.name = name_,                                                \
		.alias = alias_,                                              \
		.group = GROUP_WHY,                                           \
		.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_PLACE,      \
		.arguments = {{"WHAT", ARGUMENT_ANYTHING, .optional = true}}, \
		.summary = text,                                              \
		.examples = example,                                          \
		.help = help_,                                                \
		.run = run_question,                                          \
		.variant = question,                                          \
	}

QUESTION(command_why, "why", NULL, WHY,
	"explain the present state of a cell, an actor, a layer, a page or a cluster",
	"why L0:5,1\nwhy Rock_1187\nwhy DL_Night\ncells -n 5\nwhy 1",
	"The command explains the state of WHAT in the present frame. For a cell it names\n"
	"the rule and the streaming source that led to the state, and what the cell waits\n"
	"for; for an actor it explains the state of its cell. For a page it names the\n"
	"camera that wants the page, what the page waits for, and the page that took its\n"
	"place in the pool. For a data layer it names the rule that led to the state; for\n"
	"a cluster it says why the cluster is drawn or not. `explain` shows how WHAT was\n"
	"made.\n\n" WHAT_HELP SEVERAL_HELP);
QUESTION(command_why_not, "why-not", NULL, WHY_NOT,
	"explain what keeps a cell, an actor, a data layer or a page from being loaded",
	"why-not L0:5,1\nwhy-not Rock_1187",
	"For a cell the first line says what keeps the cell from being loaded, or that it\n"
	"is loaded; the lines below are those of `why` (help why). For an actor the\n"
	"command first names its cell, then does the same for this cell. For a page, a\n"
	"cluster or a data layer the command prints what `why` prints.\n\n" WHAT_HELP SEVERAL_HELP);
QUESTION(command_explain, "explain", "ex", EXPLAIN,
	"explain how the cook or the build made a cell, an actor, a page or a cluster",
	"explain Rock_1187\nactors -n 5\nexplain 3",
	"For an actor the command shows every rule that led the actor to its cell. For a\n"
	"cell it shows what makes the cell large and full. For a page it shows how full\n"
	"the page is and what it contains. For a cluster it shows which finer clusters\n"
	"this one replaces, and which coarser clusters replace it. `why` explains the\n"
	"state in the present frame instead.\n"
	"\n"
	"WHAT is a cell, an actor, a point (the smallest cell that contains it), or a\n"
	"page or a cluster (PAGE:NUMBER) of a Nanite resource. After a listing of cells\n"
	"or actors a number means a row of that listing; otherwise it means a page.\n"
	"Without WHAT the command uses the place after @ or, without @, the current place\n"
	"(help where). When several worlds are open, the command answers for each world,\n"
	"or for the world that -P names.");
