/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads StreamingGeneration logs (ue-project-files rules 7b). A log is a tree, drawn with " | " and
 * " |- ", of sections: containers (each with ActorDescs and Clusters), container instances, the
 * actors of the persistent level, cells. The parser reads line by line and stores the current
 * section. A table tells what each key of a section means. A line that has a known key but cannot
 * be parsed is reported with its number and ignored. Unknown lines are skipped, because every
 * release adds some.
 */
#include "ue/log/log.h"

#include "core/job.h"
#include "core/text.h"
#include "format/cooked_inside.h"
#include "ue/log/log_line.h"

#include <inttypes.h>

enum section {
	SECTION_NONE,
	SECTION_DESCS,
	SECTION_CLUSTERS,
	SECTION_INSTANCES,
	SECTION_LAYERS,
	SECTION_PERSISTENT,
	SECTION_CELL,
};

struct parser {
	struct cs_ue_log_data *data;
	const struct cs_job *job;
	const struct cs_source_file *source;
	struct cs_ue_lines lines;
	enum section section;
	uint32_t container; /* container whose descriptors are being read */
	uint32_t cluster;
	size_t announced; /* number of actors stated in the heading of the section */
	bool announced_any;
	uint32_t warnings, most_warnings;
	/* rows of the previous generation (dump of one cook) in the log, if there was one */
	struct cs_ue_log_data before;
	/* names of the two maps, if two generations have different maps */
	const char *maps[2];
	/* whether a list of containers has begun, but no container has been read yet */
	bool begins;
	bool seen; /* whether a line was read that only logs of StreamingGeneration contain */
	size_t clock_column; /* column of the latest clock, see cs_ue_log_from_clock() */
	bool no_memory;
};

static const char *log_keep(struct parser *parser, struct cs_ue_piece piece)
{
	const char *text = cs_ue_piece_keep(piece, &parser->data->arena);
	parser->no_memory |= !text;
	return text ? text : "";
}

/* Copies a path or a map name into the arena, without prefixes that playing in the editor adds. */
static const char *keep_name(struct parser *parser, struct cs_ue_piece piece)
{
	const char *text = cs_ue_log_without_play(piece, &parser->data->arena, &parser->data->play);
	parser->no_memory |= !text;
	return text ? text : "";
}

static void warn_line(struct parser *parser, const char *what, const char *then)
{
	if (parser->warnings++ < parser->most_warnings)
		cs_job_log(parser->job, CS_LOG_WARNING,
			"%s, line %" PRIu64 ", byte %" PRIu64 ": %s%s", parser->source->name,
			parser->lines.number, parser->lines.offset, what, then);
}

static void bad_line(struct parser *parser, const char *what)
{
	parser->data->log.bad_lines++;
	warn_line(parser, what, "; left out");
}

static bool log_take_box(struct parser *parser, struct cs_ue_piece value, struct cs_box *to)
{
	const char *odd = NULL;
	const bool good = cs_ue_log_box(value, to, &odd);
	if (good && odd)
		warn_line(parser, odd, "");
	return good;
}

static void desc_line(struct parser *parser, struct cs_ue_piece line)
{
	struct cs_ue_log_desc desc;
	const char *odd;
	bool no_memory;
	if (cs_ue_log_parse_desc(line, &parser->data->arena, &desc, &odd, &no_memory)) {
		if (odd)
			warn_line(parser, odd, "");
		desc.container = parser->container;
		parser->data->old_form |= desc.old_form;
		no_memory = !cs_vec_push(&parser->data->descs, desc);
	} else if (!no_memory) {
		bad_line(parser, "the line is not an actor descriptor");
	}
	parser->no_memory |= no_memory;
}

