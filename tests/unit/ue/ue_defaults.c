/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a descriptor leaves to others: places in the space of attach parents, against corners turned
 * one by one, and values of classes: native, of Blueprints, of the user's table.
 */
#include "tests/unit/ue/ue_world.h"

#include "core/geometry.h"
#include "core/random.h"
#include "tests/make/made.h"

static char folder[4096];
static const struct cs_job listening = {.log = remember};

/* ---- places ---- */

enum { CHAIN = 200 };

static struct cs_guid guid_of(uint32_t i)
{
	return (struct cs_guid){i * 2654435761u, i, 0, i + 1};
}

static struct cs_ue_build new_build(void)
{
	struct cs_ue_build build = {.job = &listening, .limits = cs_limits_default()};
	works(cs_world_new("/Game/M", &build.world), "places: a world");
	return build;
}

static void free_build(struct cs_ue_build *build)
{
	cs_world_free(build->world);
	cs_vec_free(&build->placements);
	cs_arena_deinit(&build->scratch);
}

static struct cs_transform random_transform(struct cs_random *random)
{
	return (struct cs_transform){
		.rotation = cs_quat_from_euler(cs_random_range(random, -90, 90),
			cs_random_range(random, -180, 180), cs_random_range(random, -180, 180)),
		.translation = {cs_random_range(random, -500, 500),
			cs_random_range(random, -500, 500), cs_random_range(random, -500, 500)},
		.scale = {cs_random_range(random, -1.5, 1.5), cs_random_range(random, 0.5, 1.5),
			cs_random_range(random, 0.5, 1.5)},
	};
}

static void add_actor(struct cs_ue_build *build, struct cs_guid guid, struct cs_guid parent,
	const struct cs_transform *transform, const struct cs_ue_bounds *bounds, bool relative)
{
	struct cs_actor actor = cs_actor_default();
	actor.guid = guid;
	actor.parent = parent;
	actor.transform = *transform;
	struct cs_ue_placement placement = {.runtime = *bounds, .relative = relative};
	if (!cs_world_push_actor(build->world, &actor) ||
		!cs_vec_push(&build->placements, placement))
		ok(false, "no memory");
}

static struct cs_ue_bounds random_bounds(struct cs_random *random)
{
	struct cs_vec3 half = {cs_random_range(random, 0, 300), cs_random_range(random, 0, 300),
		cs_random_range(random, 0, 300)};
	return (struct cs_ue_bounds){
		.box = {{-half.x, -half.y, -half.z}, half},
		.centre = {cs_random_range(random, -50, 50), cs_random_range(random, -50, 50), 7},
		.rotation = cs_quat_from_euler(
			cs_random_range(random, -90, 90), cs_random_range(random, -180, 180), 30),
		.valid = true,
	};
}

/*
 * Returns the box of the transformed corners: they are scaled by the actor's scale in the axes of
 * the box, turned by the box and then by the actor, around the centre of the box, which the whole
 * transform of the actor moves.
 */
static struct cs_box by_corners(const struct cs_ue_bounds *bounds, const struct cs_transform *actor)
{
	struct cs_vec3 centre = cs_transform_point(actor, bounds->centre);
	struct cs_box box = CS_BOX_INVALID;
	for (int corner = 0; corner < 8; corner++) {
		struct cs_vec3 p = {
			(corner & 1 ? bounds->box.max.x : bounds->box.min.x) * actor->scale.x,
			(corner & 2 ? bounds->box.max.y : bounds->box.min.y) * actor->scale.y,
			(corner & 4 ? bounds->box.max.z : bounds->box.min.z) * actor->scale.z};
		p = cs_quat_rotate(actor->rotation, cs_quat_rotate(bounds->rotation, p));
		p = (struct cs_vec3){p.x + centre.x, p.y + centre.y, p.z + centre.z};
		struct cs_box point = {p, p};
		box = cs_box_union(&box, &point);
	}
	return box;
}

/*
 * Compares a long chain, whose links are stored in random order, with composing from the root down.
 */
