/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the types of arguments, and resolves the texts of arguments to rows and locations. */
#include "src/language/arguments.h"

#include "src/language/argument_values.h"
#include "src/language/topics.h"
#include "src/session/input/ambiguous.h"
#include "src/session/input/expand.h"
#include "src/session/input/try_line.h"
#include "src/session/listed.h"
#include "src/session/session.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>

struct kind {
	bool raw, place;
	/* parses a text without a session (NULL if any text is valid) */
	argument_value *check;
	struct cs_error *(*resolve)(
		struct session *session, const char *text, struct argument *ret);
	void (*complete)(struct session *session, const struct argument_spec *spec,
		const char *prefix, struct candidates *candidates);
	/*
	 * table whose rows complete the argument. Without `resolve`, the argument names one of them
	 */
	const char *table;
	enum place_kind here; /* without `resolve`, the kind of the current place that "." names */
};

/* ---- rows of tables of the world ---- */

static const struct cs_column *arguments_key_of(const struct cs_table *table)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (table->columns[i].flags & CS_COLUMN_KEY)
			return &table->columns[i];
	return NULL;
}

/*
 * Returns the error for a text that names no row. It suggests the closest name in the table, else
 * the command that lists the rows, unless the advice for `code` names that command.
 */
static struct cs_error *no_row(struct session *session, const struct cs_table *table,
	enum cs_code code, const char *what, const char *text)
{
	char *close = closest_row(session, table, text), kind[32];
	snprintf(kind, sizeof(kind), "%s", what);
	for (char *at = kind; (at = strchr(at, '_'));)
		*at = ' '; /* prints "mesh_cluster" as "mesh cluster" */
	struct cs_error *error =
		cs_error_new(code, "no %s '%s'%s%s%s", kind, text, DID_YOU_MEAN(close));
	if (!close && code == CS_E_MISSING && command_is(table->name))
		error = cs_error_add(error, "; `%s` lists them", table->name);
	free(close);
	return error;
}

/* Converts a row number over all partitions to a partition and a row number in that partition. */
static void place_row(struct session *session, const struct cs_table *table, struct argument *ret)
{
	ret->partition = 0;
	ret->placed = table->locate != NULL;
	if (table->locate)
		cs_query_place_row(session->query, table, &ret->row, &ret->partition);
}

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

static struct cs_error *resolve_row(
	struct session *session, const char *table_name, const char *text, struct argument *ret)
{
	const void *source;
	const struct cs_table *table = session_table(session, table_name, &source);
	uint32_t rows[CANDIDATES] = {CS_NONE};
	size_t n = 0;
	if (!table)
		return session_no_table(session, table_name);
	if (*text == '#' && is_number(text + 1))
		return listed_row(session, table_name, text, ret);
	struct cs_error *error = cs_query_find(session->query, table, text, rows, CANDIDATES, &n);
	if (error)
		return error;
	if (n == 0 && is_number(text) && listed_names(session, NULL))
		return listed_row(session, table_name, text, ret);
	if (n == 0)
		return no_row(session, table, table->missing, table->row_name, text);
	if (n > 1)
		return ambiguous_rows(session, table, source, rows, n, text);
	ret->row = rows[0];
	place_row(session, table, ret);
	return NULL;
}

/* Returns whether the text is "." and the current place is of this kind. Sets *ret to its row. */
static bool is_here(
	const struct session *session, const char *text, enum place_kind kind, struct argument *ret)
{
	const struct place here = session->places.here;
	if (strcmp(text, ".") != 0 || kind == PLACE_NONE || here.kind != kind)
		return false;
	ret->row = here.row;
	ret->placed = kind == PLACE_CELL || kind == PLACE_ACTOR;
	ret->partition = ret->placed ? here.partition : ret->partition;
	return true;
}

/* Sets `ret` to the row of a cell or layer in the partition that commands use. */
static struct cs_error *take_partition_row(
	const struct session *session, uint32_t row, struct argument *ret)
{
	ret->row = row;
	ret->partition = session->files.partition;
	ret->placed = true;
	return NULL;
}

