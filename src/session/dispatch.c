/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs an invocation (a parsed command line): resolves its arguments, chooses format and route of
 * the output (filter, pager, shell, file), runs the handler, and closes the route after success and
 * failure.
 */
#include "src/session/session.h"

#include "src/language/arguments.h"
#include "src/session/help.h"
#include "src/session/input/expand.h"
#include "src/session/listed.h"
#include "src/session/outputs.h"
#include "src/session/piped.h"
#include "src/session/session_pager.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- resolving arguments ---- */

struct resolved {
	/* the arguments that the command specifies, then the further values of a `many` argument */
	CS_VEC(struct argument) arguments;
	CS_VEC(struct argument) options; /* indexed as in option_at() */
	struct place where;
	CS_VEC(char *) expanded; /* texts of words in which variables were replaced; owned */
};

/* Gets the text of a word with its variables replaced by their values. */
static struct cs_error *dispatch_text_of(const struct session *session,
	const struct argument_spec *spec, const struct word *word, struct resolved *to,
	const char **ret)
{
	char *expanded = NULL;
	*ret = word->text;
	/* $NAME stays in SQL, which binds variables, and in names being defined */
	if (argument_is_raw(spec->type, word->text) || spec->type == ARGUMENT_SETTING ||
		spec->type == ARGUMENT_NAME)
		return NULL;
	struct cs_error *error = expand_word(session, word, &expanded);
	if (error || !expanded)
		return error;
	if (!cs_vec_push(&to->expanded, expanded)) {
		free(expanded);
		return cs_error_nomem();
	}
	*ret = expanded;
	return NULL;
}

static struct cs_error *placed(struct cs_error *error, size_t at)
{
	if (!error->file && error->offset == CS_NO_OFFSET)
		cs_error_move(error, at);
	return error;
}

static struct cs_error *resolve_arguments(
	struct session *session, const struct invocation *invocation, struct resolved *to)
{
	size_t spec = 0;
	for (size_t i = 0; i < invocation->words.n; i++) {
		const struct argument_spec *at = &invocation->command->arguments[spec];
		const struct word *word = &invocation->words.at[i];
		struct argument argument = {0};
		const char *text;
		struct cs_error *error = dispatch_text_of(session, at, word, to, &text);
		if (!error)
			error = argument_resolve(session, at, text, &argument);
		if (error)
			return placed(error, word->at);
		if (!cs_vec_push(&to->arguments, argument))
			return cs_error_nomem();
		spec += !at->many;
	}
	while (to->arguments.n < MOST_ARGUMENTS)
		if (!cs_vec_push(&to->arguments, (struct argument){0}))
			return cs_error_nomem();
	return NULL;
}

static struct cs_error *resolve_options(
	struct session *session, const struct invocation *invocation, struct resolved *to)
{
	for (size_t i = 0; i < option_count(invocation->command); i++)
		if (!cs_vec_push(&to->options, (struct argument){0}))
			return cs_error_nomem();
	for (size_t i = 0; i < invocation->options.n; i++) {
		const struct given_option *given = &invocation->options.at[i];
		const struct option_spec *option = option_at(invocation->command, given->index);
		struct argument_spec spec = {
			option->value, option->type, false, false, option->choices};
		struct argument *value = &to->options.at[given->index];
		const char *text = NULL;
		struct cs_error *error = NULL;
		if (option->value)
			error = dispatch_text_of(session, &spec, &given->value, to, &text);
		if (!error && option->value)
			error = argument_resolve(session, &spec, text, value);
		if (error)
			return placed(error, given->value.at);
		value->given = true;
	}
	return NULL;
}

/* Selects the partition of -P before names of other arguments are looked up in it. */
static struct cs_error *resolve_partition(
	struct session *session, const struct invocation *invocation)
{
	for (size_t i = 0; i < invocation->options.n; i++) {
		const struct given_option *given = &invocation->options.at[i];
		const struct option_spec *option = option_at(invocation->command, given->index);
		const struct argument_spec spec = {option->value, option->type};
		struct argument value;
		if (option->type != ARGUMENT_PARTITION || option->letter != 'P')
			continue;
		struct cs_error *error =
			argument_resolve(session, &spec, given->value.text, &value);
		if (error)
			return placed(error, given->value.at);
		session_focus(session, value.row);
	}
	return NULL;
}

