/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the world of hard cases: every check of validation fires at least once, every border and
 * every odd shape of bounds is there, names are hostile. The cases come first, always all of them;
 * random mischief fills up to the size that is asked for.
 */
#include "make/generate.h"
#include "tests/make/make.h"
#include <cellscope/cooked_values.h>

static const struct cs_vec3 small = {50, 50, 50};

enum { LAYER_X, LAYER_Y, LAYER_EDITOR, LAYER_CLIENT, LAYER_SERVER, LAYER_EXTERNAL, LAYER_OTHER };

/* Returns the GUID of actor `index`, which may be the one begun last. */
static struct cs_guid guid_at(const struct cs_generator *generator, size_t index)
{
	return index < generator->world->actors.n ? generator->world->actors.at[index].guid
						  : generator->actor.guid;
}

static struct cs_vec3 at(double x, double y)
{
	return (struct cs_vec3){x, y, 0};
}

static struct cs_actor *add(struct cs_generator *g, const char *name, double x, double y)
{
	return cs_generate_actor(g, name, "Engine.StaticMeshActor", at(x, y), small);
}

static struct cs_guid add_plain(struct cs_generator *g, const char *name, double x, double y)
{
	return add(g, name, x, y)->guid;
}

static void set_grid(struct cs_generator *g, struct cs_actor *actor, const char *grid)
{
	actor->grid = cs_generate_text(g, "%s", grid);
}

/* ---- settings ---- */

static void add_layers(struct cs_generator *g)
{
	cs_generate_layer(g, "X", CS_LAYER_RUNTIME, NULL);
	cs_generate_layer(g, "Y", CS_LAYER_RUNTIME, "X");
	cs_generate_layer(g, "EditorOnly", CS_LAYER_EDITOR, NULL);
	cs_generate_layer(g, "Client", CS_LAYER_RUNTIME, NULL);
	cs_generate_layer(g, "Server", CS_LAYER_RUNTIME, NULL);
	cs_generate_layer(g, "External", CS_LAYER_RUNTIME, NULL);
	cs_generate_layer(g, "OtherExternal", CS_LAYER_RUNTIME, NULL);
	cs_generate_layer(g, "NoAsset", CS_LAYER_RUNTIME, NULL);
	cs_generate_layer(g, "Conflict", CS_LAYER_RUNTIME, NULL);
	cs_generate_layer(g, "RuntimeUnderEditor", CS_LAYER_RUNTIME, "EditorOnly");
	cs_generate_layer(g, "EditorUnderRuntime", CS_LAYER_EDITOR, "X");
	cs_generate_layer(g, "ExternalEditor", CS_LAYER_EDITOR, NULL);
	cs_generate_layer(g, "Ring0", CS_LAYER_RUNTIME, "Ring1");
	cs_generate_layer(g, "Ring1", CS_LAYER_RUNTIME, "Ring0");
	if (g->failed)
		return;
	struct cs_source_layer *layers = g->world->layers.at;
	layers[LAYER_CLIENT].filter = CS_FILTER_CLIENT_ONLY;
	layers[LAYER_SERVER].filter = CS_FILTER_SERVER_ONLY;
	layers[LAYER_EXTERNAL].external = true;
	layers[LAYER_OTHER].external = true;
	layers[LAYER_OTHER + 1].asset = 0;
	layers[LAYER_OTHER + 2].asset = layers[LAYER_X].asset;
	layers[LAYER_OTHER + 5].external = true;
}

static void add_partitions(struct cs_generator *g)
{
	struct cs_source_partition second = cs_partition_default();
	struct cs_source_partition levels = cs_partition_default();
	cs_generate_partition(g, 12800, 25600);
	/* loads no farther than what it stands for */
	cs_generate_hlod(g, "Close", NULL, true, 25600, 25600);
	if (!g->failed)
		g->world->partitions.at[0].setups.count++;
	second.name = cs_generate_text(g, "Second");
	second.cell_size = 6400;
	second.loading_range = 12800;
	second.priority = 5;
	second.block_on_slow = true;
	second.setups = (struct cs_range){
		g->world->partitions.n ? g->world->partitions.at[0].setups.first : 0, 2};
	levels.name = cs_generate_text(g, "Levels");
	levels.partition_class = CS_PARTITION_LEVEL_STREAMING;
	levels.setups = second.setups;
	g->failed |= !cs_vec_push(&g->world->partitions, second) ||
		     !cs_vec_push(&g->world->partitions, levels);
}

