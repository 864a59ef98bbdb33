/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the measures of a cook, such as the number of cells and the most actors in a cell. */
#include "cook/record/trail_inside.h"
#include "core/geometry.h"
#include "format/cooked_inside.h"
#include "stream/stream_inside.h"
#include "whatif/whatif_internal.h"
#include <cellscope/cooked_values.h>

#include <math.h>

/* ---- measures of cells, and of findings ---- */

static void count_cells(const struct cs_cooked *cooked, struct cs_whatif_counts *counts)
{
	counts->cells = (int64_t)cooked->n_cells;
	for (uint32_t i = 0; i < cooked->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(cooked, i);
		if (cell->flags & CS_CELL_ALWAYS_LOADED) {
			counts->always_loaded_actors += cell->actors.count;
			for (uint32_t k = 0; k < cell->actors.count; k++)
				counts->always[cs_actor_always(
					cooked, cs_cooked_id(cooked, CS_IDS_CELL_ACTORS,
							cell->actors.first + k))]++;
			continue;
		}
		const int32_t level = cell->level, highest = CS_COUNTED_LEVELS - 1;
		counts->streaming_cells++;
		counts->cells_above_level_0 += level > 0 && level < INT32_MAX;
		if (level < 0)
			counts->non_spatial++;
		else
			counts->levels[level < highest ? level : highest]++;
		if (cell->actors.count > counts->most_actors_in_a_cell) {
			counts->most_actors_in_a_cell = cell->actors.count;
			counts->largest_cell = i;
		}
	}
}

static void count_faults(const struct cs_cooked *cooked, struct cs_whatif_counts *counts)
{
	const struct cs_cooked_sums sums = cs_cooked_sums(cooked);
	counts->findings = (int64_t)cooked->n_findings;
	counts->errors += (int64_t)sums.found[CS_ERROR];
	counts->warnings += (int64_t)sums.found[CS_WARNING];
	counts->lost += (int64_t)sums.lost;
	for (size_t i = 0; i < cooked->n_actors; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, i);
		counts->orphans += actor->cell != CS_NONE && actor->parent != CS_NONE &&
				   cs_cooked_actor(cooked, actor->parent)->placement ==
					   CS_UNPLACED_EDITOR_ONLY;
	}
}

/* ---- actors and cells in memory near sample positions ---- */

/* Returns the number of samples: one per position, or one of what is always loaded. */
static size_t samples_of(const struct cs_whatif *whatif)
{
	return whatif->n_places ? whatif->n_places : 1;
}

static void count_near_cell(const struct cs_whatif *whatif, const struct cs_cooked *cooked,
	uint32_t row, struct cs_whatif_counts *counts)
{
	const struct cs_cooked_cell *cell = cs_cooked_cell(cooked, row);
	const struct cs_cooked_partition *partition = &cooked->partitions[cell->partition];
	/* streaming measures the distance of a source to this box (rule 2.3) */
	const struct cs_box *box = partition->partition_class == CS_PARTITION_SPATIAL_GRID
					   ? &cell->box
					   : &cell->content;
	bool hashed = partition->partition_class == CS_PARTITION_SPATIAL_GRID;
	bool flat = hashed || partition->flags & CS_PARTITION_2D || cell->flags & CS_CELL_2D;
	bool always = !(cell->flags & CS_CELL_SPATIAL) || !cs_box_valid(box);
	const double range = fmax(0, partition->loading_range), range2 = range * range;
	size_t near = always ? samples_of(whatif) : 0;
	for (size_t i = 0; !always && i < whatif->n_places; i++) {
		double distance2 = cs_box_distance2(box, whatif->places[i], flat);
		/* rule 2.2.4: in a spatial hash, closer than the range */
		near += hashed ? distance2 < range2 : distance2 <= range2;
	}
	counts->near_cells += (double)near;
	counts->near_actors += (double)near * cell->actors.count;
}

static void count_near(const struct cs_whatif *whatif, const struct cs_cooked *cooked,
	struct cs_whatif_counts *counts)
{
	for (uint32_t i = 0; i < cooked->n_cells; i++)
		count_near_cell(whatif, cooked, i, counts);
	counts->near_cells /= (double)samples_of(whatif);
	counts->near_actors /= (double)samples_of(whatif);
	counts->cost = counts->near_actors + CS_COST_CELL * counts->near_cells +
		       CS_COST_LOST * (double)counts->lost +
		       CS_COST_ERROR * (double)counts->errors +
		       CS_COST_WARNING * (double)counts->warnings +
		       CS_COST_ORPHAN * (double)counts->orphans;
}

/* ---- measures along a path ---- */

static struct cs_error *count_along(const struct cs_cooked *cooked, const struct cs_path *path,
	const struct cs_job *job, struct cs_whatif_counts *counts)
{
	struct cs_stream_report along;
	struct cs_error *error = cs_stream_along(cooked, path, job, &along);
	if (error)
		return error;
	counts->peak_cells = (int64_t)along.peak_cells;
	counts->peak_actors = (int64_t)along.peak_actors;
	counts->peak_bytes = (int64_t)along.peak_bytes;
	counts->loads = (int64_t)along.loads;
	counts->stall_ms = (double)along.stall_ns / 1e6;
	counts->short_frames = (int64_t)along.short_frames;
	counts->slow_frames = (int64_t)along.slow_frames;
	counts->critical_frames = (int64_t)along.critical_frames;
	counts->stalls = (int64_t)along.stalls;
	return NULL;
}

struct cs_error *cs_whatif_count(const struct cs_whatif *whatif, struct cs_cooked *cooked,
	const struct cs_path *path, struct cs_whatif_counts *ret)
{
	struct cs_whatif_counts counts = {.peak_cells = -1, .largest_cell = CS_NONE};
	struct cs_error *error = cs_cooked_load_placed(cooked);
	if (error)
		return error;
	count_cells(cooked, &counts);
	count_faults(cooked, &counts);
	count_near(whatif, cooked, &counts);
	if (path)
		error = count_along(cooked, path, whatif->job, &counts);
	if (!error)
		*ret = counts;
	return error;
}