/* Sets *partition to that of the rows that the arguments name. Returns E_USAGE if they have two. */
static struct cs_error *follow(const struct argument *arguments, size_t n, uint32_t *partition)
{
	for (size_t i = 0; i < n; i++) {
		if (!arguments[i].given || !arguments[i].placed)
			continue;
		if (*partition != CS_NONE && arguments[i].partition != *partition)
			return cs_error_new(CS_E_USAGE,
				"the arguments name objects of the world partitions %u and %u, but "
				"must name objects of one world partition",
				*partition, arguments[i].partition);
		*partition = arguments[i].partition;
	}
	return NULL;
}

/* Selects the world partition of the rows that the arguments name; E_USAGE if -P names another. */
static struct cs_error *follow_all(struct session *session, const struct resolved *to)
{
	const struct argument where = {
		.given = to->where.kind == PLACE_CELL || to->where.kind == PLACE_ACTOR,
		.placed = true,
		.partition = to->where.partition};
	uint32_t partition = cs_query_focused(session->query);
	struct cs_error *error = follow(to->arguments.at, to->arguments.n, &partition);
	if (!error)
		error = follow(to->options.at, to->options.n, &partition);
	if (!error)
		error = follow(&where, 1, &partition);
	if (!error && partition != CS_NONE && partition != session->files.partition)
		session_focus(session, partition);
	return error;
}

static struct cs_error *resolve(
	struct session *session, const struct invocation *invocation, struct resolved *to)
{
	struct cs_error *error = resolve_partition(session, invocation);
	if (!error)
		error = resolve_arguments(session, invocation, to);
	if (!error)
		error = resolve_options(session, invocation, to);
	if (!error && invocation->where.text && !(invocation->command->flags & COMMAND_PLACE))
		error = placed(
			cs_error_new(CS_E_USAGE, "%s takes no place: leave out @ and what follows",
				invocation->command->name),
			invocation->where.at);
	if (!error && invocation->where.text) {
		const struct argument_spec spec = {.type = ARGUMENT_WHERE};
		const char *text = NULL;
		error = dispatch_text_of(session, &spec, &invocation->where, to, &text);
		if (!error)
			error = place_resolve(session, text, &to->where);
		if (error)
			error = placed(error, invocation->where.at);
	}
	return error ? error : follow_all(session, to);
}

static void resolved_free(struct resolved *resolved)
{
	cs_vec_free(&resolved->arguments);
	cs_vec_free(&resolved->options);
	for (size_t i = 0; i < resolved->expanded.n; i++)
		free(resolved->expanded.at[i]);
	cs_vec_free(&resolved->expanded);
}

/* ---- route of the output ---- */

struct way {
	struct filter *filter;
	struct filter_sink lines;
	struct child_sink child;
	struct file_sink file;
	struct pager_sink pager;
	struct sink *own[2]; /* sinks to close; bytes pass through the last one first */
	size_t n_own;
	struct sink *first; /* sink that the handler writes to */
};

static bool writes_a_file(const struct invocation *invocation)
{
	for (size_t i = 0; invocation->command && i < invocation->options.n; i++)
		if (option_at(invocation->command, invocation->options.at[i].index)->type ==
			ARGUMENT_OUTPUT)
			return true;
	return false;
}

static struct cs_error *check_leave(
	const struct session *session, const struct invocation *invocation)
{
	const char *refused = NULL;
	if (session->mode.safe && invocation->shell.text)
		refused = "'|'";
	else if (session->mode.safe && invocation->into.text)
		refused = "'>'";
	else if (session->mode.safe && invocation->command->flags & COMMAND_UNSAFE)
		refused = invocation->command->name;
	else if (session->mode.safe && writes_a_file(invocation))
		refused = "writing a file";
	if (refused)
		return cs_error_new(CS_E_UNSAFE,
			"%s is not allowed, because the session runs with --safe", refused);
	if (session->display.is_reading &&
		invocation->command->flags & (COMMAND_CHANGES | COMMAND_VIEW))
		return cs_error_new(CS_E_USAGE,
			"a view cannot show `%s`, which changes the session or the screen",
			invocation->command->name);
	if (invocation->shell.text && session->channels.place && !session->mode.allow_shell)
		return cs_error_at(CS_E_UNSAFE, NULL, invocation->shell.at,
			"'|' is not allowed in a command file without the option --allow-shell");
	return NULL;
}

