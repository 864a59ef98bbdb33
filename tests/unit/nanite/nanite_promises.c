/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that what a resource declares holds of what it stores: every level and cut that is decoded
 * lies within its error of the source mesh, though positions were moved to a grid; spheres and
 * boxes nest to the last bit, far from the origin too; errors that half floats cannot hold are
 * refused.
 */
#include "core/half.h"
#include "mesh/distance.h"
#include "nanite/format/contents.h"
#include "nanite/format/format.h"
#include "nanite/format/resource.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/unit/nanite/dag_test.h"

#include <cellscope/nanite.h>

#include <math.h>

/* ---- making ---- */

static struct cs_mesh *scaled_mesh(
	enum cs_mesh_kind kind, uint32_t triangles, double size, const double offset[3])
{
	struct cs_mesh *raw = made_mesh(kind, triangles, 4);
	struct cs_box box = cs_mesh_box(raw);
	double scale = size / (box.max.x - box.min.x);
	for (size_t i = 0; i < 3 * (size_t)raw->n_vertices; i++)
		raw->positions[i] = (float)((double)raw->positions[i] * scale + offset[i % 3]);
	struct cs_mesh *mesh = mesh_of_arrays(cs_mesh_view(raw));
	cs_mesh_free(raw);
	return mesh;
}

/* Builds the resource and its DAG; returns false when the mesh was refused. */
static bool make(const char *name, const struct cs_mesh *mesh, int precision,
	struct cs_nanite **resource_ret, struct cs_dag **ret)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	settings.position_precision = precision;
	settings.no_atlas = true;
	struct cs_error *error = cs_nanite_build(mesh, &settings, NULL, NULL, resource_ret);
	if (!error)
		error = cs_nanite_dag(*resource_ret, NULL, ret);
	bool good = ok(!error, "%s: is built and decoded", name);
	if (!good)
		diag("%s", error->message);
	cs_error_free(error);
	return good;
}

/* ---- errors ---- */

static double farthest_of(const struct cs_mesh *from, const struct cs_surface *to)
{
	double most2 = 0;
	uint32_t hint = CS_NONE;
	for (size_t i = 0; i < from->n_triangles; i++)
		for (int point = 0; point < 4; point++) {
			double p[3] = {0};
			for (size_t k = 0; k < 12; k++) {
				size_t vertex = from->indices[3 * i + k / 4 % 3];
				double weight = point == 3 ? 1.0 / 3 : point == (int)(k / 4);
				if (k % 4 < 3)
					p[k % 4] += weight *
						    (double)from->positions[3 * vertex + k % 4];
			}
			most2 = fmax(most2, cs_surface_distance2(to, p, hint, &hint));
		}
	return sqrt(most2);
}

/* Returns the distance in both directions, at corners and middles of all triangles. */
static double measure(const struct cs_mesh *a, const struct cs_mesh *b)
{
	struct cs_surface on_a, on_b;
	bool good = !cs_surface_init(a->positions, a->indices, a->n_triangles, &on_a) &&
		    !cs_surface_init(b->positions, b->indices, b->n_triangles, &on_b);
	if (!good)
		exit(1);
	double farthest = fmax(farthest_of(a, &on_b), farthest_of(b, &on_a));
	cs_surface_deinit(&on_a);
	cs_surface_deinit(&on_b);
	return farthest;
}

/*
 * Returns the measured distance divided by the declared error of the cut; 0 when there is nothing
 * to measure.
 */
static double ratio_of(
	const struct cs_dag *dag, const struct cs_mesh *source, const struct cs_dag_cut *cut)
{
	struct cs_mesh *mesh;
	struct cs_error *error = cs_dag_cut_mesh(dag, cut, NULL, &mesh);
	if (error) {
		/* all of it fell together on the grid: nothing to measure */
		cs_error_free(error);
		return 0;
	}
	double far = measure(mesh, source);
	cs_mesh_free(mesh);
	return far > 0 ? far / cut->error : 0;
}

/* Returns the largest ratio of all levels and of cuts through several levels. */
static double worst_ratio(const struct cs_dag *dag, const struct cs_mesh *source)
{
	double worst = 0;
	struct cs_dag_cut cut;
	for (uint32_t level = 0; level < dag->n_levels; level++) {
		if (cs_dag_cut(
			    dag, &(struct cs_dag_fineness){.by_level = true, .level = level}, &cut))
			exit(1);
		worst = fmax(worst, ratio_of(dag, source, &cut));
		free(cut.clusters);
	}
	for (uint64_t n = source->n_triangles / 2; n > 8; n /= 3) {
		if (cs_dag_cut(dag, &(struct cs_dag_fineness){0, n, 0}, &cut))
			exit(1);
		worst = fmax(worst, ratio_of(dag, source, &cut));
		free(cut.clusters);
	}
	return worst;
}

static void test_errors(void)
{
	static const double nowhere[3] = {0, 0, 0};
	static const enum cs_mesh_kind kinds[] = {CS_MESH_NOISE, CS_MESH_MOEBIUS, CS_MESH_TERRAIN};
	/* steps of the grid, from far below to a tenth of the whole */
	static const int precisions[] = {CS_PRECISION_AUTO, 4, 1, -1, -3};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		for (size_t k = 0; k < sizeof(precisions) / sizeof(*precisions); k++) {
			struct cs_mesh *mesh = scaled_mesh(kinds[i], 2500, 100, nowhere);
			struct cs_nanite *resource = NULL;
			struct cs_dag *dag = NULL;
			char name[80];
			snprintf(name, sizeof(name), "%s at precision %d%s",
				mesh_kind_name(kinds[i]), k ? precisions[k] : 0,
				k ? "" : ", or its own");
			if (make(name, mesh, precisions[k], &resource, &dag)) {
				double worst = worst_ratio(dag, mesh);
				ok(worst <= 1 + 1e-9 && worst > 0.05,
					"%s: at most %.3f of the error", name, worst);
			}
			cs_nanite_free(resource);
			cs_dag_free(dag);
			cs_mesh_free(mesh);
		}
}

