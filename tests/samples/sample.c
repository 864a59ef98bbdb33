/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the sample world of the tests. */
#include "tests/samples/sample.h"
#include "core/geometry.h"
#include "format/check_numbers.h"
#include "format/file_inside.h"

#include "core/strings.h"
#include "core/vec.h"
#include "format/file_writer.h"

#include <cellscope/cooked.h>
#include <cellscope/cooked_values.h>

#include <stdio.h>
#include <stdlib.h>

const char sample_hostile_text[] = "\x1b]0;gone\x07\x1b[31m\r\n\t\x7f\xc2\x9b\xe2\x80\xae"
				   "\xe2\x80\x8b\"'\\$(id)`id`;|>@~ \xc3\xa9\xe2\x82\xac";

struct sample {
	const struct sample_options *options;
	struct cs_strings strings;
	struct cs_cooked_world world;
	CS_VEC(struct cs_cooked_partition) partitions;
	CS_VEC(struct cs_cooked_layer) layers;
	CS_VEC(struct cs_cooked_container) containers;
	CS_VEC(struct cs_cooked_cell) cells;
	CS_VEC(uint32_t) cell_layers;
	CS_VEC(uint32_t) cell_actors;
	CS_VEC(struct cs_cooked_set) sets;
	CS_VEC(uint32_t) set_members;
	CS_VEC(struct cs_cooked_actor) actors;
	CS_VEC(uint32_t) actor_layers;
	CS_VEC(uint32_t) actor_tags;
	CS_VEC(struct cs_cooked_actor_detail) details;
	CS_VEC(struct cs_cooked_reference) references;
	CS_VEC(struct cs_cooked_finding) findings;
	CS_VEC(struct cs_cooked_drop) drops;
};

#define PUSH(vec, ...)                              \
	do {                                        \
		if (!cs_vec_push(vec, __VA_ARGS__)) \
			abort();                    \
	} while (0)

/* Adds a text; with hostile texts every one but the structural ones has hostile bytes. */
static uint32_t text(struct sample *s, const char *plain)
{
	char whole[512];
	snprintf(whole, sizeof(whole), "%s%s", plain,
		s->options->hostile && *plain ? s->options->hostile : "");
	return cs_strings_add_z(&s->strings, whole);
}

static struct cs_box box_at(double x, double y, double size)
{
	return (struct cs_box){{x, y, 0}, {x + size, y + size, size}};
}

static uint32_t add_layer(struct sample *s, const char *label, enum cs_layer_state initial)
{
	char asset[64];
	snprintf(asset, sizeof(asset), "/Game/Layers/%s", label);
	struct cs_cooked_layer layer = {.name = text(s, asset + 6),
		.label = text(s, label),
		.asset = text(s, asset),
		.parent = CS_NONE,
		.initial = initial};
	PUSH(&s->layers, layer);
	return (uint32_t)s->layers.n - 1;
}

/* Adds an actor of the main container, in the cell that is added next. */
static struct cs_cooked_actor *add_actor(struct sample *s, const char *label, struct cs_box bounds)
{
	uint32_t n = (uint32_t)s->actors.n;
	struct cs_cooked_actor actor = {.guid = {0xA0000000 + n, 1, 2, 3},
		.bounds = bounds,
		.name = text(s, label),
		.label = text(s, label),
		.native_class = text(s, "/Script/Engine.StaticMeshActor"),
		.parent = CS_NONE,
		.effective_grid = text(s, "MainGrid"),
		.hlod_layer = CS_NONE,
		.set = CS_NONE,
		.cell = CS_NONE,
		.layers = {(uint32_t)s->actor_layers.n, 0},
		.references = {(uint32_t)s->references.n, 0},
		.flags = CS_ACTOR_OWN_SPATIAL | CS_ACTOR_SPATIAL | CS_ACTOR_HLOD_RELEVANT};
	struct cs_cooked_actor_detail detail = {.transform = CS_TRANSFORM_IDENTITY,
		.editor_bounds = CS_BOX_INVALID,
		.instance_guid = actor.guid,
		.package = text(s, "/Game/Valley/Actors"),
		.folder = text(s, "Props"),
		.external_layer = CS_NONE,
		.tags = {(uint32_t)s->actor_tags.n, 0}};
	detail.transform.translation = cs_box_centre(&bounds);
	PUSH(&s->actors, actor);
	PUSH(&s->details, detail);
	return &s->actors.at[n];
}