static struct cs_error *open_way(const struct session *session, const struct invocation *invocation,
	const struct style *style, struct sink *to, struct way *way)
{
	struct cs_error *error = NULL;
	way->first = to;
	if (invocation->into.text) {
		error = file_sink_open(&way->file, invocation->into.text);
		way->first = &way->file.sink;
	} else if (invocation->shell.text) {
		error = piped_open(session, invocation->shell.text, to, &way->child);
		way->first = &way->child.sink;
	} else if (pager_is_wanted(session, to)) {
		pager_sink_init(&way->pager, to);
		way->first = &way->pager.sink;
	}
	if (error)
		return error;
	if (way->first != to)
		way->own[way->n_own++] = way->first;
	if (invocation->filter.text) {
		error = filter_new(invocation->filter.text, &way->filter);
		if (!error && style->format == FORMAT_TEXT) {
			filter_sink_init(&way->lines, way->filter, way->first);
			way->first = &way->lines.sink;
			way->own[way->n_own++] = way->first;
		}
	}
	return error;
}

/* Closes a line's output sinks in the order that bytes reach them, to lose no buffered line. */
static struct cs_error *close_way(struct way *way)
{
	struct cs_error *error = NULL;
	while (way->n_own > 0)
		error = cs_error_first(error, sink_close(way->own[--way->n_own]));
	return cs_error_first(error, filter_end(way->filter));
}

/* ---- running the handler ---- */

/* Returns the last given option with this name or letter; NULL if there is none. */
static const struct given_option *given_option(
	const struct invocation *invocation, const char *name)
{
	const struct given_option *ret = NULL;
	for (size_t i = 0; i < invocation->options.n; i++) {
		const struct option_spec *option =
			option_at(invocation->command, invocation->options.at[i].index);
		if ((option->name && strcmp(option->name, name) == 0) ||
			(name[1] == '\0' && option->letter == name[0]))
			ret = &invocation->options.at[i];
	}
	return ret;
}

static struct style style_of(const struct session *session, const struct invocation *invocation)
{
	struct style style = session_style(session);
	if (session->channels.taker)
		/* the caller takes rows, and in JSON commands produce rows instead of sentences */
		style.format = FORMAT_JSON;
	else if (given_option(invocation, "json"))
		style.format = FORMAT_JSON;
	else if (given_option(invocation, "csv"))
		style.format = FORMAT_CSV;
	else if (given_option(invocation, "tsv"))
		style.format = FORMAT_TSV;
	if (invocation->shell.text || invocation->into.text) {
		style.colour = false;
		style.width = session->expected.capturing ? style.width : 0;
	}
	return style;
}

/* Checks that a world or a resource is open, as `flags` require. Of two flags, one is enough. */
static struct cs_error *check_open(const struct session *session, unsigned flags)
{
	bool world = session->world != NULL;
	bool nanite = cs_inspector_models(session->inspector).n > 0;
	if (!(flags & (COMMAND_WORLD | COMMAND_NANITE)) || (flags & COMMAND_WORLD && world) ||
		(flags & COMMAND_NANITE && nanite))
		return NULL;
	return flags & COMMAND_WORLD
		       ? cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one")
		       : no_resource(session);
}

/* Returns the error of a file section that the command could not load; NULL = none. */
static struct cs_error *not_loaded(void *context)
{
	const struct session *session = context;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < cs_query_partitions(session->query); i++)
		error = cs_cooked_failed(cs_query_partition(session->query, i, NULL));
	return error;
}

static struct cs_error *begin_needed(struct call *call)
{
	const unsigned flags = call->command->flags;
	struct cs_error *error = NULL;
	if (flags & (COMMAND_RUN | COMMAND_STOPS))
		error = session_stream(call->session, &call->stream);
	if (!error && flags & COMMAND_STOPS)
		error = session_debug(call->session, &call->debug);
	return error;
}

/* ---- selecting rows, and checking a listing before a change ---- */

/*
 * Returns the name of the world partition to which the option -P limits the rows of the table; NULL
 * if -P is not given, or the table is not filtered by its column `partition`. In some tables this
 * column contains other things, such as grids, and lacks the flag CS_COLUMN_WORD.
 */
static const char *focused_partition(const struct call *call, const struct cs_table *table)
{
	const struct cs_column *column = cs_table_column(table, "partition");
	const char *name = NULL;
	uint32_t partition = cs_query_focused(call->session->query);
	if (partition != CS_NONE && !table->locate && column && column->flags & CS_COLUMN_WORD)
		cs_query_partition(call->session->query, partition, &name);
	return name;
}

