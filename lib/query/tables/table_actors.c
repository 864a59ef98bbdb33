/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of actors, sets of actors, containers and references. */
#include "cook/record/trail_inside.h"
#include "format/cooked_inside.h"
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"

#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include <stdlib.h>
#include <string.h>

#define ACTOR(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_actor, member, type, reader, text, __VA_ARGS__)
#define ACTOR_FLAG(name, flag_name, text) \
	ACTOR(name, flags, BOOL, flag, text, .argument = CS_ACTOR_##flag_name)
#define SOURCE_FLAG(name, flag_name, text) \
	ACTOR(name, flags, BOOL, source_flag, text, .argument = CS_ACTOR_##flag_name)

static void table_actors_read_class(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_cooked_actor *actor = row->record;
	const char *text = cs_cooked_text(cs_world_of(row), actor->base_class);
	(void)column;
	*ret = cs_text(*text ? text : cs_cooked_text(cs_world_of(row), actor->native_class));
}

/* Reads why an actor is always loaded; null in an engine-cooked world, which stores no reason. */
static void cs_read_always(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_cooked *world = cs_world_of(row);
	const enum cs_always reason = cs_actor_always(world, (uint32_t)row->index);
	(void)column;
	*ret = reason == CS_ALWAYS_REASONS || world->world->flags & CS_WORLD_COOKED
		       ? cs_null()
		       : cs_text(cs_word(CS_WORDS_ALWAYS, reason)->name);
}

static void reference_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	const struct cs_range *range = list->list.items;
	*ret = cs_guid_value(cs_cooked_reference(list->list.source, range->first + index)->guid);
}

CS_GETTER(read_references, cs_cooked_actor,
	(struct cs_value){.kind = CS_KIND_LIST,
		.list = {.source = cs_world_of(row),
			.items = &at->references,
			.n = at->references.count,
			.item = reference_item}})

static const struct cs_cooked_actor_detail *detail_of(const struct cs_row *row)
{
	return cs_cooked_detail(cs_world_of(row), row->index);
}

/* Returns the actor's row of actor_details, for getters of its columns. */
static struct cs_row detail_row(const struct cs_row *row)
{
	return (struct cs_row){row->source, detail_of(row), row->index};
}

#define DETAIL_READER(reader)                                                                   \
	static void cs_read_detail_##reader(                                                    \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const struct cs_row detail = detail_row(row);                                   \
		cs_read_##reader(&detail, column, ret);                                         \
	}

/* Reads the actor's GUID; null if cellscope made it, because the engine wrote none. */
CS_READER_UNLESS(own_guid, guid, cs_cooked_actor, CS_ACTOR_MADE_GUID)

DETAIL_READER(text)
DETAIL_READER(guid)
DETAIL_READER(vec3)
DETAIL_READER(quat)
DETAIL_READER(box_min)
DETAIL_READER(box_max)
DETAIL_READER(layer)

/* Reads the location or rotation of an actor; null when unknown. */
CS_READER_UNLESS(detail_placed_vec3, detail_vec3, cs_cooked_actor, CS_ACTOR_NO_TRANSFORM)
CS_READER_UNLESS(detail_placed_quat, detail_quat, cs_cooked_actor, CS_ACTOR_NO_TRANSFORM)

CS_READER_UNLESS(detail_own_guid, detail_guid, cs_cooked_actor, CS_ACTOR_MADE_GUID)

static void tag_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	*ret = cs_text(
		cs_cooked_text(list->list.source, ((const uint32_t *)list->list.items)[index]));
}

CS_OWN_READER(read_tags,
	cs_list_of_rows(cs_world_of(row),
		cs_cooked_id_rows(cs_world_of(row), CS_IDS_ACTOR_TAGS, detail_of(row)->tags),
		detail_of(row)->tags.count, tag_item))

#define DETAIL(name, member, type, reader, text, ...)                                           \
	CS_COLUMN(name, cs_cooked_actor_detail, member, type, detail_##reader, text, .part = 1, \
		__VA_ARGS__)

CS_OWN_READER(cs_read_title, cs_text(cs_cooked_actor_title(cs_world_of(row), (uint32_t)row->index)))

