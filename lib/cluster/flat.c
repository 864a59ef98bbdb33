/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes the triangles of a mesh that are flat on its grid, because two of their corners were
 * rounded to the same position. Declared errors are bounds for the source mesh, so each flat
 * triangle is charged to triangles that are kept: the error of a kept triangle is at least the
 * distance to the farthest triangle that is charged to it.
 *
 * A flat triangle is a segment on the grid. Most often that segment is an edge of a kept triangle,
 * to which the flat triangle is charged. The distance is at most the farthest that rounding moved a
 * corner of the flat triangle, because points inside move by a weighted mean of the corners' moves.
 * If the segment is not an edge of a kept triangle (for example, if all triangles of an island are
 * flat), the triangle of the source is cut into pieces, and each piece is charged to the kept
 * triangle nearest to the piece's centre. The distance from a triangle is a convex function, so its
 * values at the corners of a piece bound it.
 */
#include "cluster/rounding.h"

#include "core/slots.h"
#include "mesh/distance.h"
#include "mesh/facet.h"
#include "mesh/mesh_compare.h"
#include "mesh/mesh_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <string.h>

enum {
	DEPTH = 4, /* maximum number of times that a flat triangle is quartered */
	/* maximum number of pieces, in addition to one for each triangle of the mesh */
	PIECES = 65536,
};

/*
 * A piece is not cut if the bound of its distance from the nearest kept triangle is at most TIGHT
 * times the distance of its centre from that triangle.
 */
#define TIGHT 1.1

/* State of finding a kept triangle to which each flat triangle is charged. */
struct charger {
	const struct cs_mesh *source;
	struct cs_rounded *rounded;
	uint32_t *flat; /* indices of the flat triangles in the source */
	uint32_t n_flat;
	uint32_t *ends; /* for each flat triangle, which is a segment: its 2 end vertices */
	/* for each flat triangle, a kept triangle that has the segment as an edge, or CS_NONE */
	uint32_t *keeper;
	/* hash table by segment, with one flat triangle for each distinct segment */
	struct cs_slots segments;
	struct cs_surface kept;
	uint64_t pieces; /* how many more pieces of flat triangles may be made */
};

/* ---- charging to a triangle with the same edge ---- */

/* Finds the vertices at the ends of a flat triangle's segment, which may be a single point. */
static void find_ends(const float *positions, const uint32_t *v, uint32_t ends[2])
{
	ends[0] = v[0];
	ends[1] = cs_mesh_at_one_place(positions, v[0], v[1]) ? v[2] : v[1];
}

static uint64_t hash_segment(const float *positions, uint32_t a, uint32_t b)
{
	return XXH3_64bits(positions + 3 * (size_t)a, 3 * sizeof(float)) +
	       XXH3_64bits(positions + 3 * (size_t)b, 3 * sizeof(float));
}

static bool same_segment(const float *positions, const uint32_t *ends, uint32_t a, uint32_t b)
{
	return (cs_mesh_at_one_place(positions, ends[0], a) &&
		       cs_mesh_at_one_place(positions, ends[1], b)) ||
	       (cs_mesh_at_one_place(positions, ends[0], b) &&
		       cs_mesh_at_one_place(positions, ends[1], a));
}

static uint32_t *find_segment(const struct charger *charger, uint32_t a, uint32_t b)
{
	const float *positions = charger->rounded->mesh->positions;
	return cs_slots_find(&charger->segments, hash_segment(positions, a, b), row,
		same_segment(positions, charger->ends + 2 * (size_t)row, a, b));
}

/* Finds, for each flat triangle whose segment is an edge of a kept triangle, that kept triangle. */
static void find_keepers(struct charger *charger)
{
	const struct cs_mesh *kept = charger->rounded->mesh;
	for (uint32_t i = 0; i < charger->n_flat; i++) {
		uint32_t *ends = charger->ends + 2 * (size_t)i;
		find_ends(kept->positions, charger->source->indices + 3 * (size_t)charger->flat[i],
			ends);
		uint32_t *slot = find_segment(charger, ends[0], ends[1]);
		charger->keeper[i] = CS_NONE;
		if (!*slot)
			cs_slots_put(&charger->segments, slot, i);
	}
	for (uint32_t i = 0; i < 3 * kept->n_triangles; i++) {
		uint32_t next = i % 3 < 2 ? i + 1 : i - 2;
		uint32_t *slot = find_segment(charger, kept->indices[i], kept->indices[next]);
		if (*slot && charger->keeper[cs_slot_row(slot)] == CS_NONE)
			charger->keeper[cs_slot_row(slot)] = i / 3;
	}
	for (uint32_t i = 0; i < charger->n_flat; i++)
		charger->keeper[i] = charger->keeper[cs_slot_row(find_segment(
			charger, charger->ends[2 * (size_t)i], charger->ends[2 * (size_t)i + 1]))];
}

static void charge_triangle(const struct charger *charger, uint32_t kept, double distance)
{
	float *error = &charger->rounded->charged[kept], *most = &charger->rounded->most_charged;
	if (distance > (double)*error)
		*error = nextafterf((float)distance, INFINITY);
	*most = fmaxf(*most, *error);
}

/* Returns the largest distance by which rounding moved a corner of a source triangle. */
static double moved_by(const struct charger *charger, uint32_t triangle)
{
	const uint32_t *v = charger->source->indices + 3 * (size_t)triangle;
	const float *errors = charger->rounded->errors;
	return (double)fmaxf(errors[v[0]], fmaxf(errors[v[1]], errors[v[2]]));
}