/* Returns the rows that the options -w, -s and -n of the call select. */
static struct cs_error *select_rows(struct call *call, struct cs_query *query,
	const struct cs_table *table, const char *scope, struct cs_value scope_value,
	uint32_t **rows_ret, size_t *n_ret)
{
	const struct argument *most = call_option(call, "n");
	bool none = most->given && most->count == 0;
	const struct cs_listing listing = {
		.where = call_option(call, "w")->text,
		.sort = call_option(call, "s")->text,
		.limit = none ? 1 : most->count, /* a limit of 0 would mean no limit */
		.partition = focused_partition(call, table),
		.scope = scope,
		.scope_value = scope_value,
		.variables = session_variables(call->session),
	};
	struct cs_error *error = cs_query_rows(query, table, &listing, rows_ret, n_ret);
	if (!error && none)
		*n_ret = 0;
	return error;
}

static size_t count_none(const void *source)
{
	(void)source;
	return 0;
}

/*
 * Checks the filter (-w) and the order (-s) of a call without reading rows: against `named`, a
 * table of the session, or against `empty`, which has no rows, if `named` is NULL.
 */
static struct cs_error *check_selection(
	struct call *call, const struct cs_table *empty, const struct cs_table *named)
{
	struct cs_query *query = NULL;
	uint32_t *rows = NULL;
	size_t n;
	struct cs_error *error = named ? NULL : cs_query_new(&query);
	if (!error && !named)
		error = cs_query_add(query, empty, NULL);
	if (!error)
		error = select_rows(call, named ? call->session->query : query,
			named ? named : empty, named ? "0" : NULL, cs_null(), &rows, &n);
	cs_query_free(query);
	free(rows);
	return error;
}

/*
 * Checks the options -c, -s and -w of a command that names the table of its rows: such a command
 * changes something before it lists, and must not fail after that. With -c ? it prints the
 * explanation of the columns and sets *done_ret; the command does not run then.
 */
static struct cs_error *rehearse(struct call *call, bool *done_ret)
{
	const void *source;
	const struct command *command = call->command;
	const struct cs_table *named =
		command->lists ? session_table(call->session, command->lists, &source) : NULL;
	const struct cs_table *table = named ? named : command->rows;
	const char *columns = call_option(call, "c")->text;
	const bool asks = columns || call_option(call, "s")->text || call_option(call, "w")->text;
	if (!table || !command->run || !asks)
		return NULL;
	struct cs_table empty = *table;
	struct output *out = call->out, before = *out;
	struct memory_sink ignored;
	memory_sink_init(&ignored);
	*done_ret = columns && strcmp(columns, "?") == 0;
	empty.count = count_none;
	empty.load = NULL;
	struct cs_error *error = *done_ret ? NULL : check_selection(call, &empty, named);
	if (!*done_ret) {
		out->taker = NULL;
		out->sink = out->unfiltered = &ignored.sink;
	}
	if (!error)
		error = emit_rows(out, &(struct rows){.table = &empty, .columns = columns});
	memory_sink_deinit(&ignored);
	if (!*done_ret)
		*out = before;
	return error;
}

static struct cs_error *call_handler(struct session *session, const struct invocation *invocation,
	const char *line, struct output *out)
{
	struct resolved resolved = {0};
	struct cs_error *error = NULL;
	bool done = false;
	session->channels.told = false;
	error = check_open(session, invocation->command->flags);
	if (error)
		return error;
	const uint32_t focus = cs_query_focused(session->query);
	const struct cs_query *query = session->query;
	error = resolve(session, invocation, &resolved);
	if (!error) {
		struct call call = {.session = session,
			.out = out,
			.command = invocation->command,
			.arguments = resolved.arguments.at,
			.n_arguments = invocation->words.n,
			.options = resolved.options.at,
			.where = resolved.where,
			.line = line};
		cs_query_set_job(session->query, &session->job);
		error = check_outputs(&call, invocation->into.text);
		if (!error)
			error = begin_needed(&call);
		if (!error)
			error = rehearse(&call, &done);
		if (!error && !done)
			error = call.command->run ? call.command->run(&call)
						  : call_list(&call, call.command->lists);
		if (!error)
			error = not_loaded(session);
	}
	if (session->query == query) /* false after the command has opened another world */
		session_focus(session, focus);
	else
		session->files.partition = 0;
	resolved_free(&resolved);
	return error;
}

