/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the JSON form of a world. The first line is the document (settings, containers, layers,
 * partitions); each further line is an actor. Lines are read in blocks, so that the file is never
 * completely in memory. Threads parse groups of lines in plain form (json_plain.c), and add them in
 * order. After a block in which more than a quarter of the lines were not plain, jansson parses all
 * further lines on all threads, and one thread adds the actors in order.
 */
#include "world/json_reader.h"

#include "core/guid.h"
#include "core/job.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/turns.h"
#include "world/world_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 4 << 20, LONGEST_LINE = 64 << 20 };

/* Returns a member; NULL if it is missing or null. */
static const json_t *json_read_member(const json_t *json, const char *key)
{
	const json_t *value = json_object_get(json, key);
	return json_is_null(value) ? NULL : value;
}

/* Checks the type of a member that no key table describes. A missing or null member passes. */
static struct cs_error *check_type(
	const struct cs_json_reader *reader, const json_t *json, const char *key, json_type type)
{
	static const char *const kinds[] = {[JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "a list",
		[JSON_STRING] = "a text",
		[JSON_INTEGER] = "a whole number"};
	const json_t *value = json_read_member(json, key);
	if (!value || json_typeof(value) == type)
		return NULL;
	return cs_json_wrong(reader, CS_E_WORLD, "%s: the value must be %s", key, kinds[type]);
}

/* ---- lines with actors ---- */

static const char *const actor_extra[] = {"container", "level_instance", "hlod", NULL};

static struct cs_error *read_level_instance(
	struct cs_json_reader *reader, const json_t *json, struct cs_actor *actor)
{
	struct cs_level_instance li = {.behavior = CS_BEHAVIOR_PARTITIONED};
	struct cs_error *error =
		cs_json_read_object(reader, &cs_json_level_instance, json, NULL, &li);
	uint32_t container;
	actor->level_instance = (uint32_t)reader->world->level_instances.n;
	if (!error && !cs_vec_push(&reader->world->level_instances, li))
		error = cs_error_nomem();
	if (!error && li.level)
		error = cs_world_container(
			reader->world, cs_world_text(reader->world, li.level), &container);
	return error;
}

static struct cs_error *read_hlod(
	struct cs_json_reader *reader, const json_t *json, struct cs_actor *actor)
{
	struct cs_hlod_actor hlod = {0};
	struct cs_error *error = cs_json_read_object(reader, &cs_json_hlod, json, NULL, &hlod);
	actor->hlod = (uint32_t)reader->world->hlods.n;
	if (!error && !cs_vec_push(&reader->world->hlods, hlod))
		error = cs_error_nomem();
	return error;
}

/*
 * Normalises the classes of an actor: a native class that is only in `base_class`, or in both
 * members, is stored only in `native_class`. A grid named "None" becomes the default grid.
 */
static void settle_classes(struct cs_world *world, struct cs_actor *actor)
{
	if (!actor->native_class &&
		strncmp(cs_world_text(world, actor->base_class), "/Script/", 8) == 0)
		actor->native_class = actor->base_class;
	if (actor->base_class == actor->native_class)
		actor->base_class = 0;
	if (cs_name_compare(cs_world_text(world, actor->grid), "None") == 0)
		actor->grid = 0;
}

static bool is_bundle(const struct cs_world *world, uint32_t row, struct cs_guid bundle)
{
	const struct cs_source_container *container = &world->containers.at[row];
	return container->kind == CS_CONTAINER_BUNDLE &&
	       cs_guid_compare(container->content_bundle, bundle) == 0;
}

static uint64_t bundle_hash(const void *context, uint32_t row)
{
	const struct cs_world *world = context;
	return cs_guid_hash(world->containers.at[row].content_bundle);
}

/* Adds containers to the table of content bundles, for each bundle only the first container. */
static bool index_bundles(struct cs_json_reader *reader)
{
	const struct cs_world *world = reader->world;
	for (uint32_t *n = &reader->n_indexed; *n < world->containers.n; ++*n) {
		const struct cs_guid bundle = world->containers.at[*n].content_bundle;
		if (!cs_slots_grow(&reader->bundles, bundle_hash, world))
			return false;
		uint32_t *slot = cs_slots_find(
			&reader->bundles, cs_guid_hash(bundle), row, is_bundle(world, row, bundle));
		if (is_bundle(world, *n, bundle) && !*slot)
			cs_slots_put(&reader->bundles, slot, *n);
	}
	return true;
}

/* Assigns an actor that names a content bundle but no container to the container of the bundle. */
static struct cs_error *enter_bundle(struct cs_json_reader *reader, struct cs_actor *actor)
{
	struct cs_world *world = reader->world;
	const struct cs_guid bundle = actor->content_bundle;
	if (!index_bundles(reader))
		return cs_error_nomem();
	const uint32_t known = cs_slot_row(cs_slots_find(
		&reader->bundles, cs_guid_hash(bundle), row, is_bundle(world, row, bundle)));
	if (known != CS_NONE) {
		actor->container = known;
		return NULL;
	}
	char package[64] = "/ContentBundle/", *digits = package + strlen(package);
	cs_guid_format(actor->content_bundle, digits);
	struct cs_error *error = cs_world_container(world, package, &actor->container);
	if (error)
		return error;
	struct cs_source_container *container = &world->containers.at[actor->container];
	container->kind = CS_CONTAINER_BUNDLE;
	container->missing = false;
	container->content_bundle = actor->content_bundle;
	return NULL;
}

/* Reads the members of a line into `actor`, which contains the defaults. */
static struct cs_error *read_into(
	struct cs_json_reader *reader, const json_t *json, struct cs_actor *actor)
{
	struct cs_error *error =
		cs_json_read_object(reader, &cs_json_actor, json, actor_extra, actor);
	if (!error)
		error = check_type(reader, json, "container", JSON_STRING);
	if (!error)
		error = check_type(reader, json, "level_instance", JSON_OBJECT);
	if (!error)
		error = check_type(reader, json, "hlod", JSON_OBJECT);
	const json_t *container = json_object_get(json, "container");
	const json_t *level_instance = json_object_get(json, "level_instance");
	const json_t *hlod = json_object_get(json, "hlod");
	if (!error && json_is_string(container)) {
		error = cs_world_container(
			reader->world, json_string_value(container), &actor->container);
		if (!error)
			reader->world->containers.at[actor->container].missing = false;
	}
	if (!error && !json_is_string(container) && !cs_guid_is_zero(actor->content_bundle))
		error = enter_bundle(reader, actor);
	if (!error && json_is_object(level_instance))
		error = read_level_instance(reader, level_instance, actor);
	if (!error && json_is_object(hlod))
		error = read_hlod(reader, hlod, actor);
	if (!error && cs_guid_is_zero(actor->guid))
		error = cs_json_wrong(reader, actor->name ? CS_E_GUID : CS_E_WORLD,
			actor->name
				? "actor '%s' must have a 'guid' that is not zero"
				: "the object is not an actor: it has no 'guid' and no 'name'%.0s",
			cs_world_text(reader->world, actor->name));
	if (!error)
		settle_classes(reader->world, actor);
	return error;
}

static struct cs_error *read_actor(struct cs_json_reader *reader, const json_t *json)
{
	struct cs_actor actor = cs_actor_default();
	struct cs_error *error = read_into(reader, json, &actor);
	if (error)
		return error;
	if (reader->world->actors.n >= reader->limits.records)
		return cs_json_wrong(reader, CS_E_LIMIT,
			"the file has more actors than the limit of %" PRIu64,
			reader->limits.records);
	return cs_world_push_actor(reader->world, &actor) ? NULL : cs_error_nomem();
}

/* ---- first line: the document (settings, layers, partitions) ---- */

typedef struct cs_error *read_item(struct cs_json_reader *r, const json_t *json);

static struct cs_error *read_rules(struct cs_json_reader *reader, const json_t *json);

static const char *const rules_extra[] = {
	"settings", "layers", "hlod_layers", "partitions", "grids", NULL};
static const char *const document_extra[] = {"cellscope_world", "actor_count", "package",
	"settings", "layers", "hlod_layers", "partitions", "grids", "containers", NULL};

/* Tables without keys: cs_json_read_object() only reports keys that read_rules() does not know. */
static const struct cs_json_table level_keys = {.what = "container.world"};
static const struct cs_json_table document_keys = {.what = "world"};

/*
 * Reads the rules of a level (settings, layers, partitions) into a world of their own; they have
 * the same JSON keys as the rules of the main world.
 */
static struct cs_error *read_level_rules(
	struct cs_json_reader *reader, const json_t *json, struct cs_world **ret)
{
	struct cs_world *rules = cs_world_new_rules();
	if (!rules)
		return cs_error_nomem();
	cs_world_swap_rules(reader->world, rules);
	struct cs_error *error =
		cs_json_read_object(reader, &level_keys, json, rules_extra, reader->world);
	if (!error)
		error = read_rules(reader, json);
	cs_world_swap_rules(reader->world, rules);
	if (error)
		cs_world_free(rules);
	else
		*ret = rules;
	return error;
}

static const char *const container_extra[] = {"world", NULL};

static struct cs_error *read_container(struct cs_json_reader *reader, const json_t *json)
{
	struct cs_source_container container = cs_container_default();
	struct cs_error *error =
		cs_json_read_object(reader, &cs_json_container, json, container_extra, &container);
	const json_t *own = json_read_member(json, "world");
	uint32_t at;
	if (!error)
		error = cs_world_container(
			reader->world, cs_world_text(reader->world, container.package), &at);
	if (error)
		return error;
	if (at == 0 || container.kind == CS_CONTAINER_BASE)
		return cs_json_wrong(reader, CS_E_DUPLICATE,
			at == 0 ? "the container '%s' is the world itself, which must not be in the "
				  "list: remove it"
				: "the container '%s' has the kind 'base', which only the "
				  "world itself has: remove it",
			cs_world_text(reader->world, container.package));
	if (own)
		error = read_level_rules(reader, own, &container.rules);
	if (error)
		return error;
	container.package = reader->world->containers.at[at].package;
	cs_world_free(reader->world->containers.at[at].rules);
	reader->world->containers.at[at] = container;
	/* if actors came first, the index of bundles has the container's old row: build it again */
	cs_slots_deinit(&reader->bundles);
	reader->n_indexed = 0;
	return NULL;
}

static struct cs_error *read_layer(struct cs_json_reader *reader, const json_t *json)
{
	struct cs_source_layer layer = {0};
	struct cs_error *error = cs_json_read_object(reader, &cs_json_layer, json, NULL, &layer);
	if (!error && !layer.name)
		error = cs_json_wrong(
			reader, CS_E_WORLD, "a data layer must have a `name`, but one has none");
	if (error)
		return error;
	if (reader->world->layers.n >= CS_MOST_LAYERS)
		return cs_json_wrong(reader, CS_E_LIMIT,
			"the world has more data layers than the limit of %d", CS_MOST_LAYERS);
	if (!layer.label)
		layer.label = layer.name;
	return cs_vec_push(&reader->world->layers, layer) ? NULL : cs_error_nomem();
}

static struct cs_error *read_hlod_layer(struct cs_json_reader *reader, const json_t *json)
{
	struct cs_source_hlod_layer layer = {.spatial = true};
	struct cs_error *error =
		cs_json_read_object(reader, &cs_json_hlod_layer, json, NULL, &layer);
	if (error)
		return error;
	return cs_vec_push(&reader->world->hlod_layers, layer) ? NULL : cs_error_nomem();
}

static struct cs_error *read_partition(struct cs_json_reader *reader, const json_t *json)
{
	struct cs_source_partition partition = cs_partition_default();
	struct cs_error *error = cs_json_read_object(reader, &cs_json_partition, json,
		(const char *const[]){"hlod_setups", NULL}, &partition);
	const json_t *setups = json_object_get(json, "hlod_setups");
	if (!error)
		error = check_type(reader, json, "hlod_setups", JSON_ARRAY);
	partition.setups.first = (uint32_t)reader->world->setups.n;
	for (size_t i = 0; !error && i < json_array_size(setups); i++) {
		const json_t *item = json_array_get(setups, i);
		struct cs_source_partition setup = cs_setup_default(&partition);
		setup.size_follows = !json_read_member(item, "cell_size");
		setup.range_follows = !json_read_member(item, "loading_range");
		error = cs_json_read_object(reader, &cs_json_partition, item, NULL, &setup);
		if (!error && !cs_vec_push(&reader->world->setups, setup))
			error = cs_error_nomem();
	}
	partition.setups.count = (uint32_t)reader->world->setups.n - partition.setups.first;
	if (!error && !cs_vec_push(&reader->world->partitions, partition))
		error = cs_error_nomem();
	return error;
}

static struct cs_error *read_grid(struct cs_json_reader *reader, const json_t *json)
{
	struct cs_source_grid grid = cs_grid_default();
	struct cs_error *error = cs_json_read_object(reader, &cs_json_grid, json, NULL, &grid);
	if (!error && !cs_vec_push(&reader->world->grids, grid))
		error = cs_error_nomem();
	return error;
}

static const struct {
	const char *key;
	read_item *read;
	const char *name; /* key whose value must differ between the items of the list */
} lists[] = {
	{"layers", read_layer, "name"},
	{"hlod_layers", read_hlod_layer, "path"},
	{"partitions", read_partition, "name"},
	{"grids", read_grid, "name"},
};

static int json_read_by_name(const void *left, const void *right, void *context)
{
	(void)context;
	return cs_name_compare(*(const char *const *)left, *(const char *const *)right);
}

/* Returns E_DUPLICATE if two items of a list have the same name. Items may have no name. */
static struct cs_error *check_named_once(
	const struct cs_json_reader *reader, const json_t *list, const char *key, const char *named)
{
	size_t i, n = 0;
	const json_t *item;
	const char **names = calloc(json_array_size(list) + 1, sizeof(*names)), *twice = NULL;
	json_array_foreach (list, i, item)
		if (names && (names[n] = json_string_value(json_object_get(item, named))))
			n += *names[n] != '\0';
	const bool good = names && cs_sort(names, n, sizeof(*names), json_read_by_name, NULL);
	for (i = 1; good && i < n && !twice; i++)
		twice = cs_name_compare(names[i - 1], names[i]) == 0 ? names[i] : NULL;
	free(names);
	if (twice)
		return cs_json_wrong(reader, CS_E_DUPLICATE, "two %s are named '%s'", key, twice);
	return good ? NULL : cs_error_nomem();
}

static struct cs_error *read_list(
	struct cs_json_reader *reader, const json_t *json, const char *key, read_item *read)
{
	const json_t *list = json_read_member(json, key);
	struct cs_error *error = NULL;
	if (list && !json_is_array(list))
		return cs_json_wrong(reader, CS_E_WORLD, "%s: the value must be a list", key);
	for (size_t k = 0; !error && k < json_array_size(list); k++)
		error = read(reader, json_array_get(list, k));
	return error;
}

/* Reads the rules (settings, layers, partitions) of the main world or of a level. */
static struct cs_error *read_rules(struct cs_json_reader *reader, const json_t *json)
{
	const json_t *settings = json_read_member(json, "settings");
	struct cs_error *error = NULL;
	if (settings)
		error = cs_json_read_object(
			reader, &cs_json_settings, settings, NULL, &reader->world->settings);
	for (size_t i = 0; !error && i < sizeof(lists) / sizeof(lists[0]); i++) {
		error = read_list(reader, json, lists[i].key, lists[i].read);
		if (!error)
			error = check_named_once(reader, json_read_member(json, lists[i].key),
				lists[i].key, lists[i].name);
	}
	return error;
}

static struct cs_error *read_document(struct cs_json_reader *reader, const json_t *json)
{
	const json_t *version = json_object_get(json, "cellscope_world");
	const json_t *package = json_read_member(json, "package");
	struct cs_world_settings *settings = &reader->world->settings;
	reader->announced = json_integer_value(json_object_get(json, "actor_count"));
	if (!json_is_integer(version) || json_integer_value(version) != CS_WORLD_JSON_VERSION)
		return cs_json_wrong(reader, CS_E_VERSION,
			"cellscope_world: the version must be %d, the only one that can be read",
			CS_WORLD_JSON_VERSION);
	struct cs_error *error =
		cs_json_read_object(reader, &document_keys, json, document_extra, reader->world);
	error = error ? error : check_type(reader, json, "actor_count", JSON_INTEGER);
	if (!error && reader->announced < 0)
		error = cs_json_wrong(
			reader, CS_E_WORLD, "actor_count: the value must be 0 or more");
	if (!error)
		cs_world_expect(reader->world, (uint64_t)reader->announced, reader->source.size);
	if (!error && package && !json_is_string(package))
		error = cs_json_wrong(reader, CS_E_WORLD, "package: the value must be a text");
	if (!error && package) {
		error = cs_json_read_text(reader, package, &settings->package);
		if (!error) {
			const char *text = cs_world_text(reader->world, settings->package);
			settings->name =
				cs_strings_add_z(&reader->world->strings, cs_base_name(text));
			reader->world->containers.at[0].package = settings->package;
		}
	}
	if (!error)
		error = read_rules(reader, json);
	return error ? error : read_list(reader, json, "containers", read_container);
}

/* ---- dividing blocks into lines ---- */

enum { MOST_READING = 16 };

/* Returns the number of threads that read lines in plain form. Each needs a cs_plain_lines. */
static int reading_threads(const struct cs_json_reader *reader)
{
	const int threads = cs_parallel_threads(cs_job_threads(reader->job));
	return threads < MOST_READING ? threads : MOST_READING;
}

static void parse_lines(void *context, size_t begin, size_t end, int thread)
{
	struct cs_json_reader *reader = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct cs_json_line *line = &reader->lines.at[i];
		line->json = cs_json_parse(reader->block + line->start, line->length,
			JSON_REJECT_DUPLICATES, &line->problem, &line->no_memory);
	}
}

