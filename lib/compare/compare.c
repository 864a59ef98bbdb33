/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares our cook (cellscope's) with the engine's. First the cells of both cooks are paired. Then
 * each actor that the engine lists is searched in the cell paired with the engine's cell. Then
 * paired cells are compared, and finally the cells and actors that only our cook has are reported.
 * If a cell exists in only one cook, a rule explains this difference if rules explain the
 * differences of all actors in the cell.
 */
#include "compare/compare_internal.h"

#include "cook/record/trail_inside.h"
#include "core/guid.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A comparison and the comparer that owns its texts. `result` is first: its address is returned. */
struct held_comparison {
	struct cs_comparison result;
	struct cs_comparer comparer;
};

/* ---- rows of the result ---- */

const char *cs_compare_text(struct cs_comparer *comparer, const char *text, size_t length)
{
	const char *copy = cs_arena_text(&comparer->arena, text, length);
	comparer->failed |= !copy;
	return copy ? copy : "";
}

/* Sets grid, level and coordinates of a cell that only the engine has, for maps to show it. */
static void tell_place(struct cs_comparer *comparer, struct cs_compare_row *row)
{
	const struct cs_cell_place place =
		cs_place_of_name(comparer, row->theirs, comparer->theirs.world);
	if (!place.known)
		return;
	row->grid = cs_compare_text(comparer, place.partition, place.length);
	row->level = place.at.level;
	row->x = place.at.x;
	row->y = place.at.y;
}

void cs_compare_report(struct cs_comparer *comparer, struct cs_compare_row row)
{
	if (row.kind == CS_COMPARE_CELL && row.change == CS_COMPARE_ONLY_THEIRS && *row.theirs)
		tell_place(comparer, &row);
	if (row.verdict != CS_COMPARE_STALE)
		row.verdict = row.rule ? CS_COMPARE_BY_RULE : CS_COMPARE_UNEXPLAINED;
	cs_vec_push_in(comparer, rows, row);
}

const char *cs_our_cell_name(const struct cs_comparer *comparer, uint32_t cell)
{
	return cs_cooked_cell_name(comparer->ours, cell);
}

const char *cs_our_actor_name(const struct cs_comparer *comparer, uint32_t actor)
{
	return cs_cooked_actor_title(comparer->ours, actor);
}

static const char *text_of_guid(struct cs_comparer *comparer, struct cs_guid guid)
{
	char text[CS_GUID_TEXT];
	cs_guid_format(guid, text);
	return cs_compare_text(comparer, text, strlen(text));
}

bool cs_our_cell_streams(const struct cs_comparer *comparer, uint32_t cell)
{
	return cell != CS_NONE &&
	       !(cs_cooked_cell(comparer->ours, cell)->flags & CS_CELL_ALWAYS_LOADED);
}

static struct cs_cell_place our_place(const struct cs_comparer *comparer, uint32_t cell)
{
	return cs_place_of_name(comparer, cs_our_cell_name(comparer, cell),
		cs_cooked_text(comparer->ours, comparer->ours->world->name));
}

static struct cs_cell_place their_place(
	const struct cs_comparer *comparer, const struct cs_answer_cell *cell)
{
	return cs_place_of_name(comparer, cell->name, comparer->theirs.world);
}

/* ---- comparing the whole world ---- */

static void compare_world(struct cs_comparer *comparer)
{
	const char *ours = cs_cooked_text(comparer->ours, comparer->ours->world->name);
	bool spatial = comparer->ours->world->hash_class == CS_HASH_SPATIAL;
	comparer->compared[CS_COMPARE_WORLD] = 1;
	if (*comparer->theirs.world && strcmp(ours, comparer->theirs.world) != 0)
		cs_compare_report(comparer,
			(struct cs_compare_row){CS_COMPARE_WORLD, CS_COMPARE_RENAMED, .name = ours,
				.ours = ours, .theirs = comparer->theirs.world,
				.rule = spatial ? "1.7.5" : "1.6.5", .cell = CS_NONE,
				.actor = CS_NONE});
}

/* Compares the classes of the runtime hash, which cause most other differences if unequal. */
static void compare_class(struct cs_comparer *comparer)
{
	static const char *const names[] = {"hash set", "spatial hash"};
	const char *name = cs_cooked_text(comparer->ours, comparer->ours->world->name);
	if (!cs_other_class(comparer))
		return;
	bool spatial = comparer->theirs.hash_class == CS_HASH_SPATIAL;
	cs_compare_report(comparer,
		(struct cs_compare_row){CS_COMPARE_WORLD, CS_COMPARE_CLASS, .name = name,
			.ours = names[!spatial], .theirs = names[spatial],
			.rule = spatial ? "1.7.1" : "1.6.1", .cell = CS_NONE, .actor = CS_NONE});
}

/* ---- comparing actors ---- */

const char *cs_rule_that_decided(const struct cs_comparer *comparer, uint32_t actor)
{
	struct cs_trail trail;
	const char *rule = NULL;
	struct cs_error *error = cs_explain_placement(comparer->ours, actor, false, &trail);
	if (!error) {
		rule = cs_trail_decision(comparer->ours, &trail);
		free(trail.steps);
	}
	cs_error_free(error);
	return rule;
}

/* Returns whether two cells have the same grid and coordinates, and differ only by data layers. */
static bool differs_by_layers(
	const struct cs_comparer *comparer, uint32_t cell, const struct cs_answer_cell *theirs)
{
	const struct cs_cell_place l = our_place(comparer, cell), r = their_place(comparer, theirs);
	return cs_same_place(&l, &r) && l.layers_id != r.layers_id;
}

/* Reports an actor that the engine lists in a second cell, or twice in one cell. */
static void report_again(
	struct cs_comparer *comparer, uint32_t row, const struct cs_answer_cell *cell)
{
	uint32_t home = cs_cooked_actor(comparer->ours, row)->cell;
	cs_compare_report(comparer, (struct cs_compare_row){CS_COMPARE_ACTOR, CS_COMPARE_TWICE,
					    .name = cs_our_actor_name(comparer, row),
					    .ours = cs_our_cell_name(comparer, home),
					    .theirs = cell->name, .cell = home, .actor = row});
}

/*
 * Sets CS_ACTOR_AT_HOME for each actor that the engine lists in the cell paired with ours, before
 * any report: such an actor has not moved, even if the engine lists it in another cell too.
 */
static void note_homes(struct cs_comparer *comparer)
{
	for (size_t i = 0; i < comparer->theirs.cells.n; i++) {
		const struct cs_answer_cell *cell = &comparer->theirs.cells.at[i];
		for (size_t k = 0; cell->ours != CS_NONE && k < cell->count; k++) {
			uint32_t row = cs_match_actor(
				comparer, comparer->theirs.actors.at[cell->first + k].guid);
			if (row != CS_NONE &&
				cs_cooked_actor(comparer->ours, row)->cell == cell->ours)
				comparer->actor_seen[row] |= CS_ACTOR_AT_HOME;
		}
	}
}

/*
 * Returns CS_COMPARE_STALE if only HLOD actors list the cell, and our cook has none of the actors
 * that they list for it; otherwise CS_COMPARE_UNEXPLAINED.
 */
static enum cs_compare_verdict verdict_of_gone(
	const struct cs_comparer *comparer, const struct cs_answer_cell *cell)
{
	if (comparer->theirs.whole || cell->count == 0)
		return CS_COMPARE_UNEXPLAINED;
	for (size_t i = 0; i < cell->count; i++)
		if (cs_match_actor(comparer, comparer->theirs.actors.at[cell->first + i].guid) !=
			CS_NONE)
			return CS_COMPARE_UNEXPLAINED;
	return CS_COMPARE_STALE;
}

static void compare_actor(struct cs_comparer *comparer, const struct cs_answer_cell *cell,
	const struct cs_answer_actor *actor)
{
	uint32_t row = cs_match_actor(comparer, actor->guid);
	comparer->compared[CS_COMPARE_ACTOR]++;
	if (row == CS_NONE) {
		cs_compare_report(comparer,
			(struct cs_compare_row){CS_COMPARE_ACTOR, CS_COMPARE_ONLY_THEIRS,
				.verdict = verdict_of_gone(comparer, cell),
				.name = actor->name ? actor->name
						    : text_of_guid(comparer, actor->guid),
				.theirs = cell->name, .cell = cell->ours, .actor = CS_NONE});
		return;
	}
	uint32_t home = cs_cooked_actor(comparer->ours, row)->cell;
	bool is_home = home != CS_NONE && home == cell->ours;
	bool again = comparer->actor_seen[row] &
		     (is_home ? CS_ACTOR_TOLD_HOME : CS_ACTOR_SEEN | CS_ACTOR_AT_HOME);
	comparer->actor_seen[row] |= is_home ? CS_ACTOR_SEEN | CS_ACTOR_TOLD_HOME : CS_ACTOR_SEEN;
	if (again)
		report_again(comparer, row, cell);
	if (again || is_home)
		return;
	comparer->actor_seen[row] |= CS_ACTOR_DIFFERS;
	comparer->actor_rule[row] = cs_reason_of_move(comparer, row, cell);
	if (!comparer->actor_rule[row] && home != CS_NONE &&
		differs_by_layers(comparer, home, cell))
		comparer->actor_rule[row] = cs_reason_of_layers(comparer);
	cs_compare_report(comparer, (struct cs_compare_row){CS_COMPARE_ACTOR, CS_COMPARE_MOVED,
					    .name = cs_our_actor_name(comparer, row),
					    .ours = cs_our_cell_name(comparer, home),
					    .theirs = cell->name, .rule = comparer->actor_rule[row],
					    .decided = cs_rule_that_decided(comparer, row),
					    .cell = home, .actor = row});
}

/* ---- comparing paired cells ---- */

/* Returns whether boxes are equal within 0.01 cm. Of flat cells, only x and y are compared. */
static bool near_box(const struct cs_box *l, const struct cs_box *r, bool flat)
{
	static const double near = 0.01;
	if (cs_box_valid(l) != cs_box_valid(r))
		return false;
	bool height =
		flat || (fabs(l->min.z - r->min.z) < near && fabs(l->max.z - r->max.z) < near);
	return !cs_box_valid(l) ||
	       (height && fabs(l->min.x - r->min.x) < near && fabs(l->min.y - r->min.y) < near &&
		       fabs(l->max.x - r->max.x) < near && fabs(l->max.y - r->max.y) < near);
}

static const char *text_of_box(struct cs_comparer *comparer, const struct cs_box *box)
{
	char text[240];
	if (cs_box_valid(box))
		snprintf(text, sizeof(text), "%.3f,%.3f,%.3f to %.3f,%.3f,%.3f", box->min.x,
			box->min.y, box->min.z, box->max.x, box->max.y, box->max.z);
	else
		snprintf(text, sizeof(text), "none");
	return cs_compare_text(comparer, text, strlen(text));
}

/*
 * Reports a cell whose data layers differ from those of the engine's cell: one row for each layer
 * of our cell, or, if our cell has none, one row with the id of the layers of the engine's cell.
 */
static void report_layers(
	struct cs_comparer *comparer, uint32_t cell, const char *theirs, uint32_t layers_id)
{
	const struct cs_cooked_cell *ours = cs_cooked_cell(comparer->ours, cell);
	struct cs_compare_row row = {CS_COMPARE_LAYER, CS_COMPARE_LAYERS,
		.ours = cs_our_cell_name(comparer, cell), .theirs = theirs,
		.rule = cs_reason_of_layers(comparer), .cell = cell, .actor = CS_NONE};
	char text[40];
	for (uint32_t i = 0; i < ours->layers.count; i++) {
		uint32_t layer = comparer->ours->cell_layers[ours->layers.first + i];
		row.name = cs_cooked_text(comparer->ours, comparer->ours->layers[layer].label);
		cs_compare_report(comparer, row);
	}
	if (ours->layers.count)
		return;
	snprintf(text, sizeof(text), "layers %08X", layers_id);
	row.name = cs_compare_text(comparer, text, strlen(text));
	cs_compare_report(comparer, row);
}

/*
 * Returns the number of the rule that explains why the engine's cell `theirs` has another name than
 * our cell. If the coordinates are equal, it is a rule about names; otherwise a rule that would
 * move every actor of our cell to the engine's cell. NULL if there is none.
 */
static const char *rule_of_place(
	const struct cs_comparer *comparer, const struct cs_answer_cell *theirs, uint32_t cell)
{
	const struct cs_cooked_cell *ours = cs_cooked_cell(comparer->ours, cell);
	const struct cs_cell_place l = our_place(comparer, cell), r = their_place(comparer, theirs);
	const char *rule = cs_reason_of_name(comparer, &l, &r);
	for (uint32_t i = 0; !cs_same_place(&l, &r) && i < ours->actors.count; i++) {
		uint32_t actor =
			cs_cooked_id(comparer->ours, CS_IDS_CELL_ACTORS, ours->actors.first + i);
		rule = cs_reason_of_move(comparer, actor, theirs);
		if (!rule)
			break;
	}
	return rule;
}

/* Returns whether the two cells have the same coordinates, but in grids with different names. */
static bool is_in_other_grid(const struct cs_cell_place *l, const struct cs_cell_place *r)
{
	return l->known && r->known && l->level_first == r->level_first &&
	       l->layers_id == r->layers_id && l->at.x == r->at.x && l->at.y == r->at.y &&
	       l->at.z == r->at.z && l->at.level == r->at.level &&
	       (l->length != r->length || strncmp(l->partition, r->partition, l->length) != 0);
}

/* Reports a renamed grid once, not for each cell. `theirs` is one of the engine's cells in it. */
static void report_grid(
	struct cs_comparer *comparer, uint32_t cell, const struct cs_cell_place *theirs)
{
	const struct cs_cooked_partition *ours =
		&comparer->ours->partitions[cs_cooked_cell(comparer->ours, cell)->partition];
	const char *name = cs_cooked_text(comparer->ours, ours->name);
	const char *copy = cs_compare_text(comparer, theirs->partition, theirs->length);
	for (size_t i = 0; i < comparer->rows.n; i++)
		if (comparer->rows.at[i].kind == CS_COMPARE_WORLD &&
			comparer->rows.at[i].name == name &&
			strcmp(comparer->rows.at[i].theirs, copy) == 0)
			return;
	cs_compare_report(comparer,
		(struct cs_compare_row){CS_COMPARE_WORLD, CS_COMPARE_RENAMED, .name = name,
			.ours = name, .theirs = copy, .cell = CS_NONE, .actor = CS_NONE});
}

/* Returns false if the cell's name is unknown: `name` is then empty or the name of its package. */
static bool is_name_found(const char *name, const char *package)
{
	return *name && !(package && strcmp(name, package) == 0);
}

static void compare_names(
	struct cs_comparer *comparer, const struct cs_answer_cell *theirs, uint32_t cell)
{
	const struct cs_cell_place l = our_place(comparer, cell), r = their_place(comparer, theirs);
	const char *ours = cs_our_cell_name(comparer, cell);
	const char *map = cs_cooked_text(comparer->ours, comparer->ours->world->name);
	if (!is_name_found(theirs->name, theirs->package) ||
		!is_name_found(ours, cs_cooked_text(comparer->ours,
					     cs_cooked_cell(comparer->ours, cell)->package)) ||
		strcmp(cs_name_without_map(comparer, ours, map),
			cs_name_without_map(comparer, theirs->name, comparer->theirs.world)) == 0)
		return;
	if (cs_same_place(&l, &r) && l.layers_id != r.layers_id)
		report_layers(comparer, cell, theirs->name, r.layers_id);
	else if (is_in_other_grid(&l, &r))
		report_grid(comparer, cell, &r);
	else
		cs_compare_report(
			comparer, (struct cs_compare_row){CS_COMPARE_CELL, CS_COMPARE_RENAMED,
					  .name = ours, .ours = ours, .theirs = theirs->name,
					  .rule = rule_of_place(comparer, theirs, cell),
					  .cell = cell, .actor = CS_NONE});
}

static bool same_actors(
	const struct cs_comparer *comparer, const struct cs_answer_cell *theirs, uint32_t cell)
{
	size_t there = 0;
	for (size_t i = 0; i < theirs->count; i++) {
		uint32_t row = cs_match_actor(
			comparer, comparer->theirs.actors.at[theirs->first + i].guid);
		there += row != CS_NONE && cs_cooked_actor(comparer->ours, row)->cell == cell;
	}
	return there == theirs->count &&
	       there == cs_cooked_cell(comparer->ours, cell)->actors.count;
}

static void compare_boxes(
	struct cs_comparer *comparer, const struct cs_answer_cell *theirs, uint32_t cell)
{
	const struct cs_cooked_cell *ours = cs_cooked_cell(comparer->ours, cell);
	bool flat = theirs->is_2d || ours->flags & CS_CELL_2D;
	struct cs_compare_row row = {CS_COMPARE_CELL, CS_COMPARE_BOX,
		.name = cs_our_cell_name(comparer, cell), .cell = cell, .actor = CS_NONE};
	if (!near_box(&ours->box, &theirs->box, flat)) {
		row.ours = text_of_box(comparer, &ours->box);
		row.theirs = text_of_box(comparer, &theirs->box);
		row.rule = rule_of_place(comparer, theirs, cell);
		row.rule = row.rule ? row.rule : cs_reason_of_box(comparer, cell, theirs);
		cs_compare_report(comparer, row);
	}
	if (!same_actors(comparer, theirs, cell) ||
		near_box(&ours->content, &theirs->content, flat))
		return;
	row.change = CS_COMPARE_CONTENT;
	row.ours = text_of_box(comparer, &ours->content);
	row.theirs = text_of_box(comparer, &theirs->content);
	row.rule = cs_reason_of_content(comparer, ours, theirs);
	cs_compare_report(comparer, row);
}

/*
 * Reports two paired cells whose packages have different names. A package is named after its cell,
 * so packages are compared only if the cells have the same name.
 */
static void compare_package(
	struct cs_comparer *comparer, const struct cs_answer_cell *theirs, uint32_t cell)
{
	const char *ours =
		cs_cooked_text(comparer->ours, cs_cooked_cell(comparer->ours, cell)->package);
	if (theirs->package && strcmp(cs_our_cell_name(comparer, cell), theirs->name) == 0 &&
		strcmp(ours, theirs->package) != 0)
		cs_compare_report(comparer,
			(struct cs_compare_row){CS_COMPARE_CELL, CS_COMPARE_PACKAGE,
				.name = cs_our_cell_name(comparer, cell), .ours = ours,
				.theirs = theirs->package, .cell = cell, .actor = CS_NONE});
}

/* Reports cells of equal name whose GUIDs differ, unless one is missing or made from the name. */
static void compare_guid(
	struct cs_comparer *comparer, const struct cs_answer_cell *theirs, uint32_t cell)
{
	const struct cs_cooked_cell *ours = cs_cooked_cell(comparer->ours, cell);
	if (!comparer->theirs.cooked || cs_guid_is_zero(theirs->guid) ||
		ours->flags & CS_CELL_MADE_GUID ||
		strcmp(cs_our_cell_name(comparer, cell), theirs->name) != 0 ||
		cs_guid_compare(ours->guid, theirs->guid) == 0)
		return;
	cs_compare_report(
		comparer, (struct cs_compare_row){CS_COMPARE_CELL, CS_COMPARE_GUID,
				  .name = theirs->name, .ours = text_of_guid(comparer, ours->guid),
				  .theirs = text_of_guid(comparer, theirs->guid),
				  .rule = cs_reason_of_guid(comparer, cell, theirs), .cell = cell,
				  .actor = CS_NONE});
}

/* Returns a rule if rules put every actor of the engine's cell elsewhere in our cook, else NULL. */
static const char *rule_of_theirs(
	const struct cs_comparer *comparer, const struct cs_answer_cell *cell)
{
	const char *rule = NULL;
	for (size_t i = 0; i < cell->count; i++) {
		uint32_t row =
			cs_match_actor(comparer, comparer->theirs.actors.at[cell->first + i].guid);
		rule = row == CS_NONE ? NULL : comparer->actor_rule[row];
		if (!rule)
			return NULL;
	}
	return rule;
}

static const char *rule_of_ours(
	const struct cs_comparer *comparer, const struct cs_cooked_cell *cell)
{
	const char *rule = NULL;
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		rule = comparer->actor_rule[cs_cooked_id(
			comparer->ours, CS_IDS_CELL_ACTORS, cell->actors.first + i)];
		if (!rule)
			return NULL;
	}
	return rule;
}

