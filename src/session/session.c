/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the state of a session: its world, variables, definitions, current place and style. */
#include "src/session/session.h"

#include "src/session/environment.h"
#include "src/session/progress.h"
#include "src/session/script/bless.h"
#include "src/session/script/junit.h"

#include <cellscope/compare.h>

#include <string.h>
#include <unistd.h>

/* Erases the progress line before a command prints. */
static void clear_progress(void *session)
{
	progress_end(session);
}

/* Creates a query over tables of open resources and recorded runs, and of `world` if not NULL. */
static struct cs_error *fresh_query(
	struct session *session, struct cs_cooked *world, struct cs_query **ret)
{
	struct cs_query *query;
	struct cs_error *error = cs_query_new(&query);
	if (error)
		return error;
	error = cs_query_add_nanite(query, session->inspector);
	if (!error)
		error = cs_real_add_tables(query, session->real);
	if (!error && world)
		error = cs_query_add_cooked(query, world);
	if (error)
		cs_query_free(query);
	else
		*ret = query;
	return error;
}

struct cs_error *session_new(struct session **ret)
{
	struct session *session = calloc(1, sizeof(*session));
	if (!session)
		return cs_error_nomem();
	settings_init(&session->settings);
	session->bounds.limits = cs_limits_default();
	session->view = (struct view){.sources = true, .legend = true};
	session->job = progress_job(session);
	stream_sink_init(&session->channels.out, steady_output(), STDOUT_FILENO);
	stream_sink_init(&session->channels.err, steady_errors(), STDERR_FILENO);
	session->channels.out.before = clear_progress;
	session->channels.out.context = session;
	record_init(&session->record);
	struct cs_error *error = cs_inspector_new(&session->inspector);
	if (!error)
		error = cs_real_new(&session->real);
	if (!error)
		error = fresh_query(session, NULL, &session->query);
	if (error) {
		cs_real_free(session->real);
		cs_inspector_free(session->inspector);
		free(session);
	} else {
		*ret = session;
	}
	return error;
}

static void free_variable(struct cs_parameter *variable)
{
	free((char *)variable->name);
	if (variable->value.kind == CS_KIND_TEXT)
		free((char *)variable->value.text);
}

void opened_close(struct opened *opened)
{
	cs_cooked_close(opened->world);
	free(opened->bytes);
	cs_world_free(opened->source);
	cs_ue_place_close(opened->place);
	*opened = (struct opened){0};
}

struct named_path *session_path(struct session *session, const char *name)
{
	for (size_t i = 0; i < session->run.paths.n; i++)
		if (strcmp(session->run.paths.at[i].name, name) == 0)
			return &session->run.paths.at[i];
	return NULL;
}

struct cs_error *session_keep_path(struct session *session, struct cs_path *path, char *name)
{
	struct named_path *old = name ? session_path(session, name) : NULL;
	if (old) {
		cs_path_free(old->path);
		old->path = path;
		free(name);
		return NULL;
	}
	const struct named_path named = {name, path};
	if (name && cs_vec_push(&session->run.paths, named))
		return NULL;
	cs_path_free(path);
	free(name);
	return cs_error_nomem();
}

struct cs_error *session_no_path(const char *name)
{
	return cs_error_new(CS_E_MISSING, "no path '%s'; `info paths` lists them", name);
}

void path_recording_drop(struct path_recording *recording)
{
	cs_path_free(recording->path);
	free(recording->file);
	*recording = (struct path_recording){0};
}

/* Returns whether a place remains without `closed`. Lowers its row if earlier rows are gone. */
typedef bool place_stays(const void *closed, struct place *place);

static bool is_nowhere(const void *closed, struct place *place)
{
	(void)closed;
	(void)place;
	return false;
}

