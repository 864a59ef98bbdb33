/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what is out of line among grids, data layers and HLOD layers, and actors that disagree with
 * them: layers or grids that differ along a reference, grids that do not exist, combinations of
 * layers that few actors have, sizes and ranges of grids, HLODs that show nothing.
 */
#include "whatif/suggest.h"

#include <cellscope/explain.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- layers and grids that differ along a reference ---- */

/* "A,B": a range of a list of data layers, as a change writes them. */
static void layer_names(
	const struct cs_cooked *c, const uint32_t *list, struct cs_range layers, char text[300])
{
	size_t n = 0;
	text[0] = '\0';
	for (uint32_t i = 0; i < layers.count && n < 300; i++)
		n += (size_t)snprintf(text + n, 300 - n, "%s%s", i ? "," : "",
			cs_cooked_text(c, c->layers[list[layers.first + i]].name));
}

static bool is_mismatch(const struct cs_cooked_finding *f)
{
	return f->pass == 0 && f->actor != CS_NONE && f->other != CS_NONE &&
	       (f->repair == CS_REPAIR_NO_LAYERS || f->repair == CS_REPAIR_NO_GRID);
}

/* One end is made to agree with the other. */
static void suggest_agreement(struct cs_hunt *hunt, const struct cs_cooked_finding *f,
	uint32_t group, uint32_t changed, uint32_t model, uint32_t errors)
{
	const struct cs_cooked *c = hunt->c;
	const bool layers = f->repair == CS_REPAIR_NO_LAYERS;
	char list[300];
	cs_hunt_begin(hunt, CS_SUGGEST_MISMATCH, CS_GROUP_MISMATCH, group, errors * CS_COST_ERROR);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, changed));
	cs_hunt_why(hunt, cs_check_rule((enum cs_check)f->check),
		"its %s differ%s from %s of %s along a reference: %u error%s",
		layers ? "data layers" : "grid", layers ? "" : "s", layers ? "those" : "that",
		cs_hunt_title(hunt, model), errors, errors == 1 ? "" : "s");
	layer_names(hunt->c, hunt->c->actor_layers, hunt->c->actors[model].layers, list);
	if (layers)
		cs_hunt_change(hunt, "actor.%s.data_layers=%s", cs_hunt_key(hunt, changed), list);
	else
		cs_hunt_change(hunt, "actor.%s.grid=%s", cs_hunt_key(hunt, changed),
			cs_cooked_text(c, c->actors[model].grid));
	cs_hunt_end(hunt);
}

static void suggest_parting(
	struct cs_hunt *hunt, const struct cs_cooked_finding *f, uint32_t group, uint32_t errors)
{
	cs_hunt_begin(hunt, CS_SUGGEST_MISMATCH, CS_GROUP_MISMATCH, group, CS_COST_ERROR);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, group));
	cs_hunt_why(hunt, cs_check_rule((enum cs_check)f->check),
		"%s differ along its reference to %s: %u error%s",
		f->repair == CS_REPAIR_NO_LAYERS ? "data layers" : "grids",
		cs_hunt_title(hunt, f->actor == group ? f->other : f->actor), errors,
		errors == 1 ? "" : "s");
	cs_hunt_change(hunt, "actor.%s.references-=%s", cs_hunt_key(hunt, f->actor),
		cs_hunt_key(hunt, f->other));
	cs_hunt_end(hunt);
}

/* The end with more errors is the one that is out of line: told once, as its group. */
static void suggest_mismatch(
	struct cs_hunt *hunt, const struct cs_cooked_finding *f, uint32_t *errors, bool *told)
{
	bool referer = errors[f->actor] >= errors[f->other];
	uint32_t odd = referer ? f->actor : f->other, even = referer ? f->other : f->actor;
	if (told[odd])
		return;
	told[odd] = true;
	suggest_agreement(hunt, f, odd, odd, even, errors[odd]);
	suggest_agreement(hunt, f, odd, even, odd, 1);
	suggest_parting(hunt, f, odd, errors[odd]);
}

