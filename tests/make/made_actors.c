/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the actors of a made-up project. A cast that shows every kind once, in the map and in its
 * other containers, then as many plain actors as the recipe asks for. An actor is made of the
 * defaults of its class, changed, and finished: what its engine's descriptors cannot hold falls
 * back to the default, what equals the default is not stored where deltas exist.
 */
#include "core/guid.h"
#include "core/identity.h"
#include "core/text.h"
#include "tests/make/made.h"
#include "tests/make/ue_write.h"

#include <math.h>
#include <stdio.h>

/* The world's half size; coordinates are quarters of a centimetre, exact even in 32 bits. */
#define HALF_WORLD 100000.0
/* Bytes of texts on their way that are kept before they are thrown away. */
enum { SCRATCH = 1 << 20 };

struct maker {
	struct cs_ue_made *made;
	struct cs_world *world;
	struct cs_random *random;
	uint32_t made_in_map;
	bool failed;
	struct cs_guid cast[64]; /* of the map, in order of making */
};

static uint32_t text(struct maker *maker, const char *value)
{
	return cs_ue_intern_text(&maker->made->build, value);
}

static double quarter(double value)
{
	return floor(value * 4) / 4;
}

static double anywhere(struct maker *maker)
{
	return quarter(cs_random_range(maker->random, -HALF_WORLD, HALF_WORLD));
}

static struct cs_range text_list(struct maker *maker, const char *const *values, uint32_t n)
{
	struct cs_range range = {(uint32_t)maker->world->texts.n, n};
	for (uint32_t i = 0; i < n; i++)
		maker->failed |= !cs_vec_push(&maker->world->texts, text(maker, values[i]));
	return range;
}

static struct cs_range guid_list(struct maker *maker, const struct cs_guid *guids, uint32_t n)
{
	struct cs_range range = {(uint32_t)maker->world->guids.n, n};
	maker->failed |= !cs_vec_append(&maker->world->guids, guids, n);
	return range;
}

/* ---- classes ---- */

static const struct cs_ue_made_class *find_class(const struct maker *maker, const char *path)
{
	for (size_t i = 0; i < maker->made->classes.n; i++)
		if (strcmp(maker->made->classes.at[i].path, path) == 0)
			return &maker->made->classes.at[i];
	return NULL;
}

/* Values of a Blueprint over those of its parents; two generations are all there are. */
static void overlay_class(const struct cs_ue_made_class *class, struct cs_actor *actor)
{
	static const struct {
		uint32_t bit, flag;
	} flags[] = {
		{CS_DEFAULT_SPATIAL, CS_ACTOR_OWN_SPATIAL},
		{CS_DEFAULT_HLOD_RELEVANT, CS_ACTOR_HLOD_RELEVANT},
		{CS_DEFAULT_MAIN_WORLD, CS_ACTOR_MAIN_WORLD_ONLY},
	};
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (class->stored & flags[i].bit)
			actor->flags = (actor->flags & ~flags[i].flag) |
				       (class->actor.flags & flags[i].flag);
	if (class->stored & CS_DEFAULT_GRID)
		actor->grid = class->actor.grid;
	if (class->stored & CS_DEFAULT_HLOD_LAYER)
		actor->hlod_layer = class->actor.hlod_layer;
	if (class->stored & CS_DEFAULT_TAGS)
		actor->tags = class->actor.tags;
	actor->assumed &= ~class->stored;
}

/* What a new actor of the class is; releases without deltas know of no Blueprint defaults. */
static struct cs_actor class_default(
	struct maker *maker, const struct cs_ue_made_class *class, const char *native)
{
	struct cs_ue_class defaults;
	cs_ue_native_class(&maker->made->build, native, &defaults);
	if (class && cs_ue_made_deltas(maker->made)) {
		const struct cs_ue_made_class *parent = find_class(maker, class->parent);
		if (parent)
			overlay_class(parent, &defaults.actor);
		overlay_class(class, &defaults.actor);
	}
	return defaults.actor;
}

/* ---- making and finishing ---- */

struct draft {
	struct cs_actor actor, defaults;
	bool has_place; /* a level instance has a transform in every release */
};

