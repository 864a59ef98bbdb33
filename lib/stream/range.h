/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of what sources reach in a world: the targets (each is one shape of one source in one
 * partition), the cells that they hit, and overridden loading ranges.
 */
#pragma once

#include <cellscope/stream.h>

#include "core/codec.h"
#include "stream/near.h"
#include "stream/reach.h"

struct cs_run_source;
struct cs_run_world;
struct cs_stream;

/* Wanted states of a cell, and the states that were asked for before its layers were considered. */
enum { CS_WANT_LOAD = 1, CS_WANT_ACTIVATE = 2, CS_ASKED_LOAD = 4, CS_ASKED_ACTIVATE = 8 };

/*
 * A cell of the frame sets with the record of what was decided about it. The deciding code writes
 * it, and answers read it through cs_run_decision_of only; frames that are skipped leave it
 * unchanged.
 */
struct cs_run_hit {
	uint32_t cell;
	uint8_t want;   /* CS_WANT_, CS_ASKED_ */
	uint8_t reason; /* enum cs_reason: rule that decided `want` */
	uint8_t waits;  /* enum cs_reason: BUDGET or PERFORMANCE, why it has not begun; or NONE */
	uint8_t performance; /* 1 + enum cs_performance as judged; 0: not judged */
	bool absent;         /* the cell has no resident; cs_run_resident clears it */
	bool ranked;         /* the first sort keys, below, are known */
	uint8_t source_priority;
	int32_t hierarchical_level, cell_priority;
	uint32_t touch; /* first entry of the cell's list in world.reached.touches, or CS_NONE */
	/* last target in world.reached.targets that reached the cell, or CS_NONE */
	uint32_t target;
};

/*
 * One target that reached a cell. Stored only under the snap rule or when there are many targets.
 */
struct cs_run_touch {
	uint32_t target;  /* index in world.reached.targets */
	uint32_t next;    /* next entry of the cell in world.reached.touches, or CS_NONE */
	uint8_t want;     /* CS_WANT_, CS_ASKED_ */
	uint8_t priority; /* priority of the source */
};

/* What one shape of one source reaches in one partition. */
struct cs_run_target {
	struct cs_run_reach reach;
	uint32_t source; /* index in stream.sources.active */
	uint32_t shape;  /* index of the shape in the source; 0 for a source without shapes */
};

/* The cells that a target reached when they were last computed. */
struct cs_run_kept {
	struct cs_near near; /* `group` of an entry: the cell is among the hits of the target */
	bool known;          /* `near` and the members below are valid */
	bool load_only;
	uint8_t priority;
	struct cs_ball ball;
	/*
	 * distance that the centre may move before a cell enters or leaves the ball; negative: none
	 */
	double slack;
};

/* Settings, besides targets, that decide which cells are hit; stored when a world was evaluated. */
struct cs_run_terms {
	uint64_t layers; /* epoch of the layers' states */
	double level;    /* value of CS_VAR_FILTER_LEVEL */
	double z_culling;
	bool hlods;
};

/* Sort keys of one cell (rule 2.3.5). */
struct cs_run_info {
	struct cs_stream_keys keys;
	uint32_t hits;
	uint32_t target; /* target in world.reached.targets that gave the spatial key, or CS_NONE */
	bool blocking;   /* a blocking source hits the cell */
	/* distance / radius of the nearest blocking source; infinite when there is none */
	double blocking_ratio;
	double ratio; /* distance / radius of the nearest source */
};

/* State of a world. */
struct cs_run_reached {
	double *ranges;                 /* overridden range of each partition, else negative */
	CS_VEC(struct cs_run_hit) hits; /* sparse set, slots in hit_slot */
	uint32_t *hit_slot;
	CS_VEC(struct cs_run_touch) touches;
	uint32_t free_touch;                  /* first unused entry of `touches`, or CS_NONE */
	CS_VEC(struct cs_run_target) targets; /* grouped by partition */
	uint32_t *target_first;  /* first target of each partition; then the number of targets */
	uint64_t target_version; /* version of the sources that `targets` were made from */
	/* places of the active sources in the last evaluation */
	CS_VEC(struct cs_run_stand) stands;
	uint64_t stands_version;         /* version of the sources that `stands` refers to */
	CS_VEC(struct cs_run_kept) kept; /* kept facts of each target computed so far */
	bool keeping;                    /* the hits equal those of `kept`, under `terms` */
	struct cs_run_terms terms;
	/* number of further evaluations without `kept`, because its neighbourhoods are too large */
	uint32_t crowded;
};

/* Allocates memory for n_partitions and n_cells; false without memory. */
bool cs_run_reached_init(struct cs_run_reached *reached, size_t n_partitions, size_t n_cells);
void cs_run_reached_deinit(struct cs_run_reached *reached);
/* Reads or writes, as the codec says, the overridden ranges of n partitions. */
void cs_run_ranges_code(struct cs_codec *codec, struct cs_run_reached *reached, size_t n);

/* Stores the places of the sources for the world; false without memory. */
bool cs_run_stands_take(const struct cs_stream *stream, struct cs_run_world *world);
/* Prepares world.reached.targets from the places of the sources in the last evaluation. */
bool cs_run_targets_prepare(const struct cs_stream *stream, struct cs_run_world *world);
/* Prepares the targets of all worlds whose targets were made from other sources. */
bool cs_run_targets_refresh(const struct cs_stream *stream);
/*
 * Returns whether there are so many targets that testing each waiting cell against all of them, for
 * its keys, would cost the square of the number of sources.
 */
bool cs_run_has_many_targets(const struct cs_run_world *world, uint32_t partition);
/* Step 5 of the frame (policy.c): fills world.reached.hits; false without memory. */
bool cs_run_hits_update(struct cs_stream *stream, struct cs_run_world *world);
/* Removes all hits; the next evaluation computes them anew. */
void cs_run_hits_drop(struct cs_run_reached *reached);
/* Adds a cell to the hits; `want` is CS_WANT_. NULL without memory. */
struct cs_run_hit *cs_run_hit_add(
	struct cs_run_world *world, uint32_t cell, uint8_t want, enum cs_reason reason);
void cs_run_hit_remove(struct cs_run_world *world, struct cs_run_hit *hit);
/* Computes the sort keys of a cell and its distance ratios to the sources that reach it. */
void cs_run_cell_info(const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	struct cs_run_info *ret);
/* The same during an evaluation, for a cell that has a hit. */
void cs_run_hit_info(const struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_run_hit *hit, struct cs_run_info *ret);
/* Returns why world.policy.terms exclude a cell whatever the sources are; NONE: not excluded. */
enum cs_reason cs_run_cell_excluded(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
/* Returns whether cs_run_cell_excluded() may exclude any cell. */
bool cs_run_excludes_any(const struct cs_stream *stream, const struct cs_run_world *world);
/*
 * Appends to world.policy.found the cells that a source reaches without the margin of a server;
 * false without memory.
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
/* Returns the highest state that a source asks for the cell. */
enum cs_layer_state cs_run_sources_ask(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
/* Tests the sector and Z culling for a cell whose box the ball intersects. */
bool cs_run_target_keeps(
	const struct cs_run_world *world, const struct cs_run_target *target, uint32_t cell);
/* Returns whether the target hits the cell by its exact bounds. */
bool cs_run_target_hits(
	const struct cs_run_world *world, const struct cs_run_target *target, uint32_t cell);