void cs_hunt_mismatches(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	uint32_t *errors = calloc(c->n_actors + 1, sizeof(*errors));
	bool *told = calloc(c->n_actors + 1, sizeof(*told));
	hunt->failed = hunt->failed || !errors || !told;
	for (size_t i = 0; !hunt->failed && i < c->n_findings; i++) {
		if (!is_mismatch(&c->findings[i]))
			continue;
		errors[c->findings[i].actor]++;
		errors[c->findings[i].other]++;
	}
	for (size_t i = 0; !hunt->failed && i < c->n_findings; i++)
		if (is_mismatch(&c->findings[i]))
			suggest_mismatch(hunt, &c->findings[i], errors, told);
	free(errors);
	free(told);
}

/* ---- grids that do not exist ---- */

/* Letters that are alike in their places, less what one is longer: enough for a slip of the pen. */
static int likeness(const char *left, const char *right)
{
	size_t l = strlen(left), r = strlen(right), n = l < r ? l : r;
	int same = 0;
	for (size_t i = 0; i < n; i++)
		same += (left[i] | 32) == (right[i] | 32);
	for (size_t i = 1; i <= n; i++)
		same += (left[l - i] | 32) == (right[r - i] | 32);
	return same - (int)(l > r ? l - r : r - l);
}

/* The main grid whose name is most like it, "" for the default when none is. */
static const char *likely_grid(const struct cs_cooked *c, const char *name)
{
	int best = (int)strlen(name) / 2;
	const char *found = "";
	for (size_t i = 0; i < c->n_partitions; i++) {
		const char *own = cs_cooked_text(c, c->partitions[i].name);
		if (c->partitions[i].hlod_index >= 0 || likeness(own, name) <= best)
			continue;
		best = likeness(own, name);
		found = own;
	}
	return found;
}

/* All that name it, in cells of the default grid or in none. */
static void suggest_grid(struct cs_hunt *hunt, uint32_t actor, double promise)
{
	const struct cs_cooked *c = hunt->c;
	const uint32_t grid = c->actors[actor].grid;
	const char *name = cs_cooked_text(c, grid), *instead = likely_grid(c, name);
	for (size_t i = 0; i < hunt->candidates.n; i++)
		if (hunt->candidates.at[i].group == ((uint64_t)CS_GROUP_GRID << 32 | grid))
			return;
	cs_hunt_begin(hunt, CS_SUGGEST_GRID, CS_GROUP_GRID, grid, promise);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, actor));
	cs_hunt_why(hunt, "1.4.V4", "its grid '%.100s' does not exist", name);
	for (uint32_t i = 0; i < c->n_actors && !hunt->too_many; i++)
		if (c->actors[i].grid == grid)
			cs_hunt_change(hunt, "actor.%s.grid=%s", cs_hunt_key(hunt, i), instead);
	cs_hunt_end(hunt);
}

void cs_hunt_grids(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	for (uint32_t i = 0; i < c->n_drops && !hunt->failed; i++)
		if (*cs_cooked_text(c, c->actors[c->drops[i].actor].grid))
			suggest_grid(hunt, c->drops[i].actor, c->drops[i].actors * CS_COST_LOST);
	for (size_t i = 0; i < c->n_findings && !hunt->failed; i++)
		if (c->findings[i].check == CS_CHECK_INVALID_GRID &&
			c->findings[i].actor != CS_NONE)
			suggest_grid(hunt, c->findings[i].actor, CS_COST_ERROR);
}

/* ---- combinations of layers ---- */

/* Cells that share their layers. */
struct combination {
	struct cs_range layers; /* cell_layers */
	uint32_t id;
	uint32_t actors;
	double near; /* cells in memory at a place */
};

struct combinations {
	CS_VEC(struct combination) at;
};

static bool has_all(const struct cs_cooked *c, struct cs_range more, struct cs_range less)
{
	size_t found = 0;
	for (uint32_t i = 0; i < less.count; i++)
		for (uint32_t k = 0; k < more.count; k++)
			found += c->cell_layers[less.first + i] == c->cell_layers[more.first + k];
	return found == less.count;
}

