/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the JSON form of a world, with the same tables of keys as json_read.c. Values equal to the
 * default are omitted; actors are sorted by container and GUID. Lines are made in blocks on all
 * threads.
 */
#include "world/world_fields.h"

#include "core/job.h"
#include "core/parallel.h"
#include "format/save.h"
#include "world/world_internal.h"

#include <math.h>
#include <stdio.h>

/* Makes a JSON integer of a whole number, which is shorter and is read back as the same double. */
static json_t *number(double value)
{
	if (fabs(value) < 1e15 && value == floor(value) && !(value == 0 && signbit(value)))
		return json_integer((json_int_t)value);
	return json_real(value);
}

/* Returns the value, or frees it and returns NULL if it is not complete. */
static json_t *completed(json_t *json, bool is_complete)
{
	if (is_complete)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *numbers(const double *values, size_t n)
{
	json_t *array = json_array();
	bool good = array != NULL;
	for (size_t i = 0; good && i < n; i++)
		good = json_array_append_new(array, number(values[i])) == 0;
	return completed(array, good);
}

static json_t *guid(struct cs_guid value)
{
	char text[CS_GUID_TEXT];
	cs_guid_format(value, text);
	return json_string(text);
}

static json_t *name_of(const char *names)
{
	return json_stringn(names, strcspn(names, "|"));
}

static json_t *write_transform(const struct cs_transform *t)
{
	const double q[4] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w};
	const double p[3] = {t->translation.x, t->translation.y, t->translation.z};
	const double s[3] = {t->scale.x, t->scale.y, t->scale.z};
	return json_pack("{s:o, s:o, s:o}", "rot", numbers(q, 4), "pos", numbers(p, 3), "scale",
		numbers(s, 3));
}

static json_t *write_list(
	const struct cs_world *world, enum cs_json_kind kind, struct cs_range range)
{
	json_t *list = json_array();
	bool good = list != NULL;
	for (uint32_t i = range.first; good && i < range.first + range.count; i++)
		good = json_array_append_new(
			       list, kind == CS_JSON_TEXTS
					     ? json_string(cs_world_text(world, world->texts.at[i]))
					     : guid(world->guids.at[i])) == 0;
	return completed(list, good);
}

static json_t *write_names(const char *const *names, uint32_t flags)
{
	json_t *list = json_array();
	bool good = list != NULL;
	for (uint32_t i = 0; good && names[i]; i++)
		if (flags >> i & 1)
			good = json_array_append_new(list, name_of(names[i])) == 0;
	return completed(list, good);
}

static json_t *write_color(uint32_t color)
{
	char text[16];
	snprintf(text, sizeof(text), "#%06x", color & 0xffffffu);
	return json_string(text);
}

static json_t *write_value(
	const struct cs_world *world, const struct cs_json_field *field, const void *at)
{
	uint32_t word;
	struct cs_range range;
	switch (field->kind) {
	case CS_JSON_GUID:
		return guid(*(const struct cs_guid *)at);
	case CS_JSON_BOOL:
		return json_boolean(*(const bool *)at);
	case CS_JSON_NUMBER:
		return number(*(const double *)at);
	case CS_JSON_INTEGER:
		return json_integer(*(const int32_t *)at);
	case CS_JSON_VEC3:
		return numbers(at, 3);
	case CS_JSON_QUAT:
		return numbers(at, 4);
	case CS_JSON_TRANSFORM:
		return write_transform(at);
	case CS_JSON_TEXTS:
	case CS_JSON_GUIDS:
		memcpy(&range, at, sizeof(range));
		return write_list(world, field->kind, range);
	default:
		break;
	}
	memcpy(&word, at, sizeof(word));
	if (field->kind == CS_JSON_TEXT)
		return json_string(cs_world_text(world, word));
	if (field->kind == CS_JSON_FLAG)
		return json_boolean(word & field->bit);
	if (field->kind == CS_JSON_ENUM)
		return name_of(field->names[word]);
	if (field->kind == CS_JSON_COLOR)
		return write_color(word);
	return write_names(field->names, word);
}