static void test_chain(void)
{
	struct cs_ue_build build = new_build();
	struct cs_random random = {5};
	struct cs_transform local[CHAIN], world[CHAIN];
	struct cs_ue_bounds bounds[CHAIN];
	uint32_t order[CHAIN];
	for (uint32_t i = 0; i < CHAIN; i++) {
		local[i] = random_transform(&random);
		local[i].scale = i % 10 ? (struct cs_vec3){1, 1, 1} : local[i].scale;
		bounds[i] = random_bounds(&random);
		world[i] = i % 20 ? cs_transform_compose(&local[i], &world[i - 1]) : local[i];
		order[i] = i;
	}
	for (uint32_t i = CHAIN - 1; i > 0; i--) {
		uint32_t j = cs_random_below(&random, i + 1), swap = order[i];
		order[i] = order[j];
		order[j] = swap;
	}
	for (uint32_t k = 0; k < CHAIN; k++) {
		uint32_t i = order[k];
		struct cs_guid parent = i % 20 ? guid_of(i - 1) : (struct cs_guid){0};
		add_actor(&build, guid_of(i), parent, &local[i], &bounds[i], true);
	}
	works(cs_ue_place_actors(&build), "places: chains of 20");
	ue_differences = 0;
	for (uint32_t k = 0; k < CHAIN; k++) {
		const struct cs_actor whole = cs_world_actor(build.world, k), *actor = &whole;
		uint32_t i = order[k];
		struct cs_box want = by_corners(&bounds[i], &world[i]);
		const double off[] = {actor->bounds.min.x - want.min.x,
			actor->bounds.max.x - want.max.x, actor->bounds.min.y - want.min.y,
			actor->bounds.max.y - want.max.y, actor->bounds.min.z - want.min.z,
			actor->bounds.max.z - want.max.z,
			actor->transform.translation.x - world[i].translation.x};
		for (size_t n = 0; n < sizeof(off) / sizeof(off[0]); n++)
			if (!(fabs(off[n]) < 1e-6))
				differs("link %u: off by %g", i, off[n]);
	}
	is_int(ue_differences, 0, "places: bounds are those around the corners");
	free_build(&build);
}

static void test_guards(void)
{
	struct cs_ue_build build = new_build();
	const struct cs_transform ten = {{0, 0, 0, 1}, {10, 0, 0}, {1, 1, 1}};
	const struct cs_ue_bounds unit = {
		.box = {{-1, -1, -1}, {1, 1, 1}}, .rotation = {0, 0, 0, 1}, .valid = true};
	const struct cs_ue_bounds none = {.rotation = {0, 0, 0, 1}};
	const struct cs_guid nobody = {0}, lost = {9, 9, 9, 9};
	logged[0] = '\0';
	add_actor(&build, guid_of(0), guid_of(0), &ten, &unit, true); /* its own parent */
	add_actor(&build, guid_of(1), guid_of(2), &ten, &unit, true); /* a ring of two */
	add_actor(&build, guid_of(2), guid_of(1), &ten, &unit, true);
	add_actor(&build, guid_of(3), lost, &ten, &unit, true);
	add_actor(&build, guid_of(4), guid_of(5), &ten, &unit, true);
	add_actor(&build, guid_of(5), nobody, &ten, &unit, false); /* older: in world space */
	add_actor(&build, guid_of(6), guid_of(5), &ten, &none, false);
	works(cs_ue_place_actors(&build), "guards: placed");
	struct cs_actor a[7];
	for (size_t i = 0; i < CS_COUNT_OF(a); i++)
		a[i] = cs_world_actor(build.world, i);
	is_double(a[0].bounds.max.x, 11, "guards: its own parent: where it says itself");
	ok((a[1].transform.translation.x == 10) != (a[2].transform.translation.x == 10),
		"guards: a ring is opened once");
	is_double(a[3].transform.translation.x, 10, "guards: a parent that is missing");
	is_double(a[4].transform.translation.x, 20, "guards: a parent of an older release");
	is_double(a[5].bounds.max.x, 1, "guards: bounds of older releases are the world's");
	ok(a[6].transform.translation.x == 10 && !cs_box_valid(&a[6].bounds),
		"guards: older releases do not follow parents; no bounds");
	ok(strstr(logged, "attached to itself through its parents") &&
			strstr(logged, "does not exist"),
		"guards: the log tells");
	free_build(&build);
}

