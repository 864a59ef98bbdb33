/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what a resource has beside its pages, against twins that read decoded tables alone: the
 * imposter atlas against triangles asked one by one at the middle of each pixel, the hierarchy
 * against all parts below each slot, and the report of the encoder against counts.
 */
#include "core/half.h"
#include "nanite/encode/encode.h"
#include "nanite/format/contents.h"
#include "nanite/format/format.h"
#include "nanite/format/resource.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/nanite_contents.h"
#include "tests/samples/tap.h"
#include "tests/unit/nanite/torus_dag.h"

#include <cellscope/mesh.h>

/* ---- resources ---- */

struct made {
	struct cs_dag dag;
	struct cs_nanite *resource;
	struct cs_nanite_contents *contents;
};

static bool finish(const char *name, struct made *m)
{
	return ok(m->resource && !cs_nanite_decode(m->resource, NULL, &m->contents),
		"%s: is built and decoded", name);
}

static bool make_torus(const char *name, const struct torus *torus, struct made *ret)
{
	*ret = (struct made){0};
	torus_dag(torus, &ret->dag);
	cs_error_free(cs_nanite_encode(&ret->dag, NULL, NULL, &ret->resource));
	return finish(name, ret);
}

static bool make_mesh(enum cs_mesh_kind kind, uint32_t triangles, struct made *ret)
{
	const struct cs_mesh_recipe recipe = {kind, triangles, 3};
	struct cs_mesh *mesh = NULL;
	*ret = (struct made){0};
	if (cs_mesh_generate(&recipe, NULL, &mesh))
		abort();
	cs_error_free(cs_nanite_build(mesh, NULL, NULL, NULL, &ret->resource));
	cs_mesh_free(mesh);
	return finish(mesh_kind_name(kind), ret);
}

static void unmake(struct made *m)
{
	cs_nanite_contents_free(m->contents);
	cs_nanite_free(m->resource);
	cs_dag_deinit(&m->dag);
}

/* ---- the atlas ---- */

/*
 * A tile of the imposter: the box of the mesh, seen from a direction, from -1 to 1 along its axes.
 */
struct view {
	double centre[3], axes[3][3], reach[3]; /* right, up, toward the viewer */
};

static void cross(const double a[3], const double b[3], double ret[3])
{
	for (int k = 0; k < 3; k++)
		ret[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
	double length = sqrt(ret[0] * ret[0] + ret[1] * ret[1] + ret[2] * ret[2]);
	for (int k = 0; k < 3; k++)
		ret[k] /= length;
}

/*
 * Returns the direction of a tile. The octahedron is unfolded: what is beyond its middle square is
 * folded under.
 */
static void direction_of(unsigned tile, double ret[3])
{
	double u = (tile % CS_ATLAS_TILES + 0.5) / 6 - 1, v = (tile / CS_ATLAS_TILES + 0.5) / 6 - 1;
	double down = fabs(u) + fabs(v) - 1, length;
	ret[0] = down > 0 ? copysign(1 - fabs(v), u) : u;
	ret[1] = down > 0 ? copysign(1 - fabs(u), v) : v;
	ret[2] = -down;
	length = sqrt(ret[0] * ret[0] + ret[1] * ret[1] + ret[2] * ret[2]);
	for (int k = 0; k < 3; k++)
		ret[k] /= length;
}

static struct view view_of(const struct cs_nanite_contents *c, unsigned tile)
{
	struct view view;
	double low[3], high[3], aside[3] = {0, 0, 0};
	double step = ldexp(1, -cs_nanite_info(c->resource)->position_precision);
	int least = 0;
	for (int k = 0; k < 3; k++) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
		for (size_t v = 0; v < c->n_vertices; v++) {
			low[k] = fmin(low[k], c->grid[3 * v + (size_t)k] * step);
			high[k] = fmax(high[k], c->grid[3 * v + (size_t)k] * step);
		}
		view.centre[k] = (low[k] + high[k]) / 2;
	}
	direction_of(tile, view.axes[2]);
	for (int k = 1; k < 3; k++)
		least = fabs(view.axes[2][k]) < fabs(view.axes[2][least]) ? k : least;
	aside[least] = 1;
	cross(aside, view.axes[2], view.axes[0]);
	cross(view.axes[0], view.axes[2], view.axes[1]);
	for (int axis = 0; axis < 3; axis++) {
		view.reach[axis] = 0;
		for (int k = 0; k < 3; k++)
			view.reach[axis] += fabs(view.axes[axis][k]) * (high[k] - low[k]) / 2;
	}
	return view;
}

