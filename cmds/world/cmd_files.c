/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `open`, `close`, `info` and `info tables`. */
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/ue.h>

#include <string.h>

/* ---- commands open and close ---- */

static const char *const written_kinds[] = {"log", "cook", NULL};

/* Opens the newest log or cook (option --latest) that Unreal wrote below a folder. */
static struct cs_error *open_latest(struct call *call, const char *folder, const char *map)
{
	const char *kind = call_option(call, "latest")->text;
	struct cs_ue_written_list *list;
	size_t i = 0;
	struct cs_error *error = cs_ue_list_written(folder, &call->session->job, &list);
	if (error)
		return error;
	while (i < list->n && strcmp(cs_word(CS_WORDS_WRITTEN, list->at[i].kind)->name, kind) != 0)
		i++;
	if (i == list->n) {
		error = cs_error_at(CS_E_MISSING, folder, CS_NO_OFFSET,
			"the folder contains no %s of Unreal (files of other kinds that Unreal "
			"wrote: %zu)",
			kind, list->n);
	} else {
		note(call->out, "%s\n", list->at[i].path);
		error = open_and_say(call->session, list->at[i].path, map, call->out);
	}
	cs_ue_written_list_free(list);
	return error;
}

/* Opens an argument of `open`: the first replaces the open worlds, later ones join it. */
static struct cs_error *open_one(void *context, const char *path)
{
	struct call *call = context;
	const char *map = call_option(call, "map")->text;
	const struct cs_query *before = call->session->query;
	struct cs_error *error = call_option(call, "latest")->given
					 ? open_latest(call, path, map)
					 : open_and_say(call->session, path, map, call->out);
	call->session->files.cooked.beside |= call->session->query != before;
	return error;
}

static struct cs_error *run_open(struct call *call)
{
	struct cs_error *error = NULL;
	call->session->files.cooked = (struct place_options){.key = call_option(call, "key")->text,
		.engine = call_option(call, "engine")->text,
		.usmap = call_option(call, "usmap")->text,
		.names_alone = call_option(call, "names")->given,
		.recook = call_option(call, "recook")->given,
		.beside = call_option(call, "beside")->given};
	for (size_t i = 0; !error && i < call->n_arguments; i++)
		error = open_each(call_argument(call, i)->text, open_one, call);
	call->session->files.cooked = (struct place_options){0};
	return error;
}