static struct cs_error *take_line(struct cs_json_reader *reader, struct cs_json_line *line)
{
	reader->line = line;
	reader->line_number++;
	if (line->no_memory)
		return cs_error_nomem();
	if (!line->json && strspn(reader->block + line->start, " \t\r\n") >= line->length)
		return NULL;
	if (!line->json)
		return cs_error_at(CS_E_JSON, reader->source.name,
			reader->block_offset + line->start + (uint64_t)line->problem.position,
			"line %" PRIu64 " is not valid JSON: %s%s", reader->line_number,
			line->problem.text,
			json_error_code(&line->problem) == json_error_premature_end_of_input
				? " (each object must be on one line)"
				: "");
	if (!json_is_object(line->json))
		return cs_json_wrong(reader, CS_E_WORLD,
			"the line must be a JSON object: the world or an actor");
	bool document = json_object_get(line->json, "cellscope_world") != NULL;
	if (document && reader->document_read)
		return cs_json_wrong(reader, CS_E_DUPLICATE,
			"this is the second line with the key cellscope_world: remove one of them");
	if (!document && !reader->document_read && reader->world->actors.n == 0)
		cs_job_log(reader->job, CS_LOG_WARNING,
			"%s: the first line has no key cellscope_world, so the world has the "
			"default settings",
			reader->source.name);
	reader->document_read = reader->document_read || document;
	return document ? read_document(reader, line->json) : read_actor(reader, line->json);
}

