/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Projects made in the packages of every engine release, read back: the world that the generator
 * meant must come out of the files, whatever the threads and the order of the files.
 */
#include "tests/unit/ue/ue_world.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "tests/make/made.h"

static char folder[4096];

static struct cs_ue_recipe recipe_of(const char *engine, uint64_t actors)
{
	return (struct cs_ue_recipe){
		.engine = engine, .actors = actors, .seed = 2022, .folder = folder};
}

static void count_warnings(void *context, enum cs_log_level level, const char *message)
{
	if (level < CS_LOG_WARNING)
		return;
	(*(int *)context)++;
	diag("%s", message);
}

static void test_row(const char *engine)
{
	struct cs_world *meant = NULL, *read = NULL;
	int warnings = 0;
	struct cs_job job = {.log = count_warnings, .context = &warnings};
	fresh_folder(folder, sizeof(folder), "ue_rows");
	struct cs_ue_recipe recipe = recipe_of(engine, 100);
	works(cs_ue_generate_world(&recipe, NULL, &meant), "%s: a world is made up", engine);
	works(cs_ue_generate(&recipe, NULL, NULL), "%s: and written", engine);
	works(cs_ue_open_project(folder, NULL, NULL, &job, &read), "%s: and read", engine);
	if (!meant || !read)
		return;
	ok(same_worlds(meant, read, 0.01), "%s: what was read is what was meant", engine);
	is_int(read->unreadable, 0, "%s: every package was readable", engine);
	is_int(warnings, 0, "%s: nothing to warn of", engine);
	cs_world_free(meant);
	cs_world_free(read);
}