/* Returns the row of the level instance around the actor: its title begins the actor's title. */
static uint32_t row_around(const struct cs_row *row, const struct cs_column *column)
{
	return cs_world_of(row)->containers[cs_read_word(row, column)].actor;
}

/*
 * Reads the placement. Shows CS_UNPLACED_CIRCULAR for a level instance inside its own level, which
 * files store as CS_UNPLACED_CONTAINER.
 */
static void cs_read_told_placement(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	cs_read_source_enum(row, column, ret);
	if (cs_told_placement(cs_world_of(row), (uint32_t)row->index) == CS_UNPLACED_CIRCULAR)
		*ret = cs_text(cs_word(CS_WORDS_PLACEMENT, CS_UNPLACED_CIRCULAR)->name);
}

static const struct cs_column actor_columns[] = {
	ACTOR("title", container, TEXT, title,
		"label of the actor, prefixed by the labels of the level instances: House_2/Bed",
		.label = "label", CS_SHORT),
	ACTOR("label", label, TEXT, text,
		"label of the actor without the labels of level instances", .flags = CS_COLUMN_KEY),
	ACTOR("name", name, TEXT, text, "object name", .flags = CS_COLUMN_KEY),
	CS_VALUE("class", TEXT, table_actors_read_class,
		"Blueprint class, or the native class if there is no Blueprint", CS_SHORT_INDEX),
	ACTOR("native_class", native_class, TEXT, text, "native class"),
	ACTOR("guid", guid, GUID, own_guid, "GUID within the container", .flags = CS_COLUMN_KEY),
	ACTOR("cell", cell, TEXT, cell, "cell that contains the actor", CS_SHORT_INDEX),
	ACTOR("grid", grid, TEXT, text, "runtime grid as the descriptor says"),
	ACTOR("effective_grid", effective_grid, TEXT, text,
		"grid after the rules for parents, containers and repairs"),
	SOURCE_FLAG("spatial", OWN_SPATIAL,
		"whether the descriptor says that the actor is spatially loaded"),
	ACTOR_FLAG("effective_spatial", SPATIAL,
		"whether the actor is spatially loaded after parents, containers and repairs"),
	SOURCE_FLAG("editor_only", EDITOR_ONLY,
		"whether the actor streams only in play in editor, or never"),
	SOURCE_FLAG("editor_only_in_pie", IN_PIE,
		"whether an editor-only actor takes part in play in editor"),
	SOURCE_FLAG("runtime_only", RUNTIME_ONLY, "whether the actor is not loaded in the editor"),
	SOURCE_FLAG("main_world_only", MAIN_WORLD_ONLY,
		"whether the actor is left out of level instances"),
	SOURCE_FLAG("hlod_relevant", HLOD_RELEVANT, "whether the actor takes part in HLOD"),
	ACTOR_FLAG("hlod", HLOD, "an HLOD actor"),
	SOURCE_FLAG("partition_actor", PARTITION_ACTOR,
		"whether the actor is a partition actor, such as a landscape proxy"),
	SOURCE_FLAG("level_instance", LEVEL_INSTANCE, "a level instance"),
	SOURCE_FLAG("is_container", CONTAINER,
		"whether the actor is a level instance whose actors are embedded in this world"),
	SOURCE_FLAG("forced_non_spatial", FORCED_NONSPATIAL,
		"whether validation made the actor non-spatial"),
	SOURCE_FLAG(
		"forced_no_grid", FORCED_NO_GRID, "whether validation removed the runtime grid"),
	SOURCE_FLAG(
		"forced_no_layers", FORCED_NO_LAYERS, "whether validation removed the data layers"),
	SOURCE_FLAG("filtered", FILTERED, "whether an actor filter removed the actor"),
	SOURCE_FLAG("unsaved", UNSAVED, "whether the actor takes part only in PIE"),
	ACTOR("bounds_min", bounds, VEC3, box_min, "minimum of the bounds in the world",
		.unit = "cm"),
	ACTOR("bounds_max", bounds, VEC3, box_max, "maximum of the bounds in the world",
		.unit = "cm"),
	ACTOR("layers", layers, LIST, source_layers, "data layers of the actor"),
	CS_VALUE("references", LIST, read_references,
		"GUIDs of the actors that the actor references"),
	ACTOR("parent", parent, GUID, actor_guid, "GUID of the actor that this one is attached to"),
	ACTOR("container", container, GUID, container,
		"id of the container, none for the main container", .flags = CS_COLUMN_INDEX),
	ACTOR("set", set, INTEGER, row_number, "row of the actor set in the table sets"),
	ACTOR("mesh", mesh, TEXT, text, "path of the mesh that the actor shows",
		.flags = CS_COLUMN_INDEX),
	ACTOR("hlod_layer", hlod_layer, TEXT, hlod_layer, "effective HLOD layer"),
	ACTOR("always", cell, TEXT, always,
		"reason why the actor is always loaded; none: it is not"),
	ACTOR("placement", placement, TEXT, told_placement,
		"reason why the actor is in its cell, or in no cell", .names = cs_placement_names),
	ACTOR("defaults", defaults, LIST, flag_list, "fields whose values come from the class",
		.names = cs_default_names),
	ACTOR("assumed", assumed, LIST, flag_list, "fields whose value is assumed",
		.names = cs_default_names),
	DETAIL("location", transform.translation, VEC3, placed_vec3, "position in the world",
		.unit = "cm"),
	DETAIL("rotation", transform.rotation, QUAT, placed_quat, "rotation in the world"),
	DETAIL("scale", transform.scale, VEC3, placed_vec3, "scale in the world"),
	DETAIL("editor_bounds_min", editor_bounds, VEC3, box_min,
		"minimum of the bounds in the editor", .unit = "cm"),
	DETAIL("editor_bounds_max", editor_bounds, VEC3, box_max,
		"maximum of the bounds in the editor", .unit = "cm"),
	DETAIL("instance_guid", instance_guid, GUID, own_guid, "GUID within the world",
		.flags = CS_COLUMN_KEY),
	DETAIL("package", package, TEXT, text, "package of the actor"),
	DETAIL("path", path, TEXT, text, "object path"),
	DETAIL("folder", folder, TEXT, text, "folder in the editor"),
	DETAIL("folder_guid", folder_guid, GUID, guid, "GUID of the folder"),
	DETAIL("engine", engine, TEXT, text, "engine version that saved the actor"),
	DETAIL("content_bundle", content_bundle, GUID, guid, "content bundle"),
	DETAIL("external_layer", external_layer, TEXT, layer, "external data layer"),
	DETAIL("own_hlod_layer", own_hlod_layer, TEXT, text, "HLOD layer as the descriptor says"),
	CS_VALUE("tags", LIST, read_tags, "tags of the actor", .part = 1),
	CS_PARTITION_COLUMN,
};