static const char *folder_of_container(const struct maker *maker, uint32_t container)
{
	return cs_world_text(maker->world, maker->world->containers.at[container].package);
}

/* "/Game/Maps/Valley" -> "/Game/__ExternalActors__/Maps/Valley/A/BC/DEF..." */
static uint32_t package_of(struct maker *maker, uint32_t container, struct cs_guid guid)
{
	char digits[CS_BASE36_TEXT], path[32];
	const char *level = folder_of_container(maker, container);
	size_t mount = *level == '/' ? 1 + strcspn(level + 1, "/") : 0;
	cs_base36_format((uint64_t)guid.a << 32 | guid.b, (uint64_t)guid.c << 32 | guid.d, digits);
	snprintf(path, sizeof(path), "/%c/%.2s/%s", digits[24], digits + 22, digits + 3);
	struct cs_arena *arena = &maker->made->build.scratch;
	const char *root = cs_arena_text(arena, level, mount);
	if (!root) {
		maker->failed = true;
		return 0;
	}
	const char *package =
		cs_ue_join(arena, root, "/__ExternalActors__", level + mount, path, (char *)NULL);
	return text(maker, package);
}

/* External actors of plugins belong to the map's level all the same. */
static uint32_t path_of(struct maker *maker, uint32_t container, const char *name)
{
	bool is_level = maker->world->containers.at[container].kind == CS_CONTAINER_LEVEL;
	const char *level = is_level ? folder_of_container(maker, container) : CS_UE_MADE_MAP;
	return text(maker, cs_ue_join(&maker->made->build.scratch, level, ".", cs_last_name(level),
				   ":PersistentLevel.", name, (char *)NULL));
}

/* `class_path` is native, or that of a Blueprint of the project. */
static struct draft begin(
	struct maker *maker, uint32_t container, const char *class_path, const char *label)
{
	const struct cs_ue_made_class *class = find_class(maker, class_path);
	const char *native = class ? class->native : class_path;
	bool bare = maker->made->engine->versions.of[CS_UE_SEASON] < 5;
	struct draft draft = {.defaults = class_default(maker, class, native)};
	char name[96], engine[CS_UE_ENGINE_TEXT];
	struct cs_ue_engine_version version = {.major = 5,
		.minor = maker->made->engine->minor,
		.patch = maker->made->engine->patch};
	struct cs_actor *actor = &draft.actor;
	*actor = draft.defaults;
	actor->guid = cs_random_guid(maker->random);
	snprintf(name, sizeof(name), "%s_UAID_%08X%08X_%u", cs_last_name(class_path), actor->guid.a,
		actor->guid.b, actor->guid.c % 2000000000u);
	cs_ue_engine_text(&version, engine);
	actor->container = container;
	actor->native_class = text(maker, bare ? cs_last_name(native) : native);
	if (class)
		actor->base_class = text(maker, bare ? cs_last_name(class_path) : class_path);
	actor->name = text(maker, name);
	actor->label = text(maker, label);
	actor->path = path_of(maker, container, name);
	actor->package = package_of(maker, container, actor->guid);
	actor->engine = text(maker, engine);
	return draft;
}

/* Sets the world bounds of an actor around its place. */
static void place(struct draft *draft, double x, double y, double z, double half)
{
	struct cs_actor *actor = &draft->actor;
	actor->transform.translation = (struct cs_vec3){x, y, z};
	actor->bounds =
		(struct cs_box){{x - half, y - half, z - half}, {x + half, y + half, z + half}};
	actor->editor_bounds = (struct cs_box){
		{x - half, y - half, z - half}, {x + half, y + half, z + half + 10}};
}

static bool same_texts(const struct cs_world *world, struct cs_range l, struct cs_range r)
{
	bool same = l.count == r.count;
	for (uint32_t i = 0; same && i < l.count; i++)
		same = world->texts.at[l.first + i] == world->texts.at[r.first + i];
	return same;
}