/* Forgets the marks and the current place for which stays() returns false, and the whole trail. */
static void forget_places(struct places *places, place_stays *stays, const void *closed)
{
	size_t marks = 0;
	for (size_t i = 0; i < places->marks.n; i++) {
		if (stays(closed, &places->marks.at[i].place))
			places->marks.at[marks++] = places->marks.at[i];
		else
			free(places->marks.at[i].name);
	}
	places->marks.n = marks;
	places->trail.n = places->trail_at = 0;
	if (!stays(closed, &places->here))
		places->here = (struct place){0};
}

static bool is_in_kept_partition(const void *kept, struct place *place)
{
	return (place->kind != PLACE_CELL && place->kind != PLACE_ACTOR) ||
	       place->partition < *(const uint32_t *)kept;
}

void session_end_stream(struct session *session)
{
	cs_query_show(session->query, NULL, NULL);
	cs_debug_free(session->run.debug);
	cs_stream_free(session->run.stream);
	session->run.debug = NULL;
	session->run.stream = NULL;
	session_end_pages(session);
	path_recording_drop(&session->run.recording);
	if (session->run.parts.n) {
		const uint32_t kept =
			(uint32_t)(cs_query_partitions(session->query) - session->run.parts_shown);
		cs_query_drop_partitions(session->query, kept);
		listed_forget(session);
		forget_places(&session->places, is_in_kept_partition, (void *)&kept);
	}
	session->run.parts_shown = 0;
	for (size_t i = 0; i < session->run.parts.n; i++)
		opened_close(&session->run.parts.at[i]);
	session->run.parts.n = 0;
}

void session_focus(struct session *session, uint32_t partition)
{
	cs_query_focus(session->query, partition);
	session->files.partition = partition == CS_NONE ? 0 : partition;
	/* the empty world of a run that only streams pages is not shown */
	session->world =
		!session->files.bare.world && cs_query_partitions(session->query)
			? cs_query_partition(session->query, session->files.partition, NULL)
			: NULL;
}

const char *session_shown_path(const struct session *session)
{
	if (!session->world)
		return session->files.path;
	const char *path = cs_file_info(session->world->file).name;
	return strcmp(path, cs_file_info(session->files.opened.world->file).name) == 0
		       ? session->files.path
		       : path;
}

struct cs_error *session_add_partition(struct session *session, struct opened opened,
	const struct cs_stream_instance *instance, uint32_t *ret)
{
	struct cs_stream *stream = NULL;
	struct cs_error *error = session_stream(session, &stream);
	if (!error && !cs_vec_push(&session->run.parts, opened))
		error = cs_error_nomem();
	if (error) {
		opened_close(&opened);
		return error;
	}
	error = cs_stream_add_world(stream, opened.world, instance, &session->job, ret);
	if (!error)
		error = cs_query_add_partition(
			session->query, opened.world, cs_stream_world(stream, *ret).name);
	session->run.parts_shown += !error;
	return error;
}

struct cs_error *session_show_beside(struct session *session, struct opened opened)
{
	session_end_stream(session);
	const size_t kept = cs_query_partitions(session->query);
	struct cs_error *error = cs_query_add_partition(session->query, opened.world, NULL);
	if (!error && !cs_vec_push(&session->files.beside, opened))
		error = cs_error_nomem();
	if (!error)
		return NULL;
	cs_query_drop_partitions(session->query, kept);
	opened_close(&opened);
	return error;
}

static struct cs_error *begin_stream(struct session *session)
{
	if (session->files.beside.n)
		return cs_error_new(CS_E_USAGE,
			"a run needs one world, but %zu are open: open only one of them",
			session->files.beside.n + 1);
	struct cs_stream_options options = {.size = sizeof(options),
		.role = session->run.role,
		.initial = session->run.initials.at,
		.n_initial = session->run.initials.n};
	/* the main world; session->world may be one of its level instances, selected by -P */
	const struct cs_cooked *world = session->files.opened.world;
	struct cs_error *error = world ? NULL : session_bare_world(session);
	if (!error)
		error = session_begin_pages(session, &options.companion);
	if (!error)
		error = cs_stream_new(world ? world : session->files.bare.world, &options,
			&session->job, &session->run.stream);
	if (error)
		session_end_pages(session);
	else
		cs_query_show(session->query, session->run.stream, session->run.pager);
	return error;
}