/*
 * Finds out whether the engine lists a cell twice: our cell with the first actor of `theirs` is
 * already paired with another engine cell, which has the name of `theirs`. Returns our cell in this
 * case, else CS_NONE.
 */
static uint32_t told_before(const struct cs_comparer *comparer, const struct cs_answer_cell *theirs)
{
	uint32_t row = theirs->count ? cs_match_actor(comparer,
					       comparer->theirs.actors.at[theirs->first].guid)
				     : CS_NONE;
	uint32_t home = row == CS_NONE ? CS_NONE : cs_cooked_actor(comparer->ours, row)->cell;
	if (home == CS_NONE || comparer->cell_theirs[home] == CS_NONE)
		return CS_NONE;
	const char *name = comparer->theirs.cells.at[comparer->cell_theirs[home]].name;
	return *name && strcmp(name, theirs->name) == 0 ? home : CS_NONE;
}

static void report_their_cell(struct cs_comparer *comparer, const struct cs_answer_cell *theirs)
{
	uint32_t before = told_before(comparer, theirs);
	bool twice = before != CS_NONE;
	cs_compare_report(comparer,
		(struct cs_compare_row){CS_COMPARE_CELL,
			twice ? CS_COMPARE_TWICE : CS_COMPARE_ONLY_THEIRS,
			.verdict = verdict_of_gone(comparer, theirs),
			.name = *theirs->name ? theirs->name : text_of_guid(comparer, theirs->guid),
			.ours = cs_our_cell_name(comparer, before), .theirs = theirs->name,
			.rule = twice ? NULL : rule_of_theirs(comparer, theirs), .cell = before,
			.actor = CS_NONE});
}