static bool json_write_is_default(
	const struct cs_json_field *field, const void *at, const void *standard)
{
	uint32_t word, other;
	struct cs_range range;
	if (field->kind == CS_JSON_FLAG) {
		memcpy(&word, at, sizeof(word));
		memcpy(&other, standard, sizeof(other));
		return (word & field->bit) == (other & field->bit);
	}
	if (field->kind == CS_JSON_TEXTS || field->kind == CS_JSON_GUIDS) {
		memcpy(&range, at, sizeof(range));
		return range.count == 0;
	}
	return memcmp(at, standard, cs_json_kinds[field->kind].size) == 0;
}

/* Makes an object of the members that differ from the defaults, `standard`; NULL = no memory. */
static json_t *write_object(const struct cs_world *world, const struct cs_json_table *table,
	const void *object, const void *standard)
{
	json_t *json = json_object();
	bool good = json != NULL;
	for (size_t i = 0; good && i < table->n; i++) {
		const struct cs_json_field *field = &table->fields[i];
		const char *at = (const char *)object + field->offset;
		if (json_write_is_default(field, at, (const char *)standard + field->offset))
			continue;
		good = json_object_set_new(json, field->key, write_value(world, field, at)) == 0;
	}
	return completed(json, good);
}

/* ---- lines with actors ---- */

static json_t *write_actor(const struct cs_world *world, const struct cs_actor *actor)
{
	const struct cs_actor standard = cs_actor_default();
	const struct cs_level_instance no_level = {.behavior = CS_BEHAVIOR_PARTITIONED};
	const struct cs_hlod_actor no_hlod = {0};
	json_t *json = write_object(world, &cs_json_actor, actor, &standard);
	int failed = json == NULL;
	if (!failed && actor->container)
		failed |= json_object_set_new(json, "container",
			json_string(cs_world_text(
				world, world->containers.at[actor->container].package)));
	if (!failed && actor->level_instance != CS_NONE)
		failed |= json_object_set_new(json, "level_instance",
			write_object(world, &cs_json_level_instance,
				&world->level_instances.at[actor->level_instance], &no_level));
	if (!failed && actor->hlod != CS_NONE)
		failed |= json_object_set_new(json, "hlod",
			write_object(
				world, &cs_json_hlod, &world->hlods.at[actor->hlod], &no_hlod));
	return completed(json, !failed);
}

struct block {
	const struct cs_world *world;
	size_t first;
	char **lines; /* lines of the block; freed by the thread that writes them */
};

static void write_lines(void *context, size_t begin, size_t end, int thread)
{
	const struct block *block = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		const struct cs_actor actor = cs_world_actor(block->world, block->first + i);
		json_t *json = write_actor(block->world, &actor);
		block->lines[i] = json ? json_dumps(json, JSON_COMPACT) : NULL;
		json_decref(json);
	}
}

static struct cs_error *json_write_put_line(struct cs_save *save, char *line)
{
	if (!line)
		return cs_error_nomem();
	struct cs_error *error = cs_save_write(save, line, strlen(line));
	return error ? error : cs_save_write(save, "\n", 1);
}

static struct cs_error *put_actors(
	const struct cs_world *world, const struct cs_job *job, struct cs_save *save)
{
	enum { LINES = 8192 };
	struct block block = {world, 0, calloc(LINES, sizeof(char *))};
	struct cs_error *error = block.lines ? NULL : cs_error_nomem();
	for (; !error && block.first < world->actors.n; block.first += LINES) {
		size_t n = world->actors.n - block.first;
		n = n < LINES ? n : LINES;
		cs_job_progress(job, "write", block.first, world->actors.n);
		cs_parallel_for(cs_job_threads(job), n, 64, write_lines, &block);
		for (size_t i = 0; i < n; i++) {
			if (!error)
				error = json_write_put_line(save, block.lines[i]);
			free(block.lines[i]);
		}
		if (!error)
			error = cs_job_check(job);
	}
	free(block.lines);
	return error;
}

/* ---- first line: the document (settings, layers, partitions) ---- */