/* Divides a block into lines. *rest: offset of an incomplete last line, left for the next block. */
static bool find_lines(struct cs_json_reader *reader, bool last, size_t *rest)
{
	size_t start = 0;
	reader->lines.n = 0;
	while (start < reader->size) {
		char *newline = memchr(reader->block + start, '\n', reader->size - start);
		if (!newline && !last)
			break;
		size_t end = newline ? (size_t)(newline - reader->block) : reader->size;
		if (!cs_vec_reserve(&reader->lines, 1))
			return false;
		struct cs_json_line *line = &reader->lines.at[reader->lines.n++];
		/* only these members are initialised, because `problem` is large and rarely used */
		line->start = start;
		line->length = end - start;
		line->json = NULL;
		start = end + 1;
	}
	*rest = start < reader->size ? start : reader->size;
	return true;
}

static struct cs_error *read_block(struct cs_json_reader *reader, uint64_t *offset, bool *last)
{
	uint64_t left = reader->source.size - *offset;
	size_t more = left < BLOCK ? (size_t)left : BLOCK;
	if (reader->size > LONGEST_LINE)
		return cs_error_at(CS_E_LIMIT, reader->source.name, reader->block_offset,
			"a line has more bytes than the limit of %d", LONGEST_LINE);
	if (reader->size + more + 1 > reader->room) {
		char *grown = realloc(reader->block, reader->size + more + 1);
		if (!grown)
			return cs_error_nomem();
		reader->block = grown;
		reader->room = reader->size + more + 1;
	}
	struct cs_error *error =
		cs_source_read(&reader->source, *offset, reader->block + reader->size, more);
	if (error)
		return error;
	reader->size += more;
	reader->block[reader->size] = '\0';
	*offset += more;
	*last = *offset == reader->source.size;
	return NULL;
}

