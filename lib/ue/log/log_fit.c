/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits a cell size to a log of 5.4, which contains names of cells but no bounds. A cluster is in
 * the cell that contains the centre of its box, on the lowest level whose cells are at least as
 * large as its longest side (ue-project-files 7c). Each cluster thus restricts the size to an
 * interval, and any size in all intervals fits. Sizes are whole centimetres. Bounds were printed as
 * text, so the ends of intervals are widened by TEXT.
 */
#include "ue/log/log.h"

#include "core/geometry.h"
#include "core/sort.h"
#include "ue/package/cell_name.h"

#include <math.h>

#define TEXT 0.01
/* The smallest possible cell size is taken if at least this many clusters are exactly that long. */
enum { TILES = 4 };

/* An actor in a cell. Actors of one cluster are compared together, by the union of their boxes. */
struct unit {
	uint64_t cell, cluster;
	struct cs_box box;
};

struct fitter {
	const struct cs_ue_log_data *data;
	CS_VEC(struct unit) units;
	/* rows of data->descs and data->members of the main container, sorted by GUID */
	struct cs_sort_key *descs, *members;
	size_t n_descs, n_members;
	double least, most;
	size_t tiles; /* number of clusters whose longest side is `least` */
	bool flat;
};

/* ---- clusters and actors of cells ---- */

static bool index_guids(struct fitter *fitter)
{
	const struct cs_ue_log_data *data = fitter->data;
	fitter->descs = calloc(data->descs.n + 1, sizeof(*fitter->descs));
	fitter->members = calloc(data->members.n + 1, sizeof(*fitter->members));
	for (uint32_t i = 0; fitter->descs && i < data->descs.n; i++)
		if (data->descs.at[i].container == 0)
			fitter->descs[fitter->n_descs++] =
				cs_sort_key_of_guid(data->descs.at[i].guid, i);
	for (uint32_t i = 0; fitter->members && i < data->members.n; i++)
		if (data->members.at[i].container == 0)
			fitter->members[fitter->n_members++] =
				cs_sort_key_of_guid(data->members.at[i].guid, i);
	return fitter->descs && fitter->members && cs_sort_keys(fitter->descs, fitter->n_descs) &&
	       cs_sort_keys(fitter->members, fitter->n_members);
}

static bool add_units(struct fitter *fitter, size_t cell)
{
	const struct cs_ue_log_cell *at = &fitter->data->cells.at[cell];
	for (size_t i = at->first; i < at->first + at->count; i++) {
		const struct cs_guid guid = fitter->data->actors.at[i].instance;
		const uint32_t desc = cs_sort_keys_find_guid(fitter->descs, fitter->n_descs, guid);
		const uint32_t member =
			cs_sort_keys_find_guid(fitter->members, fitter->n_members, guid);
		struct unit unit = {cell, (uint64_t)1 << 32 | i, CS_BOX_INVALID};
		if (desc == CS_NONE)
			continue;
		unit.box = fitter->data->descs.at[desc].bounds;
		if (member != CS_NONE)
			unit.cluster = fitter->data->members.at[member].cluster;
		if (!cs_vec_push(&fitter->units, unit))
			return false;
	}
	return true;
}

static int by_cluster(const void *left, const void *right, void *context)
{
	const struct unit *l = left, *r = right;
	(void)context;
	if (l->cell != r->cell)
		return l->cell < r->cell ? -1 : 1;
	return (l->cluster > r->cluster) - (l->cluster < r->cluster);
}

/* ---- intervals of fitting sizes ---- */

static void at_least(struct fitter *fitter, double size)
{
	fitter->tiles = size > fitter->least + TEXT ? 0 : fitter->tiles;
	fitter->tiles += size > fitter->least - TEXT;
	fitter->least = fmax(fitter->least, size);
}

/*
 * Restricts the cell size so that on one axis `centre` is in the cell with coordinate k: k * size
 * <= centre <= (k + 1) * size.
 */
static void fit_axis(struct fitter *fitter, double centre, double k)
{
	if (k > 0)
		fitter->most = fmin(fitter->most, centre / k);
	if (k >= 0)
		fitter->least = fmax(fitter->least, centre / (k + 1));
	if (k < 0)
		fitter->least = fmax(fitter->least, centre / k);
	if (k < -1)
		fitter->most = fmin(fitter->most, centre / (k + 1));
	if ((k >= 0 && centre < -TEXT) || (k < 0 && centre > TEXT))
		fitter->most = -1; /* no size fits */
}

