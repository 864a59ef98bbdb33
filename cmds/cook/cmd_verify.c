/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `verify` and `nanite verify`, which check files against the rules of their format. */
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"

#include <cellscope/nanite.h>
#include <cellscope/ue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- findings as rows ---- */

PLAIN_GETTER(get_offset, struct cs_finding,
	at->offset == CS_NO_OFFSET ? cs_null() : cs_integer((int64_t)at->offset))
PLAIN_GETTER(verify_get_place, struct cs_finding, *at->place ? cs_text(at->place) : cs_null())

static const struct cs_column problem_columns[] = {
	SHORT_WORD("severity", struct cs_finding, severity, SEVERITY, "error or warning"),
	SHORT(struct cs_finding, rule, "rule that is broken"),
	SHORT_WORD("code", struct cs_finding, code, CODE, "code of the error"),
	SHORT_VALUE("offset", INTEGER, get_offset, "offset in the file in bytes"),
	SHORT_VALUE("place", TEXT, verify_get_place, "table, row and field, or page"),
	SHORT(struct cs_finding, message, "description of the fault"),
};

static const struct cs_table problem_table = PLAIN_TABLE("problems", "problem", problem_columns);

/* ---- files with field tables (.cworld, .cnanite and others) ---- */

/* Returns the name of the schema that the file declares; "" when the file cannot be opened. */
static const char *verify_kind_of(const char *path, const struct cs_job *job)
{
	struct cs_file *file;
	struct cs_job silent = *job;
	silent.log = NULL; /* the checks open the file again, and say what is to be said of it */
	struct cs_error *error = cs_file_open(path, CS_FILE_SALVAGE, &silent, &file);
	if (error) {
		cs_error_free(error);
		return "";
	}
	const char *kind = cs_file_info(file).schema->name;
	cs_file_close(file);
	return kind;
}

/* Runs all checks for files of this kind. */
static struct cs_error *verify_as(const char *kind, const char *path, bool deep,
	const struct cs_job *job, struct cs_findings *findings)
{
	struct cs_error *error;
	size_t n;
	if (strcmp(kind, "cworld") == 0)
		error = cs_cooked_verify(path, job, cs_findings_keep, findings, &n);
	else if (strcmp(kind, "cnanite") == 0)
		error = cs_nanite_verify(path, deep, job, cs_findings_keep, findings, &n);
	else
		error = cs_file_verify(path, job, cs_findings_keep, findings, &n);
	return error;
}

/* ---- sources of a cook: projects, JSON worlds and logs ---- */

/* Context of a job that stores warnings as findings and forwards other messages to `before`. */
struct listener {
	struct cs_job before;
	struct cs_findings *findings;
	const char *folder; /* folder of the source, with which names of files in warnings begin */
	size_t folder_length;
};

/* Returns the first word in the message that begins with "FOLDER/"; NULL if there is none. */
static const char *find_folder(const struct listener *listener, const char *message)
{
	const size_t n = listener->folder_length;
	const char *end = message + strlen(message), *at = n ? message : NULL;
	while (at && (at = memmem(at, (size_t)(end - at), listener->folder, n)) &&
		(at[n] != '/' || (at > message && at[-1] != ' ')))
		at++;
	return at;
}

static void keep_warning(void *context, enum cs_log_level level, const char *message)
{
	struct listener *listener = context;
	struct cs_finding finding = {.severity = CS_WARNING,
		.code = CS_E_WORLD,
		.offset = CS_NO_OFFSET,
		.rule = "source"};
	if (level < CS_LOG_WARNING)
		return;
	/* of a warning that is too long for a finding, the source's folder is left out */
	const char *at =
		strlen(message) < sizeof(finding.message) ? NULL : find_folder(listener, message);
	snprintf(finding.message, sizeof(finding.message), "%.*s%s", at ? (int)(at - message) : 0,
		message, at ? at + listener->folder_length + 1 : message);
	cs_findings_keep(listener->findings, &finding);
}

static void pass_progress(void *context, const char *phase, uint64_t done, uint64_t total)
{
	const struct cs_job *job = &((struct listener *)context)->before;
	if (job->progress)
		job->progress(job->context, phase, done, total);
}

static bool pass_interrupted(void *context)
{
	return cs_job_interrupted(&((struct listener *)context)->before);
}

