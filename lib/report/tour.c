/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a camera path over a whole world, for users who have no recorded path. */
#include <cellscope/compare.h>

#include "core/geometry.h"

#include <math.h>

/* lowest speed of the tour in cm/s; longest duration in seconds, above which the speed rises */
static const double speed = 2000, longest = 120;

enum { LEAST_LANES = 2, MOST_LANES = 8 };

static bool tour_streams(const struct cs_cooked_cell *cell)
{
	return cell->flags & CS_CELL_SPATIAL && !(cell->flags & CS_CELL_ALWAYS_LOADED) &&
	       cs_box_valid(&cell->content);
}

/*
 * Stores the union of the content boxes of all cells that stream, and the mean size of these boxes
 * in Y, in cm. Returns the number of these cells.
 */
static size_t tour_measure(const struct cs_cooked *world, struct cs_box *box, double *extent_ret)
{
	size_t n = 0;
	double sum = 0;
	for (size_t i = 0; i < world->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		if (!tour_streams(cell))
			continue;
		*box = n++ == 0 ? cell->content : cs_box_union(box, &cell->content);
		sum += cell->content.max.y - cell->content.min.y;
	}
	*extent_ret = n ? sum / (double)n : 0;
	return n;
}

struct cs_error *cs_report_tour(const struct cs_cooked *world, struct cs_path **ret)
{
	struct cs_box box;
	struct cs_path *path;
	double extent;
	if (tour_measure(world, &box, &extent) == 0)
		return cs_error_new(CS_E_NOCELL,
			"the world has no cell that streams, so no path over its cells can be made "
			"up: give one with --path");
	const double width = box.max.x - box.min.x, height = box.max.y - box.min.y;
	double lanes = extent > 0 ? ceil(height / (4 * extent)) : LEAST_LANES;
	lanes = fmin(fmax(lanes, LEAST_LANES), MOST_LANES);
	const double length = lanes * width + height;
	const double pace = fmax(speed, length / longest), z = (box.min.z + box.max.z) / 2;
	struct cs_error *error = cs_path_new(&path);
	if (error)
		return error;
	struct cs_path_key key = {.time = 0, .position = {box.min.x, box.min.y, z}};
	error = cs_path_add(path, &key);
	for (unsigned lane = 0; lane < (unsigned)lanes && !error; lane++) {
		key.position.x = lane % 2 ? box.min.x : box.max.x;
		key.time += width / pace;
		error = cs_path_add(path, &key);
		if (error || lane + 1 == (unsigned)lanes)
			break;
		key.position.y += height / (lanes - 1);
		key.time += height / (lanes - 1) / pace;
		error = cs_path_add(path, &key);
	}
	if (error)
		cs_path_free(path);
	else
		*ret = path;
	return error;
}