const struct command command_open = {
	.name = "open",
	.group = GROUP_FILES,
	.flags = COMMAND_CHANGES,
	.arguments = {{"FILE", ARGUMENT_FILE, .many = true}},
	.options = {{0, "map", "NAME", ARGUMENT_WORD,
			    "open the map NAME of a project or of cooked content with "
			    "several maps"},
		{0, "key", "KEY", ARGUMENT_WORD,
			"AES key of encrypted .utoc or .pak files, as 0x... or base64"},
		{0, "engine", "VERSION", ARGUMENT_WORD,
			"engine version that cooked the content, 5.0 to 5.8 or 6.0 (default: "
			"found from the content)"},
		{0, "usmap", "USMAP", ARGUMENT_FILE,
			"read the properties of a game's own classes from the mapping file USMAP"},
		{0, "names", NULL, ARGUMENT_NONE,
			"do not read the properties in cooked packages, which saves time but "
			"leaves bounds and the states of data layers unknown"},
		{0, "recook", NULL, ARGUMENT_NONE,
			"cook the actors that a log lists, by the rules of cellscope"},
		{0, "beside", NULL, ARGUMENT_NONE, "add these worlds to the open worlds"},
		{0, "latest", "KIND", ARGUMENT_CHOICE,
			"FILE is a folder: open the newest StreamingGeneration log (KIND `log`) "
			"or the newest cooked content (`cook`) in it",
			written_kinds}},
	.summary = "open a world, several worlds or Nanite resources",
	.examples = "open valley.cworld\n"
		    "open valley.json\n"
		    "open rock.cnanite tree.cnanite\n"
		    "open north.cworld south.cworld\n"
		    "open cooks\n"
		    "open Project.uproject --map Valley\n"
		    "open Project/Saved --latest log",
	.help = "FILE is one of these:\n"
		"  .cworld       a world that cellscope cooked\n"
		"  .json         a world in JSON, which cellscope cooks in memory\n"
		"  .uproject     an Unreal project; cellscope cooks its map in memory (--map\n"
		"                chooses one of several)\n"
		"  a log         a StreamingGeneration log of Unreal 5.4 or later; without\n"
		"                --recook its cells are those that Unreal made\n"
		"  cooked files  output of Unreal's cooker (a folder, a .utoc, a .pak or a\n"
		"                package); --map chooses one of its maps, and `files` lists its\n"
		"                files\n"
		"  .cnanite      a Nanite resource\n"
		"  a folder      with .cworld files, all of which are opened\n"
		"Worlds that were open before are closed, unless opening fails or --beside is\n"
		"given. Open Nanite resources stay open. Opening a file ends the simulated run,\n"
		"with its sources, breakpoints and watches. `page 7` shows page 7 of the resource\n"
		"that was opened last, and `page rock:7` shows page 7 of the resource `rock`.\n"
		"\n"
		"When several worlds are open, every table has the rows of all worlds. The column\n"
		"`partition` names the world of a row, and -P WORLD selects one world. Streaming\n"
		"runs only in a world that is open alone.\n"
		"\n"
		"A project lacks the defaults that the C++ code of its game sets: they are those\n"
		"of a plain actor, and the column `assumed` of `actors` names them. State them in\n"
		"the file cellscope-classes.json beside the .uproject:\n"
		"  {\"classes\": {\"BP_Gate_C\": {\"spatially_loaded\": false}}}\n"
		"Keys are spatially_loaded, editor_only, runtime_only, hlod_relevant,\n"
		"main_world_only, partition_actor, runtime_grid and hlod_layer.\n"
		"\n"
		"Most shipped games are compressed with Oodle. A codec for Oodle is not included,\n"
		"but `cellscope --oodle LIBRARY` loads one. Without a codec `files` still lists\n"
		"the files in a .utoc or .pak, but files that Oodle compressed cannot be read.",
	.run = run_open,
};

/* Closes the named resource, or without a name the open world, or else the current resource. */
static struct cs_error *run_close(struct call *call)
{
	const struct argument *resource = call_argument(call, 0);
	if (!resource->given && call->session->world)
		return session_close(call->session);
	session_close_resource(call->session,
		resource->given ? resource->row
				: cs_inspector_models(call->session->inspector).current);
	return NULL;
}

const struct command command_close = {
	.name = "close",
	.group = GROUP_FILES,
	.flags = COMMAND_CHANGES | COMMAND_WHOLE | COMMAND_NANITE,
	.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.summary = "close the open worlds, or a Nanite resource",
	.examples = "close\nclose rock",
	.help = "Without RESOURCE the command closes all open worlds or, when no world is open,\n"
		"the Nanite resource that was opened last.",
	.run = run_close,
};

/* ---- command info ---- */

enum info_row {
	INFO_FILE,
	INFO_NAME,
	INFO_PACKAGE,
	INFO_SOURCE,
	INFO_ENGINE,
	INFO_PROFILE,
	INFO_STREAMING,
	INFO_BOUNDS_MIN,
	INFO_BOUNDS_MAX,
	INFO_LEVEL_INSTANCES,
	INFO_DROPS,
	INFO_CONTENT_ID,
	INFO_COUNTS, /* a count at offset column->argument of struct cs_cooked */
};

struct info {
	const struct session *session;
	uint32_t first, end; /* world partitions whose rows are counted */
	char content_id[33];
};

/* Returns the world partitions to count: that of -P, or the first world with its levels. */
static struct info info_of(const struct session *session)
{
	const uint32_t only = cs_query_focused(session->query);
	struct info info = {.session = session, .first = only, .end = only + 1};
	if (only == CS_NONE) {
		info.first = 0;
		info.end = session->files.beside.n ? 1 + cs_cooked_level_instances(session->world)
						   : (uint32_t)cs_query_partitions(session->query);
	}
	memcpy(info.content_id, cs_file_info(session->world->file).content_id, 33);
	return info;
}