/* Returns the CS_DEFAULT_ bits of the fields in which the two differ. */
static uint32_t differing(
	const struct cs_world *world, const struct cs_actor *l, const struct cs_actor *r)
{
	static const struct {
		uint32_t flag, bit;
	} flags[] = {
		{CS_ACTOR_OWN_SPATIAL, CS_DEFAULT_SPATIAL},
		{CS_ACTOR_EDITOR_ONLY, CS_DEFAULT_EDITOR_ONLY},
		{CS_ACTOR_RUNTIME_ONLY, CS_DEFAULT_RUNTIME_ONLY},
		{CS_ACTOR_HLOD_RELEVANT, CS_DEFAULT_HLOD_RELEVANT},
		{CS_ACTOR_MAIN_WORLD_ONLY, CS_DEFAULT_MAIN_WORLD},
	};
	uint32_t bits = 0;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		bits |= (l->flags ^ r->flags) & flags[i].flag ? flags[i].bit : 0;
	bits |= l->grid != r->grid ? CS_DEFAULT_GRID : 0;
	bits |= l->label != r->label ? CS_DEFAULT_LABEL : 0;
	bits |= l->hlod_layer != r->hlod_layer ? CS_DEFAULT_HLOD_LAYER : 0;
	bits |= l->external_layer != r->external_layer ? CS_DEFAULT_EXTERNAL_LAYER : 0;
	bits |= !same_texts(world, l->layers, r->layers) ? CS_DEFAULT_LAYERS : 0;
	bits |= !same_texts(world, l->tags, r->tags) ? CS_DEFAULT_TAGS : 0;
	bits |= !cs_guid_is_zero(l->content_bundle) ? CS_DEFAULT_BUNDLE : 0;
	return bits;
}

/* What no delta describes, where the engine's descriptors do not have it. */
static void drop_unknown(struct maker *maker, struct draft *draft)
{
	const struct cs_ue_versions *versions = &maker->made->engine->versions;
	struct cs_actor *actor = &draft->actor;
	if (!cs_ue_has_field(versions, "actor transform") && !draft->has_place)
		actor->transform = CS_TRANSFORM_IDENTITY;
	if (!cs_ue_has_field(versions, "editor bounds"))
		actor->editor_bounds = CS_BOX_INVALID;
	if (!cs_ue_has_field(versions, "attach parent"))
		actor->parent = (struct cs_guid){0};
	if (!cs_ue_has_field(versions, "folder guid"))
		actor->folder_guid = (struct cs_guid){0};
	if (!cs_ue_has_field(versions, "editor-only references"))
		actor->editor_references.count = 0;
	if (!cs_ue_has_field(versions, "property map"))
		actor->properties.count = 0;
	if (maker->made->engine->v5 == 0) {
		struct cs_quat *q = &actor->transform.rotation;
		*q = (struct cs_quat){(double)(float)q->x, (double)(float)q->y, (double)(float)q->z,
			(double)(float)q->w};
	}
}

static void finish(struct maker *maker, struct draft *draft)
{
	struct cs_actor *actor = &draft->actor;
	const struct cs_actor *defaults = &draft->defaults;
	const uint32_t fields = maker->made->fields;
	drop_unknown(maker, draft);
	actor->tags = fields & CS_DEFAULT_TAGS ? actor->tags : defaults->tags;
	actor->external_layer = fields & CS_DEFAULT_EXTERNAL_LAYER ? actor->external_layer : 0;
	const uint32_t missing_flags =
		(fields & CS_DEFAULT_RUNTIME_ONLY ? 0 : CS_ACTOR_RUNTIME_ONLY) |
		(fields & CS_DEFAULT_MAIN_WORLD ? 0 : CS_ACTOR_MAIN_WORLD_ONLY);
	actor->flags = (actor->flags & ~missing_flags) | (defaults->flags & missing_flags);
	if (!(fields & CS_DEFAULT_BUNDLE))
		actor->content_bundle = (struct cs_guid){0};
	uint32_t stored =
		cs_ue_made_deltas(maker->made) ? differing(maker->world, actor, defaults) : fields;
	actor->defaults = CS_UE_ALL_FIELDS & ~stored;
	actor->assumed = defaults->assumed & actor->defaults;
	if (actor->container == 0 && maker->made_in_map < 64)
		maker->cast[maker->made_in_map] = actor->guid;
	maker->made_in_map += actor->container == 0;
	maker->failed |= !cs_world_push_actor(maker->world, actor);
	if (maker->made->build.scratch.total > SCRATCH)
		cs_arena_deinit(&maker->made->build.scratch);
}

