/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs charts into a square divided into cells. In each column a chart covers the cells that its
 * border touches and the cells between them. The charts are placed from the highest to the lowest:
 * each is lowered onto a horizon (the first free cell of each column), where it comes to rest
 * lowest, with its lower profile on the horizon; its upper profile becomes the new horizon (Levy et
 * al., Least Squares Conformal Maps, 2002, section 4). Profiles are extended by the padding to the
 * right and upwards, so that at least the padding is free between two charts in any direction. When
 * a packing has taken BUDGET steps, the remaining charts are put in rows above the horizon, each
 * row as high as its first chart.
 *
 * An upper bound of the scale is reduced until all charts fit in rows. Then larger scales, up to
 * the bound, are tried by bisection, with charts on the horizon. A cell is one texel, or
 * several when the square has more than CELLS and few charts. The time of one packing is linear in
 * the charts and the edges of their borders, in addition to BUDGET steps. There is one packing for
 * each scale that is tried, at most BISECTIONS of them with the horizon.
 *
 * Invariant: all cells are in the square, and there are `padding` texels between the cells of any
 * two charts. Charts have a margin within their cells, because UVs are rounded when they are stored
 * (to 1/8192 of the square at worst, nanite/encode).
 */
#include "mesh/lightmap/pack.h"

#include "core/arena.h"
#include "core/job.h"
#include "core/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CELLS = 1024,
	BUDGET = 1 << 24,
	BISECTIONS = 14,
};
#define SHRINKS         0.8
#define CLOSE           1.003 /* the bisection ends when `high` is at most this many times `low` */
#define LEAST_MARGIN    (1 / 16.0)
#define MOST_MARGIN     0.45
#define STORED_ROUNDING (1 / 8192.0)

struct cell_place {
	uint32_t x, y;
};

struct packer {
	struct cs_packing *packing;
	uint32_t *order;  /* charts from the highest to the lowest */
	uint32_t cell;    /* side of a cell, in texels */
	uint32_t side;    /* number of cells of a side of the square */
	uint32_t padding; /* smallest number of free cells between two charts */
	double margin;    /* margin around a chart's border, in cells */
	/* for each column, the first free cell above the charts that were placed */
	int32_t *horizon;
	/* for each column of the chart, its first covered cell and the cell after its last one */
	int32_t *lower, *upper;
	struct cell_place *places, *best;
	uint64_t steps;
	struct cs_arena arena; /* the memory of these arrays but `order` */
};

/* ---- profiles of a chart ---- */

static int32_t cell_of(double at, uint32_t n)
{
	const int32_t cell = (int32_t)floor(at);
	return cell < 0 ? 0 : cell >= (int32_t)n ? (int32_t)n - 1 : cell;
}

/* Extends `lower` and `upper` by the cells that an edge (in cells) with its margin touches. */
static void profile_edge(struct packer *packer, const double from[2], const double to[2],
	uint32_t width, uint32_t height)
{
	const double *left = from[0] <= to[0] ? from : to, *right = left == from ? to : from;
	const double slope = right[0] > left[0] ? (right[1] - left[1]) / (right[0] - left[0]) : 0;
	const int32_t first = cell_of(left[0] - packer->margin, width);
	const int32_t last = cell_of(right[0] + packer->margin, width);
	for (int32_t x = first; x <= last; x++) {
		/* range of x in which the edge is within the margin of the column */
		const double begin = fmin(fmax(left[0], x - packer->margin), right[0]);
		const double end = fmax(fmin(right[0], x + 1 + packer->margin), left[0]);
		double low = left[1] + slope * (begin - left[0]);
		double high = left[1] + slope * (end - left[0]);
		if (right[0] == left[0])
			high = right[1];
		if (low > high) {
			const double swap = low;
			low = high;
			high = swap;
		}
		const int32_t bottom = cell_of(low - packer->margin, height);
		const int32_t top = cell_of(high + packer->margin, height) + 1;
		packer->lower[x] = bottom < packer->lower[x] ? bottom : packer->lower[x];
		packer->upper[x] = top > packer->upper[x] ? top : packer->upper[x];
	}
}