static void member_line(struct parser *parser, struct cs_ue_piece line)
{
	struct cs_ue_log_member member = {parser->container, parser->cluster, {0}};
	const bool starts = cs_ue_piece_starts(line, "Guid:");
	struct cs_ue_piece guid = cs_ue_piece_from(line, starts ? strlen("Guid:") : 0);
	const char *end = memchr(guid.at, ' ', guid.n);
	guid.n = end ? (size_t)(end - guid.at) : guid.n;
	if (!starts || !cs_ue_log_guid(guid, &member.guid))
		bad_line(parser, "the line is not a member of an actor cluster");
	else if (!cs_vec_push(&parser->data->members, member))
		parser->no_memory = true;
}

/* ---- kinds of keys in sections other than ActorDescs ---- */

/* The kind of row to which a key belongs. Its value is stored in the last such row so far. */
enum owner { OF_NONE, OF_INSTANCE, OF_LAYER, OF_LOADED, OF_CELL, OF_ACTOR };
enum value {
	VALUE_GUID,
	VALUE_BOX,
	VALUE_TRANSFORM,
	VALUE_NAME,
	VALUE_TEXT,
	VALUE_TRUTH,
	VALUE_CHOICE,
	VALUE_INTEGER
};

static struct cs_ue_log_cell *last_cell(struct parser *parser)
{
	return &parser->data->cells.at[parser->data->cells.n - 1];
}

/*
 * Returns the row to which values of an `owner` are added: the last row of this kind, or NULL if
 * there is none. For OF_CELL and OF_ACTOR there must be a cell.
 */
static void *last_row(struct parser *parser, enum owner owner)
{
	struct cs_ue_log_data *data = parser->data;
	switch (owner) {
	case OF_INSTANCE:
		return data->containers.n ? &data->containers.at[data->containers.n - 1] : NULL;
	case OF_LAYER:
		return data->layers.n ? &data->layers.at[data->layers.n - 1] : NULL;
	case OF_LOADED:
		return data->always_loaded.n ? &data->always_loaded.at[data->always_loaded.n - 1]
					     : NULL;
	case OF_CELL:
		return last_cell(parser);
	case OF_ACTOR:
		return data->actors.n > last_cell(parser)->first
			       ? &data->actors.at[data->actors.n - 1]
			       : NULL;
	default:
		return NULL;
	}
}

/* ---- keys that begin a row, or are stored in no row ---- */

static bool instance_id(struct parser *parser, struct cs_ue_piece value)
{
	struct cs_ue_log_container container = {
		.package = "", .transform = CS_TRANSFORM_IDENTITY, .bounds = CS_BOX_INVALID};
	if (!cs_ue_log_guid(value, &container.id))
		return false;
	parser->no_memory |= !cs_vec_push(&parser->data->containers, container);
	return true;
}

static bool persistent_path(struct parser *parser, struct cs_ue_piece value)
{
	struct cs_ue_log_actor actor = {.path = keep_name(parser, value),
		.package = "",
		.transform = CS_TRANSFORM_IDENTITY};
	parser->no_memory |= !cs_vec_push(&parser->data->always_loaded, actor);
	return value.n > 0;
}

static bool announced_count(struct parser *parser, struct cs_ue_piece value)
{
	double count;
	if (!cs_ue_log_number(&value, &count) || count < 0 || count > (double)UINT32_MAX)
		return false;
	parser->announced = (size_t)count;
	parser->announced_any = true;
	return true;
}

static bool cell_layer(struct parser *parser, struct cs_ue_piece value)
{
	const struct cs_ue_log_cell_layer layer = {
		parser->data->cells.n - 1, log_keep(parser, value)};
	parser->no_memory |= !cs_vec_push(&parser->data->cell_layers, layer);
	return value.n > 0;
}

/* ---- the table of keys, and storing their values ---- */

static bool take_choice(struct cs_ue_piece value, const char *const *names, uint32_t *to)
{
	for (uint32_t i = 0; names[i]; i++) {
		if (!cs_ue_piece_is(value, names[i]))
			continue;
		*to = i;
		return true;
	}
	return false;
}

