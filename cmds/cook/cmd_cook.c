/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `cook` (cooks a world to a file) and `gen` (generates a world). */
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/cooked_values.h>
#include <cellscope/farm.h>

#include <stdio.h>
#include <string.h>

struct made {
	const char *file;
	struct cs_cook_summary summary;
	struct cs_world_counts counts;
	struct cs_assets_summary meshes;
	size_t hlods;
};

static const struct cs_column cook_columns[] = {
	PLAIN(struct made, file, "path of the file that was written"),
	PLAIN_AS("actors", struct made, summary.actors, "in all instances of containers"),
	PLAIN_AS("cells", struct made, summary.cells, "cells of all grids"),
	PLAIN_AS("always_loaded_cells", struct made, summary.always_loaded_cells,
		"cells that do not stream"),
	PLAIN_AS("sets", struct made, summary.sets, "sets of actors that must be in one cell"),
	PLAIN_AS("containers", struct made, summary.containers,
		"instances of containers, with the map itself"),
	PLAIN_AS("findings", struct made, summary.findings,
		"findings of validation, without those of standalone level instances"),
	PLAIN_AS("errors", struct made, summary.errors, "number of these findings that are errors"),
	PLAIN_AS("drops", struct made, summary.drops,
		"number of actor sets and levels that are lost; drops lists their actors"),
	PLAIN_AS("unreadable", struct made, counts.unreadable,
		"number of packages that could not be read"),
};

static const struct cs_table cook_table = PLAIN_TABLE("cooks", "cook", cook_columns);

static const struct cs_column mesh_columns[] = {
	PLAIN_AS("meshes", struct made, meshes.meshes,
		"number of meshes that actors name (with --meshes)"),
	PLAIN_AS(
		"meshes_built", struct made, meshes.built, "number of meshes that this cook built"),
	PLAIN_AS("meshes_cached", struct made, meshes.cached,
		"number of meshes found in the cache, with proxies"),
	PLAIN_AS("meshes_copied", struct made, meshes.copied,
		"number of meshes that were Nanite resources already"),
	PLAIN_AS("meshes_missing", struct made, meshes.missing,
		"number of meshes that do not exist: see actor_mesh of `check`"),
	PLAIN_AS("meshes_refused", struct made, meshes.refused,
		"number of meshes that cannot be used: see actor_mesh of `check`"),
	PLAIN_AS("proxies", struct made, meshes.proxies, "proxies of HLOD actors"),
	PLAIN_AS("mesh_bytes", struct made, meshes.bytes, "bytes of all resources on disk"),
	PLAIN_AS("hlods_built", struct made, hlods, "HLOD actors of --hlod"),
};

enum {
	N_COOK = sizeof(cook_columns) / sizeof(cook_columns[0]),
	N_MESHES = sizeof(mesh_columns) / sizeof(mesh_columns[0]),
};

/* Prints the counts of a cook, and with --meshes or --hlod also the counts of the built meshes. */
static struct cs_error *emit_made(struct call *call, const struct made *made)
{
	struct cs_column columns[N_COOK + N_MESHES];
	struct cs_table table = cook_table;
	memcpy(columns, cook_columns, sizeof(cook_columns));
	memcpy(columns + N_COOK, mesh_columns, sizeof(mesh_columns));
	table.columns = columns;
	if (call_option(call, "meshes")->given || call_option(call, "hlod")->given)
		table.n_columns = N_COOK + N_MESHES;
	return emit_plain_record(call, &table, made);
}

static const struct cs_column world_columns[] = {
	PLAIN(struct made, file, "kind of the file that was written"),
	PLAIN_AS("actors", struct made, counts.actors, "actors of all containers, each once"),
	PLAIN_AS("containers", struct made, counts.containers,
		"number of containers: the map and the levels in it"),
	PLAIN_AS("layers", struct made, counts.layers, "data layers"),
	PLAIN_AS("hlod_layers", struct made, counts.hlod_layers, "HLOD layers"),
	PLAIN_AS("partitions", struct made, counts.partitions, "grids"),
	PLAIN_AS("references", struct made, counts.references, "references of actors to actors"),
};