static struct cs_error *verify_read_source(
	struct session *session, const char *path, const char *map, struct cs_findings *findings)
{
	struct stat st;
	const bool is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	const char *slash = strrchr(path, '/');
	const char *end = is_folder ? path + strlen(path) : slash ? slash : path;
	struct listener listener = {session->job, findings, path, (size_t)(end - path)};
	struct cs_world *world;
	session->job.log = keep_warning;
	session->job.progress = pass_progress;
	session->job.interrupted = pass_interrupted;
	session->job.context = &listener;
	struct cs_error *error = source_read(session, path, map, true, &world);
	session->job = listener.before;
	if (error)
		return error;
	const size_t damaged = cs_world_count(world).damaged;
	cs_world_free(world);
	return damaged ? cs_error_new(CS_E_PACKAGE,
				 "%zu package%s cannot be read: a warning names each and says why",
				 damaged, plural_end(damaged))
		       : NULL;
}

/* Stores an error as a finding. If it is about another file than `path`, the text names that. */
static struct cs_error *keep_source_error(
	const char *path, struct cs_error *error, struct cs_findings *findings)
{
	char at[32] = "";
	if (error && !cs_error_is_final(error) && error->file && strcmp(error->file, path) != 0) {
		if (error->offset != CS_NO_OFFSET)
			snprintf(at, sizeof(at), ":%llu", (unsigned long long)error->offset);
		error = cs_error_add(error, " (%s%s)", error->file, at);
		cs_error_move(error, CS_NO_OFFSET);
	}
	return cs_findings_keep_error(findings, error);
}

/* Reads a map of several that are verified; the findings about it begin with its name. */
static struct cs_error *verify_one_map(
	struct session *session, const char *path, const char *map, struct cs_findings *findings)
{
	const size_t before = findings->n;
	struct cs_error *error =
		keep_source_error(path, verify_read_source(session, path, map, findings), findings);
	for (size_t i = before; i < findings->n; i++)
		if (!*findings->at[i].place)
			snprintf(findings->at[i].place, sizeof(findings->at[i].place), "%s",
				base_name(map));
	return error;
}

/* Reads each map of a project that is partitioned or cannot be read. */
static struct cs_error *verify_maps(struct session *session, const char *path,
	const struct cs_ue_maps *maps, struct cs_findings *findings)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; i < maps->n && !error; i++)
		if (maps->maps[i].partitioned || !maps->maps[i].readable)
			error = verify_one_map(session, path, maps->maps[i].package, findings);
	return error;
}

/* Returns whether the project has other maps to verify beside a partitioned one. */
static bool has_several_maps(const struct cs_ue_maps *maps)
{
	size_t partitioned = 0, unreadable = 0;
	for (size_t i = 0; i < maps->n; i++) {
		partitioned += maps->maps[i].partitioned;
		unreadable += !maps->maps[i].readable;
	}
	return partitioned > 0 && partitioned + unreadable > 1;
}

/* Returns whether the request is at fault: what it names does not exist, or is no world. */
static bool is_misnamed(const struct cs_error *error, const char *path, const char *map)
{
	return (error->code == CS_E_NOMAP && map) ||
	       (error->code == CS_E_NOFILE && error->file && strcmp(error->file, path) == 0);
}

/*
 * Reads a project, a JSON world or a log completely; stores errors and warnings as findings. `map`
 * is the map of a project to read, NULL for all.
 */
static struct cs_error *verify_source(
	struct session *session, const char *path, const char *map, struct cs_findings *findings)
{
	struct cs_ue_maps *maps = NULL;
	struct cs_error *error = NULL;
	if (!map && source_has_maps(path)) /* opening the project tells why maps are not listed */
		error = cs_ue_list_maps(path, &session->job, &maps);
	if (error && cs_error_is_final(error))
		return error;
	cs_error_free(error);
	error = maps && has_several_maps(maps) ? verify_maps(session, path, maps, findings)
					       : verify_read_source(session, path, map, findings);
	cs_ue_maps_free(maps);
	return error && is_misnamed(error, path, map) ? error
						      : keep_source_error(path, error, findings);
}

/* ---- findings as text ---- */

static void say_finding(struct output *out, const char *path, const struct cs_finding *finding)
{
	say(out, "%s:", path);
	if (finding->offset != CS_NO_OFFSET)
		say(out, "%llu:", (unsigned long long)finding->offset);
	if (*finding->place && strcmp(finding->place, base_name(path)) != 0)
		say(out, " %s:", finding->place);
	say(out, " %s [%s]\n", finding->message, cs_word(CS_WORDS_CODE, finding->code)->name);
}

static void verify_say_rule(struct output *out, const struct cs_nanite_told *told)
{
	if (told->others)
		say(out, "  and %zu more of that kind\n", told->others);
	say(out, "  the rule: %s\n", told->rule->text);
	say(out, "  what it does: %s\n", told->effect);
	say(out, "  what to do: %s\n", told->advice);
}

