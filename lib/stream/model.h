/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What never changes of a world partition, decoded once from its cooked world: flags and layer set
 * of every cell, the spatial index of every partition, who is whose HLOD.
 */
#pragma once

#include <cellscope/runs.h>

#include "stream/rtree.h"

/* Cells with the same layers share a row; row 0 has none. */
struct cs_run_layer_set {
	uint32_t external;      /* layers: the EDL, or CS_NONE */
	struct cs_range layers; /* of model.layer_lists: the others */
};

/* Coordinates of a cell of a spatial hash, for the snap rule. Sorted by level, y, x. */
struct cs_run_place {
	int64_t x, y;
	int32_t level;
	uint32_t cell;
};

struct cs_run_partition {
	struct cs_rtree index; /* spatial cells; grouped by grid level */
	bool spatial_hash;     /* cell squares and `<` instead of content and `<=` */
	bool flat;
	struct cs_run_place *places; /* only with the snap rule */
	size_t n_places;
};

struct cs_run_model {
	const struct cs_cooked *cooked;
	size_t n_cells;
	uint16_t *flags;     /* CS_CELL_ */
	uint32_t *layer_set; /* of each cell: sets */
	struct cs_run_layer_set *sets;
	size_t n_sets;
	uint32_t *layer_lists;
	struct cs_run_partition *partitions; /* as in the cooked world */
	uint32_t *non_spatial;               /* cells, ascending */
	size_t n_non_spatial;
	uint32_t *hlods_by_home, *hlods_by_source; /* rows of hlods, sorted by that cell */
	size_t n_hlods_by_home, n_hlods_by_source;
	uint64_t memory;
};

struct cs_error *cs_run_model_init(
	const struct cs_cooked *cooked, int threads, struct cs_run_model *ret) CS_MUST_USE;
void cs_run_model_deinit(struct cs_run_model *model);

/* The box that decides whether a source hits the cell: its content or its square. */
const struct cs_box *cs_run_tested_box(const struct cs_run_model *model, uint32_t cell);
/* The bounds that the sort keys measure to: the content, or the tested box where it has none. */
const struct cs_box *cs_run_content_box(const struct cs_run_model *model, uint32_t cell);
/* HLODs that a cell holds, and those that stand for it: rows of the cooked hlods table. */
struct cs_range cs_run_hlods_at(const struct cs_run_model *model, uint32_t home);
struct cs_range cs_run_hlods_for(const struct cs_run_model *model, uint32_t source);