static struct cs_value files_text_of(const struct cs_cooked *world, uint32_t text)
{
	const char *at = cs_cooked_text(world, text);
	return *at ? cs_text(at) : cs_null();
}

/* Counts the rows of `drops` about dropped sets; `actors` is 0 in rows about excluding filters. */
static size_t dropped_sets(const struct cs_cooked *world)
{
	size_t n = 0;
	for (size_t i = 0; i < world->n_drops; i++)
		n += world->drops[i].actors > 0;
	return n;
}

static size_t info_count(const struct info *info, const struct cs_column *column)
{
	size_t sum = 0;
	for (uint32_t i = info->first; i < info->end; i++) {
		const struct cs_cooked *world = cs_query_partition(info->session->query, i, NULL);
		size_t count = 0;
		if (column->offset == INFO_DROPS)
			count = dropped_sets(world);
		else
			memcpy(&count, (const char *)world + column->argument, sizeof(count));
		sum += count;
	}
	return sum;
}

static void get_info(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct info *info = row->record;
	const struct cs_cooked *world = info->session->world;
	const struct cs_cooked_world *at = world->world;
	const struct cs_value values[INFO_COUNTS] = {
		[INFO_FILE] = cs_text(session_shown_path(info->session)),
		[INFO_NAME] = files_text_of(world, at->name),
		[INFO_PACKAGE] = files_text_of(world, at->package),
		[INFO_SOURCE] = files_text_of(world, at->source),
		[INFO_ENGINE] = files_text_of(world, at->engine),
		[INFO_PROFILE] = files_text_of(world, at->profile),
		[INFO_STREAMING] = cs_bool(at->flags & CS_WORLD_STREAMING),
		[INFO_BOUNDS_MIN] =
			cs_box_valid(&at->bounds) ? cs_vec3_value(at->bounds.min) : cs_null(),
		[INFO_BOUNDS_MAX] =
			cs_box_valid(&at->bounds) ? cs_vec3_value(at->bounds.max) : cs_null(),
		[INFO_LEVEL_INSTANCES] = cs_integer(info->end - info->first - 1),
		[INFO_CONTENT_ID] = cs_text(info->content_id),
	};
	*ret = column->offset == INFO_COUNTS || column->offset == INFO_DROPS
		       ? cs_integer((int64_t)info_count(info, column))
		       : values[column->offset];
}

#define INFO(key_, kind_, row_, doc_, ...)                                                    \
	{                                                                                     \
		.key = key_, .kind = CS_KIND_##kind_, .get = get_info, .offset = INFO_##row_, \
		.doc = doc_, __VA_ARGS__                                                      \
	}
