/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constant data of a world partition, decoded once from its cooked world: flags and layer set
 * of every cell, the spatial index of every partition, and which HLOD represents which cell.
 */
#pragma once

#include <cellscope/runs.h>

#include "stream/rtree.h"

/* A set of layers, shared by all cells that have it; row 0 is the empty set. */
struct cs_run_layer_set {
	uint32_t external;      /* row of layers: the external data layer, or CS_NONE */
	struct cs_range layers; /* range of model.layer_lists: the other layers */
};

/* Coordinates of a cell of a spatial hash, for the snap rule (1.7.5). Sorted by level, y, x. */
struct cs_run_place {
	int64_t x, y;
	int32_t level;
	uint32_t cell;
};

struct cs_run_partition {
	struct cs_rtree index; /* spatial cells; grouped by grid level */
	/*
	 * distances are measured to the cell's square and compared by `<`, else to its content by
	 * `<=`
	 */
	bool spatial_hash;
	bool flat;
	struct cs_run_place *places; /* NULL without the snap rule */
	size_t n_places;
};

struct cs_run_model {
	const struct cs_cooked *cooked;
	const struct cs_cooked_cell *cells; /* all cells of the world */
	size_t n_cells;
	uint16_t *flags;     /* CS_CELL_ flags of each cell */
	uint32_t *layer_set; /* row of sets of each cell */
	struct cs_run_layer_set *sets;
	size_t n_sets;
	uint32_t *layer_lists;
	struct cs_run_partition *partitions; /* partitions in the order of the cooked world */
	uint32_t *non_spatial;               /* cells that are not spatial, ascending */
	size_t n_non_spatial;
	/* rows of hlods, sorted by home cell and by source cell */
	uint32_t *hlods_by_home, *hlods_by_source;
	size_t n_hlods_by_home, n_hlods_by_source;
	uint64_t memory;
};

struct cs_error *cs_run_model_init(
	const struct cs_cooked *cooked, int threads, struct cs_run_model *ret) CS_MUST_USE;
void cs_run_model_deinit(struct cs_run_model *model);

/* Returns the box that decides whether a source hits the cell: its content or its square. */
const struct cs_box *cs_run_tested_box(const struct cs_run_model *model, uint32_t cell);
/*
 * Returns the bounds that sort keys measure to: the content, or the tested box when there is none.
 */
const struct cs_box *cs_run_content_box(const struct cs_run_model *model, uint32_t cell);
/*
 * Return ranges of hlods_by_home and hlods_by_source: the HLOD actors in a cell, and those that
 * represent it.
 */
struct cs_range cs_run_hlods_at(const struct cs_run_model *model, uint32_t home);
struct cs_range cs_run_hlods_for(const struct cs_run_model *model, uint32_t source);