/* Resolves "actor NAME" to the cell that contains the actor. */
static struct cs_error *resolve_cell_of_actor(
	struct session *session, const char *text, struct argument *ret)
{
	struct cs_error *error = resolve_row(session, "actors", text + strlen("actor "), ret);
	if (error)
		return error;
	struct cs_cooked *world = cs_query_partition(session->query, ret->partition, NULL);
	ret->row = cs_cooked_actor(world, ret->row)->cell;
	error = cs_cooked_failed(world);
	if (error)
		return error;
	return ret->row == CS_NONE ? cs_error_new(CS_E_NOCELL,
					     "%s is in no cell; `explain %s` says why", text, text)
				   : NULL;
}

static struct cs_error *resolve_cell(
	struct session *session, const char *text, struct argument *ret)
{
	struct cs_vec3 point;
	if (strncmp(text, "actor ", 6) == 0)
		return resolve_cell_of_actor(session, text, ret);
	if (is_here(session, text, PLACE_CELL, ret))
		return NULL;
	if (strcmp(text, ".") == 0)
		return cs_error_new(
			CS_E_NOCELL, "there is no current cell; go to one with cd CELL");
	if (!session->world)
		return cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
	if (!parse_point(text, &point))
		return resolve_row(session, "cells", text, ret);
	uint32_t row = cs_cooked_cell_at(session->world, point);
	if (row == CS_NONE)
		return cs_error_new(CS_E_NOCELL,
			"no cell contains the point %s; `map` shows where cells are", text);
	return take_partition_row(session, row, ret);
}

static struct cs_error *resolve_actor(
	struct session *session, const char *text, struct argument *ret)
{
	if (is_here(session, text, PLACE_ACTOR, ret))
		return NULL;
	if (strncmp(text, "actor ", 6) == 0)
		text += 6;
	return resolve_row(session, "actors", text, ret);
}

static struct cs_error *resolve_layer(
	struct session *session, const char *text, struct argument *ret)
{
	if (is_here(session, text, PLACE_LAYER, ret))
		return NULL;
	struct cs_error *error = resolve_row(session, "layers", text, ret);
	unsigned long long number = is_number(text) ? strtoull(text, NULL, 10) : 0;
	if (!error || number < 1 || !session->world || number > session->world->n_layers)
		return error;
	cs_error_free(error); /* not a name, so the number is the position of a layer */
	return take_partition_row(session, (uint32_t)number - 1, ret);
}

static struct cs_error *resolve_source(
	struct session *session, const char *text, struct argument *ret)
{
	struct cs_stream *stream;
	struct cs_error *error = session_stream(session, &stream);
	return error ? error : resolve_row(session, "sources", text, ret);
}

/* ---- rows of tables of Nanite resources ---- */

/* Resolves the name of a part, such as a page. "." is the current place, if it is of this kind. */
static struct cs_error *resolve_part(struct session *session, enum place_kind kind,
	const char *table, const char *text, struct argument *ret)
{
	return is_here(session, text, kind, ret) ? NULL : resolve_row(session, table, text, ret);
}

/*
 * Returns whether the text means a cluster, not an actor. With an open resource it does if there is
 * such a cluster, if the text has the form "7:3", or if no world is open.
 */
static bool names_cluster(const struct session *session, const char *text)
{
	size_t digits = strspn(text, "0123456789:");
	const char *colon = strrchr(text, ':');
	if (cs_inspector_models(session->inspector).n == 0)
		return false;
	return cs_inspector_parse(session->inspector, CS_ROWS_CLUSTERS, text) != CS_NONE ||
	       (colon && text[digits] == '\0') || !session->world;
}

static struct cs_error *resolve_cluster(
	struct session *session, const char *text, struct argument *ret)
{
	struct argument row = {0};
	bool here = strcmp(text, ".") == 0;
	bool is_cluster =
		here ? session->places.here.kind == PLACE_CLUSTER : names_cluster(session, text);
	struct cs_error *error =
		is_cluster ? resolve_part(session, PLACE_CLUSTER, "clusters", text, &row)
			   : resolve_actor(session, text, &row);
	ret->place = (struct place){.kind = is_cluster ? PLACE_CLUSTER : PLACE_ACTOR,
		.row = row.row,
		.partition = row.partition};
	ret->placed = row.placed;
	ret->partition = row.partition;
	return error;
}

