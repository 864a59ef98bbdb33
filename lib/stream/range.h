/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cells that sources reach in a world partition: the targets (each is one shape of one source
 * in one grid), their hits (the cells that they reach), and overridden loading ranges.
 */
#pragma once

#include <cellscope/stream.h>

#include "core/codec.h"
#include "stream/reach.h"

struct cs_run_source;
struct cs_run_world;
struct cs_stream;

/*
 * Bits of cs_run_hit.want: WANT is what the policy wants, ASKED what it would want if no data layer
 * limited it.
 */
enum { CS_WANT_LOAD = 1, CS_WANT_ACTIVATE = 2, CS_ASKED_LOAD = 4, CS_ASKED_ACTIVATE = 8 };

/*
 * A cell that is wanted in this frame, with the record of the decision about the cell. The policy
 * writes the record, and queries read it only through cs_run_decision_of. Frames that skip the
 * world partition leave it unchanged.
 */
struct cs_run_hit {
	uint32_t cell;
	uint8_t want;   /* set of CS_WANT_ and CS_ASKED_ bits */
	uint8_t reason; /* enum cs_reason: rule that decided `want` */
	/* enum cs_reason: CS_REASON_BUDGET or _PERFORMANCE if that prevents loading, else _NONE */
	uint8_t waits;
	uint8_t performance; /* 1 + enum cs_performance as judged; 0: not judged */
	/* the cell has no streaming level; cs_run_resident() clears this when it creates one */
	bool absent;
	bool ranked; /* the three sort keys that follow are computed */
	uint8_t source_priority;
	int32_t hierarchical_level, cell_priority;
	/* index in world.reached.touches of the first entry for the cell, or CS_NONE */
	uint32_t touch;
	/* index of the last target in world.reached.targets that reached the cell, or CS_NONE */
	uint32_t target;
};

/* A record that a target reaches a cell. Made for snapped cells, and in grids with many targets. */
struct cs_run_touch {
	uint32_t target;  /* index in world.reached.targets */
	uint32_t next;    /* index in world.reached.touches of the cell's next entry, or CS_NONE */
	uint8_t want;     /* set of CS_WANT_ and CS_ASKED_ bits */
	uint8_t priority; /* priority of the target's source */
};

/* A target: what one shape of one source reaches in one grid. */
struct cs_run_target {
	struct cs_run_reach reach;
	uint32_t source; /* index in stream.sources.active */
	uint32_t shape;  /* index of the shape in the source; 0 for a source without shapes */
};

/* The cells that one target (shape of a source) reaches, kept while the target moves little. */
struct cs_run_kept {
	/* boxes of cells near `ball`; member `group` of a box: 1 if its cell is a hit, else 0 */
	struct cs_near near;
	bool known; /* the other members are valid */
	bool load_only;
	uint8_t priority;
	struct cs_ball ball;
	/* cm that the ball may move before a cell enters or leaves; negative: test all cells */
	double slack;
};

/* Settings that decide which cells are wanted, besides the positions of the sources. */
struct cs_run_terms {
	uint64_t layers; /* value of layers.epoch in the world partition at the evaluation */
	double level;    /* grid level to which streaming is limited; -1: all levels */
	double z_culling;
	bool hlods;
};

/* Sort keys and blocking ratio of a cell, computed from the sources that reach it (rule 2.3.5). */
struct cs_run_info {
	struct cs_stream_keys keys;
	uint32_t hits;
	/* index in world.reached.targets of the shape that gave keys.spatial, or CS_NONE */
	uint32_t target;
	bool blocking; /* a source that blocks on slow streaming reaches the cell */
	/* lowest distance / radius of blocking sources that reach the cell; else infinite */
	double blocking_ratio;
	/* index in world.reached.targets of the shape that gave blocking_ratio, or CS_NONE */
	uint32_t blocking_target;
	double ratio; /* lowest distance / radius among the targets that reach the cell */
};

/* The cells of a world partition that sources reach (hits), and the data they are computed from. */
struct cs_run_reached {
	/* overridden loading range of each grid in cm; negative: not overridden */
	double *ranges;
	/* copy of `ranges` from the last evaluation, with which `targets` were made */
	double *decided_ranges;
	CS_VEC(struct cs_run_hit) hits; /* sparse set: hit_slot[cell] is an index in `hits` */
	uint32_t *hit_slot;
	CS_VEC(struct cs_run_touch) touches;
	uint32_t free_touch;                  /* first unused entry of `touches`, or CS_NONE */
	CS_VEC(struct cs_run_target) targets; /* grouped by grid */
	/* for each grid, index of its first target, and at the end the number of targets */
	uint32_t *target_first;
	uint64_t target_version; /* sources.version for which `targets` were made */
	/* positions of the active sources in the last evaluation */
	CS_VEC(struct cs_run_stand) stands;
	/* sources.version for which element i of `stands` belongs to element i of sources.active */
	uint64_t stands_version;
	CS_VEC(struct cs_run_kept) kept; /* one item for each target */
	/* true: `hits` is the union of the hits in `kept`, found with the settings `terms` */
	bool keeping;
	struct cs_run_terms terms;
	/* evaluations for which `kept` stays unused, as a target had too many cells near it */
	uint32_t crowded;
};