/* Returns the place of a vertex in pixels to the right and down, and its depth from 1 to 255. */
static void project(
	const struct cs_nanite_contents *c, const struct view *view, size_t vertex, double ret[3])
{
	double step = ldexp(1, -cs_nanite_info(c->resource)->position_precision);
	for (int axis = 0; axis < 3; axis++) {
		double at = 0;
		for (size_t k = 0; k < 3; k++)
			at += (c->grid[3 * vertex + k] * step - view->centre[k]) *
			      view->axes[axis][k];
		at = view->reach[axis] > 0 ? at / view->reach[axis] : 0;
		ret[axis] = axis < 2 ? (at + 1) / 2 * CS_ATLAS_PIXELS : (at + 1) / 2 * 254 + 1;
	}
}

/* How near an edge may pass the middle of a pixel in doubt; how near to a half a depth may be ...
 */
#define EDGE_DOUBT  0.01
#define DEPTH_DOUBT 0.02
/* ... on a level triangle: corners are moved by that part of a pixel at most. */
#define SNAPPED     (1.0 / 512)

enum { NOTHING = -1, DOUBTFUL = -2 };

/*
 * Returns the depth of a triangle at a place of the picture; NOTHING when it is not there, DOUBTFUL
 * when it may be.
 */
static int shows(double p[3][3], double x, double y)
{
	double area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
		      (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
	double parts[3], depth = 0;
	bool close = false;
	for (int i = 0; i < 3; i++) {
		const double *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];
		double length = hypot(b[0] - a[0], b[1] - a[1]);
		parts[i] = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
		if (length < EDGE_DOUBT || -parts[i] < -EDGE_DOUBT * length)
			return length < EDGE_DOUBT ? DOUBTFUL : NOTHING;
		close = close || fabs(parts[i]) <= EDGE_DOUBT * length;
	}
	/* runs clockwise on the tile where it is seen */
	if (area > 0.05)
		return NOTHING;
	if (close || area > -0.05)
		return DOUBTFUL;
	double slope = 0;
	for (int i = 0; i < 3; i++) {
		const double *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];
		depth += parts[i] / area * p[i][2];
		slope += (fabs(b[0] - a[0]) + fabs(b[1] - a[1])) * fabs(p[i][2] - p[0][2]) / -area;
	}
	depth = fmin(fmax(depth, 1), 255);
	bool halfway = fabs(depth - floor(depth) - 0.5) < DEPTH_DOUBT + slope * SNAPPED;
	return halfway ? DOUBTFUL : (int)floor(depth + 0.5);
}

struct atlas_tally {
	uint32_t n_pixels, n_sure, n_wrong, n_drawn;
};

/*
 * Returns the nearest of all triangles of the clusters; of several that are equally near, the last
 * one.
 */
static int expected(const struct cs_nanite_contents *c, const struct view *view,
	const struct cs_model_cluster *const *clusters, unsigned n, double x, double y)
{
	int best = 0;
	for (unsigned i = 0; i < n; i++)
		for (uint32_t t = 0; t < clusters[i]->n_triangles; t++) {
			double p[3][3];
			for (size_t k = 0; k < 3; k++)
				project(c, view,
					clusters[i]->first_vertex +
						(size_t)c
							->corners[3 * (clusters[i]->first_triangle +
									      (size_t)t) +
								  k],
					p[k]);
			int depth = shows(p, x, y);
			if (depth == DOUBTFUL)
				return DOUBTFUL;
			int drawn = depth * 256 + (int)i * 128 + (int)t;
			best = depth != NOTHING && drawn > best ? drawn : best;
		}
	return best;
}

