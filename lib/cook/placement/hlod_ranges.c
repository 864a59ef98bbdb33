/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the loading ranges for HLOD actors (world-partition rule 1.6.8). An HLOD actor represents
 * cells while they are not loaded, so the grid that contains the HLOD actor must have a larger
 * loading range than the grid of those cells; otherwise the HLOD actor is never visible.
 *
 * The check uses the HLOD actors that a build would make: for every main partition and every HLOD
 * layer of its relevant actors, the grid of the layer, the grid of its parent layer, and so on.
 * Ranges that the source does not contain are not checked.
 */
#include "cook/phases/phases.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>

/* An HLOD layer that actors of a main partition use. */
struct cs_hlod_use {
	/* actor row of an actor that uses the layer; CS_NONE = no actor of the partition uses it */
	uint32_t row;
	uint32_t anchor; /* lowest actor row in the cluster that contains the set of actor `row` */
	/*
	 * HLOD layer whose HLOD actors are represented by the HLOD actors of this layer; CS_NONE =
	 * they represent actors of the partition
	 */
	uint32_t below;
	double range; /* largest loading range, cm, of the cells that the HLOD actors represent */
};

struct ranges {
	struct cs_cook *cook;
	size_t n_layers;
	struct cs_hlod_use *uses; /* uses of all layers, indexed by partition * n_layers + layer */
	uint32_t *parents;        /* for each layer, the index of its parent layer, or CS_NONE */
};

/* The partition that contains the HLOD actors of a layer. */
struct home {
	/* index of the partition, or CS_NONE for a grid that building HLOD actors would create */
	uint32_t partition;
	double range;
	/* false if the HLOD actors have no grid or always load, or the source lacks the range */
	bool known;
};

static struct home home_of(const struct cs_cook *cook, uint32_t main, uint32_t layer)
{
	const struct cs_source_hlod_layer *source = &cook->world->hlod_layers.at[layer];
	uint32_t at = cs_hlod_home(cook, main, layer);
	if (at == CS_NONE)
		return (struct home){CS_NONE, source->loading_range,
			cook->hash_class == CS_HASH_SPATIAL && source->spatial && !source->assumed};
	const struct cs_cook_partition *partition = &cook->grids.partitions.at[at];
	bool known = cook->hash_class == CS_HASH_SPATIAL ||
		     (partition->row.flags & CS_PARTITION_SPATIAL &&
			     !cook->world->setups.at[partition->source].assumed);
	return (struct home){at, partition->row.loading_range, known};
}

/* ---- which layers are used ---- */

static bool hlod_ranges_is_main(const struct cs_cook *cook, uint32_t partition)
{
	const struct cs_cooked_partition *row = &cook->grids.partitions.at[partition].row;
	return row->hlod_index < 0 && (row->partition_class == CS_PARTITION_LHGRID ||
					      row->partition_class == CS_PARTITION_SPATIAL_GRID);
}

static bool range_is_said(const struct cs_cook *cook, uint32_t partition)
{
	uint32_t source = cook->grids.partitions.at[partition].source;
	return cook->hash_class != CS_HASH_SET || source == CS_NONE ||
	       !cook->world->partitions.at[source].assumed;
}

static void use_layers(struct ranges *ranges, const struct cs_actor_set *set)
{
	const struct cs_cook *cook = ranges->cook;
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	for (uint32_t i = 0; i < set->members.count; i++) {
		uint32_t row = cook->grouped.members.at[set->members.first + i];
		uint32_t view = cs_view_of_row(cook, instance, row);
		uint32_t layer = cs_row_hlod_layer(cook, instance, view);
		if (layer == CS_NONE || !cook->actors.views.at[view].shows)
			continue;
		struct cs_hlod_use *use = &ranges->uses[set->partition * ranges->n_layers + layer];
		if (use->row == CS_NONE || set->anchor < use->anchor)
			*use = (struct cs_hlod_use){row, set->anchor, CS_NONE,
				cook->grids.partitions.at[set->partition].row.loading_range};
	}
}

static void collect_uses(struct ranges *ranges)
{
	const struct cs_cook *cook = ranges->cook;
	for (size_t i = 0; i < cook->grouped.sets.n; i++) {
		const struct cs_actor_set *set = &cook->grouped.sets.at[i];
		const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
		if (set->partition != CS_NONE && set->spatial &&
			hlod_ranges_is_main(cook, set->partition) && instance->hlod_relevant &&
			range_is_said(cook, set->partition))
			use_layers(ranges, set);
	}
}

/*
 * Marks the parent layer of a used layer as used too, and so on upwards, because HLOD actors of a
 * parent layer represent HLOD actors of the layer. Stops at a parent that is already in use at the
 * same loading range or a larger one, which also ends a cycle of parents.
 */