/* ---- V0 to V2 ---- */

static void add_world_references(struct cs_generator *g)
{
	struct cs_actor *actor = add(g, "ScriptedDoor", 3000, 3000);
	struct cs_guid guid = actor->guid;
	cs_generate_layer_name(g, actor, LAYER_X);
	g->world->settings.world_references = (struct cs_range){(uint32_t)g->world->guids.n, 1};
	g->failed |= !cs_vec_push(&g->world->guids, guid);
	add(g, "OldFormat", 3500, 3000)->flags |= CS_ACTOR_NEEDS_RESAVE;
}

static uint32_t add_container(
	struct cs_generator *g, const char *package, enum cs_container_kind kind)
{
	uint32_t container = 0;
	struct cs_error *error = cs_world_container(g->world, package, &container);
	if (error) {
		cs_error_free(error);
		g->failed = true;
		return 0;
	}
	g->world->containers.at[container].kind = kind;
	g->world->containers.at[container].missing = false;
	return container;
}

static struct cs_actor *add_instance(struct cs_generator *g, const char *name, double x, double y,
	const char *level, enum cs_behavior behavior)
{
	struct cs_actor *actor =
		cs_generate_actor(g, name, "Engine.LevelInstance", at(x, y), small);
	struct cs_level_instance li = {
		.level = cs_generate_text(g, "%s", level), .behavior = behavior};
	actor->level_instance = (uint32_t)g->world->level_instances.n;
	/* a level that nothing adds stays missing */
	uint32_t container;
	struct cs_error *error = cs_world_container(g->world, level, &container);
	if (error || !cs_vec_push(&g->world->level_instances, li))
		g->failed = true;
	cs_error_free(error);
	return actor;
}

static void add_levels(struct cs_generator *g)
{
	uint32_t room = add_container(g, "/Game/Levels/Room", CS_CONTAINER_LEVEL);
	uint32_t nested = add_container(g, "/Game/Levels/Nested", CS_CONTAINER_LEVEL);
	uint32_t monolith = add_container(g, "/Game/Levels/Monolith", CS_CONTAINER_LEVEL);
	uint32_t town = add_container(g, "/Game/Levels/Town", CS_CONTAINER_LEVEL);
	if (g->failed)
		return;
	g->world->containers.at[monolith].external_actors = false;
	add(g, "InTheMonolith", 0, 0)->container = monolith;
	add(g, "TownHall", 20000, 0)->container = town;
	struct cs_actor *self =
		add_instance(g, "TownInItself", 0, 0, "/Game/Levels/Town", CS_BEHAVIOR_STANDALONE);
	self->container = town;

	struct cs_actor *chair = add(g, "Chair", 100, 0);
	chair->container = room;
	struct cs_guid chair_guid = chair->guid;
	cs_generate_layer_name(g, chair, LAYER_Y);
	struct cs_actor *table = add(g, "Table", 0, 0);
	table->container = room;
	cs_generate_layer_name(g, table, LAYER_X);
	cs_generate_reference(g, table, chair_guid);
	struct cs_actor *sky = add(g, "OnlyInTheMainWorld", 0, 0);
	sky->container = room;
	sky->flags |= CS_ACTOR_MAIN_WORLD_ONLY;

	struct cs_actor *inner = add_instance(
		g, "InnerRoom", 500, 500, "/Game/Levels/Room", CS_BEHAVIOR_PARTITIONED);
	inner->container = nested;
	inner = add_instance(g, "Itself", 500, 0, "/Game/Levels/Nested", CS_BEHAVIOR_PARTITIONED);
	inner->container = nested;

	add_instance(g, "Room", 40000, 0, "/Game/Levels/Room", CS_BEHAVIOR_PARTITIONED)
		->transform.rotation = cs_quat_from_euler(0, 45, 0);
	uint32_t filtered = add_instance(
		g, "FilteredRoom", 45000, 0, "/Game/Levels/Room", CS_BEHAVIOR_PARTITIONED)
				    ->level_instance;
	add_instance(g, "NestedRoom", 50000, 0, "/Game/Levels/Nested", CS_BEHAVIOR_PARTITIONED);
	add_instance(g, "LostLevel", 51000, 0, "/Game/Levels/Lost", CS_BEHAVIOR_PARTITIONED);
	add_instance(g, "Monolith", 52000, 0, "/Game/Levels/Monolith", CS_BEHAVIOR_PARTITIONED);
	add_instance(g, "Standalone", 53000, 0, "/Game/Levels/Monolith", CS_BEHAVIOR_STANDALONE);
	add_instance(g, "Town", 60000, 0, "/Game/Levels/Town", CS_BEHAVIOR_STANDALONE)
		->transform.rotation = cs_quat_from_euler(0, 30, 0);
	add_instance(g, "MainInItself", 54000, 0, "/Game/Maps/Hard", CS_BEHAVIOR_PARTITIONED);
	if (g->failed)
		return;
	/* the chair is filtered out, but the table references it */
	struct cs_level_instance *li = &g->world->level_instances.at[filtered];
	li->filter = (struct cs_range){(uint32_t)g->world->texts.n, 1};
	g->failed |= !cs_vec_push(&g->world->texts, g->world->layers.at[LAYER_Y].asset);
	/* a reference that leaves its container */
	cs_generate_reference(g, add(g, "ReferencesIntoALevel", 41000, 0), chair_guid);
}