static bool take_integer(struct cs_ue_piece value, int32_t *to)
{
	double number;
	if (!cs_ue_log_number(&value, &number) || number < INT32_MIN || number > INT32_MAX)
		return false;
	*to = (int32_t)number;
	return true;
}

#define ROW(section, key, owner, kind, type, member, ...)                      \
	{                                                                      \
		SECTION_##section, key, NULL, OF_##owner, VALUE_##kind,        \
			offsetof(struct cs_ue_log_##type, member), __VA_ARGS__ \
	}

static const struct log_key {
	enum section section;
	const char *key;
	/* parses the value. If NULL, the value is stored at `offset` in a row of `owner` */
	bool (*take)(struct parser *parser, struct cs_ue_piece value);
	enum owner owner;
	enum value value;
	size_t offset;
	const char *const *names;
} keys[] = {
	{SECTION_INSTANCES, "ID:", instance_id},
	ROW(INSTANCES, "ParentID:", INSTANCE, GUID, container, parent),
	ROW(INSTANCES, "Bounds:", INSTANCE, BOX, container, bounds),
	ROW(INSTANCES, "Transform:", INSTANCE, TRANSFORM, container, transform),
	ROW(INSTANCES, "Container:", INSTANCE, NAME, container, package),
	ROW(LAYERS, "Label:", LAYER, TEXT, layer, label),
	ROW(LAYERS, "Asset:", LAYER, TEXT, layer, asset),
	ROW(LAYERS, "Parent:", LAYER, TEXT, layer, parent),
	ROW(LAYERS, "Type:", LAYER, CHOICE, layer, type, cs_layer_type_names),
	ROW(LAYERS, "Filter:", LAYER, CHOICE, layer, filter, cs_layer_filter_names),
	ROW(LAYERS, "InitialState:", LAYER, CHOICE, layer, initial, cs_layer_state_names),
	ROW(LAYERS, "Priority:", LAYER, INTEGER, layer, priority),
	ROW(LAYERS, "External:", LAYER, TRUTH, layer, external),
	{SECTION_PERSISTENT, "Always loaded Actor Count:", announced_count},
	{SECTION_PERSISTENT, "Actor Path:", persistent_path},
	ROW(PERSISTENT, "Actor Package:", LOADED, NAME, actor, package),
	{SECTION_CELL, "Actor Count:", announced_count},
	ROW(CELL, "Content Bounds:", CELL, BOX, cell, content),
	ROW(CELL, "Cell Bounds:", CELL, BOX, cell, bounds),
	ROW(CELL, "Is 2D:", CELL, TRUTH, cell, is_2d),
	{SECTION_CELL, "Data Layer:", cell_layer},
	ROW(CELL, "Package:", ACTOR, NAME, actor, package),
	ROW(CELL, "Editor Only:", ACTOR, TRUTH, actor, editor_only),
	ROW(CELL, "Instance Guid:", ACTOR, GUID, actor, instance),
	ROW(CELL, "ID:", ACTOR, GUID, actor, container),
	ROW(CELL, "Transform:", ACTOR, TRANSFORM, actor, transform),
};
#undef ROW

static bool take_member(struct parser *parser, const struct log_key *key, struct cs_ue_piece value)
{
	char *row = last_row(parser, key->owner);
	void *to = row ? row + key->offset : NULL;
	if (!row)
		return false;
	switch (key->value) {
	case VALUE_GUID:
		return cs_ue_log_guid(value, to);
	case VALUE_BOX:
		if (key->owner == OF_CELL)
			last_cell(parser)->has_boxes = true;
		return log_take_box(parser, value, to);
	case VALUE_TRANSFORM:
		return cs_ue_log_transform(value, to);
	case VALUE_NAME:
		*(const char **)to = keep_name(parser, value);
		return true;
	case VALUE_TEXT:
		*(const char **)to = log_keep(parser, value);
		return true;
	case VALUE_TRUTH:
		return cs_ue_log_truth(value, to);
	case VALUE_CHOICE:
		return take_choice(value, key->names, to);
	case VALUE_INTEGER:
		return take_integer(value, to);
	}
	return false;
}

static void log_key_line(struct parser *parser, struct cs_ue_piece line)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].section != parser->section || !cs_ue_piece_starts(line, keys[i].key))
			continue;
		const struct cs_ue_piece value =
			cs_ue_piece_trim(cs_ue_piece_from(line, strlen(keys[i].key)));
		if (!(keys[i].take ? keys[i].take(parser, value)
				   : take_member(parser, &keys[i], value)))
			bad_line(parser, keys[i].key);
		return;
	}
}