/* Allocates arrays for the grids and cells; false when memory runs out. */
bool cs_run_reached_init(struct cs_run_reached *reached, size_t n_partitions, size_t n_cells);
void cs_run_reached_deinit(struct cs_run_reached *reached);
/* Writes or reads the overridden loading ranges of n grids, by the mode of `codec`. */
void cs_run_ranges_code(struct cs_codec *codec, double *ranges, size_t n);

/* Stores the positions of the active sources in world.reached.stands; false = no memory. */
bool cs_run_stands_take(const struct cs_stream *stream, struct cs_run_world *world);
/* Makes world.reached.targets from source positions of the last evaluation; false = no memory. */
bool cs_run_targets_prepare(const struct cs_stream *stream, struct cs_run_world *world);
/* Removes the targets of a world partition that was not evaluated since it was registered. */
void cs_run_targets_drop(struct cs_run_world *world);
/* Recomputes targets that were made before the sources last changed; false = no memory. */
bool cs_run_targets_refresh(const struct cs_stream *stream);
/*
 * Returns whether the grid has so many targets that testing each waiting cell against all of them
 * would take time quadratic in the number of sources.
 */
bool cs_run_has_many_targets(const struct cs_run_world *world, uint32_t partition);
/* Step 5 of the frame (policy.c): fills world.reached.hits; false when memory runs out. */
bool cs_run_hits_update(struct cs_stream *stream, struct cs_run_world *world);
/* Removes all hits (cells that sources reach), so that the next evaluation computes them anew. */
void cs_run_hits_drop(struct cs_run_reached *reached);
/* Adds a hit (a wanted cell), or the bits of `want` to the hit of the cell. NULL = no memory. */
struct cs_run_hit *cs_run_hit_add(
	struct cs_run_world *world, uint32_t cell, uint8_t want, enum cs_reason reason);
void cs_run_hit_remove(struct cs_run_world *world, struct cs_run_hit *hit);
/* Computes a cell's sort keys, and the least distance / loading radius of targets that reach it. */
void cs_run_cell_info(const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	struct cs_run_info *ret);
/* Works as cs_run_cell_info for a hit (a wanted cell), while the cell's partition is evaluated. */
void cs_run_hit_info(const struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_run_hit *hit, struct cs_run_info *ret);
/*
 * Returns the reason for which the settings in world.policy.terms exclude a cell wherever the
 * sources are, or CS_REASON_NONE if they do not exclude it.
 */
enum cs_reason cs_run_cell_excluded(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
/* Returns whether cs_run_cell_excluded() may exclude any cell. */
bool cs_run_excludes_any(const struct cs_stream *stream, const struct cs_run_world *world);
/*
 * Appends to policy.found the cells that a client's source reaches without the margin that the
 * server adds. Returns false when memory runs out.
 */
bool cs_run_client_finds(const struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_run_source *source);
double cs_run_range(const struct cs_run_world *world, uint32_t partition);
enum cs_range_origin cs_run_range_origin(const struct cs_run_world *world, uint32_t partition);
struct cs_run_target cs_run_target_make(const struct cs_stream *stream,
	const struct cs_run_world *world, uint32_t partition, uint32_t source, uint32_t shape);
struct cs_run_metric cs_run_target_metric(const struct cs_stream *stream,
	const struct cs_run_world *world, struct cs_run_target *target, uint32_t cell);
double cs_run_spatial_key(const struct cs_stream *stream, const struct cs_run_metric *metric);
/* Returns the highest state that any source requests for the cell. */
enum cs_layer_state cs_run_sources_ask(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
/* Returns whether a cell in a target's ball is also in its sector and, with Z culling, Z range. */
bool cs_run_target_keeps(
	const struct cs_run_world *world, const struct cs_run_target *target, uint32_t cell);
/* Returns whether the target (shape of a source) reaches the cell, by the cell's exact bounds. */
bool cs_run_target_hits(
	const struct cs_run_world *world, const struct cs_run_target *target, uint32_t cell);

/* ---- finding hits: hits.c finds all anew, kept.c updates previous ones ---- */

/* State of a loop over the targets (each one shape of one source in one grid) of a world. */
struct cs_run_sweep {
	struct cs_stream *stream;
	struct cs_run_world *world;
	uint32_t target;
	bool excluding, load_only;
	uint8_t priority; /* priority of the target's source */
	bool touching;    /* the targets that reach a cell are recorded in its hit */
};

/* Selects a target: the following calls add the cells that it reaches to the hits. */
void cs_run_sweep_aim(struct cs_run_sweep *sweep, uint32_t target);
/* Returns the CS_WANT_ and CS_ASKED_ bits of the current target for a cell, 0 if it is excluded. */
uint8_t cs_run_sweep_wants(const struct cs_run_sweep *sweep, uint32_t cell);
/* Records that the sweep's current target reaches the cell of the hit; false = no memory. */
bool cs_run_hit_touch(const struct cs_run_sweep *sweep, struct cs_run_hit *hit, uint8_t want);
/* Adds the non-spatial cells to the hits, if their data layers allow; false = no memory. */
bool cs_run_hits_non_spatial(struct cs_stream *stream, struct cs_run_world *world);
/*
 * Adds to the hits the cells that the targets reach (a target is what one shape of a source reaches
 * in a grid); false when memory runs out. world.reached.targets must be prepared, and
 * world.reached.kept must have an entry for each target.
 */
bool cs_run_hits_sweep(struct cs_stream *stream, struct cs_run_world *world);