static void compare_cell(struct cs_comparer *comparer, const struct cs_answer_cell *theirs)
{
	comparer->compared[CS_COMPARE_CELL]++;
	if (theirs->ours == CS_NONE) {
		report_their_cell(comparer, theirs);
		return;
	}
	comparer->compared[CS_COMPARE_LAYER] +=
		cs_cooked_cell(comparer->ours, theirs->ours)->layers.count;
	compare_names(comparer, theirs, theirs->ours);
	if (theirs->has_boxes &&
		!(cs_cooked_cell(comparer->ours, theirs->ours)->flags & CS_CELL_NO_BOXES))
		compare_boxes(comparer, theirs, theirs->ours);
	compare_package(comparer, theirs, theirs->ours);
	compare_guid(comparer, theirs, theirs->ours);
}

/* ---- cells and actors that only our cook has ---- */

/* Returns a cell of the engine at our cell's coordinates, but with other data layers, or NULL. */
static const struct cs_answer_cell *beside(const struct cs_comparer *comparer, uint32_t cell)
{
	for (size_t i = 0; i < comparer->theirs.cells.n; i++)
		if (differs_by_layers(comparer, cell, &comparer->theirs.cells.at[i]))
			return &comparer->theirs.cells.at[i];
	return NULL;
}

static void report_our_cell(struct cs_comparer *comparer, uint32_t cell)
{
	/* only for a cell with layers: beside() loops over all cells of the engine */
	bool split = cs_cooked_cell(comparer->ours, cell)->layers.count > 0;
	const struct cs_answer_cell *like = split ? beside(comparer, cell) : NULL;
	if (like)
		report_layers(comparer, cell, like->name, 0);
	else
		cs_compare_report(
			comparer, (struct cs_compare_row){CS_COMPARE_CELL, CS_COMPARE_ONLY_OURS,
					  .name = cs_our_cell_name(comparer, cell),
					  .ours = cs_our_cell_name(comparer, cell),
					  .rule = rule_of_ours(
						  comparer, cs_cooked_cell(comparer->ours, cell)),
					  .cell = cell, .actor = CS_NONE});
}