/* The rows of rules equal those of each release that were written by hand. */
static void test_rows_say(void)
{
	static const struct {
		const char *engine;
		bool transforms, editor_bounds, parents, tags, bundles, externals, deltas, hash_set;
	} rows[] = {
		{"5.0EA", false, false, false, false, false, false, false, false},
		{"5.0", false, false, true, false, false, false, false, false},
		{"5.1", false, false, true, true, true, false, false, false},
		{"5.2", false, false, true, true, true, false, false, false},
		{"5.3", false, false, true, true, true, false, true, false},
		{"5.4", true, false, true, true, true, true, true, true},
		{"5.5", true, true, true, true, true, true, true, true},
		{"5.6", true, true, true, true, true, true, true, true},
		{"5.7", true, true, true, true, true, true, true, true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_world *world;
		struct cs_ue_recipe recipe = recipe_of(rows[i].engine, 0);
		is_text(cs_ue_engine_name(i), rows[i].engine, "engine %zu", i);
		works(cs_ue_generate_world(&recipe, NULL, &world), "%s: made", rows[i].engine);
		bool transforms = false, editors = false, parents = false, tags = false;
		bool bundles = false, externals = false, defaults = false;
		for (size_t k = 0; k < world->actors.n; k++) {
			const struct cs_actor whole = cs_world_actor(world, k), *a = &whole;
			transforms |= a->level_instance == CS_NONE &&
				      !cs_transform_is_identity(&a->transform);
			editors |= cs_box_valid(&a->editor_bounds);
			parents |= !cs_guid_is_zero(a->parent);
			tags |= a->tags.count > 0;
			bundles |= !cs_guid_is_zero(a->content_bundle);
			externals |= a->external_layer != 0;
			defaults |= (a->defaults & CS_DEFAULT_GRID) != 0;
		}
		ok(transforms == rows[i].transforms && editors == rows[i].editor_bounds &&
				parents == rows[i].parents && tags == rows[i].tags &&
				bundles == rows[i].bundles && externals == rows[i].externals &&
				defaults == rows[i].deltas,
			"%s: has the fields of its release", rows[i].engine);
		is_int(world->settings.hash_class,
			rows[i].hash_set ? CS_SOURCE_HASH_SET : CS_SOURCE_HASH_SPATIAL,
			"%s: runtime hash", rows[i].engine);
		cs_world_free(world);
	}
	ok(!cs_ue_engine_name(9), "engine 9 is none");
}

/* ---- independence ---- */

/* Writes the files in reverse order, so that readdir lists them in another order. */
static void rewrite_backwards(const struct cs_ue_recipe *recipe)
{
	struct cs_ue_made made;
	works(cs_ue_make(recipe, NULL, &made), "order: made again");
	for (size_t i = made.world->actors.n; i-- > 0;) {
		const struct cs_actor_row *actor = &made.world->actors.at[i];
		const char *package = cs_world_text(made.world, actor->package);
		char path[8192], other[8200];
		bool game = strncmp(package, "/Game/", 6) == 0;
		const char *rest = strstr(package, "/__ExternalActors__");
		snprintf(path, sizeof(path), "%s/%s%s.uasset", folder,
			game ? "Content" : "Plugins/Expansion/Content", rest);
		snprintf(other, sizeof(other), "%s.moved", path);
		size_t size;
		unsigned char *bytes = read_file(path, &size);
		if (!bytes) {
			ok(false, "order: %s", path);
			continue;
		}
		write_file(other, bytes, size);
		unlink(path);
		if (rename(other, path) < 0)
			ok(false, "order: %s", path);
		free(bytes);
	}
	cs_ue_made_deinit(&made);
}

static void test_order_and_threads(void)
{
	struct cs_ue_recipe recipe = recipe_of("5.6", 300);
	struct cs_world *first = NULL;
	fresh_folder(folder, sizeof(folder), "ue_rows");
	works(cs_ue_generate(&recipe, &(struct cs_job){.threads = 1}, NULL), "order: written");
	works(cs_ue_open_project(folder, NULL, NULL, &(struct cs_job){.threads = 1}, &first),
		"order: read by one thread");
	rewrite_backwards(&recipe);
	for (int threads = 1; threads <= 8 && first; threads *= 2) {
		struct cs_world *again = NULL;
		struct cs_job job = {.threads = threads};
		works(cs_ue_open_project(folder, NULL, NULL, &job, &again), "order: %d threads",
			threads);
		ok(again && same_worlds(first, again, 0) &&
				first->strings.size == again->strings.size &&
				memcmp(first->strings.blob, again->strings.blob,
					first->strings.size) == 0,
			"order: the same world to the byte with %d threads", threads);
		cs_world_free(again);
	}
	cs_world_free(first);
}

static void test_bytes(void)
{
	struct cs_ue_recipe recipe = recipe_of("5.4", 0);
	size_t sizes[2] = {0};
	unsigned char *bytes[2];
	for (int i = 0; i < 2; i++) {
		char map[5000];
		fresh_folder(folder, sizeof(folder), "ue_rows");
		works(cs_ue_generate(&recipe, &(struct cs_job){.threads = 1 + 3 * i}, NULL),
			"bytes: written, run %d", i);
		snprintf(map, sizeof(map), "%s/Content/Maps/Valley.umap", folder);
		bytes[i] = read_file(map, &sizes[i]);
	}
	ok(bytes[0] && bytes[1] && sizes[0] == sizes[1] &&
			memcmp(bytes[0], bytes[1], sizes[0]) == 0,
		"bytes: the same recipe gives the same file");
	free(bytes[0]);
	free(bytes[1]);
	fails(cs_ue_generate(&recipe, NULL, NULL), CS_E_EXISTS,
		"bytes: a project is not written over");
	recipe.engine = "4.27";
	fails(cs_ue_generate(&recipe, NULL, NULL), CS_E_SETTING,
		"bytes: an engine that is not known");
}

/* No reference, one, and as many as a line has room for: all come back in their order. */
static void test_world_references(void)
{
	for (uint32_t n = 0; n < 5; n++) {
		const struct cs_ue_recipe recipe = recipe_of("5.4", 0);
		struct cs_random random = {.state = n + 1};
		struct cs_guid guids[5];
		struct cs_ue_made made;
		struct cs_world *read = NULL;
		bool same = true;
		fresh_folder(folder, sizeof(folder), "ue_rows");
		works(cs_ue_make(&recipe, NULL, &made), "references: a world");
		struct cs_range *range = &made.world->settings.world_references;
		*range = (struct cs_range){(uint32_t)made.world->guids.n, n};
		for (uint32_t i = 0; i < n; i++) {
			guids[i] = cs_random_guid(&random);
			same = cs_vec_push(&made.world->guids, guids[i]) && same;
		}
		works(cs_ue_write_made(&made, folder, NULL), "references: written");
		works(cs_ue_open_project(folder, NULL, NULL, NULL, &read), "references: read");
		if (read) {
			const struct cs_range *back = &read->settings.world_references;
			is_int(back->count, n, "references of the world: %u", n);
			for (uint32_t i = 0; i < n && i < back->count; i++)
				same = same && cs_guid_compare(read->guids.at[back->first + i],
						       guids[i]) == 0;
		}
		ok(same, "references: the same %u", n);
		cs_world_free(read);
		cs_ue_made_deinit(&made);
	}
}

int main(void)
{
	for (size_t i = 0; cs_ue_engine_name(i); i++)
		test_row(cs_ue_engine_name(i));
	test_rows_say();
	test_order_and_threads();
	test_bytes();
	test_world_references();
	remove_tree(folder);
	return done();
}