static void hand_up(struct ranges *ranges, uint32_t main, uint32_t layer)
{
	struct cs_hlod_use *uses = ranges->uses + main * ranges->n_layers;
	for (;;) {
		struct home home = home_of(ranges->cook, main, layer);
		uint32_t parent = ranges->parents[layer];
		if (!home.known || parent == CS_NONE ||
			(uses[parent].row != CS_NONE && uses[parent].range >= home.range))
			return;
		uses[parent] = (struct cs_hlod_use){
			uses[layer].row, uses[layer].anchor, layer, home.range};
		layer = parent;
	}
}

/* ---- checking the loading ranges ---- */

static const char *hlod_ranges_partition_name(
	const struct cs_cook *cook, uint32_t partition, char text[2 * CS_GRID_TOKEN])
{
	const struct cs_cook_partition *cook_partition = &cook->grids.partitions.at[partition];
	snprintf(text, 2 * CS_GRID_TOKEN, "%.120s%s%.120s", cook_partition->name,
		cook_partition->setup ? ":" : "",
		cook_partition->setup ? cook_partition->setup : "");
	return text;
}

static const char *below_name(
	const struct cs_cook *cook, uint32_t main, const struct cs_hlod_use *use, char text[256])
{
	if (use->below == CS_NONE)
		return hlod_ranges_partition_name(cook, main, text);
	snprintf(text, 256, "%.250s",
		cs_world_text(cook->world, cook->world->hlod_layers.at[use->below].path));
	return text;
}

static struct cs_error *hlod_ranges_report(
	struct ranges *ranges, uint32_t main, uint32_t layer, const struct home *home)
{
	struct cs_cook *cook = ranges->cook;
	const struct cs_hlod_use *use = &ranges->uses[main * ranges->n_layers + layer];
	char below[256], reason[400];
	int n = snprintf(reason, sizeof(reason),
		"loading range %.0f does not exceed the %.0f of %s", home->range, use->range,
		below_name(cook, main, use, below));
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_HLOD_LOADING_RANGE, CS_WARNING,
		CS_REPAIR_NONE, cs_arena_text(&cook->arena, reason, (size_t)n));
	if (!draft.reason)
		return cs_error_nomem();
	const struct cs_instance *instance = cs_instance_of_row(cook, use->row);
	draft.collection = instance->collection;
	draft.view = cs_view_of_row(cook, instance, use->row);
	draft.hlod_layer = layer;
	draft.partition = home->partition;
	return cs_cook_find(cook, draft, NULL);
}

static struct cs_error *check_partition(struct ranges *ranges, uint32_t main)
{
	struct cs_error *error = NULL;
	for (uint32_t layer = 0; layer < ranges->n_layers; layer++)
		if (ranges->uses[main * ranges->n_layers + layer].row != CS_NONE)
			hand_up(ranges, main, layer);
	for (uint32_t layer = 0; !error && layer < ranges->n_layers; layer++) {
		const struct cs_hlod_use *use = &ranges->uses[main * ranges->n_layers + layer];
		if (use->row == CS_NONE)
			continue;
		struct home home = home_of(ranges->cook, main, layer);
		if (home.known && home.range <= use->range)
			error = hlod_ranges_report(ranges, main, layer, &home);
	}
	return error;
}

static struct cs_error *hlod_ranges_check(struct ranges *ranges)
{
	struct cs_cook *cook = ranges->cook;
	struct cs_error *error = NULL;
	memset(ranges->uses, 0xff,
		cook->grids.partitions.n * ranges->n_layers * sizeof(*ranges->uses));
	collect_uses(ranges);
	for (uint32_t layer = 0; layer < ranges->n_layers; layer++)
		ranges->parents[layer] =
			cs_cook_hlod_layer(cook, cook->world->hlod_layers.at[layer].parent);
	for (uint32_t i = 0; !error && i < cook->grids.partitions.n; i++)
		if (hlod_ranges_is_main(cook, i))
			error = check_partition(ranges, i);
	return error;
}

struct cs_error *cs_cook_hlod_ranges(struct cs_cook *cook)
{
	struct ranges ranges = {.cook = cook, .n_layers = cook->world->hlod_layers.n};
	size_t pairs =
		/* no overflow: MOST_HLOD_PAIRS limits the product */
		cook->grids.partitions.n * ranges.n_layers;
	if (pairs == 0)
		return NULL;
	ranges.uses = malloc(pairs * sizeof(*ranges.uses));
	ranges.parents = malloc(ranges.n_layers * sizeof(*ranges.parents));
	struct cs_error *error = cs_error_nomem();
	if (ranges.uses && ranges.parents) {
		cs_error_free(error);
		error = hlod_ranges_check(&ranges);
	}
	free(ranges.uses);
	free(ranges.parents);
	return error;
}
