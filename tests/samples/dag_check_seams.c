/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the checks that nothing cracks. Edges are pairs of places; an edge counts +1 for each
 * triangle that runs along it and -1 for each that runs back, so in a surface without border the
 * sum is 0 everywhere. The border of a level is where the sum over all its clusters is not 0.
 *
 * C4: the sums over a group's clusters and over what it was made into are the same; a group at the
 * border of its level may move that border. So a surface without border has none on any level. That
 * is the exact test for all cuts. C5 tries some: a group that
 * is replaced lies under groups that are replaced, and the sum over the clusters shown is 0 but on
 * borders.
 */
#include "tests/samples/dag_check.h"

#include "core/job.h"
#include "core/random.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/vec.h"
#include "mesh/mesh_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge with its sums in two sets of triangles. */
struct edge {
	uint64_t places; /* lower and higher */
	int32_t sums[2];
};

struct seams {
	struct cs_dag_checker *c;
	uint32_t *places; /* by vertex */
	CS_VEC(struct cs_sort_key) keys;
	CS_VEC(struct edge) edges;      /* of what was added last */
	CS_VEC(uint64_t) border;        /* of all levels, each behind the other and ascending */
	size_t *border_starts;          /* by level */
	uint32_t *makers_starts, *made; /* clusters by the group that made them */
};

/* ---- sums ---- */

/* Adds the edges of a cluster; `set` is 0 or 1. */
static bool check_seams_add_cluster(struct seams *s, uint32_t cluster, uint32_t set)
{
	const struct cs_dag *dag = s->c->dag;
	const struct cs_cluster *k = &dag->clusters[cluster];
	const uint8_t *corners = dag->corners + 3 * (size_t)k->first_triangle;
	for (size_t e = 0; e < 3 * (size_t)k->n_triangles; e++) {
		uint32_t from = s->places[k->first_vertex + corners[e]];
		uint32_t to = s->places[k->first_vertex + corners[e % 3 == 2 ? e - 2 : e + 1]];
		bool up = from < to;
		struct cs_sort_key key = {
			.low = (uint64_t)(up ? from : to) << 32 | (up ? to : from),
			.index = (uint32_t)up << 1 | set,
		};
		if (!cs_vec_push(&s->keys, key))
			return false;
	}
	return true;
}

/* Sums up the edges that were added, and drops those whose sum is 0 in both sets. */
static bool check_seams_sum_up(struct seams *s)
{
	s->edges.n = 0;
	if (!cs_sort_keys(s->keys.at, s->keys.n))
		return false;
	for (size_t i = 0; i < s->keys.n;) {
		struct edge edge = {.places = s->keys.at[i].low};
		for (; i < s->keys.n && s->keys.at[i].low == edge.places; i++)
			edge.sums[s->keys.at[i].index & 1] += s->keys.at[i].index >> 1 ? 1 : -1;
		if ((edge.sums[0] || edge.sums[1]) && !cs_vec_push(&s->edges, edge))
			return false;
	}
	s->keys.n = 0;
	return true;
}

/* ---- borders ---- */

static bool check_seams_find_borders(struct seams *s)
{
	const struct cs_dag *dag = s->c->dag;
	for (uint32_t level = 0; level < dag->n_levels; level++) {
		s->border_starts[level] = s->border.n;
		for (uint32_t i = 0; i < dag->n_clusters; i++)
			if (dag->clusters[i].level == level && !check_seams_add_cluster(s, i, 0))
				return false;
		if (!check_seams_sum_up(s))
			return false;
		for (size_t i = 0; i < s->edges.n; i++)
			if (!cs_vec_push(&s->border, s->edges.at[i].places))
				return false;
	}
	s->border_starts[dag->n_levels] = s->border.n;
	return true;
}

static bool on_border(const struct seams *s, uint32_t level, uint64_t places)
{
	if (level >= s->c->dag->n_levels)
		return false;
	size_t end = s->border_starts[level + 1];
	size_t at = cs_lower_bound(s->border_starts[level], end, i, s->border.at[i] < places);
	return at < end && s->border.at[at] == places;
}

/* ---- C4 ---- */

/* made[makers_starts[g] ..) are the clusters that group g made. */
static void list_made(struct seams *s)
{
	const struct cs_dag *dag = s->c->dag;
	uint32_t *starts = s->makers_starts;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		if (dag->clusters[i].generating_group != CS_NONE)
			starts[dag->clusters[i].generating_group + 1]++;
	for (uint32_t g = 0; g < dag->n_groups; g++)
		starts[g + 1] += starts[g];
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		if (dag->clusters[i].generating_group != CS_NONE)
			s->made[starts[dag->clusters[i].generating_group]++] = i;
	for (uint32_t g = dag->n_groups; g > 0; g--)
		starts[g] = starts[g - 1];
	starts[0] = 0;
}

/* Returns whether the clusters that were added as set 0 touch the border of their level. */
static bool has_border(const struct seams *s, uint32_t level)
{
	for (size_t i = 0; i < s->edges.n; i++)
		if (s->edges.at[i].sums[0] && on_border(s, level, s->edges.at[i].places))
			return true;
	return false;
}

static bool check_seams_check_group(struct seams *s, uint32_t group)
{
	const struct cs_dag *dag = s->c->dag;
	const struct cs_cluster_group *g = &dag->groups[group];
	size_t open = 0;
	for (uint32_t i = 0; i < g->n_children; i++)
		if (!check_seams_add_cluster(s, dag->children[g->first_child + i], 0))
			return false;
	for (uint32_t i = s->makers_starts[group]; i < s->makers_starts[group + 1]; i++)
		if (!check_seams_add_cluster(s, s->made[i], 1))
			return false;
	if (!check_seams_sum_up(s))
		return false;
	bool bordered = has_border(s, g->level);
	for (size_t i = 0; i < s->edges.n; i++) {
		const struct edge *edge = &s->edges.at[i];
		bool on = bordered && (on_border(s, g->level, edge->places) ||
					      on_border(s, g->level + 1, edge->places));
		open += edge->sums[0] != edge->sums[1] && !on;
	}
	if (open)
		cs_dag_fault(s->c, "C4", "group %u: %zu edges of its seam changed", group, open);
	return true;
}

