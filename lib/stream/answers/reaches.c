/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers questions about distances: how far each shape of each source is from a cell, which shape
 * is nearest, and the sort keys of a cell. Nothing in this file decides about a cell. All distances
 * are from the positions of the sources when the cell's world partition was evaluated.
 */
#include "stream/stream_internal.h"

#include <math.h>

/*
 * Returns the target (what a shape of a source reaches in the partition) of the last evaluation. If
 * there is none, because the grid filter of the source excludes the partition, computes the target.
 */
static struct cs_run_target target_of(const struct cs_stream *stream,
	const struct cs_run_world *world, uint32_t partition, uint32_t source, uint32_t shape)
{
	for (uint32_t i = world->reached.target_first[partition];
		i < world->reached.target_first[partition + 1]; i++)
		if (world->reached.targets.at[i].source == source &&
			world->reached.targets.at[i].shape == shape)
			return world->reached.targets.at[i];
	return cs_run_target_make(stream, world, partition, source, shape);
}

static bool uses_grid_range(const struct cs_stream_source *source, uint32_t shape)
{
	return source->n_shapes == 0 || source->shapes[shape].use_grid_range;
}

static struct cs_stream_reach describe_reach(const struct cs_stream *stream,
	struct cs_run_world *world, uint32_t source, uint32_t shape, uint32_t cell)
{
	const struct cs_cooked *cooked = world->model.cooked;
	uint32_t partition = world->model.cells[cell].partition;
	struct cs_run_target target = target_of(stream, world, partition, source, shape);
	const struct cs_box *box = cs_run_tested_box(&world->model, cell);
	struct cs_run_metric metric = cs_run_target_metric(stream, world, &target, cell);
	struct cs_stream_reach reach = {
		.source = stream->sources.active.at[source].source.name,
		.shape = shape,
		.accepted = cs_run_source_accepts(&stream->sources.active.at[source].source,
			cs_cooked_text(cooked, cooked->partitions[partition].name)),
		.hit = cs_run_target_hits(world, &target, cell),
		.distance = INFINITY,
		.radius = target.reach.radius,
		.assumed = uses_grid_range(&stream->sources.active.at[source].source, shape) &&
			   cs_run_range_origin(world, partition) == CS_RANGE_ASSUMED,
	};
	if (cs_box_valid(box)) {
		reach.distance = sqrt(cs_ball_distance2(&target.reach.ball, box));
		reach.aside = cs_ball_hits(&target.reach.ball, box) && !reach.hit;
	}
	if (reach.hit)
		reach.spatial = cs_run_spatial_key(stream, &metric);
	return reach;
}

size_t cs_stream_reaches(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_reach *ret, size_t room)
{
	if (!cs_run_cell_exists(stream, cell))
		return 0;
	struct cs_run_world *world = stream->worlds.at[cell.world];
	size_t n = 0;
	if (!world->policy.decided || !(world->model.flags[cell.cell] & CS_CELL_SPATIAL))
		return 0;
	for (uint32_t i = 0; i < stream->sources.active.n; i++) {
		uint32_t shapes = stream->sources.active.at[i].source.n_shapes;
		for (uint32_t shape = 0; shape < (shapes ? shapes : 1); shape++, n++)
			if (n < room)
				ret[n] = describe_reach(stream, world, i, shape, cell.cell);
	}
	return n;
}

static bool counts(const struct cs_stream_reach *reach)
{
	return reach->accepted && reach->hit;
}

/*
 * Returns whether `left` precedes `right`. Shapes that reach the cell, of sources that load its
 * partition, come first, by spatial sort key. Other shapes that reach the cell follow, then all
 * others, both by distance from the shape.
 */
static bool better(const struct cs_stream_reach *left, const struct cs_stream_reach *right)
{
	if (counts(left) != counts(right))
		return counts(left);
	if (counts(left))
		return left->spatial < right->spatial;
	if (left->hit != right->hit)
		return left->hit;
	return left->distance - left->radius < right->distance - right->radius;
}

static bool find_nearest(const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	struct cs_stream_why *ret)
{
	bool filtered = false;
	for (uint32_t i = 0; i < stream->sources.active.n; i++) {
		uint32_t shapes = stream->sources.active.at[i].source.n_shapes;
		for (uint32_t shape = 0; shape < (shapes ? shapes : 1); shape++) {
			struct cs_stream_reach reach =
				describe_reach(stream, world, i, shape, cell);
			ret->n_hits += counts(&reach);
			filtered = filtered || (reach.hit && !reach.accepted);
			if (!ret->nearest.source || better(&reach, &ret->nearest))
				ret->nearest = reach;
		}
	}
	return filtered;
}

bool cs_run_measure(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_stream_why *ret)
{
	struct cs_run_world *world = stream->worlds.at[cell.world];
	struct cs_run_info info;
	ret->nearest = (struct cs_stream_reach){.distance = INFINITY};
	ret->n_hits = 0;
	ret->blocks = world->model.flags[cell.cell] & CS_CELL_BLOCK_ON_SLOW;
	const bool filtered = world->policy.decided &&
			      (world->model.flags[cell.cell] & CS_CELL_SPATIAL) &&
			      find_nearest(stream, world, cell.cell, ret);
	cs_run_cell_info(stream, world, cell.cell, &info);
	ret->keys = info.keys;
	ret->blocking = info.blocking;
	ret->blocking_ratio = info.blocking_ratio;
	return filtered;
}