static struct combination *combination_of(
	struct cs_hunt *hunt, struct combinations *all, const struct cs_cooked_cell *cell)
{
	for (size_t i = 0; i < all->at.n; i++)
		if (all->at.at[i].id == cell->layers_id)
			return &all->at.at[i];
	struct combination fresh = {.layers = cell->layers, .id = cell->layers_id};
	if (!cs_vec_push(&all->at, fresh)) {
		hunt->failed = true;
		return NULL;
	}
	return &all->at.at[all->at.n - 1];
}

static void find_combinations(struct cs_hunt *hunt, struct combinations *all)
{
	const struct cs_cooked *c = hunt->c;
	for (size_t i = 0; i < c->n_cells && !hunt->failed; i++) {
		const struct cs_cooked_cell *cell = &c->cells[i];
		if (cell->layers.count == 0 || cell->external_layer != CS_NONE ||
			!(cell->flags & CS_CELL_SPATIAL) || cell->flags & CS_CELL_HLOD)
			continue;
		struct combination *combination = combination_of(hunt, all, cell);
		if (!combination)
			return;
		combination->actors += cell->actors.count;
		combination->near += cs_hunt_near(hunt, &cell->content, cell->partition);
	}
}

/* `odd` is given the layers of `usual`, which many more actors have. */
static void suggest_usual(
	struct cs_hunt *hunt, const struct combination *odd, const struct combination *usual)
{
	char names[300], instead[300];
	layer_names(hunt->c, hunt->c->cell_layers, odd->layers, names);
	layer_names(hunt->c, hunt->c->cell_layers, usual->layers, instead);
	cs_hunt_begin(hunt, CS_SUGGEST_LAYERS, CS_GROUP_LAYERS, odd->id, odd->near * CS_COST_CELL);
	cs_hunt_subject(hunt, names);
	cs_hunt_why(hunt, "1.6.6",
		"%u actors alone have these layers together, and cells of their own: %.1f at a "
		"place; %u have %.150s",
		odd->actors, odd->near, usual->actors, instead);
	cs_hunt_change(hunt, "layers.%s=%s", names, instead);
	cs_hunt_end(hunt);
}

void cs_hunt_layers(struct cs_hunt *hunt)
{
	struct combinations all = {0};
	find_combinations(hunt, &all);
	for (size_t i = 0; i < all.at.n && !hunt->failed; i++) {
		const struct combination *odd = &all.at.at[i];
		for (size_t k = 0; k < all.at.n; k++) {
			const struct combination *usual = &all.at.at[k];
			if (odd->layers.count > 1 && usual->actors > 2 * odd->actors &&
				(has_all(hunt->c, odd->layers, usual->layers) ||
					has_all(hunt->c, usual->layers, odd->layers)))
				suggest_usual(hunt, odd, usual);
		}
	}
	cs_vec_free(&all.at);
}

/* ---- sizes and ranges of grids ---- */

struct grid_cost {
	double near_cells, near_actors, cost;
	uint32_t cells, actors;
};

static struct grid_cost cost_of(const struct cs_hunt *hunt, uint32_t partition)
{
	const struct cs_cooked *c = hunt->c;
	struct grid_cost cost = {0};
	const struct cs_range cells = c->partitions[partition].cells;
	for (uint32_t i = 0; i < cells.count; i++) {
		const struct cs_cooked_cell *cell = &c->cells[cells.first + i];
		if (!(cell->flags & CS_CELL_SPATIAL))
			continue;
		double near = cs_hunt_near(hunt, &cell->content, partition);
		cost.near_cells += near;
		cost.near_actors += near * cell->actors.count;
		cost.cells++;
		cost.actors += cell->actors.count;
	}
	cost.cost = cost.near_actors + CS_COST_CELL * cost.near_cells;
	return cost;
}

static void grid_name(const struct cs_cooked *c, uint32_t partition, char text[300])
{
	snprintf(text, 300, "%.290s", cs_cooked_text(c, c->partitions[partition].name));
}