static void fit_unit(
	struct fitter *fitter, const struct cs_box *box, const struct cs_ue_cell_name *name)
{
	if (!cs_box_valid(box) || name->level < 0)
		return;
	const double scale = ldexp(1, -name->level);
	const struct cs_vec3 centre = cs_box_centre(box);
	double longest = fmax(box->max.x - box->min.x, box->max.y - box->min.y);
	longest = fitter->flat ? longest : fmax(longest, box->max.z - box->min.z);
	at_least(fitter, longest * scale);
	if (name->level > 0)
		fitter->most = fmin(fitter->most, 2 * longest * scale);
	fit_axis(fitter, centre.x * scale, name->x);
	fit_axis(fitter, centre.y * scale, name->y);
	if (!fitter->flat)
		fit_axis(fitter, centre.z * scale, name->z);
}

static void fit_units(struct fitter *fitter)
{
	struct cs_ue_cell_name name;
	for (size_t i = 0, end; i < fitter->units.n; i = end) {
		struct cs_box box = CS_BOX_INVALID;
		for (end = i; end < fitter->units.n &&
			      by_cluster(&fitter->units.at[i], &fitter->units.at[end], NULL) == 0;
			end++)
			box = cs_box_union(&box, &fitter->units.at[end].box);
		if (cs_ue_parse_cell_name(fitter->data->cells.at[fitter->units.at[i].cell].name,
			    fitter->data->log.world, &name))
			fit_unit(fitter, &box, &name);
	}
}

/* ---- fitting a partition ---- */

/*
 * Returns a likely cell size in the interval [least, most]: `least` if it is a multiple of 100 and
 * at least TILES clusters are `least` cm long. Otherwise returns the smallest multiple in the
 * interval of the largest of `steps` that has a multiple there, or `least` if no step has one.
 */
static double round_size(const struct fitter *fitter, double least, double most)
{
	static const double steps[] = {12800, 6400, 3200, 1600, 1000, 500, 100, 50, 10};
	if (fitter->tiles >= TILES && fmod(least, 100) == 0)
		return least;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (ceil(least / steps[i]) * steps[i] <= most)
			return ceil(least / steps[i]) * steps[i];
	return least;
}

static void log_fit_sum_up(const struct fitter *fitter, struct cs_ue_log_fit *ret)
{
	ret->least = fmax(1, ceil(fitter->least - TEXT));
	ret->most = floor(fitter->most + TEXT);
	ret->known = ret->least == ret->most;
	if (ret->least <= ret->most)
		ret->assumed = round_size(fitter, ret->least, ret->most);
}

bool cs_ue_log_fit(
	const struct cs_ue_log_data *data, const char *partition, struct cs_ue_log_fit *ret)
{
	struct fitter fitter = {.data = data, .most = UINT32_MAX, .flat = true};
	struct cs_ue_cell_name name;
	bool works = index_guids(&fitter);
	*ret = (struct cs_ue_log_fit){.most = -1};
	for (size_t i = 0; works && i < data->cells.n; i++) {
		const struct cs_ue_log_cell *cell = &data->cells.at[i];
		if (!cs_ue_parse_cell_name(cell->name, data->log.world, &name) ||
			strlen(partition) != name.partition_length ||
			strncmp(partition, name.partition, name.partition_length) != 0)
			continue;
		ret->known |= cell->has_boxes && cs_box_valid(&cell->bounds);
		fitter.flat &= name.z == 0;
		works = add_units(&fitter, i);
	}
	works = works && cs_sort(fitter.units.at, fitter.units.n, sizeof(*fitter.units.at),
				 by_cluster, NULL);
	ret->units = fitter.units.n;
	ret->flat = fitter.flat && fitter.units.n && !ret->known;
	if (works && !ret->known && fitter.units.n && !data->spatial_hash) {
		fit_units(&fitter);
		log_fit_sum_up(&fitter, ret);
	}
	cs_vec_free(&fitter.units);
	free(fitter.descs);
	free(fitter.members);
	return works;
}
