/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constant data of a world partition, decoded once from its cooked world: flags and layer set
 * of every cell, the spatial index of every grid, and which HLOD actor represents which cell.
 */
#pragma once

#include <cellscope/runs.h>

#include "stream/rtree.h"

/* A set of data layers, shared by all cells with exactly these layers; row 0 is the empty set. */
struct cs_run_layer_set {
	uint32_t external;      /* row of layers: external data layer of the set, or CS_NONE */
	struct cs_range layers; /* the other layers: range of model.layer_lists */
};

/* Coordinates of a spatial hash cell for the snap rule (1.7.5); sorted by level, y and x. */
struct cs_run_place {
	int64_t x, y;
	int32_t level;
	uint32_t cell;
};

struct cs_run_partition {
	struct cs_rtree index; /* boxes of the spatial cells; each grid level is a group */
	/*
	 * true: a source reaches a cell if the distance to the cell's square is < the radius;
	 * false: if the distance to the cell's content is <= the radius
	 */
	bool spatial_hash;
	bool flat;
	struct cs_run_place *places; /* finds cells by coordinates; NULL if unused (rule 1.7.5) */
	size_t n_places;
};

/* A copy of the cell fields that a run reads, so that the rows of cells need not stay in memory. */
struct cs_run_model_cell {
	/* box that a source must reach: the square in a spatial hash grid, else the content */
	struct cs_box tested;
	/* box to which sort keys measure distances: the content, or the square if there is none */
	struct cs_box content;
	uint32_t partition; /* index in cs_run_model.partitions */
	int32_t level, hierarchical_level, priority;
	uint32_t n_actors;
	bool layered; /* whether the cell has data layers */
};

struct cs_run_model {
	const struct cs_cooked *cooked;
	struct cs_run_model_cell *cells; /* all cells of the world */
	size_t n_cells;
	uint16_t *flags;     /* CS_CELL_ flags of each cell */
	uint32_t *layer_set; /* for each cell, index in `sets` */
	struct cs_run_layer_set *sets;
	size_t n_sets;
	uint32_t *layer_lists;
	struct cs_run_partition *partitions; /* grids, in the order of the cooked world */
	/* indices of the cells that are not spatial, ascending */
	uint32_t *non_spatial;
	size_t n_non_spatial;
	/*
	 * rows of the cooked HLOD actors: sorted by the cell that contains the actor, and sorted by
	 * the cell that it represents
	 */
	uint32_t *hlods_by_home, *hlods_by_source;
	size_t n_hlods_by_home, n_hlods_by_source;
};

struct cs_error *cs_run_model_init(
	const struct cs_cooked *cooked, int threads, struct cs_run_model *ret) CS_MUST_USE;
void cs_run_model_deinit(struct cs_run_model *model);

/* Return the members `tested` and `content` of a cell (struct cs_run_model_cell). */
const struct cs_box *cs_run_tested_box(const struct cs_run_model *model, uint32_t cell);
const struct cs_box *cs_run_content_box(const struct cs_run_model *model, uint32_t cell);
/*
 * Return HLOD actors in cell `home` (a range of hlods_by_home) or for `source` (hlods_by_source).
 */
struct cs_range cs_run_hlods_at(const struct cs_run_model *model, uint32_t home);
struct cs_range cs_run_hlods_for(const struct cs_run_model *model, uint32_t source);