/*
 * Eight times, four and two times as large, and as small. What does not save a third of all that
 * the grid costs is a matter of taste: `sweep` is for that.
 */
static void suggest_sizes(struct cs_hunt *hunt, uint32_t partition, const struct grid_cost *cost)
{
	static const double factors[] = {8, 4, 2, 0.5, 0.25, 0.125, 0.0625, 0.03125};
	const struct cs_cooked_partition *row = &hunt->c->partitions[partition];
	const double each = (double)cost->actors / (cost->cells ? cost->cells : 1);
	char name[300];
	grid_name(hunt->c, partition, name);
	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
		if ((factors[i] > 1 && each > 8) || (factors[i] < 1 && each < 32))
			continue;
		cs_hunt_begin(hunt, CS_SUGGEST_CELL_SIZE, CS_GROUP_PARTITION, partition,
			cost->cost * 2 / 3);
		hunt->draft.least = cost->cost / 3;
		cs_hunt_subject(hunt, name);
		cs_hunt_why(hunt, hunt->c->world->hash_class == CS_HASH_SPATIAL ? "1.7.1" : "1.6.2",
			"%.1f of its cells of %.0f cm are in memory at a place, with %.1f actors each",
			cost->near_cells, row->cell_size, each);
		cs_hunt_change(hunt, "%s.cell_size=%.17g", name, row->cell_size * factors[i]);
		cs_hunt_end(hunt);
	}
}

/* Cells within reach, in a line: the engine's own default is 2. */
enum { USUAL_REACH = 3, MOST_REACH = 8 };

static void suggest_range(struct cs_hunt *hunt, uint32_t partition, const struct grid_cost *cost)
{
	const struct cs_cooked_partition *row = &hunt->c->partitions[partition];
	char name[300];
	if (row->loading_range <= MOST_REACH * row->cell_size || row->flags & CS_PARTITION_ASSUMED)
		return;
	grid_name(hunt->c, partition, name);
	cs_hunt_begin(hunt, CS_SUGGEST_RANGE, CS_GROUP_PARTITION, partition, cost->cost);
	hunt->draft.least = cost->cost / 3;
	cs_hunt_subject(hunt, name);
	cs_hunt_why(hunt, hunt->c->world->hash_class == CS_HASH_SPATIAL ? "1.7.1" : "1.6.2",
		"it loads %.0f of its cells far, which keeps %.1f cells and %.0f actors in memory",
		row->loading_range / row->cell_size, cost->near_cells, cost->near_actors);
	cs_hunt_change(hunt, "%s.loading_range=%.17g", name, USUAL_REACH * row->cell_size);
	cs_hunt_end(hunt);
}

void cs_hunt_partitions(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	for (uint32_t i = 0; i < c->n_partitions && !hunt->failed; i++) {
		const struct cs_cooked_partition *row = &c->partitions[i];
		struct grid_cost cost = cost_of(hunt, i);
		if (row->hlod_index >= 0 || cost.cells == 0 ||
			(row->partition_class != CS_PARTITION_LHGRID &&
				row->partition_class != CS_PARTITION_SPATIAL_GRID))
			continue;
		suggest_sizes(hunt, i, &cost);
		suggest_range(hunt, i, &cost);
	}
}

/* ---- HLODs ---- */

/* Actors that name an HLOD layer that does not exist, together with others that name it. */
static void suggest_hlod_layer(struct cs_hunt *hunt, const struct cs_cooked_finding *finding)
{
	const struct cs_cooked *c = hunt->c;
	const uint32_t path = c->details[finding->actor].own_hlod_layer;
	uint32_t n = 0;
	for (size_t i = 0; i < c->n_findings; i++)
		n += c->findings[i].check == CS_CHECK_INVALID_HLOD_LAYER &&
		     c->findings[i].actor != CS_NONE &&
		     c->details[c->findings[i].actor].own_hlod_layer == path;
	cs_hunt_begin(hunt, CS_SUGGEST_HLOD, CS_GROUP_HLOD, path, n * CS_COST_ERROR);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, finding->actor));
	cs_hunt_why(hunt, "1.4.V4",
		"its HLOD layer %.150s serves no setup here: it shows in no HLOD",
		cs_cooked_text(c, path));
	for (size_t i = 0; i < c->n_findings && !hunt->too_many; i++) {
		const struct cs_cooked_finding *f = &c->findings[i];
		if (f->check == CS_CHECK_INVALID_HLOD_LAYER && f->actor != CS_NONE &&
			c->details[f->actor].own_hlod_layer == path)
			cs_hunt_change(hunt, "actor.%s.hlod_layer=", cs_hunt_key(hunt, f->actor));
	}
	cs_hunt_end(hunt);
}