static struct atlas_tally compare_atlas(const struct cs_nanite_contents *c)
{
	struct atlas_tally tally = {0};
	const struct cs_model_cluster *clusters[2];
	size_t n_atlas;
	unsigned n = 0;
	const uint16_t *atlas = cs_nanite_atlas(c->resource, &n_atlas);
	for (size_t i = 0; i < c->n_clusters; i++)
		if (isinf(c->groups[c->clusters[i].group].max_parent_error) && n < 2)
			clusters[n++] = &c->clusters[i];
	for (unsigned tile = 0; n_atlas && tile < CS_ATLAS_TILES * CS_ATLAS_TILES; tile++) {
		struct view view = view_of(c, tile);
		for (unsigned pixel = 0; pixel < CS_ATLAS_PIXELS * CS_ATLAS_PIXELS; pixel++) {
			int want = expected(c, &view, clusters, n, pixel % CS_ATLAS_PIXELS + 0.5,
				pixel / CS_ATLAS_PIXELS + 0.5);
			int got = atlas[tile * CS_ATLAS_PIXELS * CS_ATLAS_PIXELS + pixel];
			tally.n_pixels++;
			tally.n_drawn += got > 0;
			tally.n_sure += want != DOUBTFUL;
			tally.n_wrong += want != DOUBTFUL && want != got;
		}
	}
	return tally;
}

static void judge_atlas(const char *name, const struct made *m)
{
	struct atlas_tally tally = compare_atlas(m->contents);
	is_int(tally.n_wrong, 0, "%s: each pixel of the atlas names what is nearest there", name);
	ok(tally.n_sure > tally.n_pixels * 3 / 4 && tally.n_drawn > tally.n_pixels / 8,
		"%s: of %u pixels %u are told, %u are drawn", name, tally.n_pixels, tally.n_sure,
		tally.n_drawn);
}

static void test_atlas(void)
{
	static const enum cs_mesh_kind kinds[] = {
		CS_MESH_NOISE, CS_MESH_TERRAIN, CS_MESH_CUBE, CS_MESH_SEAMS};
	const struct torus torus = {.rows = 8, .centre = {700, -90, 5}};
	struct made m;
	if (make_torus("torus", &torus, &m))
		judge_atlas("torus", &m);
	unmake(&m);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (make_mesh(kinds[i], 900, &m))
			judge_atlas(mesh_kind_name(kinds[i]), &m);
		unmake(&m);
	}
}

/* ---- the hierarchy ---- */

/* Sums and bounds of everything below a slot. */
struct below {
	double low[3], high[3];               /* boxes of the leaves */
	double finite_low[3], finite_high[3]; /* spheres of those whose parents may be drawn */
	float min_error, max_parent_error;
	uint32_t n_leaves, depth;
};

struct tree {
	const struct cs_nanite *r;
	const struct cs_nanite_contents *c;
	uint32_t n_loose, n_wrong, n_leaves, n_open; /* open: nodes that are not full */
};

static struct below nothing_below(void)
{
	struct below b = {.min_error = INFINITY, .max_parent_error = -INFINITY};
	for (int k = 0; k < 3; k++) {
		b.low[k] = b.finite_low[k] = INFINITY;
		b.high[k] = b.finite_high[k] = -INFINITY;
	}
	return b;
}

static void add(struct below *to, const struct below *from)
{
	for (int k = 0; k < 3; k++) {
		to->low[k] = fmin(to->low[k], from->low[k]);
		to->high[k] = fmax(to->high[k], from->high[k]);
		to->finite_low[k] = fmin(to->finite_low[k], from->finite_low[k]);
		to->finite_high[k] = fmax(to->finite_high[k], from->finite_high[k]);
	}
	to->min_error = fminf(to->min_error, from->min_error);
	to->max_parent_error = fmaxf(to->max_parent_error, from->max_parent_error);
	to->n_leaves += from->n_leaves;
	to->depth = from->depth > to->depth ? from->depth : to->depth;
}

