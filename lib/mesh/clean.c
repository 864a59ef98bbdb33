/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cleans a raw mesh (nanite rules 2): removes unusable values and degenerate triangles, computes
 * missing normals, and welds vertices.
 *
 * Welding merges a vertex into an earlier one when both agree in position and every attribute. The
 * comparison is exact, as in the engine for Nanite meshes. The remaining vertices keep their order.
 * Equal vertices are found in a hash table with open addressing: a slot contains a vertex index +
 * 1, or 0 if it is empty; the keys are in the arrays of the mesh.
 */
#include "mesh/mesh_internal.h"

#include "core/alike.h"
#include "core/invariant.h"
#include "core/job.h"
#include "core/slots.h"
#include "core/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of vertices ---- */

static bool usable(const float *values, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!(fabsf(values[i]) <= CS_MESH_REACH))
			return false;
	return true;
}

/* Replaces -0 by 0, so that equal positions have equal bits. */
static void unsign_zeros(float *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		values[i] += 0.0f;
}

static void unit_or_zero(float *normal)
{
	double x = normal[0], y = normal[1], z = normal[2];
	double length = usable(normal, 3) ? sqrt(x * x + y * y + z * z) : 0;
	double scale = length > 1e-12 ? 1 / length : 0;
	normal[0] = scale > 0 ? (float)(x * scale) : 0;
	normal[1] = scale > 0 ? (float)(y * scale) : 0;
	normal[2] = scale > 0 ? (float)(z * scale) : 0;
}

static void clean_values(struct cs_mesh *mesh, struct cs_mesh_report *report)
{
	size_t n = mesh->n_vertices;
	unsign_zeros(mesh->positions, 3 * n);
	for (size_t v = 0; v < n; v++)
		unit_or_zero(mesh->normals + 3 * v);
	unsign_zeros(mesh->normals, 3 * n);
	for (uint32_t channel = 0; channel < mesh->n_uvs; channel++) {
		float *uvs = mesh->uvs[channel];
		for (size_t i = 0; i < 2 * n; i++)
			if (!usable(uvs + i, 1)) {
				uvs[i] = 0;
				report->bad_uvs++;
			}
		unsign_zeros(uvs, 2 * n);
	}
}

/* ---- faulty triangles ---- */

/* Returns the report's counter for the fault of a triangle, or NULL for a good triangle. */
static uint64_t *fault_of(
	const struct cs_mesh *mesh, const uint32_t corners[3], struct cs_mesh_report *report)
{
	for (int k = 0; k < 3; k++)
		if (corners[k] >= mesh->n_vertices)
			return &report->bad_indices;
	for (int k = 0; k < 3; k++)
		if (!usable(mesh->positions + 3 * (size_t)corners[k], 3))
			return &report->non_finite;
	return cs_mesh_is_flat(mesh->positions, corners) ? &report->degenerate : NULL;
}

static void drop_triangles(struct cs_mesh *mesh, struct cs_mesh_report *report)
{
	size_t kept = 0;
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		const uint32_t *corners = mesh->indices + 3 * i;
		uint64_t *fault = fault_of(mesh, corners, report);
		if (fault) {
			++*fault;
			continue;
		}
		memmove(mesh->indices + 3 * kept, corners, 3 * sizeof(uint32_t));
		mesh->materials[kept++] = mesh->materials[i];
	}
	mesh->n_triangles = (uint32_t)kept;
}

/* ---- search for vertices at the same position ---- */

static const float *place_of(const void *positions, uint32_t v)
{
	return (const float *)positions + 3 * (size_t)v;
}

static uint64_t hash_place(const void *positions, uint32_t v)
{
	return XXH3_64bits(place_of(positions, v), 3 * sizeof(float));
}

static bool clean_is_place(const void *positions, uint32_t left, uint32_t right)
{
	return memcmp(place_of(positions, left), place_of(positions, right), 3 * sizeof(float)) ==
	       0;
}

struct cs_error *cs_mesh_places(const float *positions, uint32_t n, int threads, uint32_t *ids_ret)
{
	const struct cs_rows vertices = {n, hash_place, clean_is_place, positions};
	return cs_find_alike(&vertices, threads, ids_ret);
}

static uint64_t hash_vertex(const struct cs_mesh *mesh, size_t v)
{
	uint64_t hash = XXH3_64bits(mesh->positions + 3 * v, 3 * sizeof(float));
	hash = XXH3_64bits_withSeed(mesh->normals + 3 * v, 3 * sizeof(float), hash);
	for (uint32_t i = 0; i < mesh->n_uvs; i++)
		hash = XXH3_64bits_withSeed(mesh->uvs[i] + 2 * v, 2 * sizeof(float), hash);
	return mesh->colors ? XXH3_64bits_withSeed(mesh->colors + 4 * v, 4, hash) : hash;
}