/* ---- classes ---- */

static void check_native(struct cs_ue_build *build, const char *class_name, bool spatial,
	bool assumed, const char *what)
{
	struct cs_ue_class class;
	cs_ue_native_class(build, class_name, &class);
	ok(((class.actor.flags & CS_ACTOR_OWN_SPATIAL) != 0) == spatial &&
			((class.actor.assumed & CS_DEFAULT_SPATIAL) != 0) == assumed,
		"native: %s", what);
}

static void test_natives(void)
{
	struct cs_ue_build build = new_build();
	check_native(&build, "/Script/Engine.SkyLight", false, false, "a sky light");
	check_native(&build, "SkyLight", false, false, "by its bare name");
	check_native(&build, "/Script/Landscape.LandscapeStreamingProxy", true, false, "a proxy");
	check_native(&build, "/Script/Landscape.Landscape", false, false, "a landscape");
	check_native(&build, "/Script/MyGame.Thing", true, true, "a class of a game is assumed");
	static const char *const not_relevant[] = {"/Script/Engine.SpotLight",
		"/Script/Engine.PostProcessVolume", "/Script/Engine.Character",
		"/Script/MyGame.MyCharacter", "/Script/Engine.Actor"};
	for (size_t i = 0; i < 5; i++) {
		struct cs_ue_class class;
		cs_ue_native_class(&build, not_relevant[i], &class);
		ok(!(class.actor.flags & CS_ACTOR_HLOD_RELEVANT),
			"not HLOD relevant, as logs of 5.4 "
			"have it: %s",
			not_relevant[i]);
		ok(i < 3 || class.actor.assumed & CS_DEFAULT_HLOD_RELEVANT,
			"assumed where no log tells of the class itself: %s", not_relevant[i]);
	}
	struct cs_ue_class hlod;
	cs_ue_native_class(&build, "/Script/Engine.WorldPartitionHLOD", &hlod);
	ok(hlod.actor.flags & CS_ACTOR_HLOD_RELEVANT, "an HLOD actor is");
	free_build(&build);
}

static struct cs_actor labelled(const struct cs_world *world, const char *label)
{
	for (size_t i = 0; world && i < world->actors.n; i++)
		if (strcmp(cs_world_text(world, world->actors.at[i].label), label) == 0)
			return cs_world_actor(world, i);
	ok(false, "no actor %s", label);
	return (struct cs_actor){0};
}

static struct cs_world *open_with(const struct cs_ue_options *options)
{
	struct cs_world *world = NULL;
	logged[0] = '\0';
	works(cs_ue_open_project(folder, NULL, options, &listening, &world), "opened");
	return world;
}