/* Returns false if the engine's paired cell lists no actors, because its package is missing. */
static bool is_content_told(const struct cs_comparer *comparer, uint32_t cell)
{
	const uint32_t theirs = comparer->cell_theirs[cell];
	return !comparer->theirs.cooked || theirs == CS_NONE ||
	       comparer->theirs.cells.at[theirs].count > 0;
}

static void compare_rest(struct cs_comparer *comparer)
{
	for (uint32_t i = 0; i < comparer->ours->n_cells; i++)
		if (cs_our_cell_streams(comparer, i) && comparer->cell_theirs[i] == CS_NONE)
			report_our_cell(comparer, i);
	for (uint32_t i = 0; i < comparer->ours->n_actors; i++) {
		uint32_t cell = cs_cooked_actor(comparer->ours, i)->cell;
		if (cs_our_cell_streams(comparer, cell) && !comparer->actor_seen[i] &&
			is_content_told(comparer, cell))
			cs_compare_report(comparer,
				(struct cs_compare_row){CS_COMPARE_ACTOR, CS_COMPARE_ONLY_OURS,
					.name = cs_our_actor_name(comparer, i),
					.ours = cs_our_cell_name(comparer, cell),
					.decided = cs_rule_that_decided(comparer, i), .cell = cell,
					.actor = i});
	}
}

