/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A naive twin of placement (1.6.4, 1.7.2 to 1.7.4): it tries every level, walks from cell to cell
 * and looks at every cell of a grid. Both hashes, the rules of every profile, a million boxes each;
 * many lie exactly on borders. CELLSCOPE_TWIN_BOXES sets another number.
 */
#include <cellscope/cook.h>

#include "cook/placement/grids.h"
#include "core/random.h"
#include "tests/samples/tap.h"

#include <math.h>

enum { CELL = 12800 };

static struct cs_random chance = {2024};
static uint64_t boxes = 200000;

static struct cs_box random_box(double reach)
{
	double x = cs_random_range(&chance, -reach, reach),
	       y = cs_random_range(&chance, -reach, reach);
	double z = cs_random_range(&chance, -reach, reach);
	double size = pow(2, cs_random_range(&chance, 0, 17));
	if (cs_random_below(&chance, 4) == 0) {
		x = 1600 * floor(x / 1600);
		size = 1600 * (1 + cs_random_below(&chance, 16));
	}
	return (struct cs_box){{x, y, z},
		{x + size, y + size * cs_random_unit(&chance), z + size * cs_random_unit(&chance)}};
}

static bool same(struct cs_cell_coordinates a, struct cs_cell_coordinates b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

/*
 * Returns the first level whose edge is not below the longest extent; each level is tried by
 * itself.
 */
static int first_level(double cell_size, double longest)
{
	enum { LEVELS = 40 };
	int first = LEVELS;
	for (int level = LEVELS; level-- > 0;) {
		double edge = cell_size;
		for (int i = 0; i < level; i++)
			edge += edge;
		bool is_below = edge < longest;
		if (!is_below)
			first = level;
	}
	return first;
}

/* ---- LHGrid ---- */

/* Returns the cell that contains the point, going from cell to cell. */
static int64_t walk_to(double point, double size)
{
	int64_t cell = (int64_t)(point / size);
	while ((double)cell * size > point)
		cell--;
	while ((double)(cell + 1) * size <= point)
		cell++;
	return cell;
}

static struct cs_cell_coordinates naive_cell(
	const struct cs_lhgrid *grid, const double centre[3], int level)
{
	double size = grid->cell_size;
	for (int i = 0; i < level; i++)
		size += size;
	return (struct cs_cell_coordinates){walk_to(centre[0], size), walk_to(centre[1], size),
		grid->is_2d ? 0 : walk_to(centre[2], size), level};
}

/* Returns whether [low, high] extends beyond the cell by a quarter of the smallest cell or more. */
static bool reaches_out(double low, double high, int64_t cell, double size)
{
	double left = (double)cell * size - low, right = high - (double)(cell + 1) * size;
	return left >= CELL / 4.0 || right >= CELL / 4.0;
}

static struct cs_cell_coordinates naive_lhgrid(const struct cs_lhgrid *grid, const struct cs_box *b)
{
	const double low[3] = {
		b->min.x - grid->origin.x, b->min.y - grid->origin.y, b->min.z - grid->origin.z};
	const double high[3] = {
		b->max.x - grid->origin.x, b->max.y - grid->origin.y, b->max.z - grid->origin.z};
	int axes = grid->is_2d ? 2 : 3;
	double longest = 0, centre[3];
	for (int i = 0; i < 3; i++)
		centre[i] = (low[i] + high[i]) / 2;
	for (int i = 0; i < axes; i++)
		longest = high[i] - low[i] > longest ? high[i] - low[i] : longest;
	int level = first_level(grid->cell_size, longest);
	if (grid->quarter_demotion && level > 0) {
		struct cs_cell_coordinates lower = naive_cell(grid, centre, level - 1);
		const int64_t at[3] = {lower.x, lower.y, lower.z};
		double edge_below = grid->cell_size * (double)(1 << (level - 1));
		bool out = false;
		for (int i = 0; i < axes; i++)
			out = out || reaches_out(low[i], high[i], at[i], edge_below);
		if (!out)
			return lower;
	}
	return naive_cell(grid, centre, level);
}

static void compare_lhgrid(const struct cs_profile *profile, bool is_2d)
{
	/* sums of whole centimetres are exact, so both sides see the same box */
	struct cs_lhgrid grid = {
		.cell_size = CELL, .is_2d = is_2d, .quarter_demotion = profile->quarter_demotion};
	uint64_t wrong = 0, lowered = 0;
	if (profile->quarter_demotion)
		grid.origin = (struct cs_vec3){-6400, 3200, 0};
	for (uint64_t i = 0; i < boxes; i++) {
		struct cs_box b = random_box(400000);
		b.max = (struct cs_vec3){floor(b.max.x), floor(b.max.y), floor(b.max.z)};
		b.min = (struct cs_vec3){floor(b.min.x), floor(b.min.y), floor(b.min.z)};
		bool demoted;
		wrong += !same(cs_lhgrid_place(&grid, &b, &demoted), naive_lhgrid(&grid, &b));
		lowered += demoted;
	}
	is_int(wrong, 0, "%s, LHGrid %s: %llu boxes", profile->name, is_2d ? "2D" : "3D",
		(unsigned long long)boxes);
	is_int(lowered > 0, profile->quarter_demotion, "%s: demotion %s", profile->name,
		profile->quarter_demotion ? "happens" : "does not");
}

/* ---- SpatialHash ---- */

/*
 * Returns how many cells of the level the box touches, looking at each cell; *ret becomes the first
 * of them.
 */
static uint32_t touched_cells(const struct cs_spatial_grid *grid, uint32_t level,
	const struct cs_box *b, struct cs_cell_coordinates *ret)
{
	double size = CELL * (double)(1u << level);
	uint32_t cells = grid->grid_size >> level, touched = 0;
	cells += !grid->aligned && level + 1 < grid->levels;
	double corner = -(double)cells * size / 2;
	for (uint32_t y = 0; y < cells; y++) {
		double y0 = corner + y * size;
		if (b->max.y < y0 || b->min.y >= y0 + size)
			continue;
		for (uint32_t x = 0; x < cells; x++) {
			double x0 = corner + x * size;
			if (b->max.x < x0 || b->min.x >= x0 + size)
				continue;
			if (touched++ == 0)
				*ret = (struct cs_cell_coordinates){x, y, 0, (int32_t)level};
		}
	}
	return touched;
}

static bool naive_point(const struct cs_spatial_grid *grid, uint32_t level, const struct cs_box *b,
	struct cs_cell_coordinates *ret)
{
	struct cs_vec3 centre = {(b->min.x + b->max.x) / 2, (b->min.y + b->max.y) / 2, 0};
	const struct cs_box point = {centre, centre};
	return touched_cells(grid, level, &point, ret) == 1;
}

static struct cs_cell_coordinates naive_grid(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, bool partition_actors, const struct cs_box *b)
{
	const struct cs_cell_coordinates top = {0, 0, 0, (int32_t)grid->levels - 1};
	struct cs_cell_coordinates at = top;
	double width = b->max.x - b->min.x, depth = b->max.y - b->min.y;
	double longest = width > depth ? width : depth;
	uint32_t first = (uint32_t)first_level(CELL, longest);
	if (rules->small_by_location && width * depth <= (double)CELL * CELL)
		return naive_point(grid, 0, b, &at) ? at : top;
	if (rules->partition_by_location && partition_actors) {
		uint32_t level = first < grid->levels ? first : grid->levels - 1;
		return naive_point(grid, level, b, &at) ? at : top;
	}
	for (uint32_t level = first; level < grid->levels; level++)
		if (touched_cells(grid, level, b, &at) == 1)
			return at;
	return top;
}

static void compare_grid(const char *name, bool aligned, const struct cs_spatial_rules *rules)
{
	const struct cs_box world = {{-50000, -50000, 0}, {50000, 50000, 0}};
	struct cs_spatial_grid grid = cs_spatial_grid_make(CELL, 0, 0, aligned, &world);
	uint64_t wrong = 0, below_top = 0;
	for (uint64_t i = 0; i < boxes; i++) {
		struct cs_box b = random_box(60000);
		bool partition_actors = i % 3 == 0;
		uint32_t placement;
		struct cs_cell_coordinates at =
			cs_spatial_grid_place(&grid, rules, &b, true, partition_actors, &placement);
		wrong += !same(at, naive_grid(&grid, rules, partition_actors, &b));
		below_top += at.level + 1 < (int32_t)grid.levels;
	}
	is_int(wrong, 0, "%s, SpatialHash, %s%s%s: %llu boxes", name,
		aligned ? "aligned" : "not aligned",
		rules->small_by_location ? ", small actors by location" : "",
		rules->partition_by_location ? ", partition actors by location" : "",
		(unsigned long long)boxes);
	ok(below_top > boxes / 100, "%llu of them below the top level",
		(unsigned long long)below_top);
}

int main(void)
{
	const char *wanted = getenv("CELLSCOPE_TWIN_BOXES");
	size_t n;
	const struct cs_profile *profiles = cs_profiles(&n);
	boxes = wanted ? strtoull(wanted, NULL, 10) : boxes;
	for (size_t i = 0; i < n; i++) {
		const struct cs_spatial_rules rules = {
			profiles[i].small_by_location, profiles[i].partition_by_location};
		compare_lhgrid(&profiles[i], i % 2 == 0);
		compare_grid(profiles[i].name, profiles[i].aligned, &rules);
	}
	compare_lhgrid(&profiles[n - 1], n % 2 == 0);
	for (int option = 0; option < 8; option++) {
		const struct cs_spatial_rules rules = {option & 1, option & 2};
		compare_grid("options", option & 4, &rules);
	}
	return done();
}