/* HLODs that load no farther than what they stand for: twice as far as the farthest below. */
static void suggest_hlod_range(struct cs_hunt *hunt, const struct cs_cooked_finding *f)
{
	const struct cs_cooked *c = hunt->c;
	double farthest = 0;
	char name[300];
	for (size_t i = 0; i < c->n_partitions; i++)
		if (i != f->partition && c->partitions[i].hlod_index < 0)
			farthest = fmax(farthest, c->partitions[i].loading_range);
	if (f->partition == CS_NONE || farthest <= 0)
		return;
	const struct cs_cooked_partition *home = &c->partitions[f->partition];
	if (home->parent != CS_NONE)
		farthest = fmax(c->partitions[home->parent].loading_range, home->loading_range);
	grid_name(c, f->partition, name);
	cs_hunt_begin(hunt, CS_SUGGEST_HLOD, CS_GROUP_HLOD, f->partition, CS_COST_WARNING);
	cs_hunt_subject(hunt, name);
	cs_hunt_why(hunt, "1.4.V4", "%.300s: it never has anything to show",
		cs_cooked_text(c, f->reason));
	cs_hunt_change(hunt, "%s.loading_range=%.17g", name, 2 * farthest);
	cs_hunt_end(hunt);
}

void cs_hunt_hlods(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	uint32_t last = CS_NONE;
	for (size_t i = 0; i < c->n_findings && !hunt->failed; i++) {
		const struct cs_cooked_finding *f = &c->findings[i];
		if (f->check == CS_CHECK_HLOD_LOADING_RANGE)
			suggest_hlod_range(hunt, f);
		if (f->check != CS_CHECK_INVALID_HLOD_LAYER || f->actor == CS_NONE ||
			c->details[f->actor].own_hlod_layer == last)
			continue;
		last = c->details[f->actor].own_hlod_layer;
		suggest_hlod_layer(hunt, f);
	}
}

/* ---- options of the spatial hash ---- */

void cs_hunt_options(struct cs_hunt *hunt)
{
	static const struct {
		const char *key;
		uint32_t flag;
	} options[] = {
		{"use_aligned_grid_levels", CS_PARTITION_ALIGNED},
		{"place_small_actors_using_location", CS_PARTITION_SMALL_BY_LOCATION},
		{"place_partition_actors_using_location", CS_PARTITION_PARTITION_ACTORS},
	};
	const struct cs_cooked *c = hunt->c;
	uint32_t at = 0;
	while (at < c->n_partitions &&
		c->partitions[at].partition_class != CS_PARTITION_SPATIAL_GRID)
		at++;
	for (size_t i = 0; i < 3 && at < c->n_partitions && !hunt->failed; i++) {
		bool on = c->partitions[at].flags & options[i].flag;
		cs_hunt_begin(hunt, CS_SUGGEST_OPTION, CS_GROUP_OPTION, (uint32_t)i,
			hunt->before.near_cells);
		hunt->draft.least = hunt->before.cost / 50;
		cs_hunt_subject(hunt, options[i].key);
		cs_hunt_why(hunt, "1.7.1",
			"it is %s, with %" PRId64 " of %" PRId64 " cells above level 0",
			on ? "on" : "off", hunt->before.cells_above_level_0,
			hunt->before.streaming_cells);
		cs_hunt_change(hunt, "%s=%s", options[i].key, on ? "off" : "on");
		cs_hunt_end(hunt);
	}
}