static const struct cs_getter actor_getters[] = {
	{cs_read_title, NULL, CS_TITLE_FIELDS, .refers = row_around, .kind = CS_NAMED_TITLE},
	{table_actors_read_class, "", "actors.base_class actors.native_class"},
	{read_references, "", "actors.references references.guid"},
	{cs_read_always, NULL,
		"actors.parent actors.container actors.flags actors.placement cells.flags",
		.refers = cs_read_row, .kind = CS_NAMED_FLAGS},
	{read_tags, "", "actor_details.tags"},
	{cs_read_told_placement},
	{cs_read_own_guid, NULL, "actors.flags", .is_field = true},
	{cs_read_detail_text, "actor_details", NULL, .is_field = true},
	{cs_read_detail_guid, "actor_details", NULL, .is_field = true},
	{cs_read_detail_box_min, "actor_details", NULL},
	{cs_read_detail_box_max, "actor_details", NULL},
	{cs_read_detail_layer, "actor_details", NULL},
	{cs_read_detail_placed_vec3, "actor_details", "actors.flags"},
	{cs_read_detail_placed_quat, "actor_details", "actors.flags"},
	{cs_read_detail_own_guid, "actor_details", "actors.flags", .is_field = true},
	{NULL},
};

CS_WORLD_LOADED(actors, actors, cs_cooked_actor)

typedef bool names_actor(const struct cs_cooked *world, uint32_t row, const char *text);

static bool is_title(const struct cs_cooked *world, uint32_t row, const char *text)
{
	return cs_name_compare(cs_cooked_actor_title(world, row), text) == 0;
}