static bool take_plain(struct cs_json_reader *reader, struct cs_plain_lines *lines, size_t i)
{
	struct cs_world *world = reader->world;
	struct cs_actor *actor = &lines->at[i].actor;
	if ((!reader->document_read && world->actors.n == 0) ||
		world->actors.n >= reader->limits.records || !cs_plain_take(reader, lines, i))
		return false;
	settle_classes(world, actor);
	reader->last = *actor;
	if (!cs_world_push_actor(world, actor))
		/* the caller then reads the line with jansson, which reports the error */
		return false;
	reader->line_number++;
	return true;
}

/* State of reading a block: a thread parses a group of lines, awaits its turn and adds them. */
struct taking {
	struct cs_json_reader *reader;
	struct cs_turns turns;
	struct cs_error *error;
	size_t refused; /* number of lines that json_plain.c did not accept */
};

/* Adds the actors of a group of parsed lines; `first` is the index of its first line. */
static void take_stretch(struct taking *taking, struct cs_plain_lines *lines, size_t first)
{
	struct cs_json_reader *reader = taking->reader;
	for (size_t i = 0; !taking->error && i < lines->n; i++) {
		if (take_plain(reader, lines, i))
			continue;
		parse_lines(reader, first + i, first + i + 1, 0);
		taking->refused++;
		taking->error = take_line(reader, &reader->lines.at[first + i]);
	}
}