/* ---- V3 ---- */

static void add_references(struct cs_generator *g)
{
	/* spatial -> non-spatial, with a chain in front: repaired in two passes */
	struct cs_actor *manager = add(g, "Manager", 0, 8000);
	manager->flags &= ~CS_ACTOR_OWN_SPATIAL;
	struct cs_guid guid = manager->guid;
	struct cs_actor *user = add(g, "UsesManager", 1000, 8000);
	cs_generate_reference(g, user, guid);
	guid = user->guid;
	cs_generate_reference(g, add(g, "UsesUser", 2000, 8000), guid);
	/* non-spatial -> spatial */
	guid = add_plain(g, "Managed", 3000, 8000);
	struct cs_actor *owner = add(g, "Owner", 4000, 8000);
	owner->flags &= ~CS_ACTOR_OWN_SPATIAL;
	cs_generate_reference(g, owner, guid);
	/* a layer of which the world has no instance */
	struct cs_actor *lost = add(g, "LostItsLayer", 4500, 8000);
	lost->layers = (struct cs_range){(uint32_t)g->world->texts.n, 1};
	g->failed |= !cs_vec_push(&g->world->texts, cs_generate_text(g, "/Game/Layers/Lost.Lost"));
	/* layers, in any order and of the editor */
	struct cs_actor *layered = add(g, "Layered", 5000, 8000);
	cs_generate_layer_name(g, layered, LAYER_X);
	guid = layered->guid;
	cs_generate_reference(g, add(g, "NotLayered", 6000, 8000), guid);
	struct cs_actor *both = add(g, "LayeredXY", 7000, 8000);
	cs_generate_layer_name(g, both, LAYER_X);
	cs_generate_layer_name(g, both, LAYER_Y);
	guid = both->guid;
	both = add(g, "LayeredYX", 8000, 8000);
	cs_generate_layer_name(g, both, LAYER_Y);
	cs_generate_layer_name(g, both, LAYER_X);
	cs_generate_reference(g, both, guid);
	struct cs_actor *editor = add(g, "OnEditorLayer", 9000, 8000);
	cs_generate_layer_name(g, editor, LAYER_EDITOR);
	guid = editor->guid;
	cs_generate_reference(g, add(g, "ReferencesEditorLayer", 10000, 8000), guid);
	/* load filters that do not fit together (5.7) */
	struct cs_actor *mixed = add(g, "MixedFilters", 11000, 8000);
	cs_generate_layer_name(g, mixed, LAYER_CLIENT);
	cs_generate_layer_name(g, mixed, LAYER_SERVER);
}