/* ---- running a comparison ---- */

static int by_kind(const void *left, const void *right, void *context)
{
	(void)context;
	return (int)((const struct cs_compare_row *)left)->kind -
	       (int)((const struct cs_compare_row *)right)->kind;
}

static void compare_all(struct cs_comparer *comparer)
{
	compare_world(comparer);
	compare_class(comparer);
	note_homes(comparer);
	for (size_t i = 0; i < comparer->theirs.cells.n; i++) {
		const struct cs_answer_cell *cell = &comparer->theirs.cells.at[i];
		for (size_t k = 0; k < cell->count; k++)
			compare_actor(comparer, cell, &comparer->theirs.actors.at[cell->first + k]);
	}
	for (size_t i = 0; i < comparer->theirs.cells.n; i++)
		compare_cell(comparer, &comparer->theirs.cells.at[i]);
	if (comparer->theirs.whole) {
		compare_rest(comparer);
		cs_compare_persistent(comparer);
	} else {
		cs_compare_hlod_actors(comparer);
	}
}

static bool prepare(struct cs_comparer *comparer)
{
	comparer->cell_theirs =
		malloc((comparer->ours->n_cells + 1) * sizeof(*comparer->cell_theirs));
	comparer->actor_rule = calloc(comparer->ours->n_actors + 1, sizeof(*comparer->actor_rule));
	comparer->actor_seen = calloc(comparer->ours->n_actors + 1, sizeof(*comparer->actor_seen));
	return comparer->cell_theirs && comparer->actor_rule && comparer->actor_seen &&
	       cs_match_index_actors(comparer) && cs_match_cells(comparer);
}