struct cs_error *session_stream(struct session *session, struct cs_stream **ret)
{
	if (!session->world && cs_inspector_models(session->inspector).n == 0)
		return cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
	struct cs_error *error = session->run.stream ? NULL : begin_stream(session);
	if (!error)
		*ret = session->run.stream;
	return error;
}

struct cs_error *session_set_initial(
	struct session *session, const char *layer, enum cs_layer_state state)
{
	for (size_t i = 0; i < session->run.initials.n; i++)
		if (cs_name_compare(session->run.initials.at[i].layer, layer) == 0) {
			session->run.initials.at[i].state = state;
			return NULL;
		}
	char *copy = strdup(layer);
	if (!copy ||
		!cs_vec_push(&session->run.initials, (struct cs_stream_initial){copy, state})) {
		free(copy);
		return cs_error_nomem();
	}
	return NULL;
}

struct cs_error *session_debug(struct session *session, struct cs_debug **ret)
{
	struct cs_stream *stream = NULL;
	struct cs_error *error = session_stream(session, &stream);
	if (!error && !session->run.debug)
		error = cs_debug_new(stream, session->query, &session->run.debug);
	if (!error)
		*ret = session->run.debug;
	return error;
}

/* Closes all worlds and forgets places in them. The caller has freed the query that reads them. */
static void drop_world(struct session *session)
{
	for (size_t i = 0; i < session->run.initials.n; i++)
		free((char *)session->run.initials.at[i].layer);
	session->run.initials.n = 0;
	opened_close(&session->files.opened);
	opened_close(&session->files.bare);
	while (session->files.beside.n)
		opened_close(&session->files.beside.at[--session->files.beside.n]);
	free(session->files.path);
	free(session->files.map);
	session->world = NULL;
	session->files.path = session->files.map = NULL;
	session->files.is_recooked = false;
	forget_places(&session->places, is_nowhere, NULL);
	listed_forget(session);
}

static void free_view(struct view *view)
{
	free(view->layer_filter);
	free(view->grid_filter);
	free(view->status_filter);
	free(view->name_filter);
}

void session_free(struct session *session)
{
	if (!session)
		return;
	session_end_stream(session);
	cs_query_free(session->query);
	cs_follow_close(session->run.follow);
	cs_real_free(session->real);
	cs_inspector_free(session->inspector);
	drop_world(session);
	cs_vec_free(&session->files.beside);
	cs_vec_free(&session->run.parts);
	cs_vec_free(&session->run.initials);
	for (size_t i = 0; i < session->run.paths.n; i++) {
		free(session->run.paths.at[i].name);
		cs_path_free(session->run.paths.at[i].path);
	}
	cs_vec_free(&session->run.paths);
	free_view(&session->view);
	cs_vec_free(&session->block.lines);
	cs_vec_free(&session->block.whole);
	free(session->block.head);
	free(session->block.name);
	definitions_free(&session->words.procedures);
	definitions_free(&session->words.definitions);
	definitions_free(&session->words.aliases);
	for (size_t i = 0; i < session->words.variables.n; i++)
		free_variable(&session->words.variables.at[i]);
	cs_vec_free(&session->words.variables);
	cs_vec_free(&session->places.trail);
	cs_vec_free(&session->places.marks);
	listed_free(session);
	if (session->display.screen)
		session->display.watcher->free(session->display.screen);
	free(session->words.repeat_line);
	bless_free(session);
	junit_free(session);
	if (session->channels.transcript)
		fclose(session->channels.transcript);
	free(session->channels.transcript_path);
	record_deinit(&session->record);
	free(session);
}

/* ---- opening and closing worlds ---- */

/* Ends the run, closes the worlds, and replaces the session's query object by `query`. */
static void close_world(struct session *session, struct cs_query *query)
{
	session_end_stream(session);
	cs_query_free(session->query);
	session->query = query;
	drop_world(session);
}