static void place_actor(struct sample *s, uint32_t actor, enum cs_placement placement)
{
	uint32_t cell = (uint32_t)s->cells.n;
	struct cs_cooked_set set = {.bounds = s->actors.at[actor].bounds,
		.cell = cell,
		.placement = placement,
		.largest = actor,
		.members = {(uint32_t)s->set_members.n, 1}};
	s->actors.at[actor].cell = cell;
	s->actors.at[actor].set = (uint32_t)s->sets.n;
	s->actors.at[actor].placement = placement;
	PUSH(&s->set_members, actor);
	PUSH(&s->cell_actors, actor);
	PUSH(&s->sets, set);
}

struct place {
	int level, x, y;
	uint32_t partition, flags;
	const char *suffix; /* of the names: "_DL5A17", "" */
};

/* Adds a cell around the actor; the layer may be CS_NONE. */
static void add_cell(struct sample *s, const struct place *at, uint32_t actor, uint32_t layer)
{
	char short_name[64], name[160];
	double size = 12800.0 * (1 << at->level);
	uint32_t n = (uint32_t)s->cells.n;
	bool spatial = at->flags & CS_CELL_SPATIAL;
	snprintf(short_name, sizeof(short_name), "L%d_X%d_Y%d%s", at->level, at->x, at->y,
		at->suffix);
	snprintf(name, sizeof(name), "Valley_%s_%s", at->partition ? "Persistent" : "MainGrid",
		short_name);
	struct cs_cooked_cell cell = {.guid = {0xC0000000 + n, 4, 5, 6},
		.box = spatial ? box_at(at->x * size, at->y * size, size) : CS_BOX_INVALID,
		.content = s->actors.at[actor].bounds,
		.x = at->x,
		.y = at->y,
		.name = text(s, name),
		.short_name = text(s, short_name),
		.package = text(s, "0123456789ABCDEFGHIJKLMNO"),
		.partition = at->partition,
		.level = at->level,
		.hierarchical_level = at->level,
		.flags = at->flags,
		.external_layer = CS_NONE,
		.layers = {(uint32_t)s->cell_layers.n, 0},
		.actors = {(uint32_t)s->cell_actors.n, 1},
		.sets = {(uint32_t)s->sets.n, 1}};
	if (layer != CS_NONE) {
		cell.layers_id = 0x5a17;
		cell.layers.count = 1;
		PUSH(&s->cell_layers, layer);
	}
	place_actor(s, actor, spatial ? CS_PLACED_BY_CENTRE : CS_PLACED_NON_SPATIAL);
	PUSH(&s->cells, cell);
}

static void add_rocks(struct sample *s)
{
	int side = s->options->side ? (int)s->options->side : 4;
	char label[32];
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			struct place at = {0, x - side / 2, y - side / 2, 0, CS_CELL_SPATIAL, ""};
			snprintf(label, sizeof(label), "Rock_%d", y * side + x);
			uint32_t n = (uint32_t)s->actors.n;
			add_actor(s, label,
				box_at(at.x * 12800.0 + 100.5, at.y * 12800.0 + 200, 300));
			add_cell(s, &at, n, CS_NONE);
		}
	}
}

