/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generation report as a world: a world is cooked, the report of the cook is opened as a log
 * and cooked again; the cells must be the same ones, with the same actors, data layers and content
 * bundles. What the layout of the log does not carry is taken out of the world before: HLOD layers
 * and what names them. Loading ranges are not compared, nor which profile it was where the names
 * of the cells do not tell.
 */
#include "core/guid.h"
#include "format/cooked_inside.h"
#include "tests/make/make.h"
#include "tests/unit/cook/cooking.h"
#include "tests/unit/ue/ue_world.h"
#include "world/world_internal.h"

#include <cellscope/cook.h>

static char path[4096];

/* ---- comparing ---- */

static struct cs_guid instance_at(
	const struct cs_cooked *c, const struct cs_cooked_cell *cell, uint32_t index)
{
	return cs_cooked_detail(c, cs_cooked_id(c, CS_IDS_CELL_ACTORS, cell->actors.first + index))
		->instance_guid;
}

static bool holds(const struct cs_cooked *c, const struct cs_cooked_cell *cell, struct cs_guid guid)
{
	for (uint32_t i = 0; i < cell->actors.count; i++)
		if (cs_guid_compare(instance_at(c, cell, i), guid) == 0)
			return true;
	return false;
}

static void same_cell(
	const struct cs_cooked *l, const struct cs_cooked_cell *left, const struct cs_cooked *r)
{
	const char *name = cs_cooked_text(l, left->name);
	const struct cs_cooked_cell *right = cell_called(r, name);
	if (!right) {
		differs("%s: not there", name);
		return;
	}
	if (!near_box(&left->box, &right->box, 0.001))
		differs("%s: bounds", name);
	if (!near_box(&left->content, &right->content, 0.01))
		differs("%s: content", name);
	if (left->layers_id != right->layers_id || left->layers.count != right->layers.count)
		differs("%s: layers", name);
	if (cs_guid_compare(left->content_bundle, right->content_bundle) != 0)
		differs("%s: content bundle", name);
	if (left->actors.count != right->actors.count)
		differs("%s: %u actors and %u", name, left->actors.count, right->actors.count);
	for (uint32_t i = 0; i < left->actors.count; i++)
		if (!holds(r, right, instance_at(l, left, i)))
			differs("%s: actor %u", name, i);
}

/* Counts the actors that are always loaded in `l` but not in `r`. */
static size_t not_loaded(const struct cs_cooked *l, const struct cs_cooked *r)
{
	size_t missing = 0;
	for (size_t i = 0; i < l->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(l, i);
		for (uint32_t k = 0; cell->flags & CS_CELL_ALWAYS_LOADED && k < cell->actors.count;
			k++) {
			bool found = false;
			for (size_t j = 0; j < r->n_cells && !found; j++)
				found = cs_cooked_cell(r, j)->flags & CS_CELL_ALWAYS_LOADED &&
					holds(r, cs_cooked_cell(r, j), instance_at(l, cell, k));
			missing += !found;
		}
	}
	return missing;
}

static size_t streamed_cells(const struct cs_cooked *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_cells; i++)
		n += !(cs_cooked_cell(c, i)->flags & CS_CELL_ALWAYS_LOADED);
	return n;
}

static void compare(const struct cs_cooked *l, const struct cs_cooked *r, const char *what)
{
	ok(streamed_cells(l) > 4, "%s: %zu cells to compare", what, streamed_cells(l));
	is_int(streamed_cells(r), streamed_cells(l), "%s: as many cells", what);
	ue_differences = 0;
	for (size_t i = 0; i < l->n_cells; i++)
		if (!(cs_cooked_cell(l, i)->flags & CS_CELL_ALWAYS_LOADED))
			same_cell(l, cs_cooked_cell(l, i), r);
	is_int(ue_differences, 0, "%s: the same cells with the same actors", what);
	is_int(not_loaded(l, r) + not_loaded(r, l), 0, "%s: the same actors are always loaded",
		what);
}

/* ---- worlds ---- */

/* Removes from the world what a log cannot express. */
static void simplify(struct cs_world *world)
{
	struct cs_world_settings *settings = &world->settings;
	for (size_t i = 0; i < world->actors.n; i++) {
		struct cs_actor_row *actor = &world->actors.at[i];
		actor->hlod_layer = 0;
		actor->saved = CS_SAVED;
	}
	settings->default_hlod_layer = 0;
	settings->world_references.count = 0;
	settings->small_by_location = settings->partition_by_location = CS_OPTION_PROJECT;
}

static void round_trip(struct cs_world *world, const char *profile, const char *kind)
{
	const struct cs_cook_options options = {.profile = profile};
	struct cs_world *again = NULL;
	char what[64];
	snprintf(what, sizeof(what), "%s by %s", kind, profile);
	struct cooked_world first = cook_world(world, &options, 0);
	fresh_folder(path, sizeof(path), "ue_report.log");
	works(cs_cooked_write_log(first.c, path), "%s: written", what);
	works(cs_ue_open_log(path, NULL, &again), "%s: opened", what);
	if (again) {
		struct cooked_world second = cook_world(again, &options, 0);
		compare(first.c, second.c, what);
		cooked_free(&second);
	}
	cooked_free(&first);
	cs_world_free(again);
	unlink(path);
}

static void test_kinds(void)
{
	static const struct {
		enum cs_world_kind kind;
		const char *name;
	} kinds[] = {{CS_WORLD_CITY, "city"}, {CS_WORLD_OPEN, "open"}};
	static const char *const profiles[] = {
		"5.0", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7"};
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
			const struct cs_world_recipe recipe = {
				.kind = kinds[k].kind, .actors = 1000, .seed = i};
			struct cs_world *world = NULL;
			works(cs_world_generate(&recipe, NULL, &world), "%s: generated",
				kinds[k].name);
			if (!world)
				continue;
			simplify(world);
			round_trip(world, profiles[i], kinds[k].name);
			cs_world_free(world);
		}
	}
}

static void test_projects(void)
{
	for (size_t i = 0; cs_ue_engine_name(i); i++) {
		const struct cs_ue_recipe recipe = {
			.engine = cs_ue_engine_name(i), .actors = 200, .seed = 4};
		struct cs_world *world = NULL;
		works(cs_ue_generate_world(&recipe, NULL, &world), "%s: made", recipe.engine);
		if (!world)
			continue;
		simplify(world);
		round_trip(world, cs_world_profile(world), recipe.engine);
		cs_world_free(world);
	}
}

int main(void)
{
	test_kinds();
	test_projects();
	return done();
}