/* ---- headings of sections ---- */

/* Ends a section. Warns if its heading stated another number of actors than were read. */
static void close_section(struct parser *parser)
{
	struct cs_ue_log_data *data = parser->data;
	size_t got = 0;
	if (parser->section == SECTION_CELL)
		got = last_cell(parser)->count = data->actors.n - last_cell(parser)->first;
	else if (parser->section == SECTION_PERSISTENT)
		got = data->always_loaded.n;
	if (parser->announced_any && got != parser->announced)
		bad_line(parser,
			"the section before this line has more or fewer actors than it announces");
	parser->announced_any = false;
	parser->section = SECTION_NONE;
}

static bool open_containers(struct parser *parser, struct cs_ue_piece rest)
{
	(void)rest;
	close_section(parser);
	parser->begins = true;
	return parser->seen = true;
}

static void log_free_rows(struct cs_ue_log_data *data)
{
	cs_vec_free(&data->packages);
	cs_vec_free(&data->descs);
	cs_vec_free(&data->members);
	cs_vec_free(&data->layers);
	cs_vec_free(&data->cells);
	cs_vec_free(&data->cell_layers);
	cs_vec_free(&data->actors);
	cs_vec_free(&data->always_loaded);
	cs_vec_free(&data->containers);
}

/* Swaps the rows of two descriptions of the map in one log, but not the arena and the counters. */
static void swap_rows(struct cs_ue_log_data *l, struct cs_ue_log_data *r)
{
	struct cs_ue_log_data held = *l;
	const struct cs_arena arena = l->arena;
	*l = *r;
	*r = held;
	l->arena = arena;
	l->generations = held.generations;
	l->log.bad_lines = held.log.bad_lines;
}

static bool has_content(const struct cs_ue_log_data *data)
{
	return data->cells.n > 0 || data->always_loaded.n > 0;
}

/*
 * Begins a new set of rows when the log describes the map again. Keeps the rows parsed so far in
 * parser->before, in case the new set stays empty.
 */
static void next_generation(struct parser *parser)
{
	parser->data->generations++;
	if (has_content(parser->data))
		swap_rows(parser->data, &parser->before);
	log_free_rows(parser->data);
	parser->cluster = 0;
}

/* Uses the log's previous generation (dump of a cook) if the last one ends before any content. */
static void last_whole(struct parser *parser)
{
	if (!has_content(parser->data) && has_content(&parser->before))
		swap_rows(parser->data, &parser->before);
	log_free_rows(&parser->before);
	if (parser->maps[0])
		cs_job_log(parser->job, CS_LOG_WARNING,
			"%s: contains %u dumps of streaming generation, of two maps, %s and %s; "
			"the last complete dump is shown",
			parser->source->name, parser->data->generations + 1, parser->maps[0],
			parser->maps[1]);
	else if (parser->data->generations)
		cs_job_log(parser->job, CS_LOG_WARNING,
			"%s: contains %u dumps of streaming generation; the last complete one is "
			"shown",
			parser->source->name, parser->data->generations + 1);
}