/* Extends the profiles of the current chart by the padding, to the right and upwards. */
static void pad_profile(struct packer *packer, uint32_t width)
{
	for (uint32_t x = width + packer->padding; x-- > 0;) {
		int32_t lower = INT32_MAX, upper = 0;
		for (uint32_t k = x < packer->padding ? 0 : x - packer->padding;
			k <= x && k < width; k++) {
			lower = packer->lower[k] < lower ? packer->lower[k] : lower;
			upper = packer->upper[k] > upper ? packer->upper[k] : upper;
		}
		packer->lower[x] = lower;
		packer->upper[x] = upper + (int32_t)packer->padding;
	}
}

static void make_profile(struct packer *packer, const struct cs_outline *outline, double scale,
	uint32_t width, uint32_t height)
{
	const float(*edges)[2][2] = packer->packing->edges + outline->first;
	for (uint32_t x = 0; x < width; x++) {
		packer->lower[x] = INT32_MAX;
		packer->upper[x] = 0;
	}
	for (uint32_t i = 0; i < outline->n; i++) {
		double ends[2][2];
		for (int end = 0; end < 2; end++)
			for (int k = 0; k < 2; k++)
				ends[end][k] = (double)edges[i][end][k] * scale + packer->margin;
		profile_edge(packer, ends[0], ends[1], width, height);
	}
	/* If no border edge touches a column, the chart counts as covering its full height. */
	for (uint32_t x = 0; x < width; x++)
		if (packer->lower[x] == INT32_MAX) {
			packer->lower[x] = 0;
			packer->upper[x] = (int32_t)height;
		}
	packer->steps += width + outline->n;
	pad_profile(packer, width);
}

/* ---- positions of the charts ---- */

/*
 * Returns the lowest row at which the chart can rest if its first column is x. Once that row is
 * known to be at least `most`, stops searching and returns any row of at least `most`.
 */
static int32_t rest_at(struct packer *packer, uint32_t x, uint32_t n_columns, int32_t most)
{
	int32_t rest = 0;
	uint32_t i = 0;
	for (; i < n_columns && rest < most; i++) {
		const int32_t here = packer->horizon[x + i] - packer->lower[i];
		rest = here > rest ? here : rest;
	}
	packer->steps += i;
	return rest;
}

static bool drop_chart(
	struct packer *packer, uint32_t width, uint32_t height, struct cell_place *ret)
{
	const uint32_t n_columns = width + packer->padding;
	int32_t least = (int32_t)(packer->side - height) + 1;
	const int32_t above = least;
	for (uint32_t x = 0; x + width <= packer->side && least > 0; x++) {
		const int32_t rest = rest_at(packer, x, n_columns, least);
		if (rest < least) {
			least = rest;
			*ret = (struct cell_place){x, (uint32_t)rest};
		}
	}
	if (least == above)
		return false;
	for (uint32_t i = 0; i < n_columns; i++) {
		const int32_t top = least + packer->upper[i];
		int32_t *horizon = &packer->horizon[ret->x + i];
		*horizon = top > *horizon ? top : *horizon;
	}
	return true;
}

/* The row (shelf) that is being filled above the horizon. */
struct shelf {
	/* position of the next chart, and height of the row or 0 before the first row, in cells */
	uint32_t x, y, height;
};

static bool put_on_shelf(const struct packer *packer, uint32_t width, uint32_t height,
	struct shelf *shelf, struct cell_place *ret)
{
	if (shelf->height == 0 || shelf->x + width > packer->side) {
		*shelf = (struct shelf){0, shelf->y + shelf->height, height + packer->padding};
	}
	*ret = (struct cell_place){shelf->x, shelf->y};
	shelf->x += width + packer->padding;
	/* charts are sorted before rounding to cells, so a later chart may be a cell higher */
	if (height + packer->padding > shelf->height)
		shelf->height = height + packer->padding;
	return shelf->y + height <= packer->side;
}

/*
 * Places all charts. Drops them onto the horizon (the tops of the charts already placed) until
 * `budget` steps are spent, and puts the remaining ones in rows above. Returns whether all fit.
 */
