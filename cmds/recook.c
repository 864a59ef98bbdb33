/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that change the source of the open world and cook it again: edit, remove, hlod build,
 * whatif, diff pie cook, verify-cook. Each shows what moved. They need a world that was opened
 * uncooked, since a cooked file holds only what came out.
 */
#include "cmds/commands.h"
#include "cmds/differences.h"
#include "cmds/plain.h"
#include "src/front/open.h"

#include <cellscope/stream_events.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct cs_error *need_source(const struct session *session)
{
	if (session->opened.source)
		return NULL;
	return cs_error_new(CS_E_NOTOPEN,
		"the open world is cooked: open what it was cooked from (a .uproject, JSON, a log)");
}

/* Cooks the changed source, shows what differs from before, and goes on with the new cook. */
static struct cs_error *show_changes(struct call *call)
{
	struct session *session = call->session;
	const struct cs_cook_options options = cook_options(session);
	struct cs_world *source = session->opened.source;
	struct opened fresh;
	char *name = strdup(session->path);
	struct cs_error *error =
		name ? world_cook(session, source, &options, name, &fresh) : cs_error_nomem();
	if (!error) {
		error = emit_differences(call, session->world, fresh.world, NULL);
		session->opened.source = NULL; /* the new cook owns it now */
		struct cs_error *unshown = session_show(session, fresh, name);
		if (error)
			cs_error_free(unshown);
		else
			error = unshown;
	}
	free(name);
	return error;
}

/* ---- edit, remove ---- */

static struct cs_error *run_edit(struct call *call)
{
	bool added;
	struct cs_error *error = need_source(call->session);
	if (!error)
		error = cs_world_apply(call->session->opened.source, call_argument(call, 0)->text,
			&call->session->job, &added);
	return error ? error : show_changes(call);
}

const struct command command_edit = {
	.name = "edit",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"JSON", ARGUMENT_WORD}},
	.summary = "add or change an actor of the source, cook again, show what moved",
	.examples = "edit '{\"guid\":\"00000000000000000000000000000001\",\"name\":\"New\"}'\n"
		    "edit '{\"guid\":\"6F1C0A2E4D3B2A190817263544536271\",\"grid\":\"Small\"}'",
	.help = "JSON is a line of the JSON form: the keys that it gives replace those of the actor\n"
		"with that GUID, or make a new one. The file on disk stays as it is.",
	.run = run_edit,
};

static struct cs_error *run_remove(struct call *call)
{
	struct session *session = call->session;
	struct cs_error *error = need_source(session);
	if (!error)
		error = cs_cooked_load_actors(session->world);
	if (error)
		return error;
	const struct cs_cooked_actor *actor = &session->world->actors[call_argument(call, 0)->row];
	const char *package = NULL;
	if (session->world->containers[actor->container].parent != CS_NONE)
		package = cs_cooked_text(
			session->world, session->world->containers[actor->container].package);
	error = cs_world_remove(session->opened.source, package, actor->guid, &session->job);
	return error ? error : show_changes(call);
}

const struct command command_remove = {
	.name = "remove",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "take an actor out of the source, cook again, show what moved",
	.examples = "remove Lamp_04",
	.help = "An actor of a level instance is taken out of its level, everywhere.",
	.run = run_remove,
};

/* ---- hlod build ---- */

static struct cs_error *run_hlod_build(struct call *call)
{
	struct session *session = call->session;
	const struct cs_cook_options options = cook_options(session);
	size_t n;
	struct cs_error *error = need_source(session);
	if (!error)
		error = cs_hlod_build(session->opened.source, &options, &session->job, &n);
	if (error)
		return error;
	note(call->out, "%zu HLOD actor%s\n", n, n == 1 ? "" : "s");
	return show_changes(call);
}

const struct command command_hlod_build = {
	.name = "hlod build",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.summary = "build the HLOD actors of the source, level by level, and cook again",
	.examples = "hlod build\nhlod build --json",
	.help = "They replace those that the source had. They have no mesh.",
	.run = run_hlod_build,
};

/* ---- whatif ---- */

struct count_row {
	const char *count;
	int64_t before, after;
};

static const struct cs_column count_columns[] = {
	PLAIN("count", struct count_row, count, TEXT, text, "what is counted",
		.flags = CS_COLUMN_SHORT),
	PLAIN("before", struct count_row, before, INTEGER, integer, "now",
		.flags = CS_COLUMN_SHORT),
	PLAIN("after", struct count_row, after, INTEGER, integer, "with the change",
		.flags = CS_COLUMN_SHORT),
};

static const struct cs_table count_table = PLAIN_TABLE("counts", "count", count_columns);