static void add_more_references(struct cs_generator *g)
{
	/* external data layers */
	struct cs_actor *external = add(g, "InExternalLayer", 0, 9000);
	external->external_layer = g->world->layers.at[LAYER_EXTERNAL].asset;
	struct cs_guid guid = external->guid;
	struct cs_actor *other = add(g, "InOtherExternalLayer", 1000, 9000);
	other->external_layer = g->world->layers.at[LAYER_OTHER].asset;
	cs_generate_reference(g, other, guid);
	/* grids: both fall back to the default, and then the third */
	struct cs_actor *first = add(g, "OnMainGrid", 2000, 9000);
	set_grid(g, first, "MainGrid");
	guid = first->guid;
	struct cs_actor *second = add(g, "OnSecondGrid", 3000, 9000);
	set_grid(g, second, "Second");
	cs_generate_reference(g, second, guid);
	guid = second->guid;
	struct cs_actor *third = add(g, "AlsoOnSecondGrid", 4000, 9000);
	set_grid(g, third, "second");
	cs_generate_reference(g, third, guid);
	/* to nobody, to an editor-only actor, to itself, twice */
	struct cs_actor *note = add(g, "Note", 5000, 9000);
	note->flags |= CS_ACTOR_EDITOR_ONLY;
	guid = note->guid;
	struct cs_actor *reader = add(g, "ReadsNote", 6000, 9000);
	cs_generate_reference(g, reader, guid);
	cs_generate_reference(g, reader, (struct cs_guid){0xdead, 0xbeef, 1, 2});
	cs_generate_reference(g, reader, reader->guid);
	guid = add_plain(g, "Twice", 7000, 9000);
	struct cs_actor *twice = add(g, "ReferencesTwice", 8000, 9000);
	cs_generate_reference(g, twice, guid);
	cs_generate_reference(g, twice, guid);
}

/* ---- V4 and drops ---- */

static void add_unknown_names(struct cs_generator *g)
{
	set_grid(g, add(g, "UnknownGrid", 0, 10000), "Nowhere");
	set_grid(g, add(g, "UnknownSetup", 1000, 10000), "MainGrid:Nothing");
	set_grid(g, add(g, "BrokenGrid", 2000, 10000), "Main.Grid.Of:Too:Many");
	struct cs_actor *lost = add(g, "NonSpatialOnUnknownGrid", 3000, 10000);
	lost->flags &= ~CS_ACTOR_OWN_SPATIAL;
	set_grid(g, lost, "Nowhere");
	add(g, "UnknownHLODLayer", 4000, 10000)->hlod_layer =
		cs_generate_text(g, "/Game/HLOD/Unknown.Unknown");
	struct cs_source_hlod_layer stray = {
		.path = cs_generate_text(g, "/Game/HLOD/Stray.Stray"), .spatial = true};
	g->failed |= !cs_vec_push(&g->world->hlod_layers, stray);
	add(g, "StrayHLODLayer", 5000, 10000)->hlod_layer =
		cs_generate_text(g, "/Game/HLOD/Stray.Stray");
	set_grid(g, add(g, "NorthLevel", 6000, 10000), "Levels.North");
	set_grid(g, add(g, "SouthLevel", 7000, 10000), "Levels.South");
	set_grid(g, add(g, "DefaultLevel", 8000, 10000), "Levels");
}

/* An HLOD that never has anything to show, and one of a cell that is gone. */
static void add_hlods(struct cs_generator *g)
{
	const struct cs_hlod_actor stale = {
		.source_cell = {0x57a1e, 0, 0, 0},
		.source_cell_name = cs_generate_text(g, "Hard_MainGrid_7_7_0_9"),
		.layer = cs_generate_text(g, "/Game/HLOD/HLOD0.HLOD0"),
		.min_visible_distance = 25600,
	};
	add(g, "SeenTooClose", 9000, 10000)->hlod_layer =
		cs_generate_text(g, "/Game/HLOD/Close.Close");
	struct cs_actor *actor = cs_generate_actor(
		g, "StaleHLOD", "Engine.WorldPartitionHLOD", at(10000, 10000), small);
	actor->flags |= CS_ACTOR_RUNTIME_ONLY;
	set_grid(g, actor, "MainGrid:HLOD0");
	actor->hlod = (uint32_t)g->world->hlods.n;
	g->failed |= !cs_vec_push(&g->world->hlods, stale);
}

