/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files: open, close, info, verify. */
#include "cmds/commands.h"
#include "src/open.h"

#include <cellscope/nanite.h>

#include <string.h>

/* ---- open, close ---- */

/* What a world in memory was made from may have packages that could not be read. */
static void note_unreadable(struct call *call)
{
	const struct cs_world *source = call->session->opened.source;
	const size_t n = source ? cs_world_count(source).unreadable : 0;
	if (n > 0)
		note(call->out, "%zu package%s could not be read: see the warnings\n", n,
			n == 1 ? "" : "s");
}

static struct cs_error *run_open(struct call *call)
{
	struct session *session = call->session;
	struct cs_error *error =
		session_open(session, call_argument(call, 0)->text, call_option(call, "map")->text);
	if (error)
		return error;
	note(call->out, "%s: %zu cells, %llu actors, profile %s\n",
		cs_cooked_text(session->world, session->world->world->name),
		session->world->n_cells,
		(unsigned long long)cs_file_rows(session->world->file, CS_TABLE_ACTORS),
		cs_cooked_text(session->world, session->world->world->profile));
	note_unreadable(call);
	return NULL;
}

const struct command command_open = {
	.name = "open",
	.group = GROUP_FILES,
	.flags = COMMAND_CHANGES,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.options = {{0, "map", "NAME", ARGUMENT_WORD, "the map of a project that has several"}},
	.summary = "open a world",
	.examples = "open valley.cworld\n"
		    "open valley.json\n"
		    "open Project.uproject --map Valley",
	.help = "Opens a cooked world (.cworld). What is not cooked - a world in JSON, the project\n"
		"of an engine, a StreamingGeneration log - is cooked in memory first. The world\n"
		"that was open before is closed, unless opening fails.",
	.run = run_open,
};

static struct cs_error *run_close(struct call *call)
{
	return session_close(call->session);
}

const struct command command_close = {
	.name = "close",
	.group = GROUP_FILES,
	.flags = COMMAND_CHANGES | COMMAND_WORLD,
	.summary = "close the world",
	.examples = "close",
	.run = run_close,
};

/* ---- info ---- */

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
	INFO_CONTENT_ID,
	INFO_COUNTS, /* argument: the table */
};

struct info {
	const struct session *session;
	char content_id[33];
};

static struct cs_value text_of(const struct cs_cooked *world, uint32_t text)
{
	const char *at = cs_cooked_text(world, text);
	return *at ? cs_text(at) : cs_null();
}

static void get_info(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct info *info = row->source;
	const struct cs_cooked *world = info->session->world;
	const struct cs_cooked_world *at = world->world;
	const struct cs_value values[INFO_COUNTS] = {
		[INFO_FILE] = cs_text(info->session->path),
		[INFO_NAME] = text_of(world, at->name),
		[INFO_PACKAGE] = text_of(world, at->package),
		[INFO_SOURCE] = text_of(world, at->source),
		[INFO_ENGINE] = text_of(world, at->engine),
		[INFO_PROFILE] = text_of(world, at->profile),
		[INFO_STREAMING] = cs_bool(at->flags & CS_WORLD_STREAMING),
		[INFO_BOUNDS_MIN] =
			cs_box_valid(&at->bounds) ? cs_vec3_value(at->bounds.min) : cs_null(),
		[INFO_BOUNDS_MAX] =
			cs_box_valid(&at->bounds) ? cs_vec3_value(at->bounds.max) : cs_null(),
		[INFO_CONTENT_ID] = cs_text(info->content_id),
	};
	*ret = column->offset == INFO_COUNTS
		       ? cs_integer((int64_t)cs_file_rows(world->file, (uint16_t)column->argument))
		       : values[column->offset];
}

#define INFO(key_, kind_, row_, doc_)                                                         \
	{                                                                                     \
		.key = key_, .kind = CS_KIND_##kind_, .get = get_info, .offset = INFO_##row_, \
		.doc = doc_                                                                   \
	}
#define INFO_COUNT(key_, table_, doc_)                                                        \
	{                                                                                     \
		.key = key_, .kind = CS_KIND_INTEGER, .get = get_info, .offset = INFO_COUNTS, \
		.argument = CS_TABLE_##table_, .doc = doc_                                    \
	}