/* ---- the cast ---- */

static void add_managers(struct maker *maker)
{
	static const char *const classes[] = {"/Script/Engine.WorldDataLayers",
		"/Script/Engine.SkyLight", "/Script/Engine.DirectionalLight",
		"/Script/Engine.PlayerStart", "/Script/Engine.WorldPartitionMiniMap"};
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		struct draft draft = begin(maker, 0, classes[i], cs_last_name(classes[i]));
		place(&draft, 0, 0, 1000, 0);
		draft.actor.folder = text(maker, "Lighting/Sky");
		draft.actor.folder_guid = cs_random_guid(maker->random);
		finish(maker, &draft);
	}
	maker->world->settings.world_references =
		guid_list(maker, &maker->cast[0], maker->made->engine->minor >= 1 ? 1 : 0);
}

static void add_landscape(struct maker *maker)
{
	struct draft draft = begin(maker, 0, "/Script/Landscape.Landscape", "Landscape");
	place(&draft, 0, 0, 100, 0);
	finish(maker, &draft);
	for (int i = 0; i < 4; i++) {
		draft = begin(
			maker, 0, "/Script/Landscape.LandscapeStreamingProxy", "LandscapeProxy");
		place(&draft, (i % 2 - 0.5) * 25200, (i / 2 - 0.5) * 25200, 100, 12600);
		draft.actor.flags |= CS_ACTOR_HLOD_RELEVANT;
		finish(maker, &draft);
	}
}

/* A mast, a yard on it, a lantern on that: each turned and scaled in the space of the one before.
 */
static void add_chain(struct maker *maker)
{
	static const char *const labels[] = {"Mast", "Yard", "Lantern"};
	struct cs_guid parent = {0};
	for (int i = 0; i < 3; i++) {
		struct draft draft = begin(maker, 0, "/Script/Engine.StaticMeshActor", labels[i]);
		place(&draft, 30000 + 250 * i, -40000, 300.5 * (i + 1), 100);
		draft.actor.transform.rotation = cs_quat_from_euler(10 * i, 35 + 20 * i, -15 * i);
		draft.actor.transform.scale = (struct cs_vec3){1 + i, 2, 0.5 + i};
		draft.actor.parent = parent;
		parent = draft.actor.guid;
		finish(maker, &draft);
	}
}

static void add_lamps(struct maker *maker)
{
	static const char *const tags[] = {"Lamp", "Broken"};
	struct draft plain = begin(maker, 0, "/Game/Blueprints/BP_Lamp.BP_Lamp_C", "Lamp");
	place(&plain, 500, 600, 0, 50);
	plain.actor.grid = text(maker, "Far");
	plain.actor.hlod_layer = text(maker, CS_UE_MADE_HLOD1);
	finish(maker, &plain);
	struct draft broken = begin(maker, 0, "/Game/Blueprints/BP_Lamp.BP_Lamp_C", "Lamp2");
	place(&broken, -500, 600, 0, 50);
	broken.actor.tags = text_list(maker, tags, 2);
	broken.actor.grid = 0;
	finish(maker, &broken);
	struct draft beacon =
		begin(maker, 0, "/Game/Blueprints/Tall/BP_Beacon.BP_Beacon_C", "Beacon");
	place(&beacon, 90000, -90000, 4000, 800);
	finish(maker, &beacon);
}

static uint32_t layer_text(const struct maker *maker, size_t index)
{
	const struct cs_source_layer *layer = &maker->world->layers.at[index];
	return cs_ue_made_assets(maker->made) ? layer->asset : layer->name;
}

static struct cs_range layer_list(struct maker *maker, const size_t *indices, uint32_t n)
{
	struct cs_range range = {(uint32_t)maker->world->texts.n, n};
	for (uint32_t i = 0; i < n; i++)
		maker->failed |= !cs_vec_push(&maker->world->texts, layer_text(maker, indices[i]));
	return range;
}