/* Returns what is below a leaf of the hierarchy, from the clusters and the group of its part. */
static struct below below_leaf(const struct tree *t, const struct cs_model_part *part)
{
	const struct cs_model_group *group = &t->c->groups[part->group];
	struct below b = nothing_below();
	b.n_leaves = 1;
	b.min_error = group->min_error;
	b.max_parent_error = group->max_parent_error;
	for (uint32_t i = 0; i < part->n_clusters; i++) {
		const struct cs_model_cluster *c = &t->c->clusters[part->first_cluster + i];
		for (int k = 0; k < 3; k++) {
			double centre = (double)c->box_centre[k], extent = (double)c->box_extent[k];
			b.low[k] = fmin(b.low[k], centre - extent);
			b.high[k] = fmax(b.high[k], centre + extent);
		}
	}
	for (int k = 0; k < 3 && isfinite(group->max_parent_error); k++) {
		b.finite_low[k] = (double)group->centre[k] - (double)group->radius;
		b.finite_high[k] = (double)group->centre[k] + (double)group->radius;
	}
	return b;
}

static const struct cs_model_part *part_at(const struct tree *t, uint32_t node, uint32_t slot)
{
	for (size_t i = 0; i < t->c->n_parts; i++)
		if (t->c->parts[i].slot == CS_NODE_SLOTS * node + slot)
			return &t->c->parts[i];
	return NULL;
}

/*
 * Checks that a slot has the errors of everything below it, and a box that is hardly larger than
 * necessary.
 */
static void look_at_slot(
	struct tree *t, const struct cs_nanite_node *node, unsigned slot, const struct below *b)
{
	bool good = cs_half_value(node->box[slot].min_error) == b->min_error &&
		    cs_half_value(node->box[slot].max_parent_error) == b->max_parent_error;
	double half = 0, corner2 = 0, radius = (double)node->lod[slot].radius;
	for (int k = 0; k < 3; k++) {
		double centre = (double)node->box[slot].centre[k];
		double extent = (double)node->extent[slot].extent[k];
		double play = 1e-5 * (fabs(b->low[k]) + fabs(b->high[k])) + 1e-9;
		good = good && centre - extent <= b->low[k] && centre + extent >= b->high[k];
		t->n_loose +=
			centre - extent < b->low[k] - play || centre + extent > b->high[k] + play;
		/* as far as the spheres below reach along each axis */
		double ball = (double)node->lod[slot].centre[k];
		double slack = 1e-6 * (fabs(ball) + radius);
		good = good && ball - radius <= b->finite_low[k] + slack &&
		       ball + radius >= b->finite_high[k] - slack;
		half = fmax(half, (b->finite_high[k] - b->finite_low[k]) / 2);
		corner2 += pow((b->finite_high[k] - b->finite_low[k]) / 2, 2);
	}
	t->n_wrong += !good;
	/* around spheres, and around those that are around spheres */
	double most = b->depth < 2 ? sqrt(corner2) : half * pow(sqrt(3), b->depth);
	t->n_loose += half > 0 && radius > most * (1 + 1e-5);
}

static struct below walk(struct tree *t, uint32_t index)
{
	const struct cs_nanite_node *node = &t->r->nodes[index];
	struct below all = nothing_below();
	unsigned n = 0;
	for (unsigned slot = 0; slot < CS_NODE_SLOTS && node->pages[slot]; slot++, n++) {
		const struct cs_model_part *part = part_at(t, index, slot);
		struct below b;
		if (part) {
			b = below_leaf(t, part);
			t->n_leaves++;
		} else {
			b = walk(t, node->extent[slot].child);
			b.depth++;
		}
		look_at_slot(t, node, slot, &b);
		add(&all, &b);
	}
	t->n_open += n < CS_NODE_SLOTS;
	return all;
}

/*
 * Each level has a tree of its own, and one more tree has the roots of these as its leaves. Few
 * nodes may have an empty slot: two for each level, and one.
 */