/* ---- places: locations that an argument may name ---- */

/* Returns whether the text begins with "actor ", "page " or similar, with kind and table. */
static bool begins_with_kind(const char *text, enum place_kind *kind_ret, const char **table_ret)
{
	static const struct {
		const char *word, *table;
		enum place_kind kind;
	} kinds[] = {{"actor ", "actors", PLACE_ACTOR}, {"page ", "pages", PLACE_PAGE},
		{"cluster ", "clusters", PLACE_CLUSTER}, {"group ", "groups", PLACE_GROUP},
		{"node ", "nodes", PLACE_NODE}};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strncmp(text, kinds[i].word, strlen(kinds[i].word)) != 0)
			continue;
		*kind_ret = kinds[i].kind;
		*table_ret = kinds[i].table;
		return true;
	}
	return false;
}

/* Replaces an E_NOCELL that suggests no name by an error that suggests the closest actor. */
static struct cs_error *or_close_actor(struct session *session, const struct cs_table *actors,
	const char *text, struct cs_error *error)
{
	if (error->code != CS_E_NOCELL || strstr(error->message, "did you mean"))
		return error;
	cs_error_free(error);
	return no_row(session, actors, CS_E_NOCELL, "cell or actor", text);
}

/* Resolves a text as the name of an actor, not a cell. Returns `error` if no actor has it. */
static struct cs_error *or_actor(
	struct session *session, const char *text, struct cs_error *error, struct place *ret)
{
	const void *source;
	const struct cs_table *actors = session_table(session, "actors", &source);
	uint32_t rows[CANDIDATES] = {CS_NONE};
	size_t n = 0;
	if (!actors)
		return error;
	struct cs_error *unread = cs_query_find(session->query, actors, text, rows, CANDIDATES, &n);
	if (!unread && n == 0)
		return or_close_actor(session, actors, text, error);
	cs_error_free(error);
	if (unread)
		return unread;
	if (n > 1)
		return ambiguous_rows(session, actors, source, rows, n, text);
	*ret = (struct place){.kind = PLACE_ACTOR, .row = rows[0]};
	cs_query_place_row(session->query, actors, &ret->row, &ret->partition);
	return NULL;
}

struct cs_error *place_resolve(struct session *session, const char *text, struct place *ret)
{
	struct argument row = {.partition = session->files.partition};
	struct place place = {0};
	struct cs_error *error = NULL;
	const char *table;
	if (strcmp(text, ".") == 0) {
		if (session->places.here.kind == PLACE_NONE)
			return cs_error_new(
				CS_E_USAGE, "there is no current position; cd WHERE sets it");
		*ret = session->places.here;
		return NULL;
	}
	if (begins_with_kind(text, &place.kind, &table)) {
		error = resolve_row(session, table, strchr(text, ' ') + 1, &row);
	} else if (is_number(text + (*text == '#')) && listed_names(session, "actors")) {
		place.kind = PLACE_ACTOR;
		error = resolve_row(session, "actors", text, &row);
	} else if (parse_point(text, &place.point)) {
		place.kind = PLACE_POINT;
	} else {
		place.kind = PLACE_CELL;
		error = resolve_cell(session, text, &row);
	}
	if (place.kind != PLACE_POINT)
		place.row = row.row;
	place.partition = row.partition;
	if (error && place.kind == PLACE_CELL && error->code == CS_E_NOCELL)
		error = or_actor(session, text, error, &place);
	if (!error)
		*ret = place;
	return error;
}

static struct cs_error *resolve_point(
	struct session *session, const char *text, struct argument *ret)
{
	struct place place = {0};
	if (!is_place_name(text))
		return NULL;
	struct cs_error *error = place_resolve(session, text, &place);
	return error ? error : session_point_of(session, place, &ret->point);
}

/* Resolves a row by name or by its position in the last listing. Returns `error` on failure. */
static struct cs_error *or_row(struct session *session, enum place_kind kind, const char *table,
	const char *text, struct cs_error *error, struct place *ret)
{
	struct argument row = {.partition = session->files.partition};
	struct cs_error *unfound = resolve_row(session, table, text, &row);
	if (unfound) {
		cs_error_free(unfound);
		return error;
	}
	cs_error_free(error);
	*ret = (struct place){.kind = kind, .row = row.row, .partition = row.partition};
	return NULL;
}

