/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands that cook the open world again: `edit`, `remove` and `hlod build` change
 * the source first; `diff pie` and `verify-cook` only compare cooks. All need a world that was
 * opened uncooked, because a cooked file does not contain its source.
 */
#include "cmds/cook/cmd_cooks.h"
#include "cmds/world/cmd_differences.h"
#include "src/front/open.h"
#include "src/session/script/checks.h"
#include <cellscope/cooked_values.h>

#include <inttypes.h>
#include <string.h>

/* Opens the new cook in place of the old one. Keeps the map's name and the other open worlds. */
static struct cs_error *show_recooked(
	struct session *session, struct opened fresh, const char *name)
{
	struct open_files before = session->files, *now = &session->files;
	now->map = NULL;
	memset(&now->beside, 0, sizeof(now->beside));
	struct cs_error *error = session_show(session, fresh, name);
	now->map = before.map;
	now->is_recooked = !error;
	if (error) {
		now->beside = before.beside;
		return error;
	}
	for (size_t i = 0; i < before.beside.n; i++)
		if (error)
			opened_close(&before.beside.at[i]);
		else
			error = session_show_beside(session, before.beside.at[i]);
	cs_vec_free(&before.beside);
	return error;
}

/* Cooks the changed source, lists the differences, and makes the new cook the open one. */
static struct cs_error *recook_show_changes(struct call *call)
{
	struct session *session = call->session;
	const struct cs_cook_options options = cook_options(session);
	struct cs_world *source = session->files.opened.source;
	struct opened fresh;
	char *name = strdup(session->files.path);
	struct cs_error *error =
		name ? world_cook(session, source, &options, name, &fresh) : cs_error_nomem();
	if (!error) {
		error = emit_differences(call, session->world, fresh.world, NULL);
		session->files.opened.source = NULL; /* world_cook moved the source into `fresh` */
		error = cs_error_first(error, show_recooked(session, fresh, name));
	}
	free(name);
	return error;
}

/* ---- commands edit and remove ---- */

static struct cs_error *run_edit(struct call *call)
{
	bool added;
	struct cs_error *error = need_source(call->session);
	if (!error)
		error = cs_world_apply(call->session->files.opened.source,
			call_argument(call, 0)->text, &call->session->job, &added);
	return error ? error : recook_show_changes(call);
}

const struct command command_edit = {
	.name = "edit",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"JSON", ARGUMENT_WORD}},
	.summary = "add or change an actor, cook the open world again, and list the differences",
	.examples = "edit '{\"guid\":\"00000000000000000000000000000001\",\"name\":\"New\"}'\n"
		    "edit '{\"guid\":\"6F1C0A2E4D3B2A190817263544536271\",\"grid\":\"Small\"}'",
	.help = "JSON describes one actor, as in the JSON form of a world (cellscope-format(5)).\n"
		"An actor with the same GUID is changed in the keys that JSON has; with a new\n"
		"GUID the actor is added. The second example puts the actor with that GUID on the\n"
		"grid `Small`. The file of the world is not changed. The rows are those of `diff`\n"
		"(help diff). The open world must come from JSON, a project, or a log that `open\n"
		"LOG --recook` cooked. The simulated run ends; `step` begins a new one.",
	.run = run_edit,
	.rows = &diff_table,
};

static struct cs_error *recook_run_remove(struct call *call)
{
	struct session *session = call->session;
	struct cs_error *error = need_source(session);
	if (!error)
		error = cs_cooked_load_actors(session->world);
	if (error)
		return error;
	const struct cs_cooked_actor *actor =
		cs_cooked_actor(session->world, call_argument(call, 0)->row);
	const char *package = NULL;
	if (session->world->containers[actor->container].parent != CS_NONE)
		package = cs_cooked_text(
			session->world, session->world->containers[actor->container].package);
	error = cs_world_remove(session->files.opened.source, package, actor->guid, &session->job);
	return error ? error : recook_show_changes(call);
}

const struct command command_remove = {
	.name = "remove",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "remove an actor, cook the open world again, and list the differences",
	.examples = "remove Lamp_04",
	.help = "An actor of a level instance is removed from its level, and so from all\n"
		"instances of that level. The file on disk is not changed. The list has the rows\n"
		"of `diff` (help diff). The open world must come from JSON, a project, or a log\n"
		"that `open LOG --recook` cooked. The simulated run ends; `step` begins a new\n"
		"one.",
	.run = recook_run_remove,
	.rows = &diff_table,
};

/* ---- command hlod build ---- */