static bool same_vertex(const struct cs_mesh *mesh, size_t a, size_t b)
{
	const size_t three = 3 * sizeof(float);
	bool same = memcmp(mesh->positions + 3 * a, mesh->positions + 3 * b, three) == 0 &&
		    memcmp(mesh->normals + 3 * a, mesh->normals + 3 * b, three) == 0;
	for (uint32_t i = 0; same && i < mesh->n_uvs; i++)
		same = memcmp(mesh->uvs[i] + 2 * a, mesh->uvs[i] + 2 * b, 2 * sizeof(float)) == 0;
	return same &&
	       (!mesh->colors || memcmp(mesh->colors + 4 * a, mesh->colors + 4 * b, 4) == 0);
}

void cs_mesh_copy_vertex(
	const struct cs_mesh *from, size_t vertex, struct cs_mesh *to, size_t vertex_to)
{
	memmove(to->positions + 3 * vertex_to, from->positions + 3 * vertex, 3 * sizeof(float));
	memmove(to->normals + 3 * vertex_to, from->normals + 3 * vertex, 3 * sizeof(float));
	for (uint32_t k = 0; k < from->n_uvs; k++)
		memmove(to->uvs[k] + 2 * vertex_to, from->uvs[k] + 2 * vertex, 2 * sizeof(float));
	if (to->colors)
		memmove(to->colors + 4 * vertex_to, from->colors + 4 * vertex, 4);
}

/* ---- welding of equal vertices ---- */

/* Sets first_ret[v] to the first used vertex that equals v, or to CS_NONE when v is unused. */
static struct cs_error *find_equals(const struct cs_mesh *mesh, uint32_t *first_ret)
{
	struct cs_slots slots;
	if (!cs_slots_init(&slots, mesh->n_vertices))
		return cs_error_nomem();
	memset(first_ret, 0xff, mesh->n_vertices * sizeof(*first_ret));
	for (size_t i = 0; i < 3 * (size_t)mesh->n_triangles; i++)
		first_ret[mesh->indices[i]] = 0;
	for (uint32_t v = 0; v < mesh->n_vertices; v++) {
		if (first_ret[v] == CS_NONE)
			continue;
		uint32_t *slot = cs_slots_find(
			&slots, hash_vertex(mesh, v), other, same_vertex(mesh, other, v));
		if (!*slot)
			cs_slots_put(&slots, slot, v);
		first_ret[v] = cs_slot_row(slot);
	}
	cs_slots_deinit(&slots);
	return NULL;
}

/*
 * Moves the kept vertices to the front of the arrays, keeping their order. No vertex moves to a
 * higher index, so none is overwritten before it is moved. On entry first[v] is the result of
 * find_equals, on return the new index of vertex v.
 */
static void renumber(struct cs_mesh *mesh, uint32_t *first, struct cs_mesh_report *report)
{
	uint32_t kept = 0;
	for (uint32_t v = 0; v < mesh->n_vertices; v++) {
		if (first[v] == CS_NONE)
			continue;
		if (first[v] != v) {
			first[v] = first[first[v]];
			report->welded++;
			continue;
		}
		cs_mesh_copy_vertex(mesh, v, mesh, kept);
		first[v] = kept++;
	}
	for (size_t i = 0; i < 3 * (size_t)mesh->n_triangles; i++)
		mesh->indices[i] = first[mesh->indices[i]];
	mesh->n_vertices = kept;
}

/* Returns the array reallocated to n + 1 elements of `size` bytes, or unchanged if that fails. */
static void *shrunk(void *array, size_t n, size_t size)
{
	void *smaller = realloc(array, (n + 1) * size);
	return smaller ? smaller : array;
}

static void shrink_arrays(struct cs_mesh *mesh)
{
	size_t v = mesh->n_vertices, t = mesh->n_triangles;
	mesh->positions = shrunk(mesh->positions, v, 3 * sizeof(float));
	mesh->normals = shrunk(mesh->normals, v, 3 * sizeof(float));
	for (uint32_t i = 0; i < mesh->n_uvs; i++)
		mesh->uvs[i] = shrunk(mesh->uvs[i], v, 2 * sizeof(float));
	if (mesh->colors)
		mesh->colors = shrunk(mesh->colors, v, 4);
	mesh->indices = shrunk(mesh->indices, t, 3 * sizeof(uint32_t));
	mesh->materials = shrunk(mesh->materials, t, 1);
}

static struct cs_error *weld(struct cs_mesh *mesh, struct cs_mesh_report *report)
{
	uint32_t *first = calloc((size_t)mesh->n_vertices + 1, sizeof(*first));
	if (!first)
		return cs_error_nomem();
	struct cs_error *error = find_equals(mesh, first);
	if (!error)
		renumber(mesh, first, report);
	free(first);
	return error;
}

/* Removes the colours when all are white, as the engine does. */
static void drop_white(struct cs_mesh *mesh)
{
	if (!mesh->colors)
		return;
	for (size_t i = 0; i < 4 * (size_t)mesh->n_vertices; i++)
		if (mesh->colors[i] != 255)
			return;
	free(mesh->colors);
	mesh->colors = NULL;
}

/*
 * Repairs names of materials that are not valid UTF-8. Returns E_LIMIT for a name that is too long.
 */
