/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing models of resources: with themselves, with others, with copies whose triangles begin at
 * other corners or whose vertices have other numbers, and with copies that are drawn otherwise.
 */
#include "nanite/format/contents.h"
#include "nanite/inspect/model_inside.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/tap.h"

#include <cellscope/mesh.h>
#include <cellscope/pages.h>

#include <stdlib.h>
#include <string.h>

static struct cs_model *modelled(enum cs_mesh_kind kind, uint32_t triangles)
{
	const struct cs_mesh_recipe recipe = {kind, triangles, 5};
	const struct cs_nanite_settings settings = cs_nanite_settings_default();
	const char *name = mesh_kind_name(kind);
	struct cs_mesh *mesh = NULL;
	struct cs_nanite *resource = NULL;
	struct cs_model *model = NULL;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "%s is generated", name);
	works(cs_nanite_build(mesh, &settings, NULL, NULL, &resource), "it is built");
	works(cs_model_of_resource(resource, name, NULL, &model), "it becomes a model");
	cs_mesh_free(mesh);
	if (!model)
		abort();
	return model;
}

static void check_compare(const struct cs_model *m, const struct cs_model *other)
{
	struct cs_model_difference d;
	works(cs_model_compare(m, m, NULL, &d), "a model is compared with itself");
	ok(d.clusters_same == m->n_clusters && d.pages_same == m->n_pages && !d.clusters_left &&
			!d.clusters_right && !d.pages_left && !d.pages_right &&
			d.drawn_same == m->n_clusters && !d.drawn_left && !d.drawn_right,
		"and all of it is the same");
	works(cs_model_compare(m, other, NULL, &d), "and with another one");
	ok(d.clusters_left == m->n_clusters && d.clusters_right == other->n_clusters,
		"of which nothing is");
}

/* Compares the model with one of the same geometry, in which `what` differs in some cluster. */
static void check_drawn(const struct cs_model *m, const struct cs_model *other, const char *what)
{
	struct cs_model_difference d = {0};
	works(cs_model_compare(m, other, NULL, &d), "with other %s", what);
	ok(d.clusters_same == m->n_clusters && d.pages_same == m->n_pages &&
			d.drawn_same < m->n_clusters && d.drawn_left && d.drawn_right,
		"of the same geometry, other %s are told", what);
}

static void *copied(const void *from, size_t size)
{
	void *copy = malloc(size);
	if (!copy)
		abort();
	return memcpy(copy, from, size);
}

/* Models of our own format do not keep colours and UVs: copies get those that were decoded. */
static void check_vertices(const struct cs_model *m)
{
	struct cs_nanite_contents *contents = NULL;
	works(cs_nanite_decode(m->resource, NULL, &contents), "it is decoded");
	struct cs_model copy = *m;
	copy.vertex_colors = contents->colors;
	for (unsigned channel = 0; channel < contents->n_uvs; channel++)
		copy.vertex_uvs[channel] = contents->uvs[channel];
	copy.vertex_colors[2] ^= 128;
	check_drawn(m, &copy, "colours");
	copy.vertex_colors[2] ^= 128;
	if (contents->n_uvs) {
		copy.vertex_uvs[0][0] += 1;
		check_drawn(m, &copy, "UVs");
	}
	cs_nanite_contents_free(contents);
}

/* Materials without names are told apart by their indices. */
static void check_unnamed(const struct cs_model *m)
{
	struct cs_model copy = *m, other = *m;
	const char *names[] = {"", ""};
	const size_t size = sizeof(*m->materials) * m->n_materials;
	copy.material_names = other.material_names = names;
	copy.n_material_names = other.n_material_names = 2;
	copy.materials = copied(m->materials, size);
	other.materials = copied(m->materials, size);
	for (size_t i = 0; i < m->n_materials; i++)
		copy.materials[i].material = other.materials[i].material = 0;
	other.materials[0].material = 1;
	check_drawn(&copy, &other, "materials without names");
	free(copy.materials);
	free(other.materials);
}

static void check_attributes(const struct cs_model *m)
{
	struct cs_model copy = *m;
	const char *names[] = {"another"};
	copy.normals = copied(m->normals, 3 * sizeof(*m->normals) * m->n_vertices);
	copy.normals[1] += 0.5f;
	check_drawn(m, &copy, "normals");
	free(copy.normals);
	copy = *m;
	copy.clusters = copied(m->clusters, sizeof(*m->clusters) * m->n_clusters);
	copy.clusters[0].lod_error += 1;
	check_drawn(m, &copy, "errors");
	free(copy.clusters);
	copy = *m;
	copy.material_names = names;
	copy.n_material_names = 1;
	check_drawn(m, &copy, "names of materials");
	check_unnamed(m);
	check_vertices(m);
}

