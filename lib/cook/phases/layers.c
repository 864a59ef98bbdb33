/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts data layer instances, checks their validity (world-partition rule 1.4.V1), and finds them
 * by the names that actors use. Parents precede their children, and siblings are sorted by name, so
 * the order of rows does not depend on the order of the input.
 */
#include "cook/phases/phases.h"

#include "core/sort.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

static const struct cs_source_layer *layer_at(const struct cs_cook *cook, uint32_t source)
{
	return &cook->world->layers.at[source];
}

static uint32_t layers_parent_of(const struct cs_cook *cook, uint32_t source)
{
	const char *name = cs_world_text(cook->world, layer_at(cook, source)->parent);
	for (uint32_t i = 0; *name && i < cook->world->layers.n; i++)
		if (i != source && cs_name_compare(name, cs_world_text(cook->world,
								 layer_at(cook, i)->name)) == 0)
			return i;
	return CS_NONE;
}

struct order {
	const struct cs_cook *cook;
	uint32_t *parents, *depths, *sources;
};

static int layers_by_name(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	if (order->depths[l] != order->depths[r])
		return order->depths[l] < order->depths[r] ? -1 : 1;
	const struct cs_world *world = order->cook->world;
	const char *l_name = cs_world_text(world, layer_at(order->cook, l)->name);
	const char *r_name = cs_world_text(world, layer_at(order->cook, r)->name);
	int folded = cs_name_compare(l_name, r_name);
	return folded ? folded : strcmp(l_name, r_name);
}

/*
 * Computes each layer's depth in the tree, or 0 and no parent if its chain of parents has a cycle.
 */
static void find_depths(struct order *order, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t steps = 0, at = i;
		while (at != CS_NONE && steps <= n) {
			at = order->parents[at];
			steps++;
		}
		order->depths[i] = steps > n ? CS_NONE : steps - 1;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (order->depths[i] != CS_NONE)
			continue;
		order->depths[i] = 0;
		order->parents[i] = CS_NONE;
	}
}

static struct cs_error *layers_report(struct cs_cook *cook, enum cs_check check, uint32_t row,
	enum cs_repair repair, const char *reason)
{
	struct cs_finding_draft draft = cs_finding_draft(check, CS_ERROR, repair, reason);
	draft.layer = row;
	return cs_cook_find(cook, draft, NULL);
}

static struct cs_error *check_asset(struct cs_cook *cook, uint32_t row)
{
	const struct cs_source_layer *layer = layer_at(cook, cook->layers.sources[row]);
	const char *asset = cs_world_text(cook->world, layer->asset);
	if (!*asset) {
		if (!cook->profile->layer_assets)
			return NULL;
		cook->layers.dropped[row] = true;
		return layers_report(
			cook, CS_CHECK_LAYER_INVALID_ASSET, row, CS_REPAIR_DROP_LAYER, "no asset");
	}
	for (uint32_t i = 0; i < row; i++) {
		const struct cs_source_layer *other = layer_at(cook, cook->layers.sources[i]);
		if (cs_name_compare(asset, cs_world_text(cook->world, other->asset)) == 0)
			return layers_report(cook, CS_CHECK_LAYER_ASSET_CONFLICT, row,
				CS_REPAIR_NONE, "asset of another instance");
	}
	if (layer->external && layer->type == CS_LAYER_EDITOR)
		return layers_report(cook, CS_CHECK_LAYER_ASSET_TYPE, row, CS_REPAIR_NONE,
			"external layer with an editor asset");
	return NULL;
}

static struct cs_error *check_hierarchy(struct cs_cook *cook, uint32_t row, bool cycle)
{
	uint32_t parent = cook->layers.parents[row];
	if (cycle)
		return layers_report(cook, CS_CHECK_LAYER_HIERARCHY, row, CS_REPAIR_NONE,
			"its parents form a cycle");
	if (parent == CS_NONE && layer_at(cook, cook->layers.sources[row])->parent)
		return layers_report(cook, CS_CHECK_LAYER_HIERARCHY, row, CS_REPAIR_NONE,
			"no other layer of the world has its parent's name");
	if (parent == CS_NONE)
		return NULL;
	const struct cs_source_layer *own = layer_at(cook, cook->layers.sources[row]);
	const struct cs_source_layer *above = layer_at(cook, cook->layers.sources[parent]);
	if (own->type == above->type)
		return NULL;
	return layers_report(cook, CS_CHECK_LAYER_HIERARCHY, row, CS_REPAIR_NONE,
		own->type == CS_LAYER_RUNTIME ? "runtime layer under an editor layer"
					      : "editor layer under a runtime layer");
}