/* ---- C5 ---- */

/*
 * What decides which groups are replaced: an error as it is seen from a point, or the same error
 * everywhere.
 */
struct view {
	double error;
	bool camera;
	double eye[3];
};

static bool is_replaced(const struct cs_dag *dag, uint32_t group, const struct view *view)
{
	const struct cs_cluster_group *g = &dag->groups[group];
	const struct cs_sphere_f *s = &g->lod_bounds;
	double error = (double)g->max_parent_error;
	if (group + 1 == dag->n_groups || !view->camera)
		return group + 1 == dag->n_groups || error > view->error;
	double x = (double)s->x - view->eye[0], y = (double)s->y - view->eye[1];
	double z = (double)s->z - view->eye[2];
	double distance = sqrt(x * x + y * y + z * z) - (double)s->radius;
	return error > view->error * distance;
}

static void check_closed(struct seams *s, const bool *replaced, const char *what)
{
	const struct cs_dag *dag = s->c->dag;
	size_t holes = 0;
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		uint32_t maker = dag->clusters[i].generating_group;
		holes += maker != CS_NONE && replaced[maker] && !replaced[dag->clusters[i].group];
	}
	if (holes)
		cs_dag_fault(s->c, "C5",
			"%s: %zu clusters and what they were made of are both gone", what, holes);
}

static bool check_cut(struct seams *s, const struct view *view, bool *replaced)
{
	const struct cs_dag *dag = s->c->dag;
	const char *what = view->camera ? "a cut seen by a camera" : "a cut by error";
	size_t open = 0;
	for (uint32_t g = 0; g < dag->n_groups; g++)
		replaced[g] = is_replaced(dag, g, view);
	check_closed(s, replaced, what);
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		uint32_t maker = dag->clusters[i].generating_group;
		bool shown =
			replaced[dag->clusters[i].group] && (maker == CS_NONE || !replaced[maker]);
		if (shown && !check_seams_add_cluster(s, i, 0))
			return false;
	}
	if (!check_seams_sum_up(s))
		return false;
	for (size_t i = 0; i < s->edges.n; i++) {
		bool border = false;
		for (uint32_t level = 0; level < dag->n_levels && !border; level++)
			border = on_border(s, level, s->edges.at[i].places);
		open += !border;
	}
	if (open)
		cs_dag_fault(s->c, "C5", "%s: %zu open edges", what, open);
	return true;
}

static bool check_cuts(struct seams *s)
{
	const struct cs_dag *dag = s->c->dag;
	const struct cs_box_f *box = &dag->box;
	struct cs_random random = {dag->n_triangles};
	bool *replaced = calloc((size_t)dag->n_groups + 1, sizeof(*replaced)), good = replaced;
	double size = 0;
	for (int k = 0; k < 3; k++)
		size = fmax(size, (double)box->max[k] - (double)box->min[k]);
	for (uint32_t i = 0; good && i < 2 * s->c->check->cuts; i++) {
		uint32_t group = cs_random_below(&random, dag->n_groups);
		double error = (double)dag->groups[group].max_parent_error;
		struct view view = {.camera = i % 2, .error = error};
		for (int k = 0; k < 3; k++)
			view.eye[k] = cs_random_range(
				&random, (double)box->min[k] - size, (double)box->max[k] + size);
		/* seen from afar the same error is smaller */
		if (view.camera)
			view.error = fmin(error, size) / (size * (0.1 + cs_random_unit(&random)));
		good = check_cut(s, &view, replaced);
	}
	free(replaced);
	return good;
}

/* ---- all ---- */

static bool check_all(struct seams *s, const struct cs_job *job, struct cs_error **error)
{
	const struct cs_dag *dag = s->c->dag;
	if (!check_seams_find_borders(s))
		return false;
	list_made(s);
	for (uint32_t g = 0; g + 1 < dag->n_groups && !*error; g++) {
		if (!check_seams_check_group(s, g))
			return false;
		*error = g % 64 == 0 ? cs_job_check(job) : NULL;
	}
	return *error || check_cuts(s);
}

struct cs_error *cs_dag_check_seams(struct cs_dag_checker *c)
{
	const struct cs_dag *dag = c->dag;
	struct seams s = {
		.c = c,
		.places = malloc(((size_t)dag->n_vertices + 1) * sizeof(uint32_t)),
		.border_starts = calloc((size_t)dag->n_levels + 1, sizeof(size_t)),
		.makers_starts = calloc((size_t)dag->n_groups + 1, sizeof(uint32_t)),
		.made = malloc(((size_t)dag->n_clusters + 1) * sizeof(uint32_t)),
	};
	struct cs_error *error = NULL;
	if (!s.places || !s.border_starts || !s.makers_starts || !s.made)
		error = cs_error_nomem();
	if (!error)
		error = cs_mesh_places(dag->positions, dag->n_vertices, 1, s.places);
	if (!error && !check_all(&s, c->job, &error))
		error = cs_error_nomem();
	free(s.places);
	free(s.border_starts);
	free(s.makers_starts);
	free(s.made);
	cs_vec_free(&s.keys);
	cs_vec_free(&s.edges);
	cs_vec_free(&s.border);
	return error;
}