/* ---- spheres and boxes ---- */

static double reach(const struct cs_sphere_f *sphere, double x, double y, double z)
{
	x -= (double)sphere->x;
	y -= (double)sphere->y;
	z -= (double)sphere->z;
	return sqrt(x * x + y * y + z * z);
}

static bool is_within(const struct cs_sphere_f *inner, const struct cs_sphere_f *outer)
{
	return reach(outer, (double)inner->x, (double)inner->y, (double)inner->z) +
		       (double)inner->radius <=
	       (double)outer->radius;
}

/*
 * Counts the clusters that extend beyond the sphere of their group, and vertices beyond that of
 * their cluster.
 */
static size_t count_outside(const struct cs_dag *dag)
{
	size_t n = 0;
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		const struct cs_cluster *c = &dag->clusters[i];
		const struct cs_cluster_group *g = &dag->groups[c->group];
		n += g->max_parent_error < CS_ROOT_PARENT_ERROR &&
		     !is_within(&c->lod_bounds, &g->lod_bounds);
		for (uint32_t v = 0; v < c->n_vertices; v++) {
			const float *p = dag->positions + 3 * ((size_t)c->first_vertex + v);
			n += reach(&c->lod_bounds, (double)p[0], (double)p[1], (double)p[2]) >
			     (double)c->lod_bounds.radius;
		}
	}
	return n;
}

static struct cs_sphere_f sphere_of(const struct cs_nanite_node *node, unsigned slot)
{
	return (struct cs_sphere_f){node->lod[slot].centre[0], node->lod[slot].centre[1],
		node->lod[slot].centre[2], node->lod[slot].radius};
}

/* Counts the slots that extend beyond the slot above them. */
static size_t count_slots_outside(const struct cs_nanite *r)
{
	size_t n = 0;
	for (size_t i = 0; i < CS_NODE_SLOTS * r->n_nodes; i++) {
		const struct cs_nanite_node *outer = &r->nodes[i / CS_NODE_SLOTS];
		unsigned slot = i % CS_NODE_SLOTS;
		if (outer->pages[slot] != CS_INNER_SLOT)
			continue;
		const struct cs_nanite_node *inner = &r->nodes[outer->extent[slot].child];
		for (unsigned k = 0; k < CS_NODE_SLOTS && inner->pages[k]; k++) {
			struct cs_sphere_f a = sphere_of(inner, k), b = sphere_of(outer, slot);
			n += isfinite(cs_half_value(inner->box[k].max_parent_error)) &&
			     !is_within(&a, &b);
			for (unsigned axis = 0; axis < 3; axis++)
				n += fabs((double)inner->box[k].centre[axis] -
					     (double)outer->box[slot].centre[axis]) +
					     (double)inner->extent[k].extent[axis] >
				     (double)outer->extent[slot].extent[axis];
		}
	}
	return n;
}

static void test_nesting(void)
{
	static const double sizes[] = {1, 30, 1000};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (unsigned axes = 0; axes < 8; axes++) {
			double offset[3];
			char name[80];
			for (unsigned k = 0; k < 3; k++)
				offset[k] = axes >> k & 1 ? 1e6 : 0;
			struct cs_mesh *mesh = scaled_mesh(CS_MESH_NOISE, 6000, sizes[i], offset);
			struct cs_nanite *resource = NULL;
			struct cs_dag *dag = NULL;
			snprintf(name, sizeof(name), "%g wide at %g %g %g", sizes[i], offset[0],
				offset[1], offset[2]);
			/* floats of 1e6 have no finer grid than 4 */
			if (make(name, mesh, axes ? 4 : 7, &resource, &dag)) {
				is_int(count_outside(dag), 0, "%s: spheres nest", name);
				is_int(count_slots_outside(resource), 0, "%s: the hierarchy nests",
					name);
			}
			cs_nanite_free(resource);
			cs_dag_free(dag);
			cs_mesh_free(mesh);
		}
}

/* ---- what half floats cannot hold ---- */

static void test_limits(void)
{
	static const double nowhere[3] = {0, 0, 0};
	struct cs_nanite *resource = NULL;
	struct cs_dag *dag = NULL;
	for (double size = 1.4e7; size < 2e9; size *= 100) {
		struct cs_mesh *mesh = scaled_mesh(CS_MESH_NOISE, 6000, size, nowhere);
		works(cs_nanite_build(mesh, NULL, NULL, NULL, &resource),
			"%g wide: errors beyond 65504 are stored", size);
		ok(resource && cs_nanite_info(resource)->flags & CS_NANITE_GRID_HALVES,
			"%g wide: as steps of the grid", size);
		cs_nanite_free(resource);
		resource = NULL;
		cs_mesh_free(mesh);
	}
	/* errors fit, edges do not: those are infinite */
	struct cs_mesh *mesh = scaled_mesh(CS_MESH_CUBE, 12, 1e6, nowhere);
	if (make("a large cube", mesh, CS_PRECISION_AUTO, &resource, &dag)) {
		struct cs_nanite_contents *contents = NULL;
		works(cs_nanite_decode(resource, NULL, &contents), "a large cube: is decoded");
		ok(contents && isinf(contents->clusters[0].edge_length),
			"a large cube: its edges are as long as can be");
		cs_nanite_contents_free(contents);
	}
	cs_nanite_free(resource);
	cs_dag_free(dag);
	cs_mesh_free(mesh);
}

int main(void)
{
	test_errors();
	test_nesting();
	test_limits();
	return done();
}