static const char *in_folder(const char *name)
{
	static char path[8192];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void generate(const char *engine)
{
	const struct cs_ue_recipe recipe = {.engine = engine, .seed = 4, .folder = folder};
	fresh_folder(folder, sizeof(folder), "ue_defaults");
	works(cs_ue_generate(&recipe, NULL, NULL), "project of %s", engine);
}

/* A value is stored in the class, in its parent, in the actor, or nowhere. */
static void test_blueprints(void)
{
	generate("5.6");
	struct cs_world *world = open_with(NULL);
	if (!world)
		return;
	const struct cs_actor lamp = labelled(world, "Lamp"), broken = labelled(world, "Lamp2");
	const struct cs_actor beacon = labelled(world, "Beacon");
	is_text(cs_world_text(world, lamp.grid), "Far", "Blueprint: grid of the class");
	ok(lamp.defaults & CS_DEFAULT_GRID && !(lamp.assumed & CS_DEFAULT_GRID),
		"Blueprint: taken from the class, not assumed");
	ok(lamp.tags.count == 1 && broken.tags.count == 2, "Blueprint: tags of class and actor");
	ok(broken.grid == 0 && !(broken.defaults & CS_DEFAULT_GRID),
		"Blueprint: an actor can take the grid off again");
	ok(!(beacon.flags & CS_ACTOR_OWN_SPATIAL) && beacon.flags & CS_ACTOR_MAIN_WORLD_ONLY &&
			beacon.flags & CS_ACTOR_HLOD_RELEVANT,
		"Blueprint: what the class says and what its parent says");
	is_text(cs_world_text(world, beacon.grid), "Far", "Blueprint: grid of the parent");
	is_text(cs_world_text(world, beacon.hlod_layer), CS_UE_MADE_HLOD1,
		"Blueprint: HLOD layer of the parent");
	cs_world_free(world);
}

static void test_missing_blueprint(void)
{
	unlink(in_folder("Content/Blueprints/BP_Lamp.uasset"));
	struct cs_world *world = open_with(NULL);
	const struct cs_actor lamp = labelled(world, "Lamp"), beacon = labelled(world, "Beacon");
	ok(lamp.assumed & CS_DEFAULT_GRID && lamp.assumed & CS_DEFAULT_SPATIAL,
		"missing: the defaults of the class are assumed");
	ok(beacon.assumed & CS_DEFAULT_GRID && !(beacon.assumed & CS_DEFAULT_SPATIAL),
		"missing: of its child only what the child does not say");
	const char *first = strstr(logged, "BP_Lamp_C");
	ok(first && strstr(logged, "assumed"), "missing: the log says so");
	cs_world_free(world);
}

/* Leaves at one place what the editor leaves of a Blueprint that was renamed: its class is
 * elsewhere. */
static void write_redirector(
	const char *file, const char *name, const char *class_name, const char *to)
{
	struct cs_ue_out out = cs_ue_out_begin(cs_ue_engine_named("5.6"), "/Game/Blueprints/Old");
	struct cs_writer w = {0};
	cs_ue_out_import(&out, to, "/Script/Engine", class_name);
	cs_ue_out_export(&out, "/Script/CoreUObject.ObjectRedirector", 0, name);
	cs_ue_out_asset(&out, name, "/Script/CoreUObject.ObjectRedirector");
	cs_ue_out_finish(&out, &w);
	write_file(in_folder(file), w.bytes, w.size);
	cs_writer_deinit(&w);
	cs_ue_out_deinit(&out);
}

/* A Blueprint that was renamed twice without its redirectors being fixed up; then in a circle. */
static void test_renamed_blueprint(void)
{
	static const char lamp_file[] = "Content/Blueprints/BP_Lamp.uasset",
			  torch_file[] = "Content/Blueprints/BP_Torch.uasset";
	char from[4096];
	generate("5.6");
	snprintf(from, sizeof(from), "%s", in_folder(lamp_file));
	if (rename(from, in_folder("Content/Blueprints/BP_Post.uasset")) < 0)
		ok(false, "renamed: moved");
	write_redirector(lamp_file, "BP_Lamp_C", "BlueprintGeneratedClass",
		"/Game/Blueprints/BP_Torch.BP_Torch_C");
	write_redirector(torch_file, "BP_Torch_C", "BlueprintGeneratedClass",
		"/Game/Blueprints/BP_Post.BP_Post_C");
	struct cs_world *world = open_with(NULL);
	const struct cs_actor lamp = labelled(world, "Lamp"), beacon = labelled(world, "Beacon");
	is_text(cs_world_text(world, lamp.grid), "Far", "renamed: grid of the class");
	ok(!(lamp.assumed & CS_DEFAULT_GRID), "renamed: not assumed");
	is_text(cs_world_text(world, beacon.grid), "Far", "renamed: grid of the parent");
	is_text(logged, "", "renamed: and there is nothing to say");
	cs_world_free(world);
	write_redirector(torch_file, "BP_Torch_C", "BlueprintGeneratedClass",
		"/Game/Blueprints/BP_Lamp.BP_Lamp_C");
	world = open_with(NULL);
	ok(strstr(logged, "inherits from itself") != NULL, "renamed: in a circle");
	cs_world_free(world);
}

/* The files of a data layer and of an HLOD layer were renamed, too. */
static void test_renamed_layers(void)
{
	static const struct {
		const char *file, *name, *class_name;
	} rows[] = {{"DataLayers/DL_Notes", "DL_Notes", "DataLayerAsset"},
		{"HLOD/HLOD1", "HLOD1", "HLODLayer"}};
	generate("5.6");
	struct cs_world *whole = open_with(NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char file[256], moved[256], to[256];
		size_t size;
		snprintf(file, sizeof(file), "Content/%s.uasset", rows[i].file);
		snprintf(moved, sizeof(moved), "Content/%sZ.uasset", rows[i].file);
		snprintf(to, sizeof(to), "/Game/%sZ.%s", rows[i].file, rows[i].name);
		unsigned char *bytes = read_file(in_folder(file), &size);
		write_file(in_folder(moved), bytes, size);
		write_redirector(file, rows[i].name, rows[i].class_name, to);
		free(bytes);
	}
	struct cs_world *world = open_with(NULL);
	is_text(logged, "", "renamed layers: there is nothing to say");
	is_int(world->layers.n, whole->layers.n, "renamed layers: as many");
	for (size_t i = 0; i < world->layers.n && i < whole->layers.n; i++)
		ok(world->layers.at[i].type == whole->layers.at[i].type &&
				world->layers.at[i].filter == whole->layers.at[i].filter,
			"renamed layers: type and filter of %s",
			cs_world_text(world, world->layers.at[i].label));
	for (size_t i = 0; i < world->hlod_layers.n && i < whole->hlod_layers.n; i++)
		ok(!world->hlod_layers.at[i].assumed &&
				world->hlod_layers.at[i].loading_range ==
					whole->hlod_layers.at[i].loading_range,
			"renamed layers: range of %s",
			cs_world_text(world, world->hlod_layers.at[i].path));
	cs_world_free(world);
	cs_world_free(whole);
}

/* Two Blueprints claim to be each other's parent. */
static void test_cycle(void)
{
	static const char *const paths[2] = {"/Game/Blueprints/BP_Lamp.BP_Lamp_C",
		"/Game/Blueprints/Tall/BP_Beacon.BP_Beacon_C"};
	static const char *const files[2] = {
		"Content/Blueprints/BP_Lamp.uasset", "Content/Blueprints/Tall/BP_Beacon.uasset"};
	struct cs_ue_made made;
	const struct cs_ue_recipe recipe = {.engine = "5.6", .seed = 4};
	works(cs_ue_make(&recipe, NULL, &made), "cycle: made");
	for (int i = 0; i < 2; i++) {
		struct cs_ue_out out = cs_ue_out_begin(made.engine, "/Game/X");
		struct cs_writer w = {0};
		char parent[256];
		snprintf(parent, sizeof(parent), "/Script/Engine.BlueprintGeneratedClass'%s'",
			paths[!i]);
		cs_ue_out_asset(&out, "X", "/Script/Engine.Blueprint");
		cs_ue_out_tag(&out, "ActorMetaData",
			cs_ue_class_meta_data(&made, &made.classes.at[i], &out));
		cs_ue_out_tag(&out, "ParentClass", parent);
		cs_ue_out_finish(&out, &w);
		write_file(in_folder(files[i]), w.bytes, w.size);
		cs_writer_deinit(&w);
		cs_ue_out_deinit(&out);
	}
	struct cs_world *world = open_with(NULL);
	ok(strstr(logged, "inherits from itself through its parents") != NULL,
		"cycle: the log says so");
	is_text(world ? cs_world_text(world, labelled(world, "Lamp").grid) : "", "Far",
		"cycle: what the classes say still counts");
	cs_world_free(world);
	cs_ue_made_deinit(&made);
}

static void write_rows(const char *name, const char *text)
{
	write_file(in_folder(name), text, strlen(text));
}

static void test_table(void)
{
	generate("5.6");
	write_rows("cellscope-classes.json",
		"{\"classes\": {\n"
		"\"/Script/MyGame.Gate\": {\"main_world_only\": true, \"spatially_loaded\": false},\n"
		"\"BP_Beacon_C\": {\"runtime_grid\": \"Tower\", \"spatially_loaded\": true},\n"
		"\"actor\": {\"hlod_relevant\": false, \"partition_actor\": true}}}\n");
	struct cs_world *world = open_with(NULL);
	const struct cs_actor gate = labelled(world, "Gate"), beacon = labelled(world, "Beacon");
	const struct cs_actor nowhere = labelled(world, "Nowhere");
	ok(gate.flags & CS_ACTOR_MAIN_WORLD_ONLY && !(gate.flags & CS_ACTOR_OWN_SPATIAL),
		"table: by path");
	ok(!(gate.assumed & CS_DEFAULT_SPATIAL) && gate.assumed & CS_DEFAULT_EDITOR_ONLY,
		"table: what it says is not assumed, the rest is");
	is_text(world ? cs_world_text(world, beacon.grid) : "", "Tower",
		"table: by bare name, over the parent's");
	ok(!(beacon.flags & CS_ACTOR_OWN_SPATIAL), "table: what is stored in the class wins");
	ok(!(nowhere.flags & CS_ACTOR_HLOD_RELEVANT) && nowhere.flags & CS_ACTOR_PARTITION_ACTOR,
		"table: names compare without case");
	cs_world_free(world);
	write_rows("mine.json", "{\"classes\": {}}");
	char mine[8192];
	snprintf(mine, sizeof(mine), "%s", in_folder("mine.json"));
	world = open_with(&(struct cs_ue_options){.classes = mine});
	ok(labelled(world, "Gate").flags & CS_ACTOR_OWN_SPATIAL,
		"table: a file that is named takes the place of the other");
	cs_world_free(world);
	static const char *const bad[] = {"", "[]", "{}", "{\"classes\": 1}",
		"{\"classes\": {\"A\": 1}}", "{\"classes\": {\"A\": {\"spatial\": true}}}",
		"{\"classes\": {\"A\": {\"editor_only\": 1}}}",
		"{\"classes\": {\"A\": {}, \"A\": {}}}"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_rows("cellscope-classes.json", bad[i]);
		fails(cs_ue_open_project(folder, NULL, NULL, NULL, &world), CS_E_JSON,
			"table: '%s'", bad[i]);
	}
	const struct cs_ue_options nowhere_file = {.classes = in_folder("none.json")};
	fails(cs_ue_open_project(folder, NULL, &nowhere_file, NULL, &world), CS_E_NOFILE,
		"table: a file that is named must exist");
}

/* ---- several maps ---- */

static void test_maps(void)
{
	struct cs_ue_maps *maps = NULL;
	struct cs_world *world;
	generate("5.0");
	works(cs_ue_list_maps(in_folder("Fixture.uproject"), NULL, &maps), "maps: listed");
	ok(maps && maps->n == 3 && strcmp(maps->maps[2].package, CS_UE_MADE_MAP) == 0 &&
			maps->maps[2].partitioned && !maps->maps[0].partitioned,
		"maps: 5.0 does not say which is partitioned, its exports do");
	cs_ue_maps_free(maps);
	fails(cs_ue_open_project(folder, "House", NULL, NULL, &world), CS_E_NOMAP,
		"maps: a level without partition");
	size_t size = 0;
	unsigned char *bytes = read_file(in_folder("Content/Maps/Valley.umap"), &size);
	write_file(in_folder("Content/Maps/Other.umap"), bytes, size);
	if (mkdir(in_folder("Content/__ExternalActors__/Maps/Other"), 0777) < 0)
		diag("folder");
	struct cs_error *error = cs_ue_open_project(folder, NULL, NULL, NULL, &world);
	ok(error && error->code == CS_E_NOMAP &&
			strstr(error->message, "/Game/Maps/Other, /Game/Maps/Valley"),
		"maps: of two one must be named, and they are listed");
	cs_error_free(error);
	works(cs_ue_open_project(folder, "Other", NULL, NULL, &world),
		"maps: a map without actors");
	is_int(world->actors.n, 0, "maps: is an empty world");
	cs_world_free(world);
	free(bytes);
}

int main(void)
{
	test_chain();
	test_guards();
	test_natives();
	test_renamed_blueprint();
	test_renamed_layers();
	test_blueprints();
	test_missing_blueprint();
	test_cycle();
	test_table();
	test_maps();
	remove_tree(folder);
	return done();
}