static struct cs_error *clean_names(struct cs_mesh *mesh, const struct cs_job *job)
{
	const uint32_t most = cs_job_limits(job).name_bytes;
	for (uint32_t i = 0; i < mesh->n_materials; i++) {
		const char *name = cs_strings_get(&mesh->strings, mesh->names[i]);
		if (!cs_utf8_valid(name, strlen(name)))
			mesh->names[i] = cs_strings_add_name(&mesh->strings, name, SIZE_MAX);
		if (mesh->names[i] == CS_NONE)
			return cs_error_nomem();
		const size_t n = strlen(cs_strings_get(&mesh->strings, mesh->names[i]));
		if (n > most)
			return cs_error_new(CS_E_LIMIT,
				"the name of material %u (counted from 0) has %zu bytes, more than "
				"the limit of %u",
				i, n, most);
	}
	return NULL;
}

void cs_mesh_tell(const struct cs_job *job, const char *name, const struct cs_mesh_report *report)
{
	const struct {
		uint64_t count;
		const char *what, *end;
	} lines[] = {
		{report->degenerate, "degenerate triangle", "dropped"},
		{report->non_finite, "triangle",
			"with coordinates beyond 1e15 or not finite dropped"},
		{report->bad_indices, "triangle", "with corners that are no vertices dropped"},
		{report->bad_uvs, "UV coordinate", "without a finite value set to 0"},
		{report->lines, "element", "of points or lines ignored"},
		{report->collision, "triangle", "of collision shapes (UCX_ and the like) left out"},
		{report->coarse_lods, "triangle", "of coarser levels (_LOD1 and so on) left out"},
		{report->more_uvs, "UV channel", "beyond the first four left out"},
		{report->attributes, "list",
			"of normals, UVs or colours with a wrong length or an unusual mapping left out"},
		{report->polygons, "polygon",
			"or more that cross themselves lost a part: export the mesh as triangles"},
		{report->overlapping, "polygon",
			"cut into triangles that overlap, because of edges that cross or more than "
			"4096 corners: export the mesh as triangles"},
		{report->statements, "line", "with curves or no statement of OBJ ignored"},
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count)
			cs_job_log(job, CS_LOG_WARNING, "%s: %llu %s%s %s", name,
				(unsigned long long)lines[i].count, lines[i].what,
				lines[i].count == 1 ? "" : "s", lines[i].end);
}

/*
 * Returns whether the mesh is clean (mesh_internal.h). Does not search for equal vertices, because
 * that is as slow as welding.
 */
static bool cs_clean_holds(const struct cs_mesh *mesh)
{
	unsigned char *used = calloc(mesh->n_vertices, 1);
	size_t n_used = 0;
	bool holds = true;
	for (size_t i = 0; used && holds && i < 3 * (size_t)mesh->n_triangles; i++) {
		const uint32_t *corners = mesh->indices + i - i % 3;
		holds = mesh->indices[i] < mesh->n_vertices;
		holds = holds && (i % 3 < 2 || !cs_mesh_is_flat(mesh->positions, corners));
		if (holds && !used[mesh->indices[i]]) {
			used[mesh->indices[i]] = 1;
			n_used++;
		}
	}
	for (size_t i = 0; holds && i < 3 * (size_t)mesh->n_vertices; i++)
		holds = isfinite(mesh->positions[i]) && isfinite(mesh->normals[i]) &&
			!(mesh->positions[i] == 0 && signbit(mesh->positions[i]));
	holds = holds && (!used || n_used == mesh->n_vertices);
	free(used);
	return holds;
}

/*
 * Makes the error of a mesh without a triangle. It names the shapes that the reader left out,
 * because a file that contains only such shapes is not damaged.
 */
static struct cs_error *nothing_left(const struct cs_mesh_report *report)
{
	const bool dropped = report->degenerate + report->non_finite + report->bad_indices > 0;
	return cs_error_new(CS_E_MESH, "the mesh has no triangle%s%s",
		dropped ? " with three different corners at finite positions" : "",
		report->collision && report->coarse_lods
			? ", apart from those of collision shapes and coarser levels "
			  "(_LOD1 and so on)"
		: report->collision   ? ", apart from those of collision shapes"
		: report->coarse_lods ? ", apart from those of coarser levels (_LOD1 and so on)"
				      : "");
}

struct cs_error *cs_mesh_clean(
	struct cs_mesh *mesh, const struct cs_job *job, struct cs_mesh_report *report)
{
	clean_values(mesh, report);
	drop_triangles(mesh, report);
	if (mesh->n_triangles == 0)
		return nothing_left(report);
	struct cs_error *error = clean_names(mesh, job);
	if (!error)
		error = cs_mesh_make_normals(mesh, false, &report->made_normals);
	if (error)
		return error;
	free(mesh->smoothing); /* it is indexed by raw vertices, which are about to be renumbered */
	mesh->smoothing = NULL;
	drop_white(mesh);
	error = weld(mesh, report);
	if (!error)
		shrink_arrays(mesh);
	CS_INVARIANT(error || cs_clean_holds(mesh),
		"every index is a vertex, none is unused, corners are at three places");
	return error;
}
