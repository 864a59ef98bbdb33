/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds a DAG. Makes the leaf clusters. While a level has more than one cluster, makes the level's
 * graph, cuts it into groups, and simplifies all groups in parallel. Ends with the root group.
 */
#include "cluster/build.h"

#include "core/invariant.h"
#include "core/job.h"
#include "core/options.h"
#include "core/parallel.h"
#include "mesh/mesh_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cs_dag_deinit(struct cs_dag *dag)
{
	free(dag->positions);
	free(dag->normals);
	free(dag->colors);
	for (unsigned i = 0; i < CS_MAX_UVS; i++)
		free(dag->uvs[i]);
	free(dag->corners);
	free(dag->materials);
	free(dag->material_names);
	free(dag->uv_ranges);
	free(dag->clusters);
	free(dag->groups);
	free(dag->children);
	memset(dag, 0, sizeof(*dag));
}

/* ---- cutting a level into groups ---- */

/* Cuts the level's clusters into groups. A level of at most group_max clusters is one group. */
static struct cs_error *cut_groups(
	const struct cs_builder *builder, const struct cs_level *level, struct cs_partition *ret)
{
	struct cs_graph_arrays arrays = {0};
	const struct cs_dag_options *options = &builder->options;
	struct cs_partition_size size = {options->group_min, options->group_max,
		(float)options->group_min +
			0.62f * (float)(options->group_max - options->group_min)};
	struct cs_error *error = cs_level_graph(builder, level, &arrays);
	if (!error)
		error = cs_graph_link_islands(&arrays, options->group_min);
	struct cs_graph graph = cs_graph_of(&arrays);
	if (!error)
		error = cs_partition_graph(
			&graph, options->partitioner, size, builder->threads, ret);
	cs_graph_deinit(&arrays);
	return error;
}

/* Locks the vertices that share their position with another group, so that they do not move. */
static struct cs_error *lock(const struct cs_level *level, struct cs_grouping *grouping)
{
	enum { SHARED = CS_NONE - 1 };
	uint32_t *owner = malloc(((size_t)level->n_places + 1) * sizeof(*owner));
	if (!owner)
		return cs_error_nomem();
	memset(owner, 0xff, level->n_places * sizeof(*owner));
	for (uint32_t i = 0; i < level->n; i++)
		for (uint32_t e = level->starts[i]; e < level->starts[i + 1]; e++) {
			uint32_t *of = &owner[level->edges[e].place];
			*of = *of == CS_NONE || *of == grouping->group_of[i] ? grouping->group_of[i]
									     : SHARED;
		}
	for (uint32_t i = 0; i < level->n; i++)
		for (uint32_t e = level->starts[i]; e < level->starts[i + 1]; e++)
			if (owner[level->edges[e].place] == SHARED)
				cs_vertex_set_add(&grouping->locked[i], level->edges[e].from);
	free(owner);
	return NULL;
}

static void grouping_deinit(struct cs_grouping *grouping)
{
	free(grouping->group_of);
	free(grouping->locked);
}

static struct cs_error *grouping_init(
	const struct cs_level *level, const struct cs_partition *groups, struct cs_grouping *ret)
{
	struct cs_grouping grouping = {
		.level = level,
		.groups = groups,
		.group_of = malloc(((size_t)level->n + 1) * sizeof(uint32_t)),
		.locked = calloc((size_t)level->n + 1, sizeof(struct cs_vertex_set)),
	};
	struct cs_error *error = NULL;
	if (!grouping.group_of || !grouping.locked)
		error = cs_error_nomem();
	for (uint32_t i = 0; !error && i < groups->n_parts; i++)
		for (uint32_t k = groups->starts[i]; k < groups->starts[i + 1]; k++)
			grouping.group_of[groups->order[k]] = i;
	if (!error)
		error = lock(level, &grouping);
	if (error)
		grouping_deinit(&grouping);
	else
		*ret = grouping;
	return error;
}

/* ---- simplifying the groups of a level ---- */

enum { BATCH = 64, MOST_CHILDREN = 128 };

struct round {
	struct cs_builder *builder;
	const struct cs_grouping *grouping;
	uint32_t first;
	struct cs_batch batches[BATCH];
	struct cs_cluster_group groups[BATCH];
	struct cs_dag_report reports[BATCH];
	struct cs_error *errors[BATCH];
};

static void reduce_groups(void *context, size_t begin, size_t end, int thread)
{
	struct round *this_round = context;
	for (size_t i = begin; i < end; i++)
		this_round->errors[i] = cs_reduce_group(this_round->builder, this_round->grouping,
			this_round->first + (uint32_t)i, thread, &this_round->reports[i],
			&this_round->batches[i], &this_round->groups[i]);
}

