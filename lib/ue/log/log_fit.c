/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns fitting a cell size to a log of 5.4, which contains the names of cells but not their bounds.
 * A cluster is in the cell that contains the centre of its box, on the first level whose cells are
 * as large as its longest side (ue-project-files 7c). So each cluster leaves an interval of sizes,
 * and the intersection of all intervals fits. Sizes are whole centimetres. Bounds were written as
 * text, so the ends of an interval are widened by a hundredth.
 */
#include "ue/log/log_fit.h"

#include "core/geometry.h"
#include "core/sort.h"

#include <math.h>

#define TEXT 0.01
enum { TILES = 4 }; /* with this many clusters as long as the least size, they are tiles of it */

/* A cluster in a cell, or an actor that is in no cluster. */
struct unit {
	uint64_t cell, cluster;
	struct cs_box box;
};

struct fitter {
	const struct cs_ue_log_data *data;
	CS_VEC(struct unit) units;
	struct cs_sort_key *descs, *members; /* of the main container, by GUID */
	size_t n_descs, n_members;
	double least, most;
	size_t tiles; /* clusters that give the value of `least` */
	bool flat;
};

/* ---- units ---- */

static bool index_guids(struct fitter *f)
{
	const struct cs_ue_log_data *data = f->data;
	f->descs = calloc(data->descs.n + 1, sizeof(*f->descs));
	f->members = calloc(data->members.n + 1, sizeof(*f->members));
	for (uint32_t i = 0; f->descs && i < data->descs.n; i++)
		if (data->descs.at[i].container == 0)
			f->descs[f->n_descs++] = cs_sort_key_of_guid(data->descs.at[i].guid, i);
	for (uint32_t i = 0; f->members && i < data->members.n; i++)
		if (data->members.at[i].container == 0)
			f->members[f->n_members++] =
				cs_sort_key_of_guid(data->members.at[i].guid, i);
	return f->descs && f->members && cs_sort_keys(f->descs, f->n_descs) &&
	       cs_sort_keys(f->members, f->n_members);
}

static bool add_units(struct fitter *f, size_t cell)
{
	const struct cs_ue_log_cell *at = &f->data->cells.at[cell];
	for (size_t i = at->first; i < at->first + at->count; i++) {
		const struct cs_guid guid = f->data->actors.at[i].instance;
		const struct cs_sort_key *desc = cs_sort_keys_find_guid(f->descs, f->n_descs, guid);
		const struct cs_sort_key *member =
			cs_sort_keys_find_guid(f->members, f->n_members, guid);
		struct unit unit = {cell, (uint64_t)1 << 32 | i, CS_BOX_INVALID};
		if (!desc)
			continue;
		unit.box = f->data->descs.at[desc->index].bounds;
		if (member)
			unit.cluster = f->data->members.at[member->index].cluster;
		if (!cs_vec_push(&f->units, unit))
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

/* ---- intervals ---- */

static void at_least(struct fitter *f, double size)
{
	f->tiles = size > f->least + TEXT ? 0 : f->tiles;
	f->tiles += size > f->least - TEXT;
	f->least = fmax(f->least, size);
}

/* Fits one axis: the centre is between k and k + 1 sizes. */
static void fit_axis(struct fitter *f, double centre, double k)
{
	if (k > 0)
		f->most = fmin(f->most, centre / k);
	if (k >= 0)
		f->least = fmax(f->least, centre / (k + 1));
	if (k < 0)
		f->least = fmax(f->least, centre / k);
	if (k < -1)
		f->most = fmin(f->most, centre / (k + 1));
	if ((k >= 0 && centre < -TEXT) || (k < 0 && centre > TEXT))
		f->most = -1; /* no size fits */
}

static void fit_unit(struct fitter *f, const struct cs_box *box, const struct cs_ue_cell_name *name)
{
	if (!cs_box_valid(box) || name->level < 0)
		return;
	const double scale = ldexp(1, -name->level);
	const struct cs_vec3 centre = cs_box_centre(box);
	double longest = fmax(box->max.x - box->min.x, box->max.y - box->min.y);
	longest = f->flat ? longest : fmax(longest, box->max.z - box->min.z);
	at_least(f, longest * scale);
	if (name->level > 0)
		f->most = fmin(f->most, 2 * longest * scale);
	fit_axis(f, centre.x * scale, name->x);
	fit_axis(f, centre.y * scale, name->y);
	if (!f->flat)
		fit_axis(f, centre.z * scale, name->z);
}

static void fit_units(struct fitter *f)
{
	struct cs_ue_cell_name name;
	for (size_t i = 0, end; i < f->units.n; i = end) {
		struct cs_box box = CS_BOX_INVALID;
		for (end = i; end < f->units.n &&
			      by_cluster(&f->units.at[i], &f->units.at[end], NULL) == 0;
			end++)
			box = cs_box_union(&box, &f->units.at[end].box);
		if (cs_ue_parse_cell_name(
			    f->data->cells.at[f->units.at[i].cell].name, f->data->log.world, &name))
			fit_unit(f, &box, &name);
	}
}

/* ---- all ---- */

/* Returns the least multiple of a round number, or the least size when tiles are that long. */
static double round_size(const struct fitter *f, double least, double most)
{
	static const double steps[] = {12800, 6400, 3200, 1600, 1000, 500, 100, 50, 10};
	if (f->tiles >= TILES && fmod(least, 100) == 0)
		return least;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (ceil(least / steps[i]) * steps[i] <= most)
			return ceil(least / steps[i]) * steps[i];
	return least;
}

static void log_fit_sum_up(const struct fitter *f, struct cs_ue_log_fit *ret)
{
	ret->least = fmax(1, ceil(f->least - TEXT));
	ret->most = floor(f->most + TEXT);
	ret->known = ret->least == ret->most;
	if (ret->least <= ret->most)
		ret->assumed = round_size(f, ret->least, ret->most);
}

bool cs_ue_log_fit(
	const struct cs_ue_log_data *data, const char *partition, struct cs_ue_log_fit *ret)
{
	struct fitter f = {.data = data, .most = UINT32_MAX, .flat = true};
	struct cs_ue_cell_name name;
	bool works = index_guids(&f);
	*ret = (struct cs_ue_log_fit){.most = -1};
	for (size_t i = 0; works && i < data->cells.n; i++) {
		const struct cs_ue_log_cell *cell = &data->cells.at[i];
		if (!cs_ue_parse_cell_name(cell->name, data->log.world, &name) ||
			strlen(partition) != name.partition_length ||
			strncmp(partition, name.partition, name.partition_length) != 0)
			continue;
		ret->known |= cell->has_boxes && cs_box_valid(&cell->bounds);
		f.flat &= name.z == 0;
		works = add_units(&f, i);
	}
	works = works && cs_sort(f.units.at, f.units.n, sizeof(*f.units.at), by_cluster, NULL);
	ret->units = f.units.n;
	ret->flat = f.flat && f.units.n && !ret->known;
	if (works && !ret->known && f.units.n && !data->spatial_hash) {
		fit_units(&f);
		log_fit_sum_up(&f, ret);
	}
	cs_vec_free(&f.units);
	free(f.descs);
	free(f.members);
	return works;
}