struct cs_error *session_show(struct session *session, struct opened opened, const char *path)
{
	struct cs_query *query = NULL;
	char *copy = strdup(path);
	struct cs_error *error =
		copy ? fresh_query(session, opened.world, &query) : cs_error_nomem();
	if (error) {
		opened_close(&opened);
		free(copy);
		return error;
	}
	close_world(session, query);
	session->files.opened = opened;
	session->world = opened.world;
	session->files.path = copy;
	return NULL;
}

struct cs_error *session_close(struct session *session)
{
	struct cs_query *query;
	struct cs_error *error = fresh_query(session, NULL, &query);
	if (error)
		return error;
	close_world(session, query);
	return NULL;
}

const struct cs_table *session_table(
	struct session *session, const char *name, const void **source_ret)
{
	return cs_query_table_named(session->query, name, source_ret);
}

struct cs_error *session_no_table(struct session *session, const char *name)
{
	return session->world
		       ? cs_error_new(CS_E_SQL, "no table '%s'; `info tables` lists them", name)
		       : cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
}

/* ---- Nanite resources ---- */

struct cs_error *session_add_resource(struct session *session, struct cs_model *model)
{
	return session_add_resources(session, &model, 1);
}

struct cs_error *session_add_resources(struct session *session, struct cs_model **models, size_t n)
{
	struct cs_error *error = NULL;
	session_end_stream(session);
	for (size_t i = 0; i < n; i++) {
		if (!error)
			error = cs_inspector_add(session->inspector, models[i]);
		else
			cs_model_free(models[i]);
	}
	cs_query_nanite_changed(session->query);
	return error;
}

const struct place_part place_parts[PLACE_LAYER + 1] = {
	[PLACE_PAGE] = {"page", CS_ROWS_PAGES},
	[PLACE_CLUSTER] = {"cluster", CS_ROWS_CLUSTERS},
	[PLACE_GROUP] = {"group", CS_ROWS_GROUPS},
	[PLACE_NODE] = {"node", CS_ROWS_SLOTS},
};

/* Rows of a closed resource in the tables over all resources. */
struct closed_rows {
	size_t first[CS_MODEL_ROWS], end[CS_MODEL_ROWS];
};

static struct closed_rows rows_of_resource(const struct cs_inspector *inspector, uint32_t resource)
{
	struct closed_rows rows;
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++) {
		rows.first[kind] = cs_inspector_first(inspector, (enum cs_model_row)kind, resource);
		rows.end[kind] =
			cs_inspector_first(inspector, (enum cs_model_row)kind, resource + 1);
	}
	return rows;
}

/* Returns whether a place is outside the closed resource; lowers row numbers of later resources. */
static bool is_in_open_resource(const void *closed, struct place *place)
{
	const struct closed_rows *rows = closed;
	const enum cs_model_row kind = place_parts[place->kind].rows;
	if (!place_parts[place->kind].word || place->row < rows->first[kind])
		return true;
	if (place->row < rows->end[kind])
		return false;
	place->row -= (uint32_t)(rows->end[kind] - rows->first[kind]);
	return true;
}

void session_close_resource(struct session *session, uint32_t resource)
{
	const struct closed_rows closed = rows_of_resource(session->inspector, resource);
	session_end_stream(session);
	cs_inspector_remove(session->inspector, resource);
	cs_query_nanite_changed(session->query);
	forget_places(&session->places, is_in_open_resource, &closed);
}

/* ---- names and values in lines ---- */

struct cs_parameters session_variables(const struct session *session)
{
	return (struct cs_parameters){session->words.variables.at, session->words.variables.n};
}

struct cs_error *session_is_true(struct session *session, const char *expression, bool *ret)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_evaluate(
		session->query, expression, NULL, session_variables(session), &result);
	if (error)
		return error;
	const struct cs_value value = cs_result_value(result, 0, 0);
	*ret = cs_value_is_true(&value);
	cs_result_free(result);
	return NULL;
}

