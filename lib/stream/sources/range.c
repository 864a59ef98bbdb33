/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes what the shapes of sources reach (rule 2.2.4), which cells are excluded, and the sort
 * keys of a cell (rule 2.3.5). hits.c and kept.c find the cells that are reached.
 *
 * Sort keys are computed only for cells that wait: a hit that has its wanted state costs only the
 * test of its box.
 */
#include "core/geometry.h"
#include "stream/stream_internal.h"
#include <cellscope/cooked_values.h>

#include <math.h>

static double overridden_range(
	const struct cs_run_world *world, const double *overridden, uint32_t partition)
{
	return overridden[partition] >= 0
		       ? overridden[partition]
		       : fmax(0, world->model.cooked->partitions[partition].loading_range);
}

double cs_run_range(const struct cs_run_world *world, uint32_t partition)
{
	return overridden_range(world, world->reached.ranges, partition);
}

/* Returns the grid's loading range in the last evaluation, or the current one if there is none. */
static double decided_range(const struct cs_run_world *world, uint32_t partition)
{
	const struct cs_run_reached *reached = &world->reached;
	bool known = world->policy.decided;
	return overridden_range(
		world, known ? reached->decided_ranges : reached->ranges, partition);
}

/* ---- targets (one shape of one source in one grid) ---- */

static bool culls_z(const struct cs_cooked_partition *partition, double forced)
{
	if (partition->partition_class != CS_PARTITION_SPATIAL_GRID)
		return false;
	return forced < 0 ? (partition->flags & CS_PARTITION_Z_CULLING) != 0 : forced > 0;
}

static struct cs_run_space space_of(
	const struct cs_run_world *world, uint32_t partition, double z_culling)
{
	const struct cs_run_partition *run_partition = &world->model.partitions[partition];
	return (struct cs_run_space){
		.inverse = world->standing.transformed ? &world->standing.inverse : NULL,
		.yaw = world->standing.yaw,
		.flat = run_partition->flat,
		.strict = run_partition->spatial_hash,
		.z_culled = culls_z(&world->model.cooked->partitions[partition], z_culling),
	};
}

bool cs_run_stands_take(const struct cs_stream *stream, struct cs_run_world *world)
{
	world->reached.stands.n = 0;
	if (!cs_vec_reserve(&world->reached.stands, stream->sources.active.n))
		return false;
	for (size_t i = 0; i < stream->sources.active.n; i++)
		world->reached.stands.at[world->reached.stands.n++] =
			stream->sources.active.at[i].evaluated;
	world->reached.stands_version = stream->sources.version;
	return true;
}

/*
 * Returns a source at its position in the last evaluation of the world partition. If the source was
 * not active then, the position is that of the last evaluation of any world partition.
 */
static struct cs_run_origin origin_of(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t at)
{
	const struct cs_run_source *source = &stream->sources.active.at[at];
	bool known = world->reached.stands_version == stream->sources.version &&
		     at < world->reached.stands.n;
	const struct cs_run_stand *stand =
		known ? &world->reached.stands.at[at] : &source->evaluated;
	return (struct cs_run_origin){
		.source = &source->source,
		.location = stand->location,
		.velocity = stand->velocity,
		.rotation = stand->rotation,
		.extra_radius = source->extra_radius,
		.extra_angle = source->extra_angle,
	};
}

static const struct cs_stream_shape *shape_of(const struct cs_stream_source *source, uint32_t shape)
{
	return shape < source->n_shapes ? &source->shapes[shape] : NULL;
}

struct cs_run_target cs_run_target_make(const struct cs_stream *stream,
	const struct cs_run_world *world, uint32_t partition, uint32_t source, uint32_t shape)
{
	struct cs_run_space space = space_of(world, partition, world->policy.terms.z_culling);
	struct cs_run_origin origin = origin_of(stream, world, source);
	return (struct cs_run_target){cs_run_reach_of(&origin, shape_of(origin.source, shape),
					      decided_range(world, partition), &space),
		source, shape};
}