static void take_stretches(void *context, size_t begin, size_t end, int thread)
{
	struct taking *taking = context;
	struct cs_plain_lines *lines = &taking->reader->plain[thread];
	for (; begin < end; begin++) {
		const size_t task = cs_turns_take(&taking->turns), first = task * CS_PLAIN_LINES,
			     left = taking->reader->lines.n - first;
		cs_plain_parse(lines, taking->reader, first,
			left < CS_PLAIN_LINES ? left : CS_PLAIN_LINES);
		cs_turns_await(&taking->turns, task);
		take_stretch(taking, lines, first);
		cs_turns_pass(&taking->turns);
	}
}

/*
 * Adds the actors of all lines of a block. Lines in plain form (json_plain.c) are read directly; if
 * earlier blocks had too few of these, jansson parses all lines first, on all threads.
 */
static struct cs_error *take_lines(struct cs_json_reader *reader)
{
	struct taking taking = {.reader = reader, .turns = CS_TURNS_NONE};
	const size_t n = reader->lines.n;
	if (reader->leaves_plain) {
		struct cs_error *error = NULL;
		cs_parallel_for(cs_job_threads(reader->job), n, 64, parse_lines, reader);
		for (size_t i = 0; !error && i < n; i++)
			error = take_line(reader, &reader->lines.at[i]);
		return error;
	}
	cs_parallel_for(reading_threads(reader), (n + CS_PLAIN_LINES - 1) / CS_PLAIN_LINES, 1,
		take_stretches, &taking);
	reader->leaves_plain = taking.refused > n / 4 + 1;
	return taking.error;
}