/* ---- charging to the nearest triangle ---- */

static void charge_piece(
	struct charger *charger, double p[3][3], double enough, uint32_t hint, int depth)
{
	const struct cs_mesh *mesh = charger->rounded->mesh;
	double middle[3], at[3][3], quarters[4][3][3];
	uint32_t nearest;
	for (int k = 0; k < 3; k++)
		middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
	double least = sqrt(cs_surface_distance2(&charger->kept, middle, hint, &nearest));
	for (size_t i = 0; i < 9; i++)
		at[i / 3][i % 3] =
			(double)mesh
				->positions[3 * (size_t)mesh->indices[3 * (size_t)nearest + i / 3] +
					    i % 3];
	const struct cs_facet facet = cs_facet_of(at[0], at[1], at[2]);
	double bound = sqrt(cs_facet_reach2(&facet, p)) * (1 + 0x1p-40);
	if (bound <= enough || bound <= TIGHT * least || depth == 0 || charger->pieces < 4) {
		charge_triangle(charger, nearest, bound);
		return;
	}
	charger->pieces -= 4;
	cs_quarter(p, quarters);
	for (int i = 0; i < 4; i++)
		charge_piece(charger, quarters[i], enough, nearest, depth - 1);
}

/* Assigns flat triangles without a keeper to the nearest kept ones, and raises errors of these. */
static struct cs_error *charge_others(struct charger *charger)
{
	const struct cs_mesh *mesh = charger->rounded->mesh;
	struct cs_error *error =
		cs_surface_init(mesh->positions, mesh->indices, mesh->n_triangles, &charger->kept);
	if (error)
		return error;
	for (uint32_t i = 0; i < charger->n_flat; i++) {
		const uint32_t *v = charger->source->indices + 3 * (size_t)charger->flat[i];
		double p[3][3];
		if (charger->keeper[i] != CS_NONE)
			continue;
		for (size_t k = 0; k < 9; k++)
			p[k / 3][k % 3] =
				(double)charger->source->positions[3 * (size_t)v[k / 3] + k % 3];
		charge_piece(charger, p, moved_by(charger, charger->flat[i]), CS_NONE, DEPTH);
	}
	cs_surface_deinit(&charger->kept);
	return NULL;
}

static struct cs_error *charge_all(struct charger *charger)
{
	bool others = false;
	find_keepers(charger);
	for (uint32_t i = 0; i < charger->n_flat; i++)
		if (charger->keeper[i] != CS_NONE)
			charge_triangle(
				charger, charger->keeper[i], moved_by(charger, charger->flat[i]));
		else
			others = true;
	return others ? charge_others(charger) : NULL;
}

/* ---- removing the flat triangles ---- */

uint32_t cs_count_flat(const struct cs_mesh *mesh, const float *positions)
{
	uint32_t n = 0;
	for (size_t i = 0; i < mesh->n_triangles; i++)
		n += cs_mesh_is_flat(positions, mesh->indices + 3 * i);
	return n;
}

/* Copies the kept triangles to `indices` and `materials`. Lists the flat ones in charger->flat. */
static void sort_out(const struct charger *charger, uint32_t *indices, uint8_t *materials)
{
	const struct cs_mesh *source = charger->source;
	size_t kept = 0, n_flat = 0;
	for (uint32_t i = 0; i < source->n_triangles; i++) {
		const uint32_t *v = source->indices + 3 * (size_t)i;
		if (cs_mesh_is_flat(charger->rounded->mesh->positions, v)) {
			charger->flat[n_flat++] = i;
			continue;
		}
		memcpy(indices + 3 * kept, v, 3 * sizeof(*indices));
		materials[kept++] = source->materials[i];
	}
}

struct cs_error *cs_drop_flat(const struct cs_mesh *source, struct cs_rounded *rounded)
{
	const size_t n_flat = rounded->n_dropped, n = source->n_triangles - n_flat;
	struct charger charger = {.source = source,
		.rounded = rounded,
		.n_flat = rounded->n_dropped,
		.flat = malloc((n_flat + 1) * sizeof(*charger.flat)),
		.ends = malloc((n_flat + 1) * 2 * sizeof(*charger.ends)),
		.keeper = malloc((n_flat + 1) * sizeof(*charger.keeper)),
		.pieces = (uint64_t)PIECES + source->n_triangles};
	uint32_t *indices = malloc((n + 1) * 3 * sizeof(*indices));
	uint8_t *materials = malloc(n + 1);
	struct cs_error *error = NULL;
	rounded->charged = calloc(n + 1, sizeof(*rounded->charged));
	if (!charger.flat || !charger.ends || !charger.keeper || !indices || !materials ||
		!rounded->charged || !cs_slots_init(&charger.segments, n_flat)) {
		free(indices);
		free(materials);
		error = cs_error_nomem();
	} else {
		sort_out(&charger, indices, materials);
		rounded->mesh->indices = indices;
		rounded->mesh->materials = materials;
		rounded->mesh->n_triangles = (uint32_t)n;
		error = charge_all(&charger);
	}
	cs_slots_deinit(&charger.segments);
	free(charger.flat);
	free(charger.ends);
	free(charger.keeper);
	return error;
}