static void add_lamp(struct sample *s, uint32_t night)
{
	uint32_t n = (uint32_t)s->actors.n;
	struct cs_cooked_actor *lamp = add_actor(s, "Lamp", box_at(300, 300, 50));
	lamp->base_class = text(s, "/Game/BP_Lamp.BP_Lamp_C");
	lamp->layers.count = 1;
	lamp->references.count = 2;
	lamp->grid = text(s, "MainGrid");
	lamp->assumed = lamp->defaults = CS_DEFAULT_EDITOR_ONLY | CS_DEFAULT_HLOD_LAYER;
	PUSH(&s->actor_layers, night);
	PUSH(&s->references, (struct cs_cooked_reference){{0xA0000000, 1, 2, 3}, 0, 0});
	PUSH(&s->references,
		(struct cs_cooked_reference){{0xDEAD, 0, 0, 1}, CS_NONE, CS_REFERENCE_MISSING});
	s->details.at[n].tags.count = 1;
	PUSH(&s->actor_tags, text(s, "Light"));
	add_cell(s, &(struct place){0, 0, 0, 0, CS_CELL_SPATIAL, "_DL5A17"}, n, night);
	struct cs_cooked_finding finding = {.check = CS_CHECK_MISSING_REFERENCE,
		.severity = CS_WARNING,
		.repair = CS_REPAIR_DROP_REFERENCE,
		.actor = n,
		.other = CS_NONE,
		.layer = CS_NONE,
		.cause = CS_NONE,
		.hlod_layer = CS_NONE,
		.partition = CS_NONE};
	PUSH(&s->findings, finding);
}

static void add_others(struct sample *s)
{
	uint32_t n = (uint32_t)s->actors.n;
	add_actor(s, "Tower", box_at(5000, 5000, 20000))->parent = 0;
	add_cell(s, &(struct place){1, 0, 0, 0, CS_CELL_SPATIAL, ""}, n, CS_NONE);
	s->partitions.at[0].cells.count = (uint32_t)s->cells.n;
	s->partitions.at[1].cells = (struct cs_range){(uint32_t)s->cells.n, 1};
	struct cs_cooked_actor *sky = add_actor(s, "Sky", CS_BOX_INVALID);
	sky->flags = CS_ACTOR_MAIN_WORLD_ONLY;
	add_cell(s, &(struct place){0, 0, 0, 1, CS_CELL_ALWAYS_LOADED, ""}, n + 1, CS_NONE);
	struct cs_cooked_actor *note = add_actor(s, "Note", box_at(0, 0, 10));
	note->flags |= CS_ACTOR_EDITOR_ONLY;
	note->placement = CS_UNPLACED_EDITOR_ONLY;
	note->grid = text(s, "NoSuchGrid");
	PUSH(&s->drops, (struct cs_cooked_drop){
				n + 2, 1, text(s, "unknown partition"), text(s, "NoSuchGrid")});
	s->containers.at[0].actors.count = (uint32_t)s->actors.n;
}

/* Adds a level instance with one actor that is in no cell. */
static void add_inn(struct sample *s)
{
	uint32_t n = (uint32_t)s->actors.n;
	struct cs_cooked_actor *chair = add_actor(s, "Inn_Chair", box_at(1000, 1000, 100));
	chair->container = 1;
	chair->placement = CS_UNPLACED_FILTERED;
	struct cs_cooked_container inn = {.transform = CS_TRANSFORM_IDENTITY,
		.id = {9, 9, 9, 9},
		.package = text(s, "/Game/Inn"),
		.actor = 0,
		.external_layer = CS_NONE,
		.actors = {n, 1}};
	inn.transform.translation = (struct cs_vec3){1000, 1000, 0};
	PUSH(&s->containers, inn);
}