static struct cs_error *count_world(const struct cs_cooked *c, const struct cs_path *path,
	const struct cs_job *job, struct world_counts *ret)
{
	struct cs_stream_report along;
	*ret = (struct world_counts){
		.cells = (int64_t)c->n_cells, .findings = (int64_t)c->n_findings, .peak_cells = -1};
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cs_cooked_cell *cell = &c->cells[i];
		bool always = cell->flags & CS_CELL_ALWAYS_LOADED;
		ret->streaming_levels += !always;
		ret->always_loaded_actors += always ? cell->actors.count : 0;
		ret->cells_above_level_0 += cell->level > 0 && cell->level < INT32_MAX;
		if (!always && cell->actors.count > ret->most_actors_in_a_cell)
			ret->most_actors_in_a_cell = cell->actors.count;
	}
	struct cs_error *error = path ? cs_stream_along(c, path, job, &along) : NULL;
	if (error || !path)
		return error;
	ret->peak_cells = (int64_t)along.peak_cells;
	ret->peak_actors = (int64_t)along.peak_actors;
	ret->peak_bytes = (int64_t)along.peak_bytes;
	ret->loads = (int64_t)along.loads;
	ret->stall_ms = (int64_t)(along.stall_ns / 1000000);
	return NULL;
}

struct cs_error *path_of_option(struct call *call, const struct cs_path **ret)
{
	const struct argument *name = call_option(call, "path");
	*ret = NULL;
	if (!name->given)
		return NULL;
	for (size_t i = 0; i < call->session->paths.n; i++)
		if (strcmp(call->session->paths.at[i].name, name->text) == 0)
			*ret = call->session->paths.at[i].path;
	return *ret ? NULL
		    : cs_error_new(
			      CS_E_MISSING, "no path '%s'; `info paths` lists them", name->text);
}

/* The source is as it was afterwards. */
static struct cs_error *cook_changed(
	struct session *session, const char *const *assignments, size_t n, struct opened *ret)
{
	struct cs_cook_options options = cook_options(session);
	struct cs_settings_copy *kept = NULL;
	struct cs_world *source = session->opened.source;
	struct cs_error *error = need_source(session);
	if (!error)
		error = cs_world_keep_settings(source, &kept);
	if (error)
		return error;
	for (size_t i = 0; !error && i < n; i++) {
		if (strncmp(assignments[i], "profile=", 8) == 0)
			options.profile = assignments[i] + 8;
		else
			error = cs_world_override(source, assignments[i]);
	}
	if (!error)
		error = world_cook(session, source, &options, "whatif", ret);
	cs_world_restore_settings(source, kept);
	cs_settings_copy_free(kept);
	ret->source = NULL; /* still the session's */
	return error;
}

struct cs_error *count_changed(struct session *session, const char *const *assignments, size_t n,
	const struct cs_path *path, struct world_counts *ret)
{
	struct opened changed = {0};
	struct cs_error *error = cook_changed(session, assignments, n, &changed);
	if (!error)
		error = count_world(changed.world, path, &session->job, ret);
	opened_close(&changed);
	return error;
}

static const struct {
	const char *name;
	size_t offset;
} counted[] = {
	{"cells", offsetof(struct world_counts, cells)},
	{"streaming_levels", offsetof(struct world_counts, streaming_levels)},
	{"always_loaded_actors", offsetof(struct world_counts, always_loaded_actors)},
	{"cells_above_level_0", offsetof(struct world_counts, cells_above_level_0)},
	{"most_actors_in_a_cell", offsetof(struct world_counts, most_actors_in_a_cell)},
	{"findings", offsetof(struct world_counts, findings)},
	/* along a path */
	{"peak_cells", offsetof(struct world_counts, peak_cells)},
	{"peak_actors", offsetof(struct world_counts, peak_actors)},
	{"peak_bytes", offsetof(struct world_counts, peak_bytes)},
	{"loads", offsetof(struct world_counts, loads)},
	{"stall_ms", offsetof(struct world_counts, stall_ms)},
};

enum { COUNTS = 6, COUNTS_ALONG = sizeof(counted) / sizeof(counted[0]) };

static int64_t count_at(const struct world_counts *counts, size_t index)
{
	return *(const int64_t *)((const char *)counts + counted[index].offset);
}

static struct cs_error *emit_counts(
	struct call *call, const struct cs_cooked *before, const struct cs_cooked *after)
{
	struct count_row rows[COUNTS_ALONG];
	struct world_counts left, right;
	const struct cs_path *path;
	const struct cs_job *job = &call->session->job;
	struct cs_error *error = path_of_option(call, &path);
	if (!error)
		error = count_world(before, path, job, &left);
	if (!error)
		error = count_world(after, path, job, &right);
	if (error)
		return error;
	size_t n = path ? COUNTS_ALONG : COUNTS;
	for (size_t i = 0; i < n; i++)
		rows[i] = (struct count_row){
			counted[i].name, count_at(&left, i), count_at(&right, i)};
	return emit_plain(call, &count_table, rows, n, sizeof(*rows));
}