void cs_dag_report_add(struct cs_dag_report *to, const struct cs_dag_report *from)
{
	to->stuck_groups += from->stuck_groups;
	to->forced += from->forced;
	to->duplicates += from->duplicates;
	to->dropped += from->dropped;
	to->merge_seconds += from->merge_seconds;
	to->simplify_seconds += from->simplify_seconds;
	to->deviation_seconds += from->deviation_seconds;
	to->split_seconds += from->split_seconds;
}

static bool equal_spheres(struct cs_sphere_f left, struct cs_sphere_f right)
{
	return left.x == right.x && left.y == right.y && left.z == right.z &&
	       left.radius == right.radius;
}

static uint64_t hash_sphere(struct cs_sphere_f sphere)
{
	return XXH3_64bits(&sphere, sizeof(sphere));
}

static uint64_t build_hash_group(const void *context, uint32_t group)
{
	const struct cs_dag *dag = context;
	return hash_sphere(dag->groups[group].lod_bounds);
}

/*
 * Ensures that no earlier group has the same LOD sphere as this group: raises the radius to the
 * next float until the sphere is unique. Resource files store no generating groups, so readers find
 * the generating group of a cluster by its sphere. Equal surfaces with one centre, such as crossed
 * planes of foliage, often have equal spheres and errors. Returns false when memory runs out.
 */
static bool set_sphere_apart(
	struct cs_builder *builder, struct cs_batch *batch, struct cs_cluster_group *group)
{
	const struct cs_dag *dag = &builder->dag;
	if (!cs_slots_grow(&builder->spheres, build_hash_group, dag))
		return false;
	uint32_t *slot;
	for (;;) {
		slot = cs_slots_find(&builder->spheres, hash_sphere(group->lod_bounds), other,
			equal_spheres(dag->groups[other].lod_bounds, group->lod_bounds));
		if (!*slot)
			break;
		group->lod_bounds.radius = nextafterf(group->lod_bounds.radius, INFINITY);
	}
	cs_slots_put(&builder->spheres, slot, dag->n_groups);
	for (uint32_t k = 0; k < batch->n_clusters; k++)
		batch->clusters[k].lod_bounds = group->lod_bounds;
	return true;
}

/* Adds a group to the DAG, and sets `generating_group` of the group's parents to its index. */
static struct cs_error *add_group(struct cs_builder *builder, const struct cs_grouping *grouping,
	uint32_t i, struct cs_batch *batch, struct cs_cluster_group *group)
{
	const struct cs_partition *groups = grouping->groups;
	uint32_t n = groups->starts[i + 1] - groups->starts[i];
	if (!set_sphere_apart(builder, batch, group))
		return cs_error_nomem();
	uint32_t *children = malloc(((size_t)n + 1) * sizeof(*children));
	if (!children)
		return cs_error_nomem();
	for (uint32_t k = 0; k < n; k++)
		children[k] = grouping->level->first + groups->order[groups->starts[i] + k];
	for (uint32_t k = 0; k < batch->n_clusters; k++)
		batch->clusters[k].generating_group = builder->dag.n_groups;
	struct cs_error *error = cs_builder_add_group(builder, group, children);
	free(children);
	return error;
}

/* Runs one round: simplifies up to BATCH groups in parallel, and adds them to the DAG in order. */
static struct cs_error *run_round(
	struct cs_builder *builder, const struct cs_grouping *grouping, uint32_t first)
{
	uint32_t left = grouping->groups->n_parts - first, n = left < BATCH ? left : BATCH;
	struct round this_round = {.builder = builder, .grouping = grouping, .first = first};
	cs_parallel_for(builder->threads, n, 1, reduce_groups, &this_round);
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (error)
			cs_error_free(this_round.errors[i]);
		else
			error = this_round.errors[i];
		if (!error)
			error = add_group(builder, this_round.grouping, this_round.first + i,
				&this_round.batches[i], &this_round.groups[i]);
		if (!error)
			cs_dag_report_add(&builder->report, &this_round.reports[i]);
	}
	if (!error)
		error = cs_builder_append(builder, this_round.batches, n);
	for (uint32_t i = 0; i < n; i++)
		cs_batch_deinit(&this_round.batches[i]);
	return error;
}