/* Finds the cell of a level by its package name in a recorded run. Returns `error` on failure. */
static struct cs_error *or_real_level(
	struct session *session, const char *text, struct cs_error *error, struct place *ret)
{
	const struct cs_parameter level = {.name = "level", .value = cs_text(text)};
	struct cs_result *result;
	struct cs_error *unfound = cs_query_select(session->query,
		"SELECT cell FROM run_cells WHERE level = $level LIMIT 1",
		(struct cs_parameters){&level, 1}, &result);
	if (!unfound && cs_result_rows(result) > 0) {
		cs_error_free(error);
		error = place_resolve(session, cs_result_value(result, 0, 0).text, ret);
	}
	if (!unfound)
		cs_result_free(result);
	cs_error_free(unfound);
	return error;
}

/*
 * Resolves a name that is ambiguous because several open worlds have it, to the object in the first
 * world in which it names exactly one; the command then answers for every world in which it does.
 * Returns `error` if there is no such world.
 */
static struct cs_error *or_in_first_world(
	struct session *session, const char *text, struct cs_error *error, struct place *ret)
{
	bool found = false;
	for (uint32_t i = 0; !found && i < cs_query_partitions(session->query); i++) {
		session_focus(session, i);
		struct cs_error *unfound = place_resolve(session, text, ret);
		found = !unfound;
		cs_error_free(unfound);
	}
	session_focus(session, CS_NONE);
	if (!found)
		return error;
	cs_error_free(error);
	return NULL;
}

/*
 * Resolves the name of a cluster or page of an open resource. On failure returns `error`, or if
 * that only says that no world is open, an error about the name.
 */
static struct cs_error *or_part(
	struct session *session, const char *text, struct cs_error *error, struct place *ret)
{
	if (error->code == CS_E_NOTOPEN) {
		cs_error_free(error);
		error = cs_error_new(CS_E_MISSING,
			"no page or cluster '%s'; `pages` and `clusters` list them", text);
	}
	return cs_inspector_parse(session->inspector, CS_ROWS_CLUSTERS, text) != CS_NONE
		       ? or_row(session, PLACE_CLUSTER, "clusters", text, error, ret)
		       : or_row(session, PLACE_PAGE, "pages", text, error, ret);
}

/* Tries a layer of the last listing, then a location, a layer by name, and a page or cluster. */
static struct cs_error *resolve_anything(
	struct session *session, const char *text, struct argument *ret)
{
	if (is_number(text + (*text == '#')) && listed_names(session, "layers"))
		return or_row(session, PLACE_LAYER, "layers", text,
			cs_error_new(CS_E_UNKNOWN, "the last listing has no layer in row %s", text),
			&ret->place);
	struct cs_error *error = place_resolve(session, text, &ret->place);
	const enum cs_code code = error ? error->code : CS_E_USAGE;
	if (code == CS_E_AMBIGUOUS && session->files.beside.n > 0 &&
		cs_query_focused(session->query) == CS_NONE)
		error = or_in_first_world(session, text, error, &ret->place);
	if (session->world && (code == CS_E_NOCELL || code == CS_E_UNKNOWN))
		error = or_row(session, PLACE_LAYER, "layers", text, error, &ret->place);
	if (error && session->world && (code == CS_E_NOCELL || code == CS_E_UNKNOWN))
		error = or_real_level(session, text, error, &ret->place);
	if (error && cs_inspector_models(session->inspector).n > 0)
		error = or_part(session, text, error, &ret->place);
	ret->placed = ret->place.kind == PLACE_CELL || ret->place.kind == PLACE_ACTOR;
	ret->partition = ret->place.partition;
	return error;
}

static struct cs_error *resolve_where(
	struct session *session, const char *text, struct argument *ret)
{
	struct cs_error *error = place_resolve(session, text, &ret->place);
	ret->placed = ret->place.kind == PLACE_CELL || ret->place.kind == PLACE_ACTOR;
	ret->partition = ret->place.partition;
	return error;
}