static const struct cs_column info_columns[] = {
	INFO("file", TEXT, FILE, "as it was opened"),
	INFO("name", TEXT, NAME, "of the map"),
	INFO("package", TEXT, PACKAGE, "of the map"),
	INFO("source", TEXT, SOURCE, "what it was cooked from"),
	INFO("engine", TEXT, ENGINE, "version that saved the source"),
	INFO("profile", TEXT, PROFILE, "engine profile of the rules"),
	INFO("streaming", BOOL, STREAMING, "the world streams"),
	INFO("bounds_min", VEC3, BOUNDS_MIN, "least corner of its spatially loaded actors, cm"),
	INFO("bounds_max", VEC3, BOUNDS_MAX, "greatest corner of them, cm"),
	INFO_COUNT("cells", CELLS, "number of cells"),
	INFO_COUNT("actors", ACTORS, "number of actors"),
	INFO_COUNT("grids", PARTITIONS, "number of grids"),
	INFO_COUNT("layers", LAYERS, "number of data layers"),
	INFO_COUNT("containers", CONTAINERS, "number of containers"),
	INFO_COUNT("sets", SETS, "number of actor sets"),
	INFO_COUNT("references", REFERENCES, "number of references"),
	INFO_COUNT("hlods", HLODS, "number of HLOD actors"),
	INFO_COUNT("findings", FINDINGS, "number of findings of validation"),
	INFO_COUNT("drops", DROPS, "number of actor sets that were dropped"),
	INFO("content_id", TEXT, CONTENT_ID, "hash of the content, the same wherever it was made"),
};

static size_t one_row(const void *source)
{
	(void)source;
	return 1;
}

static const void *same_row(const void *source, size_t index)
{
	(void)index;
	return source;
}

static const struct cs_table info_table = {
	.name = "info",
	.row_name = "info",
	.columns = info_columns,
	.n_columns = sizeof(info_columns) / sizeof(info_columns[0]),
	.count = one_row,
	.row = same_row,
};

static struct cs_error *run_info(struct call *call)
{
	struct info info = {.session = call->session};
	const struct rows rows = {.table = &info_table, .source = &info, .n = 1, .as_record = true};
	cs_file_content_id(call->session->world->file, info.content_id);
	return emit_rows(call->out, &rows);
}

const struct command command_info = {
	.name = "info",
	.alias = "i",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD,
	.summary = "what is open: the world and its counts",
	.examples = "info\ninfo --json\ninfo tables",
	.run = run_info,
};

/* ---- info tables ---- */

struct column_rows {
	CS_VEC(const struct cs_table *) tables; /* of each row */
	CS_VEC(const struct cs_column *) columns;
};

static size_t column_count(const void *source)
{
	return ((const struct column_rows *)source)->columns.n;
}

static const void *column_row(const void *source, size_t index)
{
	return ((const struct column_rows *)source)->columns.at[index];
}

static void get_table_name(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(((const struct column_rows *)row->source)->tables.at[row->index]->name);
}

static void get_column_text(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_text(*(const char *const *)((const char *)row->record + column->offset));
}

static void get_column_kind(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	static const char *const names[] = {"null", "text", "integer", "number", "boolean", "guid",
		"hex", "vector", "quaternion", "list"};
	(void)column;
	*ret = cs_text(names[((const struct cs_column *)row->record)->kind]);
}

static const struct cs_column column_columns[] = {
	{.key = "table", .kind = CS_KIND_TEXT, .get = get_table_name, .flags = CS_COLUMN_SHORT},
	{.key = "column",
		.kind = CS_KIND_TEXT,
		.get = get_column_text,
		.flags = CS_COLUMN_SHORT,
		.offset = offsetof(struct cs_column, key)},
	{.key = "kind", .kind = CS_KIND_TEXT, .get = get_column_kind, .flags = CS_COLUMN_SHORT},
	{.key = "doc",
		.kind = CS_KIND_TEXT,
		.get = get_column_text,
		.flags = CS_COLUMN_SHORT,
		.offset = offsetof(struct cs_column, doc)},
};