struct cs_error *session_set_variable(
	struct session *session, const char *name, const struct cs_value *value)
{
	struct cs_parameter variable = {strdup(name), *value};
	bool is_text = value->kind == CS_KIND_TEXT;
	if (is_text)
		variable.value.text = strdup(value->text);
	if (!variable.name || (is_text && !variable.value.text)) {
		free_variable(&variable);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < session->words.variables.n; i++) {
		if (strcmp(session->words.variables.at[i].name, name) == 0) {
			free_variable(&session->words.variables.at[i]);
			session->words.variables.at[i] = variable;
			return NULL;
		}
	}
	if (cs_vec_push(&session->words.variables, variable))
		return NULL;
	free_variable(&variable);
	return cs_error_nomem();
}

struct cs_error *session_take_arguments(struct session *session, parameter_list *ret)
{
	parameter_list *from = &session->words.variables;
	size_t kept = 0;
	if (!cs_vec_reserve(ret, from->n))
		return cs_error_nomem();
	for (size_t i = 0; i < from->n; i++) {
		const char *name = from->at[i].name;
		if (strcmp(name, "argc") == 0 || name[strspn(name, "0123456789")] == '\0')
			ret->at[ret->n++] = from->at[i];
		else
			from->at[kept++] = from->at[i];
	}
	from->n = kept;
	return NULL;
}

struct cs_error *session_give_arguments(struct session *session, parameter_list *outer)
{
	parameter_list inner = {0};
	struct cs_error *error = session_take_arguments(session, &inner);
	for (size_t i = 0; i < inner.n; i++)
		free_variable(&inner.at[i]);
	if (!error && !cs_vec_append(&session->words.variables, outer->at, outer->n))
		error = cs_error_nomem();
	for (size_t i = 0; error && i < outer->n; i++)
		free_variable(&outer->at[i]);
	cs_vec_free(&inner);
	cs_vec_free(outer);
	return error;
}

struct cs_error *session_set_argument(struct session *session, size_t number, const char *text)
{
	char name[24];
	struct cs_value value = cs_text(text);
	const struct cs_parameter parameter = {"text", value};
	struct cs_result *result;
	snprintf(name, sizeof(name), "%zu", number);
	struct cs_error *error = cs_query_evaluate(session->query,
		"CASE CAST(CAST($text AS NUMERIC) AS TEXT) WHEN $text THEN CAST($text AS NUMERIC) "
		"ELSE $text END",
		NULL, (struct cs_parameters){&parameter, 1}, &result);
	if (error)
		return error;
	value = cs_result_value(result, 0, 0);
	error = session_set_variable(session, name, &value);
	cs_result_free(result);
	return error;
}

struct parse_context session_parse_context(const struct session *session)
{
	return (struct parse_context){&session->words.definitions, &session->words.aliases};
}

/* ---- the current place ---- */

bool session_is_on_trail(const struct session *session)
{
	const struct places *places = &session->places;
	if (places->trail.n == 0)
		return false;
	const struct place *at = &places->trail.at[places->trail_at], *here = &places->here;
	return at->kind == here->kind && at->row == here->row && at->partition == here->partition &&
	       at->point.x == here->point.x && at->point.y == here->point.y &&
	       at->point.z == here->point.z;
}

struct cs_error *session_go(struct session *session, struct place place)
{
	enum { LONGEST_TRAIL = 1000 };
	if (session->places.trail.n >= LONGEST_TRAIL)
		session->places.trail.n = session->places.trail_at = 0;
	if (session->places.trail.n > session->places.trail_at + 1)
		/* drops the places that `forward` could have reached */
		session->places.trail.n = session->places.trail_at + 1;
	if (session->places.here.kind != PLACE_NONE && !session_is_on_trail(session) &&
		!cs_vec_push(&session->places.trail, session->places.here))
		return cs_error_nomem();
	if (!cs_vec_push(&session->places.trail, place))
		return cs_error_nomem();
	session->places.trail_at = session->places.trail.n - 1;
	session->places.here = place;
	return NULL;
}