static struct cs_error *cook_check_layers(struct cs_cook *cook, const struct order *order)
{
	struct cs_error *error = NULL;
	for (uint32_t row = 0; !error && row < cook->layers.n; row++) {
		uint32_t source = order->sources[row];
		bool cycle = order->parents[source] == CS_NONE &&
			     layers_parent_of(cook, source) != CS_NONE;
		error = check_asset(cook, row);
		if (!error)
			error = check_hierarchy(cook, row, cycle);
	}
	return error;
}

static struct cs_error *layers_set_rows(struct cs_cook *cook, struct order *order)
{
	uint32_t n = cook->layers.n;
	for (uint32_t i = 0; i < n; i++) {
		order->sources[i] = i;
		order->parents[i] = layers_parent_of(cook, i);
	}
	find_depths(order, n);
	if (!cs_sort(order->sources, n, sizeof(uint32_t), layers_by_name, order))
		return cs_error_nomem();
	for (uint32_t row = 0; row < n; row++) {
		cook->layers.sources[row] = order->sources[row];
		cook->layers.of_source[order->sources[row]] = row;
	}
	for (uint32_t row = 0; row < n; row++) {
		uint32_t parent = order->parents[order->sources[row]];
		cook->layers.parents[row] =
			parent == CS_NONE ? CS_NONE : cook->layers.of_source[parent];
	}
	return cook_check_layers(cook, order);
}

struct cs_error *cs_cook_layers(struct cs_cook *cook)
{
	uint32_t n = (uint32_t)cook->world->layers.n;
	struct cs_arena scratch = CS_ARENA_INIT;
	if (n > CS_MOST_LAYERS)
		return cs_error_new(CS_E_LIMIT,
			"the world has %u data layers, more than the limit of %d: remove some of "
			"them",
			n, CS_MOST_LAYERS);
	cook->layers.n = n;
	cook->layers.of_source = CS_ARENA_ARRAY(&cook->arena, uint32_t, n);
	cook->layers.sources = CS_ARENA_ARRAY(&cook->arena, uint32_t, n);
	cook->layers.parents = CS_ARENA_ARRAY(&cook->arena, uint32_t, n);
	cook->layers.dropped = CS_ARENA_ARRAY(&cook->arena, bool, n);
	struct order order = {cook, CS_ARENA_ARRAY(&scratch, uint32_t, n),
		CS_ARENA_ARRAY(&scratch, uint32_t, n), CS_ARENA_ARRAY(&scratch, uint32_t, n)};
	bool memory = cook->layers.of_source && cook->layers.sources && cook->layers.parents &&
		      cook->layers.dropped && order.parents && order.depths && order.sources;
	struct cs_error *error = memory ? layers_set_rows(cook, &order) : cs_error_nomem();
	cs_arena_deinit(&scratch);
	return error;
}

/* ---- finding layers ---- */

uint32_t cs_cook_layer(const struct cs_cook *cook, uint32_t text)
{
	const char *name = cs_world_text(cook->world, text);
	const struct cs_world *world = cook->world;
	uint32_t by_asset = CS_NONE, by_label = CS_NONE;
	for (uint32_t row = 0; row < cook->layers.n; row++) {
		const struct cs_source_layer *layer = layer_at(cook, cook->layers.sources[row]);
		if (cs_name_compare(name, cs_world_text(world, layer->name)) == 0)
			return row;
		if (by_asset == CS_NONE && *cs_world_text(world, layer->asset) &&
			cs_name_compare(name, cs_world_text(world, layer->asset)) == 0)
			by_asset = row;
		if (by_label == CS_NONE &&
			cs_name_compare(name, cs_world_text(world, layer->label)) == 0)
			by_label = row;
	}
	return by_asset != CS_NONE ? by_asset : by_label;
}

uint32_t cs_cook_hlod_layer(const struct cs_cook *cook, uint32_t text)
{
	const char *path = cs_world_text(cook->world, text);
	for (uint32_t i = 0; *path && i < cook->world->hlod_layers.n; i++)
		if (cs_name_compare(path,
			    cs_world_text(cook->world, cook->world->hlod_layers.at[i].path)) == 0)
			return i;
	return CS_NONE;
}