static void sum_up(struct held_comparison *held)
{
	struct cs_comparison *to = &held->result;
	to->rows = held->comparer.rows.at;
	to->n = held->comparer.rows.n;
	memcpy(to->compared, held->comparer.compared, sizeof(to->compared));
	for (size_t i = 0; i < to->n; i++) {
		const struct cs_compare_row *row = &to->rows[i];
		to->by_rule[row->kind] += row->verdict == CS_COMPARE_BY_RULE;
		to->unexplained[row->kind] += row->verdict == CS_COMPARE_UNEXPLAINED;
		to->all_by_rule += row->verdict == CS_COMPARE_BY_RULE;
		to->all_unexplained += row->verdict == CS_COMPARE_UNEXPLAINED;
		to->stale += row->verdict == CS_COMPARE_STALE;
		if (row->verdict > to->verdict)
			to->verdict = row->verdict;
	}
}

static struct cs_error *run(struct held_comparison *held)
{
	struct cs_comparer *comparer = &held->comparer;
	if (!prepare(comparer))
		return cs_error_nomem();
	compare_all(comparer);
	if (comparer->failed || !cs_sort(comparer->rows.at, comparer->rows.n,
					sizeof(*comparer->rows.at), by_kind, NULL))
		return cs_error_nomem();
	sum_up(held);
	return NULL;
}

