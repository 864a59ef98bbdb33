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
		"If the world has an actor with the GUID in JSON, the keys in JSON change that\n"
		"actor; if not, a new actor is added. The second example puts an actor on the\n"
		"grid `Small`. The file of the world is not changed. The differences are listed\n"
		"as by `diff` (help diff). The open world must come from JSON, a project, or a\n"
		"log that `open LOG --recook` cooked. The simulated run ends, and `step` begins a\n"
		"new run.",
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
		"instances of that level. The file on disk is not changed. The differences are\n"
		"listed as by `diff` (help diff). The open world must come from JSON, a project,\n"
		"or a log that `open LOG --recook` cooked. The simulated run ends, and `step`\n"
		"begins a new run.",
	.run = recook_run_remove,
	.rows = &diff_table,
};

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
	.examples = "hlod build",
	.help = "Each HLOD actor is built from a cell, and is shown while that cell is not\n"
		"visible. The new HLOD actors replace the HLOD actors that the world had. The\n"
		"file of the world is not changed. `cook --hlod` writes a cooked world with its\n"
		"HLOD actors and, with --meshes, also builds their proxy meshes. The differences\n"
		"are listed as by `diff` (help diff). The open world must come from JSON, a\n"
		"project, or a log that `open LOG --recook` cooked. The simulated run ends, and\n"
		"`step` begins a new run.",
	.run = run_hlod_build,
	.rows = &diff_table,
};

static struct cs_error *run_diff_pie(struct call *call)
{
	struct session *session = call->session;
	struct cs_cook_options options = cook_options(session);
	struct opened sides[2] = {{0}};
	const struct argument *with = call_argument(call, 0);
	if (with->given && strcmp(with->text, "cook") != 0)
		return cs_error_new(CS_E_USAGE,
			"the argument of diff pie can only be `cook` (or left out), not '%s'",
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
		"as for the packaged game (right side). Play In Editor includes the changes of\n"
		"actors that the world marks as unsaved, and actors that exist only in Play In\n"
		"Editor. An actor that only the left side has works in the editor but is missing\n"
		"in the packaged game. The word `cook` may be left out. The differences are\n"
		"listed as by `diff` (help diff). The open world must come from JSON, a project,\n"
		"or a log that `open LOG --recook` cooked.",
	.run = run_diff_pie,
	.rows = &diff_table,
};

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
	.summary = "check that each cook of the open world gives the same bytes",
	.examples = "verify-cook 5",
	.help = "The command cooks the world N times, 2 to 10000 (default 3), each time with the\n"
		"actors in another order and with 1 to 4 threads, and compares the results. The\n"
		"exit status is 1 when two results differ. The open world must come from JSON, a\n"
		"project, or a log that `open LOG --recook` cooked.",
	.run = run_verify_cook,
};