/* Returns whether a text ends with the path of an actor's object. A class may precede the path. */
static bool ends_with_path(const struct cs_cooked *world, uint32_t row, const char *text)
{
	const char *path = cs_cooked_text(world, cs_cooked_detail(world, row)->path);
	const size_t n = strlen(path), m = strlen(text);
	return n > 0 && n <= m && cs_name_compare(text + m - n, path) == 0;
}

/*
 * Finds the actor that `text` names among those whose column `key` is `last`, the end of the text.
 * *ret is CS_NONE if there are several, and unchanged if there is none.
 */
static struct cs_error *find_one_actor(struct cs_query *query, const struct cs_table *table,
	const char *key, const char *last, names_actor *names, const char *text, uint32_t *ret)
{
	const struct cs_column *column = cs_table_column(table, key);
	const void *source;
	size_t n = 0, found = 0;
	struct cs_error *error = cs_query_lookup(query, table, column, last, true, NULL, 0, &n);
	uint32_t *rows = error || n == 0 ? NULL : malloc(n * sizeof(*rows));
	if (error || n == 0)
		return error;
	if (!rows)
		return cs_error_nomem();
	error = cs_query_lookup(query, table, column, last, true, rows, n, &n);
	cs_query_table_named(query, table->name, &source);
	for (size_t i = 0; !error && i < n; i++) {
		const struct cs_row row = cs_table_row(table, source, rows[i]);
		if (names(cs_world_of(&row), (uint32_t)row.index, text) && found++ == 0)
			*ret = rows[i];
	}
	if (found > 1)
		*ret = CS_NONE;
	free(rows);
	return error;
}

/*
 * Finds an actor by the path of its object, as in logs: "/Game/M.M:PersistentLevel.X". The text may
 * be the editor's form with the class, "/Script/Engine.Note'/Game/M.M:PersistentLevel.X'".
 */
static struct cs_error *find_actor_by_path(
	struct cs_query *query, const struct cs_table *table, const char *text, uint32_t *ret)
{
	const size_t n = strlen(text);
	char *path = strndup(text, n > 0 && text[n - 1] == '\'' ? n - 1 : n);
	if (!path)
		return cs_error_nomem();
	const char *dot = strchr(path, ':') ? strrchr(path, '.') : NULL;
	struct cs_error *error =
		dot ? find_one_actor(query, table, "name", dot + 1, ends_with_path, path, ret)
		    : NULL;
	free(path);
	return error;
}

/* Finds an actor by title ("House_2/Bed"), trying each slash: labels may contain slashes, too. */
static struct cs_error *table_actors_find_actor(struct cs_query *query,
	const struct cs_table *table, const void *source, const char *text, uint32_t *ret)
{
	struct cs_error *error = NULL;
	(void)source;
	for (const char *at = strchr(text, '/'); !error && at && *ret == CS_NONE;
		at = strchr(at + 1, '/')) {
		error = find_one_actor(query, table, "label", at + 1, is_title, text, ret);
		if (!error && *ret == CS_NONE)
			error = find_one_actor(query, table, "name", at + 1, is_title, text, ret);
	}
	return error || *ret != CS_NONE ? error : find_actor_by_path(query, table, text, ret);
}

const struct cs_table cs_actors_table = {
	.name = "actors",
	.row_name = "actor",
	.doc = "Actor instances, sorted by container and GUID.",
	CS_COLUMNS(actor_columns),
	.missing = CS_E_NOACTOR,
	CS_PART_ROWS(actors),
	.find = table_actors_find_actor,
	.getters = actor_getters,
};

/* ---- the table `containers` ---- */

#define CONTAINER(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_container, member, type, reader, text, __VA_ARGS__)

static const struct cs_column container_columns[] = {
	CONTAINER("package", package, TEXT, text, "package of the level", CS_SHORT_KEY),
	CONTAINER("id", id, GUID, guid, "GUID of the container, none for the main container",
		CS_SHORT_KEY),
	CONTAINER("actors", actors, INTEGER, count, "number of actors", CS_SHORT),
	CONTAINER("parent", parent, GUID, container,
		"id of the container that contains this container"),
	CONTAINER("actor", actor, TEXT, actor, "level instance actor of the container"),
	CONTAINER("location", transform.translation, VEC3, vec3, "position in the world",
		.unit = "cm"),
	CONTAINER("rotation", transform.rotation, QUAT, quat, "rotation in the world"),
	CONTAINER("scale", transform.scale, VEC3, vec3, "scale in the world"),
	CONTAINER("content_bundle", content_bundle, GUID, guid, "content bundle"),
	CONTAINER("external_layer", external_layer, TEXT, layer, "external data layer", CS_SHORT),
	CS_PARTITION_COLUMN,
};