static void judge_tree(const char *name, const struct made *m)
{
	struct tree t = {.r = m->resource, .c = m->contents};
	struct below all = walk(&t, 0);
	double parts = (double)m->contents->n_parts, levels = m->contents->n_levels;
	is_int(t.n_leaves, m->contents->n_parts, "%s: each part is a leaf of the hierarchy", name);
	is_int(t.n_wrong, 0, "%s: slots have the errors of what is below, and boxes around it",
		name);
	is_int(t.n_loose, 0, "%s: which are no larger than they must be", name);
	ok(t.n_open <= 2 * levels + 1, "%s: of %zu nodes %u are not full", name, t.r->n_nodes,
		t.n_open);
	ok(all.depth + 1 == m->contents->depth &&
			all.depth <= ceil(log(parts) / log(8)) + ceil(log(8 * levels) / log(8)),
		"%s: %g parts are %u nodes deep", name, parts, all.depth + 1);
}

static void test_hierarchy(void)
{
	static const uint32_t rows[] = {4, 8, 64, 1024, 4096};
	struct made m;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct torus torus = {.rows = rows[i], .uvs = 1, .centre = {-300, 9, 0}};
		char name[40];
		snprintf(name, sizeof(name), "torus of %" PRIu32, rows[i]);
		if (make_torus(name, &torus, &m))
			judge_tree(name, &m);
		unmake(&m);
	}
	if (make_mesh(CS_MESH_SEAMS, 40000, &m))
		judge_tree("seams", &m);
	unmake(&m);
}

/* ---- the report ---- */

/* Compares the report of the encoder with the tables that are decoded. */
static void judge_report(const char *name, const struct made *m)
{
	const struct cs_nanite_report *r = cs_nanite_report(m->resource);
	const struct cs_nanite_contents *c = m->contents;
	uint64_t starts = 0, codes = 0, ranges = 0, slow = 0, coded = 0;
	uint64_t vertices = 0, triangles = 0;
	for (size_t i = 0; i < c->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &c->clusters[i];
		starts += cluster->n_starts;
		codes += cluster->n_codes;
		ranges += cluster->n_materials;
		slow += cluster->n_materials > 3;
		coded += cluster->n_coded;
		vertices += cluster->n_vertices;
		triangles += cluster->n_triangles;
	}
	is_int(r->strip_starts, starts, "%s: starts of strips are counted", name);
	is_int(r->strip_references, codes, "%s: and their codes", name);
	is_int(r->material_ranges, ranges, "%s: ranges of materials", name);
	is_int(r->slow_clusters, slow, "%s: clusters with many of them", name);
	is_int(r->stored_vertices, vertices, "%s: vertices", name);
	is_int(r->vertex_references, vertices - coded, "%s: references among them", name);
	is_int(r->triangles - r->degenerate_triangles, triangles, "%s: triangles", name);
	const struct cs_nanite_summary sums = sums_of_contents(c);
	is_int(r->stored_bytes + r->fixup_bytes, sums.disk_bytes, "%s: bytes on disk", name);
	is_int(r->fixup_bytes, sums.fixup_bytes, "%s: of those fixups", name);
	is_int(r->page_bytes, sums.page_bytes, "%s: bytes of pages", name);
	is_int(r->gpu_bytes, sums.gpu_bytes, "%s: bytes when they are loaded", name);
	ok(r->clusters == c->n_clusters && r->groups == c->n_groups && r->parts == c->n_parts &&
			r->pages == c->n_pages,
		"%s: clusters, groups, parts and pages", name);
}

static void test_report(void)
{
	const struct torus torus = {.rows = 64, .uvs = 1, .materials = 9};
	struct made m;
	if (make_torus("nine materials", &torus, &m))
		judge_report("nine materials", &m);
	unmake(&m);
	if (make_mesh(CS_MESH_SEAMS, 5000, &m))
		judge_report("seams", &m);
	unmake(&m);
}

int main(void)
{
	test_report();
	test_atlas();
	test_hierarchy();
	return done();
}