/* ---- shapes ---- */

static void add_shape(struct cs_generator *g, const char *name, struct cs_box box)
{
	struct cs_actor *actor = add(g, name, 0, 0);
	actor->bounds = box;
	actor->editor_bounds = box;
}

static void add_shapes(struct cs_generator *g)
{
	add_shape(g, "NoBounds", CS_BOX_INVALID);
	add_shape(g, "Point", (struct cs_box){{77, 77, 77}, {77, 77, 77}});
	add_shape(g, "ExactCell", (struct cs_box){{0, 0, 0}, {12800, 12800, 12800}});
	add_shape(g, "OneMore", (struct cs_box){{0, 0, 0}, {12801, 100, 100}});
	add_shape(g, "OnTheBorder", (struct cs_box){{12800, 0, 0}, {12800, 0, 0}});
	add_shape(g, "AcrossTheOrigin", (struct cs_box){{-1, -1, -1}, {1, 1, 1}});
	add_shape(g, "AcrossABorder", (struct cs_box){{12700, 100, 0}, {12900, 300, 10}});
	add_shape(g, "Negative", (struct cs_box){{-12800.1, -5, -5}, {-12800.1, -5, -5}});
	add_shape(g, "Wall", (struct cs_box){{-90000, 0, 0}, {90000, 10, 300}});
	add_shape(g, "Tower", (struct cs_box){{500, 500, 0}, {600, 600, 200000}});
	add_shape(g, "Sky",
		(struct cs_box){{-1638400, -1638400, -1638400}, {1638400, 1638400, 1638400}});
	add_shape(g, "FarAway", (struct cs_box){{1e9, 1e9, 0}, {1e9 + 100, 1e9 + 100, 100}});
}

/* The last actor in the world, behind which one is being made, hangs on `parent`. */
static void attach_last(struct cs_generator *g, struct cs_guid parent)
{
	const size_t last = g->world->actors.n - 1;
	struct cs_actor actor = cs_world_actor(g->world, last);
	actor.parent = parent;
	g->failed = !cs_world_set_actor(g->world, last, &actor);
}

static void add_attachments(struct cs_generator *g)
{
	struct cs_guid parent = add_plain(g, "Tree", 20000, 20000);
	struct cs_actor *child = add(g, "NonSpatialBirdOnATree", 20100, 20000);
	child->flags &= ~CS_ACTOR_OWN_SPATIAL;
	child->parent = parent;
	set_grid(g, child, "Second");
	parent = child->guid;
	child = add(g, "FeatherOfTheBird", 20110, 20000);
	child->parent = parent;
	/* a ring of parents, a lost parent */
	struct cs_guid start = add_plain(g, "Ring0", 21000, 20000);
	struct cs_actor *ring = add(g, "Ring1", 21100, 20000);
	ring->parent = start;
	if (!g->failed)
		attach_last(g, ring->guid);
	add(g, "Orphan", 22000, 20000)->parent = (struct cs_guid){9, 9, 9, 9};
}

/* ---- names, containers, unsaved changes ---- */

static void add_names(struct cs_generator *g)
{
	static const char *const names[] = {"Esc\x1b[31mRed\x1b[0m", "Bell\aTab\tNewline\nEnd",
		"Right\xe2\x80\xaeLeft", "Zero\xe2\x80\x8bWidth", "C1\xc2\x9b\x33\x31m",
		"Quote\"Back\\Slash", "Comma,Semi;Pipe|", "\xe6\xb2\xb3\xe5\xb7\x9d", "a b  c",
		"$(reboot)`id`", "%s%n%x", "-rf", "<script>&amp;", "'); DROP TABLE actors;--"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct cs_actor *actor = add(g, "Named", 1000.0 * (double)i, -9000);
		actor->label = cs_generate_text(g, "%s", names[i]);
		actor->folder = cs_generate_text(g, "Hostile/%s", names[i]);
	}
	add(g, "SameLabel", 0, -9500)->label = cs_generate_text(g, "Twin");
	add(g, "SameLabel", 100, -9500)->label = cs_generate_text(g, "Twin");
	add(g, "NoLabel", 200, -9500)->label = 0;
}