static bool add_targets(const struct cs_stream *stream, struct cs_run_world *world,
	uint32_t partition, uint32_t source, const struct cs_run_space *space)
{
	struct cs_run_origin origin = origin_of(stream, world, source);
	uint32_t n = origin.source->n_shapes ? origin.source->n_shapes : 1;
	if (!cs_vec_reserve(&world->reached.targets, n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		world->reached.targets.at[world->reached.targets.n++] =
			(struct cs_run_target){cs_run_reach_of(&origin, shape_of(origin.source, i),
						       decided_range(world, partition), space),
				source, i};
	return true;
}

bool cs_run_targets_prepare(const struct cs_stream *stream, struct cs_run_world *world)
{
	const struct cs_cooked *cooked = world->model.cooked;
	world->reached.targets.n = 0;
	world->reached.target_version = stream->sources.version;
	for (uint32_t p = 0; p < cooked->n_partitions; p++) {
		const char *name = cs_cooked_text(cooked, cooked->partitions[p].name);
		struct cs_run_space space = space_of(world, p, world->policy.terms.z_culling);
		world->reached.target_first[p] = (uint32_t)world->reached.targets.n;
		if (world->model.partitions[p].index.n == 0)
			continue;
		for (uint32_t i = 0; i < stream->sources.active.n; i++)
			if (cs_run_source_accepts(&stream->sources.active.at[i].source, name) &&
				!add_targets(stream, world, p, i, &space))
				return false;
	}
	world->reached.target_first[cooked->n_partitions] = (uint32_t)world->reached.targets.n;
	return true;
}

bool cs_run_has_many_targets(const struct cs_run_world *world, uint32_t partition)
{
	enum { FEW = 4 };
	return world->reached.target_first[partition + 1] - world->reached.target_first[partition] >
	       FEW;
}

void cs_run_targets_drop(struct cs_run_world *world)
{
	world->reached.targets.n = 0;
	memset(world->reached.target_first, 0,
		(world->model.cooked->n_partitions + 1) * sizeof(*world->reached.target_first));
}

bool cs_run_targets_refresh(const struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		if (world->reached.target_version == stream->sources.version)
			continue;
		if (!world->policy.decided)
			cs_run_targets_drop(world);
		else if (!cs_run_targets_prepare(stream, world))
			return false;
	}
	return true;
}

static bool is_flat(const struct cs_run_model *model, uint32_t cell)
{
	return (model->flags[cell] & CS_CELL_2D) != 0;
}

bool cs_run_target_keeps(
	const struct cs_run_world *world, const struct cs_run_target *target, uint32_t cell)
{
	if (!target->reach.sector && !target->reach.z_culled)
		return true;
	return cs_run_reach_keeps(&target->reach, cs_run_tested_box(&world->model, cell),
		cs_run_content_box(&world->model, cell), is_flat(&world->model, cell));
}

bool cs_run_target_hits(
	const struct cs_run_world *world, const struct cs_run_target *target, uint32_t cell)
{
	const struct cs_box *box = cs_run_tested_box(&world->model, cell);
	struct cs_ball ball = target->reach.ball;
	ball.flat = ball.flat || is_flat(&world->model, cell);
	return cs_box_valid(box) && cs_ball_hits(&ball, box) &&
	       cs_run_target_keeps(world, target, cell);
}

bool cs_run_client_finds(const struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_run_source *source)
{
	const struct cs_cooked *cooked = world->model.cooked;
	const struct cs_run_origin origin = {&source->source, source->source.location,
		source->velocity, source->source.rotation, source->source.extra_radius,
		source->source.extra_angle};
	uint32_t n = source->source.n_shapes ? source->source.n_shapes : 1;
	for (uint32_t p = 0; p < cooked->n_partitions; p++) {
		struct cs_run_space space =
			space_of(world, p, cs_run_number(stream, CS_VAR_Z_CULLING));
		if (!cs_run_source_accepts(
			    &source->source, cs_cooked_text(cooked, cooked->partitions[p].name)))
			continue;
		for (uint32_t i = 0; i < n; i++) {
			size_t kept = world->policy.found.n, begin = kept;
			struct cs_run_target target = {
				cs_run_reach_of(&origin, shape_of(&source->source, i),
					cs_run_range(world, p), &space),
				0, i};
			if (!cs_rtree_query(&world->model.partitions[p].index, &target.reach.ball,
				    &world->policy.found))
				return false;
			for (size_t k = begin; k < world->policy.found.n; k++)
				if (cs_run_target_keeps(world, &target, world->policy.found.at[k]))
					world->policy.found.at[kept++] = world->policy.found.at[k];
			world->policy.found.n = kept;
		}
	}
	return true;
}

/* ---- cells that are excluded ---- */

/* Whether client-only cells and HLODs are absent: on servers, except listen servers that stream. */
static bool absent_on_role(const struct cs_stream *stream, const struct cs_run_world *world)
{
	return stream->role == CS_ROLE_DEDICATED_SERVER ||
	       (stream->role == CS_ROLE_LISTEN_SERVER && !cs_run_server_streams(stream, world));
}

enum cs_reason cs_run_cell_excluded(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	uint16_t flags = world->model.flags[cell];
	const struct cs_run_model_cell *row = &world->model.cells[cell];
	double level = world->policy.terms.level;
	if ((flags & (CS_CELL_CLIENT_ONLY | CS_CELL_HLOD)) && absent_on_role(stream, world))
		return CS_REASON_CLIENT_ONLY;
	if ((flags & CS_CELL_HLOD) && !world->policy.terms.hlods &&
		!(flags & CS_CELL_ALWAYS_LOADED))
		return CS_REASON_HLOD_OFF;
	if (level >= 0 && (flags & CS_CELL_SPATIAL) &&
		world->model.partitions[row->partition].spatial_hash && row->level != (int)level)
		return CS_REASON_LEVEL_FILTER;
	return CS_REASON_NONE;
}

bool cs_run_excludes_any(const struct cs_stream *stream, const struct cs_run_world *world)
{
	return !world->policy.terms.hlods || absent_on_role(stream, world) ||
	       world->policy.terms.level >= 0;
}

/* ---- sort keys ---- */

static void aim(const struct cs_stream *stream, const struct cs_run_world *world,
	struct cs_run_target *target, uint32_t p)
{
	if (target->reach.aimed)
		return;
	struct cs_run_space space = space_of(world, p, world->policy.terms.z_culling);
	struct cs_run_origin origin = origin_of(stream, world, target->source);
	cs_run_reach_aim(&target->reach, &origin, shape_of(origin.source, target->shape), &space);
}

/* Combines distance and angle (rule 2.3.5): their product, before 5.3 a weighted sum. */
double cs_run_spatial_key(const struct cs_stream *stream, const struct cs_run_metric *metric)
{
	double weight = cs_run_number(stream, CS_VAR_ANGLE_WEIGHT);
	if (stream->rules->angle_weight)
		return metric->near * (1 - weight) + metric->aside * weight;
	return metric->near * metric->aside;
}

struct cs_run_metric cs_run_target_metric(const struct cs_stream *stream,
	const struct cs_run_world *world, struct cs_run_target *target, uint32_t cell)
{
	aim(stream, world, target, world->model.cells[cell].partition);
	return cs_run_reach_metric(&target->reach, cs_run_content_box(&world->model, cell),
		is_flat(&world->model, cell));
}

static double centre_distance2(const struct cs_run_reach *reach, const struct cs_box *content)
{
	struct cs_vec3 centre = cs_box_centre(content);
	double x = centre.x - reach->ball.centre.x, y = centre.y - reach->ball.centre.y;
	return x * x + y * y;
}

/* Updates a cell's sort keys with a target that reaches it. Targets may be given in any order. */
static void learn(const struct cs_stream *stream, struct cs_run_world *world, uint32_t target,
	uint32_t cell, struct cs_run_info *info)
{
	const struct cs_box *content = cs_run_content_box(&world->model, cell);
	const struct cs_run_target *t = &world->reached.targets.at[target];
	const struct cs_stream_source *source = &stream->sources.active.at[t->source].source;
	aim(stream, world, &world->reached.targets.at[target], world->model.cells[cell].partition);
	struct cs_run_metric metric =
		cs_run_reach_metric(&t->reach, content, is_flat(&world->model, cell));
	double spatial = cs_run_spatial_key(stream, &metric);
	double distance2 = centre_distance2(&t->reach, content);
	bool first = info->hits++ == 0;
	if (first || spatial < info->keys.spatial ||
		(spatial == info->keys.spatial && target < info->target)) {
		info->keys.spatial = spatial;
		info->target = target;
	}
	if (first || source->priority < info->keys.source_priority)
		info->keys.source_priority = source->priority;
	info->keys.distance2 = first ? distance2 : fmin(info->keys.distance2, distance2);
	info->ratio = fmin(info->ratio, metric.ratio);
	if (!source->block_on_slow)
		return;
	info->blocking = true;
	if (metric.ratio < info->blocking_ratio ||
		(metric.ratio == info->blocking_ratio && target < info->blocking_target)) {
		info->blocking_ratio = metric.ratio;
		info->blocking_target = target;
	}
}

static bool touched_by(
	const struct cs_run_world *world, const struct cs_run_hit *hit, uint32_t target)
{
	for (uint32_t i = hit ? hit->touch : CS_NONE; i != CS_NONE;
		i = world->reached.touches.at[i].next)
		if (world->reached.touches.at[i].target == target)
			return true;
	return false;
}

/*
 * Initializes a cell's sort keys. Returns false if sources do not affect them, because the cell is
 * not spatial, its layers are unloaded, or the cell is excluded.
 */
static bool begin_info(const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	struct cs_run_info *ret)
{
	const struct cs_run_model_cell *row = &world->model.cells[cell];
	*ret = (struct cs_run_info){
		.keys = {.hierarchical_level = row->hierarchical_level,
			.cell_priority = row->priority},
		.target = CS_NONE,
		.blocking_ratio = INFINITY,
		.blocking_target = CS_NONE,
		.ratio = INFINITY,
	};
	if (!(world->model.flags[cell] & CS_CELL_SPATIAL))
		return false; /* not spatial: no source affects its keys, which sort first */
	ret->keys.source_priority = CS_PRIORITY_LOWEST;
	ret->keys.spatial = 1;
	return cs_run_layers_allow(stream, world, cell) != CS_LAYER_UNLOADED &&
	       !cs_run_cell_excluded(stream, world, cell);
}

void cs_run_cell_info(const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	struct cs_run_info *ret)
{
	uint32_t partition = world->model.cells[cell].partition;
	const struct cs_run_hit *hit = cs_run_find_hit(world, cell);
	if (!begin_info(stream, world, cell, ret))
		return;
	for (uint32_t i = world->reached.target_first[partition];
		i < world->reached.target_first[partition + 1]; i++)
		if (cs_run_target_hits(world, &world->reached.targets.at[i], cell) ||
			touched_by(world, hit, i))
			learn(stream, world, i, cell, ret);
}

void cs_run_hit_info(const struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_run_hit *hit, struct cs_run_info *ret)
{
	if (!cs_run_has_many_targets(world, world->model.cells[hit->cell].partition)) {
		cs_run_cell_info(stream, world, hit->cell, ret);
		return;
	}
	if (!begin_info(stream, world, hit->cell, ret))
		return;
	for (uint32_t i = hit->touch; i != CS_NONE; i = world->reached.touches.at[i].next)
		learn(stream, world, world->reached.touches.at[i].target, hit->cell, ret);
}

enum cs_layer_state cs_run_sources_ask(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	uint32_t partition = world->model.cells[cell].partition;
	enum cs_layer_state most = CS_LAYER_UNLOADED;
	for (uint32_t i = world->reached.target_first[partition];
		i < world->reached.target_first[partition + 1]; i++) {
		const struct cs_run_target *target = &world->reached.targets.at[i];
		enum cs_layer_state asked = stream->sources.active.at[target->source].source.target;
		if (asked > most && cs_run_target_hits(world, target, cell))
			most = asked;
	}
	return most;
}

/* ---- writing and reading the loading ranges ---- */

void cs_run_ranges_code(struct cs_codec *codec, double *ranges, size_t n)
{
	uint32_t end = CS_NONE;
	for (uint32_t i = 0; codec->in && i < n; i++)
		ranges[i] = -1;
	for (uint32_t i = 0; codec->out && i < n; i++) {
		if (ranges[i] < 0)
			continue;
		cs_code_u32(codec, &i);
		cs_code_f64(codec, &ranges[i]);
	}
	cs_code_u32(codec, &end);
	while (codec->in && end < n) {
		cs_code_f64(codec, &ranges[end]);
		cs_code_u32(codec, &end);
	}
}

/* ---- creating and freeing ---- */

bool cs_run_reached_init(struct cs_run_reached *reached, size_t n_partitions, size_t n_cells)
{
	reached->ranges = malloc((n_partitions + 1) * sizeof(*reached->ranges));
	reached->decided_ranges = malloc((n_partitions + 1) * sizeof(*reached->decided_ranges));
	reached->target_first = calloc(n_partitions + 1, sizeof(*reached->target_first));
	reached->hit_slot = calloc(n_cells + 1, sizeof(*reached->hit_slot));
	reached->free_touch = CS_NONE;
	if (!reached->ranges || !reached->decided_ranges || !reached->target_first ||
		!reached->hit_slot)
		return false;
	for (size_t i = 0; i < n_partitions; i++)
		reached->ranges[i] = reached->decided_ranges[i] = -1;
	return true;
}

void cs_run_reached_deinit(struct cs_run_reached *reached)
{
	free(reached->ranges);
	free(reached->decided_ranges);
	free(reached->target_first);
	free(reached->hit_slot);
	cs_vec_free(&reached->hits);
	cs_vec_free(&reached->touches);
	cs_vec_free(&reached->targets);
	cs_vec_free(&reached->stands);
	for (size_t i = 0; i < reached->kept.n; i++)
		cs_near_deinit(&reached->kept.at[i].near);
	cs_vec_free(&reached->kept);
}