static bool place_charts(struct packer *packer, double scale, uint64_t budget)
{
	const struct cs_packing *packing = packer->packing;
	struct shelf shelf = {0, 0, 0};
	packer->steps = 0;
	memset(packer->horizon, 0, (packer->side + packer->padding + 1) * sizeof(*packer->horizon));
	for (uint32_t i = 0; i < packing->n; i++) {
		const struct cs_outline *outline = &packing->outlines[packer->order[i]];
		struct cell_place *place = &packer->places[packer->order[i]];
		const double extent[2] = {
			floor((double)outline->width * scale + 2 * packer->margin) + 1,
			floor((double)outline->height * scale + 2 * packer->margin) + 1};
		if (!(extent[0] <= packer->side && extent[1] <= packer->side))
			return false;
		const uint32_t width = (uint32_t)extent[0], height = (uint32_t)extent[1];
		bool fits;
		if (packer->steps < budget) {
			make_profile(packer, outline, scale, width, height);
			fits = drop_chart(packer, width, height, place);
			for (uint32_t k = 0; fits && k < width + packer->padding; k++)
				shelf.y = packer->horizon[place->x + k] > (int32_t)shelf.y
						  ? (uint32_t)packer->horizon[place->x + k]
						  : shelf.y;
		} else {
			fits = put_on_shelf(packer, width, height, &shelf, place);
		}
		if (!fits)
			return false;
	}
	return true;
}

/* ---- search for the largest scale ---- */

/* Returns the least side, in texels, of a square for n_charts charts of one texel, with padding. */
static double least_texels(uint32_t n_charts, uint32_t padding)
{
	return ceil(sqrt((double)n_charts)) * (1 + (double)padding) - padding;
}

/*
 * Returns the error for charts that fit at no scale. Its message names a padding with which they
 * fit.
 */
static struct cs_error *too_many_charts(const struct cs_packing *packing)
{
	uint32_t padding = packing->padding;
	while (padding > 0 && least_texels(packing->n, padding) > CS_LIGHTMAP_TEXELS)
		padding--;
	if (padding == 0)
		return cs_error_new(CS_E_SETTING,
			"the lightmap has %u charts, which fit no square of at most %d texels a "
			"side: join some of its UV islands",
			packing->n, CS_LIGHTMAP_TEXELS);
	return cs_error_new(CS_E_SETTING,
		"the lightmap has %u charts, which fit no square of at most %d texels a side with "
		"a padding of %u texels: use a padding of at most %u texels (--lightmap-padding) "
		"and a resolution of at least %.0f texels a side (--lightmap-resolution)",
		packing->n, CS_LIGHTMAP_TEXELS, packing->padding, padding,
		least_texels(packing->n, padding));
}

static struct cs_error *check_room(const struct cs_packing *packing)
{
	const double needed = least_texels(packing->n, packing->padding);
	if (needed <= (double)packing->texels)
		return NULL;
	if (needed > CS_LIGHTMAP_TEXELS)
		return too_many_charts(packing);
	return cs_error_new(CS_E_SETTING,
		"the lightmap has %u charts, which do not fit a square of %u texels a side with a "
		"padding of %u: use a resolution of at least %.0f (--lightmap-resolution)",
		packing->n, packing->texels, packing->padding, needed);
}

static void keep_places(struct packer *packer, double scale)
{
	struct cell_place *swap = packer->best;
	packer->best = packer->places;
	packer->places = swap;
	packer->packing->scale = scale;
}

/* Finds a scale at which the charts fit in rows, down to a scale where each chart is one cell. */
static struct cs_error *find_row_scale(
	struct packer *packer, double most, double least, const struct cs_job *job, bool *found_ret)
{
	struct cs_error *error = NULL;
	bool found = false;
	double scale = most;
	while (!error && !found && scale > least) {
		scale = fmax(scale * SHRINKS, least);
		found = place_charts(packer, scale, 0);
		error = cs_job_check(job);
	}
	if (found)
		keep_places(packer, scale);
	*found_ret = found;
	return error;
}

/* Searches by bisection for a larger scale, up to `most`, at which the charts fit. */
static struct cs_error *bisect_scale(struct packer *packer, double most, const struct cs_job *job)
{
	struct cs_error *error = NULL;
	double low = packer->packing->scale, high = most;
	for (int i = 0; !error && i < BISECTIONS && high > CLOSE * low; i++) {
		const double middle = sqrt(low) * sqrt(high);
		if (place_charts(packer, middle, BUDGET)) {
			keep_places(packer, middle);
			low = middle;
		} else {
			high = middle;
		}
		error = cs_job_check(job);
	}
	return error;
}