static const struct cs_table column_table = {
	.name = "columns",
	.row_name = "column",
	.columns = column_columns,
	.n_columns = sizeof(column_columns) / sizeof(column_columns[0]),
	.count = column_count,
	.row = column_row,
};

static struct cs_error *collect_columns(
	const struct cs_query *query, const char *only, struct column_rows *to)
{
	for (size_t t = 0; t < cs_query_tables(query); t++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, t, &source);
		if (only && strcmp(only, table->name) != 0)
			continue;
		for (size_t c = 0; c < table->n_columns; c++)
			if (!cs_vec_push(&to->tables, table) ||
				!cs_vec_push(&to->columns, &table->columns[c]))
				return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *run_info_tables(struct call *call)
{
	struct column_rows rows = {0};
	struct cs_error *error =
		collect_columns(call->session->query, call_argument(call, 0)->text, &rows);
	if (!error && rows.columns.n == 0)
		error = cs_error_new(CS_E_SQL, "no table '%s'", call_argument(call, 0)->text);
	if (!error)
		error = call_list_own(call, &column_table, &rows);
	cs_vec_free(&rows.tables);
	cs_vec_free(&rows.columns);
	return error;
}

const struct command command_info_tables = {
	.name = "info tables",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"TABLE", ARGUMENT_TABLE, .optional = true}},
	.summary = "tables and columns for expressions",
	.examples = "info tables cells\ninfo tables -w \"doc LIKE '%cm%'\"",
	.run = run_info_tables,
};

/* ---- verify ---- */

struct findings {
	CS_VEC(struct cs_finding) at;
	bool failed;
};

static void keep_finding(void *context, const struct cs_finding *finding)
{
	struct findings *findings = context;
	if (!cs_vec_push(&findings->at, *finding))
		findings->failed = true;
}

static size_t finding_count(const void *source)
{
	return ((const struct findings *)source)->at.n;
}

static const void *finding_row(const void *source, size_t index)
{
	return &((const struct findings *)source)->at.at[index];
}

static void get_severity(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(cs_severity_name(((const struct cs_finding *)row->record)->severity));
}

static void get_code(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(cs_code_name(((const struct cs_finding *)row->record)->code));
}

static void get_offset(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	uint64_t offset = ((const struct cs_finding *)row->record)->offset;
	(void)column;
	*ret = offset == CS_NO_OFFSET ? cs_null() : cs_integer((int64_t)offset);
}

static void get_place(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const char *place = ((const struct cs_finding *)row->record)->place;
	(void)column;
	*ret = *place ? cs_text(place) : cs_null();
}

static void get_message(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(((const struct cs_finding *)row->record)->message);
}

static void get_rule(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(((const struct cs_finding *)row->record)->rule);
}

static const struct cs_column problem_columns[] = {
	{.key = "severity", .kind = CS_KIND_TEXT, .get = get_severity, .flags = CS_COLUMN_SHORT},
	{.key = "rule", .kind = CS_KIND_TEXT, .get = get_rule, .flags = CS_COLUMN_SHORT},
	{.key = "code", .kind = CS_KIND_TEXT, .get = get_code, .flags = CS_COLUMN_SHORT},
	{.key = "offset", .kind = CS_KIND_INTEGER, .get = get_offset, .flags = CS_COLUMN_SHORT},
	{.key = "place", .kind = CS_KIND_TEXT, .get = get_place, .flags = CS_COLUMN_SHORT},
	{.key = "message", .kind = CS_KIND_TEXT, .get = get_message, .flags = CS_COLUMN_SHORT},
};

static const struct cs_table problem_table = {
	.name = "problems",
	.row_name = "problem",
	.columns = problem_columns,
	.n_columns = sizeof(problem_columns) / sizeof(problem_columns[0]),
	.count = finding_count,
	.row = finding_row,
};

/* What the file says that it is; NULL when it does not say. */
static const struct cs_schema *schema_of(const char *path, const struct cs_job *job)
{
	struct cs_file *file;
	struct cs_error *error = cs_file_open(path, CS_FILE_SALVAGE, job, &file);
	if (error) {
		cs_error_free(error);
		return NULL;
	}
	const struct cs_schema *schema = cs_file_schema(file);
	cs_file_close(file);
	return schema;
}