static struct cs_error *begin(struct cs_cooked *cooked, struct held_comparison **ret)
{
	struct cs_error *error = cs_cooked_load_details(cooked);
	if (error)
		return error;
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return cs_error_nomem();
	(*ret)->comparer.ours = cooked;
	return NULL;
}

static struct cs_error *end(
	struct held_comparison *held, struct cs_error *error, const struct cs_comparison **ret)
{
	if (!error)
		error = run(held);
	if (error)
		cs_comparison_free(&held->result);
	else
		*ret = &held->result;
	return error;
}

/* ---- comparing data layers ---- */

static uint32_t layer_named(const struct cs_cooked *world, const char *name)
{
	uint32_t i = 0;
	while (i < world->n_layers &&
		cs_name_compare(cs_cooked_text(world, world->layers[i].name), name) != 0)
		i++;
	return i < world->n_layers ? i : CS_NONE;
}

/*
 * Reports the data layers of the cook `from` that the cook `in` lacks. `change` is
 * CS_COMPARE_ONLY_OURS if `from` is our cook, and CS_COMPARE_ONLY_THEIRS if it is the engine's.
 */
static void compare_layers(struct cs_comparer *comparer, const struct cs_cooked *from,
	const struct cs_cooked *in, enum cs_compare_change change)
{
	for (uint32_t i = 0; i < from->n_layers; i++) {
		const char *name = cs_cooked_text(from, from->layers[i].name);
		const char *label = cs_cooked_text(from, from->layers[i].label);
		bool ours = change == CS_COMPARE_ONLY_OURS;
		/* editor layers are not cooked, so the engine's cook has none */
		bool editor = ours && from->layers[i].type == CS_LAYER_EDITOR;
		if (layer_named(in, name) == CS_NONE)
			cs_compare_report(comparer,
				(struct cs_compare_row){CS_COMPARE_LAYER, change, .name = label,
					.ours = ours ? name : NULL, .theirs = ours ? NULL : name,
					.rule = editor ? "1.2.4" : NULL, .cell = CS_NONE,
					.actor = CS_NONE});
	}
}

