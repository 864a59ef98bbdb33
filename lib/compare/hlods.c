/* SPDX-License-Identifier: Apache-2.0 */
/* Compares HLOD actors with their source cells: data layers and actors included (rule 1.6.8). */
#include "compare/compare_internal.h"
#include "format/cooked_inside.h"

/*
 * Rule 1.6.8: reports each actor of the source cell and HLOD layer that is not in the HLOD actor.
 */
static void compare_hlod(struct cs_comparer *comparer, const struct cs_cooked_hlod *hlod)
{
	const uint32_t needed = CS_ACTOR_SPATIAL | CS_ACTOR_HLOD_RELEVANT;
	if (hlod->cell == CS_NONE || hlod->layer == CS_NONE)
		return;
	const struct cs_cooked_cell *cell = cs_cooked_cell(comparer->ours, hlod->cell);
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t row =
			cs_cooked_id(comparer->ours, CS_IDS_CELL_ACTORS, cell->actors.first + i);
		const struct cs_cooked_actor *actor = cs_cooked_actor(comparer->ours, row);
		if ((actor->flags & needed) != needed || actor->flags & CS_ACTOR_HLOD ||
			actor->hlod_layer != hlod->layer || comparer->actor_seen[row])
			continue;
		comparer->actor_seen[row] = CS_ACTOR_SEEN;
		cs_compare_report(
			comparer, (struct cs_compare_row){CS_COMPARE_ACTOR, CS_COMPARE_ONLY_OURS,
					  .name = cs_our_actor_name(comparer, row),
					  .ours = cs_our_cell_name(comparer, hlod->cell),
					  .decided = cs_rule_that_decided(comparer, row),
					  .cell = hlod->cell, .actor = row});
	}
}

static bool hlods_has_layer(const uint32_t *rows, uint32_t n, uint32_t layer)
{
	for (uint32_t i = 0; rows && i < n; i++)
		if (rows[i] == layer)
			return true;
	return false;
}

/* Rule 1.6.8: reports data layers that only the HLOD actor has, or only its source cell. */
static void compare_hlod_layers(struct cs_comparer *comparer, const struct cs_cooked_hlod *hlod)
{
	if (hlod->cell == CS_NONE || hlod->actor == CS_NONE)
		return;
	const struct cs_cooked_cell *cell = cs_cooked_cell(comparer->ours, hlod->cell);
	const struct cs_cooked_actor *actor = cs_cooked_actor(comparer->ours, hlod->actor);
	struct cs_compare_row row = {
		CS_COMPARE_LAYER, CS_COMPARE_LAYERS, .cell = hlod->cell, .actor = hlod->actor};
	for (uint32_t i = 0; i < comparer->ours->n_layers; i++) {
		bool ours = hlods_has_layer(
			comparer->ours->cell_layers + cell->layers.first, cell->layers.count, i);
		bool theirs = hlods_has_layer(
			cs_cooked_id_rows(comparer->ours, CS_IDS_ACTOR_LAYERS, actor->layers),
			actor->layers.count, i);
		if (ours == theirs)
			continue;
		row.name = cs_cooked_text(comparer->ours, comparer->ours->layers[i].label);
		row.ours = ours ? cs_our_cell_name(comparer, hlod->cell) : NULL;
		row.theirs = theirs ? cs_our_actor_name(comparer, hlod->actor) : NULL;
		cs_compare_report(comparer, row);
	}
}

void cs_compare_hlod_actors(struct cs_comparer *comparer)
{
	for (size_t i = 0; i < comparer->ours->n_hlods; i++) {
		compare_hlod(comparer, &comparer->ours->hlods[i]);
		compare_hlod_layers(comparer, &comparer->ours->hlods[i]);
	}
}
