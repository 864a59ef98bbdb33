/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooked worlds made by hand, for tests and benchmarks of streaming: add partitions, layers and
 * cells (partition by partition), tune the rows in place, then open the result.
 *
 *	struct worlds w;
 *	worlds_init(&w, "5.4");
 *	uint32_t grid = worlds_partition(&w, "MainGrid", CS_PARTITION_LHGRID, 12800, 25600);
 *	worlds_square(&w, grid, 0, -8, -8, 8, 8, 4);
 *	struct cs_cooked *cooked = worlds_open(&w);
 *
 * Actors are counted, not there. Everything aborts when there is no memory.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/cooked_values.h>

#include "core/strings.h"
#include "core/vec.h"

struct worlds {
	struct cs_strings strings;
	struct cs_cooked_world world;
	CS_VEC(struct cs_cooked_partition) partitions;
	CS_VEC(struct cs_cooked_layer) layers;
	CS_VEC(struct cs_cooked_cell) cells;
	CS_VEC(uint32_t) cell_layers;
	CS_VEC(struct cs_cooked_hlod) hlods;
	uint32_t n_actors;
	unsigned char *bytes; /* of the file, once opened */
	size_t n_bytes;
	struct cs_cooked *cooked;
};

void worlds_init(struct worlds *w, const char *profile);
/* Frees the worlds and closes the cooked world, too. */
void worlds_deinit(struct worlds *w);

uint32_t worlds_partition(struct worlds *w, const char *name, enum cs_partition_class class,
	double cell_size, double range);
/* Adds a grid of the spatial hash around the origin, aligned or not. */
uint32_t worlds_spatial_grid(
	struct worlds *w, const char *name, double cell_size, double range, double extent);
uint32_t worlds_layer(
	struct worlds *w, const char *name, uint32_t parent, enum cs_layer_state initial);
/* Adds a spatial cell to the partition's grid; its content fills the middle of its box. */
uint32_t worlds_cell(
	struct worlds *w, uint32_t partition, int level, int64_t x, int64_t y, uint32_t actors);
/* Adds a cell that is not spatial, and always loaded unless it gets layers. */
uint32_t worlds_non_spatial(
	struct worlds *w, uint32_t partition, const char *name, uint32_t actors);
/* Adds the cells [x0, x1) x [y0, y1). */
void worlds_square(struct worlds *w, uint32_t partition, int level, int64_t x0, int64_t y0,
	int64_t x1, int64_t y1, uint32_t actors);
/* Adds layers to the cell that was added last; `external` comes first, unless it is CS_NONE. */
void worlds_set_layers(struct worlds *w, uint32_t external, const uint32_t *layers, size_t n);
uint32_t worlds_hlod(struct worlds *w, uint32_t source, uint32_t home);

/* Writes a file in memory and opens it, as streaming will see it. */
struct cs_cooked *worlds_open(struct worlds *w);

/*
 * A town of side x side cells around the origin: three grid levels, a fine second grid, two tiers
 * of HLOD, always loaded and layered cells, client-only and blocking grids, layers with parents,
 * load filters and an external one. The same seed gives the same town.
 */
void worlds_town(
	struct worlds *w, const char *profile, enum cs_hash_class class, int side, uint64_t seed);