static struct cs_error *gather_cooked(
	struct cs_comparer *comparer, struct cs_cooked *ours, struct cs_cooked *theirs)
{
	struct cs_error *error = cs_answer_of_cooked(theirs, ours, &comparer->theirs);
	compare_layers(comparer, ours, theirs, CS_COMPARE_ONLY_OURS);
	compare_layers(comparer, theirs, ours, CS_COMPARE_ONLY_THEIRS);
	comparer->compared[CS_COMPARE_LAYER] += theirs->n_layers;
	return error;
}

struct cs_error *cs_compare_engine(struct cs_cooked *cooked, const struct cs_engine_side *side,
	const struct cs_comparison **ret)
{
	struct held_comparison *held;
	struct cs_error *error = side->cooked ? cs_cooked_load_details(side->cooked) : NULL;
	if (!error)
		error = begin(cooked, &held);
	if (error)
		return error;
	if (side->cooked)
		error = gather_cooked(&held->comparer, cooked, side->cooked);
	else if (side->log)
		error = cs_answer_of_log(side->log, &held->comparer.theirs);
	else
		error = cs_answer_of_hlods(side->source, &held->comparer.theirs);
	return end(held, error, ret);
}

void cs_comparison_free(const struct cs_comparison *comparison)
{
	union {
		const struct cs_comparison *shown;
		struct held_comparison *held;
	} free_it = {comparison};
	if (!comparison)
		return;
	struct cs_comparer *comparer = &free_it.held->comparer;
	cs_answer_deinit(&comparer->theirs);
	cs_arena_deinit(&comparer->arena);
	cs_vec_free(&comparer->rows);
	free(comparer->cell_theirs);
	free(comparer->actor_rule);
	free(comparer->actor_seen);
	free(comparer->index);
	free(free_it.held);
}