static struct cs_error *run_whatif(struct call *call)
{
	struct session *session = call->session;
	struct opened changed = {0};
	const char **assignments = calloc(call->n_arguments + 1, sizeof(*assignments));
	if (!assignments)
		return cs_error_nomem();
	for (size_t i = 0; i < call->n_arguments; i++)
		assignments[i] = call_argument(call, i)->text;
	struct cs_error *error = cook_changed(session, assignments, call->n_arguments, &changed);
	free(assignments);
	if (!error)
		error = call_option(call, "diff")->given
				? emit_differences(call, session->world, changed.world, NULL)
				: emit_counts(call, session->world, changed.world);
	opened_close(&changed);
	return error;
}

const struct command command_whatif = {
	.name = "whatif",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"NAME=VALUE", ARGUMENT_WORD, .many = true}},
	.options = {{'d', "diff", NULL, ARGUMENT_NONE, "what moves, instead of counts", NULL},
		{'p', "path", "NAME", ARGUMENT_WORD, "run both along this path: peaks and loads",
			NULL}},
	.summary = "cook with other settings, and count what that changes",
	.examples = "whatif MainGrid.cell_size=6400\n"
		    "whatif use_aligned_grid_levels=off --diff\n"
		    "whatif profile=5.7",
	.help = "Names and values are those of the JSON form of a world; the settings stay as they\n"
		"are. With a path both cooks are run along it, one player at 60 frames a second.\n"
		"`sweep` tries several values of one setting.",
	.run = run_whatif,
};

/* ---- diff pie cook ---- */

static struct cs_error *run_diff_pie(struct call *call)
{
	struct session *session = call->session;
	struct cs_cook_options options = cook_options(session);
	struct opened sides[2] = {{0}};
	const struct argument *with = call_argument(call, 0);
	if (with->given && strcmp(with->text, "cook") != 0)
		return cs_error_new(CS_E_USAGE, "play in editor is compared with the cook alone");
	struct cs_error *error = need_source(session);
	for (int i = 0; !error && i < 2; i++) {
		options.trigger = i == 0 ? CS_TRIGGER_PIE : CS_TRIGGER_COOK;
		error = world_cook(session, session->opened.source, &options,
			i == 0 ? "pie" : "cook", &sides[i]);
		sides[i].source = NULL; /* still the session's */
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
	.summary = "what play in editor has and a cook has not: unsaved changes",
	.examples = "diff pie cook\ndiff pie cook -w \"kind = 'actor'\" --json",
	.help = "The left side is play in editor, the right one the cook. A cook sees what is\n"
		"saved: what is missing in the package but works in the editor is here.",
	.run = run_diff_pie,
};

/* ---- verify-cook ---- */

static struct cs_error *cook_bytes(struct session *session, int threads,
	struct cs_cook_options options, unsigned char **bytes, size_t *size)
{
	struct cs_job job = session->job;
	struct cs_cook *cook;
	job.threads = threads;
	struct cs_error *error = cs_cook(session->opened.source, &options, &job, &cook);
	if (error)
		return error;
	error = cs_cook_bytes(cook, bytes, size);
	cs_cook_free(cook);
	return error;
}

static struct cs_error *run_verify_cook(struct call *call)
{
	struct session *session = call->session;
	uint64_t runs = call_argument(call, 0)->given ? call_argument(call, 0)->count : 3;
	unsigned char *first = NULL;
	size_t first_size = 0, different = 0;
	struct cs_error *error = need_source(session);
	if (!error)
		error = cook_bytes(session, 1, cook_options(session), &first, &first_size);
	for (uint64_t i = 0; !error && i < runs; i++) {
		unsigned char *bytes = NULL;
		size_t size = 0;
		error = cs_world_shuffle(session->opened.source, i + 1, &session->job);
		if (!error)
			error = cook_bytes(
				session, (int)(i % 4) + 1, cook_options(session), &bytes, &size);
		different += !error && (size != first_size || memcmp(bytes, first, size) != 0);
		free(bytes);
	}
	free(first);
	if (error)
		return error;
	say(call->out, "%llu cooks of shuffled actors on 1 to 4 threads: %s\n",
		(unsigned long long)runs, different ? "some differ" : "the same bytes");
	if (different)
		tally_status(&session->tally, STATUS_NO);
	return NULL;
}

const struct command command_verify_cook = {
	.name = "verify-cook",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD,
	.arguments = {{"N", ARGUMENT_WHOLE, .optional = true}},
	.summary = "cook the source again and again, shuffled, and compare the bytes",
	.examples = "verify-cook 5",
	.run = run_verify_cook,
};