/* ---- completion of arguments ---- */

static size_t shared_bytes(const char *left, const char *right)
{
	size_t n = 0;
	while (left[n] && left[n] == right[n])
		n++;
	return n;
}

/*
 * Counts a candidate for which there is no room. The last of those with room is the one that shares
 * least with the first, so what all of them share, which is typed for the user, all others do, too.
 */
static void leave_out(struct candidates *candidates, const char *text)
{
	const char *first = candidates->at.at[0];
	char **last = &candidates->at.at[MOST_CANDIDATES - 1];
	candidates->more++;
	if (shared_bytes(first, text) >= shared_bytes(first, *last))
		return;
	char *copy = strdup(text);
	candidates->failed |= !copy;
	if (copy) {
		free(*last);
		*last = copy;
	}
}

void candidates_add(struct candidates *candidates, const char *text)
{
	if (candidates->at.n >= MOST_CANDIDATES) {
		leave_out(candidates, text);
		return;
	}
	char *copy = strdup(text);
	if (!copy || !cs_vec_push(&candidates->at, copy)) {
		free(copy);
		candidates->failed = true;
	}
}

void candidates_free(struct candidates *candidates)
{
	for (size_t i = 0; i < candidates->at.n; i++)
		free(candidates->at.at[i]);
	cs_vec_free(&candidates->at);
}

void candidates_add_matching(struct candidates *candidates, const char *prefix, const char *text)
{
	if (strncasecmp(text, prefix, strlen(prefix)) == 0)
		candidates_add(candidates, text);
}

static void add_quoted(struct candidates *candidates, const char *text)
{
	char *quoted = quote_word(text);
	if (quoted)
		candidates_add(candidates, quoted);
	free(quoted);
}

static int arguments_by_name(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

/* Adds files that complete a path; not for readline, which completes file names itself. */
static void complete_file(struct session *session, const struct argument_spec *spec,
	const char *prefix, struct candidates *candidates)
{
	const size_t folder = (size_t)(base_name(prefix) - prefix);
	char *path = folder ? strndup(prefix, folder) : strdup(".");
	struct dirent **entries;
	int n = path && candidates->lists_files ? scandir(path, &entries, NULL, arguments_by_name)
						: 0;
	(void)session;
	(void)spec;
	candidates->files = !candidates->lists_files;
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		char *text;
		bool hidden = *name == '.' && prefix[folder] != '.';
		if (!hidden && strncmp(name, prefix + folder, strlen(prefix + folder)) == 0 &&
			asprintf(&text, "%.*s%s%s", (int)folder, prefix, name,
				entries[i]->d_type == DT_DIR ? "/" : "") >= 0) {
			add_quoted(candidates, text);
			free(text);
		}
		free(entries[i]);
	}
	if (n > 0)
		free(entries);
	free(path);
}

/* Returns name `index` of those that complete an argument of this type, or NULL after the last. */
static const char *completing_name(
	const struct session *session, const struct argument_spec *spec, size_t index)
{
	const void *source;
	size_t n;
	switch (spec->type) {
	case ARGUMENT_CHOICE:
		return spec->choices[index];
	case ARGUMENT_CODE:
		cs_words(CS_WORDS_CODE, &n);
		return index < n ? cs_word(CS_WORDS_CODE, (unsigned)index)->name : NULL;
	case ARGUMENT_COMMAND:
		if (index < n_commands)
			return commands[index]->name;
		return index - n_commands < n_topics ? topics[index - n_commands].name : NULL;
	case ARGUMENT_SETTING:
		return index < SETTINGS ? setting_specs[index].name : NULL;
	case ARGUMENT_VARIABLE:
		cs_stream_variables(&n);
		return index < n ? cs_stream_variables(&n)[index].name : NULL;
	case ARGUMENT_PRIORITY:
		return priority_name(index);
	case ARGUMENT_EVENT:
		return index < CS_MOMENTS ? cs_word(CS_WORDS_MOMENT, (unsigned)index)->name : NULL;
	case ARGUMENT_TABLE:
		return index < cs_query_tables(session->query)
			       ? cs_query_table(session->query, index, &source)->name
			       : NULL;
	default:
		return NULL;
	}
}