/* Lists a world's containers; actors of each external data layer form a container of their own. */
static struct cs_error *list_containers(struct cs_cooked_source *part)
{
	struct cs_cooked *world = part->world;
	if (part->containers)
		return NULL;
	struct cs_cooked_container *rows =
		malloc((world->n_containers + world->n_layers + 1) * sizeof(*rows));
	if (!rows)
		return cs_error_nomem();
	memcpy(rows, world->containers, world->n_containers * sizeof(*rows));
	const struct cs_record_byte field = {
		CS_TABLE_ACTOR_DETAILS, offsetof(struct cs_cooked_actor_detail, external_layer)};
	const struct cs_cooked_loop loop = cs_cooked_loop(world, &field, 1);
	size_t n = world->n_containers;
	for (uint32_t layer = 0; n > 0 && layer < world->n_layers; layer++) {
		const struct cs_range all = world->containers[0].actors;
		rows[n] = world->containers[0];
		rows[n].external_layer = layer;
		rows[n].parent = 0;
		rows[n].actors.count = 0;
		const bool external = world->layers[layer].flags & CS_LAYER_EXTERNAL;
		for (uint32_t i = all.first; external && i < all.first + all.count; i++) {
			rows[n].actors.count += cs_cooked_detail(world, i)->external_layer == layer;
			cs_cooked_loop_step(&loop, i);
		}
		rows[0].actors.count -= rows[n].actors.count;
		n += rows[n].actors.count > 0;
	}
	struct cs_error *error = cs_cooked_loop_end(&loop);
	if (error) {
		free(rows);
		return error;
	}
	part->containers = rows;
	part->n_containers = n;
	return NULL;
}

static struct cs_error *load_containers(const void *source, unsigned part)
{
	(void)part;
	return cs_parts_load(source, list_containers);
}

CS_PART_TABLE(containers, n_containers, &part->containers[index])

const struct cs_table cs_containers_table = {
	.name = "containers",
	.row_name = "container",
	.doc = "Actor containers: the main one, then embedded level instances, parents first, "
	       "then external data layers.",
	CS_COLUMNS(container_columns),
	.missing = CS_E_MISSING,
	.load = load_containers,
	CS_PART_ROWS(containers),
};

/* ---- the table `sets` ---- */

#define SET(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_set, member, type, reader, text, __VA_ARGS__)

static void member_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	*ret = cs_text(cs_cooked_actor_title(
		list->list.source, ((const uint32_t *)list->list.items)[index]));
}

CS_GETTER(read_members, cs_cooked_set,
	cs_list_of_rows(cs_world_of(row),
		cs_cooked_id_rows(cs_world_of(row), CS_IDS_SET_MEMBERS, at->members),
		at->members.count, member_item))

static const struct cs_column set_columns[] = {
	SET("cell", cell, TEXT, cell, "cell that contains the set", CS_SHORT_INDEX),
	SET("grid", partition, TEXT, grid, "grid of the set"),
	SET("level", level, INTEGER, i32, "grid level of the cell", CS_SHORT),
	SET("first_level", first_level, INTEGER, i32,
		"grid level that follows from the size of the set", CS_SHORT),
	SET("x", x, INTEGER, i64, "X coordinate of the cell on its level"),
	SET("y", y, INTEGER, i64, "Y coordinate of the cell on its level"),
	SET("z", z, INTEGER, i64, "Z coordinate of the cell on its level"),
	SET("placement", placement, TEXT, enum, "rule that placed the set",
		.names = cs_placement_names, CS_SHORT),
	SET("actors", members, INTEGER, count, "number of actors", CS_SHORT),
	SET("largest", largest, TEXT, actor, "member with the longest extent", CS_SHORT),
	CS_VALUE("members", LIST, read_members, "actors of the set"),
	SET("container", container, GUID, container, "id of the container of the actors"),
	SET("bounds_min", bounds, VEC3, box_min, "minimum of the bounds of the set", .unit = "cm"),
	SET("bounds_max", bounds, VEC3, box_max, "maximum of the bounds of the set", .unit = "cm"),
	CS_PARTITION_COLUMN,
};