/* Appends `item`, which it then owns, to the list under `key`; creates the list if needed. */
static bool json_write_append(json_t *document, const char *key, json_t *item)
{
	if (!json_object_get(document, key))
		json_object_set_new(document, key, json_array());
	/* if memory ran out, there is no list, and this call frees the item */
	return json_array_append_new(json_object_get(document, key), item) == 0;
}

static json_t *write_partition(const struct cs_world *world, const struct cs_world *rules,
	const struct cs_source_partition *partition)
{
	const struct cs_source_partition standard = cs_partition_default(),
					 setup = cs_setup_default(partition);
	json_t *json = write_object(world, &cs_json_partition, partition, &standard);
	bool good = json != NULL;
	for (uint32_t i = 0; good && i < partition->setups.count; i++)
		good = json_write_append(json, "hlod_setups",
			write_object(world, &cs_json_partition,
				&rules->setups.at[partition->setups.first + i], &setup));
	return completed(json, good);
}

static bool write_rules(
	const struct cs_world *world, const struct cs_world *rules, json_t *document);

static json_t *write_container(
	const struct cs_world *world, const struct cs_source_container *container)
{
	const struct cs_source_container standard = cs_container_default();
	json_t *json = write_object(world, &cs_json_container, container, &standard);
	json_t *own = json && container->rules ? json_object() : NULL;
	if (!own)
		return completed(json, !container->rules);
	bool good = write_rules(world, container->rules, own);
	good = json_object_set_new(json, "world", own) == 0 && good;
	return completed(json, good);
}

static bool write_containers(const struct cs_world *world, json_t *document)
{
	for (size_t i = 1; i < world->containers.n; i++)
		if (!json_write_append(document, "containers",
			    write_container(world, &world->containers.at[i])))
			return false;
	return true;
}

/*
 * Writes the settings, layers and partitions (the rules) of the world or of a level. `world`
 * contains the texts that `rules` refers to; both may be the same.
 */
static bool write_rules(
	const struct cs_world *world, const struct cs_world *rules, json_t *document)
{
	const struct cs_world_settings standard = cs_settings_default();
	const struct cs_source_layer layer = {0};
	const struct cs_source_hlod_layer hlod_layer = {.spatial = true};
	const struct cs_source_grid grid = cs_grid_default();
	bool good =
		json_object_set_new(document, "settings",
			write_object(world, &cs_json_settings, &rules->settings, &standard)) == 0;
	for (size_t i = 0; good && i < rules->layers.n; i++)
		good = json_write_append(document, "layers",
			write_object(world, &cs_json_layer, &rules->layers.at[i], &layer));
	for (size_t i = 0; good && i < rules->hlod_layers.n; i++)
		good = json_write_append(document, "hlod_layers",
			write_object(world, &cs_json_hlod_layer, &rules->hlod_layers.at[i],
				&hlod_layer));
	for (size_t i = 0; good && i < rules->partitions.n; i++)
		good = json_write_append(document, "partitions",
			write_partition(world, rules, &rules->partitions.at[i]));
	for (size_t i = 0; good && i < rules->grids.n; i++)
		good = json_write_append(document, "grids",
			write_object(world, &cs_json_grid, &rules->grids.at[i], &grid));
	return good;
}

static json_t *write_document(const struct cs_world *world)
{
	json_t *document = json_object();
	if (!document)
		return NULL;
	int failed = json_object_set_new(
		document, "cellscope_world", json_integer(CS_WORLD_JSON_VERSION));
	failed |= json_object_set_new(
		document, "package", json_string(cs_world_text(world, world->settings.package)));
	failed |= json_object_set_new(
		document, "actor_count", json_integer((json_int_t)world->actors.n));
	return completed(document, !failed && write_rules(world, world, document) &&
					   write_containers(world, document));
}

struct cs_error *cs_world_write_json(
	const struct cs_world *world, const struct cs_job *job, const char *path)
{
	struct cs_save save;
	struct cs_error *error = cs_save_begin(path, &save);
	if (error)
		return error;
	json_t *document = write_document(world);
	char *line = document ? json_dumps(document, JSON_COMPACT) : NULL;
	json_decref(document);
	error = json_write_put_line(&save, line);
	free(line);
	if (!error)
		error = put_actors(world, job, &save);
	return cs_save_end(&save, error);
}