static struct cs_error *reduce_level(struct cs_builder *builder)
{
	struct cs_level level = {0};
	struct cs_partition groups = {0};
	struct cs_grouping grouping = {0};
	double start = cs_seconds();
	struct cs_error *error = cs_level_init(builder, &level);
	if (!error)
		error = cut_groups(builder, &level, &groups);
	if (!error)
		error = grouping_init(&level, &groups, &grouping);
	builder->report.group_seconds += cs_seconds() - start;
	for (uint32_t i = 0; !error && i < groups.n_parts; i += BATCH) {
		error = cs_job_check(builder->job);
		if (!error)
			error = run_round(builder, &grouping, i);
		cs_job_progress(builder->job, "simplify", i, groups.n_parts);
	}
	builder->level_first = level.first + level.n;
	grouping_deinit(&grouping);
	cs_partition_deinit(&groups);
	cs_level_deinit(&level);
	return error;
}

/*
 * Raises the limits of the group size after a level whose number of clusters hardly fell because
 * edges at seams are locked. Returns E_MESH when the limits are already the largest.
 */
static struct cs_error *enlarge_groups(struct cs_builder *builder, uint32_t n)
{
	struct cs_dag_options *options = &builder->options;
	if (options->group_max == MOST_CHILDREN)
		return cs_error_new(CS_E_MESH,
			"simplification cannot reduce the %u clusters of level %u (0 is the "
			"finest): too many edges of the mesh are open borders or seams, or too "
			"many surfaces lie on each other; weld its vertices or remove copies",
			n, builder->dag.n_levels - 1);
	options->group_min = options->group_max / 2;
	options->group_max =
		options->group_max < MOST_CHILDREN / 2 ? 2 * options->group_max : MOST_CHILDREN;
	builder->report.enlarged++;
	return NULL;
}

static struct cs_error *reduce_levels(struct cs_builder *builder)
{
	struct cs_error *error = NULL;
	uint32_t n = builder->dag.n_clusters;
	for (builder->dag.n_levels = 1; n > 1 && !error; builder->dag.n_levels++) {
		error = reduce_level(builder);
		uint32_t parents = builder->dag.n_clusters - builder->level_first;
		if (!error && 10 * (uint64_t)parents > 9 * (uint64_t)n)
			error = enlarge_groups(builder, n);
		n = parents;
	}
	return error;
}

/* ---- the root group ---- */

static struct cs_error *add_root(struct cs_builder *builder)
{
	uint32_t root = builder->dag.n_clusters - 1;
	const struct cs_cluster *cluster = &builder->dag.clusters[root];
	struct cs_cluster_group group = {
		.n_children = 1,
		.level = cluster->level,
		.min_lod_error = -1,
		.max_parent_error = CS_ROOT_PARENT_ERROR,
		.bounds = cluster->bounds,
	};
	return cs_builder_add_group(builder, &group, &root);
}