#define INFO_COUNT(key_, table_, doc_)                                                        \
	{                                                                                     \
		.key = key_, .kind = CS_KIND_INTEGER, .get = get_info, .offset = INFO_COUNTS, \
		.argument = offsetof(struct cs_cooked, n_##table_), .doc = doc_               \
	}

static const struct cs_column info_columns[] = {
	INFO("file", TEXT, FILE, "path of the file, as it was opened"),
	INFO("name", TEXT, NAME, "name of the map"),
	INFO("package", TEXT, PACKAGE, "package of the map"),
	INFO("source", TEXT, SOURCE, "kind of the source: json, uproject, log or cooked"),
	INFO("engine", TEXT, ENGINE, "engine version that saved the source"),
	INFO("profile", TEXT, PROFILE, "engine profile whose rules apply"),
	INFO("streaming", BOOL, STREAMING, "whether the world streams"),
	INFO("bounds_min", VEC3, BOUNDS_MIN,
		"least corner of the bounds of spatially loaded actors", .unit = "cm"),
	INFO("bounds_max", VEC3, BOUNDS_MAX,
		"greatest corner of the bounds of spatially loaded actors", .unit = "cm"),
	INFO("instances", INTEGER, LEVEL_INSTANCES,
		"number of standalone level instances, whose rows are in the counts below"),
	INFO_COUNT("cells", cells, "number of cells"),
	INFO_COUNT("actors", actors, "number of actors"),
	INFO_COUNT("grids", partitions, "number of grids"),
	INFO_COUNT("layers", layers, "number of data layers"),
	INFO_COUNT("containers", containers, "number of container instances, with the main one"),
	INFO_COUNT("sets", sets, "number of actor sets"),
	INFO_COUNT("references", references, "number of references"),
	INFO_COUNT("hlods", hlods, "number of HLOD actors"),
	INFO_COUNT("findings", findings, "number of findings of validation"),
	INFO("drops", INTEGER, DROPS,
		"number of actor sets and levels that are lost; drops lists their actors"),
	INFO("content_id", TEXT, CONTENT_ID, "hash of the content, equal on all machines"),
};

static const struct cs_table info_table = PLAIN_TABLE("info", "info", info_columns);

static struct cs_error *run_info(struct call *call)
{
	const struct argument *resource = call_argument(call, 0);
	if (resource->given || !call->session->world)
		return call_record(call, "resources",
			resource->given ? resource->row
					: cs_inspector_models(call->session->inspector).current);
	const struct info info = info_of(call->session);
	return emit_plain_record(call, &info_table, &info);
}

const struct command command_info = {
	.name = "info",
	.alias = "i",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_NANITE,
	.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.options = {COLUMNS_OPTION},
	.summary = "show the name, bounds and counts of the open world, or of a Nanite resource",
	.examples = "info\n"
		    "info rock",
	.help = "Bounds of a world are in cm, and bounds of a resource are in units of the mesh.\n"
		"Without RESOURCE the command shows the open world or, when no world is open, the\n"
		"resource that was opened last. Of several open worlds it shows the first, or the\n"
		"world that -P names. Without -P the counts include the standalone level\n"
		"instances of the world (help partitions), as the listings do.",
	.run = run_info,
};

/* ---- command info tables ---- */

struct column_row {
	const char *table, *column, *kind, *unit, *doc;
};

typedef CS_VEC(struct column_row) column_rows;

static const struct cs_column column_columns[] = {
	SHORT(struct column_row, table, "table that contains the column"),
	SHORT(struct column_row, column, "name of the column"),
	SHORT(struct column_row, kind, "type of the values"),
	SHORT(struct column_row, unit, "unit of the values"),
	SHORT(struct column_row, doc, "meaning of the column"),
};

static const struct cs_table column_table = PLAIN_TABLE("columns", "column", column_columns);

static struct cs_error *collect_columns(
	const struct cs_query *query, const char *only, column_rows *to)
{
	static const char *const kinds[] = {"null", "text", "integer", "number", "boolean", "guid",
		"hex", "vector", "quaternion", "list"};
	for (size_t t = 0; t < cs_query_tables(query); t++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, t, &source);
		if (only && strcmp(only, table->name) != 0)
			continue;
		for (size_t c = 0; c < table->n_columns; c++) {
			const struct cs_column *column = &table->columns[c];
			const struct column_row row = {table->name, column->key,
				kinds[column->kind], column->unit, column->doc};
			if (!cs_vec_push(to, row))
				return cs_error_nomem();
		}
	}
	return NULL;
}

static struct cs_error *run_info_tables(struct call *call)
{
	column_rows rows = {0};
	struct cs_error *error =
		collect_columns(call->session->query, call_argument(call, 0)->text, &rows);
	if (!error && rows.n == 0)
		error = cs_error_new(CS_E_SQL, "no table '%s'; `info tables` lists them",
			call_argument(call, 0)->text);
	return emit_plain_vec(call, &column_table, rows, error);
}

const struct command command_info_tables = {
	.name = "info tables",
	.group = GROUP_FILES,
	.flags = COMMAND_WHOLE | COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"TABLE", ARGUMENT_TABLE, .optional = true}},
	.summary = "list the tables and columns that expressions and `sql` can use",
	.examples = "info tables cells\ninfo tables -w \"unit = 'cm'\"",
	.help = "Each row is a column of a table: the name of the table and of the column, the\n"
		"kind of its values, their unit and their meaning. TABLE is the name of a table;\n"
		"without TABLE the columns of all tables are listed.",
	.run = run_info_tables,
};