static bool open_container(struct parser *parser, struct cs_ue_piece rest)
{
	if (parser->section == SECTION_CELL || parser->section == SECTION_INSTANCES)
		return true; /* the line names the container of an actor, not one to open */
	const char *package = keep_name(parser, cs_ue_piece_trim(rest));
	const char *map = parser->data->packages.n ? parser->data->packages.at[0] : package;
	const bool is_other = strcmp(package, map) != 0;
	if (is_other && parser->begins) {
		parser->maps[0] = map;
		parser->maps[1] = package;
		next_generation(parser);
	} else if (!is_other && parser->data->packages.n) {
		next_generation(parser);
	}
	parser->begins = false;
	parser->container = (uint32_t)parser->data->packages.n;
	parser->no_memory |= !cs_vec_push(&parser->data->packages, package);
	return true;
}

static bool open_layer(struct parser *parser, struct cs_ue_piece rest)
{
	struct cs_ue_log_layer layer = {.name = log_keep(parser, cs_ue_piece_trim(rest)),
		.label = "",
		.asset = "",
		.parent = ""};
	parser->no_memory |= !cs_vec_push(&parser->data->layers, layer);
	return parser->section == SECTION_LAYERS && rest.n > 0;
}

/* Parses the heading "Content of WORLD Persistent Level". */
static bool open_persistent(struct parser *parser, struct cs_ue_piece rest)
{
	static const char tail[] = " Persistent Level";
	if (rest.n <= sizeof(tail) - 1 ||
		memcmp(rest.at + rest.n - (sizeof(tail) - 1), tail, sizeof(tail) - 1) != 0)
		return false;
	rest.n -= sizeof(tail) - 1;
	close_section(parser);
	parser->data->log.world = keep_name(parser, rest);
	parser->section = SECTION_PERSISTENT;
	return parser->seen = true;
}

/* Parses the heading "Content of Cell NAME (PACKAGE)". */
static bool open_cell(struct parser *parser, struct cs_ue_piece rest)
{
	const char *open = memrchr(rest.at, '(', rest.n);
	if (!open || open == rest.at || rest.at[rest.n - 1] != ')')
		return false;
	size_t n = (size_t)(open - rest.at);
	struct cs_ue_piece package = cs_ue_piece_from(rest, n + 1);
	package.n--;
	close_section(parser);
	struct cs_ue_log_cell cell = {
		.name = keep_name(parser, cs_ue_piece_trim((struct cs_ue_piece){rest.at, n})),
		.package = log_keep(parser, package),
		.content = CS_BOX_INVALID,
		.bounds = CS_BOX_INVALID,
		.first = parser->data->actors.n,
	};
	if (!cs_vec_push(&parser->data->cells, cell)) {
		parser->no_memory = true;
		return true;
	}
	parser->section = SECTION_CELL;
	return parser->seen = true;
}

static bool open_actor(struct parser *parser, struct cs_ue_piece rest)
{
	struct cs_ue_log_actor actor = {.package = "", .transform = CS_TRANSFORM_IDENTITY};
	if (parser->section != SECTION_CELL)
		return true;
	actor.path = keep_name(parser, (struct cs_ue_piece){rest.at - 1, rest.n + 1});
	parser->no_memory |= !cs_vec_push(&parser->data->actors, actor);
	return true;
}

static bool open_cluster(struct parser *parser, struct cs_ue_piece rest)
{
	(void)rest;
	if (parser->section == SECTION_CLUSTERS)
		parser->cluster++;
	return true;
}

/* Begins a section whose heading has no value; false if it lacks the container that it needs. */
static bool begin_section(struct parser *parser, enum section section)
{
	parser->section = section;
	return parser->data->packages.n > 0 ||
	       (section != SECTION_DESCS && section != SECTION_CLUSTERS);
}