static const struct cs_table world_table = PLAIN_TABLE("worlds", "world", world_columns);

/* ---- command cook ---- */

static struct cs_error *cook_to_file(struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_assets_options *meshes, const struct cs_job *job, struct made *made)
{
	struct cs_cook *cook;
	struct cs_error *error = cs_cook(world, options, job, &cook);
	if (error)
		return error;
	if (meshes->folder)
		error = cs_assets_build(cook, meshes, job, &made->meshes);
	if (!error)
		error = cs_cook_save(cook, made->file);
	if (!error)
		made->summary = cs_cook_summary(cook);
	cs_cook_free(cook);
	return error;
}

/* Returns the folder part of a path, written to `to`, or "." when the path has none. */
static const char *cook_folder_of(const char *path, char *to, size_t size)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return ".";
	snprintf(to, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
	return to;
}

/* Returns `folder` relative to the folder of the file `world` if it is inside, else unchanged. */
static const char *seen_from(const char *world, const char *folder)
{
	const size_t n = (size_t)(base_name(world) - world);
	return strncmp(world, folder, n) == 0 ? folder + n : folder;
}

enum { PATH_TEXT = 4096 };

static struct cs_error *assets_of(const struct call *call, const char *file, char root[PATH_TEXT],
	struct cs_assets_options *ret)
{
	const struct argument *root_given = call_option(call, "mesh-root");
	*ret = (struct cs_assets_options){
		.size = sizeof(*ret),
		.folder = call_option(call, "meshes")->text,
		.cache = call_option(call, "mesh-cache")->text,
		.root = root_given->given
				? root_given->text
				: cook_folder_of(call_argument(call, 0)->text, root, PATH_TEXT),
	};
	if (!ret->folder && (ret->cache || root_given->given))
		return cs_error_new(CS_E_USAGE,
			"--mesh-root and --mesh-cache need --meshes FOLDER, the folder for the "
			"resources");
	if (ret->folder)
		ret->prefix = seen_from(file, ret->folder);
	return NULL;
}

/* Prints how many of the meshes that actors refer to were built, copied, missing or refused. */
static void tell_meshes(struct call *call, const struct made *made)
{
	const struct cs_assets_summary *summary = &made->meshes;
	if (summary->meshes == 0)
		return;
	note(call->out, "%zu meshes: %zu built, %zu from the cache, %zu copied; %zu proxies; ",
		summary->meshes, summary->built, summary->cached, summary->copied,
		summary->proxies);
	note(call->out, "%zu missing, %zu refused\n", summary->missing, summary->refused);
}

static struct cs_cook_options cook_options_of(const struct call *call)
{
	struct cs_cook_options options = cook_options(call->session);
	const struct argument *profile = call_option(call, "profile");
	if (profile->given)
		options.profile = profile->text;
	options.trigger = call_option(call, "pie")->given ? CS_TRIGGER_PIE : CS_TRIGGER_COOK;
	return options;
}

static struct cs_error *list_drops(struct call *call, struct cs_query *query)
{
	struct rows rows = {0};
	uint32_t *at = NULL;
	const struct cs_listing lost = {.where = "lost"};
	rows.table = cs_query_table_named(query, "drops", &rows.source);
	struct cs_error *error = cs_query_rows(query, rows.table, &lost, &at, &rows.n);
	if (error || rows.n == 0) {
		free(at);
		return error;
	}
	rows.at = at;
	say_colour(call->out, COLOUR_BAD);
	note(call->out, "dropped: %zu actor%s in no cell, with all that depend on %s\n", rows.n,
		plural_end(rows.n), rows.n == 1 ? "it" : "them");
	say_colour(call->out, COLOUR_NONE);
	error = emit_rows(call->out, &rows);
	free(at);
	return error;
}

/* In text output only, prints the actors of cooked file `path` that the engine silently drops. */
static struct cs_error *tell_drops(struct call *call, const char *path)
{
	struct cs_cooked *world;
	struct cs_query *query;
	struct cs_error *error = cs_cooked_open(path, &call->session->job, &world);
	if (error)
		return error;
	error = cs_query_new(&query);
	if (!error) {
		error = cs_query_add_cooked(query, world);
		if (!error)
			error = list_drops(call, query);
		cs_query_free(query);
	}
	cs_cooked_close(world);
	return error;
}