/* Everything that the kind of the file promises. */
static struct cs_error *verify_file(
	const char *path, bool deep, const struct cs_job *job, struct findings *findings)
{
	const struct cs_schema *schema = schema_of(path, job);
	const char *kind = schema ? schema->name : "";
	struct cs_error *error;
	size_t n;
	if (strcmp(kind, "cworld") == 0)
		error = cs_cooked_verify(path, job, keep_finding, findings, &n);
	else if (strcmp(kind, "cnanite") == 0)
		error = cs_nanite_verify(path, deep, job, keep_finding, findings, &n);
	else
		error = cs_file_verify(path, job, keep_finding, findings, &n);
	if (!error && findings->failed)
		error = cs_error_nomem();
	return error;
}

/* What costs more than it must, or is only told, is no reason to refuse a file. */
static bool says_no(const struct findings *findings)
{
	for (size_t i = 0; i < findings->at.n; i++)
		if (findings->at.at[i].severity == CS_ERROR)
			return true;
	return false;
}

static void say_findings(struct output *out, const char *path, const struct findings *findings)
{
	for (size_t i = 0; i < findings->at.n; i++) {
		const struct cs_finding *finding = &findings->at.at[i];
		say(out, "%s:", path);
		if (finding->offset != CS_NO_OFFSET)
			say(out, "%llu:", (unsigned long long)finding->offset);
		if (*finding->place)
			say(out, " %s:", finding->place);
		say(out, " %s [%s]\n", finding->message, cs_code_name(finding->code));
	}
	if (findings->at.n == 0)
		say(out, "%s: sound\n", path);
	else
		say(out, "%s: %zu finding%s\n", path, findings->at.n,
			findings->at.n == 1 ? "" : "s");
}

static struct cs_error *run_verify(struct call *call)
{
	struct findings findings = {0};
	const char *path =
		call_argument(call, 0)->given ? call_argument(call, 0)->text : call->session->path;
	if (!path)
		return cs_error_new(CS_E_NOTOPEN, "no world is open");
	struct cs_error *error = verify_file(
		path, call_option(call, "deep")->given, &call->session->job, &findings);
	if (!error && call->out->style.format == FORMAT_TEXT)
		say_findings(call->out, path, &findings);
	else if (!error)
		error = call_list_own(call, &problem_table, &findings);
	if (!error && says_no(&findings))
		tally_status(&call->session->tally, STATUS_NO);
	cs_vec_free(&findings.at);
	return error;
}

#define DEEP_OPTION                                                                     \
	{                                                                               \
		0, "deep", NULL, ARGUMENT_NONE,                                         \
			"of Nanite resources also seams, random views, loading orders", NULL \
	}

const struct command command_verify = {
	.name = "verify",
	.group = GROUP_FILES,
	.flags = COMMAND_LISTS,
	.arguments = {{"FILE", ARGUMENT_FILE, .optional = true}},
	.options = {DEEP_OPTION},
	.summary = "check every checksum and every reference of a file",
	.examples = "verify valley.cworld\nverify --json valley.cworld",
	.help = "Prints what does not hold as FILE:OFFSET: FIELD: PROBLEM. The exit status of the\n"
		"program is then 1, unless they are mere warnings. Without FILE: the file that is\n"
		"open. Of a Nanite resource this is nanite verify.",
	.run = run_verify,
};

const struct command command_nanite_verify = {
	.name = "nanite verify",
	.group = GROUP_NANITE,
	.flags = COMMAND_LISTS,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.options = {DEEP_OPTION},
	.summary = "check all that a Nanite resource promises",
	.examples = "nanite verify bunny.cnanite\n"
		    "nanite verify bunny.cnanite --deep\n"
		    "nanite verify bunny.cnanite -w \"severity = 'error'\" --json",
	.help = "Each finding begins with the id of the rule that does not hold, by what it is\n"
		"about: R resource, X fixups, P page, C cluster, M material, S strip, V vertex,\n"
		"H hierarchy, D DAG, T streaming, A atlas. The exit status of the program is 1\n"
		"when a finding is an error; warnings tell of waste.",
	.run = run_verify,
};