/* Converts the offset of an SQL error from an offset in the expression to one in the line. */
static struct cs_error *place_in_line(const struct invocation *invocation, struct cs_error *error)
{
	uint64_t offset = error->offset;
	size_t start = invocation->raw_at;
	const struct given_option *where = given_option(invocation, "w");
	if (error->code != CS_E_SQL || error->file || offset == CS_NO_OFFSET)
		return error;
	if (where)
		start = where->value.at + where->value.quoted;
	struct cs_error *better = cs_error_at(CS_E_SQL, NULL,
		start == SIZE_MAX ? CS_NO_OFFSET : start + offset, "%s", error->message);
	cs_error_free(error);
	return better;
}

/*
 * Calls the handler, but prints only the explanation of its columns. If the handler emitted no
 * rows, and so has no columns, prints its output.
 */
static struct cs_error *call_for_columns(struct session *session,
	const struct invocation *invocation, const char *line, struct output *out)
{
	struct memory_sink said;
	struct sink *sink = out->sink;
	char *text = NULL;
	size_t n = 0;
	memory_sink_init(&said);
	out->explains = sink;
	out->sink = out->unfiltered = &said.sink;
	struct cs_error *error = call_handler(session, invocation, line, out);
	out->sink = sink;
	if (!error)
		error = memory_sink_take(&said, &text, &n);
	if (!error && !out->emitted)
		sink_write(sink, text, n);
	free(text);
	memory_sink_deinit(&said);
	return error;
}

struct cs_error *run_invocation(struct session *session, const struct invocation *invocation,
	const char *line, struct sink *to)
{
	struct style style = style_of(session, invocation);
	struct output out;
	struct way way = {0};
	const struct given_option *columns = given_option(invocation, "c");
	struct cs_error *error = check_leave(session, invocation);
	if (error)
		return error;
	error = open_way(session, invocation, &style, to, &way);
	if (!error) {
		output_init(&out, &style, way.first);
		out.filter = way.filter;
		out.taker = session->channels.taker;
		out.unfiltered = way.lines.to ? way.lines.to : way.first;
		if (invocation->help)
			say_command_help(&out, invocation->command);
		else if (columns && strcmp(columns->value.text, "?") == 0)
			error = call_for_columns(session, invocation, line, &out);
		else
			error = call_handler(session, invocation, line, &out);
		error = cs_error_first(error, output_end(&out));
	}
	progress_end(session);
	way.file.is_spoilt = error != NULL;
	error = cs_error_first(error, close_way(&way));
	error = cs_error_first(error, piped_pass_on(session, &way.child, to));
	return error ? place_in_line(invocation, error) : NULL;
}

/* ---- listings of tables ---- */

/*
 * Returns the key of the partition column, to be listed, too, if rows may be of partitions other
 * than the main one, else NULL.
 */
static const char *also_column(const struct cs_query *query, const struct rows *rows)
{
	const struct cs_column *column = cs_table_column(rows->table, "partition");
	const char *main;
	if (!column || !(column->flags & CS_COLUMN_WORD) || cs_query_partitions(query) < 2 ||
		cs_query_focused(query) != CS_NONE)
		return NULL;
	cs_query_partition(query, 0, &main);
	for (size_t i = 0; i < rows->n && !rows->table->locate; i++) {
		const struct cs_value value =
			cs_table_get(rows->table, rows->source, rows->at[i], column);
		if (value.kind == CS_KIND_TEXT && strcmp(value.text, main) != 0)
			return column->key;
	}
	return rows->table->locate ? column->key : NULL;
}

static bool is_ascending(const uint32_t *rows, size_t n)
{
	size_t i = 1;
	while (i < n && rows[i - 1] < rows[i])
		i++;
	return i >= n;
}

static struct cs_error *dispatch_list_rows(struct call *call, struct cs_query *query,
	const struct cs_table *table, const void *source, const char *scope,
	struct cs_value scope_value)
{
	uint32_t *at = NULL;
	size_t n = 0;
	struct cs_error *error = select_rows(call, query, table, scope, scope_value, &at, &n);
	if (error)
		return error;
	/* a pass frees each section behind it, so the rows must be in ascending order */
	const bool passes = table->pass && !call->out->taker && is_ascending(at, n);
	struct cs_reading reading = {.table = table, .source = source, .rows = at, .n_rows = n};
	struct rows rows = {.table = table,
		.source = source,
		.at = at,
		.n = n,
		.unread = not_loaded,
		.context = call->session,
		.reading = passes ? &reading : NULL,
		.columns = call_option(call, "c")->text};
	rows.also = also_column(call->session->query, &rows);
	error = emit_rows(call->out, &rows);
	if (!error)
		listed_keep(call->session, &rows);
	free(at);
	return error;
}