static const struct cs_getter set_getters[] = {
	{read_members, "", "sets.members " CS_TITLE_FIELDS}, {NULL}};

CS_WORLD_LOADED(sets, sets, cs_cooked_set)

const struct cs_table cs_sets_table = {
	.name = "sets",
	.row_name = "actor_set",
	.doc = "Actor sets: clusters of actors that share a cell.",
	CS_COLUMNS(set_columns),
	.missing = CS_E_MISSING,
	CS_PART_ROWS(sets),
	.getters = set_getters,
};

/* ---- the table `references` ---- */

#define REFERENCE(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_reference, member, type, reader, text, __VA_ARGS__)

static struct cs_error *find_owners(struct cs_cooked_source *cooked)
{
	struct cs_cooked *world = cooked->world;
	if (cooked->reference_owners)
		return NULL;
	uint32_t *owners = malloc((world->n_references + 1) * sizeof(*owners));
	if (!owners)
		return cs_error_nomem();
	const struct cs_record_byte field = {
		CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, references)};
	const struct cs_cooked_loop loop = cs_cooked_loop(world, &field, 1);
	for (size_t i = 0; i < world->n_references; i++)
		owners[i] = CS_NONE;
	for (uint32_t i = 0; i < world->n_actors; i++) {
		struct cs_range range = cs_cooked_actor(world, i)->references;
		for (uint32_t k = 0; k < range.count && owners[range.first + k] == CS_NONE; k++)
			owners[range.first + k] = i;
		cs_cooked_loop_step(&loop, i);
	}
	struct cs_error *error = cs_cooked_loop_end(&loop);
	if (error) {
		free(owners);
		return error;
	}
	cooked->reference_owners = owners;
	return NULL;
}

static struct cs_error *load_references(const void *source, unsigned part)
{
	(void)part;
	return cs_parts_load(source, find_owners);
}

static uint32_t owner_row(const struct cs_row *row, const struct cs_column *column)
{
	(void)column;
	return ((const struct cs_cooked_source *)row->source)->reference_owners[row->index];
}

static void read_owner(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const uint32_t owner = owner_row(row, column);
	*ret = owner == CS_NONE ? cs_null()
				: cs_text(cs_cooked_actor_title(cs_world_of(row), owner));
}

static void read_owner_guid(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const uint32_t owner = owner_row(row, column);
	*ret = owner == CS_NONE ? cs_null()
				: cs_guid_value(cs_cooked_actor_guid(cs_world_of(row), owner));
}

static const struct cs_column reference_columns[] = {
	CS_VALUE("actor", TEXT, read_owner, "actor that has the reference", CS_SHORT_INDEX),
	CS_VALUE("actor_guid", GUID, read_owner_guid, "GUID of the actor that has the reference",
		.flags = CS_COLUMN_INDEX),
	REFERENCE("to", actor, TEXT, actor, "referenced actor", CS_SHORT_INDEX),
	REFERENCE("to_guid", guid, GUID, guid,
		"GUID of the referenced actor, as the descriptor has it", CS_SHORT_INDEX),
	REFERENCE("state", state, TEXT, enum, "result of the reference in the cook",
		.names = cs_reference_state_names, CS_SHORT),
	CS_PARTITION_COLUMN,
};

static const struct cs_getter reference_getters[] = {
	{read_owner, "", CS_TITLE_FIELDS, .refers = owner_row, .kind = CS_NAMED_TITLE},
	{read_owner_guid, "", "actors.guid", .refers = owner_row, .kind = CS_NAMED_GUID}, {NULL}};

CS_WORLD_LOADED(references, references, cs_cooked_reference)

const struct cs_table cs_references_table = {
	.name = "references",
	.row_name = "reference",
	.doc = "Hard references of actors.",
	CS_COLUMNS(reference_columns),
	.missing = CS_E_MISSING,
	.load = load_references,
	CS_PART_ROWS(references),
	.getters = reference_getters,
};