static bool always(void *context)
{
	(void)context;
	return true;
}

/* A comparison keeps to the limit of memory of its job, and ends when its job is interrupted. */
static void check_job(const struct cs_model *m)
{
	struct cs_limits limits = cs_limits_default();
	struct cs_job limited = {.limits = &limits}, stopped = {.interrupted = always};
	struct cs_model_difference d;
	limits.memory = 10000;
	fails(cs_model_compare(m, m, &limited, &d), CS_E_LIMIT, "its arrays exceed the limit");
	fails(cs_model_compare(m, m, &stopped, &d), CS_E_INTERRUPTED, "it is interrupted");
}

/* Returns the corners of all triangles, each rotated by `turn`, or reversed. */
static uint8_t *turned_corners(const struct cs_model *m, unsigned turn, bool back)
{
	uint8_t *corners = malloc(3 * m->n_triangles);
	for (size_t i = 0; corners && i < 3 * m->n_triangles; i++) {
		size_t k = i % 3;
		corners[i] = m->corners[i - k + (back ? 2 - k : (k + turn) % 3)];
	}
	return corners;
}

/* Returns the positions, with each vertex of odd number moved to the one before it. */
static float *flattened(const struct cs_model *m)
{
	float *positions = malloc(3 * sizeof(*positions) * m->n_vertices);
	for (size_t i = 0; positions && i < m->n_vertices; i++)
		for (unsigned axis = 0; axis < 3; axis++)
			positions[3 * i + axis] = m->positions[3 * (i - i % 2) + axis];
	return positions;
}

static uint32_t same_when_turned(const struct cs_model *m, unsigned turn, bool back)
{
	struct cs_model_difference d = {0};
	struct cs_model copy = *m;
	uint8_t *corners = turned_corners(m, turn, back);
	copy.corners = corners;
	if (corners)
		works(cs_model_compare(m, &copy, NULL, &d), "turned by %u", turn);
	free(corners);
	return d.clusters_same;
}

/* Compares the model with a copy in which the vertices of each cluster are in reverse order. */
static uint32_t same_when_renumbered(const struct cs_model *m)
{
	struct cs_model_difference d = {0};
	struct cs_model copy = *m;
	float *positions = malloc(3 * sizeof(*positions) * m->n_vertices);
	uint8_t *corners = malloc(3 * m->n_triangles);
	if (!positions || !corners)
		abort();
	for (size_t i = 0; i < m->n_clusters; i++) {
		const struct cs_model_cluster *c = &m->clusters[i];
		for (uint32_t v = 0; v < c->n_vertices; v++)
			memcpy(positions + 3 * (size_t)(c->first_vertex + c->n_vertices - 1 - v),
				m->positions + 3 * (size_t)(c->first_vertex + v), 12);
		for (size_t k = 3 * (size_t)c->first_triangle;
			k < 3 * ((size_t)c->first_triangle + c->n_triangles); k++)
			corners[k] = (uint8_t)(c->n_vertices - 1 - m->corners[k]);
	}
	copy.positions = positions;
	copy.corners = corners;
	works(cs_model_compare(m, &copy, NULL, &d), "with other numbers of vertices");
	free(positions);
	free(corners);
	return d.clusters_same;
}

/* A triangle is the same one from each of its corners, but not seen from behind. */
static void check_turns(const struct cs_model *m)
{
	struct cs_model flat = *m;
	float *positions = flattened(m);
	flat.positions = positions;
	for (unsigned turn = 0; turn < 3; turn++) {
		is_int(same_when_turned(m, turn, false), m->n_clusters,
			"the same from corner %u on", turn);
		is_int(same_when_turned(&flat, turn, false), m->n_clusters,
			"also where corners lie in one place");
	}
	is_int(same_when_turned(m, 0, true), 0, "seen from behind none is");
	is_int(same_when_renumbered(m), m->n_clusters,
		"where vertices lie counts, not their order");
	free(positions);
}

int main(void)
{
	static const enum cs_mesh_kind kinds[] = {CS_MESH_TERRAIN, CS_MESH_SEAMS};
	struct cs_model *other = modelled(CS_MESH_NOISE, 20000);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct cs_model *model = modelled(kinds[i], 9000);
		struct cs_nanite *resource = model->resource;
		check_compare(model, other);
		check_turns(model);
		check_attributes(model);
		check_job(model);
		cs_model_free(model);
		cs_nanite_free(resource);
	}
	struct cs_nanite *resource = other->resource;
	cs_model_free(other);
	cs_nanite_free(resource);
	return done();
}