static struct cs_error *search_scale(struct packer *packer, const struct cs_job *job)
{
	const struct cs_packing *packing = packer->packing;
	double longest = 0;
	bool found;
	for (uint32_t i = 0; i < packing->n; i++)
		longest = fmax(longest, fmax((double)packing->outlines[i].width,
						(double)packing->outlines[i].height));
	if (!(longest > 0))
		longest = 1;
	const double side = packer->side, least = (1 - 2 * packer->margin) / 2 / longest;
	double most = side / longest;
	if (packing->area > 0)
		most = fmin(most, side / sqrt(packing->area));
	struct cs_error *error = find_row_scale(packer, most, fmin(least, most / 2), job, &found);
	if (!error && !found)
		error = cs_error_new(CS_E_SETTING,
			"the lightmap has %u charts, which do not fit a square of %u texels a "
			"side: use a larger --lightmap-resolution",
			packing->n, packing->texels);
	return error ? error : bisect_scale(packer, most, job);
}

/* ---- packing all charts ---- */

static int compare_outlines(const void *left, const void *right, void *context)
{
	const struct cs_outline *outlines = context;
	const struct cs_outline *one = &outlines[*(const uint32_t *)left],
				*other = &outlines[*(const uint32_t *)right];
	if (one->height != other->height)
		return one->height > other->height ? -1 : 1;
	return one->width > other->width ? -1 : one->width < other->width;
}

/*
 * Returns the side of a cell in texels, a power of two. Starting from 1, it is doubled as long as a
 * side of the lightmap has more than CELLS cells, and there are still CELLS_OF_CHART * (1 +
 * padding)^2 cells for each chart after doubling.
 */
static uint32_t cell_for(const struct cs_packing *packing)
{
	enum { CELLS_OF_CHART = 16 };
	const double spaced = 1 + (double)packing->padding;
	const double wanted = CELLS_OF_CHART * spaced * spaced * packing->n;
	uint32_t cell = 1;
	while (packing->texels / cell > CELLS) {
		const double half = packing->texels / cell / 2;
		if (wanted > half * half)
			break;
		cell *= 2;
	}
	return cell;
}

static struct cs_error *packer_init(struct packer *packer, struct cs_packing *packing)
{
	const uint64_t n = packing->n;
	packer->packing = packing;
	packer->cell = cell_for(packing);
	packer->side = packing->texels / packer->cell;
	packer->padding = (packing->padding + packer->cell - 1) / packer->cell;
	packer->margin = fmin(
		MOST_MARGIN, (LEAST_MARGIN + packing->texels * STORED_ROUNDING) / packer->cell);
	const size_t room = (size_t)packer->side + packer->padding + 2;
	packer->order = cs_sorted_rows(n, compare_outlines, packing->outlines);
	packer->horizon = CS_ARENA_ARRAY(&packer->arena, int32_t, room);
	packer->lower = CS_ARENA_ARRAY(&packer->arena, int32_t, room);
	packer->upper = CS_ARENA_ARRAY(&packer->arena, int32_t, room);
	packer->places = CS_ARENA_ARRAY(&packer->arena, struct cell_place, n);
	packer->best = CS_ARENA_ARRAY(&packer->arena, struct cell_place, n);
	packing->at = calloc(n + 1, sizeof(*packing->at));
	return packer->order && packing->at && !packer->arena.failed ? NULL : cs_error_nomem();
}

struct cs_error *cs_packing_make(struct cs_packing *packing, const struct cs_job *job)
{
	struct packer packer = {.steps = 0};
	packing->at = NULL;
	struct cs_error *error = check_room(packing);
	if (error)
		return error;
	error = packer_init(&packer, packing);
	if (!error)
		error = search_scale(&packer, job);
	for (uint32_t i = 0; !error && i < packing->n; i++) {
		const double unit = (double)packer.cell / packing->texels;
		packing->at[i][0] = (packer.best[i].x + packer.margin) * unit;
		packing->at[i][1] = (packer.best[i].y + packer.margin) * unit;
	}
	packing->scale *= (double)packer.cell / packing->texels;
	free(packer.order);
	cs_arena_deinit(&packer.arena);
	return error;
}