static struct cs_error *run_hlod_build(struct call *call)
{
	struct session *session = call->session;
	const struct cs_cook_options options = cook_options(session);
	size_t n;
	struct cs_error *error = need_source(session);
	if (!error)
		error = cs_hlod_build(session->files.opened.source, &options, &session->job, &n);
	if (error)
		return error;
	note(call->out, "%zu HLOD actor%s\n", n, n == 1 ? "" : "s");
	return recook_show_changes(call);
}

const struct command command_hlod_build = {
	.name = "hlod build",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.summary = "build the HLOD actors of the open world, cook it again, and list "
		   "what changed",
	.examples = "hlod build\nhlod build --json",
	.help = "HLOD actors are built level by level, and the new ones replace those that the\n"
		"world had. The file of the world is not changed; `cook --hlod` writes a cooked\n"
		"world with its HLOD actors, and with --meshes also builds their proxy meshes.\n"
		"The rows are those of `diff` (help diff). The open world must come from JSON, a\n"
		"project, or a log that `open LOG --recook` cooked. The simulated run ends;\n"
		"`step` begins a new run.",
	.run = run_hlod_build,
	.rows = &diff_table,
};

/* ---- command diff pie ---- */

static struct cs_error *run_diff_pie(struct call *call)
{
	struct session *session = call->session;
	struct cs_cook_options options = cook_options(session);
	struct opened sides[2] = {{0}};
	const struct argument *with = call_argument(call, 0);
	if (with->given && strcmp(with->text, "cook") != 0)
		return cs_error_new(CS_E_USAGE, "diff pie compares only with `cook`, not with '%s'",
			with->text);
	struct cs_error *error = need_source(session);
	for (int i = 0; !error && i < 2; i++) {
		options.trigger = i == 0 ? CS_TRIGGER_PIE : CS_TRIGGER_COOK;
		error = world_cook(session, session->files.opened.source, &options,
			i == 0 ? "pie" : "cook", &sides[i]);
		sides[i].source = NULL; /* the session still owns the source */
	}
	if (!error)
		error = emit_differences(call, sides[0].world, sides[1].world, "trigger");
	opened_close(&sides[0]);
	opened_close(&sides[1]);
	return error;
}

const struct command command_diff_pie = {
	.name = "diff pie",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"cook", ARGUMENT_WORD, .optional = true}},
	.summary = "list the differences between the world in Play In Editor and in a cook",
	.examples = "diff pie cook\ndiff pie cook -w \"kind = 'actor'\" --json",
	.help = "The command cooks the open world twice: as Play In Editor does (left side) and\n"
		"as for the packaged game (right side). Play In Editor includes what the world\n"
		"marks as unsaved, and actors that it marks as existing only in Play In Editor. A\n"
		"row with only a left side works in the editor and is missing in the packaged\n"
		"game. The word `cook` may be left out. The rows are those of `diff` (help diff).\n"
		"The open world must come from JSON, a project, or a log that `open LOG --recook`\n"
		"cooked.",
	.run = run_diff_pie,
	.rows = &diff_table,
};

/* ---- command verify-cook ---- */

static struct cs_error *run_verify_cook(struct call *call)
{
	struct session *session = call->session;
	enum { MOST = 10000 };
	const uint64_t runs = argument_count(call_argument(call, 0), 3);
	const struct cs_cook_options options = cook_options(session);
	uint64_t different = 0;
	if (runs < 2 || runs > MOST)
		return cs_error_new(CS_E_USAGE,
			"N must be a number of cooks from 2 to %d, not %" PRIu64, MOST, runs);
	struct cs_error *error = need_source(session);
	if (!error)
		error = cs_cook_repeat(
			session->files.opened.source, &options, runs, &session->job, &different);
	if (error)
		return error;
	say(call->out, "%" PRIu64 " cooks of shuffled actors on 1 to 4 threads: %s\n", runs,
		different ? "some differ" : "the same bytes");
	check_verdict(call, different == 0,
		"the cooks of the shuffled actors do not all give the same bytes");
	return NULL;
}

const struct command command_verify_cook = {
	.name = "verify-cook",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD,
	.arguments = {{"N", ARGUMENT_WHOLE, .optional = true}},
	.summary = "cook the open world several times in shuffled order and compare the bytes",
	.examples = "verify-cook 5",
	.help = "N is the number of cooks, 2 to 10000 (default 3). Each takes the actors in\n"
		"another order and uses 1 to 4 threads. The exit status is 1 when any two results\n"
		"differ. The open world must come from JSON, a project, or a log that `open LOG\n"
		"--recook` cooked.",
	.run = run_verify_cook,
};