static struct cs_error *json_read_take_block(struct cs_json_reader *reader, bool last)
{
	size_t rest;
	struct cs_error *error = NULL;
	if (!find_lines(reader, last, &rest))
		return cs_error_nomem();
	error = take_lines(reader);
	for (size_t i = 0; i < reader->lines.n; i++)
		json_decref(reader->lines.at[i].json);
	memmove(reader->block, reader->block + rest, reader->size - rest);
	reader->block_offset += rest;
	reader->size -= rest;
	return error;
}

static struct cs_error *read_all(struct cs_json_reader *reader)
{
	uint64_t offset = 0;
	bool last = false;
	struct cs_error *error = NULL;
	while (!error && !last) {
		cs_job_progress(reader->job, "read", offset, reader->source.size);
		error = read_block(reader, &offset, &last);
		if (!error)
			error = json_read_take_block(reader, last);
		if (!error)
			error = cs_job_check(reader->job);
	}
	cs_json_sum_up_unknown(reader);
	return error;
}

/*
 * Compares the number of actors read with the number that the first JSON document declares, because
 * a file that was truncated between two lines otherwise looks complete.
 */
static struct cs_error *json_read_check_count(const struct cs_json_reader *reader)
{
	if (reader->announced <= 0 || (uint64_t)reader->announced <= reader->world->actors.n)
		return NULL;
	return cs_error_at(CS_E_TRUNCATED, reader->source.name, reader->source.size,
		"the world announces %" JSON_INTEGER_FORMAT
		" actors, but the file contains only %zu",
		reader->announced, reader->world->actors.n);
}