static void complete_by_name(struct session *session, const struct argument_spec *spec,
	const char *prefix, struct candidates *candidates)
{
	const char *name;
	for (size_t i = 0; (name = completing_name(session, spec, i)); i++)
		candidates_add_matching(candidates, prefix, name);
}

struct row_names {
	struct candidates *candidates;
	const char *prefix;
	/* for cells, the world, whose name a cell's name may omit (NULL for other rows) */
	const struct cs_cooked *world;
};

static void add_row_name(void *context, const char *text, size_t size)
{
	const struct row_names *names = context;
	(void)size;
	if (names->world && strncasecmp(text, names->prefix, strlen(names->prefix)) != 0)
		text = cs_cooked_short_name(names->world, text);
	if (strncasecmp(text, names->prefix, strlen(names->prefix)) == 0)
		add_quoted(names->candidates, text);
}

/* Adds the first key column's values that begin with `prefix` as candidates, quoted if needed. */
static void complete_rows(struct session *session, const char *name, const char *prefix,
	struct candidates *candidates)
{
	const void *source;
	const struct cs_table *table = session_table(session, name, &source);
	const struct cs_column *key = table ? arguments_key_of(table) : NULL;
	const bool are_cells = strcmp(name, "cells") == 0;
	struct row_names names = {candidates, prefix, are_cells ? session->world : NULL};
	if (key)
		cs_error_free(cs_query_texts(session->query, table, key, add_row_name, &names));
}

/*
 * Adds names of levels from recorded runs (table run_cells). Adds none for an empty prefix, for
 * which the names of cells suffice.
 */
static void complete_real_levels(
	struct session *session, const char *prefix, struct candidates *candidates)
{
	struct cs_result *result;
	struct cs_error *error =
		*prefix ? cs_query_select(session->query, "SELECT DISTINCT level FROM run_cells",
				  (struct cs_parameters){0}, &result)
			: NULL;
	for (size_t i = 0; *prefix && !error && i < cs_result_rows(result); i++) {
		const struct cs_value level = cs_result_value(result, i, 0);
		if (level.kind == CS_KIND_TEXT &&
			strncasecmp(level.text, prefix, strlen(prefix)) == 0)
			add_quoted(candidates, level.text);
	}
	if (*prefix && !error)
		cs_result_free(result);
	cs_error_free(error);
}

/* Adds the names that resolve_anything() accepts, beginning with the names in small tables. */
static void complete_anything(struct session *session, const struct argument_spec *spec,
	const char *prefix, struct candidates *candidates)
{
	static const char *const tables[] = {"layers", "cells", "actors", "pages", "clusters"};
	(void)spec;
	for (size_t i = 0; i < CS_COUNT_OF(tables); i++)
		complete_rows(session, tables[i], prefix, candidates);
	complete_real_levels(session, prefix, candidates);
}

/* ---- table of argument types ---- */