static void add_basics(struct sample *s)
{
	struct cs_cooked_partition grid = {.bounds = box_at(-25600, -25600, 51200),
		.cell_size = 12800,
		.loading_range = 38400,
		.name = text(s, "MainGrid"),
		.parent = CS_NONE,
		.hlod_index = -1,
		.flags = CS_PARTITION_SPATIAL | CS_PARTITION_2D};
	s->world = (struct cs_cooked_world){.bounds = box_at(-25600, -25600, 51200),
		.name = text(s, "Valley"),
		.package = text(s, "/Game/Valley"),
		.source = text(s, "json"),
		.profile = text(s, "5.4"),
		.default_hlod_layer = CS_NONE,
		.flags = CS_WORLD_STREAMING};
	PUSH(&s->partitions, grid);
	grid.partition_class = CS_PARTITION_PERSISTENT;
	grid.name = text(s, "Persistent");
	PUSH(&s->partitions, grid);
	PUSH(&s->containers, (struct cs_cooked_container){.transform = CS_TRANSFORM_IDENTITY,
				     .parent = CS_NONE,
				     .package = text(s, "/Game/Valley"),
				     .actor = CS_NONE,
				     .external_layer = CS_NONE});
}

static struct cs_error *save(struct sample *s, const char *path)
{
#define TABLE(id, member)                     \
	{                                     \
		id, s->member.at, s->member.n \
	}
	const struct {
		uint16_t table;
		const void *rows;
		size_t n;
	} tables[] = {
		{CS_TABLE_STRINGS, s->strings.blob, s->strings.size},
		{CS_TABLE_WORLD, &s->world, 1},
		TABLE(CS_TABLE_PARTITIONS, partitions),
		TABLE(CS_TABLE_LAYERS, layers),
		TABLE(CS_TABLE_CONTAINERS, containers),
		TABLE(CS_TABLE_CELLS, cells),
		TABLE(CS_TABLE_CELL_LAYERS, cell_layers),
		TABLE(CS_TABLE_CELL_ACTORS, cell_actors),
		TABLE(CS_TABLE_SETS, sets),
		TABLE(CS_TABLE_SET_MEMBERS, set_members),
		TABLE(CS_TABLE_ACTORS, actors),
		TABLE(CS_TABLE_ACTOR_LAYERS, actor_layers),
		TABLE(CS_TABLE_ACTOR_TAGS, actor_tags),
		TABLE(CS_TABLE_ACTOR_DETAILS, details),
		TABLE(CS_TABLE_REFERENCES, references),
		TABLE(CS_TABLE_FINDINGS, findings),
		TABLE(CS_TABLE_DROPS, drops),
	};
#undef TABLE
	struct cs_file_writer *writer;
	struct cs_error *error = cs_file_writer_new(cs_schema_of_kind(1), NULL, &writer);
	if (error)
		return error;
	for (size_t i = 0; !error && i < sizeof(tables) / sizeof(tables[0]); i++)
		error = cs_file_writer_table(writer, tables[i].table, tables[i].rows, tables[i].n);
	if (!error)
		error = cs_file_writer_save(writer, path);
	cs_file_writer_free(writer);
	return error;
}

static void free_sample(struct sample *s)
{
	cs_strings_deinit(&s->strings);
	cs_vec_free(&s->partitions);
	cs_vec_free(&s->layers);
	cs_vec_free(&s->containers);
	cs_vec_free(&s->cells);
	cs_vec_free(&s->cell_layers);
	cs_vec_free(&s->cell_actors);
	cs_vec_free(&s->sets);
	cs_vec_free(&s->set_members);
	cs_vec_free(&s->actors);
	cs_vec_free(&s->actor_layers);
	cs_vec_free(&s->actor_tags);
	cs_vec_free(&s->details);
	cs_vec_free(&s->references);
	cs_vec_free(&s->findings);
	cs_vec_free(&s->drops);
}

struct cs_error *sample_save(const char *path, const struct sample_options *options)
{
	struct sample s = {.options = options};
	add_basics(&s);
	add_layer(&s, "DL_Base", CS_LAYER_ACTIVATED);
	uint32_t night = add_layer(&s, "DL_Night", CS_LAYER_UNLOADED);
	add_rocks(&s);
	add_lamp(&s, night);
	add_others(&s);
	add_inn(&s);
	struct cs_error *error = save(&s, path);
	free_sample(&s);
	return error;
}