/* Names that a terminal would obey, and others that are no ASCII. */
static void add_names(struct maker *maker)
{
	static const char *const labels[] = {"evil\x1b[31m\x07 name",
		"Gr\xc3\xb6\xc3\x9f\x65 \xe6\xa3\xae", "\xe2\x80\xaetfel\\n",
		"\xf0\x9f\x8f\xa0 home"};
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct draft draft = begin(maker, 0, "/Script/Engine.StaticMeshActor", labels[i]);
		place(&draft, 1000.0 * (double)i, 7000, 0, 25);
		draft.actor.folder = text(maker, labels[(i + 1) % 4]);
		finish(maker, &draft);
	}
}

/* Adds an actor with everything that a plain actor can state at once. */
static void add_detailed(struct maker *maker)
{
	static const char *const pairs[] = {"Quality", "High", "Owner", "Art"};
	static const size_t layers[] = {0, 1};
	struct draft first = begin(maker, 0, "/Script/MyGame.Gate", "Gate");
	place(&first, 12000, 12000, 0, 400);
	first.actor.layers = layer_list(maker, layers, 2);
	first.actor.properties = text_list(maker, pairs, 4);
	first.actor.references = guid_list(maker, &maker->cast[5], 3);
	first.actor.editor_references = guid_list(maker, &maker->cast[6], 1);
	first.actor.grid = text(maker, "Far");
	first.actor.hlod_layer = text(maker, CS_UE_MADE_HLOD1);
	first.actor.flags &= ~CS_ACTOR_HLOD_RELEVANT;
	finish(maker, &first);
	struct draft editor = begin(maker, 0, "/Script/Engine.Note", "Note");
	place(&editor, 12000, 13000, 0, 1);
	editor.actor.flags |= CS_ACTOR_EDITOR_ONLY;
	editor.actor.layers = layer_list(maker, (const size_t[]){2}, 1);
	finish(maker, &editor);
	struct draft empty = begin(maker, 0, "/Script/Engine.Actor", "Nowhere");
	place(&empty, 0, 0, 0, 0);
	empty.actor.flags &= ~CS_ACTOR_OWN_SPATIAL;
	if (maker->made->engine->versions.of[CS_UE_FN_MAIN] >= 96)
		empty.actor.bounds = empty.actor.editor_bounds = CS_BOX_INVALID;
	finish(maker, &empty);
}

static void add_hlods(struct maker *maker)
{
	const struct cs_ue_made *made = maker->made;
	for (int i = 0; i < 2; i++) {
		char label[96], cell[64];
		snprintf(cell, sizeof(cell), "Valley_MainGrid_L0_X%d_Y0", i);
		snprintf(label, sizeof(label), "HLOD0/%s", cell);
		struct draft draft = begin(maker, 0, "/Script/Engine.WorldPartitionHLOD", label);
		struct cs_hlod_actor hlod = {
			.source_cell = cs_random_guid(maker->random),
			.source_cell_name = text(maker, cell),
			.layer = text(maker, CS_UE_MADE_HLOD0),
			.min_visible_distance = 38400 + i,
			.no_warmup = i == 1,
			.sources = guid_list(maker, &maker->cast[6 + i], 2),
		};
		place(&draft, 6400 + 12800 * i, 6400, 0, 6400);
		draft.actor.flags &= ~CS_ACTOR_OWN_SPATIAL;
		draft.actor.grid =
			text(maker, made->engine->minor >= 4 ? "MainGrid:HLOD0" : "HLOD0");
		draft.actor.hlod = (uint32_t)maker->world->hlods.n;
		draft.actor.hlod_layer = text(maker, CS_UE_MADE_HLOD1);
		maker->failed |= !cs_vec_push(&maker->world->hlods, hlod);
		finish(maker, &draft);
	}
}

/* The grid of HLODs in a spatial hash, which an actor brings. */
static void add_hlod_grid(struct maker *maker)
{
	if (maker->made->engine->minor >= 4)
		return;
	struct cs_source_grid grid = cs_grid_default();
	grid.name = text(maker, "HLOD0");
	grid.cell_size = 51200;
	grid.loading_range = 102400;
	grid.client_only = true;
	grid.priority = 100;
	grid.hlod = true;
	maker->failed |= !cs_vec_push(&maker->world->grids, grid);
	struct draft draft =
		begin(maker, 0, "/Script/Engine.SpatialHashRuntimeGridInfo", "HLOD0_Grid");
	place(&draft, 0, 0, 0, 0);
	finish(maker, &draft);
}