/* Warns about the levels with actors that no level instance of the sealed world places. */
static struct cs_error *tell_unplaced(const struct cs_json_reader *reader)
{
	const struct cs_world *world = reader->world;
	bool *is_placed = calloc(world->containers.n, sizeof(*is_placed));
	const struct cs_source_container *first = NULL;
	size_t levels = 0, actors = 0;
	if (!is_placed)
		return cs_error_nomem();
	for (size_t i = 0; i < world->level_instances.n; i++) {
		const char *level = cs_world_text(world, world->level_instances.at[i].level);
		const uint32_t placed = cs_world_find_container(world, level);
		if (placed != CS_NONE)
			is_placed[placed] = true;
	}
	for (size_t i = 1; i < world->containers.n; i++) {
		const struct cs_source_container *level = &world->containers.at[i];
		if (is_placed[i] || level->kind != CS_CONTAINER_LEVEL || !level->actors.count)
			continue;
		first = first ? first : level;
		levels++;
		actors += level->actors.count;
	}
	free(is_placed);
	if (first)
		cs_job_log(reader->job, CS_LOG_WARNING,
			"%s: actors that are not cooked, because no level instance places their "
			"levels: %zu (levels: %zu, the first is %s)",
			reader->source.name, actors, levels, cs_world_text(world, first->package));
	return NULL;
}

/* Creates a world with a package named after the file, or "World" if the name is not UTF-8. */
static struct cs_error *new_world(const char *path, struct cs_world **ret)
{
	const char *name = cs_base_name(path);
	size_t n = strcspn(name, ".");
	char package[300];
	bool is_text = n < sizeof(package) - sizeof("/Game/") && cs_utf8_valid(name, n);
	snprintf(package, sizeof(package), "/Game/%.*s", is_text ? (int)n : 5,
		is_text ? name : "World");
	return cs_world_new(package, ret);
}