/* Headings of a log, after "[+] ". The first match is used, so longer ones precede shorter ones. */
static const struct {
	const char *start;
	/* opens a section by the text after the heading. If NULL, `section` begins */
	bool (*open)(struct parser *parser, struct cs_ue_piece rest);
	enum section section;
} headings[] = {
	{"Containers:", open_containers},
	{"ContainerInstances:", NULL, SECTION_INSTANCES},
	{"Container:", open_container},
	{"ActorDescs:", NULL, SECTION_DESCS},
	{"DataLayers:", NULL, SECTION_LAYERS},
	{"DataLayer: ", open_layer},
	{"Clusters:", NULL, SECTION_CLUSTERS},
	{"MainContainer:", NULL, SECTION_INSTANCES},
	{"Content of Cell ", open_cell},
	{"Content of ", open_persistent},
	{"/", open_actor},
	{"[", open_cluster},
};

static void heading_line(struct parser *parser, struct cs_ue_piece line)
{
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
		if (!cs_ue_piece_starts(line, headings[i].start))
			continue;
		line = cs_ue_piece_from(line, strlen(headings[i].start));
		if (!(headings[i].open ? headings[i].open(parser, line)
				       : begin_section(parser, headings[i].section)))
			bad_line(parser, "the line is not the heading of a section");
		return;
	}
}

/* ---- reading lines ---- */

/* Finds out from a title such as "World - Runtime Hash Set" whether the hash is a spatial hash. */
static void title_line(struct parser *parser, struct cs_ue_piece line)
{
	if (cs_ue_piece_find(line, " - ") && cs_ue_piece_find(line, "Spatial Hash"))
		parser->data->spatial_hash = true;
}

/* Removes the verbosity ("Display: " and others) that follows the log category in a line. */
static struct cs_ue_piece without_verbosity(struct cs_ue_piece line)
{
	static const char *const words[] = {"Display: ", "Verbose: ", "VeryVerbose: ", "Warning: "};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (cs_ue_piece_starts(line, words[i]))
			return cs_ue_piece_from(line, strlen(words[i]));
	return line;
}

/*
 * Removes a prefix like "[2026.01.31-12.00.00:000][ 12]LogWorldPartition: ", of which each part may
 * be missing, and any text before the clock in it.
 */
static struct cs_ue_piece without_stamp(struct parser *parser, struct cs_ue_piece line)
{
	const char *end;
	line = cs_ue_log_from_clock(line, &parser->clock_column);
	if (line.n < 2 || (line.at[0] == '[' && (line.at[1] < '0' || line.at[1] > '9')))
		return line;
	while (line.n > 1 && line.at[0] == '[' && line.at[1] != '+' &&
		(end = memchr(line.at, ']', line.n)))
		line = cs_ue_piece_from(line, (size_t)(end - line.at) + 1);
	if (cs_ue_piece_starts(line, "Log") && (end = cs_ue_piece_find(line, ": ")))
		line = without_verbosity(cs_ue_piece_from(line, (size_t)(end - line.at) + 2));
	return line;
}

static void log_take_line(struct parser *parser, struct cs_ue_piece line)
{
	bool drawn = false;
	line = cs_ue_piece_trim(without_stamp(parser, line));
	while (line.n > 0 && line.at[0] == '|') {
		line = cs_ue_piece_trim(
			cs_ue_piece_from(line, 1 + (line.n > 1 && line.at[1] == '-')));
		drawn = true;
	}
	/* whether the line may be an actor of a list: after "|" marks, or beginning with "Guid:" */
	const bool listed = drawn ? line.n > 0 : cs_ue_piece_starts(line, "Guid:");
	if (cs_ue_piece_starts(line, "[+] "))
		heading_line(parser, cs_ue_piece_from(line, 4));
	else if (drawn && cs_ue_piece_is(line, "ContainerInstances:"))
		parser->section = SECTION_INSTANCES;
	else if (parser->section == SECTION_DESCS && listed)
		desc_line(parser, line);
	else if (parser->section == SECTION_CLUSTERS && listed)
		member_line(parser, line);
	else if (!drawn)
		title_line(parser, line);
	else
		log_key_line(parser, line);
}