static struct cs_error *run_cook(struct call *call)
{
	struct session *session = call->session;
	struct made made = {.file = call_option(call, "o")->text};
	struct cs_job job;
	struct cs_world *world;
	const struct cs_cook_options options = cook_options_of(call);
	struct cs_assets_options meshes;
	char root[PATH_TEXT];
	if (!made.file)
		return cs_error_new(
			CS_E_USAGE, "cook needs -o FILE, the cooked world (.cworld) to write");
	struct cs_error *error = assets_of(call, made.file, root, &meshes);
	if (!error)
		error = job_of_call(call, &job);
	if (!error)
		error = source_read(session, call_argument(call, 0)->text,
			call_option(call, "map")->text, false, &world);
	if (error)
		return error;
	made.counts = cs_world_count(world);
	if (call_option(call, "hlod")->given)
		error = cs_hlod_build(world, &options, &job, &made.hlods);
	if (!error)
		error = cook_to_file(world, &options, &meshes, &job, &made);
	cs_world_free(world);
	if (!error)
		error = emit_made(call, &made);
	if (!error)
		tell_meshes(call, &made);
	if (!error && made.summary.drops > 0 && call->out->style.format == FORMAT_TEXT)
		error = tell_drops(call, made.file);
	return error;
}

const struct command command_cook = {
	.name = "cook",
	.group = GROUP_FILES,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"SOURCE", ARGUMENT_FILE}},
	.options = {{'o', NULL, "FILE", ARGUMENT_OUTPUT,
			    "write the cooked world to FILE (required)", REPLACES("cworld"), true},
		{0, "map", "NAME", ARGUMENT_WORD,
			"cook the map NAME of a project that has several maps"},
		{'j', NULL, "N", ARGUMENT_WHOLE, "use N threads (default: one for each processor)"},
		{0, "profile", "NAME", ARGUMENT_WORD,
			"follow the rules of this engine version (default: the version that saved "
			"SOURCE; help profiles)"},
		{0, "pie", NULL, ARGUMENT_NONE,
			"cook for Play In Editor: include the changes of actors that SOURCE marks "
			"as unsaved, and the actors that exist only in Play In Editor"},
		{0, "hlod", NULL, ARGUMENT_NONE, "build the HLOD actors first"},
		{0, "meshes", "FOLDER", ARGUMENT_WORD,
			"build a Nanite resource of each mesh that actors show, and write it "
			"to FOLDER"},
		{0, "mesh-root", "FOLDER", ARGUMENT_WORD,
			"look for meshes below FOLDER (default: the folder of SOURCE)"},
		{0, "mesh-cache", "FOLDER", ARGUMENT_WORD,
			"reuse resources that are stored in FOLDER, a cache of `farm run`, "
			"and store new resources there"}},
	.summary = "cook a world: place its actors in streaming cells by Unreal's rules",
	.examples = "cook valley.json -o valley.cworld\n"
		    "cook valley.json -o valley.cworld --hlod --meshes meshes\n"
		    "cook Project.uproject --map Valley -o valley.cworld -j 4",
	.help = "SOURCE is a world in JSON, an Unreal project (.uproject or its folder) or a\n"
		"StreamingGeneration log. `open` opens the file that the command writes. The same\n"
		"source gives the same bytes with any number of threads.\n\n"
		"An actor names its mesh as a file below --mesh-root, such as rocks/a.ply, or as\n"
		"an object. For the object /Game/Rocks/SM_A.SM_A the command takes the file\n"
		"Rocks/SM_A.EXT below --mesh-root, where EXT is cnanite, ply, obj, glb, gltf, fbx\n"
		"or stl. --meshes builds each mesh once; the column `mesh_bytes` of `cells` then\n"
		"has the bytes of the meshes in each cell. The proxy mesh of an HLOD actor is\n"
		"made of the meshes of its source actors, merged and simplified to as many\n"
		"triangles as the HLOD layer allows (key proxy_triangles of the layer in JSON).\n"
		"`meshes` lists meshes and proxies.\n\n"
		"The command prints counts, among them:\n"
		"  sets        clusters of actors that share a cell\n"
		"  containers  the map and its level instances\n"
		"  errors      findings of validation that are errors (`check` lists them)\n"
		"  drops       actor sets and levels that Unreal would lose without a message\n"
		"              (`drops -w lost` lists their actors)\n"
		"  unreadable  packages of the source that could not be read",
	.run = run_cook,
};