static struct cs_error *verify_say_findings(
	struct output *out, const char *path, const struct cs_findings *findings)
{
	struct cs_nanite_told *told = calloc(findings->n + 1, sizeof(*told));
	if (!told)
		return cs_error_nomem();
	cs_nanite_tell(findings->at, findings->n, told);
	for (size_t i = 0; i < findings->n; i++) {
		if (told[i].shown)
			say_finding(out, path, &findings->at[i]);
		if (told[i].rule)
			verify_say_rule(out, &told[i]);
	}
	free(told);
	if (findings->n == 0)
		say(out, "%s: sound\n", path);
	else
		say(out, "%s: %zu finding%s\n", path, findings->n, plural_end(findings->n));
	return NULL;
}

static struct cs_error *tell_findings(
	struct call *call, const char *path, struct cs_error *error, struct cs_findings *findings)
{
	if (!error && findings->failed)
		error = cs_error_nomem();
	if (!error && call->out->style.format == FORMAT_TEXT)
		error = verify_say_findings(call->out, path, findings);
	else if (!error)
		error = emit_plain(call, &problem_table, findings->at, findings->n);
	if (!error)
		check_verdict(call, !cs_findings_refuse(findings),
			"verify found errors, so the file is invalid");
	free(findings->at);
	return error;
}

static struct cs_error *verify_all(struct call *call, const char *kind, const char *path)
{
	struct cs_findings findings = {0};
	bool deep = call_option(call, "deep")->given;
	struct cs_error *error = verify_as(kind, path, deep, &call->session->job, &findings);
	error = tell_findings(call, path, error, &findings);
	if (!error && !deep && strcmp(kind, "cnanite") == 0)
		note(call->out, "random views and loading orders are checked only with --deep\n");
	return error;
}

/* ---- folders and containers of the engine's cooker ---- */

static void note_checked(struct output *out, const struct cs_ue_place_checked *checked)
{
	const struct cs_ue_checked *all = &checked->all;
	if (all->cells)
		note(out,
			"checked: %zu cells, %zu packages, %zu actors; correct are %zu names, %zu "
			"GUIDs, %zu keys, %zu places, %zu bounds\n",
			all->cells, all->packages, all->actors, all->names, all->guids, all->keys,
			all->places, all->bounds);
	else
		note(out, "checked: %zu Nanite mesh%s\n", checked->meshes,
			checked->meshes == 1 ? "" : "es");
	if (checked->chunks.held + checked->chunks.unchecked)
		note(out,
			"checked: the hashes of %zu chunks and files in containers are correct; %zu "
			"have no hash or cannot be read\n",
			checked->chunks.held, checked->chunks.unchecked);
}

static struct cs_error *verify_engine(
	struct call *call, const struct cs_ue_place *place, const char *path, const char *map)
{
	struct cs_findings findings = {0};
	struct cs_ue_place_checked checked;
	size_t row;
	struct cs_error *error = map ? cs_ue_place_find(place, map, &row) : NULL;
	if (error)
		return error;
	error = cs_ue_place_check(place, map, &call->session->job, &findings, &checked);
	error = tell_findings(call, path, error, &findings);
	if (!error)
		note_checked(call->out, &checked);
	return error;
}

/* Returns whether opening failed because of the bytes of the file, not because of the request. */
static bool is_at_fault(const struct cs_error *error)
{
	return (error->code >= CS_E_MAGIC && error->code <= CS_E_REFERENCE &&
		       error->code != CS_E_MISSING) ||
	       error->code == CS_E_LFS;
}

/* Verifies the engine's cooked folder or container that the argument names, else the open one. */
static struct cs_error *verify_cooked(struct call *call, const char *path)
{
	struct session *session = call->session;
	const char *map = call_option(call, "map")->text, *key = call_option(call, "key")->text;
	struct cs_ue_place *place;
	if (!call_argument(call, 0)->given)
		return verify_engine(
			call, session->files.opened.place, path, map ? map : session->files.map);
	struct cs_error *error = place_open(session, path, key, &place);
	if (error && is_at_fault(error)) {
		struct cs_findings findings = {0};
		return tell_findings(
			call, path, keep_source_error(path, error, &findings), &findings);
	}
	if (error)
		return error;
	error = verify_engine(call, place, path, map);
	cs_ue_place_close(place);
	return error;
}

/* Checks the values of a cooked mesh, every byte of which has been read as a known field. */
static struct cs_error *verify_model(struct call *call, const struct cs_model *model)
{
	struct cs_findings findings = {0};
	size_t n;
	struct cs_error *error =
		cs_model_check(model, &call->session->job, cs_findings_keep, &findings, &n);
	error = tell_findings(call, model->name, error, &findings);
	if (!error)
		note(call->out, "%s: all pages were read, and no byte of them is left over\n",
			model->writer);
	return error;
}