static struct cs_error *log_parse_lines(struct parser *parser)
{
	bool more = true;
	struct cs_error *error = NULL;
	while (!error && more && !parser->no_memory) {
		error = cs_ue_next_line(&parser->lines, &more);
		if (!error && more)
			log_take_line(parser,
				(struct cs_ue_piece){parser->lines.text, parser->lines.length});
		if (!error && parser->lines.number % 65536 == 0) {
			error = cs_job_check(parser->job);
			cs_job_progress(parser->job, "read log", parser->lines.offset,
				parser->source->size);
		}
	}
	if (!error && !parser->no_memory)
		close_section(parser);
	return parser->no_memory && !error ? cs_error_nomem() : error;
}

static struct cs_error *check_log(const struct parser *parser)
{
	const struct cs_ue_log_data *data = parser->data;
	if (!parser->seen || (data->descs.n == 0 && data->cells.n == 0))
		return cs_error_at(CS_E_LOG, parser->source->name, 0,
			"the file lists no containers with actors and no cells: it is not a "
			"StreamingGeneration log, or is truncated");
	return NULL;
}

static void publish(struct cs_ue_log_data *data)
{
	struct cs_ue_log *log = &data->log;
	if (!log->world) { /* without a persistent level, take the map from names of cells */
		log->world = cs_base_name(data->packages.n ? data->packages.at[0] : "");
	}
	log->cells = data->cells.at;
	log->n_cells = data->cells.n;
	log->actors = data->actors.at;
	log->n_actors = data->actors.n;
	log->always_loaded = data->always_loaded.at;
	log->n_always_loaded = data->always_loaded.n;
	log->containers = data->containers.at;
	log->n_containers = data->containers.n;
}

static struct cs_error *parse_text(
	const struct cs_source_file *source, const struct cs_job *job, struct cs_ue_log_data **ret)
{
	const struct cs_limits limits = cs_job_limits(job);
	struct parser parser = {
		.data = calloc(1, sizeof(*parser.data)),
		.job = job,
		.source = source,
		.lines = cs_ue_lines_over(source, (size_t)limits.section_bytes),
		.most_warnings = limits.findings,
	};
	if (!parser.data)
		return cs_error_nomem();
	struct cs_error *error = log_parse_lines(&parser);
	cs_ue_lines_deinit(&parser.lines);
	last_whole(&parser);
	if (!error)
		error = check_log(&parser);
	if (!error)
		error = cs_ue_log_check_end(parser.data, source, parser.lines.ended, job);
	if (error) {
		cs_ue_log_data_free(parser.data);
		return error;
	}
	publish(parser.data);
	*ret = parser.data;
	return NULL;
}

/* Parses a log and closes its source. */
static struct cs_error *log_parse(
	struct cs_source_file source, const struct cs_job *job, struct cs_ue_log_data **ret)
{
	unsigned char *text = NULL;
	struct cs_source_file narrow;
	size_t size = 0;
	struct cs_error *error = cs_utf16_narrow(&source, cs_job_limits(job).memory, &text, &size);
	if (!error && !text)
		error = parse_text(&source, job, ret);
	else if (!error && !(error = cs_source_memory(text, size, source.name, &narrow))) {
		error = parse_text(&narrow, job, ret);
		cs_source_close(&narrow);
	}
	free(text);
	cs_source_close(&source);
	return error;
}

struct cs_error *cs_ue_parse_log(
	const char *path, const struct cs_job *job, struct cs_ue_log_data **ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_open(path, cs_job_limits(job).file_bytes, &source);
	return error ? error : log_parse(source, job, ret);
}

struct cs_error *cs_ue_parse_log_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_job *job, struct cs_ue_log_data **ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_memory(bytes, size, name, &source);
	return error ? error : log_parse(source, job, ret);
}

void cs_ue_log_data_free(struct cs_ue_log_data *data)
{
	if (!data)
		return;
	log_free_rows(data);
	cs_arena_deinit(&data->arena);
	free(data);
}