struct cs_error *session_mark(struct session *session, const char *name, struct place place)
{
	for (size_t i = 0; i < session->places.marks.n; i++) {
		if (strcmp(session->places.marks.at[i].name, name) == 0) {
			session->places.marks.at[i].place = place;
			return NULL;
		}
	}
	struct place_mark mark = {strdup(name), place};
	if (mark.name && cs_vec_push(&session->places.marks, mark))
		return NULL;
	free(mark.name);
	return cs_error_nomem();
}

/* Gets the bounds of an actor, or of a cell's content. */
static struct cs_error *box_of_place(
	struct session *session, struct place place, struct cs_box *ret)
{
	struct cs_cooked *world = cs_query_partition(session->query, place.partition, NULL);
	if (place.kind == PLACE_CELL) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, place.row);
		*ret = cs_box_valid(&cell->content) ? cell->content : cell->box;
		return NULL;
	}
	*ret = cs_cooked_actor(world, place.row)->bounds;
	return cs_cooked_failed(world);
}

struct cs_error *session_point_of(struct session *session, struct place place, struct cs_vec3 *ret)
{
	struct cs_box box = CS_BOX_INVALID;
	if (place.kind == PLACE_POINT) {
		*ret = place.point;
		return NULL;
	}
	if (place.kind != PLACE_CELL && place.kind != PLACE_ACTOR)
		return cs_error_new(CS_E_USAGE,
			"a page, cluster, group or node has no position in the world: name "
			"a point X,Y,Z");
	struct cs_error *error = box_of_place(session, place, &box);
	if (!error && !cs_box_valid(&box))
		error = cs_error_new(CS_E_USAGE,
			"the object has no bounds and so no position: name a point X,Y,Z");
	if (!error)
		*ret = (struct cs_vec3){(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2,
			(box.min.z + box.max.z) / 2};
	return error;
}

/* ---- settings and style of output ---- */

void session_apply(struct session *session, enum setting setting, long value)
{
	session->settings.at[setting] = value;
	if (setting == SETTING_THREADS)
		session->job.threads = value > 0 ? (int)value : 0;
}

struct cs_error *job_of_call(const struct call *call, struct cs_job *ret)
{
	enum { MOST_THREADS = 1024 };
	uint64_t threads;
	struct cs_error *error = call_whole_within(call, "j", 1, MOST_THREADS, 0, &threads);
	*ret = call->session->job;
	if (!error && call_option(call, "j")->given)
		ret->threads = (int)threads;
	return error;
}

bool session_is_on(const struct session *session, enum setting setting)
{
	return session->settings.at[setting] != 0;
}

static bool decide(const struct session *session, enum setting setting, bool automatic)
{
	long value = session->settings.at[setting];
	return value == AUTO_AUTO ? automatic : value == AUTO_ALWAYS;
}

struct style session_style(const struct session *session)
{
	struct style style = style_of_scripts;
	unsigned columns, rows;
	if (session->channels.drawn_style)
		return *session->channels.drawn_style;
	long width = session->settings.at[SETTING_WIDTH];
	bool screen = terminal_is_output() && !session->expected.capturing;
	style.format = (enum format)session->settings.at[SETTING_OUTPUT];
	style.compact = session->channels.compact;
	style.csv_safe = session->mode.csv_safe;
	style.ascii_data = session->settings.at[SETTING_UTF8] == AUTO_NEVER;
	if (session->expected.capturing || session->channels.transcript) {
		style.width = width >= 0 ? (unsigned)width : style.width;
		return style;
	}
	terminal_size(&columns, &rows);
	style.plain = session_is_on(session, SETTING_PLAIN);
	style.width = width >= 0 ? (unsigned)width : screen ? columns : 0;
	style.height = screen && session->mode.interactive ? rows : 0;
	style.ascii_data |= screen && !terminal_has_utf8();
	style.ascii = !terminal_has_utf8() || !decide(session, SETTING_UTF8, screen);
	style.colour = !style.plain && decide(session, SETTING_COLOR, terminal_wants_colour());
	return style;
}