static const struct kind kinds[ARGUMENT_TYPES] = {
	[ARGUMENT_WORD] = {0},
	[ARGUMENT_NAME] = {0},
	[ARGUMENT_FILE] = {.complete = complete_file},
	[ARGUMENT_OUTPUT] = {.complete = complete_file},
	[ARGUMENT_WHOLE] = {.check = value_whole},
	[ARGUMENT_SCALE] = {.check = value_scale},
	[ARGUMENT_NUMBER] = {.check = value_number},
	[ARGUMENT_POINT] = {.place = true, .check = value_point, .resolve = resolve_point},
	[ARGUMENT_CHOICE] = {.check = value_choice, .complete = complete_by_name},
	[ARGUMENT_CODE] = {.check = value_code, .complete = complete_by_name},
	[ARGUMENT_RANGE] = {.check = value_range},
	[ARGUMENT_SWEEP] = {.check = value_sweep},
	[ARGUMENT_LENGTHS] = {.check = value_lengths},
	[ARGUMENT_EXTENT] = {.check = value_extent},
	[ARGUMENT_SPOT] = {.check = value_spot},
	[ARGUMENT_COLOUR] = {.check = value_colour},
	[ARGUMENT_PRIORITY] = {.check = value_priority, .complete = complete_by_name},
	[ARGUMENT_COMMAND] = {.complete = complete_by_name},
	[ARGUMENT_SETTING] = {.complete = complete_by_name},
	[ARGUMENT_TABLE] = {.complete = complete_by_name},
	[ARGUMENT_KEYS] = {.check = value_some},
	[ARGUMENT_CELL] = {.place = true, .resolve = resolve_cell, .table = "cells"},
	[ARGUMENT_ACTOR] = {.place = true, .resolve = resolve_actor, .table = "actors"},
	[ARGUMENT_LAYER] = {.resolve = resolve_layer, .table = "layers"},
	[ARGUMENT_GRID] = {.table = "grids"},
	[ARGUMENT_SOURCE] = {.resolve = resolve_source, .table = "sources"},
	[ARGUMENT_VARIABLE] = {.complete = complete_by_name},
	[ARGUMENT_EVENT] = {.complete = complete_by_name},
	[ARGUMENT_PARTITION] = {.table = "partitions"},
	[ARGUMENT_WHERE] = {.place = true, .resolve = resolve_where, .table = "cells"},
	[ARGUMENT_ANYTHING] = {.place = true,
		.resolve = resolve_anything,
		.complete = complete_anything},
	[ARGUMENT_RESOURCE] = {.table = "resources"},
	[ARGUMENT_PAGE] = {.here = PLACE_PAGE, .table = "pages"},
	[ARGUMENT_CLUSTER] = {.resolve = resolve_cluster, .table = "clusters"},
	[ARGUMENT_GROUP_OF_CLUSTERS] = {.here = PLACE_GROUP, .table = "groups"},
	[ARGUMENT_NODE] = {.here = PLACE_NODE, .table = "nodes"},
	[ARGUMENT_EXPRESSION] = {.raw = true, .check = value_some},
	[ARGUMENT_FILTER] = {.raw = true, .check = value_some},
	[ARGUMENT_STATEMENT] = {.raw = true},
	[ARGUMENT_LINE] = {.raw = true},
};

bool argument_is_place(enum argument_type type)
{
	return kinds[type].place;
}

bool is_field_path(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
	return n > 0 && !isdigit((unsigned char)*text) && text[n] && strchr("[.", text[n]) &&
	       !strpbrk(text + n, "()+*/<>='\"$");
}

/* An ARGUMENT_FIELD_PATH is raw (takes the rest of the line) unless it begins with a field path. */
bool argument_is_raw(enum argument_type type, const char *text)
{
	if (type == ARGUMENT_FIELD_PATH) {
		char first[256];
		snprintf(first, sizeof(first), "%.*s", (int)strcspn(text, " \t"), text);
		return !is_field_path(first);
	}
	return kinds[type].raw;
}

struct cs_error *argument_check(const struct argument_spec *spec, const struct word *word)
{
	struct argument ignored;
	if (!kinds[spec->type].check || (!kinds[spec->type].raw && word_has_variable(word)))
		return NULL; /* a word with a variable is checked when the line runs */
	struct cs_error *error = kinds[spec->type].check(spec, word->text, &ignored);
	if (error)
		cs_error_move(error, word->at);
	return error;
}

struct cs_error *argument_resolve(struct session *session, const struct argument_spec *spec,
	const char *text, struct argument *ret)
{
	const struct kind *kind = &kinds[spec->type];
	struct argument argument = {.given = true, .text = text};
	struct cs_error *error = NULL;
	if (kind->check)
		error = kind->check(spec, text, &argument);
	if (!error && kind->resolve)
		error = kind->resolve(session, text, &argument);
	else if (!error && kind->table)
		error = resolve_part(session, kind->here, kind->table, text, &argument);
	if (!error)
		*ret = argument;
	return error;
}

void argument_complete(struct session *session, const struct argument_spec *spec,
	const char *prefix, struct candidates *candidates)
{
	const struct kind *kind = &kinds[spec->type];
	if (kind->complete)
		kind->complete(session, spec, prefix, candidates);
	if (kind->table)
		complete_rows(session, kind->table, prefix, candidates);
	if (spec->complete)
		spec->complete(prefix, candidates);
}