struct cs_error *cs_world_read_json(
	const char *path, const struct cs_job *job, struct cs_world **ret)
{
	struct cs_json_reader reader = {.job = job, .limits = cs_job_limits(job)};
	struct cs_error *error = cs_source_open(path, reader.limits.file_bytes, &reader.source);
	if (error)
		return error;
	error = new_world(path, &reader.world);
	reader.plain = cs_plain_lines_new(reading_threads(&reader));
	if (!error && !reader.plain)
		error = cs_error_nomem();
	if (!error) {
		reader.world->settings.source = cs_strings_add_z(&reader.world->strings, "json");
		error = read_all(&reader);
	}
	if (!error && reader.world->actors.n == 0 && !reader.document_read)
		error = cs_error_at(CS_E_WORLD, path, 0,
			"the file contains no world: it must have a line {\"cellscope_world\": "
			"%d, ...}, and a line for each actor",
			CS_WORLD_JSON_VERSION);
	error = error ? error : json_read_check_count(&reader);
	error = error ? error : cs_source_unchanged(&reader.source);
	if (!error)
		error = cs_world_seal(reader.world, job);
	if (!error)
		error = tell_unplaced(&reader);
	cs_source_close(&reader.source);
	free(reader.block);
	cs_slots_deinit(&reader.bundles);
	cs_vec_free(&reader.lines);
	cs_plain_lines_free(reader.plain, reading_threads(&reader));
	if (error)
		cs_world_free(reader.world);
	else
		*ret = reader.world;
	return error;
}

/* ---- editing a world with lines of JSON ---- */

/* Returns the index of the actor with the line's GUID and container, or CS_NONE. */
static uint32_t find_edited(const struct cs_world *world, const json_t *json)
{
	const json_t *guid_text = json_object_get(json, "guid");
	const json_t *package = json_object_get(json, "container");
	struct cs_guid guid;
	uint32_t container = 0;
	if (!json_is_string(guid_text) || !cs_json_read_guid(guid_text, &guid))
		return CS_NONE;
	if (json_is_string(package))
		container = cs_world_find_container(world, json_string_value(package));
	return container == CS_NONE ? CS_NONE : cs_world_find_actor(world, container, guid);
}

static struct cs_error *json_read_apply(
	struct cs_json_reader *reader, const json_t *json, bool *added_ret)
{
	uint32_t known = find_edited(reader->world, json);
	struct cs_actor actor =
		known == CS_NONE ? cs_actor_default() : cs_world_actor(reader->world, known);
	struct cs_error *error = read_into(reader, json, &actor);
	if (error)
		return error;
	*added_ret = known == CS_NONE;
	if (!(known == CS_NONE ? cs_world_push_actor(reader->world, &actor)
			       : cs_world_set_actor(reader->world, known, &actor)))
		return cs_error_nomem();
	return cs_world_seal(reader->world, reader->job);
}

/* Applies an edit; on failure the world is unchanged. *added_ret: whether an actor was added. */
static struct cs_error *apply_or_undo(
	struct cs_json_reader *reader, const json_t *json, bool *added_ret)
{
	struct cs_world before;
	bool is_kept = cs_world_keep(reader->world, &before);
	struct cs_error *error =
		is_kept ? json_read_apply(reader, json, added_ret) : cs_error_nomem();
	if (error && is_kept)
		cs_world_undo(reader->world, &before);
	cs_world_forget(&before);
	return error;
}

struct cs_error *cs_world_apply(
	struct cs_world *world, const char *text, const struct cs_job *job, bool *added_ret)
{
	struct cs_json_line line = {.length = strlen(text)};
	struct cs_json_reader reader = {.world = world,
		.job = job,
		.limits = cs_job_limits(job),
		.line = &line,
		.line_number = 1};
	reader.source.name = (char *)"edit";
	json_t *json = cs_json_parse(
		text, line.length, JSON_REJECT_DUPLICATES, &line.problem, &line.no_memory);
	if (!json && line.no_memory)
		return cs_error_nomem();
	if (!json)
		return cs_error_new(
			CS_E_JSON, "the actor is not valid JSON: %s", line.problem.text);
	struct cs_error *error = json_is_object(json) ? apply_or_undo(&reader, json, added_ret)
						      : cs_json_wrong(&reader, CS_E_WORLD,
								"the actor is not a JSON object");
	cs_slots_deinit(&reader.bundles);
	json_decref(json);
	return error;
}