struct cs_error *call_list_scoped(
	struct call *call, const char *table_name, const char *scope, struct cs_value scope_value)
{
	const void *source;
	const struct cs_table *table = session_table(call->session, table_name, &source);
	if (!table)
		return session_no_table(call->session, table_name);
	return dispatch_list_rows(call, call->session->query, table, source, scope, scope_value);
}

/* Returns the numbers as a JSON array; freed by the caller, NULL if memory runs out. */
static char *numbers_as_json(const uint32_t *numbers, size_t n)
{
	enum { MOST = 12 }; /* characters of a number, its comma and a NUL */
	const size_t room = n * MOST + 3;
	char *text = malloc(room);
	size_t at = 0;
	for (size_t i = 0; text && i < n; i++)
		at += (size_t)snprintf(
			text + at, room - at, "%c%" PRIu32, i ? ',' : '[', numbers[i]);
	if (text)
		snprintf(text + at, room - at, "%s", n ? "]" : "[]");
	return text;
}

struct cs_error *call_list_numbers(
	struct call *call, const char *table, const uint32_t *rows, size_t n)
{
	char *list = numbers_as_json(rows, n);
	struct cs_error *error =
		list ? call_list_scoped(call, table,
			       "rowid IN (SELECT value FROM json_each($scope))", cs_text(list))
		     : cs_error_nomem();
	free(list);
	return error;
}

struct place call_place(struct call *call, const struct argument *where)
{
	if (where && where->given)
		return where->place;
	if (call->where.kind != PLACE_NONE)
		return call->where;
	const struct place here = call->session->places.here;
	/* selects the partition of the current place; a typed cell or actor has selected its own */
	if (here.kind == PLACE_CELL || here.kind == PLACE_ACTOR)
		session_focus(call->session, here.partition);
	return here;
}

/*
 * Lists the actors of a cell by the row numbers that the cell stores. For a cell with many actors,
 * SQL compares the cell of every actor instead; that needs an index of all actors, which may take
 * more memory than the rest of a large world.
 */
struct cs_error *call_list_in_cell(struct call *call, uint32_t cell)
{
	enum { MOST = 100000 };
	const struct cs_cooked *world = call->session->world;
	const struct cs_range actors = world && cell < world->n_cells
					       ? cs_cooked_cell(world, cell)->actors
					       : (struct cs_range){0, 0};
	if (actors.count > MOST)
		return call_list_scoped(call, "actors",
			"cell = (SELECT name FROM cells WHERE rowid = $scope)", cs_integer(cell));
	const uint32_t *rows = cs_cooked_id_rows(world, CS_IDS_CELL_ACTORS, actors);
	return call_list_numbers(call, "actors", rows, rows ? actors.count : 0);
}

struct cs_error *call_rows(struct call *call, const char *table_name, const char *scope,
	struct cs_value scope_value, uint32_t **rows_ret, size_t *n_ret)
{
	const void *source;
	const struct cs_table *table = session_table(call->session, table_name, &source);
	if (!table)
		return session_no_table(call->session, table_name);
	return select_rows(call, call->session->query, table, scope, scope_value, rows_ret, n_ret);
}

struct cs_error *call_list(struct call *call, const char *table)
{
	return call_list_scoped(call, table, NULL, cs_null());
}

struct cs_error *call_list_own(struct call *call, const struct cs_table *table, const void *source)
{
	struct cs_query *query;
	struct cs_error *error = cs_query_new(&query);
	if (error)
		return error;
	cs_query_set_job(query, &call->session->job);
	error = cs_query_add(query, table, source);
	if (!error)
		error = dispatch_list_rows(call, query, table, source, NULL, cs_null());
	cs_query_free(query);
	return error;
}

struct cs_error *call_record(struct call *call, const char *table_name, uint32_t row)
{
	const void *source;
	const struct cs_table *table = session_table(call->session, table_name, &source);
	if (!table)
		return session_no_table(call->session, table_name);
	const struct rows rows = {.table = table,
		.source = source,
		.at = &row,
		.n = 1,
		.unread = not_loaded,
		.context = call->session,
		.columns = call_option(call, "c")->text,
		.as_record = true};
	return emit_rows(call->out, &rows);
}