/* ---- command gen ---- */

/* arguments of the command `gen`, in the order of enum cs_world_kind */
static const char *const gen_kinds[] = {"city", "open", NULL};

/*
 * Generates the meshes of a generated world. For the file "dir/open.json" they are written to
 * dir/open.shapes; the file refers to them as open.shapes/..., relative to its own folder.
 */
static struct cs_error *furnish(struct call *call, struct cs_world *world, const char *file)
{
	const uint64_t n = call_option(call, "meshes")->count;
	const char *name = base_name(file);
	const char *dot = strrchr(name, '.');
	char folder[PATH_TEXT];
	int length = dot && dot != name ? (int)(dot - file) : (int)strlen(file);
	if (n > UINT32_MAX)
		return cs_error_new(CS_E_USAGE,
			"--meshes, the number of meshes, must be at most %u, not %llu", UINT32_MAX,
			(unsigned long long)n);
	if (snprintf(folder, sizeof(folder), "%.*s.shapes", length, file) >= (int)sizeof(folder))
		return cs_error_at(CS_E_USAGE, file, CS_NO_OFFSET,
			"the path of the output file has more than %d bytes, the limit with "
			"--meshes: choose a shorter path",
			PATH_TEXT - (int)strlen(".shapes") - 1);
	return cs_world_furnish(world, folder, folder + (name - file), (uint32_t)n,
		call_option(call, "seed")->count, &call->session->job);
}

static struct cs_error *gen_world(struct call *call, struct made *made)
{
	const struct cs_world_recipe recipe = {
		.kind = (enum cs_world_kind)call_argument(call, 0)->choice,
		.actors = call_option(call, "actors")->count,
		.seed = call_option(call, "seed")->count,
	};
	struct cs_world *world;
	struct cs_error *error = cs_world_generate(&recipe, &call->session->job, &world);
	if (error)
		return error;
	made->counts = cs_world_count(world);
	if (call_option(call, "meshes")->given)
		error = furnish(call, world, made->file);
	if (!error)
		error = cs_world_write_json(world, &call->session->job, made->file);
	cs_world_free(world);
	return error;
}

static struct cs_error *run_gen(struct call *call)
{
	struct made made = {.file = call_option(call, "o")->text};
	if (!made.file)
		return cs_error_new(CS_E_USAGE, "gen needs -o FILE, the world in JSON to write");
	struct cs_error *error = gen_world(call, &made);
	return error ? error : emit_plain_record(call, &world_table, &made);
}

const struct command command_gen = {
	.name = "gen",
	.group = GROUP_FILES,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"KIND", ARGUMENT_CHOICE, .choices = gen_kinds}},
	.options = {{'o', NULL, "FILE", ARGUMENT_OUTPUT, "write the world to FILE (required)",
			    REPLACES("world"), true},
		{0, "actors", "N", ARGUMENT_WHOLE,
			"generate N actors (default: about 100,000 for city, 20,000 for open)"},
		{0, "seed", "S", ARGUMENT_WHOLE,
			"seed of the random numbers (default 0); the same seed gives the same world"},
		{0, "meshes", "N", ARGUMENT_WHOLE,
			"also generate N meshes that the actors show (default 0)"}},
	.summary = "generate a world for tests",
	.examples = "gen city --actors 5000 --seed 1 -o city.json\n"
		    "gen open --actors 500 --meshes 6 -o open.json",
	.help = "FILE is a world in JSON, which `open` and `cook` read. KIND is `city` (many\n"
		"actors close together, with many data layers) or `open` (a landscape with few\n"
		"actors). With --meshes the command also writes the meshes, of 1,000 to 32,000\n"
		"triangles each, to a folder beside FILE: city.shapes if FILE is city.json.",
	.run = run_gen,
};