/* ---- other containers ---- */

static void add_level_instance(
	struct maker *maker, uint32_t container, const char *level, double x, uint32_t behavior)
{
	struct draft draft =
		begin(maker, container, "/Script/Engine.LevelInstance", cs_last_name(level));
	struct cs_level_instance row = {.level = text(maker, level), .behavior = behavior};
	place(&draft, x, 20000, 100, 2000);
	draft.actor.transform.rotation = cs_quat_from_euler(0, 90, 0);
	draft.has_place = true;
	draft.actor.flags |= CS_ACTOR_LEVEL_INSTANCE;
	draft.actor.level_instance = (uint32_t)maker->world->level_instances.n;
	maker->failed |= !cs_vec_push(&maker->world->level_instances, row);
	finish(maker, &draft);
}

static void add_plain(struct maker *maker, uint32_t container, double spread)
{
	struct draft draft = begin(maker, container, "/Script/Engine.StaticMeshActor", "Block");
	double half = 25 + 25 * cs_random_below(maker->random, 16);
	double z = 50.25 * cs_random_below(maker->random, 40);
	double y = quarter(anywhere(maker) * spread);
	double x = quarter(anywhere(maker) * spread);
	place(&draft, x, y, z, half);
	draft.actor.flags |= CS_ACTOR_HLOD_RELEVANT;
	switch (cs_random_below(maker->random, 16)) {
	case 0:
		draft.actor.grid = text(maker, "Far");
		break;
	case 1:
		draft.actor.layers = layer_list(maker, (const size_t[]){0}, 1);
		break;
	case 2:
		draft.actor.references =
			guid_list(maker, &maker->cast[cs_random_below(maker->random, 20)], 1);
		break;
	default:
		break;
	}
	finish(maker, &draft);
}

static void add_levels(struct maker *maker)
{
	struct cs_world *world = maker->world;
	uint32_t house = cs_world_find_container(world, CS_UE_MADE_HOUSE);
	uint32_t room = cs_world_find_container(world, CS_UE_MADE_ROOM);
	add_level_instance(maker, 0, CS_UE_MADE_HOUSE, 40000, CS_BEHAVIOR_PARTITIONED);
	add_level_instance(maker, 0, CS_UE_MADE_HOUSE, 60000, CS_BEHAVIOR_STANDALONE);
	add_level_instance(maker, house, CS_UE_MADE_ROOM, 100, CS_BEHAVIOR_PARTITIONED);
	for (int i = 0; i < 3; i++) {
		add_plain(maker, house, 0.01);
		add_plain(maker, room, 0.002);
	}
	uint32_t bundle = cs_world_find_container(world, CS_UE_MADE_BUNDLE);
	uint32_t winter = cs_world_find_container(world, CS_UE_MADE_WINTER);
	for (int i = 0; i < 2; i++) {
		struct draft draft;
		if (bundle != CS_NONE) {
			draft = begin(maker, bundle, "/Script/Engine.StaticMeshActor", "Banner");
			place(&draft, 800 * i, 0, 0, 100);
			draft.actor.content_bundle = world->containers.at[bundle].content_bundle;
			finish(maker, &draft);
		}
		if (winter != CS_NONE) {
			draft = begin(maker, winter, "/Script/Engine.StaticMeshActor", "Snow");
			place(&draft, 900 * i, 0, 0, 100);
			draft.actor.external_layer = world->containers.at[winter].external_layer;
			finish(maker, &draft);
		}
	}
}

bool cs_ue_make_actors(struct cs_ue_made *made)
{
	struct maker maker = {.made = made, .world = made->world, .random = &made->random};
	add_managers(&maker);
	add_landscape(&maker);
	add_chain(&maker);
	add_lamps(&maker);
	add_names(&maker);
	add_detailed(&maker);
	add_hlods(&maker);
	add_hlod_grid(&maker);
	add_levels(&maker);
	while (maker.made_in_map < made->actors && !maker.failed)
		add_plain(&maker, 0, 1);
	return !maker.failed;
}