static void describe(struct cs_builder *builder)
{
	struct cs_dag *dag = &builder->dag;
	struct cs_box box = cs_mesh_box(builder->mesh);
	const double ends[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
	for (int k = 0; k < 3; k++) {
		dag->box.min[k] = (float)ends[k];
		dag->box.max[k] = (float)ends[k + 3];
	}
	dag->n_input_triangles = builder->source->n_triangles;
	dag->n_input_vertices = builder->source->n_vertices;
	dag->n_materials = builder->source->n_materials;
	dag->n_meshes = 1;
	dag->on_grid = true;
	dag->precision = builder->rounded.precision;
	builder->report.input_triangles = builder->source->n_triangles;
	builder->report.input_vertices = builder->source->n_vertices;
	builder->report.triangles = dag->n_triangles;
	builder->report.vertices = dag->n_vertices;
	builder->report.clusters = dag->n_clusters;
	builder->report.groups = dag->n_groups;
	builder->report.levels = dag->n_levels;
	builder->report.root_triangles = dag->clusters[dag->n_clusters - 1].n_triangles;
}

/* ---- building the DAG ---- */

static struct cs_error *check_options(const struct cs_dag_options *options)
{
	const double weights[] = {
		options->normal_weight, options->color_weight, options->uv_weight};
	static const char *const kinds[] = {"normals", "colours", "UVs"};
	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		if (!(weights[i] >= 0 && weights[i] <= 1e6))
			return cs_error_new(CS_E_SETTING,
				"the weight of %s must be 0 to 1e6, not %g", kinds[i], weights[i]);
	if ((unsigned)options->error > CS_DAG_ERROR_QUADRIC)
		return cs_error_new(CS_E_SETTING,
			"the option `error`, which measures simplification, must be 0 (bound) or 1 "
			"(quadric), not %d",
			(int)options->error);
	if (options->group_min < 2 || options->group_min > options->group_max ||
		options->group_max > MOST_CHILDREN)
		return cs_error_new(CS_E_SETTING,
			"group_min and group_max, the clusters of a group, must be 2 to %d, the "
			"first not above the second, not %u and %u",
			MOST_CHILDREN, options->group_min, options->group_max);
	return NULL;
}

/*
 * Returns whether the cluster has the error and the LOD sphere of its generating group (the group
 * that was simplified into it).
 */
static bool is_as_its_maker(const struct cs_dag *dag, const struct cs_cluster *cluster)
{
	const struct cs_cluster_group *maker = &dag->groups[cluster->generating_group];
	return cluster->lod_error == maker->max_parent_error &&
	       equal_spheres(cluster->lod_bounds, maker->lod_bounds);
}

static bool cs_cluster_holds(const struct cs_dag *dag, const struct cs_cluster *cluster)
{
	return cluster->n_triangles <= CS_CLUSTER_TRIANGLES &&
	       cluster->n_vertices <= CS_CLUSTER_VERTICES && cluster->group < dag->n_groups &&
	       cluster->lod_error <= dag->groups[cluster->group].max_parent_error &&
	       (cluster->generating_group == CS_NONE || is_as_its_maker(dag, cluster));
}

/*
 * Returns whether every cluster is in exactly one group: there are as many children as clusters,
 * and the member `group` of each child is the group that lists it.
 */
static bool cs_dag_holds(const struct cs_dag *dag)
{
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		if (!cs_cluster_holds(dag, &dag->clusters[i]))
			return false;
	for (uint32_t g = 0; g < dag->n_groups; g++)
		for (uint32_t i = 0; i < dag->groups[g].n_children; i++)
			if (dag->clusters[dag->children[dag->groups[g].first_child + i]].group != g)
				return false;
	return dag->n_children == dag->n_clusters &&
	       dag->groups[dag->n_groups - 1].max_parent_error == CS_ROOT_PARENT_ERROR;
}

static struct cs_error *run(struct cs_builder *builder)
{
	double start = cs_seconds();
	struct cs_error *error = cs_job_check(builder->job);
	if (!error)
		error = cs_build_leaves(builder);
	if (!error)
		error = reduce_levels(builder);
	if (!error)
		error = add_root(builder);
	CS_INVARIANT(error || cs_dag_holds(&builder->dag),
		"every cluster is in one group, errors never fall, parents share those of theirs");
	if (!error)
		describe(builder);
	builder->report.seconds = cs_seconds() - start;
	return error;
}

struct cs_error *cs_dag_build_on_grid(const struct cs_mesh *mesh,
	const struct cs_dag_options *options, int32_t precision, const struct cs_job *job,
	struct cs_dag_report *report_ret, struct cs_dag **ret)
{
	struct cs_dag_options defaults = cs_dag_options_default();
	struct cs_builder builder = {
		.source = mesh, .mesh = mesh, .precision = precision, .job = job};
	struct cs_error *error = cs_options_read(options ? options : &defaults, sizeof(defaults),
		&builder.options, sizeof(builder.options));
	if (!error)
		error = check_options(&builder.options);
	if (!error)
		error = cs_grid_check(precision);
	if (error)
		return error;
	builder.threads = cs_parallel_threads(cs_job_threads(job));
	builder.dag.n_uvs = mesh->n_uvs;
	builder.scratch = calloc((size_t)builder.threads, sizeof(*builder.scratch));
	struct cs_dag *dag = calloc(1, sizeof(*dag));
	error = builder.scratch && dag ? run(&builder) : cs_error_nomem();
	for (int i = 0; builder.scratch && i < builder.threads; i++)
		cs_scratch_deinit(&builder.scratch[i]);
	free(builder.scratch);
	cs_slots_deinit(&builder.spheres);
	cs_vec_free(&builder.errors);
	cs_rounded_deinit(&builder.rounded, mesh);
	free(builder.exact);
	if (error) {
		cs_dag_deinit(&builder.dag);
		free(dag);
		return error;
	}
	*dag = builder.dag;
	*ret = dag;
	if (report_ret)
		*report_ret = builder.report;
	return NULL;
}

struct cs_error *cs_dag_build(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	const struct cs_job *job, struct cs_dag_report *report_ret, struct cs_dag **ret)
{
	return cs_dag_build_on_grid(mesh, options, CS_PRECISION_AUTO, job, report_ret, ret);
}

void cs_dag_free(struct cs_dag *dag)
{
	if (dag)
		cs_dag_deinit(dag);
	free(dag);
}