static struct cs_error *run_verify(struct call *call)
{
	const char *path = argument_text(call_argument(call, 0), call->session->files.path);
	struct session *session = call->session;
	const uint32_t resource = cs_inspector_models(session->inspector).current;
	const struct cs_model *model =
		path || resource == CS_NONE ? NULL
					    : cs_inspector_models(session->inspector).at[resource];
	if (model && !model->resource)
		return verify_model(call, model);
	if (model)
		path = model->path;
	if (!path)
		return cs_error_new(CS_E_NOTOPEN, "no file is open to verify: name a FILE");
	bool is_open = !call_argument(call, 0)->given;
	if (is_open && session->files.beside.n)
		return cs_error_new(CS_E_USAGE,
			"%zu worlds are open: name the FILE to verify (`partitions -c file` lists "
			"them)",
			session->files.beside.n + 1);
	if (is_open ? session->files.opened.place != NULL : source_is_cooked(path))
		return verify_cooked(call, path);
	const char *kind = verify_kind_of(path, &session->job);
	bool logged = session->world && session->world->world->flags & CS_WORLD_LOGGED;
	if (*kind || !(is_open ? logged || session->files.opened.source
			       : source_is_named(path, &session->job)))
		return verify_all(call, kind, path);
	struct cs_findings findings = {0};
	const char *map = call_option(call, "map")->text;
	struct cs_error *error =
		verify_source(session, path, map || !is_open ? map : session->files.map, &findings);
	return tell_findings(call, path, error, &findings);
}

#define DEEP_OPTION                                                        \
	{                                                                  \
		.name = "deep",                                            \
		.help = "also draw random views of a Nanite resource and " \
			"load its pages in random order",                  \
	}

const struct command command_verify = {
	.name = "verify",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"FILE", ARGUMENT_FILE, .optional = true}},
	.options = {DEEP_OPTION,
		{0, "map", "NAME", ARGUMENT_WORD,
			"check only this map of a project or of cooked Unreal content"},
		{0, "key", "KEY", ARGUMENT_WORD,
			"AES key of the containers of cooked Unreal content, 0x... or base64"}},
	.summary = "check every checksum and every reference of a file",
	.examples = "verify valley.cworld",
	.help = "Without FILE the command checks the open file, if only one world is open. It\n"
		"prints each finding as FILE:OFFSET: FIELD: PROBLEM. The exit status of the\n"
		"program is 1 when a finding is an error; warnings do not change it.\n\n"
		"A Nanite resource is checked as by `nanite verify`. A project, a JSON world or a\n"
		"log of a cook is read completely (of a project all maps that are partitioned or\n"
		"cannot be read), and each warning about it is a finding. A package of Unreal 5.6\n"
		"is also a finding when its bytes no longer match the hash in its header. In\n"
		"content that Unreal cooked, the command checks that each cell of a map has its\n"
		"package and agrees with it in name, GUID and bounds. It also checks every page\n"
		"of every Nanite mesh, the hashes in containers (.pak files, and .utoc files of\n"
		"5.5 and later), and that games find every chunk and no .ucas file is cut.",
	.run = run_verify,
	.rows = &problem_table,
};

static struct cs_error *run_nanite_verify(struct call *call)
{
	const char *path = call_argument(call, 0)->text;
	struct cs_findings findings = {0};
	struct cs_model *model = NULL;
	if (!source_is_cooked(path))
		return verify_all(call, "cnanite", path);
	struct cs_error *error =
		cs_findings_keep_error(&findings, mesh_open(call->session, path, &model));
	if (error || !model)
		return tell_findings(call, path, error, &findings);
	error = verify_model(call, model);
	cs_model_free(model);
	return error;
}

const struct command command_nanite_verify = {
	.name = "nanite verify",
	.group = GROUP_NANITE,
	.flags = COMMAND_LISTS,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.options = {DEEP_OPTION},
	.summary = "list the rules of the file format that a Nanite resource breaks",
	.examples = "nanite verify bunny.cnanite\n"
		    "nanite verify bunny.cnanite --deep\n"
		    "nanite verify bunny.cnanite -w \"severity = 'error'\" --json",
	.help = "FILE is a .cnanite file, which `nanite build` writes, or a static mesh that\n"
		"Unreal cooked (.uasset). For a .uasset only the rules that both formats share\n"
		"are checked. Each finding begins with the id of the broken rule. The letter of\n"
		"the id says what the rule is about: R resource, X fixups, P page, C cluster, M\n"
		"material, S strip, V vertex, H hierarchy, D DAG, T streaming, A atlas. The exit\n"
		"status is 1 when a finding is an error. The other findings are warnings, which\n"
		"report waste.",
	.run = run_nanite_verify,
};