static void add_collections(struct cs_generator *g)
{
	uint32_t bundle = add_container(g, "/Bundle/Content", CS_CONTAINER_BUNDLE);
	uint32_t external = add_container(g, "/External/Content", CS_CONTAINER_EXTERNAL_LAYER);
	if (g->failed)
		return;
	g->world->containers.at[bundle].content_bundle = (struct cs_guid){0xb, 0, 0, 1};
	g->world->containers.at[external].external_layer =
		g->world->layers.at[LAYER_EXTERNAL].asset;
	add(g, "InABundle", 3000, 3000)->container = bundle;
	struct cs_actor *guest = add(g, "GuestOfTheExternalLayer", 3100, 3000);
	guest->container = external;
	cs_generate_layer_name(g, guest, LAYER_X);
}

static void add_unsaved(struct cs_generator *g)
{
	struct cs_actor *saved = add(g, "Moved", 30000, 30000);
	saved->saved = CS_SAVED_ONLY;
	struct cs_guid guid = saved->guid;
	struct cs_actor *unsaved = add(g, "Moved", 60000, 30000);
	unsaved->guid = guid;
	unsaved->saved = CS_UNSAVED_ONLY;
	add(g, "JustAdded", 31000, 30000)->saved = CS_UNSAVED_ONLY;
	add(g, "JustDeleted", 32000, 30000)->saved = CS_SAVED_ONLY;
}

/* ---- mischief ---- */

static void add_mischief(struct cs_generator *g)
{
	static const char *const grids[] = {"", "MainGrid", "Second", "Levels.North", "Nowhere"};
	/* Not pow(10, exponent), whose last bit is another on other machines. */
	static const double decades[] = {1, 10, 100, 1000, 10000};
	while (cs_generate_left(g)) {
		struct cs_vec3 point = cs_generate_point(g);
		double size = decades[cs_random_below(&g->random, 5)];
		size *= cs_random_range(&g->random, 1, 10);
		struct cs_vec3 extent = {size, cs_random_range(&g->random, 0, size), size / 2};
		struct cs_actor *actor =
			cs_generate_actor(g, "Mischief", "Engine.StaticMeshActor", point, extent);
		uint32_t dice = cs_random_below(&g->random, 100);
		const size_t n = cs_generate_count(g);
		size_t other = n - 1 - cs_random_below(&g->random, n < 60 ? (uint32_t)n : 60);
		if (dice < 20)
			cs_generate_reference(g, actor, guid_at(g, other));
		else if (dice < 25)
			actor->parent = guid_at(g, other);
		if (dice % 10 == 0)
			actor->flags &= ~CS_ACTOR_OWN_SPATIAL;
		if (dice % 7 == 0)
			set_grid(g, actor, grids[cs_random_below(&g->random, 5)]);
		if (dice % 6 == 0)
			cs_generate_layer_name(g, actor, cs_random_below(&g->random, 7));
	}
}

static void generate_hard(struct cs_generator *g)
{
	add_partitions(g);
	add_layers(g);
	if (g->failed)
		return;
	add_world_references(g);
	add_levels(g);
	add_references(g);
	add_more_references(g);
	add_unknown_names(g);
	add_shapes(g);
	add_attachments(g);
	add_names(g);
	add_collections(g);
	add_unsaved(g);
	add_hlods(g);
	add_mischief(g);
}

struct cs_error *make_test_world(
	const struct cs_world_recipe *recipe, const struct cs_job *job, struct cs_world **ret)
{
	static const struct cs_world_form hard = {"/Game/Maps/Hard", 500, 100000, generate_hard};
	return recipe->kind == CS_WORLD_HARD ? cs_generate_world(&hard, recipe, job, ret)
					     : cs_world_generate(recipe, job, ret);
}
